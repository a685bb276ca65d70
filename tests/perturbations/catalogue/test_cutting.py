import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable
from horsesense.perturbations.catalogue.cutting import as_it_stands, cut_before, with_capital
from horsesense.perturbations.checks import sentences
from horsesense.perturbations.rewriting import Rendering
from horsesense.schema import Grid
from horsesense.schema.notation import parse_grid, print_grid
from tests.strategies import Texts, brisk, grids, tame, wild


def cut_at(text: str, word: str) -> str:
    """The notation of what is left from that word on."""
    return print_grid(cut_before(parse_grid(text), lambda shown, blank: shown.text.index(word)))


def test_everything_before_the_place_goes() -> None:
    text = "[The kettle] hit [the tap], and <it = the kettle, the tap> {cracked, dripped}."
    expected = "and <it = the kettle, the tap> {cracked, dripped}."
    assert cut_at(text, "and") == cut_at(text, " and") == expected


def test_a_candidate_is_cut_nowhere_but_before_it() -> None:
    text = "[Nora] met [a man with dogs], and <she = Nora, a man> {ran, barked}."
    assert cut_at(text, "dogs").startswith("[2: a man with dogs], and <she")


def test_what_follows_a_candidate_without_a_space_may_begin_the_rest() -> None:
    text = "[Nora]'s dog bit [Lena], so <she = Nora, Lena> was {sorry, angry}."
    assert cut_at(text, ", so").startswith(", so <she")


def test_the_blank_is_never_cut_off() -> None:
    assert cut_at("Up there <owls, voles> live in {trees, holes}.", "in ") == (
        "<owls, voles> live in {trees, holes}."
    )


@pytest.mark.parametrize(
    ("text", "word", "reason"),
    [
        ("{three, nine} geese are <fewer, more> than six", "geese", "the key phrase is not in"),
        ("the {big red, big blue} bus is <hot, cold>", "bus", "the key phrase is not in"),
        ("the {red big, blue big} bus is <hot, cold>", "big", "the key phrase is not in"),
        ("{owls, voles} now <do, do not> eat {voles, owls}", "now", "the key phrase is not in"),
        ("It is |true, false| that owls <do, do not> {eat, fear} voles.", "that", "the truth pair"),
        ("owls <do, do not> {eat, fear} voles", "owls", "there is no text before"),
    ],
)
def test_what_makes_two_problems_of_a_sentence_may_not_go(
    text: str, word: str, reason: str
) -> None:
    with pytest.raises(NotApplicable, match=reason):
        cut_at(text, word)


def test_a_key_phrase_may_begin_the_rest() -> None:
    text = "the {big red, big blue} bus is <hot, cold>"
    assert cut_at(text, "big") == "{big red, big blue} bus is <hot, cold>"


def test_a_schema_is_cut_in_one_place() -> None:
    def find_start(shown: Rendering, blank: int) -> int:
        return 0 if "very" in shown.text else shown.text.index("end")

    with pytest.raises(NotApplicable, match="the two problems would be cut in different places"):
        cut_before(parse_grid("at the end {dark, very dark} owls <hid, ran>"), find_start)


def test_rows_are_cut_each_by_itself_and_may_not_become_the_same() -> None:
    text = "At noon the <owl*, vole> hid up there\n& Today the <owl, vole*> hid"
    grid = parse_grid(text)
    assert print_grid(cut_before(grid, lambda shown, blank: shown.text.index("the"))) == (
        "the <owl*, vole> hid up there\n& the <owl, vole*> hid"
    )
    same = parse_grid("At noon the <owl*, vole> hid\n& Today the <owl, vole*> hid")
    with pytest.raises(NotApplicable, match="the problems would be the same"):
        cut_before(same, lambda shown, blank: shown.text.index("the"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("! and <a vole*, a goat> ran", "! And <a vole*, a goat> ran"),
        ("! <a vole*, a goat> ran", "! <A vole*, A goat> ran"),
        ("! {a, one} vole <ran, hid>", "! {A, One} vole <ran, hid>"),
        ("! [a man] and <? he = a man, a boy>", "! [A man] and <? he = a man, a boy>"),
        ("and <a vole*, a goat> ran", "and <a vole*, a goat> ran"),
    ],
)
def test_what_is_verbatim_gets_its_capital_where_it_stands(text: str, expected: str) -> None:
    assert print_grid(with_capital(parse_grid(text))) == expected


def test_a_grid_as_it_stands_is_spelt_as_its_sentences_are() -> None:
    text = "[the pupils] waited. <their = the pupils, the cooks> {lesson, lunch} was late"
    assert print_grid(as_it_stands(parse_grid(text))) == (
        "! [The pupils] waited. <their = the pupils', the cooks'> {lesson, lunch} was late."
    )


def test_where_one_spelling_does_not_fit_all_sentences_nothing_stands_as_it_is() -> None:
    with pytest.raises(NotApplicable, match="no single spelling fits"):
        as_it_stands(parse_grid("a swimmer can <breathe, drown> {, under water}"))


@pytest.mark.parametrize("texts", [tame, wild], ids=["tame", "wild"])
@given(data=st.data())
@brisk
def test_sentences_stay_the_same_when_they_are_taken_as_they_stand(
    texts: Texts, data: st.DataObject
) -> None:
    grid = data.draw(grids(texts))
    try:
        verbatim = as_it_stands(grid)
    except (NotApplicable, SchemaError):
        assume(False)
    assert sentences(verbatim) == sentences(grid)
    assert as_it_stands(verbatim) == verbatim


# Most grids have too few words before the blank.
@given(grid=grids(tame), words=st.integers(0, 5))
@settings(brisk, suppress_health_check=[HealthCheck.filter_too_much])
def test_what_is_left_is_the_end_of_every_sentence(grid: Grid, words: int) -> None:
    def find_start(shown: Rendering, blank: int) -> int:
        before = shown.text[:blank].split(" ")
        return len(" ".join(before[: max(0, len(before) - words - 1)]))

    try:
        after = cut_before(grid, find_start)
    except (NotApplicable, SchemaError):
        assume(False)
    for old, new in zip(sentences(grid), sentences(after), strict=True):
        assert old.lower().endswith(new.lower())
        assert len(new) <= len(old)
