"""Duplicates: entries, sentences, words, candidates and key pairs that are repeated.

Near-duplicates share content words. They are found without comparing everything with everything:
an index holds the rarest content words of each entry, and two entries that are alike must share
one of those (prefix filtering, Chaudhuri et al. 2006).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from horsesense.audit.findings import (
    NOT_ENGLISH,
    CheckResult,
    Concern,
    Figure,
    Weight,
    filled_sentences,
    is_english,
    posed_by_answer,
    too_few,
)
from horsesense.audit.words import (
    content_words,
    key_pair,
    parts_of,
    said_by,
    same_words,
    without_determiner,
)
from horsesense.schema import Dataset, Grid, Problem, candidates_of

# Of all content words that occur in one of two entries, half occur in both: below that, more is
# different about them than alike.
ALIKE = 0.5
# Key phrases are two of the eight or so content words of a schema. Where they are the same, a
# quarter of the others makes it that half is alike.
ALIKE_WITH_SAME_KEYS = 0.25
# Two short statements share two words easily («ice», «water») and are about different things.
LEAST_COMMON = 3
# Two words and the key phrases count like three.
LEAST_COMMON_WITH_SAME_KEYS = 2
# So many entries with one key pair are compared with all that follow. Where there are more, the
# pair is a pattern, of which repeated-keys tells; to compare all would take the square of the time.
MOST_SAME_KEYS = 100
_SHOWN_WORDS = 6

# The sentences of each problem of an entry, with the right one if it is known.
_Rights: TypeAlias = dict[frozenset[str], str | None]


@dataclass(frozen=True, slots=True)
class Likeness:
    """An entry that is like an earlier one: the share of content words that are in both.

    Key phrases do not count. They are what should differ, and often do so in a word or two.
    """

    first: str
    second: str
    share: float
    common: tuple[str, ...]
    same_keys: bool


def check_duplicates(dataset: Dataset) -> CheckResult:
    """Entries, or problems of them, that have the same sentences as others."""
    wholes: dict[frozenset[str], list[str]] = {}
    problems: dict[frozenset[str], list[str]] = {}
    rights: dict[str, _Rights] = {}
    sentences = filled_sentences(dataset)
    for posed in posed_by_answer(dataset).entries:
        wholes.setdefault(_same(sentences[posed.id]), []).append(posed.id)
        rights[posed.id] = _rights(posed.problems)
        for signature in sorted(rights[posed.id], key=sorted):
            problems.setdefault(signature, []).append(posed.id)
    groups = [tuple(ids) for ids in wholes.values() if len(ids) > 1]
    known = set(groups)
    shared = dict.fromkeys(tuple(ids) for ids in problems.values() if len(ids) > 1)
    concerns = [_same_concern(ids, [rights[id_] for id_ in ids]) for ids in groups]
    concerns += [
        Concern(Weight.FAULT, "they have the same problem; keep it in only one of them", ids)
        for ids in shared
        if ids not in known
    ]
    figure = Figure("entries that repeat another", sum(len(ids) - 1 for ids in groups))
    total = Figure("entries", len(dataset.entries))
    return CheckResult("duplicates", "Duplicate sentences", (total, figure), tuple(concerns))


def check_near_duplicates(dataset: Dataset) -> CheckResult:
    """Entries that share so many content words with an earlier one that they may be copies."""
    alike = sorted(find_alike(dataset), key=lambda likeness: likeness.share, reverse=True)
    by_first: dict[str, list[Likeness]] = {}
    for likeness in alike:
        by_first.setdefault(likeness.first, []).append(likeness)
    concerns = tuple(
        Concern(Weight.LOOK, _alike_text(some), (first, *(likeness.second for likeness in some)))
        for first, some in by_first.items()
    )
    figures = (
        Figure("entries", len(dataset.entries)),
        Figure("entries like an earlier one", len(alike)),
        Figure("greatest share of words in common", alike[0].share if alike else None),
    )
    return CheckResult("near-duplicates", "Near-duplicate entries", figures, concerns)


def find_alike(dataset: Dataset) -> Iterator[Likeness]:
    """Each entry that is like an earlier one, with the first of the likest of these.

    Those that were found to be like another are not compared with what comes later: if they
    are taken out, no two of those that stay are alike, unless more than `MOST_SAME_KEYS` of them
    have the same key phrases. Entries with the same sentences are left
    out; they are duplicates. Those that differ in nothing but their key phrases are alike, however
    few words they have.
    """
    listed, sentences = dataset.entries, filled_sentences(dataset)
    bags = [_bag(entry.grid) for entry in listed]
    frequency = Counter(word for bag in bags for word in bag)
    by_word: dict[str, list[int]] = {}
    by_keys: dict[str, list[int]] = {}
    by_frame: dict[str, int] = {}
    seen: set[frozenset[str]] = set()
    for number, (entry, bag) in enumerate(zip(listed, bags, strict=True)):
        signature = _same(sentences[entry.id])
        if signature in seen:
            continue
        seen.add(signature)
        prefix = _prefix(bag, frequency)
        keys = key_pair(entry.grid)
        near = {other for word in prefix for other in by_word.get(word, ())}
        same_keys = set(by_keys.get(keys, ()))
        frame = _frame(entry.grid)
        likest = by_frame.get(frame) if bag else None
        if likest is None:
            likest = _likest(bag, sorted(near | same_keys), same_keys, bags)
        if likest is not None:
            common = sorted(bag & bags[likest], key=lambda word: (frequency[word], word))
            share = _share_in_common(bag, bags[likest])
            yield Likeness(listed[likest].id, entry.id, share, tuple(common), likest in same_keys)
            continue
        by_frame[frame] = number
        for word in prefix:
            by_word.setdefault(word, []).append(number)
        if keys and len(by_keys.setdefault(keys, [])) < MOST_SAME_KEYS:
            by_keys[keys].append(number)


def _same(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(same_words, texts))


def _rights(problems: Iterable[Problem]) -> _Rights:
    rights = {}
    for problem in problems:
        texts = [same_words(sentence.text) for sentence in problem.sentences]
        rights[frozenset(texts)] = None if problem.right is None else texts[problem.right]
    return rights


def _same_concern(ids: tuple[str, ...], rights: Sequence[_Rights]) -> Concern:
    text = "they have the same sentences; keep one of them"
    if _contradict(rights):
        text = "they have the same sentences but different right answers; one of them is wrong"
    return Concern(Weight.FAULT, text, ids)


def _contradict(rights: Sequence[_Rights]) -> bool:
    """Return whether two entries with the same sentences have different right answers.

    Keys and answers may have changed places, so that the problems are others. Then they are
    compared as wholes, which takes two of which everything is known.
    """
    wholes = {frozenset(right.values()) for right in rights if None not in right.values()}
    known: dict[frozenset[str], set[str]] = {}
    for answers in rights:
        for signature, right in answers.items():
            if right is not None:
                known.setdefault(signature, set()).add(right)
    return len(wholes) > 1 or any(len(labels) > 1 for labels in known.values())


def _bag(grid: Grid) -> frozenset[str]:
    texts = (said_by(part, keys=False) for part in parts_of(grid))
    return frozenset(word for text in texts for word in content_words(text))


def _frame(grid: Grid) -> str:
    """All that an entry says besides its key phrases, word for word."""
    return "\n".join(same_words(said_by(part, keys=False)) for part in parts_of(grid))


def _prefix(bag: frozenset[str], frequency: Counter[str]) -> Sequence[str]:
    """The rarest words of an entry: enough that the others alone cannot make a match.

    A likeness of `ALIKE` takes at least that share of these words, rounded up; so one of the
    shared words is among all but one fewer than so many.
    """
    rarest = sorted(bag, key=lambda word: (frequency[word], word))
    least = max(ceil(ALIKE * len(bag)), LEAST_COMMON)
    return rarest[: max(0, len(bag) - least + 1)]


def _likest(
    bag: frozenset[str],
    others: Sequence[int],
    same_keys: set[int],
    bags: Sequence[frozenset[str]],
) -> int | None:
    """The entry that is most like it, if any is."""
    best, greatest = None, 0.0
    for other in others:
        share = _share_in_common(bag, bags[other])
        is_same = other in same_keys
        least = ALIKE_WITH_SAME_KEYS if is_same else ALIKE
        least_common = LEAST_COMMON_WITH_SAME_KEYS if is_same else LEAST_COMMON
        is_alike = share >= least and len(bag & bags[other]) >= least_common
        if is_alike and share > greatest:
            best, greatest = other, share
    return best


def _share_in_common(bag: frozenset[str], other: frozenset[str]) -> float:
    """The share of all words of the two that both have (Jaccard)."""
    common = len(bag & other)
    return common / (len(bag) + len(other) - common) if common else 0.0


def _alike_text(some: Sequence[Likeness]) -> str:
    """The text of a concern about an entry and those like it, the most similar first."""
    closest = some[0]
    common = ", ".join(closest.common[:_SHOWN_WORDS])
    more = ", …" if len(closest.common) > _SHOWN_WORDS else ""
    keys = "the same key phrases and " if any(likeness.same_keys for likeness in some) else ""
    which = "other content words" if keys else "content words besides key phrases"
    share = f"{closest.share:.0%}" if len(some) == 1 else f"up to {closest.share:.0%}"
    who = "they share" if len(some) == 1 else f"{len(some)} entries share with the first"
    return f"{who} {keys}{share} of the {which} ({common}{more}); reword, or keep one"


# With a content word in a tenth of all entries, the dataset measures knowledge of that subject.
WORD_SHARE = Fraction(1, 10)
# A candidate is one of two nouns on which a sentence turns, where a word is one of eight or so.
CANDIDATE_SHARE = Fraction(1, 20)
# Two uses of a word or a name are not many, however small the dataset.
LEAST_USES = 3
# In fewer entries any word that is used three times exceeds the shares.
LEAST_ENTRIES = 20

Uses = dict[str, list[str]]


def check_words(dataset: Dataset) -> CheckResult:
    """Content words that occur in many entries, and how varied the words are."""
    name, title = "repeated-words", "Overused words"
    if few := too_few(len(dataset.entries), "entry", "entries", least=LEAST_ENTRIES):
        return CheckResult(name, title, skipped=few)
    if not is_english(dataset):
        return CheckResult(name, title, skipped=NOT_ENGLISH)
    uses: Uses = {}
    tokens = 0
    for entry in dataset.entries:
        all_words = [
            word
            for part in parts_of(entry.grid)
            for word in content_words(said_by(part, answers=False))
        ]
        tokens += len(all_words)
        _note(uses, all_words, entry.id)
    total = len(dataset.entries)
    figures = (
        Figure("content words", tokens),
        Figure("different content words", len(uses)),
        Figure("type-token ratio of content words", len(uses) / tokens if tokens else None),
        Figure("uses of the most frequent", max(map(len, uses.values()), default=0), total=total),
    )
    concerns = _frequent(uses, total, WORD_SHARE, "the word {} is in {} of {} entries")
    return CheckResult(name, title, figures, concerns)


def check_candidates_repeated(dataset: Dataset) -> CheckResult:
    """Nouns and names that are a candidate in many Winograd schemas."""
    name, title = "repeated-candidates", "Overused candidates"
    uses: Uses = {}
    total = 0
    for entry in dataset.entries:
        phrases = _candidates(entry.grid)
        total += bool(phrases)
        _note(uses, phrases, entry.id)
    marked = "with marked candidates"
    if few := too_few(total, f"entry {marked}", f"entries {marked}", least=LEAST_ENTRIES):
        return CheckResult(name, title, skipped=few)
    figures = (
        Figure("different candidates", len(uses)),
        Figure("candidates used more than once", sum(len(ids) > 1 for ids in uses.values())),
        Figure("uses of the most frequent", max(map(len, uses.values())), total=total),
    )
    template = "the candidate {} is in {} of {} entries"
    return CheckResult(name, title, figures, _frequent(uses, total, CANDIDATE_SHARE, template))


def check_keys_repeated(dataset: Dataset) -> CheckResult:
    """Key pairs that are used more than once, in whatever order."""
    name, title = "repeated-keys", "Repeated key phrases"
    uses: Uses = {}
    for entry in dataset.entries:
        if keys := key_pair(entry.grid):
            _note(uses, [keys], entry.id)
    if not uses:
        return CheckResult(name, title, skipped="no entry has key phrases")
    again = {pair: ids for pair, ids in uses.items() if len(ids) > 1}
    figures = (
        Figure("different key pairs", len(uses)),
        Figure("key pairs used more than once", len(again)),
    )
    return CheckResult(name, title, figures, (_repeated(again),) if again else ())


def _repeated(again: Mapping[str, list[str]]) -> Concern:
    """Concerns about key pairs that are used again, the most frequent first."""
    pairs = sorted(again, key=lambda pair: -len(again[pair]))
    text = f"the key phrases {pairs[0]!r} are used {len(again[pairs[0]])} times; once is enough"
    if len(pairs) > 1:
        text = f"{len(pairs)} key pairs are used more than once, the worst: {text}"
    return Concern(Weight.LOOK, text, tuple(id_ for pair in pairs for id_ in again[pair]))


def _note(uses: Uses, words: Iterable[str], entry: str) -> None:
    """Note each of the words once for an entry."""
    for word in dict.fromkeys(words):
        uses.setdefault(word, []).append(entry)


def _frequent(
    uses: Mapping[str, list[str]], total: int, share: Fraction, template: str
) -> tuple[Concern, ...]:
    """The words with more than that share of the entries, the most frequent first."""
    often = [
        (word, ids)
        for word, ids in uses.items()
        if len(ids) >= LEAST_USES and len(ids) > total * share
    ]
    often.sort(key=lambda item: (-len(item[1]), item[0]))
    return tuple(
        Concern(
            Weight.LOOK,
            f"{template.format(repr(word), len(ids), total)}; use others in some",
            tuple(ids),
        )
        for word, ids in often
    )


def _candidates(grid: Grid) -> list[str]:
    return [
        without_determiner(candidate.text)
        for part in parts_of(grid)
        for candidate in candidates_of(part.frame)
    ]
