from __future__ import annotations

from horsesense.evaluation.inference import MethodSummary, by_entry, pose, score, summarize
from horsesense.models import Family, load_model
from horsesense.schema import Entry
from horsesense.schema.notation import parse_grid
from horsesense.scoring import Share, find_method, methods_of
from tests.evaluation.inference.word_model import WordModel

KETTLE = Entry("kettle", parse_grid("a kettle <can, cannot> boil on a {hot, cold} stove"))
OWLS = Entry("owls", parse_grid("<Owls hunt mice.*, Mice hunt owls.>"))
UNSOLVED = Entry("open", parse_grid("the lamp is <? on, off> now"))
TREES = Entry(
    "trees", parse_grid("trees have {leaves, legs} <always, never>"), flags=(("invertible", False),)
)
ENTRIES = (KETTLE, OWLS, UNSOLVED, TREES)


def test_outcomes_are_counted_by_problem_and_by_schema() -> None:
    posed = pose(ENTRIES)
    scored = list(
        by_entry(posed, score(load_model("first"), posed.problems, methods_of(Family.BASELINE)))
    )
    assert [len(results) for _, results in scored] == [2, 1, 1, 2]
    # Of the five labelled problems the first option is right in three.
    assert summarize("choice", scored) == MethodSummary(
        "choice", Share(3, 5), Share(0, 2), Share(0, 5), ()
    )


def test_what_is_undefined_is_in_no_share_and_counted_by_its_reason() -> None:
    posed = pose([OWLS, KETTLE])
    methods = [find_method("partial", Family.CAUSAL)]
    model = WordModel(["A kettle can boil on a hot stove.", "Owls hunt mice."])
    found = summarize("partial", list(by_entry(posed, score(model, posed.problems, methods))))
    assert (found.problems.total, found.schemas.total) == (2, 1)
    assert found.undefined == (("the problem has no blank", 1),)
