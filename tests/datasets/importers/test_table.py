from typing import Any

import pytest

from horsesense.datasets.importers.formats.table import FORMAT, FORMAT_JSONL
from horsesense.datasets.importers.source import SourceFile
from horsesense.errors import FileError
from horsesense.schema import IssueKind
from tests.datasets.importers.imported import imported
from tests.datasets.importers.tables import json_lines, table, told

GRID = "A lorry <can, cannot> pass under a {high, low} bridge."


def test_rows_with_the_same_schema_make_a_schema() -> None:
    read = imported(
        FORMAT,
        table(
            "text,option1,option2,answer,schema",
            "A lorry ___ pass under a high bridge.,can,cannot,1,lorry",
            "",
            "An owl ___ by day.,sleeps,hunts,1,owl",
            "A lorry ___ pass under a low bridge.,can,cannot,2,lorry",
        ),
    )
    assert read.grids == {"lorry": GRID, "owl": "An owl <sleeps*, hunts> by day."}
    assert [entry.extras for entry in read.entries] == [
        (("x-problems", "lorry-1, lorry-2"),),
        (("x-problems", "owl-1"),),
    ]
    assert read.issues == []


@pytest.mark.parametrize(
    "header",
    [
        "Sentence,Option 1,Option 2,Correct,Pair ID",
        "STATEMENT,choice_a,choice_b,answer,group",
        "text,alternative-1,alternative-2,correct answer,pair",
        "Text,option,option,Answer,schema_id",
        "text,option0,option1,answer,group_id",
    ],
)
def test_columns_go_by_many_names(header: str) -> None:
    read = imported(
        FORMAT,
        table(
            header,
            "A lorry ___ pass under a high bridge.,can,cannot,1,7",
            "A lorry ___ pass under a low bridge.,can,cannot,2,7",
        ),
    )
    assert (read.grids, read.issues) == ({"7": GRID}, [])


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_marks_may_stand_between_fields(mark: str) -> None:
    file = SourceFile(
        "own.csv",
        table(
            mark.join(("text", "option1", "option2", "answer")),
            mark.join(('"Owls, I hear, ___."', "hunt", "sing", "hunt")),
        ).encode(),
    )
    assert FORMAT.looks_like(file)
    assert imported(FORMAT, file.data).grids == {"1": "Owls, I hear, <hunt*, sing>."}


def test_a_blank_may_be_written_in_several_ways() -> None:
    blanks = ("_", "___", "______", "[MASK]", "<blank>", "<mask>")
    rows = (
        {"text": f"Owls {blank} well.", "option1": "hunt", "option2": "sing"} for blank in blanks
    )
    read = imported(FORMAT_JSONL, json_lines(*rows))
    assert read.grids == {str(n): "Owls <? hunt, sing> well." for n in range(1, 7)}
    assert read.issues == []


def test_underscores_are_text_beside_a_proper_blank() -> None:
    row = {"text": "The file owl_list is ___.", "option1": "long", "option2": "short"}
    assert imported(FORMAT_JSONL, json_lines(row)).grids == {
        "1": "The file owl_list is <? long, short>."
    }


def test_two_blanks_have_phrases_with_a_mark_between_them() -> None:
    read = imported(
        FORMAT,
        table(
            "text,option1,option2,answer",
            "___ eat ___.,Owls ¶ voles,Voles¶owls,1",
            "The ______ sleeps.,old ¶ -owl,young ¶ -vole,2",
        ),
    )
    assert read.grids == {
        "1": "<Owls*, Voles> eat <voles*, owls>.",
        "2": "The <old, young*><-owl, -vole*> sleeps.",
    }


def test_rows_without_text_are_minimal_pairs() -> None:
    row = {"mode": "by answer", "option1": "Owls hunt.", "option2": "Owls hunts.", "answer": 1}
    assert imported(FORMAT_JSONL, json_lines(row)).grids == {"1": "<Owls hunt.*, Owls hunts.>"}


def test_there_may_be_up_to_five_options_and_more() -> None:
    read = imported(
        FORMAT,
        table(
            "id,text,option1,option2,option3,option4,option10,answer",
            "few,Owls eat ___.,voles,oats,,,,1",
            "many,Owls eat ___.,rye,oats,moss,slate,voles,5",
        ),
    )
    assert read.grids == {
        "few": "Owls eat <voles*, oats>.",
        "many": "Owls eat <rye, oats, moss, slate, voles*>.",
    }
    assert read.entries[0].extras == (("x-problems", "few"),)


def test_an_answer_is_a_number_a_letter_or_the_text_of_an_option() -> None:
    read = imported(
        FORMAT,
        table(
            "text,option a,option b,answer",
            "Owls ___.,hunt,sing,2",
            "Owls ___.,hunt,sing,2.0",
            "Owls ___.,hunt,sing,B",
            "Owls ___.,hunt,sing, sing ",
        ),
    )
    assert set(read.grids.values()) == {"Owls <hunt, sing*>."}
    assert read.issues == []


def test_an_answer_that_is_number_and_text_is_taken_for_the_number() -> None:
    file = table("text,option1,option2,answer", "Owls have ___ wings.,2,1,2")
    read = imported(FORMAT, file)
    assert read.grids == {"1": "Owls have <2, 1*> wings."}
    odd = "'2' is the number of an option and the text of another"
    assert told(read) == [("ambiguous-answer", 2, odd)]


@pytest.mark.parametrize(
    ("column", "answers", "rights", "from_zero"),
    [
        ("answer", "12", [0, 1], False),
        ("answer", "01", [0, 1], True),
        ("answer", "11", [0, 0], False),
        ("label", "01", [0, 1], True),
        ("label", "12", [0, 1], False),
        ("label", "11", [1, 1], True),
        ("label", ("-1", "-1"), [None, None], True),
        ("label", ("", ""), [None, None], False),
    ],
)
def test_numbers_count_from_one_or_from_zero(
    column: str, answers: str, rights: list[int | None], from_zero: bool
) -> None:
    rows = [f"Owls ___.,hunt,sing,{answer}" for answer in answers]
    read = imported(FORMAT, table(f"text,option1,option2,{column}", *rows))
    marks = {None: "? hunt, sing", 0: "hunt*, sing", 1: "hunt, sing*"}
    assert list(read.grids.values()) == [f"Owls <{marks[right]}>." for right in rights]
    assert read.told == ({"labels-from-0": 1} if from_zero else {})


def test_options_may_be_a_list() -> None:
    row = {"statement": "Owls _.", "choices": ["hunt", "sing", "knit"], "label": 0}
    assert imported(FORMAT_JSONL, json_lines(row)).grids == {"1": "Owls <hunt*, sing, knit>."}


def test_whole_sentences_have_their_blank_where_they_differ() -> None:
    rows = (
        {"id": "a", "schema": "o", "sentences": ["Owls hunt by night.", "Owls sing by night."]},
        {"id": "b", "schema": "o", "sentences": ["Owls hunt by day.", "Owls sing by day."]},
        {"id": "c", "schema": "v", "sentences": ["Voles can hide.", "Voles hide."]},
        {"id": "d", "schema": "w", "sentences": ["An owl.", "A vole.", "The elm."]},
    )
    labelled = [row | {"label": n % 2} for n, row in enumerate(rows)]
    read = imported(FORMAT_JSONL, json_lines(*labelled))
    assert read.grids == {
        "o": "Owls <hunt, sing> by {night, day}.",
        "v": "Voles <can hide.*, hide.>",
        "w": "<An owl, A vole*, The elm>.",
    }
    assert read.told == {"labels-from-0": 1, "whole-sentences": 1}


def test_what_is_said_of_a_schema_is_kept() -> None:
    read = imported(
        FORMAT,
        table(
            "id,schema,text,option1,option2,answer,pronoun,tags,note,switchable,associative,x-src",
            'q1,owl,The owl ate the vole because ___ was hungry.,the owl,the vole,1,it,"a, b",,'
            "yes,no,",
            "q2,owl,The owl ate the vole because ___ was tasty.,the owl,the vole,2,it,b,mine,"
            "true,,book",
        ),
    )
    assert read.grids == {
        "owl": "[The owl] ate [the vole] because <it = the owl, the vole> was {hungry, tasty}."
    }
    (entry,) = read.entries
    assert (entry.tags, entry.note) == (("b",), "mine")
    assert entry.flags == (("associative", False), ("switchable", True))
    assert entry.extras == (("x-problems", "q1, q2"), ("x-src", "book"), ("x-tags.1", "a"))
    assert read.told == {"tags-of-problems": 1}


def test_rows_of_a_schema_that_disagree_are_told_of() -> None:
    row: dict[str, Any] = {"schema": "o", "option1": "a", "option2": "b"}
    read = imported(
        FORMAT_JSONL,
        json_lines(
            row | {"text": "Owls _.", "note": "old", "tags": ["elm"]},
            row | {"text": "Elms _.", "note": "new", "switchable": True, "tags": "owl, elm"},
            row | {"text": "Urns _.", "note": "old", "switchable": "no", "tags": "elm"},
        ),
    )
    (entry,) = read.entries
    assert (entry.note, entry.flags) == ("old", (("switchable", True),))
    assert entry.tags == ("elm",)
    assert told(read)[:1] == [
        ("tags-of-problems", 0, "not all rows of 1 schema have the same tags")
    ]
    assert told(read)[2:] == [
        ("rows-disagree", 2, "note is 'new', and was 'old' before"),
        ("rows-disagree", 3, "switchable is False, and was True before"),
    ]


def test_fields_of_the_authors_own_belong_to_the_problem_where_they_differ() -> None:
    read = imported(
        FORMAT_JSONL,
        json_lines(
            {"schema": "o", "text": "Owls _.", "options": ["a", "b"], "x-n": 2, "x-k": ""},
            {"schema": "o", "text": "Elms _.", "options": ["a", "b"], "x-n": " 3\n"},
        ),
    )
    assert read.entries[0].extras == (
        ("x-k", ""),
        ("x-n.1", "2"),
        ("x-n.2", "3"),
        ("x-problems", "o-1, o-2"),
    )
    assert read.told == {"exterior-whitespace": 1, "unlabelled-twins": 1}


def test_a_full_stop_is_not_doubled() -> None:
    file = table(
        "text,option1,option2,answer,verbatim",
        "It fell because ___.,it was wet.,it was dry.,1,",
        "It fell because ___.,it was wet.,it was dry,1,no",
        "It fell because ___.,it was wet,it was dry,1,",
        "It fell because ___.,it was wet.,it was dry,1,yes",
    )
    read = imported(FORMAT, file)
    with_stops = "It fell because <it was wet.*, it was dry.>"
    assert list(read.grids.values()) == [
        with_stops,
        with_stops,
        "It fell because <it was wet*, it was dry>.",
        "It fell because <it was wet.*, it was dry>.",
    ]
    assert [(one.name, one.line, one.kind) for one in read.issues] == [
        ("double-full-stop", 2, IssueKind.REPAIR),
        ("double-full-stop", 3, IssueKind.REPAIR),
    ]
    as_it_stands = imported(FORMAT, file, switched_off=("double-full-stop",))
    assert list(as_it_stands.grids.values())[:2] == [
        "It fell because <it was wet.*, it was dry.>.",
        "It fell because <it was wet.*, it was dry>.",
    ]


def test_ids_are_made_fit_and_columns_without_meaning_told_of() -> None:
    read = imported(
        FORMAT,
        table("Schema,text,option1,option2,mood,answer", "owl one,Owls ___.,hunt,sing,good,1"),
    )
    assert read.entries[0].id == "owl-one"
    assert told(read) == [
        ("unused-column", 0, "the column 'mood'"),
        ("id-changed", 2, "'owl one'"),
    ]


def test_problems_by_key_make_the_same_schemas() -> None:
    read = imported(
        FORMAT,
        table(
            "schema,mode,text,option1,option2,answer",
            "lorry,by key,A lorry can pass under a ___ bridge.,high,low,1",
            "lorry,by key,A lorry cannot pass under a ___ bridge.,high,low,2",
        ),
    )
    assert read.grids == {"lorry": GRID}
    assert read.told == {"own-mode": 1}


def test_an_empty_key_phrase_gets_the_next_word() -> None:
    read = imported(
        FORMAT,
        table(
            "schema,mode,text,option1,option2,answer",
            "owl,by key,Owls ___ hunt by night.,,do not,1",
            "owl,by key,Owls ___ hunt by day.,,do not,2",
            "elm,by key,___ elms are tall.,,Few,1",
            "elm,by key,___ elms are low.,,Few,2",
            "no,by key,Elms grow ___.,,not,1",
        ),
    )
    assert read.grids == {
        "owl": "Owls {hunt, do not hunt} by <night, day>.",
        "elm": "{Elms, Few elms} are <tall, low>.",
    }
    assert read.told == {"own-mode": 1, "key-widened": 4, "bad-row": 1}
    assert read.faults == [(6, "an option is empty, and no word follows the blank")]


def test_minimal_pairs_need_no_column_for_the_text() -> None:
    data = table(
        "id,option1,option2,answer,tags,x-from",
        "q1,Owls hunt.,Owls hunts.,1,verbs,me",
        "q2,Voles hides.,Voles hide.,2,verbs,me",
    )
    assert FORMAT.looks_like(SourceFile("own.csv", data.encode()))
    with_text = data.replace("option1", "text,option1").replace("1,Owls", "1,,Owls")
    read, same = imported(FORMAT, data), imported(FORMAT, with_text.replace("2,Voles", "2,,Voles"))
    assert read.grids == {"q1": "<Owls hunt.*, Owls hunts.>", "q2": "<Voles hides., Voles hide.*>"}
    assert (read.entries, read.issues) == (same.entries, [])
    rows = json_lines({"options": ["Owls hunt.", "Owls hunts."], "answer": 1})
    assert FORMAT_JSONL.looks_like(SourceFile("own.jsonl", rows.encode()))


def test_options_beside_a_column_of_unknown_meaning_are_no_minimal_pairs() -> None:
    data = table("question,option1,option2,answer", "Who hunts?,Owls do.,Elms do.,1")
    assert not FORMAT.looks_like(SourceFile("own.csv", data.encode()))
    with pytest.raises(FileError, match="no column for the text; unknown columns: 'question'"):
        imported(FORMAT, data)
    with pytest.raises(FileError, match="no columns for the options"):
        imported(FORMAT, table("text,answer", "Owls _.,1"))
