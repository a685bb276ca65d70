"""A causal language model that can be worked out in the head: its tokens are words.

A word costs 1 after a word that it has followed in one of the texts that the model knows, and 5
after any other.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from horsesense.evaluation.inference.doctor import CANARIES
from horsesense.models import Answers, Family, LanguageModel, ModelInfo, Query, Token, Tokenization
from horsesense.schema import problems
from horsesense.schema.notation import parse_grid

KNOWN, STRANGE = -1.0, -5.0
# Every word, every mark, and every stray character is a token.
TOKEN = r"'s|\w+|[^\w\s]"
PLAIN_CANARIES = tuple(problems(parse_grid(one))[0].sentences[0].text for one in CANARIES)


class WordModel(LanguageModel):
    """A model that knows some texts, by default the plain canaries."""

    def __init__(self, texts: Sequence[str] = PLAIN_CANARIES, *, bos: bool = False) -> None:
        self.pattern = TOKEN
        self.words = ["<s>"]
        self.before = (0,) if bos else ()
        self.info = ModelInfo(
            name="words",
            family=Family.CAUSAL,
            architecture="WordModel",
            weights="",
            tokenizer="",
            revision="",
            dtype="float32",
            device="cpu",
            parameters=1_000_000,
            vocabulary=100_000,
            context=512,
            before=self.before,
            after=(),
        )
        self.known: set[tuple[int, int]] = set()
        for text in texts:
            self.known |= set(pairwise(self.tokenize(text, specials=False).ids))

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        tokens = [
            Token(self._id(found[0]), *found.span(), word)
            for word, found in enumerate(re.finditer(self.pattern, text))
        ]
        around = [Token(token, 0, 0, None) for token in self.before] if specials else []
        return Tokenization(text, (*around, *tokens))

    def _id(self, word: str) -> int:
        if word not in self.words:
            self.words.append(word)
        return self.words.index(word)

    def token_text(self, token: int) -> str:
        return self.words[token]

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        yield [(query, self.answer_singly(query)) for query in queries]

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        return tuple(KNOWN if pair in self.known else STRANGE for pair in pairwise(query.ids))
