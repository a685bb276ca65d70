"""A GGUF file with a very small Llama in it, written as the tools for such files write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gguf import GGUFWriter
from tokenizers.pre_tokenizers import ByteLevel

WIDTH, WIDER, LAYERS, HEADS = 32, 64, 2, 4
MERGES = ["o a", "Ġ g", "oa t", "Ġg oat"]


def write_gguf(
    path: Path, *, bos: bool | None = None, architecture: str = "llama", template: str = ""
) -> Path:
    """Write the file; `bos` is what it says about BOS, if it says anything."""
    tokens = _tokens()
    writer = GGUFWriter(str(path), architecture)
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(WIDER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3, *[1] * (len(tokens) - 2)])
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(1)
    writer.add_unk_token_id(0)
    if bos is not None:
        writer.add_add_bos_token(bos)
    if template:
        writer.add_chat_template(template)
    _add_weights(writer, len(tokens))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tokens() -> list[str]:
    merged = [merge.replace(" ", "") for merge in MERGES]
    return ["<begin>", "<end>", *sorted(ByteLevel.alphabet()), *merged]


def _add_weights(writer: GGUFWriter, vocabulary: int) -> None:
    drawn = np.random.default_rng(1250)
    shapes = {"token_embd": (vocabulary, WIDTH), "output": (vocabulary, WIDTH)}
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            shapes[f"{block}.{part}"] = (WIDTH, WIDTH)
        shapes[f"{block}.ffn_gate"] = shapes[f"{block}.ffn_up"] = (WIDER, WIDTH)
        shapes[f"{block}.ffn_down"] = (WIDTH, WIDER)
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"{block}.{norm}.weight", np.ones(WIDTH, np.float32))
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", drawn.normal(0, 0.3, shape).astype(np.float32))
