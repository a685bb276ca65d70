"""No candidates: a control without anybody to refer to (Elazar et al.; thesis 2.9.4).

A candidate that is not marked is looked for by the noun of its answer, with another determiner or
none: «the son» may stand for «his son», «the hair» for «hair». `how` lists the phrases found this
way. Marked ones are deleted as they are marked, unless they begin a longer noun («the mouse
hole»): then the schema is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from horsesense.perturbations.candidates import each_part, without_candidates
from horsesense.perturbations.catalogue.cutting import as_it_stands, with_capital
from horsesense.perturbations.rewriting import Rendering, renderings
from horsesense.perturbations.transformation import (
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
from horsesense.schema import Candidate, Entry, LooseGrid, LooseProblem, Part, Schema, candidates_of
from horsesense.schema.material import PROBLEMS
from horsesense.schema.noun_phrases import (
    begins_longer_noun,
    may_go_on,
    mentions_of,
    without_determiner,
)


class _FixedSpan(NamedTuple):
    """A stretch of the fixed text of a frame: which part of it, and from where up to where."""

    part: int
    start: int
    end: int


def with_unmarked(part: Schema | LooseProblem) -> tuple[Schema | LooseProblem, tuple[str, ...]]:
    """A schema or row with its unmarked candidates marked, and the phrases that were marked.

    Nothing is marked where there is no pronoun for candidates to stand for, nor where two
    answers have the same noun, so that it does not tell which is meant.
    """
    if part.target is None:
        return part, ()
    answers = [value[0] for value in part.answers.values]
    nouns = [without_determiner(answer).lower() for answer in answers]
    marked = {candidate.number for candidate in candidates_of(part.frame)}
    numbers = [
        number
        for number, noun in enumerate(nouns, start=1)
        if number not in marked and nouns.count(noun) == 1
    ]
    # The longer first, so that «her plum tree» is not taken for «the plum».
    numbers.sort(key=lambda number: len(nouns[number - 1]), reverse=True)
    rendered = renderings(part if isinstance(part, Schema) else LooseGrid((part,)))
    numbered: dict[_FixedSpan, int] = {}
    for number in numbers:
        places = _places(answers[number - 1], rendered)
        free = [place for place in places if not any(_overlap(place, other) for other in numbered)]
        numbered |= dict.fromkeys(free, number)
    frame = [
        piece for index, old in enumerate(part.frame) for piece in _split(old, index, numbered)
    ]
    texts = [str(part.frame[place.part])[place.start : place.end] for place in sorted(numbered)]
    return replace(part, frame=tuple(frame)), tuple(texts)


def check_by_themselves(part: Schema | LooseProblem, is_imported: bool) -> None:
    """Refuse a candidate that is marked in a longer noun only: «the mouse hole».

    An author is believed unless it surely is one; after an import it must not even be possible.
    Importing does not mark a candidate there that is marked by itself elsewhere. So where both
    are marked, somebody has done so on purpose, and is believed as well.
    """
    goes_on = may_go_on if is_imported else begins_longer_noun
    rendered = renderings(part if isinstance(part, Schema) else LooseGrid((part,)))
    by_themselves: set[int] = set()
    for index, candidate in enumerate(part.frame):
        if not isinstance(candidate, Candidate):
            continue
        verdicts = {_is_in_longer_noun(rendering, index, goes_on) for rendering in rendered}
        if len(verdicts) > 1:
            raise NotApplicable(f"{candidate.text!r} may begin a longer noun with a key phrase")
        if verdicts == {False}:
            by_themselves.add(candidate.number)
    for candidate in candidates_of(part.frame):
        if candidate.number not in by_themselves:
            raise NotApplicable(f"{candidate.text!r} may begin a longer noun")


def _is_in_longer_noun(
    rendering: Rendering, part: int, goes_on: Callable[[str, int, int], bool]
) -> bool:
    """Whether a candidate with a determiner goes on; names and bare nouns are taken as marked."""
    segment = rendering.segments[part]
    text = rendering.text[segment.start : segment.end]
    return without_determiner(text) != text and goes_on(rendering.text, segment.start, segment.end)


def _places(answer: str, rendered: Iterable[Rendering]) -> set[_FixedSpan]:
    """The places where the fixed text mentions an answer, with either key phrase."""
    return set[_FixedSpan].intersection(
        *({*_fixed_places(answer, rendering)} for rendering in rendered)
    )


def _fixed_places(answer: str, rendering: Rendering) -> Iterable[_FixedSpan]:
    for start, end in mentions_of(answer, rendering.text):
        segment = rendering.segment_at(start, end)
        if segment is not None and segment.piece == "text":
            yield _FixedSpan(segment.part, start - segment.start, end - segment.start)


def _overlap(place: _FixedSpan, other: _FixedSpan) -> bool:
    return place.part == other.part and place.start < other.end and other.start < place.end


def _split(piece: Part, index: int, numbered: dict[_FixedSpan, int]) -> Iterable[Part]:
    """A part of a frame, cut into text and the candidates found in it."""
    if not isinstance(piece, str):
        yield piece
        return
    last = 0
    for place in sorted(place for place in numbered if place.part == index):
        if place.start > last:
            yield piece[last : place.start]
        yield Candidate(numbered[place], piece[place.start : place.end])
        last = place.end
    if last < len(piece):
        yield piece[last:]


CAPITAL, LOWER = "capital", "lower"


def _delete_candidates(entry: Entry, settings: Settings) -> Rewriting:
    words: dict[str, None] = {}  # each is listed once
    is_imported = PROBLEMS in dict(entry.extras)

    def without(part: Schema | LooseProblem) -> Schema | LooseProblem:
        part, texts = with_unmarked(part)
        words.update(dict.fromkeys(texts))
        numbers = {candidate.number for candidate in candidates_of(part.frame)}
        if not numbers:
            raise NotApplicable("it has no marked candidates")
        missing = set(range(1, len(part.answers) + 1)) - numbers
        if missing:
            raise NotApplicable(f"candidate {min(missing)} is not marked")
        check_by_themselves(part, is_imported)
        return replace(part, frame=without_candidates(part))

    if settings["start"] == LOWER:
        grid = each_part(as_it_stands(entry.grid), without)
    else:
        grid = with_capital(each_part(entry.grid, without))
    how = "the candidates deleted"
    if words:
        how += f"; not marked, but found by their nouns: {', '.join(map(repr, words))}"
    return Rewriting(grid, how, Voucher.RULE)


NO_CANDIDATE = Transformation(
    name="no-candidate",
    version=2,
    title="the candidates deleted",
    source="Elazar et al. 2021, section 5; Maler 2023, 2.9.4",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES, Touch.FRAME}),
    precondition="a Winograd schema with all candidates marked; an unmarked one is searched for by "
    "the noun of its answer, with another determiner or none («her son» for «the son»)",
    not_for="a problem with an answer whose candidate is neither marked nor found: a longer phrase "
    "(«her tall son») is left as it is; a candidate with a determiner that only occurs in a "
    "longer noun («the mouse hole»), as far as the words show",
    right=Right.SAME,
    purpose=Purpose.CONTROL,
    tests="whether a model finds the answer without the phrases that it has to choose from; if it "
    "does, the words around the blank give it away",
    example="[The ladle] would not go into [the drawer] because <it = the ladle, the drawer> was "
    "too {long, short}.\n",
    rewrite=_delete_candidates,
    parameters=(
        Parameter(
            "start",
            CAPITAL,
            "whether the new start gets a capital, or stays as it was in the sentence",
            (CAPITAL, LOWER),
        ),
    ),
)
