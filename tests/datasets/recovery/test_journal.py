"""The journal of an import."""

from horsesense.datasets.recovery import Journal
from horsesense.schema import Issue, IssueKind


def test_everything_is_told_in_the_order_of_the_file() -> None:
    journal = Journal()
    journal.oddity("odd-spelling", 7, "q7", "'colur'")
    journal.fault("bad-row", 3, "q3", "no label")
    journal.step("line-breaks", 7, "q7", "", "cleaned")
    journal.oddity("sorted", 0, "", "in no order", "left so")
    assert list(journal.issues()) == [
        Issue("sorted", IssueKind.ODDITY, 0, "", "", "in no order", "left so"),
        Issue("bad-row", IssueKind.FAULT, 3, "", "q3", "no label", "left out"),
        Issue("odd-spelling", IssueKind.ODDITY, 7, "", "q7", "'colur'", ""),
        Issue("line-breaks", IssueKind.STEP, 7, "", "q7", "", "cleaned"),
    ]


def test_faults_are_known_by_themselves() -> None:
    journal = Journal()
    journal.step("line-breaks", 1, "q1", "", "cleaned")
    assert journal.faults == []
    journal.fault("bad-row", 2, "q2", "no label")
    assert [fault.odd for fault in journal.faults] == ["no label"]


def test_a_repair_is_wanted_unless_it_is_switched_off() -> None:
    journal = Journal(["capitals"])
    assert journal.repair("spelling", 1, "q1", "'owls'", "'owl'") is True
    assert journal.repair("capitals", 2, "q2", "'Owl'", "'owl'") is False
    assert list(journal.issues()) == [
        Issue("spelling", IssueKind.REPAIR, 1, "", "q1", "'owls'", "'owl'"),
        Issue(
            "capitals",
            IssueKind.ODDITY,
            2,
            "",
            "q2",
            "'Owl'",
            "not changed: the repair is switched off",
        ),
    ]


def test_an_issue_knows_the_entry_that_its_problem_went_into() -> None:
    journal = Journal()
    journal.oddity("odd", 1, "q1", "")
    journal.oddity("odd", 2, "q2", "")
    journal.belongs("q1", "owls")
    assert [issue.entry for issue in journal.issues()] == ["owls", ""]
    journal.belongs("q2", "voles")
    assert [issue.entry for issue in journal.issues()] == ["owls", "voles"]


def test_what_concerns_the_whole_file_belongs_to_no_entry() -> None:
    journal = Journal()
    journal.step("sorted", 0, "", "", "")
    journal.belongs("q1", "owls")
    assert [issue.entry for issue in journal.issues()] == [""]


def test_problems_can_be_renamed_in_what_has_been_written() -> None:
    journal = Journal()
    journal.oddity("odd", 1, "12", "")
    journal.fault("bad-row", 2, "13", "no label")
    journal.oddity("odd", 3, "14", "")
    journal.rename({"12": "11", "13": "12", "11": "10"})
    assert [issue.problem for issue in journal.issues()] == ["11", "12", "14"]
    journal.oddity("odd", 4, "12", "")
    assert [issue.problem for issue in journal.issues()] == ["11", "12", "14", "12"]


def test_asking_for_the_issues_changes_nothing() -> None:
    journal = Journal()
    journal.oddity("odd", 5, "q5", "")
    journal.oddity("odd", 1, "q1", "")
    assert list(journal.issues()) == list(journal.issues())


def test_problems_that_are_left_out_are_counted_whatever_keeps_them_out() -> None:
    journal = Journal(["doubles"])
    journal.fault("bad-row", 2, "q2", "no label")
    journal.oddity("neither", 3, "q3", "nothing is right", "left out", left_out=1)
    journal.repair("same", 4, "q4", "both are the same", "left out", left_out=1)
    journal.oddity("beyond", 0, "", "problems 5 to 7", "left out", left_out=3)
    assert journal.left_out == 6
    journal.repair("doubles", 8, "q8", "stands there twice", "left out", left_out=1)
    journal.repair("space", 9, "q9", "a space before a full stop", "left out")
    journal.fault("bad-row", 0, "", "a companion has no statistics")
    journal.fault("not-json", 10, "", "the list is never closed", left_out=0)
    assert (journal.left_out, journal.stopped) == (6, 0)


def test_where_reading_broke_off_is_told() -> None:
    journal = Journal()
    journal.stop("not-json", 7, "not JSON")
    assert (journal.left_out, journal.stopped) == (0, 7)
    assert [(fault.line, fault.done) for fault in journal.faults] == [
        (7, "left out, with everything after it")
    ]
