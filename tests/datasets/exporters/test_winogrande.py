import json

import pytest

from horsesense.datasets.exporters import Exported
from horsesense.schema import Entry, Mode
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


def lines(*notations: str, mode: Mode = Mode.BY_ANSWER) -> list[dict[str, str]]:
    entries = [entry(f"e{number}", one) for number, one in enumerate(notations, 1)]
    text = text_of("winogrande", dataset_of(*entries, mode=mode))
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_has_the_fields_of_the_published_files_in_their_order() -> None:
    first, second = text_of("winogrande", dataset_of(entry("lorry"))).splitlines()
    assert first == (
        '{"qID": "lorry-1", "sentence": "A lorry _ pass under a high bridge.", '
        '"option1": "can", "option2": "cannot", "answer": "1"}'
    )
    assert json.loads(second)["answer"] == "2"


def test_every_line_ends_in_a_newline() -> None:
    assert text_of("winogrande", dataset_of(entry("lorry"))).endswith('"2"}\n')


def test_names_from_the_source_are_kept() -> None:
    ladle = entry("ladle", LADLE, extras=(("x-problems", "3F-2, 3F-1"),))
    found = text_of("winogrande", dataset_of(ladle)).splitlines()
    assert [json.loads(line)["qID"] for line in found] == ["3F-2", "3F-1"]


def test_single_problems_with_ids_like_twins_do_not_become_twins() -> None:
    cooks = (entry("cook-1", COOK), entry("cook-2", COOK.replace("cook", "baker")))
    found = text_of("winogrande", dataset_of(*cooks)).splitlines()
    stems = {json.loads(line)["qID"].rpartition("-")[0] for line in found}
    assert stems == {"cook-1", "cook-2"}


def test_single_problems_that_are_only_numbered_in_their_source_do_not_become_twins() -> None:
    cooks = [
        entry(name, COOK, extras=(("x-problems", name),))
        for name in ("cook-1", "cook-2", "cook-3", "cook")
    ]
    own = entry("3F", COOK, extras=(("x-problems", "3F-2"),))
    found = text_of("winogrande", dataset_of(*cooks, own)).splitlines()
    names = [json.loads(line)["qID"] for line in found]
    assert names == ["cook-1-1", "cook-2-1", "cook-3-1", "cook", "3F-2"]


def test_a_problem_without_a_known_answer_has_no_answer() -> None:
    (line,) = lines(COOK)
    assert list(line) == ["qID", "sentence", "option1", "option2"]


def test_what_is_not_ascii_is_escaped_as_in_the_published_files() -> None:
    text = text_of("winogrande", dataset_of(entry("cafe", "the café <is*, isn’t> open")))
    assert text.isascii() and json.loads(text)["option2"] == "isn’t"


def test_key_phrases_are_spelt_as_they_stand_in_the_sentence() -> None:
    first, _ = lines("{three, nine} geese are <fewer, more> than six swans", mode=Mode.BY_KEY)
    assert (first["sentence"], first["option1"]) == ("_ geese are fewer than six swans.", "Three")


def test_a_loose_pair_is_two_twins() -> None:
    assert [line["qID"] for line in lines(LORRY, BUS)[2:]] == ["e2-1", "e2-2"]


@pytest.mark.parametrize(
    "notation, mode, reason",
    [
        (STORM, Mode.BY_ANSWER, "problems with more than two options"),
        (KEYS, Mode.BY_ANSWER, "minimal pairs"),
        (OWLS, Mode.BY_KEY, "problems with two blanks"),
        (
            SWIMMER,
            Mode.BY_KEY,
            "problems whose sentences are not simply the text with the blank filled in",
        ),
        (
            "the file read_me was <short*, long>",
            Mode.BY_ANSWER,
            "problems with an underscore in their text",
        ),
    ],
)
def test_what_the_format_cannot_hold_is_left_out_and_counted(
    notation: str, mode: Mode, reason: str
) -> None:
    what = dataset_of(entry("odd", notation), mode=mode)
    assert text_of("winogrande", what) == ""
    assert set(left_out("winogrande", what)) == {reason}


def test_what_belongs_to_no_problem_is_counted() -> None:
    counted = left_out("winogrande", dataset_of(entry("ladle", LADLE, **FULL_FIELDS)))
    assert counted == {
        "tags": 2,
        "notes": 1,
        "flags": 2,
        "phrases for perturbations": 1,
        "fields of the author's own": 1,
        "marked candidates": 2,
        "pronouns": 1,
        "names of problems": 2,
    }


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        ("q-1, q-2", ["q-1", "q-2"]),
        ("q-2, q-1", ["q-2", "q-1"]),
        ("q1, q2", ["lorry-1", "lorry-2"]),
        ("p-1, q-2", ["lorry-1", "lorry-2"]),
        ("0+109-1, 0+109-2", ["lorry-1", "lorry-2"]),
    ],
)
def test_names_are_kept_where_they_make_twins_again(names: str, ids: list[str]) -> None:
    what = dataset_of(entry("lorry", extras=(("x-problems", names),)))
    found = [json.loads(line)["qID"] for line in text_of("winogrande", what).splitlines()]
    assert found == ids


def ids(*entries: Entry) -> list[str]:
    text = text_of("winogrande", dataset_of(*entries))
    return [json.loads(line)["qID"] for line in text.splitlines()]


def named(name: str, names: str, notation: str = LORRY) -> Entry:
    return entry(name, notation, extras=(("x-problems", names),))


@pytest.mark.parametrize("names", ["1, 2", "2, 1", "-1, -2"])
def test_numbers_without_a_stem_are_no_names_of_twins(names: str) -> None:
    assert ids(named("lorry", names)) == ["lorry-1", "lorry-2"]


def test_names_that_other_ids_equal_or_extend_are_not_kept() -> None:
    assert ids(named("1", "owl-1, owl-2"), named("2", "owl", COOK)) == ["1-1", "1-2", "2-1"]
    assert ids(named("1", "owl-1, owl-2"), named("owl", "q-1, q-2")) == ["1-1", "1-2", "q-1", "q-2"]
    assert ids(named("1", "owl-1, owl-2"), entry("owl", COOK)) == ["1-1", "1-2", "owl-1"]


def test_more_than_two_problems_are_no_twins_and_that_is_said() -> None:
    report = Exported()
    dyad = entry("lorry", f"It is |true, false| that {LORRY}")
    found = text_of("winogrande", dataset_of(dyad, entry("bus", BUS)), report).splitlines()
    assert [json.loads(line)["qID"] for line in found] == [
        *("lorry-a", "lorry-b", "lorry-c", "lorry-d"),
        *("bus-1", "bus-2"),
    ]
    assert report.remarks == [
        "WinoGrande's ids mark pairs only; 1 entry of more than two problems is written as "
        "problems that do not belong together"
    ]
