"""Chat models on transformers: conversations rendered by the model's own template, and replies.

A chat model is a causal model with a template, which turns messages into one text with special
tokens. The reply to it is decoded greedily: each token is the most likely one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from horsesense.errors import ModelError, UnreadableError, quoted
from horsesense.models.chat import ChatRequest, Message, Replies, Reply, ReplyToken
from horsesense.models.huggingface.inspection import CONFIG, read_config
from horsesense.models.huggingface.libraries import (
    importing_libraries,
    model_errors,
    reason,
    transformers_quietly,
)
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.huggingface.tokenizer import backend
from horsesense.models.protocol import ChatModel, Family

if TYPE_CHECKING:
    from horsesense.models.huggingface.engines.replying import Generated, ReplyEngine

# The prefix of the names of chat models.
CHAT = "chat:"
_TEMPLATE, _TEMPLATES = "chat_template.jinja", "chat_template.json"
_TOKENIZER_CONFIG, _GENERATION_CONFIG = "tokenizer_config.json", "generation_config.json"
# Some templates state the date. It is always the same one, or replies would change by the day.
_FIXED_DATE = "{%- macro strftime_now(format) -%}26 Jul 2024{%- endmacro -%}"
# A reply to find what ends a turn, and the message before it.
_PROBE = (Message("user", "owl"), Message("assistant", "heron"))


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """The template of a model, and everything else in its folder that shapes conversations.

    `specials` are the special tokens that the template may use, such as `bos_token`, and `ends` the
    tokens that the files list as the end of a text.
    """

    text: str
    specials: tuple[tuple[str, str], ...]
    ends: tuple[int, ...]

    @property
    def hash(self) -> str:
        """The hash of all of it."""
        content = json.dumps([_FIXED_DATE, self.text, self.specials, self.ends])
        return hashlib.sha256(content.encode()).hexdigest()


def read_template(folder: Path, name: str) -> ChatTemplate:
    """Read the chat template in a model folder; raise an error if there is none."""
    settings = _read_json(folder / _TOKENIZER_CONFIG)
    text = _template_text(folder, settings)
    if text is None:
        raise ModelError(
            f"{name} has no chat template, so it cannot be asked questions: choose a model that was"
            f" trained on instructions, put its {_TEMPLATE} into the folder, or evaluate it as a"
            f" language model: {name.removeprefix(CHAT)}"
        )
    specials = {key: _token_text(value) for key, value in settings.items() if key.endswith("token")}
    eos = [
        _read_json(folder / _GENERATION_CONFIG).get("eos_token_id"),
        read_config(folder).get("eos_token_id") if (folder / CONFIG).is_file() else None,
    ]
    listed = [each for value in eos for each in (value if isinstance(value, list) else [value])]
    return ChatTemplate(
        text,
        tuple(sorted((key, token) for key, token in specials.items() if token is not None)),
        tuple(sorted({token for token in listed if isinstance(token, int)})),
    )


def has_template(folder: Path) -> bool:
    """Return whether a model folder has a chat template."""
    return _template_text(folder, _read_json(folder / _TOKENIZER_CONFIG)) is not None


def _template_text(folder: Path, settings: dict[str, Any]) -> str | None:
    """Return the template, from where transformers would read it."""
    if (folder / _TEMPLATE).is_file():
        return (folder / _TEMPLATE).read_text(encoding="utf-8")
    template = _read_json(folder / _TEMPLATES).get("chat_template", settings.get("chat_template"))
    if isinstance(template, list):  # several, by name
        named = {each["name"]: each["template"] for each in template}
        template = named.get("default")
    return template if isinstance(template, str) else None


def _read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; a missing file is an empty one."""
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is damaged: {reason(error)}; fetch it again") from error
    return content if isinstance(content, dict) else {}


def _token_text(value: object) -> str | None:
    """Return the text of a special token, which some files keep with further fields."""
    content = value.get("content") if isinstance(value, dict) else value
    return content if isinstance(content, str) else None


class HuggingFaceChat(ChatModel):
    """A causal model that replies to conversations, by its chat template."""

    def __init__(self, model: HuggingFaceModel, template: ChatTemplate) -> None:
        if model.info.family is not Family.CAUSAL:
            raise ModelError(
                f"{CHAT}{model.info.name} cannot reply: {model.info.architecture} is a"
                f" {model.info.family} model; only causal models write text"
            )
        self._model = model
        self._template = template
        config = hashlib.sha256(f"{model.info.config} {template.hash}".encode()).hexdigest()
        self.info = replace(
            model.info, name=f"{CHAT}{model.info.name}", family=Family.CHAT, config=config
        )

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the model."""
        return self._model.files

    @property
    def template(self) -> str:
        """Its chat template."""
        return self._template.text

    @property
    def batching(self) -> str:
        """How it computes replies: shared or single; empty before the first request."""
        return self.engine.batching if "engine" in self.__dict__ else ""

    @property
    def fallback_reason(self) -> str:
        """Why it replies to one conversation at a time; empty if it does not."""
        return self.engine.fallback_reason if "engine" in self.__dict__ else ""

    @cached_property
    def engine(self) -> ReplyEngine:
        """The engine; the first access loads the weights."""
        self._model.report(f"loading {self.info.name}")
        with self._errors(), importing_libraries():
            from horsesense.models.huggingface.engines.replying import ReplyEngine

            make = partial(ReplyEngine, stops=self.stops)
            return self._model.tested(make, self._model.load_network(), self.info)

    def release(self) -> None:
        """Free the weights; they are loaded again when the model is next asked."""
        self.__dict__.pop("engine", None)

    def ask(self, requests: Sequence[ChatRequest]) -> Iterator[Replies]:
        """Reply to all requests, after rendering all conversations."""
        from horsesense.models.huggingface.engines.replying import Prompt

        prompts = []
        for request in requests:
            self._refuse_settings(request)
            ids = self.prompt_ids(request.messages)
            prompts.append(Prompt(ids, self._limit(request, ids), request.top))
        with self._errors():
            for batch in self.engine.reply(prompts):
                yield [
                    (requests[at], self._reply(prompts[at].ids, generated))
                    for at, generated in batch
                ]

    def count_prompt_tokens(self, requests: Sequence[ChatRequest]) -> int:
        """Count the tokens of the conversations."""
        return sum(len(self.prompt_ids(request.messages)) for request in requests)

    def render(self, messages: Sequence[Message], *, is_open: bool = True) -> str:
        """Render a conversation by the template, with the beginning of a reply if it `is_open`."""
        with transformers_quietly():
            from transformers.utils.chat_template_utils import render_jinja_template

            specials: dict[str, Any] = dict(self._template.specials)
            conversation = [{"role": each.role, "content": each.content} for each in messages]
            try:
                rendered: Any = render_jinja_template(
                    conversations=[conversation],
                    chat_template=_FIXED_DATE + self._template.text,
                    add_generation_prompt=is_open,
                    **specials,
                )
            except ImportError as error:
                raise ModelError(f"{self.info.name} cannot be asked: {reason(error)}") from error
            except Exception as error:  # templates are programs
                raise ModelError(
                    f"the chat template of {self.info.name} refuses a conversation of"
                    f" {', '.join(each.role for each in messages)}: {reason(error)}\n"
                    "  choose a method that sends other messages, or another model"
                ) from error
        return str(rendered[0][0])

    def prompt_ids(self, messages: Sequence[Message]) -> tuple[int, ...]:
        """Return the tokens of a conversation; a message must not contain special tokens."""
        for message in messages:
            if hidden := self._special & set(self._ids(message.content)):
                token = self._backend.id_to_token(min(hidden))
                raise UnreadableError(
                    f"{self.info.name} does not read {token!r} in {quoted(message.content)} as"
                    " text, because it is one of its special tokens; leave it out"
                )
        return tuple(self._ids(self.render(messages)))

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of the tokens of a reply, without special tokens."""
        return str(self._backend.decode(list(ids), skip_special_tokens=True))

    def _refuse_settings(self, request: ChatRequest) -> None:
        if json.loads(request.settings):
            raise ModelError(
                f"{self.info.name} runs on this machine and has no settings, but"
                f" {request.settings} was given; leave it out"
            )

    def _limit(self, request: ChatRequest, ids: Sequence[int]) -> int:
        """Return how many tokens a reply may have."""
        context = self.info.context
        if context is None:
            return request.max_tokens
        if len(ids) >= context:
            raise ModelError(
                f"{self.info.name} reads at most {context:,} tokens, and a conversation has"
                f" {len(ids):,}; ask with fewer examples, or use a model with a longer context"
            )
        return min(request.max_tokens, context - len(ids))

    def _reply(self, prompt: Sequence[int], generated: Generated) -> Reply:
        return Reply(
            self.decode(generated.ids),
            "stop" if generated.is_complete else "length",
            tuple(
                ReplyToken(
                    self._token_text(token),
                    log_prob,
                    tuple((self._token_text(other), value) for other, value in alternatives),
                )
                for token, log_prob, alternatives in zip(
                    generated.ids, generated.log_probs, generated.alternatives, strict=True
                )
            ),
            prompt_tokens=len(prompt),
            reply_tokens=len(generated.ids) + generated.is_complete,
        )

    def _ids(self, text: str) -> list[int]:
        return list(self._backend.encode(text, add_special_tokens=False).ids)

    def _token_text(self, token: int) -> str:
        if token not in self._texts:
            self._texts[token] = self._backend.decode([token], skip_special_tokens=False)
        return self._texts[token]

    @cached_property
    def _texts(self) -> dict[int, str]:
        return {}

    @cached_property
    def _backend(self) -> Any:
        return backend(self._model.tokenizer_json)

    @cached_property
    def _special(self) -> frozenset[int]:
        added = self._backend.get_added_tokens_decoder()
        return frozenset(id for id, token in added.items() if token.special)

    @cached_property
    def stops(self) -> frozenset[int]:
        """The tokens that end a reply: those that the files list, and the template's own."""
        rendered = self.render(_PROBE, is_open=False)
        _, _, after = rendered.rpartition(_PROBE[-1].content)
        following = self._ids(after.lstrip())[:1]
        listed = (self.info.eos, *self._template.ends)
        return frozenset(
            [token for token in listed if token is not None]
            + [token for token in following if token in self._special]
        )

    def _errors(self) -> AbstractContextManager[None]:
        return model_errors(self.info.name, "asked", "try a newer transformers, or another model")
