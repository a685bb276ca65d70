"""Describe what a model does on a dataset, by fixed rules: a sentence, shares, four questions.

A conclusion says how good a model is; a finding says first what it does with the two problems of a
schema, its twins. The right answer flips between twins, so a model that gives both the same answer
solves exactly one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from horsesense.reports.conclusion import (
    Compared,
    Conclusion,
    Survival,
    compare_with_original,
    conclude,
    is_above,
    is_beyond_chance,
    is_enough,
    perturbations,
    undecided_share,
)
from horsesense.reports.lookup import without_repeats
from horsesense.reports.table import ReportTable, RowGroup, TableColumn, left
from horsesense.reports.wording import (
    CHANCE,
    GUESSING_IN_BOTH_ORDERS,
    INVERTED,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    UNDEFINED,
    controls,
    counted,
    is_bound_of_guessing,
    listed,
    percent,
    span,
    standard,
)
from horsesense.results import (
    BY_KEY,
    OWN_SCHEMAS,
    DatasetSubject,
    Estimate,
    ModelSubject,
    Plan,
    ResultKey,
    Results,
)
from horsesense.results.measuring import Undecided, count_undecided

_HALF_SOLVED, _ANTI_SOLVED = "half-solved-share", "anti-solved-share"
# What guessing gives: the shares of problems, and of schemas with both, one and neither solved.
GUESSED = {**CHANCE, _HALF_SOLVED: 0.5, _ANTI_SOLVED: 0.25}


class Behaviour(StrEnum):
    """The ways a model can treat the twins of a schema; `classify` has the rule."""

    TOO_FEW = "too few schemas"
    SOLVES = "solves both twins"
    SAME_ANSWER = "gives both twins the same answer"
    ONE_OF_TWO = "solves one of two twins"
    WRONG_TWICE = "gets both twins wrong"
    UNDECIDED = "leaves problems undecided"
    BY_ORDER = "follows the order of the options"
    NO_ANSWER = "gives no answer"
    GUESSES = "answers like guessing"


# Behaviours that are not compared with guessing.
_UNDECIDED = (Behaviour.UNDECIDED, Behaviour.BY_ORDER, Behaviour.NO_ANSWER)
_NOT_GUESSED = (Behaviour.TOO_FEW, *_UNDECIDED)
# The reasons for undecided problems that are behaviours of their own.
_CAUSES = {
    Undecided.BY_ORDER: Behaviour.BY_ORDER,
    Undecided.NO_ANSWER: Behaviour.NO_ANSWER,
}


class AnswerMark(StrEnum):
    """The answer to a question about a model: yes, no, unclear, or that it is not judged."""

    YES = "✓"
    NO = "✗"
    UNCLEAR = "?"
    NOT_APPLICABLE = "–"


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """A question about a model on a dataset, and its answer as a mark and with numbers.

    The numbers are shares of schemas with both twins right.
    """

    name: str
    question: str
    mark: AnswerMark
    numbers: str


# How the schemas were drawn, if not all were used.
_SAMPLED, _FIRST = "sampled", "first"


@dataclass(frozen=True, slots=True)
class ModelFinding:
    """The finding about a model on a dataset: its behaviour, the conclusion, and four questions.

    `shares` are estimates: problems solved, and schemas with both, one and neither twin solved.
    `subset` is empty, `sampled` or `first`: how the schemas were drawn from the dataset.
    `undecided` is the share of undecided problems, or of those for the reason in the behaviour.
    With `is_bound`, guessing gives at most what it gives a model that is asked in one order.
    """

    model: str
    dataset: str
    method: str
    behaviour: Behaviour
    conclusion: Conclusion
    shares: tuple[Estimate | None, ...]
    questions: tuple[ModelQuestion, ...]
    subset: str = ""
    undecided: float = 0.0
    is_bound: bool = False

    @property
    def n_schemas(self) -> int:
        """The number of schemas that it is about."""
        both = self.shares[1]
        return both.n_schemas if both else 0

    @property
    def n_problems(self) -> int:
        """The number of problems that it is about."""
        return max((share.n_problems for share in self.shares if share), default=0)

    @property
    def has_singles(self) -> bool:
        """Whether problems were scored whose twins were not, or that have none."""
        return self.n_problems > 2 * self.n_schemas

    @property
    def sentence(self) -> str:
        """The finding as one sentence."""
        return _sentence([self])


def find(results: Results, model: ModelSubject, dataset: DatasetSubject) -> ModelFinding:
    """Return the finding about a model on a dataset, by its standard method."""
    at = standard(model, dataset.name)
    metrics = (PROBLEM_ACCURACY, SCHEMA_ACCURACY, _HALF_SOLVED, _ANTI_SOLVED)
    shares = tuple(results.value(at, metric) for metric in metrics)
    conclusion = conclude(results, at)
    is_bound = any(is_bound_of_guessing(results, share) for share in shares)
    behaviour = classify(shares, conclusion, is_bound=is_bound)
    undecided = undecided_share(shares[0])
    if behaviour is Behaviour.UNDECIDED:
        behaviour, undecided = _cause(results, at, undecided)
    return ModelFinding(
        model.name,
        dataset.name,
        at.method,
        behaviour,
        conclusion,
        shares,
        tuple(_questions(results, model, at)),
        _subset(results.record.plan),
        undecided,
        is_bound,
    )


def _cause(results: Results, at: ResultKey, undecided: float) -> tuple[Behaviour, float]:
    """Return why at least half of the undecided problems are so, and their share of all."""
    if at not in results.answer_sets:
        return Behaviour.UNDECIDED, undecided
    answers = results.answer_sets[at].labelled().answers
    counts = count_undecided(answers)
    for reason, behaviour in _CAUSES.items():
        if counts[reason] and 2 * counts[reason] >= counts.total():
            return behaviour, counts[reason] / len(answers)
    return Behaviour.UNDECIDED, undecided


def _subset(plan: Plan) -> str:
    if plan.sample is not None:
        return _SAMPLED
    return "" if plan.first is None else _FIRST


def classify(
    shares: Sequence[Estimate | None], conclusion: Conclusion, *, is_bound: bool = False
) -> Behaviour:
    """Return what a model does with twins, given its shares and the conclusion.

    “More than” means that the whole 95 % interval is above. The first rule that applies decides:

    1. Fewer than 30 schemas, or no interval: TOO_FEW.
    2. Both twins are solved in more than 25 % of the schemas: SOLVES.
    3. A tenth of the problems or more are undecided: UNDECIDED. If at least half of them are so
       because the choice follows the order of the options, or because a reply has no answer, this
       is said instead: BY_ORDER, NO_ANSWER.
    4. Exactly one twin is solved in more than 50 %: SAME_ANSWER. If any problem is undecided, a
       schema can be half solved without a second answer, so: ONE_OF_TWO.
    5. Neither twin is solved in more than 25 %: WRONG_TWICE. Not for a chat model with undecided
       problems (`is_bound`): asked in both orders, guessing fails more.
    6. Otherwise: GUESSES.
    """
    _, both, one, neither = shares
    if both is None or not is_enough(both):
        return Behaviour.TOO_FEW
    if is_beyond_chance(both):
        return Behaviour.SOLVES
    if conclusion is Conclusion.UNDECIDED:
        return Behaviour.UNDECIDED
    if is_above(one, GUESSED[_HALF_SOLVED]):
        return Behaviour.ONE_OF_TWO if both.n_undecided else Behaviour.SAME_ANSWER
    is_wrong = not is_bound and is_above(neither, GUESSED[_ANTI_SOLVED])
    return Behaviour.WRONG_TWICE if is_wrong else Behaviour.GUESSES


def finding_json(finding: ModelFinding) -> dict[str, Any]:
    """Return a finding as plain values: shares with their intervals, and the four questions."""
    names = ("problems right", "both twins right", "one twin right", "both twins wrong")
    return {
        "model": finding.model,
        "dataset": finding.dataset,
        "method": finding.method,
        "verdict": finding.sentence,
        "behaviour": str(finding.behaviour),
        **{
            name.replace(" ", "_"): {
                "value": share.value,
                "low": share.low,
                "high": share.high,
                "guessing": None if finding.is_bound else GUESSED[share.metric],
                "problems": share.n_problems,
                "schemas": share.n_schemas,
            }
            for name, share in zip(names, finding.shares, strict=True)
            if share is not None
        },
        "questions": [
            {
                "name": each.name,
                "question": each.question,
                "answer": each.mark.name.lower().replace("_", " "),
                "both_twins_right": each.numbers,
            }
            for each in finding.questions
        ],
    }


def headline(findings: Iterable[ModelFinding]) -> str:
    """Put the findings into sentences; those that differ only in the dataset share one."""
    alike: dict[tuple[str, Behaviour, Conclusion, bool], list[ModelFinding]] = {}
    for finding in findings:
        kind = finding.model, finding.behaviour, finding.conclusion, finding.is_bound
        alike.setdefault(kind, []).append(finding)
    return " ".join(map(_sentence, alike.values())) or "Nothing was evaluated."


# What a model does, and the position of the share that shows it.
_VERBS = {
    Behaviour.TOO_FEW: ("was tested on", 1),
    Behaviour.SOLVES: ("solves both twins in", 1),
    Behaviour.UNDECIDED: ("leaves undecided", 0),
    Behaviour.BY_ORDER: ("follows the order of the options, not their content, in", 0),
    Behaviour.NO_ANSWER: ("gives no readable answer to", 0),
    Behaviour.SAME_ANSWER: ("gives both twins the same answer in", 2),
    Behaviour.ONE_OF_TWO: ("solves only one of two twins in", 2),
    Behaviour.WRONG_TWICE: ("gets both twins wrong in", 3),
    Behaviour.GUESSES: ("solves both twins in", 1),
}


# What follows from a behaviour, before the conclusion, which is about solved schemas.
_MEANINGS = {
    Behaviour.SAME_ANSWER: (
        "the right answer flips between twins, but the model mostly keeps its answer; "
    ),
    Behaviour.WRONG_TWICE: "the model often takes the deciding words the wrong way; ",
}


def _sentence(alike: Sequence[ModelFinding]) -> str:
    first, *others = alike
    verb, position = _VERBS[first.behaviour]
    meaning = _MEANINGS.get(first.behaviour, "")
    amounts = [_evaluated(first)]
    amounts += [_evaluated(finding, is_first=False) for finding in others]
    share = first.shares[position]
    is_guessable = share is not None and first.behaviour not in _NOT_GUESSED
    most = "at most " if first.is_bound else ""
    guessed = percent(GUESSED[share.metric]) if share and is_guessable else ""
    guessing = f" (guessing: {most}{guessed})" if guessed else ""
    return f"{first.model} {verb} {listed(amounts)}{guessing}: {meaning}{first.conclusion}."


def _dataset(finding: ModelFinding) -> str:
    return "your own" if finding.dataset == OWN_SCHEMAS else finding.dataset


def _evaluated(finding: ModelFinding, *, is_first: bool = True) -> str:
    """Write how many of what, and of which dataset."""
    if not finding.n_problems:
        return f"{_dataset(finding)} (no problem with a known answer was scored)"
    return f"{_amount(finding, is_first=is_first)} of {_dataset(finding)}"


def _amount(finding: ModelFinding, *, is_first: bool = True) -> str:
    """Write how many of what, as “75 % of the 40 schemas”; only the first one has the noun."""
    share = finding.shares[_VERBS[finding.behaviour][1]]
    number, noun, subset = finding.n_schemas, "schema", finding.subset
    if finding.behaviour is Behaviour.TOO_FEW:
        if not number:
            number, noun = finding.n_problems, "single problem"
        sampled = f"sampled {noun}" if subset == _SAMPLED else noun
        return f"{'the first ' if subset == _FIRST else ''}{counted(number, sampled)}"
    value = share.value if share else None
    if share and finding.behaviour in _UNDECIDED:
        number, noun, value = share.n_problems, "problem", finding.undecided
    sampled = f"sampled {noun}" if subset == _SAMPLED else noun
    many = counted(number, sampled) if is_first else f"{number:,}"
    return f"{percent(value)} of the {'first ' if subset == _FIRST else ''}{many}"


# A question that cannot be answered.
_TOO_FEW = "too few schemas"


def _questions(results: Results, model: ModelSubject, at: ResultKey) -> Iterator[ModelQuestion]:
    """Answer the four questions by the share of schemas with both twins right."""
    original = results.value(at, SCHEMA_ACCURACY)
    if original is None or original.value is None:
        return
    # What another program evaluated has no variants.
    if len(results.variants_of(at.dataset)) > 1:
        question = "Does it fail when words that it needs are removed?"
        yield ModelQuestion("Fails on controls", question, *_by_controls(results, at, original))
        question = "Does it survive changes that should not matter?"
        yield ModelQuestion("Survives rewordings", question, *_by_rewordings(results, at, original))
        question = "Can it guess the key phrase from the answer?"
        yield ModelQuestion("Solves it inverted", question, *_by_inversion(results, at, original))
    elif len(model.methods) == 1:
        return
    question = "Do all scoring methods lead to the same conclusion?"
    yield ModelQuestion("Scoring methods agree", question, *_by_methods(results, model, at))


def _by_controls(results: Results, at: ResultKey, original: Estimate) -> tuple[AnswerMark, str]:
    """YES if it solves fewer schemas without the words that decide, NO if as many as with them.

    The first control on at least 30 schemas decides. NO means that the control is above chance,
    too, and not lower than the original.
    """
    measured = compare_with_original(results, at, controls(results, at.dataset))
    if not measured:
        return AnswerMark.UNCLEAR, "no control was run"
    first = next((control for control in measured if control.has_enough), measured[0])
    sentence = _of_control(first)
    if not first.has_enough:
        return AnswerMark.UNCLEAR, f"{sentence}; {_TOO_FEW}"
    if not is_beyond_chance(original):
        return AnswerMark.NOT_APPLICABLE, sentence
    mark = AnswerMark.YES if first.is_lower else AnswerMark.UNCLEAR
    if mark is AnswerMark.UNCLEAR and is_beyond_chance(first.value):
        mark = AnswerMark.NO
    return mark, sentence


def _of_control(control: Compared) -> str:
    title = control.variant.title or control.variant.name
    return (
        f"{percent(control.difference.after)} with {title}, {percent(control.difference.before)} as"
        " written"
    )


def _by_rewordings(results: Results, at: ResultKey, original: Estimate) -> tuple[AnswerMark, str]:
    """YES if it solves as many schemas under every rewording, NO if fewer under at least one."""
    measured = compare_with_original(results, at, perturbations(results, at.dataset))
    if not measured:
        return AnswerMark.UNCLEAR, "none was tested"
    values = sorted(compared.value.value or 0.0 for compared in measured)
    sentence = (
        f"{_range(values)} under {counted(len(measured), 'rewording')},"
        f" {percent(original.value)} as written"
    )
    survivals = [compared.survival for compared in measured if compared.has_enough]
    if not survivals:
        return AnswerMark.UNCLEAR, f"{sentence}; {_TOO_FEW}"
    if not is_beyond_chance(original):
        return AnswerMark.NOT_APPLICABLE, sentence
    lost = survivals.count(Survival.LOST)
    if lost:
        return AnswerMark.NO, f"{sentence}; clearly lower under {lost}"
    is_kept = set(survivals) == {Survival.KEPT}
    return AnswerMark.YES if is_kept else AnswerMark.UNCLEAR, sentence


def _by_inversion(results: Results, at: ResultKey, original: Estimate) -> tuple[AnswerMark, str]:
    """YES if it solves more schemas by key than guessing would, NO if not more.

    What a chat model solves that leaves problems undecided may still be more than guessing would.
    """
    inverted = results.value(at.replace(variant=INVERTED), SCHEMA_ACCURACY)
    is_by_key = any(
        variant.name == INVERTED and variant.mode == BY_KEY
        for variant in results.variants_of(at.dataset)
    )
    if inverted is None or inverted.value is None or not is_by_key:
        return AnswerMark.UNCLEAR, "not tested"
    sentence = (
        f"{percent(inverted.value)} choosing the key phrase,"
        f" {percent(original.value)} choosing the answer"
    )
    if not is_enough(inverted):
        return AnswerMark.UNCLEAR, f"{sentence}; {_TOO_FEW}"
    mark = AnswerMark.YES if is_beyond_chance(inverted) else AnswerMark.UNCLEAR
    is_at_most_chance = inverted.high is not None and inverted.high <= CHANCE[SCHEMA_ACCURACY]
    is_no = is_at_most_chance and not is_bound_of_guessing(results, inverted)
    return AnswerMark.NO if is_no else mark, sentence


def _by_methods(results: Results, model: ModelSubject, at: ResultKey) -> tuple[AnswerMark, str]:
    """YES if all scoring methods are on the same side of chance, NO if one is above and one not."""
    values = {}
    for method in model.methods:
        accuracy = results.value(at.replace(method=method), SCHEMA_ACCURACY)
        if accuracy is not None and accuracy.value is not None:
            values[method] = accuracy
    if len(values) < 2:
        return AnswerMark.NOT_APPLICABLE, f"there is only one, {at.method}"
    above = sum(map(is_beyond_chance, values.values()))
    shares = sorted(accuracy.value or 0.0 for accuracy in values.values())
    sentence = (
        f"{_range(shares)} by {len(values)} methods, {above or 'none'} of them above guessing"
    )
    mark = AnswerMark.YES if above in (0, len(values)) else AnswerMark.NO
    if not all(map(is_enough, values.values())):
        mark = AnswerMark.UNCLEAR
    return mark, sentence


def _range(values: Sequence[float]) -> str:
    least, most = percent(values[0]), percent(values[-1])
    return least if least == most else f"{least.removesuffix(' %')}–{most}"


# The columns of the table of shares: the heading, the position of the share, and its metric.
_COLUMNS = (
    ("Problems Right", 0, PROBLEM_ACCURACY),
    ("Both Twins Right", 1, SCHEMA_ACCURACY),
    ("Same Answer Twice", 2, _HALF_SOLVED),
)
_ONE_RIGHT = "One Twin Right"


def table_of_shares(findings: Sequence[ModelFinding], plan: Plan) -> ReportTable | None:
    """Return a small table in words: problems and twins right, and twins with the same answer."""
    measured = [finding for finding in findings if any(finding.shares)]
    if not measured:
        return None
    has_undecided = any(share and share.n_undecided for each in measured for share in each.shares)
    headings = [heading for heading, *_ in _COLUMNS]
    if has_undecided:
        headings[-1] = _ONE_RIGHT
    rows = tuple(
        (
            finding.model,
            finding.dataset,
            *(_cell(finding.shares[at], is_bound=finding.is_bound) for _, at, _ in _COLUMNS),
        )
        for finding in measured
    )
    has_bound = any(finding.is_bound for finding in measured)
    is_compared = not all(finding.is_bound for finding in measured)
    guessing = ("guessing", "", *(percent(GUESSED[metric]) for *_, metric in _COLUMNS))
    below = (RowGroup((guessing,)),) if is_compared else ()
    arrows = "; ↑ ↓: clearly above or below guessing" if is_compared else ""
    return ReportTable(
        name="finding",
        title="What the model does",
        columns=(left("Model"), left("Dataset"), *map(TableColumn, headings)),
        groups=(RowGroup(without_repeats(rows, 2)), *below),
        notes=(
            "twins: the two problems of a schema; the right answer flips between them",
            f"in brackets: 95 % interval{arrows}",
            *((_NO_ARROWS,) if has_bound else ()),
            _counts(measured) + _how_drawn(plan) + _of_singles(measured),
        ),
    )


_NO_ARROWS = (
    "no arrows for chat models with undecided problems: asked in both orders,"
    f" {GUESSING_IN_BOTH_ORDERS}"
)


def _how_drawn(plan: Plan) -> str:
    if plan.sample is not None:
        return f" (a sample, drawn with seed {plan.seed})"
    return "" if plan.first is None else " (the first ones)"


def _of_singles(findings: Iterable[ModelFinding]) -> str:
    if not any(finding.has_singles for finding in findings):
        return ""
    return f"; problems without a scored twin count for “{_COLUMNS[0][0]}” only"


# The legend printed with the marks.
MARKS = "✓ yes  ✗ no  ? unclear  – not judged"


def table_of_questions(findings: Sequence[ModelFinding]) -> ReportTable | None:
    """Return a table of the marks, with a row for each model and dataset."""
    asked = [finding for finding in findings if finding.questions]
    if not asked:
        return None
    headings = [question.name for question in asked[0].questions]
    rows = tuple(
        (finding.model, finding.dataset, *(str(each.mark) for each in finding.questions))
        for finding in asked
    )
    return ReportTable(
        name="questions",
        title="Four questions",
        columns=(left("Model"), left("Dataset"), *map(TableColumn, headings)),
        groups=(RowGroup(without_repeats(rows, 2)),),
        notes=(
            *(f"{each.name}: {each.question}" for each in asked[0].questions),
            MARKS,
        ),
    )


def _counts(findings: Iterable[ModelFinding]) -> str:
    """Say how many schemas and problems each dataset has; models may differ in them."""
    counts: dict[str, set[tuple[int, int]]] = {}
    for finding in findings:
        counts.setdefault(finding.dataset, set()).add((finding.n_problems, finding.n_schemas))
    return "; ".join(
        f"{name}: {span((problems for problems, _ in numbers), 'problem')},"
        f" {span((schemas for _, schemas in numbers), 'schema')}"
        for name, numbers in counts.items()
    )


def _cell(share: Estimate | None, *, is_bound: bool) -> str:
    """Write a share with its interval, and an arrow if it is clearly not what guessing gives.

    With fewer than 30 schemas, or if it is not known what guessing gives, nothing is clear.
    """
    if share is None or share.value is None:
        return UNDEFINED
    if share.low is None or share.high is None:
        return percent(share.value)
    guessed, arrow = GUESSED[share.metric], ""
    if is_enough(share) and not is_bound:
        arrow = " ↑" if share.low > guessed else " ↓" if share.high < guessed else ""
    low, high = percent(share.low).removesuffix(" %"), percent(share.high).removesuffix(" %")
    return f"{percent(share.value)}{arrow} ({low}–{high})"
