"""Published datasets by name, from the files beside the project on a server that runs here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import horsesense.datasets.fetching
from horsesense import evaluate, load_dataset
from horsesense.cli.main import cli
from horsesense.datasets.catalog import KnownDataset, find_known, known_datasets
from horsesense.datasets.fetching import (
    FetchError,
    can_fetch,
    fetch,
    fetch_companion,
    how_to_get,
)
from horsesense.errors import FileError, UnknownNameError
from tests.datasets.fetching.servers import Server, hold_published, needs_data

FETCHABLE = [dataset for dataset in known_datasets() if dataset.can_be_fetched]
# Entries by what a user may type; a schema is one entry, and so is a problem without a twin.
ENTRIES = {
    "wsc273": 136,
    "WSC-266": 133,
    "wsc285": 142,
    "pdp": 60,
    "PDP60": 60,
    "copa": 500,
    "superglue_wsc": 49,
    "wnli": 67,
    "winogender": 360,
    "winobias": 198,
    "knowref": 1268,
    "gap": 1773,
    "blimp": 8000,
    "Crows_Pairs": 1508,
    "swag": 11,
    "WinoGrande": 983,
    "reid250": 125,
    "xwino": 2149,
    "trinh-le": 136,
    "balanced-copa": 500,
    "bcopa-ce": 500,
    "superglue-copa": 100,
    "trichelair-labels": 136,
    "perturbed-wsc": 142,
    "wsc273-thesis": 136,
    "winoventi": 2176,
    "com2sense": 802,
    "creak-contrast": 252,
}


@pytest.fixture
def published(server: Server) -> Server:
    hold_published(server)
    return server


def test_the_package_exports_what_it_lists_and_nothing_else() -> None:
    package = horsesense.datasets.fetching
    public = {name for name in vars(package) if not name.startswith("_")}
    own = {"fetch_file", "fetch_published", "find_published", "fetch_from_hub", "find_hub_dataset"}
    modules = {name for name in public if isinstance(getattr(package, name), ModuleType)}
    used = {"SCHEME", "SourceFile", "annotations", *own, *modules}
    assert public - used == set(package.__all__)


@pytest.mark.parametrize("dataset", FETCHABLE, ids=lambda dataset: dataset.name)
def test_what_can_be_fetched_has_a_place_and_a_hash_for_every_file(dataset: KnownDataset) -> None:
    files = [dataset.file(name) for name in (*dataset.main, *dataset.companions)]
    for file in files:
        assert file.source is not None and file.sha256 + file.sha256_start and file.bytes
        assert len(file.source.commit) == 40 or file.source.commit == "HEAD"
        assert file.source.repository.count("/") == 1
        # The prose names the same places.
        owners = [find_known(name) for name in {"trichelair-labels", "wsc273", dataset.name}]
        assert any(file.source.repository in owner.get for owner in owners)
        if file.source.commit != "HEAD":
            assert any(file.source.commit[:12] in owner.get for owner in owners)
    assert all(dataset.file(name).format for name in dataset.main)


def test_every_name_is_tried() -> None:
    names = {find_known(name).name for name in ENTRIES}
    # The test file of DPR is not at hand.
    assert names == {dataset.name for dataset in FETCHABLE} - {"dpr"}


@needs_data
@pytest.mark.parametrize(("name", "entries"), ENTRIES.items())
def test_a_dataset_is_fetched_checked_and_imported(
    name: str, entries: int, published: Server
) -> None:
    dataset = load_dataset(name)
    assert (dataset.name, len(dataset)) == (find_known(name).name, entries)


@needs_data
def test_a_file_is_fetched_once_and_kept(published: Server, cache: Path) -> None:
    messages: list[str] = []
    first = load_dataset("winogrande", progress=messages.append)
    asked = list(published.asked)
    assert [path.rpartition("/")[2] for path in asked] == ["dev.jsonl", "dev-labels.lst"]
    (message,) = messages
    assert message == (
        "fetching dev.jsonl, dev-labels.lst of WinoGrande (licence: CC BY (its code: Apache-2.0))"
        " from the GitHub repository zhang-edward/WinoGrande (commit ea61adace986) via"
        f" {published.address}"
    )
    again = load_dataset("winogrande", offline=True, progress=messages.append)
    assert again.version == first.version and published.asked == asked and len(messages) == 1
    kept = sorted(path.name for path in (cache / "data").rglob("dev*"))
    assert kept == ["dev-labels.lst", "dev.jsonl"]


@needs_data
def test_a_damaged_copy_is_fetched_again(published: Server, cache: Path) -> None:
    load_dataset("reid250")
    (kept,) = (cache / "data").rglob("reid250.txt")
    good = kept.read_bytes()
    kept.write_bytes(good.replace(b"0", b"1"))
    load_dataset("reid250")
    assert kept.read_bytes() == good and len(published.asked) == 2


@needs_data
def test_the_sources_of_a_dataset_say_where_its_files_are_from(published: Server) -> None:
    places = [(source.file, source.bytes) for source in load_dataset("winogender").sources]
    where = "rudinger/winogender-schemas@1c7f8b481ad8"
    assert places == [
        (f"{where}/all_sentences.tsv", 83644),
        (f"{where}/occupations-stats.tsv", 1578),
    ]


@needs_data
def test_the_labels_of_trichelair_come_with_the_wsc(published: Server) -> None:
    entries = list(load_dataset("wsc273"))
    assert sum(("associative", True) in entry.flags for entry in entries) == 26
    assert sum(("switchable", True) in entry.flags for entry in entries) == 65


@needs_data
def test_several_files_are_one_dataset(published: Server) -> None:
    messages: list[str] = []
    dataset = load_dataset("blimp", progress=messages.append)
    assert messages[1:] == ["blimp: 8 of the 67 paradigms"]
    assert dataset.header.title == "BLiMP, 8 files"
    assert len({entry.tags[-1] for entry in dataset}) == 8


@needs_data
@pytest.mark.parametrize(
    ("name", "called", "entries"),
    [
        ("winogrande/train_xs.jsonl", "winogrande-train_xs", 80),
        ("winogrande/train_xs", "winogrande-train_xs", 80),
        ("WSC-266/wsc266_associative", "wsc266_associative", 25),
        ("copa/copa-dev.xml", "copa-dev", 500),
        ("kocijan-masked/PDP", "kocijan-masked-PDP", 60),
        ("winogrande/dev", "winogrande", 983),
    ],
)
def test_a_file_of_a_dataset_can_be_named(
    name: str, called: str, entries: int, published: Server
) -> None:
    dataset = load_dataset(name)
    assert (dataset.name, len(dataset)) == (called, entries)


@needs_data
def test_a_companion_can_be_named(published: Server) -> None:
    labels = fetch_companion("winogrande/dev-labels.lst")
    assert labels is not None and len(labels.data) == 2534
    assert fetch_companion("winogrande") is None and fetch_companion("labels.lst") is None


def test_a_companion_that_cannot_be_fetched_is_left_to_the_user(server: Server) -> None:
    with pytest.raises(FetchError, match="winogrande/dev-labels.lst cannot be fetched: .*any more"):
        fetch_companion("winogrande/dev-labels.lst")


@needs_data
def test_an_import_says_what_was_imported_and_its_licence(
    published: Server, store_path: Path
) -> None:
    arguments = ["--store", str(store_path), "dataset", "import", "WinoGrande", "--json"]
    result = CliRunner().invoke(cli, arguments)
    (imported,) = json.loads(result.stdout)
    assert (imported["name"], imported["format"]) == ("winogrande", "winogrande")
    assert imported["known"] == "known: WinoGrande, dev.jsonl, as published"
    said = "WinoGrande: WinoGrande, dev.jsonl, as published; licence: CC BY (its code: Apache-2.0)"
    assert said in result.stderr
    again = CliRunner().invoke(cli, [*arguments[:-1], "--offline", "--name", "dev"])
    assert again.stdout.startswith("dev: stored version 1, 983 entries")


@needs_data
def test_a_run_names_the_dataset_and_knows_when_its_labels_change(published: Server) -> None:
    results = evaluate("longer", "WinoGender", perturbations="none", methods="standard", first=4)
    assert [dataset.name for dataset in results.datasets] == ["winogender"]
    fetched, whole = fetch("winogender"), fetch("winogender/templates.tsv")
    assert fetched is not None and whole is not None
    assert fetched.id != fetched.file.digest and whole.id == whole.file.digest
    assert fetched.id != replace(fetched, companions=()).id


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("wsc266", "horsesense dataset import WSCollection.xml --recipe wsc266"),
        ("pdp", "horsesense dataset import PDPChallenge2016.xml --name pdp60"),
        ("copa", "dataset import copa-test.xml --with easy_hard_subsets.json --name copa"),
        ("copa/copa-dev", "horsesense dataset import copa-dev.xml"),
    ],
)
def test_the_message_ends_with_the_command_to_type(name: str, command: str, cache: Path) -> None:
    with pytest.raises(FetchError) as caught:
        load_dataset(name, offline=True)
    assert str(caught.value).endswith(command)


def test_a_file_of_no_known_commit_comes_from_the_latest(cache: Path) -> None:
    with pytest.raises(FileError, match=r"yourself from .* yasumasaonoe/creak \(latest commit\)"):
        load_dataset("creak-contrast", offline=True)


def test_the_message_names_all_files_to_get(cache: Path) -> None:
    with pytest.raises(FetchError) as caught:
        load_dataset("blimp", offline=True)
    assert str(caught.value).partition("Then type: ")[2].count(".jsonl") == 8


def test_an_unknown_file_of_a_dataset_is_refused(cache: Path) -> None:
    with pytest.raises(UnknownNameError, match="no file of gap named 'gap-tset'; did you mean gap"):
        fetch("gap/gap-tset")


def test_a_dataset_of_equal_files_asks_which_one(cache: Path) -> None:
    with pytest.raises(FileError, match="has 3 files to choose from; name one: kocijan-masked/PDP"):
        fetch("kocijan-masked")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "wikicrem",
            "wikicrem cannot be fetched by its name\n  Get WikiCREM_dev.txt yourself from",
        ),
        ("wikicrem/WikiCREM_dev", "Then type: horsesense dataset import WikiCREM_dev.txt --name"),
        ("wnli/train", "  Get train.tsv yourself from .* both parts joined"),
        ("token-frequencies", "No format reads its files; they come from the GitHub repository"),
        ("copa/copa.dtd", r"Get copa.dtd yourself from .* \(commit 0d59e0efc834\)\.$"),
    ],
)
def test_what_has_no_place_is_left_to_the_user(name: str, message: str, cache: Path) -> None:
    with pytest.raises(FileError, match=message):
        fetch(name)


def test_a_companion_without_a_place_is_left_to_the_user(cache: Path) -> None:
    with pytest.raises(FileError, match="WikiCREM_dev.txt cannot be fetched by its name"):
        fetch_companion("wikicrem/WikiCREM_dev.txt")


def test_names_of_nothing_published_are_none_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert can_fetch("gap") and can_fetch("gap/gap-test")
    (tmp_path / "gap").mkdir()  # a path into a folder means a file there
    assert can_fetch("gap") and not can_fetch("gap/gap-test")
    assert not can_fetch("kitchen") and fetch("kitchen") is None
    assert fetch_companion("kitchen/labels.lst") is None


def test_how_to_get_a_dataset_is_a_command_a_choice_or_a_place() -> None:
    names = ("winogrande", "dpr", "wsc266", "winowhy", "token-frequencies")
    told = {name: how_to_get(find_known(name)) for name in names}
    assert told["winogrande"] == (
        "horsesense dataset import winogrande (dev.jsonl with dev-labels.lst)"
    )
    assert told["dpr"] == "horsesense dataset import dpr (test.c.txt)"
    assert told["wsc266"].endswith("(WSCollection.xml by the recipe wsc266)")
    assert told["winowhy"].startswith("winowhy has 2 files to choose from")
    assert told["token-frequencies"].startswith("No format reads its files")
    assert how_to_get(find_known("kocijan-masked")).startswith("kocijan-masked has 3 files")
