from horsesense.audit.balance import check_answer_pairs, check_key_length
from horsesense.audit.findings import Weight
from tests.audit.made_subjects import SOUND, subject_of


def adversarial(pairs: list[str]) -> list[str]:
    """A schema with each of the answer pairs."""
    return [f"noun{n} {{on{n}, off{n}}} <{pair}> here" for n, pair in enumerate(pairs)]


def test_many_answer_pairs_are_fine() -> None:
    checked = check_answer_pairs(subject_of(*adversarial([f"go{n}, stay{n}" for n in range(20)])))
    assert not checked.concerns
    assert not checked.skipped
    assert checked.figures[1].value == 20


def test_an_answer_pair_in_more_than_a_tenth_is_looked_at() -> None:
    others = [f"go{n}, stay{n}" for n in range(18)]
    enough = check_answer_pairs(subject_of(*adversarial([*others, "can, cannot", "cannot, Can"])))
    assert not enough.concerns
    too_many = [*others[1:], "can, cannot", "cannot, Can", "can, cannot"]
    (concern,) = check_answer_pairs(subject_of(*adversarial(too_many))).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e18", "e19", "e20"))
    assert "'can / cannot' is in 3 of 20 schemas" in concern.text


def test_an_answer_pair_in_one_order_only_is_looked_at() -> None:
    others = [f"go{n}, stay{n}" for n in range(60)]
    (concern,) = check_answer_pairs(
        subject_of(*adversarial([*others, *["can, cannot"] * 6]))
    ).concerns
    assert "one order in 6 of 6" in concern.text
    both = [*others, *["can, cannot"] * 3, *["cannot, can"] * 3]
    assert not check_answer_pairs(subject_of(*adversarial(both))).concerns


def test_too_few_adversarial_schemas_are_not_judged() -> None:
    assert check_answer_pairs(subject_of(*adversarial(["can, cannot"] * 19))).skipped
    assert check_answer_pairs(subject_of(*SOUND)).skipped


def test_key_phrases_of_the_usual_length_are_fine() -> None:
    checked = check_key_length(subject_of(*SOUND, "{owls, voles} <eat, flee> {voles, owls}"))
    assert not checked.concerns
    assert checked.figures[1].value == 1


def test_a_key_phrase_of_six_words_is_looked_at() -> None:
    long = "hay <keeps, rots> {if it is kept very dry, if it is left out}"
    (concern,) = check_key_length(subject_of(long)).concerns
    assert "'if it is kept very dry' has 6 words" in concern.text
    assert not check_key_length(subject_of(long.replace(" very", ""))).concerns


def test_key_phrases_that_differ_by_three_words_are_looked_at() -> None:
    uneven = "hay <keeps, rots> when {dry, left out for days}"
    (concern,) = check_key_length(subject_of(uneven)).concerns
    assert "differ by 3 words" in concern.text
    assert not check_key_length(subject_of(uneven.replace("dry", "quite dry"))).concerns


def test_without_key_phrases_their_length_is_not_judged() -> None:
    assert check_key_length(subject_of("hay <keeps*, rots> here")).skipped


def test_long_and_uneven_key_phrases_are_told_once_each_the_worst_first() -> None:
    long = "hay{} <keeps, rots> {{if it is kept {}dry, if it is left out}}"
    made = [long.format(1, "very "), long.format(2, "very very "), long.format(3, "")]
    (concern,) = check_key_length(subject_of(*made)).concerns
    assert concern.text.startswith("2 entries, the worst: the key phrase 'if it is kept very very")
    assert concern.entries == ("e2", "e1")
