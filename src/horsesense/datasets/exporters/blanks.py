"""The text around the blanks of a problem, for programs that fill them by hand.

A statement shows where the blanks are, and not always what a model is to read: an empty phrase
closes up with its neighbours, and an answer may bring its own full stop. Whoever writes a
statement for another program must know whether putting the options in gives the sentences.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, zip_longest

from horsesense.schema import Problem


def fixed_texts(problem: Problem) -> tuple[str, ...]:
    """What stands before, between and behind the blanks of a statement.

    >>> from horsesense.schema.notation import parse_grid
    >>> from horsesense.schema import problems
    >>> fixed_texts(problems(parse_grid("the <owl*, vole> is hungry"))[0])
    ('The ', ' is hungry.')
    """
    statement = problem.statement
    spans = statement.spans_of(problem.mode.axis)
    starts = [0, *(span.end for span in spans)]
    ends = [*(span.start for span in spans), len(statement.text)]
    return tuple(statement.text[start:end] for start, end in zip(starts, ends, strict=True))


def filled(texts: Iterable[str], phrases: Iterable[str]) -> str:
    """The texts with the phrases between them.

    >>> filled(("The ", " is hungry."), ("owl",))
    'The owl is hungry.'
    """
    return "".join(chain.from_iterable(zip_longest(texts, phrases, fillvalue="")))


def fills_by_hand(problem: Problem) -> bool:
    """True where putting the options into the blanks as they stand gives the sentences."""
    texts = fixed_texts(problem)
    return not problem.blanks or all(
        filled(texts, option) == sentence.text
        for option, sentence in zip(problem.options, problem.sentences, strict=True)
    )
