from __future__ import annotations

import json
from pathlib import Path

import pytest

from horsesense.datasets.importers import FORMATS, described_issues
from horsesense.schema import IssueKind
from tests.cli.conftest import HARBOUR, HARBOUR_XML, Run, names, wino_line, write


@pytest.fixture
def piered(run: Run) -> Run:
    """The command line with a dataset that has issues of every kind."""
    faulty = HARBOUR_XML.replace(
        "</collection>",
        "<schema><text><txt1>It was</txt1><pron>he</pron></text></schema>\n</collection>",
    ).replace("was adrift.", "was  adrift")
    assert run("dataset", "import", write("pier.xml", faulty), "--keep-going").exit_code == 0
    return run


def listed(run: Run, *arguments: str) -> list[dict[str, str]]:
    result = run("dataset", "issues", *arguments, "--json")
    assert result.exit_code == 0
    found: list[dict[str, str]] = json.loads(result.stdout)
    return found


def test_without_a_filter_issues_are_counted(moored: Run) -> None:
    result = moored("dataset", "issues", "harbour")
    assert (result.exit_code, result.stderr) == (0, "")
    headings, *lines = result.stdout.splitlines()
    assert headings.split() == ["issue", "kind", "entries", "problems", "times", "meaning"]
    assert [line.split()[:5] for line in lines] == [
        ["blank-in-difference", "oddity", "1", "1", "1"],
        ["double-spaces", "step", "1", "1", "1"],
        ["twins-by-id", "step", "0", "0", "1"],
    ]
    assert lines[1].endswith("several spaces in a row become one")


def test_all_lists_each_with_its_line_and_what_was_done(moored: Run) -> None:
    result = moored("dataset", "issues", "harbour", "--all")
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["line", "entry", "problem", "issue", "kind", "what", "done"],
        [
            "twins-by-id",
            "step",
            "2",
            "pairs,",
            "1",
            "alone",
            "paired",
            "by",
            "the",
            "stem",
            "of",
            "their",
            "qID",
        ],
        ["3", "tide", "tide-1", "double-spaces", "step", "cleaned"],
        ["5", "rope", "rope-2", "blank-in-difference", "oddity", "kept"]
        + ["as", "a", "loose", "pair"],
    ]


def test_json_has_every_field_of_every_issue(moored: Run) -> None:
    _, first, second = listed(moored, "harbour")
    assert first == {
        "name": "double-spaces",
        "kind": "step",
        "line": 3,
        "entry": "tide",
        "problem": "tide-1",
        "odd": "",
        "done": "cleaned",
    }
    assert second["entry"] == "rope"


@pytest.mark.parametrize("kind", list(IssueKind))
def test_issues_are_chosen_by_kind(piered: Run, kind: IssueKind) -> None:
    found = listed(piered, "pier", "--kind", kind.value)
    assert found
    assert {issue["kind"] for issue in found} == {kind.value}


def test_several_kinds_and_names_may_be_given(piered: Run) -> None:
    kinds = listed(piered, "pier", "--kind", "repair", "--kind", "fault")
    assert {issue["kind"] for issue in kinds} == {"repair", "fault"}
    wanted = ["answer-lowercase", "double-spaces"]
    named = listed(piered, "pier", "--issue", wanted[0], "--issue", wanted[1])
    assert sorted({issue["name"] for issue in named}) == wanted


def test_issues_are_chosen_by_entry(moored: Run) -> None:
    assert [issue["problem"] for issue in listed(moored, "harbour", "--entry", "tide")] == [
        "tide-1"
    ]
    shown = moored("dataset", "issues", "harbour", "--entry", "tide").stdout
    assert "double-spaces" in shown and "blank-in-difference" not in shown


def test_filters_hold_together(piered: Run) -> None:
    arguments = ["--issue", "double-spaces", "--kind", "repair"]
    assert listed(piered, "pier", *arguments) == []
    result = piered("dataset", "issues", "pier", *arguments)
    assert (result.exit_code, result.stderr) == (0, "pier@1: no matching issues\n")


def test_no_more_than_the_limit_is_listed_and_the_rest_counted(run: Run) -> None:
    rows = (
        wino_line(f"o{n}-1", f"Owl {n} fled  as _ was ill.", "Owl", "Vole", "1") for n in range(60)
    )
    run("dataset", "import", write("owls.jsonl", "".join(rows)))
    result = run("dataset", "issues", "owls", "--issue", "double-spaces")
    assert len(result.stdout.splitlines()) == 1 + 50
    assert result.stderr == "10 more; use --limit 60 to see all\n"
    result = run("dataset", "issues", "owls", "--issue", "double-spaces", "--limit", "60")
    assert (len(result.stdout.splitlines()), result.stderr) == (1 + 60, "")
    assert run("dataset", "issues", "owls", "--limit", "0").exit_code == 2


def test_a_dataset_without_issues_says_so(stored: Run) -> None:
    result = stored("dataset", "issues", "garden")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "no issues\n")
    assert listed(stored, "garden") == []


def test_an_unknown_issue_gets_the_nearest_one(moored: Run) -> None:
    result = moored("dataset", "issues", "harbour", "--issue", "double-space")
    assert result.exit_code == 3
    assert "no issue of harbour named 'double-space'; did you mean double-spaces?" in result.stderr
    assert moored("dataset", "issues", "harbor").exit_code == 3


def test_issues_belong_to_a_version(moored: Run, harbour: Path) -> None:
    harbour.write_text(HARBOUR.replace("for  _", "since _"))
    moored("dataset", "import", harbour.name)
    assert [issue["name"] for issue in listed(moored, "harbour")] == [
        "twins-by-id",
        "blank-in-difference",
    ]
    assert len(listed(moored, "harbour@1")) == 3


def test_importing_the_same_file_again_does_not_count_its_issues_twice(
    moored: Run, harbour: Path
) -> None:
    moored("dataset", "import", harbour.name)
    Path("copy.jsonl").write_bytes(harbour.read_bytes())
    moored("dataset", "import", "copy.jsonl", "--name", "harbour")
    assert len(listed(moored, "harbour")) == 3


def test_removing_a_dataset_removes_its_issues(moored: Run, harbour: Path) -> None:
    moored("dataset", "remove", "harbour", "--yes")
    assert names(moored) == []
    moored("dataset", "import", harbour.name)
    assert len(listed(moored, "harbour")) == 3


def test_every_issue_that_a_format_may_report_is_described() -> None:
    described = described_issues()
    for one in FORMATS.values():
        for name, meaning in {**one.repairs, **one.issues}.items():
            assert meaning and name in described, one.name


def test_a_repair_and_an_issue_of_a_format_do_not_share_a_name() -> None:
    assert [one.name for one in FORMATS.values() if set(one.repairs) & set(one.issues)] == []
