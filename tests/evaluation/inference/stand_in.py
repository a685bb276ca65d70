"""A model for tests: it reads words, and its numbers follow from the tokens alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from horsesense.models import (
    Answers,
    Family,
    LanguageModel,
    ModelInfo,
    Query,
    QueryKind,
    Token,
    Tokenization,
)
from horsesense.schema import Mode, Problem, problems
from horsesense.schema.notation import parse_grid

BOS, EOS, MASK, UNKNOWN = 0, 1, 2, 3
SENTINELS = (4, 5, 6)
_OWN = ("<s>", "</s>", "<mask>", "<unk>", "<x0>", "<x1>", "<x2>")
# Words with the space before them, full stops, and sentinels, which are one token each.
_PIECE = re.compile(r"<x\d>|\s*\w+|\s*[^\w\s]|\s+")


def declared(family: Family = Family.CAUSAL, **changes: Any) -> ModelInfo:
    """What the stand-in says of itself; a masked one reads `<s>` and `</s>`."""
    fields: dict[str, Any] = {
        "name": "stand-in",
        "family": family,
        "architecture": "Words",
        "weights": "aa" * 32,
        "tokenizer": "bb" * 32,
        "revision": "",
        "dtype": "float32",
        "device": "cpu",
        "parameters": 0,
        "vocabulary": 10_000,
        "context": 64,
        "before": (BOS,) if family is Family.MASKED else (),
        "after": (EOS,) if family in (Family.MASKED, Family.SEQ2SEQ) else (),
        "unknown": UNKNOWN,
        "mask": MASK,
        "eos": EOS,
        "sentinels": SENTINELS if family is Family.SEQ2SEQ else (),
    }
    return ModelInfo(**{**fields, **changes})


@dataclass(repr=False)
class StandIn(LanguageModel):
    """Every distinct piece of text is a token of its own; every query is counted."""

    info: ModelInfo = field(default_factory=declared)
    batch: int = 3
    log_prob: Callable[[Query, int], float] | None = None
    asked: list[Query] = field(default_factory=list)
    vocabulary: list[str] = field(default_factory=lambda: list(_OWN))

    @property
    def batching(self) -> str:
        return "plain"

    @property
    def fallback_reason(self) -> str:
        return "it is a stand-in"

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        tokens = [
            Token(self._id(found[0]), found.end() - len(found[0].lstrip()), found.end(), word)
            for word, found in enumerate(_PIECE.finditer(text))
        ]
        if specials:
            before = [Token(one, 0, 0, None) for one in self.info.before]
            after = [Token(one, 0, 0, None) for one in self.info.after]
            tokens = [*before, *tokens, *after]
        return Tokenization(text, tuple(tokens))

    def token_text(self, token: int) -> str:
        return self.vocabulary[token]

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        queries = [query for query in queries if query not in answered]
        for start in range(0, len(queries), self.batch):
            batch = queries[start : start + self.batch]
            self.asked += batch
            yield [(query, self.answer_singly(query)) for query in batch]

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        return tuple((self.log_prob or hashed)(query, at) for at in range(query.size))

    def _id(self, piece: str) -> int:
        if piece.strip() == "☃":
            return UNKNOWN
        if piece not in self.vocabulary:
            self.vocabulary.append(piece)
        return self.vocabulary.index(piece)


def hashed(query: Query, at: int) -> float:
    """A number that looks random and depends on all that the answer may depend on."""
    seen: object = query.masks[at] if query.masks else (query.label or query.ids)[: at + 2]
    content = f"{query.kind} {query.ids if query.kind is not QueryKind.CAUSAL else ''} {seen}"
    return -int.from_bytes(hashlib.sha256(content.encode()).digest()[:4], "big") / 2**29


def posed(notation: str, mode: Mode = Mode.BY_ANSWER) -> list[Problem]:
    """The problems of a schema."""
    return list(problems(parse_grid(notation), mode))


def some_problems(count: int) -> list[Problem]:
    """So many different problems, an even number."""
    return [
        problem
        for number in range(count // 2)
        for problem in posed(f"lamp {number} <shone, went out> when it was {{lit, broken}}")
    ]
