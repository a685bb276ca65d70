from __future__ import annotations

import pytest

from horsesense.datasets.catalog import (
    KnownFile,
    Recognition,
    find_known,
    known_datasets,
    recognise,
)

OTHER = "0" * 64


def known_file(dataset: str, path: str) -> KnownFile:
    (found,) = (file for file in find_known(dataset).files if file.path == path)
    return found


def recognised(*arguments: str | int) -> Recognition:
    found = recognise(*arguments)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_every_file_of_the_catalogue_is_recognised_as_published() -> None:
    for dataset in known_datasets():
        for file in dataset.files:
            sha256 = file.sha256 or file.sha256_start.ljust(64, "0")
            assert recognise("x", sha256, file.bytes) == Recognition(
                dataset, file, is_as_published=True, size=file.bytes
            )


def test_a_hash_is_recognised_under_another_name_and_format_and_in_capitals() -> None:
    dev = known_file("winogrande", "dev.jsonl")
    found = recognised("renamed.txt", dev.sha256.upper(), dev.bytes, "square-one")
    assert (found.file, found.is_as_published) == (dev, True)


def test_the_start_of_a_hash_counts_only_with_the_size() -> None:
    test = known_file("dpr", "test.c.txt")
    sha256 = test.sha256_start + "f" * 52
    assert recognised("x", sha256, test.bytes).file == test
    assert recognise("x", sha256, test.bytes + 1) is None
    assert recognise("x", "f" + sha256[1:], test.bytes) is None


def test_what_is_published_is_told_in_a_line() -> None:
    dev = known_file("winogrande", "dev.jsonl")
    told = recognised("dev.jsonl", dev.sha256, dev.bytes).told
    assert told == "known: WinoGrande, dev.jsonl, as published"


def test_an_altered_copy_is_told_with_both_sizes() -> None:
    found = recognised("dev.jsonl", OTHER, 275_600, "winogrande")
    assert not found.is_as_published
    assert found.told == (
        "an altered copy of WinoGrande's dev.jsonl: 275,600 bytes where 275,682 were published"
    )


def test_an_altered_copy_of_the_same_size_is_told_apart_by_its_hash() -> None:
    assert recognised("crows_pairs_anonymized.csv", OTHER, 437_764).told == (
        "an altered copy of CrowS-Pairs' crows_pairs_anonymized.csv: "
        "437,764 bytes as published, but another hash"
    )


@pytest.mark.parametrize(
    "name", ["train_XL-labels.LST", "a/b/train_xl-labels.lst", r"c:\train_xl-labels.lst"]
)
def test_neither_folders_nor_capitals_hide_a_name(name: str) -> None:
    found = recognised(name, OTHER, 80_000)
    assert (found.file.path, found.is_as_published) == ("train_xl-labels.lst", False)


def test_a_part_of_a_name_is_no_name() -> None:
    assert recognise("my-dev.jsonl", OTHER, 275_682) is None
    assert recognise("dev.jsonl/mine", OTHER, 275_682) is None


@pytest.mark.parametrize("format_name", [None, "winogrande"])
def test_a_file_of_unknown_name_and_hash_is_not_recognised(format_name: str | None) -> None:
    assert recognise("kitchen.jsonl", OTHER, 275_682, format_name) is None


@pytest.mark.parametrize(
    ("format_name", "size"),
    [
        ("winogrande", 360_000),
        ("superglue-wsc", 43_000),
        ("superglue-copa", 82_000),
    ],
)
def test_of_files_with_one_name_the_format_decides(format_name: str, size: int) -> None:
    assert recognised("test.jsonl", OTHER, size, format_name).dataset.name == format_name


def test_a_namesake_of_quite_another_size_is_somebodys_own() -> None:
    assert recognise("dev.jsonl", OTHER, 725, "winogrande") is None
    assert recognise("dev.jsonl", OTHER, 500_000, "winogrande") is None


def test_a_known_name_in_another_format_is_not_recognised() -> None:
    assert recognise("dev.jsonl", OTHER, 275_682, "gap") is None


def test_a_namesake_that_no_format_reads_does_not_count_for_a_format() -> None:
    labels = known_file("winogrande", "dev-labels.lst")
    assert recognised("dev-labels.lst", OTHER, labels.bytes).file == labels
    assert recognise("dev-labels.lst", OTHER, labels.bytes, "winogrande") is None


@pytest.mark.parametrize(("size", "dataset"), [(108_000, "wsc273"), (113_000, "wsc285")])
def test_of_several_in_one_format_the_nearest_in_size_is_taken(size: int, dataset: str) -> None:
    assert recognised("WSCollection.xml", OTHER, size, "wsc-xml").dataset.name == dataset


def test_the_nearest_in_size_is_sought_within_a_dataset_too() -> None:
    found = recognised("dev.jsonl", OTHER, 121_000, "square-one")
    assert found.file.path == "winohard/no_cands/dev.jsonl"
