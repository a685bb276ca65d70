"""Checks of a chat model before a run: does it reply, can its replies be read, and do they repeat?

A chat model may have learnt little and still pass: it is only told apart from one that does not
work, or whose replies the protocols cannot use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite

from horsesense.evaluation.inference.tokenizer_checks import Finding, failure, ok, warning
from horsesense.models import (
    AskedQuestion,
    ChatModel,
    ChatRequest,
    Family,
    Message,
    Question,
    Replies,
    Reply,
)
from horsesense.schema import Problem
from horsesense.scoring import find_method
from horsesense.scoring.chat import FOLLOWS_POSITION, choice_of, read_question

# The protocol by which replies are checked: the only one whose answers have probabilities.
_PROTOCOL = "letter"
_GREETING = ChatRequest((Message("user", "Say hello."),), 16, 5)
# This many requests are sent again, one by one.
_REPEATED = 4
_SHOWN = 60
# How far rounding may lift a log-probability above zero, and the shortest time measured.
_ROUNDING, _SHORTEST = 1e-4, 1e-4
_OTHER_PROTOCOL = "try other protocols, such as --method judge or --method cloze"


def examine_chat(
    model: ChatModel, problems: Sequence[Problem], clock: Callable[[], float]
) -> Iterator[Finding]:
    """Ask a chat model about easy problems, and yield one finding at a time."""
    yield _template(model)
    greeting = dict(_ask(model, [_GREETING]))[_GREETING]
    yield _greeting(greeting)
    yield _log_probs(greeting)
    by_problem = [_questions(problem) for problem in problems]
    requests = list(dict.fromkeys(q.request for questions in by_problem for q in questions))
    started = clock()
    replies = dict(_ask(model, requests))
    seconds = clock() - started
    if missing := len(requests) - len(replies):
        yield failure("replies", f"{missing} of {len(requests)} requests got no reply", "try again")
        return
    asked = [[AskedQuestion(q, replies[q.request]) for q in questions] for questions in by_problem]
    yield _letters([each for questions in asked for each in questions])
    yield _choices(asked, problems)
    again = requests[:_REPEATED]
    yield _repeated([(each, replies[each]) for each in again], _singly(model, again))
    if not model.is_served:
        yield _batching(model)
    yield ok("speed", f"about {len(requests) / max(seconds, _SHORTEST):,.1f} requests a second")


def _ask(model: ChatModel, requests: Sequence[ChatRequest]) -> Replies:
    return [pair for batch in model.ask(requests) for pair in batch]


def _singly(model: ChatModel, requests: Sequence[ChatRequest]) -> Replies:
    return [pair for request in requests for pair in _ask(model, [request])]


def _questions(problem: Problem) -> tuple[Question, ...]:
    asks = find_method(_PROTOCOL, Family.CHAT).asks
    return () if asks is None else asks(problem)


def _template(model: ChatModel) -> Finding:
    if model.is_served:
        return ok("template", "applied by the server")
    tokens = model.count_prompt_tokens([_GREETING])
    text = _GREETING.messages[0].content
    return ok("template", f"the model's own; with it, “{text}” has {tokens} tokens")


def _greeting(reply: Reply) -> Finding:
    if not reply.text.strip():
        return failure(
            "reply",
            f"the reply to “{_GREETING.messages[0].content}” is empty (finish: {reply.finish})",
            "its template or its weights may be wrong; use a model trained on instructions",
        )
    text = " ".join(reply.text.split())
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()}…"
    return ok("reply", f"“{_GREETING.messages[0].content}” – “{shown}”")


def _log_probs(reply: Reply) -> Finding:
    check = "probabilities"
    if not reply.tokens:
        return ok(check, "none with replies: answers are read from the text alone")
    values = [token.log_prob for token in reply.tokens]
    if not all(map(isfinite, values)) or max(values) > _ROUNDING:
        return failure(
            check,
            "log-probabilities of replies are greater than 0, infinite or NaN",
            "the weights are damaged, or the server is; do not rely on its numbers",
        )
    alternatives = min(len(token.alternatives) for token in reply.tokens)
    if not alternatives:
        return ok(check, "of the written tokens, but of no alternatives to them")
    return ok(check, f"of each token, with {alternatives} alternatives where 5 were requested")


def _letters(asked: Sequence[AskedQuestion]) -> Finding:
    """Count the replies with a letter."""
    faults = [read_question(each).fault for each in asked]
    read = faults.count(None)
    text = f"{read} of {len(faults)} replies give the letter that was asked for"
    if read == len(faults):
        return ok("letters", text)
    kinds = ", ".join(dict.fromkeys(fault.value for fault in faults if fault is not None))
    return warning("letters", f"{text}; others are {kinds}", _OTHER_PROTOCOL)


def _choices(asked: Sequence[Sequence[AskedQuestion]], problems: Sequence[Problem]) -> Finding:
    """Count the plain sentences that are preferred to scrambled ones in both orders."""
    choices = [choice_of(questions) for questions in asked]
    right = sum(
        choice.chosen == problem.right for choice, problem in zip(choices, problems, strict=True)
    )
    by_order = sum(FOLLOWS_POSITION in choice.tags for choice in choices)
    text = (
        f"chooses {right} of {len(choices)} plain phrases rather than scrambled ones, in both"
        f" orders; {by_order or 'no'} choice{'' if by_order == 1 else 's'}"
        f" follow{'s' if by_order == 1 else ''} the order"
    )
    if right > len(choices) // 2:
        return ok("canaries", text)
    return warning("canaries", text, "a model this unsure will leave most problems undecided")


def _repeated(first: Replies, second: Replies) -> Finding:
    changed = sum(
        reply.text != other.text for (_, reply), (_, other) in zip(first, second, strict=True)
    )
    text = f"{len(first)} requests, asked again one by one, get"
    if not changed:
        return ok("repetition", f"{text} the same replies")
    return warning(
        "repetition",
        f"{text} {changed} other replies",
        "another run may differ; the store keeps the first reply to each request",
    )


def _batching(model: ChatModel) -> Finding:
    batching, reason = model.batching, model.fallback_reason
    meaning = {
        "tree": "conversations with a common beginning share its computation",
        "plain": "one conversation at a time",
    }.get(batching, batching or "not reported")
    dropped = "".join(f"; not used: {other}" for other in model.dropped if other != reason)
    return ok("batching", meaning + (f" ({reason})" if reason else "") + dropped)
