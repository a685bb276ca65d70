"""What the first line of a file in the thesis' format says of perturbations."""

from __future__ import annotations

from typing import Any

import pytest

from horsesense.datasets.exporters import Exported, wrapped
from horsesense.datasets.exporters.thesis_text import (
    original_line,
    perturbed_line,
    published_line,
    shared_wrapper,
)
from horsesense.schema import Dataset, Header, Step
from horsesense.schema.notation import WRAPPERS, parse_wrapper
from tests.datasets.exporters.folders import BUS, LADLE, dataset_of, entry, text_of

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
    made: dict[str, Any] = {
        "original": Header("kitchen"),
        "steps": (Step("switched", {}), Step("no-candidate", {})),
    }
    what = dataset_of(entry("1"), header=Header("kitchen.switched.no-candidate"), **made)
    first, *_ = text_of("thesis-text", what).split("\n")
    items = "perturbation: switched; baseline: remove candidates"
    assert first == f"schema type: adversarial; dataset name: kitchen; {items}"


def test_a_line_that_the_original_has_kept_is_gone_on_from() -> None:
    made: dict[str, Any] = {
        "original": Header("kitchen", note=SUBSET),
        "steps": (Step("switched", {}),),
    }
    first, *_ = text_of("thesis-text", dataset_of(entry("1"), **made)).split("\n")
    assert first == f"{SUBSET}, switched"


def test_it_is_said_if_nobody_knows_what_dyads_are_wrapped_in() -> None:
    dyad = entry(
        "1", "Ida finds it |odd, even| that a lorry <can, cannot> pass a {high, low} bridge."
    )
    told = "the wrapper of the dyads is unknown, so the first line does not name it"
    assert remarks(dataset_of(dyad)) == [told]
    made: dict[str, Any] = {"original": Header("kitchen"), "steps": (Step("dyadic", WRAPPER),)}
    assert remarks(dataset_of(dyad, **made)) == []


def first_line(what: Dataset) -> str:
    return text_of("thesis-text", what).partition("\n")[0]


OLD = "schema type: Winograd; dataset name: kitchen; perturbation: {}; baseline: no baseline"


@pytest.mark.parametrize(
    ("before", "steps", "after"),
    [
        ("dyadic", (), "original"),
        ("switched, dyadic", (Step("switched", {}),), "switched"),
    ],
)
def test_a_note_of_dyads_without_their_wrapper_is_completed_by_what_is_known(
    before: str, steps: tuple[Step, ...], after: str
) -> None:
    header = Header("kitchen.dyadic", note=OLD.format(before))
    ladle = LADLE.replace("[The ladle]", "[the ladle]")
    dyads = [entry(str(n), f"It is |true, false| that {ladle}") for n in (1, 2)]
    line = OLD.format(after).replace("Winograd", "Winograd dyad")
    # By the dyads themselves, and by how they were made.
    assert first_line(dataset_of(*dyads, header=header)) == f"{line}; {TOLD}"
    assert remarks(dataset_of(*dyads, header=header)) == []
    original = Header("kitchen", note=OLD.format("original"))
    other = {"wrapper": "I |agree, deny| that …"}
    made: dict[str, Any] = {"original": original, "steps": (*steps, Step("dyadic", other))}
    told = 'wrapper: "I [agree ~ deny] that SCHEMA."; truth pair: agree-deny'
    assert first_line(dataset_of(*dyads, header=header, **made)) == f"{line}; {told}"
    unknown: dict[str, Any] = {"original": Header("kitchen"), "steps": (*steps, Step("dyadic", {}))}
    assert first_line(dataset_of(*dyads, header=header, **unknown)) == f"{line}; {TOLD}"


def test_what_else_a_note_of_dyads_says_is_kept() -> None:
    header = Header("kitchen.dyadic", note=f"{OLD.format('dyadic')}; unreviewed: 1")
    dyad = entry("1", "It is |true, false| that {owls, voles} <do, do not> eat {voles, owls}")
    assert first_line(dataset_of(dyad, header=header)).endswith(f"; unreviewed: 1; {TOLD}")


def test_a_wrapper_that_not_all_dyads_share_is_not_told() -> None:
    header = Header("kitchen", note=OLD.format("dyadic"))
    dyads = [
        entry("1", "It is |true, false| that {owls, voles} <do, do not> eat {voles, owls}"),
        entry("2", "It is |false, true| that {owls, voles} <do, do not> eat {voles, owls}"),
    ]
    assert first_line(dataset_of(*dyads, header=header)) == header.note
    assert len(remarks(dataset_of(*dyads, header=header))) == 1


@pytest.mark.parametrize("name", WRAPPERS)
def test_dyads_show_which_of_the_named_wrappers_is_theirs(name: str) -> None:
    dyads = wrapped(dataset_of(entry("1"), entry("2", LADLE)), parse_wrapper(name), Exported())
    wrapper = shared_wrapper(one.grid for one in dyads)
    assert wrapper == parse_wrapper(name)
    assert shared_wrapper([]) is None and shared_wrapper([entry("1", BUS).grid]) is None


def remarks(what: Dataset) -> list[str]:
    report = Exported()
    text_of("thesis-text", what, report)
    return report.remarks
