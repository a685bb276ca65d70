from __future__ import annotations

import pytest

from horsesense.audit import Weight
from horsesense.audit.balance import check_answer_balance, check_answer_pairs, check_key_length
from horsesense.audit.words import parts_of
from horsesense.schema import Entry, LooseGrid, LooseProblem
from horsesense.schema.notation import parse_grid
from tests.audit.made_datasets import SOUND, dataset_of, entry, value


def problem(number: int, *, first: bool, longer: bool = True) -> Entry:
    """A problem by itself whose right answer comes first or second, and is longer or shorter."""
    right, wrong = (f"the oaken{number}", f"ash{number}")[:: 1 if longer else -1]
    marked = f"{right}*, {wrong}" if first else f"{wrong}, {right}*"
    return entry(f"p{number}", f"in year {number} the storm broke <{marked}>")


def test_schemas_are_balanced_in_themselves() -> None:
    checked = check_answer_balance(dataset_of(*SOUND))
    assert not checked.concerns
    assert value(checked, "first option right") is None
    assert value(checked, "entries in which each answer is right once") == len(SOUND)


@pytest.mark.parametrize(("right_first", "concerns"), [(10, 1), (5, 0)])
def test_a_first_option_that_is_always_right_is_looked_at(right_first: int, concerns: int) -> None:
    made = [problem(n, first=n < right_first, longer=n % 2 == 0) for n in range(10)]
    checked = check_answer_balance(dataset_of(*made))
    assert value(checked, "first option right") == right_first / 10
    assert [one.weight for one in checked.concerns] == [Weight.LOOK] * concerns
    assert all("first option right: 10 of 10" in one.text for one in checked.concerns)


@pytest.mark.parametrize(("longer", "concerns"), [(10, 1), (5, 0)])
def test_a_longer_answer_that_is_always_right_is_looked_at(longer: int, concerns: int) -> None:
    made = [problem(n, first=n % 2 == 0, longer=n < longer) for n in range(10)]
    checked = check_answer_balance(dataset_of(*made))
    assert value(checked, "longer answer right") == longer / 10
    assert len(checked.concerns) == concerns


@pytest.mark.parametrize(("right", "concerns"), [(("*", ""), 1), (("", "*"), 0)])
def test_a_first_mentioned_candidate_that_is_always_right_is_looked_at(
    right: tuple[str, str], concerns: int
) -> None:
    def single(n: int) -> str:
        one, other = ("*", "") if n % 2 else right
        answers = f"the {'owl' * (n % 3 + 1)}{one}, the vole{other}"
        return f"[The {'owl' * (n % 3 + 1)}] saw [the vole] in year {n} and <it = {answers}> fled."

    made = [entry(f"s{n}", single(n)) for n in range(10)]
    named = "first-mentioned candidate right"
    found = [one for one in check_answer_balance(dataset_of(*made)).concerns if named in one.text]
    assert len(found) == concerns


@pytest.mark.parametrize(("turned", "concerns"), [(0, 1), (6, 0)])
def test_key_phrases_that_favour_one_order_are_looked_at(turned: int, concerns: int) -> None:
    here = "[1: The owl] saw [2: the bat] in year {}, as <it = the owl, the bat> was {{up, in}}."
    there = "[2: The bat] saw [1: the owl] in year {}, as <it = the owl, the bat> was {{up, in}}."
    made = [(there if n < turned else here).format(n) for n in range(12)]
    checked = check_answer_balance(dataset_of(*made))
    first = "first key phrase with the first-mentioned candidate"
    assert value(checked, first) == 1 - turned / 12
    assert len(checked.concerns) == concerns


def test_a_longer_key_phrase_that_favours_one_candidate_is_looked_at() -> None:
    made = [
        f"[{a}: The owl] saw [{3 - a}: the bat] in year {n}, as <it = {b}> was {{{keys}}}."
        for n in range(12)
        for a, b, keys in [
            (1, "the owl, the bat", "very much awake, in")
            if n % 2
            else (2, "the bat, the owl", "in, very much awake")
        ]
    ]
    named = "longer key phrase with the first-mentioned candidate"
    (concern,) = check_answer_balance(dataset_of(*made)).concerns
    assert f"{named}: 12 of 12" in concern.text


@pytest.mark.parametrize(("wrong", "concerns"), [(0, 1), (6, 0)])
def test_an_answer_that_is_right_wherever_it_stands_is_looked_at(wrong: int, concerns: int) -> None:
    made = []
    for n in range(12):
        other = f"the el{n:02}"
        answers = [f"the oaks{'' if n < wrong else '*'}", f"{other}{'*' if n < wrong else ''}"]
        shown = ", ".join(answers if n % 2 else answers[::-1])
        made.append(entry(f"p{n}", f"in year {n} the storm broke <{shown}>"))
    found = check_answer_balance(dataset_of(*made)).concerns
    assert len(found) == concerns
    assert all(
        "'the oaks' is right more often than wrong in 12 of 12 entries" in one.text
        and len(one.entries) == 12
        for one in found
    )


def test_problems_of_three_options_or_without_a_label_do_not_lean() -> None:
    made = [f"in year {n} the storm broke <the oak*, the ash, the elm>" for n in range(8)]
    made += [f"in year {n} the storm hit <? the oak, the ash>" for n in range(8)]
    checked = check_answer_balance(dataset_of(*made))
    assert value(checked, "first option right") is None
    (concern,) = checked.concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, tuple(f"e{n}" for n in range(9, 17)))
    assert "the right answer is not known in 8 of 16 problems" in concern.text
    assert not check_answer_balance(dataset_of(*made[:8])).concerns


EVEN = "entries in which each answer is right once"


@pytest.mark.parametrize(
    ("rows", "balanced"),
    [
        ("the sun <melts*, bakes> ice | the sun <melts, bakes*> clay", 1),
        ("the sun <melts*, bakes> ice | the sun <? melts, bakes> clay", 0),
        ("the sun <melts*, bakes> ice | the kiln <cools, hardens*> clay", 0),
        ("the sun <melts*, bakes> ice | the sun <bakes, melts*> wax", 0),
        ("the sun <melts*, bakes> ice | the sun <bakes*, melts> clay", 1),
    ],
)
def test_a_loose_pair_is_balanced_if_each_answer_is_known_to_be_right_once(
    rows: str, balanced: int
) -> None:
    parts = [part for row in rows.split(" | ") for part in parts_of(parse_grid(row))]
    pair = LooseGrid(tuple(part for part in parts if isinstance(part, LooseProblem)))
    assert value(check_answer_balance(dataset_of(Entry("pair", pair))), EVEN) == balanced


@pytest.mark.parametrize(("lengths", "concerns"), [("alike", 1), ("mixed", 0)])
def test_the_more_is_tested_the_more_it_takes_to_be_beyond_chance(
    lengths: str, concerns: int
) -> None:
    # Six of six are beyond chance in one test, and not where another is made.
    made = [problem(n, first=True, longer=n % 2 == 0) for n in range(6)]
    if lengths == "alike":
        made = [entry(f"p{n}", f"in year {n} the storm broke <elm{n}*, ash{n}>") for n in range(6)]
    assert len(check_answer_balance(dataset_of(*made)).concerns) == concerns


def test_what_is_said_of_fewer_entries_than_chance_takes_is_no_concern() -> None:
    made = [entry(f"p{n}", f"in year {n} the storm broke <elm{n}*, ash{n}>") for n in range(5)]
    checked = check_answer_balance(dataset_of(*made))
    assert value(checked, "first option right") == 1
    assert not checked.concerns


def test_the_first_mentioned_candidate_needs_no_marks() -> None:
    made = [f"Lena saw Nora in year {n}, and <she = Nora, Lena*> waved." for n in range(3)]
    made += [f"Lena saw [2: Nora] in year {n}, and <she = Lena*, Nora> sang." for n in range(3)]
    made += [f"more than {n} is <more, less*> than {n + 1} or less" for n in range(3)]
    checked = check_answer_balance(dataset_of(*made))
    assert value(checked, "first-mentioned candidate right") == 1
    schema = "Lena saw [2: Nora], and <she = Lena, Nora> {waved, sang loudly}."
    checked = check_answer_balance(dataset_of(schema, "dry or wet, it is <dry, wet> if {hot, icy}"))
    assert value(checked, "first key phrase with the first-mentioned candidate") == 1
    assert value(checked, "longer key phrase with the first-mentioned candidate") == 0


def adversarial(pairs: list[str]) -> list[str]:
    """A schema with each of the answer pairs."""
    return [f"noun{n} {{on{n}, off{n}}} <{pair}> here" for n, pair in enumerate(pairs)]


def test_many_answer_pairs_are_fine() -> None:
    checked = check_answer_pairs(dataset_of(*adversarial([f"go{n}, stay{n}" for n in range(20)])))
    assert not checked.concerns
    assert not checked.skipped
    assert checked.figures[1].value == 20


def test_an_answer_pair_in_more_than_a_tenth_is_looked_at() -> None:
    others = [f"go{n}, stay{n}" for n in range(18)]
    enough = check_answer_pairs(dataset_of(*adversarial([*others, "can, cannot", "cannot, Can"])))
    assert not enough.concerns
    too_many = [*others[1:], "can, cannot", "cannot, Can", "can, cannot"]
    (concern,) = check_answer_pairs(dataset_of(*adversarial(too_many))).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e18", "e19", "e20"))
    assert "'can / cannot' is in 3 of 20 schemas" in concern.text


def test_an_answer_pair_in_one_order_only_is_looked_at() -> None:
    others = [f"go{n}, stay{n}" for n in range(60)]
    (concern,) = check_answer_pairs(
        dataset_of(*adversarial([*others, *["can, cannot"] * 6]))
    ).concerns
    assert "the same order in 6 of 6" in concern.text
    both = [*others, *["can, cannot"] * 3, *["cannot, can"] * 3]
    assert not check_answer_pairs(dataset_of(*adversarial(both))).concerns


def test_too_few_adversarial_schemas_are_not_judged() -> None:
    assert check_answer_pairs(dataset_of(*adversarial(["can, cannot"] * 19))).skipped
    assert check_answer_pairs(dataset_of(*SOUND)).skipped


def test_key_phrases_of_the_usual_length_are_fine() -> None:
    checked = check_key_length(dataset_of(*SOUND, "{owls, voles} <eat, flee> {voles, owls}"))
    assert not checked.concerns
    assert checked.figures[1].value == 1


def test_a_key_phrase_of_six_words_is_looked_at() -> None:
    long = "hay <keeps, rots> {if it is kept very dry, if it is left out}"
    (concern,) = check_key_length(dataset_of(long)).concerns
    assert "'if it is kept very dry' has 6 words" in concern.text
    assert not check_key_length(dataset_of(long.replace(" very", ""))).concerns


def test_key_phrases_that_differ_by_three_words_are_looked_at() -> None:
    uneven = "hay <keeps, rots> when {dry, left out for days}"
    (concern,) = check_key_length(dataset_of(uneven)).concerns
    assert "differ by 3 words" in concern.text
    assert not check_key_length(dataset_of(uneven.replace("dry", "quite dry"))).concerns


def test_without_key_phrases_their_length_is_not_judged() -> None:
    assert check_key_length(dataset_of("hay <keeps*, rots> here")).skipped


def test_long_and_uneven_key_phrases_are_told_once_each_the_worst_first() -> None:
    long = "hay{} <keeps, rots> {{if it is kept {}dry, if it is left out}}"
    made = [long.format(1, "very "), long.format(2, "very very "), long.format(3, "")]
    (concern,) = check_key_length(dataset_of(*made)).concerns
    assert concern.text.startswith("2 entries, the worst: the key phrase 'if it is kept very very")
    assert concern.entries == ("e2", "e1")
