"""Twins of published datasets, found again where their rows have lost what marks them."""

import json
from pathlib import Path

import pytest

from horsesense.datasets.importers import SourceFile, find_format
from horsesense.datasets.recovery import Journal
from horsesense.results.logs.document import Document
from horsesense.results.logs.pairing import arranged

DATA = Path(__file__).parents[4] / "shared" / "data"
ON_THE_HUB = ("sentence", "option1", "option2", "answer")


def published(path: str) -> bytes:
    file = DATA / path
    if not file.exists():
        pytest.skip(f"{path} is not at hand")
    return file.read_bytes()


@pytest.mark.parametrize("name, pairs", [("dev", 284), ("train_s", 320), ("train_m", 1279)])
def test_twins_of_winogrande_are_those_of_its_ids(name: str, pairs: int) -> None:
    rows = [json.loads(line) for line in published(f"winogrande/{name}.jsonl").splitlines()]
    documents = [
        Document(at, "", {field: row[field] for field in ON_THE_HUB}) for at, row in enumerate(rows)
    ]
    twins: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        twins.setdefault(row["qID"].rpartition("-")[0], []).append(at)
    expected = {tuple(members) for members in twins.values() if len(members) == 2}
    assert len(expected) == pairs
    assert set(arranged(documents).schemas) == expected


def test_twins_of_the_wsc_are_those_of_its_file_and_the_triple_makes_two() -> None:
    file = SourceFile("273.xml", published("wsc_xml/273/WSCollection.xml"))
    groups = list(find_format("wsc-xml").read(file, Journal(), ()))
    found = [one for group in groups for one in group.problems]
    documents = [
        Document(
            at,
            "",
            {
                "text": one.pronoun.join(one.texts),
                "pronoun": one.pronoun,
                "pronoun_loc": len(one.texts[0]),
                "options": [phrase for (phrase,) in one.options],
            },
            right=one.right,
        )
        for at, one in enumerate(found)
    ]
    schemas = arranged(documents).schemas
    assert (len(found), len(schemas)) == (273, 137)
    assert {(252, 253), (253, 254)} <= set(schemas)
    assert all(second == first + 1 for first, second in schemas)
