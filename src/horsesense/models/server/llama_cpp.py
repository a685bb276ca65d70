"""Models behind llama.cpp's own server, which gives log-probabilities token by token.

The server has no log-probabilities of a prompt. But it generates any token that a large bias forces
on it, and reports the log-probability that the token had without the bias. So each token of a text
takes a request, with the tokens before it as the prompt. Where texts begin alike, tokens are asked
for once, and in an order in which the server has nearly all of the prompt in its cache.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import PureWindowsPath
from queue import Empty, LifoQueue, SimpleQueue
from typing import Any, TypeGuard, TypeVar

from horsesense.errors import BudgetError, ServerError, UnreadableError, quoted
from horsesense.models.protocol import Answers, ModelInfo
from horsesense.models.query import Query
from horsesense.models.server.client import Refusal
from horsesense.models.server.model import CANARIES, ServedModel
from horsesense.models.server.token_paths import Assembly, Ids, TokenPath, group_paths, plan_paths
from horsesense.models.tokens import Token, Tokenization

Item = TypeVar("Item")

# Added to the logit of the token to force; logits are below a hundred.
_BIAS = 10_000
# The tokens whose log-probabilities the canary compares, and how far they may be apart: the server
# adds up in another order if it has the prompt in its cache.
_COMPARED, _TOLERANCE = 50, 0.01
_CANARY_TOKENS = 8
# The tokens to list first if one cannot be forced; the list of all tokens takes much longer.
_LIKELY = 1000
# The settings for each token: the likeliest, with log-probabilities of the model itself.
_GREEDILY = {
    "n_predict": 1,
    "temperature": 0,
    "cache_prompt": True,
    "post_sampling_probs": False,
    "stream": False,
    "response_fields": ["completion_probabilities", "tokens_evaluated", "model"],
}
_UNKNOWN_BUILD = "b0"
_OUTDATED = "update llama.cpp, or start its own server at this address"


class LlamaCpp(ServedModel):
    """A model behind llama.cpp's own server."""

    kind = "llama.cpp"

    def describe(self) -> ModelInfo:
        """Read the facts about the model, and which tokens the server adds around a text."""
        properties = self._properties()
        meta = self._entry(properties).get("meta")
        meta = meta if _is_object(meta) else {}
        slots = _count(properties.get("total_slots")) or 1
        self._slot_count = min(slots, self.options.server.concurrency)
        self._slots: LifoQueue[int] = LifoQueue()
        for slot in range(self._slot_count):
            self._slots.put(slot)
        self._reported_name: object = None
        # The tokens that end within a character.
        self._cut_tokens: set[int] = set()
        special = self.remote_specials()
        self._around = len(special["before"]), len(special["after"])
        settings = properties["default_generation_settings"]
        facts = {key: meta.get(key) for key in ("n_params", "n_vocab", "n_embd", "size", "ftype")}
        return self.make_info(
            facts={**facts, "file": _file_name(properties)},
            version=_version(properties.get("build_info")),
            context=_count(settings.get("n_ctx")) if _is_object(settings) else None,
            parameters=_count(meta.get("n_params")) or 0,
            vocabulary=_count(meta.get("n_vocab")) or 0,
            eos=self._special_token(properties.get("eos_token")),
            **special,
        )

    def check(self) -> None:
        """Compare a forced token's log-probability with that in a list of the likeliest tokens."""
        self.check_tokenizer()
        prompt = self.tokenize(CANARIES[0]).ids[:_CANARY_TOKENS]
        answer = self._complete({"prompt": prompt, "n_probs": _COMPARED}, len(prompt))
        listed = self.client.part(answer, "completion_probabilities", 0, "top_logprobs")
        try:
            # The least likely one, as the likeliest would be generated without being forced.
            expected, self._whole_token = min(
                (entry["logprob"], entry["id"])
                for entry in listed
                if entry["token"].isascii() and entry["token"].strip()
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            raise self.client.unusable("no list of the likeliest tokens", _OUTDATED) from None
        value = self._force(prompt, self._whole_token)
        if abs(value - expected) > _TOLERANCE:
            raise self.client.unusable(
                f"{value:.6g} as the log-probability of a token that a bias forces, which is"
                f" {expected:.6g} without it",
                _OUTDATED,
            )

    def count_requests(self, queries: Sequence[Query]) -> int:
        """Count the tokens to ask for, each of which takes a request."""
        paths = plan_paths(query.ids for query in queries)
        return sum(len(path.own_positions(number)) for number, path in enumerate(paths))

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries that are not `answered`, each as soon as its last token is known."""
        missing = {query.ids: query for query in queries if query not in answered}
        for query in missing.values():
            self.check_query(query)
        paths = plan_paths(missing)
        assembly = Assembly(paths)
        asked: SimpleQueue[tuple[int, Mapping[int, float]]] = SimpleQueue()

        def ask_group(group: range) -> None:
            slot = self._slots.get()
            try:
                for number in group:
                    is_first = number == group.start
                    asked.put((number, self._ask(paths[number], number, slot, is_first)))
            finally:
                self._slots.put(slot)

        def complete() -> Answers:
            answers = []
            for number, values in _drain(asked):
                for known in assembly.add(number, values):
                    query, log_probs = missing[paths[known].ids], assembly.log_probs(known)
                    self.check_answer(query, log_probs)
                    answers.append((query, log_probs))
            return answers

        if empty := [(missing[path.ids], ()) for path in paths if not path.owners]:
            yield [*empty]
        groups = group_paths(paths, self._slot_count)
        with closing(self.client.batches(groups, ask_group)) as batches:
            try:
                for _ in batches:
                    if answers := complete():
                        yield answers
            except (ServerError, BudgetError):  # not to lose what was asked for before
                if answers := complete():
                    yield answers
                raise

    def _log_probs(self, query: Query) -> Sequence[float]:
        return [value for batch in self.answer([query]) for _, values in batch for value in values]

    def _ask(self, path: TokenPath, number: int, slot: int, is_first: bool) -> Mapping[int, float]:
        """Ask for a path's own tokens, and return their log-probabilities by position."""
        positions = path.own_positions(number)
        return {
            at: self._force(
                path.ids[:at],
                path.ids[at],
                slot=slot,
                new=at if is_first and at == positions.start else 1,
            )
            for at in positions
        }

    def _force(self, prompt: Ids, token: int, *, slot: int = -1, new: int | None = None) -> float:
        """Return the log-probability of a token after a prompt, of which some tokens are new."""
        if token in self._cut_tokens:
            return self._look_up(prompt, token, slot)
        bias = [[token, _BIAS]]
        request = {"prompt": prompt, "n_probs": 1, "logit_bias": bias, "id_slot": slot}
        answer = self._complete(request, len(prompt) if new is None else new)
        evaluated = answer.get("tokens_evaluated")
        if evaluated is not None and evaluated != len(prompt):
            raise self.client.unusable(
                f"an answer for {evaluated!r} tokens to a prompt of {len(prompt)}", _OUTDATED
            )
        if not answer.get("completion_probabilities"):
            # It waits for the rest of a character before it reports the token.
            self._cut_tokens.add(token)
            return self._look_up(prompt, token, slot)
        entry = self.client.part(answer, "completion_probabilities", 0)
        generated = self.client.part(entry, "id")
        if generated != token:
            raise self.client.unusable(
                f"token {generated!r} although token {token} is forced",
                "it may ignore `logit_bias`, or have another vocabulary: check the tokenizer",
            )
        return self._log_prob(entry)

    def _look_up(self, prompt: Ids, token: int, slot: int) -> float:
        """Return a token's log-probability from the list of all tokens, which takes longer."""
        bias = [[self._whole_token, _BIAS]]
        for listed in (_LIKELY, self.info.vocabulary):
            request = {"prompt": prompt, "n_probs": listed, "logit_bias": bias, "id_slot": slot}
            answer = self._complete(request, 1)
            entries = self.client.part(answer, "completion_probabilities", 0, "top_logprobs")
            for entry in entries:
                if self.client.part(entry, "id") == token:
                    return self._log_prob(entry)
        raise self.client.unusable(f"no log-probability for token {token}", _OUTDATED)

    def _log_prob(self, entry: Mapping[str, Any]) -> float:
        if "logprob" not in entry:
            raise self.client.unusable("no log-probability with a token", _OUTDATED)
        value = entry["logprob"]
        return float(value) if isinstance(value, int | float) else math.nan

    def _complete(self, request: Mapping[str, Any], new: int) -> Any:
        """Generate one token."""
        body = {"model": self.model, **_GREEDILY, **request}
        try:
            answer = self.client.post("/completion", body, prompt_tokens=new, reply_tokens=1)
        except Refusal as refusal:
            raise self._explained(refusal) from None
        if not _is_object(answer):
            raise self.client.unusable("no completion", _OUTDATED)
        name = answer.get("model")
        self._reported_name = self._reported_name or name
        if name != self._reported_name:
            raise ServerError(
                f"{self.client.url} now serves {name!r} instead of {self._reported_name!r}; start"
                " it again with the same model"
            )
        return answer

    def _explained(self, refusal: Refusal) -> ServerError:
        """Return a better explanation of a refused completion."""
        if refusal.status in (404, 405, 501):
            return ServerError(
                f"{self.client.url} does not complete text: {refusal.reason!r}; start llama.cpp's"
                " own server with a language model, without --embedding and --reranking"
            )
        if refusal.status == 400 and "context" in refusal.reason:
            return ServerError(
                f"{self.client.url} has no room for a text: {refusal.reason!r}; start the server"
                " with a longer context (--ctx-size, which all slots share), or fewer slots"
            )
        return refusal

    def _properties(self) -> Mapping[str, Any]:
        try:
            properties = self.client.get("/props")
        except Refusal as refusal:
            if refusal.status != 404:
                raise
            properties = None
        if not _is_object(properties) or "default_generation_settings" not in properties:
            raise ServerError(
                f"{self.client.url} is not llama.cpp's own server, as it has no /props; start that"
                " at this address, or choose another kind of server before the colon"
            )
        return properties

    def _entry(self, properties: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the server says about the model, or raise an error if it has another."""
        file = _file_name(properties)
        entries = self.client.part(self.client.get("/v1/models"), "data")
        for entry in filter(_is_object, entries if isinstance(entries, list) else ()):
            aliases = entry.get("aliases")
            names = [entry.get("id"), *(aliases if isinstance(aliases, list) else ())]
            if self.model in names or self.model in (file, PureWindowsPath(file).stem):
                return dict(entry)
        names = [_base_name(name) for name in self.client.model_names()]
        raise ServerError(
            f"{self.client.url} serves {' and '.join(names) or 'no model'}, not {self.model}; write"
            " its name before @"
        )

    def server_ids(self, text: str) -> tuple[int, ...]:
        """Return the tokens of a text as the server counts them."""
        return tuple(self.remote_tokens(text, specials=True)[0])

    def remote_tokens(self, text: str, *, specials: bool) -> tuple[list[int], list[str]]:
        """Return the tokens of a text, and how they are written."""
        pieces = self._read(text, specials=specials)
        return [token for token, _ in pieces], [_written(piece) for _, piece in pieces]

    def _tokenize(self, text: str, *, specials: bool) -> Tokenization:
        pieces = self._read(text, specials=specials)
        before, after = self._around if specials else (0, 0)
        try:
            return place_pieces(text, pieces, before, after)
        except ValueError as error:
            raise UnreadableError(
                f"the tokenizer of {self.name} changes {quoted(text)}: {error}; write it"
                " differently"
            ) from None

    def _read(
        self, text: str, *, specials: bool = False, is_special: bool = False
    ) -> list[tuple[int, bytes]]:
        """Return the tokens of a text and their bytes; `is_special` reads special tokens in it."""
        try:
            text.encode()
        except UnicodeEncodeError:
            raise UnreadableError(
                f"{quoted(text)} contains half of a surrogate pair, which is no character; leave"
                " it out"
            ) from None
        body = {"add_special": specials, "parse_special": is_special, "with_pieces": True}
        answer = self.client.post("/tokenize", {"content": text, **body})
        tokens = self.client.part(answer, "tokens")
        try:
            pieces = [(int(token["id"]), _bytes_of(token["piece"])) for token in tokens]
        except (KeyError, TypeError, ValueError):
            raise self.client.unusable("tokens without their text", _OUTDATED) from None
        self.pieces.update((token, _written(piece)) for token, piece in pieces)
        return pieces

    def _special_token(self, text: object) -> int | None:
        """Return the special token that is written like that."""
        if not isinstance(text, str) or not text:
            return None
        pieces = self._read(text, is_special=True)
        return pieces[0][0] if len(pieces) == 1 else None

    def _token_text(self, token: int) -> str:
        if token not in self.pieces:
            answer = self.client.post("/detokenize", {"tokens": [token]})
            self.pieces[token] = str(self.client.part(answer, "content"))
        return self.pieces[token]


def place_pieces(
    text: str, pieces: Sequence[tuple[int, bytes]], before: int = 0, after: int = 0
) -> Tokenization:
    """Return the tokenization of a text from its tokens and their bytes.

    The first and the last tokens are special: as many as given. Tokens that are parts of one
    character have its offsets. Each token is a word, as the server does not tell them. A
    ValueError says if the tokens do not spell the text.

    >>> place_pieces("a é", [(7, b"a"), (8, bytes([32, 195])), (9, bytes([169]))]).tokens[1:]
    (Token(id=8, start=2, end=3, word=1), Token(id=9, start=2, end=3, word=2))
    """
    end = len(pieces) - after
    content, spelled = text.encode(), b"".join([piece for _, piece in pieces[before:end]])
    # Some tokenizers put a space before each text.
    shift = 1 if spelled == b" " + content else 0
    if spelled[shift:] != content:
        raise ValueError(f"its tokens spell {quoted(spelled.decode(errors='replace'))}")
    # The character of each byte.
    characters = [at for at, character in enumerate(text) for _ in character.encode()]
    tokens, reached = [], -shift
    for at, (token, piece) in enumerate(pieces):
        if not before <= at < end:
            tokens.append(Token(token, 0, 0, None))
            continue
        first, reached = max(reached, 0), reached + len(piece)
        start = characters[first] if first < len(content) else len(text)
        stop = characters[reached - 1] + 1 if reached > first else start
        tokens.append(Token(token, stop - len(text[start:stop].lstrip()), stop, at))
    return Tokenization(text, tokens)


def _drain(queue: SimpleQueue[Item]) -> Iterator[Item]:
    """Yield what is in a queue, without waiting for more."""
    try:
        while True:
            yield queue.get_nowait()
    except Empty:
        return


def _bytes_of(piece: str | list[int]) -> bytes:
    """Return the bytes of a piece, which the server lists if they are part of a character."""
    return piece.encode() if isinstance(piece, str) else bytes(piece)


def _written(piece: bytes) -> str:
    """Return a piece as text, or byte by byte if it is part of a character."""
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return "".join(f"<0x{byte:02X}>" for byte in piece)


def _is_object(answer: object) -> TypeGuard[dict[str, Any]]:
    """Return whether an answer is an object of JSON."""
    return isinstance(answer, dict)


def _count(value: object) -> int | None:
    """Return a number above zero, or None if it is none."""
    return value if isinstance(value, int) and value > 0 else None


def _file_name(properties: Mapping[str, Any]) -> str:
    return _base_name(str(properties.get("model_path", "")))


def _base_name(path: str) -> str:
    """Return the name of a file, whether the server runs on Windows or not."""
    return PureWindowsPath(path).name


def _version(build: object) -> str:
    """Return the number of llama.cpp's build.

    >>> _version("b6512-0a1b2c3d"), _version("b0-unknown")
    ('b6512', '')
    """
    number = build.partition("-")[0] if isinstance(build, str) else ""
    return "" if number == _UNKNOWN_BUILD else number
