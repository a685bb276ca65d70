"""What the first line of a file in the thesis' format says of perturbations."""

from __future__ import annotations

import pytest

from horsesense.exporters import Exported, Made, Outgoing, Step
from horsesense.exporters.thesis_line import original_line, perturbed_line, published_line
from horsesense.schema import Header
from tests.exporters.folders import entry, outgoing, text_of

ORIGINAL = original_line("Winograd", "kitchen")
SUBSET = "schema type: Winograd; dataset name: kitchen; perturbation: associative"
WRAPPER = {"wrapper": "It is |true, false| that …"}
TOLD = 'wrapper: "It is [true ~ false] that SCHEMA."; truth pair: true-false'


@pytest.mark.parametrize(
    ("line", "transformation", "expected"),
    [
        (ORIGINAL, "switched", ORIGINAL.replace("original", "switched")),
        (ORIGINAL, "by-key", ORIGINAL),
        (ORIGINAL, "by-boolean", ORIGINAL),
        (ORIGINAL, "no-candidate", ORIGINAL.replace("no baseline", "remove candidates")),
        (SUBSET, "switched", f"{SUBSET}, switched"),
        (SUBSET, "no-candidate", f"{SUBSET}; baseline: remove candidates"),
        ("schema type: Winograd; dataset: x", "voice",
         "schema type: Winograd; dataset: x; perturbation: voice"),
    ],
)  # fmt: skip
def test_a_perturbation_is_named_as_the_thesis_names_it(
    line: str, transformation: str, expected: str
) -> None:
    assert perturbed_line(line, transformation, {}) == expected


def test_dyads_are_told_with_their_wrapper_as_far_as_it_is_known() -> None:
    line = ORIGINAL.replace("Winograd", "Winograd dyad")
    assert perturbed_line(ORIGINAL, "dyadic", WRAPPER) == f"{line}; {TOLD}"
    assert perturbed_line(line, "dyadic", WRAPPER) == f"{line}; {TOLD}"
    assert perturbed_line(ORIGINAL, "dyadic", {}) == line


def test_a_line_is_kept_as_a_published_one_only_where_such_files_are_published() -> None:
    for transformation in ("switched", "by-key", "dyadic", "no-candidate"):
        assert published_line(ORIGINAL, transformation, {})
        assert not published_line("a note", transformation, {})
    assert published_line(f"{SUBSET}; baseline: no baseline", "no-candidate", {})
    assert not published_line(SUBSET, "switched", {})
    assert not published_line(SUBSET, "no-candidate", {})


def test_the_line_of_a_perturbation_names_its_original_and_every_step() -> None:
    made = Made(Header("kitchen"), (Step("switched", {}), Step("no-candidate", {})))
    what = outgoing(entry("1"), header=Header("kitchen.switched.no-candidate"), made=made)
    first, *_ = text_of("thesis-text", what).split("\n")
    items = "perturbation: switched; baseline: remove candidates"
    assert first == f"schema type: adversarial; dataset name: kitchen; {items}"


def test_a_line_that_the_original_has_kept_is_gone_on_from() -> None:
    made = Made(Header("kitchen", note=SUBSET), (Step("switched", {}),))
    first, *_ = text_of("thesis-text", outgoing(entry("1"), made=made)).split("\n")
    assert first == f"{SUBSET}, switched"


def test_it_is_said_if_nobody_knows_what_dyads_are_wrapped_in() -> None:
    dyad = entry("1", "It is |true, false| that a lorry <can, cannot> pass a {high, low} bridge.")
    told = "nothing says what the dyads are wrapped in; the first line does not"
    assert remarks(outgoing(dyad)) == [told]
    made = Made(Header("kitchen"), (Step("dyadic", WRAPPER),))
    assert remarks(outgoing(dyad, made=made)) == []


def remarks(what: Outgoing) -> list[str]:
    report = Exported()
    text_of("thesis-text", what, report)
    return report.remarks
