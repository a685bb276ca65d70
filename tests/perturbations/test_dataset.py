"""A transformation of a whole dataset."""

from horsesense.perturbations import TRANSFORMATIONS, perturb_dataset
from horsesense.schema import Dataset, Entry, Header, IssueKind, Mode, Step
from horsesense.schema.notation import parse_grid

JAM = parse_grid(
    "[The jam] would not go into [the jar] because <it = the jam, the jar> was too {thick, small}."
)
SWITCHED, BY_KEY = TRANSFORMATIONS["switched"], TRANSFORMATIONS["by-key"]
PANTRY = Dataset(
    Header("pantry", licence="CC0"),
    [
        Entry("jam", JAM, flags=(("switchable", True),)),
        Entry("jelly", JAM),
        Entry("lid", parse_grid("the lid is <on*, off>")),
    ],
)


def test_what_somebody_vouches_for_makes_the_dataset_and_the_rest_is_listed() -> None:
    switched = perturb_dataset(PANTRY, SWITCHED)
    assert (switched.name, switched.header.licence) == ("pantry.switched", "CC0")
    assert [entry.id for entry in switched] == ["jam"]
    assert [(one.entry, one.kind) for one in switched.issues] == [
        ("jelly", IssueKind.FAULT),
        ("lid", IssueKind.FAULT),
    ]
    assert switched.issues[0].odd == "a proposal that nobody has accepted"
    assert (switched.original, switched.steps) == (
        PANTRY.header,
        (Step("switched", SWITCHED.settings().values),),
    )


def test_proposals_are_taken_on_request() -> None:
    switched = perturb_dataset(PANTRY, SWITCHED, SWITCHED.settings(), unreviewed=True, name="both")
    assert (switched.name, [entry.id for entry in switched]) == ("both", ["jam", "jelly"])


def test_one_transformation_after_another_has_the_first_original() -> None:
    twice = perturb_dataset(perturb_dataset(PANTRY, SWITCHED), BY_KEY)
    assert (twice.mode, twice.original) == (Mode.BY_KEY, PANTRY.header)
    assert [step.transformation for step in twice.steps] == ["switched", "by-key"]
