"""Behind llama.cpp's own server, a model is the same as on this machine but for its arithmetic."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, TypeAlias

import httpx
import pytest

from horsesense import load_dataset
from horsesense.errors import BudgetError, ModelError, ServerError, UnreadableError
from horsesense.evaluation.inference import pose, score
from horsesense.models import Family, Query, ServerOptions, Tokenization, causal_query
from horsesense.models.budget import Budget
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.loading import LoadOptions
from horsesense.models.server.llama_cpp import LlamaCpp, place_pieces
from horsesense.models.server.token_paths import plan_paths
from horsesense.scoring import Outcome, methods_of
from tests.embedded import embedded_default
from tests.servers.llama_cpp import ALIAS, gguf_file, llama_cpp_server, write_float32

Answer: TypeAlias = dict[str, Any]
Alteration: TypeAlias = Callable[[Answer], object]
# The server computes with 4 bits in another order, so single tokens differ.
TOKEN_TOLERANCE, MEAN_TOLERANCE = 1.0, 0.15

TEXTS = [
    "Owls hunt at night because they see well in the dark.",
    "The ladder does not reach the attic because the ladder is too short.",
    "The ladder does not reach the attic because the attic is too high.",
    "The ladder does not reach the attic, so Zoë fetched Jörg's longer one.",
    " A space comes first, and one comes last. ",
    "Two  spaces,\ta tab,\n\nand lines \n in between",
    "Größe, Straße, naïve café, Ångström's déjà-vu — “quoted”",
    "올빼미는 밤에 사냥한다. 왜냐하면",
    "梟は夜に狩りをする。",
    "🦉 hoots🫠 👩‍👩‍👧 e\u0301 \u200b.",
    "\u00a0An odd space,\u3000and a wide one",
    "12345 costs 1,250 €",
    "don't I'll THE'S dogs' owl's",
    "a",
    "",
]


@pytest.fixture(scope="module")
def local() -> HuggingFaceModel:
    return embedded_default()


@pytest.fixture(scope="module")
def served(llama_cpp_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaCpp]:
    model = load(llama_cpp_url, tmp_path_factory.mktemp("cache"))
    yield model
    model.release()


def load(url: str, cache: Path, name: str = ALIAS, **options: object) -> LlamaCpp:
    server = replace(ServerOptions(retries=0), **options)  # type: ignore[arg-type]
    return LlamaCpp(name, url, LoadOptions(cache, server=server))


def queries_of(model: HuggingFaceModel, texts: Sequence[str] = TEXTS) -> list[Query]:
    return [causal_query(model.tokenize(text).ids) for text in texts]


def answers(model: LlamaCpp, queries: Sequence[Query]) -> dict[Query, tuple[float, ...]]:
    return dict(pair for batch in model.answer(queries) for pair in batch)


def columns(tokenization: Tokenization) -> tuple[object, ...]:
    """The columns that are the same for every tokenizer: words are counted differently."""
    special = [word is None for word in tokenization.words]
    return tokenization.ids, tokenization.starts, tokenization.ends, special


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("specials", [True, False])
def test_the_server_tokenizes_like_the_tokenizer_of_the_model(
    served: LlamaCpp, local: HuggingFaceModel, text: str, specials: bool
) -> None:
    ours = local.tokenize(text, specials=specials)
    assert columns(served.tokenize(text, specials=specials)) == columns(ours)


def test_many_texts_are_tokenized_in_their_order(served: LlamaCpp) -> None:
    texts = [*TEXTS, *TEXTS[:3]]
    assert list(served.tokenize_all(texts)) == [served.tokenize(text) for text in texts]


def test_special_tokens_in_a_text_are_read_as_text(served: LlamaCpp) -> None:
    tokenization = served.tokenize("<|im_start|> x")
    assert tokenization.ids[0] != served.tokenize("<|im_start|>").ids[-1]
    assert len(tokenization.ids) > 2
    assert None not in tokenization.words


def test_half_a_character_cannot_be_tokenized(served: LlamaCpp) -> None:
    with pytest.raises(UnreadableError, match="surrogate"):
        served.tokenize("an \ud83e owl")


def test_tokens_are_written_as_the_server_spells_them(served: LlamaCpp) -> None:
    tokens = served.tokenize("An owl 올").ids
    assert [served.token_text(token) for token in tokens[:2]] == ["An", " owl"]
    assert served.token_text(tokens[3]).startswith("<0x")
    assert served.info.eos is not None
    assert served.token_text(served.info.eos) == "<|im_end|>"


def test_a_special_token_before_a_text_has_no_characters() -> None:
    tokenization = place_pieces("An owl", [(1, b"<s>"), (5, b" An"), (6, b" owl")], before=1)
    assert columns(tokenization)[1:] == ((0, 0, 3), (0, 2, 6), [True, False, False])


def test_tokens_that_spell_another_text_are_refused() -> None:
    with pytest.raises(ValueError, match="'an owl'"):
        place_pieces("An owl", [(5, b"an"), (6, b" owl")])


def test_log_probabilities_are_those_of_the_model_on_this_machine(
    served: LlamaCpp, local: HuggingFaceModel
) -> None:
    queries = queries_of(local)
    ours = dict(pair for batch in local.answer(queries) for pair in batch)
    theirs = answers(served, queries)
    assert theirs.keys() == ours.keys()
    differences = [
        abs(own - other)
        for query in queries
        for own, other in zip(ours[query], theirs[query], strict=True)
    ]
    assert max(differences) < TOKEN_TOLERANCE
    assert sum(differences) / len(differences) < MEAN_TOLERANCE


@pytest.mark.long
def test_in_float32_log_probabilities_are_equal(local: HuggingFaceModel, tmp_path: Path) -> None:
    file = write_float32(tmp_path / "float32.gguf")
    queries = queries_of(local)
    with llama_cpp_server(file=file, exact=True) as url:
        model = load(url, tmp_path)
        theirs = answers(model, queries)
        model.release()
    for query, ours in (pair for batch in local.answer(queries) for pair in batch):
        assert theirs[query] == pytest.approx(ours, abs=1e-3)


@pytest.mark.parametrize("text", ["Owls hunt.", "올 Ü"])
def test_a_forced_token_has_its_value_in_the_distribution_of_all_tokens(
    served: LlamaCpp, llama_cpp_url: str, text: str
) -> None:
    ids = served.tokenize(text).ids
    (values,) = answers(served, [causal_query(ids)]).values()
    for at in range(1, len(ids)):
        body = {
            "prompt": ids[:at],
            "n_predict": 1,
            "n_probs": served.info.vocabulary,
            # A whole character: the server reports no others alone.
            "logit_bias": [[served.tokenize("owl").ids[0], 1000]],
            "cache_prompt": False,
        }
        answer = httpx.post(f"{llama_cpp_url}/completion", json=body).json()
        listed = answer["completion_probabilities"][0]["top_logprobs"]
        distribution = {entry["id"]: entry["logprob"] for entry in listed}
        assert len(distribution) == served.info.vocabulary
        assert distribution[ids[at]] == pytest.approx(values[at - 1], abs=1e-3)


def test_the_answers_are_the_same_whatever_else_is_asked_at_once(
    served: LlamaCpp, local: HuggingFaceModel
) -> None:
    queries = queries_of(local, TEXTS[:5])
    together = answers(served, queries)
    for query in queries:
        assert served.answer_singly(query) == pytest.approx(together[query], abs=1e-3)


def test_each_token_after_the_same_tokens_takes_one_request(
    llama_cpp_url: str, local: HuggingFaceModel, tmp_path: Path
) -> None:
    model = load(llama_cpp_url, tmp_path)
    queries = queries_of(local, [TEXTS[1], TEXTS[2], TEXTS[1], TEXTS[3]])
    prompts = {query.ids[:at] for query in queries for at in range(2, len(query.ids) + 1)}
    before = model.options.server.budget.requests
    answers(model, queries)
    assert model.options.server.budget.requests - before == len(prompts)
    assert model.count_requests(queries) == len(prompts)
    model.release()


def test_a_run_that_was_stopped_asks_only_for_what_is_missing(
    llama_cpp_url: str, local: HuggingFaceModel, tmp_path: Path
) -> None:
    model = load(llama_cpp_url, tmp_path)
    queries = queries_of(local, TEXTS[:4])
    first = dict(next(iter(model.answer(queries))))
    before = model.options.server.budget.requests
    rest = [query for query in queries if query not in first]
    answered = [query for batch in model.answer(queries, first) for query, _ in batch]
    assert sorted(answered, key=lambda query: query.ids) == sorted(
        rest, key=lambda query: query.ids
    )
    assert model.options.server.budget.requests - before == model.count_requests(rest)
    model.release()


def test_answers_from_before_the_end_of_the_budget_are_not_lost(
    llama_cpp_url: str, local: HuggingFaceModel, tmp_path: Path
) -> None:
    budget = Budget()
    model = load(llama_cpp_url, tmp_path, budget=budget, concurrency=1)
    queries = queries_of(local, TEXTS[:3])
    shortest = len(plan_paths(query.ids for query in queries)[0].owners)
    budget.max_requests = budget.requests + shortest + 3
    answered = []
    with pytest.raises(BudgetError, match="--max-requests"):
        for batch in model.answer(queries):
            answered += batch
    assert len(answered) == 1
    model.release()


def test_decisions_agree_except_between_options_of_nearly_equal_cost(
    served: LlamaCpp, local: HuggingFaceModel
) -> None:
    names = ("partial", "full", "all-but-first")
    methods = [method for method in methods_of(Family.CAUSAL) if method.name in names]
    posed = pose(list(load_dataset("hs-winograd"))[:20])
    problems = [problem for entry in posed.entries for problem in entry.problems]
    ours, theirs = (list(score(model, problems, methods)) for model in (local, served))
    compared = 0
    for own, other in zip(ours, theirs, strict=True):
        for name, outcome in own.outcomes.items():
            counterpart = other.outcomes[name]
            if not isinstance(outcome, Outcome) or not isinstance(counterpart, Outcome):
                assert type(outcome) is type(counterpart)
            else:
                compared += 1
                assert outcome.margin < 1.0 or outcome.chosen == counterpart.chosen
    assert compared >= 2 * len(problems)


def test_the_model_is_described_by_what_its_answers_depend_on(
    served: LlamaCpp, tmp_path: Path
) -> None:
    info = served.info
    assert (info.name, info.parameters, info.vocabulary) == (f"llama.cpp:{ALIAS}", 134515008, 49152)
    assert (info.context, info.before, info.after) == (512, (), ())
    assert info.server.startswith("llama.cpp")
    copy = Path(shutil.copy(gguf_file(), tmp_path))
    with llama_cpp_server(slots=1, context=256, file=copy) as url:
        elsewhere = load(url, tmp_path)
        elsewhere.release()
    assert elsewhere.info.fingerprint == info.fingerprint


def test_a_model_may_be_named_like_its_file(llama_cpp_url: str, tmp_path: Path) -> None:
    model = load(llama_cpp_url, tmp_path, name=gguf_file().stem)
    model.release()
    assert model.info.parameters


def test_another_models_name_is_refused(llama_cpp_url: str, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=f"serves {ALIAS}, not owl-7b"):
        load(llama_cpp_url, tmp_path, name="owl-7b")


def test_a_text_that_is_too_long_is_refused_before_the_first_request(
    served: LlamaCpp, local: HuggingFaceModel
) -> None:
    before = served.options.server.budget.requests
    queries = queries_of(local, ["An owl.", "owl " * 600])
    with pytest.raises(ModelError, match="at most 512 tokens"):
        answers(served, queries)
    assert served.options.server.budget.requests == before


def test_the_longest_text_that_fits_is_answered(local: HuggingFaceModel, tmp_path: Path) -> None:
    with llama_cpp_server(slots=1, context=256) as url:
        model = load(url, tmp_path)
        query = causal_query(local.tokenize("An owl hoots. " * 99).ids[: model.info.context])
        assert len(query.ids) == 256
        assert len(model.answer_singly(query)) == 255
        model.release()


def test_a_server_of_another_kind_is_refused(tmp_path: Path) -> None:
    with (
        serving(SimpleHTTPRequestHandler) as url,
        pytest.raises(ServerError, match="not llama.cpp's own server"),
    ):
        load(url, tmp_path)


def biased(answer: Answer) -> Answer:
    for entry in answer["completion_probabilities"]:
        entry["logprob"] = 0.0
    return answer


def unforced(answer: Answer) -> Answer:
    for entry in answer["completion_probabilities"]:
        entry["id"] += 1
    return answer


def without_list(answer: Answer) -> Answer:
    del answer["completion_probabilities"]
    return answer


def probabilities(answer: Answer) -> Answer:
    for entry in answer["completion_probabilities"]:
        entry["prob"] = entry.pop("logprob")
    return answer


def shortened(answer: Answer) -> Answer:
    return answer | {"tokens_evaluated": 1}


@pytest.mark.parametrize(
    ("alter", "message"),
    [
        (biased, "without it; update llama.cpp"),
        (unforced, "is forced; it may ignore `logit_bias`"),
        (without_list, "without completion_probabilities"),
        (probabilities, "no log-probability with a token"),
        (shortened, "an answer for 1 tokens to a prompt of 8"),
        (lambda answer: [answer], "no completion"),
        (lambda answer: (501, "not supported"), "does not complete text: 'not supported'"),
        (lambda answer: (400, "exceeds the context size"), "has no room for a text"),
    ],
)
def test_an_answer_that_cannot_be_right_is_refused_before_the_run(
    llama_cpp_url: str, tmp_path: Path, alter: Alteration, message: str
) -> None:
    with altered(llama_cpp_url, alter) as url, pytest.raises(ServerError, match=message):
        load(url, tmp_path)


def test_another_model_at_the_same_address_stops_the_run(
    llama_cpp_url: str, local: HuggingFaceModel, tmp_path: Path
) -> None:
    alterations: list[Alteration] = [lambda answer: answer]
    with altered(llama_cpp_url, lambda answer: alterations[-1](answer)) as url:
        model = load(url, tmp_path)
        alterations.append(lambda answer: answer | {"model": "elk-7b"})
        with pytest.raises(ServerError, match="now serves 'elk-7b' instead of"):
            answers(model, queries_of(local, TEXTS[:2]))
        model.release()


@contextmanager
def serving(handler: type[SimpleHTTPRequestHandler]) -> Iterator[str]:
    """Serve on a free port of this machine."""
    quiet = type("Quiet", (handler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), quiet) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def altered(url: str, alter: Alteration) -> AbstractContextManager[str]:
    """Serve what another server does, but for the answers to completions."""

    class Altering(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply(200, httpx.get(url + self.path).json())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            answer = httpx.post(url + self.path, content=body).json()
            changed = alter(answer) if self.path == "/completion" else answer
            if isinstance(changed, tuple):
                self.reply(changed[0], {"error": {"message": changed[1]}})
            else:
                self.reply(200, changed)

        def reply(self, status: int, answer: object) -> None:
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return serving(Altering)
