"""From the options of a problem to the queries that a model is to answer.

The scoring methods say what is needed: what none of them adds up is not asked for.

A sequence-to-sequence model is asked for a problem with sentinels, and a label to write. The source
is the problem's statement with a sentinel in the place of each blank; the label names the phrases,
each after its sentinel, and ends with one more. There is no space before a sentinel, in either: the
tokenizer would make a stray token of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from horsesense.errors import ModelError, UnreadableError, quoted
from horsesense.evaluation.inference.asking import Reader
from horsesense.models import (
    Family,
    LabelPart,
    Query,
    QueryKind,
    Straddling,
    TokenSpans,
    align,
    causal_query,
    multi_mask_query,
    single_mask_query,
    spans_query,
    within_word_query,
)
from horsesense.schema import Phrases, Problem, Sentence, Span
from horsesense.scoring import Method

TASK_PREFIX = "wsc: "


@dataclass(frozen=True, slots=True)
class SpansPlan:
    """The queries without and with the task's prefix, and what each token of the label is.

    Nothing is asked of a problem without a blank.
    """

    parts: tuple[LabelPart, ...] = ()
    plain: Query | None = None
    prefixed: Query | None = None


def plan_spans(reader: Reader, problem: Problem, option: int) -> SpansPlan:
    """Plan the queries for one option of a problem."""
    blanks = problem.statement.spans_of(problem.mode.axis)
    if not blanks:
        return SpansPlan()
    sentinels = _sentinels(reader, len(blanks) + 1)
    source = source_text(problem.statement, blanks, sentinels)
    label = _read(reader, label_text(problem.options[option], sentinels), len(sentinels))
    return SpansPlan(
        _parts(reader, label),
        spans_query(_read(reader, source, len(blanks)), label),
        spans_query(_read(reader, with_prefix(source, sentinels[0]), len(blanks)), label),
    )


def source_text(statement: Sentence, blanks: Sequence[Span], sentinels: Sequence[str]) -> str:
    """The statement with a sentinel in the place of each blank.

    >>> blank = Span("candidate", 0, 3, 6)
    >>> source_text(Sentence("An ___ hoots.", (blank,)), [blank], ["<0>", "<1>"])
    'An<0> hoots.'
    """
    text, end = "", 0
    for span, sentinel in zip(blanks, sentinels, strict=False):
        text += statement.text[end : span.start].rstrip(" ") + sentinel
        end = span.end
    return text + statement.text[end:]


def label_text(phrases: Phrases, sentinels: Sequence[str]) -> str:
    """The phrases between sentinels.

    >>> label_text(("owls", "mice"), ["<0>", "<1>", "<2>"])
    '<0> owls<1> mice<2>'
    """
    text = sentinels[0]
    for phrase, sentinel in zip(phrases, sentinels[1:], strict=True):
        text += (f" {phrase}" if phrase else "") + sentinel
    return text


def with_prefix(source: str, sentinel: str) -> str:
    """The source after the task's prefix, again without a space before a sentinel.

    >>> with_prefix("An<0> hoots.", "<0>"), with_prefix("<0> hoots.", "<0>")
    ('wsc: An<0> hoots.', 'wsc:<0> hoots.')
    """
    return (TASK_PREFIX.rstrip() if source.startswith(sentinel) else TASK_PREFIX) + source


def _sentinels(reader: Reader, count: int) -> list[str]:
    declared = reader.info.sentinels
    if len(declared) < count:
        raise ModelError(
            f"{reader.info.name} has {len(declared)} sentinels, and {count} are needed;"
            " choose a model that was trained to fill in spans, such as T5"
        )
    return [reader.model.token_text(token) for token in declared[:count]]


def _read(reader: Reader, text: str, sentinels: int) -> tuple[int, ...]:
    ids = reader.tokenize(text).ids
    declared = reader.info.sentinels[:sentinels]
    if tuple(token for token in ids if token in declared) != declared:
        raise ModelError(
            f"{reader.info.name} does not read each sentinel of {quoted(text)} as one token;"
            " its tokenizer does not fit it"
        )
    return ids


def _parts(reader: Reader, label: tuple[int, ...]) -> tuple[LabelPart, ...]:
    sentinels, eos = reader.info.sentinels, reader.info.eos
    return tuple(
        LabelPart.SENTINEL
        if token in sentinels
        else (LabelPart.EOS if token == eos else LabelPart.PHRASE)
        for token in label
    )


@dataclass(frozen=True, slots=True)
class Wanted:
    """The numbers that the scoring methods need, and how tokens across an edge are taken.

    `table` says whether there is one of token frequencies, for what nothing comes before.
    """

    askings: frozenset[QueryKind]
    alone: bool = False
    seam: bool = False
    whole: bool = True
    table: bool = False
    straddling: Straddling = Straddling.SUFFIX


@dataclass(frozen=True, slots=True)
class CausalPlan:
    """The queries for a sentence that is read from left to right.

    `phrases` are the tokens of each phrase in a blank, to be read by themselves; None where
    nobody wants to know, or cannot. What can be had without a query has None for it.
    """

    tokens: TokenSpans
    query: Query | None
    phrases: tuple[tuple[int, ...], ...] | None = None
    alone: tuple[Query | None, ...] = ()
    seam: CausalPlan | None = None


@dataclass(frozen=True, slots=True)
class MaskedPlan:
    """The queries for a sentence with some of its tokens masked."""

    tokens: TokenSpans
    single: Query | None = None
    within_word: Query | None = None
    multi: Query | None = None


Plan: TypeAlias = CausalPlan | MaskedPlan | SpansPlan


def wanted_by(
    methods: Iterable[Method],
    straddling: Straddling = Straddling.SUFFIX,
    *,
    table: bool = False,
) -> Wanted:
    """The numbers that these methods need."""
    methods = tuple(methods)
    singly = [method for method in methods if QueryKind.SINGLE_MASK in method.needs]
    return Wanted(
        askings=frozenset().union(*(method.needs for method in methods)),
        alone=any(method.needs_alone for method in methods),
        seam=any(method.needs_seam for method in methods),
        whole=not all(method.of_blanks for method in singly),
        table=table,
        straddling=straddling,
    )


def plan_option(reader: Reader, problem: Problem, option: int, wanted: Wanted) -> Plan:
    """Plan the queries for one option of a problem."""
    if reader.info.family is Family.SEQ2SEQ:
        return plan_spans(reader, problem, option)
    sentence = problem.sentences[option]
    return plan_sentence(reader, sentence.text, blanks_of(problem)[option], wanted)


def plan_sentence(reader: Reader, text: str, blanks: tuple[Span, ...], wanted: Wanted) -> Plan:
    """Plan the queries of a causal or masked model for a sentence with these blanks."""
    tokens = align(reader.tokenize(text), blanks, wanted.straddling)
    if reader.info.family is Family.MASKED:
        return _plan_masked(tokens, wanted)
    return _plan_causal(reader, tokens, wanted)


@dataclass(frozen=True, slots=True)
class Planned:
    """The plans for the options of a problem; none if the model cannot read one."""

    plans: tuple[Plan, ...]
    unread: str = ""


def plan_all(
    reader: Reader, problems: Sequence[Problem], wanted: Wanted, *, keep_going: bool = False
) -> list[Planned]:
    """Plan the queries for the options of all problems; all texts are read at once.

    To keep going is to ask nothing about problems that the model cannot read; it is an error if it
    can read none.
    """
    try:
        return [Planned(plans) for plans in _plans(reader, problems, wanted)]
    except UnreadableError as error:
        if not keep_going:
            remedy = "--keep-going leaves out its problem, and asks the rest"
            raise UnreadableError(f"{error}\n  {remedy}") from error
        planned = [_readable(reader, problem, wanted) for problem in problems]
        if all(one.unread for one in planned):
            raise
        return planned


def _readable(reader: Reader, problem: Problem, wanted: Wanted) -> Planned:
    try:
        (plans,) = _plans(reader, [problem], wanted)
        return Planned(plans)
    except UnreadableError as error:
        return Planned((), str(error))


def _plans(reader: Reader, problems: Sequence[Problem], wanted: Wanted) -> list[tuple[Plan, ...]]:
    if reader.info.family is Family.SEQ2SEQ:
        return [
            tuple([plan_spans(reader, problem, at) for at in range(len(problem.sentences))])
            for problem in problems
        ]
    posed = [
        [*zip([sentence.text for sentence in problem.sentences], blanks_of(problem), strict=True)]
        for problem in problems
    ]
    reader.tokenize_all(
        read for options in posed for option in options for read in _texts(*option, wanted)
    )
    return [
        tuple([plan_sentence(reader, text, blanks, wanted) for text, blanks in options])
        for options in posed
    ]


def blanks_of(problem: Problem) -> list[tuple[Span, ...]]:
    """Where the blanks of each option are."""
    # A minimal pair differs in its axis as well, but it has no blank.
    axis, has_blanks = problem.mode.axis, bool(problem.blanks)
    return [sentence.spans_of(axis) if has_blanks else () for sentence in problem.sentences]


def queries_of(plan: Plan) -> Iterator[Query]:
    """All queries of a plan."""
    match plan:
        case CausalPlan():
            asked = [plan.query, *plan.alone, plan.seam.query if plan.seam else None]
        case MaskedPlan():
            asked = [plan.single, plan.within_word, plan.multi]
        case SpansPlan():
            asked = [plan.plain, plan.prefixed]
    return (query for query in asked if query is not None)


def _texts(text: str, blanks: tuple[Span, ...], wanted: Wanted) -> tuple[str, ...]:
    return (text, seam_text(text, blanks[-1])) if wanted.seam and blanks else (text,)


def _plan_causal(reader: Reader, tokens: TokenSpans, wanted: Wanted) -> CausalPlan:
    query = _ask_causal(tokens)
    if not tokens.blanks:
        return CausalPlan(tokens, query)
    before = before_of(tokens)
    phrases = phrases_in(tokens) if wanted.alone and (before or wanted.table) else None
    if phrases is not None and not all(phrases):
        phrases = None  # there is nothing to read by itself
    return CausalPlan(
        tokens,
        query,
        phrases,
        tuple(_ask_alone(before + phrase) for phrase in phrases or ()),
        _plan_seam(reader, tokens, wanted) if wanted.seam else None,
    )


def _plan_seam(reader: Reader, tokens: TokenSpans, wanted: Wanted) -> CausalPlan | None:
    text = seam_text(tokens.reading.text, tokens.blanks[-1])
    if text == tokens.reading.text:
        return None
    placed = align(reader.tokenize(text), tokens.blanks, wanted.straddling)
    return CausalPlan(placed, _ask_causal(placed))


def _plan_masked(tokens: TokenSpans, wanted: Wanted) -> MaskedPlan:
    ids, blank = tokens.reading.ids, tokens.in_blanks
    single = within_word = multi = None
    if QueryKind.SINGLE_MASK in wanted.askings:
        asked = tokens.real if wanted.whole else blank
        single = single_mask_query(ids, asked) if asked else None
    if QueryKind.WITHIN_WORD in wanted.askings and tokens.real:
        within_word = within_word_query(ids, tokens.reading.words)
    if QueryKind.MULTI_MASK in wanted.askings and blank:
        multi = multi_mask_query(ids, blank)
    return MaskedPlan(tokens, single, within_word, multi)


def _ask_causal(tokens: TokenSpans) -> Query | None:
    """Everything up to the last real token; what the tokenizer puts after it is not read."""
    real = tokens.real
    ids = tokens.reading.ids[: real[-1] + 1] if real else ()
    return causal_query(ids) if len(ids) > 1 else None


def _ask_alone(ids: tuple[int, ...]) -> Query | None:
    return causal_query(ids) if len(ids) > 1 else None


def before_of(tokens: TokenSpans) -> tuple[int, ...]:
    """The special tokens that are read before the sentence."""
    real = tokens.real
    return tokens.reading.ids[: real[0]] if real else ()


def phrases_in(tokens: TokenSpans) -> tuple[tuple[int, ...], ...]:
    """The tokens of each blank, as they stand in the sentence."""
    ids = tokens.reading.ids
    return tuple([tuple([ids[at] for at in positions]) for positions in tokens.by_blank])


def seam_text(text: str, blank: Span) -> str:
    """The text that lm-evaluation-harness reads: a space after the blank, the rest without any.

    >>> seam_text("The red ones, she said.", Span("candidate", 0, 4, 12))
    'The red ones , she said.'
    """
    return f"{text[: blank.end]} {text[blank.end :].strip()}"
