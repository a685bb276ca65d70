from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as Vocabulary
from tokenizers import models, pre_tokenizers, processors

from horsesense.schema import Grid, Mode, Problem, Schema, modes, problems, wrap
from horsesense.schema.measures import (
    Tokenizer,
    equal_length_share,
    has_equal_length,
    is_second_last,
    load_tokenizer,
    second_last_share,
)
from horsesense.schema.notation import parse_grid, parse_wrapper
from horsesense.scoring.outcome import Share
from tests.strategies import grids, patient, wild


def posed(notation: str, mode: Mode = Mode.BY_ANSWER) -> tuple[Problem, ...]:
    return problems(parse_grid(notation), mode)


def first(notation: str, mode: Mode = Mode.BY_ANSWER) -> Problem:
    return posed(notation, mode)[0]


def stored(vocabulary: Vocabulary, folder: Path) -> Path:
    path = folder / "tokenizer.json"
    vocabulary.save(str(path))
    return path


def merging(*wholes: str, space: str) -> models.BPE:
    """Pairs of characters to be merged, so that these and their beginnings are single tokens."""
    alphabet = dict.fromkeys(sorted(pre_tokenizers.ByteLevel.alphabet()) + [space])
    merges = dict.fromkeys((whole[:n], whole[n]) for whole in wholes for n in range(1, len(whole)))
    tokens = dict.fromkeys([*alphabet, *(left + right for left, right in merges)])
    return models.BPE({token: number for number, token in enumerate(tokens)}, list(merges))


@pytest.fixture
def words(tmp_path: Path) -> Tokenizer:
    """Every word and every mark is a token, known or not; `[CLS]` and `[SEP]` go around them."""
    vocabulary = Vocabulary(models.WordLevel({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}, "[UNK]"))
    vocabulary.pre_tokenizer = pre_tokenizers.Whitespace()
    vocabulary.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return load_tokenizer(stored(vocabulary, tmp_path))


def with_space(folder: Path, *wholes: str, trimmed: bool) -> Tokenizer:
    """As GPT-2 does it, or with trimmed offsets as RoBERTa does: Ġ is the space before a word."""
    vocabulary = Vocabulary(merging(*wholes, space="Ġ"))
    vocabulary.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    vocabulary.post_processor = processors.ByteLevel(trim_offsets=trimmed)
    return load_tokenizer(stored(vocabulary, folder))


def with_mark(folder: Path, *wholes: str) -> Tokenizer:
    """As T5 does it: every word gets a mark for the space before it, even the first."""
    vocabulary = Vocabulary(merging(*wholes, space="▁"))
    vocabulary.pre_tokenizer = pre_tokenizers.Metaspace()
    return load_tokenizer(stored(vocabulary, folder))


# --- where the blank stands


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (".", True),
        ("?!", True),
        ("...", True),
        (".”", True),
        (" ).", True),
        (" asleep", True),
        (" half-asleep", True),
        (" don't", True),
        (" asleep.", False),
        (" don't.", False),
        ("-like.", False),
        ("'s.", False),
        (", .", False),
        ("", False),
    ],
)
def test_the_blank_is_second_last_before_one_word_or_one_cluster_of_marks(
    after: str, expected: bool
) -> None:
    # Verbatim, so that no full stop is added.
    assert is_second_last(first(f"! the vole was <sly*, shy>{after}")) is expected


def test_a_missing_full_stop_is_put_in_before_the_place_is_told() -> None:
    assert is_second_last(first("the {owl, vole} was <sly, shy>"))
    assert not is_second_last(first("the {owl, vole} was <sly, shy> enough"))


def test_the_last_of_two_blanks_is_the_one_that_counts() -> None:
    notation = "{owls, voles} <do, do not> eat {voles, owls}"
    assert all(map(is_second_last, posed(notation, Mode.BY_KEY)))
    assert not any(map(is_second_last, posed(notation)))


def test_a_phrase_in_another_blank_is_not_mistaken_for_the_blank() -> None:
    assert not is_second_last(first("<owls, voles> eat {voles, seeds}"))
    assert is_second_last(first("<owls, voles> eat {voles, seeds}", Mode.BY_KEY))


def test_a_minimal_pair_has_no_blank_and_is_not_counted() -> None:
    pair = first("<The owls hunt.*, The owls hunts.>")
    assert pair.blanks == 0
    assert not is_second_last(pair)
    assert second_last_share([pair, first("owls <hunt*, graze>")]) == Share(1, 1)


def test_a_truth_value_before_its_schema_is_not_second_last() -> None:
    schema = parse_grid("a lorry <can, cannot> pass a {high, low} bridge")
    assert isinstance(schema, Schema)
    dyad = wrap(schema, parse_wrapper("It is |true, false| that …"))
    assert second_last_share(problems(dyad, Mode.BY_BOOLEAN)) == Share(0, 4)


# --- how long the answers are


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize(
    ("notation", "expected"),
    [
        ("at dusk <owls, voles> {hunt, hide}", True),
        ("at dusk <barn owls, voles> {hunt, hide}", False),
        ("at dusk <owls*, voles, bats> hunt", True),
        ("at dusk <owls*, voles, brown bats> hunt", False),
        ("<Barn owls*, Brown voles>", True),
    ],
)
def test_answers_are_of_equal_length_if_all_have_as_many_tokens(
    words: Tokenizer, notation: str, expected: bool, inside: bool
) -> None:
    assert has_equal_length(first(notation), words, inside=inside) is expected


@pytest.mark.parametrize("inside", [False, True])
def test_the_phrases_of_two_blanks_count_together(words: Tokenizer, inside: bool) -> None:
    assert has_equal_length(
        first("<barn owls*, owls> hunt <voles, brown voles>"), words, inside=inside
    )
    assert not has_equal_length(
        first("<barn owls*, owls> hunt <voles, mice>"), words, inside=inside
    )
    inverted = first("{barn owls, voles} <do, do not> eat {voles, barn owls}", Mode.BY_KEY)
    assert has_equal_length(inverted, words, inside=inside)


@pytest.mark.parametrize("inside", [False, True])
def test_an_empty_phrase_has_no_tokens(words: Tokenizer, inside: bool) -> None:
    assert not has_equal_length(
        first("owls <do, do not> sleep {at night, }", Mode.BY_KEY), words, inside=inside
    )


@pytest.mark.parametrize("trimmed", [False, True])
def test_the_space_before_an_answer_belongs_to_it_inside_the_sentence(
    tmp_path: Path, trimmed: bool
) -> None:
    # By themselves both are three tokens; after a space «owl» is one, and «bat» is four.
    tokens = with_space(tmp_path, "Ġowl", trimmed=trimmed)
    problem = first("so the <owl, bat> {hid, fled}")
    assert has_equal_length(problem, tokens, inside=False)
    assert not has_equal_length(problem, tokens, inside=True)
    # By themselves they are four and three; inside, the space makes four of «bat» too.
    tokens = with_space(tmp_path, "Ġv", trimmed=trimmed)
    problem = first("so the <vole, bat> {hid, fled}")
    assert not has_equal_length(problem, tokens, inside=False)
    assert has_equal_length(problem, tokens, inside=True)


@pytest.mark.parametrize("trimmed", [False, True])
def test_an_answer_is_tokenized_with_the_capital_of_its_place(
    tmp_path: Path, trimmed: bool
) -> None:
    tokens = with_space(tmp_path, "Owls", "Bats", "bats", trimmed=trimmed)
    assert has_equal_length(first("<owls, bats> {hid, fled}"), tokens, inside=False)
    assert not has_equal_length(first("so <owls, bats> {hid, fled}"), tokens, inside=False)


@pytest.mark.parametrize("inside", [False, True])
def test_a_token_of_nothing_but_the_space_before_belongs_to_the_answer(
    tmp_path: Path, inside: bool
) -> None:
    # «owls» is known only without its mark, which is then a token: ▁ owls against ▁voles.
    tokens = with_mark(tmp_path, "owls", "▁voles", "▁bats")
    assert not has_equal_length(first("so <owls, voles> {hid, fled}"), tokens, inside=inside)
    assert has_equal_length(first("so <bats, voles> {hid, fled}"), tokens, inside=inside)


def test_the_pieces_of_a_character_are_tokens(tmp_path: Path) -> None:
    tokens = with_space(tmp_path, trimmed=False)
    assert not has_equal_length(first("so <é*, e> it is"), tokens, inside=True)
    assert has_equal_length(first("so <é*, ee> it is"), tokens, inside=True)


def test_a_token_that_reaches_beyond_the_answer_counts(tmp_path: Path) -> None:
    tokens = with_space(tmp_path, "Ġbats", "Ġowls", trimmed=False)
    assert has_equal_length(first("! so two <owl*, bat>s hid"), tokens, inside=True)


class Characters:
    """Every character is a token, and the special ones around them stand at (0, 0)."""

    def __init__(self, *, special: bool) -> None:
        self.around = [(0, 0)] if special else []

    def offsets(self, text: str, /) -> list[tuple[int, int]]:
        found = [(n, n + 1) for n, char in enumerate(text) if not char.isspace()]
        return [*self.around, *found, *self.around]


@given(grids(wild), st.booleans())
@patient
def test_special_tokens_never_count(grid: Grid, inside: bool) -> None:
    special, plain = Characters(special=True), Characters(special=False)
    for problem in problems(grid):
        assert has_equal_length(problem, special, inside=inside) == has_equal_length(
            problem, plain, inside=inside
        )


def test_special_tokens_at_the_start_are_not_those_of_an_answer_there() -> None:
    inverted = first("{owls, } <do, do not> see {, owls}", Mode.BY_KEY)
    assert has_equal_length(inverted, Characters(special=True), inside=True)


@given(grids(wild), st.sampled_from(Mode))
@patient
def test_characters_are_as_many_inside_as_outside(grid: Grid, mode: Mode) -> None:
    characters = Characters(special=False)
    for problem in problems(grid, mode) if mode in modes(grid) else ():
        assert has_equal_length(problem, characters, inside=True) == has_equal_length(
            problem, characters, inside=False
        )


def test_the_sentences_of_a_minimal_pair_are_measured_whole() -> None:
    # A full stop is put in that is no part of the second answer.
    pair = first("<Owls hunt.*, Owls hide>")
    assert has_equal_length(pair, Characters(special=False), inside=True)


class Whole:
    """Every text is one token."""

    def offsets(self, text: str, /) -> list[tuple[int, int]]:
        return [(0, len(text))]


def test_a_token_around_an_empty_phrase_is_not_its_own() -> None:
    inverted = first("owls {never, } <sleep, hunt> at night", Mode.BY_KEY)
    assert not has_equal_length(inverted, Whole(), inside=True)


def test_the_share_is_counted_over_problems(words: Tokenizer) -> None:
    both = [*posed("<owls, barn owls> {hid, fled}"), *posed("<owls, bats> {hid, fled}")]
    assert equal_length_share(both, words, inside=False) == Share(2, 4)
    assert second_last_share(both) == Share(0, 4)


def test_twins_with_answers_of_their_own_may_differ(words: Tokenizer) -> None:
    loose = posed("so <owls*, bats> hid\n& so <owls, barn owls*> fled")
    assert [has_equal_length(p, words, inside=True) for p in loose] == [True, False]
