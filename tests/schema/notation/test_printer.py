import pytest

from horsesense.schema.notation import (
    content_id,
    grid_id,
    parse_grid,
    parse_wrapper,
    print_grid,
    print_wrapper,
)
from horsesense.schema.notation.printer import print_phrases


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("hay ⟨keeps,rots⟩  when {dry,damp}.", "hay <keeps, rots> when {dry, damp}."),
        ("It is ‖so,not so‖ that <a,b> {c,d}", "It is |so, not so| that <a, b> {c, d}"),
        ("{,very} dry <hay, oats>", "{, very} dry <hay, oats>"),
        ("dry <hay, oats> {so,}", "dry <hay, oats> {so, }"),
        ("{owls,voles} <eat,flee> {voles,owls}", "{owls, voles} <eat, flee> {voles, owls}"),
        ("[1: a] or [2: b]: <it=a,b> {c,d}", "[a] or [b]: <it = a, b> {c, d}"),
        ("[2: b] or [1: a]: <it=a,b> {c,d}", "[2: b] or [1: a]: <it = a, b> {c, d}"),
        ("[1: 2: a] or [2: b]: <it=a,b> {c,d}", "[1: 2: a] or [2: b]: <it = a, b> {c, d}"),
        ("so <a, b *>", "so <a, b*>"),
        ("so <?a,b,c>", "so <? a, b, c>"),
        ("so <?it=a,b>", "so <? it = a, b>"),
        ("<a, b> or <c, d*>", "<a, b*> or <c, d*>"),
        ("so <a*, b>\n&   or <c, d*>", "so <a*, b>\n& or <c, d*>"),
        ('so <"a"*, "b">', "so <a*, b>"),
        ('so <"a, c"*, "b = d">', 'so <"a, c"*, "b = d">'),
        (r'so <"a \"c\""*, "b\\d">', r'so <"a \"c\""*, "b\\d">'),
        (r"so <\?a*, b\*>", 'so <"?a"*, "b*">'),
        (r"a \{set\} \| <b*, c>", r"a \{set\} \| <b*, c>"),
        (r"\# 7 <a*, b>", r"\# 7 <a*, b>"),
        (r"\& Sons <a*, b>", r"\& Sons <a*, b>"),
        (r"\--- <a*, b>", r"\--- <a*, b>"),
        (r"\- hay <a*, b>", "- hay <a*, b>"),
    ],
)
def test_every_grid_has_one_way_to_be_written(written: str, canonical: str) -> None:
    assert print_grid(parse_grid(written)) == canonical


def test_phrases_are_quoted_where_they_need_it() -> None:
    assert print_phrases(("dry hay", "oats, rye", 'so "dry"')) == (
        'dry hay, "oats, rye", "so \\"dry\\""'
    )


@pytest.mark.parametrize(
    "text",
    [
        "It is |so, not so| that …",
        "That … is |plain, odd|.",
        '… is |"so, yes", no|, I say',
        r"\{It\} is |so, no| that …",
    ],
)
def test_a_wrapper_is_written_as_it_was_read(text: str) -> None:
    assert print_wrapper(parse_wrapper(text)) == text


def test_three_dots_become_an_ellipsis() -> None:
    assert print_wrapper(parse_wrapper("That ... is |plain, odd|")) == "That … is |plain, odd|"


def test_ids_are_thirty_two_hexadecimal_digits() -> None:
    grid = parse_grid("hay <keeps, rots> when {dry, damp}")
    assert len(grid_id(grid)) == 32 and int(grid_id(grid), 16)


def test_an_id_never_changes() -> None:
    grid = parse_grid("hay <keeps, rots> when {dry, damp}")
    assert grid_id(grid) == "c5e5b035463e2a6a688e5d8edb2f9304"


def test_the_same_text_of_another_kind_has_another_id() -> None:
    assert content_id("grid", "hay") != content_id("entry", "hay")


def test_spelling_that_means_the_same_has_the_same_id() -> None:
    assert grid_id(parse_grid("so ⟨a,b⟩ {c,d}")) == grid_id(parse_grid('so <"a", b>  {c, d}'))
