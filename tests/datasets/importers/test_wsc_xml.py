"""The WSC in XML: by problems of our own, and by the published files."""

import pytest

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.datasets.importers.formats.davis_xml import FORMAT_WSC as FORMAT
from horsesense.errors import FileError
from horsesense.schema import Header, Issue, IssueKind, Kind, problems
from tests.datasets.importers.imported import Imported, claimed, imported, published
from tests.datasets.importers.samples import collection, json_list, schema_element

AWAKE = schema_element()
ASLEEP = schema_element(after="was asleep.", right="B")
SQUARE = "[The owl] saw [the vole] because <it = the owl, the vole> was {awake, asleep}."
FILES = {"wsc_xml/273/WSCollection.xml": 273, "wsc_xml/285/WSCollection.xml": 285}


def read(*elements: str, off: tuple[str, ...] = ()) -> Imported:
    return imported(FORMAT, collection(*elements), switched_off=off)


def counted(issues: list[Issue], kind: IssueKind) -> dict[str, tuple[int, int]]:
    """In how many schemas, and in how many problems, each issue occurred."""
    names = {one.name for one in issues if one.kind is kind}
    found = {name: [one for one in issues if one.name == name] for name in names}
    return {
        name: (len({one.entry for one in some}), len({one.problem for one in some}))
        for name, some in found.items()
    }


def test_neighbours_that_are_alike_make_a_schema() -> None:
    other = schema_element("Nora sold the lorry, for", "she", "had no garage.", ("Nora", "Lena"))
    found = read(AWAKE, ASLEEP, other)
    assert found.grids == {
        "1-2": SQUARE,
        "3": "[Nora] sold the lorry, for <she = Nora*, Lena> had no garage.",
    }
    assert dict(found.entries[0].extras) == {"x-problems": "1, 2"}


def test_what_is_done_to_a_problem_is_told_with_its_line() -> None:
    element = schema_element("\nThe owl  saw the vole\nbecause ", " it ", " ate . ", right=" B. ")
    found = read(element)
    assert found.grids == {"1": "[The owl] saw [the vole] because <it = the owl, the vole*> ate ."}
    assert {(one.name, one.kind) for one in found.issues} == {
        ("exterior-whitespace", IssueKind.STEP),
        ("line-breaks", IssueKind.STEP),
        ("double-spaces", IssueKind.STEP),
        ("label-with-full-stop", IssueKind.STEP),
        ("answer-lowercase", IssueKind.REPAIR),
    }
    assert {(one.line, one.entry, one.problem) for one in found.issues} == {(3, "1", "1")}


@pytest.mark.parametrize(
    "after, joined",
    [
        (", and fled.", "the owl, and fled."),
        (".", "the owl."),
        ("; so be it.", "the owl; so be it."),
        ("(the owl) fled.", "the owl (the owl) fled."),
        ("“fled”.", "the owl “fled”."),
        ("3 times.", "the owl 3 times."),
        ("", "the owl"),
    ],
)
def test_punctuation_closes_up_with_the_answer(after: str, joined: str) -> None:
    found = read(schema_element("Nora saw", "it", after))
    (sentence, _) = problems(found.entries[0].grid)[0].sentences
    assert sentence.text == f"Nora saw {joined}"
    closes = after[:1] in (",", ".", ";") and bool(after)
    assert ("punctuation-after-pronoun" in found.told) is closes


@pytest.mark.parametrize(
    "pronoun, before, expected",
    [
        ("it", "Nora said", "Nora said <it = the owl*, the vole> nest fell."),
        ("It", "Nora left.", "Nora left. <It = the owl*, the vole> nest fell."),
        ("its", "Nora said", "Nora said <its = the owl*, the vole> nest fell."),
        ("her", "Nora said", "Nora said <her's = the owl*, the vole> nest fell."),
        ("Their", "Nora left.", "Nora left. <Their = the owl*, the vole> nest fell."),
    ],
)
def test_answers_are_spelt_for_the_pronoun_s_place(
    pronoun: str, before: str, expected: str
) -> None:
    assert read(schema_element(before, pronoun, "nest fell.")).grids == {"1": expected}


@pytest.mark.parametrize(
    "off, sentence",
    [
        ((), "Nora said the owl's nest fell."),
        (("answer-lowercase",), "Nora said The owl's nest fell."),
        (("answer-possessive",), "Nora said the owl nest fell."),
        (("answer-lowercase", "answer-possessive"), "Nora said The owl nest fell."),
    ],
)
def test_each_repair_can_be_switched_off(off: tuple[str, ...], sentence: str) -> None:
    found = read(schema_element("Nora said", "its", "nest fell."), off=off)
    assert problems(found.entries[0].grid)[0].sentences[0].text == sentence
    assert {one.name: one.kind for one in found.issues if one.name.startswith("answer")} == {
        name: IssueKind.ODDITY if name in off else IssueKind.REPAIR
        for name in ("answer-lowercase", "answer-possessive")
    }


def test_a_text_without_an_end_is_told() -> None:
    found = read(schema_element(after="was awake"))
    assert found.told["no-full-stop"] == 1
    assert found.grids["1"].startswith("! ")


def latin(text: str, declared: str = "ISO-8859-1") -> bytes:
    """A file in Latin-1 in which `~` is a no-break space in UTF-8."""
    element = schema_element(after=text).replace("~", "\xc2\xa0")
    return collection(element, declaration=f'<?xml version="1.0" encoding="{declared}"?>').encode(
        "latin-1"
    )


def test_two_encodings_in_one_file_are_put_right() -> None:
    found = imported(FORMAT, latin("was~awake."))
    assert problems(found.entries[0].grid)[0].sentences[0].text.endswith(" was awake.")
    (issue,) = (one for one in found.issues if one.name == "utf-8-in-latin-1")
    assert (issue.kind, issue.line, issue.problem) == (IssueKind.REPAIR, 3, "1")


def test_two_encodings_are_left_as_they_are_if_asked_for() -> None:
    found = imported(FORMAT, latin("was~awake."), switched_off=("utf-8-in-latin-1",))
    assert problems(found.entries[0].grid)[0].sentences[0].text.endswith(" wasÂ\xa0awake.")
    (issue,) = (one for one in found.issues if one.name == "utf-8-in-latin-1")
    assert issue.kind is IssueKind.ODDITY


def test_other_letters_of_latin_1_are_read_as_declared() -> None:
    found = imported(FORMAT, latin("saw an étage, Ânn."))
    assert "étage, Ânn" in found.grids["1"]
    with pytest.raises(FileError, match="^own:4: not well-formed XML"):
        imported(FORMAT, latin("saw an étage.", declared="UTF-8"))


@pytest.mark.parametrize(
    "element, odd",
    [
        (AWAKE.replace("pron>", "prone>"), "no element text/pron"),
        (AWAKE.replace("txt2>", "txt3>"), "no element text/txt2"),
        (AWAKE.replace(">it<", "> <"), "no pronoun"),
        (AWAKE.replace("<answer>The vole</answer>", ""), "1 answers where two or more"),
        (AWAKE.replace("The vole</answer>", "</answer>"), "2 answers where two or more"),
        (AWAKE.replace("answers>", "options>"), "0 answers where two or more"),
        (schema_element(right="C"), "the label 'C' is not one of A, B"),
        (schema_element(right="a"), "the label 'a' is not one of A, B"),
        (schema_element(right=""), "the label '' is not one of A, B"),
        (schema_element(right="AB"), "the label 'AB' is not one of A, B"),
        (AWAKE.replace("correctAnswer", "answerCorrect"), "the label '' is not one of A, B"),
        (schema_element(answers=("The owl", "the owl")), "occurs twice"),
        (schema_element(after="x" * 11_000), "longer than 10,000 characters"),
        (schema_element(answers=("The owl", "x" * 11_000)), "longer than 10,000 characters"),
    ],
)
def test_a_problem_that_cannot_be_used_is_a_fault_with_its_line(element: str, odd: str) -> None:
    other = schema_element("Nora sold the lorry, for", "she", "had no garage.", ("Nora", "Lena"))
    found = read(other, element)
    assert list(found.grids) == ["1"]
    ((line, told),) = found.faults
    assert (line, odd in told) == (7, True)


def test_an_element_inside_a_text_is_not_lost_in_silence() -> None:
    found = read(AWAKE, schema_element("Nora <b>now</b> sold it, for", "she", "had no use."))
    texts = [
        sentence.text
        for entry in found.entries
        for one in problems(entry.grid)
        for sentence in one.sentences
    ]
    assert any("Nora now sold it" in text for text in texts) or found.faults


@pytest.mark.parametrize(
    "data",
    [
        collection(AWAKE)[:150],
        collection(AWAKE).replace("</collection>", ""),
        collection(AWAKE, declaration='<!DOCTYPE a [<!ENTITY owl SYSTEM "x">]>'),
        "",
    ],
)
def test_a_file_that_is_no_xml_is_refused_with_its_line(data: str) -> None:
    with pytest.raises(FileError, match=r"^own:\d+: "):
        imported(FORMAT, data)


def test_a_collection_without_problems_is_refused() -> None:
    with pytest.raises(FileError, match="contains no usable problems"):
        read()


def labels(**flags: int) -> SourceFile:
    """Labels of the second problem alone."""
    rows = [{"index": 1, **flags}, {"index": 7, **flags}]
    return SourceFile("labels", json_list(*rows).encode())


def test_published_labels_are_joined_by_index() -> None:
    data = collection(AWAKE, ASLEEP)
    found = imported(FORMAT, data, labels(is_associative=1), labels(is_switchable=0))
    assert found.entries[0].flags == (("associative", True), ("switchable", False))
    assert imported(FORMAT, data).entries[0].flags == ()


def test_what_is_wrong_with_labels_is_told_with_their_file_and_line() -> None:
    found = imported(FORMAT, collection(AWAKE, ASLEEP), labels(is_associative=7))
    assert [line for line, _ in found.faults] == [0, 0]
    assert found.faults[0][1].startswith("labels:2: ")


def test_only_the_published_files_look_like_it() -> None:
    assert claimed(FORMAT) == set(FILES)


@pytest.mark.parametrize("path", FILES)
def test_a_published_file_has_its_schemas_and_its_triple(path: str) -> None:
    found = imported(FORMAT, published(path).data)
    loose = [entry.id for entry in found.entries if entry.grid.kind is Kind.LOOSE]
    assert loose == ["173-174", "253-255", "266-267"]
    assert len(found.entries) == {273: 136, 285: 142}[FILES[path]]
    posed = [one for entry in found.entries for one in problems(entry.grid)]
    assert len(posed) == FILES[path]
    assert found.faults == []


def test_the_steps_of_table_3_1_are_counted_as_in_the_thesis() -> None:
    found = imported(FORMAT, published("wsc_xml/273/WSCollection.xml").data)
    steps = counted(found.issues, IssueKind.STEP)
    repairs = counted(found.issues, IssueKind.REPAIR)
    assert (steps["exterior-whitespace"], steps["punctuation-after-pronoun"]) == (
        (136, 273),
        (9, 18),
    )
    assert (steps["line-breaks"], steps["double-spaces"]) == ((32, 64), (2, 4))
    assert repairs == {"answer-lowercase": (50, 100), "answer-possessive": (13, 26)}
    assert counted(found.issues, IssueKind.ODDITY)["no-full-stop"] == (3, 3)
    told = [one.problem for one in found.issues if one.name == "no-full-stop"]
    assert told == ["217", "243", "245"]


def test_the_larger_file_holds_the_smaller_and_two_crossed_pairs() -> None:
    smaller, larger = (imported(FORMAT, published(path).data) for path in FILES)
    assert larger.entries[:136] == smaller.entries
    added = [dict(entry.extras)["x-problems"] for entry in larger.entries[136:]]
    assert sorted(", ".join(added).split(", "), key=int) == [str(n) for n in range(274, 286)]
    assert all(entry.grid.kind is Kind.SUBSTITUTION for entry in larger.entries[136:])
    mixed = [one.problem for one in larger.issues if one.name == "utf-8-in-latin-1"]
    assert mixed == ["284", "285"]


def test_the_published_labels_flag_as_many_schemas_as_published() -> None:
    place = "wsc_switched_associative_labels"
    files = [published(f"{place}/WSC_{name}_label.json") for name in ("associative", "switched")]
    found = imported(FORMAT, published("wsc_xml/273/WSCollection.xml").data, *files)
    flags = [dict(entry.flags) for entry in found.entries]
    assert sum(one["associative"] for one in flags) == 26
    assert sum(one["switchable"] for one in flags) == 65


def test_without_repairs_the_answers_are_as_published() -> None:
    file = published("wsc_xml/273/WSCollection.xml")
    reading = open_import(file, Header("x"), switched_off=["answer-lowercase", "answer-possessive"])
    assert len(list(reading)) == 136
    assert {one.kind for one in reading.issues() if one.name.startswith("answer-l")} == {
        IssueKind.ODDITY
    }
