"""What a server echoes for texts: kept until the answers are taken, and never trusted blindly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import BudgetError, ModelError, ServerError
from horsesense.models import (
    Budget,
    causal_query,
    load_model,
)
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.server.model import CANARIES
from tests.models.server.test_served import (
    COMPLETIONS,
    TEXTS,
    TOKENIZE,
    answers_of,
    generated_only,
    served,
    shortened,
)
from tests.servers.faulty import (
    Request,
    Response,
    Script,
    changes,
    faulty_server,
    forwards,
    refuses,
)

pytestmark = pytest.mark.usefixtures("soon", "one_thread")


def test_tokens_of_echoed_texts_are_asked_for_once_and_never_again(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    script: Script = {TOKENIZE: refuses(405), "*": forwards(small_url)}
    queries = []
    for expected in (1 + len(TEXTS), 1):
        with faulty_server(script) as server:
            model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
            queries.append([causal_query(tokens.ids) for tokens in model.tokenize_all(TEXTS)])
            # Nobody has taken the answers yet.
            assert model.count_requests(queries[-1]) == 0
            model.release()
            assert len(server.sent_to(COMPLETIONS)) == expected
    assert queries[0] == queries[1]


def shifted(url: str, by: list[float], spared: str = "") -> Script:
    """A server by text whose log-probabilities can be shifted; those of one text never are."""
    forward = forwards(url)

    def shift(content: Any) -> None:
        entry = content["choices"][0]["logprobs"]
        first, *rest = entry["token_logprobs"]
        entry["token_logprobs"] = [first, *(value - by[0] for value in rest)]

    def answer(request: Request) -> Response:
        is_spared = bool(spared) and request.json["prompt"] == spared
        return (forward if is_spared else changes(forward, shift))(request)

    return {TOKENIZE: refuses(404), COMPLETIONS: answer, "*": forward}


def test_an_answer_that_was_taken_is_asked_for_again(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    by = [0.0]
    with faulty_server(shifted(small_url, by, spared=CANARIES[0])) as server:
        name, url = f"openai:{small_model.info.name}", server.url
        model = served(name, url, tmp_path)
        before = answers_of(model)
        by[0] = 0.5
        for fresh in (model, served(name, url, tmp_path)):
            after = answers_of(fresh)
            for values, expected in zip(after, before, strict=True):
                assert [value + 0.5 for value in values] == pytest.approx(expected, abs=1e-6)
            fresh.release()


def test_an_answer_that_is_in_the_store_is_not_kept(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    with faulty_server(shifted(small_url, [0.0])) as server:
        for number in (0, 1):
            model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
            queries = [causal_query(tokens.ids) for tokens in model.tokenize_all(TEXTS)]
            assert model.count_requests(queries) == number * len(TEXTS)
            assert not list(model.answer(queries, answered=queries))
            model.release()


def test_an_answer_to_a_single_query_is_not_kept(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    with faulty_server(shifted(small_url, [0.0])) as server:
        name = f"openai:{small_model.info.name}"
        for _ in range(2):
            model = served(name, server.url, tmp_path)
            (tokens,) = model.tokenize_all(TEXTS[:1])
            before = len(server.sent_to(COMPLETIONS))
            model.answer_singly(causal_query(tokens.ids))
            assert len(server.sent_to(COMPLETIONS)) == before + 1
            assert model.count_requests([causal_query(tokens.ids)]) == 1
            model.release()
        model = served(name, server.url, tmp_path)
        (tokens,) = model.tokenize_all(TEXTS[:1])
        assert model.count_requests([causal_query(tokens.ids)]) == 1
        model.release()


@pytest.mark.parametrize(("by", "sent"), [(0.0, 0), (1e-4, 0), (0.01, len(TEXTS))])
def test_kept_answers_are_used_only_if_the_server_still_returns_the_same_numbers(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path, by: float, sent: int
) -> None:
    shift = [0.0]
    with faulty_server(shifted(small_url, shift)) as server:
        name = f"openai:{small_model.info.name}"
        model = served(name, server.url, tmp_path)
        list(model.tokenize_all(TEXTS))
        model.release()
        shift[0] = by
        model = served(name, server.url, tmp_path)
        queries = [causal_query(tokens.ids) for tokens in model.tokenize_all(TEXTS)]
        assert model.count_requests(queries) == sent
        model.release()


def test_a_server_that_begins_to_ignore_echo_is_noticed(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    forward, is_ignoring = forwards(small_url), [False]

    def answer(request: Request) -> Response:
        return (changes(forward, generated_only) if is_ignoring[0] else forward)(request)

    with faulty_server({TOKENIZE: refuses(404), COMPLETIONS: answer, "*": forward}) as server:
        name = f"openai:{small_model.info.name}"
        served(name, server.url, tmp_path).release()
        is_ignoring[0] = True
        with pytest.raises(ServerError, match="it ignores `echo`"):
            served(name, server.url, tmp_path)


def test_kept_tokens_can_be_asked_for_by_their_ids_in_another_process(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    by = [0.0]
    with faulty_server(shifted(small_url, by)) as server:
        name = f"openai:{small_model.info.name}"
        model = served(name, server.url, tmp_path)
        queries = [causal_query(tokens.ids) for tokens in model.tokenize_all(TEXTS)]
        spelled = [model.token_text(token) for token in queries[0].ids]
        model.release()
        by[0] = 0.5
        model = served(name, server.url, tmp_path)
        # The second text has parts of characters, which the tokens do not spell.
        for query, expected in zip(queries, answers_of(small_model), strict=True):
            values = model.answer_singly(query)
            assert [value + 0.5 for value in values] == pytest.approx(expected, abs=1e-4)
        assert [model.token_text(token) for token in queries[0].ids] == spelled
        with pytest.raises(ModelError, match="not returned token 5 here.*run the plan again"):
            model.token_text(5)
        model.release()


def test_a_text_of_one_token_is_echoed_too(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    with faulty_server(shifted(small_url, [0.0])) as server:
        model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
        (tokens,) = model.tokenize_all(["A"])
        assert len(tokens.ids) == 1 and model.answer_singly(causal_query(tokens.ids)) == ()
        model.release()


@pytest.mark.parametrize("generates", [True, False])
def test_the_last_token_of_a_text_is_kept_if_the_model_ends_at_once(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path, generates: bool
) -> None:
    forward = forwards(small_url)

    def answer(request: Request) -> Response:
        if request.json["max_tokens"] == 0:
            return refuses(400, "max_tokens must be at least 1")(request)
        return (forward if generates else changes(forward, shortened))(request)

    with faulty_server({TOKENIZE: refuses(404), COMPLETIONS: answer, "*": forward}) as server:
        model = served(f"openai:{small_model.info.name}", server.url, tmp_path)
        for text, tokens in zip(TEXTS, model.tokenize_all(TEXTS), strict=True):
            expected = small_model.tokenize(text)
            assert (tokens.starts, tokens.ends) == (expected.starts, expected.ends)
        model.release()


def test_an_interrupted_tokenization_asks_only_for_the_rest(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    script: Script = {TOKENIZE: refuses(404), "*": forwards(small_url)}
    with faulty_server(script) as server:
        name = f"openai:{small_model.info.name}"
        model = served(name, server.url, tmp_path, concurrency=1, budget=Budget(max_requests=4))
        with pytest.raises(BudgetError):
            list(model.tokenize_all(TEXTS))
        model.release()
        sent = len(server.sent_to(COMPLETIONS))
        model = served(name, server.url, tmp_path)
        list(model.tokenize_all(TEXTS))
        model.release()
        assert len(server.sent_to(COMPLETIONS)) == 2 + len(TEXTS) and sent < 1 + len(TEXTS)


def test_an_unusable_file_of_echoes_is_reported_and_not_used(
    small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> None:
    (tmp_path / "echoes.db").write_text("this is no database, and long enough to be none" * 30)
    messages: list[str] = []
    with faulty_server({TOKENIZE: refuses(404), "*": forwards(small_url)}) as server:
        name = f"openai:{small_model.info.name}@{server.url}"
        model = load_model(name, cache=tmp_path, progress=messages.append)
        model.release()
    assert len(messages) == 1 and "echoes.db cannot be used" in messages[0]
