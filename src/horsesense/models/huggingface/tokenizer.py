"""Tokenize text with the tokenizer of a model, and reject text that it would change or drop."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import compress
from operator import not_
from typing import TYPE_CHECKING

from horsesense.errors import ModelError, UnreadableError, quoted
from horsesense.models.huggingface.libraries import is_failure, missing_extra
from horsesense.models.protocol import ModelInfo
from horsesense.models.tokens import Tokenization

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# The spelling of a space in vocabularies that are not byte-based.
_SPACE = "▁"
# The number of texts tokenized together; the library's encodings take much memory.
_BATCH = 1000


class ModelTokenizer:
    """The tokenizer of a model, with the character offsets of each token.

    Nothing is dropped silently: it is an error if the tokenizer drops a character, has no token
    for it, or reads it as a special token.
    """

    def __init__(self, content: str, info: ModelInfo) -> None:
        self._backend = backend(content)
        self._model = info.name
        added = self._backend.get_added_tokens_decoder()
        special = {id for id, token in added.items() if token.special}
        # Tokens that must not stand for a piece of text.
        self._refused = {*(special - set(info.sentinels)), info.unknown}
        # Tokens that may be spelled as a space; an unknown token is spelled as its text.
        self._spaces = {self._backend.token_to_id(_SPACE), info.unknown}

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """Tokenize a text, with or without the special tokens around it."""
        try:
            encoding = self._backend.encode(text, add_special_tokens=specials)
        except BaseException as error:  # the library has no error class of its own
            if not is_failure(error):
                raise
            raise UnreadableError(
                f"{self._model} has no tokens for {quoted(text)}: {error}"
            ) from error
        return self._checked(text, encoding)

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Tokenize texts like `tokenize`, but many at a time, on all cores."""
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            try:
                encodings = self._backend.encode_batch(batch)
            except BaseException as error:  # tokenize singly to find the text that fails
                if not is_failure(error):
                    raise
                yield from map(self.tokenize, batch)
            else:
                yield from map(self._checked, batch, encodings)

    def ids(self, text: str) -> list[int]:
        """Return the tokens of a text, without special tokens and without checks."""
        return list(self._backend.encode(text, add_special_tokens=False).ids)

    def decode(self, sequences: Sequence[Sequence[int]]) -> list[str]:
        """Turn each sequence of tokens into text, special ones included."""
        lists = [list(ids) for ids in sequences]
        return list(self._backend.decode_batch(lists, skip_special_tokens=False))

    def token_text(self, token: int) -> str:
        """Return the token as it is written in the vocabulary."""
        spelling: str | None = self._backend.id_to_token(token)
        if spelling is None:
            raise ModelError(f"{self._model} has no token {token}; its tokenizer has fewer")
        return spelling

    def _checked(self, text: str, encoding: Encoding) -> Tokenization:
        # Each access to one of these attributes builds a new list.
        ids, words, offsets = encoding.ids, _words(encoding), encoding.offsets
        if None in words:
            offsets = [
                (0, 0) if word is None else span for span, word in zip(offsets, words, strict=True)
            ]
        # Leave out the space before a token.
        starts = [end - len(text[start:end].lstrip()) for start, end in offsets]
        ends = [end for _, end in offsets]
        is_plain = self._spaces.isdisjoint(ids)
        if not is_plain:
            ends = _without_spaces(text, encoding.tokens, starts, ends)
        columns = (tuple(ids), tuple(starts), tuple(ends), tuple(words))
        tokenization = Tokenization(text, columns=columns)
        if not (is_plain and self._refused.isdisjoint(ids) and _is_whole(text, offsets)):
            self._check(tokenization)
        return tokenization

    def _check(self, tokenization: Tokenization) -> None:
        text, lost, reached = tokenization.text, "", 0
        columns = zip(
            tokenization.ids,
            tokenization.starts,
            tokenization.ends,
            tokenization.words,
            strict=True,
        )
        for token, start, end, word in columns:
            if word is None:
                continue
            if token in self._refused:
                self._refuse(text, text[start:end], token)
            if start > reached:
                lost += text[reached:start]
            if end > reached:
                reached = end
        lost += text[reached:]
        # An upper bound: if tokens are not in text order, some of it may be covered after all.
        if lost.strip() and (missing := _uncovered(tokenization)):
            raise UnreadableError(
                f"the tokenizer of {self._model} drops {missing!r} from {quoted(text)}; "
                "write it differently"
            )

    def _refuse(self, text: str, part: str, token: int) -> None:
        if part == self._backend.id_to_token(token):
            raise UnreadableError(
                f"{self._model} does not read {part!r} in {quoted(text)} as text, because it is "
                "one of its special tokens; leave it out"
            )
        raise UnreadableError(
            f"{self._model} has no token for {part!r} in {quoted(text)}; write it differently, or "
            "use another model"
        )


def _without_spaces(
    text: str, tokens: Sequence[str], starts: Sequence[int], ends: Sequence[int]
) -> list[int]:
    """Return the ends of the tokens; a space token shares the offsets of the next letter."""
    return [
        start if spelling == _SPACE and text[start:end] != _SPACE else end
        for spelling, start, end in zip(tokens, starts, ends, strict=True)
    ]


def _is_whole(text: str, offsets: Sequence[tuple[int, int]]) -> bool:
    """Return whether each token starts where the previous one ends, so the text is covered.

    >>> _is_whole("an owl", [(0, 2), (2, 6)]), _is_whole("an owl", [(0, 2), (3, 6)])
    (True, False)
    """
    starts, ends = zip(*offsets, strict=True) if offsets else ((), ())
    return (0, *ends) == (*starts, len(text))


def _words(encoding: Encoding) -> list[int | None]:
    """Return the word number of each token; without words, each token is a word."""
    words: list[int | None] = encoding.word_ids
    special = encoding.special_tokens_mask
    if any(special):
        words = [None if hidden else word for word, hidden in zip(words, special, strict=True)]
    if words.count(None) > sum(special):
        return [None if hidden else at for at, hidden in enumerate(special)]
    return words


def _uncovered(tokenization: Tokenization) -> str:
    """Return the visible characters that belong to no token."""
    covered = bytearray(len(tokenization.text))
    for at in tokenization.real:
        start, end = tokenization.starts[at], tokenization.ends[at]
        covered[start:end] = b"\1" * (end - start)
    return "".join(filter(_is_visible, compress(tokenization.text, map(not_, covered))))


def _is_visible(char: str) -> bool:
    """Return False for spaces, combining accents and formatting characters."""
    return not char.isspace() and unicodedata.category(char) not in ("Mn", "Cf")


def backend(content: str) -> Tokenizer:
    """Return the tokenizer in a `tokenizer.json`, without truncation and padding."""
    try:
        import tokenizers
    except ImportError as error:
        raise missing_extra() from error
    tokenizer = tokenizers.Tokenizer.from_str(content)
    # Some files contain the lengths used in training.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
