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
from functools import cache
from math import exp, fsum, isfinite, log

from horsesense.models import AskedQuestion, Question, Reply, ReplyKind, ReplyToken
from horsesense.scoring.chat.letters import read_letter, read_verdict
from horsesense.scoring.chat.words import Reader, bare, plain, read_option, read_sentence

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
    text = " ".join(plain(reply.text).casefold().split())
    if any(re.search(rf"\b{re.escape(phrase)}\b", text) for phrase in REFUSALS):
        return ReplyFault.REFUSED
    return ReplyFault.TRUNCATED if is_cut else ReplyFault.UNPARSABLE


def _written_answer(question: Question, text: str) -> int | None:
    """Return the answer after the last marker, or else the one in the whole reply."""
    text = _without_thoughts(text)
    read = _READERS[question.kind]
    start = _answer_start(question.marker, text)
    if start is not None:
        answer = read(question, plain(text[start:]))
        if answer is not None or question.is_reasoned:
            return answer
    return None if question.is_reasoned else read(question, plain(text))


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
        [value for text, value in finite if fold(bare(text)) == fold(answer)]
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
