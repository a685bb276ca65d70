"""Who is compared with whom, and whether that can be done: what was asked alike, and what was not.

Answers are compared, and not the numbers that results made of them; so a tie rule or a seed that
differs does not stand in the way, and is remarked on. Fewer schemas or other words do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from horsesense.metrics import problem_accuracy, sample_of
from horsesense.results import ModelSubject, ResultKey, Results, Skipped, Variant
from horsesense.scoring.outcome import Sheet

# What two plans may differ in, and what that means for a comparison of answers.
_SETTINGS = {
    "seed": "draws are by the first",
    "ties": "undecided problems count by the first",
    "subsets": "compared are all problems",
    "straddling": "scores are by either",
    "frequencies": "scores are by either",
}


@dataclass(frozen=True, slots=True)
class Side:
    """A model in results, as it takes part in a comparison under a name of its own.

    `method` is that by which it answers; where it is empty, the standard one of each dataset.
    """

    name: str
    profile: Results
    model: ModelSubject
    method: str = ""

    def address(self, dataset: str, variant: str) -> ResultKey:
        """Where its answers to that stand."""
        method = self.method or dict(self.model.standard).get(dataset, "")
        return ResultKey(self.model.name, dataset, variant, method=method)

    def sheet(self, variant: Variant) -> Sheet:
        """Its answers in that variant; an empty sheet where there are none."""
        found = self.profile.sheets.get(self.address(variant.dataset, variant.name))
        return Sheet(variant.name, (), ()) if found is None else found


@dataclass(frozen=True, slots=True)
class Pair:
    """A side and the first, with which it is compared."""

    first: Side
    other: Side

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called."""
        return self.first.name, self.other.name

    @property
    def profiles(self) -> tuple[Results, Results]:
        """Where the two stand."""
        return self.first.profile, self.other.profile


def limited(pair: Pair) -> Iterator[Skipped]:
    """Where one was asked fewer schemas than the other."""
    limits = [one.record.plan.limit for one in pair.profiles]
    if limits[0] != limits[1]:
        asked = [
            f"{name} was asked {_asked(limit)}"
            for name, limit in zip(pair.names, limits, strict=True)
        ]
        told = " and ".join(asked)
        yield Skipped(" and ".join(pair.names), f"{told}; compared is what both were asked")


def _asked(limit: int | None) -> str:
    return "everything" if limit is None else f"the first {limit} schemas and single problems"


def remarks_on(pair: Pair) -> Iterator[str]:
    """In what else the two runs differ, though their answers can be compared."""
    one, other = (profile.record for profile in pair.profiles)
    names = " and ".join(pair.names)
    if one.horsesense != other.horsesense:
        yield f"{names}: by horsesense {one.horsesense} and {other.horsesense}"
    elif one.program != other.program:
        yield f"{names}: by other programs of horsesense {one.horsesense} (its code has changed)"
    for setting, effect in _SETTINGS.items():
        was, now = (getattr(record.plan, setting) for record in (one, other))
        if was != now:
            yield f"{names}: {setting} {_shown(was)} and {_shown(now)}; {effect}"
    if pair.first.model.fingerprint == pair.other.model.fingerprint:
        yield f"{names}: the same model, by its fingerprint"


def _shown(setting: Any) -> str:
    """A setting as one would give it.

    >>> _shown(("associative", "tall")), _shown(None), _shown(3)
    ('associative, tall', 'none', '3')
    """
    if isinstance(setting, tuple):
        return ", ".join(map(str, setting)) or "none"
    return "none" if setting is None else str(setting)


def picked(sides: Iterable[Side]) -> Iterator[str]:
    """Whose method was chosen other than by its standard, and happens to be its best."""
    for side in sides:
        for dataset in side.profile.datasets:
            standard = dict(side.model.standard).get(dataset.name, "")
            if side.method in ("", standard):
                continue
            accuracies = _accuracies(side, dataset.name)
            best = max(accuracies.values(), default=None)
            if len(accuracies) > 1 and accuracies.get(side.method) == best:
                yield (
                    f"{side.name}: {side.method} is its best method on {dataset.name}"
                    f" ({best:.3f}); the standard is {standard}. A method that was picked by"
                    " looking at accuracy flatters"
                )


def _accuracies(side: Side, dataset: str) -> dict[str, float]:
    """The problem accuracy of a model on the original, by all methods that have one."""
    found = {}
    for method in side.model.methods:
        at = ResultKey(side.model.name, dataset, method=method)
        sheet = side.profile.sheets.get(at)
        value = None if sheet is None else problem_accuracy(sample_of(sheet)).value
        if value is not None:
            found[method] = value
    return found


def reworded(pair: Pair, variant: Variant) -> set[str]:
    """The entries of which a problem has other sentences, or another right option, than before."""
    one, other = (
        {
            (each.entry, each.number): (each.sentences, each.label)
            for each in profile.problems
            if (each.dataset, each.variant) == (variant.dataset, variant.name)
        }
        for profile in pair.profiles
    )
    return {at[0] for at in one.keys() & other.keys() if one[at] != other[at]}
