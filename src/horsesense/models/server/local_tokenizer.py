"""The tokenizer of a served model, if the user has it on this machine.

It is that of a model that can be loaded by name, or a `tokenizer.json` in a folder without weights.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from horsesense.errors import ModelError, UnreadableError, quoted
from horsesense.models.loading import LoadOptions, load_model
from horsesense.models.protocol import LanguageModel
from horsesense.models.server.addresses import parse_address
from horsesense.models.tokens import Tokenization

if TYPE_CHECKING:
    from tokenizers import Encoding

_FILE = "tokenizer.json"
_WEIGHTS = ("*.safetensors", "*.bin", "*.gguf")


class LocalTokenizer(Protocol):
    """A tokenizer on this machine.

    `hash` identifies it, and `traits` are the fields of a `ModelInfo` that it knows.
    """

    hash: str
    traits: dict[str, Any]

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """Tokenize a text, with or without the special tokens around it."""
        ...

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Tokenize several texts, with special tokens."""
        ...

    def token_text(self, token: int) -> str:
        """Return the token as it is written in the vocabulary."""
        ...


def load_tokenizer(options: LoadOptions) -> LocalTokenizer | None:
    """Load the tokenizer that the options name; None if they name none."""
    name = options.server.tokenizer
    if name is None:
        return None
    folder = Path(name)
    if (folder / _FILE).is_file() and not any(any(folder.glob(kind)) for kind in _WEIGHTS):
        return FileTokenizer(folder / _FILE)
    if parse_address(name) is not None:
        raise ModelError(
            f"{name} is a model behind a server; --tokenizer takes a folder with a {_FILE}, or the"
            " name of a model on this machine"
        )
    model = load_model(name, cache=options.cache, progress=options.progress)
    if not isinstance(model, LanguageModel):
        raise ModelError(
            f"{name} has no tokenizer; --tokenizer takes a folder with a {_FILE}, or the name of a"
            " language model on this machine"
        )
    return _ModelTokenizer(model)


class _ModelTokenizer:
    """The tokenizer of a model on this machine, whose weights are never loaded."""

    def __init__(self, model: LanguageModel) -> None:
        info = model.info
        self._model = model
        self.hash = info.tokenizer
        self.traits: dict[str, Any] = {
            "vocabulary": info.vocabulary,
            "before": info.before,
            "after": info.after,
            "unknown": info.unknown,
            "eos": info.eos,
        }

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        return self._model.tokenize(text, specials=specials)

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        return self._model.tokenize_all(texts)

    def token_text(self, token: int) -> str:
        return self._model.token_text(token)


class FileTokenizer:
    """A `tokenizer.json` without a model."""

    def __init__(self, path: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ModelError(
                f"{path} needs the package tokenizers: pip install 'horsesense[tokenizers]'"
            ) from error
        content = path.read_bytes()
        try:
            self._backend = Tokenizer.from_str(content.decode())
        except Exception as error:  # the library has no error class of its own
            raise ModelError(f"{path} is damaged: {error}; fetch it again") from error
        self._backend.no_truncation()
        self._backend.no_padding()
        self.path = path
        self.hash = hashlib.sha256(content).hexdigest()
        encoding = self._backend.encode("owl")
        special = encoding.special_tokens_mask
        size = special.index(0) if 0 in special else 0
        self.traits: dict[str, Any] = {
            "vocabulary": self._backend.get_vocab_size(),
            "before": tuple(encoding.ids[:size]),
            "after": tuple(encoding.ids[size + special[size:].count(0) :]),
        }

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """Tokenize a text, with or without the special tokens around it."""
        return self._checked(text, self._backend.encode(text, add_special_tokens=specials))

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Tokenize several texts, with special tokens."""
        return map(self.tokenize, texts)

    def token_text(self, token: int) -> str:
        """Return the token as it is written in the vocabulary."""
        spelling: str | None = self._backend.id_to_token(token)
        if spelling is None:
            raise ModelError(f"{self.path} has no token {token}; it is not that of the model")
        return spelling

    def _checked(self, text: str, encoding: Encoding) -> Tokenization:
        special, words = encoding.special_tokens_mask, encoding.word_ids
        spans = [
            (0, 0) if hidden else span
            for span, hidden in zip(encoding.offsets, special, strict=True)
        ]
        starts = tuple([end - len(text[start:end].lstrip()) for start, end in spans])
        numbers = tuple(
            [
                None if hidden else (at if word is None else word)
                for at, (word, hidden) in enumerate(zip(words, special, strict=True))
            ]
        )
        covered = bytearray(len(text))
        for start, end in spans:
            covered[start:end] = b"\1" * (end - start)
        lost = "".join(
            char
            for char, kept in zip(text, covered, strict=True)
            if not kept and char.isprintable()
        ).strip()
        if lost:
            raise UnreadableError(
                f"the tokenizer in {self.path} drops {lost!r} from {quoted(text)}; write it"
                " differently"
            )
        ends = tuple([end for _, end in spans])
        return Tokenization(text, columns=(tuple(encoding.ids), starts, ends, numbers))
