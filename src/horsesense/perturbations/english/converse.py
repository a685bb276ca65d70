"""Converses: what is higher than another thing leaves the other one lower (thesis 3.61a, 3.71).

The two sides of a comparison change places and the answers their order. If a key phrase stands in
one of the sides, it has moved; if the keys stand elsewhere, the result is the partner in which
mere association of words points the other way.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from horsesense.perturbations.english.flat_frame import (
    ANSWER_MARK,
    CLAUSE_END,
    CLAUSE_START,
    Stretch,
    check_sides,
    flat,
    has_key,
    lowered,
    number_of,
    rebuilt,
    sides_of,
    span_of,
)
from horsesense.perturbations.english.verbs import inflected
from horsesense.perturbations.transformation import (
    NotApplicable,
    Rewriting,
    Settings,
    needs_schema,
)
from horsesense.schema import Axis, Entry, Schema

_BE = {"is": "are", "was": "were"} | {"are": "is", "were": "was"}
_SINGULAR_BE = ("is", "was")

_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in str.split(
        "more/less more/fewer greater/less greater/lesser greater/smaller higher/lower "
        "larger/smaller bigger/smaller older/younger newer/older heavier/lighter taller/shorter "
        "longer/shorter wider/narrower broader/narrower thicker/thinner hotter/colder "
        "hotter/cooler warmer/colder warmer/cooler brighter/darker brighter/dimmer lighter/darker "
        "faster/slower quicker/slower stronger/weaker richer/poorer deeper/shallower "
        "harder/softer louder/quieter better/worse earlier/later sooner/later cheaper/dearer "
        "rougher/smoother sharper/blunter steeper/flatter fatter/thinner cleaner/dirtier "
        "drier/wetter happier/sadder safer/riskier fuller/emptier quickly/slowly "
        "brightly/dimly loudly/quietly north/south east/west"
    )
)
# Converses that need no «than».
_RELATIONS = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        "north of/south of",
        "east of/west of",
        "above/below",
        "over/under",
        "after/before",
    )
)
# The two forms of an equation whose answer says which part of something it is about.
_PART = rf"the (?P<part>{ANSWER_MARK} \w+ of)"
_NAMED_FIRST = re.compile(rf"{_PART} (?P<owner>.+) (?P<verb>is|was) (?P<equal>.+?){CLAUSE_END}")
_NAMED_LAST = re.compile(rf"(?P<equal>.+) (?P<verb>is|was) {_PART} (?P<owner>.+?){CLAUSE_END}")


class _Comparison(NamedTuple):
    """A comparison in a flat frame: what is compared, and what stands around and between."""

    before: str
    first: str
    verb: str
    link: str
    second: str
    end: str


def propose_moved_keys(entry: Entry, settings: Settings) -> Rewriting:
    """The converse, where a key phrase stands in what is compared; or the ends of an equation."""
    grid = needs_schema(entry.grid)
    turned = _turned(grid)
    return Rewriting(turned, "subject ↔ predicate") if turned else _converse(grid, moves_keys=True)


def propose_counter_associative(entry: Entry, settings: Settings) -> Rewriting:
    """The converse, where the keys stand outside of what is compared."""
    return _converse(needs_schema(entry.grid), moves_keys=False)


def _turned(grid: Schema) -> Schema | None:
    """«A lid is the <upper, …> part of a jar» for «the <upper, …> part of a jar is a lid»."""
    text = flat(grid)
    named_first, named_last = _NAMED_FIRST.fullmatch(text), _NAMED_LAST.fullmatch(text)
    match = named_first or named_last
    if match is None:
        return None
    sides = match.span("owner"), match.span("equal")
    check_sides(grid, text, *sides)
    if number_of(grid, text, sides[0]) != number_of(grid, text, sides[1]):
        raise NotApplicable("the sides differ in number")
    part = f"the {match['part']} {match['owner']}"
    if named_first:
        new = f"{match['equal']} {match['verb']} {part}{match['end']}"
    else:
        new = f"{part} {match['verb']} {lowered(grid, match['equal'])}{match['end']}"
    return rebuilt(grid, new, grid.answers)


def _converse(grid: Schema, *, moves_keys: bool) -> Rewriting:
    comparison = _comparison(grid)
    if has_key(comparison.first + comparison.second) != moves_keys:
        raise NotApplicable(f"the key phrases stand {'outside of' if moves_keys else 'in'} it")
    verb = _agreeing_verb(grid, comparison)
    first = lowered(grid, comparison.first) if not comparison.before else comparison.first
    text = f"{comparison.before}{comparison.second} {verb}{comparison.link}{first}{comparison.end}"
    after = rebuilt(grid, text, Axis(grid.answers.values[::-1]))
    if set(_sentences(after)) == set(_sentences(grid)):
        raise NotApplicable("the sentences would stay the same")
    (answer,), (other,) = after.answers.values
    return Rewriting(after, f"converse: {other}/{answer} → {answer}/{other}")


def _sentences(grid: Schema) -> list[str]:
    return [grid.sentence(cell).text for cell in grid.cells]


def _comparison(grid: Schema) -> _Comparison:
    """The comparison that the answers make."""
    text = flat(grid)
    left, _, right = text.partition(ANSWER_MARK)
    (initial,), (last,) = ((phrase.lower() for phrase in value) for value in grid.answers.values)
    if frozenset((initial, last)) in _RELATIONS or _is_voice_pair(initial, last):
        than = " "
    elif frozenset((initial, last)) in _OPPOSITES or _is_graded_pair(initial, last):
        than = r"(?: (?!than)[\w-]+){0,3}? than "
    else:
        raise NotApplicable("the answers are not known opposites")
    match = re.match(rf"(?P<link>{than})(?P<second>.+?){CLAUSE_END}", right)
    if match is None:
        raise NotApplicable("nothing is compared")
    start = max(match.end() for match in CLAUSE_START.finditer(left))
    subject, verb, between = _split_at_verb(grid, text, start, len(left))
    second, end = match["second"], match["end"]
    comparison = _Comparison(
        left[:start], subject, verb, f"{between}{ANSWER_MARK}{match['link']}", second, end
    )
    check_sides(grid, text, *_sides(text, comparison))
    _check_what_is_compared(comparison)
    return comparison


def _sides(text: str, comparison: _Comparison) -> tuple[Stretch, Stretch]:
    return sides_of(text, comparison.before, comparison.first, comparison.second, comparison.end)


def _is_graded_pair(phrase: str, other: str) -> bool:
    """Return True for «less brave» and «braver»."""
    for less, more in ((phrase, other), (other, phrase)):
        if less.startswith("less "):
            word = less.removeprefix("less ")
            return more in (f"more {word}", *inflected(word, "JJR"))
    return False


def _is_voice_pair(phrase: str, other: str) -> bool:
    """Return True for «feed» and «are fed by»."""
    from lemminflect import getLemma

    for active, passive in ((phrase, other), (other, phrase)):
        match = re.fullmatch(r"(?:is|are|was|were|gets?) (\w+) by", passive)
        if match and active.isalpha():
            return any(match[1] in inflected(v, "VBN") for v in getLemma(active, "VERB"))
    return False


def _split_at_verb(grid: Schema, text: str, start: int, end: int) -> tuple[str, str, str]:
    """The text before the verb of a clause, the verb, and the text up to the answer."""
    clause = text[start:end]
    if _is_voice_pair(*(value[0].lower() for value in grid.answers.values)):
        return clause.rstrip(" "), "", ""
    tokens = span_of(grid, text, (start, end), 0)
    verb = next((token for token in tokens if token.pos_ in ("AUX", "VERB")), None)
    match = verb and re.fullmatch(rf"(.+?) ({re.escape(verb.text)})( .*|)", clause)
    if not match:
        raise NotApplicable("the comparison has no verb")
    return match[1], match[2], match[3]


def _check_what_is_compared(comparison: _Comparison) -> None:
    """Refuse «holds more tea than milk», in which the first side is not compared at all."""
    if comparison.verb in (*_BE, "must", "can", "will", "") or re.search(
        r"more |ly than", comparison.link
    ):
        return
    sides = [re.split(r"\W", side) for side in (comparison.first, comparison.second)]
    is_like = sides[0][-1] == sides[1][-1] or all(s[0] in ("the", "a", "an") for s in sides)
    if not is_like and not (comparison.first.istitle() and comparison.second.istitle()):
        raise NotApplicable("it is unclear what is compared")


def _agreeing_verb(grid: Schema, comparison: _Comparison) -> str:
    """The verb in the number of what has become its subject."""
    text = flat(grid)
    first, second = (number_of(grid, text, side) for side in _sides(text, comparison))
    if comparison.verb in _BE:
        is_singular = comparison.verb in _SINGULAR_BE
        if first is not None and (first == "singular") != is_singular:
            raise NotApplicable("the number of the subject is unclear")
        return comparison.verb if second in (None, first) else _BE[comparison.verb]
    if None not in (first, second) and first != second:
        raise NotApplicable("the sides differ in number")
    return comparison.verb
