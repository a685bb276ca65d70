from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from pathlib import Path

import pytest

import horsesense.datasets.catalog
from horsesense.datasets.catalog import (
    KnownDataset,
    KnownFile,
    find_known,
    known_datasets,
    misspelt,
)
from horsesense.errors import UnknownNameError
from horsesense.schema import Header

# The published files, where they lie beside the project; they are no part of it.
DATA = Path(__file__).parents[3].parent / "shared" / "data"
FORMATS = """
thesis-text wsc-xml pdp-xml trichelair winogrande dpr wnli superglue-wsc square-one
square-one-zero-shot perturbed-wsc perturbed-wsc-jsonl trinh-le masked-blocks knowref knowref-tsv
winogender winobias copa-xml superglue-copa swag swag-json gap xwino blimp crows-pairs
winoventi com2sense creak winowhy winowhy-csv
"""

each_dataset = pytest.mark.parametrize("dataset", known_datasets(), ids=lambda known: known.name)


def known_files() -> list[KnownFile]:
    return [file for dataset in known_datasets() for file in dataset.files]


def test_the_package_exports_what_it_lists_and_nothing_else() -> None:
    public = {name for name in vars(horsesense.datasets.catalog) if not name.startswith("_")}
    assert public - {"catalogue", "recognition"} == set(horsesense.datasets.catalog.__all__)


def test_a_dataset_is_found_by_its_name() -> None:
    assert find_known("winogrande").title == "WinoGrande"
    assert all(find_known(dataset.name) is dataset for dataset in known_datasets())


def test_an_unknown_name_is_refused_with_the_nearest_ones() -> None:
    with pytest.raises(UnknownNameError) as caught:
        find_known("winogrand")
    message = "no known dataset named 'winogrand'; did you mean winogrande"
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "name", ["winogrand", "winogradne", "WinoGrandes", "winobiass", "know-reff", "winogander"]
)
def test_a_slip_of_one_letter_is_a_misspelling(name: str) -> None:
    (near,) = misspelt(name, [dataset.name for dataset in known_datasets()])
    assert near[:4] == name[:4].lower()


@pytest.mark.parametrize(
    "name",
    [
        *("hellaswag", "winograd", "winoground", "winodict", "winopron", "winowhat", "ewok"),
        *("mnli", "qnli", "xcopa", "wsc", "wsc283", "gab", "superglue", "creak", "piqa"),
        *("crows-pairs-fr", "winogrande-xl"),
    ],
)
def test_another_benchmark_is_no_misspelling(name: str) -> None:
    names = [*(dataset.name for dataset in known_datasets()), "hs-winograd", "hs-adversarial"]
    assert misspelt(name, names) == []


def test_names_of_ones_own_and_of_built_in_datasets_may_be_further_off() -> None:
    assert misspelt("kitchn-shelf", ["kitchen-shelves"]) == ["kitchen-shelves"]
    assert misspelt("hs-wino", ["hs-winograd", "winogrande"]) == ["hs-winograd"]


def test_every_name_and_title_is_given_once() -> None:
    names = [dataset.name for dataset in known_datasets()]
    titles = [dataset.title for dataset in known_datasets()]
    assert len(set(names)) == len(names) and len(set(titles)) == len(titles)


@each_dataset
def test_what_is_said_of_a_dataset_could_head_it_in_the_store(dataset: KnownDataset) -> None:
    Header(dataset.name, dataset.title, dataset.paper, dataset.licence, dataset.note)
    assert re.fullmatch(r"[a-z0-9-]+", dataset.name)
    said = (dataset.title, dataset.paper, dataset.licence, dataset.size, dataset.get, dataset.note)
    assert all(said)


@each_dataset
def test_the_paper_names_who_wrote_it_when_and_in_short_what(dataset: KnownDataset) -> None:
    assert re.fullmatch(r"[A-Z].+ \((20\d\d)\), \S.+", dataset.paper)


@each_dataset
def test_bibtex_entries_are_whole_and_of_the_year_of_the_paper(dataset: KnownDataset) -> None:
    for entry in dataset.bibtex:
        assert re.fullmatch(r"@[a-z]+\{[a-z]+20\d\d[a-z]+,\n(  +.+\n)+\}", entry)
        assert entry.count("{") == entry.count("}")
        fields = re.findall(r"^  (\w+) = \{", entry, re.M)
        assert {"author", "title", "year"} <= set(fields) and len(set(fields)) == len(fields)
    years = {year for entry in dataset.bibtex for year in re.findall(r"year = \{(\d+)\}", entry)}
    assert any(f"({year})" in dataset.paper for year in years)


def test_a_bibtex_key_belongs_to_one_entry_alone() -> None:
    entries = {entry for dataset in known_datasets() for entry in dataset.bibtex}
    keys = [entry.partition("{")[2].partition(",")[0] for entry in entries]
    assert len(set(keys)) == len(keys)


def test_the_catalogue_names_no_address_on_the_web() -> None:
    text = (
        files("horsesense.datasets.catalog").joinpath("catalogue.toml").read_text(encoding="utf-8")
    )
    assert not re.search(r"://|www\.|\burl\b|\w\.(com|org|net|io|edu|gov|co|uk|ca)\b", text, re.I)


@each_dataset
def test_paths_are_relative_and_given_once(dataset: KnownDataset) -> None:
    paths = [file.path for file in dataset.files]
    assert paths and len(set(paths)) == len(paths)
    assert all(re.fullmatch(r"[\w.-]+(/[\w.-]+)*", path) and ".." not in path for path in paths)


def test_every_file_has_either_its_hash_or_the_start_of_it() -> None:
    for file in known_files():
        digits = r"[0-9a-f]{12}" if file.sha256_start else r"[0-9a-f]{64}"
        assert re.fullmatch(digits, file.sha256 + file.sha256_start), file.path


def test_no_two_files_could_be_taken_for_each_other_by_their_hash() -> None:
    starts = [(file.sha256 or file.sha256_start)[:12] for file in known_files()]
    assert len(set(starts)) == len(starts)


def test_every_file_is_read_by_a_known_format_or_by_none() -> None:
    assert {file.format for file in known_files()} == {"", *FORMATS.split()}


def test_only_a_file_without_records_has_no_number_of_rows() -> None:
    assert [file.path for file in known_files() if file.rows is None] == ["copa.dtd"]
    assert all(file.bytes > 0 and file.rows != 0 for file in known_files())


def test_the_name_of_a_file_is_the_end_of_its_path() -> None:
    assert KnownFile("a/b/dev.jsonl", "", 1).name == "dev.jsonl"
    assert KnownFile("dev.jsonl", "", 1).name == "dev.jsonl"


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published files are not in {DATA}")
def test_hashes_and_sizes_are_those_of_the_published_files() -> None:
    known = {file.sha256: (file.name, file.bytes) for file in known_files()}
    held = [path for path in DATA.rglob("*") if path.is_file() and path.suffix != ".md"]
    assert held
    for path in held:
        content = path.read_bytes()
        sha256 = hashlib.sha256(content).hexdigest()
        assert known.get(sha256) == (path.name, len(content)), path


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published files are not in {DATA}")
def test_counts_are_those_of_the_manifest_also_where_the_file_is_not_there() -> None:
    manifest = (DATA / "MANIFEST.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| `([^`]+)` \| ([\d -]+).*? \| (\d+) \| (\w{12}) \|$", manifest, re.M)
    listed = {
        (path.rpartition("/")[2], rows.replace(" ", "").strip("-"), size, start)
        for path, rows, size, start in table
    }
    assert listed == {
        (file.name, str(file.rows or ""), str(file.bytes), (file.sha256 or file.sha256_start)[:12])
        for file in known_files()
    }
