from __future__ import annotations

from horsesense.evaluation.inference import Summary, by_entry, pose, score, summarize
from horsesense.models import load_model
from horsesense.models.observation import Family
from horsesense.schema import Entry, Mode
from horsesense.schema.notation import parse_grid, parse_wrapper
from horsesense.scoring import Share, find_method, methods_of
from tests.evaluation.inference.word_model import WordModel

KETTLE = Entry("kettle", parse_grid("a kettle <can, cannot> boil on a {hot, cold} stove"))
OWLS = Entry("owls", parse_grid("<Owls hunt mice.*, Mice hunt owls.>"))
UNSOLVED = Entry("open", parse_grid("the lamp is <? on, off> now"))
TREES = Entry(
    "trees", parse_grid("trees have {leaves, legs} <always, never>"), flags=(("invertible", False),)
)
ENTRIES = (KETTLE, OWLS, UNSOLVED, TREES)


def test_what_an_author_rules_out_is_left_out_with_the_reason() -> None:
    posed = pose(ENTRIES, Mode.BY_KEY)
    assert [entry.id for entry in posed.entries] == ["kettle"]
    assert [one.ids for one in posed.left_out] == [("owls",), ("open",), ("trees",)]
    assert posed.left_out[-1].reason == "its author says that it is not invertible"


def test_the_limit_counts_what_is_posed() -> None:
    assert [entry.id for entry in pose((OWLS, KETTLE, TREES), limit=2).entries] == [
        "owls",
        "kettle",
    ]
    assert [entry.id for entry in pose(ENTRIES, Mode.BY_KEY, limit=1).entries] == ["kettle"]


def test_a_dyad_is_two_schemas() -> None:
    wrapper = parse_wrapper("It is |true, false| that …")
    (entry,) = pose([KETTLE], Mode.BY_BOOLEAN, wrapper=wrapper).entries
    assert len(entry.problems) == 4
    assert sorted(at for pair in entry.pairs for at in pair) == [0, 1, 2, 3]


def test_outcomes_are_counted_by_problem_and_by_schema() -> None:
    posed = pose(ENTRIES)
    scored = list(
        by_entry(posed, score(load_model("first"), posed.problems, methods_of(Family.BASELINE)))
    )
    assert [len(results) for _, results in scored] == [2, 1, 1, 2]
    # Of the five labelled problems the first option is right in three.
    assert summarize("choice", scored) == Summary(
        "choice", Share(3, 5), Share(0, 2), Share(0, 5), ()
    )


def test_what_is_undefined_is_in_no_share_and_counted_by_its_reason() -> None:
    posed = pose([OWLS, KETTLE])
    methods = [find_method("partial", Family.CAUSAL)]
    model = WordModel(["A kettle can boil on a hot stove.", "Owls hunt mice."])
    found = summarize("partial", list(by_entry(posed, score(model, posed.problems, methods))))
    assert (found.problems.total, found.schemas.total) == (2, 1)
    assert found.undefined == (("the problem has no blank", 1),)


def test_what_is_loose_is_posed_as_it_stands_in_a_dataset_that_declares_its_mode() -> None:
    posed = pose(ENTRIES, Mode.BY_KEY, is_declared=True)
    assert [entry.id for entry in posed.entries] == ["kettle", "owls", "open"]
    assert (posed.mode, posed.as_they_stand) == (Mode.BY_KEY, ("owls", "open"))
    assert [one.ids for one in posed.left_out] == [("trees",)]
    assert posed.entries[1:] == pose((OWLS, UNSOLVED)).entries


def test_nothing_loose_goes_into_a_wrapper_whatever_is_declared() -> None:
    wrapper = parse_wrapper("It is |true, false| that …")
    posed = pose([OWLS], Mode.BY_BOOLEAN, wrapper=wrapper, is_declared=True)
    assert (posed.entries, posed.as_they_stand) == ((), ())
