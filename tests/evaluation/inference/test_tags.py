from __future__ import annotations

from collections.abc import Iterator, Sequence

from horsesense.evaluation.inference import answer_set_of, by_entry, pose, score
from horsesense.models import ChatModel, ChatRequest, Family, Replies, Reply, load_model
from horsesense.schema import Entry, Mode
from horsesense.schema.notation import parse_grid, parse_wrapper
from horsesense.scoring import find_method
from tests.evaluation.inference.stand_in import declared
from tests.evaluation.inference.word_model import WordModel

KETTLE = parse_grid("a kettle <can, cannot> boil on a {hot, cold} stove")


def tags(entry: Entry, mode: Mode = Mode.BY_ANSWER) -> list[set[str]]:
    (posed,) = pose([entry], mode).entries
    return [set(each) for each in posed.tags]


def test_tags_asserted_flags_and_the_kind_hold_of_every_problem() -> None:
    flags = (("associative", True), ("switchable", False))
    found = tags(Entry("kettle", KETTLE, tags=("kitchen",), flags=flags))
    assert found == [{"kitchen", "associative", "substitution-schema"}] * 2


def test_a_flag_that_lists_its_problems_holds_of_these_only() -> None:
    extras = (("x-associative", "k2"), ("x-problems", "k1, k2"))
    entry = Entry("kettle", KETTLE, flags=(("associative", True),), extras=extras)
    assert ["associative" in each for each in tags(entry)] == [False, True]
    # By key there are other problems, which have no names.
    assert ["associative" in each for each in tags(entry, Mode.BY_KEY)] == [True, True]


def test_a_list_without_the_names_of_all_problems_is_not_believed() -> None:
    extras = (("x-associative", "k2"), ("x-problems", "k1, k2, k3"))
    entry = Entry("kettle", KETTLE, flags=(("associative", True),), extras=extras)
    assert ["associative" in each for each in tags(entry)] == [True, True]


def test_a_tag_that_is_denied_of_a_problem_by_its_number_does_not_hold_of_it() -> None:
    extras = (("x-gotcha.1", "0"), ("x-gotcha.2", "1"))
    entry = Entry("kettle", KETTLE, tags=("gotcha",), extras=extras)
    assert ["gotcha" in each for each in tags(entry)] == [False, True]


def test_a_dyad_is_tagged_as_one() -> None:
    (posed,) = pose(
        [Entry("kettle", KETTLE)],
        Mode.BY_BOOLEAN,
        wrapper=parse_wrapper("It is |true, false| that …"),
    ).entries
    assert all("dyad" in each for each in posed.tags)


def test_answers_of_equal_length_are_counted_in_the_models_tokens() -> None:
    entry = Entry("kettle", KETTLE)
    lids = Entry("lids", parse_grid("a pot {with, without} a lid boils <soon, much later>"))
    model = WordModel(["A kettle can boil on a hot stove."])
    posed = pose([entry, lids])
    methods = [find_method("partial", Family.CAUSAL)]
    scored = list(by_entry(posed, score(model, posed.problems, methods)))
    answer_set = answer_set_of("partial", scored)
    assert [one.problem for one in answer_set.answers] == [
        ("kettle", 1),
        ("kettle", 2),
        ("lids", 1),
        ("lids", 2),
    ]
    assert ["equal-length" in one.tags for one in answer_set.answers] == [True, True, False, False]
    assert ["second-last" in one.tags for one in answer_set.answers] == [False, False, True, True]
    assert answer_set.schemas == ((0, 1), (2, 3))


def test_a_baseline_has_no_tokens_to_count() -> None:
    posed = pose([Entry("kettle", KETTLE)])
    methods = [find_method("choice", Family.BASELINE)]
    scored = list(by_entry(posed, score(load_model("first"), posed.problems, methods)))
    assert all("equal-length" not in one.tags for one in answer_set_of("choice", scored).answers)


def test_a_field_that_happens_to_have_a_tags_name_denies_nothing() -> None:
    extras = (("x-problems", "k1, k2"), ("x-source", "a book"))
    entry = Entry("kettle", KETTLE, tags=("source",), extras=extras)
    assert ["source" in each for each in tags(entry)] == [True, True]


class Parrot(ChatModel):
    """A model that always gives the first letter."""

    info = declared(Family.CHAT)

    def ask(self, requests: Sequence[ChatRequest]) -> Iterator[Replies]:
        yield [(request, Reply("A", "stop")) for request in requests]


def test_how_replies_were_read_is_a_tag_of_the_answer_and_not_kept_twice() -> None:
    posed = pose([Entry("kettle", KETTLE)])
    letter = find_method("letter", Family.CHAT)
    results = list(score(Parrot(), posed.problems, [letter]))
    answers = answer_set_of("letter", list(by_entry(posed, results)))
    assert all("follows-position" in answer.tags for answer in answers.answers)
    assert not any(answer.outcome.tags for answer in answers.answers)
    assert "refused" in answers.tags
