import pytest

from tests.datasets.importers.perturbed_table import HIGH, read, versions_of


def test_a_wrong_position_is_searched_near_where_it_is_stated() -> None:
    text = "It was late , so it rained , and the owl saw the vole because it was high ."
    row = {**HIGH, "text_original": text, "pron_index": "16"}
    found = read(row)
    assert found.grids["0"] == (
        "It was late , so it rained , and [the owl] saw [the vole] because "
        "<it = the owl*, the vole> was high ."
    )
    assert [(i.kind, i.name, i.line, i.problem, i.odd, i.done) for i in found.issues] == [
        (
            "repair",
            "pronoun-searched",
            2,
            "1",
            "original: at the position '16' of 'it' is 'was'",
            "position 15",
        )
    ]


def test_where_it_is_not_to_be_searched_the_stated_position_stands() -> None:
    found = read({**HIGH, "pron_index": "7"}, off=("pronoun-searched",))
    assert found.grids["0"].endswith("because it <was = the owl*, the vole> high .")
    outside = read({**HIGH, "pron_index": "70"}, HIGH, off=("pronoun-searched",))
    assert outside.faults == [(2, "the text has no position '70'")]


def test_what_follows_in_the_original_tells_which_pronoun_is_meant() -> None:
    text = "the owl , with it on the roof , saw the vole because it was high ."
    row = {**HIGH, "text_rel_clause": text, "pron_index_rel": "4"}
    assert versions_of(read(row).entries[0]) == {
        "relative-clause": "! [the owl] , with it on the roof , saw [the vole] because "
        "<it = the owl*, the vole> was high ."
    }
    assert read(row).told == {"pronoun-mistaken": 1}
    left = read(row, off=("pronoun-mistaken",))
    assert "with <it = the owl*, the vole> on" in versions_of(left.entries[0])["relative-clause"]


def test_the_plural_of_a_possessive_pronoun_is_possessive() -> None:
    row = {
        **HIGH,
        "text_original": "The owl saw the vole in his nest .",
        "pron": "his",
        "text_number": "The owls saw the voles as they slept in their nest .",
        "pron_number": "they",
        "pron_index_number": "6",
        "answer_a_number": "the owls",
        "answer_b_number": "the voles",
    }
    found = read(row)
    assert found.grids == {"0": "[The owl] saw [the vole] in <his = the owl*, the vole> nest ."}
    assert versions_of(found.entries[0]) == {
        "number": "[The owls] saw [the voles] as they slept in "
        "<their = the owls*, the voles> nest ."
    }
    assert found.told == {"possessive-answers": 2, "pronoun-case": 1, "pronoun-searched": 1}
    left = read(row, off=("pronoun-case",))
    assert "as <they = the owls*, the voles> slept" in str(versions_of(left.entries[0]))


@pytest.mark.parametrize(
    ("after", "is_possessive"), [("nest .", True), ('"nest" .', True), ("a nest .", False)]
)
def test_her_is_possessive_before_a_noun(after: str, is_possessive: bool) -> None:
    row = {**HIGH, "text_original": f"The owl gave her {after}", "pron": "her", "pron_index": "3"}
    assert read(row).told.get("possessive-answers", 0) == is_possessive


def test_answers_get_the_capitals_of_their_text() -> None:
    texts = {
        "text_original": "Nora met the Major . She was early .",
        "text_scrambled": "Nroa met the Major . She was early .",
        "text_syn": "lena met the major . she was early .",
    }
    positions = dict.fromkeys(("pron_index", "pron_index_scrambled", "pron_index_syn"), "5")
    answers = {"answer_a": "nora", "answer_b": "the major"}
    synonyms = {"answer_a_syn": "lena", "answer_b_syn": "the major"}
    row = {**HIGH, **texts, **positions, **answers, **synonyms, "pron": "She"}
    found = read(row)
    assert found.grids["0"] == "[Nora] met [the Major] . <She = Nora*, the Major> was early ."
    assert dict(found.entries[0].extras)["x-scrambled.1"] == (
        "Nroa met the Major . <She = Nora*, the Major> was early ."
    )
    assert versions_of(found.entries[0])["synonym"] == (
        "! [lena] met [the major] . <she = lena*, the major> was early ."
    )
    assert [(i.kind, i.line, i.problem) for i in found.issues if i.name == "answer-capitals"] == [
        ("repair", 0, "")
    ]
    left = read(row, off=("answer-capitals",))
    assert left.grids["0"] == "! [Nora] met [the Major] . <She = nora*, the major> was early ."


def test_row_271_is_known_to_be_faulty() -> None:
    faulty = {
        **HIGH,
        "text_original": "Nora hid her ladle from Lena , who then lost her lid .",
        "text_gender": "Otto hid his ladle from Lars , who then lost his lid .",
        "answer_a": "nora",
        "answer_b": "lena",
        "answer_a_gender": "otto",
        "answer_b_gender": "lars",
        "pron": "her",
        "pron_gender": "his",
        "pron_index": "5",
        "pron_index_gender": "5",
    }
    fill = [{**HIGH, "pair_number": str(number)} for number in range(1, 271)]
    found = read(*fill, faulty)
    assert found.grids["0"] == (
        "[Nora] hid her ladle from [Lena] , who then lost <her's = Nora, Lena*> lid ."
    )
    assert versions_of(found.entries[-1])["gender"] == (
        "[Otto] hid his ladle from [Lars] , who then lost <his = Otto, Lars*> lid ."
    )
    assert [i.problem for i in found.issues if i.name == "row-271"] == ["271"]
    left = read(*fill, faulty, off=("row-271",))
    assert left.grids["0"] == (
        "[Nora] hid <her's = Nora*, Lena> ladle from [Lena] , who then lost her lid ."
    )
    assert left.rights == {0: 271}


def test_a_wording_without_pronoun_or_answers_is_kept_as_text() -> None:
    row = {
        **HIGH,
        "text_tense": "The owl sees the vole .",
        "text_syn": "the bird saw the mouse because it was high . ",
        "pron_index_syn": "6",
    }
    found = read(row)
    assert dict(found.entries[0].extras) == {
        "x-problems": "1",
        "x-synonym.1": "the bird saw the mouse because it was high .",
        "x-tense.1": "The owl sees the vole .",
    }
    assert [(i.name, i.odd) for i in found.issues] == [
        ("wording-unusable", "tense: the pronoun 'it' does not occur"),
        ("wording-unusable", "synonym: the pronoun is 'it', the answers are ['', '']"),
    ]
