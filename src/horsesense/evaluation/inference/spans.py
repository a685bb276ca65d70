"""What a sequence-to-sequence model is asked: a problem with sentinels, and a label to write.

The source is the problem's statement with a sentinel in the place of each blank; the label
names the phrases, each after its sentinel, and ends with one more. There is no space before a
sentinel, in either: the tokenizer would make a stray token of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from horsesense.errors import ModelError, quoted
from horsesense.evaluation.inference.reader import Reader
from horsesense.models import LabelPart, Query, spans_query
from horsesense.schema import Phrases, Problem, Sentence, Span

TASK_PREFIX = "wsc: "


@dataclass(frozen=True, slots=True)
class SpansPlan:
    """What is asked without and with the task's prefix, and what each token of the label is.

    Nothing is asked of a problem without a blank.
    """

    parts: tuple[LabelPart, ...] = ()
    plain: Query | None = None
    prefixed: Query | None = None


def plan_spans(reader: Reader, problem: Problem, option: int) -> SpansPlan:
    """What is to be asked about one option of a problem."""
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
