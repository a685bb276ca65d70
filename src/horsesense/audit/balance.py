"""Balance: options, lengths, orders and answer pairs that make guessing pay off.

A schema is balanced in itself, because each of its answers is right once. Only problems without a
twin can be unbalanced, and decisions that an author makes once for a schema, such as its order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean

from horsesense.audit.findings import (
    CheckResult,
    Concern,
    EntryConcern,
    Figure,
    Weight,
    one_of_each_kind,
    posed_by_answer,
    too_few,
)
from horsesense.audit.words import first_mentioned, same_words, words
from horsesense.evaluation.inference import PosedEntry
from horsesense.metrics.statistics import LEVEL, clopper_pearson
from horsesense.schema import Dataset, Problem, Schema
from horsesense.scoring.outcome import Share

# With fewer entries that lean, not even all of them on one side are beyond chance (2 / 2 ** 6).
LEAST_LEANING = 6


def check_answer_balance(dataset: Dataset) -> CheckResult:
    """Check whether the first option, the longer answer and so on are right half the time."""
    figures: list[Figure] = []
    concerns: list[Concern] = []
    posed_entries = posed_by_answer(dataset).entries
    values_of = {
        trait: _without_none(trait.holds(posed) for posed in posed_entries) for trait in _TRAITS
    }
    tests = sum(len(values) >= LEAST_LEANING for values in values_of.values())
    for trait, values in values_of.items():
        if not values:
            figures.append(Figure(trait.name, None, total=0))
            continue
        share = Share.of(values)
        figures.append(Figure(trait.name, share.value, clopper_pearson(share), len(values)))
        if _leans(share, tests):
            text = f"{trait.name}: {_shown(share)}, where half would be chance; {trait.remedy}"
            concerns.append(Concern(Weight.LOOK, text))
    even = sum(map(_is_balanced, posed_entries))
    figures.append(Figure("entries in which each answer is right once", even))
    concerns += _leaning_answers(dataset)
    concerns += _unlabelled(dataset)
    title = "Balance of right answers by order, length and wording"
    return CheckResult("answer-balance", title, tuple(figures), tuple(concerns))


def _unlabelled(dataset: Dataset) -> Iterator[Concern]:
    """A concern about problems without a known answer, which no check can use."""
    posed = posed_by_answer(dataset)
    listed = [
        entry.id for entry in posed.entries for problem in entry.problems if problem.right is None
    ]
    if listed:
        which = "the right answer is not known"
        of = f"{len(listed)} of {len(posed.problems)} problems"
        text = f"{which} in {of}, which checks of answers therefore ignore; mark it"
        yield Concern(Weight.LOOK, text, tuple(dict.fromkeys(listed)))


def _without_none(values: Iterable[bool | None]) -> list[bool]:
    return [value for value in values if value is not None]


def _shown(share: Share) -> str:
    return f"{share.count:g} of {share.total:g}"


def _leans(share: Share, tests: int) -> bool:
    """Return whether the share differs from chance, corrected for the number of tests.

    The level of the interval makes up for their number (Bonferroni).
    """
    if share.total < LEAST_LEANING:
        return False
    interval = clopper_pearson(share, 1 - (1 - LEVEL) / tests)
    return not interval.low <= 0.5 <= interval.high


def _is_balanced(posed: PosedEntry) -> bool:
    """Return whether every answer, by its wording, is right as often as any other."""
    offered = {answer for problem in posed.problems for answer in _worded(problem)}
    rights = Counter(
        None if problem.right is None else _worded(problem)[problem.right]
        for problem in posed.problems
    )
    return rights.keys() == offered and len(set(rights.values())) == 1


def _worded(problem: Problem) -> list[str]:
    return [same_words(" … ".join(option)) for option in problem.options]


def _leaning_answers(dataset: Dataset) -> Iterator[Concern]:
    """The answers that are right more often than wrong, or the reverse, beyond chance.

    Each entry counts once, and only if the answer is not right as often as wrong in it.
    """
    leanings: dict[str, list[bool]] = {}
    entries: dict[str, list[str]] = {}
    for posed in posed_by_answer(dataset).entries:
        for answer, leaning in _answers(posed).items():
            if leaning:
                leanings.setdefault(answer, []).append(leaning > 0)
                entries.setdefault(answer, []).append(posed.id)
    tested = [answer for answer, sides in leanings.items() if len(sides) >= LEAST_LEANING]
    for answer in tested:
        share = Share.of(leanings[answer])
        if _leans(share, len(tested)):
            text = (
                f"the answer {answer!r} is right more often than wrong in {_shown(share)} entries "
                "where the two are not equal; half would be chance; use it more often the other way"
            )
            yield Concern(Weight.LOOK, text, tuple(entries[answer]))


def _answers(posed: PosedEntry) -> Counter[str]:
    """Return how much more often each answer of an entry is right than wrong."""
    leanings: Counter[str] = Counter()
    for problem in posed.problems:
        if problem.right is None or len(problem.options) != 2 or not problem.blanks:
            continue
        for number, answer in enumerate(_worded(problem)):
            leanings[answer] += 1 if number == problem.right else -1
    return leanings


def _leaning(posed: PosedEntry, holds: Callable[[Problem], bool | None]) -> bool | None:
    """Return whether it holds of more than half of the problems; None if it does of just half."""
    labelled = [problem for problem in posed.problems if problem.right is not None]
    values = _without_none(map(holds, labelled))
    surplus = 2 * sum(values) - len(values)
    return surplus > 0 if surplus else None


def _first_option(posed: PosedEntry) -> bool | None:
    return _leaning(
        posed, lambda problem: problem.right == 0 if len(problem.options) == 2 else None
    )


def _longer_answer(posed: PosedEntry) -> bool | None:
    def is_longer(problem: Problem) -> bool | None:
        lengths = [len(" ".join(option)) for option in problem.options]
        if len(lengths) != 2 or lengths[0] == lengths[1]:
            return None
        return lengths.index(max(lengths)) == problem.right

    return _leaning(posed, is_longer)


def _first_candidate(posed: PosedEntry) -> bool | None:
    def is_first(problem: Problem) -> bool | None:
        first = first_mentioned(problem) if len(problem.options) == 2 else None
        return None if first is None else first == problem.right

    return _leaning(posed, is_first) if posed.grid.is_winograd else None


def _first_key(posed: PosedEntry) -> bool | None:
    first = _first_in_schema(posed)
    return None if first is None else first == 0


def _longer_key(posed: PosedEntry) -> bool | None:
    first = _first_in_schema(posed)
    if first is None or not isinstance(posed.grid, Schema):
        return None
    lengths = [len(value[0]) for value in posed.grid.keys.values]
    return None if lengths[0] == lengths[1] else lengths.index(max(lengths)) == first


def _first_in_schema(posed: PosedEntry) -> int | None:
    """Which answer of a Winograd schema is mentioned first, whatever the key phrase."""
    if not posed.grid.is_winograd or not isinstance(posed.grid, Schema):
        return None
    firsts = {first_mentioned(problem) for problem in posed.problems}
    return firsts.pop() if len(firsts) == 1 else None


@dataclass(frozen=True, slots=True)
class _Trait:
    """A trait of an entry: true, false, or None if it does not apply."""

    name: str
    holds: Callable[[PosedEntry], bool | None]
    remedy: str


_TRAITS = (
    _Trait("first option right", _first_option, "swap the options in some entries"),
    _Trait("longer answer right", _longer_answer, "reword some answers"),
    _Trait("first-mentioned candidate right", _first_candidate, "reorder some sentences"),
    _Trait(
        "first key phrase with the first-mentioned candidate",
        _first_key,
        "swap the key phrases and the candidate numbers in some entries",
    ),
    _Trait(
        "longer key phrase with the first-mentioned candidate",
        _longer_key,
        "reword some key phrases",
    ),
)


# Ten answer pairs used equally often have a tenth each; one with more dominates.
PAIR_SHARE = Fraction(1, 10)
# In fewer schemas a tenth is a single one, and any pair that is used twice has more.
LEAST_SCHEMAS = 20
# In one order nine times of ten, the same answer nearly always goes with the first key phrase.
ONE_ORDER = Fraction(9, 10)
# Used less often, a pair is in one order by chance in more than one case of 32 (2 / 2 ** 6).
LEAST_USES = 6
# A key phrase should be short enough to see at a glance; with a sixth word it is a clause.
MOST_KEY_WORDS = 5
# A key phrase this much longer says more than the other, and has a higher cost for any model.
MOST_KEY_DIFFERENCE = 2


@dataclass(slots=True)
class _Uses:
    """The schemas that use an answer pair, and how many of them in alphabetical order."""

    pair: tuple[str, ...]
    ids: list[str]
    in_order: int = 0

    @property
    def one_order(self) -> int:
        """The number of schemas in the more frequent order."""
        return max(self.in_order, len(self.ids) - self.in_order)


def check_answer_pairs(dataset: Dataset) -> CheckResult:
    """Answer pairs of adversarial schemas that are used too often, or always in one order."""
    name, title = "answer-pairs", "How often answer pairs are used, and in which order"
    uses = _uses_of_pairs(dataset)
    total = sum(len(use.ids) for use in uses)
    if few := too_few(total, "adversarial schema", "adversarial schemas", least=LEAST_SCHEMAS):
        return CheckResult(name, title, skipped=few)
    most = max(uses, key=lambda pair_uses: len(pair_uses.ids))
    figures = (
        Figure("adversarial schemas", total),
        Figure("answer pairs", len(uses)),
        Figure("share of the most frequent pair", len(most.ids) / total, total=total),
    )
    concerns = tuple(concern for use in uses for concern in _pair_concerns(use, total))
    return CheckResult(name, title, figures, concerns)


def check_key_length(dataset: Dataset) -> CheckResult:
    """Key phrases that are long, or much longer than the other."""
    name, title = "key-length", "Length of key phrases"
    pairs = [
        (entry.id, [value[0] for value in entry.grid.keys.values])
        for entry in dataset.entries
        if isinstance(entry.grid, Schema)
    ]
    if not pairs:
        return CheckResult(name, title, skipped="no entry has key phrases")
    lengths = [len(words(phrase)) for _, phrases in pairs for phrase in phrases]
    figures = (
        Figure("words in a key phrase, on average", mean(lengths)),
        Figure("words in the longest", max(lengths)),
    )
    cases = (case for id_, phrases in pairs for case in _length_cases(id_, phrases))
    return CheckResult(name, title, figures, one_of_each_kind(cases))


def _uses_of_pairs(dataset: Dataset) -> list[_Uses]:
    """Each answer pair of adversarial schemas, whatever its order."""
    uses: dict[tuple[str, ...], _Uses] = {}
    for entry in dataset.entries:
        if not isinstance(entry.grid, Schema) or entry.grid.is_winograd:
            continue
        pair = tuple(same_words(" … ".join(value)) for value in entry.grid.answers.values)
        ordered = tuple(sorted(pair))
        pair_uses = uses.setdefault(ordered, _Uses(ordered, []))
        pair_uses.ids.append(entry.id)
        pair_uses.in_order += pair == ordered
    return list(uses.values())


def _pair_concerns(pair_uses: _Uses, total: int) -> Iterator[Concern]:
    pair, count = " / ".join(pair_uses.pair), len(pair_uses.ids)
    if count > total * PAIR_SHARE:
        text = f"the answer pair {pair!r} is in {count} of {total} schemas; a tenth is enough"
        yield Concern(Weight.LOOK, text, tuple(pair_uses.ids))
    if count >= LEAST_USES and pair_uses.one_order >= count * ONE_ORDER:
        text = (
            f"the answer pair {pair!r} is in the same order "
            f"in {pair_uses.one_order} of {count} schemas; "
            "swap key phrases and answers in half of them"
        )
        yield Concern(Weight.LOOK, text, tuple(pair_uses.ids))


def _length_cases(id_: str, phrases: Sequence[str]) -> Iterator[EntryConcern]:
    lengths = [len(words(phrase)) for phrase in phrases]
    for phrase, length in zip(phrases, lengths, strict=True):
        if length > MOST_KEY_WORDS:
            text = f"the key phrase {phrase!r} has {length} words; {MOST_KEY_WORDS} are enough"
            yield EntryConcern(Weight.LOOK, "long", text, id_, length)
    difference = max(lengths) - min(lengths)
    if difference > MOST_KEY_DIFFERENCE:
        text = (
            f"the key phrases {' / '.join(phrases)!r} differ by {difference} words; "
            "make them about equally long"
        )
        yield EntryConcern(Weight.LOOK, "uneven", text, id_, difference)
