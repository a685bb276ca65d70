"""Words, names and key phrases that come again and again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from horsesense.audit.checked import Checked, Concern, Figure, Weight, too_few
from horsesense.audit.subject import NOT_ENGLISH, Subject
from horsesense.audit.words import content_words, key_pair, parts_of, said_by, without_determiner
from horsesense.schema import Grid, candidates_of

# A content word in a tenth of all entries is a subject that comes back all the time: what is
# measured then is whether a model knows about that.
WORD_SHARE = Fraction(1, 10)
# A candidate is one of two nouns on which a sentence turns, where a word is one of eight or so.
CANDIDATE_SHARE = Fraction(1, 20)
# Used twice, a word or a name has not come again and again, however small the dataset.
LEAST_USES = 3
# In fewer entries any word that is used three times exceeds the shares.
LEAST_ENTRIES = 20

Uses = dict[str, list[str]]


def check_words(subject: Subject) -> Checked:
    """Content words that occur in many entries, and how varied the words are."""
    name, title = "repeated-words", "Words that come again and again"
    if few := too_few(len(subject.entries), "entry", "entries", least=LEAST_ENTRIES):
        return Checked(name, title, skipped=few)
    if not subject.is_english:
        return Checked(name, title, skipped=NOT_ENGLISH)
    uses: Uses = {}
    tokens = 0
    for entry in subject.entries:
        found = [
            word
            for part in parts_of(entry.grid)
            for word in content_words(said_by(part, answers=False))
        ]
        tokens += len(found)
        _note(uses, found, entry.id)
    total = len(subject.entries)
    figures = (
        Figure("content words", tokens),
        Figure("different content words", len(uses)),
        Figure("type-token ratio of content words", len(uses) / tokens if tokens else None),
        Figure("uses of the most frequent", max(map(len, uses.values()), default=0), total=total),
    )
    concerns = _frequent(uses, total, WORD_SHARE, "the word {} is in {} of {} entries")
    return Checked(name, title, figures, concerns)


def check_candidates_repeated(subject: Subject) -> Checked:
    """Nouns and names that are a candidate in many Winograd schemas."""
    name, title = "repeated-candidates", "Candidates that come again and again"
    uses: Uses = {}
    total = 0
    for entry in subject.entries:
        found = _candidates(entry.grid)
        total += bool(found)
        _note(uses, found, entry.id)
    marked = "with marked candidates"
    if few := too_few(total, f"entry {marked}", f"entries {marked}", least=LEAST_ENTRIES):
        return Checked(name, title, skipped=few)
    figures = (
        Figure("different candidates", len(uses)),
        Figure("candidates used more than once", sum(len(ids) > 1 for ids in uses.values())),
        Figure("uses of the most frequent", max(map(len, uses.values())), total=total),
    )
    said = "the candidate {} is in {} of {} entries"
    return Checked(name, title, figures, _frequent(uses, total, CANDIDATE_SHARE, said))


def check_keys_repeated(subject: Subject) -> Checked:
    """Key pairs that are used more than once, in whatever order."""
    name, title = "repeated-keys", "Key phrases used twice"
    uses: Uses = {}
    for entry in subject.entries:
        if keys := key_pair(entry.grid):
            _note(uses, [keys], entry.id)
    if not uses:
        return Checked(name, title, skipped="no entry has key phrases")
    again = {pair: ids for pair, ids in uses.items() if len(ids) > 1}
    figures = (
        Figure("different key pairs", len(uses)),
        Figure("key pairs used more than once", len(again)),
    )
    return Checked(name, title, figures, (_repeated(again),) if again else ())


def _repeated(again: Mapping[str, list[str]]) -> Concern:
    """What is said of key pairs that are used again, the most frequent first."""
    pairs = sorted(again, key=lambda pair: -len(again[pair]))
    text = f"the key phrases {pairs[0]!r} are used {len(again[pairs[0]])} times; once is enough"
    if len(pairs) > 1:
        text = f"{len(pairs)} key pairs are used more than once, the worst: {text}"
    return Concern(Weight.LOOK, text, tuple(id_ for pair in pairs for id_ in again[pair]))


def _note(uses: Uses, found: Iterable[str], entry: str) -> None:
    """Note each of the words once for an entry."""
    for word in dict.fromkeys(found):
        uses.setdefault(word, []).append(entry)


def _frequent(
    uses: Mapping[str, list[str]], total: int, share: Fraction, said: str
) -> tuple[Concern, ...]:
    """The words with more than that share of the entries, the most frequent first."""
    often = [
        (word, ids)
        for word, ids in uses.items()
        if len(ids) >= LEAST_USES and len(ids) > total * share
    ]
    often.sort(key=lambda one: (-len(one[1]), one[0]))
    return tuple(
        Concern(
            Weight.LOOK,
            f"{said.format(repr(word), len(ids), total)}; use others in some",
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
