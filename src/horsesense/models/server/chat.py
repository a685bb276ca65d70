"""Chat models behind any server with the chat completions interface.

Servers differ in the settings they know. A setting that is refused is left out from then on, and
`dropped` says so. A reply may come from a model of another name if the server has an alias for it,
such as `ant-2026-01-01` for `ant`; but all replies must come from the same one.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from threading import Lock
from typing import Any

from horsesense.errors import ModelError, quoted
from horsesense.models.chat import ChatRequest, Replies, Reply, ReplyToken
from horsesense.models.loading import LoadOptions
from horsesense.models.protocol import ChatModel, Family, ModelInfo
from horsesense.models.server.answering_name import AnsweringName
from horsesense.models.server.client import Client, Refusal, Unusable, count_in
from horsesense.models.server.model import hash_facts, listed_model, server_of

# Servers give at most that many alternatives for a token.
_MOST_ALTERNATIVES = 20
# Log-probabilities from here on stand for minus infinity.
_LOWEST, _ABOVE_ZERO = -9999.0, 1e-6
# The probabilities of a token and its alternatives may add up to that much more than 1.
_ROUNDING = 1e-3
# A token after the text that is no part of it.
_SPECIAL = re.compile(r"<.*>|\[.*\]|", re.DOTALL)
_BAD_REQUEST = (400, 422)
# Settings of our own, in the order in which they are looked for in a refusal.
_OPTIONAL = ("top_logprobs", "logprobs", "temperature", "seed")
_NOT_SETTINGS = ("messages", "model", "stream", "n", "logprobs", "top_logprobs")
# How servers say that they do not answer a conversation because of what it is about.
_FILTERED = re.compile(
    "content[ _-]?filter|content[ _-]management|content[ _-]policy|ResponsibleAI", re.IGNORECASE
)
_TOO_LONG = re.compile("context[ _-](length|size|window)|for the context", re.IGNORECASE)
_NOTES = {
    "top_logprobs": "the server refuses logprobs, so replies have no log-probabilities",
    "logprobs": "the server refuses logprobs, so replies have no log-probabilities",
    "temperature": "the server refuses a temperature, so replies are not always the most likely",
    "seed": "the server refuses a seed",
    "max_tokens": "the server wants max_completion_tokens instead of max_tokens",
}


class ServedChat(ChatModel):
    """A chat model behind a server."""

    kind = "chat"

    def __init__(self, model: str, url: str, options: LoadOptions) -> None:
        self.name = f"{self.kind}:{model}"
        options.refuse_revision(self.name)
        self.model = model
        self.client = Client(url, options.server)
        self._lock = Lock()
        self._refused: set[str] = set()
        self._has_replied = False
        # The prompt tokens that the server counts for each that we estimate.
        self._ratio = 1.0
        try:
            self.info = self._describe()
            self._answering = AnsweringName(options.cache, self.info.fingerprint, options.progress)
        except BaseException:
            self.client.close()
            raise

    @property
    def is_served(self) -> bool:
        """True, as it runs behind a server."""
        return True

    @property
    def dropped(self) -> tuple[str, ...]:
        """The settings that the server refuses, and the name of the model that replies."""
        notes = dict.fromkeys(note for name, note in _NOTES.items() if name in self._refused)
        name = self._answering.name
        if name not in (None, self.model):
            notes[f"the server answers as {name}"] = None
        return tuple(notes)

    def ask(self, requests: Sequence[ChatRequest]) -> Iterator[Replies]:
        """Reply to all requests, and yield the replies that are there."""
        for request in requests:
            _check_settings(request)
        waiting = list(requests)
        while waiting and not self._has_replied:
            # From the first reply, we learn which settings the server accepts, and how it counts.
            first = waiting.pop(0)
            yield [(first, self.reply(first))]
        with closing(self.client.batches(waiting, self.reply)) as batches:
            yield from batches

    def reply(self, request: ChatRequest) -> Reply:
        """Reply to one request."""
        estimate = self.count_prompt_tokens([request])
        while True:
            refused = frozenset(self._refused)
            body = self._body(request, refused)
            try:
                answer = self.client.post(
                    "/v1/chat/completions",
                    body,
                    prompt_tokens=math.ceil(estimate * self._ratio),
                    reply_tokens=request.max_tokens,
                )
            except Refusal as error:
                if error.status not in _BAD_REQUEST:
                    raise
                said = f"{error.code} {error.reason}"
                if _FILTERED.search(said):
                    return Reply("", "content_filter")
                if not self._leave_out(error.reason, body):
                    raise (_too_long(error, request) if _TOO_LONG.search(said) else error) from None
            else:
                self._check_name(answer)
                reply = self._read(answer)
                self._compare_estimate(estimate, reply.prompt_tokens)
                self._has_replied = True
                return reply

    def release(self) -> None:
        """Close the connections to the server."""
        self.client.close()

    def _describe(self) -> ModelInfo:
        entry = listed_model(self.client, self.model)
        longest = entry.get("max_model_len")
        return ModelInfo(
            name=self.name,
            family=Family.CHAT,
            architecture="",
            config=hash_facts(entry),
            context=longest if isinstance(longest, int) else None,
            server=server_of(self.client, entry) or self.kind,
        )

    def _body(self, request: ChatRequest, refused: frozenset[str]) -> dict[str, Any]:
        """Return the request as the interface spells it, without settings that are refused.

        Settings of the user replace ours; null leaves one out.
        """
        limit = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": message.role, "content": message.content} for message in request.messages
            ],
            limit: request.max_tokens,
            "temperature": 0,
            "seed": 0,
        }
        if request.top and refused.isdisjoint(("logprobs", "top_logprobs")):
            body |= {"logprobs": True, "top_logprobs": min(request.top, _MOST_ALTERNATIVES)}
        settings = json.loads(request.settings)
        ours = {name: value for name, value in body.items() if name not in refused}
        return {name: value for name, value in (ours | settings).items() if value is not None}

    def _leave_out(self, reason: str, body: dict[str, Any]) -> bool:
        """Leave out the setting that a refusal names; return False if it names none of ours."""
        if "max_completion_tokens" in reason and "max_tokens" in body:
            name = "max_tokens"
        else:
            named = (each for each in _OPTIONAL if each in body and _names(each, reason))
            name = next(named, "")
        if not name:
            return False
        with self._lock:
            self._refused.add(name)
        return True

    def _compare_estimate(self, estimate: int, counted: int | None) -> None:
        """Estimate later conversations by the longest count of this server."""
        if not counted or not estimate:
            return
        with self._lock:
            ratio = counted / estimate
            self._ratio = max(self._ratio, ratio) if self._has_replied else ratio

    def _check_name(self, answer: Any) -> None:
        """Raise an error if a reply comes from another model than the replies before."""
        name = answer.get("model") if isinstance(answer, dict) else None
        if not isinstance(name, str):
            return
        name = self.client.plain(name)
        first = self._answering.first(name)
        if name != first:
            raise self.client.unusable(
                f"the reply of another model than before, {quoted(name)} instead of {first!r}",
                f"write chat:{name}@ to ask this one, so that no replies of the two are mixed",
            )

    def _read(self, answer: Any) -> Reply:
        """Return the reply in an answer."""
        choice = self.client.part(answer, "choices", 0)
        message = self.client.part(choice, "message")
        if not isinstance(message, dict):
            raise self.client.unusable("a message that is not a JSON object")
        text, finish = _text(message.get("content")), choice.get("finish_reason")
        thoughts = message.get("reasoning_content") or message.get("reasoning")
        refusal = message.get("refusal")
        if refusal and isinstance(refusal, str):
            text, finish = _encodable(refusal), "refusal"
        usage = answer.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        return Reply(
            text,
            self.client.plain(finish) if isinstance(finish, str) else "",
            _of_text(self._tokens(choice.get("logprobs")), text),
            count_in(usage, "prompt_tokens"),
            count_in(usage, "completion_tokens"),
            _encodable(thoughts) if isinstance(thoughts, str) else "",
        )

    def _tokens(self, log_probs: Any) -> list[tuple[ReplyToken, bytes]]:
        """Return the tokens with their bytes, as far as the server lists them."""
        entries = log_probs.get("content") if isinstance(log_probs, dict) else None
        tokens = []
        for entry in entries if isinstance(entries, list) else ():
            text, value = self._pair(entry)
            others = entry.get("top_logprobs")
            pairs = map(self._pair, others if isinstance(others, list) else ())
            likely = tuple([pair for pair in pairs if pair[1] > _LOWEST])
            total = sum(math.exp(log_prob) for _, log_prob in likely)
            if total > 1 + _ROUNDING:
                raise self._no_log_probs(f"alternatives whose probabilities add up to {total:.4g}")
            tokens.append((ReplyToken(text, value, likely), _bytes_of(entry, text)))
        return tokens

    def _pair(self, entry: Any) -> tuple[str, float]:
        """Return the text and the log-probability of a token."""
        text, value = self.client.part(entry, "token"), self.client.part(entry, "logprob")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not isinstance(text, str) or not is_number or not value <= _ABOVE_ZERO:
            shown = quoted(json.dumps(value))
            raise self._no_log_probs(f"the log-probability {shown} of a token, which cannot be one")
        return _encodable(text), float(min(max(value, _LOWEST), 0.0))

    def _no_log_probs(self, what: str) -> Unusable:
        remedy = "no reply of it is stored; update the server, or choose another"
        return self.client.unusable(what, remedy)


def _check_settings(request: ChatRequest) -> None:
    """Raise an error for settings that would change what is asked, or how it is answered."""
    for name in json.loads(request.settings):
        if name in _NOT_SETTINGS:
            raise ModelError(
                f"{name!r} cannot be a setting of a chat model, as each request has its own; leave"
                " it out"
            )


def _too_long(error: Refusal, request: ChatRequest) -> Refusal:
    """Return the error for a conversation that the server has no room for."""
    asked = quoted(request.messages[-1].content if request.messages else "")
    return Refusal(
        f"{error.reason!r}, says the server of a conversation that ends with {asked}; choose a"
        " model or a server with a longer context, or leave out problems as long as this one",
        error.status,
        error.reason,
        error.code,
    )


def _names(setting: str, reason: str) -> bool:
    """Return whether the reason of a refusal names a setting.

    >>> _names("seed", "unknown field 'seed'"), _names("seed", "proceeding")
    (True, False)
    """
    return re.search(rf"\b{setting}\b", reason) is not None


def _text(content: Any) -> str:
    """Return the text of a message, which may come in parts.

    >>> _text("B."), _text([{"type": "text", "text": "B."}]), _text(None)
    ('B.', 'B.', '')
    """
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return _encodable("".join(text for text in texts if isinstance(text, str)))


def _of_text(tokens: Sequence[tuple[ReplyToken, bytes]], text: str) -> tuple[ReplyToken, ...]:
    """Return the tokens that spell the text, without thoughts before and special tokens after it.

    If they do not spell it, nothing is known of them, and there are none. Spaces around the text
    may be missing.

    >>> tokens = [ReplyToken(text, -0.5) for text in ("Hm", "B", "B", ".", "<end>")]
    >>> [token.text for token in _of_text([(each, each.text.encode()) for each in tokens], "B.")]
    ['B', '.']
    """
    wanted = text.encode().strip()
    for end in range(len(tokens) if wanted else 0, 0, -1):
        spelled = b""
        if not tokens[end - 1][1]:
            continue
        for start in range(end - 1, -1, -1):
            spelled = tokens[start][1] + spelled
            if len(spelled.strip()) >= len(wanted):
                if spelled.strip() == wanted:
                    return tuple([token for token, _ in tokens[start:end]])
                break
        if not _SPECIAL.fullmatch(tokens[end - 1][0].text):
            break
    return ()


def _bytes_of(entry: dict[str, Any], text: str) -> bytes:
    """Return the bytes of a token, which may be a part of a character.

    >>> _bytes_of({"bytes": [195]}, "\ufffd"), _bytes_of({"bytes": None}, "B")
    (b'\xc3', b'B')
    """
    listed = entry.get("bytes")
    is_spelled = isinstance(listed, list) and all(
        type(value) is int and 0 <= value <= 255 for value in listed
    )
    return bytes(listed or ()) if is_spelled else text.encode()


def _encodable(text: str) -> str:
    """Return the text without halves of characters, which cannot be stored.

    >>> _encodable("B\\ud800.")
    'B?.'
    """
    return text.encode("utf-8", "replace").decode()
