"""A form of a dataset with the problems that it poses."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from horsesense.evaluation.inference import Posed, pose
from horsesense.results import Variant
from horsesense.schema import Entry, Mode


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What a transformation has made of the entries of a dataset, and why of some nothing."""

    entries: tuple[Entry, ...]
    left_out: Counter[str]


@dataclass(frozen=True, slots=True)
class PosedForm:
    """A form, the entries that it is made of, and the problems that these pose."""

    subject: Variant
    entries: tuple[Entry, ...]
    posed: Posed


def pose_form(
    subject: Variant,
    rewritten: Rewritten,
    compared_with: Mode | None = None,
    *,
    is_declared: bool = False,
) -> PosedForm:
    """The form with its problems, and with all that is left out counted.

    Where the mode of the form is the one that the dataset declares, what is loose is posed as it
    stands.
    """
    posed = pose(
        rewritten.entries,
        Mode(subject.mode),
        compared_with=compared_with,
        is_declared=is_declared,
    )
    left_out = Counter(rewritten.left_out)
    for one in posed.left_out:
        left_out[one.reason] += len(one.ids)
    counted = replace(
        subject,
        entries=len(posed.entries),
        problems=len(posed.problems),
        left_out=tuple(left_out.most_common()),
    )
    return PosedForm(counted, rewritten.entries, posed)
