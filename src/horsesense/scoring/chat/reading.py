"""Read the replies of chat models: which answer a reply gives, or why it gives none.

A reply is never guessed at. If it names two answers and neither is clearly the final one, it is
unparsable. What follows the marker of a final answer, such as `Answer:`, comes first; in a reply
with reasoning, nothing else counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import takewhile
from math import exp, fsum, isfinite, log
from typing import TypeAlias

from horsesense.models import AskedQuestion, Question, Reply, ReplyKind, ReplyToken

# What a server reports as the finish of a reply that it or the model refused to give.
REFUSING_FINISHES = ("content_filter", "refusal")
# Phrases by which a model refuses; they count only if the reply has no answer.
REFUSALS = (
    "i cannot",
    "i can't",
    "i can not",
    "i am unable",
    "i'm unable",
    "i am not able",
    "i'm not able",
    "i won't",
    "i will not",
    "i must decline",
    "i'd rather not",
    "i'm sorry",
    "i am sorry",
    "i apologize",
    "i apologise",
    "as an ai",
    "as a language model",
)


# The tags that many reasoning models put around their thoughts.
_START_OF_THOUGHTS, _END_OF_THOUGHTS = "<think>", "</think>"
# The logarithm of the smallest weight of an answer relative to the likeliest one.
_LEAST = -700.0


class ReplyFault(StrEnum):
    """Why a reply has no answer."""

    REFUSED = "refused"
    UNPARSABLE = "unparsable"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class ReadReply:
    """What a reply says: the position of an answer of its question, or why it has none.

    `answer` is the written one. `log_probs` are the log-probabilities of the answers of a question
    for letters or a verdict, if the model gave them and they differ.
    """

    answer: int | None
    fault: ReplyFault | None = None
    log_probs: tuple[float, ...] = ()

    @property
    def preferred(self) -> int | None:
        """The answer that counts: the most likely one, or the written one without probabilities."""
        return self.log_probs.index(max(self.log_probs)) if self.log_probs else self.answer


def read_question(asked: AskedQuestion) -> ReadReply:
    """Read the reply to a question."""
    question, reply = asked.question, asked.reply
    if reply.finish in REFUSING_FINISHES:
        return ReadReply(None, ReplyFault.REFUSED)
    answer = _written_answer(question, reply.text)
    if answer is None:
        return ReadReply(None, _fault(question, reply))
    return ReadReply(answer, None, answer_log_probs(question, reply))


def _fault(question: Question, reply: Reply) -> ReplyFault:
    is_cut = reply.finish == "length"
    if is_cut and question.is_reasoned:
        return ReplyFault.TRUNCATED
    text = " ".join(_plain(reply.text).casefold().split())
    if any(re.search(rf"\b{re.escape(phrase)}\b", text) for phrase in REFUSALS):
        return ReplyFault.REFUSED
    return ReplyFault.TRUNCATED if is_cut else ReplyFault.UNPARSABLE


def _written_answer(question: Question, text: str) -> int | None:
    """Return the answer after the last marker, or else the one in the whole reply."""
    text = _without_thoughts(text)
    read = _READERS[question.kind]
    start = _answer_start(question.marker, text)
    if start is not None:
        answer = read(question, _plain(text[start:]))
        if answer is not None or question.is_reasoned:
            return answer
    return None if question.is_reasoned else read(question, _plain(text))


def _without_thoughts(text: str) -> str:
    """Drop thoughts that a server left in the reply; unfinished ones are the whole reply.

    >>> _without_thoughts("<think>A or B?</think>B"), _without_thoughts("<think>A or")
    ('B', '')
    """
    text = text.rpartition(_END_OF_THOUGHTS)[2]
    return text.partition(_START_OF_THOUGHTS)[0]


def _answer_start(marker: str, text: str) -> int | None:
    """Return where the text after the last marker starts, None if it has no marker."""
    ends = [match.end() for match in _marker(marker).finditer(text)] if marker else []
    return ends[-1] if ends else None


@cache
def _marker(marker: str) -> re.Pattern[str]:
    """Return a pattern of a marker, in any case and with Markdown around its words."""
    parts = re.findall(r"\w+|[^\w\s]", marker)
    return re.compile(r"(?<!\w)" + r"[\s*_`]*".join(map(re.escape, parts)), re.IGNORECASE)


_QUOTES = str.maketrans("‘’‚‛′“”„‟″«»`", '\'\'\'\'\'"""""""\'')
_MARKUP = re.compile(r"\\(?:boxed|text|mathrm|mathbf)\b|[*$#~\\{}]|(?<!\w)_+|_+(?!\w)")
_BULLET = re.compile(r"^\s*(?:>\s*)*(?:[-•–]\s+)?", re.MULTILINE)


def _plain(text: str) -> str:
    """Drop Markdown and unify quotes.

    >>> _plain("> **B** is “right”")
    'B is "right"'
    """
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return _BULLET.sub("", _MARKUP.sub("", text)).strip()


# --- letters ---

# Letters that are words as well; before a word in lower case, they are read as words.
_WORDLIKE = ("A", "I")
_NEGATED = re.compile(
    r"(?:\b(?:not|neither|nor|than|never)|n't|\binstead of)\s+"
    r"(?:(?:the|an?|option|letter|answer|choice)\s+)*\W*$",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"\W*\s(?:is|was|would be)\s+(?:clearly\s+)?(?:wrong|incorrect|not\s+(?:right|correct))\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:option|letter|answer|choice)\W*$|\b(?:is|be)\W*$|\($", re.IGNORECASE)
_AFTER_LETTER = re.compile(
    r"\s+(?:is|was|because|since|as|fits|makes|does|and|or|rather|instead|would|seems|the)\b|(?!\s+[a-z])"
)
_FINAL_LETTER = re.compile(
    r"(?i:\b(?:answer|choice|option)(?:\s+is|\s+would\s+be|\s+should\s+be|\s*[:=])+\s*"
    r"(?:(?:option|letter)\s+)?)\W{0,3}([A-Z]\b(?!')|[a-z](?=\W*$|[.):]))",
    re.MULTILINE,
)


def _read_letter(question: Question, text: str) -> int | None:
    """Read a letter; without any, an option that is the whole reply, or a complete sentence."""
    answers = question.answers
    alone = {_bare(line).upper() for line in text.splitlines()} & set(answers)
    if not alone:
        alone = {match[1].upper() for match in _FINAL_LETTER.finditer(text)} & set(answers)
    if not alone and (option := _option_as_written(question, text)) is not None:
        return option
    if not alone:
        alone = {letter for letter in answers if _mentions_letter(letter, text)}
    if not alone:
        return _sentence(question, text)
    return _only({answers.index(letter) for letter in alone})


def _bare(line: str) -> str:
    return line.strip("".join(char for char in set(line) if not char.isalnum()))


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


# --- words ---

Words: TypeAlias = tuple[str, ...]
Reader: TypeAlias = Callable[[Question, str], int | None]
_WORD = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:'[^\W_]+)*")
_ARTICLES = frozenset({"a", "an", "the"})
_NEGATIONS = frozenset({"not", "neither", "nor", "than", "never"})
# At most so many other words may stand around the only option of a reply: a longer text may hold a
# word such as `can` by chance. If an option is negated, only a few, as in `the owl, not the vole`.
_AROUND, _AROUND_NEGATED = 8, 4
# Words of `the option that fits best is the owl` and `the owl is the right answer`.
_ANSWER_WORDS = frozenset({"answer", "option", "choice", "word", "words", "phrase", "blank"})
_RIGHT_WORDS = (["right"], ["correct"], ["best"], ["answer"])
_CLAUSE = 8
_UNIT_END = re.compile(r"[.!?]+(?=\s)|\n+|[.!?]+\W*$")


def _loose(text: str) -> Words:
    """Split into words without regard to case, articles and the genitive."""
    words = (word.removesuffix("'s") for word in _uncased(text))
    return tuple(word for word in words if word not in _ARTICLES)


def _uncased(text: str) -> Words:
    return _cased(text.casefold())


def _cased(text: str) -> Words:
    return tuple(_WORD.findall(text))


def _raw(text: str) -> Words:
    return tuple(text.split())


Splitter: TypeAlias = Callable[[str], Words]
_STRICTER: tuple[Splitter, ...] = (_uncased, _cased, _raw)


def _forms(
    texts: Sequence[str], splitters: Sequence[Splitter] = (_loose, *_STRICTER)
) -> tuple[Splitter, list[Words]]:
    """Split texts into words in the first way that distinguishes them.

    There are no forms if nothing distinguishes them.
    """
    for split in splitters:
        forms = [split(_plain(text)) for text in texts]
        if all(forms) and len(set(forms)) == len(forms):
            return split, forms
    return _raw, []


def _read_option(question: Question, text: str) -> int | None:
    """Read an option alone, as `the answer is …`, in its sentence, or the only one in few words."""
    readers = _option_alone, _option_declared, _sentence, _option_placed, _option_inside
    return _first(question, text, *readers)


def _read_sentence(question: Question, text: str) -> int | None:
    """Read a complete sentence, an option in its place, or an option alone."""
    return _first(question, text, _sentence, _option_placed, _option_alone)


def _first(question: Question, text: str, *readers: Reader) -> int | None:
    """Return the answer of the first reader that has one."""
    answers = (read(question, text) for read in readers)
    return next((answer for answer in answers if answer is not None), None)


def _option_alone(question: Question, text: str) -> int | None:
    """Read an option that is the whole reply, or its first or last line or sentence."""
    split, forms = _forms(question.options)
    units = [split(text), *map(split, _UNIT_END.split(text)), split(text)]
    alone = {forms.index(unit) for unit in units if unit in forms}
    is_at_end = any(unit in forms for unit in (*units[:2], *units[-2:]))
    return _only(alone) if is_at_end else None


def _option_as_written(question: Question, text: str) -> int | None:
    """Read an option that is the whole reply, with its articles, as `A dog` may be an option."""
    split, forms = _forms(question.options, _STRICTER)
    words = split(text)
    return forms.index(words) if words in forms else None


def _option_declared(question: Question, text: str) -> int | None:
    """Read the only option that is said to be the answer."""
    split, forms = _forms(question.options)
    words = split(text)
    folded = [word.casefold() for word in words]
    declared = set()
    for index, start in _mentions(forms, words):
        before = [word for word in folded[max(0, start - _CLAUSE) : start] if word not in _ARTICLES]
        after = [word for word in folded[start + len(forms[index]) :] if word not in _ARTICLES]
        is_predicate = before[-1:] in (["is"], ["be"]) and not _ANSWER_WORDS.isdisjoint(before)
        if is_predicate or after[:1] == ["is"] and after[1:2] in _RIGHT_WORDS:
            declared.add(index)
    return _only(declared)


def _sentence(question: Question, text: str) -> int | None:
    """Read the only complete sentence that occurs; the sentences around it need not be there."""
    split, forms = _forms(_cores(question.sentences))
    return _only({index for index, _ in _mentions(forms, split(text))})


def _option_placed(question: Question, text: str) -> int | None:
    """Read the only option that occurs between its neighbours in the sentence."""
    split, forms = _forms(_cores(question.sentences))
    options = [split(_plain(option)) for option in question.options]
    start = max(0, _shared(forms) - _shared(options) - 1)
    rest = [form[start:][::-1] for form in forms]
    end = max(0, _shared(rest) - _shared([option[::-1] for option in options]) - 1)
    placed = [form[end:][::-1] for form in rest]
    return _only({index for index, _ in _mentions(placed, split(text))})


def _cores(texts: Sequence[str]) -> list[str]:
    """Drop the sentences at the start and at the end that all texts share.

    >>> _cores(["It is late. Owls wake up.", "It is late. Hens wake up."])
    ['Owls wake up', 'Hens wake up']
    """
    parts = [tuple(filter(None, map(str.strip, _UNIT_END.split(text)))) for text in texts]
    start = _shared(parts)
    parts = [units[start:][::-1] for units in parts]
    end = _shared(parts)
    return [" ".join(units[end:][::-1]) for units in parts]


def _shared(forms: Sequence[Words]) -> int:
    """Count the words at the start that all forms share."""
    return sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, zip(*forms, strict=False)))


def _option_inside(question: Question, text: str) -> int | None:
    """Read the only option that is named, and not negated, if there are few other words."""
    split, forms = _forms(question.options)
    words = split(text)
    mentions = _mentions(forms, words)
    affirmed = {index for index, start in mentions if not _is_negated(words[:start])}
    is_plain = all(not _is_negated(words[:start]) for _, start in mentions)
    others = len(words) - sum(len(forms[index]) for index, _ in mentions)
    return _only(affirmed) if others <= (_AROUND if is_plain else _AROUND_NEGATED) else None


def _mentions(forms: Sequence[Words], words: Words) -> list[tuple[int, int]]:
    """Return which forms occur among the words, and where they start.

    A word belongs to the longest form that it occurs in, so a shorter one inside a longer one does
    not count. Forms of the same length may overlap.
    """
    mentions: list[tuple[int, int]] = []
    taken = [False] * len(words)
    for length in sorted({len(form) for form in forms}, reverse=True):
        starts = [
            (index, start)
            for index, form in enumerate(forms)
            if len(form) == length
            for start in range(len(words) - length + 1)
            if words[start : start + length] == form and not any(taken[start : start + length])
        ]
        for _, start in starts:
            taken[start : start + length] = [True] * length
        mentions += starts
    return mentions


def _is_negated(before: Words) -> bool:
    last = " ".join([word.casefold() for word in before if word.casefold() not in _ARTICLES][-2:])
    return last == "instead of" or last.endswith("n't") or last.split(" ")[-1] in _NEGATIONS


def _only(answers: set[int]) -> int | None:
    return next(iter(answers)) if len(answers) == 1 else None


# --- verdicts ---

# What may follow yes or no for it to be a verdict, besides punctuation: `no problem` is none.
_AFTER_VERDICT = (
    r"(?=\W*$|\s*[^\w\s/]|\s*\n|\s+(?:it|it's|this|that|the|they|he|she|because|since|as)\b)"
)


def _read_verdict(question: Question, text: str) -> int | None:
    """Read yes or no at the start of a sentence, or in `the answer is yes`."""
    yes, no = words = [word.casefold() for word in question.answers]
    text = text.casefold()
    if any(re.search(_joined(*pair), text) for pair in ((yes, no), (no, yes))):
        return None
    start = r"(?:^|[.!?:]\s+|\banswer(?:\s+is|\s+would\s+be|\s*:)\s*)[^\w\n]*"
    named = set(re.findall(f"{start}({yes}|{no}){_AFTER_VERDICT}", text, re.MULTILINE))
    return _only({words.index(word) for word in named})


def _joined(first: str, second: str) -> str:
    return rf"\b{first}\s*(?:/|,|\bor\b|\band\b)\s*{second}\b"


_READERS: dict[ReplyKind, Reader] = {
    ReplyKind.LETTER: _read_letter,
    ReplyKind.OPTION: _read_option,
    ReplyKind.SENTENCE: _read_sentence,
    ReplyKind.VERDICT: _read_verdict,
}


# --- probabilities ---


def answer_log_probs(question: Question, reply: Reply) -> tuple[float, ...]:
    """Return the log-probabilities of the answers at the first token that could be one.

    That is the first token of the reply with a letter or digit, after the last marker if there is
    one. The probabilities of tokens that spell an answer are added up, and divided by their sum
    over all answers. An answer that is not among the alternatives is at most as likely as the least
    likely of them, and is given that probability. The result is empty if no answer is among them,
    or if no answer is the most likely one.
    """
    if question.kind not in (ReplyKind.LETTER, ReplyKind.VERDICT):
        return ()
    token = _first_token(question, reply.tokens)
    if token is None:
        return ()
    alternatives = [*token.alternatives]
    if token.text not in dict(alternatives):
        alternatives.append((token.text, token.log_prob))
    finite = [(text, value) for text, value in alternatives if isfinite(value)]
    fold = str.casefold if question.kind is ReplyKind.VERDICT else str
    listed = [
        [value for text, value in finite if fold(_bare(text)) == fold(answer)]
        for answer in question.answers
    ]
    if not any(listed):
        return ()
    least = min(value for _, value in finite)
    # Relative to the largest one and with a lower limit, so that no probability vanishes.
    largest = max(value for values in listed for value in values)
    weights = [
        fsum(exp(max(value - largest, _LEAST)) for value in values or [least]) for values in listed
    ]
    if weights.count(max(weights)) > 1:
        return ()
    total = log(fsum(weights))
    return tuple(log(weight) - total for weight in weights)


def _first_token(question: Question, tokens: Sequence[ReplyToken]) -> ReplyToken | None:
    """Return the first token with a letter or digit after thoughts and the last marker."""
    text = "".join(token.text for token in tokens)
    start = len(text) - len(text.rpartition(_END_OF_THOUGHTS)[2])
    start += _answer_start(question.marker, text[start:]) or 0
    end = 0
    for token in tokens:
        begin, end = end, end + len(token.text)
        if any(map(str.isalnum, text[max(begin, start) : end])):
            return token
    return None
