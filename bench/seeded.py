"""A model of the size of RoBERTa-base with seeded weights, and the tokenizer of the real one.

What a model has learned makes no difference to how long it takes.
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
    """Make the model and save it; its tokenizer is in a package of the peers' environment."""
    transformers: Any = import_module("transformers")
    import_module("torch").manual_seed(266)
    # RobertaConfig has the sizes of RoBERTa-base but for the two embeddings.
    config = transformers.RobertaConfig(
        vocab_size=50265, max_position_embeddings=514, type_vocab_size=1
    )
    transformers.RobertaForMaskedLM(config).eval().save_pretrained(folder)
    found = subprocess.run([peers, "-c", _FIND], capture_output=True, text=True, check=True)
    assets = Path(found.stdout.strip()).parent / "assets" / "tokenizers"
    content = json.loads((assets / "roberta_base_tokenizer.json").read_text(encoding="utf-8"))
    content["truncation"] = content["padding"] = None  # the package's own
    (folder / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", **_SPECIALS}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
