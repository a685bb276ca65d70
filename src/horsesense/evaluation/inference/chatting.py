"""Ask a chat model about problems, and store its replies batch by batch.

Each distinct request is sent once, whichever problems, variants and methods it belongs to. Replies
in the store are used again. The replies of a batch are stored before the next one is awaited, so an
interrupted run loses only what was in flight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from horsesense.errors import ModelError
from horsesense.evaluation.inference.querying import check_writable, new_run
from horsesense.evaluation.progress import OnProgress, Progress
from horsesense.models import (
    AskedQuestion,
    ChatModel,
    ChatObservation,
    ChatRequest,
    Question,
    Replies,
    Reply,
)
from horsesense.results import ReplyCount, Variant
from horsesense.schema import Problem
from horsesense.scoring import Method
from horsesense.scoring.chat import ReplyFault, read_question
from horsesense.store import QueryRun, Store, forget_replies, keep_replies, load_replies


def questions_of(methods: Iterable[Method], problem: Problem) -> dict[str, tuple[Question, ...]]:
    """Return the questions that each method asks about a problem, by the name of the method."""
    return {method.name: method.asks(problem) for method in methods if method.asks is not None}


def requests_of(methods: Iterable[Method], problems: Iterable[Problem]) -> tuple[ChatRequest, ...]:
    """Return the distinct requests of all methods about all problems, in order."""
    methods = tuple(methods)
    return tuple(
        dict.fromkeys(
            question.request
            for problem in problems
            for questions in questions_of(methods, problem).values()
            for question in questions
        )
    )


def chat_observations(
    model: ChatModel,
    problems: Sequence[Problem],
    methods: Sequence[Method],
    store: Store | None = None,
    *,
    on_progress: OnProgress | None = None,
) -> Iterator[ChatObservation]:
    """Ask the model all questions about the problems, and yield an observation of each."""
    asked = [questions_of(methods, problem) for problem in problems]
    requests = (
        question.request
        for by_method in asked
        for questions in by_method.values()
        for question in questions
    )
    replies = replies_for(model, requests, store, on_progress=on_progress)
    for by_method in asked:
        yield ChatObservation(
            {
                name: tuple([AskedQuestion(each, replies[each.request]) for each in questions])
                for name, questions in by_method.items()
            }
        )


def replies_for(
    model: ChatModel,
    requests: Iterable[ChatRequest],
    store: Store | None = None,
    *,
    on_progress: OnProgress | None = None,
) -> dict[ChatRequest, Reply]:
    """Return the replies to all distinct requests, from the store or from the model."""
    distinct = tuple(dict.fromkeys(requests))
    replies: dict[ChatRequest, Reply] = {}
    damaged: tuple[str, ...] = ()
    if store is not None:
        replies, damaged = load_replies(store, model.info.fingerprint, distinct)
    cached, missing = len(replies), [each for each in distinct if each not in replies]

    def report() -> None:
        if on_progress is not None:
            stage = f"querying {model.info.name}"
            on_progress(Progress(stage, len(replies), len(distinct), cached, damaged))

    report()
    if missing:
        check_writable(store)
        if store is not None and damaged:
            forget_replies(store, model.info.fingerprint, damaged)
        run: QueryRun | None = None
        for batch in model.ask(missing):
            # What the model does with its settings is known only after the first batch.
            run = run or new_run(model)
            replies.update(_kept(model, run, batch, store))
            report()
    if len(replies) < len(distinct):
        count = len(distinct) - len(replies)
        raise ModelError(f"{model.info.name} did not reply to {count} of {len(distinct)} requests")
    return replies


def _kept(model: ChatModel, run: QueryRun, batch: Replies, store: Store | None) -> Replies:
    return batch if store is None else keep_replies(store, model.info, run, batch)


def count_replies(
    model: str,
    method: Method | None,
    variant: Variant | None,
    asked: Iterable[AskedQuestion],
) -> ReplyCount:
    """Count the replies to distinct questions by how they were read.

    Without a method and variant, they are all replies of the model, read as each was asked.
    """
    distinct = {each.question.request: each for each in asked}.values()
    read = [read_question(each) for each in distinct]
    faults = Counter(reply.fault for reply in read)
    replies = [each.reply for each in distinct]
    return ReplyCount(
        model=model,
        dataset=variant.dataset if variant else "",
        variant=variant.name if variant else "",
        method=method.name if method else "",
        requests=len(distinct),
        refused=faults[ReplyFault.REFUSED],
        unparsable=faults[ReplyFault.UNPARSABLE],
        truncated=faults[ReplyFault.TRUNCATED],
        chose_first=sum(
            reply.preferred == each.question.order[0]
            for each, reply in zip(distinct, read, strict=True)
        ),
        with_log_probs=sum(bool(reply.log_probs) for reply in read),
        written_differs=sum(reply.preferred != reply.answer for reply in read),
        prompt_tokens=sum(reply.prompt_tokens or 0 for reply in replies),
        reply_tokens=sum(reply.reply_tokens or 0 for reply in replies),
    )


def asked_by(observations: Iterable[ChatObservation], method: str) -> Iterator[AskedQuestion]:
    """Yield the questions that a method asked, with the replies."""
    for observation in observations:
        yield from observation.asked.get(method, ())


def all_asked(observations: Iterable[ChatObservation]) -> Iterator[AskedQuestion]:
    """Yield the questions of all methods, with the replies."""
    for observation in observations:
        by_method: Mapping[str, tuple[AskedQuestion, ...]] = observation.asked
        for asked in by_method.values():
            yield from asked
