"""Small models with seeded weights and the tokenizers of real ones, for every way of reading.

They know nothing, but they are sure of something: their weights are spread wide, so that tokens
differ in probability as they do for trained models, and a number that is wrong is plainly wrong.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.tokenizer_files import tokenizer_file

SEED = 1250
SPREAD = 0.3  # of the weights when a model is made
WINDOW = 6  # tokens, of the models that look no further back
_END = "<|endoftext|>"


@dataclass(frozen=True, slots=True)
class Tiny:
    """How a small model is made: the classes of transformers, its sizes, and its tokenizer."""

    config: str
    network: str
    tokenizer: str
    sizes: dict[str, Any]
    bos: bool = False


# The names of the sizes differ from architecture to architecture.
_LLAMA_LIKE: dict[str, Any] = {
    "vocab_size": 50257,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "bos_token_id": 50256,
    "eos_token_id": 50256,
    "initializer_range": SPREAD,
}
_BERT_LIKE: dict[str, Any] = {
    "vocab_size": 30522,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 128,
    "initializer_range": SPREAD,
}
_GEMMA_LIKE: dict[str, Any] = _LLAMA_LIKE | {
    "head_dim": 8,
    "query_pre_attn_scalar": 8,
    "pad_token_id": 50256,
}
_ALTERNATING = ["sliding_attention", "full_attention", "sliding_attention"]


def _causal(family: str, network: str = "ForCausalLM", *, bos: bool = False, **sizes: Any) -> Tiny:
    return Tiny(f"{family}Config", f"{family}{network}", "gpt2", sizes, bos)


def _masked(family: str, tokenizer: str = "bert", **sizes: Any) -> Tiny:
    return Tiny(f"{family}Config", f"{family}ForMaskedLM", tokenizer, sizes)


CAUSAL = {
    "gpt2": _causal(
        "GPT2", "LMHeadModel", n_embd=32, n_layer=3, n_head=4, n_positions=256,
        initializer_range=SPREAD,
    ),
    "llama": _causal("Llama", **_LLAMA_LIKE | {"tie_word_embeddings": True}),
    "llama-bos": _causal("Llama", bos=True, **_LLAMA_LIKE),
    "opt": _causal(
        "OPT", vocab_size=50272, hidden_size=32, ffn_dim=64, num_hidden_layers=3,
        num_attention_heads=4, max_position_embeddings=256, word_embed_proj_dim=32,
        init_std=SPREAD, bos_token_id=50256, eos_token_id=50256,
    ),
    "gpt-neox": _causal(
        "GPTNeoX", **{k: v for k, v in _LLAMA_LIKE.items() if k != "num_key_value_heads"}
    ),
    "qwen2": _causal("Qwen2", **_LLAMA_LIKE),
    "mistral": _causal("Mistral", **_LLAMA_LIKE | {"sliding_window": WINDOW}),
    "gemma2": _causal(
        "Gemma2", bos=True,
        **_GEMMA_LIKE | {"sliding_window": WINDOW, "layer_types": _ALTERNATING},
    ),
    "gemma3": Tiny(
        "Gemma3TextConfig", "Gemma3ForCausalLM", "gpt2",
        _GEMMA_LIKE | {"sliding_window": WINDOW, "layer_types": _ALTERNATING}, bos=True,
    ),
    "bloom": _causal(
        "Bloom", vocab_size=50257, hidden_size=32, n_layer=3, n_head=4,
        initializer_range=SPREAD, bos_token_id=50256, eos_token_id=50256,
    ),
    "mpt": _causal(
        "Mpt", vocab_size=50257, d_model=32, n_layers=3, n_heads=4, max_seq_len=256,
        initializer_range=SPREAD,
    ),
    "gpt-neo": _causal(
        "GPTNeo", vocab_size=50257, hidden_size=32, num_layers=4, num_heads=4,
        attention_types=[[["global", "local"], 2]], window_size=WINDOW,
        max_position_embeddings=256, initializer_range=SPREAD,
    ),
    "mamba": _causal(
        "Mamba", vocab_size=50257, hidden_size=32, num_hidden_layers=3, state_size=8,
        initializer_range=SPREAD, bos_token_id=50256, eos_token_id=50256,
    ),
}  # fmt: skip
MASKED = {
    "roberta": _masked(
        "Roberta", "roberta",
        **_BERT_LIKE | {"vocab_size": 50265, "type_vocab_size": 1},
    ),
    "bert": _masked("Bert", **_BERT_LIKE),
    "albert": _masked("Albert", embedding_size=16, **_BERT_LIKE),
    "electra": _masked("Electra", embedding_size=16, **_BERT_LIKE),
    "distilbert": _masked(
        "DistilBert", vocab_size=30522, dim=32, hidden_dim=64, n_layers=3, n_heads=4,
        max_position_embeddings=128, initializer_range=SPREAD,
    ),
    "deberta-v2": _masked(
        "DebertaV2", relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=16,
        position_biased_input=False, norm_rel_ebd="layer_norm", share_att_key=True,
        type_vocab_size=0, **_BERT_LIKE,
    ),
    "modernbert": _masked(
        "ModernBert", global_attn_every_n_layers=2, local_attention=2 * WINDOW,
        pad_token_id=0, bos_token_id=101, eos_token_id=102, cls_token_id=101, sep_token_id=102,
        initializer_cutoff_factor=3.0, **_BERT_LIKE,
    ),
}  # fmt: skip
SEQ2SEQ = {
    "t5": Tiny(
        "T5Config", "T5ForConditionalGeneration", "t5",
        {
            "vocab_size": 32128, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2,
            "num_heads": 4, "initializer_factor": 1.0, "decoder_start_token_id": 0,
        },
    ),
    "t5-gated": Tiny(
        "T5Config", "T5ForConditionalGeneration", "t5",
        {
            "vocab_size": 32128, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2,
            "num_heads": 4, "initializer_factor": 1.0, "decoder_start_token_id": 0,
            "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False,
        },
    ),
}  # fmt: skip
ALL = CAUSAL | MASKED | SEQ2SEQ
# Models that transformers loads and cannot compute.
FAILING = {
    "xlnet-uni": Tiny(
        "XLNetConfig", "XLNetLMHeadModel", "t5",
        {
            "vocab_size": 32128, "d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 64,
            "attn_type": "uni", "initializer_range": SPREAD,
        },
    ),
}  # fmt: skip


def save_tiny(name: str, folder: Path) -> Path:
    """Make the model of that name, and save it with its tokenizer as a hub would serve it."""
    import torch
    import transformers

    tiny = (ALL | FAILING)[name]
    torch.manual_seed(SEED)
    with warnings.catch_warnings():
        # Some architectures are written with parts of torch that are on their way out.
        warnings.simplefilter("ignore", DeprecationWarning)
        network_class = getattr(transformers, tiny.network)
    config = getattr(transformers, tiny.config)(**tiny.sizes)
    network_class(config).eval().save_pretrained(folder)
    _save_tokenizer(tiny, folder)
    return folder


# What a hub's tokenizer_config.json says besides.
_SPECIALS: dict[str, dict[str, Any]] = {
    "gpt2": {"bos_token": _END, "eos_token": _END, "unk_token": _END},
    "roberta": {
        "bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>",
        "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>",
    },
    "bert": {
        "do_lower_case": True,
        "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]", "pad_token": "[PAD]",
        "mask_token": "[MASK]",
    },
    "t5": {
        "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>",
        "extra_special_tokens": [f"<extra_id_{number}>" for number in range(100)],
    },
}  # fmt: skip


def _save_tokenizer(tiny: Tiny, folder: Path) -> None:
    content = json.loads(tokenizer_file(tiny.tokenizer).read_text())
    # One of the packages has left its own there, which no hub would serve.
    content["truncation"] = content["padding"] = None
    if tiny.bos:
        content["post_processor"] = _bos_first(content["post_processor"])
    (folder / "tokenizer.json").write_text(json.dumps(content))
    (folder / "tokenizer_config.json").write_text(json.dumps(_tokenizer_config(tiny)))


def _tokenizer_config(tiny: Tiny) -> dict[str, Any]:
    config = dict(_SPECIALS[tiny.tokenizer])
    # An architecture with its own tokenizer need not name it, and older ones on hubs do not.
    if tiny.config.lower() != f"{tiny.tokenizer}config":
        config["tokenizer_class"] = "PreTrainedTokenizerFast"
    return config


def _bos_first(own: dict[str, Any]) -> dict[str, Any]:
    """A post-processor that puts BOS before every text, as those of Llama and Gemma do."""
    end = {"SpecialToken": {"id": _END, "type_id": 0}}
    first, second = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    template = {
        "type": "TemplateProcessing",
        "single": [end, first],
        "pair": [end, first, second],
        "special_tokens": {_END: {"id": _END, "ids": [50256], "tokens": [_END]}},
    }
    return {"type": "Sequence", "processors": [own, template]}
