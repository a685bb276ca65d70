import pytest

from horsesense.errors import NotationErrors, UnknownNameError
from horsesense.schema import AxisName, BooleanWrapper, Slot, pair
from horsesense.schema.notation import WRAPPERS, parse_wrapper

TRUTH = Slot(AxisName.TRUTH, 0)


def complaint(text: str) -> str:
    with pytest.raises(NotationErrors) as caught:
        parse_wrapper(text)
    return str(caught.value)


@pytest.mark.parametrize("hole", ["…", "..."])
def test_a_wrapper_has_a_truth_pair_and_a_place_for_the_schema(hole: str) -> None:
    assert parse_wrapper(f"That {hole} is |plain, odd|.") == BooleanWrapper(
        ("That ",), (" is ", TRUTH, "."), pair("plain", "odd")
    )


def test_spaces_in_a_wrapper_are_single() -> None:
    assert parse_wrapper(" It  is |so, not so| that  …") == parse_wrapper(
        "It is |so, not so| that …"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "It is |so, not so| that",
            "column 24: there is no place for the schema\n"
            "  It is |so, not so| that\n"
            "                         ^\n"
            "  write … or ... where the schema goes: It is |true, false| that …",
        ),
        (
            "It is so that …",
            "column 16: a wrapper has one truth pair\n"
            "  It is so that …\n"
            "                 ^\n"
            "  write one truth pair: |true, false|",
        ),
        (
            "|so, not so| or |yes, no|: …",
            "column 29: a wrapper has one truth pair\n"
            "  |so, not so| or |yes, no|: …\n"
            "                              ^\n"
            "  write one truth pair: |true, false|",
        ),
        (
            "It is |so, not so| that … and …",
            "column 32: there is more than one place for the schema\n"
            "  It is |so, not so| that … and …\n"
            "                                 ^\n"
            "  write … or ... where the schema goes: It is |true, false| that …",
        ),
        (
            "… is |so, not so|, ...",
            "column 23: there is more than one place for the schema\n"
            "  … is |so, not so|, ...\n"
            "                        ^\n"
            "  write … or ... where the schema goes: It is |true, false| that …",
        ),
        (
            "It is |so, not so| that {a, b} …",
            "column 25: a wrapper contains only a truth pair and the place of the schema\n"
            "  It is |so, not so| that {a, b} …\n"
            "                          ^",
        ),
        (
            "[It] is |so, not so| that …",
            "column 1: a wrapper contains only a truth pair and the place of the schema\n"
            "  [It] is |so, not so| that …\n"
            "  ^",
        ),
        (
            "It is |so| that …",
            "column 7: a truth pair is two phrases in one placeholder\n"
            "  It is |so| that …\n"
            "        ^",
        ),
        (
            "It is |so, so| that …",
            "column 7: 'so' occurs twice; the options must differ\n"
            "  It is |so, so| that …\n"
            "        ^",
        ),
        (
            "It is |so, no, odd| that …",
            "column 7: a truth pair is two phrases in one placeholder\n"
            "  It is |so, no, odd| that …\n"
            "        ^",
        ),
        (
            "It is |so, not so that …",
            "column 7: this truth placeholder is never closed with '|'\n"
            "  It is |so, not so that …\n"
            "        ^\n"
            "  write | after its last phrase",
        ),
        (
            "It\tis |so, not so| that …",
            "column 3: a tab is not allowed in a line\n"
            "  It·is |so, not so| that …\n"
            "    ^\n"
            "  use a space, or remove it",
        ),
    ],
)
def test_a_bad_wrapper_is_refused_with_place_and_remedy(text: str, message: str) -> None:
    assert complaint(text) == message


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapper_with_a_name_can_be_called_by_it(name: str) -> None:
    assert parse_wrapper(name) == parse_wrapper(WRAPPERS[name])


def test_a_name_that_no_wrapper_has_is_told() -> None:
    with pytest.raises(UnknownNameError, match="did you mean plausible"):
        parse_wrapper("plausibel")
