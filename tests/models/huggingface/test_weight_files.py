from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from horsesense.errors import ModelError
from horsesense.models.huggingface.weights import (
    PICKLE,
    SAFE,
    SAFE_INDEX,
    count_parameters,
    find_weights,
)


def safetensors(path: Path, **shapes: list[int]) -> Path:
    """A file in the format, with zeros for numbers of one byte."""
    header, end = {}, 0
    for name, shape in shapes.items():
        size = 1
        for length in shape:
            size *= length
        header[name.replace("__", ".")] = {
            "dtype": "U8",
            "shape": shape,
            "data_offsets": [end, end + size],
        }
        end += size
    content = json.dumps(header).encode()
    path.write_bytes(len(content).to_bytes(8, "little") + content + bytes(end))
    return path


def write_index(folder: Path, *shards: str) -> None:
    weight_map = {f"tensor{number}": shard for number, shard in enumerate(shards)}
    (folder / SAFE_INDEX).write_text(json.dumps({"weight_map": weight_map}))


def test_parameters_are_counted_without_what_is_computed(tmp_path: Path) -> None:
    path = safetensors(tmp_path / SAFE, a=[2, 3], b=[], h__0__attn__bias=[1, 1, 4, 4])
    assert count_parameters([path]) == 7


def test_a_single_file_is_taken_before_an_index(tmp_path: Path) -> None:
    write_index(tmp_path, "part.safetensors")
    (tmp_path / SAFE).touch()
    assert find_weights(tmp_path) == (tmp_path / SAFE,)


def test_the_files_of_an_index_are_ordered_by_name(tmp_path: Path) -> None:
    for name in ("b.safetensors", "a.safetensors"):
        safetensors(tmp_path / name, x=[2])
    write_index(tmp_path, "b.safetensors", "a.safetensors", "b.safetensors")
    found = find_weights(tmp_path)
    assert [path.name for path in found] == ["a.safetensors", "b.safetensors"]
    assert count_parameters(found) == 4


def test_a_missing_file_of_an_index_is_named(tmp_path: Path) -> None:
    write_index(tmp_path, "part.safetensors")
    with pytest.raises(ModelError, match="part.safetensors is missing"):
        find_weights(tmp_path)


def test_an_index_cannot_point_out_of_its_folder(tmp_path: Path) -> None:
    write_index(tmp_path, "../other.safetensors")
    with pytest.raises(ModelError, match="outside of its folder"):
        find_weights(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"weight_map": {"a": 3}}'])
def test_an_index_that_is_none_is_damaged(tmp_path: Path, content: str) -> None:
    (tmp_path / SAFE_INDEX).write_text(content)
    with pytest.raises(ModelError, match="is damaged; fetch it again"):
        find_weights(tmp_path)


def test_a_folder_without_weights_is_told_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="holds no weights; a model folder has a model.safetens"):
        find_weights(tmp_path)


def test_a_folder_with_a_gguf_file_is_told_to_give_that(tmp_path: Path) -> None:
    (tmp_path / "owl.gguf").touch()
    with pytest.raises(ModelError, match="give its GGUF file itself: .*owl.gguf"):
        find_weights(tmp_path)


@pytest.mark.parametrize(
    ("name", "said"),
    [("adapter_config.json", "holds an adapter"), ("x.distcp", "parts of a training run")],
)
def test_what_would_be_loaded_beside_the_weights_is_refused(
    tmp_path: Path, name: str, said: str
) -> None:
    (tmp_path / SAFE).touch()
    (tmp_path / name).touch()
    with pytest.raises(ModelError, match=said):
        find_weights(tmp_path)


def test_pickle_is_for_those_who_insist(tmp_path: Path) -> None:
    (tmp_path / PICKLE).touch()
    with pytest.raises(ModelError, match="use --allow-pickle if you trust"):
        find_weights(tmp_path)
    assert find_weights(tmp_path, allow_pickle=True) == (tmp_path / PICKLE,)


@pytest.mark.parametrize("content", [b"", b"x" * 100, bytes(8), b"\2" + bytes(7) + b"[]"])
def test_what_is_no_safetensors_file_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / SAFE).write_bytes(content)
    with pytest.raises(ModelError, match="is damaged or not a safetensors file; fetch it again"):
        count_parameters([tmp_path / SAFE])


def test_a_file_that_was_cut_off_says_by_how_much(tmp_path: Path) -> None:
    path = safetensors(tmp_path / SAFE, x=[1000])
    whole = path.stat().st_size
    os.truncate(path, whole - 10)
    with pytest.raises(ModelError, match=f"it has {whole - 10:,} bytes and should have {whole:,}"):
        count_parameters([path])


def test_shapes_below_nothing_are_damage(tmp_path: Path) -> None:
    path = safetensors(tmp_path / SAFE, x=[-1, -1])
    with pytest.raises(ModelError, match="damaged"):
        count_parameters([path])
