"""What a model is: its family, how it tokenizes, and which weights exactly it has."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from horsesense.models.family import Family


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model before it is queried.

    `weights`, `tokenizer` and `config` are SHA-256 hashes of what was read, `revision` the commit
    that a hub served, if any. `before` and `after` are the special tokens that it has around a
    text by its own habit, such as BOS; they condition and are never counted. `sentinels` are the
    tokens that stand for spans, in the order of their numbers. `context` is how many tokens it
    can read, None where there is no limit.
    """

    name: str
    family: Family
    architecture: str
    weights: str = ""
    tokenizer: str = ""
    revision: str = ""
    dtype: str = ""
    device: str = ""
    parameters: int = 0
    vocabulary: int = 0
    context: int | None = None
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    unknown: int | None = None
    mask: int | None = None
    pad: int | None = None
    eos: int | None = None
    sentinels: tuple[int, ...] = ()
    first_position: int = 0
    config: str = ""

    @property
    def bos(self) -> int | None:
        """The token that the model reads before every text, if there is one."""
        return self.before[-1] if self.before else None

    @property
    def fingerprint(self) -> str:
        """A hash of all that its answers depend on; its name is not among them.

        How it reads a text is left out as well: a query holds the tokens themselves.
        """
        identity = {
            key: value
            for key, value in asdict(self).items()
            if key
            in ("family", "architecture", "weights", "tokenizer", "config", "dtype", "device")
        }
        content = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(content.encode()).hexdigest()
