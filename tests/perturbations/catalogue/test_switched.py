from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations import Perturbed, Voucher
from horsesense.perturbations.catalogue.switched import SWITCHED
from horsesense.perturbations.checks import sentences
from horsesense.schema import Entry, Grid, problems
from horsesense.schema.notation import parse_grid
from tests.perturbations.written import applied, entry, result, sensible
from tests.strategies import brisk

ROPE = "[Nora] threw [Lena] the rope because <she = Nora, Lena> was {ashore, drowning}."


def test_candidates_and_answers_change_places_and_the_key_stays() -> None:
    done = result(SWITCHED, entry(ROPE, switchable="yes"))
    assert isinstance(done, Perturbed)
    assert sensible(done.entry.grid) == [
        "Lena threw Nora the rope because Lena was ashore.",
        "Lena threw Nora the rope because Nora was drowning.",
    ]
    assert (done.voucher, done.how) == (Voucher.AUTHOR, "the candidates exchanged")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[The wolf] chased [a hare]. <It = the wolf, the hare> was {hungry, afraid}.",
            "[A hare] chased [the wolf]. <It = the hare, the wolf> was {hungry, afraid}.",
        ),
        (
            "[Mr. Hill] met [Mark]. <He = Mr. Hill, Mark> was {tired, mean}.",
            "[Mark] met [Mr. Hill]. <He = Mark, Mr. Hill> was {tired, mean}.",
        ),
        (
            "! [the owl] saw [a vole] , and <it = the owl, the vole> {hooted, hid}",
            "! [a vole] saw [the owl] , and <it = the vole, the owl> {hooted, hid}",
        ),
        (
            "In May [the owl] saw [Boris]. <He = the owl, Boris> {hooted, waved}.",
            "In May [Boris] saw [the owl]. <He = Boris, the owl> {hooted, waved}.",
        ),
        (
            "[the owl] saw [a vole], and <it = the owl, the vole> {hooted, hid}",
            "[a vole] saw [the owl], and <it = the vole, the owl> {hooted, hid}",
        ),
        (
            "[2: The drawer] could not take [1: the ladle]; <it = the ladle, the drawer> was "
            "{long, short}.",
            "[2: The ladle] could not take [1: the drawer]; <it = the drawer, the ladle> was "
            "{long, short}.",
        ),
    ],
)
def test_capitals_are_put_right(text: str, expected: str) -> None:
    assert applied(SWITCHED, entry(text, switchable="yes")) == expected


def test_the_ending_of_an_owner_stays_where_it_is() -> None:
    text = "[Nora]'s kite is above [Lena]'s because <her's = Nora, Lena> line is {long, short}."
    assert applied(SWITCHED, entry(text, switchable="yes")).startswith("[Lena]'s kite is above [No")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a lorry <can, cannot> pass under a {high, low} bridge", "it has no marked candidates"),
        ("[Nora] saw them because <she = Nora, Lena> was {up, out}.", "candidate 2 is not marked"),
        ("[Nora], [Lena] or [Ida]: <she = Nora*, Lena, Ida> won.", "it has 3 answers"),
        (
            "[Nora] met [her aunt] when <she = Nora, the aunt> was {in, out}.",
            "'her' in a candidate may refer to the other one",
        ),
        (
            "[1: Nora Lind] saw [2: Lena], and [1: Nora] left: <she = Nora, Lena> was {ill, rude}.",
            "a candidate is mentioned in different words",
        ),
        (
            "[The boys]' hat hit [Ann]'s because <it = the boys, Ann> was {wet, dry}.",
            "\"'\" does not go with 'Ann'",
        ),
        (
            "[The owl] met [the vole] as the vole fell; <it = the owl, the vole> {flew, ran}.",
            "a candidate is mentioned where it is not marked",
        ),
        (
            "An [owl] saw a [vole] when <it = owl, vole> was {up, out}.",
            "'An' does not go with 'vole'",
        ),
    ],
)
def test_what_cannot_be_switched_is_left_out_with_the_reason(text: str, reason: str) -> None:
    assert applied(SWITCHED, entry(text)) == f"({reason})"


def test_the_author_decides() -> None:
    assert applied(SWITCHED, entry(ROPE, switchable="no")) == "(not switchable)"
    done = result(SWITCHED, entry(ROPE))
    assert isinstance(done, Perturbed)
    assert done.voucher is Voucher.NOBODY
    hers = "[Nora] met [her aunt] when <she = Nora, the aunt> was {in, out}."
    assert applied(SWITCHED, entry(hers, switchable="yes")).startswith("[Her aunt] met [Nora]")


def test_answers_and_phrases_may_be_given_by_hand() -> None:
    text = "[The old owls] fed [the young ones], as <they = the old owls, the young owls> {c, d}."
    one = entry(text, switchable="yes", switching="old, young")
    done = result(SWITCHED, one)
    assert isinstance(done, Perturbed)
    assert sensible(done.entry.grid)[0] == ("The young owls fed the old ones, as the young owls c.")
    again = result(SWITCHED, done.entry)
    assert isinstance(again, Perturbed)
    assert again.entry.grid == one.grid
    by_hand = entry(ROPE, switchable="yes", switched="Miss Lena, Miss Nora")
    assert "<she = Miss Lena, Miss Nora>" in applied(SWITCHED, by_hand)
    inside = entry(
        "Yesterday [Tom] saw [the man], as <he = Tom, the man> was {up, out}.",
        switchable="yes",
        switching="Tom, the man",
    )
    assert applied(SWITCHED, inside).startswith("Yesterday [the man] saw [Tom], as")
    lost = entry(ROPE, switchable="yes", switching="owl, vole")
    assert applied(SWITCHED, lost) == "('owl' does not occur)"


PHRASES = ["the owl", "a vole", "Ada", "Boris", "three jugs", "Miss Lind", "Mr. Hill", "my kiln"]


@st.composite
def switchables(draw: st.DrawFn) -> Grid:
    """Winograd schemas and single problems with both candidates, some of them verbatim."""
    first, second = draw(st.lists(st.sampled_from(PHRASES), min_size=2, max_size=2, unique=True))
    numbers = draw(st.permutations([1, 2]))
    texts = {1: first, 2: second}
    start = draw(st.sampled_from(["", "Today ", "It rained. ", "“", "when "]))
    marked = [f"[{number}: {texts[number]}]" for number in numbers]
    again = draw(st.sampled_from(["", f", and {marked[0]} fell", f". {marked[1]} fell"]))
    target = draw(st.sampled_from(["it", "his", "their", "_"]))
    end = draw(st.sampled_from(["{glad, wet}", "{, not} there."]))
    is_single = draw(st.booleans())
    answers = f"{first}*, {second}" if is_single else f"{first}, {second}"
    rest = "came home!" if is_single else end
    text = f"{start}{marked[0]} met {marked[1]}{again} as <{target} = {answers}> was {rest}"
    if draw(st.booleans()):
        return parse_grid(text)
    # What opens a finished sentence has a capital, unless nothing in it has one.
    return parse_grid(f"! {text.lower()}" if text.endswith((".", "!")) else f"! {text}")


@brisk
@given(switchables())
def test_switching_twice_is_the_identity(grid: Grid) -> None:
    before = Entry("e", grid, flags=(("switchable", True),))
    once = SWITCHED.rewrite(before, SWITCHED.settings())
    assert sentences(once.grid) != sentences(grid)
    twice = SWITCHED.rewrite(replace(before, grid=once.grid), SWITCHED.settings())
    assert sentences(twice.grid) == sentences(grid)


def test_the_right_answer_is_the_other_one() -> None:
    before = entry(ROPE, switchable="yes")
    done = result(SWITCHED, before)
    assert isinstance(done, Perturbed)
    for old, new in zip(problems(before.grid), problems(done.entry.grid), strict=True):
        assert old.right is not None and new.right is not None
        assert new.options[new.right] == old.options[1 - old.right]
