import json
from typing import Any

import pytest

from horsesense.datasets.importers.formats.perturbed_wsc import FORMAT_JSONL as FORMAT
from horsesense.schema import Schema
from tests.datasets.importers.imported import Imported, claimed, imported, published

PLACE = "enhanced_wsc/enhanced_wsc_jsons"
HIGH = {
    "sentence": "the owl saw the vole because _ was high .",
    "option1": "the owl",
    "option2": "the vole",
    "answer": "1",
    "pair_number": 0,
    "qID": "q20",
    "associative": 0,
    "switchable": 1,
}
LOW = {**HIGH, "sentence": "the owl saw the vole because _ was low .", "answer": "2", "qID": "q21"}
HIS = {**HIGH, "sentence": "the owl saw the vole in _ nest .", "qID": "q0208"}


def read(*rows: dict[str, Any], off: tuple[str, ...] = ()) -> Imported:
    return imported(FORMAT, "\n".join(map(json.dumps, rows)), switched_off=off)


def test_twins_by_pair_number_make_a_schema_tagged_with_its_perturbation() -> None:
    found = read(HIGH, LOW)
    assert found.grids == {
        "0": "! [the owl] saw [the vole] because <_ = the owl, the vole> was {high, low} ."
    }
    (entry,) = found.entries
    assert entry.tags == ("tense",)
    assert entry.flags == (("associative", False), ("switchable", True))
    assert dict(entry.extras) == {"x-problems": "q20, q21"}
    assert found.issues == []


def test_an_id_of_another_make_gives_no_tag() -> None:
    assert read({**HIGH, "qID": "own-9"}).entries[0].tags == ()


def test_problems_flagged_differently_are_told() -> None:
    found = read({**HIGH, "associative": 1}, LOW)
    assert found.entries[0].flag("associative") is True
    assert dict(found.entries[0].extras)["x-associative.2"] == "0"
    assert found.told == {"flags-differ": 1}


def test_flags_that_nobody_annotated_are_left_open() -> None:
    late = {**HIGH, "qID": "q0280", "switchable": 0}
    assert read(late).entries[0].flags == ()
    assert [(i.kind, i.name, i.line, i.problem) for i in read(late).issues] == [
        ("repair", "unannotated-flags", 1, "q0280")
    ]
    left = read(late, off=("unannotated-flags",)).entries[0]
    assert left.flags == (("associative", False), ("switchable", False))


@pytest.mark.parametrize(
    ("name", "options", "owners"),
    [
        ("q0208", ("the owl", "nora"), "<_'s = the owl's*, nora's>"),
        ("q3208", ("the owls", "nora and lena"), "<_'s = the owls'*, nora and lena's>"),
    ],
)
def test_answers_are_possessive_where_the_pronoun_was(
    name: str, options: tuple[str, str], owners: str
) -> None:
    row = {**HIS, "qID": name, "option1": options[0], "option2": options[1]}
    found = read(row)
    assert owners in found.grids["0"]
    assert found.told["possessive-answers"] == 1
    left = read(row, off=("possessive-answers",))
    assert f"<_ = {options[0]}*, {options[1]}>" in left.grids["0"]


def test_a_gap_that_is_known_to_be_misplaced_is_moved() -> None:
    row = {**HIGH, "sentence": "_ was late , and the owl slept as it was dark .", "qID": "q586"}
    found = read(row)
    assert found.grids["0"].startswith("! it was late , and [the owl] slept as <_ = the owl*")
    assert [(i.kind, i.name) for i in found.issues][0] == ("repair", "misplaced-gap")
    left = read(row, off=("misplaced-gap",))
    assert left.grids["0"].startswith("! <_ = the owl*, the vole> was late")


def test_a_gap_may_move_to_the_possessive_pronoun() -> None:
    text = "the owls sang as _ moved in their nest ."
    row = {**HIGH, "sentence": text, "qID": "q3220"}
    assert (
        read(row)
        .grids["0"]
        .startswith("! the owls sang as they moved in <_'s = the owl's*, the vole's> nest")
    )
    left = read(row, off=("misplaced-gap",))
    assert "as <_ = the owl*, the vole> moved" in left.grids["0"]


def test_a_gap_in_a_file_of_another_make_stays() -> None:
    row = {**HIGH, "qID": "q586"}
    assert "because <_ = the owl*, the vole> was high" in read(row).grids["0"]
    assert read(row).issues == []


def test_row_271_gets_the_answer_of_the_wsc() -> None:
    row = {**HIS, "qID": "q1270", "pair_number": 134}
    assert read(row).rights == {1: 1}
    assert read(row).told["row-271"] == 1
    assert read(row, off=("row-271",)).rights == {0: 1}
    assert read({**row, "pair_number": 5}).rights == {0: 1}


def test_bad_rows_are_faults_with_their_lines() -> None:
    bad: list[dict[str, Any]] = [
        {**HIGH, "pair_number": "0"},
        {**HIGH, "pair_number": True},
        {**HIGH, "associative": 2},
        {**HIGH, "answer": "0"},
        {**HIGH, "sentence": "the owl saw the vole ."},
        {"qID": "q1"},
    ]
    data = "\n".join([*map(json.dumps, [HIGH, LOW, *bad]), "{"]).encode() + b"\n\xfe"
    found = imported(FORMAT, data)
    assert [line for line, _ in found.faults] == [3, 4, 5, 6, 7, 8, 9, 10]
    assert set(found.grids) == {"0"}


# Rows, schemas, loose pairs, single problems, and moved gaps of every file.
COUNTS = {
    "adverb": (283, 128, 13, 0, 1),
    "gender": (155, 72, 5, 0, 1),
    "number": (253, 115, 11, 0, 6),
    "original": (285, 134, 8, 0, 1),
    "rel_1": (283, 65, 76, 0, 8),
    "syn": (283, 132, 9, 0, 1),
    "tense": (281, 133, 7, 0, 1),
    "voice": (220, 101, 8, 1, 0),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_published_files_give_their_schemas(name: str) -> None:
    found = imported(FORMAT, published(f"{PLACE}/text_{name}.jsonl").data)
    assert not found.faults
    rows, schemas, loose, single, moved = COUNTS[name]
    assert sum(found.rights.values()) == rows
    kinds = ("substitution schema", "loose pair", "single problem")
    assert [found.kinds.get(kind, 0) for kind in kinds] == [schemas, loose, single]
    assert found.told.get("misplaced-gap", 0) == moved
    assert found.told["row-271"] == found.told["several-twins"] == 1
    assert found.told["unannotated-flags"] == {"gender": 8, "number": 10}.get(name, 12)
    assert found.told["possessive-answers"] == (26 if name == "voice" else 30)
    (faulty,) = [entry for entry in found.entries if entry.id == "134"]
    assert isinstance(faulty.grid, Schema) == (name != "rel_1")


def test_only_its_own_files_are_claimed() -> None:
    assert claimed(FORMAT) == {f"{PLACE}/text_{name}.jsonl" for name in COUNTS}
