from __future__ import annotations

from horsesense.schema import Dataset, Entry, Header, Mode, pose, pose_entry
from horsesense.schema.notation import parse_grid, parse_wrapper

KETTLE = Entry("kettle", parse_grid("a kettle <can, cannot> boil on a {hot, cold} stove"))
OWLS = Entry("owls", parse_grid("<Owls hunt mice.*, Mice hunt owls.>"))
UNSOLVED = Entry("open", parse_grid("the lamp is <? on, off> now"))
TREES = Entry(
    "trees", parse_grid("trees have {leaves, legs} <always, never>"), flags=(("invertible", False),)
)
ENTRIES = (KETTLE, OWLS, UNSOLVED, TREES)


def test_what_an_author_rules_out_is_left_out_with_the_reason() -> None:
    posed = pose(ENTRIES, Mode.BY_KEY)
    assert [entry.id for entry in posed.entries] == ["kettle"]
    assert [one.ids for one in posed.left_out] == [("owls",), ("open",), ("trees",)]
    assert posed.left_out[-1].reason == "its author says that it is not invertible"


def test_the_limit_counts_what_is_posed() -> None:
    assert [entry.id for entry in pose((OWLS, KETTLE, TREES), limit=2).entries] == [
        "owls",
        "kettle",
    ]
    assert [entry.id for entry in pose(ENTRIES, Mode.BY_KEY, limit=1).entries] == ["kettle"]


def test_a_dyad_is_two_schemas() -> None:
    wrapper = parse_wrapper("It is |true, false| that …")
    (entry,) = pose([KETTLE], Mode.BY_BOOLEAN, wrapper=wrapper).entries
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
