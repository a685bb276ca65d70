from horsesense.datasets.importers.format import OVERLAP, TextSpan, marked, problem_at
from horsesense.datasets.recovery import CandidateMark, Journal, RawProblem
from horsesense.schema import IssueKind

TEXT = "Nora's aunt met Lena when she was in town."


def blanked(*answers: str) -> RawProblem:
    start = TEXT.index("she")
    return problem_at("7", 3, TEXT, TextSpan(start, start + 3), answers, 0)


def place_of(phrase: str) -> TextSpan:
    return TextSpan(TEXT.index(phrase), TEXT.index(phrase) + len(phrase))


def test_the_pronoun_is_cut_out() -> None:
    found = blanked("Nora", "Lena")
    assert found.texts == ("Nora's aunt met Lena when ", " was in town.")
    assert (found.pronoun, found.options, found.right) == ("she", (("Nora",), ("Lena",)), 0)


def test_a_mark_after_the_blank_counts_it_as_one_character() -> None:
    found = marked(blanked("Lena", "town"), [place_of("Lena"), place_of("town")], Journal())
    assert [found.statement[start:end] for _, start, end in found.marks] == ["Lena", "town"]
    assert [mark.number for mark in found.marks] == [1, 2]


def test_what_is_part_of_another_candidate_or_of_the_blank_is_not_marked() -> None:
    journal = Journal()
    places = [place_of("Nora"), place_of("Nora's aunt"), place_of("she was"), None]
    found = marked(blanked("Nora", "Nora's aunt", "she was", "Rita"), places, journal)
    assert found.marks == (CandidateMark(2, 0, 11),)
    assert [(one.name, one.kind, one.line, one.problem) for one in journal.issues()] == [
        (OVERLAP, IssueKind.ODDITY, 3, "7"),
        (OVERLAP, IssueKind.ODDITY, 3, "7"),
    ]
    assert [one.odd for one in journal.issues()] == [
        "candidate 3, characters 26 to 33",
        "candidate 1, characters 0 to 4",
    ]
