"""The frame of a sentence: its fixed text, its placeholders, its marked candidates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

from horsesense.errors import SchemaError
from horsesense.schema.axis import (
    ANSWER,
    Axis,
    AxisName,
    Slot,
    find_unprintable,
    is_clean,
    is_plain,
)
from horsesense.schema.english import is_possessive

UNKNOWN_PRONOUN = "_"
_WORDS = re.compile(r"[\w'’-]+( [\w'’-]+)*")
_STRAY = "the frame of a sentence has stray spaces or texts side by side"
_OWNING = ("'s", "’s")


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
                f"{self.written!r} is not a pronoun",
                axis="answer",
                remedy="write the target before '=': <it = the jar, the lid>; _ is an unknown one",
            )

    @property
    def pronoun(self) -> str:
        """The word itself."""
        return self.written[:-2] if self.written.endswith(_OWNING) else self.written

    @property
    def is_known(self) -> bool:
        return self.pronoun != UNKNOWN_PRONOUN

    @property
    def is_possessive(self) -> bool:
        return self.written.endswith(_OWNING) or is_possessive(self.written)

    @property
    def is_capitalised(self) -> bool | None:
        """Return whether the pronoun opens a sentence; None where it cannot tell (`I`, `_`)."""
        pronoun = self.pronoun
        return None if pronoun in (UNKNOWN_PRONOUN, "I") else pronoun[0].isupper()


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
    texts: list[str] = []
    candidates: list[Candidate] = []
    counts = dict.fromkeys(axes, 0)
    is_joined, is_counted, after_text = True, True, False
    for part in frame:
        if isinstance(part, str):
            if after_text or not part:
                is_joined = False
            texts.append(part)
            after_text = True
            continue
        after_text = False
        if isinstance(part, Candidate):
            candidates.append(part)
        elif counts.get(part.axis) == part.index:
            counts[part.axis] += 1
        else:
            is_counted = False
    if not is_plain("|".join(texts)):
        _check_texts(texts)
    if not is_joined or _has_space_at_an_end(frame):
        raise SchemaError(_STRAY)
    if not is_counted or [*counts.values()] != [len(axis.values[0]) for axis in axes.values()]:
        _refuse_count(frame, axes)
    if candidates:
        _check_candidates(candidates, len(axes[ANSWER].values), target)


def _check_texts(texts: Sequence[str]) -> None:
    for text in texts:
        if char := find_unprintable(text):
            raise SchemaError(f"{char!r} is not allowed in a sentence")
    if any("  " in text for text in texts):
        raise SchemaError(_STRAY)


def _refuse_count(frame: Frame, axes: Mapping[AxisName, Axis]) -> NoReturn:
    """Say which axis it is that fills too many placeholders, too few, or in another order."""
    slots = [part for part in frame if isinstance(part, Slot)]
    found = {name: [slot.index for slot in slots if slot.axis is name] for name in AxisName}
    expected = {name: axes[name].placeholders if name in axes else 0 for name in AxisName}
    wrong = next(name for name in AxisName if found[name] != list(range(expected[name])))
    raise SchemaError(
        f"the {wrong} fills {expected[wrong]} placeholders, the sentence has {len(found[wrong])}",
        axis=wrong,
    )


def _has_space_at_an_end(frame: Frame) -> bool:
    if not frame:
        return False
    first, last = frame[0], frame[-1]
    return (isinstance(first, str) and first[:1] == " ") or (
        isinstance(last, str) and last[-1:] == " "
    )


def _check_candidates(candidates: Sequence[Candidate], answers: int, target: Target | None) -> None:
    for index, (number, text) in enumerate(candidates):
        if target is None:
            problem = "only a Winograd schema has candidates, and this has no target"
        elif not text or not is_clean(text):
            problem = f"the candidate {text!r} is empty or not clean text"
        elif not 1 <= number <= answers:
            problem = f"candidate {number} has no answer; there are {answers}"
        else:
            continue
        raise SchemaError(problem, axis="candidate", index=index)


def _single_spaces(text: str) -> str:
    while "  " in text:
        text = text.replace("  ", " ")
    return text
