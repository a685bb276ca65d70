"""The completions interface: what a request asks for, and the answer to it.

The server scores texts: with `echo`, each token of the prompt comes with its log-probability. It
generates at most one token, the most probable one. A field that it would have to ignore is
refused, unless it changes nothing.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from horsesense.errors import UnreadableError
from horsesense.models import LanguageModel, Query, Ranking, Tokenization, causal_query
from horsesense.web.errors import RequestError
from horsesense.web.inference import Prediction
from horsesense.web.spelling import Spelling

# The most alternatives of a token.
MAX_RANKED = 20
# Fields that would change a generated text, with the values that change nothing.
_NEUTRAL: Mapping[str, tuple[Any, ...]] = {
    "n": (1,),
    "best_of": (1,),
    "stream": (False,),
    "stream_options": (),
    "suffix": ("",),
    "stop": ("", []),
    "top_p": (1,),
    "presence_penalty": (0,),
    "frequency_penalty": (0,),
    "repetition_penalty": (1,),
    "logit_bias": ({},),
    "temperature": (0,),
}
# Fields without any effect on the most probable token, and those that are read below.
_WITHOUT_EFFECT = {"seed", "user"}
_READ = {
    "model",
    "prompt",
    "echo",
    "logprobs",
    "max_tokens",
    "prompt_logprobs",
    "return_token_ids",
    "return_tokens_as_token_ids",
    "add_special_tokens",
}

Fields: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model under the name that requests use for it, and how its tokens are written."""

    model: LanguageModel
    name: str
    spelling: Spelling


@dataclass(frozen=True, slots=True)
class Prompt:
    """The tokens of a prompt, and its tokenization if it came as text."""

    ids: tuple[int, ...]
    tokenization: Tokenization | None = None


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """What a request asks for.

    `ranked` and `prompt_ranked` are the numbers of alternatives of each token in `logprobs` and
    `prompt_logprobs`; None if these are not requested.
    """

    prompts: tuple[Prompt, ...]
    is_echoed: bool
    is_generated: bool
    ranked: int | None
    prompt_ranked: int | None
    has_ids: bool
    is_spelled_as_ids: bool

    @property
    def queries(self) -> list[Query]:
        """The queries for all prompts.

        To learn what comes after a prompt, any token is put there; its log-probability is unused.
        """
        end = (0,) if self.is_generated else ()
        if not self.is_generated and self.ranked is None and self.prompt_ranked is None:
            return []
        return [causal_query((*prompt.ids, *end)) for prompt in self.prompts]

    @property
    def count(self) -> int:
        """The number of alternatives to compute."""
        return max(self.ranked or 0, self.prompt_ranked or 0, int(self.is_generated))


def read_request(fields: Fields, named: NamedModel) -> CompletionRequest:
    """Read the fields of a request, and tokenize its prompts."""
    check_model_name(fields, named)
    for name, value in fields.items():
        if name in _NEUTRAL:
            if value is not None and value not in _NEUTRAL[name]:
                raise RequestError(400, _unsupported(name, value), param=name)
        elif name not in _READ | _WITHOUT_EFFECT:
            raise RequestError(400, f"there is no field {name!r} here; leave it out", param=name)
    is_generated = _is_generated(fields)
    prompts = read_prompts(fields, named.model)
    for prompt in prompts:
        _check(prompt, named, is_generated)
    return CompletionRequest(
        prompts,
        read_flag(fields, "echo"),
        is_generated,
        _number_of_ranked(fields, "logprobs"),
        _number_of_ranked(fields, "prompt_logprobs"),
        read_flag(fields, "return_token_ids"),
        read_flag(fields, "return_tokens_as_token_ids"),
    )


def _unsupported(name: str, value: Any) -> str:
    if name == "temperature":
        return (
            f"this server does not sample, so temperature {value} is not possible; use 0, or leave "
            "it out"
        )
    return f"this server scores texts, and does not support {name}: {value!r}; leave it out"


def check_model_name(fields: Fields, named: NamedModel) -> None:
    """Refuse a request for another model."""
    name = fields.get("model", named.name)
    if name != named.name:
        message = f"there is no model {name!r} here; the model of this server is {named.name}"
        raise RequestError(404, message, param="model", code="model_not_found")


def read_flag(fields: Fields, name: str, *, default: bool = False) -> bool:
    """Return a field that is true or false."""
    value = fields.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise RequestError(422, f"{name} must be true or false, not {value!r}", param=name)
    return value


def _is_generated(fields: Fields) -> bool:
    name = "max_tokens"
    value = fields.get(name)
    if not _is_number(value) and value is not None:
        raise RequestError(422, f"{name} must be a number, not {value!r}", param=name)
    if value not in (0, 1):
        asked = "16 by default" if value is None else f"{value}"
        message = (
            "this server scores texts, and generates at most one token; "
            f"max_tokens is {asked}: use 0 or 1"
        )
        raise RequestError(400, message, param=name)
    return bool(value)


def _number_of_ranked(fields: Fields, name: str) -> int | None:
    value: int | None = fields.get(name)
    if value is None:
        return None
    if not _is_number(value):
        raise RequestError(422, f"{name} must be a number, not {value!r}", param=name)
    if not 0 <= value <= MAX_RANKED:
        message = f"{name} must be between 0 and {MAX_RANKED}, not {value}"
        raise RequestError(400, message, param=name)
    return value


def read_prompts(fields: Fields, model: LanguageModel) -> tuple[Prompt, ...]:
    """Return the prompts of a request: one or several, each as a text or as token ids.

    Texts get the special tokens that the tokenizer puts around them. Ids stay as they are.
    """
    value = fields.get("prompt")
    specials = read_flag(fields, "add_special_tokens", default=True)
    if isinstance(value, str):
        return (_read_text(value, model, specials),)
    if isinstance(value, list) and value:
        if all(isinstance(item, str) for item in value):
            return tuple(_read_text(text, model, specials) for text in value)
        if all(map(_is_number, value)):
            return (Prompt(tuple(value)),)
        if all(isinstance(item, list) and all(map(_is_number, item)) for item in value):
            return tuple(Prompt(tuple(item)) for item in value)
    message = "prompt must be a text, a list of texts, a list of token ids, or a list of such lists"
    raise RequestError(422, message, param="prompt")


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _read_text(text: str, model: LanguageModel, specials: bool) -> Prompt:
    try:
        tokenization = model.tokenize(text, specials=specials)
    except UnreadableError as error:
        raise RequestError(400, f"{error}; or send token ids", param="prompt") from error
    return Prompt(tokenization.ids, tokenization)


def _check(prompt: Prompt, named: NamedModel, is_generated: bool) -> None:
    info = named.model.info
    length = len(prompt.ids) + is_generated
    if not prompt.ids:
        raise RequestError(400, "a prompt has no tokens; send at least one", param="prompt")
    if info.context is not None and length > info.context:
        generated = ", and one to generate" if is_generated else ""
        message = (
            f"{named.name} reads at most {info.context:,} tokens, and a prompt has "
            f"{len(prompt.ids):,}{generated}; shorten it, as this server never cuts a text"
        )
        raise RequestError(400, message, param="prompt", code="context_length_exceeded")
    wrong = next((token for token in prompt.ids if not 0 <= token < info.vocabulary), None)
    if wrong is not None:
        message = f"{named.name} has no token {wrong}; its ids are below {info.vocabulary:,}"
        raise RequestError(400, message, param="prompt")


def completion(
    request: CompletionRequest,
    predictions: Sequence[Prediction],
    named: NamedModel,
) -> Fields:
    """Return the answer to a request, in the shape of OpenAI's."""
    read = sum(len(prompt.ids) for prompt in request.prompts)
    generated = len(request.prompts) * request.is_generated
    return {
        "id": f"cmpl-{uuid.uuid4().hex}",
        "object": "text_completion",
        "created": int(time.time()),
        "model": named.name,
        "choices": [
            _choice(index, request, prompt, prediction, named)
            for index, (prompt, prediction) in enumerate(
                zip(request.prompts, predictions or [((), ())] * len(request.prompts), strict=True)
            )
        ],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": generated,
            "total_tokens": read + generated,
        },
    }


def _choice(
    index: int,
    request: CompletionRequest,
    prompt: Prompt,
    prediction: Prediction,
    named: NamedModel,
) -> Fields:
    (values, rankings), spelling = prediction, named.spelling
    ids = prompt.ids
    text = _text(prompt, spelling) if request.is_echoed else ""
    # Nothing precedes the first token, so it has no log-probability and no alternatives.
    scored: list[float | None] = [None, *values[: len(ids) - 1]]
    ranked: list[Ranking] = [(), *rankings[: len(ids) - 1]]
    offsets = _offsets(prompt, spelling) if request.is_echoed else []
    shown = ids
    if not request.is_echoed:
        shown, scored, ranked = (), [], []
    end, finish = text, "length"
    generated: tuple[int, ...] = ()
    if request.is_generated:
        token, value = rankings[-1][0]
        generated = (token,)
        shown, scored, ranked = (*shown, token), [*scored, value], [*ranked, rankings[-1]]
        offsets = [*offsets, len(text)]
        is_end = token == named.model.info.eos
        finish = "stop" if is_end else "length"
        end = text if is_end else text + spelling.write([token])
    choice: dict[str, Any] = {
        "index": index,
        "text": end,
        "logprobs": None,
        "finish_reason": finish,
    }
    written = _Written(spelling, request.is_spelled_as_ids)
    if request.ranked is not None:
        choice["logprobs"] = {
            "text_offset": offsets,
            "token_logprobs": scored,
            "tokens": [written[token] for token in shown],
            "top_logprobs": _top_logprobs(shown, scored, ranked, request.ranked, written),
        }
    if request.prompt_ranked is not None:
        choice["prompt_logprobs"] = _prompt_logprobs(
            ids, values, rankings, request.prompt_ranked, written
        )
    if request.has_ids:
        choice |= {"prompt_token_ids": ids, "token_ids": generated}
    return choice


@dataclass(frozen=True, slots=True)
class _Written:
    """How an answer writes tokens."""

    spelling: Spelling
    as_ids: bool

    def __getitem__(self, token: int) -> str:
        return f"token_id:{token}" if self.as_ids else self.spelling.texts[token]


def _text(prompt: Prompt, spelling: Spelling) -> str:
    return prompt.tokenization.text if prompt.tokenization else spelling.write(prompt.ids)


def _offsets(prompt: Prompt, spelling: Spelling) -> list[int]:
    """Return the character at which each token of a prompt starts, spaces before it included."""
    if prompt.tokenization is None:
        return spelling.offsets(prompt.ids)
    text, offsets, reached = prompt.tokenization.text, [], 0
    columns = prompt.tokenization
    for start, end, word in zip(columns.starts, columns.ends, columns.words, strict=True):
        if word is None:  # a special token around the text
            offsets.append(reached)
            continue
        offsets.append(start if text[reached:start].strip() or start < reached else reached)
        reached = max(reached, end)
    return offsets


def _top_logprobs(
    ids: Sequence[int],
    scored: Sequence[float | None],
    ranked: Sequence[Ranking],
    count: int,
    written: _Written,
) -> list[dict[str, float] | None] | None:
    """Return the alternatives of each token, with the token itself if it is not among them."""
    if not count:
        return None
    return [
        None
        if value is None
        else {written[other]: score for other, score in ranking[:count]} | {written[token]: value}
        for token, value, ranking in zip(ids, scored, ranked, strict=True)
    ]


def _prompt_logprobs(
    ids: Sequence[int],
    values: Sequence[float],
    rankings: Sequence[Ranking],
    count: int,
    written: _Written,
) -> list[dict[str, Any] | None]:
    """Return the same in the shape of vLLM: by token id, with ranks where they are known."""
    rows: list[dict[str, Any] | None] = [None]
    all_ranked = rankings or [()] * len(values)
    for token, value, ranking in zip(ids[1:], values, all_ranked, strict=False):
        ranks = {other: rank for rank, (other, _) in enumerate(ranking, 1)}
        shown = {token: value} | dict(ranking[:count])
        rows.append(
            {
                str(other): {
                    "logprob": score,
                    "rank": ranks.get(other),
                    "decoded_token": written[other],
                }
                for other, score in shown.items()
            }
        )
    return rows
