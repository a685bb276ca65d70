"""Plan the queries for the options of a problem.

Only log-probabilities that a scoring method needs are queried.

A query to a sequence-to-sequence model has a source and a label. The source is the statement of the
problem with a sentinel in place of each blank; the label has the phrases, each after its sentinel,
and ends with one more sentinel. Neither has a space before a sentinel, as the tokenizer would turn
it into an extra token.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from horsesense.errors import ModelError, UnreadableError, quoted
from horsesense.evaluation.inference.querying import Reader
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
    """The queries without and with the task prefix, and the part of each token of the label.

    A problem without a blank has no queries.
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
    label = _tokenize(reader, label_text(problem.options[option], sentinels), len(sentinels))
    return SpansPlan(
        _parts(reader, label),
        spans_query(_tokenize(reader, source, len(blanks)), label),
        spans_query(_tokenize(reader, with_prefix(source, sentinels[0]), len(blanks)), label),
    )


def source_text(statement: Sentence, blanks: Sequence[Span], sentinels: Sequence[str]) -> str:
    """Return the statement with a sentinel in place of each blank.

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
    """Return the phrases between sentinels.

    >>> label_text(("owls", "mice"), ["<0>", "<1>", "<2>"])
    '<0> owls<1> mice<2>'
    """
    text = sentinels[0]
    for phrase, sentinel in zip(phrases, sentinels[1:], strict=True):
        text += (f" {phrase}" if phrase else "") + sentinel
    return text


def with_prefix(source: str, sentinel: str) -> str:
    """Return the source after the task prefix, again without a space before a sentinel.

    >>> with_prefix("An<0> hoots.", "<0>"), with_prefix("<0> hoots.", "<0>")
    ('wsc: An<0> hoots.', 'wsc:<0> hoots.')
    """
    return (TASK_PREFIX.rstrip() if source.startswith(sentinel) else TASK_PREFIX) + source


def _sentinels(reader: Reader, count: int) -> list[str]:
    declared = reader.info.sentinels
    if len(declared) < count:
        raise ModelError(
            f"{reader.info.name} has {len(declared)} sentinels, but {count} are needed;"
            " choose a model that was trained to fill in spans, such as T5"
        )
    return [reader.model.token_text(token) for token in declared[:count]]


def _tokenize(reader: Reader, text: str, sentinels: int) -> tuple[int, ...]:
    ids = reader.tokenize(text).ids
    declared = reader.info.sentinels[:sentinels]
    if tuple(token for token in ids if token in declared) != declared:
        raise ModelError(
            f"the tokenizer of {reader.info.name} splits a sentinel of {quoted(text)};"
            " check that it belongs to the model"
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
class QueryNeeds:
    """The queries that some scoring methods need, and how straddling tokens are counted.

    `alone` and `seam` are true if a method needs the phrases by themselves, or a space after the
    blank; `whole` is true if tokens outside the blanks are needed, each masked alone. `table` is
    true if there is a table of token frequencies for first tokens.
    """

    query_runs: frozenset[QueryKind]
    alone: bool = False
    seam: bool = False
    whole: bool = True
    table: bool = False
    straddling: Straddling = Straddling.SUFFIX


@dataclass(frozen=True, slots=True)
class CausalPlan:
    """The queries for a sentence to a causal model.

    `phrases` are the tokens of the phrase in each blank, to be queried by themselves; None if that
    is not needed or not possible. A query is None if no token needs one.
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


def needed_by(
    methods: Iterable[Method],
    straddling: Straddling = Straddling.SUFFIX,
    *,
    table: bool = False,
) -> QueryNeeds:
    """Return the queries that these methods need."""
    methods = tuple(methods)
    singly = [method for method in methods if QueryKind.SINGLE_MASK in method.needs]
    return QueryNeeds(
        query_runs=frozenset().union(*(method.needs for method in methods)),
        alone=any(method.needs_alone for method in methods),
        seam=any(method.needs_seam for method in methods),
        whole=not all(method.of_blanks for method in singly),
        table=table,
        straddling=straddling,
    )


def plan_option(reader: Reader, problem: Problem, option: int, needs: QueryNeeds) -> Plan:
    """Plan the queries for one option of a problem."""
    if reader.info.family is Family.SEQ2SEQ:
        return plan_spans(reader, problem, option)
    sentence = problem.sentences[option]
    return plan_sentence(reader, sentence.text, blanks_of(problem)[option], needs)


def plan_sentence(reader: Reader, text: str, blanks: tuple[Span, ...], needs: QueryNeeds) -> Plan:
    """Plan the queries of a causal or masked model for a sentence with these blanks."""
    tokens = align(reader.tokenize(text), blanks, needs.straddling)
    if reader.info.family is Family.MASKED:
        return _plan_masked(tokens, needs)
    return _plan_causal(reader, tokens, needs)


@dataclass(frozen=True, slots=True)
class Planned:
    """The plans for the options of a problem; if the model cannot read one, the reason instead."""

    plans: tuple[Plan, ...]
    unread: str = ""


def plan_all(
    reader: Reader, problems: Sequence[Problem], needs: QueryNeeds, *, keep_going: bool = False
) -> list[Planned]:
    """Plan the queries for the options of all problems; all texts are tokenized at once.

    With `keep_going`, problems that the model cannot read get no queries; it is an error if it can
    read none.
    """
    try:
        return [Planned(plans) for plans in _plans(reader, problems, needs)]
    except UnreadableError as error:
        if not keep_going:
            remedy = "use --keep-going to leave out the problem and query the others"
            raise UnreadableError(f"{error}\n  {remedy}") from error
        planned = [_plan_if_readable(reader, problem, needs) for problem in problems]
        if all(each.unread for each in planned):
            raise
        return planned


def _plan_if_readable(reader: Reader, problem: Problem, needs: QueryNeeds) -> Planned:
    try:
        (plans,) = _plans(reader, [problem], needs)
        return Planned(plans)
    except UnreadableError as error:
        return Planned((), str(error))


def _plans(
    reader: Reader, problems: Sequence[Problem], needs: QueryNeeds
) -> list[tuple[Plan, ...]]:
    if reader.info.family is Family.SEQ2SEQ:
        return [
            tuple([plan_spans(reader, problem, option) for option in range(len(problem.sentences))])
            for problem in problems
        ]
    sentences = [
        [*zip([sentence.text for sentence in problem.sentences], blanks_of(problem), strict=True)]
        for problem in problems
    ]
    reader.tokenize_all(
        text for options in sentences for option in options for text in _texts(*option, needs)
    )
    return [
        tuple([plan_sentence(reader, text, blanks, needs) for text, blanks in options])
        for options in sentences
    ]


def blanks_of(problem: Problem) -> list[tuple[Span, ...]]:
    """Return the spans of the blanks in each option."""
    # A minimal pair also differs in its axis, but has no blank.
    axis, has_blanks = problem.mode.axis, bool(problem.blanks)
    return [sentence.spans_of(axis) if has_blanks else () for sentence in problem.sentences]


def queries_of(plan: Plan) -> Iterator[Query]:
    """Yield all queries of a plan."""
    match plan:
        case CausalPlan():
            queries = [plan.query, *plan.alone, plan.seam.query if plan.seam else None]
        case MaskedPlan():
            queries = [plan.single, plan.within_word, plan.multi]
        case SpansPlan():
            queries = [plan.plain, plan.prefixed]
    return (query for query in queries if query is not None)


def _texts(text: str, blanks: tuple[Span, ...], needs: QueryNeeds) -> tuple[str, ...]:
    return (text, seam_text(text, blanks[-1])) if needs.seam and blanks else (text,)


def _plan_causal(reader: Reader, tokens: TokenSpans, needs: QueryNeeds) -> CausalPlan:
    query = _sentence_query(tokens)
    if not tokens.blanks:
        return CausalPlan(tokens, query)
    before = before_of(tokens)
    phrases = phrases_in(tokens) if needs.alone and (before or needs.table) else None
    if phrases is not None and not all(phrases):
        phrases = None  # an empty phrase has no tokens
    return CausalPlan(
        tokens,
        query,
        phrases,
        tuple(_phrase_query(before + phrase) for phrase in phrases or ()),
        _plan_seam(reader, tokens, needs) if needs.seam else None,
    )


def _plan_seam(reader: Reader, tokens: TokenSpans, needs: QueryNeeds) -> CausalPlan | None:
    text = seam_text(tokens.tokenization.text, tokens.blanks[-1])
    if text == tokens.tokenization.text:
        return None
    separated = align(reader.tokenize(text), tokens.blanks, needs.straddling)
    return CausalPlan(separated, _sentence_query(separated))


def _plan_masked(tokens: TokenSpans, needs: QueryNeeds) -> MaskedPlan:
    ids, blank = tokens.tokenization.ids, tokens.in_blanks
    single = within_word = multi = None
    if QueryKind.SINGLE_MASK in needs.query_runs:
        targets = tokens.real if needs.whole else blank
        single = single_mask_query(ids, targets) if targets else None
    if QueryKind.WITHIN_WORD in needs.query_runs and tokens.real:
        within_word = within_word_query(ids, tokens.tokenization.words)
    if QueryKind.MULTI_MASK in needs.query_runs and blank:
        multi = multi_mask_query(ids, blank)
    return MaskedPlan(tokens, single, within_word, multi)


def _sentence_query(tokens: TokenSpans) -> Query | None:
    """Query everything up to the last real token, without special tokens after it."""
    real = tokens.real
    ids = tokens.tokenization.ids[: real[-1] + 1] if real else ()
    return causal_query(ids) if len(ids) > 1 else None


def _phrase_query(ids: tuple[int, ...]) -> Query | None:
    return causal_query(ids) if len(ids) > 1 else None


def before_of(tokens: TokenSpans) -> tuple[int, ...]:
    """Return the special tokens before the sentence."""
    real = tokens.real
    return tokens.tokenization.ids[: real[0]] if real else ()


def phrases_in(tokens: TokenSpans) -> tuple[tuple[int, ...], ...]:
    """Return the tokens of each blank, as they are in the sentence."""
    ids = tokens.tokenization.ids
    return tuple([tuple([ids[at] for at in positions]) for positions in tokens.by_blank])


def seam_text(text: str, blank: Span) -> str:
    """Return the text as lm-evaluation-harness has it, with exactly one space after the blank.

    >>> seam_text("The red ones, she said.", Span("candidate", 0, 4, 12))
    'The red ones , she said.'
    """
    return f"{text[: blank.end]} {text[blank.end :].strip()}"
