"""Find the tokens of a server in the text that they spell.

A server returns a token as a piece of text, or as its vocabulary spells it: `owl` after a space is
` owl`, `Ġowl` or `▁owl`. A token may be a part of a character; then its piece has a replacement
character, or is empty.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeAlias

from horsesense.models.tokens import Tokenization

# The bytes of a piece; None in place of those of a part of a character, which is not known.
_Piece: TypeAlias = tuple[bytes | None, ...]
_Range: TypeAlias = tuple[int, int] | None
_REPLACED = "\N{REPLACEMENT CHARACTER}"
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_SPECIAL = re.compile(r"<.*>|\[.*\]|", re.DOTALL)
_WORD = re.compile(r"\w+|[^\w\s]+")
# Special tokens around a text, at most.
_MOST_BEFORE, _MOST_AFTER = 3, 2


def align_pieces(text: str, ids: Sequence[int], pieces: Sequence[str]) -> Tokenization | None:
    """Return the tokens with their characters; None if the pieces do not spell the text.

    Special tokens may stand around the text.

    >>> align_pieces("An owl", (7, 8), ("An", "Ġowl")).starts
    (0, 3)
    >>> align_pieces("An owl", (1, 7, 8), ("<s>", "▁An", "▁owl")).words
    (None, 0, 1)
    >>> align_pieces("An owl", (7, 8), ("An", " elk"))
    """
    data = text.encode("utf-8", "surrogatepass")
    for before, after in _special_counts(pieces):
        inner = pieces[before : len(pieces) - after]
        for spell in (_as_text, _by_bytes, _by_spaces):
            ranges = _ranges(data, [spell(piece) for piece in inner])
            if ranges is not None:
                return _tokenization(text, data, ids, [*[None] * before, *ranges, *[None] * after])
    return None


def is_same_piece(ours: str, theirs: str) -> bool:
    """Return whether two spellings may be of the same token.

    >>> is_same_piece("Ġowl", " owl"), is_same_piece("Ġowl", "elk")
    (True, False)
    """
    if _REPLACED in theirs or not theirs or _is_part(ours):
        return True  # of a part of a character, or a special token
    return not _spellings(ours).isdisjoint(_spellings(theirs))


def _is_part(piece: str) -> bool:
    """Return whether a token of a vocabulary is a part of a character."""
    try:
        for spell in (_by_bytes, _by_spaces):
            b"".join(part or b"" for part in spell(piece)).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return True
    return False


def _spellings(piece: str) -> set[bytes]:
    spelled = (spell(piece) for spell in (_as_text, _by_bytes, _by_spaces))
    return {b"".join(part or b"" for part in parts).strip() for parts in spelled}


def _as_text(piece: str) -> _Piece:
    if piece.startswith("bytes:"):
        try:
            return (ast.literal_eval(f'b"{piece.removeprefix("bytes:")}"'),)
        except (ValueError, SyntaxError):
            pass  # text that happens to begin like this
    parts: list[bytes | None] = []
    for number, part in enumerate(re.split(f"{_REPLACED}+", piece)):
        parts += [None] * (number > 0) + [part.encode("utf-8", "surrogatepass")]
    return tuple(parts)


def _by_bytes(piece: str) -> _Piece:
    """Return the bytes of a piece in which each character stands for one, as in GPT-2."""
    values = _byte_values()
    return (b"".join(values.get(char) or char.encode("utf-8", "surrogatepass") for char in piece),)


def _by_spaces(piece: str) -> _Piece:
    """Return the bytes of a piece of SentencePiece."""
    if byte := _BYTE.fullmatch(piece):
        return (bytes([int(byte[1], 16)]),)
    return (piece.replace("▁", " ").encode("utf-8", "surrogatepass"),)


@cache
def _byte_values() -> dict[str, bytes]:
    """Return the byte of each character of byte-level vocabularies.

    Printable characters stand for themselves, and those from 256 on for the others.
    """
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [value for value in range(256) if value not in plain]
    shifted = {chr(256 + number): bytes([value]) for number, value in enumerate(others)}
    return {chr(value): bytes([value]) for value in plain} | shifted


def _special_counts(pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield how many pieces before and after the text may be special tokens, the fewest first."""
    counts = []
    for before in range(min(_MOST_BEFORE, len(pieces)) + 1):
        for after in range(min(_MOST_AFTER, len(pieces) - before) + 1):
            inner = pieces[before : len(pieces) - after]
            outer = (*pieces[:before], *pieces[len(pieces) - after :])
            # An empty piece stands for a special token, unless a part of a character follows it.
            is_whole = not inner or "" not in (
                inner[0] if before < _MOST_BEFORE else " ",
                inner[-1],
            )
            if is_whole and all(map(_SPECIAL.fullmatch, outer)):
                counts.append((before, after))
    return iter(sorted(counts, key=sum))


def _ranges(data: bytes, pieces: Sequence[_Piece]) -> list[tuple[int, int]] | None:
    """Return the bytes of each piece in the text; None if the pieces do not spell it."""
    joined = b"".join(part or b"" for piece in pieces for part in piece)
    if joined == data and all(None not in piece and b"" not in piece for piece in pieces):
        return [*_in_a_row(pieces)]
    return _search(data, pieces)


def _in_a_row(pieces: Sequence[_Piece]) -> Iterator[tuple[int, int]]:
    start = 0
    for piece in pieces:
        end = start + sum(len(part or b"") for part in piece)
        yield start, end
        start = end


def _search(data: bytes, pieces: Sequence[_Piece]) -> list[tuple[int, int]] | None:
    """Search the pieces in the text one after another; only spaces may be left out."""
    if not pieces:
        return None if data.strip() else []
    patterns = []
    for number, piece in enumerate(pieces):
        parts = [rb"[\x80-\xff]+?" if part is None else re.escape(part) for part in piece]
        first = piece[0]
        if number == 0 and first and first.startswith(b" ") and not data.startswith(b" "):
            parts[0] = re.escape(first[1:])  # some tokenizers put a space before each text
        patterns.append(b"(" + b"".join(parts) + b")")
    match = re.fullmatch(rb"\s*?" + rb"\s*?".join(patterns) + rb"\s*", data)
    return None if match is None else [match.span(at) for at in range(1, len(pieces) + 1)]


def _tokenization(
    text: str, data: bytes, ids: Sequence[int], ranges: Sequence[_Range]
) -> Tokenization:
    """Return the tokens with their characters, without spaces before them."""
    # The number of the character that each byte belongs to.
    chars = []
    for number, char in enumerate(text):
        chars += [number] * len(char.encode("utf-8", "surrogatepass"))
    chars.append(len(text))
    starts, ends = [], []
    for span in ranges:
        start, end = (0, 0) if span is None else span
        first, last = chars[start], chars[end - 1] + 1 if end > start else chars[start]
        starts.append(last - len(text[first:last].lstrip()))
        ends.append(last)
    is_special = [span is None for span in ranges]
    words = _words(text, [*zip(starts, ends, is_special, strict=True)])
    return Tokenization(text, columns=(tuple(ids), tuple(starts), tuple(ends), words))


def _words(text: str, tokens: Sequence[tuple[int, int, bool]]) -> tuple[int | None, ...]:
    """Return the number of the word of each token; each token of spaces counts as a word."""
    breaks = [at for match in _WORD.finditer(text) for at in (match.start(), match.end())]
    words: list[int | None] = []
    word, place = -1, -1
    for start, end, is_special in tokens:
        if is_special:
            words.append(None)
            continue
        before, place = place, bisect_right(breaks, start)
        if place != before or start == end:
            word += 1
        if start == end:
            place = -1
        words.append(word)
    return tuple(words)
