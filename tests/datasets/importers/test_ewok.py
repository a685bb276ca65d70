"""EWoK: two contexts and two targets in each row make a schema."""

import json
from typing import Any

import pytest

from horsesense.datasets.importers import SourceFile, guess_format
from horsesense.datasets.importers.formats.ewok import FORMAT
from horsesense.schema import Mode, problems
from tests.datasets.importers.imported import claimed, imported
from tests.datasets.importers.samples import EWOK, json_lines

LOW = "roads,low,high,direct,A lorry waits.,A lorry passes.,The bridge is low.,The bridge is high."
ROW = dict(zip(EWOK.split(","), LOW.split(","), strict=True))


def file(*rows: dict[str, str]) -> str:
    headings = list(rows[0])
    lines = [",".join(headings), *(",".join(row[name] for name in headings) for row in rows)]
    return "\n".join(lines) + "\n"


def test_a_row_is_a_schema_with_the_contexts_as_keys() -> None:
    read = imported(FORMAT, file(ROW))
    assert read.grids == {"1": "The bridge is {low, high}. <A lorry waits., A lorry passes.>"}
    (entry,) = read.entries
    assert entry.tags == ("roads", "low", "high", "direct")
    assert dict(entry.extras) == {"x-problems": "1-1, 1-2"}
    assert (read.twins, read.issues) == ({"twins-by-mark": "1 pair"}, [])


def test_by_key_each_target_is_given_and_its_context_is_right() -> None:
    (entry,) = imported(FORMAT, file(ROW)).entries
    right = [problem.sentences[problem.right or 0].text for problem in problems(entry.grid)]
    assert right == ["The bridge is low. A lorry waits.", "The bridge is high. A lorry passes."]
    by_key = problems(entry.grid, Mode.BY_KEY)
    assert [problem.sentences[problem.right or 0].text for problem in by_key] == right


def test_the_key_phrase_reaches_over_all_differences() -> None:
    contexts = {"Context1": "Nora is calm and near.", "Context2": "Nora was calm but far."}
    read = imported(FORMAT, file(ROW | contexts))
    assert read.grids == {
        "1": "Nora {is calm and near, was calm but far}. <A lorry waits., A lorry passes.>"
    }


def test_exchanged_phrases_make_a_transposition_schema() -> None:
    texts = {
        "Context1": "The owl sits above the vole.",
        "Context2": "The vole sits above the owl.",
        "Target1": "The vole hides.",
        "Target2": "The owl hides.",
    }
    read = imported(FORMAT, file(ROW | texts))
    assert read.kinds == {"transposition schema": 1}


@pytest.mark.parametrize("spell", [str.lower, str.upper, lambda name: name.replace("t1", "t_1")])
def test_columns_may_be_spelt_differently(spell: Any) -> None:
    data = file({spell(name): value for name, value in ROW.items()})
    assert guess_format(SourceFile("own", data.encode())) is FORMAT
    assert imported(FORMAT, data).grids == imported(FORMAT, file(ROW)).grids


def test_json_lines_and_tab_separated_rows_are_read_too() -> None:
    expected = imported(FORMAT, file(ROW)).grids
    assert imported(FORMAT, json_lines(ROW)).grids == expected
    assert imported(FORMAT, file(ROW).replace(",", "\t")).grids == expected
    listed = SourceFile("own", json.dumps([ROW]).encode())
    assert guess_format(listed) is FORMAT


def test_how_contexts_and_targets_differ_are_tags_and_other_columns_are_reported() -> None:
    more = {"ContextDiff": "antonym", "TargetDiff": "concept swap", "Version": "3"}
    read = imported(FORMAT, file(ROW | more))
    assert read.entries[0].tags[-2:] == ("context:antonym", "target:concept_swap")
    assert [(one.name, one.odd) for one in read.issues] == [
        ("unused-column", "the column 'Version'")
    ]


def test_rows_that_cannot_be_used_are_faults() -> None:
    rows = (
        ROW | {"Target2": " "},
        ROW | {"Target2": ROW["Target1"]},
        ROW | {"Context2": ROW["Context1"]},
        ROW,
    )
    read = imported(FORMAT, file(*rows))
    assert read.faults == [
        (2, "a context or a target is empty"),
        (3, "the two contexts or the two targets are the same"),
        (4, "the two contexts or the two targets are the same"),
    ]
    assert list(read.grids) == ["4"]
    rows_without = imported(FORMAT, json_lines(ROW, {"Context1": "Owls."}))
    assert rows_without.faults == [(2, "no field 'context2'")]


def test_another_part_of_a_problem_shows_another_format() -> None:
    data = file(ROW | {"option1": "owl"}).encode()
    assert not FORMAT.looks_like(SourceFile("own", data))


def test_no_published_file_of_another_dataset_looks_like_it() -> None:
    assert claimed(FORMAT) == set()
