"""Hypothesis strategies for grids, entries and headers.

Each takes the kind of text to use: `wild` text has everything that the notation must survive, and
`tame` text reads like English, so that tests can check the sentences.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from hypothesis import settings
from hypothesis import strategies as st

from horsesense.schema import (
    FLAGS,
    OWN,
    PHRASES,
    VERSIONS,
    Axis,
    AxisName,
    Candidate,
    Entry,
    Grid,
    Header,
    Kind,
    LooseGrid,
    LooseProblem,
    Part,
    Phrases,
    Schema,
    Slot,
    Target,
    join_parts,
)
from horsesense.schema.axis import folded

# For the most important laws, and for laws that are slow or implied by others.
patient = settings(deadline=None)
brisk = settings(max_examples=40, deadline=None)

Strings: TypeAlias = st.SearchStrategy[str]

# Characters that have a meaning in the notation, or look as if they did.
_NOTABLE = "{}<>⟨⟩|‖[]\\\"',*?=#&-:.…!;_ 0123"
_CHARACTERS = st.sampled_from(_NOTABLE) | st.characters(
    exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff"
)
_WORDS = st.sampled_from(
    ["brook", "candle", "drum", "elm", "fog", "gravel", "jug", "kiln", "moss", "oats", "rye"]
    + ["pebble", "quilt", "slate", "thimble", "urn", "velvet", "zinc", "Ada", "Boris", "étage"]
)
_PRONOUNS = st.sampled_from(
    ["it", "It", "they", "She", "his", "their", "Its", "her", "her's", "_", "_'s", "I", "each one"]
)
_NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,9}", fullmatch=True)


def _squeezed(text: str) -> str:
    return " ".join(word for word in text.split(" ") if word)


@dataclass(frozen=True)
class Texts:
    """Strategies for texts: phrases between commas, and fixed text between placeholders."""

    phrases: Strings
    between: Strings
    ends: Strings


wild = Texts(
    phrases=st.text(_CHARACTERS, max_size=8).map(_squeezed).filter(bool),
    between=st.text(_CHARACTERS, max_size=8),
    ends=st.text(_CHARACTERS, max_size=8),
)
_clauses = st.lists(_WORDS, min_size=1, max_size=3).map(" ".join)
tame = Texts(
    phrases=_clauses,
    between=st.tuples(st.sampled_from([" ", ", ", "; "]), _clauses).map(
        lambda pair: f"{pair[0]}{pair[1]} "
    ),
    ends=st.sampled_from(["", ".", "?", "!", " today", ", too.", " (here)", " today, then…"]),
)


def pairs(phrases: Strings) -> st.SearchStrategy[Axis]:
    """Draw two different phrases for one placeholder."""
    return axes(phrases, values=2)


def axes(phrases: Strings, *, values: int, placeholders: int = 1) -> st.SearchStrategy[Axis]:
    """Draw values that differ by a letter or digit, each with a phrase for every placeholder."""
    value = st.tuples(*[phrases] * placeholders)
    drawn = st.lists(
        value, min_size=values, max_size=values, unique_by=lambda v: tuple(map(folded, v))
    )
    return drawn.map(lambda values: Axis(tuple(values)))


def _frame(draw: st.DrawFn, texts: Texts, parts: Sequence[Part]) -> tuple[Part, ...]:
    """Put fixed text before, between and after the parts, in their order."""
    between = [draw(texts.between).lstrip(",; "), *(draw(texts.between) for _ in parts[1:])]
    mixed = [part for pair in zip(between, parts, strict=True) for part in pair]
    return join_parts([*mixed, draw(texts.ends)])


def _shuffled(draw: st.DrawFn, *groups: Sequence[Part]) -> list[Part]:
    """Mix the parts of all groups, keeping the order inside each group."""
    order = draw(st.permutations([n for n, group in enumerate(groups) for _ in group]))
    rest = [iter(group) for group in groups]
    return [next(rest[n]) for n in order]


def _slots(axis: AxisName, count: int = 1) -> list[Part]:
    return [Slot(axis, index) for index in range(count)]


@st.composite
def substitutions(draw: st.DrawFn, texts: Texts = wild) -> Schema:
    parts = _shuffled(draw, _slots(AxisName.KEY), _slots(AxisName.ANSWER))
    keys = draw(pairs(texts.phrases | st.just("")))
    return Schema(_frame(draw, texts, parts), keys, draw(pairs(texts.phrases)))


@st.composite
def transpositions(draw: st.DrawFn, texts: Texts = wild) -> Schema:
    parts = _shuffled(draw, _slots(AxisName.KEY, 2), _slots(AxisName.ANSWER))
    first, second = (value[0] for value in draw(pairs(texts.phrases)).values)
    keys = Axis(((first, second), (second, first)))
    return Schema(_frame(draw, texts, parts), keys, draw(pairs(texts.phrases)))


@st.composite
def candidates(draw: st.DrawFn, texts: Texts, answers: int) -> list[Part]:
    """Draw none, some or all of the candidates, in any order."""
    numbers = draw(
        st.just(list(range(1, answers + 1)))
        | st.lists(st.integers(min_value=1, max_value=answers), max_size=4)
    )
    numbered = texts.phrases | texts.phrases.map(lambda text: f"2: {text}")
    return [Candidate(number, draw(numbered)) for number in numbers]


@st.composite
def winograds(draw: st.DrawFn, texts: Texts = wild) -> Schema:
    marked = draw(candidates(texts, 2))
    parts = _shuffled(draw, _slots(AxisName.KEY), _slots(AxisName.ANSWER), marked)
    keys, answers = draw(pairs(texts.phrases | st.just(""))), draw(pairs(texts.phrases))
    return Schema(_frame(draw, texts, parts), keys, answers, target=Target(draw(_PRONOUNS)))


def squares(texts: Texts = wild) -> st.SearchStrategy[Schema]:
    """Draw schemas that are not dyads."""
    return substitutions(texts) | transpositions(texts) | winograds(texts)


@st.composite
def dyads(draw: st.DrawFn, texts: Texts = wild) -> Schema:
    """Draw cubes, with the truth placeholder before or after everything else."""
    square, truth = draw(squares(texts)), Slot(AxisName.TRUTH, 0)
    before, after = draw(texts.phrases), draw(texts.phrases)
    frames: tuple[tuple[Part, ...], ...] = (
        (f"{before} ", truth, f" {after} ", *square.frame),
        (f"{before} ", *square.frame, f" {after} ", truth),
    )
    return replace(
        square,
        frame=join_parts(draw(st.sampled_from(frames))),
        truths=draw(pairs(texts.phrases)),
    )


@st.composite
def rows(draw: st.DrawFn, texts: Texts = wild, *, blanks: int = 1) -> LooseProblem:
    """Draw single problems: two to five answers, labelled or not, some with a target."""
    count = draw(st.integers(min_value=2, max_value=5))
    answers = draw(axes(texts.phrases, values=count, placeholders=blanks))
    right = draw(st.none() | st.integers(min_value=0, max_value=count - 1))
    target = draw(st.none() | _PRONOUNS.map(Target)) if blanks == 1 else None
    marked = draw(candidates(texts, count)) if target else []
    frame = _frame(draw, texts, _shuffled(draw, _slots(AxisName.ANSWER, blanks), marked))
    if all(isinstance(part, Slot) for part in frame):
        frame = ("so ", *frame)
    return LooseProblem(frame, answers, right, target)


def singles(texts: Texts = wild, *, blanks: int = 1) -> st.SearchStrategy[LooseGrid]:
    return rows(texts, blanks=blanks).map(lambda row: LooseGrid((row,)))


@st.composite
def minimal_pairs(draw: st.DrawFn, texts: Texts = wild) -> LooseGrid:
    right = draw(st.sampled_from([None, 0, 1]))
    return LooseGrid(
        (LooseProblem((Slot(AxisName.ANSWER, 0),), draw(pairs(texts.phrases)), right),)
    )


def loose_grids(texts: Texts = wild) -> st.SearchStrategy[LooseGrid]:
    """Draw loose pairs, and triples whose second problem is shared by two schemas."""
    some_rows = rows(texts) | rows(texts, blanks=2)
    return st.lists(some_rows, min_size=2, max_size=3, unique=True).map(
        lambda drawn: LooseGrid(tuple(drawn))
    )


KINDS: dict[str, Callable[[Texts], st.SearchStrategy[Grid]]] = {
    "substitution": substitutions,
    "transposition": transpositions,
    "Winograd": winograds,
    "dyad": dyads,
    "single problem": singles,
    "two blanks": lambda texts: singles(texts, blanks=2),
    "minimal pair": minimal_pairs,
    "loose": loose_grids,
}


def grids(texts: Texts = wild) -> st.SearchStrategy[Grid]:
    """Draw grids of every kind."""
    return st.one_of([kind(texts) for kind in KINDS.values()])


def _versions_of(grid: Grid, texts: Texts) -> st.SearchStrategy[Grid]:
    """Draw grids of one line with the shape of the grid."""
    if isinstance(grid, LooseGrid):
        return st.just(grid)
    return dyads(texts) if grid.is_dyad else squares(texts)


_one_liners = st.text(_CHARACTERS, max_size=12).map(lambda text: text.strip(" "))


@st.composite
def entries(draw: st.DrawFn, texts: Texts = wild) -> Entry:
    """Draw entries with every kind of field, in the order in which fields are printed."""

    def some(names: Sequence[str]) -> list[str]:
        return [name for name in names if draw(st.booleans())]

    def phrases(name: str) -> Phrases:
        count, _ = PHRASES[name]
        return tuple(draw(texts.phrases) for _ in range(count))

    # Three are enough to test the order; more would only take time.
    versions = [*VERSIONS][:2] + [*VERSIONS][-1:]
    tag = st.from_regex(r"[a-zé0-9][a-z0-9_./:+-]{0,5}", fullmatch=True)
    own_names = draw(st.sets(st.from_regex(r"[a-z0-9._-]{1,6}", fullmatch=True), max_size=2))
    grid = draw(grids(texts))
    if grid.kind is Kind.LOOSE:
        versions = []
    return Entry(
        id=draw(_NAMES),
        grid=grid,
        tags=tuple(draw(st.lists(tag, max_size=3, unique=True))),
        note=draw(_one_liners),
        flags=tuple((name, draw(st.booleans())) for name in some(list(FLAGS))),
        phrases=tuple((name, phrases(name)) for name in some(list(PHRASES))),
        versions=tuple((name, draw(_versions_of(grid, texts))) for name in some(versions)),
        extras=tuple(sorted((OWN + name, draw(_one_liners)) for name in own_names)),
    )


def headers() -> st.SearchStrategy[Header]:
    return st.builds(Header, _NAMES, _one_liners, _one_liners, _one_liners, _one_liners)
