"""The application behind the HTTP server: its paths, and what each of them answers."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from horsesense.errors import HorsesenseError, UnreadableError
from horsesense.web.completions import (
    Fields,
    NamedModel,
    check_model_name,
    completion,
    read_flag,
    read_request,
)
from horsesense.web.errors import RequestError, error_body
from horsesense.web.inference import Inference
from horsesense.web.spelling import spell

# A request larger than this is refused.
MAX_BODY_BYTES = 8 << 20
# A request larger than this is read in another thread, so that others need not wait for it.
_SMALL_BODY = 1 << 16
# The status of an answer that nobody is there to read.
_CLIENT_LEFT = 499

Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


def make_application(
    inference: Inference,
    *,
    name: str = "",
    token: str = "",
    started: int = 0,
    max_body_bytes: int = MAX_BODY_BYTES,
) -> Starlette:
    """Make the application for a model; with a `token`, requests must carry it.

    Requests use the `name` for the model, by default its own. `started` is the time that
    `/v1/models` shows.
    """
    model = inference.model
    named = NamedModel(model, name or model.info.name, spell(model))
    paths = _Paths(inference, named, started, max_body_bytes)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        with inference:
            yield

    routes = [
        Route("/v1/completions", _guarded(paths.complete, token), methods=["POST"]),
        Route("/v1/models", _guarded(paths.models, token)),
        Route("/tokenize", _guarded(paths.tokenize, token), methods=["POST"]),
        Route("/detokenize", _guarded(paths.detokenize, token), methods=["POST"]),
        Route("/version", _guarded(paths.version, token)),
        Route("/health", paths.health),
    ]
    handlers: Any = {HTTPException: _refuse_path, Exception: _fail}
    return Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)


class _Paths:
    """The answers of one model."""

    def __init__(
        self, inference: Inference, named: NamedModel, started: int, max_body_bytes: int
    ) -> None:
        self.inference, self.named, self.started = inference, named, started
        self.model, self.max_body_bytes = named.model, max_body_bytes

    async def complete(self, request: Request) -> Response:
        """Score prompts."""
        body = await self.read_body(request)
        small = len(body) <= _SMALL_BODY
        wanted = self.read(body) if small else await run_in_threadpool(self.read, body)
        queries = wanted.queries
        predicting = asyncio.ensure_future(self.inference.predict(queries, wanted.count))
        leaving = asyncio.ensure_future(_disconnected(request))
        try:
            await asyncio.wait({predicting, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not predicting.done():
                return Response(status_code=_CLIENT_LEFT)
            predictions = predicting.result()
        finally:
            predicting.cancel()
            leaving.cancel()
        answer = (wanted, predictions, self.named)
        return _json(completion(*answer) if small else await run_in_threadpool(completion, *answer))

    def read(self, body: bytes) -> Any:
        """Read the body of a request for completions."""
        return read_request(_fields(body), self.named)

    async def models(self, _: Request) -> Response:
        """List the model."""
        info = self.model.info
        model = {
            "id": self.named.name,
            "object": "model",
            "created": self.started,
            "owned_by": "horsesense",
            "max_model_len": info.context,
            "fingerprint": info.fingerprint,
            "horsesense_version": version("horsesense"),
        }
        return _json({"object": "list", "data": [model]})

    async def tokenize(self, request: Request) -> Response:
        """Tokenize a text."""
        fields = _fields(await self.read_body(request))
        check_model_name(fields, self.named)
        text = fields.get("prompt")
        if not isinstance(text, str):
            raise RequestError(422, "prompt must be a text", param="prompt")
        specials = read_flag(fields, "add_special_tokens", default=True)
        try:
            tokens = await run_in_threadpool(self.model.tokenize, text, specials=specials)
        except UnreadableError as error:
            raise RequestError(400, str(error), param="prompt") from error
        strings = read_flag(fields, "return_token_strs")
        return _json(
            {
                "count": len(tokens.ids),
                "max_model_len": self.model.info.context,
                "tokens": tokens.ids,
                "token_strs": [self.model.token_text(id) for id in tokens.ids] if strings else None,
            }
        )

    async def detokenize(self, request: Request) -> Response:
        """Turn token ids into text."""
        fields = _fields(await self.read_body(request))
        check_model_name(fields, self.named)
        ids, largest = fields.get("tokens"), self.model.info.vocabulary
        if not isinstance(ids, list) or not all(
            type(id) is int and 0 <= id < largest for id in ids
        ):
            message = f"tokens must be a list of token ids, which are below {largest:,}"
            raise RequestError(422, message, param="tokens")
        (text,) = self.model.decode([ids])
        return _json({"prompt": text})

    async def version(self, _: Request) -> Response:
        """Name the program and its version."""
        return _json({"version": version("horsesense"), "server": "horsesense"})

    async def health(self, _: Request) -> Response:
        """Answer that the server runs."""
        return Response(status_code=200)

    async def read_body(self, request: Request) -> bytes:
        """Read the body of a request, but no more than is allowed."""
        chunks, size = [], 0
        async for chunk in request.stream():
            chunks.append(chunk)
            size += len(chunk)
            if size > self.max_body_bytes:
                message = (
                    f"a request may have {self.max_body_bytes:,} bytes; send fewer prompts at once"
                )
                raise RequestError(413, message)
        return b"".join(chunks)


def _guarded(answer: Answer, token: str) -> Answer:
    """Require the token, and turn errors into answers."""
    expected = f"Bearer {token}".encode()

    async def respond(request: Request) -> Response:
        try:
            given = request.headers.get("authorization", "").encode("latin-1")
            if token and not hmac.compare_digest(given, expected):
                message = "this server needs its token: send it as 'Authorization: Bearer …'"
                raise RequestError(401, message, code="invalid_api_key")
            return await answer(request)
        except RequestError as error:
            content = error_body(error.status, error.message, error.param, error.code)
            return _json(content, error.status)
        except HorsesenseError as error:
            return _json(error_body(500, str(error)), 500)
        except ClientDisconnect:
            return Response(status_code=_CLIENT_LEFT)

    return respond


async def _refuse_path(request: Request, error: HTTPException) -> Response:
    """Answer a request for an unknown path, or with the wrong method."""
    message = f"{error.detail}: {request.method} {request.url.path}"
    return _json(error_body(error.status_code, message), error.status_code)


async def _fail(_: Request, error: Exception) -> Response:
    """Answer a request on which this program fails; the server shows the traceback."""
    return _json(error_body(500, f"this server failed: {type(error).__name__}"), 500)


async def _disconnected(request: Request) -> None:
    """Wait until the client leaves."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _fields(body: bytes) -> Fields:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestError(400, f"the request is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise RequestError(422, "the request must be a JSON object")
    return fields


def _json(content: Any, status: int = 200) -> Response:
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return Response(text.encode(), status, media_type="application/json")
