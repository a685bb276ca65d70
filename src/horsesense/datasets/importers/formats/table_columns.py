"""The columns of a plain table of problems, by the names that people give them.

Capitals do not count, nor whether words are joined by spaces, hyphens or underscores. Options are
told apart by a number or a letter, as in `option1`, `Option 1`, `choice_b`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from horsesense.schema import FLAGS, OWN

# For each role its names, the first of which is our own.
_NAMES = {
    "id": ("id", "problem_id", "problem"),
    "schema": ("schema", "schema_id", "pair", "pair_id", "group", "group_id"),
    "mode": ("mode",),
    "text": ("text", "sentence", "statement"),
    "answer": ("answer", "correct", "correct_answer", "right_answer"),
    "label": ("label", "gold"),
    "pronoun": ("pronoun", "target"),
    "verbatim": ("verbatim",),
    "tags": ("tags", "tag"),
    "note": ("note", "notes", "comment"),
    "options": ("options", "choices"),
    "sentences": ("sentences",),
    **{flag: (flag,) for flag in FLAGS},
}
_OPTION = re.compile(r"(?:option|choice|alternative)(?:_?([0-9]{1,3})|_([a-z]))?")
_JOINTS = re.compile(r"[\s_-]+")
# What our own exporters add for other programs, and what says nothing that is not said elsewhere.
_REDUNDANT = frozenset({"contexts", "suffix"})


TABLE_OF_YOUR_OWN = (
    "A table of your own (CSV, JSON lines, a JSON list or Parquet) is read if it has the columns "
    "text (with ___ for the blank), option1, option2 and answer (the number of the right option); "
    "schema has the same value for twins. Minimal pairs have whole sentences as options, and no "
    "text. Begin the names of other columns with x-"
)


@dataclass(frozen=True, slots=True)
class Columns:
    """Where in a row the values stand: headings by role, those of the options in order.

    `letters` tell the options apart, where letters do; `own` are the author's own fields, `x-…`;
    `unused` headings mean nothing to us.
    """

    roles: Mapping[str, str]
    options: tuple[str, ...]
    letters: tuple[str, ...]
    own: tuple[str, ...]
    unused: tuple[str, ...]

    @property
    def has_problems(self) -> bool:
        """True where there are options to choose from, and what they belong to.

        Without a text, the options are the sentences of minimal pairs. Then every column must
        have a meaning: one that has none could be the text under another name.
        """
        if "sentences" in self.roles and "label" in self.roles:
            return True
        has_options = len(self.options) > 1 or "options" in self.roles
        return has_options and ("text" in self.roles or "mode" in self.roles or not self.unused)

    def values(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """What the row has, by role, without what is missing or empty."""
        return {
            role: value
            for role, heading in self.roles.items()
            if (value := row.get(heading)) is not None and value != ""
        }


def columns_of(headings: Iterable[str]) -> Columns:
    """What the headings mean. Of several with one meaning, our own is taken, or the first.

    >>> columns = columns_of(["Sentence", "Option B", "Option A", "mood", "x-owl"])
    >>> columns.roles, columns.options, columns.unused
    ({'text': 'Sentence'}, ('Option A', 'Option B'), ('mood',))
    """
    headings = list(headings)
    own = tuple(heading for heading in headings if heading.startswith(OWN))
    joined = {_joined(heading): heading for heading in reversed(headings) if heading not in own}
    roles: dict[str, str] = {}
    for role, names in _NAMES.items():
        name = next((name for name in names if name in joined), None)
        if name is not None:
            roles[role] = joined[name]
    numbered: dict[tuple[int, str], str] = {}
    for name, heading in joined.items():
        if option := _OPTION.fullmatch(name):
            place = option[1] or option[2] or ""
            # Ten comes after nine, and one without a number is the first.
            numbered[len(place), place] = heading
    options = tuple(numbered[place] for place in sorted(numbered))
    letters = tuple(place for _, place in sorted(numbered) if place.isalpha())
    used = {*own, *roles.values(), *options}
    unused = [one for one in headings if one not in used and _joined(one) not in _REDUNDANT]
    return Columns(roles, options, letters, own, tuple(unused))


def _joined(heading: str) -> str:
    return _JOINTS.sub("_", heading.strip().lower())
