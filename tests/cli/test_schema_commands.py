from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"
OWLS = "{owls, voles} <do, do not> eat {voles, owls}"


def test_show_marks_the_sensible_sentences_of_the_square(run: Run) -> None:
    assert run("schema", "show", OWLS, "--mode", "by-answer").stdout == (
        "transposition schema, 4 sentences\n"
        "\n"
        "                 do                     do not\n"
        "owls … voles  ✓  Owls do eat voles.     Owls do not eat voles.\n"
        "voles … owls     Voles do eat owls.  ✓  Voles do not eat owls.\n"
        "\n"
        "By answer\n"
        "   statement            options\n"
        "1  Owls ___ eat voles.  ✓ do       do not\n"
        "2  Voles ___ eat owls.    do     ✓ do not\n"
    )


def test_show_by_key_has_two_blanks_for_a_transposition_schema(run: Run) -> None:
    shown = run("schema", "show", OWLS).stdout
    assert "1  ___ do eat ___.      ✓ Owls / voles    Voles / owls\n" in shown
    assert "2  ___ do not eat ___.    Owls / voles  ✓ Voles / owls\n" in shown


def test_show_of_a_wrapped_schema_has_eight_sentences_and_three_modes(run: Run) -> None:
    wrapper = "It is |true, false| that …"
    shown = json.loads(run("schema", "show", OWLS, "--wrapper", wrapper, "--json").stdout)
    assert len({cell["text"] for cell in shown["cells"]}) == 8
    assert sum(cell["is_sensible"] for cell in shown["cells"]) == 4
    assert [len(mode["problems"]) for mode in shown["modes"].values()] == [4, 4, 4]
    assert {name: mode["schemas"] for name, mode in shown["modes"].items()} == {
        "by answer": [[0, 2], [1, 3]],
        "by key": [[0, 1], [2, 3]],
        "by boolean": [[0, 1], [2, 3]],
    }


def test_show_spans_slice_the_phrases_out_of_the_sentence(run: Run) -> None:
    shown = json.loads(run("schema", "show", LORRY, "--json").stdout)
    for cell in shown["cells"]:
        phrases = {s["role"]: cell["text"][s["start"] : s["end"]] for s in cell["spans"]}
        assert phrases == {
            "answer": ["can", "cannot"][cell["answer"]],
            "key": ["high", "low"][cell["key"]],
        }


def test_show_prints_spans_on_request(run: Run) -> None:
    assert "answer 8–11 'can', key 25–29 'high'" in run("schema", "show", LORRY, "--spans").stdout


def test_show_notes_doubts_on_stderr(run: Run) -> None:
    result = run("schema", "show", "the the <x, y> is {a, b}")
    assert "Warning: a word is repeated" in result.stderr
    assert "Warning" not in result.stdout


def test_show_lists_a_problem_by_itself_and_marks_an_open_one(run: Run) -> None:
    shown = run("schema", "show", "we ate <soup*, snow, sand>\n& they drank <? tea, coal>").stdout
    assert "1  ✓  We ate soup.\n" in shown
    assert "2  ?  They drank tea.\n" in shown
    assert "2  They drank ___.    tea" in shown


def test_show_says_how_many_schemas_loose_rows_make(run: Run) -> None:
    assert "By answer (no schemas)" in run("schema", "show", "we ate <soup*, sand>").stdout
    triple = "we ate <soup*, sand>\n& they ate <soup*, sand>\n& I ate <soup, sand*>"
    assert "By answer (2 schemas)" in run("schema", "show", triple).stdout


def test_an_empty_option_is_shown_as_nothing(run: Run) -> None:
    assert "✓ (nothing)" in run("schema", "show", "one can <breathe, drown> {, down there}").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a lorry"], "Error: column 8: there is no answer placeholder\n  a lorry\n         ^"),
        (["<a*, b>", "--wrapper", "It is |true, false| that …"], "cannot be wrapped"),
        ([LORRY, "--wrapper", "It is true that …"], "a wrapper has one truth pair"),
        (["<a*, b> c", "--mode", "by-key"], "a single problem cannot be solved by key"),
        ([LORRY, "--mode", "by-boolean"], "wrap it first"),
    ],
)
def test_show_refuses_what_cannot_be_shown(run: Run, arguments: list[str], message: str) -> None:
    result = run("schema", "show", *arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert not result.stdout


def test_show_of_a_file_shows_each_schema_below_its_id(run: Run, garden: Path) -> None:
    result = run("schema", "show", garden.name, "--mode", "by-answer")
    lines = result.stdout.splitlines()
    assert result.stderr == ""
    assert [line.split()[1] for line in lines if line.startswith("── ")] == ["roses", "hose"]
    assert "<all, not all> roses are {plants, climbers}" in lines
    assert "All roses are plants." in result.stdout
    assert lines.count("By answer") == 2
    assert "By key" not in result.stdout


def test_show_of_a_file_is_limited_and_says_how_many_more_there_are(run: Run) -> None:
    result = run("schema", "show", "hs-winograd")
    assert result.stdout.count("── ") == 5
    assert result.stderr == "171 more; use --limit 176 to see all\n"
    assert run("schema", "show", "hs-winograd", "--limit", "2").stdout.count("── ") == 2


def test_show_of_a_file_as_json_has_all_its_schemas_unless_limited(run: Run, garden: Path) -> None:
    shown = json.loads(run("schema", "show", garden.name, "--json").stdout)
    assert [entry["id"] for entry in shown] == ["roses", "hose"]
    assert [len(entry["content"]["cells"]) for entry in shown] == [4, 4]
    assert len(json.loads(run("schema", "show", "hs-winograd", "--json").stdout)) == 176
    limited = run("schema", "show", garden.name, "--json", "--limit", "1")
    assert len(json.loads(limited.stdout)) == 1


def test_show_of_a_file_wraps_every_schema_and_shows_the_modes_that_each_has(run: Run) -> None:
    Path("two.schemas").write_text(
        "<all, not all> roses are {plants, climbers}\nwe ate <soup*, sand>\n"
    )
    shown = json.loads(run("schema", "show", "two.schemas", "--mode", "by-key", "--json").stdout)
    assert [list(entry["content"]["modes"]) for entry in shown] == [["by key"], []]
    result = run("schema", "show", "two.schemas", "--wrapper", "It is |true, false| that …")
    assert "cannot be wrapped" in result.stderr
    Path("one.schemas").write_text("<all, not all> roses are {plants, climbers}\n")
    wrapped = run("schema", "show", "one.schemas", "--wrapper", "It is |true, false| that …")
    assert "It is true that all roses are plants." in wrapped.stdout


def test_show_reads_standard_input_and_published_files(run: Run, harbour: Path) -> None:
    assert (
        "A ship can sink."
        in run("schema", "show", "-", input="a ship <can, cannot> {sink, fly}").stdout
    )
    assert run("schema", "show", harbour.name).stdout.count("── ") == 3


def test_show_says_that_there_is_no_such_file(run: Run) -> None:
    result = run("schema", "show", "kitchen.schemas")
    assert result.exit_code == 5
    assert "there is no file 'kitchen.schemas'" in result.stderr


def test_check_counts_and_is_content_with_a_sound_file(run: Run, garden: Path) -> None:
    result = run("schema", "check", garden.name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "garden.schemas: 2 valid, 0 errors, 0 warnings\n"


def test_check_reports_every_error_of_every_file(run: Run, garden: Path, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("a {b\nc <d, e>\n" + garden.read_text().split("---\n")[2])
    assert run("schema", "check", garden.name, "bad").exit_code == 1
    result = run("schema", "check", garden.name, "bad", "missing", ".")
    assert result.exit_code == 5
    assert result.stderr.count("bad:") == 2
    assert "bad:1:3: this key placeholder is never closed" in result.stderr
    assert "bad:2:3: these answers have no key phrases" in result.stderr
    assert "missing cannot be read: No such file or directory" in result.stderr
    assert ". cannot be read: Is a directory" in result.stderr
    assert "bad: 2 valid, 2 errors, 0 warnings\n" in result.stdout


def test_check_doubts_a_schema_that_stands_there_twice(run: Run, tmp_path: Path) -> None:
    (tmp_path / "twice").write_text(f"{LORRY}\n    id: one\n{LORRY}\n    id: two\n")
    result = run("schema", "check", "twice")
    assert result.exit_code == 0
    assert result.stderr == "twice:3: warning: two: the same schema as one\n"


def test_check_finds_a_schema_that_is_repeated_without_ids(run: Run, tmp_path: Path) -> None:
    (tmp_path / "twice").write_text(f"{LORRY}\n{LORRY}\n")
    result = run("schema", "check", "twice")
    assert result.exit_code == 1
    assert "twice:2:1: this schema is already in line 1" in result.stderr
    assert "remove one of the two" in result.stderr


def test_check_says_how_to_check_a_table(run: Run, tmp_path: Path) -> None:
    rows = "text,option1,option2,answer\nOwls ___ fly.,can,cannot,1\nOwls ___ read.,can,cannot,2\n"
    (tmp_path / "owls.csv").write_text(rows)
    result = run("schema", "check", "owls.csv")
    assert result.exit_code == 1
    assert result.stderr == (
        "owls.csv: this is not a schema file\n"
        "  `horsesense dataset import owls.csv` checks and stores it\n"
    )


def test_check_of_a_schema_instead_of_a_file_names_the_command_for_it(run: Run) -> None:
    result = run("schema", "check", LORRY)
    assert result.exit_code == 2
    assert "`schema check` takes files: use `horsesense schema show`" in result.stderr


def test_check_as_json_has_lines_and_texts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("# first\na {b\n")
    (report,) = json.loads(run("schema", "check", "bad", "--json").stdout)
    assert report["file"] == "bad" and report["schemas"] == 0 and report["doubts"] == []
    (error,) = report["errors"]
    assert (error["line"], error["column"]) == (2, 3)
    assert error["problem"] == "this key placeholder is never closed with '}'"
    assert error["remedy"] == "write } after its last phrase"


def test_check_reads_the_standard_input(run: Run) -> None:
    result = run("schema", "check", "-", input="a {b\n")
    assert "<stdin>:1:3:" in result.stderr


@pytest.mark.parametrize(
    ("notation", "word"),
    [
        ("Rome is <larger, smaller> than {Pisa, Tokyo}.", "Rome"),
        ("[Otto] met [Emil] when <he = Otto, Emil> {left, came}.", ""),
        ("[Otto's dog] bit [the cat] when <it = the dog, the cat> {woke, ran off}.", "Otto's"),
        ("{Owls, Houses} <can, cannot> fly.", "Owls"),
        ("The owl <can, cannot> {fly, read}.", ""),
        ("Rome is <larger, smaller> than {Pisa, Tokyo}", ""),
    ],
)
def test_a_wrapper_names_the_word_that_lost_its_capital(run: Run, notation: str, word: str) -> None:
    result = run("schema", "show", notation, "--wrapper", "It is |true, false| that …")
    assert (f"{word!r} lost its capital" in result.stderr) == bool(word)


def test_check_doubts_the_versions_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one").write_text(f"{LORRY}\n    id: a\n    tense: the the {{a, b}} <c, d>\n")
    assert "warning: a: tense: a word is repeated" in run("schema", "check", "one").stderr
