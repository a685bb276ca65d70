from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings, Voucher
from horsesense.perturbations.english.people import Gender, gender_of_name
from horsesense.perturbations.english.synonym import (
    FOLDER_VARIABLE,
    WordNet,
    find_wordnet,
    propose_synonym,
)
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry
from tests.strategies import brisk, grids, tame

CHESS = "[Ruth] beat [Paula] at chess because <she = Ruth, Paula> played {well, badly}."
COURT = "[A lawyer] rang [the student]. <She = the lawyer, the student> was {early, late}."

needs_wordnet = pytest.mark.skipif(find_wordnet() is None, reason="WordNet is not installed")


def proposed(text: str, seed: int = 0) -> str:
    return print_grid(propose_synonym(entry(text), Settings(seed=seed)).grid)


def refused(text: str) -> str:
    with pytest.raises(NotApplicable) as error:
        proposed(text)
    return str(error.value)


@brisk
@given(st.integers())
def test_names_give_way_to_names_of_the_same_gender(seed: int) -> None:
    after = proposed(CHESS, seed)
    first, second = re.findall(r"\[(\w+)\]", after)
    assert after == CHESS.replace("Ruth", first).replace("Paula", second)
    assert gender_of_name(first) is gender_of_name(second) is Gender.FEMALE
    assert not {first, second} & {"Ruth", "Paula"}
    assert first[0] != second[0]


def test_the_proposal_says_how_it_came_about() -> None:
    done = propose_synonym(entry(CHESS), Settings())
    first, second = re.findall(r"\[(\w+)\]", print_grid(done.grid))
    assert done.how == f"Ruth → {first}, Paula → {second}"
    assert done.voucher is Voucher.NOBODY


def test_each_name_keeps_its_gender_and_is_replaced_wherever_it_stands() -> None:
    text = (
        "[1: Peter's sister] met [2: Peter] at noon, but [2: Peter] left early, "
        "so <_ = Peter's sister, Peter> {waited, ran}."
    )
    after = proposed(text)
    (name,) = set(re.findall(r"2: (\w+)", after))
    assert gender_of_name(name) is Gender.MALE
    assert after == text.replace("Peter", name)


@needs_wordnet
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # the article follows, in the candidate …
            COURT,
            "[An attorney] rang [the pupil]. <She = the attorney, the pupil> was {early, late}.",
        ),
        (  # … and in the frame
            "A [lawyer] rang a [student] because <_ = lawyer, student> was {early, late}.",
            "An [attorney] rang a [pupil] because <_ = attorney, pupil> was {early, late}.",
        ),
        (  # the number stays
            "[Lawyers] rang [the students]. <They = lawyers, the students> were {early, late}.",
            "[Attorneys] rang [the pupils]. <They = attorneys, the pupils> were {early, late}.",
        ),
        (  # another mention, with an article of its own
            "[One lawyer] saw [a student]. <He = the lawyer, the student> {is, has} a lawyer.",
            "[One attorney] saw [a pupil]. <He = the attorney, the pupil> {is, has} an attorney.",
        ),
        (  # a candidate without a noun of its own
            "[Some lawyer] met [a new one]. <He = some lawyer, the new lawyer> {left, sat}.",
            "[Some attorney] met [a new one]. <He = some attorney, the new attorney> {left, sat}.",
        ),
    ],
)
def test_nouns_give_way_to_synonyms(text: str, expected: str) -> None:
    assert proposed(text) == expected


@needs_wordnet
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "[The lawyer] drew [the vase] because <it = the lawyer, the vase> was {bored, pretty}.",
            "a candidate's noun has no synonym",
        ),
        (
            "[The lawyer] lost [the head] because <it = the lawyer, the head> was {rash, loose}.",
            "a candidate's noun has too many senses",
        ),
        (
            "[The people] rang [the lawyer], as <they = the people, the lawyer> {lied, left}.",
            "the number of a noun is unclear",
        ),
        (
            "[The student] saw [the lawyer]. <She = the reader, the lawyer> {hid, ran}.",
            "an answer uses another word than its candidate",
        ),
        (
            "In a student bar [a student] met [a lawyer]. <She = a student, a lawyer> {sat, ate}.",
            "a candidate's noun also occurs in a compound",
        ),
    ],
)
def test_where_wordnet_cannot_be_trusted_nothing_is_proposed(text: str, reason: str) -> None:
    assert refused(text) == reason


def test_without_wordnet_names_are_replaced_and_nouns_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert refused(COURT) == "WordNet is not installed"
    assert proposed(CHESS) != CHESS


def test_a_schema_without_a_target_has_no_candidates() -> None:
    assert refused("a lorry <can, cannot> pass under a {high, low} bridge") == "it has no target"


@brisk
@given(grids(tame))
def test_any_grid_gives_a_grid_of_its_shape_or_a_reason(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        after = propose_synonym(Entry("any", grid), Settings()).grid
        assert after.kind is grid.kind
        assert after.cells == grid.cells


LICENCE = "  1 This is a dictionary of our own making.  \n"
# A sense: the words, each with a number that tells words of one spelling apart.
SENSES = (
    ("03", ("baker", "bread_maker", "breadsmith", "Panis_factor")),
    ("06", ("shop", "store")),
    ("06", ("store", "stock")),
    ("06", ("mouse",)),
)
# A noun: its senses by their places above, and how many of them the tagged texts had.
NOUNS = (
    ("baker", (0,), 1),
    ("bread_maker", (0,), 1),
    ("breadsmith", (0,), 0),
    ("mouse", (3,), 1),
    ("panis_factor", (0,), 1),
    ("shop", (1,), 1),
    ("stock", (2,), 1),
    ("store", (2, 1), 2),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dictionary of eight nouns in the format of WordNet."""
    data, offsets = LICENCE, []
    for file_number, words in SENSES:
        offsets.append(len(data))
        listed = " ".join(f"{word} 0" for word in words)
        data += f"{len(data):08} {file_number} n {len(words):02x} {listed} 000 | what it means  \n"
    index = LICENCE
    for noun, senses, tagged in NOUNS:
        places = " ".join(f"{offsets[one]:08}" for one in senses)
        index += f"{noun} n {len(senses)} 2 @ ~ {len(senses)} {tagged} {places}  \n"
    (tmp_path / "data.noun").write_text(data)
    (tmp_path / "index.noun").write_text(index)
    (tmp_path / "noun.exc").write_text("mice mouse\n")
    return tmp_path


def test_the_words_of_every_sense_are_read_in_order(folder: Path) -> None:
    wordnet = WordNet.read(folder)
    assert [wordnet.words_of(sense) for sense in wordnet.senses("store")] == [
        ("store", "stock"),
        ("shop", "store"),
    ]
    assert wordnet.senses("Bread maker") == wordnet.senses("baker")
    assert wordnet.senses("teapot") == ()


def test_synonyms_share_the_first_sense_and_are_in_use(folder: Path) -> None:
    wordnet = WordNet.read(folder)
    assert wordnet.synonyms("baker") == ("bread maker", "Panis factor")
    # The first thing that a store is said to be is a stock, so that it cannot stand for a shop.
    assert wordnet.synonyms("shop") == ()
    assert wordnet.synonyms("store") == ("stock",)
    assert wordnet.synonyms("teapot") == ()


@pytest.mark.parametrize(
    ("word", "singular"),
    [
        ("mice", "mouse"),
        ("Bakers", "baker"),
        ("bread makers", "bread maker"),
        ("stock", "stock"),
        ("teapots", None),
    ],
)
def test_a_plural_is_led_back_to_its_noun(folder: Path, word: str, singular: str | None) -> None:
    assert WordNet.read(folder).singular(word) == singular


def test_the_folder_that_the_environment_names_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    found = find_wordnet()
    assert found is not None
    assert found.data == folder / "data.noun"


def test_where_the_named_folder_has_no_dictionary_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert find_wordnet() is None


def test_wordnet_itself_is_read() -> None:
    found = find_wordnet()
    if found is None:
        pytest.skip("WordNet is not installed")
    assert "attorney" in found.synonyms("lawyer")
    assert found.singular("geese") == "goose"
    assert len(found.nouns) > 100_000
