"""What has been put into a sentence, found by comparing two sentences that differ in it.

The least difference may be less than what was put in: «the owl» and «the vole» share their
article, «Dr. Moss» and «Dr. Reed» their title. A pronoun stands for a whole phrase, so an article
belongs to it, and so does a word with which both phrases stand elsewhere in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from horsesense.datasets.recovery import difference

_ARTICLES = frozenset({"the", "a", "an", "his", "its", "their", "my", "our", "your"})
# What is said of both elsewhere («is», «was») does not belong to them.
_WORD_AFTER = re.compile(r" ?(?!(?:is|are|was|were|has|have|had)\b)\w+")
_PLURAL_OWNER = re.compile(r"['’](?!\w)")


@dataclass(slots=True)
class Substitution:
    """The text around a place, and the two phrases that were put into it."""

    before: str
    after: str
    first: str
    second: str

    def widen(self) -> None:
        """Take in what belongs to both phrases."""
        while (word := _WORD_AFTER.match(self.after)) and self._stand_elsewhere("", word[0]):
            self._take("", word[0])
        if self.first[-1:] == self.second[-1:] == "s" and (end := _PLURAL_OWNER.match(self.after)):
            self._take("", end[0])
        while lead := self.before[self.before.rfind(" ", 0, -1) + 1 :]:
            if lead.rstrip(" ").lower() not in _ARTICLES and not self._stand_elsewhere(lead, ""):
                break
            self._take(lead, "")
        if self.first[-1:] == self.second[-1:] == " ":
            # Left over from a side that was empty at first.
            self.first, self.second = self.first[:-1], self.second[:-1]
            self.after = f" {self.after}"

    def _stand_elsewhere(self, lead: str, tail: str) -> bool:
        """True where the text around has both phrases, so widened, as whole words."""
        before = self.before[: len(self.before) - len(lead)].lower()
        around = f"{before}\0{self.after[len(tail) :].lower()}"
        return all(
            _is_within(f"{lead}{phrase}{tail}".strip(" ").lower(), around)
            for phrase in (self.first, self.second)
        )

    def _take(self, lead: str, tail: str) -> None:
        self.before = self.before[: len(self.before) - len(lead)]
        self.after = self.after[len(tail) :]
        self.first, self.second = lead + self.first + tail, lead + self.second + tail


def substitution(first: str, second: str) -> Substitution:
    """What the two sentences have in the same place; either phrase may be empty.

    >>> substitution("An owl saw a vole, so the owl sat.", "An owl saw a vole, so the vole sat.")
    Substitution(before='An owl saw a vole, so ', after=' sat.', first='the owl', second='the vole')
    """
    least = difference(first, second)
    found = Substitution(first[: least.start], first[least.end :], least.first, least.second)
    found.widen()
    return found


def _is_within(phrase: str, text: str) -> bool:
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            return True
        start = text.find(phrase, start + 1)
    return False
