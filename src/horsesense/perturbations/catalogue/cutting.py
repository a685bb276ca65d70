"""Controls that keep only the end of a sentence: local-context, successor-only and part-sent.

The place to cut is found in a rendering of the sentence, and the frame is cut there. Placeholders
and candidates are kept or removed as a whole. Key phrases and truth pairs cannot be removed,
because without them the two problems of a schema would be the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeVar

from horsesense.errors import HorsesenseError
from horsesense.perturbations.checks import sentences
from horsesense.perturbations.rewriting import Rendering, renderings
from horsesense.perturbations.transformation import (
    EVERYTHING,
    Level,
    NotApplicable,
    Parameter,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Voucher,
)
from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Entry,
    Frame,
    Grid,
    Kind,
    LooseGrid,
    LooseProblem,
    Part,
    Schema,
    Slot,
    capitalise,
    join_parts,
    starts_sentence,
)

# Finds where the part to keep begins, given a rendering and the position of its blank.
FindStart: TypeAlias = Callable[[Rendering, int], int]
Axes: TypeAlias = Mapping[AxisName, Axis]
Line = TypeVar("Line", Schema, LooseProblem)

_NOTHING_CUT = "there is no text before the remaining part"
_LOST = {
    AxisName.KEY: "the key phrase is not in the remaining part",
    AxisName.TRUTH: "the truth pair is not in the remaining part",
}
_WORD = re.compile(r"\S+")
# Punctuation that may follow the blank; it is appended to every answer.
_END = re.compile(r"[.?!…\"'”’)\]]+")
CAPITAL, LOWER = "capital", "lower"
KEPT, DROPPED = "kept", "dropped"

# The footnote of Elazar et al. omits the full stop, but their published data use it. Their data
# also ignore capitalised markers and split at the mark before them. Numbers are never split.
_MARKER = re.compile(
    r"(?<![\w'’-])(?P<word>so|but|and|because|although|though|due|since)(?![\w'’-])"
    r"|[:;,](?=\s)"
    r"|(?P<end>[.?!…])[\"'”’)\]]*(?=\s)"
)


class _CutPlace(NamedTuple):
    """A place in a frame: a part of it by number, and a character of its text."""

    part: int
    offset: int


def cut_before(grid: Grid, find_start: FindStart) -> Grid:
    """Remove the text before the place that `find_start` finds in each sentence of a grid."""
    rendered = renderings(grid)
    places = [
        _place(rendering, min(find_start(rendering, blank_of(rendering)), blank_of(rendering)))
        for rendering in rendered
    ]
    if isinstance(grid, Schema):
        for place in places:
            _check_kept(grid.frame, place)
        if places[0] != places[1]:
            raise NotApplicable("the two problems would be cut in different places")
        return _cut(grid, places[0])
    rows = tuple(_cut(row, place) for row, place in zip(grid.rows, places, strict=True))
    if len({(row.frame, row.answers) for row in rows}) < len(rows):
        raise NotApplicable("the problems would be the same")
    return LooseGrid(rows)


def blank_of(rendering: Rendering) -> int:
    """Return the position where the first blank begins."""
    return min(segment.start for segment in rendering.pieces("target") + rendering.pieces("answer"))


def _place(rendering: Rendering, position: int) -> _CutPlace:
    """Find the place in the frame of a character of the rendering; spaces are skipped."""
    while rendering.text[position] == " ":
        position += 1
    segment = next(
        segment for segment in rendering.segments if segment.start <= position < segment.end
    )
    is_candidate = segment.piece == "candidate"
    return _CutPlace(segment.part, 0 if is_candidate else position - segment.start)


def _check_kept(frame: Frame, place: _CutPlace) -> None:
    """Refuse to cut off, or through, a placeholder."""
    for number, part in enumerate(frame):
        if isinstance(part, Slot) and _CutPlace(number, 0) < place and part.axis in _LOST:
            raise NotApplicable(_LOST[part.axis])


def _cut(line: Line, place: _CutPlace) -> Line:
    first, *rest = line.frame[place.part :]
    frame = join_parts([first[place.offset :] if isinstance(first, str) else first, *rest])
    if frame == line.frame:
        raise NotApplicable(_NOTHING_CUT)
    return replace(line, frame=frame)


def with_capital(grid: Grid) -> Grid:
    """Capitalise the start of a verbatim grid; others get their capital when they are filled."""
    if isinstance(grid, LooseGrid):
        return LooseGrid(tuple(_row_with_capital(row) for row in grid.rows))
    if not grid.verbatim:
        return grid
    return _respelt(grid, *_capitalised(grid.frame, grid.axes))


def _row_with_capital(row: LooseProblem) -> LooseProblem:
    if not row.verbatim:
        return row
    frame, axes = _capitalised(row.frame, {AxisName.ANSWER: row.answers})
    return replace(row, frame=frame, answers=axes[AxisName.ANSWER])


def _capitalised(frame: Frame, axes: Axes) -> tuple[Frame, Axes]:
    """Capitalise the first part of a frame; if it is a placeholder, each of its phrases."""
    first, *rest = frame
    if isinstance(first, Slot):
        values = tuple(
            (capitalise(phrases[0]), *phrases[1:]) for phrases in axes[first.axis].values
        )
        return frame, {**axes, first.axis: Axis(values)}
    if isinstance(first, Candidate):
        return (Candidate(first.number, capitalise(first.text)), *rest), axes
    return (capitalise(first), *rest), axes


def as_it_stands(grid: Grid) -> Grid:
    """Make a grid verbatim: spell its phrases as they appear in the sentences."""
    if isinstance(grid, Schema):
        return grid if grid.verbatim else _schema_as_it_stands(grid)
    return LooseGrid(tuple(_row_as_it_stands(row) for row in grid.rows))


def _schema_as_it_stands(grid: Schema) -> Schema:
    verbatim = replace(_respelt(grid, *_spelt(grid, grid.frame, grid.axes)), verbatim=True)
    _check_same(grid, verbatim)
    return verbatim


def _row_as_it_stands(row: LooseProblem) -> LooseProblem:
    alone = LooseGrid((row,))
    frame, axes = _spelt(alone, row.frame, {AxisName.ANSWER: row.answers})
    verbatim = replace(row, frame=frame, answers=axes[AxisName.ANSWER], verbatim=True)
    _check_same(alone, LooseGrid((verbatim,)))
    return verbatim


def _spelt(grid: Grid, frame: Frame, axes: Axes) -> tuple[Frame, Axes]:
    """Spell the frame and the phrases as they appear in the sentences."""
    start = grid.cells[0]
    spelt = {
        name: Axis(
            tuple(
                grid.sentence(start.moved(name, value)).phrases_of(name)
                for value in range(len(axis))
            )
        )
        for name, axis in axes.items()
    }
    sentence = grid.sentence(start)
    parts: list[Part] = []
    position = 0
    # Everything but text has a span, in the order of the frame.
    filled = (part for part in frame if not isinstance(part, str))
    for part, span in zip(filled, sentence.spans, strict=True):
        phrase = sentence.text[span.start : span.end]
        parts.append(sentence.text[position : span.start])
        parts.append(Candidate(part.number, phrase) if isinstance(part, Candidate) else part)
        position = span.end
    return join_parts([*parts, sentence.text[position:]]), spelt


def _respelt(grid: Schema, frame: Frame, axes: Axes) -> Schema:
    keys, answers = axes[AxisName.KEY], axes[AxisName.ANSWER]
    return replace(grid, frame=frame, keys=keys, answers=answers, truths=axes.get(AxisName.TRUTH))


def _check_same(before: Grid, after: Grid) -> None:
    if sentences(before) != sentences(after):
        raise NotApplicable("no single spelling fits all of its sentences")


def _keep_local_context(entry: Entry, settings: Settings) -> Rewriting:
    words = _word_count(settings["words"])

    def find_start(rendering: Rendering, blank: int) -> int:
        return start_of_last_words(rendering.text[:blank], words)

    grid = with_capital(cut_before(entry.grid, find_start))
    return Rewriting(grid, f"{words} words before the blank kept", Voucher.RULE)


def start_of_last_words(text: str, count: int) -> int:
    """Find where the last `count` words of a text begin; text touching its end is included.

    >>> [start_of_last_words("up and away (", count) for count in (0, 2, 9)]
    [12, 3, 0]
    """
    starts = [word.start() for word in _WORD.finditer(text)]
    needed = count + (text[-1:] not in ("", " "))
    if needed > len(starts):
        return 0
    return starts[-needed] if needed else len(text)


def _word_count(value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 5):
        raise HorsesenseError(f"{value!r} is not a number of words; write 2, for instance")
    return int(value)


LOCAL_CONTEXT = Transformation(
    name="local-context",
    version=1,
    title="only the words around the blank",
    source="Sakaguchi et al. 2020, section 4.1",
    level=Level.PROBLEM,
    touches=EVERYTHING,
    precondition="more words before the blank than are kept, and no key phrase among those removed",
    not_for="a key phrase before the kept words, a blank too near the start",
    right=Right.SAME,
    purpose=Purpose.CONTROL,
    tests="whether a model finds the answer from the words right before and after the blank; if it "
    "does, mere association ties them to one of the answers",
    example="[The moth] kept flying at [the lamp] that night because <it = the moth, the lamp> was "
    "so {dazed, bright}.\n",
    rewrite=_keep_local_context,
    parameters=(Parameter("words", "2", "how many words before the blank are kept"),),
)


def _keep_only_answers(entry: Entry, settings: Settings) -> Rewriting:
    grid = entry.grid
    if not isinstance(grid, LooseGrid) or grid.kind is not Kind.SINGLE:
        raise NotApplicable(f"a {grid.kind} is not a problem on its own")
    [row] = grid.rows
    if row.target is not None:
        raise NotApplicable("its answers replace a pronoun and mean nothing on their own")
    *before, slot = row.frame
    end = ""
    if isinstance(slot, str) and _END.fullmatch(slot) and before:
        end, slot = slot, before[-1]
    if not isinstance(slot, Slot) or row.answers.placeholders > 1:
        raise NotApplicable("the blank is not the end of the text")
    answers = Axis(tuple((phrase + end,) for (phrase,) in row.answers.values))
    alone = LooseGrid((replace(row, frame=(slot,), answers=answers),))
    return Rewriting(with_capital(alone), "the context removed", Voucher.RULE)


SUCCESSOR_ONLY = Transformation(
    name="successor-only",
    version=1,
    title="the answers alone, without the context",
    source="Trichelair et al. 2019, section 4",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES, Touch.FRAME}),
    precondition="a problem without a twin whose blank is the end of the text",
    not_for="schemas and pairs, answers that stand for a pronoun",
    right=Right.SAME,
    purpose=Purpose.CONTROL,
    tests="whether a model finds the right ending without its context; if it does, the wording of "
    "the endings gives it away",
    example="Rosa puts the loaf on the board. She <takes the bread knife.*, is eaten by a table., "
    "pours it into the sink., sings the butter.>\n",
    rewrite=_keep_only_answers,
)


def _keep_last_part(entry: Entry, settings: Settings) -> Rewriting:
    is_kept = settings["marker"] == KEPT
    removed: list[str] = []

    def find_start(rendering: Rendering, blank: int) -> int:
        marker = last_marker(rendering, blank)
        if marker is None:
            return 0
        removed.append(marker[0])
        return marker.start() if is_kept and marker["word"] else marker.end()

    if settings["start"] == LOWER:
        grid = cut_before(as_it_stands(entry.grid), find_start)
    else:
        grid = with_capital(cut_before(entry.grid, find_start))
    return Rewriting(grid, "split at " + ", ".join(dict.fromkeys(removed)), Voucher.RULE)


def last_marker(rendering: Rendering, blank: int) -> re.Match[str] | None:
    """Find the last marker before the blank that is not part of a candidate."""
    candidates = rendering.pieces("candidate")
    markers = [
        marker
        for marker in _MARKER.finditer(rendering.text, 0, blank)
        if not any(candidate.start <= marker.start() < candidate.end for candidate in candidates)
        and not (marker["end"] and not starts_sentence(rendering.text[: marker.end()]))
    ]
    return markers[-1] if markers else None


PART_SENT = Transformation(
    name="part-sent",
    version=1,
    title="only the part of the sentence with the blank",
    source="Elazar et al. 2021, section 5; Maler 2023, 2.9.4",
    level=Level.PROBLEM,
    touches=EVERYTHING,
    precondition="punctuation or one of the words so, but, and, because, although, though, due and "
    "since before the blank, and the key phrases after it",
    not_for="a sentence without such a place, or with its key phrases before it",
    right=Right.SAME,
    purpose=Purpose.CONTROL,
    tests="whether a model finds the answer without knowing what happened; if it does, mere "
    "association ties the clause with the blank to one of the answers",
    example="[The kettle] would not fit under [the tap] because <it = the kettle, the tap> was too "
    "{tall, low}.\n",
    rewrite=_keep_last_part,
    parameters=(
        Parameter(
            "marker",
            KEPT,
            "whether the word at which the sentence is split is kept",
            (KEPT, DROPPED),
        ),
        Parameter(
            "start",
            CAPITAL,
            "whether the part starts with a capital, or as it did in the sentence",
            (CAPITAL, LOWER),
        ),
    ),
)
