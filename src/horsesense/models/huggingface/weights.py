"""Loading the weights of a model, and making sure that all of them are there and are numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from horsesense.errors import LibraryError, ModelError
from horsesense.models.family import Family
from horsesense.models.huggingface.files.libraries import reason, transformers_quietly
from horsesense.models.info import ModelInfo

_SHOWN_KEYS = 4
_CLASSES = {
    Family.CAUSAL: "AutoModelForCausalLM",
    Family.MASKED: "AutoModelForMaskedLM",
    Family.SEQ2SEQ: "AutoModelForSeq2SeqLM",
}


def load_network(folder: Path, declaration: ModelInfo, *, is_pickle: bool = False) -> Any:
    """The model as torch computes it, on its device and ready to be asked."""
    with transformers_quietly() as transformers:
        import torch

        _check_device(declaration.device, torch)
        network, info = _load(transformers, folder, declaration, is_pickle)
        _check_keys(folder, info)
        try:
            network = network.to(declaration.device).eval()
        except RuntimeError as error:
            raise ModelError(
                f"{declaration.name} does not fit on {declaration.device}: "
                f"{reason(error)}; try --device cpu"
            ) from error
        _check_numbers(folder, declaration, network)
    return network


def _load(transformers: Any, folder: Path, declaration: ModelInfo, is_pickle: bool) -> Any:
    """The model, with the attention that is quick where the architecture has it."""
    model_class = getattr(transformers, _CLASSES[declaration.family])
    failures: list[Exception] = []
    for attention in ("sdpa", "eager"):
        try:
            return model_class.from_pretrained(
                str(folder),
                dtype=declaration.dtype,
                attn_implementation=attention,
                local_files_only=True,
                use_safetensors=not is_pickle,
                trust_remote_code=False,
                ignore_mismatched_sizes=True,  # they are told below, with their names
                output_loading_info=True,
            )
        except Exception as error:  # the library raises whatever its parts raise
            failures.append(error)
            if not _is_about_attention(error):
                break
    raise LibraryError(
        f"the weights in {folder} cannot be loaded: {reason(failures[-1])}\n"
        "  fetch the model again, or save it anew with a recent transformers"
    ) from failures[-1]


def _is_about_attention(error: Exception) -> bool:
    said = str(error)
    return "scaled_dot_product_attention" in said or "attn_implementation" in said


def _check_device(device: str, torch: Any) -> None:
    kind, _, number = device.partition(":")
    available = {"cpu": 1, "cuda": torch.cuda.device_count()}
    available["mps"] = int(torch.backends.mps.is_available())
    if int(number or 0) >= available.get(kind, 0):
        there = ", ".join(name for name, count in available.items() if count)
        raise ModelError(f"there is no device {device!r} here; available: {there}")


def _check_keys(folder: Path, info: dict[str, Any]) -> None:
    """What is missing would have been made up at random."""
    if missing := sorted(info["missing_keys"]):
        raise ModelError(
            f"the weights in {folder} are not whole: {_listed(missing)} missing\n"
            "  it may have been saved without its head, or for another task; "
            "use the whole model"
        )
    if misfits := sorted(key for key, *_ in info["mismatched_keys"]):
        raise ModelError(
            f"the weights in {folder} do not fit its config.json: {_listed(misfits)}; "
            "fetch the config.json that belongs to them"
        )


def _check_numbers(folder: Path, declaration: ModelInfo, network: Any) -> None:
    bad = [name for name, tensor in network.named_parameters() if not _is_finite(tensor)]
    if not bad:
        return
    if declaration.dtype == "float16":
        remedy = "they may be too large for float16; try --dtype float32"
    else:
        remedy = "the training may have failed, or the file is damaged; fetch it again"
    raise ModelError(f"the weights in {folder} hold NaN or infinity: {_listed(bad)}\n  {remedy}")


def _is_finite(tensor: Any) -> bool:
    """One pass and no copy: the extremes of what holds NaN are NaN."""
    if not tensor.is_floating_point() or not tensor.numel():
        return True
    lowest, highest = tensor.detach().aminmax()
    return bool(lowest.isfinite() and highest.isfinite())


def _listed(keys: Sequence[str]) -> str:
    more = f" and {len(keys) - _SHOWN_KEYS} more" if len(keys) > _SHOWN_KEYS else ""
    return ", ".join(keys[:_SHOWN_KEYS]) + more
