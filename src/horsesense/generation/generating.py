"""Generate an unlimited number of schemas: areas take turns, and no problem occurs twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from itertools import islice
from random import Random

from horsesense.errors import GenerationError
from horsesense.generation.rule import Difficulty, Rule, Settled, settle
from horsesense.schema import Cell, Dataset, Entry, Header, Schema, Source
from horsesense.schema.notation import print_file

# Increase this number when a change of rules or tables changes the schemas of a seed.
GENERATOR_VERSION = 1
# A rule is exhausted after this many draws in a row without a new schema.
PATIENCE = 200


@dataclass(frozen=True, slots=True)
class RequestedDifficulty:
    """The requested difficulties; None accepts any that a rule has."""

    chain: range | None = None
    converses: range | None = None
    negations: range | None = None

    def of(self, rule: Rule) -> list[Difficulty]:
        """The requested difficulties that a rule has."""
        return [
            Difficulty(chain, converses, negations)
            for chain in _both(rule.chain, self.chain)
            for converses in _both(rule.converses, self.converses)
            for negations in _both(rule.negations, self.negations)
            if converses + negations <= chain
        ]

    @property
    def summary(self) -> tuple[str, ...]:
        """The requested difficulties as text.

        >>> RequestedDifficulty(chain=range(2, 5), negations=range(1, 2)).summary
        ('chain 2-4', 'negations 1')
        """
        ranges = {"chain": self.chain, "converses": self.converses, "negations": self.negations}
        return tuple(
            f"{name} {span(numbers)}" for name, numbers in ranges.items() if numbers is not None
        )


def span(numbers: range) -> str:
    """A range as text: its only number, or the first and the last.

    >>> span(range(2, 3)), span(range(2, 5))
    ('2', '2-4')
    """
    return f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _both(available: range, requested: range | None) -> list[int]:
    return [number for number in available if requested is None or number in requested]


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parameters of a set: the same recipe makes the same set, word for word.

    Without areas, all areas are used.
    """

    seed: int
    day: date
    wanted: RequestedDifficulty = RequestedDifficulty()
    areas: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The default name of the set.

        >>> Recipe(0, date(2026, 3, 1)).name
        'fresh-2026-03-01'
        >>> Recipe(7, date(2026, 3, 1), RequestedDifficulty(chain=range(2, 3)), ("time",)).name
        'fresh-2026-03-01.time.chain2.seed7'
        """
        options = [*self.areas, *(text.replace(" ", "") for text in self.wanted.summary)]
        seed = [f"seed{self.seed}"] if self.seed else []
        return ".".join([f"fresh-{self.day.isoformat()}", *options, *seed])


def header(recipe: Recipe, name: str = "") -> Header:
    """The header of a generated set."""
    options = [*recipe.wanted.summary, *(f"area {area}" for area in recipe.areas)]
    return Header(
        name or recipe.name,
        title=f"Adversarial schemas, fresh for {recipe.day.isoformat()}",
        author="horsesense generate",
        licence="CC BY 4.0",
        note=", ".join([f"generator {GENERATOR_VERSION}", f"seed {recipe.seed}", *options]),
    )


def generate_dataset(
    recipe: Recipe,
    count: int,
    rules: Sequence[Rule],
    *,
    name: str = "",
    watch: Callable[[Iterator[Entry]], Iterable[Entry]] = iter,
) -> Dataset:
    """Generate a dataset of `count` schemas; the same recipe makes the same set, word for word.

    Its source has the digest of the schema file that it would be written to. `watch` wraps the
    entries as they are made, for a progress bar.
    """
    about = header(recipe, name)
    entries = tuple(watch(islice(generate(recipe, rules), count)))
    data = "".join(print_file(about, entries)).encode()
    digest = sha256(data).hexdigest()
    source = Source(about.name, digest, len(data), "generate", str(GENERATOR_VERSION))
    return Dataset(about, entries, sources=[source])


def generate(recipe: Recipe, rules: Sequence[Rule]) -> Iterator[Entry]:
    """Generate entries without end, areas in turn, that have no problem in common.

    A rule that yields nothing new is skipped from then on; if no rule is left, that is an
    error.
    """
    pool = _RulePool(recipe, rules)
    while True:
        for area in pool.areas():
            if entry := pool.draw(area):
                yield entry


class _RulePool:
    """The rules that are not exhausted, by area, and the problems drawn so far."""

    def __init__(self, recipe: Recipe, rules: Sequence[Rule]) -> None:
        self._rng = Random(f"{GENERATOR_VERSION} {recipe.day.isoformat()} {recipe.seed}")
        self._drawn: set[frozenset[str]] = set()
        self._count = 0
        self._difficulties = {rule.name: recipe.wanted.of(rule) for rule in rules}
        self._rules: dict[str, list[Rule]] = {}
        for rule in rules:
            is_requested = not recipe.areas or rule.area in recipe.areas
            if is_requested and self._difficulties[rule.name]:
                self._rules.setdefault(rule.area, []).append(rule)

    def areas(self) -> list[str]:
        """The areas that are not exhausted, in a new order each time."""
        left = [area for area, rules in self._rules.items() if rules]
        if not left:
            raise GenerationError(
                f"no more of this kind can be generated after {self._count} schemas; "
                "allow more areas, or other difficulties"
            )
        return self._rng.sample(left, len(left))

    def draw(self, area: str) -> Entry | None:
        """Draw a new schema from an area, or return None if its rules are exhausted."""
        rules = self._rules[area]
        while rules:
            rule = self._rng.choice(rules)
            for _ in range(PATIENCE):
                difficulty = self._rng.choice(self._difficulties[rule.name])
                draft = rule.make(self._rng, difficulty)
                settled = settle(draft, reverse=self._rng.random() < 0.5)
                problems = _problems(settled.schema)
                if not problems & self._drawn:
                    self._drawn |= problems
                    self._count += 1
                    return _entry(self._count, settled, rule, difficulty)
            rules.remove(rule)
        return None


def _problems(schema: Schema) -> set[frozenset[str]]:
    """The two problems of a schema, each as its sentences with either answer."""
    texts = [[schema.sentence(Cell(key, answer, 0)).text for answer in (0, 1)] for key in (0, 1)]
    return {frozenset(sentences) for sentences in texts}


def _entry(number: int, settled: Settled, rule: Rule, difficulty: Difficulty) -> Entry:
    """Make an entry with its rule, its difficulty, and the derivation of its answers."""
    keys = settled.schema.keys.values
    proofs = zip(keys, settled.proofs, strict=True)
    derivation = " | ".join(f"{key[0]}: {proof.text}" for key, proof in proofs)
    tags = (
        rule.area,
        f"chain:{difficulty.chain}",
        f"converses:{difficulty.converses}",
        f"negations:{difficulty.negations}",
    )
    return Entry(
        f"g{number:05d}",
        settled.schema,
        tags=tags,
        extras=(("x-derivation", derivation), ("x-rule", rule.name)),
    )
