"""The Winograd Schema Challenge and the Pronoun Disambiguation Problems in the XML of Davis.

The WSC has 273 or 285 problems. Twins are neighbours and are not marked; 253 to 255 are three.
The published labels of Trichelair et al. (associative, switchable) can be joined by index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from horsesense.datasets.importers.format import REPAIRS as FIT_REPAIRS
from horsesense.datasets.importers.format import Companions, Format, ImportRecipe, fitted
from horsesense.datasets.importers.formats.trichelair import add_labels, labels_by_index
from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.importers.recipes import wsc266
from horsesense.datasets.importers.safe_xml import Element, parse_xml
from horsesense.datasets.importers.source import BadRow, SourceFile
from horsesense.datasets.recovery import NEIGHBOURS, SINGLES, Journal, RawEntry, RawProblem, trimmed

PUNCTUATION = "punctuation-after-pronoun"
MIXED_ENCODING = "utf-8-in-latin-1"
LABEL_STOP = "label-with-full-stop"
NO_FULL_STOP = "no-full-stop"

REPAIRS = {
    **FIT_REPAIRS,
    MIXED_ENCODING: "a no-break space that was decoded as two Latin-1 characters becomes a space",
}
ISSUES = {
    PUNCTUATION: "no space is put between the pronoun and the punctuation mark after it",
    LABEL_STOP: "the letter of the right answer is followed by a full stop",
    NO_FULL_STOP: "the text does not end as a sentence does",
}
_LETTERS = "ABCDEFGH"
_ENDS = (".", "!", "?", "…", '"', "”", "'")


def problems_of(file: SourceFile, journal: Journal) -> Iterator[tuple[Element, RawProblem]]:
    """The problems of a file, numbered from 1 as its authors' readers do, with their elements."""
    root = parse_xml(file.name, file.data)
    for number, element in enumerate(root.all("schema"), start=1):
        try:
            yield element, _SchemaElement(element, str(number), journal).raw_problem()
        except BadRow as error:
            journal.fault("bad-row", element.line, str(number), str(error))


class _SchemaElement:
    """One `schema` element, which holds one problem."""

    def __init__(self, element: Element, name: str, journal: Journal) -> None:
        self.element, self.name, self.journal = element, name, journal
        self.steps: set[str] = set()

    def raw_problem(self) -> RawProblem:
        before, pronoun, after = (self._text("text", tag) for tag in ("txt1", "pron", "txt2"))
        if not pronoun:
            raise BadRow("no pronoun")
        answers = self.element.child("answers")
        options = [self._clean(answer.text) for answer in answers.all("answer")] if answers else []
        if len(options) < 2 or not all(options):
            raise BadRow(f"{len(options)} answers where two or more are expected")
        label = self._label(len(options))
        for step in sorted(self.steps):
            self._step(step, "", "cleaned")
        lead = f"{before} " if before else ""
        tail = after if self._closes_up(after) else f" {after}"
        if not tail.endswith(_ENDS):
            self.journal.oddity(NO_FULL_STOP, self.element.line, self.name, repr(tail[-20:]))
        texts = (lead, tail if after else "")
        phrases = tuple((option,) for option in options)
        raw_problem = RawProblem(self.name, self.element.line, texts, phrases, label, pronoun)
        return fitted(raw_problem, self.journal)

    def _text(self, *path: str) -> str:
        child = self.element.child(*path)
        if child is None:
            raise BadRow(f"no element {'/'.join(path)}")
        if child.children:
            raise BadRow(f"an element <{child.children[0].tag}> inside the text")
        return self._clean(child.text)

    def _clean(self, text: str) -> str:
        if "Â\xa0" in text and self._repair(
            MIXED_ENCODING, "'Â' before a no-break space", "a space"
        ):
            text = text.replace("Â\xa0", " ")
        return trimmed(text, self.steps.add)

    def _label(self, options: int) -> int:
        child = self.element.child("correctAnswer")
        letter = self._clean(child.text) if child else ""
        if letter.endswith("."):
            self._step(LABEL_STOP, repr(letter), "read as the letter")
            letter = letter[:-1].rstrip()
        if len(letter) != 1 or letter not in _LETTERS[:options]:
            raise BadRow(f"the label {letter!r} is not one of {', '.join(_LETTERS[:options])}")
        return _LETTERS.index(letter)

    def _closes_up(self, after: str) -> bool:
        """Return whether punctuation follows the pronoun, which takes no space before it."""
        if after[:1].isalnum() or after[:1] in "\"“'‘($" or not after:
            return False
        self._step(PUNCTUATION, repr(after[:1]), "placed right after the answer")
        return True

    def _repair(self, name: str, odd: str, done: str) -> bool:
        return self.journal.repair(name, self.element.line, self.name, odd, done)

    def _step(self, name: str, odd: str, done: str) -> None:
        self.journal.step(name, self.element.line, self.name, odd, done)


def holds(tag: str) -> Callable[[SourceFile], bool]:
    """A look at a file: is it such a collection, with that element in it?"""

    def looks_like(file: SourceFile) -> bool:
        return "<collection" in file.head and f"<{tag}>" in file.head

    return looks_like


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    return (_group(element, raw_problem) for element, raw_problem in problems_of(file, journal))


def _group(element: Element, raw_problem: RawProblem) -> RawEntry:
    extras = {}
    subjects = element.child("humanSubjects")
    if subjects and (comment := trimmed(subjects.text, lambda step: None)):
        extras["x-human-subjects"] = comment
    tags = ("same-text",) if element.child("sameText") else ()
    return RawEntry(raw_problem.name, [raw_problem], tags=tags, extras=extras)


FORMAT_PDP = Format(
    name="pdp-xml",
    title="the Pronoun Disambiguation Problems in XML",
    looks_like=holds("humanSubjects"),
    read=_read,
    twins=SINGLES,
    repairs=REPAIRS,
    issues=ISSUES,
)


_looks_like_any = holds("schema")
_looks_like_pdp = holds("humanSubjects")


def _looks_like(file: SourceFile) -> bool:
    return _looks_like_any(file) and not _looks_like_pdp(file)


def _read_wsc_xml(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    raw_problems = [raw_problem for _, raw_problem in problems_of(file, journal)]
    groups = list(twins_of_neighbours(raw_problems))
    for group in groups:
        first, last = group.problems[0].name, group.problems[-1].name
        group.id = first if first == last else f"{first}-{last}"
    for labels in companions:
        _flag(groups, labels, journal)
    return groups


def _flag(groups: Iterable[RawEntry], labels: SourceFile, journal: Journal) -> None:
    """Give each schema the labels of its problems."""
    by_index = labels_by_index(labels, journal)
    for group in groups:
        for raw_problem in group.problems:
            add_labels(group, raw_problem.name, by_index.get(int(raw_problem.name) - 1, {}))


def _read_wsc266(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    raw_problems = [raw_problem for _, raw_problem in problems_of(file, journal)]
    return wsc266.groups_of(raw_problems, journal)


FORMAT_WSC = Format(
    name="wsc-xml",
    title="the Winograd Schema Challenge in XML",
    looks_like=_looks_like,
    read=_read_wsc_xml,
    twins=NEIGHBOURS,
    repairs=REPAIRS,
    issues={**ISSUES, **wsc266.ISSUES},
    companions="the associative or switchable labels of Trichelair et al., joined by index",
    contiguous=True,
    recipes={wsc266.NAME: ImportRecipe(wsc266.TITLE, _read_wsc266, wsc266.REPAIRS)},
)
