"""Rows as the hub has them for datasets of which we read the published files."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from horsesense import load_dataset
from horsesense.datasets.importers import SourceFile, guess_format
from horsesense.errors import FileError
from horsesense.schema import Dataset, problems
from tests.datasets.fetching.servers import DATA, Server, needs_data
from tests.datasets.fetching.test_hub import ROWS, as_parquet, hold

OWLS = "The owl left the barn because it was cold."
WSC = {
    "text": OWLS,
    "pronoun": "it",
    "pronoun_loc": OWLS.index("it was"),
    "quote": "because it was cold",
    "quote_loc": OWLS.index("because"),
    "options": ["The owl", "The barn"],
    "label": 1,
    "source": "",
}
WARM = WSC | {
    "text": OWLS.replace("cold", "awake"),
    "quote": "because it was awake",
    "label": 0,
}


def of_hub(server: Server, rows: list[dict[str, Any]], **classes: list[str]) -> Dataset:
    hold(server, as_parquet(rows, **classes))
    return load_dataset("moor/owls")


def texts(dataset: Dataset) -> list[tuple[Any, ...]]:
    return [
        (problem.statement.text, problem.options, problem.right)
        for entry in dataset
        for problem in problems(entry.grid)
    ]


def test_the_winograd_schema_challenge_of_the_hub_has_twins(server: Server, cache: Path) -> None:
    dataset = of_hub(server, [WSC, WARM])
    assert len(dataset) == 1
    solved = {
        statement.split()[-1]: " ".join(options[right])
        for statement, options, right in texts(dataset)
    }
    assert solved == {"cold.": "the barn", "awake.": "the owl"}
    assert dataset.sources[0].importer == "wsc-xml"


def test_a_parquet_file_got_by_hand_is_read_as_if_it_had_been_fetched(
    server: Server, cache: Path, tmp_path: Path
) -> None:
    path = tmp_path / "0000.parquet"
    path.write_bytes(as_parquet([WSC, WARM]))
    dataset = load_dataset(path)
    assert texts(dataset) == texts(of_hub(server, [WSC, WARM]))
    assert dataset.sources[0].sha256 == sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("rows", [ROWS, [], [{"goal": "Open a jar", "label": 0}]])
def test_a_parquet_file_of_ones_own_is_read_as_a_table(rows: list[dict[str, Any]]) -> None:
    file = SourceFile("own.parquet", as_parquet(rows))
    assert guess_format(file).name == "table-parquet"
    assert guess_format(SourceFile("own.parquet", b"PAR1 and nothing else")).name == "table-parquet"


@pytest.mark.parametrize(
    "wrong",
    [
        {"label": -1},
        {"pronoun_loc": 0},
        {"quote_loc": 60},
        {"options": ["The owl"]},
        {"pronoun_loc": None},
    ],
)
def test_rows_that_are_not_as_they_should_be_are_not_guessed_at(
    wrong: dict[str, Any], server: Server, cache: Path
) -> None:
    with pytest.raises(FileError):
        of_hub(server, [WSC | wrong, WARM | wrong])


# Each published file with what the hub makes of a row of it.


def _wnli(row: dict[str, str]) -> dict[str, Any]:
    kept = {name: row[name] for name in ("sentence1", "sentence2")}
    return {**kept, "label": int(row["label"]), "idx": int(row["index"])}


def _superglue(row: dict[str, Any]) -> dict[str, Any]:
    return {**row["target"], "text": row["text"], "idx": row["idx"], "label": int(row["label"])}


def _crows(row: dict[str, str]) -> dict[str, Any]:
    row = dict(row)
    number = int(row.pop(""))
    direction = ["stereo", "antistereo"].index(row["stereo_antistereo"])
    return {"id": number, **row, "stereo_antistereo": direction}


def _blimp(row: dict[str, Any]) -> dict[str, Any]:
    columns = ("sentence_good", "sentence_bad", "field", "linguistics_term", "UID")
    return {**{name: row[name] for name in columns}, "pair_id": int(row["pairID"])}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def _csv(path: Path) -> Iterator[dict[str, Any]]:
    return csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True))


def _tsv(path: Path) -> Iterator[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


CLASSES: dict[str, dict[str, list[str]]] = {
    "wnli/dev.tsv": {"label": ["not_entailment", "entailment"]},
    "superglue_wsc/val.jsonl": {"label": ["False", "True"]},
    "crows_pairs/crows_pairs_anonymized.csv": {"stereo_antistereo": ["stereo", "antistereo"]},
}


@needs_data
@pytest.mark.parametrize(
    ("path", "read", "convert"),
    [
        ("wnli/dev.tsv", _tsv, _wnli),
        ("superglue_wsc/val.jsonl", _lines, _superglue),
        ("crows_pairs/crows_pairs_anonymized.csv", _csv, _crows),
        ("blimp/principle_A_case_1.jsonl", _lines, _blimp),
    ],
)
def test_the_dataset_of_the_hub_is_that_of_the_published_file(
    path: str,
    read: Callable[[Path], Iterator[dict[str, Any]]],
    convert: Callable[[Any], dict[str, Any]],
    server: Server,
    cache: Path,
) -> None:
    rows = [convert(row) for row in read(DATA / path)]
    published = load_dataset(DATA / path)
    assert texts(of_hub(server, rows, **CLASSES.get(path, {}))) == texts(published)
    assert len(texts(published)) > 50


@needs_data
def test_the_challenge_of_the_hub_is_that_of_its_xml(server: Server, cache: Path) -> None:
    (path, *_) = DATA.rglob("WSCollection.xml")
    schemas = re.findall("<schema>.*?</schema>", path.read_text(encoding="latin-1"), re.DOTALL)
    dataset = of_hub(server, [_wsc(schema) for schema in schemas])
    assert texts(dataset) == texts(load_dataset(path))


def _wsc(schema: str) -> dict[str, Any]:
    def inner(tag: str) -> list[str]:
        found = re.findall(f"<{tag}>(.*?)</{tag}>", schema, re.DOTALL)
        return [" ".join(text.split()) for text in found]

    (before, *_), (pronoun, *_), (after, *_) = inner("txt1"), inner("pron"), inner("txt2")
    text, start = f"{before} {pronoun} {after}", len(before) + 1
    return {
        "text": text,
        "pronoun": pronoun,
        "pronoun_loc": start,
        "quote": text[start:],
        "quote_loc": start,
        "options": inner("answer"),
        "label": "AB".index(inner("correctAnswer")[0][0]),
        "source": "",
    }
