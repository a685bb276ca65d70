"""Texts that are read many at a time must be read as each by itself, token by token."""

from __future__ import annotations

from functools import cache

import pytest

from horsesense.errors import ModelError
from horsesense.models import Token, Tokenization, load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.huggingface.tokenizer import ModelTokenizer
from tests.models.conftest import Folders

FAMILIES = ["gpt2", "llama-bos", "roberta", "bert", "t5"]
TEXTS = (
    "The goats ate it.",
    "The  goats\tate   it , twice",
    " Oats",
    "oats ",
    "",
    "Unfathomableness irks 12 goats; née, café, “quoted”.",
    "cafe\u0301s and an em—dash",
    "The goats ate it.",
)


@pytest.fixture(scope="module")
def tokenizers(kept_folders: Folders, tmp_path_factory: pytest.TempPathFactory) -> object:
    kept = tmp_path_factory.mktemp("cache")

    @cache
    def load(name: str) -> ModelTokenizer:
        model = load_model(str(kept_folders(name)), cache=kept)
        assert isinstance(model, HuggingFaceModel)
        return model.tokenizer

    return load


@pytest.fixture
def tokenizer(tokenizers: object, request: pytest.FixtureRequest) -> ModelTokenizer:
    assert callable(tokenizers)
    found: ModelTokenizer = tokenizers(request.param)
    return found


of_all = pytest.mark.parametrize("tokenizer", FAMILIES, indirect=True)


def slowly_read(tokenizer: ModelTokenizer, text: str) -> Tokenization:
    """The reference: where each token stands, found character by character."""
    encoding = tokenizer._backend.encode(text)
    tokens = []
    columns = zip(
        encoding.ids,
        encoding.offsets,
        encoding.tokens,
        encoding.word_ids,
        encoding.special_tokens_mask,
        strict=True,
    )
    for id, (start, end), spelt, word, is_special in columns:
        while start < end and text[start].isspace():
            start += 1
        if spelt == "▁" and text[start:end] != "▁":
            end = start
        tokens.append(Token(id, 0, 0, None) if is_special else Token(id, start, end, word))
    return Tokenization(text, tokens)


def readable(tokenizer: ModelTokenizer) -> list[str]:
    """The texts that the model has tokens for."""
    found = []
    for text in TEXTS:
        try:
            tokenizer.tokenize(text)
        except ModelError:
            continue
        found.append(text)
    return found


@of_all
def test_many_texts_are_read_as_each_by_itself(tokenizer: ModelTokenizer) -> None:
    texts = readable(tokenizer)
    assert len(texts) >= 5
    assert list(tokenizer.tokenize_all(texts)) == [tokenizer.tokenize(text) for text in texts]
    assert list(tokenizer.tokenize_all(texts)) == [slowly_read(tokenizer, text) for text in texts]


@of_all
def test_more_texts_than_are_read_at_once_keep_their_order(
    tokenizer: ModelTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("horsesense.models.huggingface.tokenizer._BATCH", 2)
    texts = readable(tokenizer)
    assert [one.text for one in tokenizer.tokenize_all(texts)] == texts
    assert list(tokenizer.tokenize_all([])) == []


@of_all
@pytest.mark.parametrize("bad", ["A goat\ud83d ate.", "A goat\x07 ate.", "A 🐐 ate.", "<unk> ate"])
def test_what_cannot_be_read_is_refused_as_by_itself(tokenizer: ModelTokenizer, bad: str) -> None:
    def refusal(texts: list[str], *, at_once: bool) -> str:
        try:
            list(tokenizer.tokenize_all(texts) if at_once else map(tokenizer.tokenize, texts))
        except ModelError as error:
            return str(error)
        return ""

    for texts in ([bad], ["The goats ate it.", bad, "A goat\ud83d ate."]):
        assert refusal(texts, at_once=True) == refusal(texts, at_once=False)
    assert refusal(["A goat\ud83d ate.", bad], at_once=True)
