"""What the tokens of its options and the place of its blank do to a problem.

Options of different numbers of tokens cannot be compared fairly by every scoring method:
disparate answer tokenization (thesis 3.7.4, Table 3.7). And a method that rates what follows
the blank has next to nothing to rate where only the final punctuation follows it (3.7.5,
Table 3.8). Neither measure asks which option is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from horsesense.schema import Phrases, Problem, Sentence, Span
from horsesense.schema.measures.tokenizer import Offsets, Tokenizer
from horsesense.schema.share import Share

# A word keeps its apostrophes and hyphens. Marks side by side count as one, so that neither
# a closing quotation mark nor an ellipsis of three full stops puts the blank further forward.
_WORD_OR_MARKS = re.compile(r"\w+(?:['’‐‑-]\w+)*|[^\w\s]+")


def is_second_last(problem: Problem) -> bool:
    """True where a single word or punctuation follows the last blank (Table 3.8).

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
    """True where all options have equally many tokens (Table 3.7).

    Outside the context of the problem an option is a text by itself: spelt as it stands in
    the sentence, without the space before it. Inside, its tokens are those of the filled
    sentence. Where there are two blanks the tokens of both phrases count together. The
    sentences of a minimal pair have no context, and are texts by themselves either way.
    So are the labels of T5 and its kin: for them, ask outside.

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
    """True for a token that has a character in the span, and for a space before the first one.

    T5 makes a token of the space before a word that it knows only without; by itself the
    phrase would have that token too. A token that reaches beyond the span counts: whoever
    masks the phrase has to mask it.
    """
    return start < span.end and (end > span.start or start == span.start)
