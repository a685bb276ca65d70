"""Asking one model about all forms of all datasets at once, and what it answered, form by form.

All problems go into one asking: sentences that forms have in common are asked about once, and what
begins alike is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, cast

from horsesense.errors import ModelError
from horsesense.evaluation.inference import PosedEntry, Scored, answer_set_of, by_entry, score
from horsesense.evaluation.inference import Progress as AskingProgress
from horsesense.evaluation.progress import OnProgress, Progress
from horsesense.evaluation.protocol.methods import chosen_methods, named_methods, standard_name
from horsesense.evaluation.protocol.variants import PosedDataset, PosedVariant
from horsesense.models import (
    CausalObservation,
    Family,
    Label,
    LabelPart,
    LanguageModel,
    LogProbs,
    MaskedObservation,
    Model,
    ModelInfo,
    Observation,
    Part,
    SpansObservation,
    Straddling,
    TokenSpans,
)
from horsesense.results import (
    ALL,
    ORIGINAL,
    ModelSubject,
    Plan,
    ProblemRow,
    ResultKey,
    Skipped,
    TokenCosts,
    Variant,
)
from horsesense.schema import Problem
from horsesense.scoring import FrequencyTable, Method, Undefined
from horsesense.scoring.method import NO_FIRST
from horsesense.scoring.outcome import AnswerSet, Outcome
from horsesense.store import Store

Spell: TypeAlias = Callable[[int], str]
# What stands between two blanks comes before the last of them, as the prefix does.
_PARTS = {Part.PREFIX: "prefix", Part.BLANK: "blank", Part.BETWEEN: "prefix", Part.SUFFIX: "suffix"}
_PREFIX, _BLANK, _SUFFIX = "prefix", "blank", "suffix"
# How vocabularies spell the space before a word.
_SPACES = str.maketrans("Ġ▁", "  ")


class _Token(NamedTuple):
    text: str
    part: str
    cost: float | None


def token_costs(
    model: str, variant: Variant, entry: str, number: int, scored: Scored, spell: Spell
) -> Iterator[TokenCosts]:
    """The tokens of each option of a problem; none for what a baseline says.

    Of a causal model they have what each costs after those before it; of a masked one, masked
    alone; of a sequence-to-sequence one, as part of the label that it is to write for the blank.
    """
    for option, observation in enumerate(scored.observations):
        tokens = list(_tokens(scored.problem, option, observation, spell))
        if tokens:
            texts, parts, costs = zip(*tokens, strict=True)
            yield TokenCosts(
                model, variant.dataset, variant.name, entry, number, option, texts, parts, costs
            )


def _tokens(
    problem: Problem, option: int, observation: Observation, spell: Spell
) -> Iterator[_Token]:
    match observation:
        case CausalObservation(tokens=placed):
            first = placed.real[0] if placed.real else 0
            costs = (*observation.log_probs[:first], observation.first)
            yield from _placed(placed, costs + observation.log_probs[first + 1 :])
        case MaskedObservation(tokens=placed):
            yield from _placed(placed, observation.single)
        case SpansObservation(plain=plain):
            yield from _label(problem, option, plain, spell)


def _placed(placed: TokenSpans, log_probs: LogProbs) -> Iterator[_Token]:
    """The tokens that stand in the sentence, each with what lies between it and the last."""
    reading, start = placed.reading, 0
    last = placed.real[-1] if placed.real else 0
    for at in placed.real:
        # A piece of a character has no text of its own, and the last token has the rest.
        end = len(reading.text) if at == last else max(start, reading.ends[at])
        value = log_probs[at] if at < len(log_probs) else None
        cost = None if value is None else -value
        yield _Token(reading.text[start:end], _PARTS[placed.parts[at]], cost)
        start = end


def _label(problem: Problem, option: int, label: Label, spell: Spell) -> Iterator[_Token]:
    """The sentence with the tokens of the label in its blanks.

    What stands around the blanks costs nothing. A sentinel, and the end, have no text in it.
    """
    sentence = problem.sentences[option]
    spans = sentence.spans_of(problem.mode.axis)
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(sentence.text)]
    around = [sentence.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    blank = -1
    begins = False
    for token, part, log_prob in zip(label.ids, label.parts, label.log_probs, strict=True):
        text = ""
        if part is LabelPart.SENTINEL:
            blank += 1
            if blank < len(spans):
                yield _Token(around[blank], _PREFIX, None)
            begins = True
        elif part is LabelPart.PHRASE:
            spelt = spell(token).translate(_SPACES)
            text, begins = (spelt.lstrip(" "), False) if begins else (spelt, False)
        yield _Token(text, _BLANK, -log_prob)
    yield _Token(around[-1], _SUFFIX, None)


# Of many problems so many are named.
_SHOWN = 20
_REMEDIES = {NO_FIRST: "; a table gives it one (--frequencies FILE)"}


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model answered; `asked` of the `queries` were put to it, the others were stored."""

    subject: ModelSubject
    answer_sets: Mapping[ResultKey, AnswerSet]
    tokens: tuple[TokenCosts, ...]
    skipped: tuple[Skipped, ...]
    queries: int
    asked: int


class UnscoredError(ModelError):
    """A model without any score; it would have none if it were asked again."""


@dataclass(frozen=True, slots=True)
class Respondent:
    """A model under the name that it has in the profile, and all that it is asked."""

    name: str
    model: Model
    datasets: Sequence[PosedDataset]
    plan: Plan
    frequencies: FrequencyTable | None = None

    @property
    def info(self) -> ModelInfo:
        """What the model declares of itself."""
        return self.model.info

    @property
    def is_baseline(self) -> bool:
        """True for what sees the problem and no tokens."""
        return self.info.family is Family.BASELINE

    @property
    def variants(self) -> list[PosedVariant]:
        """All variants of all datasets."""
        return [variant for dataset in self.datasets for variant in dataset.variants]

    def methods(self) -> tuple[Method, ...]:
        """The methods that the model is scored by."""
        subjects = [dataset.subject for dataset in self.datasets]
        methods = chosen_methods(self.plan, self.info, subjects)
        if not methods:
            family = self.info.family
            raise UnscoredError(f"none of the methods asked for is one of {family} models")
        return methods


def ask(respondent: Respondent, store: Store | None, on_progress: OnProgress) -> Answered:
    """Ask the model all there is to be asked, and make answer sets of it."""
    methods = respondent.methods()
    message = AskingProgress(0, 0, 0)

    def tell(progress: AskingProgress) -> None:
        nonlocal message
        message = progress
        stage = f"asking {respondent.name}"
        on_progress(Progress(stage, progress.done, progress.total, progress.cached))

    scored = score(
        respondent.model,
        (problem for variant in respondent.variants for problem in variant.posed.problems),
        methods,
        store=None if respondent.is_baseline else store,
        frequencies=respondent.frequencies,
        straddling=Straddling(respondent.plan.straddling),
        keep_going=respondent.plan.keep_going,
        on_progress=tell,
    )
    gathered = _Gathered(respondent, methods)
    for variant in respondent.variants:
        gathered.add(variant, list(by_entry(variant.posed, scored)))
    return gathered.answered(message)


def posed_problems(variant: PosedVariant) -> Iterator[ProblemRow]:
    """The problems of a form in words."""
    for entry in variant.posed.entries:
        for number, problem in enumerate(entry.problems, start=1):
            yield ProblemRow(
                variant.subject.dataset,
                variant.subject.name,
                entry.id,
                number,
                problem.statement.text,
                tuple(" / ".join(option) for option in problem.options),
                problem.right,
                tuple(sentence.text for sentence in problem.sentences),
            )


class _Unread(NamedTuple):
    """A problem that the model cannot read, and why."""

    entry: str
    number: int
    reason: str


@dataclass(slots=True)
class _Gathered:
    """The answers of a model as they come in, form by form."""

    respondent: Respondent
    methods: Sequence[Method]
    answer_sets: dict[ResultKey, AnswerSet] = field(default_factory=dict)
    tokens: list[TokenCosts] = field(default_factory=list)
    undefined: dict[ResultKey, str] = field(default_factory=dict)
    unread: dict[str, dict[str, list[_Unread]]] = field(default_factory=dict)

    def add(
        self, variant: PosedVariant, results: Sequence[tuple[PosedEntry, tuple[Scored, ...]]]
    ) -> None:
        """Make answer sets of what came of a form; what has no score at all gets none."""
        subject = variant.subject
        if left := [*_left_out(results)]:
            self.unread.setdefault(subject.dataset, {})[subject.name] = left
        for method in self.methods:
            at = ResultKey(self.respondent.name, subject.dataset, subject.name, ALL, method.name)
            answer_set = answer_set_of(method.name, results)
            reasons = [reason for _, found in results for reason in _reasons(found, method.name)]
            if not answer_set.answers:
                self.undefined[at] = reasons[0]
                continue
            if reasons:
                message = f"{len(reasons)} problems without a score: {reasons[0]}"
                answer_set = replace(answer_set, remarks=(*answer_set.remarks, message))
            self.answer_sets[at] = answer_set
        if subject.name == ORIGINAL and not self.respondent.is_baseline:
            spell = cast(LanguageModel, self.respondent.model).token_text
            for entry, found in results:
                for number, one in enumerate(found, start=1):
                    self.tokens += token_costs(
                        self.respondent.name, subject, entry.id, number, one, spell
                    )

    def answered(self, message: AskingProgress) -> Answered:
        """All of it, with what is missing."""
        alive = {at.method for at in self.answer_sets}
        names = tuple(method.name for method in self.methods if method.name in alive)
        if not names:
            reason = next(iter(self.undefined.values()))
            raise UnscoredError(f"no method gives {self.respondent.name} any score: {reason}")
        skipped = [*self._left_out(), *self._dead(alive), *self._partly(alive)]
        declared = self.respondent.info
        subject = ModelSubject(
            name=self.respondent.name,
            family=declared.family.value,
            architecture=declared.architecture,
            parameters=declared.parameters,
            dtype=declared.dtype,
            device=declared.device,
            fingerprint=declared.fingerprint,
            is_baseline=self.respondent.is_baseline,
            methods=names,
            standard=tuple(self._standard(names)),
        )
        asked = message.total - message.cached
        return Answered(
            subject, self.answer_sets, tuple(self.tokens), tuple(skipped), message.total, asked
        )

    def _standard(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The method that is standard on each dataset, among those with answers to its original."""
        for dataset in self.respondent.datasets:
            at = ResultKey(self.respondent.name, dataset.subject.name)
            having = [name for name in names if at.replace(method=name) in self.answer_sets]
            family, is_winograd = self.respondent.info.family, dataset.subject.is_winograd
            yield dataset.subject.name, standard_name(family, is_winograd, having or names)

    def _left_out(self) -> Iterator[Skipped]:
        """Problems that the model cannot read, of all forms of a dataset."""
        for dataset, variants in self.unread.items():
            listed = "; ".join(f"{variant}: {_listed(left)}" for variant, left in variants.items())
            first = next(iter(variants.values()))[0]
            message = (
                f"problems left out, which it cannot read ({listed}); the first: {first.reason}"
            )
            number = sum(map(len, variants.values()))
            yield Skipped(
                f"{self.respondent.name} on {dataset}", f"{number} {message}", is_named=True
            )

    def _dead(self, alive: set[str]) -> Iterator[Skipped]:
        """Methods that have no score anywhere, those with the same reason together."""
        named = named_methods(self.respondent.plan, self.respondent.info.family)
        reasons: dict[str, dict[str, None]] = {}
        for at, reason in self.undefined.items():
            if at.method not in alive:
                reasons.setdefault(reason, {})[at.method] = None
        message: set[str] = set()
        for reason, methods in reasons.items():
            if new := [method for method in methods if method not in message]:
                told_of = f"not scored by {', '.join(new)}: {reason}{_REMEDIES.get(reason, '')}"
                yield Skipped(self.respondent.name, told_of, is_named=not named.isdisjoint(new))
                message.update(new)

    def _partly(self, alive: set[str]) -> Iterator[Skipped]:
        """Forms on which a method has no score that has some elsewhere."""
        reasons: dict[tuple[str, str], list[str]] = {}
        for at, reason in self.undefined.items():
            if at.method in alive:
                where = f"{self.respondent.name} on {at.dataset}, {at.variant}"
                reasons.setdefault((where, reason), []).append(at.method)
        for (where, reason), methods in reasons.items():
            yield Skipped(where, f"not scored by {', '.join(methods)}: {reason}")


def _left_out(
    results: Sequence[tuple[PosedEntry, tuple[Scored, ...]]],
) -> Iterator[_Unread]:
    for entry, found in results:
        for number, one in enumerate(found, start=1):
            if one.unread:
                yield _Unread(entry.id, number, one.unread)


def _listed(left: Sequence[_Unread]) -> str:
    """The problems by their entries and numbers; of many the first ones."""
    shown = ", ".join(f"{unread.entry} {unread.number}" for unread in left[:_SHOWN])
    return shown if len(left) <= _SHOWN else f"{shown} and {len(left) - _SHOWN} more"


def _reasons(results: Sequence[Scored], method: str) -> Iterator[str]:
    """Why a method has no score, for each problem that it has none for."""
    for result in results:
        outcome = result.outcomes[method]
        if isinstance(outcome, Undefined):
            yield outcome.reason
        else:
            assert isinstance(outcome, Outcome)
