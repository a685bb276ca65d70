"""Parts that are found by looking at few tokens must be those found token by token."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.models import Part, Straddling, Token, Tokenization, TokenSpans, align
from horsesense.schema import AxisName, Span


def slowly_placed(
    tokenization: Tokenization, blanks: Sequence[Span], straddling: Straddling
) -> TokenSpans:
    """The reference: every token is looked at by itself."""
    parts: list[Part] = []
    across: list[int] = []
    for at, token in enumerate(tokenization.tokens):
        parts.append(_part(token, blanks, straddling))
        edges = [
            edge for span in blanks if span.start < span.end for edge in (span.start, span.end)
        ]
        if not token.is_special and any(token.start < edge < token.end for edge in edges):
            across.append(at)
    for at in reversed(range(len(parts) - 1)):
        token = tokenization.tokens[at]
        is_bare = not token.is_special and token.start == token.end
        if blanks and is_bare and parts[at + 1] is not Part.SPECIAL:
            parts[at] = parts[at + 1]
    return TokenSpans(tokenization, tuple(parts), tuple(across), tuple(blanks))


def _part(token: Token, blanks: Sequence[Span], straddling: Straddling) -> Part:
    if token.is_special:
        return Part.SPECIAL
    if not blanks or token.end <= blanks[0].start:
        return Part.PREFIX
    if token.start >= blanks[-1].end:
        return Part.SUFFIX
    for span in blanks:
        if token.start < span.end and token.end > span.start:
            if token.end > span.end and straddling is Straddling.SUFFIX:
                return Part.SUFFIX if span is blanks[-1] else Part.BETWEEN
            return Part.BLANK
    return Part.BETWEEN


@st.composite
def readings(draw: st.DrawFn) -> Tokenization:
    """Tokens in their order, with gaps and white space; now and then special ones, or disorder."""
    text = "x" * 24
    ends = sorted(draw(st.lists(st.integers(0, 24), max_size=10)))
    tokens: list[Token] = []
    reached = 0
    for number, end in enumerate(ends):
        start = draw(st.integers(min(reached, end), end))
        tokens.append(Token(number, start, end, number))
        reached = draw(st.sampled_from([start, end]))
    if draw(st.integers(0, 4)) == 0:
        tokens = draw(st.permutations(tokens))
    special = Token(99, 0, 0, None)
    if draw(st.integers(0, 4)) == 0:
        tokens.insert(draw(st.integers(0, len(tokens))), special)
    before, after = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    return Tokenization(text, [special] * before + tokens + [special] * after)


@st.composite
def blanks(draw: st.DrawFn) -> list[Span]:
    edges = sorted(draw(st.lists(st.integers(0, 24), min_size=4, max_size=4)))
    spans = [Span(AxisName.ANSWER, at, *edges[2 * at : 2 * at + 2]) for at in (0, 1)]
    return spans[: draw(st.integers(0, 2))]


@settings(max_examples=500, deadline=None)
@given(readings(), blanks(), st.sampled_from(Straddling))
def test_parts_are_those_found_token_by_token(
    tokenization: Tokenization, spans: list[Span], straddling: Straddling
) -> None:
    found, expected = (
        align(tokenization, spans, straddling),
        slowly_placed(tokenization, spans, straddling),
    )
    assert found == expected
    assert found.in_blanks == expected.in_blanks and found.after_blanks == expected.after_blanks


def test_special_tokens_among_others_put_no_token_in_order() -> None:
    one, other, special = Token(1, 0, 2, 0), Token(2, 3, 5, 1), Token(9, 0, 0, None)
    assert Tokenization("an owl", [special, one, other, special]).in_order == (1, 3)
    assert Tokenization("an owl", [one, special, other]).in_order == (0, 0)
    assert Tokenization("an owl", [other, one]).in_order == (0, 0)
    assert Tokenization("", [special]).in_order == (0, 0)
