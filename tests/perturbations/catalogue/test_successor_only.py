import pytest

from horsesense.datasets.importers.formats.swag import FORMAT
from horsesense.perturbations import Perturbed, Voucher
from horsesense.perturbations.catalogue.cutting import SUCCESSOR_ONLY
from horsesense.schema import Kind, problems
from tests.datasets.importers.imported import imported, published
from tests.perturbations.written import applied, entry, result

LOAF = "Rosa fetches a loaf. She <cuts it.*, sings it., is it.>"


def test_the_answers_are_compared_as_whole_sentences() -> None:
    done = result(SUCCESSOR_ONLY, entry(LOAF))
    assert isinstance(done, Perturbed)
    (problem,) = problems(done.entry.grid)
    assert [one.text for one in problem.sentences] == ["Cuts it.", "Sings it.", "Is it."]
    assert (problem.right, problem.blanks) == (0, 0)
    assert done.entry.grid.kind is Kind.MINIMAL_PAIR
    assert (done.how, done.voucher) == ("the context removed", Voucher.RULE)


def test_marks_after_the_blank_go_with_every_answer() -> None:
    assert applied(SUCCESSOR_ONLY, entry("“So he <ran, sang*>!”")) == "<ran!”, sang!”*>"


def test_what_is_verbatim_gets_its_capitals() -> None:
    assert applied(SUCCESSOR_ONLY, entry("! so he <? ran ., sang .>")) == "! <? Ran ., Sang .>"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("so the <owl*, vole> hid", "the blank is not the end of the text"),
        ("the <owl*, vole> ate the <vole, owl>", "the blank is not the end of the text"),
        ("[Nora] met [Lena] and <she = Nora*, Lena>.", "its answers replace a pronoun and mean"),
        ("{owls, voles} eat <voles, seeds>", "a substitution schema is not a problem on its own"),
        ("so it <ran*, hid>\n& so it <ran, sang*>", "a loose pair is not a problem on its own"),
        ("<Owls are here.*, Owls is here.>", "a minimal pair is not a problem on its own"),
    ],
)
def test_elsewhere_nothing_is_left_out(text: str, reason: str) -> None:
    assert applied(SUCCESSOR_ONLY, entry(text)).startswith(f"({reason}")


def test_it_applies_to_its_example() -> None:
    assert applied(SUCCESSOR_ONLY, entry(SUCCESSOR_ONLY.example.strip())).startswith("<takes the")


def test_all_published_endings_can_stand_alone() -> None:
    entries = imported(FORMAT, published("swag/swag.csv").data).entries
    done = [result(SUCCESSOR_ONLY, one) for one in entries]
    assert len(done) == 11
    for before, after in zip(entries, done, strict=True):
        assert isinstance(after, Perturbed)
        (old,), (new,) = problems(before.grid), problems(after.entry.grid)
        endings = [text for (text,) in old.options]
        assert [text.text.lower() for text in new.sentences] == [e.lower() for e in endings]
        assert all(one.text[0].isupper() for one in new.sentences) and new.right == old.right
