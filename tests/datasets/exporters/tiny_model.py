"""A tiny language model for lm-eval, and what it says of some texts, computed one by one.

Run with the Python of the peers' own environment, which has lm-eval and torch:
`python tiny_model.py FOLDER < requests.json`. The requests are pairs of a context, empty or not,
and what follows it; the answers are the summed log-probabilities of what follows.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

END_OF_TEXT = "<|endoftext|>"


def main() -> None:
    """Save the model in the folder, and answer the requests on the standard input."""
    # As Any: what they return is checked by the tests, not by its types.
    torch: Any = import_module("torch")
    transformers: Any = import_module("transformers")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(_tokenizer_file()), bos_token=END_OF_TEXT, eos_token=END_OF_TEXT
    )
    torch.manual_seed(250)
    # Weights as wide as these make a model that is sure of something, and wrong as often as not.
    config = transformers.GPT2Config(
        n_embd=32, n_layer=2, n_head=2, n_positions=128, initializer_range=0.3
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    model.save_pretrained(sys.argv[1])
    tokenizer.save_pretrained(sys.argv[1])
    answers = [_score(torch, model, tokenizer, *request) for request in json.load(sys.stdin)]
    json.dump(answers, sys.stdout)


def _tokenizer_file() -> Path:
    """GPT-2's, which comes with a package that is not imported: it would import much else."""
    spec = find_spec("llm_detector")
    assert spec is not None and spec.origin is not None, "llm-detector is not installed"
    return Path(spec.origin).parent / "assets" / "tokenizers" / "gpt2_tokenizer.json"


def _score(torch: Any, model: Any, tokenizer: Any, context: str, following: str) -> float:
    before = tokenizer.encode(context) if context else [tokenizer.bos_token_id]
    whole = tokenizer.encode(context + following)
    tokens = whole if context else before + whole
    assert tokens[: len(before)] == before, "the seam has merged with its neighbours"
    with torch.no_grad():
        logits = model(torch.tensor([tokens])).logits[0].double()
    rows = torch.log_softmax(logits, dim=-1)
    return float(sum(rows[place - 1, tokens[place]] for place in range(len(before), len(tokens))))


if __name__ == "__main__":
    main()
