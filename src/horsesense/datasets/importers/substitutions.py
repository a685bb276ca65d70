"""Find the phrases that replaced a pronoun, by comparing two sentences that differ in them.

The shortest difference may be only a part of the phrase: «the owl» and «the vole» share their
article, «Dr. Moss» and «Dr. Reed» their title. A pronoun stands for a whole phrase, so the phrase
includes an article, and any word that both phrases have next to them elsewhere in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from horsesense.datasets.recovery import difference

_ARTICLES = frozenset({"the", "a", "an", "his", "its", "their", "my", "our", "your"})
# Verbs after both phrases («is», «was») are not part of them.
_WORD_AFTER = re.compile(r" ?(?!(?:is|are|was|were|has|have|had)\b)\w+")
_PLURAL_OWNER = re.compile(r"['’](?!\w)")


@dataclass(slots=True)
class Substitution:
    """The two phrases that replaced the pronoun, and the text around them."""

    before: str
    after: str
    first: str
    second: str

    def widen(self) -> None:
        """Extend both phrases by the adjacent words that belong to them."""
        while (word := _WORD_AFTER.match(self.after)) and self._stand_elsewhere("", word[0]):
            self._take("", word[0])
        if self.first[-1:] == self.second[-1:] == "s" and (end := _PLURAL_OWNER.match(self.after)):
            self._take("", end[0])
        while lead := self.before[self.before.rfind(" ", 0, -1) + 1 :]:
            if lead.rstrip(" ").lower() not in _ARTICLES and not self._stand_elsewhere(lead, ""):
                break
            self._take(lead, "")
        if self.first[-1:] == self.second[-1:] == " ":
            # A side that was empty at first leaves a space.
            self.first, self.second = self.first[:-1], self.second[:-1]
            self.after = f" {self.after}"

    def _stand_elsewhere(self, lead: str, tail: str) -> bool:
        """Return whether both phrases, so extended, occur as whole words in the text around."""
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
    """Return the phrases in which two sentences differ; either phrase may be empty.

    >>> substitution("An owl saw a vole, so the owl sat.", "An owl saw a vole, so the vole sat.")
    Substitution(before='An owl saw a vole, so ', after=' sat.', first='the owl', second='the vole')
    """
    start, end, ours, theirs = difference(first, second)
    substituted = Substitution(first[:start], first[end:], ours, theirs)
    substituted.widen()
    return substituted


def _is_within(phrase: str, text: str) -> bool:
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            return True
        start = text.find(phrase, start + 1)
    return False
