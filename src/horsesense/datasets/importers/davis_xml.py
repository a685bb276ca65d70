"""A problem of the XML files that Davis keeps: the WSC collection, and the PDP challenge.

The text comes in three pieces around the pronoun, with white space as it happened to be typed,
and with answers that have not been fitted to the pronoun's place. What has to be done to make
sentences of them is named and counted (thesis, Table 3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from horsesense.datasets.importers import fitting
from horsesense.datasets.importers.fitting import fitted
from horsesense.datasets.importers.safe_xml import Element, parse_xml
from horsesense.datasets.importers.source import BadRow, SourceFile
from horsesense.datasets.recovery import Journal, RawProblem, trimmed

PUNCTUATION = "punctuation-after-pronoun"
MIXED_ENCODING = "utf-8-in-latin-1"
LABEL_STOP = "label-with-full-stop"
NO_FULL_STOP = "no-full-stop"

REPAIRS = {
    **fitting.REPAIRS,
    MIXED_ENCODING: "a no-break space in UTF-8, read as two characters of Latin-1, becomes a space",
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
            yield element, _Reading(element, str(number), journal).found()
        except BadRow as error:
            journal.fault("bad-row", element.line, str(number), str(error))


class _Reading:
    """One `schema` element, which holds one problem."""

    def __init__(self, element: Element, name: str, journal: Journal) -> None:
        self.element, self.name, self.journal = element, name, journal
        self.steps: set[str] = set()

    def found(self) -> RawProblem:
        before, pronoun, after = (self._text("text", tag) for tag in ("txt1", "pron", "txt2"))
        if not pronoun:
            raise BadRow("no pronoun")
        answers = self.element.child("answers")
        options = [self._clean(one.text) for one in answers.all("answer")] if answers else []
        if len(options) < 2 or not all(options):
            raise BadRow(f"{len(options)} answers where two or more are expected")
        label = self._label(len(options))
        for step in sorted(self.steps):
            self._step(step, "", "put right")
        lead = f"{before} " if before else ""
        tail = after if self._closes_up(after) else f" {after}"
        if not tail.endswith(_ENDS):
            self.journal.oddity(NO_FULL_STOP, self.element.line, self.name, repr(tail[-20:]))
        texts = (lead, tail if after else "")
        phrases = tuple((one,) for one in options)
        found = RawProblem(self.name, self.element.line, texts, phrases, label, pronoun)
        return fitted(found, self.journal)

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
            self._step(LABEL_STOP, repr(letter), "taken for the letter")
            letter = letter[:-1].rstrip()
        if len(letter) != 1 or letter not in _LETTERS[:options]:
            raise BadRow(f"the label {letter!r} is not one of {', '.join(_LETTERS[:options])}")
        return _LETTERS.index(letter)

    def _closes_up(self, after: str) -> bool:
        """True where punctuation follows the pronoun, which takes no space before it."""
        if after[:1].isalnum() or after[:1] in "\"“'‘($" or not after:
            return False
        self._step(PUNCTUATION, repr(after[:1]), "put right after the answer")
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
