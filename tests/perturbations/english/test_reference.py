import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.nouns import Number, Sort
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.referents import (
    following_pronouns,
    owned_by_each,
    pronoun_edit,
)
from horsesense.perturbations.rewriting import Edit

PLURAL, SINGULAR = Number.PLURAL, Number.SINGULAR


def edited(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def places(text: str, *words: str) -> set[int]:
    """Where these words stand."""
    return {token.i for token in parse(text) if token.text in words}


def followed(text: str, mention: str, sort: Sort, to: Number) -> str:
    """The text with the pronouns that refer to the mention in the other number."""
    found = following_pronouns(parse(text), places(text, mention), {sort}, to)
    owners = [(token, token.tag_ == "PRP$") for token in found]
    return edited(text, [pronoun_edit(token, to, sort, is_owner=owns) for token, owns in owners])


def owned(text: str, to: Number, *owners: str) -> list[str]:
    """What each of the owners has, in the order of the owners."""
    return [token.text for token in owned_by_each(parse(text), places(text, *owners), to)]


@pytest.mark.parametrize(
    "one, many",
    [
        ("The boy said that he was here.", "The boy said that they was here."),
        ("The boy said that we saw him.", "The boy said that we saw them."),
        ("The boy lost his hat.", "The boy lost their hat."),
        ("The boy hurt himself.", "The boy hurt themselves."),
        ("The boy said that she saw it.", "The boy said that she saw it."),
        ("Before he left, the boy ate.", "Before they left, the boy ate."),
    ],
)
def test_pronouns_follow_what_they_refer_to(one: str, many: str) -> None:
    assert followed(one, "boy", Sort.MALE, PLURAL) == many


def test_it_is_subject_or_object() -> None:
    text = "The jug fell, and it broke, so I had it mended."
    assert followed(text, "jug", Sort.THING, PLURAL) == (
        "The jug fell, and they broke, so I had them mended."
    )


def test_it_after_a_verb_is_an_object() -> None:
    text = "The jug was old, but we liked it."
    assert followed(text, "jug", Sort.THING, PLURAL) == "The jug was old, but we liked them."


def test_it_stays_where_it_refers_to_nothing() -> None:
    text = "The jug stood outside when it rained."
    assert followed(text, "jug", Sort.THING, PLURAL) == text


def test_the_singular_goes_by_the_sort() -> None:
    text = "The twins said that they lost their hats."
    assert followed(text, "twins", Sort.FEMALE, SINGULAR) == (
        "The twins said that she lost her hats."
    )


@pytest.mark.parametrize(
    "text, mention, sort",
    [
        ("The boy met a waiter before he left.", "boy", Sort.MALE),
        ("The jug hit the bowl before it broke.", "jug", Sort.THING),
        ("The boy asked Victor for his hat.", "boy", Sort.MALE),
        ("Before it broke, the jug fell.", "jug", Sort.THING),
    ],
)
def test_a_pronoun_with_another_noun_to_refer_to_is_refused(
    text: str, mention: str, sort: Sort
) -> None:
    with pytest.raises(NotApplicable, match="may refer to something else"):
        followed(text, mention, sort, PLURAL)


def test_a_subject_after_and_is_one_whatever_the_parser_makes_of_its_verb() -> None:
    text = "I dropped the jug, and it broke, so I had it mended and took it home."
    assert followed(text, "jug", Sort.THING, PLURAL) == (
        "I dropped the jug, and they broke, so I had them mended and took them home."
    )


@pytest.mark.parametrize("dep, head", [("dobj", 1), ("nsubj", 5), ("nsubj", 6), ("pobj", 2)])
def test_a_wrong_parse_does_not_make_an_object_of_a_subject(dep: str, head: int) -> None:
    from spacy.tokens import Doc

    words = ["We", "had", "jugs", "and", "it", "broke", "soon"]
    tags = ["PRP", "VBD", "NNS", "CC", "PRP", "VBD", "RB"]
    deps = ["nsubj", "ROOT", "dobj", "cc", dep, "ccomp", "advmod"]
    vocab = parse("We had jugs.").vocab
    doc = Doc(vocab, words, tags=tags, heads=[1, 1, 1, 1, head, 1, 5], deps=deps)
    assert pronoun_edit(doc[4], PLURAL, Sort.THING, is_owner=False).text == "they"


def test_an_object_before_the_verb_of_a_longer_subject_stays_one() -> None:
    text = "The jug is gone: the man who sold it was rude."
    assert followed(text, "jug", Sort.THING, PLURAL).endswith("the man who sold them was rude.")


def test_everybody_has_a_head_and_a_hat_but_no_dog_of_their_own() -> None:
    text = "The boy shook his head at his hat and his dog."
    assert owned(text, PLURAL, "his") == ["head", "hat"]


def test_names_and_nouns_own_too() -> None:
    text = "Rosa's cold hand held the boy's hat."
    assert owned(text, PLURAL, "Rosa", "boy") == ["hand", "hat"]


def test_what_only_describes_another_noun_is_not_owned() -> None:
    assert owned("The boy met his head gardener.", PLURAL, "his") == []


def test_one_has_one_head_but_two_hands() -> None:
    text = "The girls shook their heads and washed their hands."
    assert owned(text, SINGULAR, "their") == ["heads"]


def test_an_owner_that_stands_alone_stays_alone() -> None:
    text = "The girl said that the hat was hers."
    assert followed(text, "girl", Sort.FEMALE, PLURAL) == "The girl said that the hat was theirs."


@pytest.mark.parametrize(
    "text, mention, sort, reason",
    [
        ("The boy said that the choice was his.", "boy", Sort.MALE, "'his' without a noun"),
        ("The jug fell, and we heard it broke.", "jug", Sort.THING, "a subject or an object"),
    ],
)
def test_a_pronoun_whose_case_is_in_doubt_is_refused(
    text: str, mention: str, sort: Sort, reason: str
) -> None:
    with pytest.raises(NotApplicable, match=reason):
        followed(text, mention, sort, PLURAL)


def test_several_who_are_joined_may_be_they_too() -> None:
    text = "The twins came with Nell and Ida before they left."
    with pytest.raises(NotApplicable, match="may refer to something else"):
        followed(text, "twins", Sort.FEMALE, SINGULAR)


@pytest.mark.parametrize("words", ["were old and slow", "slept a lot", "hid in the garden shed"])
def test_what_joins_or_describes_is_nobody_to_refer_to(words: str) -> None:
    text = f"The twins {words} before they left."
    assert followed(text, "twins", Sort.FEMALE, SINGULAR) == text.replace("they", "she")
