from collections import Counter
from pathlib import Path

import pytest

from horsesense.datasets.importers.formats.glue import FORMAT_WNLI as FORMAT
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import ImportFaults
from horsesense.schema import Entry, Header, Issue, Kind, problems
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "wnli"
LIGHT = "The lorry crossed the bridge because it was light."
STRONG = "The lorry crossed the bridge because it was strong."


def read(
    *rows: str, labelled: bool = True, off: str = "", keep_going: bool = False
) -> tuple[list[Entry], list[Issue]]:
    """The entries and issues of a file of these rows, `|` for tabs."""
    header = "index|sentence1|sentence2" + "|label" * labelled
    text = "\n".join([header, *rows]).replace("|", "\t")
    return read_bytes(text.encode(), off=off, keep_going=keep_going)


def read_bytes(
    data: bytes, *, off: str = "", keep_going: bool = False
) -> tuple[list[Entry], list[Issue]]:
    journal = Journal([off] if off else [])
    reading = FileImport(
        SourceFile("own.tsv", data), FORMAT, Header("x"), journal, keep_going=keep_going
    )
    return list(reading), issues_of(reading)


def shown(entries: list[Entry]) -> list[tuple[str, str]]:
    return [(entry.id, print_grid(entry.grid)) for entry in entries]


def told(issues: list[Issue]) -> list[tuple[str, int, str]]:
    return [(issue.name, issue.line, issue.odd) for issue in issues]


def test_hypotheses_of_one_pronoun_make_a_problem_and_twins_a_schema() -> None:
    entries, issues = read(
        f"0|{LIGHT}|The bridge was light.|0",
        f"1|{STRONG}|The bridge was strong.|1",
        f"2|{LIGHT}|The lorry was light.|1",
        f"3|{STRONG}|The lorry was strong.|0",
    )
    grid = (
        "[The lorry] crossed [the bridge] because <it = the lorry, the bridge> was {light, strong}."
    )
    assert shown(entries) == [("0", grid)]
    assert dict(entries[0].extras) == {"x-problems": "0+2, 1+3"}
    assert issues == []


def test_a_file_without_labels_is_read_by_answer() -> None:
    entries, issues = read(
        "0|The owl saw the vole before it hid.|The owl hid.",
        "1|The owl saw the vole before it hid.|The vole hid.",
        labelled=False,
    )
    assert shown(entries) == [
        ("0", "[The owl] saw [the vole] before <? it = the owl, the vole> hid.")
    ]
    assert issues == []


def test_a_hypothesis_without_a_partner_is_true_or_false() -> None:
    entries, issues = read(
        f"4|{LIGHT}|The bridge was light.|0",
        "5|Nora fed Lena soup since she was ill.|Lena was ill.|1",
    )
    assert shown(entries) == [
        ("4", f"{LIGHT} It is <true, false*> that the bridge was light."),
        ("5", "Nora fed Lena soup since she was ill. It is <true*, false> that Lena was ill."),
    ]
    assert [entry.tags for entry in entries] == [("true-or-false",)] * 2
    assert told(issues) == [
        ("lone-hypothesis", 2, "only 'the bridge' is put in its place"),
        ("lone-hypothesis", 3, "only 'Lena' is put in its place"),
    ]
    assert [issue.entry for issue in issues] == ["4", "5"]


def test_none_or_two_that_are_entailed_are_asked_one_by_one() -> None:
    entries, issues = read(
        f"0|{LIGHT}|The bridge was light.|0",
        f"1|{LIGHT}|The lorry was light.|0",
        f"2|{STRONG}|The bridge was strong.|1",
        f"3|{STRONG}|The lorry was strong.|1",
    )
    assert [entry.id for entry in entries] == ["0", "1", "2", "3"]
    assert [problems(entry.grid)[0].right for entry in entries] == [1, 1, 0, 0]
    assert told(issues) == [
        ("not-one-right", 2, "0 of 2 candidates are right"),
        ("not-one-right", 3, "0 of 2 candidates are right"),
        ("not-one-right", 4, "2 of 2 candidates are right"),
        ("not-one-right", 5, "2 of 2 candidates are right"),
    ]


def test_a_hypothesis_that_fits_nowhere_has_no_pronoun() -> None:
    entries, issues = read("0|The owl hid since it was cold|Winter had come|0")
    text = "! The owl hid since it was cold. It is <true, false*> that Winter had come"
    assert shown(entries) == [("0", text)]
    assert told(issues) == [("no-pronoun", 2, "")]


def test_a_clause_too_long_for_a_candidate_is_none() -> None:
    long = "All that was left of the old stone bridge near Kem"
    entries, issues = read(
        f"0|We saw the lorry after it sank.|{long} sank.|0",
        "1|We saw the lorry after it sank.|The lorry sank.|1",
    )
    assert [entry.tags for entry in entries] == [("true-or-false",)] * 2
    assert [issue.name for issue in issues] == ["no-pronoun", "no-pronoun"]


def test_a_hypothesis_may_have_words_of_its_own_before_the_candidate() -> None:
    premise = "Rita, on meeting Lena, sat down, hugging her with joy."
    entries, _ = read(
        f"1|{premise}|She hugged Rita with joy.|0",
        f"2|{premise}|She hugged Lena with joy.|1",
    )
    grid = "[Rita], on meeting [Lena], sat down, hugging <her = Rita, Lena*> with joy."
    assert shown(entries) == [("1", grid)]


def test_two_pronouns_of_a_premise_make_two_problems() -> None:
    premise = "Nora told Lena that she would mend her kite."
    entries, _ = read(
        f"0|{premise}|Nora would mend her kite.|1",
        f"1|{premise}|She would mend Lena's kite.|1",
        f"2|{premise}|Lena would mend her kite.|0",
        f"3|{premise}|She would mend Nora's kite.|0",
    )
    assert shown(entries) == [
        ("0", "[Nora] told [Lena] that <she = Nora*, Lena> would mend her kite."),
        ("1", "[Nora] told [Lena] that she would mend <her's = Nora, Lena*> kite."),
    ]


def test_answers_are_spelt_for_their_place_unless_that_is_switched_off() -> None:
    rows = (
        "0|The owl met a vole. Its nest was wet.|owl nest was wet.|1",
        "1|The owl met a vole. Its nest was wet.|vole nest was wet.|0",
    )
    entries, issues = read(*rows)
    assert shown(entries) == [("0", "The [owl] met a [vole]. <Its = Owl*, Vole> nest was wet.")]
    assert told(issues) == [
        ("answer-capital", 2, "'owl', 'vole'"),
        ("answer-possessive", 2, "'Owl', 'Vole'"),
    ]
    entries, issues = read(*rows, off="answer-possessive")
    sentences = [one.text for one in problems(entries[0].grid)[0].sentences]
    assert sentences[0] == "The owl met a vole. Owl nest was wet."
    assert issues[1].done == "not changed: the repair is switched off"


def test_a_hypothesis_keeps_the_capital_of_a_name_and_of_i() -> None:
    entries, _ = read(
        "0|As the bill was wrong, Bill said he was cross.|Bill was cross.|1",
        "1|My kite hit the lamp and I broke it.|I broke the lamp.|1",
        "2|Owls eat voles as they are hungry. Wise owls rest.|Owls are hungry.|1",
    )
    assert [print_grid(entry.grid).partition("> that ")[2] for entry in entries] == [
        "Bill was cross.",
        "I broke the lamp.",
        "owls are hungry.",
    ]


def test_the_same_candidate_twice_is_one_option() -> None:
    rows = [
        f"0|{LIGHT}|The bridge was light.|0",
        f"1|{LIGHT}|The bridge was light!|0",
        f"2|{LIGHT}|The lorry was light.|1",
    ]
    entries, issues = read(*rows)
    assert dict(entries[0].extras) == {"x-problems": "0+1+2"}
    assert told(issues) == [("same-candidate", 3, "'the bridge' also occurs in line 2")]
    contradiction = "the same candidate is right in one row and wrong in another"
    entries, issues = read(*rows[:1], rows[1][:-1] + "1", rows[2])
    assert len(entries) == 3
    assert told(issues) == [("not-one-right", line, contradiction) for line in (2, 3, 4)]


def test_a_file_without_header_is_read_all_the_same() -> None:
    data = b"7\tThe owl hid since it was cold.\tThe owl was cold.\t1\n"
    assert FORMAT.looks_like(SourceFile("own.tsv", data))
    entries, _ = read_bytes(data)
    text = "The owl hid since it was cold. It is <true*, false> that the owl was cold."
    assert shown(entries) == [("7", text)]


def test_quotation_marks_are_letters_like_others() -> None:
    entries, _ = read('0|"Owls" is a play that "made" Nora, who wrote it.|Nora wrote "Owls".|1')
    assert '"Owls" is a play that "made" Nora' in print_grid(entries[0].grid)


def test_bad_rows_are_faults_with_their_lines_and_the_rest_is_read() -> None:
    rows = (
        f"0|{LIGHT}|The bridge was light.|0",
        f"1|{LIGHT}|The lorry was light.|2",
        f"2|{LIGHT}|1",
        f"0|{STRONG}|The lorry was strong.|1",
        f"4|{STRONG}|The bridge was strong.|",
        f"5| |{STRONG}|1",
        f"six seven|{STRONG}|The lorry was strong.|0",
        f"8|{LIGHT}|The lorry was light.|1",
    )
    expected = [
        ("bad-label", 3, "the label '2' is not one of 0 to 1"),
        ("bad-row", 4, "3 fields, but 4 are expected"),
        ("duplicate-id", 5, "the id '0' is already used in line 2"),
        ("bad-label", 6, "no label, but other problems have one"),
        ("bad-row", 7, "a sentence is empty"),
    ]
    entries, issues = read(*rows, keep_going=True)
    assert [entry.id for entry in entries] == ["0"]
    faults = [issue for issue in issues if issue.kind == "fault"]
    assert told(faults[:-1]) == expected
    assert (faults[-1].name, faults[-1].line, faults[-1].problem) == ("not-usable", 8, "six seven")
    with pytest.raises(ImportFaults):
        read(*rows)


def test_bytes_that_are_no_utf_8_are_a_fault() -> None:
    header, good = (
        b"index\tsentence1\tsentence2\tlabel",
        b"1\tOwls hid as they slept.\tOwls slept.\t1",
    )
    data = b"\n".join([header, b"0\tIt \xff\tIt\t1", good])
    entries, issues = read_bytes(data, keep_going=True)
    assert [entry.id for entry in entries] == ["1"]
    assert ("not-utf-8", 2, "byte 0xff at column 6 is not UTF-8") in told(issues)


# rows, entries, schemas, loose pairs, true or false; why
REAL = {
    "train.tsv": (635, 256, 89, 1, 73, {"lone-hypothesis": 60, "no-pronoun": 13}),
    "dev.tsv": (71, 67, 0, 0, 63, {"lone-hypothesis": 62, "no-pronoun": 1}),
    "test.tsv": (146, 49, 0, 3, 2, {"no-pronoun": 2}),
    "as_found/train.tsv": (
        518,
        283,
        44,
        0,
        141,
        {"lone-hypothesis": 124, "no-pronoun": 12, "not-one-right": 5},
    ),
    "as_found/val.tsv": (117, 103, 0, 0, 90, {"lone-hypothesis": 89, "no-pronoun": 1}),
}


@pytest.mark.skipif(not DATA.exists(), reason="the published files are not here")
@pytest.mark.parametrize("name", REAL)
def test_every_row_of_the_published_files_is_in_a_problem(name: str) -> None:
    rows, count, schemas, loose, alone, why = REAL[name]
    file = SourceFile(name, (DATA / name).read_bytes())
    assert FORMAT.looks_like(file)
    entries, issues = read_bytes(file.data)
    kinds = Counter(entry.grid.kind for entry in entries)
    assert (len(entries), kinds[Kind.SUBSTITUTION], kinds[Kind.LOOSE]) == (count, schemas, loose)
    members = [
        row
        for entry in entries
        for problem in dict(entry.extras)["x-problems"].split(", ")
        for row in problem.split("+")
    ]
    assert len(members) == len(set(members)) == rows
    assert sum(entry.tags == ("true-or-false",) for entry in entries) == alone
    counts = Counter(issue.name for issue in issues if issue.name in FORMAT.issues)
    assert counts == why


@pytest.mark.skipif(not DATA.exists(), reason="the published files are not here")
@pytest.mark.parametrize(("name", "entailed"), [("train.tsv", 312), ("dev.tsv", 31)])
def test_the_labels_of_the_published_files_are_kept(name: str, entailed: int) -> None:
    entries, _ = read_bytes((DATA / name).read_bytes())
    found = [problem for entry in entries for problem in problems(entry.grid)]
    answered = [one for one in found if set(one.options) != {("true",), ("false",)}]
    alone = [one for one in found if one not in answered]
    assert len(answered) + sum(one.right == 0 for one in alone) == entailed
