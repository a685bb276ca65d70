from __future__ import annotations

from pathlib import Path

import pytest

from horsesense.errors import ModelError, UnknownNameError
from horsesense.models import EMBEDDED, cache_folder
from horsesense.models.huggingface.provider import (
    EmbeddedName,
    GgufFile,
    HubName,
    ModelFolder,
    locate,
)


def test_a_folder_that_is_there_is_a_folder_and_not_a_name_of_the_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "barn" / "owl").mkdir(parents=True)
    assert locate("barn/owl") == ModelFolder(tmp_path / "barn" / "owl")
    assert locate("barn/mouse") == HubName("barn/mouse")


def test_built_in_names_come_before_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / EMBEDDED).mkdir()
    assert locate(EMBEDDED) == EmbeddedName()
    assert locate(f"./{EMBEDDED}") == ModelFolder(tmp_path / EMBEDDED)


def test_a_gguf_file_is_known_by_how_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "owl.bin"
    path.write_bytes(b"GGUF and so on")
    assert locate(str(path)) == GgufFile(path)


@pytest.mark.parametrize(
    ("name", "said"), [("owl.gguf", "not a valid GGUF file"), ("owl.bin", "single")]
)
def test_other_files_are_no_models(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"hoot")
    with pytest.raises(ModelError, match=said):
        locate(str(tmp_path / name))


@pytest.mark.parametrize(
    "name",
    ["./nowhere", "/no/where", "~/nowhere-at-all", "a/b/c", "owl.gguf", "", "a b", "x" * 999],
)
def test_a_path_to_nothing_is_said_to_be_one(name: str) -> None:
    with pytest.raises(ModelError, match="no folder and no GGUF file at"):
        locate(name)


@pytest.mark.parametrize(
    ("name", "meant"), [("unifrm", "uniform"), ("SmolLM2-135m", EMBEDDED), ("smol", EMBEDDED)]
)
def test_a_misspelt_name_is_set_right_without_asking_the_hub(name: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean {meant}"):
        locate(name)


@pytest.mark.parametrize("name", ["gpt2", "distilgpt2", "t5-small", "owner/name-1.5_x"])
def test_other_names_are_those_of_the_hub(name: str) -> None:
    assert locate(name) == HubName(name)


def test_the_cache_is_where_the_environment_says() -> None:
    home = Path.home() / ".cache" / "horsesense"
    assert cache_folder({}) == home
    assert cache_folder({"HORSESENSE_CACHE": "", "XDG_CACHE_HOME": ""}) == home
    both = {"HORSESENSE_CACHE": "/ours", "XDG_CACHE_HOME": "/theirs"}
    assert cache_folder(both) == Path("/ours")
