"""WinoWhat: paraphrases of WinoGrande's items, with the kinds of knowledge that they need."""

from typing import Any

import pytest

from horsesense.datasets.importers import SourceFile, guess_format
from horsesense.datasets.importers.formats import winogrande
from horsesense.datasets.importers.formats.winowhat import FORMAT
from tests.datasets.importers.imported import claimed, imported
from tests.datasets.importers.samples import OVER, json_lines, options


def row(name: str, word: str, answer: str | None, **more: Any) -> dict[str, Any]:
    return options(name, word, answer, paraphrase=OVER.format(word), **more)


ROWS = (row("owl-1", "high", "1"), row("owl-2", "low", "2"), row("elk-2", "old", "2"))
GRID = "As it was {high, low}, what the [lorry] hit at the [bridge] was the <_ = lorry, bridge>."


def guessed(*rows: dict[str, Any]) -> str:
    return guess_format(SourceFile("own", json_lines(*rows).encode())).name


def test_paraphrases_are_the_problems_under_the_ids_of_winogrande() -> None:
    read = imported(FORMAT, json_lines(*ROWS))
    assert read.grids["owl"] == GRID
    assert read.kinds == {"substitution schema": 1, "single problem": 1}
    original = imported(winogrande.FORMAT, json_lines(*ROWS))
    names = [(each.id, dict(each.extras)["x-problems"]) for each in original.entries]
    assert names == [(each.id, dict(each.extras)["x-problems"]) for each in read.entries]
    fields = dict(read.entries[0].extras)
    assert fields["x-original.2"] == "The lorry hit the bridge because the _ was low."
    assert read.issues == []


@pytest.mark.parametrize(
    ("columns", "tags"),
    [
        ({"categories": "physical, spatial"}, ("physical", "spatial")),
        ({"category": "['physical'; 'spatial']"}, ("physical", "spatial")),
        ({"knowledge": ["physical", "spatial", "physical"]}, ("physical", "spatial")),
        ({"spatial": 1, "social": 0, "physical": True, "temporal": ""}, ("physical", "spatial")),
        ({"categories": ""}, ()),
    ],
)
def test_kinds_of_knowledge_are_tags(columns: dict[str, Any], tags: tuple[str, ...]) -> None:
    read = imported(FORMAT, json_lines(*({**each, **columns} for each in ROWS)))
    assert [entry.tags for entry in read.entries] == [tags, tags]


def test_kinds_that_only_one_twin_needs_stay_with_it() -> None:
    rows = (ROWS[0] | {"categories": "spatial"}, ROWS[1] | {"categories": "spatial,social"})
    (entry,) = imported(FORMAT, json_lines(*rows)).entries
    assert (entry.tags, dict(entry.extras)["x-tags.2"]) == (("spatial",), "social")


def test_a_file_is_known_by_its_paraphrases() -> None:
    assert guessed(*ROWS) == FORMAT.name
    plain = [{name: each[name] for name in each if name != "paraphrase"} for each in ROWS]
    assert guessed(*plain) == "winogrande"
    moved = [
        {("Paraphrased sentence" if name == "paraphrase" else name): each[name] for name in each}
        for each in ROWS
    ]
    assert guessed(*moved) == FORMAT.name
    assert imported(FORMAT, json_lines(*moved)).grids["owl"] == GRID


def test_paraphrases_may_be_in_the_column_of_the_sentence() -> None:
    rows = [options("owl-1", "high", "1") | {"sentence": OVER.format("high")}]
    read = imported(FORMAT, json_lines(*rows))
    assert read.grids["owl"].startswith("As it was high, ")
    assert dict(read.entries[0].extras) == {"x-problems": "owl-1"}


def test_a_table_is_read_too() -> None:
    headings = list(ROWS[0])
    lines = [",".join(headings), *(",".join(map(quoted, each.values())) for each in ROWS)]
    data = "\n".join(lines) + "\n"
    assert guess_format(SourceFile("own", data.encode())) is FORMAT
    assert imported(FORMAT, data).grids == imported(FORMAT, json_lines(*ROWS)).grids


def quoted(value: str) -> str:
    return f'"{value}"'


def test_a_file_may_have_no_labels() -> None:
    rows = (row("owl-1", "high", None), row("owl-2", "low", None))
    assert imported(FORMAT, json_lines(*rows)).rights == {None: 2}


def test_rows_that_cannot_be_used_are_faults() -> None:
    rows = (
        *ROWS,
        row("a-1", "new", "3"),
        row("b-1", "new", "1") | {"paraphrase": "No blank."},
        row("c-1", "new", "1") | {"qID": 4},
    )
    assert imported(FORMAT, json_lines(*rows)).faults == [
        (4, "the label '3' is not one of 1 to 2"),
        (5, "0 blanks where one or two are expected"),
        (6, "'qID' is not a string"),
    ]


def test_no_published_file_of_another_dataset_looks_like_it() -> None:
    assert claimed(FORMAT) == set()
