import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from horsesense.datasets.importers.formats.glue import FORMAT_WSC as FORMAT
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import ImportFaults
from horsesense.schema import Entry, Header, Issue, Kind, problems
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "superglue_wsc"
LIGHT = "The lorry crossed the bridge because it was light."
STRONG = "The lorry crossed the bridge because it was strong."


def row(
    idx: int, text: str, candidate: str, first: int, pronoun: str, second: int, label: object = None
) -> dict[str, Any]:
    """A row with the words where its candidate and its pronoun start."""
    target = {
        "span1_text": candidate,
        "span1_index": first,
        "span2_text": pronoun,
        "span2_index": second,
    }
    made: dict[str, Any] = {"text": text, "target": target, "idx": idx}
    return made if label is None else made | {"label": label}


def read(
    *rows: dict[str, Any], off: str = "", keep_going: bool = False
) -> tuple[list[Entry], list[Issue]]:
    return read_bytes("\n".join(map(json.dumps, rows)).encode(), off=off, keep_going=keep_going)


def read_bytes(
    data: bytes, *, off: str = "", keep_going: bool = False
) -> tuple[list[Entry], list[Issue]]:
    journal = Journal([off] if off else [])
    reading = FileImport(
        SourceFile("own.jsonl", data), FORMAT, Header("x"), journal, keep_going=keep_going
    )
    return list(reading), issues_of(reading)


def shown(entries: list[Entry]) -> list[tuple[str, str]]:
    return [(entry.id, print_grid(entry.grid)) for entry in entries]


def told(issues: list[Issue]) -> list[tuple[str, int, str, str]]:
    return [(issue.name, issue.line, issue.odd, issue.done) for issue in issues]


@pytest.mark.parametrize(("true", "false"), [(True, False), ("true", "False"), ("True", "false")])
def test_rows_of_one_pronoun_make_a_problem_and_twins_a_schema(true: object, false: object) -> None:
    entries, issues = read(
        row(0, LIGHT, "the bridge", 3, "it", 6, false),
        row(1, STRONG, "the bridge", 3, "it", 6, true),
        row(2, STRONG, "The lorry", 0, "it", 6, false),
        row(3, LIGHT, "The lorry", 0, "it", 6, true),
    )
    grid = (
        "[The lorry] crossed [the bridge] because <it = the lorry, the bridge> was {light, strong}."
    )
    assert shown(entries) == [("0", grid)]
    assert dict(entries[0].extras) == {"x-problems": "0+3, 1+2"}
    assert told(issues) == [
        ("answer-lowercase", 1, "'The lorry'", "'the lorry'"),
        ("answer-lowercase", 2, "'The lorry'", "'the lorry'"),
    ]


def test_a_file_without_labels_is_read_by_answer() -> None:
    text = "Nora 's owl bit Lena , so she hid its bell and its bowl."
    entries, _ = read(
        row(0, text, "Nora", 0, "she", 7),
        row(1, text, "Lena", 4, "she", 7),
        row(2, text, "owl", 2, "its", 12),
        row(3, text, "bell", 10, "its", 12),
    )
    assert shown(entries) == [
        (
            "0",
            "[Nora] 's owl bit [Lena] , so <? she = Nora, Lena> hid its bell and its bowl.",
        ),
        (
            "2",
            "Nora 's [owl] bit Lena , so she hid its [bell] and <? its = owl, bell> bowl.",
        ),
    ]


def test_a_row_without_a_partner_is_true_or_false() -> None:
    text = "Nora told Lena that she had lost the kite she liked"
    entries, issues = read(
        row(0, text, "Nora", 0, "she", 4, True),
        row(1, text, "Lena", 2, "she", 9, False),
        row(2, LIGHT, "the bridge", 3, "it", 6, False),
    )
    ask = f"{text}. It is <"
    assert shown(entries) == [
        ("0", ask + 'true*, false> that "she" in "she had" means "Nora".'),
        ("1", ask + 'true, false*> that "she" in "she liked" means "Lena".'),
        ("2", f'{LIGHT} It is <true, false*> that "it" means "the bridge".'),
    ]
    assert {entry.tags for entry in entries} == {("true-or-false",)}
    assert told(issues)[0] == (
        "lone-hypothesis",
        1,
        "only 'Nora' is put in its place",
        "asked by itself",
    )


def test_a_pronoun_that_ends_the_text_is_quoted_with_what_precedes_it() -> None:
    text = "As her kite was lost, Nora asked Lena to mend her kite or her"
    entries, _ = read(row(0, text, "Nora", 5, "her", 13, True))
    assert print_grid(entries[0].grid).endswith('that "her" in "or her" means "Nora".')


def test_none_or_two_that_are_right_are_asked_one_by_one() -> None:
    entries, issues = read(
        row(0, LIGHT, "the bridge", 3, "it", 6, False),
        row(1, LIGHT, "the lorry", 0, "it", 6, False),
        row(2, STRONG, "the bridge", 3, "it", 6, True),
        row(3, STRONG, "the lorry", 0, "it", 6, True),
    )
    assert [problems(entry.grid)[0].right for entry in entries] == [1, 1, 0, 0]
    assert [(issue.name, issue.odd) for issue in issues] == [
        ("not-one-right", "0 of 2 candidates are right"),
        ("not-one-right", "0 of 2 candidates are right"),
        ("not-one-right", "2 of 2 candidates are right"),
        ("not-one-right", "2 of 2 candidates are right"),
    ]


def test_the_same_candidate_twice_is_one_option() -> None:
    entries, issues = read(
        row(0, LIGHT, "the bridge", 3, "it", 6, False),
        row(1, LIGHT, "the lorry", 0, "it", 6, True),
        row(2, LIGHT, "The lorry", 0, "it", 6, True),
    )
    assert len(problems(entries[0].grid)[0].options) == 2
    assert dict(entries[0].extras) == {"x-problems": "0+1+2"}
    assert told(issues) == [
        ("same-candidate", 3, "'The lorry' also occurs in line 2", "one option")
    ]


def test_a_possessive_pronoun_makes_possessive_answers() -> None:
    text = 'The "owl" fought the cat and lost its tail.'
    rows = (row(0, text, "owl", 1, "its", 7, False), row(1, text, "the cat", 3, "its", 7, True))
    entries, issues = read(*rows)
    assert shown(entries) == [
        ("0", 'The "[owl]" fought [the cat] and lost <its = owl, the cat*> tail.')
    ]
    assert [one.text for one in problems(entries[0].grid)[0].sentences][0].endswith("owl's tail.")
    assert told(issues) == [("answer-possessive", 1, "'owl', 'the cat'", '"owl\'s", "the cat\'s"')]
    entries, _ = read(*rows, off="answer-possessive")
    assert problems(entries[0].grid)[0].sentences[0].text.endswith("lost owl tail.")


def test_a_span_that_starts_elsewhere_is_searched_unless_that_is_switched_off() -> None:
    rows = (
        row(0, LIGHT, "the lorry", 2, "it", 7, True),
        row(1, LIGHT, "the bridge", 3, "it", 60, False),
    )
    entries, issues = read(*rows)
    grid = "[The lorry] crossed [the bridge] because <it = the lorry*, the bridge> was light."
    assert shown(entries) == [("0", grid)]
    assert told(issues) == [
        ("span-searched", 1, "'it' is not at word 7", "found at character 37"),
        ("span-searched", 1, "'the lorry' is not at word 2", "found at character 0"),
        ("span-searched", 2, "'it' is not at word 60", "found at character 37"),
    ]
    assert {issue.entry for issue in issues} == {"0"}
    with pytest.raises(ImportFaults, match="the pronoun 'it' does not stand at word 7"):
        read(*rows, off="span-searched")


def test_a_candidate_that_is_not_in_the_text_is_not_marked() -> None:
    entries, issues = read(
        row(0, LIGHT, "the van", 0, "it", 6, False),
        row(1, LIGHT, "the lorry", 0, "it", 6, True),
    )
    grid = "[The lorry] crossed the bridge because <it = the lorry*, the van> was light."
    assert shown(entries) == [("0", grid)]
    assert told(issues) == [("candidate-missing", 1, "'the van'", "not marked")]


def test_a_full_stop_behind_a_candidate_is_removed_unless_that_is_switched_off() -> None:
    rows = (
        row(0, LIGHT, "The lorry.", 0, "it,", 6, True),
        row(1, LIGHT, "the\nbridge", 3, "it", 6, False),
    )
    entries, issues = read(*rows)
    grid = "[The lorry] crossed [the bridge] because <it = the lorry*, the bridge> was light."
    assert shown(entries) == [("0", grid)]
    assert told(issues) == [
        ("punctuation-in-pronoun", 1, "'it,'", "'it'"),
        ("stop-in-candidate", 1, "'The lorry.'", "'The lorry'"),
        ("answer-lowercase", 1, "'The lorry'", "'the lorry'"),
        ("line-breaks", 2, "", "cleaned"),
    ]
    entries, _ = read(*rows, off="stop-in-candidate")
    options = problems(entries[0].grid)[0].options
    assert set(options) == {("the lorry.",), ("the bridge",)}


def test_bad_rows_are_faults_with_their_lines_and_the_rest_is_read() -> None:
    good = row(0, LIGHT, "the lorry", 0, "it", 6, True)
    bad: list[dict[str, Any]] = [
        good | {"idx": 1, "label": 1},
        good | {"idx": 2, "label": [True]},
        good | {"idx": None},
        good | {"idx": True},
        good | {"idx": 5, "text": ["The lorry"]},
        good | {"idx": 6, "target": "it"},
        good | {"idx": 7, "target": good["target"] | {"span2_index": -1}},
        good | {"idx": 8, "target": good["target"] | {"span2_text": "they"}},
        good | {"idx": 9, "target": {"span1_text": "the lorry"}},
        good | {"idx": 10, "text": " "},
        good | {"idx": 11, "text": "The lorry met the bridge and --"},
        good,
        row(12, LIGHT, "the bridge", 3, "it", 6),
    ]
    lines = [*map(json.dumps, [good, *bad]), "{", "[]"]
    entries, issues = read_bytes("\n".join(lines).encode(), keep_going=True)
    assert [entry.id for entry in entries] == ["0"]
    faults = [(one.name, one.line, one.odd) for one in issues if one.kind == "fault"]
    assert faults[:-2] == [
        ("bad-row", 2, "the label 1 is neither true nor false"),
        ("bad-row", 3, "the label [True] is neither true nor false"),
        ("bad-row", 4, "no field 'idx'"),
        ("bad-row", 5, "'idx' is not a number"),
        ("bad-row", 6, "'text' is not a string"),
        ("bad-row", 7, "no field 'target'"),
        ("bad-row", 8, "'span2_index' is not a number"),
        ("bad-row", 9, "the pronoun 'they' does not stand at word 6"),
        ("bad-row", 10, "no field 'span2_text'"),
        ("bad-row", 11, "the pronoun 'it' does not stand at word 6"),
        ("bad-row", 12, "the pronoun 'it' does not stand at word 6"),
        ("duplicate-id", 13, "the id '0' is already used in line 1"),
        ("bad-label", 14, "no label, but other problems have one"),
    ]
    assert [fault[:2] for fault in faults[-2:]] == [("not-json", 15), ("not-json", 16)]


# rows, problems by answer, true or false, schemas, loose pairs; issues
REAL = {
    "train.jsonl": (
        (554, 227, 81, 66, 4),
        {
            "lone-hypothesis": 79,
            "not-one-right": 2,
            "same-candidate": 2,
            "line-breaks": 2,
            "candidates-overlap": 1,
        },
    ),
    "val.jsonl": (
        (104, 36, 19, 6, 0),
        {
            "lone-hypothesis": 15,
            "not-one-right": 4,
            "same-candidate": 3,
            "span-searched": 1,
            "candidates-overlap": 1,
        },
    ),
    "test.jsonl": (
        (146, 51, 0, 0, 3),
        {
            "punctuation-in-pronoun": 2,
            "candidate-missing": 2,
            "span-searched": 1,
            "stop-in-candidate": 4,
            "candidates-overlap": 1,
        },
    ),
}


@pytest.mark.skipif(not DATA.exists(), reason="the published files are not here")
@pytest.mark.parametrize("name", REAL)
def test_every_row_of_the_published_files_is_in_a_problem(name: str) -> None:
    (rows, answered, alone, schemas, loose), expected = REAL[name]
    data = (DATA / name).read_bytes()
    assert FORMAT.looks_like(SourceFile(name, data))
    entries, issues = read_bytes(data)
    named = [
        problem for entry in entries for problem in dict(entry.extras)["x-problems"].split(", ")
    ]
    members = [row for problem in named for row in problem.split("+")]
    assert sorted(members) == sorted(map(str, range(rows)))
    assert sum(entry.tags == ("true-or-false",) for entry in entries) == alone
    assert len(named) == answered + alone
    kinds = Counter(entry.grid.kind for entry in entries)
    assert (kinds[Kind.SUBSTITUTION], kinds[Kind.LOOSE]) == (schemas, loose)
    counts = Counter(issue.name for issue in issues)
    assert {issue: counts[issue] for issue in expected} == expected


@pytest.mark.skipif(not DATA.exists(), reason="the published files are not here")
@pytest.mark.parametrize(("name", "right"), [("train.jsonl", 259), ("val.jsonl", 38)])
def test_the_labels_of_the_published_files_are_kept(name: str, right: int) -> None:
    entries, issues = read_bytes((DATA / name).read_bytes())
    alone = [entry for entry in entries if entry.tags]
    answered = sum(len(problems(entry.grid)) for entry in entries if not entry.tags)
    true = sum(problems(entry.grid)[0].right == 0 for entry in alone)
    labels = {
        number: json.loads(line).get("label")
        for number, line in enumerate((DATA / name).read_text().splitlines(), 1)
    }
    merged = sum(labels[one.line] for one in issues if one.name == "same-candidate")
    assert answered + true + merged == right
