"""The files that hold a model's weights: which they are, whether they are whole, how much is in.

Read without torch, so that a damaged file is told before anything is loaded.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from horsesense.errors import ModelError

SAFE, SAFE_INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLE, PICKLE_INDEX = "pytorch_model.bin", "pytorch_model.bin.index.json"
# The same limit that the safetensors library has.
_LONGEST_HEADER = 100_000_000
# Some published files hold tables that are computed, not learned, among the parameters.
_NOT_PARAMETERS = (".attn.bias", ".attn.masked_bias", ".position_ids", ".inv_freq")


def find_weights(folder: Path, *, allow_pickle: bool = False) -> tuple[Path, ...]:
    """The weight files of a model folder, by name: those that transformers would load."""
    if (folder / "adapter_config.json").is_file():
        raise ModelError(f"{folder} holds an adapter; merge it into its base model and save that")
    if any(folder.glob("*.distcp")):
        raise ModelError(f"{folder} holds parts of a training run; save the model as safetensors")
    if (folder / SAFE).is_file():
        return (folder / SAFE,)
    if (folder / SAFE_INDEX).is_file():
        return _shards(folder / SAFE_INDEX)
    has_pickle = (folder / PICKLE).is_file() or (folder / PICKLE_INDEX).is_file()
    if not has_pickle:
        raise ModelError(_without_weights(folder))
    if not allow_pickle:
        raise ModelError(
            f"{folder} holds its weights as pickle, which can run code when it is read; "
            "convert it to safetensors, or use --allow-pickle if you trust where it is from"
        )
    return (folder / PICKLE,) if (folder / PICKLE).is_file() else _shards(folder / PICKLE_INDEX)


def _without_weights(folder: Path) -> str:
    if gguf := next(folder.glob("*.gguf"), None):
        return f"{folder} holds no {SAFE}; give its GGUF file itself: {gguf}"
    return f"{folder} holds no weights; a model folder has a {SAFE} beside its config.json"


def _shards(index: Path) -> tuple[Path, ...]:
    try:
        names = sorted(set(json.loads(index.read_bytes())["weight_map"].values()))
        shards = tuple(index.parent / name for name in names)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{index} is damaged; fetch it again") from error
    for shard in shards:
        if shard.parent != index.parent:
            raise ModelError(f"{index} names {shard.name!r} outside of its folder; do not trust it")
        if not shard.is_file():
            raise ModelError(f"{shard} is missing, and {index.name} needs it; fetch it again")
    return shards


def count_parameters(paths: Sequence[Path]) -> int:
    """How many numbers the weights are; fails if a file is not whole."""
    return sum(map(_parameters, paths))


def _parameters(path: Path) -> int:
    if path.suffix != ".safetensors":
        return _pickled_parameters(path)
    tensors = _header(path)
    return sum(math.prod(tensor["shape"]) for name, tensor in tensors.items() if _is_learned(name))


def _is_learned(name: str) -> bool:
    return not name.endswith(_NOT_PARAMETERS)


def _header(path: Path) -> dict[str, Any]:
    """What is in a safetensors file, by the names of the tensors."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        content = stream.read(length) if length <= min(size, _LONGEST_HEADER) else b""
    try:
        tensors = json.loads(content)
        tensors.pop("__metadata__", None)
        end = max((tensor["data_offsets"][1] for tensor in tensors.values()), default=0)
        shapes_are_right = all(min(t["shape"], default=0) >= 0 for t in tensors.values())
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise ModelError(f"{path} is no safetensors file, or damaged; fetch it again") from error
    if not shapes_are_right or size != 8 + length + end:
        whole = f"it has {size:,} bytes and should have {8 + length + end:,}"
        raise ModelError(f"{path} is damaged: {whole}; fetch it again")
    return dict(tensors)


def _pickled_parameters(path: Path) -> int:
    import torch

    try:
        tensors = torch.load(path, map_location="meta", weights_only=True)
        return sum(tensor.numel() for name, tensor in tensors.items() if _is_learned(name))
    except Exception as error:  # whatever a pickle can hold
        raise ModelError(
            f"{path} cannot be read as weights and nothing else; do not trust it, or fetch it again"
        ) from error
