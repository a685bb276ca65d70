"""The phrases that vary: how often an answer pair is used and in which order, how long keys are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean

from horsesense.audit.checked import (
    Case,
    Checked,
    Concern,
    Figure,
    Weight,
    one_of_each_kind,
    too_few,
)
from horsesense.audit.subject import Subject
from horsesense.audit.words import same_words, words
from horsesense.schema import Schema

# Where ten answer pairs have their turns, each has a tenth; what has more sets the tone.
PAIR_SHARE = Fraction(1, 10)
# In fewer schemas a tenth is a single one, and any pair that is used twice has more.
LEAST_SCHEMAS = 20
# A pair that stands in one order nine times of ten goes with the first key phrase so often.
ONE_ORDER = Fraction(9, 10)
# Used less often, a pair stands in one order by chance in more than one case of 32 (2 / 2 ** 6).
LEAST_USES = 6
# What decides is to be seen at a glance; a sixth word makes it a clause of its own.
MOST_KEY_WORDS = 5
# So much longer, one key phrase says more than the other, and is dearer to any model.
MOST_KEY_DIFFERENCE = 2


@dataclass(slots=True)
class _Uses:
    """The schemas that use an answer pair, and how many of them in alphabetical order."""

    pair: tuple[str, ...]
    ids: list[str]
    in_order: int = 0

    @property
    def one_order(self) -> int:
        """How many stand in the more frequent order."""
        return max(self.in_order, len(self.ids) - self.in_order)


def check_answer_pairs(subject: Subject) -> Checked:
    """Answer pairs of adversarial schemas that are used too often, or always in one order."""
    name, title = "answer-pairs", "How often answer pairs are used, and in which order"
    uses = _uses_of_pairs(subject)
    total = sum(len(one.ids) for one in uses)
    if few := too_few(total, "adversarial schema", "adversarial schemas", least=LEAST_SCHEMAS):
        return Checked(name, title, skipped=few)
    most = max(uses, key=lambda one: len(one.ids))
    figures = (
        Figure("adversarial schemas", total),
        Figure("answer pairs", len(uses)),
        Figure("share of the most frequent pair", len(most.ids) / total, total=total),
    )
    concerns = tuple(concern for one in uses for concern in _pair_concerns(one, total))
    return Checked(name, title, figures, concerns)


def check_key_length(subject: Subject) -> Checked:
    """Key phrases that are long, or much longer than the other."""
    name, title = "key-length", "The length of key phrases"
    pairs = [
        (entry.id, [value[0] for value in entry.grid.keys.values])
        for entry in subject.entries
        if isinstance(entry.grid, Schema)
    ]
    if not pairs:
        return Checked(name, title, skipped="no entry has key phrases")
    lengths = [len(words(phrase)) for _, phrases in pairs for phrase in phrases]
    figures = (
        Figure("words in a key phrase, on average", mean(lengths)),
        Figure("words in the longest", max(lengths)),
    )
    cases = (one for id_, phrases in pairs for one in _length_cases(id_, phrases))
    return Checked(name, title, figures, one_of_each_kind(cases))


def _uses_of_pairs(subject: Subject) -> list[_Uses]:
    """Each answer pair of adversarial schemas, whatever its order."""
    uses: dict[tuple[str, ...], _Uses] = {}
    for entry in subject.entries:
        if not isinstance(entry.grid, Schema) or entry.grid.is_winograd:
            continue
        pair = tuple(same_words(" … ".join(value)) for value in entry.grid.answers.values)
        ordered = tuple(sorted(pair))
        one = uses.setdefault(ordered, _Uses(ordered, []))
        one.ids.append(entry.id)
        one.in_order += pair == ordered
    return list(uses.values())


def _pair_concerns(one: _Uses, total: int) -> Iterator[Concern]:
    shown, count = " / ".join(one.pair), len(one.ids)
    if count > total * PAIR_SHARE:
        text = f"the answer pair {shown!r} is in {count} of {total} schemas; a tenth is enough"
        yield Concern(Weight.LOOK, text, tuple(one.ids))
    if count >= LEAST_USES and one.one_order >= count * ONE_ORDER:
        text = (
            f"the answer pair {shown!r} stands in one order in {one.one_order} of {count} schemas; "
            "exchange key phrases and answers in half of them"
        )
        yield Concern(Weight.LOOK, text, tuple(one.ids))


def _length_cases(id_: str, phrases: Sequence[str]) -> Iterator[Case]:
    lengths = [len(words(phrase)) for phrase in phrases]
    for phrase, length in zip(phrases, lengths, strict=True):
        if length > MOST_KEY_WORDS:
            text = f"the key phrase {phrase!r} has {length} words; {MOST_KEY_WORDS} are enough"
            yield Case(Weight.LOOK, "long", text, id_, length)
    difference = max(lengths) - min(lengths)
    if difference > MOST_KEY_DIFFERENCE:
        text = (
            f"the key phrases {' / '.join(phrases)!r} differ by {difference} words; "
            "make them of about one length"
        )
        yield Case(Weight.LOOK, "uneven", text, id_, difference)
