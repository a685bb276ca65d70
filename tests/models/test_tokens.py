import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.models import Part, Straddling, Token, Tokenization, align
from horsesense.schema import AxisName, Span
from tests.scoring.observed import placed
from tests.strategies import brisk


def parts(marked: str, tokens: str = "", straddling: Straddling = Straddling.SUFFIX) -> str:
    """A letter for the part of each token; E is for between."""
    letters = {Part.SPECIAL: "-", Part.BETWEEN: "E"}
    found = placed(marked, before=1, after=1, straddling=straddling, tokens=tokens).parts
    return "".join(letters.get(part, part[0].upper()) for part in found)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("So [the owl] hunts .", "-PBBSS-"),
        ("[Owls] hunt", "-BS-"),
        ("Hunting [owls]", "-PB-"),
        ("[Owls] do eat [mice] .", "-BEEBS-"),
        ("[Owls] [mice] .", "-BBS-"),
        ("Owls do [] hunt", "-PPS-"),
        ("Owls hunt []", "-PP-"),
        ("Owls [] and [mice] hunt", "-PEBS-"),
        ("Owls hunt", "-PP-"),
    ],
)
def test_every_token_belongs_to_a_part(marked: str, expected: str) -> None:
    assert parts(marked) == expected


@pytest.mark.parametrize(
    ("marked", "tokens", "suffix", "blank"),
    [
        ("The [owl]s hunt", "The owls hunt", "-PSS-", "-PBS-"),
        ("The [owl]s and [bat]s hunt", "The owls and bats hunt", "-PEESS-", "-PBEBS-"),
        ("A mid[night] owl", "A midnight owl", "-PBS-", "-PBS-"),
        ("A mid[] owl", "A mid owl", "-PPS-", "-PPS-"),
        ("A mid[]night owl", "A midnight owl", "-PSS-", "-PBS-"),
    ],
)
def test_a_token_across_an_edge_counts_as_declared(
    marked: str, tokens: str, suffix: str, blank: str
) -> None:
    assert parts(marked, tokens) == suffix
    assert parts(marked, tokens, Straddling.BLANK) == blank


def test_tokens_across_an_edge_are_told() -> None:
    assert placed("The [owl]s hunt", tokens="The owls hunt").straddling == (1,)
    assert placed("A mid[night] owl", before=1, tokens="A midnight owl").straddling == (2,)
    assert placed("The [owl] hunts", before=1, after=1).straddling == ()


def test_white_space_goes_with_what_it_leads_to() -> None:
    spaced = (Token(1, 0, 2, 0), Token(9, 3, 3, 1), Token(2, 3, 6, 1), Token(9, 6, 6, 1))
    special = Token(0, 0, 0, None)
    blank = Span(AxisName.ANSWER, 0, 3, 6)
    found = align(Tokenization("So owl ", (*spaced, special)), [blank])
    assert found.parts == (Part.PREFIX, Part.BLANK, Part.BLANK, Part.SUFFIX, Part.SPECIAL)


def test_special_tokens_stand_nowhere() -> None:
    found = placed("So [it] is", before=1, after=1)
    assert found.real == found.tokenization.real == (1, 2, 3)
    assert found.tokenization.words == (None, 0, 1, 2, None)
    assert [token.is_special for token in found.tokenization.tokens] == [
        True,
        False,
        False,
        False,
        True,
    ]
    assert len(found.tokenization.ids) == 5


def test_a_reading_keeps_where_its_blanks_are() -> None:
    assert [(span.start, span.end) for span in placed("So [it] is []").blanks] == [(3, 5), (9, 9)]
    assert placed("So it is").blanks == ()


def test_neighbouring_blanks_are_told_apart() -> None:
    assert placed("so [big owls] [hunt] mice").by_blank == ((1, 2), (3,))
    assert placed("so [] [hunt] mice").by_blank == ((), (1,))
    assert placed("[owl]s eat [bat]s", tokens="owls eat bats").by_blank == ((), ())
    blank = Straddling.BLANK
    assert placed("[owl]s []eat", tokens="owls eat", straddling=blank).by_blank == ((0,), ())
    assert placed("owls", before=1).by_blank == ()


words = st.lists(st.sampled_from(["owl", "bat", "sees", "."]), max_size=3).map(" ".join)


@brisk
@given(st.tuples(words, words, words), st.booleans())
def test_the_parts_stand_in_order(texts: tuple[str, str, str], two: bool) -> None:
    before, phrase, after = texts
    found = placed(f"{before} [{phrase}] {after}" + (f" [{phrase}] {after}" if two else ""))
    order = [Part.PREFIX, Part.BLANK, Part.BETWEEN, Part.BLANK, Part.SUFFIX]
    rest = iter(order)
    runs = [part for at, part in enumerate(found.parts) if not at or found.parts[at - 1] != part]
    assert all(part in rest for part in runs)
    assert len(found.positions(Part.BLANK)) == len(phrase.split()) * (2 if two else 1)


def test_a_reading_is_the_same_from_tokens_and_from_columns() -> None:
    columns = ((5, 7), (0, 0), (0, 3), (None, 0))
    found = Tokenization("Owl", columns=columns)
    assert found == Tokenization("Owl", (Token(5, 0, 0, None), Token(7, 0, 3, 0)))
    assert found.tokens[1] == Token(7, 0, 3, 0) and Tokenization("").tokens == ()
