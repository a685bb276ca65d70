"""Sentences in tokens, and where their blanks are: by the offsets that a tokenizer gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from horsesense.schema import Problem, Sentence, Span


@dataclass(frozen=True)
class Cut:
    """A sentence in tokens, and the positions of those that stand in each blank and after all."""

    ids: tuple[int, ...]
    real: tuple[int, ...]
    words: tuple[int | None, ...]
    blanks: tuple[tuple[int, ...], ...]
    suffix: tuple[int, ...]

    @property
    def blank(self) -> tuple[int, ...]:
        return tuple(at for blank in self.blanks for at in blank)


def cut(tokenizer: Any, text: str, blanks: Sequence[Span]) -> Cut:
    """Tokenize the whole sentence, and find the blanks by where the tokens stand in it."""
    encoded = tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
    real = tuple(
        at for at, is_special in enumerate(encoded["special_tokens_mask"]) if not is_special
    )
    edges = _edges(text, real, encoded["offset_mapping"])
    found = []
    for blank in blanks:
        # Across the end of the blank a token counts as what follows.
        inside = [at for at in real if edges[at][1] > blank.start and edges[at][1] <= blank.end]
        found.append(tuple(inside))
    end = blanks[-1].end if blanks else 0
    suffix = tuple(at for at in real if blanks and edges[at][1] > end)
    return Cut(tuple(encoded["input_ids"]), real, tuple(encoded.word_ids()), tuple(found), suffix)


def _edges(text: str, real: Sequence[int], offsets: Sequence[tuple[int, int]]) -> dict[int, Any]:
    """Where each token begins and ends, spaces left out; one alone goes with what follows it."""
    edges: dict[int, tuple[int, int]] = {}
    for at in reversed(real):
        start, end = offsets[at]
        start += len(text[start:end]) - len(text[start:end].lstrip())
        end -= len(text[start:end]) - len(text[start:end].rstrip())
        edges[at] = edges[at + 1] if start == end and at + 1 in edges else (start, end)
    return edges


def blanks_of(problem: Problem, sentence: Sentence) -> tuple[Span, ...]:
    """The phrases that fill the blanks; a minimal pair has none."""
    return sentence.spans_of(problem.mode.axis) if problem.blanks else ()
