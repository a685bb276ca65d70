"""A small profile of everything that is easily lost on the way to a file and back."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nextafter
from typing import Any

from horsesense.results import (
    DatasetSubject,
    Estimate,
    EstimateKind,
    ModelSubject,
    OptionCount,
    Plan,
    ProblemRow,
    Record,
    ReplyCount,
    ResultKey,
    Results,
    ServerUsage,
    Skipped,
    TokenCosts,
    Variant,
)
from horsesense.scoring.outcome import Answer, AnswerSet, Outcome, decide

THIRD = 1 / 3
ANT = ResultKey("ant", "quay", method="smart@1")
BEE = ANT.replace(model="bee", variant="switched", method="full")
OPTIONS = ("Infinity", 'the «red», "long" boat\nand = a 船')


def awkward_record(**fields: Any) -> Record:
    kept: dict[str, Any] = {
        "id": "00ab12cd34ef",
        "key": "00ab12cd34ef" + "5" * 52,
        "plan": Plan(models=("ant", "bee"), data=("quay",), subsets=("not a",), memory=THIRD),
        "horsesense": "0.1.0",
        "program": "ab" * 32,
        "versions": (("python", "3.11"), ("torch", "")),
        "machine": (),
        "started_at": "2026-01-02T03:04:05+00:00",
        "finished_at": "2026-01-02T03:04:09+00:00",
        "seconds": 4.000000000000001,
        "queries": 7,
        "asked": 0,
    }
    return Record(**(kept | fields))


def awkward_answer_sets() -> dict[ResultKey, AnswerSet]:
    """Infinite costs, a tie, no label, no choice, three options, tags that differ by model."""
    answers = (
        Answer("boat", 1, decide((0.1, inf), 0), OPTIONS, frozenset({"sea", "equal-length"})),
        Answer("boat", 2, decide((2.5, 2.5), 1), OPTIONS, frozenset({"sea"})),
        Answer("gull", 1, decide((3.0, THIRD, nextafter(1, 2)), None), ("a", "b", "c")),
        Answer("gull", 2, Outcome((), 1, 0, 0.0, has_choice=False)),
    )
    first = AnswerSet(
        "smart@1", answers, ((0, 1), (1, 2)), ("one left out",), frozenset({"second"})
    )
    again = replace(
        first, answers=tuple(replace(one, tags=frozenset({"bee's"})) for one in answers[::-1])
    )
    return {
        ANT: first,
        BEE: replace(again, name="full", remarks=()),
        BEE.replace(method="none"): EMPTY,
    }


EMPTY = AnswerSet("none", (), ())


def awkward_estimates() -> tuple[Estimate, ...]:
    value = Estimate(
        kind=EstimateKind.VALUE,
        key=ANT.replace(subset="not (a)"),
        metric="problem-accuracy",
        value=0.1 + 0.2,
        low=5e-324,
        high=1.0,
        count=2,
        total=2.5,
        n_problems=4,
        n_schemas=2,
        n_clusters=2,
        n_undecided=1,
        p=1e-300,
        test="exact",
        thesis_p=0.0,
    )
    change = Estimate(
        kind=EstimateKind.CHANGE,
        key=BEE,
        against=ANT,
        metric="consistency",
        value=None,
        reason="“none”, so",
    )
    difference = replace(
        value,
        kind=EstimateKind.DIFFERENCE,
        key=BEE,
        against=ANT.replace(method=""),
        value=-THIRD,
        before=THIRD,
        after=0.0,
        p_adjusted=2 * THIRD,
        family="all, of it",
    )
    return value, change, difference


def awkward_profile(**fields: Any) -> Results:
    model = ModelSubject(
        name="ant",
        family="causal",
        architecture="Ant",
        parameters=2**40,
        dtype="float32",
        device="cpu",
        fingerprint="f" * 16,
        is_baseline=False,
        methods=("smart@1", "full"),
        standard=(("quay", "smart@1"),),
    )
    dataset = DatasetSubject(
        name="quay",
        version=3,
        id="d" * 64,
        title="Quay",
        licence="CC BY 4.0",
        is_winograd=True,
        entries=2,
        problems=4,
        schemas=2,
        tags=("sea",),
    )
    form = Variant(
        dataset="quay", name="switched", title="ß", compared="original", left_out=(("no, it", 2),)
    )
    sentences = tuple(f"{option} sank." for option in OPTIONS)
    posed = ProblemRow("quay", "original", "boat", 1, "___ sank.", OPTIONS, 0, sentences)
    kept: dict[str, Any] = {
        "record": awkward_record(),
        "models": (
            model,
            replace(model, name="bee", is_baseline=True, standard=(), server="vllm «0.32»"),
        ),
        "datasets": (dataset,),
        "variants": (Variant(dataset="quay", name="original"), form),
        "estimates": awkward_estimates(),
        "options": (OptionCount(ANT, "1", 1, 2), OptionCount(BEE, "true", 0, 3)),
        "problems": (
            posed,
            replace(posed, number=2, label=1),
            replace(posed, variant="switched", entry="only posed", label=None, options=()),
        ),
        "answer_sets": awkward_answer_sets(),
        "tokens": (
            TokenCosts(
                "ant",
                "quay",
                "original",
                "boat",
                1,
                0,
                ("Infinity", " sank"),
                ("blank",) * 2,
                (None, inf),
            ),
            TokenCosts("ant", "quay", "original", "boat", 1, 1, (), (), ()),
        ),
        "skipped": (Skipped("bee", "could not be loaded: «no»"),),
        "replies": (
            reply_count(),
            reply_count(dataset="quay", variant="switched", method="letter@4", refused=2**62),
        ),
        "usage": (
            ServerUsage(model="bee", requests=9, prompt_tokens=0, reply_tokens=7, cost=THIRD),
            ServerUsage(model="ant", requests=0, prompt_tokens=0, reply_tokens=0, cost=None),
        ),
    }
    return Results(**(kept | fields))


def reply_count(**fields: Any) -> ReplyCount:
    """All distinct requests of a model, counted."""
    kept: dict[str, Any] = {
        "model": "bee",
        "dataset": "",
        "variant": "",
        "method": "",
        "requests": 8,
        "refused": 1,
        "unparsable": 2,
        "truncated": 3,
        "chose_first": 2,
        "with_log_probs": 5,
        "written_differs": 0,
        "prompt_tokens": 2**40,
        "reply_tokens": 16,
    }
    return ReplyCount(**(kept | fields))


def without_servers(results: Results) -> Results:
    """Leave out what earlier versions do not know."""
    models = tuple(replace(one, server="") for one in results.models)
    return replace(results, models=models, replies=(), usage=())


def bare_profile() -> Results:
    """A profile in which nothing was found."""
    return Results(awkward_record(id="01", key="01" * 32), (), (), (), ())


def exact(value: object) -> str:
    """Every digit and every kind of number of a value, which equality would not tell apart."""
    if isinstance(value, Results):
        parts = [value.record, value.models, value.datasets, value.variants, tuple(value.estimates)]
        parts += [value.options, tuple(value.problems), value.tokens, value.skipped]
        parts += [tuple(value.replies), tuple(value.usage)]
        answer_sets = [
            (
                address,
                answer_set.name,
                answer_set.schemas,
                answer_set.remarks,
                sorted(answer_set.marks),
            )
            + tuple(
                (one.problem, one.outcome, one.options, sorted(one.tags))
                for one in answer_set.answers
            )
            for address, answer_set in value.answer_sets.items()
        ]
        return repr([*parts, answer_sets])
    return repr(value)
