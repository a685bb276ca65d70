"""The examination of a model before a run: whether its numbers can be believed, and their price.

It finds out what would otherwise show as a strange accuracy, or not at all.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import cast

from horsesense.errors import HorsesenseError, LibraryError
from horsesense.evaluation.inference.canaries import CANARIES, examine_answers
from horsesense.evaluation.inference.finding import Finding, Health, failure, ok, warning
from horsesense.evaluation.inference.tokenizer_battery import examine_tokenizer
from horsesense.models import (
    Baseline,
    Family,
    LanguageModel,
    Model,
    ModelInfo,
    Query,
    causal_query,
    single_mask_query,
    spans_query,
)
from horsesense.schema import problems
from horsesense.schema.notation import parse_grid

GIB = 2**30
# The sentence for which the speed is told, in tokens, and how many of them.
_LENGTH, _SENTENCES = 20, 1000
_LABEL = 5
_SHORT_CONTEXT = 128
# The check under which it is told that a library failed, so that the model cannot be asked.
FOREIGN = "library"
_MEND = "nothing more can be examined before this is mended"
# For baselines, which may go by the length of an option.
_CHOICES = (
    "a kettle <can, cannot> boil on a {hot, cold} stove",
    "{owls, mice} <do, do not> hunt {mice, owls}",
)


def examine(
    model: Model,
    *,
    budget: int = GIB,
    installed: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Finding]:
    """Examine a model, one finding at a time; what cannot be asked further ends it.

    `budget` is what batches may take in memory, and `installed` what the machine has, in bytes.
    """
    try:
        if model.info.family is Family.BASELINE:
            yield _baseline(cast(Baseline, model))
            return
        asked = cast(LanguageModel, model)
        yield _context(model.info)
        yield _memory(model.info, budget, installed)
        yield from examine_tokenizer(asked)
        for finding in examine_answers(asked):
            yield finding
            if finding.check == "numbers" and finding.verdict is Health.FAILURE:
                return
        yield _way(asked)
        yield _speed(asked, clock)
    except LibraryError as error:
        yield failure(FOREIGN, str(error), _MEND)
    except HorsesenseError as error:
        yield failure("asking", str(error), _MEND)


def _baseline(model: Baseline) -> Finding:
    """A baseline knows no language; but one that prefers nothing has no accuracy."""
    posed = [problem for schema in _CHOICES for problem in problems(parse_grid(schema))]
    if all(len(set(model.costs(problem))) == 1 for problem in posed):
        return failure(
            "choice",
            "every option gets the same score, so that every outcome is undecided",
            "that is what it is for; for a baseline with an accuracy take random or first",
        )
    return ok("choice", "a baseline: it has no tokens to examine, and knows no language")


def _context(declared: ModelInfo) -> Finding:
    if declared.context is None:
        return ok("context", "reads texts of any length")
    seen = f"reads at most {declared.context} tokens"
    if declared.context < _SHORT_CONTEXT:
        return warning("context", seen, "longer sentences are refused")
    return ok("context", seen)


def _memory(declared: ModelInfo, budget: int, installed: int | None) -> Finding:
    weights = declared.parameters * _bytes_of(declared.dtype)
    seen = f"{weights / GIB:.2f} GiB of weights and up to {budget / GIB:.2f} GiB for batches"
    if installed is None or declared.device != "cpu":
        return ok("memory", seen)
    seen += f"; this machine has {installed / GIB:.1f} GiB"
    if weights + budget > installed:
        return warning("memory", seen, "lower --memory, or take a smaller model")
    return ok("memory", seen)


def _bytes_of(dtype: str) -> int:
    """The size of a number of that type.

    >>> _bytes_of("float32"), _bytes_of("bfloat16")
    (4, 2)
    """
    bits = re.search(r"\d+", dtype)
    return int(bits[0]) // 8 if bits else 4


def _way(model: LanguageModel) -> Finding:
    way, why = model.batching, model.fallback_reason
    seen = {
        "tree": "sentences that begin alike share what they have in common",
        "packed": "several sentences in a row, without padding",
        "plain": "sentences side by side, padded",
    }.get(way, way or "not told")
    return ok("way of asking", f"{way}: {seen}" + (f" ({why})" if why else ""))


def _speed(model: LanguageModel, clock: Callable[[], float]) -> Finding:
    """How long a thousand sentences take, by the largest batch of them that takes a second."""
    number, seconds = 4, 0.0
    while seconds < 1 and number <= _SENTENCES:
        number *= 2
        asked = list(islice(_sentences(model), number))
        started = clock()
        for _ in model.answer(asked):
            pass
        seconds = clock() - started
    return ok(
        "speed",
        f"about {seconds / number * _SENTENCES:,.0f} s for {_SENTENCES:,} sentences"
        f" of {_LENGTH} tokens",
    )


def _sentences(model: LanguageModel) -> Iterator[Query]:
    """As many different sentences of that length as anybody wants."""
    texts = " ".join(problems(parse_grid(canary))[0].sentences[0].text for canary in CANARIES)
    ids = model.tokenize(texts, specials=False).ids
    declared = model.info
    while True:
        for stride in range(1, len(ids)):
            for start in range(len(ids)):
                taken = tuple(ids[(start + stride * at) % len(ids)] for at in range(_LENGTH))
                read = (*declared.before, *taken, *declared.after)
                yield _query(declared.family, read, len(declared.before))


def _query(family: Family, read: tuple[int, ...], start: int) -> Query:
    match family:
        case Family.MASKED:
            return single_mask_query(read, tuple(range(start, start + _LENGTH)))
        case Family.SEQ2SEQ:
            return spans_query(read, read[:_LABEL])
        case _:
            return causal_query(read)
