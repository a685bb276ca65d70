"""Datasets of the hub, from a hub that runs here, in the columns of several of our formats."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from horsesense import load_dataset
from horsesense.cli.main import cli
from horsesense.datasets.fetching import FetchError, fetch
from horsesense.datasets.fetching.hub import HubDataset, find_hub_dataset
from horsesense.datasets.importers.parquet import MOST_BYTES
from horsesense.errors import FileError, UnknownNameError
from tests.datasets.fetching.servers import Server, serving

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

API = "/api/datasets/moor/owls"
ROWS = [
    {
        "sentence": "The oar hit the buoy, for the _ was long.",
        "option1": "oar",
        "option2": "buoy",
        "answer": "1",
        "pair": "oar",
    },
    {
        "sentence": "The oar hit the buoy, for the _ was near.",
        "option1": "oar",
        "option2": "buoy",
        "answer": "2",
        "pair": "oar",
    },
]
CAUSES = [
    {
        "premise": "The kettle whistled.",
        "choice1": "The water boiled.",
        "choice2": "The tap dripped.",
        "question": "cause",
        "label": 0,
        "idx": 0,
    },
    {
        "premise": "The ladder slipped.",
        "choice1": "The painter sang.",
        "choice2": "The painter fell.",
        "question": "effect",
        "label": 1,
        "idx": 1,
    },
]


def as_parquet(rows: list[dict[str, Any]], **classes: list[str]) -> bytes:
    table = pyarrow.Table.from_pylist(rows)
    if classes:
        features = {
            name: {"names": names, "_type": "ClassLabel"} for name, names in classes.items()
        }
        about = json.dumps({"info": {"features": {**features, "other": {"dtype": "string"}}}})
        table = table.replace_schema_metadata({"huggingface": about})
    stream = BytesIO()
    parquet.write_table(table, stream)
    return stream.getvalue()


def hold(
    server: Server,
    *files: bytes,
    config: str = "default",
    split: str = "validation",
    info: object = None,
) -> None:
    """Add a split of a dataset to the hub."""
    about = {
        "id": "moor/owls",
        "sha": "0123456789abcdef",
        "tags": ["language:en", "license:cc-by-4.0"],
    }
    server.files[API] = json.dumps(about if info is None else info).encode()
    configs = json.loads(server.files.get(f"{API}/parquet", b"{}"))
    place = f"{API}/parquet/{config}/{split}"
    addresses = [f"https://other.invalid{place}/{number}.parquet" for number in range(len(files))]
    configs.setdefault(config, {})[split] = addresses
    server.files[f"{API}/parquet"] = json.dumps(configs).encode()
    for number, content in enumerate(files):
        server.files[f"{place}/{number}.parquet"] = content


@pytest.mark.parametrize("name", ["moor/owls", "hf://datasets/moor/owls"])
def test_a_dataset_of_the_hub_is_fetched_once(name: str, server: Server, cache: Path) -> None:
    hold(server, as_parquet(ROWS[:1]), as_parquet(ROWS[1:]))
    messages: list[str] = []
    dataset = load_dataset(name, progress=messages.append)
    assert messages == [f"fetching hf://datasets/moor/owls from {server.address}"]
    assert (dataset.name, len(dataset)) == ("owls-validation", 1)
    assert dataset.header.licence == "cc-by-4.0"
    (source,) = dataset.sources
    assert source.file == "moor/owls@0123456789ab/default/validation"
    asked = list(server.asked)
    assert len(asked) == 4
    assert load_dataset(name, offline=True).version == dataset.version
    assert server.asked == asked


def test_the_library_of_hugging_face_reads_from_our_hub_what_we_read(
    server: Server, cache: Path
) -> None:
    hub = pytest.importorskip("huggingface_hub")
    hold(server, as_parquet(ROWS))
    info = hub.HfApi(endpoint=server.address).dataset_info("moor/owls")
    dataset = load_dataset("moor/owls")
    assert f"license:{dataset.header.licence}" in info.tags
    assert dataset.sources[0].file.startswith(f"moor/owls@{info.sha[:12]}/")
    assert server.asked.count(API) == 2


@pytest.mark.parametrize("name", ["moor/owls", "hf://datasets/moor/owls"])
def test_a_dataset_of_the_hub_is_scored(
    name: str, server: Server, cache: Path, store_path: Path
) -> None:
    hold(server, as_parquet(ROWS))
    result = CliRunner().invoke(
        cli, ["--store", str(store_path), "score", "--model", "longer", "--data", name]
    )
    assert result.exit_code == 0 and "1/1" not in result.stdout
    assert "choice  1/2" in result.stdout and "0/1" in result.stdout


def test_a_damaged_file_is_fetched_again(server: Server, cache: Path) -> None:
    hold(server, as_parquet(ROWS))
    load_dataset("moor/owls")
    (kept,) = cache.rglob("0.parquet")
    kept.write_bytes(b"PAR1")
    assert len(load_dataset("moor/owls")) == 1


def test_the_columns_decide_which_format_reads_a_dataset(server: Server, cache: Path) -> None:
    hold(server, as_parquet(CAUSES))
    fetched = fetch("moor/owls")
    assert fetched is not None and fetched.open().format.name == "superglue-copa"
    assert [len(entry.grid.cells) for entry in fetched.open()] == [2, 2]


def test_a_format_of_tables_with_tabs_is_found(server: Server, cache: Path) -> None:
    text = "Nora met Lena when she ran."
    row = {
        "ID": "test-1",
        "Text": text,
        "Pronoun": "she",
        "Pronoun-offset": text.index("she"),
        "A": "Nora",
        "A-offset": 0,
        "A-coref": True,
        "B": "Lena",
        "B-offset": text.index("Lena"),
        "B-coref": False,
        "URL": None,
    }
    hold(server, as_parquet([row]))
    fetched = fetch("moor/owls")
    assert fetched is not None and fetched.open().format.name == "gap"
    assert len(list(fetched.open())) == 1


def test_a_format_of_tables_with_commas_and_names_of_classes_is_found(
    server: Server, cache: Path
) -> None:
    row = {
        "": 0,
        "sent_more": "Owls\tnever sleep.",
        "sent_less": "Voles never sleep.",
        "stereo_antistereo": 1,
        "bias_type": 0,
    }
    hold(
        server,
        as_parquet([row], stereo_antistereo=["stereo", "antistereo"], bias_type=["species"]),
    )
    fetched = fetch("moor/owls")
    assert fetched is not None and fetched.open().format.name == "crows-pairs"
    (entry,) = fetched.open()
    assert entry.tags == ("species", "antistereo")


def test_labels_that_are_hidden_are_none(server: Server, cache: Path) -> None:
    hold(server, as_parquet([{**row, "label": -1} for row in CAUSES], label=["a", "b"]))
    (first, _) = load_dataset("moor/owls")
    assert all(first.grid.is_sensible(cell) is None for cell in first.grid.cells)


def test_columns_that_nothing_reads_are_named(server: Server, cache: Path) -> None:
    hold(server, as_parquet([{"title": "Owls", "body": "Owls hunt."}]))
    with pytest.raises(FileError, match="has the columns title, body, and no format has these"):
        fetch("moor/owls")


@pytest.mark.parametrize("files", [[], [as_parquet([])]])
def test_a_dataset_without_rows_is_refused(files: list[bytes], server: Server, cache: Path) -> None:
    hold(server, *files)
    with pytest.raises(FileError, match="has no rows"):
        fetch("moor/owls")


def test_the_split_with_labels_is_taken_first_and_the_others_named(
    server: Server, cache: Path
) -> None:
    for split in ("train", "test", "validation"):
        hold(server, as_parquet(ROWS), split=split)
    messages: list[str] = []
    assert load_dataset("moor/owls", progress=messages.append).name == "owls-validation"
    assert messages[1] == (
        "hf://datasets/moor/owls: the split validation; there is also train, test"
    )
    assert load_dataset("hf://datasets/moor/owls/default/test").name == "owls-test"
    with pytest.raises(UnknownNameError, match="no split of moor/owls named 'tset'; did you mean"):
        fetch("hf://datasets/moor/owls/default/tset")


def test_several_configurations_or_unusual_splits_have_to_be_named(
    server: Server, cache: Path
) -> None:
    for config in ("barn", "a/../tawny"):
        for split in ("first half", "second half"):
            hold(server, as_parquet(ROWS), config=config, split=split)
    with pytest.raises(FileError, match="several configurations; name one: .*/CONFIG with barn, a"):
        fetch("moor/owls")
    with pytest.raises(FileError, match="several splits; name one: .*/barn/SPLIT with first half"):
        fetch("hf://datasets/moor/owls/barn")
    with pytest.raises(UnknownNameError, match="no configuration of moor/owls named 'bran'"):
        fetch("hf://datasets/moor/owls/bran")


def test_a_name_cannot_lead_out_of_the_cache(server: Server, cache: Path) -> None:
    place = f"{API}/parquet/..%2F..%2Fx/.."
    hold(server, as_parquet(ROWS), config="../../x", split="..")
    server.files[f"{place}/0.parquet"] = as_parquet(ROWS)
    assert load_dataset("moor/owls").name == "owls-..-..-x"
    assert [path.parent.parent for path in cache.rglob("0.parquet")] == [cache / "data" / "hub"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        (
            API,
            404,
            "there is no file moor/owls here, and hf://datasets/moor/owls cannot be fetched",
        ),
        (API, 404, "has no such dataset; check the spelling"),
        (API, 401, "has no such dataset, or keeps it private; check the spelling"),
        (API, 403, "gives it only to those who were granted access (it is gated)"),
        (API, 500, "has a server error"),
        (f"{API}/parquet", 401, "gives it only to those who were granted access (it is gated)"),
        (f"{API}/parquet", 404, "has no Parquet files of it"),
        (f"{API}/parquet/default/validation/0.parquet", 403, "granted access (it is gated)"),
    ],
)
def test_what_the_hub_refuses_is_explained(
    path: str, status: int, words: str, server: Server, cache: Path, store_path: Path
) -> None:
    hold(server, as_parquet(ROWS))
    server.answers[path] = lambda handler: handler.send(status, b"")
    arguments = ["--store", str(store_path), "dataset", "import", "moor/owls"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 5 and words in result.stderr and not store_path.exists()
    assert not list(cache.rglob("*.parquet"))
    if status in (401, 403, 500):
        assert "\n  Then type: horsesense dataset import FILE.parquet" in result.stderr


@pytest.mark.parametrize("answer", [b"{", b"[]", b'{"default": 3}'])
def test_an_answer_of_another_kind_is_refused(answer: bytes, server: Server, cache: Path) -> None:
    hold(server, as_parquet(ROWS))
    server.files[f"{API}/parquet"] = answer
    with pytest.raises(FetchError, match="does not respond like the Hugging Face hub"):
        fetch("moor/owls")


@pytest.mark.parametrize("info", [[], {"tags": "none"}])
def test_a_licence_that_is_not_there_is_not_stated(
    info: object, server: Server, cache: Path
) -> None:
    hold(server, as_parquet(ROWS), info=info)
    dataset = load_dataset("moor/owls")
    assert dataset.header.licence == "not stated"
    assert dataset.sources[0].file == "moor/owls@unknown/default/validation"


def test_too_much_is_refused(server: Server, cache: Path) -> None:
    hold(server, *[b""] * 51)
    with pytest.raises(
        FileError, match="is too large: it has 51 files, and 50 are allowed at most"
    ):
        fetch("moor/owls")
    place = f"{API}/parquet/default/test/0.parquet"
    hold(server, b"", split="test")
    server.answers[place] = lambda handler: handler.send(200, b"", announced=MOST_BYTES + 1)
    (cache / "data" / "hub" / "moor%2Fowls" / "index.json").unlink()
    with pytest.raises(FileError, match="are allowed at most"):
        fetch("hf://datasets/moor/owls/default/test")


def test_offline_the_message_says_what_to_get(server: Server, cache: Path) -> None:
    with pytest.raises(
        FetchError, match="you chose to work offline, and it has not been fetched before"
    ):
        load_dataset("moor/owls", offline=True)
    hold(server, as_parquet(ROWS))
    load_dataset("moor/owls")
    (kept,) = cache.rglob("0.parquet")
    kept.unlink()
    with pytest.raises(FetchError, match="Get a Parquet file of it yourself from http"):
        load_dataset("moor/owls", offline=True)


def test_without_a_network_it_is_said(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.address)
    with pytest.raises(FetchError, match="cannot be reached: .* check your network connection"):
        fetch("moor/owls")


def test_a_cache_that_cannot_be_written_is_said_to_be(server: Server, cache: Path) -> None:
    hold(server, as_parquet(ROWS))
    cache.write_text("")
    with pytest.raises(FileError, match="cannot be written: .*; free some space, or set HORSE"):
        fetch("moor/owls")


def test_without_pyarrow_nothing_is_fetched(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("horsesense.datasets.fetching.hub.find_spec", lambda name: None)
    with pytest.raises(FileError, match=r"needs pyarrow: pip install 'horsesense\[parquet\]'"):
        fetch("moor/owls")
    assert not server.asked


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("moor/owls", HubDataset("moor/owls")),
        ("moor/owls-v1.1", HubDataset("moor/owls-v1.1")),
        ("hf://datasets/moor/owls/barn/test", HubDataset("moor/owls", "barn", "test")),
        ("owls", None),
        ("moor/owls.jsonl", None),
        ("moor/owls/barn", None),
        ("/moor/owls", None),
        ("../moor", None),
        ("here/owls", None),
    ],
)
def test_a_name_of_the_hub_is_told_from_a_path(
    name: str, meant: HubDataset | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here").mkdir()
    assert find_hub_dataset(name) == meant


@pytest.mark.parametrize(
    "name", ["hf://datasets/owls", "hf://datasets/a/b/c/d/e", "hf://datasets/"]
)
def test_an_address_of_the_hub_must_be_whole(name: str) -> None:
    with pytest.raises(FileError, match="is not the name of a dataset: hf://datasets/OWNER/NAME"):
        find_hub_dataset(name)
