"""Switched: the two candidates change places, and the right answer with them (thesis 3.4.2)."""

from __future__ import annotations

import re
from dataclasses import replace

from horsesense.perturbations.candidates import (
    check_all_marked,
    each_part,
    marked_pair,
    with_candidates,
)
from horsesense.perturbations.transformation import (
    Level,
    NotApplicable,
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
    Candidate,
    Entry,
    Frame,
    LooseProblem,
    Phrases,
    Schema,
    Slot,
    capitalise,
    starts_sentence,
)

_OWNED = re.compile(r"\b(my|your|his|her|its|our|their)\b", re.IGNORECASE)


def _switch(entry: Entry, settings: Settings) -> Rewriting:
    flag = entry.flag("switchable")
    if flag is False:
        raise NotApplicable("not switchable")
    material = dict(entry.phrases)
    by_hand = material.get("switched")

    def switched(part: Schema | LooseProblem) -> Schema | LooseProblem:
        first, second = marked_pair(part)
        if flag is None and (owned := _OWNED.search(f"{first} {second}")):
            raise NotApplicable(f"{owned[0].lower()!r} in a candidate may refer to the other one")
        answers = (
            Axis(tuple((phrase,) for phrase in by_hand)) if by_hand else exchanged(part.answers)
        )
        if phrases := material.get("switching"):
            return _with_exchanged(part, phrases, answers)
        check_all_marked(part, (first, second))
        return with_candidates(part, {1: second, 2: first}, answers)

    grid = each_part(entry.grid, switched)
    how = "the candidates exchanged" if "switching" not in material else "phrases exchanged"
    kept = tuple((name, phrases) for name, phrases in entry.phrases if name == "switching")
    voucher = Voucher.AUTHOR if flag else Voucher.NOBODY
    return Rewriting(grid, how, voucher, phrases=kept)


def exchanged(answers: Axis) -> Axis:
    """Reverse the order of the answers, so that the other one becomes right."""
    return Axis(answers.values[::-1])


def _with_exchanged(
    part: Schema | LooseProblem, phrases: Phrases, answers: Axis
) -> Schema | LooseProblem:
    """Exchange two phrases that the author names in a schema or row."""
    places = sorted((*_place(part.frame, phrase), other) for phrase, other in _each_other(phrases))
    frame = list(part.frame)
    # From the end, so that earlier positions stay valid.
    for number, start, end, other in reversed(places):
        piece = frame[number]
        text = piece.text if isinstance(piece, Candidate) else str(piece)
        # If the old phrase has a capital because it starts a sentence, so does the new one.
        opens = text[start].isupper() and starts_sentence(
            _before(part.frame, number) + text[:start]
        )
        text = text[:start] + (capitalise(other) if opens else other) + text[end:]
        frame[number] = Candidate(piece.number, text) if isinstance(piece, Candidate) else text
    return replace(part, frame=tuple(frame), answers=answers)


def _before(frame: Frame, number: int) -> str:
    """Return the text before a part of the frame, enough to tell where sentences start."""
    texts = (part if isinstance(part, str) else "x" for part in frame[:number])
    return "".join(texts)


def _each_other(phrases: Phrases) -> tuple[tuple[str, str], tuple[str, str]]:
    first, second = phrases
    return (first, second), (second, first)


def _place(frame: Frame, phrase: str) -> tuple[int, int, int]:
    """Find the first occurrence of a phrase: the part of the frame, start and end."""
    pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
    for number, piece in enumerate(frame):
        if not isinstance(piece, Slot):
            text = piece.text if isinstance(piece, Candidate) else piece
            if match := pattern.search(text):
                return number, *match.span()
    raise NotApplicable(f"{phrase!r} does not occur")


SWITCHED = Transformation(
    name="switched",
    version=1,
    title="the two candidates change places",
    source="Trichelair et al. 2019, section 4; Maler 2023, 2.9.1, 3.4.2",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES}),
    precondition="a Winograd schema with both candidates marked, which its author does not call "
    "unswitchable; unless the author calls it switchable, the result is a proposal",
    not_for="more than two answers, a candidate that is mentioned in different words or refers "
    "to the other («her aunt»), an article before a candidate that would not fit",
    right=Right.OTHER,
    purpose=Purpose.CONSISTENCY,
    tests="whether a model goes by who does what, or by the candidates themselves",
    example="[Nora] threw [Lena] the rope because <she = Nora, Lena> was {ashore, drowning}.\n"
    "    switchable: yes\n",
    rewrite=_switch,
)
