"""All measures of a dataset that need no language model, in one reading of its entries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from horsesense.errors import FileError, HorsesenseError, SchemaError
from horsesense.schema import (
    BooleanWrapper,
    Dataset,
    Entry,
    Grid,
    LeftOut,
    Mode,
    Named,
    Phrases,
    PosedEntry,
    Problem,
    Sentence,
    Span,
    pose_entry,
)
from horsesense.schema.posing import declares, mode_of
from horsesense.schema.share import Share

if TYPE_CHECKING:
    import tokenizers


Offsets: TypeAlias = Sequence[tuple[int, int]]


class Tokenizer(Protocol):
    """Whatever can say where the tokens of a text stand."""

    def offsets(self, text: str, /) -> Offsets:
        """The first character of each token and the one after its last, in the order of the text.

        A space before a word may belong to its token, stand alone, or be left out. What a
        model puts around the text, such as `<s>` and `</s>`, is missing or stands at (0, 0).
        """
        ...


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer in a `tokenizer.json`, the file that comes with a published model."""
    try:
        import tokenizers
    except ImportError as error:
        raise HorsesenseError(
            "counting a model's tokens needs an extra: pip install 'horsesense[tokenizers]'"
        ) from error
    try:
        vocabulary = tokenizers.Tokenizer.from_buffer(path.read_bytes())
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        reason = str(error).removeprefix("Cannot instantiate Tokenizer from buffer: ")
        raise FileError(f"{path} is not a tokenizer.json: {reason}") from error
    # Some files carry the lengths that their model was trained with, and would cut or fill up.
    vocabulary.no_truncation()
    vocabulary.no_padding()
    return _FileTokenizer(path, vocabulary)


@dataclass(frozen=True, slots=True)
class _FileTokenizer:
    """A tokenizer from a file, which is to blame if a text is too much for it."""

    path: Path
    vocabulary: tokenizers.Tokenizer

    def offsets(self, text: str, /) -> Offsets:
        try:
            encoding = self.vocabulary.encode(text, add_special_tokens=False)
        except Exception as error:  # the library has no class for it
            raise FileError(f"{self.path} has no tokens for {text!r}: {error}") from error
        return encoding.offsets


# A word keeps its apostrophes and hyphens. Marks side by side count as one, so that neither
# a closing quotation mark nor an ellipsis of three full stops puts the blank further forward.
_WORD_OR_MARKS = re.compile(r"\w+(?:['’‐‑-]\w+)*|[^\w\s]+")


def is_second_last(problem: Problem) -> bool:
    """Return whether a single word or punctuation follows the last blank (Table 3.8).

    That is the final punctuation, or the last word of a sentence that lacks it. A minimal
    pair has no blank that could stand anywhere.

    >>> from horsesense.schema.notation import parse_grid
    >>> from horsesense.schema import problems
    >>> [is_second_last(p) for p in problems(parse_grid("{owls, voles} eat <voles, seeds>"))]
    [True, True]
    """
    blanks = problem.statement.spans_of(problem.mode.axis)
    if not blanks:
        return False
    return len(_WORD_OR_MARKS.findall(problem.statement.text, blanks[-1].end)) == 1


def has_equal_length(problem: Problem, tokenizer: Tokenizer, *, inside: bool) -> bool:
    """Return whether all options have equally many tokens (Table 3.7).

    Outside the context of the problem an option is a text by itself: spelt as it stands in
    the sentence, without the space before it. Inside, its tokens are those of the filled
    sentence. Where there are two blanks the tokens of both phrases count together. The
    sentences of a minimal pair have no context, and are texts by themselves either way.
    So are the labels of T5 and similar models: for them, set `inside` to False.

    >>> from horsesense.schema.notation import parse_grid
    >>> from horsesense.schema import problems
    >>> class Letters:
    ...     def offsets(self, text):
    ...         return [(n, n + 1) for n, char in enumerate(text) if char.isalpha()]
    >>> [problem] = problems(parse_grid("so the <owl*, bat> hid"))
    >>> has_equal_length(problem, Letters(), inside=True)
    True
    """
    if inside and problem.blanks:
        axis = problem.mode.axis
        lengths = {_length_inside(s, s.spans_of(axis), tokenizer) for s in problem.sentences}
    else:
        lengths = {_length_outside(option, tokenizer) for option in problem.options}
    return len(lengths) == 1


def second_last_share(problems: Iterable[Problem]) -> Share:
    """The share of problems whose last blank is second-last, of those that have a blank."""
    return Share.of(is_second_last(problem) for problem in problems if problem.blanks)


def equal_length_share(problems: Iterable[Problem], tokenizer: Tokenizer, *, inside: bool) -> Share:
    """The share of problems with equal-length answers.

    Twins have the same options, and then they are in or out together. Two rows of a loose
    grid may differ: a schema that is left with one problem is no longer a schema.
    """
    return Share.of(has_equal_length(problem, tokenizer, inside=inside) for problem in problems)


def _length_outside(option: Phrases, tokenizer: Tokenizer) -> int:
    return sum(len(_tokens(phrase, tokenizer)) for phrase in option)


def _length_inside(sentence: Sentence, spans: Iterable[Span], tokenizer: Tokenizer) -> int:
    filled = [span for span in spans if span.start < span.end]
    return sum(
        any(_is_in(span, _first_letter(sentence.text, start, end), end) for span in filled)
        for start, end in _tokens(sentence.text, tokenizer)
    )


def _tokens(text: str, tokenizer: Tokenizer) -> Offsets:
    """The tokens of the text without special ones, which end before it begins."""
    return [(start, end) for start, end in tokenizer.offsets(text) if end > 0]


def _first_letter(text: str, start: int, end: int) -> int:
    """Where a token begins when the space before its word is left out, as in RoBERTa's offsets."""
    while start < end and text[start].isspace():
        start += 1
    return start


def _is_in(span: Span, start: int, end: int) -> bool:
    """Return whether a token has a character in the span or is the space before it.

    T5 makes a token of the space before a word that it knows only without; by itself the
    phrase would have that token too. A token that reaches beyond the span counts: whoever
    masks the phrase has to mask it.
    """
    return start < span.end and (end > span.start or start == span.start)


_NOTHING = Share(0, 0)


@dataclass(frozen=True, slots=True)
class EqualLength:
    """The share of problems with equal-length answers, outside and inside their sentences."""

    outside: Share = _NOTHING
    inside: Share = _NOTHING

    def __add__(self, other: EqualLength) -> EqualLength:
        return EqualLength(self.outside + other.outside, self.inside + other.inside)


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a dataset.

    `kinds` counts all entries by what they are; `schemas` and `problems` count what the
    entries that are not `left_out` come to in the requested mode. `equal_length` has one
    item for each tokenizer, in the order given. `as_they_stand` are the ids of loose entries in a
    dataset that declares another mode than by answer.
    """

    kinds: Named[int]
    schemas: int
    problems: int
    second_last: Share
    equal_length: tuple[EqualLength, ...]
    left_out: tuple[LeftOut, ...]
    as_they_stand: tuple[str, ...] = ()

    @property
    def entries(self) -> int:
        """The number of entries, including those left out."""
        return sum(number for _, number in self.kinds)


def measure(
    dataset: Dataset | Iterable[Entry],
    mode: Mode | None = None,
    *,
    wrapper: BooleanWrapper | None = None,
    tokenizers: Sequence[Tokenizer] = (),
) -> Measures:
    """Measure the problems of a dataset in a variant, as `pose` makes them."""
    mode = mode or mode_of(dataset)
    is_declared = declares(dataset, mode)
    tally = _Tally(equal_length=[EqualLength() for _ in tokenizers])
    for entry in dataset:
        tally.kinds[_kind(entry.grid)] += 1
        try:
            posed = pose_entry(entry, mode, wrapper, is_declared=is_declared)
        except SchemaError as error:
            tally.left_out.setdefault(error.problem, []).append(entry.id)
            continue
        tally.add(posed, tokenizers)
        if posed.mode is not mode:
            tally.as_they_stand.append(entry.id)
    return Measures(
        kinds=tuple(tally.kinds.items()),
        schemas=tally.schemas,
        problems=tally.problems,
        second_last=tally.second_last,
        equal_length=tuple(tally.equal_length),
        left_out=tuple(LeftOut(reason, tuple(ids)) for reason, ids in tally.left_out.items()),
        as_they_stand=tuple(tally.as_they_stand),
    )


@dataclass(slots=True)
class _Tally:
    """Measures that grow from entry to entry; problems are not kept, there may be many."""

    equal_length: list[EqualLength]
    kinds: Counter[str] = field(default_factory=Counter)
    schemas: int = 0
    problems: int = 0
    second_last: Share = _NOTHING
    left_out: dict[str, list[str]] = field(default_factory=dict)
    as_they_stand: list[str] = field(default_factory=list)

    def add(self, posed: PosedEntry, tokenizers: Sequence[Tokenizer]) -> None:
        """Add the problems of an entry."""
        problems = posed.problems
        self.problems += len(problems)
        self.schemas += len(posed.pairs)
        self.second_last += second_last_share(problems)
        for index, tokenizer in enumerate(tokenizers):
            self.equal_length[index] += EqualLength(
                outside=equal_length_share(problems, tokenizer, inside=False),
                inside=equal_length_share(problems, tokenizer, inside=True),
            )


def _kind(grid: Grid) -> str:
    return f"dyad of a {grid.kind}" if grid.is_dyad else str(grid.kind)
