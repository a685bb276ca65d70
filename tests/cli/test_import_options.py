from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.cli.conftest import (
    HARBOUR_ROWS,
    HARBOUR_XML,
    QUAY,
    Run,
    content,
    published,
    wino_line,
    write,
)


def test_what_concerns_the_whole_file_has_no_line(run: Run, harbour: Path) -> None:
    labels = write("labels.lst", "1\n2\n")
    result = run("dataset", "import", harbour.name, "--with", labels)
    assert result.exit_code == 1
    assert "harbour.jsonl: labels.lst has 2 labels for 5 problems\n" in result.stderr


def test_a_list_of_labels_is_joined_and_remembered(run: Run) -> None:
    bare = "".join(wino_line(*row[:4], None) for row in HARBOUR_ROWS)
    labels = write("harbour-labels.lst", "".join(f"{row[4]}\n" for row in HARBOUR_ROWS))
    assert run("dataset", "import", write("harbour.jsonl", bare), "--with", labels).exit_code == 0
    assert [entry["kind"] for entry in content(run, "harbour")] == [
        "substitution schema",
        "single problem",
        "loose pair",
    ]
    sources = json.loads(run("dataset", "show", "harbour", "--json").stdout)["sources"]
    assert [(source["file"], source["importer"]) for source in sources] == [
        ("harbour.jsonl", "winogrande"),
        ("harbour-labels.lst", "winogrande companion"),
    ]


def test_labels_that_contradict_the_file_are_faults(run: Run, harbour: Path) -> None:
    labels = write("labels.lst", "1\n2\n2\n2\n1\n")
    result = run("dataset", "import", harbour.name, "--with", labels)
    assert result.exit_code == 1
    assert "harbour.jsonl:3: the file says 1, labels.lst says 2" in result.stderr


def test_a_test_file_without_labels_is_kept_unlabelled(run: Run) -> None:
    bare = "".join(wino_line(*row[:4], None) for row in HARBOUR_ROWS)
    assert run("dataset", "import", write("harbour.jsonl", bare)).exit_code == 0
    assert [entry["kind"] for entry in content(run, "harbour")] == [
        "loose pair",
        "single problem",
        "loose pair",
    ]


def test_a_companion_is_refused_where_there_is_no_use_for_it(run: Run, harbour: Path) -> None:
    result = run("dataset", "import", write("quay.txt", QUAY), "--with", harbour.name)
    assert result.exit_code == 1
    assert "this format takes no companion files; leave out harbour.jsonl" in result.stderr
    assert run("dataset", "import", "quay.txt", "--with", "missing").exit_code == 5
    assert run("dataset", "import", "quay.txt").exit_code == 0


@pytest.mark.parametrize("option", [("--with", "x"), ("--recipe", "wsc266"), ("--no-repair", "x")])
def test_a_schema_file_takes_nothing_of_the_kind(
    run: Run, garden: Path, option: tuple[str, str]
) -> None:
    result = run("dataset", "import", garden.name, *option)
    assert result.exit_code == 5
    assert (
        "garden.schemas: a schema file takes no --with, --recipe, --no-repair, --keep-going or "
        "--consecutive" in result.stderr
    )


def test_rows_that_look_like_twins_are_offered_and_paired_on_request(
    run: Run, harbour: Path, garden: Path
) -> None:
    rows = (
        "text,option1,option2,answer",
        "The tide ___ lift a light barge.,can,cannot,1",
        "The tide ___ lift a heavy barge.,can,cannot,2",
        "Nora ___ swim.,can,cannot,1",
    )
    table = write("tide.csv", "\n".join(rows) + "\n")
    offered = run("dataset", "import", table)
    assert "problems 1 and 2 look like twins (use `dataset import --consecutive` to pair them)" in (
        offered.stdout
    )
    paired = run("dataset", "import", table, "--consecutive")
    assert "twins by position and similarity: 1 pair, 1 alone" in paired.stdout
    assert "substitution schema" in run("dataset", "show", "tide").stdout
    refused = run("dataset", "import", harbour.name, "--consecutive")
    assert refused.exit_code == 1
    assert "only tables of your own can be paired by --consecutive" in refused.stderr
    assert run("dataset", "import", garden.name, "--consecutive").exit_code == 5


def test_an_unknown_recipe_gets_the_nearest_one(run: Run, harbour: Path) -> None:
    xml = write("harbour.xml", HARBOUR_XML)
    result = run("dataset", "import", xml, "--recipe", "wsc226")
    assert result.exit_code == 3
    assert "no recipe for wsc-xml named 'wsc226'; did you mean wsc266?" in result.stderr
    assert run("dataset", "import", harbour.name, "--recipe", "wsc266").exit_code == 3


def test_a_recipe_is_refused_for_a_file_that_it_was_not_made_for(run: Run, harbour: Path) -> None:
    xml = write("harbour.xml", HARBOUR_XML)
    result = run("dataset", "import", xml, "--recipe", "wsc266")
    assert result.exit_code == 1
    assert (
        "wsc266 is made of the first 273 problems of the WSC; problem 3 is not there"
        in result.stderr
    )


def test_a_repair_is_made_unless_it_is_switched_off(run: Run) -> None:
    xml = write("harbour.xml", HARBOUR_XML)
    assert run("dataset", "import", xml).exit_code == 0
    (entry,) = content(run, "harbour")
    assert "whenever <it = the buoy, the pier> was {adrift, in the way}." in entry["notation"]
    result = run("dataset", "import", xml, "--no-repair", "answer-lowercase")
    assert "harbour: stored version 2, 1 entry; 1 changed (1-2);" in result.stdout
    (entry,) = content(run, "harbour")
    assert "The buoy, The pier" in entry["notation"]
    issues = json.loads(
        run("dataset", "issues", "harbour", "--issue", "answer-lowercase", "--json").stdout
    )
    assert {issue["kind"] for issue in issues} == {"oddity"}
    assert {issue["done"] for issue in issues} == {"not changed: the repair is switched off"}


def test_an_unknown_repair_gets_the_nearest_one(run: Run) -> None:
    xml = write("harbour.xml", HARBOUR_XML)
    result = run("dataset", "import", xml, "--no-repair", "answer-lowercas")
    assert result.exit_code == 3
    assert (
        "no repair of wsc-xml named 'answer-lowercas'; did you mean answer-lowercase"
        in result.stderr
    )


def test_a_companion_without_use_does_not_keep_the_others_from_being_imported(
    run: Run, harbour: Path
) -> None:
    labels = write("labels.lst", "".join(f"{row[4]}\n" for row in HARBOUR_ROWS))
    quay = write("quay.txt", QUAY)
    result = run("dataset", "import", quay, harbour.name, "--with", labels, "--json")
    assert result.exit_code == 1
    assert "this format takes no companion files; leave out labels.lst" in result.stderr
    assert [saved["name"] for saved in json.loads(result.stdout)] == ["harbour"]


def test_a_published_file_is_known_by_its_hash_whatever_it_is_called(run: Run) -> None:
    data = published("winogrande/dev.jsonl").read_bytes()
    Path("mine.jsonl").write_bytes(data)
    result = run("dataset", "import", "mine.jsonl")
    assert result.stderr == "mine.jsonl: known: WinoGrande, dev.jsonl, as published\n"
    assert result.stdout.startswith("winogrande-mine: stored version 1, 983 entries")
    shown = json.loads(run("dataset", "show", "winogrande-mine", "--json", "--limit", "1").stdout)
    assert shown["title"] == "WinoGrande, dev.jsonl"
    assert "CC BY" in shown["licence"] and "Sakaguchi" in shown["author"]
    assert shown["sources"][0]["sha256"] == hashlib.sha256(data).hexdigest()


def test_an_altered_copy_is_told_from_what_was_published(run: Run) -> None:
    data = bytearray(published("winogrande/dev.jsonl").read_bytes())
    at = data.index(b'"sentence": "') + len(b'"sentence": "')
    data[at] = ord("X")
    Path("dev.jsonl").write_bytes(data)
    result = run("dataset", "import", "dev.jsonl", "--json")
    size = f"{len(data):,}"
    told = f"an altered copy of WinoGrande's dev.jsonl: {size} bytes as published, but another hash"
    assert result.stderr == f"dev.jsonl: {told}\n"
    (saved,) = json.loads(result.stdout)
    assert (saved["known"], saved["title"], saved["licence"]) == (told, "", "")


@pytest.mark.parametrize("state", ["273", "285"])
def test_the_recipe_makes_wsc266_of_either_state_of_the_collection(run: Run, state: str) -> None:
    file = str(published(f"wsc_xml/{state}/WSCollection.xml"))
    result = run("dataset", "import", file, "--recipe", "wsc266")
    assert result.stdout.startswith("wsc266: stored version 1, 133 entries")
    shown = json.loads(run("dataset", "show", "wsc266", "--json", "--limit", "1").stdout)
    assert shown["sources"][0]["importer"] == "wsc-xml/wsc266"
    assert "WSC266" in shown["title"]


def test_the_recipe_gives_the_same_dataset_whichever_state_it_starts_from(run: Run) -> None:
    for state, told in (("273", "stored version 1"), ("285", "already stored as version 1")):
        file = str(published(f"wsc_xml/{state}/WSCollection.xml"))
        assert told in run("dataset", "import", file, "--recipe", "wsc266").stdout
