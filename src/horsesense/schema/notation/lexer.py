"""From a line of notation to tokens that know their columns.

The lexer knows brackets, quotes and escapes. What the pieces mean together is the
parser's business. It reports every fault it finds in a line, not the first alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from horsesense.errors import NotationError

# Opening bracket → what it holds and what closes it. The thesis' brackets stand beside ours.
BRACKETS = {
    "{": ("key", "}"),
    "<": ("answer", ">"),
    "⟨": ("answer", "⟩"),
    "|": ("truth", "|"),
    "‖": ("truth", "‖"),
    "[": ("candidate", "]"),
}
# At the start of a line: nothing in the sentence is to be put right.
VERBATIM = "!"
SPECIAL = "{}<>⟨⟩|‖[]\\"
_ESCAPABLE = SPECIAL + '",=*?#&!-'
_TEXT = re.compile(r"[^{}<>⟨⟩|‖\[\]\\]+")
_PLAIN = re.compile(r"[^{}<>⟨⟩|‖\[\]\\,*]+")
_QUOTED = re.compile(r'[^"\\]+')
_NUMBER = re.compile(r" *(\d{1,3}): ")
_TARGET = re.compile(r'([^=,"\\{}<>⟨⟩|‖\[\]]*)=')
_STAR_AT_END = re.compile(r"\* *[,>⟩]")


@dataclass(frozen=True, slots=True)
class Text:
    """Fixed text of the sentence."""

    value: str
    column: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase of a placeholder; `is_right` where a star follows it."""

    value: str
    column: int
    is_right: bool = False


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A bracket and the phrases in it; for an answer also its target, if it has one.

    `is_unlabelled` where a question mark stands first: the right answer is not known.
    """

    name: str
    phrases: tuple[Phrase, ...]
    column: int
    target: str | None = None
    is_unlabelled: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A candidate in square brackets; number 0 where it is not written."""

    number: int
    value: str
    column: int


Token: TypeAlias = Text | Placeholder | Mark


class Lexer:
    """Reads one line from left to right; `errors` holds what was wrong with it."""

    def __init__(self, line: str, start: int = 0) -> None:
        self.line = line
        self.position = start
        self.errors: list[NotationError] = []

    def tokens(self) -> list[Token]:
        """The tokens of the line, leaving out a bracket with a fault in it."""
        found: list[Token] = []
        while self.position < len(self.line):
            char = self.line[self.position]
            if char in BRACKETS:
                token = self._bracket(char)
                found += [token] if token else []
            elif char in SPECIAL and char != "\\":
                self._complain(
                    f"this {char!r} has no opening bracket",
                    remedy=f"write \\{char} for the character itself",
                )
                self.position += 1
            else:
                column = self.position
                found.append(Text(self._run(_TEXT), column))
        self.errors.sort(key=lambda error: error.column)
        return found

    def phrases(self) -> tuple[Phrase, ...]:
        """A list of phrases without a bracket around it, as fields have them."""
        return self._phrases("field", "", 0) or ()

    def _bracket(self, opener: str) -> Token | None:
        column, (name, closer) = self.position, BRACKETS[opener]
        self.position += 1
        if name == "candidate":
            token: Token | None = self._mark(column, closer)
        else:
            token = self._placeholder(column, name, closer)
        if token is None:
            self._skip_past(opener, closer)
        return token

    def _placeholder(self, column: int, name: str, closer: str) -> Placeholder | None:
        is_unlabelled, target = False, None
        if name == "answer":
            is_unlabelled = self._take("?")
            target = self._target()
        phrases = self._phrases(name, closer, column)
        if phrases is None:
            return None
        return Placeholder(name, phrases, column, target, is_unlabelled)

    def _mark(self, column: int, closer: str) -> Mark | None:
        number = _NUMBER.match(self.line, self.position)
        if number:
            if not int(number[1]):
                self._complain("candidates are numbered from 1, not from 0", column, remedy="")
            self.position = number.end()
        value = self._run(_TEXT)
        if not self._closed(closer, "candidate", column):
            return None
        return Mark(int(number[1]) if number else 0, single_spaces(value), column)

    def _target(self) -> str | None:
        """The pronoun before an equals sign, if the placeholder has one."""
        found = _TARGET.match(self.line, self.position)
        if not found:
            return None
        self.position = found.end()
        return single_spaces(found[1])

    def _phrases(self, name: str, closer: str, opened_at: int) -> tuple[Phrase, ...] | None:
        found: list[Phrase] = []
        while phrase := self._phrase(name):
            found.append(phrase)
            if self._take(","):
                continue
            return tuple(found) if self._closed(closer, name, opened_at) else None
        return None

    def _phrase(self, name: str) -> Phrase | None:
        self._skip_spaces()
        column = self.position
        if self.line[column : column + 1] == '"':
            value = self._quotation()
            if value is None:
                return None
        else:
            value = self._plain(name)
        is_right = name == "answer" and self._take("*")
        return Phrase(single_spaces(value), column, is_right)

    def _plain(self, name: str) -> str:
        """An unquoted phrase; a star in it is a star, unless it ends an answer."""
        value = self._run(_PLAIN)
        while self.line[self.position : self.position + 1] == "*":
            if name == "answer" and _STAR_AT_END.match(self.line, self.position):
                break
            self.position += 1
            value += "*" + self._run(_PLAIN)
        return value

    def _quotation(self) -> str | None:
        column = self.position
        self.position += 1
        value = self._run(_QUOTED)
        if not self._take('"'):
            self._complain("this quotation is never closed", column, remedy='close it with "')
            return None
        self._skip_spaces()
        following = self.line[self.position : self.position + 1]
        if following and following not in ",*" + SPECIAL:
            self._complain(
                "a quoted phrase ends at its quotation mark",
                remedy='quote the whole phrase, and write \\" for a quotation mark inside',
            )
            return None
        return value

    def _run(self, pattern: re.Pattern[str]) -> str:
        """Characters up to one that the pattern excludes, with escapes resolved."""
        text = ""
        while True:
            if found := pattern.match(self.line, self.position):
                text += found[0]
                self.position = found.end()
            if self.line[self.position : self.position + 1] != "\\":
                return text
            text += self._escape()

    def _escape(self) -> str:
        char = self.line[self.position + 1 : self.position + 2]
        if not char or char not in _ESCAPABLE:
            self._complain(
                "a backslash must come before one of " + " ".join(_ESCAPABLE),
                remedy="write \\\\ for a backslash itself",
            )
            self.position += 1
            return ""
        self.position += 2
        return char

    def _closed(self, closer: str, name: str, opened_at: int) -> bool:
        """Step over the closing bracket, or say what stands in its place.

        The list of phrases in a field has none; the end of the line closes it.
        """
        if self._take(closer):
            return True
        if self.position >= len(self.line):
            shown = "candidate" if name == "candidate" else f"{name} placeholder"
            self._complain(
                f"this {shown} is never closed with {closer!r}",
                opened_at,
                remedy=f"write {closer} after its last phrase",
            )
        else:
            self._complain_about_bracket()
        return False

    def _complain_about_bracket(self) -> None:
        char = self.line[self.position]
        if char in BRACKETS and char != "|":
            self._complain(
                "placeholders cannot be nested",
                remedy=f"close the bracket before it, or write \\{char} for the character itself",
            )
        else:
            self._complain(
                f"{char!r} is not allowed inside this bracket",
                remedy="quote the phrase if it contains the character",
            )

    def _complain(self, problem: str, column: int | None = None, *, remedy: str) -> None:
        place = self.position if column is None else column
        self.errors.append(NotationError(problem, line=self.line, column=place, remedy=remedy))

    def _take(self, char: str) -> bool:
        """Step over spaces and the character, if it comes next; "" is the end of the line."""
        self._skip_spaces()
        if self.line[self.position : self.position + 1] != char:
            return False
        self.position += len(char)
        return True

    def _skip_spaces(self) -> None:
        while self.line.startswith(" ", self.position):
            self.position += 1

    def _skip_past(self, opener: str, closer: str) -> None:
        """Go on after the bracket that went wrong, to find what else is wrong."""
        depth = 1
        while self.position < len(self.line) and depth:
            char = self.line[self.position]
            depth += (char == opener) - (char == closer) if opener != closer else -(char == closer)
            self.position += 1


def single_spaces(text: str) -> str:
    """The text with single spaces, and none at its ends."""
    return " ".join(word for word in text.split(" ") if word)
