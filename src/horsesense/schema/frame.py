"""The frame of a sentence: its fixed text, its placeholders, its marked candidates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from horsesense.errors import SchemaError
from horsesense.schema.axis import Axis, AxisName, Slot, find_unprintable, is_clean
from horsesense.schema.english import is_possessive

UNKNOWN_PRONOUN = "_"
# How the placeholders of an axis are counted.
_COUNTED = list(range(10))
_WORDS = re.compile(r"[\w'’-]+( [\w'’-]+)*")


class Candidate(NamedTuple):
    """A noun phrase of a Winograd sentence to which the target may refer.

    Its number says which answer it goes with, wherever it stands: the passive voice
    exchanges the places of two candidates and not their identities.
    """

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Target:
    """The pronoun of a Winograd schema, as it is written in the notation.

    `_` stands for a pronoun that the source of the data has not kept. `her's` and `_'s`
    are possessive, where the bare word would not say so.
    """

    written: str

    def __post_init__(self) -> None:
        if not _WORDS.fullmatch(self.written) or not self.pronoun:
            raise SchemaError(
                f"{self.written!r} is no pronoun",
                axis="answer",
                remedy="write the target before '=': <it = the jar, the lid>; _ is an unknown one",
            )

    @property
    def pronoun(self) -> str:
        """The word itself."""
        return re.sub("['’]s$", "", self.written)

    @property
    def is_known(self) -> bool:
        return self.pronoun != UNKNOWN_PRONOUN

    @property
    def is_possessive(self) -> bool:
        return self.written.endswith(("'s", "’s")) or is_possessive(self.written)

    @property
    def is_capitalised(self) -> bool | None:
        """Whether the pronoun opens a sentence; None where it cannot tell (`I`, `_`)."""
        if not self.is_known or self.pronoun == "I":
            return None
        return self.pronoun[0].isupper()


Part: TypeAlias = str | Slot | Candidate
Frame: TypeAlias = tuple[Part, ...]


def join_parts(parts: Iterable[Part]) -> Frame:
    """A frame of these parts: texts side by side are one text, with single spaces.

    >>> join_parts(["That ", "", "  this ", Slot(AxisName.KEY, 0), " "])
    ('That this ', Slot(axis=<AxisName.KEY: 'key'>, index=0))
    """
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    single = [_single_spaces(part) if isinstance(part, str) else part for part in joined]
    if single and isinstance(single[0], str):
        single[0] = single[0].lstrip(" ")
    if single and isinstance(single[-1], str):
        single[-1] = single[-1].rstrip(" ")
    return tuple(part for part in single if part != "")


def candidates_of(frame: Frame) -> tuple[Candidate, ...]:
    """The marked candidates, in the order of the sentence."""
    return tuple(part for part in frame if isinstance(part, Candidate))


def text_of(frame: Frame) -> str:
    """The fixed text, candidates included, with `_` for each placeholder."""
    shown = (
        part if isinstance(part, str) else part.text if isinstance(part, Candidate) else "_"
        for part in frame
    )
    return "".join(shown)


def check_frame(frame: Frame, axes: Mapping[AxisName, Axis], target: Target | None) -> None:
    """Refuse a frame that its axes do not fill exactly, or that is not clean text."""
    slots: list[Slot] = []
    candidates: list[Candidate] = []
    is_joined, after_text = True, False
    for part in frame:
        if isinstance(part, str):
            if after_text or not part or "  " in part:
                is_joined = False
            if not (part.isascii() and part.isprintable()):
                _refuse_unprintable(part)
            after_text = True
            continue
        after_text = False
        if isinstance(part, Slot):
            slots.append(part)
        else:
            candidates.append(part)
    if not is_joined or _has_space_at_an_end(frame):
        raise SchemaError("the frame of a sentence has stray spaces or texts side by side")
    for name in AxisName:
        expected = axes[name].placeholders if name in axes else 0
        found = [slot.index for slot in slots if slot.axis is name]
        if len(found) != expected or found != _COUNTED[:expected]:
            raise SchemaError(
                f"the {name} fills {expected} placeholders, the sentence has {len(found)}",
                axis=name,
            )
    if candidates:
        _check_candidates(candidates, len(axes[AxisName.ANSWER]), target)


def _refuse_unprintable(text: str) -> None:
    if char := find_unprintable(text):
        raise SchemaError(f"{char!r} has no place in a sentence")


def _has_space_at_an_end(frame: Frame) -> bool:
    if not frame:
        return False
    first, last = frame[0], frame[-1]
    return (isinstance(first, str) and first[:1] == " ") or (
        isinstance(last, str) and last[-1:] == " "
    )


def _check_candidates(candidates: Sequence[Candidate], answers: int, target: Target | None) -> None:
    for index, candidate in enumerate(candidates):
        if target is None:
            problem = "candidates belong to a Winograd schema, and this has no target"
        elif not candidate.text or not is_clean(candidate.text):
            problem = f"the candidate {candidate.text!r} is empty or not clean text"
        elif not 1 <= candidate.number <= answers:
            problem = f"candidate {candidate.number} has no answer; there are {answers}"
        else:
            continue
        raise SchemaError(problem, axis="candidate", index=index)


def _single_spaces(text: str) -> str:
    while "  " in text:
        text = text.replace("  ", " ")
    return text
