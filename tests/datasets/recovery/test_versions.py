"""Other wordings of a schema, where a file gives them along with it."""

from horsesense.datasets.recovery import RawProblem
from horsesense.schema import IssueKind
from tests.datasets.recovery.twins import Recovered, problem, recover

OPTIONS = ("Nora", "Lena")


def wordings(first: str, second: str, *options: str) -> list[RawProblem]:
    options = options or OPTIONS
    return [
        problem(first, *options, name="q1", pronoun="she"),
        problem(second, *options, name="q2", right=1, pronoun="she"),
    ]


def with_versions(**versions: list[RawProblem]) -> Recovered:
    own = wordings("Nora tells Lena that _ won.", "Nora tells Lena that _ lost.")
    named = {name.replace("_", "-"): found for name, found in versions.items()}
    return recover(*own, versions=named)


def test_another_wording_is_a_version() -> None:
    told = wordings("Nora told Lena that _ won.", "Nora told Lena that _ lost.")
    recovered = with_versions(tense=told)
    assert recovered.notation == "[Nora] tells [Lena] that <she = Nora, Lena> {won, lost}."
    ((name, version),) = recovered.entry.versions
    assert name == "tense"
    assert [version.sentence(cell).text for cell in version.cells] == [
        told[0].sentence(0),
        told[0].sentence(1),
        told[1].sentence(0),
        told[1].sentence(1),
    ]
    assert recovered.issues == []


def test_what_is_odd_about_a_version_is_said_with_its_name() -> None:
    recovered = with_versions(
        tense=wordings("Nora told her  that _ won.", "Nora told her that _ lost.")
    )
    told = [(one.name, one.kind, one.problem, one.odd) for one in recovered.issues]
    assert told == [
        ("double-spaces", IssueKind.STEP, "q1", "tense"),
        ("candidate-missing", IssueKind.ODDITY, "q1", "tense: 'Lena'"),
    ]


def test_steps_taken_with_a_version_are_steps() -> None:
    recovered = with_versions(
        tense=wordings("Nora told Lena that _ won.", "Nora told Lena that _ won well.")
    )
    (issue,) = recovered.issues
    assert (issue.name, issue.kind) == ("key-widened", IssueKind.STEP)
    assert issue.odd.startswith("tense: ")


def test_wordings_that_make_another_shape_are_kept_in_fields() -> None:
    recovered = with_versions(
        tense=wordings("Nora told Lena that _ won.", "Lena told Nora that _ had lost.")
    )
    assert recovered.entry.versions == ()
    assert dict(recovered.entry.extras)["x-tense.2"] == (
        "Lena told Nora that <she = Nora, Lena*> had lost."
    )
    (issue,) = [one for one in recovered.issues if one.name == "version-left-out"]
    assert (issue.kind, issue.problem, issue.done) == (IssueKind.ODDITY, "q1", "kept as x-tense")
    assert issue.odd.startswith("tense: the version 'tense' must be on one line; ")
    assert "blank-in-difference" in issue.odd


def test_a_wording_of_one_problem_alone_is_kept_in_a_field() -> None:
    told = wordings("Nora told Lena that _ won.", "Nora told Lena that _ lost.")
    recovered = with_versions(tense=told[1:])
    assert recovered.entry.versions == ()
    assert dict(recovered.entry.extras) == {
        "x-problems": "q1, q2",
        "x-tense.2": "Nora told Lena that <she = Nora, Lena*> lost.",
    }
    (issue,) = recovered.issues
    assert (issue.name, issue.problem) == ("version-left-out", "q2")
    assert issue.odd == "tense: only 1 of 2 problems have it"


def test_a_wording_under_a_name_of_its_own_is_kept_in_fields_without_a_word() -> None:
    told = wordings("Nora told Lena that _ won.", "Nora told Lena that _ lost.")
    recovered = with_versions(scrambled=told)
    assert recovered.issues == []
    assert [name for name, _ in recovered.entry.extras] == [
        "x-problems",
        "x-scrambled.1",
        "x-scrambled.2",
    ]


def test_a_wording_that_makes_no_problem_is_kept_as_plain_text() -> None:
    recovered = with_versions(scrambled=wordings("won _ that", "_ lost that", "Nora", "Nora"))
    fields = dict(recovered.entry.extras)
    assert (fields["x-scrambled.1"], fields["x-scrambled.2"]) == ("won she that", "she lost that")


def test_versions_follow_the_order_of_the_grid() -> None:
    own = wordings("Nora tells Lena that _ lost.", "Nora tells Lena that _ won.")
    own = [
        problem("Nora tells Lena that _ lost.", *OPTIONS, name="q1", right=1, pronoun="she"),
        problem("Nora tells Lena that _ won.", *OPTIONS, name="q2", right=0, pronoun="she"),
    ]
    told = [
        problem("Nora told Lena that _ lost.", *OPTIONS, name="q1", right=1, pronoun="she"),
        problem("Nora told Lena that _ won.", *OPTIONS, name="q2", right=0, pronoun="she"),
    ]
    recovered = recover(*own, versions={"tense": told, "scrambled": told})
    assert dict(recovered.entry.extras)["x-problems"] == "q2, q1"
    ((_, version),) = recovered.entry.versions
    assert [version.sentence(cell).text for cell in version.cells[:2]] == [
        "Nora told Lena that Nora won.",
        "Nora told Lena that Lena won.",
    ]
    assert "won" in dict(recovered.entry.extras)["x-scrambled.1"]
