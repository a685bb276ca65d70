"""Make a model of the size of RoBERTa-base with seeded weights, and the tokenizer of the real one.

What a model has learned does not affect its speed.
"""

from __future__ import annotations

import json
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

_SPECIALS = {
    "bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>",
    "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>",
}  # fmt: skip
_FIND = "from importlib.util import find_spec; print(find_spec('llm_detector').origin)"


def save_roberta_base(folder: Path, peers: str) -> None:
    """Make and save the model; its tokenizer comes from a package of the peers' environment."""
    transformers: Any = import_module("transformers")
    import_module("torch").manual_seed(266)
    # RobertaConfig defaults to the sizes of RoBERTa-base, except for the two embeddings.
    config = transformers.RobertaConfig(
        vocab_size=50265, max_position_embeddings=514, type_vocab_size=1
    )
    transformers.RobertaForMaskedLM(config).eval().save_pretrained(folder)
    located = subprocess.run([peers, "-c", _FIND], capture_output=True, text=True, check=True)
    assets = Path(located.stdout.strip()).parent / "assets" / "tokenizers"
    content = json.loads((assets / "roberta_base_tokenizer.json").read_text(encoding="utf-8"))
    content["truncation"] = content["padding"] = None  # set by the package
    (folder / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", **_SPECIALS}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
