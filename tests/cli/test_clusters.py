"""Variants of one sentence are one cluster, from the import to a report."""

from __future__ import annotations

import json
from pathlib import Path

from horsesense.results.document import from_document
from tests.cli.conftest import Run, write

PRONOUNS = {"male": "he", "female": "she", "neutral": "they"}


def winogender() -> str:
    """Two occupations, each with a schema in three genders."""
    rows = [
        f"{who}.tenant.{right}.{gender}.txt\tThe {who} told the tenant that {it} would be {end}."
        for who in ("plumber", "joiner")
        for right, end in enumerate(("paid", "finished"))
        for gender, it in PRONOUNS.items()
    ]
    return "\n".join(["sentid\tsentence", *rows]) + "\n"


def test_a_cluster_survives_the_store_a_schema_file_a_perturbation_and_a_log(run: Run) -> None:
    write("jobs.tsv", winogender())
    assert run("dataset", "import", "jobs.tsv", "--name", "jobs").exit_code == 0
    assert run("dataset", "export", "jobs", "--output", "again.schemas").exit_code == 0
    assert "cluster:plumber.tenant" in Path("again.schemas").read_text()
    for what in (("--dataset", "jobs"), ("again.schemas",)):
        result = run("score", *what, "--model", "longer", "--output", "scores.jsonl", "--force")
        assert result.exit_code == 0, result.output
        told = run("metric", "compute", "scores.jsonl", "--metric", "a").stdout
        assert "12 problems in 6 schemas, 2 clusters" in told
    result = run("run", "--model", "longer", "--data", "jobs", "--resamples", "20", "--json")
    profile = from_document(json.loads(result.stdout))
    forms = {one.key.variant for one in profile.estimates}
    assert {"original", "by-key", "no-candidate"} <= forms
    assert {one.n_clusters for one in profile.estimates if one.value is not None} == {2}
    assert not any(tag.startswith("cluster:") for tag in profile.datasets[0].tags)
