from pathlib import Path

import pytest

from horsesense.perturbations.english.synonym import FOLDER_VARIABLE, WordNet, find_wordnet

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
        pytest.skip("there is no WordNet here")
    assert "attorney" in found.synonyms("lawyer")
    assert found.singular("geese") == "goose"
    assert len(found.nouns) > 100_000
