"""Pieces of a server, and the characters that they stand for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from horsesense.errors import ModelError, UnreadableError
from horsesense.models import Tokenization
from horsesense.models.server.local_tokenizer import FileTokenizer
from horsesense.models.server.pieces import align_pieces, is_same_piece
from tests.models.conftest import Folders
from tests.tokenizer_files import tokenizer_file

WORDS = [
    "An",
    "owl",
    "doesn't",
    "hoot;",
    "Zoë",
    "naïve",
    "—",
    "한국어",
    "größer",
    "😀",
    "🎉",
    "1,250",
]
TEXTS = st.lists(st.sampled_from([*WORDS, "", "  ", "\n", "\t"]) | st.text(max_size=3)).map(
    " ".join
)


@cache
def gpt2() -> FileTokenizer:
    return FileTokenizer(tokenizer_file("gpt2"))


def tokenized(text: str) -> Tokenization:
    """The tokens of a text, as a library counts their characters."""
    assume(text.isprintable() or text.isspace())
    return gpt2().tokenize(text)


@given(TEXTS)
def test_tokens_as_a_vocabulary_spells_them_are_aligned_as_a_library_does(text: str) -> None:
    reference = tokenized(text)
    aligned = align_pieces(text, reference.ids, [*map(gpt2().token_text, reference.ids)])
    assert aligned is not None
    assert (aligned.ids, aligned.starts, aligned.ends) == (
        reference.ids,
        reference.starts,
        reference.ends,
    )
    assert aligned.real == reference.real


@given(TEXTS)
def test_decoded_tokens_are_aligned_up_to_characters_that_are_split(text: str) -> None:
    reference = tokenized(text)
    backend: Any = gpt2()._backend
    pieces = [backend.decode([token]) for token in reference.ids]
    aligned = align_pieces(text, reference.ids, pieces)
    assert aligned is not None
    whole = [at for at, piece in enumerate(pieces) if "\N{REPLACEMENT CHARACTER}" not in piece]
    if len(whole) == len(pieces):
        assert (aligned.starts, aligned.ends) == (reference.starts, reference.ends)
    assert sorted(aligned.starts) == [*aligned.starts]


def incrementally(backend: Any, ids: tuple[int, ...]) -> list[str]:
    """The pieces of a server that holds back characters until they are complete."""
    pieces, start = [], 0
    for end in range(1, len(ids) + 1):
        text = backend.decode([*ids[start:end]])
        is_complete = not text.endswith("\N{REPLACEMENT CHARACTER}")
        pieces.append(text if is_complete else "")
        start = end if is_complete else start
    return pieces


def in_bytes(backend: Any, ids: tuple[int, ...]) -> list[str]:
    """The pieces of a server that writes bytes where a character is split."""
    values = {char: bytes([number]) for number, char in enumerate(byte_chars())}
    spelled = (b"".join(map(values.__getitem__, backend.id_to_token(token))) for token in ids)
    return [_decoded(data) for data in spelled]


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "bytes:" + "".join(f"\\x{value:02x}" for value in data)


def byte_chars() -> list[str]:
    # The package has a function of the same name.
    module: Any = import_module("transformers.convert_slow_tokenizer")
    chars: dict[int, str] = module.bytes_to_unicode()
    return [chars[number] for number in range(256)]


@pytest.mark.parametrize("spell", [incrementally, in_bytes])
@given(st.sampled_from(["Zoë 😀 sang", " 한국어!", "😀🎉", "a 🎉", "naïve—é"]))
def test_split_characters_are_read_however_a_server_spells_them(
    spell: Callable[[Any, tuple[int, ...]], list[str]], text: str
) -> None:
    reference = tokenized(text)
    aligned = align_pieces(text, reference.ids, spell(gpt2()._backend, reference.ids))
    assert aligned is not None
    if spell is in_bytes:
        assert (aligned.starts, aligned.ends) == (reference.starts, reference.ends)
    assert aligned.ends[-1] == len(text)
    assert sorted(aligned.starts) == [*aligned.starts]


@pytest.mark.parametrize(
    ("pieces", "starts", "ends", "special"),
    [
        (["<s>", "An", " owl"], (0, 0, 3), (0, 2, 6), (True, False, False)),
        (["", "An", " owl"], (0, 0, 3), (0, 2, 6), (True, False, False)),
        (["▁An", "▁owl", "</s>"], (0, 3, 0), (2, 6, 0), (False, False, True)),
        (["▁", "An", "▁o", "<0x77>", "l"], (0, 0, 3, 4, 5), (0, 2, 4, 5, 6), (False,) * 5),
        ([" An", " owl"], (0, 3), (2, 6), (False, False)),
        (["An", "owl"], (0, 3), (2, 6), (False, False)),
        (["<s>", "<x>", "An", " owl", "</s>"], (0, 0, 0, 3, 0), (0, 0, 2, 6, 0),
         (True, True, False, False, True)),
    ],
)  # fmt: skip
def test_special_tokens_and_spaces_are_left_out(
    pieces: list[str], starts: tuple[int, ...], ends: tuple[int, ...], special: tuple[bool, ...]
) -> None:
    aligned = align_pieces("An owl", range(len(pieces)), pieces)
    assert aligned is not None
    assert (aligned.starts, aligned.ends) == (starts, ends)
    assert tuple(token.is_special for token in aligned.tokens) == special


@pytest.mark.parametrize(
    "pieces", [["An"], [" owl", "An"], ["An", " owl", " owl"], ["an", " owl"], [], ["elk"] * 4]
)
def test_pieces_of_another_text_are_not_aligned(pieces: list[str]) -> None:
    assert align_pieces("An owl", range(len(pieces)), pieces) is None


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ("Ġowl", " owl", True),
        ("▁owl", "owl", True),
        ("Ċ", "\n", True),
        ("<0x0A>", "\n", True),
        ("âĢĶ", "—", True),
        ("Ģ", " 😀", True),
        ("Ġowl", "", True),
        ("Ġowl", "Owl", False),
        ("Ġowl", " owls", False),
        ("<s>", "An", False),
    ],
)
def test_tokens_are_compared_by_what_they_spell(ours: str, theirs: str, same: bool) -> None:
    assert is_same_piece(ours, theirs) is same


def test_a_tokenizer_file_without_a_model_is_enough(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(tokenizer_file("gpt2").read_bytes())
    ours, reading = gpt2(), FileTokenizer(tmp_path / "tokenizer.json")
    assert reading.tokenize("An owl.") == ours.tokenize("An owl.")
    assert reading.hash == ours.hash and reading.traits["vocabulary"] == 50257


def test_a_file_knows_the_special_tokens_around_a_text(kept_folders: Folders) -> None:
    reading = FileTokenizer(kept_folders("llama-bos") / "tokenizer.json")
    assert (reading.traits["before"], reading.traits["after"]) == ((50256,), ())
    assert reading.tokenize("An owl.").words == (None, 0, 1, 2)
    assert reading.tokenize("An owl.", specials=False).ids == gpt2().tokenize("An owl.").ids
    both = FileTokenizer(tokenizer_file("roberta"))
    assert (both.traits["before"], both.traits["after"]) == ((0,), (2,))


def test_a_file_that_drops_text_is_noticed() -> None:
    bert = FileTokenizer(tokenizer_file("bert"))
    with pytest.raises(UnreadableError, match="drops"):
        bert.tokenize("An owl \x01\N{REPLACEMENT CHARACTER} hoots.")


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ModelError, match=r"tokenizer.json is damaged: .*; fetch it again"):
        FileTokenizer(tmp_path / "tokenizer.json")
