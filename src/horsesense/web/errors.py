"""Refuse a request, in the words and the shape of OpenAI's interface."""

from __future__ import annotations

from typing import Any


class RequestError(Exception):
    """A request cannot be answered; `status` is that of HTTP, and `param` the field at fault."""

    def __init__(self, status: int, message: str, *, param: str | None = None, code: str = ""):
        super().__init__(message)
        self.status, self.message, self.param, self.code = status, message, param, code


def error_body(status: int, message: str, param: str | None = None, code: str = "") -> Any:
    """Return the body of an answer that refuses a request."""
    kinds = {401: "authentication_error", 404: "not_found_error"}
    kind = "server_error" if status >= 500 else kinds.get(status, "invalid_request_error")
    error = {"message": message, "type": kind, "param": param, "code": code or None}
    return {"error": error}
