"""Models behind any server with the completions interface that can echo a prompt.

Token ids are sent where the tokenizer is known: the one on this machine, or the server's. Otherwise
texts are sent, and the server's answer is at once the tokenization of a text and the answer to the
query for it. Tokens then have no ids; they get numbers that are made from their spelling.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from horsesense.errors import ModelError, UnreadableError, quoted
from horsesense.models.loading import LoadOptions
from horsesense.models.protocol import ModelInfo
from horsesense.models.query import Query, causal_query
from horsesense.models.server.client import Refusal, Unusable
from horsesense.models.server.echoes import Echoes
from horsesense.models.server.model import (
    CANARIES,
    NO_USE,
    ServedModel,
    are_all,
    fault_of,
    server_of,
)
from horsesense.models.server.pieces import align_pieces, is_same_piece
from horsesense.models.tokens import Tokenization

_NO_ECHO = (
    "it ignores `echo`, so it gives no log-probabilities of a prompt and no answer of it is stored;"
    " for llama.cpp's own server, write llama.cpp: before the name; else choose another server, or"
    " ask the model as chat:"
)
# How vocabularies spell a space.
_SPACES = str.maketrans("Ġ▁", "  ")
_NAME_TOKENIZER = "name the tokenizer of the model with --tokenizer"
# How far a server's numbers may be apart from those that it returned before.
_TOLERANCE = 1e-3
# Settings for ids that not all servers know; each is left out if it is refused.
_EXTRAS: dict[str, Any] = {"return_token_ids": True, "add_special_tokens": False}
_BAD_REQUEST = (400, 422)


class OpenAI(ServedModel):
    """A causal language model behind a server with the completions interface."""

    kind = "openai"

    def __init__(self, model: str, url: str, options: LoadOptions) -> None:
        # The settings to send besides the usual ones, and how many tokens to generate.
        self._extras, self._generated = dict(_EXTRAS), 0
        self._by_text = False
        # What is known of texts: their tokenization, and the answers by the tokens.
        self._tokenizations: dict[str, Tokenization] = {}
        self._answers: dict[tuple[int, ...], tuple[float, ...]] = {}
        self._texts: dict[tuple[int, ...], str] = {}
        self._echoes: Echoes | None = None
        self._compared: set[tuple[int, str]] = set()
        self._is_settled = self._has_recalled = False
        super().__init__(model, url, options)
        self._is_settled = True
        if self.info.context is not None:
            self.info = replace(self.info, context=self.info.context - self._generated)

    def describe(self) -> ModelInfo:
        """Ask for the version of the server, and try whether it tokenizes."""
        entry = self.listed()
        longest = entry.get("max_model_len")
        known: dict[str, Any] = {} if self.local else self._remote_specials()
        info = self.make_info(
            facts=entry,
            server=server_of(self.client, entry),
            context=longest if isinstance(longest, int) else None,
            **known,
        )
        if self._by_text:
            self._echoes = Echoes(self.options.cache, info.fingerprint, self.options.progress)
        return info

    def check(self) -> None:
        """Find out which settings the server accepts, and send the canaries."""
        if not self._by_text:
            super().check()
            return
        try:
            self._check_kept()
        except UnreadableError as error:
            raise self.client.unusable(str(error), _NAME_TOKENIZER) from None
        tokenization = self._tokenizations[CANARIES[0]]
        begin, end = tokenization.in_order
        self.info = replace(
            self.info, before=tokenization.ids[:begin], after=tokenization.ids[end:]
        )

    def server_ids(self, text: str) -> tuple[int, ...] | None:
        """Return the tokens of a text as the server's tokenizer counts them, if it has one.

        Without it, the tokens are compared by the text that they stand for in each answer.
        """
        try:
            return tuple(self.remote_tokens(text, specials=True)[0])
        except Unusable:
            return None
        except Refusal as error:
            if not error.is_absent:
                raise
            return None

    @property
    def tokenizes_by_request(self) -> bool:
        """Whether the server returns tokens only with their log-probabilities."""
        return self._by_text

    def count_requests(self, queries: Sequence[Query]) -> int:
        """Count the requests for these queries; an echoed text needs no other one."""
        return sum(query.ids not in self._answers for query in queries)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Ask for the answer to one query, even if it is known."""
        self._answers.pop(query.ids, None)
        answer = super().answer_singly(query)
        self.forget([query])
        return answer

    def forget(self, queries: Iterable[Query]) -> None:
        """Forget the answers to queries, as the caller has them."""
        texts = []
        for query in queries:
            if self._answers.pop(query.ids, None) is not None:
                texts.append(self._texts[query.ids])
        if self._echoes is not None and texts:
            self._echoes.forget(texts)

    def release(self) -> None:
        """Close the connections to the server, and the file of echoes."""
        super().release()
        if self._echoes is not None:
            self._echoes.close()

    def _remote_specials(self) -> dict[str, Any]:
        """Return the special tokens if the server tokenizes; else texts will be sent."""
        try:
            return self.remote_specials()
        except (Refusal, Unusable) as error:
            if isinstance(error, Refusal) and not error.is_absent:
                raise
            self._by_text = True
            self._extras = {}
            return {}

    def _tokenize(self, text: str, *, specials: bool) -> Tokenization:
        if not self._by_text:
            return super()._tokenize(text, specials=specials)
        tokenization = self._echoed(text)
        if specials:
            return tokenization
        return Tokenization(text, [tokenization.tokens[at] for at in tokenization.real])

    def _log_probs(self, query: Query) -> Sequence[float]:
        ids = query.ids
        if not self._by_text:
            return self._answer_to_ids(ids)
        answer = self._answers.get(ids)
        if answer is None:
            text = self._text_of(ids)
            pieces, values = self._ask(text)
            if tuple(map(number_of, pieces))[: len(ids)] != ids:
                raise self.client.unusable(
                    f"other tokens for {quoted(text)} than before", _NAME_TOKENIZER
                )
            answer = tuple(values[1 : len(ids)])
        return answer

    def _answer_to_ids(self, ids: tuple[int, ...]) -> Sequence[float]:
        choice = self._complete(list(ids), len(ids))
        pieces, values = self._echo_in(choice, len(ids))
        returned = choice.get("prompt_token_ids")
        if returned is not None and returned != list(ids):
            raise self.client.unusable(
                f"the log-probabilities of other tokens than were sent, {quoted(str(returned))}"
                f" instead of {quoted(str(list(ids)))}",
                NO_USE,
            )
        for pair in zip(ids, pieces, strict=True):
            if pair not in self._compared:
                self._compare(*pair)
                self._compared.add(pair)
        return values[1:]

    def _compare(self, token: int, piece: str) -> None:
        """Raise an error if a token is not what the server takes it for."""
        ours = self.token_text(token)
        if is_same_piece(ours, piece):
            return
        if self.local is None:
            raise self.client.unusable(
                f"another token than was sent, {piece!r} instead of {ours!r}", NO_USE
            )
        raise self.other_tokenizer(f"token {token}", ours, piece)

    def _check_kept(self) -> None:
        """Ask for the canary, and forget what is kept if the server now answers otherwise."""
        text, echoes = CANARIES[0], self._echoes
        kept = echoes.get(text) if echoes else None
        pieces, values = self._ask(text)
        if echoes is None or kept is None:
            return
        if kept[0] != pieces:
            echoes.clear()
            echoes.put(text, pieces, values)
        elif kept[1] is None or not _are_close(values[1:], kept[1][1:]):
            echoes.forget_all()
            echoes.put(text, pieces, values)

    def _echoed(self, text: str) -> Tokenization:
        """Return the tokens of a text, and remember their log-probabilities."""
        if text not in self._tokenizations:
            kept = self._echoes.get(text) if self._echoes else None
            if kept is None or self._remember(text, *kept) is None:
                self._ask(text)
        return self._tokenizations[text]

    def _ask(self, text: str) -> tuple[list[str], list[Any]]:
        """Send a text, and return its pieces and their log-probabilities, which are remembered."""
        pieces, values = self._echo_in(self._complete(text, len(text)))
        for end in _ends(text, pieces, self._generated):
            query = self._remember(text, pieces[:end])
            if query is None:
                continue
            pieces, values = pieces[:end], values[:end]
            answer = tuple(values[1 : len(query.ids)])
            self.check_answer(query, answer)
            self._answers[query.ids] = tuple(map(float, answer))
            if self._echoes:
                self._echoes.put(text, pieces, values)
            return pieces, values
        raise UnreadableError(
            f"the tokens of {self.name} do not spell {quoted(text)}, but"
            f" {quoted(''.join(pieces))}; {_NAME_TOKENIZER}"
        )

    def _remember(
        self, text: str, pieces: list[str], values: list[Any] | None = None
    ) -> Query | None:
        """Remember the tokens of a text; return the query for them if they spell the text."""
        ids = tuple(map(number_of, pieces))
        tokenization = align_pieces(text, ids, pieces)
        if tokenization is None:
            return None
        self.pieces.update(zip(ids, pieces, strict=True))
        real = tokenization.real
        query = causal_query(ids[: real[-1] + 1] if real else ())
        self._tokenizations[text], self._texts[query.ids] = tokenization, text
        answer = tuple((values or ())[1 : len(query.ids)])
        if values is not None and not fault_of(query, answer):
            self._answers[query.ids] = tuple(map(float, answer))
        return query

    def _text_of(self, ids: tuple[int, ...]) -> str:
        """Return the text with these tokens, or spell it, as for a phrase by itself."""
        if ids not in self._texts:
            self._recall()
        if ids in self._texts:
            return self._texts[ids]
        pieces = map(self.token_text, ids[len(self.info.before) :])
        return "".join(pieces).translate(_SPACES)

    def _token_text(self, token: int) -> str:
        if self._by_text and token not in self.pieces:
            self._recall()
            if token not in self.pieces:
                raise ModelError(
                    f"{self.name} has not returned token {token} here, and its server cannot be"
                    " asked for it; run the plan again with --fresh on this machine"
                )
        return super()._token_text(token)

    def _recall(self) -> None:
        """Remember the tokens of all texts that were ever sent."""
        if not self._has_recalled and self._echoes is not None:
            for text, pieces in self._echoes.pieces():
                if text not in self._tokenizations:
                    self._remember(text, pieces)
        self._has_recalled = True

    def _echo_in(
        self, choice: dict[str, Any], size: int | None = None
    ) -> tuple[list[str], list[Any]]:
        """Return the pieces of a prompt and their log-probabilities, the first of which is null.

        What was generated after a text is still there, as the number of its tokens is not known.
        """
        log_probs = choice.get("logprobs")
        if not isinstance(log_probs, dict) or "token_logprobs" not in log_probs:
            raise self.client.unusable("no log-probabilities of the prompt", _NO_ECHO)
        pieces: Any = log_probs.get("tokens")
        values: Any = log_probs["token_logprobs"]
        if not (are_all(str, pieces) and isinstance(values, list) and len(values) == len(pieces)):
            raise self.client.unusable("log-probabilities without a token for each", NO_USE)
        # A text may be a single token, which has no log-probability.
        if len(values) <= 1 and size != 1 and (size is not None or values != [None]):
            raise self.client.unusable(f"{len(values)} value for the whole prompt", _NO_ECHO)
        end = len(values)
        if size is not None:
            # A model that ends at once generates no token.
            if len(values) not in (size, size + self._generated):
                raise self.client.unusable(f"{len(values)} values for {size} tokens", NO_USE)
            end = size
        if values[0] is not None:
            raise self.client.unusable("log-probabilities that do not start with null", NO_USE)
        return pieces[:end], values[:end]

    def _complete(self, prompt: Any, size: int) -> dict[str, Any]:
        """Send a prompt, with the settings that the server accepts."""
        while True:
            body = {
                "model": self.model,
                "prompt": prompt,
                "max_tokens": self._generated,
                "temperature": 0,
                "echo": True,
                "logprobs": 1,
                **self._extras,
            }
            try:
                answer = self.client.post(
                    "/v1/completions", body, prompt_tokens=size, reply_tokens=self._generated
                )
            except Refusal as error:
                if self._is_settled or error.status not in _BAD_REQUEST:
                    raise
                if not self._leave_out(error.reason):
                    raise
            else:
                self.check_name(answer)
                choice = self.client.part(answer, "choices", 0)
                return choice if isinstance(choice, dict) else {}

    def _leave_out(self, reason: str) -> bool:
        """Leave out a setting that the server refuses; return False if there is none.

        The server may not name it. Then the unusual ones go first.
        """
        named = [name for name in self._extras if name in reason]
        if named or (self._extras and "max_tokens" not in reason):
            for name in named or tuple(self._extras):
                del self._extras[name]
            return True
        is_zero, self._generated = self._generated == 0, 1
        return is_zero


def number_of(piece: str) -> int:
    """Return a number for a token that is known by its spelling only, the same everywhere."""
    digest = hashlib.sha256(piece.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6], "big")


def _ends(text: str, pieces: Sequence[str], generated: int) -> Sequence[int]:
    """Return how many pieces may be those of the text, the most likely number first.

    A server that has to generate a token may do so, or end at once.

    >>> _ends("An owl", ["An", " owl", "."], 1), _ends("An owl", ["An", " owl"], 1)
    ([2, 3], [2, 1])
    """
    whole = len(pieces)
    ends = [whole - generated, whole] if 0 < generated < whole else [whole]
    return ends[::-1] if "".join(pieces) == text else ends


def _are_close(values: Sequence[Any], others: Sequence[Any]) -> bool:
    """Return whether log-probabilities are as good as the same."""
    return len(values) == len(others) and all(
        abs(value - other) <= _TOLERANCE for value, other in zip(values, others, strict=True)
    )
