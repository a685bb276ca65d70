from typing import Any

import pytest

from horsesense.errors import SchemaError
from horsesense.schema import Dataset, Entry, Header, Mode, check_name, check_tags
from horsesense.schema.notation import parse_grid

HAY = parse_grid("hay <keeps, rots> when {dry, damp}")


def refusal(**fields: object) -> str:
    with pytest.raises(SchemaError) as caught:
        Entry(**{"id": "hay", "grid": HAY, **fields})  # type: ignore[arg-type]
    return str(caught.value)


def test_a_dataset_of_texts_is_refused_with_what_it_takes() -> None:
    with pytest.raises(TypeError, match="takes a Header and entries"):
        Dataset("barn", [Entry("hay", HAY)])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes a Header and entries"):
        Dataset(Header("barn"), ["hay <keeps, rots> when {dry, damp}"])  # type: ignore[list-item]


def test_a_flag_is_yes_no_or_not_said() -> None:
    entry = Entry("hay", HAY, flags=(("switchable", True), ("invertible", False)))
    said = [entry.flag(name) for name in ("switchable", "invertible", "symmetrical")]
    assert said == [True, False, None]


def test_entries_with_the_same_fields_in_another_order_are_equal() -> None:
    flags, extras = (("switchable", True), ("invertible", False)), (("x-b", "1"), ("x-a", "2"))
    assert Entry("hay", HAY, flags=flags, extras=extras) == Entry(
        "hay", HAY, flags=flags[::-1], extras=extras[::-1]
    )


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("flags", (("switchable", True), ("switchable", False))),
        ("phrases", (("unbalanced", ("a",)), ("unbalanced", ("b",)))),
        ("versions", (("tense", HAY), ("tense", HAY))),
        ("extras", (("x-a", "1"), ("x-a", "2"))),
    ],
)
def test_a_field_is_given_once(kind: str, named: object) -> None:
    assert refusal(**{kind: named}) == f"two of the {kind} have the same name"


@pytest.mark.parametrize("name", ["a", "7", "hay-01", "Hay.v2_b", "x" * 100])
def test_a_name_that_nothing_trips_over_is_fine(name: str) -> None:
    check_name(name, "an id")
    assert Entry(name, HAY).id == Header(name).name == name


@pytest.mark.parametrize("name", ["", "-hay", ".hay", "two hays", "foin/été", "hay\n", "x" * 101])
def test_a_name_that_something_trips_over_is_refused(name: str) -> None:
    assert refusal(id=name) == (
        f"{name!r} cannot be an id: use a letter or digit, then letters, digits and any of ._-, "
        "at most 100"
    )


@pytest.mark.parametrize("tag", ["farm", "été", "7", "farm/hay", "a:b+c-d.e_f"])
def test_a_tag_is_one_word(tag: str) -> None:
    check_tags((tag,))
    assert Entry("hay", HAY, tags=(tag,)).tags == (tag,)


@pytest.mark.parametrize("tag", ["", "two words", "_farm", "-farm", "farm,hay", "farm\n"])
def test_what_is_no_word_is_no_tag(tag: str) -> None:
    assert refusal(tags=("farm", tag)) == (
        f"{tag!r} is not a valid tag; use letters, digits and any of _./:+-"
    )


def test_a_tag_is_not_given_twice() -> None:
    assert refusal(tags=("farm", "hay", "farm")) == "a tag occurs twice"


@pytest.mark.parametrize("text", [" dry", "dry ", "dry\nhay", "dry\thay", "\ufeffdry"])
def test_a_note_is_one_clean_line(text: str) -> None:
    message = "a note is one line without control characters or spaces at the ends"
    assert refusal(note=text) == message


@pytest.mark.parametrize("phrase", ["", " dry", "dry  hay", "dry\nhay"])
def test_a_phrase_for_a_perturbation_is_clean_text(phrase: str) -> None:
    message = "a phrase of 'adjectival' is empty or not clean text"
    assert refusal(phrases=(("adjectival", ("hay", phrase)),)) == message


@pytest.mark.parametrize("value", [" dry", "dry\nhay"])
def test_a_field_of_the_author_is_one_clean_line(value: str) -> None:
    assert refusal(extras=(("x-mine", value),)) == (
        "the field 'x-mine' is one line without control characters or spaces at the ends"
    )


@pytest.mark.parametrize("name", ["mine", "x-a: b", "x-a\nb", " x-a", "x-a ", "x-\t"])
def test_a_field_of_the_author_has_a_name_that_can_be_read_back(name: str) -> None:
    assert repr(name) in refusal(extras=((name, "1"),))


def test_a_version_is_a_grid_of_one_line() -> None:
    loose = parse_grid("oats <keep*, rot> here\n& rye <keeps, rots*> here")
    assert "'tense'" in refusal(versions=(("tense", loose),))


@pytest.mark.parametrize("field", ["title", "author", "licence", "note"])
def test_what_a_header_says_is_one_clean_line(field: str) -> None:
    said: dict[str, Any] = {field: "dry\nhay"}
    with pytest.raises(SchemaError) as caught:
        Header("farm", **said)
    message = "is one line without control characters or spaces at the ends"
    assert str(caught.value).endswith(f"{field} {message}")


def test_the_name_of_a_dataset_is_checked() -> None:
    with pytest.raises(SchemaError, match="'the farm' cannot be a dataset's name"):
        Header("the farm")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"flags": (("odd", True),)}, "'odd' is not one of switchable, symmetrical"),
        ({"phrases": (("odd", ("a",)),)}, "'odd' is not one of adjectival, unbalanced"),
        ({"phrases": (("adjectival", ("a",)),)}, "'adjectival' takes 2 phrases, not 1"),
        ({"versions": (("odd", parse_grid("we ate <soup*, sand>")),)}, "'odd' is not one of tense"),
    ],
)
def test_material_no_file_could_hold_is_refused(fields: dict[str, object], problem: str) -> None:
    assert refusal(**fields).startswith(problem)


def test_a_dataset_is_solved_by_answer_unless_it_declares_another_mode() -> None:
    assert Header("farm").mode is Mode.BY_ANSWER
    written: Any = "by key"
    assert Header("farm", mode=written).mode is Mode.BY_KEY


def test_a_mode_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    written: Any = "by ear"
    with pytest.raises(SchemaError) as caught:
        Header("farm", mode=written)
    assert str(caught.value) == "'by ear' is not a mode\n  known: by answer, by key, by boolean"


def test_a_dataset_is_a_sequence_of_its_entries_under_the_name_of_its_header() -> None:
    entries = [Entry("hay", HAY), Entry("straw", HAY)]
    dataset = Dataset(Header("barn", mode=Mode.BY_KEY), entries)
    assert (dataset.name, len(dataset), list(dataset)) == ("barn", 2, entries)
    assert (dataset.mode, Dataset(dataset.header, [], mode=Mode.BY_ANSWER).mode) == (
        Mode.BY_KEY,
        Mode.BY_ANSWER,
    )


def test_the_version_of_a_dataset_follows_from_its_content() -> None:
    barn = Dataset(Header("barn"), [Entry("hay", HAY)])
    assert barn.version == Dataset(Header("barn"), [Entry("hay", HAY)], remarks=["new"]).version
    assert barn.version != Dataset(Header("barn"), [Entry("straw", HAY)]).version
    assert Dataset(Header("barn"), [], stored_id="known").version == "known"


def test_a_dataset_shows_how_much_it_holds() -> None:
    single = Entry("single", parse_grid("hay <keeps*, rots> in the barn"))
    dataset = Dataset(Header("barn"), [Entry("hay", HAY), Entry("straw", HAY), single])
    assert repr(dataset) == "<Dataset barn: 2 schemas, 1 single problem, by answer>"


def test_a_renamed_dataset_has_the_same_entries_and_another_version() -> None:
    barn = Dataset(Header("barn"), [Entry("hay", HAY)])
    stable = barn.renamed("stable")
    assert (stable.name, stable.entries) == ("stable", barn.entries)
    assert stable.version != barn.version
    assert barn.replace(remarks=("new",)).version == barn.version
