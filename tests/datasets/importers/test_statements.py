"""True and false statements: in pairs, which make minimal pairs, or judged one by one."""

import json

import pytest

from horsesense.datasets.importers.formats.statements import FORMAT_COM2SENSE, FORMAT_CREAK
from horsesense.datasets.importers.source import SourceFile
from horsesense.errors import FileError
from horsesense.schema import problems
from tests.datasets.importers.imported import Imported, claimed, imported, published
from tests.datasets.importers.samples import claim, json_lines, json_list, statement

LOW, HIGH = "A lorry fits under a low bridge.", "A lorry fits under a high bridge."
ROWS = (
    statement("c1", LOW, "False"),
    statement("c2", "Owls hunt.", "True", scenario="comparison"),
    statement("c3", HIGH, "True", numeracy="True"),
)
NIGHT, NOON = "Owls hunt at night.", "Owls hunt at noon."


def pairs(**ids: str) -> SourceFile:
    return SourceFile("pairs.json", json.dumps(ids).encode())


def told(read: Imported) -> list[tuple[str, int, str, str]]:
    return [(one.name, one.line, one.problem, one.odd) for one in read.issues if one.line]


def test_statements_of_a_pair_make_a_minimal_pair_in_the_order_of_their_checksums() -> None:
    read = imported(FORMAT_COM2SENSE, json_list(*ROWS), pairs(c3="c1"))
    assert read.grids["c1"] == f"<{HIGH}*, {LOW}>"
    assert read.grids["c2"] == "Owls hunt. This statement is <true*, false>."
    assert [entry.tags for entry in read.entries] == [
        ("physical", "causal"),
        ("physical", "comparison", "true-or-false"),
    ]
    assert dict(read.entries[0].extras) == {"x-problems": "c1+c3"}
    assert told(read) == [("no-complement", 3, "c2", "")]
    assert read.told == {"sentences-ordered": 1, "no-complement": 1}


def test_without_a_file_of_pairs_every_statement_is_judged_by_itself() -> None:
    read = imported(FORMAT_COM2SENSE, json_lines(*ROWS))
    assert list(read.grids.values()) == [
        f"{LOW} This statement is <true, false*>.",
        "Owls hunt. This statement is <true*, false>.",
        f"{HIGH} This statement is <true*, false>.",
    ]
    assert read.tags["numeracy"] == 1
    assert (read.twins, read.issues) == ({"no-twins": "3 alone"}, [])


def test_a_test_file_has_no_labels() -> None:
    rows = [statement(row["id"], row["sent"], None) for row in ROWS]
    read = imported(FORMAT_COM2SENSE, json_list(*rows), pairs(c1="c3", c3="c1"))
    assert read.grids["c1"] == f"<? {HIGH}, {LOW}>"
    assert read.grids["c2"] == "Owls hunt. This statement is <? true, false>."


def test_a_pair_counts_only_if_both_statements_name_each_other() -> None:
    read = imported(FORMAT_COM2SENSE, json_list(*ROWS), pairs(c1="c3", c3="c2", c2="c9"))
    assert read.kinds == {"single problem": 3}
    assert read.told["unknown-id"] == 1
    (issue,) = (one for one in read.issues if one.name == "unknown-id")
    assert issue.odd == "pairs.json: 1 of its ids are not those of usable statements: c9, …"


@pytest.mark.parametrize("listed", ['["c1"]', '{"c1": 3}'])
def test_another_file_is_no_file_of_pairs(listed: str) -> None:
    file = SourceFile("other.json", listed.encode())
    read = imported(FORMAT_COM2SENSE, json_list(*ROWS), file)
    assert read.faults == [
        (0, "other.json is not a JSON object that maps each id to the id of its complement")
    ]
    with pytest.raises(FileError, match="not JSON"):
        imported(FORMAT_COM2SENSE, json_list(*ROWS), SourceFile("labels.lst", b"1\n2\n"))


def test_rows_that_cannot_be_used_are_faults() -> None:
    rows = (
        ROWS[0],
        statement("c2", "Owls hunt.", "Perhaps"),
        statement("c1", "Owls hunt.", "True"),
        statement("c4", "Owls hunt.", None),
        statement("?", "Owls hunt.", "True"),
        ROWS[1] | {"sent": 3},
        ROWS[1] | {"numeracy": ["True"]},
    )
    assert imported(FORMAT_COM2SENSE, json_lines(*rows)).faults == [
        (2, "the label 'Perhaps' is neither true nor false"),
        (3, "the id 'c1' is already used in line 1"),
        (4, "no label, but other problems have one"),
        (5, "'?' cannot be an id"),
        (6, "'sent' is not a string"),
        (7, "the label ['True'] is neither true nor false"),
    ]


def test_the_contrast_set_of_creak_marks_its_pairs() -> None:
    rows = (
        claim("e1", NIGHT, "true", "p"),
        claim("e3", "Elks fly.", "false"),
        claim("e2", NOON, "false", "p", explanation="They sleep."),
    )
    read = imported(FORMAT_CREAK, json_lines(*rows))
    assert set(read.grids.values()) == {
        f"<{NIGHT}*, {NOON}>",
        "Elks fly. This statement is <true, false*>.",
    }
    assert dict(read.entries[0].extras) == {
        "x-entity": "Owl",
        "x-explanation": "They sleep.",
        "x-problems": "e1+e2",
    }
    assert read.told == {"sentences-ordered": 1}


def test_a_group_that_is_not_one_true_and_one_false_is_a_cluster_of_judgements() -> None:
    texts = ((NIGHT, "true"), (NOON, "false"), ("Owls hunt.", "true"))
    rows = [claim(f"e{n}", text, label, "p") for n, (text, label) in enumerate(texts)]
    read = imported(FORMAT_CREAK, json_lines(*rows))
    assert read.kinds == {"single problem": 3}
    assert read.tags == {"true-or-false": 3, "cluster:p": 3}
    assert told(read)[0] == ("not-one-true", 1, "e0", "2 of 3 statements are true")


@pytest.mark.parametrize(
    ("labels", "left", "odd"),
    [
        (("true", "true"), 1, "e2 is the same statement"),
        (("true", "false"), 0, "e2 is the same statement, and one is true and one is false"),
    ],
)
def test_a_pair_of_the_same_sentence_is_read_once_or_not(
    labels: tuple[str, str], left: int, odd: str
) -> None:
    rows = [claim(f"e{n}", NIGHT, label, "p") for n, label in enumerate(labels, start=1)]
    read = imported(FORMAT_CREAK, json_lines(*rows, claim("e3", NOON, "false")))
    assert (len(read.entries), read.left_out) == (1 + left, 2 - left)
    assert told(read)[0] == ("same-sentences", 1, "e1", odd)


def test_a_pair_id_that_is_no_text_is_a_fault() -> None:
    rows = (claim("e1", NIGHT, "true"), claim("e2", NOON, "false") | {"pair_id": 4})
    assert imported(FORMAT_CREAK, json_lines(*rows)).faults == [(2, "'pair_id' is not a string")]


def test_only_the_published_files_of_the_formats_look_like_them() -> None:
    assert claimed(FORMAT_COM2SENSE) == {"com2sense/train.json"}
    assert claimed(FORMAT_CREAK) == {"creak/contrast_set.json"}


def test_the_published_statements_of_com2sense() -> None:
    file, companion = published("com2sense/train.json"), published("com2sense/pair_id_train.json")
    alone = imported(FORMAT_COM2SENSE, file.data)
    assert (alone.kinds, alone.rights) == ({"single problem": 1608}, {0: 804, 1: 804})
    assert [alone.tags[one] for one in ("causal", "comparison", "numeracy")] == [804, 804, 542]
    read = imported(FORMAT_COM2SENSE, file.data, companion)
    assert (read.kinds, read.faults, read.left_out) == ({"minimal pair": 802}, [], 4)
    assert read.told["same-sentences"] == 2
    assert 360 < read.rights[0] < 440
    labels = {" ".join(row["sent"].split()): row["label"] for row in json.loads(file.text)}
    for entry in read.entries:
        (problem,) = problems(entry.grid)
        assert problem.right is not None
        assert labels[problem.sentences[problem.right].text] == "True"
        assert labels[problem.sentences[1 - problem.right].text] == "False"


def test_the_published_contrast_set_of_creak() -> None:
    read = imported(FORMAT_CREAK, published("creak/contrast_set.json").data)
    assert read.kinds == {"minimal pair": 247, "single problem": 5}
    assert (read.faults, read.left_out) == ([], 1)
    assert read.told == {
        "sentences-ordered": 1,
        "not-one-true": 3,
        "no-complement": 2,
        "same-sentences": 1,
    }
