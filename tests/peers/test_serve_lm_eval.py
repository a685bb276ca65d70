"""lm-evaluation-harness gets the same from our server as from its own transformers model.

The harness' client for completions sends token ids, and takes a continuation for greedy if the
log-probability of each of its tokens equals the highest one at its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from horsesense.models import LanguageModel, causal_query
from horsesense.schema import AxisName
from horsesense.web import serving
from tests.embedded import embedded_default
from tests.peers.peers import TOLERANCE, ask_peer, needs_peers, published

PROBLEMS = 40

pytestmark = needs_peers


@pytest.fixture(scope="module", params=[1, 8])
def compared(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """What the harness says of the same requests, with one or several of them in flight."""
    model = embedded_default()
    requests = _requests(model)
    with serving(model) as url:
        job = {"requests": requests, "in_flight": request.param}
        arguments = [str(model.folder), url, model.info.name]
        (reply,) = ask_peer("peer_completions", arguments, [job])
    yield reply


def _requests(model: LanguageModel) -> list[tuple[str, str]]:
    """Sentences cut after the option, and each context with what the model would say itself."""
    requests = []
    for problem in published("wsc266/wsc266.txt")[:PROBLEMS]:
        for sentence in problem.sentences:
            end = sentence.spans_of(AxisName.ANSWER)[-1].end
            context, continuation = sentence.text[:end], sentence.text[end:]
            requests += [(context, continuation), (context, _next_word(model, context))]
    return requests


def _next_word(model: LanguageModel, context: str) -> str:
    query = causal_query((*model.tokenize(context).ids, 0))
    ((_, _, rankings),) = next(iter(model.predict([query], 1)))
    (text,) = model.decode([[rankings[-1][0][0]]])
    return text


def test_log_likelihoods_are_those_of_the_model_by_itself(compared: dict[str, Any]) -> None:
    served, local = (compared[side]["log_likelihoods"] for side in ("served", "local"))
    assert len(served) == 4 * PROBLEMS
    assert served == pytest.approx(local, abs=TOLERANCE)


def test_a_continuation_is_greedy_where_it_is_for_the_model_by_itself(
    compared: dict[str, Any],
) -> None:
    served, local = (compared[side]["greedy"] for side in ("served", "local"))
    assert served == local
    assert 0 < sum(local) < len(local)
