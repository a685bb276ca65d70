"""`horsesense serve`: our inference of a causal model, for other programs, over HTTP."""

from __future__ import annotations

import os
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from horsesense.cli.completing import complete_models
from horsesense.cli.options import chosen_model, model_options
from horsesense.cli.output import note
from horsesense.errors import ArgumentError, FileError, ModelError
from horsesense.models import Model, check_model

# The token that requests must carry.
TOKEN_VARIABLE = "HORSESENSE_SERVE_TOKEN"
_HOST, _PORT = "127.0.0.1", 8090


@click.command("serve")
@click.argument("name", metavar="MODEL", shell_complete=complete_models)
@click.option("--host", default=_HOST, show_default=True, help="Address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=_PORT,
    show_default=True,
    help="Port to listen at; 0 is any free one.",
)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=f"File with the token that requests must carry. [{TOKEN_VARIABLE}]",
)
@model_options
def serve_command(name: str, host: str, port: int, token_file: Path | None, **options: Any) -> None:
    """Serve MODEL to other programs over HTTP.

    The server has the completions interface of OpenAI, and scores texts: with echo, logprobs, and
    max_tokens 0 or 1, each token of the prompt comes with its log-probability and the most probable
    tokens in its place. Requests in flight are computed together. Only this machine can reach the
    server, unless you choose another --host; then it needs a token. Ctrl-C stops it.

    Example:

    \b
        horsesense serve smollm2-135m --port 8090
    """
    if not all(map(find_spec, ("starlette", "uvicorn"))):
        raise ModelError("serving models needs an extra: pip install 'horsesense[serve]'")
    from horsesense.web import check_host, check_serving, listen, serve

    token = _token(token_file)
    check_host(host, token)
    check_model(name)
    model = check_serving(chosen_model(name, **options))
    listener = listen(host, port)
    # Other machines need not know where its files are.
    shown = Path(name).name if Path(name).exists() else name
    introduce = partial(_introduce, model, shown, has_token=bool(token))
    serve(model, listener, name=shown, token=token, ready=introduce)


def _token(file: Path | None) -> str:
    """Return the token from the file or the environment; empty if there is none."""
    if file is None:
        return os.environ.get(TOKEN_VARIABLE, "").strip()
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"cannot read the token in {file}: {error}") from error
    if not token:
        raise ArgumentError(f"{file} is empty; put the token there, in one line")
    return token


def _introduce(model: Model, name: str, url: str, *, has_token: bool) -> None:
    """Print the address, and how to use it."""
    tokenizer = model.files[0].parent if model.files else "FOLDER"
    arguments = f"model={name},base_url={url}/v1/completions,tokenizer={tokenizer}"
    note(f"serving {name} at {url}; Ctrl-C stops it")
    if has_token:
        note("requests must carry the token")
    note(f"  horsesense run --model openai:{name}@{url}")
    note(f"  lm_eval run --model local-completions --model_args {arguments}")
