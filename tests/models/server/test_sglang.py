"""Models behind SGLang, whose answers are made here from a small model's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import ServerError
from horsesense.models import LanguageModel, ServerOptions, causal_query, load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.models.conftest import Models
from tests.servers.faulty import Request, Response, Script, changes, faulty_server, refuses, says

pytestmark = pytest.mark.usefixtures("soon", "one_thread")

TEXTS = ("The goat ate the oats because it was hungry.", "Zoë's café — naïve 한국어.")


def sglang(model: HuggingFaceModel) -> Script:
    """The paths of SGLang's own interface, with the answers of a model on this machine."""

    def generate(request: Request) -> Response:
        body = request.json
        assert body["return_logprob"] and body["logprob_start_len"] == 0
        ids = tuple(body["input_ids"])
        values = [None, *model.answer_singly(causal_query(ids))]
        rows = [[value, token, None] for value, token in zip(values, ids, strict=True)]
        meta = {"prompt_tokens": len(ids), "completion_tokens": 0, "input_token_logprobs": rows}
        return says({"text": "", "meta_info": meta})(request)

    def tokenize(request: Request) -> Response:
        body = request.json
        specials = body.get("add_special_tokens", True)
        ids = model.tokenize(body["prompt"], specials=specials).ids
        return says({"tokens": ids, "count": len(ids), "max_model_len": 256})(request)

    def detokenize(request: Request) -> Response:
        assert request.json["skip_special_tokens"] is False
        backend: Any = model.tokenizer._backend
        texts = [backend.decode(ids, False) for ids in request.json["tokens"]]
        return says({"text": texts})(request)

    entry = {"id": "goat", "created": 1, "owned_by": "sglang", "root": "goat", "max_model_len": 256}
    return {
        "/v1/models": says({"object": "list", "data": [entry]}),
        "/get_model_info": says(
            {"model_path": "/models/goat", "architectures": ["GPT2LMHeadModel"]}
        ),
        "/get_server_info": says({"version": "0.5.23", "context_length": 256, "load": 0.3}),
        "/generate": generate,
        "/tokenize": tokenize,
        "/detokenize": detokenize,
    }


def served(url: str, cache: Path, tokenizer: str | None = None) -> LanguageModel:
    options = ServerOptions(tokenizer=tokenizer)
    model = load_model(f"sglang:goat@{url}", server=options, cache=cache)
    assert isinstance(model, LanguageModel)
    return model


@pytest.mark.parametrize("name", ["gpt2", "llama-bos"])
@pytest.mark.parametrize("has_tokenizer", [True, False])
def test_answers_are_those_of_the_model_itself(
    name: str, has_tokenizer: bool, kept_models: Models, tmp_path: Path
) -> None:
    local = kept_models(name)
    with faulty_server(sglang(local)) as server:
        model = served(server.url, tmp_path, str(local.folder) if has_tokenizer else None)
        assert model.info.server == "sglang 0.5.23" and model.info.context == 256
        assert model.info.architecture == "GPT2LMHeadModel"
        assert model.info.before == local.info.before
        for text in TEXTS:
            query = causal_query(model.tokenize(text).ids)
            assert query == causal_query(local.tokenize(text).ids)
            ((_, values),) = (pair for batch in model.answer([query]) for pair in batch)
            assert values == pytest.approx(local.answer_singly(query))
        model.release()


def meta(change: Callable[[list[Any]], Any]) -> Callable[[Any], Any]:
    return lambda content: change(content["meta_info"]["input_token_logprobs"]) and None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda content: content.pop("meta_info") and None, "without meta_info.input_token"),
        (meta(lambda rows: rows.clear()), "0 values for"),
        (meta(lambda rows: rows.pop()), r"\d+ values for \d+ tokens"),
        (meta(lambda rows: rows[1].__setitem__(1, 7)), "other tokens than were sent"),
        (meta(lambda rows: rows[0].__setitem__(0, -1.0)), "do not start with null"),
        (meta(lambda rows: rows[2].__setitem__(0, None)), "the value of token 3 is 'null'"),
        (meta(lambda rows: [row.__setitem__(0, 0) for row in rows[1:]]), r"all \d+ values are 0"),
        (meta(lambda rows: rows[1].clear()), r"without \[1\]"),
    ],
)
def test_a_spoiled_answer_is_recognized_before_the_run(
    change: Callable[[Any], Any], problem: str, small_model: HuggingFaceModel, tmp_path: Path
) -> None:
    script = dict(sglang(small_model))
    generate = script["/generate"]
    assert callable(generate)
    script["/generate"] = changes(generate, change)
    with faulty_server(script) as server, pytest.raises(ServerError, match=problem):
        served(server.url, tmp_path)


@pytest.mark.parametrize("path", ["/tokenize", "/detokenize"])
def test_older_servers_need_a_tokenizer(
    path: str, small_model: HuggingFaceModel, tmp_path: Path
) -> None:
    script = {**sglang(small_model), path: refuses(404)}
    with faulty_server(script) as server:
        with pytest.raises(ServerError, match="name the tokenizer of goat with --tokenizer"):
            served(server.url, tmp_path)
        served(server.url, tmp_path, str(small_model.folder)).release()


def test_a_model_that_is_not_there_is_named(small_model: HuggingFaceModel, tmp_path: Path) -> None:
    with (
        faulty_server(sglang(small_model)) as server,
        pytest.raises(ServerError, match="no model named 'elk'; its models are goat"),
    ):
        load_model(f"sglang:elk@{server.url}", cache=tmp_path)
