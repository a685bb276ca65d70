from collections import Counter
from pathlib import Path

import pytest

from horsesense.datasets.importers.formats.blocks import AMBIGUOUS, NO_TWIN
from horsesense.datasets.importers.formats.blocks import FORMAT_DPR as FORMAT
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import ImportFaults
from horsesense.schema import Header, Issue, IssueKind, Kind
from horsesense.schema.material import PROBLEMS
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "dpr"

HUNGRY = """\
The owl ate the vole because it was hungry.
it
The owl,the vole
The owl
"""
TASTY = """\
The owl ate the vole because it was tasty.
it
The owl,the vole
the vole
"""


def reading_of(text: str, *off: str, keep_going: bool = True) -> FileImport:
    file = SourceFile("own.txt", text.encode())
    return FileImport(file, FORMAT, Header("own"), Journal(off), keep_going=keep_going)


def read(text: str, *off: str) -> tuple[dict[str, str], list[Issue]]:
    """The grids by their ids, and the issues."""
    reading = reading_of(text, *off)
    return {entry.id: print_grid(entry.grid) for entry in reading}, issues_of(reading)


def test_twins_make_a_schema_and_answers_fit_their_place() -> None:
    grids, issues = read(f"{HUNGRY}\n{TASTY}")
    assert grids == {
        "1": "[The owl] ate [the vole] because <it = the owl, the vole> was {hungry, tasty}."
    }
    assert [(issue.kind, issue.name, issue.line, issue.problem) for issue in issues] == [
        (IssueKind.REPAIR, "answer-lowercase", 1, "1"),
        (IssueKind.REPAIR, "answer-lowercase", 6, "2"),
    ]


def test_published_answers_can_be_had_as_they_are() -> None:
    grids, _ = read(f"{HUNGRY}\n{TASTY}", "answer-lowercase")
    assert "<it = The owl, the vole>" in grids["1"]


def test_the_order_of_twins_tells_nothing() -> None:
    (entry,) = reading_of(f"{TASTY}\n{HUNGRY}")
    assert "{hungry, tasty}" in print_grid(entry.grid)
    assert dict(entry.extras)[PROBLEMS] == "2, 1"


def test_a_possessive_pronoun_makes_owners_of_the_answers() -> None:
    text = "The owl met Nora before her keys were lost.\nher\nThe owl,Nora\nNora\n"
    grids, issues = read(text)
    assert grids == {"1": "[The owl] met [Nora] before <her's = the owl, Nora*> keys were lost."}
    assert [issue.name for issue in issues] == ["answer-lowercase", "answer-possessive", NO_TWIN]


def test_a_pronoun_may_be_a_phrase_and_may_open_a_sentence() -> None:
    text = "The owl met the vole. That beast fled.\nthat beast\nThe owl,the vole\nthe vole\n"
    grids, _ = read(text)
    assert grids["1"] == "[The owl] met [the vole]. <That beast = the owl, the vole*> fled."


def test_of_several_pronouns_the_first_after_both_candidates_is_taken() -> None:
    text = "If it rains, Nora tells Lena that it leaks and it drips.\nit\nNora,Lena\nNora\n"
    grids, issues = read(text)
    assert grids["1"] == (
        "If it rains, [Nora] tells [Lena] that <it = Nora*, Lena> leaks and it drips."
    )
    (issue,) = (issue for issue in issues if issue.name == AMBIGUOUS)
    assert (issue.odd, issue.done) == (
        "'it' occurs 3 times",
        "used number 2, the first after both candidates",
    )


def test_of_several_pronouns_before_the_candidates_the_last_is_taken() -> None:
    text = "As she said she would, Nora left Lena.\nshe\nNora,Lena\nNora\n"
    grids, issues = read(text)
    assert grids["1"] == "As she said <she = Nora*, Lena> would, [Nora] left [Lena]."
    assert issues[0].done == "used number 2, the last"


def test_a_pronoun_inside_a_word_is_none() -> None:
    text = "The kite hit the bridge and it fell with its tail.\nit\nThe kite,the bridge\nThe kite\n"
    grids, issues = read(text)
    assert grids["1"].endswith("and <it = the kite*, the bridge> fell with its tail.")
    assert AMBIGUOUS not in {issue.name for issue in issues}


def test_letters_that_grow_in_lower_case_do_not_shift_the_pronoun() -> None:
    text = "In İzmir the kite hit Nora and it fell.\nit\nthe kite,Nora\nthe kite\n"
    (group,) = FORMAT.read(SourceFile("own.txt", text.encode()), Journal(), ())
    assert group.problems[0].texts == ("In İzmir the kite hit Nora and ", " fell.")


def test_a_problem_whose_neighbours_have_other_candidates_is_alone() -> None:
    other = "Nora put the lid on the jar and it fell.\nit\nthe lid,the jar\nthe lid\n"
    grids, issues = read(f"{other}\n{HUNGRY}\n{TASTY}")
    assert list(grids) == ["1", "2"]
    assert [(issue.line, issue.problem) for issue in issues if issue.name == NO_TWIN] == [(1, "1")]


def test_twins_are_not_sought_beyond_a_broken_block() -> None:
    grids, issues = read(f"{HUNGRY}\nIt rained.\n\n{TASTY}")
    assert list(grids) == ["1", "3"]
    assert [issue.problem for issue in issues if issue.name == NO_TWIN] == ["1", "3"]
    assert [issue.line for issue in issues if issue.kind is IssueKind.FAULT] == [6]


def test_a_pronoun_that_does_not_occur_is_a_fault() -> None:
    text = f"{HUNGRY}\n{TASTY.replace('because it', 'because that')}"
    with pytest.raises(ImportFaults) as caught:
        list(reading_of(text, keep_going=False))
    assert caught.value.faults == ((6, "the pronoun 'it' does not occur in the sentence"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{HUNGRY}\n{TASTY}", True),
        (HUNGRY, True),
        (HUNGRY.rstrip("\n"), True),
        (HUNGRY.replace("it was", "[MASK] was").replace("\nit\n", "\n[MASK]\n"), False),
        (HUNGRY.replace("\nThe owl\n", "\nthe owl\n"), False),
        (HUNGRY.replace("\nit\n", "\nthey\n"), False),
        ("It rained.\n", False),
        ("", False),
    ],
)
def test_a_look_tells_the_format(text: str, expected: bool) -> None:
    assert FORMAT.looks_like(SourceFile("own.txt", text.encode())) is expected


@pytest.mark.skipif(not DATA.exists(), reason="the published DPR is not at hand")
def test_the_published_training_file_is_read_whole() -> None:
    file = SourceFile("train.c.txt", (DATA / "train.c.txt").read_bytes())
    assert FORMAT.looks_like(file)
    reading = FileImport(file, FORMAT, Header("dpr"), Journal())
    entries = list(reading)
    kinds = Counter(entry.grid.kind for entry in entries)
    assert kinds == {Kind.SUBSTITUTION: 393, Kind.LOOSE: 268}
    names = Counter(issue.name for issue in issues_of(reading))
    assert names["blank-in-difference"] + names["scattered-difference"] == 268
    assert (names[AMBIGUOUS], names["answer-possessive"], names[NO_TWIN]) == (37, 14, 0)
    problems = [name for entry in entries for name in dict(entry.extras)[PROBLEMS].split(", ")]
    assert sorted(map(int, problems)) == list(range(1, 1323))
