"""WinoPron: Winogender's templates in three cases of the pronoun."""

import pytest

from horsesense.datasets.importers import SourceFile, guess_format
from horsesense.datasets.importers.formats.winogender import FORMAT, FORMAT_WINOPRON
from tests.datasets.importers.imported import Imported, claimed, imported
from tests.datasets.importers.samples import json_lines

HEADER = "occupation(0)\tother-participant(1)\tanswer\tsentence"
START = "plumber\ttenant\t"
TEMPLATE = "The $OCCUPATION met the $PARTICIPANT"
NOMINATIVE = (
    f"{START}0\t{TEMPLATE} as $NOM_PRONOUN came to work.",
    f"{START}1\t{TEMPLATE} as $NOM_PRONOUN came to pay.",
)
ACCUSATIVE = (
    f"{START}1\t{TEMPLATE} when rain surprised $ACC_PRONOUN at home.",
    f"{START}0\t{TEMPLATE} when rain surprised $ACC_PRONOUN at work.",
)
POSSESSIVE = (
    f"{START}0\t{TEMPLATE} and took $POSS_PRONOUN tools.",
    f"{START}1\t{TEMPLATE} and took $POSS_PRONOUN money.",
)


def text(*rows: str, header: str = HEADER) -> str:
    return "\n".join((header, *rows)) + "\n"


def read(*rows: str, header: str = HEADER) -> Imported:
    return imported(FORMAT_WINOPRON, text(*rows, header=header))


def guessed(*rows: str, header: str = HEADER) -> str:
    return guess_format(SourceFile("own", text(*rows, header=header).encode())).name


def test_twins_have_occupation_participant_and_case_in_common() -> None:
    found = read(*NOMINATIVE, *ACCUSATIVE, *POSSESSIVE)
    start = "[The plumber] met [the tenant]"
    assert found.grids == {
        "plumber.tenant.nominative": f"{start} as <_ = the plumber, the tenant> came to "
        "{work, pay}.",
        "plumber.tenant.accusative": f"{start} when rain surprised <_ = the plumber, the tenant> "
        "at {work, home}.",
        "plumber.tenant.possessive": f"{start} and took <_'s = the plumber, the tenant> "
        "{tools, money}.",
    }
    assert [entry.tags for entry in found.entries] == [
        ("nominative", "plumber"),
        ("accusative", "plumber"),
        ("possessive", "plumber"),
    ]
    assert (found.issues, found.twins) == ([], {"twins-by-id": "3 pairs"})
    assert dict(found.entries[0].extras)["x-problems"] == (
        "plumber.tenant.nominative.0, plumber.tenant.nominative.1"
    )


def test_a_file_with_winogenders_columns_is_known_by_its_cases() -> None:
    assert guessed(*NOMINATIVE, *ACCUSATIVE) == FORMAT_WINOPRON.name
    assert guessed(*NOMINATIVE, *NOMINATIVE) == FORMAT.name
    someone = (line.replace("tenant", "someone") for line in POSSESSIVE)
    assert guessed(*NOMINATIVE, *someone) == FORMAT.name


@pytest.mark.parametrize(
    "header",
    [
        "Occupation\tParticipant\tAnswer\tTemplate",
        "occupation\tother_participant\tlabel\tsentence",
    ],
)
def test_columns_may_have_other_names(header: str) -> None:
    assert guessed(*NOMINATIVE, header=header) == FORMAT_WINOPRON.name
    assert read(*NOMINATIVE, header=header).grids == read(*NOMINATIVE).grids


def test_the_sentences_decide_on_the_case_and_not_a_column() -> None:
    rows = [line.replace(START, f"{START}nominative\t") for line in POSSESSIVE]
    header = "occupation\tparticipant\tcase\tanswer\tsentence"
    assert list(read(*rows, header=header).grids) == ["plumber.tenant.possessive"]
    assert guessed("plumber\ttenant\tx\t0\tThe plumber slept.", *rows, header=header)


def test_templates_without_slots_are_nothing_that_we_know() -> None:
    file = SourceFile("own", text("plumber\ttenant\t0\tThe plumber left.").encode())
    assert not FORMAT_WINOPRON.looks_like(file)


def test_json_lines_are_read_too() -> None:
    columns = HEADER.split("\t")
    rows = [dict(zip(columns, line.split("\t"), strict=True)) for line in NOMINATIVE]
    data = json_lines(*({**row, "answer": int(row["answer"])} for row in rows), {columns[0]: []})
    assert guess_format(SourceFile("own", data.encode())) is FORMAT_WINOPRON
    found = imported(FORMAT_WINOPRON, data)
    assert found.grids == read(*NOMINATIVE).grids
    assert found.faults == [(3, "'occupation(0)' is not a string")]


def test_rows_that_cannot_be_used_are_faults() -> None:
    rows = (
        *NOMINATIVE,
        f"{START}2\t{TEMPLATE} as $NOM_PRONOUN came.",
        f"{START}0\t{TEMPLATE} and left.",
        f"{START}0\tThe $OCCUPATION said that $NOM_PRONOUN came.",
        NOMINATIVE[0],
    )
    assert read(*rows).faults == [
        (4, "the answer '2' is neither 0 nor 1"),
        (5, "0 slots for a pronoun where one is expected, or an unknown slot"),
        (6, "'tenant' does not occur in the sentence"),
        (7, "the id 'plumber.tenant.nominative.0' is already used in line 2"),
    ]


def test_the_statistics_of_occupations_become_fields() -> None:
    statistics = SourceFile("s.tsv", b"occupation\tbls_pct_female\nplumber\t4.5\n")
    found = imported(FORMAT_WINOPRON, text(*NOMINATIVE), statistics)
    assert dict(found.entries[0].extras)["x-bls-pct-female"] == "4.5"


def test_no_published_file_of_another_dataset_looks_like_it() -> None:
    assert claimed(FORMAT_WINOPRON) == set()
