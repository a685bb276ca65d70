"""What holds for any entries, in any format and mode."""

import csv
import json
import re
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.exporters import EXPORTS, Exported, FileExport
from horsesense.datasets.exporters.exported import NAMES, filled
from horsesense.datasets.importers.formats.winogrande import FORMAT as WINOGRANDE
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.schema import BLANK, Entry, Header, Mode, modes, problems
from horsesense.schema.notation import parse_grid
from tests.datasets.exporters.folders import BUS, COOK, LORRY, dataset_of, text_of
from tests.strategies import brisk, entries, headers

pytestmark = pytest.mark.usefixtures("untraced")

datasets = st.lists(entries(), max_size=3, unique_by=lambda entry: entry.id)
any_mode = st.sampled_from(Mode)
DYAD = f"It is |true, false| that {LORRY}"
LINE_FORMATS = [one.name for one in EXPORTS.values() if isinstance(one, FileExport) and one.modes]


def sentences(given_entries: list[Entry], mode: Mode) -> set[tuple[str, ...]]:
    """The sentences of every problem in that mode."""
    return {
        tuple(sentence.text for sentence in problem.sentences)
        for entry in given_entries
        if mode in modes(entry.grid)
        for problem in problems(entry.grid, mode)
    }


def refilled(row: dict[str, Any]) -> tuple[str, ...]:
    """The sentences of a row of the plain table, as a stranger would put them together."""
    count = sum(name.startswith("option") for name in row)
    options = [row[f"option{number + 1}"] for number in range(count)]
    texts = row["text"].split(BLANK) if "text" in row else ["", ""]
    blanks = len(texts) - 1
    phrases = [[option] if blanks < 2 else option.split(" ¶ ") for option in options]
    return tuple(filled(texts, phrase) for phrase in phrases)


@given(given_entries=datasets, mode=any_mode)
@brisk
def test_the_rows_of_the_table_give_the_sentences_but_for_those_counted(
    given_entries: list[Entry], mode: Mode
) -> None:
    report = Exported()
    text = text_of("jsonl", dataset_of(*given_entries, mode=mode), report)
    known = sentences(given_entries, mode)
    wrong = [line for line in text.splitlines() if refilled(json.loads(line)) not in known]
    assert (
        len(wrong)
        <= report.left_out["sentences that are not simply the text with the blank filled in"]
    )


@given(given_entries=datasets, mode=any_mode)
@brisk
def test_csv_and_json_lines_hold_the_same(given_entries: list[Entry], mode: Mode) -> None:
    what = dataset_of(*given_entries, mode=mode)
    table = list(csv.DictReader(StringIO(text_of("csv", what), newline=""), strict=True))
    lines = [json.loads(line) for line in text_of("jsonl", what).split("\n")[:-1]]
    assert [{name: value for name, value in row.items() if value} for row in table] == [
        {name: str(value) for name, value in line.items() if value != ""} for line in lines
    ]


@given(given_entries=datasets, mode=any_mode, header=headers())
@brisk
def test_the_rows_of_thesis_text_give_the_sentences(
    given_entries: list[Entry], mode: Mode, header: Header
) -> None:
    known = sentences(given_entries, mode)
    text = text_of("thesis-text", dataset_of(*given_entries, header=header, mode=mode))
    for row in text.split("\n")[2:]:
        statement, first, second, label = row.split(": ", 1)[1].split("&")
        texts = statement.replace("*target2*", "*target*").split("*target*")
        found = tuple(filled(texts, option.split("¶")) for option in (first, second))
        assert found in known and label in ("0", "1")


@given(given_entries=datasets, mode=any_mode)
@brisk
def test_the_lines_of_winogrande_give_the_sentences(given_entries: list[Entry], mode: Mode) -> None:
    known = sentences(given_entries, mode)
    for line in text_of("winogrande", dataset_of(*given_entries, mode=mode)).splitlines():
        row = json.loads(line)
        texts = row["sentence"].split("_")
        assert len(texts) == 2
        assert tuple(filled(texts, [row[name]]) for name in ("option1", "option2")) in known


# Ids and names of problems that extend one another, or are only numbered.
LIKE_NAMES = ("1", "2", "2-1", "2-2", "3-1", "owl", "owl-1", "owl-2", "owl-1-1", "owl_1", "owl3")
like_ids = st.lists(st.sampled_from(LIKE_NAMES), unique=True, max_size=5)
few_grids = st.sampled_from((LORRY, COOK, BUS, DYAD))


@st.composite
def datasets_with_names(draw: st.DrawFn) -> list[Entry]:
    """Entries whose problems are called by any of those names, each by another."""
    left, found = list(LIKE_NAMES), []
    for number, name in enumerate(draw(like_ids)):
        grid = parse_grid(re.sub("bridge|late", rf"\g<0> {number}", draw(few_grids)))
        count = len(problems(grid))
        extras: tuple[tuple[str, str], ...] = ()
        if draw(st.booleans()) and len(left) >= count:
            names = draw(st.permutations(left))[:count]
            left = [one for one in left if one not in names]
            extras = ((NAMES, ", ".join(names)),)
        found.append(Entry(name, grid, extras=extras))
    return found


def expected_groups(given_entries: list[Entry], mode: Mode) -> list[list[tuple[str, ...]]]:
    """The sentences that belong together: those of a pair, and others one by one."""
    groups: list[list[tuple[str, ...]]] = []
    for entry in given_entries:
        texts = [tuple(s.text for s in one.sentences) for one in problems(entry.grid, mode)]
        groups += [texts] if len(texts) == 2 else [[text] for text in texts]
    return sorted(map(sorted, groups))


@given(given_entries=datasets_with_names())
@brisk
def test_what_belongs_together_does_so_again_when_winogrande_is_read(
    given_entries: list[Entry],
) -> None:
    text = text_of("winogrande", dataset_of(*given_entries))
    names = [json.loads(line)["qID"] for line in text.splitlines()]
    assert len(set(names)) == len(names)
    groups = list(WINOGRANDE.read(SourceFile("own", text.encode()), Journal(), ()))
    assert len({group.id for group in groups}) == len(groups)
    again = [
        sorted(tuple(filled(one.texts, option) for option in one.options) for one in group.problems)
        for group in groups
    ]
    assert sorted(again) == expected_groups(given_entries, Mode.BY_ANSWER)


@pytest.mark.parametrize("name", LINE_FORMATS)
@given(given_entries=datasets, mode=any_mode)
@brisk
def test_every_problem_is_written_or_counted(
    name: str, given_entries: list[Entry], mode: Mode
) -> None:
    report = Exported()
    text_of(name, dataset_of(*given_entries, mode=mode), report)
    solvable = [
        entry
        for entry in given_entries
        if mode in modes(entry.grid)
        and not (mode is Mode.BY_KEY and entry.flag("invertible") is False)
    ]
    missing = ("problems", "minimal pairs")
    counted = sum(n for what, n in report.left_out.items() if what.startswith(missing))
    assert report.problems + counted == sum(len(problems(e.grid, mode)) for e in solvable)
    grids = sum(n for what, n in report.left_out.items() if what.startswith(("grids", "schemas")))
    assert grids == len(given_entries) - len(solvable)
