"""The shape of a dataset: kinds, tags, position of blanks, connectives and readability.

Readability is measured by the formulas of Flesch and Kincaid, which count words and syllables and
ignore meaning. For a single sentence they show little more than long words or many of them, so
their results are only something to look at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean

from horsesense.audit.findings import (
    NO_WINOGRAD,
    NOT_ENGLISH,
    CheckResult,
    Concern,
    EntryConcern,
    Figure,
    Weight,
    filled_sentences,
    is_english,
    one_of_each_kind,
    posed_by_answer,
    too_few,
    winograd_schemas,
)
from horsesense.audit.words import parts_of, said_by, words
from horsesense.evaluation.inference import PosedEntry
from horsesense.metrics.statistics import wilson
from horsesense.schema import (
    AxisName,
    Dataset,
    Entry,
    Mode,
    Problem,
    all_tags,
    ends_sentence,
    fields_of_tags,
    is_several_sentences,
    own_tags,
    problems,
)
from horsesense.scoring.outcome import Share

# If the position of the blank does not matter, each third of the words has about a third of them;
# with two thirds in one, a method that reads only the text after the blank is tested on one kind.
THIRD_SHARE = Fraction(2, 3)
# With one connective in a third of all schemas, many of them have the same plot.
CONNECTIVE_SHARE = Fraction(1, 3)
# In fewer schemas, two thirds of the blanks are in one third by chance in one case of twenty.
LEAST_SCHEMAS = 10
# A tag on more than half of the entries makes the dataset one about that, and the rest an aside.
TAG_SHARE = Fraction(1, 2)
# In a smaller dataset most tags are rare.
LEAST_ENTRIES = 20
# «difficulty:3» is a property, of which each value has as many entries as it has.
_PROPERTY = ":"
THIRDS = ("early", "middle", "late")
_PLACES = ("in the first third", "in the middle third", "in the last third")
# Words that join clauses and say how. «And», «as», «that» and «which» do many other things too.
CONNECTIVES = tuple(
    str.split(
        "because since so therefore but although though yet however when whenever while after "
        "before until till once unless if whereas instead"
    )
)


def check_blank_position(dataset: Dataset) -> CheckResult:
    """Count in which third of the words the blanks of Winograd schemas are."""
    name, title = "blank-position", "Position of the blank"
    winograd = _winograd(dataset)
    if reason := _why_skipped(winograd):
        return CheckResult(name, title, skipped=reason)
    counts = Counter(third_of_blank(posed.problems[0]) for posed in winograd)
    total = len(winograd)
    concerns = tuple(
        Concern(
            Weight.LOOK,
            f"the blank is {_PLACES[third]} in {counts[third]} of {total} Winograd schemas; "
            "move it in some",
        )
        for third in range(3)
        if counts[third] > total * THIRD_SHARE
    )
    figures = [_share(f"blank {THIRDS[third]}", counts[third], total) for third in range(3)]
    return CheckResult(name, title, tuple(figures), concerns)


def check_connectives(dataset: Dataset) -> CheckResult:
    """Count the connectives of Winograd schemas, and those with two sentences."""
    name, title = "connectives", "Connectives between clauses"
    winograd = _winograd(dataset)
    if reason := _why_skipped(winograd):
        return CheckResult(name, title, skipped=reason)
    total = len(winograd)
    connectives = [set(connectives_of(posed.entry)) for posed in winograd]
    counts = Counter(word for joining in connectives for word in joining)
    several = sum(is_several_sentences(_first_text(posed)) for posed in winograd)
    figures = [_share("two sentences or more", several, total)]
    figures.append(_share("no connective", sum(not joining for joining in connectives), total))
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    figures += [_share(word, counts[word], total) for word in ordered]
    concerns = tuple(
        Concern(
            Weight.LOOK,
            f"{word!r} is in {counts[word]} of {total} Winograd schemas; reword some",
            tuple(
                posed.id
                for posed, joining in zip(winograd, connectives, strict=True)
                if word in joining
            ),
        )
        for word in ordered
        if counts[word] > total * CONNECTIVE_SHARE
    )
    return CheckResult(name, title, tuple(figures), concerns)


def check_kinds_and_tags(dataset: Dataset) -> CheckResult:
    """Count the kinds of entries, and how evenly tags are spread over them."""
    name, title = "kinds-and-tags", "Kinds and tags"
    total = len(dataset.entries)
    if not total:
        return CheckResult(name, title, skipped="the dataset is empty")
    kinds = Counter(_kind(entry) for entry in dataset.entries)
    tags = Counter(tag for entry in dataset.entries for tag in entry.tags)
    single = Counter(tag for entry in dataset.entries for tag in _tags_of_single_problems(entry))
    used = Counter(tag for entry in dataset.entries for tag in all_tags(entry))
    figures = [Figure(kind, count, total=total) for kind, count in sorted(kinds.items())]
    untagged = sum(not all_tags(entry) for entry in dataset.entries)
    figures.append(Figure("entries without a tag", untagged, total=total))
    figures += [Figure(f"tag {tag}", tags[tag], total=total) for tag in _by_count(tags)]
    problem_count = sum(len(problems(entry.grid)) for entry in dataset.entries) if single else 0
    figures += [
        Figure(f"tag {tag}, of single problems", single[tag], total=problem_count)
        for tag in _by_count(single)
    ]
    topics = {tag: used[tag] for tag in _by_count(used) if _PROPERTY not in tag}
    return CheckResult(name, title, tuple(figures), _tag_concerns(dataset, topics))


def third_of_blank(problem: Problem) -> int:
    """Return in which third of the words the first blank is: 0, 1 or 2."""
    statement = problem.statement
    blank = statement.spans_of(AxisName.ANSWER)[0]
    before = len(words(statement.text[: blank.start]))
    after = len(words(statement.text[blank.end :]))
    return 3 * before // (before + 1 + after)


def connectives_of(entry: Entry) -> Sequence[str]:
    """The connectives in the text of an entry, key phrases included, in the order of the list."""
    text = " … ".join(said_by(part) for part in parts_of(entry.grid))
    present = set(words(text))
    return [word for word in CONNECTIVES if word in present]


def _winograd(dataset: Dataset) -> list[PosedEntry]:
    ids = {entry.id for entry in winograd_schemas(dataset)}
    return [posed for posed in posed_by_answer(dataset).entries if posed.id in ids]


def _why_skipped(winograd: Sequence[object]) -> str:
    few = too_few(len(winograd), "Winograd schema", "Winograd schemas", least=LEAST_SCHEMAS)
    return few if winograd else NO_WINOGRAD


def _first_text(posed: PosedEntry) -> str:
    return posed.problems[0].sentences[0].text


def _share(name: str, count: int, total: int) -> Figure:
    share = Share(count, total)
    return Figure(name, share.value, wilson(share), total)


def _by_count(tags: Counter[str]) -> list[str]:
    """The tags, the most frequent first."""
    return sorted(tags, key=lambda tag: (-tags[tag], tag))


def _tags_of_single_problems(entry: Entry) -> Iterator[str]:
    """The tags that hold for a problem and not for its entry, once for each such problem."""
    if fields_of_tags(entry):
        for tags in own_tags(entry, entry.grid, Mode.BY_ANSWER):
            yield from (tag for tag in tags if tag not in entry.tags)


def _kind(entry: Entry) -> str:
    kind = f"dyad of a {entry.grid.kind}" if entry.grid.is_dyad else str(entry.grid.kind)
    return f"{kind}, Winograd" if entry.grid.is_winograd else kind


def _tag_concerns(dataset: Dataset, topics: Mapping[str, int]) -> tuple[Concern, ...]:
    """Return concerns about tags that are on most entries or on a single one."""
    total = len(dataset.entries)
    if total < LEAST_ENTRIES:
        return ()
    often = [
        Concern(
            Weight.LOOK,
            f"the tag {tag!r} is on {count} of {total} entries; add more with other tags",
        )
        for tag, count in topics.items()
        if total * TAG_SHARE < count < total  # what all have tells no subset apart
    ]
    once = [
        EntryConcern(
            Weight.LOOK,
            "used once",
            f"the tag {tag!r} is used once; it may be misspelt, and one entry is no subset",
            next(entry.id for entry in dataset.entries if tag in all_tags(entry)),
        )
        for tag, count in topics.items()
        if count == 1
    ]
    return (*often, *one_of_each_kind(once))


# The problems test common sense, not skill in reading. Grade 9, the age of fourteen, is where
# «plain English» ends for Flesch; whoever judges or answers the sentences reads that at once.
MOST_GRADE = 9.0
_VOWELS = re.compile(r"[aeiouyäöüéèêëáàâíîïóôúûæø]+")
# Endings that are written with a vowel and spoken without.
_SILENT = re.compile(
    r"(?<![aeiouyl])e$|(?<=[aeiouy]l)e$|(?<=[^aeioutdy])ed$|(?<=[^aeiouscxzgy])es$"
)
_INNER_END = re.compile(r"[.?!…][\"'”’)]*\s+")


@dataclass(frozen=True, slots=True)
class Readability:
    """The counts of sentences, words and syllables in a text."""

    words: int
    sentences: int
    syllables: int

    @property
    def reading_ease(self) -> float:
        """Flesch's reading ease (1948): 100 is very easy, 0 very hard."""
        return 206.835 - 1.015 * self._length - 84.6 * self._weight

    @property
    def grade(self) -> float:
        """Flesch and Kincaid's grade (1975): the years of school a reader needs.

        >>> round(Readability(words=10, sentences=1, syllables=15).grade, 2)
        6.01
        """
        return 0.39 * self._length + 11.8 * self._weight - 15.59

    @property
    def _length(self) -> float:
        return self.words / self.sentences

    @property
    def _weight(self) -> float:
        return self.syllables / self.words


def check_readability(dataset: Dataset) -> CheckResult:
    """The length of the sentences, and those that are hard to read."""
    name, title = "readability", "Length and readability"
    sentences = filled_sentences(dataset)
    hardest = [(entry.id, _hardest(entry, sentences[entry.id])) for entry in dataset]
    read = [(id_, text) for id_, text in hardest if text is not None]
    if not read:
        return CheckResult(name, title, skipped="there are no words to count")
    if not is_english(dataset):
        return CheckResult(name, title, skipped=NOT_ENGLISH)
    cases = (
        EntryConcern(
            Weight.LOOK,
            "hard",
            f"its reading grade is {text.grade:.1f}, above {MOST_GRADE:g}; use shorter "
            "words or sentences",
            id_,
            text.grade,
        )
        for id_, text in read
        if text.grade > MOST_GRADE
    )
    all_read = [text for _, text in read]
    figures = (
        Figure("words, on average", mean(text.words for text in all_read)),
        Figure("words, at most", max(text.words for text in all_read)),
        Figure("Flesch reading ease, on average", mean(text.reading_ease for text in all_read)),
        Figure("Flesch–Kincaid grade, on average", mean(text.grade for text in all_read)),
        Figure("Flesch–Kincaid grade, at most", max(text.grade for text in all_read)),
    )
    return CheckResult(name, title, figures, one_of_each_kind(cases))


def readability(text: str) -> Readability | None:
    """Count the sentences, words and syllables of a text; None if it has no words.

    >>> readability("The jug fell. Nobody was surprised.")
    Readability(words=6, sentences=2, syllables=9)
    """
    spoken = words(text)
    if not spoken:
        return None
    inner = sum(ends_sentence(text[: end.end()]) for end in _INNER_END.finditer(text.strip()))
    return Readability(len(spoken), inner + 1, sum(map(syllables, spoken)))


def syllables(word: str) -> int:
    """The number of syllables of a word, estimated by its groups of vowels.

    >>> [syllables(word) for word in ("owl", "table", "made", "jumped", "waited", "surprise")]
    [1, 2, 1, 1, 2, 2]
    """
    bare = word.lower().partition("'")[0]
    return max(1, len(_VOWELS.findall(_SILENT.sub("", bare))))


def _hardest(entry: Entry, texts: Sequence[str]) -> Readability | None:
    """Return the highest grade of the sentences known to make sense, or else of all."""
    cells = zip(entry.grid.cells, texts, strict=True)
    sensible = [text for cell, text in cells if entry.grid.is_sensible(cell)]
    known = [text for text in map(readability, sensible or texts) if text is not None]
    return max(known, key=lambda text: text.grade, default=None)
