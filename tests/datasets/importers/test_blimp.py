import json

import pytest

from horsesense.datasets.importers.formats.minimal_pairs import FORMAT_BLIMP as FORMAT
from horsesense.schema import problems
from tests.datasets.importers.imported import DATA, claimed, imported, published

PARADIGMS = (
    "anaphor_gender_agreement",
    "anaphor_number_agreement",
    "determiner_noun_agreement_1",
    "npi_present_1",
    "principle_A_c_command",
    "principle_A_case_1",
    "principle_A_domain_1",
    "regular_plural_subject_verb_agreement_1",
)


def line(good: str, bad: str, pair: object = "0", **more: object) -> str:
    row = {"sentence_good": good, "sentence_bad": bad, "field": "syntax", "UID": "owl_agreement"}
    return json.dumps(row | {"linguistics_term": "owl agreement", "pairID": pair} | more) + "\n"


def test_a_pair_is_in_an_order_that_tells_nothing() -> None:
    read = imported(
        FORMAT, line("Owls hunt.", "Owls hunts.") + line("An owl sleeps.", "An owl sleep.", "1")
    )
    assert read.grids == {
        "owl_agreement-0": "<Owls hunt.*, Owls hunts.>",
        "owl_agreement-1": "<An owl sleep., An owl sleeps.*>",
    }
    assert read.entries[0].tags == ("syntax", "owl_agreement")
    assert read.entries[0].extras == (("x-problems", "owl_agreement-0"),)
    assert [(one.name, one.line, one.problem) for one in read.issues] == [
        ("sentences-ordered", 0, "")
    ]


def test_the_order_does_not_depend_on_which_sentence_is_good() -> None:
    first = imported(FORMAT, line("Owls hunt.", "Owls hunts.")).grids["owl_agreement-0"]
    second = imported(FORMAT, line("Owls hunts.", "Owls hunt.")).grids["owl_agreement-0"]
    assert first.replace("*", "") == second.replace("*", "")
    assert first != second


def test_ids_and_tags_are_made_fit() -> None:
    more = {"UID": "owls & voles", "field": "syntax/semantics", "linguistics_term": None}
    read = imported(FORMAT, line("Owls hunt.", "Owls hunts.", **more))
    assert read.entries[0].id == "owls-voles-0"
    assert read.entries[0].tags == ("syntax/semantics", "owls_voles")


def test_lines_that_cannot_be_used_are_faults() -> None:
    good = line("Owls hunt.", "Owls hunts.")
    same, number = line("Owls hunt.", "Owls hunt.", "1"), line("Owls hunt.", "Owl hunt.", 2)
    missing = json.dumps({"UID": "owls", "pairID": "3", "sentence_good": "Owls hunt."}) + "\n"
    data = (good + same + number + missing + good).encode() + b"\xff\n"
    assert imported(FORMAT, data).faults == [
        (2, "'Owls hunt.' occurs twice; the options must differ"),
        (3, "'pairID' is not a string"),
        (4, "no field 'sentence_bad'"),
        (5, "the id 'owl_agreement-0' is already used in line 1"),
        (6, "byte 0xff at column 1 is not UTF-8"),
    ]


def test_half_a_character_is_cleaned_away() -> None:
    read = imported(FORMAT, line("Owls \ud800hunt.", "Owls hunts."))
    assert "\ud800" not in read.grids["owl_agreement-0"]
    assert read.told == {"sentences-ordered": 1, "control-characters": 1}


def test_only_the_published_files_of_the_format_look_like_it() -> None:
    assert claimed(FORMAT) == {f"blimp/{path.name}" for path in (DATA / "blimp").iterdir()}


@pytest.mark.parametrize("name", PARADIGMS)
def test_published_paradigms(name: str) -> None:
    read = imported(FORMAT, published(f"blimp/{name}.jsonl").data)
    assert (read.kinds, read.told) == ({"minimal pair": 1000}, {"sentences-ordered": 1})
    assert read.tags[name] == 1000
    assert 450 < read.rights[0] < 550
    rows = [json.loads(one) for one in published(f"blimp/{name}.jsonl").text.splitlines()]
    for entry, row in zip(read.entries, rows, strict=True):
        (problem,) = problems(entry.grid)
        assert problem.right is not None
        assert problem.sentences[problem.right].text == row["sentence_good"]
        assert problem.sentences[1 - problem.right].text == row["sentence_bad"]
