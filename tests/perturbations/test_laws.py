"""What every transformation has to keep, whoever wrote it."""

from dataclasses import replace

import pytest
from hypothesis import given

from horsesense.perturbations import (
    TRANSFORMATIONS,
    Level,
    Perturbed,
    Purpose,
    Right,
    SkippedEntry,
    Transformation,
    pairs,
    perturb,
    perturb_entry,
)
from horsesense.perturbations.transformation import example_of
from horsesense.schema import Entry, Mode, Problem, problems, schemas
from horsesense.schema.notation import parse_grid, print_entry, print_grid
from tests.strategies import brisk, entries, tame

every = pytest.mark.parametrize("transformation", TRANSFORMATIONS.values(), ids=TRANSFORMATIONS)
# Those that parse English take long, and random words are no English.
NAMES = (
    "switched no-candidate by-key by-boolean dyadic part-sent local-context key-masked zero-shot "
    "successor-only"
)
ENDS = " .?!…()"
MECHANICAL = [TRANSFORMATIONS[name] for name in str.split(NAMES)]


def applied(transformation: Transformation) -> tuple[Entry, Entry]:
    """The example before and after."""
    before = example_of(transformation)
    done = perturb_entry(before, transformation, transformation.settings())
    assert isinstance(done, Perturbed), done
    return before, done.entry


@every
def test_the_example_of_every_transformation_can_be_transformed(
    transformation: Transformation,
) -> None:
    before, after = applied(transformation)
    if transformation.mode is Mode.BY_ANSWER:
        assert print_grid(after.grid) != print_grid(before.grid)
    assert after.id == before.id


@every
def test_every_declaration_is_complete(transformation: Transformation) -> None:
    one = transformation
    for text in (one.title, one.source, one.precondition, one.tests, one.example):
        assert text.strip()
    assert one.version >= 1
    assert [*one.parameters] == [p for p in one.parameters if p.about]
    assert all(not p.choices or p.default in p.choices for p in one.parameters)


@every
def test_the_right_answer_of_the_example_is_what_is_declared(
    transformation: Transformation,
) -> None:
    before, after = applied(transformation)
    check_right(before, after, transformation)


@every
@pytest.mark.parametrize("seed", [0, 1, -7, 2**63 - 1])
def test_the_same_seed_gives_the_same_bytes(transformation: Transformation, seed: int) -> None:
    before = example_of(transformation)
    settings = [transformation.settings(seed=seed) for _ in range(2)]
    first, second = (perturb_entry(before, transformation, one) for one in settings)
    assert isinstance(first, Perturbed) and isinstance(second, Perturbed)
    assert print_entry(first.entry) == print_entry(second.entry)
    # What else is in a dataset, and what comes before, does not matter.
    *_, third = perturb([replace(before, id="other"), before], transformation, settings[0])
    assert third == first


@pytest.mark.parametrize("transformation", MECHANICAL, ids=lambda one: one.name)
@brisk
@given(before=entries(tame))
def test_schemas_and_pairs_are_preserved(transformation: Transformation, before: Entry) -> None:
    # Material by hand may say anything.
    before = replace(before, phrases=(), versions=())
    done = perturb_entry(before, transformation, transformation.settings())
    if isinstance(done, SkippedEntry):
        assert done.id == before.id
        assert done.reason
        return
    assert done == perturb_entry(before, transformation, transformation.settings())
    assert done.pairs == pairs(before.grid, done.entry.grid, transformation)
    check_pairs(before, done.entry, transformation)
    check_right(before, done.entry, transformation)
    assert parse_grid(print_grid(done.entry.grid)) == done.entry.grid


def check_pairs(before: Entry, after: Entry, transformation: Transformation) -> None:
    """Problems of one schema go to problems of one schema, none is lost, and none made up."""
    found = pairs(before.grid, after.grid, transformation)
    if transformation.level is Level.SCHEMA:
        assert found == ()
        return
    old, new = problems(before.grid), problems(after.grid, transformation.mode)
    assert {pair.before for pair in found} == set(range(len(old)))
    assert sorted(pair.after for pair in found) == list(range(len(new)))
    count = 2 if transformation.right is Right.SPLIT else 1
    assert len(schemas(after.grid)) == count * len(schemas(before.grid))


def check_right(before: Entry, after: Entry, transformation: Transformation) -> None:
    """The right answer is the one that the transformation declares."""
    old, new = problems(before.grid), problems(after.grid, transformation.mode)
    for pair in pairs(before.grid, after.grid, transformation):
        was, now = old[pair.before], new[pair.after]
        if was.right is None:
            assert now.right is None
            continue
        assert now.right == pair.options[was.right]
        told = _told(was, now, transformation.right)
        assert told is None or told[0] == told[1]
    if transformation.right is Right.NONE:
        assert [one.right for one in new] == [None]
    if transformation.mode is not Mode.BY_ANSWER:
        sensible = {one.sentences[one.right].text for one in new if one.right is not None}
        known = [one.sentences[one.right].text for one in old if one.right is not None]
        assert sensible >= set(known)


def _told(was: Problem, now: Problem, right: Right) -> tuple[str, str] | None:
    """What the right answer is and what it should be, without capitals, where that is declared.

    An answer that has become a sentence of its own ends as one does.
    """
    assert was.right is not None and now.right is not None
    options = [option[0].lower().rstrip(ENDS) for option in was.options]
    expected = {
        Right.SAME: options[was.right],
        Right.OTHER: options[1 - was.right],
    }
    if right not in expected:
        return None
    return now.options[now.right][0].lower().rstrip(ENDS), expected[right]


def test_what_is_left_out_keeps_its_place() -> None:
    one = TRANSFORMATIONS["switched"]
    lorry = Entry("lorry", parse_grid("a lorry <can, cannot> pass under a {high, low} bridge"))
    rope = replace(example_of(one), id="rope")
    found = list(perturb([lorry, rope, replace(lorry, id="other")], one, one.settings()))
    assert [type(done) for done in found] == [SkippedEntry, Perturbed, SkippedEntry]


def test_controls_and_consistency_tests_are_what_the_papers_say() -> None:
    controls = {n for n, one in TRANSFORMATIONS.items() if one.purpose is Purpose.CONTROL}
    assert controls == {
        "no-candidate",
        "part-sent",
        "local-context",
        "key-masked",
        "successor-only",
    }
