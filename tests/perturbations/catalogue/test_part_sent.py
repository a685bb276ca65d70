import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given

from horsesense.datasets.importers.formats.square_one import FORMAT
from horsesense.perturbations import Perturbed, SkippedEntry, Voucher
from horsesense.perturbations.candidates import each_part
from horsesense.perturbations.catalogue.cutting import PART_SENT
from horsesense.perturbations.checks import sentences
from horsesense.schema import BLANK, Entry, Grid, LooseProblem, Schema, join_parts, problems
from tests.datasets.importers.imported import imported, published
from tests.perturbations.written import applied, entry, result, sensible
from tests.strategies import brisk, singles, tame, winograds

KETTLE = "[The kettle] hit [the tap] because <it = the kettle, the tap> was {tall, low}."
PLACE = "winograd_square_one/winohard"


def test_only_the_clause_with_the_blank_is_left() -> None:
    done = result(PART_SENT, entry(KETTLE))
    assert isinstance(done, Perturbed)
    assert sensible(done.entry.grid) == [
        "Because the kettle was tall.",
        "Because the tap was low.",
    ]
    assert (done.how, done.voucher) == ("split at because", Voucher.RULE)


@pytest.mark.parametrize(
    ("marker", "start", "first"),
    [
        ("kept", "capital", "Because the kettle was tall."),
        ("kept", "lower", "because the kettle was tall."),
        ("dropped", "capital", "The kettle was tall."),
        ("dropped", "lower", "the kettle was tall."),
    ],
)
def test_marker_and_capital_are_for_the_user_to_choose(marker: str, start: str, first: str) -> None:
    done = result(PART_SENT, entry(KETTLE), marker=marker, start=start)
    assert isinstance(done, Perturbed)
    assert sensible(done.entry.grid)[0] == first


@pytest.mark.parametrize(
    ("before", "left"),
    [
        ("[Nora] met [Lena], and though ", "though "),
        ("[Nora] met [Lena], and as ", "and as "),
        ("[Nora] met [Lena]; ", ""),
        ("[Nora] met [Lena]. But ", "But "),
        ("[Nora] met [Lena] (at home.) Then ", "Then "),
        ("[Nora] met [Lena], and Mr. Hill in 1.5 so-called hours as ", "and Mr. Hill in 1.5 so-"),
        ("[1: Nora] met [2: Lena], since [2: Lena] wept as ", "since [2: Lena] wept as "),
        ("[Nora] met [Lena] due to the 10:30 or 1,000 as ", "due to the 10:30 or 1,000 as "),
    ],
)
def test_it_is_split_at_the_last_mark_or_marker_before_the_blank(before: str, left: str) -> None:
    done = applied(PART_SENT, entry(f"{before}<she = Nora, Lena> sang, and was {{ill, well}}."))
    assert done.startswith(left)
    assert done.endswith(
        f"{before[-3:] * bool(left)}<she = Nora, Lena> sang, and was {{ill, well}}."
    )


@pytest.mark.parametrize(
    "before", ["[Nora] met [Lena] as ", "[Nora and Tom] met [Lena] as ", "So "]
)
def test_where_there_is_no_marker_nothing_is_cut(before: str) -> None:
    done = applied(PART_SENT, entry(f"{before}<she = Nora, Lena> sang, and was {{ill, well}}."))
    assert done == "(there is no text before the remaining part)"


def test_a_key_phrase_that_is_the_marker_stays_with_it() -> None:
    text = "[Nora] met [Lena] {because, although} <she = Nora, Lena> was out."
    assert applied(PART_SENT, entry(text)) == "{because, although} <she = Nora, Lena> was out."
    lost = "(the key phrase is not in the remaining part)"
    assert applied(PART_SENT, entry(text), marker="dropped") == lost


def test_a_schema_whose_key_phrase_would_go_is_left_out() -> None:
    text = "[Nora] {fed, fled} [Lena] because <she = Nora, Lena> was kind."
    assert applied(PART_SENT, entry(text)) == "(the key phrase is not in the remaining part)"


def test_every_problem_of_a_loose_pair_is_split_by_itself() -> None:
    text = (
        "[The bus] met [the van] because <it = the bus*, the van> was late.\n"
        "& [The van] stood still, so <it = the bus, the van*> was hit."
    )
    assert applied(PART_SENT, entry(text)) == (
        "because <it = the bus*, the van> was late.\n& so <it = the bus, the van*> was hit."
    )


def test_what_is_verbatim_stays_so_and_gets_its_capital() -> None:
    text = "! [The bus] hit [the van] because <? it = the bus, the van> was late ."
    left = "<? it = the bus, the van> was late ."
    assert applied(PART_SENT, entry(text)) == f"! Because {left}"
    assert applied(PART_SENT, entry(text), start="lower") == f"! because {left}"


def test_it_applies_to_its_example() -> None:
    assert applied(PART_SENT, entry(PART_SENT.example.strip())).startswith("because <it = ")


def after_a_clause(grid: Grid) -> Grid:
    """The grid, with a clause before it that can be cut off."""

    def begun(part: Schema | LooseProblem) -> Schema | LooseProblem:
        return replace(part, frame=join_parts(["Fog came, and ", *part.frame]))

    return each_part(grid, begun)


@given(grid=(singles(tame) | winograds(tame)).map(after_a_clause))
@brisk
def test_with_the_start_as_it_was_every_sentence_is_the_end_of_one(grid: Grid) -> None:
    done = result(PART_SENT, Entry("x", grid), start="lower", marker="dropped")
    assume(isinstance(done, Perturbed))
    assert isinstance(done, Perturbed)
    for old, new in zip(sentences(grid), sentences(done.entry.grid), strict=True):
        assert old.endswith(new) and old != new
    before, after = problems(grid), problems(done.entry.grid)
    assert [one.right for one in before] == [one.right for one in after]


def test_published_statements_come_out_to_the_letter() -> None:
    entries = imported(FORMAT, published(f"{PLACE}/pairs/dev.jsonl").data).entries
    rows = map(json.loads, published(f"{PLACE}/truncated/dev.jsonl").data.splitlines())
    theirs = {row["qID"]: row["sentence"].strip() for row in rows}
    found: Counter[str] = Counter()
    for one in entries:
        names = dict(one.extras)["x-problems"].split(", ")
        known = {theirs[name] for name in names if name in theirs}
        done = result(PART_SENT, one, start="lower", marker="dropped")
        if isinstance(done, SkippedEntry):
            # Theirs has the same text twice then, with opposite labels, or lacks a problem.
            assert len(known) < 2
            found["left out"] += 1
            continue
        for problem in problems(done.entry.grid):
            is_known = problem.statement.text.replace(BLANK, "_") in known
            found["identical" if is_known else "different"] += 1
    # The one that differs has two spaces side by side in their file.
    assert found == {"identical": 523, "different": 1, "left out": 22}
