"""A profile of chat models: made-up replies to 40 schemas, with real measurements.

The model `ant` is asked by three protocols, and its log-probabilities are there as well. It often
keeps its place by letters, sometimes gives no answer by words, and judges every sentence sensible
now and then. Another model is only served, and a third one is asked without any partner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from horsesense.results import (
    ORIGINAL,
    DatasetSubject,
    ModelSubject,
    ProblemRow,
    ReplyCount,
    ResultKey,
    Results,
    ServerUsage,
    Variant,
)
from horsesense.scoring.chat import (
    ALL_SENSIBLE,
    FOLLOWS_POSITION,
    NONE_SENSIBLE,
    WRITTEN_DIFFERS,
    ReplyFault,
)
from horsesense.scoring.outcome import Answer, AnswerSet, decide
from tests.reports import hand_made
from tests.reports.small_profile import record
from tests.results.measuring.made_up import measure

ANT, CHAT_ANT, BEE, CHAT_CAT = "ant", "chat:ant", "llama.cpp:bee", "chat:cat"
SHED = "shed"
SCHEMAS = 40
# By model and method, what happens to the two problems of each schema in turn: S solved, F failed,
# O follows the order, R refused, U unparsable, T truncated, A all sensible, N none sensible.
PATTERNS = {
    (ANT, "smart@1"): ("SS", "SS", "SS", "SF"),
    (ANT, "partial"): ("SS", "SF", "SS", "FS"),
    (CHAT_ANT, "letter"): ("OO", "SO", "OO", "SS", "OO"),
    (CHAT_ANT, "word"): ("SS", "RS", "SF", "UU", "ST"),
    (CHAT_ANT, "judge"): ("AA", "SS", "NN", "SF"),
    (BEE, "smart@1"): ("SS", "FF", "SF"),
    (CHAT_CAT, "word"): ("RR", "TT", "SR", "UU"),
    ("first", "choice"): ("SF",),
}
_TAGS = {
    "O": FOLLOWS_POSITION,
    "R": ReplyFault.REFUSED.value,
    "U": ReplyFault.UNPARSABLE.value,
    "T": ReplyFault.TRUNCATED.value,
    "A": ALL_SENSIBLE,
    "N": NONE_SENSIBLE,
}


@cache
def chat_profile(ties: str = "failed") -> Results:
    """The profile, always the same."""
    made = record()
    made = replace(made, plan=replace(made.plan, data=(SHED,), models=MODEL_NAMES, ties=ties))
    answer_sets = {
        ResultKey(model, SHED, method=method): answer_set(pattern)
        for (model, method), pattern in PATTERNS.items()
    }
    variants = (Variant(dataset=SHED, name=ORIGINAL, entries=SCHEMAS, problems=2 * SCHEMAS),)
    measured = measure(
        answer_sets=answer_sets,
        models=models(),
        datasets=(dataset(),),
        variants=variants,
        resamples=made.plan.resamples,
    )
    return Results(
        made,
        models(),
        (dataset(),),
        variants,
        measured.estimates,
        measured.options,
        tuple(problems()),
        answer_sets,
        skipped=measured.skipped,
        replies=tuple(replies()),
        usage=(
            ServerUsage(
                model=CHAT_ANT, requests=345, prompt_tokens=12_000, reply_tokens=900, cost=1.5
            ),
            ServerUsage(model=BEE, requests=160, prompt_tokens=2_500, reply_tokens=0, cost=None),
        ),
    )


MODEL_NAMES = (ANT, CHAT_ANT, BEE, CHAT_CAT)


def models() -> tuple[ModelSubject, ...]:
    """A language model, the same model asked, a served one, one only asked, and a baseline."""
    families = {
        ANT: ("causal", ""),
        CHAT_ANT: ("chat", "vllm 0.32.0"),
        BEE: ("causal", "llama.cpp b7100"),
        CHAT_CAT: ("chat", ""),
        "first": ("baseline", ""),
    }
    listed = []
    for name, (family, server) in families.items():
        methods = tuple(method for model, method in PATTERNS if model == name)
        standard = ((SHED, methods[0]),)
        more: dict[str, Any] = {"methods": methods, "standard": standard, "server": server}
        base = hand_made.model(name, "causal", SHED, **more)
        dtype = "" if server else "float32"
        is_baseline = family == "baseline"
        listed.append(replace(base, family=family, dtype=dtype, is_baseline=is_baseline))
    return tuple(listed)


def dataset() -> DatasetSubject:
    """The dataset."""
    made = hand_made.dataset(SHED)
    return replace(made, entries=SCHEMAS, problems=2 * SCHEMAS, schemas=SCHEMAS)


def answer_set(pattern: tuple[str, ...]) -> AnswerSet:
    """Answers that repeat a pattern, schema by schema."""
    answers = []
    for schema in range(SCHEMAS):
        for number, letter in enumerate(pattern[schema % len(pattern)], 1):
            answers.append(answer(schema, number, letter))
    pairs = tuple((at, at + 1) for at in range(0, 2 * SCHEMAS, 2))
    return AnswerSet("made up", tuple(answers), pairs)


def answer(schema: int, number: int, letter: str) -> Answer:
    """An answer to a problem; of problem n, option n is right."""
    right = number - 1
    costs = [0.5, 0.5]
    if letter in "SF":
        costs[right] += 1.0 if letter == "F" else -0.4
    tags = {_TAGS[letter]} if letter in _TAGS else set()
    if letter == "O" and schema % 2:
        tags.add(WRITTEN_DIFFERS)
    return Answer(f"e{schema}", number, decide(costs, right), options(schema), frozenset(tags))


def options(schema: int) -> tuple[str, str]:
    """The options of a schema."""
    return (f"rake {schema}", f"spade {schema}")


def problems() -> Iterator[ProblemRow]:
    """The problems; the twins differ in one word."""
    for schema in range(SCHEMAS):
        for number, word in enumerate(("long", "short"), 1):
            statement = f"The rake {schema} hit the spade {schema}, as ___ was too {word}."
            both = options(schema)
            sentences = tuple(statement.replace("___", option) for option in both)
            yield ProblemRow(
                SHED, ORIGINAL, f"e{schema}", number, statement, both, number - 1, sentences
            )


def replies() -> Iterator[ReplyCount]:
    """Replies, counted by protocol, and all together."""
    yield _count(CHAT_ANT, "letter", 160, chose_first=136, with_log_probs=160, written_differs=9)
    yield _count(CHAT_ANT, "word", 160, refused=8, unparsable=16, truncated=8, chose_first=60)
    yield _count(CHAT_ANT, "judge", 320, chose_first=160, with_log_probs=320)
    yield replace(_count(CHAT_ANT, "", 640, refused=8), dataset="", variant="")
    yield _count(CHAT_CAT, "word", 160, refused=60, unparsable=40, truncated=60)
    yield replace(_count(CHAT_CAT, "", 160, refused=60), dataset="", variant="")


def _count(model: str, method: str, requests: int, **numbers: int) -> ReplyCount:
    counts = dict.fromkeys(
        ("refused", "unparsable", "truncated", "chose_first", "with_log_probs", "written_differs"),
        0,
    )
    return ReplyCount(
        model=model,
        dataset=SHED,
        variant=ORIGINAL,
        method=method,
        requests=requests,
        prompt_tokens=75 * requests,
        reply_tokens=4 * requests,
        **(counts | numbers),
    )
