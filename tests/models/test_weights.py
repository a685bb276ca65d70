"""Weights that are not as they should be: nothing wrong gets as far as an answer."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import ModelError, UnknownNameError
from horsesense.models import load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.models.conftest import Folders

pytestmark = pytest.mark.usefixtures("model_cache", "no_network")


def network(folder: Path, **options: Any) -> Any:
    model = load_model(str(folder), **options)
    assert isinstance(model, HuggingFaceModel)
    return model.load_network()


def spoil(folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Change the tensors of a model and save them again."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path, {"format": "pt"})
    return folder


def pickled(folder: Path) -> Path:
    """The same model with its weights as pickle."""
    import torch
    from safetensors.torch import load_file

    safe = folder / "model.safetensors"
    torch.save(load_file(safe), folder / "pytorch_model.bin")
    safe.unlink()
    return folder


def put(name: str, value: float) -> Callable[[dict[str, Any]], None]:
    def change(tensors: dict[str, Any]) -> None:
        tensors[name].view(-1)[5] = value

    return change


WORDS = "bert.embeddings.word_embeddings.weight"


@pytest.mark.parametrize("name", ["gpt2", "bert", "t5", "deberta-v2", "bloom"])
def test_a_sound_model_is_loaded_in_float32_ready_to_be_asked(
    name: str, kept_folders: Folders
) -> None:
    loaded = network(kept_folders(name))
    counted = load_model(str(kept_folders(name))).info.parameters
    assert counted == sum(tensor.numel() for tensor in loaded.parameters())
    assert not loaded.training
    assert {str(tensor.dtype) for tensor in loaded.parameters()} == {"torch.float32"}


def test_attention_is_the_quick_one_where_the_architecture_has_it(kept_folders: Folders) -> None:
    assert network(kept_folders("bert")).config._attn_implementation == "sdpa"
    assert network(kept_folders("deberta-v2")).config._attn_implementation == "eager"


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64"])
def test_another_dtype_is_the_one_that_is_loaded(dtype: str, kept_folders: Folders) -> None:
    loaded = network(kept_folders("bert"), dtype=dtype)
    assert {str(tensor.dtype) for tensor in loaded.parameters()} == {f"torch.{dtype}"}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_one_number_that_is_none_is_enough(value: float, own_folder: Folders) -> None:
    folder = spoil(own_folder("bert"), put(WORDS, value))
    with pytest.raises(ModelError, match=f"hold NaN or infinity: {WORDS}"):
        network(folder)


def test_numbers_too_large_for_a_dtype_are_told_as_such(own_folder: Folders) -> None:
    folder = spoil(own_folder("bert"), put(WORDS, 1e6))
    with pytest.raises(ModelError, match="too large for float16; try --dtype float32"):
        network(folder, dtype="float16")
    assert network(folder)


def test_a_missing_head_is_named(own_folder: Folders) -> None:
    def behead(tensors: dict[str, Any]) -> None:
        for name in [name for name in tensors if name.startswith("cls.")]:
            del tensors[name]

    with pytest.raises(
        ModelError, match=r"incomplete: cls\.predictions\.bias, .* and 2 more missing"
    ):
        network(spoil(own_folder("bert"), behead))


def test_a_missing_layer_is_named(own_folder: Folders) -> None:
    name = "bert.encoder.layer.1.output.dense.bias"
    with pytest.raises(ModelError, match=f"incomplete: {name} missing"):
        network(spoil(own_folder("bert"), lambda tensors: tensors.pop(name)))


def test_weights_of_another_size_are_named(own_folder: Folders) -> None:
    name = "bert.encoder.layer.1.intermediate.dense.bias"

    def cut(tensors: dict[str, Any]) -> None:
        tensors[name] = tensors[name][:-1].clone()

    with pytest.raises(ModelError, match=f"do not fit its config.json: {name}"):
        network(spoil(own_folder("bert"), cut))


def test_a_file_that_is_cut_off_is_told_before_anything_is_loaded(own_folder: Folders) -> None:
    folder = own_folder("bert")
    os.truncate(folder / "model.safetensors", 4_000_000)
    with pytest.raises(ModelError, match=r"model\.safetensors is damaged: it has 4,000,000 bytes"):
        load_model(str(folder))


def test_pickled_weights_are_refused_and_loaded_for_those_who_insist(own_folder: Folders) -> None:
    folder = pickled(own_folder("bert"))
    with pytest.raises(ModelError, match="--allow-pickle"):
        load_model(str(folder))
    loaded = network(folder, allow_pickle=True)
    counted = load_model(str(folder), allow_pickle=True).info.parameters
    assert counted == sum(tensor.numel() for tensor in loaded.parameters())
    with pytest.raises(ModelError, match="--allow-pickle"):
        load_model(str(folder))


def test_a_pickle_that_would_run_a_program_runs_none(own_folder: Folders, tmp_path: Path) -> None:
    import torch

    folder, trace = pickled(own_folder("bert")), tmp_path / "trace"

    class Burglar:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (trace,))

    torch.save({"x": Burglar()}, folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="contains more than weights, or is damaged"):
        load_model(str(folder), allow_pickle=True)
    assert not trace.exists()


def test_a_device_that_is_not_there_is_told_with_those_that_are(kept_folders: Folders) -> None:
    with pytest.raises(ModelError, match="no device 'cuda:99' here; available: cpu"):
        network(kept_folders("bert"), device="cuda:99")


@pytest.mark.parametrize("device", ["tpu", "cuda:x", "", "CPU"])
def test_what_is_no_device_is_told_at_once(device: str, kept_folders: Folders) -> None:
    with pytest.raises(ModelError, match="is not a valid device; give cpu, cuda"):
        load_model(str(kept_folders("bert")), device=device)


def test_a_dtype_has_a_name_that_is_known(kept_folders: Folders) -> None:
    with pytest.raises(UnknownNameError, match="did you mean float32"):
        load_model(str(kept_folders("bert")), dtype="flaot32")


def test_loading_says_nothing_and_leaves_the_library_as_it_was(
    own_folder: Folders, capfd: pytest.CaptureFixture[str]
) -> None:
    from transformers.utils import logging

    def add(tensors: dict[str, Any]) -> None:
        tensors["extra"] = tensors[WORDS][:2].clone()

    folder = spoil(own_folder("bert"), add)
    before = logging.get_verbosity(), logging.is_progress_bar_enabled(), warnings.filters[:]
    capfd.readouterr()
    assert network(folder)
    assert capfd.readouterr() == ("", "")
    after = logging.get_verbosity(), logging.is_progress_bar_enabled(), warnings.filters[:]
    assert after == before and logging.set_tqdm_hook(None) is None
