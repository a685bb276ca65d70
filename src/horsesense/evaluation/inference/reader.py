"""Reading sentences through a model's tokenizer, each distinct one once.

What a model cannot read is refused here, before anything is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from horsesense.errors import UnreadableError, quoted
from horsesense.models import LanguageModel, ModelInfo, Tokenization


@dataclass(frozen=True, slots=True)
class Reader:
    """A model's tokenizer that remembers what it has read."""

    model: LanguageModel
    _readings: dict[str, Tokenization] = field(default_factory=dict)

    @property
    def info(self) -> ModelInfo:
        """What the model declares of itself."""
        return self.model.info

    def tokenize(self, text: str) -> Tokenization:
        """The text in its tokens; refused where the model cannot read it."""
        reading = self._readings.get(text)
        if reading is None:
            reading = self.model.tokenize(text)
            _check(reading, self.info)
            self._readings[text] = reading
        return reading

    def tokenize_all(self, texts: Iterable[str]) -> None:
        """Tokenize texts that will be needed, all at once where the model knows how to."""
        new = [text for text in dict.fromkeys(texts) if text not in self._readings]
        for reading in self.model.tokenize_all(new):
            _check(reading, self.info)
            self._readings[reading.text] = reading


def _check(reading: Tokenization, info: ModelInfo) -> None:
    size = len(reading.ids)
    if info.context is not None and size > info.context:
        raise UnreadableError(
            f"{info.name} reads at most {info.context} tokens, and there are"
            f" {size} in {quoted(reading.text)}; shorten it, or choose a model that reads"
            " more"
        )
    if info.unknown not in reading.ids:
        return
    for token in reading.tokens:
        if token.id == info.unknown and token.word is not None:
            character = reading.text[token.start : token.end]
            raise UnreadableError(
                f"{info.name} has no token for {character!r} in {quoted(reading.text)};"
                " spell it otherwise, or choose a model that knows it"
            )
