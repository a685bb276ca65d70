"""Write single tokens as text, so that the tokens of a text add up to it.

A token may be part of a character only. Its bytes are kept as well, so that positions in the text
are right; as text, it is written as `bytes:\\xe2\\x82`. No two tokens are written alike, as answers
list tokens under their text. Where two would be, the second is written as `token_id:` and its
number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from horsesense.models import LanguageModel

# What decoders write for bytes that are no character.
_REPLACEMENT = "\ufffd"
# A token before the one in question: decoders drop the space before the first token of a text.
_ANCHOR = "a"
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@dataclass(frozen=True, slots=True)
class Spelling:
    """How each token is written, by its number, and its bytes."""

    texts: Sequence[str]
    bytes: Sequence[bytes]

    def write(self, ids: Sequence[int]) -> str:
        """Write tokens as one text."""
        return b"".join([self.bytes[token] for token in ids]).decode(errors="replace")

    def offsets(self, ids: Sequence[int]) -> list[int]:
        """Return the character at which each token starts in the text of all of them.

        A token that starts within a character starts where that character does.
        """
        offsets, characters = [], 0
        for token in ids:
            spelled = self.bytes[token]
            offsets.append(max(characters - (not _is_start(spelled)), 0))
            characters += sum((byte & 0xC0) != 0x80 for byte in spelled)
        return offsets


def _is_start(spelled: bytes) -> bool:
    return not spelled or (spelled[0] & 0xC0) != 0x80


def spell(model: LanguageModel) -> Spelling:
    """Write all tokens of a model."""
    numbers = range(model.info.vocabulary)
    anchor = model.token_ids(_ANCHOR)[:1]
    (lead,) = model.decode([anchor])
    decoded = model.decode([[*anchor, token] for token in numbers])
    pieces = [text.removeprefix(lead) for text in decoded]
    spelled = [
        _bytes(model, token) if _REPLACEMENT in piece else piece.encode()
        for token, piece in enumerate(pieces)
    ]
    return Spelling(_distinct(spelled), spelled)


def _bytes(model: LanguageModel, token: int) -> bytes:
    """Return the bytes of a token that is no whole text, from its writing in the vocabulary."""
    written = model.token_text(token)
    if byte := _BYTE.fullmatch(written):
        return bytes.fromhex(byte[1])
    if all(character in _BYTE_LEVEL for character in written):
        return bytes(_BYTE_LEVEL[character] for character in written)
    return written.encode()


def _byte_level() -> dict[str, int]:
    """Return the byte for each character of a vocabulary of bytes, as GPT-2 introduced it.

    Printable characters stand for themselves; the others are moved behind the first 256.
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    moved = (byte for byte in range(256) if byte not in printable)
    own = {chr(byte): byte for byte in printable}
    return own | {chr(256 + number): byte for number, byte in enumerate(moved)}


_BYTE_LEVEL = _byte_level()


def _distinct(spelled: Sequence[bytes]) -> list[str]:
    """Write each token; those that would be written like an earlier one, by their numbers."""
    texts: dict[str, int] = {}
    for token, content in enumerate(spelled):
        text = _written(content)
        if not text or text in texts:
            text = f"token_id:{token}"
        texts[text] = token
    return list(texts)


def _written(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return "bytes:" + "".join(f"\\x{byte:02x}" for byte in content)
