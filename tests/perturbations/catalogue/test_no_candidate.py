from dataclasses import replace

import pytest

from horsesense.perturbations import Perturbed, Voucher
from horsesense.perturbations.catalogue.no_candidate import NO_CANDIDATE
from horsesense.schema import Entry, problems
from horsesense.schema.material import PROBLEMS
from tests.perturbations.written import applied, entry, result

LADLE = (
    "[The ladle] would not go into [the drawer], as <it = the ladle, the drawer> was {long, short}."
)


def imported(text: str) -> Entry:
    """An entry as it comes from a file of problems."""
    return replace(entry(text), extras=((PROBLEMS, "1, 2"),))


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (LADLE, "Would not go into, as ___ was long."),
        (
            "At noon [Nora]'s kite rose above [Lena]'s. <It = Nora's, Lena's> was {old, new}.",
            "At noon kite rose above. ___ was old.",
        ),
        (
            "On [1: the boys]' [1: hats], so [2: Ann] said, <they = the boys, Ann> had {mud, fun}.",
            "On, so said, ___ had mud.",
        ),
        ("[the owl] saw [a vole], and <it = the owl, the vole> {hooted, hid}", "Saw, and ___ hoot"),
        (
            "The [1: owl] saw the [2: vole]; the [1: owl] left; <it = owl, vole> was {fed, safe}.",
            "The saw the; the left; ___ was fed.",
        ),
    ],
)
def test_every_mention_goes_with_its_ending_and_spaces_close_up(text: str, statement: str) -> None:
    done = result(NO_CANDIDATE, entry(text))
    assert isinstance(done, Perturbed)
    assert problems(done.entry.grid)[0].statement.text.startswith(statement)
    assert done.voucher is Voucher.RULE


def test_the_start_may_be_left_as_it_was() -> None:
    assert applied(NO_CANDIDATE, entry(LADLE), start="lower") == (
        "! would not go into, as <it = the ladle, the drawer> was {long, short}."
    )


def test_answers_and_the_right_one_stay() -> None:
    before = entry("[The owl] fled [the cat] as <it = the owl, the cat*> was fierce.")
    done = result(NO_CANDIDATE, before)
    assert isinstance(done, Perturbed)
    (old,), (new,) = problems(before.grid), problems(done.entry.grid)
    assert (old.options, old.right) == (new.options, new.right)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a lorry <can, cannot> pass under a {high, low} bridge", "it has no marked candidates"),
        ("[Nora] saw her when <she = Nora, Lena> was {in, out}.", "candidate 2 is not marked"),
    ],
)
def test_without_marks_there_is_nothing_to_delete(text: str, reason: str) -> None:
    assert applied(NO_CANDIDATE, entry(text)) == f"({reason})"


@pytest.mark.parametrize(
    ("text", "statement", "found"),
    [
        (
            "[The nurse] could not calm her son, as <she = the nurse, the son> was {new, ill}.",
            "Could not calm, as ___ was new.",
            "'her son'",
        ),
        (
            "The sieve is blocked by mud. <It = the sieve, the mud> has to be {shaken, rinsed}.",
            "Is blocked by. ___ has to be shaken.",
            "'The sieve', 'mud'",
        ),
        (
            "[Ida] sang to a niece when <she = Ida, Ida's niece> was {not old, not asleep}.",
            "Sang to when ___ was not old.",
            "'a niece'",
        ),
        (
            "This lamp's cord fell on my rug; <it = the lamp, the rug> got {dim, hot}.",
            "Cord fell on; ___ got dim.",
            "'This lamp', 'my rug'",
        ),
        (
            "as <she = Ida, the son> was {kind, ill}, [Ida] sang to her son",
            "As ___ was kind, sang to.",
            "'her son'",
        ),
    ],
)
def test_an_unmarked_candidate_goes_with_the_determiner_it_has(
    text: str, statement: str, found: str
) -> None:
    done = result(NO_CANDIDATE, entry(text))
    assert isinstance(done, Perturbed)
    assert problems(done.entry.grid)[0].statement.text == statement
    assert done.how == f"the candidates deleted; not marked, but found by their nouns: {found}"


def test_each_row_of_a_loose_pair_is_searched_and_a_phrase_told_once() -> None:
    done = result(
        NO_CANDIDATE,
        entry(
            "[The gull] sat by his tent, as <it = the gull*, the tent> was tired.\n"
            "& [The crow] sat by his tent, as <it = the crow, the tent*> was dry."
        ),
    )
    assert isinstance(done, Perturbed)
    assert [one.statement.text for one in problems(done.entry.grid)] == [
        "Sat by, as ___ was tired.",
        "Sat by, as ___ was dry.",
    ]
    assert done.how.endswith("nouns: 'his tent'")


def test_where_all_candidates_are_marked_nothing_else_is_looked_for() -> None:
    text = "[The ladle] fell on [the mat] by his mat, as <it = the ladle, the mat> was {wet, near}."
    done = result(NO_CANDIDATE, entry(text))
    assert isinstance(done, Perturbed)
    assert problems(done.entry.grid)[0].statement.text == "Fell on by his mat, as ___ was wet."
    assert done.how == "the candidates deleted"


@pytest.mark.parametrize(
    "text",
    [
        # a longer noun, by the fixed text or by one of the key phrases
        "[The owl] sat by his mouse hole, as <it = the owl, the mouse> was {wet, out}.",
        "[The owl] saw his mouse {hole, and fled}, as <it = the owl, the mouse> was ill.",
        "[The owl] sat by his {grey, own} mouse, as <it = the owl, the mouse> was ill.",
        # one noun for two answers
        "[Ida's hat] lay by her hat, as <it = Ida's hat, Lena's hat> was {wet, dry}.",
        # a word of the other candidate, or of a key phrase
        "[The old mouse] {fled, saw a mouse}, as <it = the old mouse, the mouse> was ill.",
    ],
)
def test_what_may_be_another_phrase_is_not_deleted(text: str) -> None:
    assert applied(NO_CANDIDATE, entry(text)) == "(candidate 2 is not marked)"


def test_of_two_nouns_the_longer_is_found_first() -> None:
    text = "A plum fell off a plum tree as <it = the plum, the plum tree> was {ripe, shaken}."
    assert applied(NO_CANDIDATE, entry(text)).startswith("fell off as <it")


def test_words_that_meet_in_a_control_may_be_the_same() -> None:
    text = "I gave to [Nora] to keep [the owl] as <she = Nora, the owl> was {in, out}."
    assert applied(NO_CANDIDATE, entry(text)).startswith("I gave to to keep as")


@pytest.mark.parametrize(
    "start",
    [
        "[The cat] lay near [the mouse] hole",
        "[The mouse] hole was deep, and [the cat] slept",
        "[The cat] watched [the mouse] hole",
        "[1: The cat] watched [2: the mouse] hole until [2: the mouse] nibbles cheese",
        "[The cat] liked [the mouse] painting",
        "[The cat] and [the mouse] holes were there",
    ],
)
def test_a_candidate_that_importing_has_marked_is_not_cut_out_of_a_longer_noun(start: str) -> None:
    text = f"{start}, because <it = the cat, the mouse> was {{big, small}}."
    shown = "The mouse" if start.startswith("[The mouse") else "the mouse"
    assert applied(NO_CANDIDATE, imported(text)) == f"('{shown}' may begin a longer noun)"


def test_an_author_is_believed_unless_the_noun_surely_is_longer() -> None:
    text = "[The cat] {} [the mouse] {}, because <it = the cat, the mouse> was {{big, small}}."
    gave = entry(text.format("gave", "cheese"))
    assert applied(NO_CANDIDATE, gave).startswith("gave cheese, because")
    near = entry(text.format("lay near", "hole"))
    assert applied(NO_CANDIDATE, near) == "('the mouse' may begin a longer noun)"


def test_a_key_phrase_may_make_a_longer_noun() -> None:
    text = "[The cat] saw [the mouse] {hole, and fled}, as <it = the cat, the mouse> was ill."
    reason = "('the mouse' may begin a longer noun with a key phrase)"
    assert applied(NO_CANDIDATE, imported(text)) == reason


def test_who_marks_a_candidate_both_by_itself_and_in_a_longer_noun_is_believed() -> None:
    text = (
        "[1: The cat] lay by [2: the mouse] hole until [2: the mouse] left, as "
        "<it = the cat, the mouse> was {big, small}."
    )
    assert applied(NO_CANDIDATE, imported(text)).startswith("lay by hole until left")


@pytest.mark.parametrize(
    "start",
    [
        "[The cat] sees [the mouse]",
        "[The cat] can see [the mouse]",
        "[The cat] hides from [the mouse]",
        "[Ann] cat-sits for [the mouse]",
    ],
)
def test_a_verb_after_a_candidate_makes_no_longer_noun(start: str) -> None:
    first = start[1 : start.index("]")]
    text = f"{start}, because <it = {first}, the mouse> was {{big, small}}."
    assert "longer noun" not in applied(NO_CANDIDATE, imported(text))


@pytest.mark.parametrize(
    "text",
    [
        "Tom's neighbour greets [2: the mayor]; his son likes soup, so Tom fed his son before "
        "<he = the son, the mayor> {left, came}.",
        "Her school bus hit a bus near [2: the car], and <it = the bus, the car> was "
        "{long, short}.",
        "Ann said that milk was better than [2: the tea] because <it = the milk, the tea> was "
        "{white, brown}.",
    ],
)
def test_nothing_is_found_where_another_mention_may_stay(text: str) -> None:
    assert applied(NO_CANDIDATE, entry(text)) == "(candidate 1 is not marked)"
