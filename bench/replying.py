"""Measure how fast a chat model on this machine replies, against transformers' own `generate`.

    python -m bench.replying [--requests N] [--tokens N …] [--rounds N]

The embedded default is asked about the schemas of a built-in dataset by the protocol `letter`, in
both orders. The sides are horsesense, and `generate` with one conversation at a time and with
batches of 32, sorted by length and padded on the left. They take turns, and the best round counts.
Besides requests per second by the clock, the table has processor time, which is what to look at if
the machine is busy. A reply of `generate` that differs is counted; it can only differ where two
tokens are about as likely.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, cast

import torch

from horsesense import load_dataset
from horsesense.evaluation.inference import pose
from horsesense.models import EMBEDDED, ChatRequest, Family, load_model
from horsesense.models.huggingface.chat import HuggingFaceChat
from horsesense.scoring import find_method

DATASET, PROTOCOL, BATCH = "hs-adversarial", "letter", 32
# One by one, only every so manieth request is generated.
SPARSE = 4

Texts: TypeAlias = Mapping[ChatRequest, str]
Side: TypeAlias = Callable[[HuggingFaceChat, Sequence[ChatRequest]], Texts]


def main() -> None:
    """Print a row for each side and length of replies."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=160)
    parser.add_argument("--tokens", type=int, nargs="+", default=[1, 8, 20])
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    model = cast(HuggingFaceChat, load_model(f"chat:{EMBEDDED}"))
    print("| Tokens | Side | Requests a second | CPU ms each | Ratio | Different |")
    print("|---:|---|---:|---:|---:|---:|")
    for tokens in options.tokens:
        requests = _requests(options.requests, tokens)
        _compare(model, requests, tokens, options.rounds)


def _requests(count: int, tokens: int) -> list[ChatRequest]:
    asks = find_method(PROTOCOL, Family.CHAT).asks
    assert asks is not None
    questions = (q for problem in pose(load_dataset(DATASET)).problems for q in asks(problem))
    distinct = dict.fromkeys(question.request for question in questions)
    return [replace(request, max_tokens=tokens) for request in list(distinct)[:count]]


def _compare(
    model: HuggingFaceChat, requests: Sequence[ChatRequest], tokens: int, rounds: int
) -> None:
    sides: dict[str, tuple[Side, Sequence[ChatRequest]]] = {
        "horsesense": (_ours, requests),
        f"generate, batches of {BATCH}": (_generate(BATCH), requests),
        "generate, one by one": (_generate(1), requests[::SPARSE]),
    }
    best: dict[str, tuple[float, float]] = {}
    texts: dict[str, Texts] = {}
    _ours(model, requests[:2])
    for _ in range(rounds):
        for name, (side, asked) in sides.items():
            started, cpu = time.perf_counter(), time.process_time()
            texts[name] = side(model, asked)
            seconds = (time.perf_counter() - started) / len(asked)
            spent = (time.process_time() - cpu) / len(asked)
            earlier = best.get(name, (seconds, spent))
            best[name] = min(seconds, earlier[0]), min(spent, earlier[1])
    ours = texts["horsesense"]
    for name, (seconds, spent) in best.items():
        different = sum(text != ours[request] for request, text in texts[name].items())
        ratio = spent / best["horsesense"][1]
        numbers = f"{1 / seconds:.1f} | {spent * 1e3:.0f} | {ratio:.1f} | {different}"
        print(f"| {tokens} | {name} | {numbers} |", flush=True)


def _ours(model: HuggingFaceChat, requests: Sequence[ChatRequest]) -> Texts:
    return {request: reply.text for batch in model.ask(requests) for request, reply in batch}


def _generate(size: int) -> Side:
    """Return a side that generates replies in batches of that size."""

    def side(model: HuggingFaceChat, requests: Sequence[ChatRequest]) -> Texts:
        prompts = {request: model.prompt_ids(request.messages) for request in requests}
        ordered = sorted(requests, key=lambda request: len(prompts[request]))
        texts: dict[ChatRequest, str] = {}
        for start in range(0, len(ordered), size):
            batch = ordered[start : start + size]
            replies = _batch(model, [prompts[each] for each in batch], batch[0].max_tokens)
            texts.update(zip(batch, replies, strict=True))
        return texts

    return side


def _batch(model: HuggingFaceChat, prompts: Sequence[tuple[int, ...]], tokens: int) -> list[str]:
    longest, pad = max(map(len, prompts)), model.info.pad or 0
    ids = [[pad] * (longest - len(prompt)) + list(prompt) for prompt in prompts]
    mask = [[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts]
    with torch.inference_mode():
        output = model.engine.network.generate(
            torch.tensor(ids),
            attention_mask=torch.tensor(mask),
            max_new_tokens=tokens,
            do_sample=False,
            pad_token_id=pad,
            eos_token_id=sorted(model.stops),
        )
    return [model.decode(row[longest:].tolist()) for row in output]


if __name__ == "__main__":
    main()
