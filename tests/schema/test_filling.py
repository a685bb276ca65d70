import re

import pytest
from hypothesis import given

from horsesense.schema import (
    BLANK,
    AxisName,
    Candidate,
    Cell,
    Grid,
    Schema,
    Sentence,
    Slot,
    Span,
    Target,
    fill,
    modes,
    problems,
)
from horsesense.schema.notation import parse_grid
from tests.strategies import brisk, grids, patient, tame

KEY, ANSWER = AxisName.KEY, AxisName.ANSWER


def filled(notation: str, key: int = 0, answer: int = 0) -> str:
    return parse_grid(notation).sentence(Cell(key, answer)).text


def sentences(grid: Grid) -> list[Sentence]:
    return [grid.sentence(cell) for cell in grid.cells]


def phrase_of(grid: Grid, cell: Cell, span: Span) -> str:
    """What was put into that span, as it stands in the notation."""
    part = grid if isinstance(grid, Schema) else grid.rows[cell.key]
    if span.role == "candidate":
        texts = [part for part in part.frame if isinstance(part, Candidate)]
        before = [s for s in grid.sentence(cell).spans_of("candidate") if s.start < span.start]
        return texts[len(before)].text
    axis = grid.axes[span.role] if isinstance(grid, Schema) else part.answers
    return axis.phrase(cell.along(span.role), Slot(span.role, span.index))


def is_spelling_of(spelt: str, phrase: str) -> bool:
    """True for the phrase itself or as an owner, with at most one more capital."""
    words = {phrase, f"{phrase}'s", f"{phrase}'"}
    capitals = {w[:n] + w[n].upper() + w[n + 1 :] for w in words for n in range(len(w))}
    return spelt in words | capitals


@given(grids())
@patient
def test_every_span_slices_out_the_phrase_that_was_put_in(grid: Grid) -> None:
    for cell in grid.cells:
        sentence = grid.sentence(cell)
        for span in sentence.spans:
            spelt = sentence.text[span.start : span.end]
            assert is_spelling_of(spelt, phrase_of(grid, cell, span))


@given(grids())
@brisk
def test_spans_follow_one_another_without_overlap(grid: Grid) -> None:
    for sentence in sentences(grid):
        edges = [edge for span in sentence.spans for edge in (span.start, span.end)]
        assert edges == sorted(edges) and edges[0] >= 0 and edges[-1] <= len(sentence.text)


@given(grids())
@patient
def test_filling_never_leaves_two_spaces_or_spaces_at_the_ends(grid: Grid) -> None:
    for sentence in sentences(grid):
        assert "  " not in sentence.text and sentence.text == sentence.text.strip(" ")


@given(grids(tame))
@patient
def test_filling_never_leaves_a_space_before_punctuation(grid: Grid) -> None:
    assert not [s.text for s in sentences(grid) if re.search(r" [,.;:?!)…]", s.text)]


@given(grids())
@patient
def test_every_sentence_ends_like_one(grid: Grid) -> None:
    for sentence in sentences(grid):
        assert sentence.text.rstrip("\"'”’)]」』")[-1] in ".?!…。？！"


@given(grids(tame))
@brisk
def test_every_sentence_starts_with_a_capital(grid: Grid) -> None:
    for sentence in sentences(grid):
        first = re.search(r"\w", sentence.text)
        assert first and not first[0].islower()


@given(grids(tame))
@patient
def test_what_follows_the_blank_is_the_same_for_every_option(grid: Grid) -> None:
    for mode in modes(grid):
        for problem in problems(grid, mode):
            tails = {s.text[s.spans_of(mode.axis)[-1].end :].lower() for s in problem.sentences}
            assert len({tail.lstrip(" ") for tail in tails}) == 1


def test_a_frame_is_filled_and_its_spans_known() -> None:
    sentence = fill(("oats ", Slot(KEY, 0), " if ", Slot(ANSWER, 0)), lambda slot: slot.axis)
    assert sentence == Sentence(
        "Oats key if answer.", (Span(KEY, 0, 5, 8), Span(ANSWER, 0, 12, 18))
    )
    assert sentence.phrases_of(KEY) == ("key",)


def test_candidates_have_spans_by_their_number() -> None:
    sentence = fill((Candidate(2, "hay"), " and ", Candidate(1, "oats")), str)
    assert sentence.spans == (Span("candidate", 2, 0, 3), Span("candidate", 1, 8, 12))
    assert sentence.phrases_of("candidate") == ("Hay", "oats")


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("<oats, rye> {keep, rot}", "Oats keep."),
        ("[oats] {keep, rot}, and <they = oats, rye> sprout", "Oats keep, and oats sprout."),
        ("a kiln <can, cannot> dry {hay, iron}", "A kiln can dry hay."),
        ("“<dry, wet> {hay, oats} keeps”", "“Dry hay keeps”."),
        ("“so {hay, oats} <keeps, rots>”", "“So hay keeps”."),
        ("It rained. {hay, oats} <rotted, kept>.", "It rained. Hay rotted."),
        (
            "It rained! [hay] {rots, keeps}. <It = hay, rye> smells.",
            "It rained! Hay rots. Hay smells.",
        ),
        ("It rained. “{hay, oats} <rots, keeps>”", "It rained. “Hay rots”."),
        ("It rained. {, not} all the hay <rotted, kept>", "It rained. All the hay rotted."),
        ("The kiln of Dr. {moss, elm} <glows, smokes>", "The kiln of Dr. moss glows."),
        ("pets (e.g. {newts, wolves}) <fit, do not fit> in", "Pets (e.g. newts) fit in."),
        ("At 7 p.m. {hay, oats} <dries, rots>.", "At 7 p.m. hay dries."),
        ("{eReaders, oats} <glow, keep>", "eReaders glow."),
        ("{7, 70} elms <fit, do not fit>", "7 elms fit."),
    ],
)
def test_sentences_start_with_capitals_and_nothing_else_does(notation: str, text: str) -> None:
    assert filled(notation) == text


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("{, very} dry hay <keeps, rots>", "Dry hay keeps."),
        ("hay {, often} <keeps, rots>", "Hay keeps."),
        ("dry hay <keeps, rots> {, at sea}", "Dry hay keeps."),
        ("dry hay <keeps, rots> {, at sea}.", "Dry hay keeps."),
        ("dry hay <keeps, rots> {, at sea}, too", "Dry hay keeps, too."),
        ("does hay <keep, rot> {, at sea}?", "Does hay keep?"),
        ('hay <keeps, rots>{, ", too"}.', "Hay keeps."),
    ],
)
def test_an_empty_phrase_leaves_no_trace(notation: str, text: str) -> None:
    assert filled(notation) == text


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("dry hay <keeps, rots> {at sea, }", "Dry hay keeps at sea."),
        ('dry hay <keeps, rots> {", too", }', "Dry hay keeps, too."),
        ("dry hay <keeps, rots> {indeed!, }", "Dry hay keeps indeed!"),
        ("the jug holds {.5, .9} pints and <leaks, does not>", "The jug holds .5 pints and leaks."),
    ],
)
def test_punctuation_closes_up_and_numbers_do_not(notation: str, text: str) -> None:
    assert filled(notation) == text


def test_the_span_of_an_empty_phrase_stands_before_the_comma_that_follows() -> None:
    sentence = parse_grid("hay <keeps, rots> {, at sea}, too").sentence(Cell(0, 0))
    (span,) = sentence.spans_of(KEY)
    assert sentence.text[span.end :] == ", too."


def test_the_span_of_an_empty_phrase_at_the_end_stands_before_the_full_stop() -> None:
    sentence = parse_grid("hay <keeps, rots> {, at sea}").sentence(Cell(0, 0))
    (span,) = sentence.spans_of(KEY)
    assert sentence.text[span.end :] == "."


@pytest.mark.parametrize(
    ("end", "expected"),
    [("", "."), (".", "."), ("?", "?"), ("!", "!"), ("…", "…"), (" etc.", " etc.")],
)
def test_a_full_stop_comes_where_no_end_is(end: str, expected: str) -> None:
    assert filled(f"hay <keeps, rots> in {{kilns, rain}}{end}") == f"Hay keeps in kilns{expected}"


@pytest.mark.parametrize(
    ("target", "answers", "text"),
    [
        ("his", "Boris, Ada", "Hay fell on Boris's cart."),
        ("their", "the millers, the oxen", "Hay fell on the millers' cart."),
        ("their", "the oxen, the millers", "Hay fell on the oxen's cart."),
        ("her's", "Ada, Boris", "Hay fell on Ada's cart."),
        ("_'s", "Boris, Ada", "Hay fell on Boris's cart."),
        ("his", "Boris's, Ada's", "Hay fell on Boris's cart."),
        ("her", "Ada, Boris", "Hay fell on Ada cart."),
        ("_", "Boris, Ada", "Hay fell on Boris cart."),
    ],
)
def test_an_answer_becomes_an_owner_where_the_pronoun_is_one(
    target: str, answers: str, text: str
) -> None:
    assert filled(f"hay fell on <{target} = {answers}> cart{{, twice}}") == text


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("it fell. <It = the jug, the urn> {leaks, shines}", "It fell. The jug leaks."),
        ("it fell. <_ = the jug, the urn> {leaks, shines}", "It fell. The jug leaks."),
        ("it fell. <I = the jug, the urn> {leak, shine}", "It fell. The jug leak."),
        ("it fell, and <_ = the jug, the urn> {leaks, shines}", "It fell, and the jug leaks."),
        (
            "so said Dr. Elm, and <he = the sage, a lad> {left, sat}",
            "So said Dr. Elm, and the sage left.",
        ),
        ("<it = the jug, the urn> fell, so {one, two} broke", "The jug fell, so one broke."),
        ("<_'s = the jug, the urn> lid {fell, broke}", "The jug's lid fell."),
    ],
)
def test_an_answer_has_a_capital_where_the_pronoun_has_one(notation: str, text: str) -> None:
    assert filled(notation) == text


def test_a_target_rules_the_first_of_two_blanks_only() -> None:
    grid = parse_grid("the elf mended <her's = Ada*, Eve> cart and <Eve, Ada> sang")
    assert grid.sentence(Cell(0, 0)).text == "The elf mended Ada's cart and Eve sang."


def test_a_blank_is_neither_owned_nor_capitalised() -> None:
    grid = parse_grid("<his = Boris, Ada> cart {fell, broke}")
    assert grid.sentence(Cell(0, 0), blank=ANSWER).text == f"{BLANK} cart fell."


def test_a_target_leaves_key_phrases_alone() -> None:
    sentence = fill(
        (Slot(KEY, 0), " on ", Slot(ANSWER, 0), " cart"), lambda _: "elf", Target("his")
    )
    assert sentence.text == "Elf on elf's cart."
