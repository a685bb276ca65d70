"""Key phrases that are published with more words than differ."""

import pytest

from horsesense.datasets.importers.formats.thesis_text import FORMAT
from horsesense.datasets.importers.recipes.wsc266 import WIDER_KEYS, widen_keys
from horsesense.datasets.recovery import Journal, RawEntry, RawProblem
from horsesense.schema import IssueKind, Schema
from tests.datasets.importers.imported import imported, published
from tests.datasets.importers.samples import thesis, thesis_row


def group(number: object) -> RawEntry:
    return RawEntry(
        str(number), [RawProblem("7", 5, ("Nora saw ", "."), (("owls",), ("elks",)), 0)]
    )


def widened(dataset: str, *off: str) -> tuple[dict[int, tuple[int, int]], Journal]:
    groups = [group(number) for number in range(1, 134)]
    journal = Journal(off)
    widen_keys(groups, dataset, journal)
    return {int(one.id): one.widening for one in groups if one.widening != (0, 0)}, journal


def test_six_schemas_of_wsc266_and_nine_of_reid250_are_widened() -> None:
    assert sorted(widened("wsc266")[0]) == [31, 32, 101, 105, 128, 130]
    assert sorted(widened("reid250")[0]) == [87, 88, 90, 92, 95, 96, 98, 117, 118]


def test_nothing_is_widened_in_another_dataset() -> None:
    widenings, journal = widened("wsc273")
    assert widenings == {} and list(journal.issues()) == []


def test_each_is_told_with_its_line_and_can_be_switched_off() -> None:
    widenings, journal = widened("wsc266")
    issues = list(journal.issues())
    assert {(one.name, one.kind, one.line, one.problem) for one in issues} == {
        (WIDER_KEYS, IssueKind.REPAIR, 5, "7")
    }
    assert "words added: 0 to the left, 2 to the right" in [one.done for one in issues]
    widenings, journal = widened("wsc266", WIDER_KEYS)
    assert widenings == {}
    assert {one.kind for one in journal.issues()} == {IssueKind.ODDITY}


@pytest.mark.parametrize("name", ["7" * 5000, "007", "٧"])
def test_a_number_of_any_length_or_script_does_no_harm(name: str) -> None:
    widen_keys([group(name)], "wsc266", Journal())


def test_a_file_of_that_name_with_other_sentences_loses_none_of_them() -> None:
    rows = [
        thesis_row(1, "*target* hunt.", "Owls&Elks", 0, schema=105),
        thesis_row(2, "*target* sleep.", "Owls&Elks", 1, schema=105),
        thesis_row(3, "Owls now *target*.", "hunt&sleep", 0, schema=130),
        thesis_row(4, "Owls not *target*.", "hunt&sleep", 1, schema=130),
    ]
    read = imported(FORMAT, thesis(*rows, head="dataset name: wsc266"))
    sentences = [
        entry.grid.sentence(cell).text for entry in read.entries for cell in entry.grid.cells
    ]
    assert sentences == [
        "Owls hunt.",
        "Elks hunt.",
        "Owls sleep.",
        "Elks sleep.",
        "Owls now hunt.",
        "Owls now sleep.",
        "Owls not hunt.",
        "Owls not sleep.",
    ]
    assert read.faults == []


@pytest.mark.parametrize(
    "path, inverted",
    [("reid250/reid250.txt", "reid250/reid250-inverted.txt")],
)
def test_the_widened_phrases_are_the_options_of_the_inverted_file(path: str, inverted: str) -> None:
    schemas, others = (
        {entry.id: entry.grid for entry in imported(FORMAT, published(one).data).entries}
        for one in (path, inverted)
    )
    for number in widened("reid250")[0]:
        ours, theirs = schemas[str(number)], others[str(number)]
        assert isinstance(ours, Schema) and isinstance(theirs, Schema)
        assert ours.keys == theirs.keys
