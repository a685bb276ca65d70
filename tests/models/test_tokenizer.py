from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from horsesense.errors import ModelError, UnreadableError
from horsesense.models import load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.huggingface.tokenizer import ModelTokenizer
from tests.models.conftest import Folders

FAMILIES = ["gpt2", "llama-bos", "roberta", "bert", "t5"]


@pytest.fixture(scope="module")
def models(kept_folders: Folders, tmp_path_factory: pytest.TempPathFactory) -> object:
    kept = tmp_path_factory.mktemp("cache")

    @cache
    def load(name: str) -> HuggingFaceModel:
        model = load_model(str(kept_folders(name)), cache=kept)
        assert isinstance(model, HuggingFaceModel)
        return model

    return load


@pytest.fixture
def tokenizer(models: object, request: pytest.FixtureRequest) -> ModelTokenizer:
    assert callable(models)
    found: ModelTokenizer = models(request.param).tokenizer
    return found


def of(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("tokenizer", names, indirect=True)


def pieces(tokenizer: ModelTokenizer, text: str) -> list[str]:
    tokenization = tokenizer.tokenize(text)
    return [text[token.start : token.end] for token in tokenization.tokens]


@of("gpt2", "llama-bos", "roberta", "t5")
def test_a_token_stands_where_its_characters_do_and_not_its_space(
    tokenizer: ModelTokenizer,
) -> None:
    shown = [piece for piece in pieces(tokenizer, "The goats ate it.") if piece]
    assert "".join(shown) == "Thegoatsateit."
    assert not any(piece.startswith(" ") for piece in shown)


@of(*FAMILIES)
def test_special_tokens_stand_nowhere_and_have_no_word(tokenizer: ModelTokenizer) -> None:
    tokenization = tokenizer.tokenize("The goats ate it.")
    special = [token for token in tokenization.tokens if token.is_special]
    assert all((token.start, token.end) == (0, 0) for token in special)
    assert tokenizer.tokenize("The goats ate it.", specials=False).ids == tuple(
        token.id for token in tokenization.tokens if not token.is_special
    )


@of("llama-bos")
def test_bos_is_there_once(tokenizer: ModelTokenizer) -> None:
    assert tokenizer.tokenize("Oats.").ids.count(50256) == 1
    assert tokenizer.tokenize("Oats.").ids[0] == 50256


@of("gpt2", "roberta")
def test_the_pieces_of_one_character_share_its_place(tokenizer: ModelTokenizer) -> None:
    text = "A 🐐 ate."
    places = [(token.start, token.end) for token in tokenizer.tokenize(text).tokens]
    assert places.count((2, 3)) == 3


@of("roberta", "bert")
def test_the_pieces_of_a_word_share_its_number(tokenizer: ModelTokenizer) -> None:
    tokenization = tokenizer.tokenize("Unfathomableness irks")
    (last,) = {token.word for token in tokenization.tokens if token.start >= 17}
    assert len([token for token in tokenization.tokens if token.word == 0]) > 1 and last == 1


@of("t5")
def test_a_space_that_has_its_own_token_has_no_characters(tokenizer: ModelTokenizer) -> None:
    tokenization = tokenizer.tokenize("a goat")
    first = tokenization.tokens[0]
    assert tokenizer.token_text(first.id) == "▁" and (first.start, first.end) == (0, 0)
    assert (tokenization.tokens[1].start, tokenization.tokens[1].end) == (0, 1)


@of("t5")
def test_sentinels_are_read_in_the_text(tokenizer: ModelTokenizer) -> None:
    ids = tokenizer.tokenize("The goat ate<extra_id_0> and<extra_id_1>.").ids
    assert [id for id in ids if id > 32_000] == [32_099, 32_098]


@of("t5", "bert")
def test_a_character_without_a_token_is_quoted(tokenizer: ModelTokenizer) -> None:
    named = "has no token for '🐐' in 'A 🐐 ate the oats.'; write it differently"
    with pytest.raises(UnreadableError, match=named):
        tokenizer.tokenize("A 🐐 ate the oats.")
    with pytest.raises(UnreadableError, match=named):
        list(tokenizer.tokenize_all(["A goat ate.", "A 🐐 ate the oats."]))


@of("bert")
def test_a_character_that_would_be_dropped_is_quoted(tokenizer: ModelTokenizer) -> None:
    with pytest.raises(ModelError, match=r"drops '\\x07' from"):
        tokenizer.tokenize("A goat\x07 ate.")


@of("bert")
def test_accents_that_stand_apart_may_go(tokenizer: ModelTokenizer) -> None:
    assert tokenizer.tokenize("cafe\u0301").ids == tokenizer.tokenize("café").ids


@pytest.mark.parametrize(
    ("tokenizer", "text"),
    [
        ("gpt2", "a<|endoftext|>b"),
        ("roberta", "<s>A goat"),
        ("bert", "a [MASK] b"),
        ("t5", "x</s>"),
    ],
    indirect=["tokenizer"],
)
def test_special_tokens_are_not_read_from_a_text(tokenizer: ModelTokenizer, text: str) -> None:
    with pytest.raises(UnreadableError, match="one of its special tokens; leave it out") as e:
        tokenizer.tokenize(text)
    assert f"in {text!r} as text" in str(e.value)


@of(*FAMILIES)
def test_an_empty_text_has_no_tokens_of_its_own(tokenizer: ModelTokenizer) -> None:
    assert tokenizer.tokenize("").real == ()
    assert tokenizer.tokenize("", specials=False).tokens == ()


@of(*FAMILIES)
def test_long_texts_are_read_whole(tokenizer: ModelTokenizer) -> None:
    assert len(tokenizer.tokenize("oats " * 3000).tokens) >= 3000


@of("gpt2")
def test_what_cannot_be_encoded_at_all_is_an_error(tokenizer: ModelTokenizer) -> None:
    with pytest.raises(ModelError, match="has no tokens for"):
        tokenizer.tokenize("half a character: \ud83d")


@of("gpt2")
def test_tokens_are_spelt_as_in_the_vocabulary(tokenizer: ModelTokenizer) -> None:
    assert [tokenizer.token_text(id) for id in tokenizer.tokenize("A goat").ids] == ["A", "Ġgoat"]
    with pytest.raises(ModelError, match="has no token 50257"):
        tokenizer.token_text(50_257)


def test_lengths_that_a_file_carries_cut_nothing_off(own_folder: Folders, tmp_path: Path) -> None:
    import json

    folder = own_folder("bert")
    content = json.loads((folder / "tokenizer.json").read_text())
    content["truncation"] = {
        "direction": "Right",
        "max_length": 4,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    (folder / "tokenizer.json").write_text(json.dumps(content))
    model = load_model(str(folder), cache=tmp_path / "cache")
    assert isinstance(model, HuggingFaceModel)
    assert len(model.tokenize("The goats ate all of the oats.").tokens) > 8
