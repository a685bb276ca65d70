"""What docs/data.md says of the datasets in the box is what comes out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from horsesense.audit import CONTROLS, audit, chosen_checks
from horsesense.datasets.builtin import BUILT_IN
from horsesense.datasets.files import read_dataset
from horsesense.evaluation.inference import by_entry, pose, score, summarize
from horsesense.schema import Dataset
from horsesense.scoring import find_method
from tests.embedded import embedded_default

DOCS = Path(__file__).parents[2] / "docs"
# Those for which published files or a model are needed.
ELSEWHERE = ("overlap", *CONTROLS)
PUBLISHED = [Path(__file__).parents[2].parent / "shared" / "data"]


@pytest.fixture(scope="module", params=BUILT_IN)
def own(request: pytest.FixtureRequest) -> Dataset:
    return read_dataset(request.param)


def test_the_audit_finds_nothing_wrong_and_what_the_docs_say(own: Dataset) -> None:
    told = {row["name"]: row for row in _rows("own_audit.json") if row["dataset"] == own.name}
    for checked in audit(own, only=[one for one in chosen_checks() if one not in ELSEWHERE]):
        assert checked.concerns == ()
        assert checked.skipped == told[checked.name]["skipped"]
        for figure in checked.figures:
            value = told[checked.name]["figures"][figure.name][0]
            assert figure.value == pytest.approx(value, abs=2e-3), (checked.name, figure.name)
    assert not any(told[name]["concerns"] for name in ELSEWHERE)


def test_it_shares_no_run_of_words_with_published_files(own: Dataset) -> None:
    if not PUBLISHED[0].exists():
        pytest.skip("the published files are not here")
    [checked] = audit(own, only=["overlap"], against=PUBLISHED)
    assert checked.concerns == ()
    assert {figure.name: figure.value for figure in checked.figures}["files read"]


@pytest.mark.long
def test_the_embedded_default_still_answers_as_the_docs_say(own: Dataset) -> None:
    model = embedded_default()
    posed = pose(own.entries)
    method = find_method("partial", model.info.family)
    summary = summarize("partial", list(by_entry(posed, score(model, posed.problems, [method]))))
    [told] = [
        row
        for row in _rows("own_data.json")
        if (row["dataset"], row["method"]) == (own.name, "partial")
    ]
    assert summary.problems.value == pytest.approx(told["a"][0], abs=1e-3)
    assert summary.schemas.value == pytest.approx(told["A"][0], abs=1e-3)


def test_the_docs_say_that_artefacts_and_controls_are_at_chance() -> None:
    rows = _rows("own_audit.json")
    told = [row for row in rows if row["name"] in ("bag-of-words", "n-grams", *CONTROLS)]
    shares = [row["figures"]["problem accuracy"] for row in told if not row["skipped"]]
    assert len(shares) >= 8
    assert all(low <= 0.5 <= high for _, low, high in shares)


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((DOCS / name).read_text(encoding="utf-8"))
    return rows
