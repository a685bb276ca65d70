import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.schema import (
    AxisName,
    Candidate,
    Frame,
    LooseProblem,
    Part,
    Schema,
    Slot,
    Target,
    candidates_of,
    join_parts,
    pair,
)
from horsesense.schema.frame import text_of
from tests.strategies import wild

KEY, ANSWER = Slot(AxisName.KEY, 0), Slot(AxisName.ANSWER, 0)
IT = Target("it")
_parts = st.lists(wild.between | st.sampled_from([KEY, ANSWER]), max_size=6)


def schema(*frame: Part, target: Target | None = None) -> Schema:
    return Schema(frame, pair("damp", "dry"), pair("rots", "keeps"), target=target)


def complaint(*frame: Part, target: Target | None = None) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        schema(*frame, target=target)
    return caught.value


@pytest.mark.parametrize(
    ("parts", "frame"),
    [
        (["  hay ", " or  oats "], ("hay or oats",)),
        (["hay ", KEY, " ", ANSWER, "  ."], ("hay ", KEY, " ", ANSWER, " .")),
        ([" ", KEY, " "], (KEY,)),
        (["hay ", "", KEY], ("hay ", KEY)),
        ([], ()),
    ],
)
def test_joined_parts_have_single_spaces_and_no_neighbouring_texts(
    parts: list[Part], frame: Frame
) -> None:
    assert join_parts(parts) == frame


@given(_parts)
def test_joining_what_is_joined_changes_nothing(parts: list[Part]) -> None:
    assert join_parts(join_parts(parts)) == join_parts(parts)


def test_slots_and_candidates_come_in_the_order_of_the_sentence() -> None:
    frame: Frame = (Candidate(2, "hay"), ANSWER, " or ", Candidate(1, "oats"), KEY)
    assert candidates_of(frame) == (Candidate(2, "hay"), Candidate(1, "oats"))


def test_the_text_of_a_frame_shows_candidates_and_a_low_line_for_each_placeholder() -> None:
    assert text_of((Candidate(2, "hay"), " ", ANSWER, " if ", KEY)) == "hay _ if _"


@pytest.mark.parametrize(
    ("written", "pronoun", "is_known", "is_possessive", "is_capitalised"),
    [
        ("it", "it", True, False, False),
        ("It", "It", True, False, True),
        ("his", "his", True, True, False),
        ("Their", "Their", True, True, True),
        ("her", "her", True, False, False),
        ("her's", "her", True, True, False),
        ("Her's", "Her", True, True, True),
        ("her’s", "her", True, True, False),
        ("_", "_", False, False, None),
        ("_'s", "_", False, True, None),
        ("I", "I", True, False, None),
        ("each one", "each one", True, False, False),
    ],
)
def test_a_target_tells_what_its_pronoun_shows(
    written: str,
    pronoun: str,
    is_known: bool,
    is_possessive: bool,
    is_capitalised: bool | None,
) -> None:
    target = Target(written)
    assert (target.pronoun, target.is_known) == (pronoun, is_known)
    assert (target.is_possessive, target.is_capitalised) == (is_possessive, is_capitalised)


@pytest.mark.parametrize("written", ["", "'s", " it", "it ", "it  is", "it!", "a, b", "i\nt"])
def test_what_is_no_word_is_no_pronoun(written: str) -> None:
    with pytest.raises(SchemaError) as caught:
        Target(written)
    assert str(caught.value) == (
        f"{written!r} is not a pronoun\n"
        "  write the target before '=': <it = the jar, the lid>; _ is an unknown one"
    )


@pytest.mark.parametrize(
    "frame",
    [
        ("hay  ", ANSWER, " if ", KEY),
        (" hay ", ANSWER, " if ", KEY),
        ("hay ", ANSWER, " if ", KEY, " "),
        ("hay ", "so ", ANSWER, " if ", KEY),
        ("", ANSWER, " if ", KEY),
    ],
)
def test_a_frame_with_stray_spaces_or_split_text_is_refused(frame: Frame) -> None:
    assert str(complaint(*frame)) == (
        "the frame of a sentence has stray spaces or texts side by side"
    )


def test_a_control_character_in_a_frame_is_refused() -> None:
    assert str(complaint("hay\x07 ", ANSWER, " if ", KEY)) == "'\\x07' is not allowed in a sentence"


def test_a_missing_placeholder_is_refused() -> None:
    error = complaint("hay ", ANSWER)
    assert str(error) == "the key fills 1 placeholders, the sentence has 0"
    assert error.axis == AxisName.KEY


def test_a_placeholder_without_an_axis_is_refused() -> None:
    error = complaint("hay ", ANSWER, KEY, Slot(AxisName.TRUTH, 0))
    assert str(error) == "the truth fills 0 placeholders, the sentence has 1"


def test_a_placeholder_out_of_its_order_is_refused() -> None:
    assert complaint("hay ", ANSWER, Slot(AxisName.KEY, 1)).axis == AxisName.KEY


def test_candidates_need_a_target() -> None:
    error = complaint(Candidate(1, "hay"), " ", ANSWER, " if ", KEY)
    assert str(error) == "only a Winograd schema has candidates, and this has no target"


@pytest.mark.parametrize("text", ["", " hay", "hay ", "dry  hay"])
def test_a_candidate_must_be_clean_text(text: str) -> None:
    error = complaint(Candidate(1, text), " so ", ANSWER, " if ", KEY, target=IT)
    assert str(error) == f"the candidate {text!r} is empty or not clean text"


@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_candidate_must_belong_to_an_answer(number: int) -> None:
    error = complaint(
        Candidate(1, "hay"), " ", Candidate(number, "rye"), " ", ANSWER, KEY, target=IT
    )
    assert str(error) == f"candidate {number} has no answer; there are 2"
    assert (error.axis, error.index) == ("candidate", 1)


def test_a_candidate_may_stand_there_twice() -> None:
    made = schema(Candidate(1, "hay"), " ", Candidate(1, "it"), " ", ANSWER, KEY, target=IT)
    assert [candidate.number for candidate in candidates_of(made.frame)] == [1, 1]


def test_a_sentence_of_nothing_has_no_place_for_an_answer() -> None:
    with pytest.raises(SchemaError, match="the sentence has 0"):
        LooseProblem((), pair("hay", "oats"), 0)
