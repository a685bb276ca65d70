"""The frame of a sentence: its fixed text, its placeholders, its marked candidates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from horsesense.errors import SchemaError
from horsesense.schema.axis import Axis, AxisName, Slot, find_unprintable, is_clean
from horsesense.schema.english import is_possessive

UNKNOWN_PRONOUN = "_"
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


def slots_of(frame: Frame, axis: AxisName) -> tuple[Slot, ...]:
    """The placeholders of that axis, in the order of the sentence."""
    return tuple(part for part in frame if isinstance(part, Slot) and part.axis is axis)


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
    if frame != join_parts(frame):
        raise SchemaError("the frame of a sentence has stray spaces or texts side by side")
    if char := find_unprintable(text_of(frame)):
        raise SchemaError(f"{char!r} has no place in a sentence")
    for name in AxisName:
        expected = axes[name].placeholders if name in axes else 0
        found = slots_of(frame, name)
        if found != tuple(Slot(name, index) for index in range(expected)):
            raise SchemaError(
                f"the {name} fills {expected} placeholders, the sentence has {len(found)}",
                axis=name,
            )
    _check_candidates(candidates_of(frame), len(axes[AxisName.ANSWER]), target)


def _check_candidates(
    candidates: tuple[Candidate, ...], answers: int, target: Target | None
) -> None:
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
