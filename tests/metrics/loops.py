"""Each metric once more, on sets, slowly and without numpy; nothing is undecided here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Problem: TypeAlias = tuple[int, int]  # the number of its schema, and its own
Pattern: TypeAlias = tuple[bool, bool]


@dataclass(frozen=True)
class Answers:
    """Which problems are solved, of which the first option was chosen, and what else holds."""

    schemas: range
    solved: set[Problem]
    first: set[Problem]
    marked: dict[str, set[Problem]]

    @property
    def problems(self) -> set[Problem]:
        return {(schema, number) for schema in self.schemas for number in (0, 1)}

    def pattern(self, schema: int) -> Pattern:
        return (schema, 0) in self.solved, (schema, 1) in self.solved

    def having(self, count: int) -> set[int]:
        """The schemas with so many problems solved."""
        return {schema for schema in self.schemas if sum(self.pattern(schema)) == count}


def ratio(above: set[Problem] | set[int], below: set[Problem] | set[int] | range) -> float | None:
    return len(above) / len(below) if below else None


def accuracy(x: Answers) -> float | None:
    return ratio(x.solved, x.problems)


def schema_accuracy(x: Answers) -> float | None:
    return ratio(x.having(2), x.schemas)


def gap(x: Answers, gender: str) -> float | None:
    """The accuracy of a gender where it is usual, less that where it is not."""
    gotchas = x.marked[gender] & x.marked["gotcha"]
    usual = x.marked[gender] - x.marked["gotcha"]
    if not gotchas or not usual:
        return None
    return len(usual & x.solved) / len(usual) - len(gotchas & x.solved) / len(gotchas)


def alike(x: Answers, y: Answers) -> set[Problem]:
    return {one for one in x.problems if (one in x.solved) == (one in y.solved)}


def equally_many(x: Answers, y: Answers) -> set[int]:
    return {one for one in x.schemas if sum(x.pattern(one)) == sum(y.pattern(one))}


def identical(x: Answers, y: Answers) -> set[int]:
    return {one for one in x.schemas if x.pattern(one) == y.pattern(one)}


def weakly_alike(x: Answers, y: Answers) -> set[int]:
    return {one for one in x.schemas if (one in x.having(2)) == (one in y.having(2))}


def gained(x: Answers, y: Answers) -> set[int]:
    return {one for one in x.schemas if sum(x.pattern(one)) < sum(y.pattern(one))}


def expected_agreement(x: Answers, y: Answers) -> float | None:
    """How likely a schema before and one after, drawn at random, have the same pattern."""
    drawn = [(one, other) for one in x.schemas for other in y.schemas]
    agreeing = [pair for pair in drawn if x.pattern(pair[0]) == y.pattern(pair[1])]
    return len(agreeing) / len(drawn) if drawn else None


def corrected(x: Answers, y: Answers) -> float | None:
    observed, expected = ratio(identical(x, y), x.schemas), expected_agreement(x, y)
    if observed is None or expected is None or expected == 1:
        return None
    return (observed - expected) / (1 - expected)


def random_pairs(x: Answers) -> float | None:
    """Of all pairs of two different problems, the share of which both are solved."""
    drawn = [(one, other) for one in x.problems for other in x.problems if one != other]
    solved = [pair for pair in drawn if x.solved >= set(pair)]
    return len(solved) / len(drawn) if drawn else None


def given(x: Answers, asked: int, *, is_solved: bool) -> float | None:
    """How often a problem is solved, first (0) or second (1), where the other is, or is not."""
    among = {one for one in x.schemas if x.pattern(one)[1 - asked] == is_solved}
    return ratio({one for one in among if x.pattern(one)[asked]}, among)


def by_number(x: Answers, number: int) -> float | None:
    return ratio({one for one in x.schemas if x.pattern(one)[number]}, x.schemas)


def less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def relative(loss: float | None, to: float | None) -> float | None:
    return None if loss is None or not to else loss / to


OF_ONE: dict[str, Callable[[Answers], float | None]] = {
    "problem-accuracy": accuracy,
    "schema-accuracy": schema_accuracy,
    "worst-member-accuracy": schema_accuracy,  # here the clusters are schemas
    "half-solved-share": lambda x: ratio(x.having(1), x.schemas),
    "anti-solved-share": lambda x: ratio(x.having(0), x.schemas),
    "random-pair-accuracy": random_pairs,
    "first-problem-accuracy": lambda x: by_number(x, 0),
    "second-problem-accuracy": lambda x: by_number(x, 1),
    "second-given-solved": lambda x: given(x, 1, is_solved=True),
    "second-given-failed": lambda x: given(x, 1, is_solved=False),
    "first-given-solved": lambda x: given(x, 0, is_solved=True),
    "first-given-failed": lambda x: given(x, 0, is_solved=False),
    "undecided-share": lambda x: ratio(set[Problem](), x.problems),
    "first-option-share": lambda x: ratio(x.first, x.problems),
    "female-gender-gap": lambda x: gap(x, "female"),
    "male-gender-gap": lambda x: gap(x, "male"),
    "equal-length-share": lambda x: ratio(x.marked["equal-length"], x.problems),
    "second-last-share": lambda x: ratio(x.marked["second-last"], x.problems),
}

OF_TWO: dict[str, Callable[[Answers, Answers], float | None]] = {
    "consistency": lambda x, y: ratio(alike(x, y), x.problems),
    "consistent-accuracy": lambda x, y: ratio(x.solved & y.solved, x.problems),
    "preserved-accuracy": lambda x, y: ratio(x.solved & y.solved, x.solved),
    "inversely-preserved-accuracy": lambda x, y: ratio(x.solved & y.solved, y.solved),
    "weak-schema-consistency": lambda x, y: ratio(weakly_alike(x, y), x.schemas),
    "schema-consistency": lambda x, y: ratio(equally_many(x, y), x.schemas),
    "strict-schema-consistency": lambda x, y: ratio(identical(x, y), x.schemas),
    "consistent-schema-accuracy": lambda x, y: ratio(x.having(2) & y.having(2), x.schemas),
    "preserved-schema-accuracy": lambda x, y: ratio(x.having(2) & y.having(2), x.having(2)),
    "inversely-preserved-schema-accuracy": lambda x, y: ratio(
        x.having(2) & y.having(2), y.having(2)
    ),
    "expected-strict-consistency": expected_agreement,
    "chance-corrected-consistency": corrected,
    "gained-share": lambda x, y: ratio(gained(x, y), x.schemas),
    "lost-share": lambda x, y: ratio(gained(y, x), x.schemas),
    "kept-with-other-answers": lambda x, y: ratio(equally_many(x, y) - identical(x, y), x.schemas),
    "unsettled-share": lambda x, y: ratio(set[int](), x.schemas),
    "accuracy-difference": lambda x, y: less(accuracy(y), accuracy(x)),
    "schema-accuracy-difference": lambda x, y: less(schema_accuracy(y), schema_accuracy(x)),
    "adjusted-accuracy": lambda x, y: less(accuracy(x), accuracy(y)),
    "adjusted-schema-accuracy": lambda x, y: less(schema_accuracy(x), schema_accuracy(y)),
    "relative-loss": lambda x, y: relative(less(accuracy(x), accuracy(y)), accuracy(x)),
    "relative-schema-loss": lambda x, y: relative(
        less(schema_accuracy(x), schema_accuracy(y)), schema_accuracy(x)
    ),
    "relative-gain": lambda x, y: relative(less(accuracy(x), accuracy(y)), less(1, accuracy(y))),
    "relative-schema-gain": lambda x, y: relative(
        less(schema_accuracy(x), schema_accuracy(y)), less(1, schema_accuracy(y))
    ),
    "adjusted-schema-lower-bound": lambda x, y: ratio(x.having(2) - y.having(2), x.schemas),
}
