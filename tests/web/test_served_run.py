"""The embedded default behind our server gives what it gives by itself, to our own client."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from horsesense.evaluation.inference import ObservedProblem, score
from horsesense.models import (
    CausalObservation,
    LanguageModel,
    ServerOptions,
    causal_query,
    load_model,
)
from horsesense.scoring import find_method
from horsesense.scoring.outcome import Outcome
from horsesense.web import serving
from tests.embedded import embedded_default
from tests.peers.peers import published
from tests.web.served import Client, Reference

ROUNDING = 1e-4


@dataclass(frozen=True, slots=True)
class Compared:
    """The problems of WSC266 scored by a model, on this machine and behind the server."""

    local: Sequence[ObservedProblem]
    served: Sequence[ObservedProblem]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compared]:
    model, asked = embedded_default(), published("wsc266/wsc266.txt")
    method = find_method("partial", model.info.family)
    with serving(model) as url:
        name = f"openai:{model.info.name}@{url}"
        options = ServerOptions(concurrency=32)
        served = load_model(name, cache=tmp_path_factory.mktemp("cache"), server=options)
        assert isinstance(served, LanguageModel) and served.is_served
        answers = list(score(served, asked, [method]))
        served.release()
    yield Compared(list(score(model, asked, [method])), answers)


def observations(scored: Sequence[ObservedProblem]) -> list[CausalObservation]:
    return [
        observation
        for problem in scored
        for observation in problem.observations
        if isinstance(observation, CausalObservation)
    ]


def test_every_token_has_the_same_log_probability(compared: Compared) -> None:
    local, served = observations(compared.local), observations(compared.served)
    assert len(local) == len(served) == 532
    for ours, theirs in zip(local, served, strict=True):
        assert theirs.tokens.tokenization.ids == ours.tokens.tokenization.ids
        for expected, value in zip(ours.log_probs, theirs.log_probs, strict=True):
            assert value == (expected and pytest.approx(expected, abs=ROUNDING))


def test_every_decision_is_the_same(compared: Compared) -> None:
    assert decisions(compared.served) == decisions(compared.local)


def decisions(scored: Sequence[ObservedProblem]) -> list[int | None]:
    outcomes = [problem.outcomes["partial"] for problem in scored]
    return [outcome.chosen for outcome in outcomes if isinstance(outcome, Outcome)]


def test_the_embedded_default_is_scored_like_by_a_plain_forward_pass() -> None:
    model = embedded_default()
    reference = Reference(Path(model.folder))
    texts = ["The kite sank because it was heavy.", "naïve 🪁", "Owls\nhoot"]
    with serving(model) as url:
        client = Client(url, model.info.name)
        with client.http:
            choices = client.complete(texts, logprobs=5, max_tokens=1, return_token_ids=True)
    for text, choice in zip(texts, choices, strict=True):
        ids = list(model.tokenize(text).ids)
        assert choice["prompt_token_ids"] == ids
        *scores, generated = choice["logprobs"]["token_logprobs"]
        assert scores[0] is None
        assert scores[1:] == pytest.approx(reference.scores(ids)[1:], abs=ROUNDING)
        (best,) = reference.ranking(ids, len(ids) - 1, 1)
        assert choice["token_ids"] == [best]
        expected = model.answer_singly(causal_query((*ids, best)))[-1]
        assert generated == pytest.approx(expected, abs=ROUNDING)
        for at, top in enumerate(choice["logprobs"]["top_logprobs"][1:-1]):
            row = reference.log_probs(tuple(ids))[at]
            ranked = [row[token] for token in reference.ranking(ids, at, 5)]
            assert [*top.values()][:5] == pytest.approx(ranked, abs=ROUNDING)
