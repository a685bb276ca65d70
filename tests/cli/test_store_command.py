from __future__ import annotations

import json
from pathlib import Path

from horsesense.store import salvage_store
from tests.cli.conftest import Run
from tests.store.builders import change, put_back, query

STORE = Path("horsesense.db")


def damaged_page(table: str) -> None:
    """Overwrite the page that a table begins on."""
    ((page,),) = query(STORE, "SELECT rootpage FROM sqlite_master WHERE name = ?", table)
    data = bytearray(STORE.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
    STORE.write_bytes(data)


def test_a_sound_store_is_said_to_be_sound(run: Run, garden: Path) -> None:
    run("dataset", "import", str(garden))
    result = run("store", "check")
    assert result.exit_code == 0
    assert result.stdout == "the file: sound\nthe search index: sound\ndataset garden@1: sound\n"


def test_the_search_index_of_a_store_without_datasets_is_sound(run: Run, garden: Path) -> None:
    quick = ("--perturb", "none", "--resamples", "100")
    run("run", "--model", "first", "--data", garden.name, *quick)
    assert "the search index: sound" in run("store", "check").stdout


def test_without_a_store_there_is_nothing_to_check(run: Run) -> None:
    assert run("store", "check").exit_code == 4


def test_damaged_text_is_not_shown_and_found_and_mended_by_importing_again(
    run: Run, garden: Path
) -> None:
    run("dataset", "import", str(garden))
    sound = run("dataset", "export", "garden").stdout
    change(STORE, "UPDATE entry SET note = replace(note, 'length', 'strength')")
    change(STORE, "UPDATE grid SET notation = replace(notation, 'roses', 'noses')")
    for command in (("search", "hose"), ("show", "garden"), ("export", "garden")):
        result = run("dataset", *command)
        assert result.exit_code == 4
        assert "is damaged" in result.stderr and "import it again" in result.stderr
    result = run("store", "check")
    assert result.exit_code == 1
    assert "dataset garden@1: damaged" in result.stdout
    assert f"horsesense dataset import {garden}' repairs it" in result.stderr
    result = run("dataset", "import", str(garden))
    assert "its damage was repaired" in result.stdout
    assert run("store", "check").exit_code == 0
    assert run("dataset", "export", "garden").stdout == sound


def test_a_repair_says_what_it_did(run: Run, garden: Path) -> None:
    run("dataset", "import", str(garden))
    change(STORE, "DELETE FROM entry_search_data WHERE id > 10")
    assert "the search index is damaged" in run("dataset", "search", "hose").stderr
    result = run("store", "check", "--repair", "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["repaired"] == ["the search index was rebuilt"]
    assert {part["state"] for part in told["parts"]} == {"sound"}
    assert run("dataset", "search", "hose").exit_code == 0


def test_of_a_file_with_damaged_pages_a_copy_is_made(run: Run, garden: Path) -> None:
    run("dataset", "import", str(garden))
    damaged_page("observation")
    result = run("dataset", "list")
    assert result.exit_code == 4
    assert "horsesense store check" in result.stderr
    result = run("store", "check", "--repair")
    assert result.exit_code == 1
    assert "horsesense-repaired.db has everything that could be read" in result.stderr
    result = run("--store", "horsesense-repaired.db", "dataset", "search", "hose")
    assert result.exit_code == 0
    result = run("store", "check", "--repair")
    assert result.exit_code == 4
    assert "already exists" in result.stderr


def test_of_an_older_store_with_damaged_pages_all_that_is_readable_is_copied(
    run: Run, garden: Path
) -> None:
    run("dataset", "import", str(garden))
    put_back(STORE, 5)
    damaged_page("judgement")
    copied = salvage_store(STORE)
    assert copied.copy == STORE.with_name("horsesense-repaired.db")
    assert "copied: 2 rows of the table entry" in copied.done
    result = run("--store", "horsesense-repaired.db", "dataset", "show", "garden", "hose")
    assert result.exit_code == 0, result.stderr


def test_where_nothing_can_be_read_no_copy_is_left(run: Run, garden: Path) -> None:
    run("dataset", "import", str(garden))
    data = bytearray(STORE.read_bytes())
    data[100:4096] = bytes(3996)  # the root of all tables
    STORE.write_bytes(data)
    assert run("store", "check").exit_code == 4
    result = run("store", "check", "--repair")
    assert result.exit_code == 4
    assert "nothing in it can be read" in result.stderr
    assert not Path("horsesense-repaired.db").exists()


def test_a_damaged_dataset_can_still_be_removed(run: Run, garden: Path) -> None:
    run("dataset", "import", str(garden))
    change(STORE, "UPDATE dataset SET title = 'x'")
    assert run("dataset", "list").exit_code == 4
    assert run("dataset", "remove", "garden", "--yes").exit_code == 0
    assert run("store", "check").exit_code == 0


def test_judgements_from_before_there_were_checksums_are_said_to_be_unverified(
    run: Run, garden: Path
) -> None:
    run("dataset", "import", str(garden))
    assert run("perturb", "apply", "switched", "garden").exit_code == 0
    assert "cannot be verified" not in run("perturb", "show", "garden.switched").stderr
    change(STORE, "DROP TRIGGER judgement_stands")
    change(STORE, "UPDATE judgement SET checksum = ''")
    change(STORE, "UPDATE perturbation SET checksum = '', ledger = ''")
    result = run("perturb", "show", "garden.switched")
    assert result.exit_code == 0
    assert "cannot be verified" in result.stderr
    assert "perturbation garden.switched: unverified (" in run("store", "check").stdout
