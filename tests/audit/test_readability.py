import pytest

from horsesense.audit.findings import Weight
from horsesense.audit.shape import Readability, check_readability, readability, syllables
from tests.audit.made_subjects import SOUND, of_entries, subject_of


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("the", 1),
        ("owl", 1),
        ("ladle", 2),
        ("rule", 1),
        ("kettle", 2),
        ("baked", 1),
        ("needed", 2),
        ("houses", 2),
        ("makes", 1),
        ("unfortunate", 4),
        ("responsibility", 6),
        ("Ann's", 1),
        ("8", 1),
    ],
)
def test_syllables_are_counted_by_groups_of_vowels(word: str, number: int) -> None:
    assert syllables(word) == number


def test_abbreviations_end_no_sentence() -> None:
    assert readability("Mr. Hill fell. He got up!") == Readability(6, 2, 6)
    assert readability("…") is None


def test_the_formulas_are_those_of_flesch_and_kincaid() -> None:
    found = Readability(words=20, sentences=2, syllables=25)
    assert found.reading_ease == pytest.approx(206.835 - 10.15 - 105.75)
    assert found.grade == pytest.approx(3.9 + 14.75 - 15.59)


def test_easy_sentences_are_fine_and_hard_ones_are_looked_at() -> None:
    assert not check_readability(subject_of(*SOUND)).concerns
    hard = (
        "[The administrator] accommodated [the superintendent] considering <he = the "
        "administrator, the superintendent> anticipated {availability, unavailability}."
    )
    (concern,) = check_readability(subject_of(*SOUND, hard)).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e13",))


def test_an_empty_dataset_is_not_judged() -> None:
    assert check_readability(of_entries()).skipped


def test_all_that_is_hard_is_told_once_with_the_worst_grade() -> None:
    hard = "considerable unavailability <irritated*, accommodated> the administration {}"
    made = [hard.format("today"), hard.format("notwithstanding responsibilities")]
    (concern,) = check_readability(subject_of(*SOUND, *made)).concerns
    assert concern.entries == ("e14", "e13")
    worst = check_readability(subject_of(made[1])).concerns[0].text
    assert concern.text == f"2 entries, the worst: {worst}"
