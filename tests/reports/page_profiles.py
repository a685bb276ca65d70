"""Profiles for the tests of the page: one of 1,000 problems, one of hostile texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from horsesense.reports import DrawnFigure
from horsesense.results import (
    ORIGINAL,
    DatasetSubject,
    ModelSubject,
    Plan,
    ProblemRow,
    Record,
    ResultKey,
    Results,
    Skipped,
    TokenCosts,
    Variant,
)
from horsesense.scoring.outcome import Answer, AnswerSet, decide
from tests.reports.built import small_report
from tests.reports.small_profile import ANT, BEE, record, small_profile

PROBLEMS = 1000
# As many forms as the data in the box have.
TESTS = 15

SCRIPT = "</script><script>window.hasRun = alert(1)</script>"
IMAGE = "<img src=x onerror='window.hasRun = alert(2)'>"
QUOTES = '"\'`><svg onload="window.hasRun = alert(3)">'
MARKS = "\u202eright to left\u202c \u2067isolated\u2069 <!--"


@dataclass(frozen=True)
class Kept(DrawnFigure):
    """A figure that was drawn before, as drawing takes its time."""

    drawn: str = ""

    def svg(self) -> str:
        """The figure as it was drawn."""
        return self.drawn


@cache
def two_figures() -> tuple[Kept, ...]:
    """Two figures of the small profile."""
    return tuple(
        Kept(
            one.name,
            one.title,
            one.caption,
            one.alt,
            one.draw,
            one.family,
            one.facet,
            one.symbols,
            drawn=one.svg(),
        )
        for one in small_report().figures[:2]
    )


@cache
def large_profile() -> Results:
    """The kitchen of the small profile, over and over, in many forms, with tokens of two models."""
    small = small_profile()
    original = small.variants_of("kitchen")[0]
    problems = [one for one in small.problems if _is(one, "kitchen", ORIGINAL)]
    copies = -(-PROBLEMS // len(problems))
    switched = next(one for one in small.variants_of("kitchen") if one.name == "switched")
    tests = [replace(switched, name=f"test-{at}", problems=PROBLEMS) for at in range(TESTS)]
    forms = (replace(original, problems=PROBLEMS), *tests)
    posed = [
        replace(one, variant=form.name, entry=f"{one.entry}-{copy}")
        for form in forms
        for copy in range(copies)
        for one in problems
    ]
    return replace(
        small,
        variants=(*forms, *small.variants_of("yard")),
        problems=(*posed, *(one for one in small.problems if one.dataset == "yard")),
        answer_sets={**small.answer_sets, **dict(_copied(small, forms, copies))},
        tokens=tuple(_tokens(one for one in posed if one.variant == ORIGINAL)),
    )


def wordy_profile() -> Results:
    """The small profile, with a sentence and options that have very long words."""
    small = small_profile()
    first, *others = small.problems
    options = tuple(one + "y" * 400 for one in first.options)
    long = replace(first, statement="x" * 3000 + " saw ___ " + "again " * 500, options=options)
    return replace(small, problems=(long, *others))


def _is(one: ProblemRow, dataset: str, form: str) -> bool:
    return (one.dataset, one.variant) == (dataset, form)


def _copied(
    small: Results, forms: tuple[Variant, ...], copies: int
) -> Iterator[tuple[ResultKey, AnswerSet]]:
    for at, answer_set in small.answer_sets.items():
        if (at.dataset, at.variant) != ("kitchen", ORIGINAL):
            continue
        size = len(answer_set.answers)
        answers = tuple(
            replace(one, entry=f"{one.entry}-{copy}")
            for copy in range(copies)
            for one in answer_set.answers
        )
        schemas = tuple(
            (one + copy * size, two + copy * size)
            for copy in range(copies)
            for one, two in answer_set.schemas
        )
        for form in forms:
            yield (
                at.replace(variant=form.name),
                replace(answer_set, answers=answers, schemas=schemas),
            )


def _tokens(problems: Iterator[ProblemRow]) -> Iterator[TokenCosts]:
    """Every word of a sentence as a token; what it costs does not matter here."""
    for one in problems:
        for model in (ANT, BEE):
            for option, sentence in enumerate(one.sentences):
                texts = tuple(sentence.split())
                yield TokenCosts(
                    model, one.dataset, one.variant, one.entry, one.number, option, texts,
                    ("prefix",) * (len(texts) - 1) + ("blank",),
                    tuple(0.37 * len(text) + option for text in texts),
                )  # fmt: skip


def hostile_profile() -> Results:
    """A profile of texts that would break out of a page, if it let them."""
    dataset, form = f"data {QUOTES}", ORIGINAL
    model = ModelSubject(
        name=f"model {SCRIPT}", family="causal", architecture=IMAGE, parameters=1, dtype=QUOTES,
        device="cpu", fingerprint=SCRIPT, is_baseline=False, methods=(f"method {IMAGE}",),
        standard=((dataset, f"method {IMAGE}"),),
    )  # fmt: skip
    options = (f"cat {IMAGE}", f"dog {SCRIPT}")
    entry = f"pets {QUOTES}"
    problems = tuple(
        ProblemRow(dataset, name, entry, number, f"The ___ slept {SCRIPT} {IMAGE} {MARKS}.",
                     options, number - 1, tuple(f"The {one} slept." for one in options))
        for name in (form, f"test {SCRIPT}") for number in (1, 2)
    )  # fmt: skip
    answers = tuple(
        Answer(entry, number, decide((1.0, 2.0), number - 1), options, frozenset({f"tag {IMAGE}"}))
        for number in (1, 2)
    )
    tokens = tuple(
        TokenCosts(model.name, dataset, form, entry, number, option, (SCRIPT, IMAGE, MARKS),
                   ("prefix", "blank", "suffix"), (1.0, float("inf"), None))
        for number in (1, 2) for option in (0, 1)
    )  # fmt: skip
    answer_set = AnswerSet("sheet", answers, ((0, 1),))
    at = ResultKey(model.name, dataset, form, method=model.methods[0])
    return Results(
        _hostile_record(),
        (model,),
        (DatasetSubject(name=dataset, version=1, id=SCRIPT, title=IMAGE, licence=QUOTES,
                        is_winograd=True, entries=1, problems=2, schemas=1),),
        (Variant(dataset=dataset, name=form, problems=2),
         Variant(dataset=dataset, name=f"test {SCRIPT}", title=IMAGE, transformation=SCRIPT,
                     purpose="consistency test", level="problem", compared=ORIGINAL, problems=2,
                     left_out=((IMAGE, 1),))),
        (),
        problems=problems,
        answer_sets={at: answer_set, at.replace(variant=f"test {SCRIPT}"): answer_set},
        tokens=tokens,
        skipped=(Skipped(SCRIPT, IMAGE),),
    )  # fmt: skip


def _hostile_record() -> Record:
    return replace(
        record(),
        id=SCRIPT,
        plan=Plan(models=(SCRIPT,), data=(IMAGE, MARKS)),
        versions=((QUOTES, SCRIPT),),
        machine=((IMAGE, QUOTES),),
        finished_at=SCRIPT,
    )
