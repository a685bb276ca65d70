"""Problems as a learner is given them: in groups that hang together, in an order of content.

In our notation the first key phrase asks for the first answer, so that the order of options, of
problems and of entries may tell what is right. Here everything stands in an order that follows
from the texts alone, and nothing that is learnt depends on how a file was written.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from horsesense.audit.clusters import clusters_of, grouped, has_known_answer
from horsesense.audit.subject import Subject
from horsesense.audit.words import first_mentioned, same_words
from horsesense.evaluation.inference import PosedEntry
from horsesense.schema import Problem


@dataclass(frozen=True, slots=True)
class Option:
    """What may fill the blank, the sentence with it, and whether it is mentioned before others."""

    phrase: str
    sentence: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class Exercise:
    """A problem whose right option is known; `group` is the number of what hangs together."""

    entry: str
    group: int
    statement: str
    options: tuple[Option, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Exercises:
    """Exercises group by group, the schemas as pairs of positions among them, the groups' names.

    `has_clusters` is true where tags name clusters.
    """

    all: tuple[Exercise, ...]
    schemas: tuple[tuple[int, int], ...]
    groups: tuple[str, ...]
    has_clusters: bool = False

    def folds(self, count: int, turn: int) -> list[int]:
        """In which fold each group is: drawn by content and turn, and equally many in each."""
        drawn = sorted(self.groups, key=lambda name: _digest([str(turn), name]))
        places = {name: place % count for place, name in enumerate(drawn)}
        return [places[name] for name in self.groups]


def exercises_of(subject: Subject) -> Exercises:
    """The problems whose right option is known; entries that hang together are one group."""
    groups = {}
    known = [one for one in subject.posed.entries if has_known_answer(one)]
    for entries in grouped(known, _sentences_and_clusters):
        ordered = sorted(entries, key=_content)
        groups[_digest(map(_content, ordered))] = ordered
    found: list[Exercise] = []
    schemas: list[tuple[int, int]] = []
    for number, name in enumerate(sorted(groups)):
        for entry in groups[name]:
            places = _add(found, entry, number)
            whole = [(places[a], places[b]) for a, b in entry.pairs if places.keys() >= {a, b}]
            schemas += sorted((min(pair), max(pair)) for pair in whole)
    has_clusters = any(True for one in known for _ in clusters_of(one))
    return Exercises(tuple(found), tuple(schemas), tuple(sorted(groups)), has_clusters)


def _sentences_and_clusters(entry: PosedEntry) -> Iterator[Hashable]:
    """What no two groups share: sentences, and tags that name a cluster."""
    yield from clusters_of(entry)
    for problem in entry.problems:
        for sentence in problem.sentences:
            yield same_words(sentence.text)


def _content(entry: PosedEntry) -> str:
    """What an entry asks, whichever of its key phrases and answers is written first."""
    return "\n".join(sorted(map(_told, entry.problems)))


def _told(problem: Problem) -> str:
    """A problem in so many words: its sentences, the right one with a star."""
    sentences = enumerate(problem.sentences)
    return "\t".join(sorted(one.text + "*" * (at == problem.right) for at, one in sentences))


def _digest(texts: Iterable[str]) -> str:
    return sha256("\n\n".join(texts).encode()).hexdigest()


def _add(found: list[Exercise], entry: PosedEntry, group: int) -> dict[int, int]:
    """Add the problems of an entry, and tell where each of them came to stand."""
    known = [at for at, problem in enumerate(entry.problems) if problem.right is not None]
    places = {}
    for at in sorted(known, key=lambda at: _told(entry.problems[at])):
        places[at] = len(found)
        found.append(_exercise(entry.id, group, entry.problems[at]))
    return places


def _exercise(entry: str, group: int, problem: Problem) -> Exercise:
    first = first_mentioned(problem)
    order = _by_text(problem)
    options = tuple(
        Option(" … ".join(problem.options[at]), problem.sentences[at].text, at == first)
        for at in order
    )
    right = next(place for place, at in enumerate(order) if at == problem.right)
    return Exercise(entry, group, problem.statement.text, options, right)


def _by_text(problem: Problem) -> Sequence[int]:
    return sorted(range(len(problem.options)), key=lambda at: problem.sentences[at].text)
