"""Perturbations that were made here, in the thesis' line format."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, published, write
from tests.cli.quay import HARBOUR_SCHEMAS

TOLD = 'wrapper: "It is [true ~ false] that SCHEMA."; truth pair: true-false'


def first_line(run: Run, name: str) -> str:
    result = run("dataset", "export", name, "--format", "thesis-text")
    assert result.exit_code == 0, result.stderr
    return result.stdout.partition("\n")[0]


def test_the_first_line_says_how_a_perturbation_was_made(run: Run) -> None:
    run("dataset", "import", write("quay.schemas", HARBOUR_SCHEMAS))
    run("perturb", "apply", "switched", "quay")
    run("perturb", "apply", "no-candidate", "quay.switched")
    switched = "schema type: Winograd; dataset name: quay; perturbation: switched; baseline: "
    assert first_line(run, "quay.switched") == f"{switched}no baseline"
    assert first_line(run, "quay.switched.no-candidate") == f"{switched}remove candidates"


def test_dyads_have_their_wrapper_in_the_first_line(run: Run) -> None:
    run("dataset", "import", write("quay.schemas", HARBOUR_SCHEMAS))
    run("perturb", "apply", "dyadic", "quay")
    items = f"dataset name: quay; perturbation: original; baseline: no baseline; {TOLD}"
    assert first_line(run, "quay.dyadic") == f"schema type: adversarial dyad; {items}"


def test_dyads_read_back_from_notation_have_their_wrapper_in_the_first_line(run: Run) -> None:
    run("dataset", "import", write("quay.schemas", HARBOUR_SCHEMAS))
    run("perturb", "apply", "dyadic", "quay")
    run("dataset", "export", "quay.dyadic", "--format", "notation", "--output", "dyads.schemas")
    run("dataset", "import", "dyads.schemas", "--name", "again")
    assert first_line(run, "again").endswith(TOLD)


def test_what_has_made_a_dataset_is_known_when_its_perturbation_is_gone(run: Run) -> None:
    run("dataset", "import", write("quay.schemas", HARBOUR_SCHEMAS))
    run("perturb", "apply", "switched", "quay")
    run("perturb", "remove", "quay.switched", "--yes")
    assert "dataset name: quay; perturbation: switched;" in first_line(run, "quay.switched")


@pytest.mark.parametrize(
    ("original", "transformation", "other"),
    [
        ("reid250/reid250.txt", "by-key", "reid250/reid250-inverted.txt"),
        ("reid250/reid250.txt", "dyadic", "reid250/reid250x2-v1-by-answer.txt"),
    ],
)
def test_perturbations_of_published_files_are_the_published_ones_to_the_letter(
    run: Run, original: str, transformation: str, other: str
) -> None:
    run("dataset", "import", str(published(original)), "--name", "thesis")
    run("perturb", "apply", transformation, "thesis")
    name = f"thesis.{transformation}"
    result = run("dataset", "export", name, "--format", "thesis-text", "--output", "out.txt")
    assert result.exit_code == 0, result.stderr
    assert Path("out.txt").read_bytes() == published(other).read_bytes()


@pytest.mark.parametrize(
    ("original", "transformation", "other"),
    [
        ("wsc266/wsc266.txt", "by-key", "wsc266/wsc266.txt"),
        ("wsc266/wsc266_associative.txt", "no-candidate", "wsc266/wsc266_associative_nocands.txt"),
    ],
)
def test_the_first_lines_are_those_of_the_published_files(
    run: Run, original: str, transformation: str, other: str
) -> None:
    run("dataset", "import", str(published(original)), "--name", "thesis")
    run("perturb", "apply", transformation, "thesis")
    line = published(other).read_text().partition("\n")[0]
    assert first_line(run, f"thesis.{transformation}") == line
