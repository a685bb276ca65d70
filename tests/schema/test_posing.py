from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest

from horsesense.schema import (
    Dataset,
    Entry,
    Header,
    Mode,
    Schema,
    first_schemas,
    pose,
    pose_entry,
    sample_schemas,
    wrap,
)
from horsesense.schema.notation import parse_grid, parse_wrapper

KETTLE = Entry("kettle", parse_grid("a kettle <can, cannot> boil on a {hot, cold} stove"))
OWLS = Entry("owls", parse_grid("<Owls hunt mice.*, Mice hunt owls.>"))
UNSOLVED = Entry("open", parse_grid("the lamp is <? on, off> now"))
TREES = Entry(
    "trees", parse_grid("trees have {leaves, legs} <always, never>"), flags=(("invertible", False),)
)
WRAPPER = parse_wrapper("It is |true, false| that …")
ENTRIES = (KETTLE, OWLS, UNSOLVED, TREES)


def test_what_an_author_rules_out_is_left_out_with_the_reason() -> None:
    posed = pose(ENTRIES, Mode.BY_KEY)
    assert [entry.id for entry in posed.entries] == ["kettle"]
    assert [one.ids for one in posed.left_out] == [("owls",), ("open",), ("trees",)]
    assert posed.left_out[-1].reason == "its author says that it is not invertible"


def test_the_first_schemas_are_counted_as_schemas_and_single_problems() -> None:
    assert first_schemas(ENTRIES, 2) == (KETTLE, OWLS)
    assert first_schemas(ENTRIES, 9) == ENTRIES
    assert isinstance(KETTLE.grid, Schema)
    dyad = Entry("dyad", wrap(KETTLE.grid, WRAPPER))
    assert first_schemas((dyad, OWLS, TREES), 3) == (dyad, OWLS)


def named(*names: str, tags: tuple[str, ...] = ()) -> tuple[Entry, ...]:
    return tuple(replace(KETTLE, id=name, tags=tags) for name in names)


def ids(entries: Iterable[Entry]) -> list[str]:
    return [entry.id for entry in entries]


MANY = named(*(f"kettle-{number:03}" for number in range(200)))


def test_a_sample_depends_on_the_seed_and_keeps_the_order() -> None:
    sample = ids(sample_schemas(MANY, 50, seed=3))
    assert sample == sorted(sample) and len(set(sample)) == 50
    assert sample != ids(sample_schemas(MANY, 50, seed=4))
    assert sample != ids(MANY[:50])
    assert sample_schemas(MANY, 500, seed=3) == MANY


def test_a_sample_does_not_depend_on_the_order_and_is_part_of_a_larger_one() -> None:
    sample = set(ids(sample_schemas(MANY, 50, seed=3)))
    assert set(ids(sample_schemas(MANY[::-1], 50, seed=3))) == sample
    assert sample < set(ids(sample_schemas(MANY, 80, seed=3)))


def test_every_schema_is_drawn_about_equally_often() -> None:
    counts = Counter(name for seed in range(400) for name in ids(sample_schemas(MANY, 50, seed)))
    # 100 expected, with a standard deviation of 9.
    assert len(counts) == 200 and 60 < min(counts.values()) <= max(counts.values()) < 140


@pytest.mark.parametrize("seed", range(5))
def test_clusters_are_drawn_together(seed: int) -> None:
    owls = named("owl-he", "owl-she", "owl-they", tags=("cluster:owl",))
    # Joined by an entry in both clusters.
    joined = (
        *named("bee", tags=("cluster:bees",)),
        *named("both", tags=("cluster:bees", "cluster:ants")),
        *named("ant", tags=("cluster:ants",)),
    )
    drawn = set(ids(sample_schemas((*owls, *MANY[:4], *joined), 5, seed)))
    for cluster in (owls, joined):
        assert len(drawn.intersection(ids(cluster))) in (0, 3)
    assert 5 <= len(drawn) <= 7


def test_a_dyad_is_two_schemas() -> None:
    (entry,) = pose([KETTLE], Mode.BY_BOOLEAN, wrapper=WRAPPER).entries
    assert len(entry.problems) == 4
    assert sorted(at for pair in entry.pairs for at in pair) == [0, 1, 2, 3]


def test_what_is_loose_is_posed_as_it_stands_in_a_dataset_that_declares_its_mode() -> None:
    posed = pose(Dataset(Header("home", mode=Mode.BY_KEY), ENTRIES))
    assert [entry.id for entry in posed.entries] == ["kettle", "owls", "open"]
    assert (posed.mode, posed.as_they_stand) == (Mode.BY_KEY, ("owls", "open"))
    assert [one.ids for one in posed.left_out] == [("trees",)]
    assert posed.entries[1:] == pose((OWLS, UNSOLVED)).entries


def test_nothing_loose_goes_into_a_wrapper_whatever_is_declared() -> None:
    wrapper = parse_wrapper("It is |true, false| that …")
    posed = pose(Dataset(Header("owls", mode=Mode.BY_BOOLEAN), [OWLS]), wrapper=wrapper)
    assert (posed.entries, posed.as_they_stand) == ((), ())


def test_another_mode_than_the_declared_one_leaves_out_what_is_loose() -> None:
    dataset = Dataset(Header("home", mode=Mode.BY_ANSWER), ENTRIES, mode=Mode.BY_KEY)
    assert [entry.id for entry in pose(dataset).entries] == ["kettle"]
    assert pose(dataset, Mode.BY_ANSWER).entries == pose(ENTRIES).entries


def test_an_entry_knows_its_schemas_and_the_tags_of_its_problems() -> None:
    posed = pose_entry(KETTLE)
    assert (posed.id, posed.pairs) == ("kettle", ((0, 1),))
    assert posed.tags == (frozenset({"substitution-schema"}),) * 2
