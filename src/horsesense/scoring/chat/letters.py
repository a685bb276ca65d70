"""Read a letter, or yes or no, in the reply of a chat model."""

from __future__ import annotations

import re

from horsesense.models import Question
from horsesense.scoring.chat.words import bare, complete_sentence, only, option_as_written

# Letters that are words as well. Before a word in lower case they are read as words, unless
# something says otherwise.
_WORDLIKE = ("A", "I")
_NEGATED = re.compile(
    r"(?:\b(?:not|neither|nor|than|never)|n't|\binstead of) +"
    r"(?:(?:the|an?|option|letter|answer|choice) +)*['\"(]*$",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"\W*\s(?:is|was|would be)\s+(?:clearly\s+)?(?:wrong|incorrect|not\s+(?:right|correct))\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:option|letter|answer|choice)\W*$|\b(?:is|be)\W*$|\($", re.IGNORECASE)
_AFTER_LETTER = re.compile(
    r"\s+(?:is|was|because|since|as|fits|makes|does|and|or|rather|instead|would|seems|the)\b"
    r"|(?!\s+[a-z])"
)
_FINAL_LETTER = re.compile(
    r"(?i:\b(?:answer|choice|option)(?:\s+is|\s+would\s+be|\s+should\s+be|\s*[:=])+\s*"
    r"(?:(?:option|letter)\s+)?)\W{0,3}([A-Z]\b(?!')|[a-z](?=\W*$|[.):]))",
    re.MULTILINE,
)
# What may follow yes or no for it to be a verdict, besides punctuation: `no problem` is none.
_AFTER_VERDICT = (
    r"(?=\W*$|\s*[^\w\s/]|\s*\n|\s+(?:it|it's|this|that|the|they|he|she|because|since|as)\b)"
)


def read_letter(question: Question, text: str) -> int | None:
    """Read a letter; without any, an option that is the whole reply, or a complete sentence."""
    answers = question.answers
    alone = {bare(line).upper() for line in text.splitlines()} & set(answers)
    if not alone:
        alone = {match[1].upper() for match in _FINAL_LETTER.finditer(text)} & set(answers)
    if not alone and (option := option_as_written(question, text)) is not None:
        return option
    if not alone:
        alone = {letter for letter in answers if _mentions_letter(letter, text)}
    if not alone:
        return complete_sentence(question, text)
    return only({answers.index(letter) for letter in alone})


def _mentions_letter(letter: str, text: str) -> bool:
    """Return whether a letter is named as an answer anywhere in a text."""
    lower = letter.lower()
    if re.search(rf"^\W*{lower}[.:)](?!\w)|(?<!\w){lower}\)", text):
        return True
    for match in re.finditer(rf"(?<![\w'.]){letter}(?![\w']|\.\w)", text):
        before, after = text[: match.start()], text[match.end() :]
        if _NEGATED.search(before) or _REJECTED.match(after):
            continue
        if letter not in _WORDLIKE or _NAMED.search(before) or _AFTER_LETTER.match(after):
            return True
    return False


def read_verdict(question: Question, text: str) -> int | None:
    """Read yes or no at the start of a sentence, or in `the answer is yes`."""
    yes, no = words = [word.casefold() for word in question.answers]
    text = text.casefold()
    if any(re.search(_joined(*pair), text) for pair in ((yes, no), (no, yes))):
        return None
    start = r"(?:^|[.!?:]\s+|\banswer(?:\s+is|\s+would\s+be|\s*:)\s*)[^\w\n]*"
    named = set(re.findall(f"{start}({yes}|{no}){_AFTER_VERDICT}", text, re.MULTILINE))
    return only({words.index(word) for word in named})


def _joined(first: str, second: str) -> str:
    """Return a pattern of two words side by side, as in `yes or no`."""
    return rf"\b{first}\s*(?:/|,|\bor\b|\band\b)\s*{second}\b"
