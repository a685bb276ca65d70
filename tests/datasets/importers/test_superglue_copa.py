import json
from typing import Any

import pytest

from horsesense.datasets.importers.formats import copa
from horsesense.datasets.importers.formats.copa import FORMAT_SUPERGLUE as FORMAT
from horsesense.datasets.importers.source import SourceFile
from horsesense.schema import problems
from tests.datasets.importers.imported import Imported, claimed, imported, published

STUCK: dict[str, Any] = {
    "premise": "The lorry got stuck.",
    "choice1": "The bridge was low.",
    "choice2": "The driver swore",
    "question": "cause",
    "label": 0,
    "idx": 0,
}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in STUCK.items() if key != name}


def test_a_line_becomes_one_sentence() -> None:
    effect = STUCK | {"question": "effect", "label": 1, "idx": 1}
    read = imported(FORMAT, lines(STUCK, effect))
    assert read.grids == {
        "0": "The lorry got stuck because <the bridge was low.*, the driver swore.>",
        "1": "The lorry got stuck so <the bridge was low., the driver swore.*>",
    }
    assert [entry.tags for entry in read.entries] == [("cause",), ("effect",)]
    assert read.entries[1].extras == (("x-problems", "1"),)
    assert [(one.name, one.line) for one in read.issues] == [
        ("missing-full-stop", 1),
        ("missing-full-stop", 2),
    ]


def test_a_test_file_has_no_labels_and_its_subsets_have_the_ids_of_the_corpus() -> None:
    subsets = SourceFile("subsets.json", b'{"easy": [501], "hard": [502]}')
    unlabelled = without("label")
    read = imported(FORMAT, lines(unlabelled, unlabelled | {"idx": 1}), subsets)
    grid = "The lorry got stuck because <? the bridge was low., the driver swore.>"
    assert read.grids == {"0": grid, "1": grid}
    assert [entry.tags for entry in read.entries] == [("cause", "easy"), ("cause", "hard")]


def test_subsets_are_not_for_labelled_files() -> None:
    subsets = SourceFile("subsets.json", b'{"easy": [501, 502]}')
    read = imported(FORMAT, lines(STUCK), subsets)
    assert read.tags == {"cause": 1}
    assert (read.issues[0].name, read.issues[0].odd) == (
        "unknown-ids",
        "2 ids that the file does not have",
    )


def test_lines_that_cannot_be_used_are_faults() -> None:
    bad = [without("premise"), without("idx"), STUCK | {"idx": -1}, STUCK | {"label": 2}]
    bad += [STUCK | {"question": "why"}, STUCK | {"choice1": 7}, STUCK | {"choice2": ""}, STUCK]
    data = lines(STUCK, *bad).encode() + b"{\n\xff\n[]\n"
    assert imported(FORMAT, data).faults == [
        (2, "no field 'premise'"),
        (3, "the idx None is not a number from 0"),
        (4, "the idx -1 is not a number from 0"),
        (5, "the label 2 is not one of 0 to 1"),
        (6, "the question is 'why', which is neither cause nor effect"),
        (7, "'choice1' is not a string"),
        (8, "the premise or an alternative is empty"),
        (9, "the id '0' is already used in line 1"),
        (
            10,
            "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
        (11, "byte 0xff at column 1 is not UTF-8"),
        (12, "not a JSON object"),
    ]


def test_only_the_published_files_of_the_format_look_like_it() -> None:
    names = ("test", "train", "unlabeled", "val")
    assert claimed(FORMAT) == {f"copa/superglue/{name}.jsonl" for name in names}


@pytest.mark.parametrize(
    ("name", "first", "rights"),
    [
        ("train", 1, {0: 181, 1: 187}),
        ("unlabeled", 1, {0: 14, 1: 18}),
        ("val", 401, {0: 55, 1: 45}),
        ("test", 501, {None: 500}),
    ],
)
def test_published_files_say_what_the_corpus_says(
    name: str, first: int, rights: dict[int | None, int]
) -> None:
    read = imported(FORMAT, published(f"copa/superglue/{name}.jsonl").data)
    assert read.rights == rights
    assert (set(read.kinds), read.faults) == ({"single problem"}, [])
    corpus = imported(copa.FORMAT_XML, published("copa/xml/copa-all.xml").data)
    theirs = _sentences(corpus)
    for number, (sentences, right) in _sentences(read).items():
        assert theirs[number + first][0] == sentences
        assert right in (None, theirs[number + first][1])


def test_the_subsets_of_the_published_test_file() -> None:
    subsets = published("copa/easy_hard_subsets.json")
    read = imported(FORMAT, published("copa/superglue/test.jsonl").data, subsets)
    assert (read.tags["easy"], read.tags["hard"]) == (190, 310)


def _sentences(read: Imported) -> dict[int, tuple[list[str], int | None]]:
    found = {int(entry.id): problems(entry.grid)[0] for entry in read.entries}
    return {
        number: ([sentence.text for sentence in one.sentences], one.right)
        for number, one in found.items()
    }
