"""The mode that a published file is in, which its dataset declares from then on."""

from __future__ import annotations

import pytest

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.datasets.importers.reading import FileImport
from horsesense.schema import Header, Mode
from tests.datasets.importers.imported import published
from tests.datasets.importers.samples import thesis, thesis_row

CAN = "A lorry can pass under a *target* bridge."
CANNOT = "A lorry cannot pass under a *target* bridge."
ROWS = (thesis_row(1, CAN, "high&low", 0), thesis_row(2, CANNOT, "high&low", 1))
HEADINGS = "schema,mode,text,option1,option2,answer\n"
BY_KEY = (
    "lorry,by key,A lorry can pass under a ___ bridge.,high,low,1\n"
    "lorry,by key,A lorry cannot pass under a ___ bridge.,high,low,2\n"
)
BY_ANSWER = "owl,by answer,Owls ___ hunt.,can,cannot,1\n"
TWINS = BY_ANSWER + "owl,by answer,Oaks ___ hunt.,can,cannot,2\n"


def read(text: str) -> FileImport:
    reading = open_import(SourceFile("own", text.encode()), Header("own"))
    list(reading)
    return reading


def issues(reading: FileImport) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.name, one.odd, one.done) for one in reading.issues()]


def test_the_second_line_of_a_thesis_file_is_the_mode_of_its_dataset() -> None:
    reading = read(thesis(*ROWS, mode="by key"))
    assert reading.header.mode is Mode.BY_KEY
    done = "posed by key unless you choose another mode"
    assert ("step", "own-mode", "2 by key", done) in issues(reading)


def test_a_file_by_answer_says_nothing_of_its_mode() -> None:
    high = thesis_row(1, "A lorry *target* pass under a high bridge.", "can&cannot", 0)
    low = thesis_row(2, "A lorry *target* pass under a low bridge.", "can&cannot", 1)
    reading = read(thesis(high, low))
    assert reading.header.mode is Mode.BY_ANSWER
    assert "own-mode" not in [name for _, name, _, _ in issues(reading)]


def test_the_mode_of_all_rows_of_a_table_is_that_of_its_dataset() -> None:
    assert read(HEADINGS + BY_KEY).header.mode is Mode.BY_KEY
    # A problem without a twin is in no schema, and does not count.
    assert read(HEADINGS + BY_KEY + BY_ANSWER).header.mode is Mode.BY_KEY


@pytest.mark.parametrize(
    ("rows", "odd"),
    [
        (BY_KEY + TWINS, "2 by key, 2 by answer"),
        (BY_KEY.partition("\n")[0] + "\n", "1 by key, without twins"),
    ],
)
def test_what_has_no_mode_of_its_own_is_posed_by_answer_and_said_to_be(rows: str, odd: str) -> None:
    reading = read(HEADINGS + rows)
    assert reading.header.mode is Mode.BY_ANSWER
    done = "posed by answer unless you choose another mode"
    assert ("oddity", "several-modes", odd, done) in issues(reading)


@pytest.mark.parametrize(
    ("path", "mode"),
    [
        ("reid250/reid250.txt", Mode.BY_ANSWER),
        ("reid250/reid250-inverted.txt", Mode.BY_KEY),
        ("reid250/reid250x2-v1-by-key.txt", Mode.BY_KEY),
        ("reid250/reid250x2-v1-by-boolean.txt", Mode.BY_BOOLEAN),
        ("wsc266/wsc266_inverted.txt", Mode.BY_KEY),
    ],
)
def test_published_files_are_in_the_mode_that_they_name(path: str, mode: Mode) -> None:
    assert open_import(published(path), Header("thesis")).header.mode is mode


def test_those_who_use_a_file_in_several_modes_are_told_so() -> None:
    told = "own: 2 by key, 2 by answer: posed by answer unless you choose another mode"
    assert told in read(HEADINGS + BY_KEY + TWINS).remarks()
    assert all("posed" not in remark for remark in read(HEADINGS + BY_KEY).remarks())
