import pytest
from hypothesis import given

from horsesense.errors import SchemaError
from horsesense.schema import (
    Axis,
    AxisName,
    BooleanWrapper,
    Cell,
    Mode,
    Part,
    Schema,
    Slot,
    lowered_word,
    pair,
    problems,
    schemas,
    transposed,
    wrap,
)
from horsesense.schema.notation import parse_grid, parse_wrapper
from tests.strategies import brisk, substitutions, tame, transpositions

IT_IS = parse_wrapper("It is |so, not so| that …")
THAT = parse_wrapper("That … is |plain, odd|.")
TRUTH = Slot(AxisName.TRUTH, 0)
_bare = substitutions(tame) | transpositions(tame)


def schema(notation: str) -> Schema:
    grid = parse_grid(notation)
    assert isinstance(grid, Schema)
    return grid


def wrapped(notation: str, wrapper: BooleanWrapper = IT_IS) -> str:
    """The first sentence of the dyad."""
    return wrap(schema(notation), wrapper).sentence(Cell(0, 0)).text


def sentences(notation: str) -> list[str]:
    """All sentences of the dyad."""
    dyad = wrap(schema(notation), IT_IS)
    return [dyad.sentence(cell).text for cell in dyad.cells]


def refusal(notation: str) -> str:
    with pytest.raises(SchemaError) as caught:
        wrapped(notation)
    return str(caught.value)


def complaint(*before: Part, truths: Axis | None = None) -> str:
    with pytest.raises(SchemaError) as caught:
        BooleanWrapper(before, (), truths or pair("so", "not so"))
    return str(caught.value)


def is_statement(schema: Schema) -> bool:
    last = schema.frame[-1]
    return not (isinstance(last, str) and last.endswith(("?", "!")))


@given(_bare.filter(is_statement))
@brisk
def test_the_true_face_keeps_the_labels_and_the_false_face_turns_them(square: Schema) -> None:
    dyad = wrap(square, IT_IS)
    true, false = schemas(dyad, compared_with=Mode.BY_KEY)
    assert [p.right for p in true] == [p.right for p in problems(square)] == [0, 1]
    assert [p.right for p in false] == [1, 0]


@given(_bare.filter(is_statement))
@brisk
def test_each_sentence_of_the_dyad_holds_the_sentence_of_the_square(square: Schema) -> None:
    dyad = wrap(square, IT_IS)
    for cell in dyad.cells:
        inner = square.sentence(cell.moved(AxisName.TRUTH, 0)).text.rstrip(".")
        assert inner.lower() in dyad.sentence(cell).text.lower()


@given(_bare.filter(is_statement))
@brisk
def test_keys_and_answers_survive_wrapping(square: Schema) -> None:
    dyad = wrap(square, IT_IS)
    assert dyad.kind is square.kind and dyad.truths == IT_IS.truths

    def lowered(axis: Axis) -> list[list[str]]:
        return [[phrase.lower() for phrase in value] for value in axis.values]

    assert lowered(dyad.keys) == lowered(square.keys)
    assert lowered(dyad.answers) == lowered(square.answers)


def test_a_schema_stands_inside_the_wrapper_in_all_eight_sentences() -> None:
    dyad = wrap(schema("hay <keeps, rots> when {dry, damp}"), THAT)
    assert [dyad.sentence(cell).text for cell in dyad.cells] == [
        "That hay keeps when dry is plain.",
        "That hay keeps when dry is odd.",
        "That hay rots when dry is plain.",
        "That hay rots when dry is odd.",
        "That hay keeps when damp is plain.",
        "That hay keeps when damp is odd.",
        "That hay rots when damp is plain.",
        "That hay rots when damp is odd.",
    ]


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("Hay <keeps, rots> when {dry, damp}.", "That hay keeps when dry is plain."),
        (
            "Hay <keeps, rots> when it is {dry, damp} hay.",
            "That hay keeps when it is dry hay is plain.",
        ),
        ("{Owls, Voles} <eat, flee> {voles, owls}.", "That owls eat voles is plain."),
        ("<Dry, Damp> hay {keeps, rots}.", "That dry hay keeps is plain."),
        (
            "[Hay] {rots, keeps} when <it = hay, rye> is wet.",
            "That hay rots when hay is wet is plain.",
        ),
        ("<It = hay, rye> {rots, keeps}.", "That hay rots is plain."),
        ("{, Not} all hay <rots, keeps>.", "That all hay rots is plain."),
        ("“Dry” hay <keeps, rots> on {lofts, rafts}.", "That “dry” hay keeps on lofts is plain."),
        ("Fresh éclairs <keep, rot> in {ice, ovens}.", "That fresh éclairs keep in ice is plain."),
        (
            "The jug <holds, lacks> {oats, rye}, hay, etc.",
            "That the jug holds oats, hay, etc. is plain.",
        ),
    ],
)
def test_a_finished_sentence_loses_capital_and_full_stop_in_a_wrapper(
    notation: str, text: str
) -> None:
    assert wrapped(notation, THAT) == text


def test_a_sentence_that_ends_in_a_quotation_is_finished_too() -> None:
    notation = "The sign <says, hides> “{dry, wet} hay.”"
    assert wrapped(notation) == "It is so that the sign says “dry hay.”"


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("[Ada] fed [Eve] as <she = Ada, Eve> {cooked, ate}.", "Ada fed Eve as Ada cooked"),
        ("{Ada, Eve} <fed, fled> {Eve, Ada}.", "Ada fed Eve"),
        ("<I, we> {rest, rot}.", "I rest"),
        ("Friday <is, is not> {a day, a week}.", "Friday is a day"),
        ("McElm <is, is not> {a name, a noun}.", "McElm is a name"),
        ("Ada Grove <ate, sold> the {plums, plough}.", "Ada Grove ate the plums"),
        ("Mount {Ada, Eve} <is, is not> high.", "Mount Ada is high"),
        ("{Uncle, Aunt} Moss <is, is not> a man.", "Uncle Moss is a man"),
    ],
)
def test_a_name_keeps_its_capital_in_a_wrapper(notation: str, text: str) -> None:
    assert wrapped(notation) == f"It is so that {text}."


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("Boris <eats, plants> {plums, ploughs}", "Boris eats plums"),
        ("hay <keeps, rots> when {dry, damp}", "hay keeps when dry"),
        ("<it = hay, rye> {rots, keeps}", "hay rots"),
        ("{Owls, Voles} <eat, flee> {voles, owls}", "Owls eat voles"),
    ],
)
def test_a_schema_written_bare_is_taken_as_it_stands(notation: str, text: str) -> None:
    assert wrapped(notation) == f"It is so that {text}."


@pytest.mark.parametrize(
    ("notation", "word"),
    [
        ("Boris <eats, plants> {plums, ploughs}.", "Boris"),
        ("{Boris, Hay} <eats, is eaten> in summer.", "Boris"),
        ("{The owl, Boris} <hoots, cooks> all night.", "Boris"),
        ("<Boris, Hay> {cooks, rots} in the barn.", "Boris"),
        (
            "[Boris's mule] led [the cow] as <it = the mule, the cow> was {quick, slow}.",
            "Boris's",
        ),
    ],
)
def test_a_word_that_loses_its_capital_and_might_be_a_name_is_told(
    notation: str, word: str
) -> None:
    assert lowered_word(schema(notation)) == word
    assert f"that {word[0].lower()}{word[1:]}" in " ".join(sentences(notation))


@pytest.mark.parametrize(
    "notation",
    [
        "Boris <eats, plants> {plums, ploughs}",
        "The owl <eats, plants> {voles, ploughs}.",
        "{The owl, A vole} <eats, flees> {a vole, the owl}.",
        "Friday <is, is not> {a day, a week}.",
        "[Boris] met [Igor] when <he = Boris, Igor> {left, came}.",
        "{, Not} all hay <rots, keeps>.",
    ],
)
def test_a_word_that_keeps_its_capital_or_is_no_name_is_not_told(notation: str) -> None:
    assert lowered_word(schema(notation)) == ""


def test_a_winograd_schema_keeps_target_and_candidates_in_a_wrapper() -> None:
    dyad = wrap(schema("[The jug] hit [the urn] and <it = the jug, the urn> {fell, broke}."), IT_IS)
    assert dyad.is_winograd and dyad.is_dyad
    assert dyad.sentence(Cell(0, 0)).phrases_of("candidate") == ("the jug", "the urn")


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        (
            "It is |so, not so| that hay <keeps, rots> when {dry, damp}.",
            "a dyad is already wrapped",
        ),
        (
            "Hay is cheap. It <keeps, rots> when {dry, damp}.",
            "only one sentence fits into a wrapper, and this has several",
        ),
        ("Does hay <keep, rot> when {dry, damp}?", "only a statement fits into a wrapper"),
        ("Hay <keeps, rots> when {dry, damp}!", "only a statement fits into a wrapper"),
    ],
)
def test_what_does_not_fit_into_a_wrapper_is_refused(notation: str, message: str) -> None:
    assert refusal(notation) == message


def test_an_abbreviation_does_not_make_two_sentences() -> None:
    assert wrapped("the kiln of Dr. Moss <glows, smokes> when {dry, damp}").endswith("when dry.")


@pytest.mark.parametrize(
    ("truths", "message"),
    [
        (Axis((("so",),)), "a truth pair is two phrases in one placeholder"),
        (pair("so", "so"), "'so' occurs twice; the options must differ"),
        (pair("so", ""), "a truth phrase is empty"),
        (
            Axis((("so",), ("not so",), ("perhaps",))),
            "a truth pair is two phrases in one placeholder",
        ),
        (transposed("so", "not so"), "a truth pair is two phrases in one placeholder"),
    ],
)
def test_the_truth_pair_of_a_wrapper_must_be_one(truths: Axis, message: str) -> None:
    assert complaint("It is ", TRUTH, " that ", truths=truths) == message


@pytest.mark.parametrize(
    "before", [("It is so that ",), ("It is ", TRUTH, " and ", TRUTH, " that ")]
)
def test_a_wrapper_has_one_truth_placeholder(before: tuple[Part, ...]) -> None:
    assert complaint(*before) == "a wrapper has one truth placeholder"
