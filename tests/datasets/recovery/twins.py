"""Problems as a file may give them, and what recovery makes of them, for the tests beside this."""

from __future__ import annotations

import signal
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from hypothesis import strategies as st

from horsesense.datasets.recovery import Journal, RawEntry, RawProblem, Recovery
from horsesense.schema import Entry, Issue, IssueKind, Problem, problems
from horsesense.schema.material import PROBLEMS
from horsesense.schema.notation import print_grid

# Words that a sentence is strung together from, some of which recovery treats in a way of its own.
WORDS = (
    *("owl", "vole", "lorry", "bridge", "ladle", "drawer", "Nora", "Lena", "Nora's", "hunted"),
    *("The", "the", "a", "an", "her", "Her", "was", "so", "well-known", "isn't", "o'clock", "3"),
    *(",", ".", "?", "“Yes”", "(so", "say)", "Mr.", "…", ";", "étage", "iPod", "'s"),
)
PRONOUNS = ("", "", "_", "it", "It", "her", "Her", "his", "their", "I", "each one")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Whoever does not come to an end is stopped."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"still busy after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Recovered(NamedTuple):
    """What came out: entries, and what the journal says."""

    entries: list[Entry]
    issues: list[Issue]

    @property
    def entry(self) -> Entry:
        (entry,) = self.entries
        return entry

    @property
    def notation(self) -> str:
        return print_grid(self.entry.grid)

    @property
    def named(self) -> list[tuple[str, str]]:
        """The issues in short: name and problem."""
        return [(issue.name, issue.problem) for issue in self.issues]

    @property
    def faults(self) -> list[Issue]:
        return [issue for issue in self.issues if issue.kind is IssueKind.FAULT]


def problem(text: str, *options: str, name: str = "q1", **others: Any) -> RawProblem:
    """A problem whose blanks are written `_`, and whose options have `/` between two phrases."""
    found = {"line": int("".join(filter(str.isdigit, name)) or 1), "right": 0, **others}
    phrases = tuple(tuple(option.split(" / ")) for option in options)
    return RawProblem(name, texts=tuple(text.split("_")), options=phrases, **found)


def recover(
    *found: RawProblem,
    contiguous: bool = False,
    names: Collection[str] | None = None,
    **group: Any,
) -> Recovered:
    """The entries of one group of problems, and all issues."""
    journal = Journal()
    recovery = Recovery(journal, contiguous=contiguous, names=names)
    entries = list(recovery.entries([RawEntry("q", list(found), **group)]))
    return Recovered(entries, list(journal.issues()))


def assert_gives_back(recovered: Recovered, found: Sequence[RawProblem]) -> None:
    """The grid poses the problems that went in: the same sentences, the same one of them right."""
    posed = dict(zip(names_of(recovered.entry), problems(recovered.entry.grid), strict=True))
    assert sorted(posed) == sorted(one.name for one in found)
    exchanged = {issue.problem for issue in recovered.issues if issue.name == "options-exchanged"}
    for one in found:
        expected = [one.sentence(option) for option in range(len(one.options))]
        right = None if one.right is None else expected[one.right]
        sentences = texts_of(posed[one.name])
        if one.name in exchanged and sentences != expected:
            expected.reverse()
        assert sentences == expected
        assert right_of(posed[one.name]) == right


def names_of(entry: Entry) -> list[str]:
    return dict(entry.extras)[PROBLEMS].split(", ")


def texts_of(one: Problem) -> list[str]:
    return [sentence.text for sentence in one.sentences]


def right_of(one: Problem) -> str | None:
    return None if one.right is None else texts_of(one)[one.right]


def as_found(posed: Sequence[Problem], pronoun: str = "") -> list[RawProblem]:
    """Problems as a file would publish them: texts around the blanks, options as they stand."""
    found = []
    for number, one in enumerate(posed, start=1):
        spans = one.statement.spans_of(one.mode.axis)
        edges = [0, *(edge for span in spans for edge in (span.start, span.end)), None]
        texts = tuple(
            one.statement.text[start:end]
            for start, end in zip(edges[::2], edges[1::2], strict=True)
        )
        found.append(RawProblem(f"p{number}", number, texts, one.options, one.right, pronoun))
    return found


def is_plainly_filled(one: Problem, found: RawProblem) -> bool:
    """True where putting the options into the texts gives the sentences, as in published files."""
    return texts_of(one) == [found.sentence(option) for option in range(len(found.options))]


def _spaced(words: Sequence[str]) -> str:
    return " ".join(words)


_stretches = st.lists(st.sampled_from(WORDS), max_size=4)
_phrases = (
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=2)
    .map(_spaced)
    .filter(lambda phrase: phrase != "'s")
)
_LABELS = st.sampled_from([(0, 1), (1, 0), (0, 1), (1, 0), (0, 0), (None, None), (1, None)])


@st.composite
def _statements(draw: st.DrawFn) -> tuple[str, str]:
    """Words around a blank, and the same with a stretch of them exchanged, left out or put in."""
    before, after = draw(_stretches), draw(_stretches)
    words = [draw(st.sampled_from(WORDS)), *before, "_", *after]
    place = draw(st.integers(min_value=0, max_value=len(words)))
    length = draw(st.integers(min_value=0, max_value=3))
    others = [*words[:place], *draw(_stretches), *words[place + length :]]
    if "_" not in others:
        others.insert(draw(st.integers(min_value=0, max_value=len(others))), "_")
    end = draw(st.sampled_from(["", ".", "?", " ."]))
    return _glued(draw, words) + end, _glued(draw, others) + end


def _glued(draw: st.DrawFn, words: Sequence[str]) -> str:
    """A text of the words, in which punctuation closes up with the word before it, or does not."""
    text = _spaced(words)
    if draw(st.booleans()):
        for mark in (",", ".", "?", ";", "'s"):
            text = text.replace(f" {mark}", mark)
    return text


@st.composite
def twins(draw: st.DrawFn) -> list[RawProblem]:
    """Two problems that are more or less alike: as twins should be, and as they should not."""
    options = draw(st.lists(_phrases, min_size=2, max_size=2, unique=True))
    others = draw(
        st.sampled_from([options, options, options[::-1]])
        | st.lists(_phrases, min_size=2, max_size=3, unique=True)
    )
    pronoun = draw(st.sampled_from(PRONOUNS))
    other_pronoun = draw(st.sampled_from([pronoun, pronoun, *PRONOUNS]))
    first, second = draw(_statements())
    right, other_right = draw(_LABELS)
    return [
        problem(first, *options, name="q1", right=right, pronoun=pronoun),
        problem(second, *others, name="q2", right=other_right, pronoun=other_pronoun),
    ]
