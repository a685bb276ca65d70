import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from horsesense.datasets.exporters import EXPORTS, Exported, FileExport
from horsesense.schema import Header, Mode
from tests.datasets.exporters.folders import (
    BUS,
    COOK,
    FULL_FIELDS,
    KEYS,
    LADLE,
    LORRY,
    OWLS,
    STORM,
    SWIMMER,
    dataset_of,
    entry,
    left_out,
    text_of,
)

COLUMNS = (
    "id,schema,mode,text,option1,option2,answer,pronoun,verbatim,tags,note,"
    "switchable,symmetrical,associative,invertible"
)


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text, newline=""), strict=True))


def json_rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_table_has_a_line_of_columns_and_a_line_for_each_problem() -> None:
    assert text_of("csv", dataset_of(entry("lorry", tags=("roads", "size")))) == (
        f"{COLUMNS}\n"
        'lorry-1,lorry,by answer,A lorry ___ pass under a high bridge.,can,cannot,1,,,"roads, size"'
        ",,,,,\n"
        'lorry-2,lorry,by answer,A lorry ___ pass under a low bridge.,can,cannot,2,,,"roads, size"'
        ",,,,,\n"
    )


def test_an_empty_dataset_has_the_same_columns() -> None:
    assert text_of("csv", dataset_of()) == f"{COLUMNS}\n"
    assert text_of("jsonl", dataset_of()) == ""


def test_json_lines_hold_what_has_a_value() -> None:
    first, _ = json_rows(text_of("jsonl", dataset_of(entry("ladle", LADLE, **FULL_FIELDS))))
    assert list(first.items()) == [
        ("id", "q7"),
        ("schema", "ladle"),
        ("mode", "by answer"),
        ("text", "The ladle would not go into the drawer because ___ was too long."),
        ("option1", "the ladle"),
        ("option2", "the drawer"),
        ("answer", 1),
        ("pronoun", "it"),
        ("tags", "space, size"),
        ("note", "it sticks out"),
        ("switchable", "no"),
        ("invertible", "yes"),
        ("x-by", "Ida"),
    ]


def test_there_are_as_many_options_as_any_problem_has() -> None:
    text = text_of("csv", dataset_of(entry("lorry"), entry("storm", STORM)))
    first, _, last = csv_rows(text)
    assert first["option3"] == "" and last["option3"] == "the hailstones"


def test_an_unlabelled_problem_has_no_answer() -> None:
    (row,) = csv_rows(text_of("csv", dataset_of(entry("cook", COOK))))
    assert (row["id"], row["answer"], row["pronoun"]) == ("cook", "", "he")
    (line,) = json_rows(text_of("jsonl", dataset_of(entry("cook", COOK))))
    assert "answer" not in line


def test_a_minimal_pair_has_no_text_and_its_sentences_as_options() -> None:
    (row,) = csv_rows(text_of("csv", dataset_of(entry("keys", KEYS))))
    assert (row["text"], row["option1"]) == ("", "The keys to the shed are lost.")


def test_phrases_for_two_blanks_stand_side_by_side() -> None:
    first, _ = csv_rows(text_of("csv", dataset_of(entry("owls", OWLS), mode=Mode.BY_KEY)))
    assert (first["mode"], first["text"]) == ("by key", "___ do eat ___.")
    assert (first["option1"], first["option2"]) == ("Owls ¶ voles", "Voles ¶ owls")


def test_an_empty_key_phrase_is_an_empty_option() -> None:
    what = dataset_of(entry("swim", SWIMMER), mode=Mode.BY_KEY)
    first, _ = json_rows(text_of("jsonl", what))
    assert (first["option1"], first["option2"]) == ("", "under water")
    assert left_out("jsonl", what) == {
        "sentences that are not simply the text with the blank filled in": 2
    }


def test_each_row_of_a_loose_pair_tells_whether_it_is_verbatim_and_of_its_own_pronoun() -> None:
    pair = (
        "! the bus , <_ = the bus*, the train> was late\n& The train waited for <the ferry*, us>."
    )
    first, second = csv_rows(text_of("csv", dataset_of(entry("pair", pair))))
    assert (first["verbatim"], first["pronoun"]) == ("yes", "_")
    assert (second["verbatim"], second["pronoun"]) == ("", "")


def test_a_verbatim_schema_says_so_in_every_row() -> None:
    rows = csv_rows(
        text_of("csv", dataset_of(entry("owl", "! the owl <eats, flees> {a vole, us}")))
    )
    assert [row["verbatim"] for row in rows] == ["yes", "yes"]


def test_by_key_the_pronoun_is_counted_instead() -> None:
    what = dataset_of(entry("ladle", LADLE), mode=Mode.BY_KEY)
    assert csv_rows(text_of("csv", what))[0]["pronoun"] == ""
    assert left_out("csv", what) == {"marked candidates": 2, "pronouns": 1}


def test_fields_of_the_authors_own_have_columns_in_the_order_of_their_names() -> None:
    what = dataset_of(entry("lorry", extras=(("x-to", "b, c"), ("x-by", "Ida"))), entry("bus", BUS))
    text = text_of("csv", what)
    assert text.splitlines()[0] == f"{COLUMNS},x-by,x-to"
    assert [row["x-to"] for row in csv_rows(text)] == ["b, c", "b, c", "", ""]


def test_an_empty_field_is_held_by_json_lines_alone() -> None:
    what = dataset_of(entry("lorry", extras=(("x-by", ""),)))
    assert [row["x-by"] for row in json_rows(text_of("jsonl", what))] == ["", ""]
    assert left_out("jsonl", what) == {}
    assert left_out("csv", what) == {"empty fields of the author's own": 1}


@pytest.mark.parametrize("format_name", ["csv", "jsonl"])
def test_perturbation_material_candidates_and_header_are_counted(format_name: str) -> None:
    header = Header("kitchen", title="A drawer", licence="CC BY 4.0")
    what = dataset_of(entry("ladle", LADLE, **FULL_FIELDS), header=header)
    assert left_out(format_name, what) == {
        "phrases for perturbations": 1,
        "marked candidates": 2,
        "titles of the dataset": 1,
        "licences of the dataset": 1,
    }


@pytest.mark.parametrize("text", ["the form said ___ and <yes*, no>", "the _<owl*, vole> slept"])
def test_a_text_with_what_looks_like_a_blank_is_left_out_and_counted(text: str) -> None:
    what = dataset_of(entry("form", f"! {text}"))
    assert left_out("csv", what) == {"problems with what looks like ___ in their text": 1}


def test_a_pilcrow_in_a_phrase_is_only_in_the_way_of_two_blanks() -> None:
    one = dataset_of(entry("one", "the mark was <a ¶ b*, a dash>"))
    assert left_out("csv", one) == {}
    two = dataset_of(entry("two", "{¶, signs} <are, are not> {signs, ¶}"), mode=Mode.BY_KEY)
    assert left_out("csv", two) == {"problems with two blanks and ¶ in a phrase": 2}


def test_a_file_on_disk_holds_text_of_any_script(tmp_path: Path) -> None:
    export = EXPORTS["csv"]
    assert isinstance(export, FileExport)
    path = tmp_path / f"cafe{export.suffix}"
    what = dataset_of(entry("cafe", 'the “café” <is*, "is, they say,"> open', note='so "it" is'))
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(export.pieces(what, Exported()))
    (row,) = csv_rows(path.read_text(encoding="utf-8"))
    assert (row["text"], row["option2"]) == ("The “café” ___ open.", "is, they say,")
    assert row["note"] == 'so "it" is'


def test_a_report_tells_how_much_was_written() -> None:
    report = Exported()
    text_of("csv", dataset_of(entry("lorry", LORRY), entry("storm", STORM)), report)
    assert (report.entries, report.problems) == (2, 3)
