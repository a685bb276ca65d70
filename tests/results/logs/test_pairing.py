"""Which documents make a schema."""

from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from horsesense.errors import FileError, MetricError
from horsesense.results.logs import read_log
from horsesense.results.logs.document import Document
from horsesense.results.logs.pairing import arranged
from tests.results.logs.logs import LM_EVAL, lines, read_rows, rows_of, sample, samples, schemas

OPTIONS = {"option1": "the owl", "option2": "the vole"}


def wino(number: int, name: str, key: str, right: int) -> dict[str, Any]:
    sentence = f"The owl did not see the vole because _ was {key}."
    doc = {"qID": name, "sentence": sentence, "answer": str(right + 1), **OPTIONS}
    return sample(number, -1, -2, right=right, **doc)


def test_importers_know_twins_by_their_ids_however_far_apart() -> None:
    other: dict[str, Any] = {"qID": "B-1", "sentence": "It was _ that sank.", "answer": "1"}
    apart = sample(1, -1, -2, **other, option1="the mole", option2="the hole")
    (one,) = read_rows([wino(0, "A-2", "hidden", 1), apart, wino(2, "A-1", "asleep", 0)])
    assert schemas(one) == {frozenset({("A", 1), ("A", 2)})}
    assert [answer.problem for answer in one.answer_set.answers] == [("A", 2), ("B", 1), ("A", 1)]
    assert one.answer_set.remarks == ("1 problem without a schema",)


def test_documents_that_no_importer_can_use_are_counted() -> None:
    broken = wino(2, "B-1", "_ _", 0)
    (one,) = read_rows([wino(0, "A-1", "asleep", 0), wino(1, "A-2", "hidden", 1), broken])
    assert len(one.answer_set.schemas) == 1
    assert one.answer_set.answers[2].entry == "document-2"
    assert one.answer_set.remarks == (
        "1 document not recognized (3 blanks where one is expected): 2",
        "1 problem without a schema",
    )


def test_rows_of_which_an_importer_can_use_none_stand_alone() -> None:
    (one,) = read_rows([wino(0, "A-1", "_ _", 0), wino(1, "A-2", "_ _ _", 1)])
    assert one.answer_set.schemas == ()
    assert len(one.answer_set.answers) == 2


def test_ids_with_commas_in_them_are_not_relied_upon() -> None:
    rows = [wino(0, "A, B-1", "asleep", 0), wino(1, "A, B-2", "hidden", 1)]
    (one,) = read_rows(rows)
    assert one.answer_set.schemas == ()
    assert [answer.entry for answer in one.answer_set.answers] == ["document-0", "document-1"]


def test_rows_that_make_no_problem_stand_alone() -> None:
    rows = [wino(0, "A-1", "asleep", 0), wino(1, "A-2", "hidden", 1)]
    for row in rows:
        row["doc"]["option2"] = row["doc"]["option1"]
    (one,) = read_rows(rows)
    assert one.answer_set.schemas == ()
    assert len(one.answer_set.answers) == 2


def test_a_lost_twin_does_not_change_the_number_of_the_other() -> None:
    (one,) = read_rows(rows_of(samples("shore_full"))[1:])
    assert one.answer_set.answers[0].problem == ("rope", 2)
    assert len(one.answer_set.schemas) == 8


def test_ids_that_are_no_numbers_of_problems_are_not_taken_for_them() -> None:
    rows = [sample(n, -1, -2, id="owl-1", pair="owl") for n in range(2)]
    (one,) = read_rows(rows, group_by="pair")
    assert [answer.problem for answer in one.answer_set.answers] == [("owl", 1), ("owl", 2)]


def test_tags_of_a_row_are_those_of_its_problem() -> None:
    texts = ("The gull ___ swim in water.", "The gull ___ swim in sand.")
    row = {"schema": "gull", "option1": "can", "option2": "cannot"}
    docs: list[dict[str, Any]] = [
        row | {"id": "q1", "text": texts[0], "answer": 1, "tags": "birds"},
        row | {"id": "q2", "text": texts[1], "answer": 2, "tags": "birds, odd"},
    ]
    rows = [sample(n, -1, -2, right=n, **doc) for n, doc in enumerate(docs)]
    (one,) = read_rows(rows)
    kind = {"birds", "substitution-schema"}
    assert [answer.tags for answer in one.answer_set.answers] == [kind, kind | {"odd"}]


def test_equal_values_of_a_field_make_a_schema() -> None:
    rows = [sample(n, -1, -2, meta={"pair": n // 2}) for n in range(4)]
    rows[3]["doc"]["meta"] = {}
    (one,) = read_rows(rows, group_by="meta.pair")
    assert one.answer_set.schemas == ((0, 1),)
    assert [answer.problem for answer in one.answer_set.answers] == [
        ("0", 1),
        ("0", 2),
        ("1", 1),
        ("document-3", 1),
    ]
    assert one.answer_set.remarks == (
        "1 document without meta.pair: 3",
        "2 problems without a schema",
    )


@pytest.mark.parametrize("count", [3, 5])
def test_more_than_two_are_an_error_that_names_them(count: int) -> None:
    rows = [sample(n, -1, -2, pair="owl") for n in range(count)]
    message = rf"^samples_task.jsonl:1, 2, 3.*: {count} documents have the same pair, owl; a schema"
    with pytest.raises(MetricError, match=message):
        read_rows(rows, group_by="pair")


def test_a_field_that_nothing_has_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(
        MetricError, match="no document has a field 'pair'; there are: number, text"
    ):
        read_rows([sample(0, -1, -2, text="owl")], group_by="pair")


def test_pairs_in_order_go_by_the_numbers_of_documents_and_on_request_only() -> None:
    rows = [sample(n, -1, -2) for n in (5, 0, 1, 3, 4)]
    (silent,) = read_rows(rows)
    (asked,) = read_rows(rows, consecutive=True)
    assert silent.answer_set.schemas == ()
    assert asked.answer_set.schemas == ((0, 1), (3, 4))
    assert asked.answer_set.answers[2].problem == ("1", 1)
    assert asked.answer_set.remarks[0] == "documents were paired by their order, as requested"
    with pytest.raises(MetricError, match="not by both"):
        read_rows(rows, consecutive=True, group_by="number")


def test_the_same_options_everywhere_say_nothing_of_twins() -> None:
    texts = ["Do owls hunt voles at night?", "Do owls hunt voles at noon?"]
    rows = [sample(n, -1, -2, question=text) for n, text in enumerate(texts)]
    (one,) = read_rows(rows)
    assert one.answer_set.schemas == ()
    assert one.answer_set.remarks[0].startswith("cannot tell which documents make a schema")


def test_claims_about_one_candidate_each_are_no_problems() -> None:
    target = {"span1_text": "The owl", "span1_index": 0, "span2_text": "it", "span2_index": 6}
    text = "The owl caught the vole because it was awake."
    vole = target | {"span1_text": "the vole", "span1_index": 3}
    rows = [
        sample(n, -1, -2, text=text, target=one, idx=n, label=n == 0)
        for n, one in enumerate((target, vole))
    ]
    (one,) = read_rows(rows)
    assert one.answer_set.schemas == ()
    assert len(one.answer_set.answers) == 2


def test_a_folder_holds_one_run_of_one_model(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no log in this folder: none of samples_"):
        read_log(tmp_path)
    with pytest.raises(FileError, match="owl"):
        read_log(tmp_path / "owl.jsonl")
    for model in ("hoot", "toot"):
        (tmp_path / model).mkdir()
        copy(samples("wino"), tmp_path / model)
    with pytest.raises(MetricError, match="logs of 2 models, hoot, toot; give one at a time"):
        read_log(tmp_path)
    later = tmp_path / "hoot" / "samples_wino_2027-01-01T00-00-00.000.jsonl"
    later.write_bytes(lines(rows_of(samples("wino"))))
    with pytest.raises(MetricError, match="wino was run twice, samples_wino_2026.* and sam"):
        read_log(tmp_path / "hoot")
    assert len(read_log(LM_EVAL)) == 9


def test_documents_with_numbered_ids_are_paired_by_likeness_and_that_is_told() -> None:
    others = ("It was _ that sank near the old pier {}.", "A lamp lit the hall as _ was {}.")
    rows = [wino(0, "q-1", "asleep", 0), wino(1, "q-2", "hidden", 1)]
    for number in range(2, 6):
        row = wino(number, f"q-{number + 1}", "", number % 2)
        words = "soon", "late"
        row["doc"]["sentence"] = others[number // 2 - 1].format(words[number % 2])
        rows.append(row)
    (one,) = read_rows(rows)
    assert schemas(one) == {frozenset({(f"q-{n}", 1), (f"q-{n}", 2)}) for n in (1, 3, 5)}
    assert one.answer_set.remarks == (
        "twins are not marked: twins by position and similarity: 3 pairs",
    )


def test_a_document_that_is_nested_too_deeply_is_refused() -> None:
    nested: Any = []
    for _ in range(5_000):
        nested = [nested]
    with pytest.raises(FileError, match="a document of the log is nested too deeply"):
        arranged([Document(1, "samples.jsonl:1", {"notes": nested})])
