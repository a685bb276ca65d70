from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tokenizers import Tokenizer as Vocabulary
from tokenizers import models, normalizers, pre_tokenizers, processors

from horsesense.errors import FileError, HorsesenseError
from horsesense.schema.measures import load_tokenizer


@pytest.fixture
def words() -> Vocabulary:
    """Every word is a token, known or not."""
    vocabulary = Vocabulary(models.WordLevel({"[UNK]": 0}, "[UNK]"))
    vocabulary.pre_tokenizer = pre_tokenizers.Whitespace()
    return vocabulary


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "owl.json"


def test_a_tokenizer_neither_cuts_nor_fills_up(words: Vocabulary, path: Path) -> None:
    words.enable_truncation(2)
    words.enable_padding(length=9)
    words.save(str(path))
    assert len(load_tokenizer(path).offsets("owls hunt voles at dusk")) == 5


def test_what_a_model_puts_around_a_text_is_left_out(words: Vocabulary, path: Path) -> None:
    words.add_special_tokens(["<s>", "</s>"])
    words.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 1))
    words.save(str(path))
    assert len(words.encode("owls hunt")) == 4
    assert list(load_tokenizer(path).offsets("owls hunt")) == [(0, 4), (5, 9)]


def test_offsets_are_those_of_the_text_as_it_was(words: Vocabulary, path: Path) -> None:
    words.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])
    words.save(str(path))
    assert list(load_tokenizer(path).offsets("été là")) == [(0, 3), (4, 6)]


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"[]", json.dumps({"model": {"type": "owl"}}).encode()]
)
def test_a_file_that_is_no_tokenizer_is_named(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"owl\.json is not a tokenizer\.json: \w"):
        load_tokenizer(path)


def test_a_file_that_is_missing_is_named(path: Path) -> None:
    with pytest.raises(FileError, match=r"owl\.json cannot be read: No such file"):
        load_tokenizer(path)


def test_a_text_that_a_vocabulary_cannot_hold_is_named(path: Path) -> None:
    Vocabulary(models.WordLevel({"owls": 0}, "[UNK]")).save(str(path))
    with pytest.raises(FileError, match=r"owl\.json has no tokens for 'voles'"):
        load_tokenizer(path).offsets("voles")


def test_a_missing_library_is_named_with_the_remedy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(HorsesenseError, match=r"pip install 'horsesense\[tokenizers\]'"):
        load_tokenizer(path)
