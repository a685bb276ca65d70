"""The recipe that makes WSC266 of the user's own WSC XML; its edits stand in wsc266.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.importers.recipes.wsc266_phrases import (
    CANDIDATE_REPAIRS,
    add_switched_phrases,
    mark_candidates,
    widen_keys,
)
from horsesense.datasets.recovery import Group, Journal, RawProblem
from horsesense.errors import HorsesenseError

_RECIPE: dict[str, Any] = tomllib.loads(
    files("horsesense.datasets.importers.recipes")
    .joinpath("wsc266.toml")
    .read_text(encoding="utf-8")
)
NAME: str = _RECIPE["name"]
TITLE: str = _RECIPE["title"]
REPAIRS: dict[str, str] = {**_RECIPE["repairs"], **CANDIDATE_REPAIRS}
NOT_WHOLE, BEYOND = "not-whole", "beyond-wsc273"
ISSUES = {
    BEYOND: "problems that were added to the WSC later are not part of WSC266",
    NOT_WHOLE: "a repair of the recipe is switched off, so that the numbers are others",
}
_PROBLEMS, _SCHEMAS = 273, 133
_SYMMETRICAL = frozenset(_RECIPE["subsets"]["symmetrical"]["schemas"])
_ORIGINALS = "x-wsc273"


def groups_of(found: Sequence[RawProblem], journal: Journal) -> list[Group]:
    """The 133 schemas, numbered as in WSC266, with their subsets."""
    problems = {int(one.name): one for one in found if int(one.name) <= _PROBLEMS}
    if len(problems) < _PROBLEMS:
        missing = next(n for n in range(1, _PROBLEMS + 1) if n not in problems)
        raise HorsesenseError(
            f"{NAME} is made of the first {_PROBLEMS} problems of the WSC; problem {missing} is not"
            " there, or cannot be used"
        )
    if len(found) > _PROBLEMS:
        odd = f"problems {_PROBLEMS + 1} to {found[-1].name} are not in WSC273"
        journal.oddity(BEYOND, 0, "", odd, "left out", left_out=len(found) - _PROBLEMS)
    exchanged = set()
    for edit in _RECIPE["edit"]:
        for number in edit["problems"]:
            one = problems[number]
            odd, removed = REPAIRS[edit["repair"]], int(edit.get("remove", False))
            if not journal.repair(
                edit["repair"], one.line, one.name, odd, _told(edit), left_out=removed
            ):
                continue
            if edit.get("remove"):
                del problems[number]
            else:
                problems[number] = _edited(one, edit)
                exchanged |= {number} if edit.get("exchange") else set()
    groups = list(_numbered(list(twins_of_neighbours(problems.values())), exchanged))
    # What was removed keeps its number in WSC273, and must not be taken for another problem.
    names = {one.name: f"wsc273-{one.name}" for one in found}
    for group in groups:
        originals = group.extras[_ORIGINALS].split(", ")
        names |= dict(zip(originals, [one.name for one in group.found], strict=True))
    journal.rename(names)
    if len(groups) == _SCHEMAS:
        widen_keys(groups, NAME, journal)
        mark_candidates(groups, journal)
        add_switched_phrases(groups)
        for group in groups:
            group.flags["symmetrical"] = int(group.id) in _SYMMETRICAL
    else:
        # With a repair switched off the schemas have other numbers than those the lists go by.
        odd = f"{len(groups)} schemas where WSC266 has {_SCHEMAS}"
        done = "key phrases, candidates and the symmetrical subset are not those published"
        journal.oddity(NOT_WHOLE, 0, "", odd, done)
    return groups


def _edited(one: RawProblem, edit: dict[str, Any]) -> RawProblem:
    """The problem after an edit; a word that should be there and is not is an error."""
    before, after = one.texts
    options = one.options
    if old := edit.get("replace"):
        _expect(one, old, (before + after).count(old) == 1)
        before, after = before.replace(old, edit["by"]), after.replace(old, edit["by"])
    if word := edit.get("before_blank"):
        _expect(one, word, before.endswith(word))
        before = before.removesuffix(word)
    after += edit.get("append", "")
    if answers := edit.get("answers"):
        for answer in answers:
            _expect(one, answer, (answer,) in options)
        options = tuple((answers.get(phrase, phrase),) for (phrase,) in options)
    right = one.right
    if edit.get("exchange") and right is not None:
        options, right = options[::-1], 1 - right
    return one._replace(texts=(before, after), options=options, right=right)


def _expect(one: RawProblem, word: str, is_there: bool) -> None:
    if not is_there:
        raise HorsesenseError(f"problem {one.name} is not the WSC's: {word!r} is not where it was")


def _numbered(groups: Sequence[Group], exchanged: set[int]) -> Iterator[Group]:
    """The groups with the numbers of WSC266; what they were in WSC273 is kept."""
    subsets = _subsets()
    problem = 0
    for number, group in enumerate(groups, start=1):
        if int(group.found[0].name) in exchanged:
            group.found.reverse()
        originals = [one.name for one in group.found]
        for place, one in enumerate(group.found):
            problem += 1
            group.found[place] = one._replace(name=str(problem))
        group.id = str(number)
        group.extras[_ORIGINALS] = ", ".join(originals)
        for name, problems in subsets.items():
            group.flags[name] = not problems.isdisjoint(map(int, originals))
        yield group


def _subsets() -> dict[str, set[int]]:
    """Subsets given as problems of WSC273, after the thesis' changes."""
    return {
        name: (set(subset["published"]) - set(subset.get("removed", ())))
        | set(subset.get("added", ()))
        for name, subset in _RECIPE["subsets"].items()
        if "published" in subset
    }


def _told(edit: dict[str, Any]) -> str:
    """What an edit does, in words."""
    if edit.get("remove"):
        return "removed"
    words = [f"{edit['replace']!r} becomes {edit['by']!r}"] if "replace" in edit else []
    words += [f"{old!r} becomes {new!r}" for old, new in edit.get("answers", {}).items()]
    words += [f"{edit['append']!r} added at the end"] if "append" in edit else []
    words += (
        [f"{edit['before_blank']!r} removed before the blank"] if "before_blank" in edit else []
    )
    words += ["twins and answers exchanged"] if edit.get("exchange") else []
    return "; ".join(words)
