"""WinoGrande: by lines of our own, and by the published files."""

import json
import re
from typing import Any

import pytest

from horsesense.datasets.exporters import EXPORTS, Exported, FileExport
from horsesense.datasets.importers import SourceFile, open_import
from horsesense.datasets.importers.formats.winogrande import FORMAT
from horsesense.errors import FileError, ImportFaults
from horsesense.schema import Dataset, Entry, Header, Kind, Schema, problems
from tests.datasets.importers.imported import claimed, imported, imported_file, published
from tests.datasets.importers.samples import json_lines, options

HIGH, LOW = options("owl-1", "high", "1"), options("owl-2", "low", "2")
SQUARE = "The [lorry] hit the [bridge] because the <_ = lorry, bridge> was {high, low}."
# Pairs, singles, loose pairs.
COUNTS = {
    "dev": (284, 699, 47),
    "test": (387, 993, 387),
    "train-debiased": (2011, 5226, 273),
    "train_xs": (80, 0, 11),
    "train_s": (320, 0, 42),
    "train_m": (1279, 0, 149),
    "train_l": (5117, 0, 641),
}


def read(*rows: dict[str, Any], labels: str | None = None) -> Any:
    companions = [] if labels is None else [SourceFile("labels", labels.encode())]
    return imported(FORMAT, json_lines(*rows), *companions)


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def exported(entries: list[Entry]) -> str:
    export = EXPORTS["winogrande"]
    assert isinstance(export, FileExport)
    return "".join(export.pieces(Dataset(Header("x"), entries), Exported()))


def test_twins_are_told_by_the_stem_of_their_ids_wherever_they_stand() -> None:
    found = read(LOW, options("elk-2", "old", "1"), HIGH)
    assert found.grids == {
        "owl": SQUARE,
        "elk": "The [lorry] hit the [bridge] because the <_ = lorry*, bridge> was old.",
    }
    assert dict(found.entries[0].extras) == {"x-problems": "owl-1, owl-2"}
    assert found.issues == []


@pytest.mark.parametrize("name", ["owl", "owl-3", "owl-", "owl-12", "3"])
def test_an_id_of_another_make_stands_for_itself(name: str) -> None:
    assert list(read(options(name, "high", "1")).grids) == [name]


def test_the_end_of_an_id_is_not_taken_for_the_answer() -> None:
    found = read(options("owl-1", "high", "2"), options("owl-2", "low", "1"))
    assert found.grids == {"owl": SQUARE.replace("{high, low}", "{low, high}")}
    unlabelled = read(options("owl-1", "high", None), options("owl-2", "low", None))
    assert [one.right for one in problems(unlabelled.entries[0].grid)] == [None, None]


def test_a_file_without_labels_is_read_without() -> None:
    found = read(options("owl-1", "high", None))
    assert found.grids == {
        "owl": "The [lorry] hit the [bridge] because the <? _ = lorry, bridge> was high."
    }
    assert found.faults == []


@pytest.mark.parametrize(
    "row, odd",
    [
        (without(HIGH, "qID"), "no field 'qID'"),
        (without(HIGH, "option2"), "no field 'option2'"),
        ({**HIGH, "sentence": 3}, "'sentence' is not a string"),
        ({**HIGH, "sentence": "No blank."}, "0 blanks where one is expected"),
        ({**HIGH, "sentence": "_ and _."}, "2 blanks where one is expected"),
        ({**HIGH, "answer": "3"}, "the label '3' is not one of 1 to 2"),
        ({**HIGH, "answer": 0}, "the label 0 is not one of 1 to 2"),
        ({**HIGH, "answer": "lorry"}, "the label 'lorry' is not one of 1 to 2"),
        (without(HIGH, "answer"), "no label, but other problems have one"),
        ({**HIGH, "answer": ""}, "no label, but other problems have one"),
        (LOW, "the id 'owl-2' is already used in line 1"),
        ({**HIGH, "option1": "bridge"}, "'bridge' occurs twice; the options must differ"),
        ({**HIGH, "option1": ""}, "an answer phrase is empty"),
        ({**HIGH, "qID": "an owl"}, "'an owl' cannot be an id"),
        ({**HIGH, "qID": "x" * 101}, "cannot be an id"),
        ({**HIGH, "option1": "x" * 10_000}, "is longer than 10,000 characters"),
        ({**HIGH, "sentence": "_ " + "x" * 10_000}, "is longer than 10,000 characters"),
    ],
)
def test_a_row_that_cannot_be_used_is_a_fault_with_its_line(row: dict[str, Any], odd: str) -> None:
    if row.get("qID") == "owl-1":
        row = {**row, "qID": "elk-1"}
    found = read(LOW, row)
    assert "owl" in found.grids
    assert [line for line, _ in found.faults] == [2]
    assert odd in found.faults[0][1]


def test_lines_that_are_no_objects_are_faults_with_their_lines() -> None:
    good = json.dumps(HIGH).encode()
    data = b"\n".join([good, b"{", b"[]", b"\xff", b"x" * 1_000_000, b"\x00", b"", b"null"])
    found = imported(FORMAT, data)
    assert list(found.grids) == ["owl"]
    assert [line for line, _ in found.faults] == [2, 3, 4, 5, 6, 8]


def test_faults_are_raised_where_it_is_not_to_keep_going() -> None:
    file = SourceFile("own", json_lines(HIGH, without(LOW, "answer")).encode())
    with pytest.raises(ImportFaults, match="^own:2: no label, but other problems have one"):
        list(open_import(file, Header("x")))


def test_labels_may_come_from_a_list() -> None:
    rows = [without(HIGH, "answer"), without(LOW, "answer")]
    assert read(*rows, labels="1\n2\n").grids == {"owl": SQUARE}
    assert read(HIGH, LOW, labels="1\r\n2").grids == {"owl": SQUARE}


@pytest.mark.parametrize(
    "labels, faults",
    [
        ("1\n1\n", [(2, "the file says 2, labels says 1")]),
        ("1\n3\n", [(2, "labels: the label '3' is not one of 1 to 2")]),
        ("1\n1,2,1,2,1\n", [(2, "labels: the label '1,2,1,2,1' is not one of 1 to 2")]),
    ],
)
def test_a_list_must_not_contradict_the_file(labels: str, faults: list[tuple[int, str]]) -> None:
    found = read(HIGH, LOW, labels=labels)
    assert found.faults == faults
    assert found.grids == {
        "owl": "The [lorry] hit the [bridge] because the <_ = lorry*, bridge> was high."
    }


@pytest.mark.parametrize("labels", ["", "1\n", "1\n2\n1\n"])
def test_a_list_must_have_as_many_labels_as_there_are_problems(labels: str) -> None:
    file = SourceFile("own", json_lines(HIGH, LOW).encode())
    companions = [SourceFile("labels", labels.encode())]
    with pytest.raises(ImportFaults, match=f"labels has {len(labels.split())} labels for 2"):
        list(open_import(file, Header("x"), companions=companions))
    with pytest.raises(FileError, match="labels"):
        list(
            open_import(
                file, Header("x"), companions=[SourceFile("labels", b"\xff")], keep_going=True
            )
        )


def test_only_the_published_files_look_like_it() -> None:
    mine = {path for path in claimed(FORMAT) if path.startswith("winogrande")}
    assert mine == {f"winogrande/{name}.jsonl" for name in COUNTS}


@pytest.mark.parametrize("name", COUNTS)
def test_a_published_file_has_the_published_pairs_and_sentences(name: str) -> None:
    file = published(f"winogrande/{name}.jsonl")
    found = imported_file(FORMAT.name, f"winogrande/{name}.jsonl")
    pairs, singles, loose = COUNTS[name]
    kinds = [entry.grid.kind for entry in found.entries]
    assert len(kinds) == pairs + singles
    assert kinds.count(Kind.SINGLE) == singles
    assert kinds.count(Kind.LOOSE) == loose
    assert kinds.count(Kind.SUBSTITUTION) == pairs - loose
    assert found.faults == []
    rows = {row["qID"]: row for row in map(json.loads, file.text.splitlines())}
    for entry in found.entries:
        names = dict(entry.extras)["x-problems"].split(", ")
        for name_, one in zip(names, problems(entry.grid), strict=True):
            row = rows.pop(name_)
            filled = [row["sentence"].replace("_", row[f"option{n}"].strip()) for n in (1, 2)]
            assert [sentence.text for sentence in one.sentences] == [
                re.sub(" +", " ", text).strip(" ") for text in filled
            ]
            assert one.right == (int(row["answer"]) - 1 if "answer" in row else None)
        if isinstance(entry.grid, Schema):
            assert all(phrase for value in entry.grid.keys.values for phrase in value)
    assert rows == {}


@pytest.mark.parametrize("name", ["dev", "train_xs", "train_s", "train_m", "train-debiased"])
def test_the_published_labels_agree_with_the_file(name: str) -> None:
    file = published(f"winogrande/{name}.jsonl")
    labels = published(f"winogrande/{name.replace('-', '_')}-labels.lst")
    unlabelled = imported_file(FORMAT.name, f"winogrande/{name}.jsonl")
    assert imported(FORMAT, file.data, labels).entries == unlabelled.entries


def test_a_sample_submission_is_no_list_of_labels() -> None:
    file = published("winogrande/test.jsonl")
    labels = published("winogrande/sample-submission-labels.lst")
    with pytest.raises(ImportFaults, match=r"own|test.jsonl:1: .*is not one of 1 to 2"):
        list(open_import(file, Header("x"), companions=[labels]))


@pytest.mark.parametrize("name", ["dev", "test", "train_m"])
def test_what_is_exported_is_imported_again(name: str) -> None:
    found = imported_file(FORMAT.name, f"winogrande/{name}.jsonl")
    again = imported(FORMAT, exported(found.entries))
    assert again.entries == found.entries


OTHERS = (
    ("Nora lent Lena a ladder because _ needed one {}.", "Nora", "Lena"),
    ("No jar fits on that shelf, for the _ is far too {}.", "jar", "shelf"),
    ("A gull stole bread from the pier while the _ lay {}.", "gull", "pier"),
)


def numbered(name: str = "wsc-{}") -> list[dict[str, Any]]:
    """Three pairs in a row, numbered throughout."""
    rows: list[dict[str, Any]] = []
    for sentence, first, second in OTHERS:
        for right, word in enumerate(("soon", "late"), start=1):
            row = {"qID": name.format(len(rows) + 1), "sentence": sentence.format(word)}
            rows.append({**row, "option1": first, "option2": second, "answer": str(right)})
    return rows


@pytest.mark.parametrize("name", ["wsc-{}", "wsc_{}", "wsc{}", "{}", "train.{}", "set-1-{}"])
def test_ids_that_are_only_numbered_mark_no_twins(name: str) -> None:
    found = read(*numbered(name))
    assert found.kinds == {"substitution schema": 3}
    assert list(found.grids) == [name.format(number) for number in (1, 3, 5)]
    assert found.twins == {"twins-by-neighbours": "3 pairs"}


def test_numbered_problems_are_paired_wherever_they_stand_and_never_if_unlike() -> None:
    rows = numbered()
    assert read(*rows[::2], *rows[1::2]).twins == {"twins-by-neighbours": "3 pairs"}
    assert read(*rows[::2]).twins == {"twins-by-neighbours": "3 alone"}
    assert read(*rows[::2]).kinds == {"single problem": 3}


def test_where_some_stems_mark_twins_and_others_are_shared_by_more_each_is_taken_for_itself() -> (
    None
):
    found = read(LOW, *numbered(), HIGH, options("elk-2", "old", "1"))
    assert list(found.grids) == ["owl", "wsc-1", "wsc-3", "wsc-5", "elk"]
    assert found.grids["owl"] == SQUARE
    assert found.twins == {"twins-by-id": "1 pair, 1 alone", "twins-by-neighbours": "3 pairs"}


def test_beside_numbered_rows_a_stem_marks_twins_only_with_the_same_options() -> None:
    train = numbered("train-{}")
    dev = [{**row, "qID": f"dev-{n}"} for n, row in enumerate(numbered()[1:3], start=1)]
    assert "dev" in read(*dev).grids
    found = read(*train[:1], *train[3:], *dev)
    assert found.grids.keys() == {"train-1", "train-4", "train-5"}
    assert found.twins == {"twins-by-neighbours": "3 pairs"}


def test_a_row_that_stands_there_twice_does_not_make_a_stem_of_three() -> None:
    found = read(HIGH, LOW, HIGH)
    assert found.twins == {"twins-by-id": "1 pair"}
    assert found.faults == [(3, "the id 'owl-1' is already used in line 1")]


def test_a_row_whose_id_is_the_stem_of_twins_is_not_one_of_them() -> None:
    found = read(options("owl", "old", "1"), HIGH, LOW)
    assert found.kinds == {"single problem": 1, "substitution schema": 1}
    assert list(found.grids) == ["owl", "owl-1"]
    assert found.grids["owl-1"] == SQUARE
    assert found.faults == []


def test_stems_that_are_ids_of_other_entries_leave_every_entry_an_id_of_its_own() -> None:
    inner = [{**row, "qID": f"owl-1-{n}"} for n, row in enumerate(numbered()[:2], start=1)]
    assert list(read(*inner, HIGH, LOW).grids) == ["owl-1", "owl"]
    found = read(*inner, HIGH, LOW, options("owl", "old", "1"))
    assert list(found.grids) == ["owl-1-1", "owl-1", "owl"]
    beside = read(*inner, *numbered("owl-{}"))
    assert list(beside.grids) == ["owl-1-1", "owl-1", "owl-3", "owl-5"]


def test_ids_numbered_in_another_way_are_no_part_of_a_stem() -> None:
    found = read(options("owl1", "old", "1"), HIGH, LOW)
    assert list(found.grids) == ["owl1", "owl"]
    assert found.twins == {"twins-by-id": "1 pair, 1 alone"}


def test_the_published_wsc_numbered_throughout_has_its_schemas() -> None:
    rows = map(json.loads, published("winograd_square_one/wsc/wsc.jsonl").text.splitlines())
    found = read(*({**row, "qID": f"wsc-{n}"} for n, row in enumerate(rows, start=1)))
    assert found.twins == {"twins-by-neighbours": "135 pairs, 1 triple"}


def test_published_pairs_are_found_again_without_their_ids() -> None:
    rows = list(map(json.loads, published("winogrande/dev.jsonl").text.splitlines()))
    known = read(*rows)
    assert known.twins == {"twins-by-id": "284 pairs, 699 alone"}
    found = read(*({**row, "qID": f"dev-{n}"} for n, row in enumerate(rows, start=1)))
    assert found.twins == {"twins-by-neighbours": "284 pairs, 699 alone"}
    assert list(found.grids.values()) == list(known.grids.values())
