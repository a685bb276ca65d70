"""The recipe that makes WSC266 of the user's own WSC XML; its edits stand in wsc266.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any, TypeAlias

from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.recovery import CandidateMark, Journal, RawEntry, RawProblem
from horsesense.errors import HorsesenseError

Stretches: TypeAlias = Sequence[tuple[int, int, int]]

PUBLISHED_CANDIDATES = "published-candidates"
CANDIDATE_REPAIRS = {
    PUBLISHED_CANDIDATES: "candidates that the answers do not show are marked "
    "where the published no-candidate files delete them"
}
_STRETCHES: dict[str, Stretches] = tomllib.loads(
    files("horsesense.datasets.importers.recipes")
    .joinpath("wsc266_candidates.toml")
    .read_text(encoding="utf-8")
)
# The blank is a control character, and so a word like any other.
_WORD = re.compile(r"""['’]s\b|(?:(?!['’]s\b)[^\s.,;:!?"])+""")


def mark_candidates(groups: Iterable[RawEntry], journal: Journal) -> None:
    """Mark the candidates of the schemas of WSC266, whose ids are their numbers there.

    A mark on its first problem is all that a square needs.
    """
    for group in groups:
        if stretches := _STRETCHES.get(group.id):
            group.problems[0] = _marked(group.problems[0], stretches, journal)


def _marked(raw_problem: RawProblem, stretches: Stretches, journal: Journal) -> RawProblem:
    statement = raw_problem.statement
    marks = _marks(raw_problem, statement, stretches)
    phrases = ", ".join(repr(statement[mark.start : mark.end]) for mark in marks)
    odd = "the answers do not show where the candidates stand"
    if journal.repair(
        PUBLISHED_CANDIDATES, raw_problem.line, raw_problem.name, odd, f"marked: {phrases}"
    ):
        return raw_problem._replace(marks=marks)
    return raw_problem


def _marks(
    raw_problem: RawProblem, statement: str, stretches: Stretches
) -> tuple[CandidateMark, ...]:
    words = words_of(statement)
    needed = 1 + max(last for _, _, last in stretches)
    if len(words) < needed:
        raise HorsesenseError(
            f"problem {raw_problem.name} is not the WSC's: {len(words)} words where {needed}"
            " are expected"
        )
    return tuple(
        CandidateMark(number, words[first][0], words[last][1]) for number, first, last in stretches
    )


def words_of(statement: str) -> list[tuple[int, int]]:
    """The stretches of the words, as the recipe counts them."""
    return [word.span() for word in _WORD.finditer(statement)]


_SWITCHED: dict[str, dict[str, list[tuple[int, int]]]] = tomllib.loads(
    files("horsesense.datasets.importers.recipes")
    .joinpath("wsc266_switched.toml")
    .read_text(encoding="utf-8")
)


def add_switched_phrases(groups: Iterable[RawEntry]) -> None:
    """Give the schemas of WSC266, whose ids are their numbers there, the phrases they need."""
    for group in groups:
        for name, stretches in _SWITCHED.items():
            if group.id in stretches:
                statement = group.problems[0].statement
                words = words_of(statement)
                phrases = tuple(
                    statement[words[first][0] : words[last][1]]
                    for first, last in stretches[group.id]
                )
                group.phrases = (*group.phrases, (name, phrases))


WIDER_KEYS = "wider-key-phrases"
_WIDENINGS = {
    "wsc266": {31: (1, 0), 32: (1, 0), 101: (1, 0), 105: (0, 1), 128: (0, 1), 130: (0, 2)},
    "reid250": {
        **dict.fromkeys((87, 88), (1, 1)),
        **dict.fromkeys((90, 92, 95, 96, 117, 118), (1, 0)),
        98: (2, 0),
    },
}


def widen_keys(groups: Iterable[RawEntry], dataset: str, journal: Journal) -> None:
    """Give schemas, whose ids are their numbers in a dataset, the key phrases published for it."""
    widenings = {str(number): words for number, words in _WIDENINGS.get(dataset, {}).items()}
    for group in groups:
        widening = widenings.get(group.id)
        if widening is None:
            continue
        first = group.problems[0]
        odd = "the published inverted file has a wider key phrase than what differs"
        done = f"words added: {widening[0]} to the left, {widening[1]} to the right"
        if journal.repair(WIDER_KEYS, first.line, first.name, odd, done):
            group.widening = widening


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
    NOT_WHOLE: "a repair of the recipe is switched off, so the numbers differ",
}
_PROBLEMS, _SCHEMAS = 273, 133
_SYMMETRICAL = frozenset(_RECIPE["subsets"]["symmetrical"]["schemas"])
_ORIGINALS = "x-wsc273"


def groups_of(raw_problems: Sequence[RawProblem], journal: Journal) -> list[RawEntry]:
    """The 133 schemas, numbered as in WSC266, with their subsets."""
    problems = {
        int(raw_problem.name): raw_problem
        for raw_problem in raw_problems
        if int(raw_problem.name) <= _PROBLEMS
    }
    if len(problems) < _PROBLEMS:
        missing = next(n for n in range(1, _PROBLEMS + 1) if n not in problems)
        raise HorsesenseError(
            f"{NAME} is made of the first {_PROBLEMS} problems of the WSC; problem {missing} is not"
            " there, or cannot be used"
        )
    if len(raw_problems) > _PROBLEMS:
        odd = f"problems {_PROBLEMS + 1} to {raw_problems[-1].name} are not in WSC273"
        journal.oddity(BEYOND, 0, "", odd, "left out", left_out=len(raw_problems) - _PROBLEMS)
    exchanged = set()
    for edit in _RECIPE["edit"]:
        for number in edit["problems"]:
            raw_problem = problems[number]
            odd, removed = REPAIRS[edit["repair"]], int(edit.get("remove", False))
            if not journal.repair(
                edit["repair"],
                raw_problem.line,
                raw_problem.name,
                odd,
                _description(edit),
                left_out=removed,
            ):
                continue
            if edit.get("remove"):
                del problems[number]
            else:
                problems[number] = _edited(raw_problem, edit)
                exchanged |= {number} if edit.get("exchange") else set()
    groups = list(_numbered(list(twins_of_neighbours(problems.values())), exchanged))
    # What was removed keeps its number in WSC273, and must not be taken for another problem.
    names = {raw_problem.name: f"wsc273-{raw_problem.name}" for raw_problem in raw_problems}
    for group in groups:
        originals = group.extras[_ORIGINALS].split(", ")
        names |= dict(zip(originals, [problem.name for problem in group.problems], strict=True))
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


def _edited(raw_problem: RawProblem, edit: dict[str, Any]) -> RawProblem:
    """The problem after an edit; a word that should be there and is not is an error."""
    before, after = raw_problem.texts
    options = raw_problem.options
    if old := edit.get("replace"):
        _expect(raw_problem, old, (before + after).count(old) == 1)
        before, after = before.replace(old, edit["by"]), after.replace(old, edit["by"])
    if word := edit.get("before_blank"):
        _expect(raw_problem, word, before.endswith(word))
        before = before.removesuffix(word)
    after += edit.get("append", "")
    if answers := edit.get("answers"):
        for answer in answers:
            _expect(raw_problem, answer, (answer,) in options)
        options = tuple((answers.get(phrase, phrase),) for (phrase,) in options)
    right = raw_problem.right
    if edit.get("exchange") and right is not None:
        options, right = options[::-1], 1 - right
    return raw_problem._replace(texts=(before, after), options=options, right=right)


def _expect(raw_problem: RawProblem, word: str, is_there: bool) -> None:
    if not is_there:
        raise HorsesenseError(
            f"problem {raw_problem.name} is not the WSC's: {word!r} is not where it was"
        )


def _numbered(groups: Sequence[RawEntry], exchanged: set[int]) -> Iterator[RawEntry]:
    """The groups with the numbers of WSC266; what they were in WSC273 is kept."""
    subsets = _subsets()
    problem = 0
    for number, group in enumerate(groups, start=1):
        if int(group.problems[0].name) in exchanged:
            group.problems.reverse()
        originals = [problem.name for problem in group.problems]
        for position, raw_problem in enumerate(group.problems):
            problem += 1
            group.problems[position] = raw_problem._replace(name=str(problem))
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


def _description(edit: dict[str, Any]) -> str:
    """Describe an edit."""
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
