"""Read the replies of chat models: which answer a reply gives, or why it gives none.

A reply is never guessed at. If it names two answers and neither is clearly the final one, it is
unparsable. What follows the marker of a final answer, such as `Answer:`, comes first; in a reply
with reasoning, nothing else counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from math import exp, fsum, isfinite, log

from horsesense.models import AskedQuestion, Question, Reply, ReplyKind, ReplyToken
from horsesense.scoring.chat.letters import read_letter, read_verdict, states_answer_at
from horsesense.scoring.chat.words import (
    QUOTES,
    Reader,
    Words,
    bare,
    plain,
    read_option,
    read_sentence,
)

# What servers report, in any case, as the finish of a reply that the model refused to give, or that
# was cut off at the limit of tokens.
REFUSING_FINISHES = ("content_filter", "refusal", "safety", "prohibited_content", "blocklist")
TRUNCATING_FINISHES = ("length", "max_tokens", "model_length")
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
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_READERS: dict[ReplyKind, Reader] = {
    ReplyKind.LETTER: read_letter,
    ReplyKind.OPTION: read_option,
    ReplyKind.SENTENCE: read_sentence,
    ReplyKind.VERDICT: read_verdict,
}
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
    if reply.finish.casefold() in REFUSING_FINISHES:
        return ReadReply(None, ReplyFault.REFUSED)
    answer, _ = _written_answer(question, reply.text)
    if answer is None:
        return ReadReply(None, _fault(question, reply))
    return ReadReply(answer, None, answer_log_probs(question, reply, answer))


def _fault(question: Question, reply: Reply) -> ReplyFault:
    is_cut = reply.finish.casefold() in TRUNCATING_FINISHES
    if is_cut and question.is_reasoned:
        return ReplyFault.TRUNCATED
    if _refuses(question, reply.text):
        return ReplyFault.REFUSED
    return ReplyFault.TRUNCATED if is_cut else ReplyFault.UNPARSABLE


def _refuses(question: Question, text: str) -> bool:
    """Return whether a reply has a phrase of a refusal that is not repeated from the question."""
    start, end = _after_thoughts(text)
    words = _folded(text[start:end])
    repeated = [_folded(message.content) for message in question.request.messages]
    repeated += map(_folded, question.sentences)
    for phrase in map(_folded, REFUSALS):
        for at in range(len(words) - len(phrase) + 1):
            if words[at : at + len(phrase)] != phrase:
                continue
            # With the words beside it, so that `I can't` alone is a refusal whatever was asked.
            around = words[max(0, at - 1) : at + len(phrase) + 1]
            if around == phrase or not any(_occurs(around, each) for each in repeated):
                return True
    return False


@lru_cache(4096)
def _folded(text: str) -> Words:
    """Return the words of a text, without regard to case and Markdown."""
    return tuple(_WORD.findall(plain(text).casefold()))


def _occurs(words: Words, text: Words) -> bool:
    """Return whether words stand side by side in a text."""
    count = len(words)
    return any(text[at : at + count] == words for at in range(len(text) - count + 1))


def _written_answer(question: Question, text: str) -> tuple[int | None, slice]:
    """Return the answer after the last marker, or else in the whole reply, and the part read."""
    read = _READERS[question.kind]
    start, end = _after_thoughts(text)
    marked = _answer_start(question.marker, text[start:end])
    if marked is not None:
        part = slice(start + marked, end)
        answer = read(question, plain(text[part]))
        if answer is not None or question.is_reasoned:
            return answer, part
    part = slice(start, end)
    return None if question.is_reasoned else read(question, plain(text[part])), part


def _after_thoughts(text: str) -> tuple[int, int]:
    """Return where the reply starts and ends without thoughts that a server left in it.

    Unfinished thoughts are the whole rest of a reply.

    >>> _after_thoughts("<think>A or B?</think>B"), _after_thoughts("<think>A or")
    ((22, 23), (0, 0))
    """
    start = len(text) - len(text.rpartition(_END_OF_THOUGHTS)[2])
    return start, start + len(text[start:].partition(_START_OF_THOUGHTS)[0])


def _answer_start(marker: str, text: str) -> int | None:
    """Return where the text after the last marker starts, None if it has no marker."""
    ends = [match.end() for match in _marker(marker).finditer(text)] if marker else []
    return ends[-1] if ends else None


@cache
def _marker(marker: str) -> re.Pattern[str]:
    """Return a pattern of a marker, in any case and with Markdown around its words."""
    parts = re.findall(r"\w+|[^\w\s]", marker)
    return re.compile(r"(?<!\w)" + r"[\s*_`]*".join(map(re.escape, parts)), re.IGNORECASE)


def answer_log_probs(question: Question, reply: Reply, answer: int) -> tuple[float, ...]:
    """Return the log-probabilities of the answers at the token that states the written answer.

    That has to be the first token that spells any answer, where the answer was read. The
    probabilities of tokens that spell an answer are added up, and divided by their sum over all
    answers. An answer that is not among the alternatives is at most as likely as the least likely
    of them, and is given that probability. The result is empty if there is no such token, or if no
    answer is the most likely one.
    """
    if question.kind not in (ReplyKind.LETTER, ReplyKind.VERDICT):
        return ()
    token = _answer_token(question, reply.tokens, answer)
    if token is None:
        return ()
    alternatives = [*token.alternatives]
    if token.text not in dict(alternatives):
        alternatives.append((token.text, token.log_prob))
    finite = [(text, value) for text, value in alternatives if isfinite(value)]
    listed = [
        [value for text, value in finite if _spelled_answer(question, text) == number]
        for number in range(len(question.answers))
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


def _answer_token(
    question: Question, tokens: Sequence[ReplyToken], answer: int
) -> ReplyToken | None:
    """Return the first token that spells an answer, if it states the written one."""
    text = "".join(token.text for token in tokens)
    written, part = _written_answer(question, text)
    if written != answer:
        return None
    end = 0
    for token in tokens:
        begin, end = end, end + len(token.text)
        spelled = _spelled_answer(question, token.text)
        place = begin + token.text.find(bare(token.text))
        if spelled is not None and part.start <= place < part.stop:
            read = text[part].translate(QUOTES)
            is_stated = states_answer_at(question, read, place - part.start)
            return token if spelled == answer and is_stated else None
    return None


def _spelled_answer(question: Question, text: str) -> int | None:
    """Return the letter, or yes or no in any case, that is all there is in a text."""
    word = bare(text)
    fold = str.casefold if question.kind is ReplyKind.VERDICT else str
    answers = [fold(answer) for answer in question.answers]
    return answers.index(fold(word)) if fold(word) in answers else None
