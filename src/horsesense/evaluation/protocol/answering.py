"""Query a model about all variants of all datasets at once, and collect its answers by variant.

As all problems are queried together, sentences that variants share are queried once, and shared
prefixes are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, cast

from horsesense.errors import ModelError
from horsesense.evaluation.inference import (
    Health,
    ObservedProblem,
    PosedEntry,
    answer_set_of,
    by_entry,
    canary_method,
    canary_problems,
    judge_canaries,
    score,
)
from horsesense.evaluation.inference.chatting import all_asked, asked_by, count_replies
from horsesense.evaluation.inference.querying import TOKENIZING
from horsesense.evaluation.progress import OnProgress, Progress
from horsesense.evaluation.protocol.methods import chosen_methods, named_methods, standard_name
from horsesense.evaluation.protocol.variants import PosedDataset
from horsesense.models import (
    CausalObservation,
    ChatObservation,
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
    CANARIES,
    ORIGINAL,
    ModelSubject,
    Plan,
    ProblemRow,
    ReplyCount,
    ResultKey,
    Skipped,
    TokenCosts,
    Variant,
)
from horsesense.schema import Posed, Problem
from horsesense.scoring import FrequencyTable, Method, Undefined
from horsesense.scoring.chat import names_protocol
from horsesense.scoring.method import NO_FIRST
from horsesense.scoring.outcome import AnswerSet, Outcome
from horsesense.store import Store

Spell: TypeAlias = Callable[[int], str]
# The text between two blanks comes before the last one, like the prefix.
_PARTS = {Part.PREFIX: "prefix", Part.BLANK: "blank", Part.BETWEEN: "prefix", Part.SUFFIX: "suffix"}
_PREFIX, _BLANK, _SUFFIX = "prefix", "blank", "suffix"
# How vocabularies spell the space before a word.
_SPACES = str.maketrans("Ġ▁", "  ")
# What to do about a served model that fails the canaries; its weights are not on this machine.
_CHECK_SERVER = (
    "check the server: it may have loaded other weights or give wrong log-probabilities, unless the"
    " model does not know English"
)


class _Token(NamedTuple):
    text: str
    part: str
    cost: float | None


def token_costs(
    model: str, variant: Variant, entry: str, number: int, scored: ObservedProblem, spell: Spell
) -> Iterator[TokenCosts]:
    """Yield the tokens of each option of a problem with their costs; none for a baseline.

    The cost of a token is its negated log-probability: after the tokens before it for a causal
    model, masked alone for a masked model, and in the label for a sequence-to-sequence model.
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
        case CausalObservation(tokens=tokens):
            first = tokens.real[0] if tokens.real else 0
            log_probs = (*observation.log_probs[:first], observation.first)
            yield from _sentence(tokens, log_probs + observation.log_probs[first + 1 :])
        case MaskedObservation(tokens=tokens):
            yield from _sentence(tokens, observation.single)
        case SpansObservation(plain=plain):
            yield from _label(problem, option, plain, spell)


def _sentence(tokens: TokenSpans, log_probs: LogProbs) -> Iterator[_Token]:
    """Yield the tokens of a sentence, each with the text between it and the previous one."""
    tokenization, start = tokens.tokenization, 0
    last = tokens.real[-1] if tokens.real else 0
    for position in tokens.real:
        # Part of a character has no text of its own, and the last token gets the rest.
        is_last = position == last
        end = len(tokenization.text) if is_last else max(start, tokenization.ends[position])
        value = log_probs[position] if position < len(log_probs) else None
        cost = None if value is None else -value
        yield _Token(tokenization.text[start:end], _PARTS[tokens.parts[position]], cost)
        start = end


def _label(problem: Problem, option: int, label: Label, spell: Spell) -> Iterator[_Token]:
    """Yield the sentence with the tokens of the label in its blanks.

    The text around the blanks has no cost. Sentinels and EOS have no text.
    """
    sentence = problem.sentences[option]
    spans = sentence.spans_of(problem.mode.axis)
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(sentence.text)]
    around = [sentence.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    blank = -1
    is_first = False
    for token, part, log_prob in zip(label.ids, label.parts, label.log_probs, strict=True):
        text = ""
        if part is LabelPart.SENTINEL:
            blank += 1
            if blank < len(spans):
                yield _Token(around[blank], _PREFIX, None)
            is_first = True
        elif part is LabelPart.PHRASE:
            spelt = spell(token).translate(_SPACES)
            text, is_first = (spelt.lstrip(" "), False) if is_first else (spelt, False)
        yield _Token(text, _BLANK, -log_prob)
    yield _Token(around[-1], _SUFFIX, None)


# At most this many problems are named in a message.
_SHOWN = 20
_REMEDIES = {NO_FIRST: "; use --frequencies FILE to provide a table"}


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """The answers of a model; `asked` of the `queries` were sent to it, the others were stored."""

    subject: ModelSubject
    answer_sets: Mapping[ResultKey, AnswerSet]
    tokens: tuple[TokenCosts, ...]
    skipped: tuple[Skipped, ...]
    queries: int
    asked: int
    replies: tuple[ReplyCount, ...] = ()


class UnscoredError(ModelError):
    """A model without any score; querying it again would not help."""


@dataclass(frozen=True, slots=True)
class ModelRun:
    """A model under its name in the results, and the datasets that it is queried about."""

    name: str
    model: Model
    datasets: Sequence[PosedDataset]
    plan: Plan
    frequencies: FrequencyTable | None = None

    @property
    def info(self) -> ModelInfo:
        """The model's `ModelInfo`."""
        return self.model.info

    @property
    def is_baseline(self) -> bool:
        """Whether the model is a baseline, which sees the problem but no tokens."""
        return self.info.family is Family.BASELINE

    @property
    def is_chat(self) -> bool:
        """Whether the model replies to messages, and has no tokens of its own to show."""
        return self.info.family is Family.CHAT

    @property
    def variants(self) -> list[tuple[Variant, Posed]]:
        """All variants of all datasets, with their problems."""
        return [item for dataset in self.datasets for item in dataset.variants.items()]

    @property
    def problems(self) -> list[Problem]:
        """All problems of all variants."""
        return [problem for _, posed in self.variants for problem in posed.problems]

    def methods(self) -> tuple[Method, ...]:
        """The methods that the model is scored by."""
        subjects = [dataset.subject for dataset in self.datasets]
        methods = chosen_methods(self.plan, self.info, subjects)
        if not methods:
            family = self.info.family
            talk = any(map(names_protocol, self.plan.methods)) and family is Family.CAUSAL
            hint = f"; to talk to it, name it chat:{self.name}" if talk else ""
            raise UnscoredError(f"none of the requested methods is for {family} models{hint}")
        return methods


def query_model(model_run: ModelRun, store: Store | None, on_progress: OnProgress) -> ModelAnswers:
    """Query the model on every variant of every dataset, and collect its answers."""
    methods = model_run.methods()
    stage = f"querying {model_run.name}"
    latest = Progress(stage, 0, 0)

    def report(progress: Progress) -> None:
        nonlocal latest
        if progress.stage.startswith(TOKENIZING):
            on_progress(progress)
            return
        latest = replace(progress, stage=stage)
        on_progress(latest)

    scored = score(
        model_run.model,
        model_run.problems,
        methods,
        store=None if model_run.is_baseline else store,
        frequencies=model_run.frequencies,
        straddling=Straddling(model_run.plan.straddling),
        keep_going=model_run.plan.keep_going,
        on_progress=report,
    )
    collector = _Collector(model_run, methods)
    for variant, posed in model_run.variants:
        collector.add(variant, list(by_entry(posed, scored)))
    answers = collector.finish(latest)
    return replace(answers, skipped=(*_canaries(model_run, store), *answers.skipped))


def _canaries(model_run: ModelRun, store: Store | None) -> Iterator[Skipped]:
    """Warn of a model that doesn't prefer plain sentences to scrambled ones.

    Like all answers, those to the canaries are stored, so a second run has no need of the model.
    """
    if model_run.is_baseline or model_run.is_chat:  # a chat model is examined by `doctor`
        return
    method = canary_method(model_run.info.family)
    scored = list(score(model_run.model, canary_problems(), [method], store=store, keep_going=True))
    if all(problem.unread for problem in scored):
        return
    finding = judge_canaries([problem.outcomes[method.name] for problem in scored])
    if finding.verdict is Health.FAILURE:
        remedy = _CHECK_SERVER if model_run.info.server else finding.remedy
        yield Skipped(f"{model_run.name}, {CANARIES}", f"{finding.text}: {remedy}")


def posed_problems(variant: Variant, posed: Posed) -> Iterator[ProblemRow]:
    """Yield the problems of a variant as rows of the table."""
    for entry in posed.entries:
        for number, problem in enumerate(entry.problems, start=1):
            yield ProblemRow(
                variant.dataset,
                variant.name,
                entry.id,
                number,
                problem.statement.text,
                tuple(" / ".join(option) for option in problem.options),
                problem.right,
                tuple(sentence.text for sentence in problem.sentences),
            )


@dataclass(slots=True)
class _Collector:
    """Collects the answers of a model, variant by variant."""

    model_run: ModelRun
    methods: Sequence[Method]
    answer_sets: dict[ResultKey, AnswerSet] = field(default_factory=dict)
    tokens: list[TokenCosts] = field(default_factory=list)
    undefined: dict[ResultKey, str] = field(default_factory=dict)
    # By dataset and variant: the problems that the model cannot read, each with the reason.
    unread: dict[str, dict[str, list[tuple[str, str]]]] = field(default_factory=dict)
    replies: list[ReplyCount] = field(default_factory=list)
    conversations: list[ChatObservation] = field(default_factory=list)

    def add(
        self,
        variant: Variant,
        results: Sequence[tuple[PosedEntry, tuple[ObservedProblem, ...]]],
    ) -> None:
        """Make an answer set for each method that scores at least one problem of the variant."""
        if unread := [*_unread(results)]:
            self.unread.setdefault(variant.dataset, {})[variant.name] = unread
        for method in self.methods:
            key = ResultKey(self.model_run.name, variant.dataset, variant.name, ALL, method.name)
            answer_set = answer_set_of(method.name, results)
            reasons = [
                reason for _, observed in results for reason in _reasons(observed, method.name)
            ]
            if not answer_set.answers:
                self.undefined[key] = reasons[0]
                continue
            if reasons:
                message = f"{len(reasons)} problems without a score: {reasons[0]}"
                answer_set = replace(answer_set, remarks=(*answer_set.remarks, message))
            self.answer_sets[key] = answer_set
        if self.model_run.is_chat:
            self._count_replies(variant, results)
        elif variant.name == ORIGINAL and not self.model_run.is_baseline:
            spell = cast(LanguageModel, self.model_run.model).token_text
            for entry, observed in results:
                for number, problem in enumerate(observed, start=1):
                    self.tokens += token_costs(
                        self.model_run.name, variant, entry.id, number, problem, spell
                    )

    def _count_replies(
        self,
        variant: Variant,
        results: Sequence[tuple[PosedEntry, tuple[ObservedProblem, ...]]],
    ) -> None:
        observations = [
            cast(ChatObservation, problem.observations[0])
            for _, observed in results
            for problem in observed
        ]
        self.conversations += observations
        for method in self.methods:
            asked = asked_by(observations, method.name)
            self.replies.append(count_replies(self.model_run.name, method, variant, asked))

    def finish(self, progress: Progress) -> ModelAnswers:
        """Return the answers, with the methods and problems that have none."""
        scored = {key.method for key in self.answer_sets}
        names = tuple(method.name for method in self.methods if method.name in scored)
        if not names:
            reason = next(iter(self.undefined.values()))
            raise UnscoredError(
                f"{self.model_run.name} could not be scored by any method: {reason}"
            )
        skipped = [*self._unread_problems(), *self._unscored(scored), *self._partly_scored(scored)]
        info = self.model_run.info
        subject = ModelSubject(
            name=self.model_run.name,
            family=info.family.value,
            architecture=info.architecture,
            parameters=info.parameters,
            dtype=info.dtype,
            device=info.device,
            fingerprint=info.fingerprint,
            is_baseline=self.model_run.is_baseline,
            methods=names,
            standard=tuple(self._standard(names)),
            server=info.server,
        )
        if self.model_run.is_chat:
            every = all_asked(self.conversations)
            self.replies.append(count_replies(self.model_run.name, None, None, every))
        return ModelAnswers(
            subject,
            self.answer_sets,
            tuple(self.tokens),
            tuple(skipped),
            queries=progress.total,
            asked=progress.total - progress.cached,
            replies=tuple(self.replies),
        )

    def _standard(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the standard method on each dataset, among those that score its original."""
        for dataset in self.model_run.datasets:
            key = ResultKey(self.model_run.name, dataset.subject.name)
            available = [name for name in names if key.replace(method=name) in self.answer_sets]
            family, is_winograd = self.model_run.info.family, dataset.subject.is_winograd
            yield dataset.subject.name, standard_name(family, is_winograd, available or names)

    def _unread_problems(self) -> Iterator[Skipped]:
        """Yield the problems that the model cannot read, in all variants of a dataset."""
        for dataset, variants in self.unread.items():
            listed = "; ".join(f"{name}: {_listed(unread)}" for name, unread in variants.items())
            _, reason = next(iter(variants.values()))[0]
            message = (
                f"problems skipped, as it cannot tokenize them ({listed}); the first: {reason}"
            )
            number = sum(map(len, variants.values()))
            yield Skipped(
                f"{self.model_run.name} on {dataset}", f"{number} {message}", is_named=True
            )

    def _unscored(self, scored: set[str]) -> Iterator[Skipped]:
        """Yield the methods without any score, those with the same reason together."""
        named = named_methods(self.model_run.plan, self.model_run.info.family)
        reasons: dict[str, dict[str, None]] = {}
        for key, reason in self.undefined.items():
            if key.method not in scored:
                reasons.setdefault(reason, {})[key.method] = None
        reported: set[str] = set()
        for reason, methods in reasons.items():
            if new := [method for method in methods if method not in reported]:
                text = f"not scored by {', '.join(new)}: {reason}{_REMEDIES.get(reason, '')}"
                yield Skipped(self.model_run.name, text, is_named=not named.isdisjoint(new))
                reported.update(new)

    def _partly_scored(self, scored: set[str]) -> Iterator[Skipped]:
        """Yield the variants on which a method has no score, though it has some on others."""
        reasons: dict[tuple[str, str], list[str]] = {}
        for key, reason in self.undefined.items():
            if key.method in scored:
                where = f"{self.model_run.name} on {key.dataset}, {key.variant}"
                reasons.setdefault((where, reason), []).append(key.method)
        for (where, reason), methods in reasons.items():
            yield Skipped(where, f"not scored by {', '.join(methods)}: {reason}")


def _unread(
    results: Sequence[tuple[PosedEntry, tuple[ObservedProblem, ...]]],
) -> Iterator[tuple[str, str]]:
    """Yield the problems that the model cannot read, each with the reason."""
    for entry, observed in results:
        for number, problem in enumerate(observed, start=1):
            if problem.unread:
                yield f"{entry.id} {number}", problem.unread


def _listed(unread: Sequence[tuple[str, str]]) -> str:
    """List the names of the problems, at most the first `_SHOWN` of them."""
    shown = ", ".join(name for name, _ in unread[:_SHOWN])
    return shown if len(unread) <= _SHOWN else f"{shown} and {len(unread) - _SHOWN} more"


def _reasons(results: Sequence[ObservedProblem], method: str) -> Iterator[str]:
    """Yield the reason for each problem that the method does not score."""
    for result in results:
        outcome = result.outcomes[method]
        if isinstance(outcome, Undefined):
            yield outcome.reason
        else:
            assert isinstance(outcome, Outcome)
