"""The thesis' own data by the whole protocol: accuracies that a slow reference has found.

The reference asked the embedded default one sentence at a time, without BOS and without a table of
frequencies. It takes about a minute, so that all of it is asked once. The same figures without the
protocol are checked in every run of the tests, in `inference/test_published_figures.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from horsesense.evaluation.protocol import run_protocol
from horsesense.models import EMBEDDED
from horsesense.results import ResultKey, Results
from tests.embedded import embedded_default
from tests.evaluation.protocol.pantry import plan

DATA = Path(__file__).parents[4] / "shared" / "data"
FILES = ("wsc266/wsc266.txt", "reid250/reid250.txt")
METHODS = ("all-but-first", "loss", "partial", "smart@1")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not all((DATA / file).exists() for file in FILES), reason="the published data are not here"
    ),
]

# Problem and schema accuracy by each method, in the order of METHODS.
FOUND = {
    "wsc266": (".556 .128", ".549 .113", ".605 .271", ".617 .293"),
    "reid250": (".508 .088", ".512 .080", ".504 .072", ".512 .080"),
}


@pytest.fixture(scope="module")
def profile() -> Results:
    embedded_default()
    files = tuple(str(DATA / file) for file in FILES)
    return run_protocol(plan(models=(EMBEDDED,), data=files, methods=METHODS), None)


@pytest.mark.parametrize("dataset", FOUND)
def test_accuracies_are_those_of_the_reference(profile: Results, dataset: str) -> None:
    found = []
    for method in METHODS:
        at = ResultKey(EMBEDDED, dataset, method=method)
        measured = [profile.value(at, name) for name in ("problem-accuracy", "schema-accuracy")]
        found.append(" ".join(f"{one.value:.3f}"[1:] for one in measured if one and one.value))
    assert tuple(found) == FOUND[dataset]


def test_the_standard_method_is_the_thesis_own(profile: Results) -> None:
    assert dict(profile.models[0].standard) == {"wsc266": "smart@1", "reid250": "smart@1"}
    assert [(one.problems, one.schemas) for one in profile.datasets] == [(266, 133), (250, 125)]
    assert [one.is_winograd for one in profile.datasets] == [True, False]
