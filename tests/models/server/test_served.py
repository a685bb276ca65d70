"""Language models behind servers: real ones, and real ones whose answers are spoiled on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import ModelError, ServerError
from horsesense.models import (
    Budget,
    LanguageModel,
    Query,
    ServerOptions,
    causal_query,
    load_model,
    single_mask_query,
)
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.web import serving
from tests.models.conftest import Folders, Models
from tests.servers.faulty import (
    Request,
    Response,
    Script,
    changes,
    faulty_proxy,
    faulty_server,
    forwards,
    hangs,
    page,
    refuses,
    says,
)

pytestmark = pytest.mark.usefixtures("soon", "one_thread")

COMPLETIONS, MODELS, TOKENIZE = "/v1/completions", "/v1/models", "/tokenize"
TEXTS = (
    "The goat ate the oats because it was hungry.",
    " Zoë's café — 😀 naïve 한국어.",
    "Anna's owl",
    "Two  spaces,\nand a line",
)


def served(name: str, url: str, cache: Path, **options: Any) -> LanguageModel:
    model = load_model(f"{name}@{url}", server=ServerOptions(**options), cache=cache)
    assert isinstance(model, LanguageModel)
    return model


def answers_of(model: LanguageModel, texts: Sequence[str] = TEXTS) -> list[tuple[float, ...]]:
    """The answers to texts, in their order."""
    queries = [causal_query(tokenized.ids) for tokenized in model.tokenize_all(texts)]
    answers = {query: values for batch in model.answer(queries) for query, values in batch}
    return [answers[query] for query in queries]


@pytest.fixture(params=["openai, its own tokenizer", "openai, ours", "openai, texts", "vllm, ours",
                        "vllm, its own tokenizer"])  # fmt: skip
def each_kind(
    request: pytest.FixtureRequest, small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> Any:
    """The small model behind a server, by each way of asking for it."""
    kind, _, tokenizer = request.param.partition(", ")
    name = small_model.info.name
    own = {"tokenizer": str(small_model.folder)} if tokenizer == "ours" else {}
    hidden: Script = {TOKENIZE: refuses(404)} if tokenizer == "texts" else {}
    with faulty_server({**hidden, "*": forwards(small_url)}) as server:
        model = served(f"{kind}:{name}", server.url, tmp_path, **own)
        yield model
        model.release()


def test_answers_are_those_of_the_model_itself(
    each_kind: LanguageModel, small_model: HuggingFaceModel
) -> None:
    for text, tokens in zip(TEXTS, each_kind.tokenize_all(TEXTS), strict=True):
        expected = small_model.tokenize(text)
        assert (tokens.starts, tokens.ends) == (expected.starts, expected.ends)
    for values, expected_values in zip(answers_of(each_kind), answers_of(small_model), strict=True):
        assert values == pytest.approx(expected_values, abs=1e-4)


def test_a_served_model_is_described_without_its_address(
    each_kind: LanguageModel, small_model: HuggingFaceModel
) -> None:
    info = each_kind.info
    assert each_kind.is_served and info.name.endswith(f":{small_model.info.name}")
    assert "127.0.0.1" not in repr(info) and info.weights == ""
    assert info.server.startswith(("horsesense ", "vllm "))
    assert info.context in (255, 256)


def test_the_fingerprint_does_not_depend_on_the_address(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    name = f"openai:{small_model.info.name}"
    with faulty_server({"*": forwards(small_url)}) as server:
        models = [served(name, url, tmp_path) for url in (small_url, server.url)]
        assert models[0].info == models[1].info
        for model in models:
            model.release()


@pytest.mark.parametrize(
    ("fields", "is_same"),
    [
        ({"created": 5, "pricing": {"prompt": "0.1"}, "rate_limit": 9, "permission": [1]}, True),
        ({"max_model_len": 9}, False),
        ({"quantization": "fp8"}, False),
        ({"root": "/models/owl"}, False),
    ],
)
def test_the_fingerprint_depends_on_lasting_facts_only(
    fields: dict[str, Any],
    is_same: bool,
    small_model: HuggingFaceModel,
    small_url: str,
    tmp_path: Path,
) -> None:
    fingerprints = set()
    for added in ({"root": "/models/ant"}, {"root": "/elsewhere/ant", **fields}):
        listing = changes(forwards(small_url), listed_with(added))
        with faulty_server({MODELS: listing, "*": forwards(small_url)}) as server:
            model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
            fingerprints.add(model.info.fingerprint)
            model.release()
    assert (len(fingerprints) == 1) is is_same


def listed_with(fields: dict[str, Any]) -> Callable[[Any], None]:
    """Change the entry of the first model in the server's list."""

    def change(content: Any) -> None:
        content["data"][0].update(fields)

    return change


@pytest.mark.parametrize(
    ("name", "is_same"),
    [
        ("ant", True),
        ("ant-2026-01-01", True),
        ("ant:1.5", True),
        ("ant@20260101", True),
        ("ant/v2", True),
        ("antelope-405b", False),
        ("ant-405b", False),
        ("ant-mini", False),
        ("ant-", False),
        ("owl", False),
    ],
)
@pytest.mark.parametrize("kind", ["openai", "vllm"])
def test_only_versions_of_a_model_may_answer_for_it(
    kind: str, name: str, is_same: bool, ant_url: str, tmp_path: Path
) -> None:
    answer = changes(forwards(ant_url), lambda content: content.update(model=name))
    with faulty_server({COMPLETIONS: answer, "*": forwards(ant_url)}) as server:
        if is_same:
            served(f"{kind}:ant", server.url, tmp_path).release()
            server.script = {"*": forwards(ant_url)}
            if name != "ant":
                with pytest.raises(ServerError, match=f"'ant' instead of '{name}'"):
                    served(f"{kind}:ant", server.url, tmp_path)
            return
        with pytest.raises(ServerError, match=f"another model, '{name}' instead of 'ant'"):
            served(f"{kind}:ant", server.url, tmp_path)


def test_the_version_that_answers_must_not_change(ant_url: str, tmp_path: Path) -> None:
    names = ["ant-1", "ant-1", "ant-2"]

    def answer(request: Request) -> Response:
        name = names.pop(0)
        return changes(forwards(ant_url), lambda content: content.update(model=name))(request)

    with faulty_server({COMPLETIONS: answer, "*": forwards(ant_url)}) as server:
        model = served("vllm:ant", server.url, tmp_path, concurrency=1)
        with pytest.raises(ServerError, match="another model, 'ant-2' instead of 'ant-1'"):
            answers_of(model)
        model.release()


@pytest.fixture
def ant_url(small_model: HuggingFaceModel) -> Iterator[str]:
    """The address of the small model under a short name."""
    info = small_model.info
    try:
        small_model.info = replace(info, name="ant")
        with serving(small_model) as url:
            yield url
    finally:
        small_model.info = info


@pytest.mark.parametrize("path", [MODELS, "/version", TOKENIZE])
@pytest.mark.parametrize("status", [403, 429, 500, 503])
def test_a_server_that_is_busy_when_it_is_described_is_an_error(
    path: str, status: int, small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    with (
        faulty_server({path: refuses(status), "*": forwards(small_url)}) as server,
        pytest.raises(ServerError, match=f"refuses {path} with status {status}"),
    ):
        served(f"openai:{small_model.info.name}", server.url, tmp_path, retries=1)


@pytest.mark.parametrize("status", [400, 404, 405, 422, 501])
def test_what_a_server_does_not_have_is_not_needed(
    status: int, small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    nothing = refuses(status)
    script: Script = {MODELS: nothing, "/version": nothing, TOKENIZE: nothing}
    with faulty_server({**script, "*": forwards(small_url)}) as server:
        model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
        assert model.tokenizes_by_request
        model.release()


def test_loading_sends_a_few_requests_only(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    for kind, most in (("openai", 4), ("vllm", 4)):
        budget = Budget()
        model = served(f"{kind}:{small_model.info.name}", small_url, tmp_path, budget=budget)
        model.release()
        assert budget.requests <= most and budget.prompt_tokens < 50


def test_the_requests_are_those_that_were_announced(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    budget = Budget()
    name = f"openai:{small_model.info.name}"
    model = served(name, small_url, tmp_path, budget=budget)
    queries = [causal_query(model.tokenize(text).ids) for text in TEXTS]
    before, count = budget.requests, model.count_requests(queries)
    list(model.answer(queries, answered=queries[:1]))
    assert (count, budget.requests - before) == (4, 3)
    model.release()


def test_a_model_with_special_tokens_is_read_with_them(kept_models: Models, tmp_path: Path) -> None:
    local = kept_models("llama-bos")
    with serving(local) as url, faulty_server({TOKENIZE: page(), "*": forwards(url)}) as blind:
        for kind, address in (("openai", url), ("vllm", url), ("openai", blind.url)):
            model = served(f"{kind}:{local.info.name}", address, tmp_path)
            assert len(model.info.before) == 1
            (tokens,) = model.tokenize_all(["An owl"])
            assert tokens.words == local.tokenize("An owl").words
            assert answers_of(model)[0] == pytest.approx(answers_of(local)[0], abs=1e-4)
            # A phrase by itself, after BOS, is a query of its own.
            phrase = causal_query((*model.info.before, *tokens.ids[2:]))
            ((_, values),) = (pair for batch in model.answer([phrase]) for pair in batch)
            ids = (*local.info.before, *local.tokenize("An owl").ids[2:])
            assert values == pytest.approx(local.answer_singly(causal_query(ids)), abs=1e-4)
            model.release()


@pytest.mark.parametrize("says_which", [True, False])
def test_settings_that_a_server_refuses_are_left_out(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path, says_which: bool
) -> None:
    forward = forwards(small_url)

    def strict(request: Request) -> Response:
        body = request.json
        if "return_token_ids" in body or body["max_tokens"] == 0:
            extra = "return_token_ids" in body
            name = "return_token_ids" if extra else "max_tokens must be at least 1"
            return refuses(400, name if says_which else "invalid")(request)
        return forward(request)

    with faulty_server({COMPLETIONS: strict, "*": forward}) as server:
        model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
        assert answers_of(model)[0] == pytest.approx(answers_of(small_model)[0], abs=1e-4)
        model.release()
        settled = server.sent_to(COMPLETIONS)[-1].json
        assert settled["max_tokens"] == 1 and "return_token_ids" not in settled


@pytest.mark.parametrize("kind", ["openai", "vllm"])
def test_another_tokenizer_is_recognized_before_the_run(
    kind: str,
    small_model: HuggingFaceModel,
    small_url: str,
    kept_folders: Folders,
    tmp_path: Path,
) -> None:
    other = str(kept_folders("roberta"))
    for script in ({"*": forwards(small_url)}, {TOKENIZE: refuses(404), "*": forwards(small_url)}):
        with faulty_server(script) as server:
            if kind == "vllm" and TOKENIZE in script:
                continue
            with pytest.raises(ServerError, match="the tokenizer .* is not that of") as caught:
                served(f"{kind}:{small_model.info.name}", server.url, tmp_path, tokenizer=other)
            assert other in str(caught.value) and "leave out --tokenizer" in str(caught.value)


def test_a_baseline_is_no_tokenizer(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    name = f"openai:{small_model.info.name}"
    for tokenizer in ("random", f"{name}@{small_url}"):
        with pytest.raises(ModelError, match="--tokenizer takes a folder"):
            served(name, small_url, tmp_path, tokenizer=tokenizer)


def test_only_what_the_model_can_answer_is_sent(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    model = served(f"vllm:{small_model.info.name}", small_url, tmp_path)
    for query, problem in (
        (causal_query((5,) * 256), "reads at most 255 tokens, and a text has 256"),
        (single_mask_query((5, 6), (1,)), "is a causal model"),
    ):
        with pytest.raises(ModelError, match=problem):
            list(model.answer([causal_query((5, 6)), query]))
    model.release()


Change = Callable[[Any], Any]


def log_probs(change: Callable[[dict[str, Any]], Any]) -> Change:
    """Change the log-probabilities in an answer of the completions interface."""
    return lambda content: change(content["choices"][0]["logprobs"]) and None


def setting(field: str, make: Callable[[list[Any]], list[Any]]) -> Change:
    return log_probs(lambda entry: entry.update({field: make(entry[field])}))


def shortened(content: Any) -> None:
    for field in ("tokens", "token_logprobs", "top_logprobs", "text_offset"):
        if content["choices"][0]["logprobs"].get(field):
            del content["choices"][0]["logprobs"][field][-1]


def generated_only(content: Any) -> None:
    content["choices"][0]["text"] = " owl"
    content["choices"][0]["logprobs"] = {"tokens": [" owl"], "token_logprobs": [-1.5]}


SPOILED_ECHOES: list[tuple[str, Change, str]] = [
    ("ignores echo", generated_only, "1 value for the whole prompt; it ignores `echo`"),
    ("no log-probs", lambda content: content["choices"][0].pop("logprobs") and None,
     "no log-probabilities of the prompt; it ignores `echo`"),
    ("chat-like", lambda content: content["choices"][0].update(logprobs={"content": []}),
     "no log-probabilities of the prompt"),
    ("only null", setting("token_logprobs", lambda values: [None]), "without a token for each"),
    ("all null", setting("token_logprobs", lambda values: [None] * len(values)),
     "the value of token 2 is 'null'"),
    ("zeros", setting("token_logprobs", lambda values: [None] + [0.0] * (len(values) - 1)),
     r"all \d+ values are 0"),
    ("constant", setting("token_logprobs", lambda values: [None] + [-2.5] * (len(values) - 1)),
     r"all \d+ values are -2.5"),
    ("NaN", setting("token_logprobs", lambda values: [*values[:-1], float("nan")]),
     r"the value of token \d+ is NaN"),
    ("minus infinity", setting("token_logprobs", lambda values: [*values[:-1], -9999.0]),
     r"the value of token \d+ is -9999"),
    ("above zero", setting("token_logprobs", lambda values: [*values[:-1], 0.5]),
     r"the value of token \d+ is 0.5"),
    ("text", setting("token_logprobs", lambda values: [*values[:-1], "low"]),
     r"the value of token \d+ is"),
    ("null inside", setting("token_logprobs", lambda values: [*values[:-1], None]),
     r"the value of token \d+ is 'null'"),
    ("first not null", setting("token_logprobs", lambda values: [-1.0, *values[1:]]),
     "do not start with null"),
    ("too few", shortened, r"values for \d+ tokens|do not spell"),
    ("too many", log_probs(lambda entry: (entry["tokens"].append("x"),
                                          entry["token_logprobs"].append(-1.0))),
     r"values for \d+ tokens|do not spell"),
    ("other tokens", setting("tokens", lambda tokens: [*tokens[:-1], "xyz"]),
     "another token than was sent|do not spell"),
    ("another model", lambda content: content.update(model="elk-1b"),
     "the answer of another model, 'elk-1b' instead of"),
    ("no choices", lambda content: content.update(choices=[]), r"without choices\[0\]"),
    ("a list", lambda content: [content], r"without choices\[0\]"),
    ("a number", lambda content: 5, r"without choices\[0\]"),
]  # fmt: skip
SPOILED_VLLM: list[tuple[str, Change, str]] = [
    ("only null", lambda content: content["choices"][0].update(prompt_logprobs=[None]),
     "1 values for"),
    ("empty", lambda content: content["choices"][0].update(prompt_logprobs=[]),
     "do not start with null"),
    ("missing", lambda content: content["choices"][0].pop("prompt_logprobs") and None,
     "without prompt_logprobs"),
    ("null inside", lambda content: content["choices"][0]["prompt_logprobs"].__setitem__(2, None),
     "without"),
    ("no ids", lambda content: content["choices"][0].pop("prompt_token_ids") and None,
     "without prompt_token_ids"),
    ("other ids", lambda content: content["choices"][0]["prompt_token_ids"].insert(0, 7),
     "of other tokens than were sent"),
    ("another model", lambda content: content.update(model="elk-1b"), "another model, 'elk-1b'"),
    ("NaN", lambda content: [entry.update(logprob=float("nan"))
                             for row in content["choices"][0]["prompt_logprobs"][1:]
                             for entry in row.values()] and None,
     "the value of token 2 is NaN"),
    ("zeros", lambda content: [entry.update(logprob=0.0)
                               for row in content["choices"][0]["prompt_logprobs"][1:]
                               for entry in row.values()] and None,
     r"all \d+ values are 0"),
]  # fmt: skip
SPOILED = [
    *[("openai", *case) for case in SPOILED_ECHOES],
    *[("openai by text", *case) for case in SPOILED_ECHOES],
    *[("vllm", *case) for case in SPOILED_VLLM],
]


@pytest.mark.parametrize(
    ("kind", "change", "problem"),
    [(kind, change, problem) for kind, _, change, problem in SPOILED],
    ids=[f"{kind}: {fault}" for kind, fault, *_ in SPOILED],
)
def test_a_spoiled_answer_is_recognized_before_the_run_and_within_it(
    kind: str,
    change: Change,
    problem: str,
    small_model: HuggingFaceModel,
    small_url: str,
    tmp_path: Path,
) -> None:
    forward = forwards(small_url)
    spoiled, is_spoiling = changes(forward, change), [True]
    good, last = "The goat ate the oats.", "The very last goat ate all of the oats."

    def answer(request: Request) -> Response:
        is_last = request.json["prompt"] in (last, list(small_model.tokenize(last).ids))
        return (spoiled if is_spoiling[0] or is_last else forward)(request)

    name = f"{kind.partition(' ')[0]}:{small_model.info.name}"
    hidden: Script = {TOKENIZE: refuses(404)} if "text" in kind else {}
    with faulty_server({COMPLETIONS: answer, **hidden, "*": forward}) as server:
        with pytest.raises(ServerError, match=problem) as caught:
            served(name, server.url, tmp_path / "first")
        assert server.url in str(caught.value) and ";" in str(caught.value)
        is_spoiling[0] = False
        model = served(name, server.url, tmp_path / "second", concurrency=1)
        answered: list[Query] = []
        with pytest.raises(ModelError, match=problem):
            for text in (good, last):
                query = causal_query(model.tokenize(text).ids)
                for batch in model.answer([query]):
                    answered += [query for query, _ in batch]
        assert len(answered) == 1
        model.release()


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (
            {MODELS: says({"data": [{"id": "elk-1b"}]})},
            "no model named '.*'; its models are elk-1b",
        ),
        ({MODELS: says({"data": []})}, "its models are not listed"),
        ({MODELS: page()}, "no model named"),
        ({TOKENIZE: refuses(404)}, "refuses /tokenize with status 404"),
        ({TOKENIZE: says({"tokens": [1, 2]})}, "without token_strs"),
        ({TOKENIZE: says({"tokens": [1], "token_strs": ["a", "b"]})}, "another form than /tokeniz"),
        ({TOKENIZE: says({"tokens": ["1"], "token_strs": ["a"]})}, "another form than /tokenize"),
    ],
)
def test_what_vllm_must_say_is_demanded(
    script: Script, problem: str, small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    with (
        faulty_server({**script, "*": forwards(small_url)}) as server,
        pytest.raises(ServerError, match=problem),
    ):
        served(f"vllm:{small_model.info.name}", server.url, tmp_path)


def test_a_proxy_that_fails_often_changes_no_answer(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    with faulty_proxy(small_url, share=0.3, seed=3) as proxy:
        model = served(f"openai:{small_model.info.name}", proxy.url, tmp_path, retries=20)
        texts = [f"Goat number {number} ate oats." for number in range(20)]
        answers = answers_of(model, texts)
        model.release()
    for values, expected in zip(answers, answers_of(small_model, texts), strict=True):
        assert values == pytest.approx(expected, abs=1e-4)
    assert proxy.failed > 5
    scored = [count for (path, _), count in proxy.forwarded.items() if path == COMPLETIONS]
    assert set(scored) == {1}


def test_what_was_answered_before_a_failure_is_yielded(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    forward = forwards(small_url)
    with faulty_server({COMPLETIONS: [*[forward] * 3, refuses(401)], "*": forward}) as server:
        model = served(f"openai:{small_model.info.name}", server.url, tmp_path, concurrency=1)
        queries = [causal_query(model.tokenize(text).ids) for text in TEXTS]
        answered: list[Query] = []
        with pytest.raises(ServerError, match="no key is set|key in use"):
            for batch in model.answer(queries):
                answered += [query for query, _ in batch]
        model.release()
    assert answered == queries[:2]


def test_a_server_that_hangs_is_left_when_the_caller_stops(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    forward = forwards(small_url)
    with faulty_server({COMPLETIONS: [forward, forward, hangs], "*": forward}) as server:
        model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
        queries = [causal_query(model.tokenize(text).ids) for text in TEXTS]
        for _ in model.answer(queries):
            break
        model.release()


def test_the_key_never_shows(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORSESENSE_API_KEY", "hush-hush-hush")
    with faulty_server({"*": forwards(small_url)}) as server:
        model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
        answers_of(model)
        model.release()
        assert {request.headers["authorization"] for request in server.requests} == {
            "Bearer hush-hush-hush"
        }
        assert not any(b"hush" in request.body for request in server.requests)
    shown = repr((model, model.info, vars(model), vars(model.client)))  # type: ignore[attr-defined]
    assert "hush" not in shown
    assert not any(b"hush" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_pieces_are_numbered_the_same_everywhere() -> None:
    from horsesense.models.server.openai import number_of

    assert number_of(" owl") == 203736365182329
    assert re.fullmatch(r"\d{1,15}", str(number_of("Zoë")))
