"""Convert answer sets to samples and pairs of samples, on the problems that they share.

`match` pairs two answer sets by problem, `match_schemas` by schema only, and `share_problems` takes
several on the problems that all of them answered. What is not shared is left out and counted. A
problem may be in a subset for one model only, such as `equal-length`, which depends on the
tokenizer; then only problems that are in it for all models are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.sample import PER_SCHEMA, Integers, Paired, Rule, Sample, Ties, answered
from horsesense.metrics.subsets import condition
from horsesense.scoring import AnswerSet

Problem: TypeAlias = tuple[str, int]

ALL = "all"


@dataclass(frozen=True, slots=True)
class SharedProblems:
    """Answer sets with answers to the same problems, and how many others were left out.

    `numbers` is the cluster number of every entry with such a problem.
    """

    answer_sets: tuple[AnswerSet, ...]
    numbers: dict[str, int]
    dropped: int

    @property
    def problems(self) -> int:
        """The number of problems."""
        return len(self.answer_sets[0].answers) if self.answer_sets else 0

    @property
    def schemas(self) -> int:
        """The number of schemas."""
        return len(self.answer_sets[0].schemas) if self.answer_sets else 0

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return max(self.numbers.values(), default=-1) + 1

    def samples(self, ties: Ties) -> tuple[Sample, ...]:
        """Convert the answer sets to samples with the same cluster numbers."""
        return tuple(_sample(answer_set, ties, self.numbers) for answer_set in self.answer_sets)


def sample_of(answer_set: AnswerSet, *, ties: Rule = Ties.FAILED) -> Sample:
    """Convert the answers to labelled problems to a sample."""
    known = answer_set.labelled()
    return _sample(known, ties, cluster_numbers(known))


def pooled(*answer_sets: AnswerSet, ties: Rule = Ties.FAILED) -> Sample:
    """Pool several answer sets into one sample, such as all perturbations of a dataset.

    A cluster has the answers of its entries in all answer sets, so metrics average over the answer
    sets, and resampling draws a schema with all its variants. Schemas stay within their answer
    sets. A mark that an answer set does not know is false there.
    """
    if not answer_sets:
        raise MetricError("no answers to pool; give at least one")
    known = [answer_set.labelled() for answer_set in answer_sets]
    numbers = cluster_numbers(*known)
    parts = [_sample(answer_set, ties, numbers) for answer_set in known]
    starts = np.cumsum([0, *(len(part.problems) for part in parts[:-1])])
    chosen = [part.chosen for part in parts if part.chosen is not None]
    absent = [np.zeros(len(part.problems), bool) for part in parts]
    return Sample(
        answered(
            [answer.outcome.verdict for answer_set in known for answer in answer_set.answers], ties
        ),
        np.concatenate([part.schemas + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.clusters for part in parts]),
        parts[0].cluster_count,
        np.concatenate(chosen) if len(chosen) == len(parts) else None,
        {
            tag: np.concatenate(
                [part.marks.get(tag, no) for part, no in zip(parts, absent, strict=True)]
            )
            for tag in sorted(frozenset[str]().union(*(part.marks for part in parts)))
        },
    )


def match(before: AnswerSet, after: AnswerSet, *, ties: Rule = Ties.FAILED) -> Paired:
    """Pair the answers to the same problems of the same entries, and their schemas.

    Only what has a counterpart is kept, so the accuracies before and after cover the same problems
    and schemas. The two problems of a schema may be in any order.
    """
    old, new = whole = before.labelled(), after.labelled()
    common = {answer.problem for answer in old.answers} & {answer.problem for answer in new.answers}
    _check_common(common, before, after)
    old, new = kept = _with_common_schemas(*_among(common, old, new))
    positions = {answer.problem: position for position, answer in enumerate(new.answers)}
    problems = [
        (position, positions[answer.problem]) for position, answer in enumerate(old.answers)
    ]
    schemas = [(position, position) for position in range(len(old.schemas))]
    samples = _samples(kept, ties)
    return Paired(*samples, _pairs(problems), _pairs(schemas), *_left_out(whole, kept))


def match_schemas(before: AnswerSet, after: AnswerSet, *, ties: Rule = Ties.FAILED) -> Paired:
    """Pair the schemas of the same entries, in their order, where no problems correspond.

    Entries with different numbers of schemas before and after are left out.
    """
    old, new = whole = before.labelled(), after.labelled()
    of_old, of_new = _schemas_by_entry(old), _schemas_by_entry(new)
    common = {entry for entry in of_old if len(of_old[entry]) == len(of_new.get(entry, ()))}
    _check_common(common, before, after)
    old, new = kept = (
        old.among([answer.entry in common for answer in old.answers]),
        new.among([answer.entry in common for answer in new.answers]),
    )
    of_old, of_new = _schemas_by_entry(old), _schemas_by_entry(new)
    pairs = [pair for entry in of_old for pair in zip(of_old[entry], of_new[entry], strict=True)]
    return Paired(*_samples(kept, ties), None, _pairs(pairs), *_left_out(whole, kept))


def all_tags(answer_sets: Iterable[AnswerSet]) -> frozenset[str]:
    """Return all tags of some answer sets.

    >>> all_tags([AnswerSet("run 1", (), ())])
    frozenset()
    """
    return frozenset().union(*(answer_set.tags for answer_set in answer_sets))


def share_problems(
    answer_sets: Sequence[AnswerSet], subset: str, tags: frozenset[str]
) -> SharedProblems:
    """Keep the answers to problems that are in all answer sets, and in the subset.

    `subset` is an expression, or `all`. `tags` are all tags that it may name, even if no answer of
    an answer set has them.

    >>> share_problems([], "all", frozenset())
    SharedProblems(answer_sets=(), numbers={}, dropped=0)
    """
    known = [answer_set.labelled() for answer_set in answer_sets]
    problems = [_problems_in(answer_set, subset, tags) for answer_set in known]
    if not problems:
        return SharedProblems((), {}, 0)
    common = set.intersection(*problems)
    left = _among(common, *known)
    for answer_set in left[1:]:
        _check_schemas(left[0], answer_set)
    return SharedProblems(left, cluster_numbers(*left), len(set.union(*problems)) - len(common))


def cluster_numbers(*answer_sets: AnswerSet) -> dict[str, int]:
    """Number the cluster of each entry, from 0, in the order of their first occurrence.

    An entry is a cluster of its own, unless it shares a tag `cluster:NAME` with others, in any
    answer set; entries that are connected in this way make one cluster.

    >>> from horsesense.scoring import Answer, Outcome
    >>> he, she, owl = (
    ...     Answer(name, 1, Outcome((), 0, 0, 0.0), tags=frozenset(tags))
    ...     for name, tags in [("he", ["cluster:elk"]), ("she", ["cluster:elk"]), ("owl", [])]
    ... )
    >>> cluster_numbers(AnswerSet("", (he, owl, she), ()))
    {'he': 0, 'owl': 1, 'she': 0}
    """
    answers = [answer for answer_set in answer_sets for answer in answer_set.answers]
    groups: dict[str, list[str]] = {answer.entry: [answer.entry] for answer in answers}
    tagged: dict[str, str] = {}
    for answer in answers:
        for tag in answer.clusters:
            _join(groups, answer.entry, tagged.setdefault(tag, answer.entry))
    firsts = {entry: group[0] for entry, group in groups.items()}
    numbers = {first: position for position, first in enumerate(dict.fromkeys(firsts.values()))}
    return {entry: numbers[first] for entry, first in firsts.items()}


def _among(common: set[Problem], *answer_sets: AnswerSet) -> tuple[AnswerSet, ...]:
    """Keep only the answers to these problems."""
    return tuple(
        answer_set.among([answer.problem in common for answer in answer_set.answers])
        for answer_set in answer_sets
    )


def _problems_in(answer_set: AnswerSet, subset: str, tags: frozenset[str]) -> set[tuple[str, int]]:
    """Return the problems of an answer set that are in the subset."""
    problems = [answer.problem for answer in answer_set.answers]
    if subset == ALL:
        return set(problems)
    sample = sample_of(answer_set)
    nowhere = dict.fromkeys(tags, np.zeros(len(problems), dtype=bool))
    holds = condition(subset)(replace(sample, marks={**nowhere, **sample.marks}))
    return {problem for problem, is_in in zip(problems, holds.tolist(), strict=True) if is_in}


def _check_schemas(answer_set: AnswerSet, other: AnswerSet) -> None:
    # Options are not compared: a log may only say whether a problem was solved.
    if _schemas(answer_set) != _schemas(other):
        raise MetricError(
            f"the problems of {answer_set.name} and {other.name} make different schemas"
        )


def _schemas(answer_set: AnswerSet) -> set[frozenset[tuple[str, int]]]:
    return {
        frozenset(answer_set.answers[position].problem for position in pair)
        for pair in answer_set.schemas
    }


def _join(groups: dict[str, list[str]], one: str, other: str) -> None:
    """Merge the groups of two entries."""
    if groups[one] is not groups[other]:
        small, large = sorted((groups[one], groups[other]), key=len)
        large += small
        groups.update(dict.fromkeys(small, large))


def _with_common_schemas(old: AnswerSet, new: AnswerSet) -> tuple[AnswerSet, AnswerSet]:
    """Keep the schemas that both have, with schemas and their problems in the same order."""
    present = {frozenset(pair) for pair in _problems_of_schemas(new)}
    common = [pair for pair in _problems_of_schemas(old) if frozenset(pair) in present]
    return _with_schemas(old, common), _with_schemas(new, common)


def _problems_of_schemas(answer_set: AnswerSet) -> list[tuple[Problem, Problem]]:
    answers = answer_set.answers
    return [
        (answers[first].problem, answers[second].problem) for first, second in answer_set.schemas
    ]


def _with_schemas(answer_set: AnswerSet, schemas: Iterable[tuple[Problem, Problem]]) -> AnswerSet:
    positions = {answer.problem: position for position, answer in enumerate(answer_set.answers)}
    pairs = tuple((positions[first], positions[second]) for first, second in schemas)
    return replace(answer_set, schemas=pairs)


def _left_out(
    whole: tuple[AnswerSet, AnswerSet], kept: tuple[AnswerSet, AnswerSet]
) -> tuple[int, int, int, int]:
    """Count the problems, and then the schemas, without a counterpart, before and after."""
    (old, new), (old_kept, new_kept) = whole, kept
    return (
        len(old.answers) - len(old_kept.answers),
        len(new.answers) - len(new_kept.answers),
        len(old.schemas) - len(old_kept.schemas),
        len(new.schemas) - len(new_kept.schemas),
    )


def _samples(answer_sets: tuple[AnswerSet, AnswerSet], ties: Rule) -> tuple[Sample, Sample]:
    """Convert two answer sets to samples with the same cluster numbers."""
    numbers = cluster_numbers(*answer_sets)
    return _sample(answer_sets[0], ties, numbers), _sample(answer_sets[1], ties, numbers)


def _sample(answer_set: AnswerSet, ties: Rule, numbers: Mapping[str, int]) -> Sample:
    """Convert an answer set to a sample; `numbers` is the cluster number of each entry."""
    chosen = [
        -1 if answer.outcome.chosen is None else answer.outcome.chosen
        for answer in answer_set.answers
    ]
    has_choices = all(answer.outcome.has_choice for answer in answer_set.answers)
    return Sample(
        answered([answer.outcome.verdict for answer in answer_set.answers], ties),
        _pairs(answer_set.schemas),
        np.array([numbers[answer.entry] for answer in answer_set.answers], dtype=np.intp),
        max(numbers.values(), default=-1) + 1,
        np.array(chosen, dtype=np.intp) if has_choices else None,
        {
            tag: np.array([tag in answer.tags for answer in answer_set.answers], bool)
            for tag in sorted(answer_set.tags)
        },
    )


def _schemas_by_entry(answer_set: AnswerSet) -> dict[str, list[int]]:
    """Return the positions of the schemas of each entry."""
    by_entry: dict[str, list[int]] = {}
    for position, (first, _) in enumerate(answer_set.schemas):
        by_entry.setdefault(answer_set.answers[first].entry, []).append(position)
    return by_entry


def _pairs(pairs: Iterable[tuple[int, int]]) -> Integers:
    return np.array(list(pairs), dtype=np.intp).reshape(-1, PER_SCHEMA)


def _check_common(common: set[Problem] | set[str], before: AnswerSet, after: AnswerSet) -> None:
    if not common:
        raise MetricError(f"{before.name} and {after.name} have nothing in common that could pair")
