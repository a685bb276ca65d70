"""Models behind any server with the completions interface that can echo a prompt.

Token ids are sent where the tokenizer is known: the one on this machine, or the server's. Otherwise
texts are sent, and the server's answer is at once the tokenization of a text and the answer to the
query for it. Tokens then have no ids; they get numbers that are made from their spelling.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from horsesense.errors import UnreadableError, quoted
from horsesense.models.loading import LoadOptions
from horsesense.models.protocol import ModelInfo
from horsesense.models.query import Query, causal_query
from horsesense.models.server.client import Refusal, Unusable
from horsesense.models.server.echoes import Echoes
from horsesense.models.server.model import CANARIES, NO_USE, ServedModel, are_all, server_of
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
        self._echoes: Echoes | None = None
        self._compared: set[tuple[int, str]] = set()
        self._is_settled = False
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
            tokenization = self._echoed(CANARIES[0])
        except UnreadableError as error:
            raise self.client.unusable(str(error), _NAME_TOKENIZER) from None
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
        except (Refusal, Unusable):
            return None

    @property
    def tokenizes_by_request(self) -> bool:
        """Whether the server returns tokens only with their log-probabilities."""
        return self._by_text

    def count_requests(self, queries: Sequence[Query]) -> int:
        """Count the requests for these queries; an echoed text needs no other one."""
        return sum(query.ids not in self._answers for query in queries)

    def release(self) -> None:
        """Close the connections to the server, and the file of echoes."""
        super().release()
        if self._echoes is not None:
            self._echoes.close()

    def _remote_specials(self) -> dict[str, Any]:
        """Return the special tokens if the server tokenizes; else texts will be sent."""
        try:
            return self.remote_specials()
        except (Refusal, Unusable):
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
        if ids not in self._answers:
            # A phrase by itself is known by its tokens only.
            pieces = map(self.token_text, ids[len(self.info.before) :])
            text = "".join(pieces).translate(_SPACES)
            if self._echoed(text).ids[: len(ids)] != ids:
                raise self.client.unusable(
                    f"other tokens for {quoted(text)} alone than in a sentence", _NAME_TOKENIZER
                )
        return self._answers[ids]

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

    def _echoed(self, text: str) -> Tokenization:
        """Return the tokens of a text, and remember their log-probabilities."""
        if text in self._tokenizations:
            return self._tokenizations[text]
        kept = self._echoes.get(text) if self._echoes else None
        if kept is None:
            pieces, values = self._echo_in(self._complete(text, len(text)))
            tokenization = self._read_echo(text, pieces, values)
            if self._echoes:
                self._echoes.put(text, (pieces, values))
        else:
            tokenization = self._read_echo(text, *kept)
        self._tokenizations[text] = tokenization
        return tokenization

    def _read_echo(self, text: str, pieces: list[str], values: list[Any]) -> Tokenization:
        """Return the tokens of a text if its echo can be true, and remember the answer."""
        ids = tuple(map(number_of, pieces))
        tokenization = align_pieces(text, ids, pieces)
        if tokenization is None:
            raise UnreadableError(
                f"the tokens of {self.name} do not spell {quoted(text)}, but"
                f" {quoted(''.join(pieces))}; {_NAME_TOKENIZER}"
            )
        self.pieces.update(zip(ids, pieces, strict=True))
        real = tokenization.real
        query = causal_query(ids[: real[-1] + 1] if real else ())
        answer = tuple(values[1 : len(query.ids)])
        self.check_answer(query, answer)
        self._answers[query.ids] = tuple(map(float, answer))
        return tokenization

    def _echo_in(
        self, choice: dict[str, Any], size: int | None = None
    ) -> tuple[list[str], list[Any]]:
        """Return the pieces of a prompt and their log-probabilities, the first of which is null."""
        log_probs = choice.get("logprobs")
        if not isinstance(log_probs, dict) or "token_logprobs" not in log_probs:
            raise self.client.unusable("no log-probabilities of the prompt", _NO_ECHO)
        pieces: Any = log_probs.get("tokens")
        values: Any = log_probs["token_logprobs"]
        if not (are_all(str, pieces) and isinstance(values, list) and len(values) == len(pieces)):
            raise self.client.unusable("log-probabilities without a token for each", NO_USE)
        if len(values) <= 1 and size != 1:
            raise self.client.unusable(f"{len(values)} value for the whole prompt", _NO_ECHO)
        end = len(values) - self._generated
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
