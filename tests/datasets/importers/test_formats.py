"""What formats have in common, and the list of them."""

import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from horsesense.datasets.catalog import known_datasets
from horsesense.datasets.importers import (
    FORMATS,
    SourceFile,
    described_issues,
    guess_format,
    open_import,
)
from horsesense.datasets.importers.format import (
    numbered_label,
    read_rows,
    singles,
    twins_by_key,
)
from horsesense.datasets.importers.source import BadRow
from horsesense.datasets.recovery import ISSUES, STEPS, TWINS, Journal, RawEntry, RawProblem
from horsesense.errors import FileError
from horsesense.schema import Header, IssueKind
from horsesense.schema.material import PROBLEMS
from tests.datasets.importers.imported import DATA, imported, published_files
from tests.datasets.importers.samples import SAMPLES

# What the published files are; lists and statistics beside them are nothing that can be read.
FOLDERS = {
    "blimp": {"blimp"},
    "com2sense": {"com2sense"},
    "copa": {"copa-xml", "superglue-copa"},
    "creak": {"creak"},
    "crows_pairs": {"crows-pairs"},
    "dpr": {"dpr"},
    "enhanced_wsc": {"perturbed-wsc", "perturbed-wsc-jsonl"},
    "gap": {"gap"},
    "knowref": {"knowref", "knowref-tsv"},
    "kocijan_masked": {"masked-blocks"},
    "pdp60": {"pdp-xml"},
    "reid250": {"thesis-text"},
    "superglue_wsc": {"superglue-wsc"},
    "swag": {"swag", "swag-json"},
    "trinh_le": {"trinh-le"},
    "wikicrem": {"masked-blocks"},
    "winobias": {"winobias"},
    "winogender": {"winogender"},
    "winograd_square_one": {"square-one", "square-one-zero-shot"},
    "winogrande": {"winogrande"},
    "winoventi": {"winoventi"},
    "winowhy": {"winowhy", "winowhy-csv"},
    "wnli": {"wnli"},
    "wsc266": {"thesis-text"},
    "wsc_switched_associative_labels": {"trichelair"},
    "wsc_xml": {"wsc-xml"},
    "xwino": {"xwino"},
}


def found(name: str) -> RawProblem:
    return RawProblem(name, 1, ("Nora saw ", "."), (("owls",), ("elks",)), 0)


def names(groups: Iterable[RawEntry]) -> list[tuple[str, list[str]]]:
    return [(group.id, [one.name for one in group.problems]) for group in groups]


@pytest.mark.parametrize(
    "label, first, expected",
    [
        ("1", 1, 0),
        ("2", 1, 1),
        (2, 1, 1),
        (0, 0, 0),
        (" 1 ", 0, 1),
        (None, 0, None),
        ("", 1, None),
    ],
)
def test_a_label_counts_from_its_first_number(
    label: object, first: int, expected: int | None
) -> None:
    assert numbered_label(label, 2, first=first) == expected


@pytest.mark.parametrize(
    "label", ["0", "3", "-1", "1.0", 1.0, "A", True, [1], {}, "1" * 5000, "1 2", "²", " "]
)
def test_a_label_out_of_range_or_no_number_is_refused(label: object) -> None:
    with pytest.raises(BadRow, match="is not one of 1 to 2"):
        numbered_label(label, 2, first=1)


def test_rows_become_problems_or_faults_or_nothing() -> None:
    def read(line: int, row: dict[str, object]) -> RawProblem | None:
        if not row:
            raise BadRow("nothing in it")
        return found(str(row["name"])) if row["name"] else None

    journal = Journal()
    rows: list[tuple[int, dict[str, object]]] = [(1, {"name": "a"}), (4, {}), (5, {"name": ""})]
    assert [one.name for one in read_rows(rows, journal, read)] == ["a"]
    assert [(fault.name, fault.line, fault.odd) for fault in journal.faults] == [
        ("bad-row", 4, "nothing in it")
    ]


def test_problems_are_grouped_alone_or_by_a_key() -> None:
    three = [found("a"), found("b"), found("c")]
    assert names(singles(three)) == [("a", ["a"]), ("b", ["b"]), ("c", ["c"])]
    keyed = zip(["x", "y", "x"], three, strict=True)
    assert names(twins_by_key(keyed)) == [("x", ["a", "c"]), ("y", ["b"])]


def test_there_is_a_sample_of_every_format() -> None:
    assert set(SAMPLES) == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_knows_its_own_sample_and_reads_it_without_a_fault(name: str) -> None:
    sample = SAMPLES[name]
    data = sample if isinstance(sample, bytes) else sample.encode()
    assert guess_format(SourceFile("own", data)).name == name
    read = imported(FORMATS[name], data)
    assert read.entries and read.faults == []


@pytest.mark.parametrize("name", FORMATS)
def test_every_import_reports_how_twins_were_found(name: str) -> None:
    sample = SAMPLES[name]
    data = sample if isinstance(sample, bytes) else sample.encode()
    reading = open_import(SourceFile("own", data), Header("x"), format_name=name)
    problems = sum(len(dict(entry.extras)[PROBLEMS].split(", ")) for entry in reading)
    told = [issue for issue in reading.issues() if issue.name in TWINS]
    assert told and all((one.kind, one.line) == (IssueKind.STEP, 0) for one in told)
    assert [one.odd for one in told] == [one.counts for one in reading.paired]
    sizes = (one.sizes for one in reading.paired)
    counted = sum(size.problems * count for one in sizes for size, count in one.items())
    assert counted == problems


@pytest.mark.parametrize("name", [name for name in FORMATS if isinstance(SAMPLES[name], str)])
@pytest.mark.parametrize("change", ["byte order mark", "CR LF", "no line end", "blank lines"])
def test_how_lines_end_makes_no_difference(name: str, change: str) -> None:
    sample = SAMPLES[name]
    assert isinstance(sample, str)
    changed = {
        "byte order mark": f"\ufeff{sample}",
        "CR LF": sample.replace("\n", "\r\n"),
        "no line end": sample.rstrip("\n"),
        "blank lines": f"{sample}\n\n",
    }[change]
    file = SourceFile("own", changed.encode())
    assert guess_format(file).name == name
    expected, read = imported(FORMATS[name], sample), imported(FORMATS[name], changed)
    assert read.entries == expected.entries
    assert read.faults == []


@pytest.mark.parametrize("name", FORMATS)
def test_names_and_descriptions_are_fit_to_be_shown(name: str) -> None:
    one = FORMATS[name]
    assert one.name == name and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert one.title and "\n" not in one.title
    for issue, description in {**one.issues, **one.repairs, **one.recipes}.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", issue)
        assert description


def test_all_issues_are_described_together() -> None:
    described = described_issues()
    assert set(described) >= {
        *STEPS,
        *ISSUES,
        *TWINS,
        "bad-row",
        "not-json",
        "not-utf-8",
        "duplicate-id",
    }
    for one in FORMATS.values():
        assert {*one.issues, *one.repairs} <= set(described)


def guessed(path: Path) -> str:
    try:
        return guess_format(SourceFile(path.name, path.read_bytes())).name
    except FileError:
        return ""


def test_every_published_file_is_taken_for_what_it_is() -> None:
    found: dict[str, set[str]] = {}
    for path in published_files():
        found.setdefault(path.relative_to(DATA).parts[0], set()).add(guessed(path))
    assert {folder: names - {""} for folder, names in found.items() if names != {""}} == {
        folder: names for folder, names in FOLDERS.items() if folder in found
    }


def test_every_file_that_is_known_is_taken_for_the_format_that_is_known_of_it() -> None:
    files = [file for dataset in known_datasets() for file in dataset.files]
    known = {file.sha256: file.format for file in files if file.sha256}
    found = {sha256(path.read_bytes()).hexdigest(): path for path in published_files()}
    held = known.keys() & found.keys()
    assert held
    assert {found[one]: guessed(found[one]) for one in held} == {
        found[one]: known[one] for one in held
    }


def test_what_looks_like_nothing_is_refused() -> None:
    with pytest.raises(FileError, match="^own: the file is empty$"):
        guess_format(SourceFile("own", b""))
    for data in (b"owls", b"\x00\xff", b"{}", b"[]", b"<a/>", b"PK\x03\x04"):
        with pytest.raises(FileError, match="no known format matches"):
            guess_format(SourceFile("own", data))
