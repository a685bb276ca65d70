"""Text to tokens, exactly as a model reads it."""

from __future__ import annotations

import unicodedata
from itertools import compress
from operator import not_
from typing import TYPE_CHECKING

from horsesense.errors import ModelError
from horsesense.models.declaration import Declaration
from horsesense.models.files.libraries import missing_extra
from horsesense.observation import Reading

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# What stands for a space in vocabularies that are not made of bytes.
_SPACE = "▁"


class ModelTokenizer:
    """The tokenizer of a model, which tells where each token stands.

    Nothing is lost in silence: a text of which the model would not see a character, or would
    see it as something that is no text, is an error.
    """

    def __init__(self, content: str, declaration: Declaration) -> None:
        self._backend = backend(content)
        self._model = declaration.name
        added = self._backend.get_added_tokens_decoder()
        special = {id for id, token in added.items() if token.special}
        # What may not stand for a piece of text.
        self._refused = {*(special - set(declaration.sentinels)), declaration.unknown}

    def read(self, text: str, *, specials: bool = True) -> Reading:
        """The text in its tokens, with or without the special ones around it."""
        try:
            encoding = self._backend.encode(text, add_special_tokens=specials)
        except Exception as error:  # the library has no class for it
            raise ModelError(f"{self._model} has no tokens for {text!r}: {error}") from error
        reading = _reading(text, encoding)
        self._check(reading)
        return reading

    def ids(self, text: str) -> list[int]:
        """The tokens of a text, nothing around them and nothing checked."""
        return list(self._backend.encode(text, add_special_tokens=False).ids)

    def token_text(self, token: int) -> str:
        """The token as its vocabulary spells it."""
        spelt: str | None = self._backend.id_to_token(token)
        if spelt is None:
            raise ModelError(f"{self._model} has no token {token}; its tokenizer has fewer")
        return spelt

    def _check(self, reading: Reading) -> None:
        text, lost, reached = reading.text, "", 0
        columns = zip(reading.ids, reading.starts, reading.ends, reading.words, strict=True)
        for token, start, end, word in columns:
            if word is None:
                continue
            if token in self._refused:
                self._refuse(text[start:end], token)
            if start > reached:
                lost += text[reached:start]
            if end > reached:
                reached = end
        lost += text[reached:]
        # What is lost is among this, and all of it is unless tokens go back and forth.
        if lost.strip() and (missing := _uncovered(reading)):
            raise ModelError(
                f"the tokenizer of {self._model} drops {missing!r} from {text!r}; "
                "write it otherwise"
            )

    def _refuse(self, part: str, token: int) -> None:
        if part == self._backend.id_to_token(token):
            raise ModelError(
                f"{self._model} does not read {part!r} as text: it is one of its special tokens; "
                "leave it out"
            )
        raise ModelError(
            f"{self._model} has no token for {part!r}; write it otherwise, or use another model"
        )


def _reading(text: str, encoding: Encoding) -> Reading:
    starts, ends = [], []
    # Every look at one of these lists makes it anew.
    words = _words(encoding)
    for (start, end), spelt, word in zip(encoding.offsets, encoding.tokens, words, strict=True):
        if word is None:
            start = end = 0
        while start < end and text[start].isspace():
            start += 1
        if spelt == _SPACE and text[start:end] != _SPACE:
            end = start  # it shares the place of the letter that it was put before
        starts.append(start)
        ends.append(end)
    columns = (tuple(encoding.ids), tuple(starts), tuple(ends), tuple(words))
    return Reading(text, columns=columns)


def _words(encoding: Encoding) -> list[int | None]:
    """The word of each token; a tokenizer that tells none has a word for each token."""
    words: list[int | None] = encoding.word_ids
    special = encoding.special_tokens_mask
    if any(special):
        words = [None if hidden else word for word, hidden in zip(words, special, strict=True)]
    if words.count(None) > sum(special):
        return [None if hidden else at for at, hidden in enumerate(special)]
    return words


def _uncovered(reading: Reading) -> str:
    """What is to be seen of the text and belongs to no token."""
    covered = bytearray(len(reading.text))
    for at in reading.real:
        start, end = reading.starts[at], reading.ends[at]
        covered[start:end] = b"\1" * (end - start)
    return "".join(filter(_is_visible, compress(reading.text, map(not_, covered))))


def _is_visible(char: str) -> bool:
    """False for spaces, for accents that stand apart, and for marks that only guide printing."""
    return not char.isspace() and unicodedata.category(char) not in ("Mn", "Cf")


def backend(content: str) -> Tokenizer:
    """The tokenizer in a `tokenizer.json`, which reads texts whole and adds no padding."""
    try:
        import tokenizers
    except ImportError as error:
        raise missing_extra() from error
    made = tokenizers.Tokenizer.from_str(content)
    # Some files carry the lengths that their model was trained with, and would cut or fill up.
    made.no_truncation()
    made.no_padding()
    return made
