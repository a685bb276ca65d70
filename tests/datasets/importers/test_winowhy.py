"""WinoWhy: reasons for answers, each of which is right or wrong."""

import json
from typing import Any

import pytest

from horsesense.datasets.importers.formats.winowhy import FORMAT, FORMAT_CSV
from horsesense.datasets.importers.source import SourceFile
from horsesense.errors import FileError
from tests.datasets.importers.imported import claimed, imported, published
from tests.datasets.importers.samples import WINOWHY, json_list, reasoned

VALID = ["light things need no strong bridge", "human", 1.0, "Valid"]
INVALID = [" bridges are light.", "gpt", 0.2, "Invalid"]
UNDECIDED = ["lorries have wheels", "reverse", 0.6, "Undecided"]
CLAIM = 'The lorry crossed the bridge because it was light. Here "it" means "The lorry", because'


def categories(**numbers: Any) -> SourceFile:
    return SourceFile("categories.json", json.dumps(numbers).encode())


def test_a_reason_is_a_problem_and_an_undecided_one_is_left_out() -> None:
    read = imported(FORMAT, json_list(reasoned("was light", "A.", VALID, UNDECIDED, INVALID)))
    end = "This reason is <right"
    assert read.grids == {
        "1-1": f"{CLAIM} light things need no strong bridge. {end}*, wrong>.",
        "1-3": f"{CLAIM} bridges are light. {end}, wrong*>.",
    }
    assert (read.left_out, read.twins) == (1, {"no-twins": "2 alone"})
    assert [(one.name, one.problem, one.odd) for one in read.issues] == [
        ("undecided", "1-2", "share 0.6")
    ]
    first, _ = read.entries
    assert first.tags == ("right-or-wrong", "human", "cluster:wsc-0")
    assert dict(first.extras) == {"x-share": "1.0", "x-wsc273": "1", "x-problems": "1-1"}


def test_a_pronoun_that_occurs_twice_is_quoted_with_what_follows() -> None:
    read = imported(FORMAT, json_list(reasoned(", after all, was it.", "B", VALID)))
    assert (
        'because it, after all, was it. Here "it" in "it, after" means "The bridge", because'
        in (read.grids["1-1"])
    )


def test_reasons_about_one_schema_are_one_cluster() -> None:
    rows = [reasoned("was light.", "A", VALID) for _ in range(258)]
    tags = [entry.tags[-1] for entry in imported(FORMAT, json_list(*rows)).entries]
    # Problems 253 to 255 are one schema, all others are two by two.
    assert [tags.count(f"cluster:wsc-{schema}") for schema in (0, 125, 126, 127, 128)] == [
        *(2, 2, 3, 2),
        1,
    ]


def test_the_categories_of_a_problem_are_tags_of_its_reasons() -> None:
    rows = [reasoned("was light.", "A", VALID), reasoned("was strong.", "B", INVALID)]
    file = categories(Weight=[0], Space=[1, 0, 0, 7], Causal=[])
    read = imported(FORMAT, json_list(*rows), file)
    assert [entry.tags[2:] for entry in read.entries] == [
        ("Weight", "Space", "cluster:wsc-0"),
        ("Space", "cluster:wsc-0"),
    ]
    assert [(one.name, one.odd) for one in read.issues] == [
        ("unknown-problem", "1 number that no problem has")
    ]


@pytest.mark.parametrize("listed", [{"Weight": 3}, {"Weight": ["0"]}, {"Weight": [True]}])
def test_another_file_has_no_categories(listed: dict[str, Any]) -> None:
    with pytest.raises(FileError, match="not a JSON object with a list of problems"):
        imported(FORMAT, json_list(reasoned("was light.", "A", VALID)), categories(**listed))


def test_what_cannot_be_used_is_a_fault() -> None:
    good = reasoned("was light.", "A", VALID)
    rows = (
        good,
        reasoned("was light.", "C", VALID, INVALID),
        good | {"answers": ["The lorry"]},
        good | {"answers": [3, "The lorry"]},
        good | {"text": {"txt1": "It", "pron": " ", "txt2": "was"}},
        good | {"text": {"txt1": "It", "pron": "it"}},
        good | {"reasons": 3},
        good | {"reasons": [["because", "human"]]},
        good | {"reasons": [["", "human", 1.0, "Valid"]]},
        good | {"reasons": [["because", "human", "most", "Valid"]]},
        good | {"reasons": [["because", "human", 1.0, "Maybe"], VALID]},
    )
    read = imported(FORMAT, json_list(*rows))
    assert [odd for _, odd in read.faults] == [
        "the right answer is 'C', neither A nor B",
        "no text, or no two answers",
        "the answer is not a string, or there is no pronoun",
        "the answer is not a string, or there is no pronoun",
        "no field 'txt2'",
        "no list of reasons",
        "a reason does not have its text, origin, share and verdict",
        "a reason is not a string",
        "the share 'most' is not a number",
        "'Maybe' is neither Valid nor Invalid nor Undecided",
    ]
    assert (len(read.entries), read.left_out) == (2, 10)


def row(sentence: str, label: str, number: object) -> str:
    return f"{sentence},The lorry crossed. ,It is the lorry,{label},{number},0\n"


def test_the_decided_reasons_are_sentences_of_the_file() -> None:
    rows = row("It is light because it crossed", "1", 0) + row("It crossed.", "0", 5)
    read = imported(FORMAT_CSV, f"{WINOWHY}\n{rows}", categories(Weight=[5, 6, 8]))
    assert read.grids == {
        "1": "It is light because it crossed. This reason is <right*, wrong>.",
        "2": "It crossed. This reason is <right, wrong*>.",
    }
    assert read.entries[1].tags == ("right-or-wrong", "Weight", "cluster:wsc-2")
    assert read.told == {"unknown-problem": 1}


def test_rows_that_cannot_be_used_are_faults() -> None:
    rows = (row("It crossed.", "1", 0), row("It.", "2", 0), row("It.", "1", "x"), row(" ", "1", 0))
    read = imported(FORMAT_CSV, f"{WINOWHY}\n{''.join(rows)}{row('It.', '', 1)}")
    assert read.faults == [
        (3, "the label '2' is not one of 0 to 1"),
        (4, "the number of the problem is 'x'"),
        (5, "the sentence is empty"),
        (6, "no label, but other problems have one"),
    ]


def test_only_the_published_files_of_the_formats_look_like_them() -> None:
    assert claimed(FORMAT) == {"winowhy/winowhy.json"}
    assert claimed(FORMAT_CSV) == {"winowhy/dataset.csv"}


def test_the_published_reasons() -> None:
    file, companion = published("winowhy/winowhy.json"), published("winowhy/cat_ref.json")
    read = imported(FORMAT, file.data, companion)
    assert (read.kinds, read.faults) == ({"single problem": 2865}, [])
    assert (read.rights, read.left_out) == ({0: 1270, 1: 1595}, 1230)
    assert read.told["undecided"] == 1230
    assert sum(read.tags[origin] for origin in ("human", "gpt", "reverse")) == 2865
    by_category = {
        "Property": 32,
        "Object": 82,
        "Temporal": 88,
        "Spatial": 64,
        "Quantity": 20,
        "Others": 48,
    }
    fields = [(entry.tags, dict(entry.extras)["x-wsc273"]) for entry in read.entries]
    counted = {
        category: len({number for tags, number in fields if category in tags})
        for category in by_category
    }
    assert counted == by_category


def test_the_published_sentences_have_the_same_labels() -> None:
    read = imported(FORMAT_CSV, published("winowhy/dataset.csv").data)
    assert (read.kinds, read.faults) == ({"single problem": 2865}, [])
    assert read.rights == {0: 1270, 1: 1595}
    whole = imported(FORMAT, published("winowhy/winowhy.json").data)
    clusters = [
        sorted(tag for tag in each.tags if tag.startswith("cluster:")) for each in (read, whole)
    ]
    assert clusters[0] == clusters[1] and len(clusters[0]) == 136
    assert all(read.tags[tag] == whole.tags[tag] for tag in clusters[0])
