from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import (
    GARDEN,
    HARBOUR,
    HARBOUR_XML,
    Run,
    content,
    names,
    wino_line,
    write,
)

# One sound row among faults of five kinds.
FAULTY = (
    wino_line("oar-1", "The oar is shorter than the mast.", "oar", "mast", "1")
    + "{'qID': 'oar-2'}\n"
    + wino_line("oar-3", "The oar beats the mast, for the _ is in use.", "oar", "mast", "3")
    + wino_line("oar-4", "The oar broke before the mast, for the _ was thin.", "oar", "mast", "1")
    + wino_line("oar-5", "The oar broke before the mast, for the _ was thick.", "oar", "mast", None)
    + wino_line("oar-4", "The oar lay beside the mast until the _ fell.", "oar", "mast", "2")
)


def test_a_published_file_is_known_by_its_looks(run: Run, harbour: Path) -> None:
    result = run("dataset", "import", harbour.name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "harbour: stored version 1, 3 entries; twins by the stem of their qID: 2 pairs, 1 alone; "
        "3 issues (see 'horsesense dataset issues harbour')\n"
    )
    assert [entry["notation"] for entry in content(run, "harbour")] == [
        "The [crane] lifted the [barge] because the <_ = crane, barge> was {strong, light}.",
        "[Nora] envied [Lena] the mooring, for <_ = Nora*, Lena> had none.",
        "[Nora] threw [Lena] the rope so that <_ = Nora, Lena*> could catch it.\n"
        "& [Nora] threw [Lena] a line so that <_ = Nora*, Lena> could tie it.",
    ]


def test_the_problems_keep_the_names_that_the_file_gives_them(moored: Run) -> None:
    assert [entry["x-problems"] for entry in content(moored, "harbour")] == [
        "crane-1, crane-2",
        "tide-1",
        "rope-1, rope-2",
    ]


def test_the_source_says_which_format_was_read(moored: Run) -> None:
    (source,) = json.loads(moored("dataset", "show", "harbour", "--json").stdout)["sources"]
    assert (source["file"], source["importer"]) == ("harbour.jsonl", "winogrande")


def test_a_format_that_is_named_gives_what_the_looks_give(moored: Run, harbour: Path) -> None:
    result = moored("dataset", "import", harbour.name, "--format", "winogrande")
    assert result.stdout.startswith("harbour: already stored as version 1;")


def test_the_looks_count_where_the_suffix_says_nothing(run: Run) -> None:
    assert run("dataset", "import", write("harbour.data", HARBOUR)).exit_code == 0
    assert run("dataset", "import", write("garden.data", GARDEN)).exit_code == 0
    assert [len(content(run, name)) for name in ("harbour", "garden")] == [3, 2]


@pytest.mark.parametrize("suffix", ["json", "jsonl", "xml", "csv", "tsv", "parquet", "lst", "CSV"])
def test_what_looks_like_nothing_is_no_schema_file_under_the_suffix_of_data(
    run: Run, suffix: str
) -> None:
    file = write(f"plain.{suffix}", "<all, not all> roses are {plants, climbers}\n")
    result = run("dataset", "import", file)
    assert result.exit_code == 5
    assert f"{file}: no known format matches this file; specify one with --format" in result.stderr
    for column in ("text", "___", "option1", "option2", "answer", "schema"):
        assert column in result.stderr
    assert run("dataset", "import", file, "--format", "notation").exit_code == 0


def test_a_json_list_is_a_file_of_its_rows(moored: Run) -> None:
    rows = [json.loads(line) for line in HARBOUR.splitlines()]
    listed = moored("dataset", "import", write("quay.json", json.dumps([*rows, None], indent=1)))
    assert listed.exit_code == 1
    assert f"quay.json: row {len(rows) + 1}: not a JSON object" in listed.stderr
    piped = moored("dataset", "import", "-", "--name", "quay", input=json.dumps(rows))
    assert piped.exit_code == 0, piped.output
    assert content(moored, "quay") == content(moored, "harbour")


def test_an_unknown_format_gets_the_nearest_one(run: Run, harbour: Path) -> None:
    result = run("dataset", "import", harbour.name, "--format", "winogrand")
    assert result.exit_code == 3
    assert "no format named 'winogrand'; did you mean winogrande" in result.stderr


def test_a_file_in_another_format_than_named_is_refused(run: Run, harbour: Path) -> None:
    assert run("dataset", "import", harbour.name, "--format", "notation").exit_code == 1
    result = run("dataset", "import", harbour.name, "--format", "wsc-xml")
    assert result.exit_code == 5
    assert "harbour.jsonl:1: not well-formed XML" in result.stderr


@pytest.mark.parametrize("data", [b"", b"x", b"\xff\n", b"{}\n", b"<a/>", b"a\tb\n1\t2\n", b"PAR1"])
@pytest.mark.parametrize("name", ["winogrande", "wsc-xml", "table-parquet"])
def test_junk_in_any_format_is_an_error_with_the_name_of_the_file(
    run: Run, name: str, data: bytes
) -> None:
    Path("junk").write_bytes(data)
    result = run("dataset", "import", "junk", "--format", name, "--keep-going")
    assert result.exit_code in (1, 5)
    assert result.stderr.startswith("Error: junk:")


@pytest.mark.parametrize(("text", "entries"), [(HARBOUR, 3), (HARBOUR_XML, 1), (GARDEN, 2)])
def test_the_standard_input_is_read_in_any_format(run: Run, text: str, entries: int) -> None:
    result = run("dataset", "import", "-", "--name", "piped", input=text)
    assert result.stdout.startswith("piped: stored version 1")
    assert len(content(run, "piped")) == entries
    (source,) = json.loads(run("dataset", "show", "piped", "--json").stdout)["sources"]
    assert source["file"] == "<stdin>"


def test_without_a_name_the_standard_input_is_unnamed(run: Run) -> None:
    assert run("dataset", "import", "-", input=HARBOUR).stdout.startswith("unnamed: ")


def test_a_name_can_be_given_and_must_be_one(run: Run, harbour: Path) -> None:
    assert run("dataset", "import", harbour.name, "--name", "quay").stdout.startswith("quay: ")
    for name in ("two words", ""):
        result = run("dataset", "import", harbour.name, "--name", name)
        assert (result.exit_code, result.stdout) == (1, "")
        assert f"{name!r} cannot be a dataset's name" in result.stderr
    assert names(run) == ["quay"]


def test_a_file_with_faults_is_not_stored_and_every_fault_has_its_line(run: Run) -> None:
    result = run("dataset", "import", write("oars.jsonl", FAULTY))
    assert (result.exit_code, result.stdout) == (1, "")
    first, *others, last = result.stderr.splitlines()
    assert first == "Error: oars.jsonl:1: 0 blanks where one is expected"
    assert [line.split(": ")[0] for line in others] == [f"oars.jsonl:{n}" for n in (2, 3, 5, 6)]
    assert "the label '3' is not one of 1 to 2" in result.stderr
    assert "no label, but other problems have one" in result.stderr
    assert "the id 'oar-4' is already used in line 4" in result.stderr
    assert last == "  nothing was stored; use --keep-going to store the rest"
    assert not Path("horsesense.db").exists()


def test_keep_going_stores_the_rest_and_says_how_much_was_left_out(run: Run) -> None:
    result = run("dataset", "import", write("oars.jsonl", FAULTY), "--keep-going")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "oars: stored version 1, 1 entry; twins by the stem of their qID: 1 alone; "
        "5 problems left out; 6 issues (see 'horsesense dataset issues oars')\n"
    )
    assert [entry["x-problems"] for entry in content(run, "oars")] == ["oar-4"]
    issues = json.loads(run("dataset", "issues", "oars", "--json").stdout)
    assert [(issue["line"], issue["kind"], issue["done"]) for issue in issues[1:]] == [
        (line, "fault", "left out") for line in (1, 2, 3, 5, 6)
    ]


def test_keep_going_does_not_store_an_empty_dataset(run: Run) -> None:
    faulty = wino_line("oar-1", "The oar is shorter than the mast.", "oar", "mast", "1")
    result = run("dataset", "import", write("oars.jsonl", faulty), "--keep-going")
    assert result.exit_code == 5
    assert "contains no usable problems of WinoGrande" in result.stderr
    assert not Path("horsesense.db").exists()


def test_a_file_that_is_wrong_throughout_is_reported_in_part(run: Run) -> None:
    rows = (wino_line(f"oar-{n}", "No blank.", "oar", "mast", "1") for n in range(30))
    result = run("dataset", "import", write("oars.jsonl", "".join(rows)))
    assert result.stderr.count("0 blanks") == 20
    assert "oars.jsonl: and 10 more\n" in result.stderr


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("missing.jsonl", None, 5),
        ("junk.csv", "junk", 5),
        ("oars.jsonl", FAULTY, 1),
        ("bad.schemas", "a {b\n", 1),
    ],
)
def test_a_bad_file_does_not_keep_the_others_from_being_imported(
    run: Run, harbour: Path, name: str, text: str | None, code: int
) -> None:
    if text is not None:
        write(name, text)
    quay = write("quay.jsonl", HARBOUR)
    result = run("dataset", "import", harbour.name, name, quay, "--json")
    assert result.exit_code == code
    assert [saved["name"] for saved in json.loads(result.stdout)] == ["harbour", "quay"]
    assert names(run) == ["harbour", "quay"]
    assert name in result.stderr


def test_json_says_what_was_read_and_what_became_of_it(run: Run) -> None:
    write("oars.jsonl", FAULTY)
    result = run("dataset", "import", "oars.jsonl", "--keep-going", "--json")
    (saved,) = json.loads(result.stdout)
    kept = ("name", "version", "entries", "is_new", "format", "known", "issues", "left_out")
    assert {key: saved[key] for key in kept} == {
        "name": "oars",
        "version": 1,
        "entries": 1,
        "is_new": True,
        "format": "winogrande",
        "known": "",
        "issues": 6,
        "left_out": 5,
    }


def test_a_repair_that_removes_something_leaves_no_problem_out(run: Run) -> None:
    spaced = (
        "1 [The plumber] met the florist 's dog because [he] was late.\n"
        "2 The plumber met [the florist] 's dog because [she] was early.\n"
    )
    result = run("dataset", "import", write("quay.txt", spaced), "--json")
    (saved,) = json.loads(result.stdout)
    assert (saved["format"], saved["entries"], saved["left_out"]) == ("winobias", 1, 0)
    assert "left out" not in run("dataset", "import", "quay.txt").stdout
    assert len(json.loads(run("dataset", "issues", "quay", "--json").stdout)) == saved["issues"]


def test_a_repair_that_leaves_a_problem_out_is_counted(run: Run) -> None:
    rows = "question_id\tsource\tsubstitution0\tsubstitution1\tlabel\n" + "".join(
        f"{number}\tweb\tNora hid it as {first} slept .\tNora hid it as {second} slept .\t0\n"
        for number, first, second in ((1, "Nora", "Lena"), (2, "Lena", "Lena"))
    )
    result = run("dataset", "import", write("quay.tsv", rows))
    assert "twins by their question_id: 1 alone; 1 problem left out; 2 issues" in result.stdout


def test_a_file_that_breaks_off_says_from_where_on_it_was_not_read(run: Run) -> None:
    table = 'text,option1,option2,answer\nThe tide is ___.,in,out,1\n"Owls" x,in,out,1\n'
    result = run("dataset", "import", write("quay.csv", table + "It is ___.,in,out,2\n"))
    assert result.exit_code == 1
    result = run("dataset", "import", "quay.csv", "--keep-going")
    assert "1 entry; no twins: no column says which rows belong together; " in result.stdout
    assert "everything from line 3 onward left out" in result.stdout
    (saved,) = json.loads(run("dataset", "import", "quay.csv", "--keep-going", "--json").stdout)
    assert (saved["left_out"], saved["stopped_at_line"]) == (0, 3)


def test_problems_that_are_only_numbered_keep_their_schemas_and_it_is_told_how(run: Run) -> None:
    words = ("The oar beats the mast, for the _ is {}.", "By oar or mast, no gull {} with the _.")
    rows = [
        wino_line(f"quay-{n}", words[n // 3].format("ab"[n % 2]), "oar", "mast", str(2 - n % 2))
        for n in range(1, 5)
    ]
    result = run("dataset", "import", write("quay.jsonl", "".join(rows)), "--json")
    (saved,) = json.loads(result.stdout)
    assert (saved["entries"], saved["left_out"], saved["stopped_at_line"]) == (2, 0, None)
    (twins,) = saved["twins"]
    assert twins == {
        "found": "twins-by-neighbours",
        "how": "position and similarity",
        "pairs": 2,
        "larger": 0,
        "alone": 0,
    }
    result = run("dataset", "import", "quay.jsonl")
    assert "twins by position and similarity: 2 pairs; 1 issue (see " in result.stdout
    shown = run("dataset", "issues", "quay", "--issue", "twins-by-neighbours").stdout
    assert "paired by position and similarity" in shown


def test_schemas_in_a_schema_file_need_no_twins_to_be_found(run: Run) -> None:
    (saved,) = json.loads(run("dataset", "import", "hs-winograd", "--json").stdout)
    assert saved["twins"] == []


@pytest.mark.parametrize("options", [(), ("--keep-going",)])
def test_a_table_that_only_begins_like_a_known_one_is_not_taken_for_it(
    run: Run, options: tuple[str, ...]
) -> None:
    header = "index\tsentence1\tsentence2\tlabel\tcandidate0\tcandidate1\n"
    row = "0\tThe gull saw the crab as it slept.\tThe crab slept.\t1\tthe gull\tthe crab\n"
    result = run("dataset", "import", write("quay.tsv", header + row), *options)
    assert (result.exit_code, result.stdout) == (5, "")
    assert "quay.tsv: no known format matches this file" in result.stderr


def test_an_empty_file_is_said_to_be_empty(run: Run) -> None:
    Path("nothing.jsonl").write_text("\n")
    for command in (("dataset", "import"), ("score", "--model", "first")):
        result = run(*command, "nothing.jsonl")
        assert result.exit_code == 5
        assert result.stderr == "Error: nothing.jsonl: the file is empty\n"
