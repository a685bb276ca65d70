import pytest

from horsesense.store import Store, remove_datasets, search
from tests.store.builders import FERRY, KITE, LADDER, entry, lanterns, save


@pytest.fixture
def library(fresh_store: Store) -> Store:
    """A store with three schemas to be found."""
    save(
        fresh_store,
        "field",
        entry("kite", KITE),
        entry("ladder", LADDER, note="borrowed from the NEAR barn AND returned"),
        entry("ferry-7", FERRY),
    )
    return fresh_store


def found(store: Store, text: str, limit: int = 20) -> list[str]:
    return sorted(hit.id for hit in search(store, text, limit=limit))


@pytest.mark.parametrize(
    "text, ids",
    [
        ("kite", ["kite"]),
        ("KITE", ["kite"]),
        ("the", ["ferry-7", "kite", "ladder"]),
        ("the loft", ["ladder"]),
        ("loft the", ["ladder"]),
        ("kite loft", []),
        ("kit", []),
    ],
)
def test_every_word_must_be_there_in_any_order(library: Store, text: str, ids: list[str]) -> None:
    assert found(library, text) == ids


@pytest.mark.parametrize(
    "text, ids",
    [
        ('"the dying wind"', ["kite"]),
        ('"wind dying"', []),
        ('"the loft" ladder', ["ladder"]),
        ('"the loft" kite', []),
        ('"the  loft"', ["ladder"]),
    ],
)
def test_words_in_quotes_stand_side_by_side(library: Store, text: str, ids: list[str]) -> None:
    assert found(library, text) == ids


@pytest.mark.parametrize("text", ["Olga's", "olga’s", "'Olga's'", 'Olga\'s "the loft"'])
def test_apostrophes_are_no_obstacle(library: Store, text: str) -> None:
    assert found(library, text) == ["ladder"]


@pytest.mark.parametrize("text", ["AND", "NEAR(", "NEAR", "NEAR( barn AND", "barn AND returned"])
def test_operators_are_plain_words(library: Store, text: str) -> None:
    assert found(library, text) == ["ladder"]


@pytest.mark.parametrize(
    "text", ["kite AND ferry", "kite OR ferry", "kite NOT ferry", "NEAR(kite climbed)", "name:kite"]
)
def test_operators_do_not_operate(library: Store, text: str) -> None:
    assert found(library, text) == []


@pytest.mark.parametrize(
    "text", ["kite *", "kite*", '"kite', 'kite "', "^kite", "(kite", "-kite +"]
)
def test_signs_beside_a_word_do_not_matter(library: Store, text: str) -> None:
    assert found(library, text) == ["kite"]


@pytest.mark.parametrize("text", ["", " ", "*", '"', '""', '" "', "( )", "…", "' -- ;"])
def test_nothing_is_found_where_there_is_no_word(library: Store, text: str) -> None:
    assert found(library, text) == []


@pytest.mark.parametrize("text", ["kite\0", "kite\udcff", "\0", "\udcff kite", '"kite\0climbed"'])
def test_what_cannot_stand_in_a_sentence_does_no_harm(library: Store, text: str) -> None:
    assert set(found(library, text)) <= {"kite"}


def test_ids_and_notes_are_found_too(library: Store) -> None:
    assert found(library, "ferry-7") == ["ferry-7"]
    assert found(library, "borrowed") == ["ladder"]


def test_only_sensible_sentences_are_searched(library: Store) -> None:
    assert found(library, '"kite climbed in the rising wind"') == ["kite"]
    assert found(library, '"kite climbed in the dying wind"') == []


def test_all_sentences_are_searched_where_the_right_one_is_not_known(fresh_store: Store) -> None:
    save(fresh_store, "open", entry("ferry", "the ferry <? stayed, sailed>"))
    assert found(fresh_store, "stayed") == found(fresh_store, "sailed") == ["ferry"]


def test_a_hit_shows_what_was_found(library: Store) -> None:
    (hit,) = search(library, "loft")
    assert (hit.dataset, hit.version, hit.id, hit.notation) == ("field", 1, "ladder", LADDER)
    assert hit.sentences == (
        "Olga's ladder reached the loft because it was long.",
        "Olga's ladder missed the loft because it was short.",
    )
    assert hit.note.startswith("borrowed")


@pytest.mark.parametrize("limit, expected", [(0, 0), (1, 1), (3, 3), (30, 8)])
def test_there_are_no_more_hits_than_asked_for(
    fresh_store: Store, limit: int, expected: int
) -> None:
    save(fresh_store, "lanterns", *lanterns(8))
    assert len(search(fresh_store, "lantern", limit=limit)) == expected


def test_search_can_be_kept_within_one_dataset(library: Store) -> None:
    other = save(library, "other", entry("kite-2"), entry("kite")).dataset
    assert sorted(hit.dataset for hit in search(library, "kite")) == ["field", "other", "other"]
    assert [hit.dataset for hit in search(library, "kite", within=other)] == ["other", "other"]
    assert search(library, "ferry", within=other) == []


def test_only_the_latest_versions_are_searched(fresh_store: Store) -> None:
    old = save(fresh_store, "field", entry("kite"), entry("ladder", LADDER)).dataset
    save(fresh_store, "field", entry("kite", note="second"))
    assert found(fresh_store, "ladder") == []
    assert [(hit.version, hit.note) for hit in search(fresh_store, "kite")] == [(2, "second")]
    assert [hit.version for hit in search(fresh_store, "ladder", within=old)] == [1]


def test_the_best_match_comes_first(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("a", LADDER, note="no kite"), entry("kite", note="kite kite"))
    assert [hit.id for hit in search(fresh_store, "kite")] == ["kite", "a"]


def test_what_was_removed_is_found_no_more(library: Store) -> None:
    other = save(library, "other", entry("lantern", "a <lit*, dark> lantern")).dataset
    remove_datasets(library, [other])
    assert found(library, "lantern") == []
