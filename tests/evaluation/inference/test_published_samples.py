"""Samples of published datasets: problems, schemas, clusters, and what holds of which problems."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.evaluation.inference import answer_set_of, by_entry, pose, score
from horsesense.metrics import (
    Sample,
    female_gender_gap,
    male_gender_gap,
    problem_accuracy,
    sample_of,
    schema_accuracy,
    subset,
)
from horsesense.metrics.statistics import bootstrap
from horsesense.models import Family, load_model
from horsesense.schema import Header
from horsesense.scoring import Share, find_method

DATA = Path(__file__).parents[3].parent / "shared" / "data"
LABELS = DATA / "wsc_switched_associative_labels"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the published files are not at hand")


def source(path: Path) -> SourceFile:
    return SourceFile(path.name, path.read_bytes())


def answered_first(path: Path, *companions: Path, model: str = "first") -> Sample:
    """What choosing the first option always comes to, or what another baseline does."""
    reading = open_import(source(path), Header("set"), companions=[*map(source, companions)])
    posed = pose(reading)
    methods = [find_method("choice", Family.BASELINE)]
    scored = list(by_entry(posed, score(load_model(model), posed.problems, methods)))
    return sample_of(answer_set_of("choice", scored))


def test_the_triple_of_the_wsc273_is_two_schemas_in_one_cluster() -> None:
    found = answered_first(DATA / "wsc_xml" / "273" / "WSCollection.xml")
    assert (len(found.problems), len(found.schemas), found.cluster_count) == (273, 137, 136)
    # Nobody who always chooses the first option solves a schema.
    assert schema_accuracy(found) == Share(0, 137)
    assert problem_accuracy(found).value == pytest.approx(0.5, abs=0.05)


def test_subsets_are_of_problems_where_the_labels_are() -> None:
    found = answered_first(
        DATA / "wsc_xml" / "273" / "WSCollection.xml",
        LABELS / "WSC_associative_label.json",
        LABELS / "WSC_switched_label.json",
    )
    associative, switchable = (subset(found, name) for name in ("associative", "switchable"))
    assert (len(associative.problems), associative.cluster_count) == (37, 26)
    assert (len(switchable.problems), switchable.cluster_count) == (131, 65)
    # A schema of which one problem is associative counts among problems only.
    assert len(associative.schemas) == 11
    assert len(subset(found, "not associative").problems) == 236


def test_each_cell_of_the_gender_gaps_has_120_problems() -> None:
    found = answered_first(DATA / "winogender" / "all_sentences_gotcha.tsv")
    for gender in ("female", "male"):
        for gotcha in (True, False):
            cell = found.mark(gender) & (found.mark("gotcha") == gotcha)
            assert np.count_nonzero(cell) == 120
    assert female_gender_gap(found).value is not None
    assert male_gender_gap(found).value is not None


def test_variants_of_one_winogender_sentence_are_drawn_together() -> None:
    found = answered_first(DATA / "winogender" / "all_sentences_gotcha.tsv", model="longer")
    assert (len(found.problems), len(found.schemas), found.cluster_count) == (720, 360, 120)
    apart = replace(found, clusters=np.repeat(np.arange(360), 2), cluster_count=360)
    widths = []
    for data in (apart, found):
        (one,) = bootstrap([problem_accuracy], data, seed=0)
        assert one.interval is not None
        widths.append(one.interval.high - one.interval.low)
    # Three times the same answers are worth one: wider by about the root of three.
    assert widths[1] / widths[0] == pytest.approx(3**0.5, abs=0.1)
