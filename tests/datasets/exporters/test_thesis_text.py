import re

import pytest

from horsesense.datasets.exporters import Exported, wrapped
from horsesense.schema import Header, Mode
from horsesense.schema.notation import parse_wrapper
from tests.datasets.exporters.folders import (
    BUS,
    COOK,
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

PUBLISHED = "schema type: adversarial; dataset name: roads; selection: all schemas"
ROADS = Header("roads", note=PUBLISHED)
WRAPPER = parse_wrapper("It is |true, false| that …")
SQUARES = (
    entry("1", LORRY, extras=(("x-problems", "1, 2"),)),
    entry("27", OWLS, extras=(("x-problems", "53, 54"),)),
)


def test_problems_by_answer_are_written_as_the_thesis_writes_them() -> None:
    assert text_of("thesis-text", dataset_of(*SQUARES, header=ROADS)) == (
        f"{PUBLISHED}\n"
        "by answer\n"
        "s/  1/ a/  1/   1/   1: A lorry *target* pass under a high bridge.&can&cannot&0\n"
        "s/  1/ b/  1/   2/   2: A lorry *target* pass under a low bridge.&can&cannot&1\n"
        "t/  2/ a/ 27/   3/  53: Owls *target* eat voles.&do&do not&0\n"
        "t/  2/ b/ 27/   4/  54: Voles *target* eat owls.&do&do not&1"
    )


def test_two_blanks_have_two_marks_and_options_of_two_phrases() -> None:
    assert text_of("thesis-text", dataset_of(*SQUARES, header=ROADS, mode=Mode.BY_KEY)) == (
        f"{PUBLISHED}\n"
        "by key\n"
        "s/  1/ a/  1/   1/   1: A lorry can pass under a *target* bridge.&high&low&0\n"
        "s/  1/ b/  1/   2/   2: A lorry cannot pass under a *target* bridge.&high&low&1\n"
        "t/  2/ a/ 27/   3/  53: *target* do eat *target2*.&Owls¶voles&Voles¶owls&0\n"
        "t/  2/ b/ 27/   4/  54: *target* do not eat *target2*.&Owls¶voles&Voles¶owls&1"
    )


@pytest.mark.parametrize(
    "mode, mode_line, first_rows",
    [
        (
            Mode.BY_ANSWER,
            "by answer",
            "s/  1/ a/  1/   1/   1: "
            "It is true that a lorry *target* pass under a high bridge.&can&cannot&0\n"
            "s/  1/ b/  1/   2/   2: "
            "It is false that a lorry *target* pass under a high bridge.&can&cannot&1\n",
        ),
        (
            Mode.BY_KEY,
            "by key",
            "s/  1/ a/  1/   1/   1: "
            "It is true that a lorry can pass under a *target* bridge.&high&low&0\n"
            "s/  1/ b/  1/   2/   2: "
            "It is true that a lorry cannot pass under a *target* bridge.&high&low&1\n",
        ),
        (
            Mode.BY_BOOLEAN,
            "by value",
            "s/  1/ a/  1/   1/   1: "
            "It is *target* that a lorry can pass under a high bridge.&true&false&0\n"
            "s/  1/ b/  1/   2/   2: "
            "It is *target* that a lorry cannot pass under a high bridge.&true&false&1\n",
        ),
    ],
)
def test_dyads_have_four_rows_and_running_numbers(
    mode: Mode, mode_line: str, first_rows: str
) -> None:
    dyads = wrapped(dataset_of(*SQUARES), WRAPPER, Exported())
    text = text_of("thesis-text", dataset_of(*dyads, header=ROADS, mode=mode, wrapper=WRAPPER))
    head = (
        "schema type: adversarial dyad; dataset name: roads; selection: all schemas; "
        'wrapper: "It is [true ~ false] that SCHEMA."; truth pair: true-false'
    )
    assert text.startswith(f"{head}\n{mode_line}\n{first_rows}")
    keys = [line.partition(": ")[0].replace(" ", "") for line in text.split("\n")[2:]]
    assert keys[2:] == [
        "s/1/c/1/3/3",
        "s/1/d/1/4/4",
        "t/2/a/27/5/5",
        "t/2/b/27/6/6",
        "t/2/c/27/7/7",
        "t/2/d/27/8/8",
    ]
    assert [line[-1] for line in text.split("\n")[2:]] == list("01100110")


def test_a_first_line_is_made_up_where_none_was_published() -> None:
    items = "perturbation: original; baseline: no baseline"
    for entries, kind in (
        ((entry("1", LADLE),), "Winograd"),
        ((entry("1", LADLE), entry("2", LORRY)), "adversarial"),
        ((entry("1", f"Ida finds it |odd, even| that {LORRY}"),), "adversarial dyad"),
        ((), "adversarial"),
    ):
        first, *_ = text_of("thesis-text", dataset_of(*entries)).split("\n")
        assert first == f"schema type: {kind}; dataset name: kitchen; {items}"


def test_a_wrapper_is_told_in_a_line_that_was_made_up_too() -> None:
    wrapper = parse_wrapper("That … is |likely, unlikely|")
    dyads = wrapped(dataset_of(entry("1")), wrapper, Exported())
    first, *_ = text_of("thesis-text", dataset_of(*dyads, wrapper=wrapper)).split("\n")
    told = 'wrapper: "That SCHEMA is [likely ~ unlikely]."; truth pair: likely-unlikely'
    assert first.endswith(f"baseline: no baseline; {told}")


def test_problems_with_a_pronoun_are_winograd_and_answers_are_as_they_stand() -> None:
    towel = "[Nora] handed [Lena] the towel because <her's = Nora, Lena> hands were {dry, wet}."
    first, second, third, _ = text_of(
        "thesis-text", dataset_of(entry("9", towel), entry("bus", BUS))
    ).split("\n")[2:]
    assert first == (
        "w/  1/ a/  1/   1/   1: "
        "Nora handed Lena the towel because *target* hands were dry.&Nora's&Lena's&0"
    )
    assert second.startswith("w/  1/ b/  1/   2/   2: ")
    assert third.startswith("w/  2/ a/  2/   3/   3: The bus missed")


def test_ids_and_names_that_are_no_numbers_are_replaced_by_running_ones() -> None:
    names = (("x-problems", "q1, q2"),)
    what = dataset_of(entry("5"), entry("owls", OWLS, extras=names))
    keys = [line.split(": ")[0] for line in text_of("thesis-text", what).split("\n")[2:]]
    assert keys[0] == "s/  1/ a/  1/   1/   1"  # a number among them would meet another's
    assert keys[2:] == ["t/  2/ a/  2/   3/   3", "t/  2/ b/  2/   4/   4"]
    assert left_out("thesis-text", what) == {"ids of entries that are not numbers": 2}


def test_numbers_that_occur_twice_are_counted_anew() -> None:
    names = (("x-problems", "7, 7"),)
    lines = text_of("thesis-text", dataset_of(entry("5", extras=names))).split("\n")[2:]
    assert [line.split(": ")[0] for line in lines] == [
        "s/  1/ a/  5/   1/   1",
        "s/  1/ b/  5/   2/   2",
    ]


def test_a_row_has_as_many_letters_as_it_needs() -> None:
    rows = "\n& ".join(f"The {number}th gate was <open*, shut>." for number in range(4, 32))
    lines = text_of("thesis-text", dataset_of(entry("1", rows))).split("\n")[2:]
    letters = [line.split("/")[2] for line in lines]
    assert (letters[:2], letters[-3:]) == ([" a", " b"], [" z", "aa", "ab"])


@pytest.mark.parametrize(
    "notation, mode, reason, count",
    [
        (STORM, Mode.BY_ANSWER, "problems with more than two options", 1),
        (KEYS, Mode.BY_ANSWER, "minimal pairs", 1),
        (COOK, Mode.BY_ANSWER, "problems without a known answer", 1),
        (
            SWIMMER,
            Mode.BY_KEY,
            "problems whose sentences are not simply the text with the blank filled in",
            2,
        ),
        (
            "Hale & Sons sold <a cart*, a van>",
            Mode.BY_ANSWER,
            "problems with one of & ¶ *target* *target2* in their text",
            1,
        ),
        (
            "the mark was <a ¶*, a dash>",
            Mode.BY_ANSWER,
            "problems with one of & ¶ *target* *target2* in their text",
            1,
        ),
    ],
)
def test_what_the_format_cannot_hold_is_left_out_and_counted(
    notation: str, mode: Mode, reason: str, count: int
) -> None:
    what = dataset_of(entry("1", LORRY), entry("2", notation), mode=mode)
    assert left_out("thesis-text", what)[reason] == count
    lines = text_of("thesis-text", what).split("\n")[2:]
    assert len(lines) == 2 and all("lorry" in line for line in lines)


def test_numbers_have_no_gaps_where_something_was_left_out() -> None:
    what = dataset_of(entry("7", STORM), entry("8", LORRY))
    rows = text_of("thesis-text", what).split("\n")[2:]
    assert [re.sub(r"[^\d/]", "", row.split(": ")[0]) for row in rows] == ["/1//8/1/1", "/1//8/2/2"]


def test_a_published_first_line_is_no_loss_and_other_notes_are() -> None:
    assert left_out("thesis-text", dataset_of(*SQUARES, header=ROADS)) == {}
    noted = Header("roads", licence="CC0", note="so far")
    assert left_out("thesis-text", dataset_of(*SQUARES, header=noted)) == {
        "licences of the dataset": 1,
        "notes of the dataset": 1,
    }
