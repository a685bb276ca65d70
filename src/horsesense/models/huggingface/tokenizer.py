"""Text to tokens, exactly as a model reads it."""

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

# What stands for a space in vocabularies that are not made of bytes.
_SPACE = "▁"
# So many texts are read side by side; what the library has to say of a text takes room.
_BATCH = 1000


class ModelTokenizer:
    """The tokenizer of a model, which tells where each token stands.

    Nothing is lost in silence: a text of which the model would not see a character, or would
    see it as something that is no text, is an error.
    """

    def __init__(self, content: str, info: ModelInfo) -> None:
        self._backend = backend(content)
        self._model = info.name
        added = self._backend.get_added_tokens_decoder()
        special = {id for id, token in added.items() if token.special}
        # What may not stand for a piece of text.
        self._refused = {*(special - set(info.sentinels)), info.unknown}
        # What may be spelt as a space: an unknown token is spelt as its text.
        self._spaces = {self._backend.token_to_id(_SPACE), info.unknown}

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """The text in its tokens, with or without the special ones around it."""
        try:
            encoding = self._backend.encode(text, add_special_tokens=specials)
        except BaseException as error:  # the library has no class for it
            if not is_failure(error):
                raise
            raise UnreadableError(
                f"{self._model} has no tokens for {quoted(text)}: {error}"
            ) from error
        return self._checked(text, encoding)

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Each text as `read` has it, but many at a time, on all cores."""
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            try:
                encodings = self._backend.encode_batch(batch)
            except BaseException as error:  # one by one, they tell whose fault it is
                if not is_failure(error):
                    raise
                yield from map(self.tokenize, batch)
            else:
                yield from map(self._checked, batch, encodings)

    def ids(self, text: str) -> list[int]:
        """The tokens of a text, nothing around them and nothing checked."""
        return list(self._backend.encode(text, add_special_tokens=False).ids)

    def token_text(self, token: int) -> str:
        """The token as its vocabulary spells it."""
        spelt: str | None = self._backend.id_to_token(token)
        if spelt is None:
            raise ModelError(f"{self._model} has no token {token}; its tokenizer has fewer")
        return spelt

    def _checked(self, text: str, encoding: Encoding) -> Tokenization:
        # Every look at one of these lists makes it anew.
        ids, words, places = encoding.ids, _words(encoding), encoding.offsets
        if None in words:
            places = [
                (0, 0) if word is None else at for at, word in zip(places, words, strict=True)
            ]
        # The space before a token is left out.
        starts = [end - len(text[start:end].lstrip()) for start, end in places]
        ends = [end for _, end in places]
        is_plain = self._spaces.isdisjoint(ids)
        if not is_plain:
            ends = _without_spaces(text, encoding.tokens, starts, ends)
        columns = (tuple(ids), tuple(starts), tuple(ends), tuple(words))
        reading = Tokenization(text, columns=columns)
        if not (is_plain and self._refused.isdisjoint(ids) and _is_whole(text, places)):
            self._check(reading)
        return reading

    def _check(self, reading: Tokenization) -> None:
        text, lost, reached = reading.text, "", 0
        columns = zip(reading.ids, reading.starts, reading.ends, reading.words, strict=True)
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
        # What is lost is among this, and all of it is unless tokens go back and forth.
        if lost.strip() and (missing := _uncovered(reading)):
            raise UnreadableError(
                f"the tokenizer of {self._model} drops {missing!r} from {quoted(text)}; "
                "write it otherwise"
            )

    def _refuse(self, text: str, part: str, token: int) -> None:
        if part == self._backend.id_to_token(token):
            raise UnreadableError(
                f"{self._model} does not read {part!r} in {quoted(text)} as text: it is one of its "
                "special tokens; leave it out"
            )
        raise UnreadableError(
            f"{self._model} has no token for {part!r} in {quoted(text)}; write it otherwise, or "
            "use another model"
        )


def _without_spaces(
    text: str, tokens: Sequence[str], starts: Sequence[int], ends: Sequence[int]
) -> list[int]:
    """Where the tokens end; one for a space shares the place of the letter that follows it."""
    return [
        start if spelt == _SPACE and text[start:end] != _SPACE else end
        for spelt, start, end in zip(tokens, starts, ends, strict=True)
    ]


def _is_whole(text: str, places: Sequence[tuple[int, int]]) -> bool:
    """True where every token begins where the last one ends, so that nothing of the text is lost.

    >>> _is_whole("an owl", [(0, 2), (2, 6)]), _is_whole("an owl", [(0, 2), (3, 6)])
    (True, False)
    """
    starts, ends = zip(*places, strict=True) if places else ((), ())
    return (0, *ends) == (*starts, len(text))


def _words(encoding: Encoding) -> list[int | None]:
    """The word of each token; a tokenizer that tells none has a word for each token."""
    words: list[int | None] = encoding.word_ids
    special = encoding.special_tokens_mask
    if any(special):
        words = [None if hidden else word for word, hidden in zip(words, special, strict=True)]
    if words.count(None) > sum(special):
        return [None if hidden else at for at, hidden in enumerate(special)]
    return words


def _uncovered(reading: Tokenization) -> str:
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
