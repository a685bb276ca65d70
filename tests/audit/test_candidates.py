import pytest

from horsesense.audit.candidates import check_candidates
from horsesense.audit.findings import Weight
from tests.audit.made_subjects import SOUND, subject_of


@pytest.mark.parametrize(
    "notation",
    [
        "[The old oak by the mill] hid [the elm], as <it = the oak, the elm> {grew, rotted}.",
        "[Ada Berg] met [Eve Lund], and <her's = Berg, Eve> hat {burnt, fell}.",
        "[Ada]'s uncle met [Eve]'s, and <she = Ada's, Eve> {cried, sang}.",
        "[a red hen] fed [a blue hen], so <it = the red hen, the blue hen> {sat, ate}",
        "[the owl] saw [the bat], so <it = the owl*, the bat> fled\n"
        "& [the elk] saw [the cow], so <it = the elk, the cow*> fled",
    ],
)
def test_marked_candidates_that_answers_mean_are_fine(notation: str) -> None:
    checked = check_candidates(subject_of(*SOUND, notation))
    assert not checked.concerns
    assert checked.figures[0].value == 13


@pytest.mark.parametrize(
    ("notation", "weight", "text"),
    [
        ("The jug hit the urn as <it = the jug, the urn> {fell, broke}.", "fault", "no candidate"),
        (
            "[The jug] hit the urn as <it = the jug, the urn> {fell, broke}.",
            "look",
            "the candidate of the answer 'the urn' is not marked",
        ),
        (
            "[1: The jug] hit [2: the urn] as <it = the urn, the jug> {fell, broke}.",
            "fault",
            "'the urn' goes with 'The jug', but means 'the urn'",
        ),
        (
            "[A red hen] fed [a blue hen] as <it = the blue hen, the red hen> {sat, ate}.",
            "fault",
            "'the blue hen' goes with 'A red hen', but means 'a blue hen'",
        ),
        (
            "[A woman selling plums] met [an aunt] as <she = the dealer, the aunt> {ran, sat}.",
            "look",
            "'the dealer' has no noun or name of its candidate",
        ),
        ("[The jug] hit [the urn] as <_ = the jug, the urn> {fell, broke}.", "look", "the target"),
    ],
)
def test_candidates_that_are_missing_or_not_meant_are_told(
    notation: str, weight: Weight, text: str
) -> None:
    concerns = check_candidates(subject_of(*SOUND, notation)).concerns
    assert {(one.weight, one.entries) for one in concerns} == {(weight, ("e13",))}
    assert text in concerns[0].text


def test_without_winograd_schemas_there_is_nothing_to_check() -> None:
    assert check_candidates(subject_of("hay <keeps, rots> if {dry, wet}")).skipped
    # A minimal pair has no text in which a candidate could be marked.
    assert check_candidates(subject_of("<it = The jug fell.*, The urn fell.>")).skipped


def test_a_fault_is_only_that_no_candidate_of_an_entry_is_marked() -> None:
    owl, elk = (
        "the owl saw the bat, so <it = {}> fled",
        "[the elk] saw [the cow], so <it = {}> fled",
    )
    loose = f"{owl.format('the owl*, the bat')}\n& {elk.format('the elk, the cow*')}"
    assert {one.weight for one in check_candidates(subject_of(loose)).concerns} == {Weight.LOOK}
    neither = loose.replace("[", "").replace("]", "")
    assert {one.weight for one in check_candidates(subject_of(neither)).concerns} == {Weight.FAULT}


def test_what_many_entries_have_in_common_is_told_once() -> None:
    made = [f"[The jug{n}] hit it as <it = the jug{n}, the urn{n}> {{fell, broke}}." for n in "123"]
    (concern,) = check_candidates(subject_of(*made)).concerns
    assert concern.text.startswith("3 entries, the first: the candidate of the answer 'the urn1'")
    assert concern.entries == ("e1", "e2", "e3")
