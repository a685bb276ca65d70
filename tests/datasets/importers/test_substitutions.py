import pytest

from horsesense.datasets.importers.substitutions import substitution


@pytest.mark.parametrize(
    ("before", "first", "second", "after"),
    [
        ("Nora called Lena, but ", "Nora", "Lena", " slept."),
        ("The lorry hit the bridge, so ", "the lorry", "the bridge", " shook."),
        ("He washed his ladle and his spoon and dried ", "his ladle", "his spoon", " first."),
        ("The cooks met the maids in ", "the cooks'", "the maids'", " rooms."),
        ("The cook met the maid in ", "the cook's", "the maid's", " room."),
        ("Dr. Moss phoned Dr. Reed because ", "Dr. Moss", "Dr. Reed", " was ill."),
        ("Adr. Moss and Dr. Moss met Dr. Reed, and ", "Dr. Moss", "Dr. Reed", " bowed."),
        ("Old Nora Moss met Nora Moss, but ", "Old Nora Moss", "Nora Moss", " left."),
        ("Nora 's cat bit Nora , but ", "Nora 's cat", "Nora", " left ."),
        ("Nora was out and Lena was in, so ", "Nora", "Lena", " was asked."),
        ("The owl saw the vole after ", "The owl", "The vole", " ate."),
        ("", "The owl", "The vole", " ate after it had seen a vole."),
    ],
)
def test_the_phrases_are_found_with_all_that_belongs_to_them(
    before: str, first: str, second: str, after: str
) -> None:
    found = substitution(before + first + after, before + second + after)
    assert (found.before, found.first, found.second, found.after) == (before, first, second, after)


def test_a_word_that_only_one_phrase_has_elsewhere_stays_outside() -> None:
    found = substitution("A big owl met it; a big owl ate.", "A big owl met it; a big vole ate.")
    assert (found.first, found.second) == ("owl", "vole")


def test_sentences_that_are_equal_have_no_phrase() -> None:
    assert substitution("It rained.", "It rained.").first == ""


def test_a_phrase_may_be_empty() -> None:
    found = substitution("The owl ate quickly.", "The owl ate.")
    assert (found.first.strip(), found.second) == ("quickly", "")
