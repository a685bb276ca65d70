"""Ask llama.cpp's own server for log-likelihoods with lm-evaluation-harness, for comparison.

    python -m bench.peer_llama_cpp URL NAME TOKENIZER

Run it with the Python of the peers' environment. It prints a line of JSON: what each of the
harness' classes for such servers returns for two continuations, or how it fails. `hf` is the same
model without a server.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

REQUESTS = (
    ("The ladder does not reach the attic because the", " ladder is too short."),
    ("The ladder does not reach the attic because the", " elk is green."),
)


def main(url: str, name: str, tokenizer: str) -> None:
    """Print what the classes return."""
    instance = import_module("lm_eval.api.instance").Instance
    requests = [
        instance("loglikelihood", doc={}, arguments=pair, idx=number)
        for number, pair in enumerate(REQUESTS)
    ]

    def hf() -> Any:
        model = import_module("lm_eval.models.huggingface").HFLM
        return model(pretrained=tokenizer, device="cpu", dtype="float32", batch_size=1)

    def gguf() -> Any:
        return import_module("lm_eval.models.gguf").GGUFLM(base_url=url)

    def local_completions() -> Any:
        completions = import_module("lm_eval.models.openai_completions")
        return completions.LocalCompletionsAPI(
            model=name,
            base_url=f"{url}/v1/completions",
            tokenizer=tokenizer,
            tokenizer_backend="huggingface",
        )

    classes: dict[str, Callable[[], Any]] = {
        "hf": hf,
        "gguf": gguf,
        "local-completions": local_completions,
    }
    print(json.dumps({name: _result(make, requests) for name, make in classes.items()}))


def _result(make: Callable[[], Any], requests: list[Any]) -> Any:
    try:
        return make().loglikelihood(requests)
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:300]}"


if __name__ == "__main__":
    main(*sys.argv[1:])
