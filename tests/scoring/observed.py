"""Observations of made-up sentences: words for tokens, and whatever numbers a test wants.

A sentence is written with its blanks in brackets: `owls fly as [they] hunt .`
"""

import re
from collections.abc import Sequence
from zlib import crc32

from horsesense.models import (
    CausalObservation,
    FirstToken,
    Label,
    LabelPart,
    MaskedObservation,
    Part,
    Straddling,
    Token,
    Tokenization,
    TokenSpans,
    align,
)
from horsesense.schema import AxisName, Span

_MARK = re.compile(r"[\[\]]")
_WORD = re.compile(r"\w+|[^\w\s]")
_SPECIAL = Token(0, 0, 0, None)


def placed(
    marked: str,
    *,
    before: int = 0,
    after: int = 0,
    straddling: Straddling = Straddling.SUFFIX,
    tokens: str = "",
) -> TokenSpans:
    """The sentence with its tokens, and so many special ones around it.

    `tokens` are separated by spaces, where they are not simply the words.
    """
    text, spans = _MARK.sub("", marked), []
    for index, found in enumerate(re.finditer(r"\[(.*?)\]", marked)):
        start = found.start() - 2 * index
        spans.append(Span(AxisName.ANSWER, index, start, start + len(found[1])))
    real = _tokens(text, tokens.split() or _WORD.findall(text))
    reading = Tokenization(text, (_SPECIAL,) * before + real + (_SPECIAL,) * after)
    return align(reading, spans, straddling)


def causal(
    marked: str,
    costs: Sequence[float] | None = None,
    *,
    bos: bool = False,
    first_from: FirstToken = FirstToken.TABLE,
    alone: float | None = None,
    seam: CausalObservation | None = None,
) -> CausalObservation:
    """The sentence read from left to right, its tokens costing 1, 2, 3 … unless told otherwise."""
    tokens = placed(marked, before=int(bos))
    chosen = [float(cost) for cost in costs or range(1, len(tokens.real) + 1)]
    log_probs: list[float | None] = [None] * bos + [-cost for cost in chosen]
    first = log_probs[bos] if first_from is not FirstToken.UNDEFINED else None
    if not bos:
        log_probs[0] = None
    return CausalObservation(tokens, tuple(log_probs), first, first_from, alone, seam)


def masked(marked: str) -> MaskedObservation:
    """The sentence between two special tokens, with costs that tell the maskings apart.

    The nth token costs n if it is masked alone, 100 + n with the rest of its word, and
    200 + n with all of the blanks.
    """
    tokens = placed(marked, before=1, after=1)
    single, within = (
        [_unless_special(tokens, at, more) for at in _all(tokens)] for more in (0, 100)
    )
    blanks = tokens.positions(Part.BLANK)
    multi = [-200.0 - at if at in blanks else None for at in _all(tokens)]
    return MaskedObservation(tokens, tuple(single), tuple(within), tuple(multi))


def label(*phrases: int, cost: float = 1.0) -> Label:
    """A label with phrases of so many tokens: sentinels cost 10, EOS costs 100."""
    parts = [LabelPart.SENTINEL]
    for length in phrases:
        parts += [LabelPart.PHRASE] * length + [LabelPart.SENTINEL]
    parts.append(LabelPart.EOS)
    costs = {LabelPart.SENTINEL: 10.0, LabelPart.PHRASE: cost, LabelPart.EOS: 100.0}
    return Label((), tuple(range(len(parts))), tuple(parts), tuple(-costs[part] for part in parts))


def _tokens(text: str, words: Sequence[str]) -> tuple[Token, ...]:
    found, end = [], 0
    for number, word in enumerate(words):
        start = text.index(word, end)
        end = start + len(word)
        found.append(Token(crc32(word.encode()), start, end, number))
    return tuple(found)


def _all(tokens: TokenSpans) -> range:
    return range(len(tokens.parts))


def _unless_special(tokens: TokenSpans, at: int, more: int) -> float | None:
    return -float(more + at) if at in tokens.real else None
