"""The weights of a model: find the files, check that they are complete, and load them.

The files are checked without torch, so that damage is reported before anything is loaded.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from horsesense.errors import LibraryError, ModelError
from horsesense.models.huggingface.libraries import reason, transformers_quietly
from horsesense.models.protocol import Family, ModelInfo

SAFE, SAFE_INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLE, PICKLE_INDEX = "pytorch_model.bin", "pytorch_model.bin.index.json"
# The limit of the safetensors library.
_LONGEST_HEADER = 100_000_000
# Some published files contain computed tables among the parameters.
_NOT_PARAMETERS = (".attn.bias", ".attn.masked_bias", ".position_ids", ".inv_freq")


def find_weights(folder: Path, *, allow_pickle: bool = False) -> tuple[Path, ...]:
    """Return the weight files of a model folder that transformers would load, sorted by name."""
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
            "convert it to safetensors, or use --allow-pickle if you trust its source"
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
    """Count the parameters; raise an error if a file is incomplete."""
    return sum(map(_parameters, paths))


def _parameters(path: Path) -> int:
    if path.suffix != ".safetensors":
        return _pickled_parameters(path)
    tensors = _header(path)
    return sum(math.prod(tensor["shape"]) for name, tensor in tensors.items() if _is_learned(name))


def _is_learned(name: str) -> bool:
    return not name.endswith(_NOT_PARAMETERS)


def _header(path: Path) -> dict[str, Any]:
    """Return the header of a safetensors file by tensor name."""
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
        raise ModelError(f"{path} is damaged or not a safetensors file; fetch it again") from error
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
            f"{path} contains more than weights, or is damaged; do not trust it, or fetch it again"
        ) from error


_SHOWN_KEYS = 4
_CLASSES = {
    Family.CAUSAL: "AutoModelForCausalLM",
    Family.MASKED: "AutoModelForMaskedLM",
    Family.SEQ2SEQ: "AutoModelForSeq2SeqLM",
}


def load_network(folder: Path, info: ModelInfo, *, is_pickle: bool = False) -> Any:
    """Load a network onto its device, in evaluation mode."""
    with transformers_quietly() as transformers:
        import torch

        _check_device(info.device, torch)
        network, loading_info = _load(transformers, folder, info, is_pickle)
        _check_keys(folder, loading_info)
        try:
            network = network.to(info.device).eval()
        except RuntimeError as error:
            raise ModelError(
                f"{info.name} does not fit on {info.device}: {reason(error)}; try --device cpu"
            ) from error
        _check_numbers(folder, info, network)
    return network


def _load(transformers: Any, folder: Path, info: ModelInfo, is_pickle: bool) -> Any:
    """Load a network, with fast attention if the architecture supports it."""
    model_class = getattr(transformers, _CLASSES[info.family])
    failures: list[Exception] = []
    for attention in ("sdpa", "eager"):
        try:
            return model_class.from_pretrained(
                str(folder),
                dtype=info.dtype,
                attn_implementation=attention,
                local_files_only=True,
                use_safetensors=not is_pickle,
                trust_remote_code=False,
                ignore_mismatched_sizes=True,  # `_check_keys` reports them by name
                output_loading_info=True,
            )
        except Exception as error:  # the library raises whatever its parts raise
            failures.append(error)
            if not _is_about_attention(error):
                break
    raise LibraryError(
        f"the weights in {folder} cannot be loaded: {reason(failures[-1])}\n"
        "  fetch the model again, or save it again with a recent transformers"
    ) from failures[-1]


def _is_about_attention(error: Exception) -> bool:
    message = str(error)
    return "scaled_dot_product_attention" in message or "attn_implementation" in message


def _check_device(device: str, torch: Any) -> None:
    kind, _, number = device.partition(":")
    available = {"cpu": 1, "cuda": torch.cuda.device_count()}
    available["mps"] = int(torch.backends.mps.is_available())
    if int(number or 0) >= available.get(kind, 0):
        present = ", ".join(name for name, count in available.items() if count)
        raise ModelError(f"there is no device {device!r} here; available: {present}")


def _check_keys(folder: Path, loading_info: dict[str, Any]) -> None:
    """Raise an error for missing weights, which transformers would initialize at random."""
    if missing := sorted(loading_info["missing_keys"]):
        raise ModelError(
            f"the weights in {folder} are incomplete: {_listed(missing)} missing\n"
            "  it may have been saved without its head, or for another task; "
            "use the complete model"
        )
    if misfits := sorted(key for key, *_ in loading_info["mismatched_keys"]):
        raise ModelError(
            f"the weights in {folder} do not fit its config.json: {_listed(misfits)}; "
            "fetch the config.json that belongs to them"
        )


def _check_numbers(folder: Path, info: ModelInfo, network: Any) -> None:
    bad = [name for name, tensor in network.named_parameters() if not _is_finite(tensor)]
    if not bad:
        return
    if info.dtype == "float16":
        remedy = "they may be too large for float16; try --dtype float32"
    else:
        remedy = "the training may have failed, or the file is damaged; fetch it again"
    raise ModelError(f"the weights in {folder} hold NaN or infinity: {_listed(bad)}\n  {remedy}")


def _is_finite(tensor: Any) -> bool:
    """Check for NaN and infinity in one pass without a copy; NaN shows in the extremes."""
    if not tensor.is_floating_point() or not tensor.numel():
        return True
    lowest, highest = tensor.detach().aminmax()
    return bool(lowest.isfinite() and highest.isfinite())


def _listed(keys: Sequence[str]) -> str:
    more = f" and {len(keys) - _SHOWN_KEYS} more" if len(keys) > _SHOWN_KEYS else ""
    return ", ".join(keys[:_SHOWN_KEYS]) + more
