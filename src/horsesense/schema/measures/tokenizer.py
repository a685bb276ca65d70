"""Text to tokens, as a language model sees it.

The measures need to know no more than where each token stands. A model's vocabulary is
read from its `tokenizer.json`; the library that does it is an extra, and is imported when
a file is loaded, so that everything else works without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from horsesense.errors import FileError, HorsesenseError

if TYPE_CHECKING:
    import tokenizers

Offsets: TypeAlias = Sequence[tuple[int, int]]


class Tokenizer(Protocol):
    """Whatever can say where the tokens of a text stand."""

    def offsets(self, text: str, /) -> Offsets:
        """The first character of each token and the one after its last, in the order of the text.

        A space before a word may belong to its token, stand alone, or be left out. What a
        model puts around the text, such as `<s>` and `</s>`, is missing or stands at (0, 0).
        """
        ...


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer in a `tokenizer.json`, the file that comes with a published model."""
    try:
        import tokenizers
    except ImportError as error:
        raise HorsesenseError(
            "counting a model's tokens needs an extra: pip install 'horsesense[tokenizers]'"
        ) from error
    try:
        vocabulary = tokenizers.Tokenizer.from_buffer(path.read_bytes())
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        reason = str(error).removeprefix("Cannot instantiate Tokenizer from buffer: ")
        raise FileError(f"{path} is no tokenizer.json: {reason}") from error
    # Some files carry the lengths that their model was trained with, and would cut or fill up.
    vocabulary.no_truncation()
    vocabulary.no_padding()
    return _FileTokenizer(path, vocabulary)


@dataclass(frozen=True, slots=True)
class _FileTokenizer:
    """A tokenizer from a file, which is to blame if a text is too much for it."""

    path: Path
    vocabulary: tokenizers.Tokenizer

    def offsets(self, text: str, /) -> Offsets:
        try:
            encoding = self.vocabulary.encode(text, add_special_tokens=False)
        except Exception as error:  # the library has no class for it
            raise FileError(f"{self.path} has no tokens for {text!r}: {error}") from error
        return encoding.offsets
