from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

from horsesense import load_dataset
from horsesense.datasets.builtin import BUILT_IN
from tests.cli.conftest import GARDEN, Run, names


def test_import_keeps_a_file_once(run: Run, garden: Path) -> None:
    first, second = (run("dataset", "import", garden.name).stdout for _ in range(2))
    assert first == "garden: stored version 1, 2 entries\n"
    assert second == "garden: already stored as version 1\n"


def test_import_of_a_changed_file_makes_a_version_and_says_what_changed(
    stored: Run, garden: Path
) -> None:
    garden.write_text(GARDEN.replace("climbers", "red") + "{a, b} <c, d>\n    id: new\n")
    assert stored("dataset", "import", garden.name).stdout == (
        "garden: stored version 2, 3 entries; 1 added (new); 1 changed (roses)\n"
    )
    garden.write_text("---\nname: garden\n---\n{a, b} <c, d>\n    id: new\n")
    assert "2 removed (roses, hose)" in stored("dataset", "import", garden.name).stdout
    assert "climbers" in stored("dataset", "show", "garden@1").stdout


def test_import_of_an_old_version_says_that_there_is_a_later_one(stored: Run, garden: Path) -> None:
    garden.write_text(GARDEN.replace("climbers", "red"))
    stored("dataset", "import", garden.name)
    garden.write_text(GARDEN)
    assert stored("dataset", "import", garden.name).stdout == (
        "garden: already stored as version 1; the latest is 2\n"
    )


def test_import_of_a_file_with_errors_stores_nothing(stored: Run, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("{a, b} <c, d>\na {b\nx <y, z>\n")
    result = stored("dataset", "import", "bad")
    assert result.exit_code == 1
    assert "bad:2:3:" in result.stderr and "bad:3:3:" in result.stderr
    assert names(stored) == ["garden"]


def test_import_goes_on_after_a_bad_file_and_says_so(run: Run, garden: Path) -> None:
    (garden.parent / "bad").write_text("a {b\n")
    (garden.parent / "good").write_text("{a, b} <c, d>\n")
    result = run("dataset", "import", garden.name, "bad", "missing", "good", "--json")
    assert result.exit_code == 1
    assert [saved["name"] for saved in json.loads(result.stdout)] == ["garden", "good"]
    assert "bad:1:3:" in result.stderr and "missing cannot be read" in result.stderr


def test_import_of_a_missing_file_makes_no_store(run: Run, tmp_path: Path) -> None:
    assert run("dataset", "import", "missing").exit_code == 5
    assert not list(tmp_path.iterdir())


def test_import_names_a_dataset_by_option_file_or_front_matter(run: Run, tmp_path: Path) -> None:
    (tmp_path / "My own (2).txt").write_text("{a, b} <c, d>\n")
    assert run("dataset", "import", "My own (2).txt").stdout.startswith("My-own-2: ")
    assert run("dataset", "import", "My own (2).txt", "--name", "x").stdout.startswith("x: ")
    assert run("dataset", "import", "a", "b", "--name", "x").exit_code == 2
    assert run("dataset", "import", "My own (2).txt", "--name", "").exit_code == 1


def test_import_records_where_the_content_came_from(stored: Run, garden: Path) -> None:
    (source,) = json.loads(stored("dataset", "show", "garden", "--json").stdout)["sources"]
    assert source["file"] == "garden.schemas"
    assert source["sha256"] == hashlib.sha256(garden.read_bytes()).hexdigest()
    assert source["bytes"] == len(garden.read_bytes())
    assert (source["importer"], source["importer_version"]) == ("notation", "1")
    assert source["imported_at"]


def test_import_as_json_says_what_was_done(stored: Run, garden: Path) -> None:
    garden.write_text(GARDEN.replace("climbers", "red"))
    (saved,) = json.loads(stored("dataset", "import", garden.name, "--json").stdout)
    assert saved["is_new"] and saved["changed"] == ["roses"] and saved["version"] == 2


def test_list_shows_latest_versions_or_all(stored: Run, garden: Path) -> None:
    garden.write_text(GARDEN.replace("climbers", "red"))
    stored("dataset", "import", garden.name)
    assert json.loads(stored("dataset", "list", "--json").stdout)[0]["version"] == 2
    listed = stored("dataset", "list", "--all").stdout.splitlines()
    rows = [line.split()[:3] for line in listed[1:3]]
    assert rows == [["garden", "1", "2"], ["garden", "2", "2"]]


def test_list_has_the_built_in_datasets_even_without_a_store(run: Run) -> None:
    result = run("dataset", "list")
    assert result.exit_code == 0
    assert "there is no store at horsesense.db" in result.stderr
    _, *rows = result.stdout.splitlines()
    assert [row.split()[0] for row in rows] == list(BUILT_IN)
    assert all("built in" in row for row in rows)
    for listed in json.loads(run("dataset", "list", "--json").stdout):
        dataset = load_dataset(listed["name"])
        assert listed["is_built_in"]
        assert (listed["entries"], listed["id"]) == (len(dataset.entries), dataset.version)
    assert not Path("horsesense.db").exists()


def test_a_stored_dataset_hides_the_built_in_one_of_its_name(run: Run) -> None:
    before = json.loads(run("dataset", "list", "--json").stdout)
    assert run("dataset", "import", "hs-winograd").exit_code == 0
    stored, *others = json.loads(run("dataset", "list", "--json").stdout)
    assert (stored["name"], stored["is_built_in"]) == ("hs-winograd", False)
    assert [dataset["name"] for dataset in others] == ["hs-adversarial"]
    # They differ only in when they were stored, and as what.
    [built_in] = [dataset for dataset in before if dataset["name"] == "hs-winograd"]
    differing = {key for key in stored if stored[key] != built_in[key]}
    assert differing == {"version", "stored_at", "is_built_in"}


def test_show_lists_entries_and_says_how_many_are_left_out(stored: Run) -> None:
    result = stored("dataset", "show", "garden", "--limit", "1")
    assert "garden, version 1, 2 entries\nlicence: CC BY 4.0\nfrom: garden.schemas" in result.stdout
    assert "roses" in result.stdout and "hose " not in result.stdout
    assert result.stderr == "1 more; use --limit 2 to see all\n"


def test_show_one_entry_with_its_sentences(stored: Run) -> None:
    shown = stored("dataset", "show", "garden", "roses").stdout
    assert shown.startswith("<all, not all> roses are {plants, climbers}\n    id: roses\n")
    assert "✓  All roses are plants." in shown
    entry = json.loads(stored("dataset", "show", "garden", "hose", "--json").stdout)
    assert entry["note"] == "reach is a matter of length" and entry["tags"] == []
    assert len(entry["content"]["cells"]) == 4


def test_show_leaves_out_by_key_where_the_author_denies_it(stored: Run, garden: Path) -> None:
    assert "By key" in stored("dataset", "show", "garden", "hose").stdout
    garden.write_text(GARDEN + "    invertible: no\n")
    stored("dataset", "import", garden.name)
    assert "By key" not in stored("dataset", "show", "garden", "hose").stdout


def test_search_finds_words_of_sentences_and_notes(stored: Run) -> None:
    assert "hose" in stored("dataset", "search", "pump short").stdout
    assert "hose" in stored("dataset", "search", "matter of length").stdout
    (hit,) = json.loads(stored("dataset", "search", "climbers", "--json").stdout)
    assert hit["id"] == "roses" and "Not all roses are climbers." in hit["sentences"]


def test_search_that_finds_nothing_exits_with_one(stored: Run) -> None:
    result = stored("dataset", "search", "zeppelin", "--dataset", "garden")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "no entry contains 'zeppelin'\n"


def test_search_says_when_there_is_more(run: Run, tmp_path: Path) -> None:
    (tmp_path / "owls").write_text(
        "".join(f"owl {n} <can, cannot> {{fly, read}}\n" for n in (1, 2))
    )
    run("dataset", "import", "owls")
    assert "use --limit to see more" in run("dataset", "search", "owl", "--limit", "1").stderr
    assert not run("dataset", "search", "owl", "--limit", "2").stderr


def test_check_finds_what_was_changed_behind_our_back(stored: Run) -> None:
    assert stored("dataset", "check").stdout == ("the store: ok\ngarden@1: ok\n")
    with sqlite3.connect("horsesense.db") as connection:
        connection.execute("UPDATE grid SET notation = replace(notation, 'roses', 'tulips')")
    connection.close()
    result = stored("dataset", "check", "garden")
    assert result.exit_code == 1
    assert "garden@1: roses does not match its id\n" in result.stderr
    assert json.loads(stored("dataset", "check", "--json").stdout)["garden@1"]


def test_export_and_import_again_adds_nothing(stored: Run, tmp_path: Path) -> None:
    result = stored("dataset", "export", "garden", "--output", "copy.schemas")
    assert result.stderr == "copy.schemas: 2 entries of garden@1\n"
    assert stored("dataset", "export", "garden").stdout == (tmp_path / "copy.schemas").read_text()
    assert "already stored" in stored("dataset", "import", "copy.schemas").stdout


def test_export_does_not_overwrite_unless_told_to(stored: Run, garden: Path) -> None:
    result = stored("dataset", "export", "garden", "--output", garden.name)
    assert result.exit_code == 5
    assert "already exists; --force (overwrite=True) overwrites it" in result.stderr
    assert garden.read_text() == GARDEN
    assert stored("dataset", "export", "garden", "--output", garden.name, "--force").exit_code == 0
    assert garden.read_text() != GARDEN


def test_export_writes_through_a_link_and_to_stdout(stored: Run, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real").write_text("old")
    assert stored("dataset", "export", "garden", "--output", "link", "--force").exit_code == 0
    assert (tmp_path / "link").is_symlink() and "roses" in (tmp_path / "real").read_text()
    assert "roses" in stored("dataset", "export", "garden", "--output", "-").stdout
    assert stored("dataset", "export", "garden", "--output", "/dev/null", "--force").exit_code == 0
    assert Path("/dev/null").is_char_device()


def test_export_that_fails_leaves_no_file_behind(stored: Run, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    result = stored("dataset", "export", "garden", "--output", "nowhere/copy")
    assert result.exit_code == 5
    assert "nowhere/copy cannot be written: No such file or directory" in result.stderr
    (tmp_path / "folder").mkdir()
    assert stored("dataset", "export", "garden", "--output", "folder", "--force").exit_code == 5
    assert sorted(tmp_path.iterdir()) == sorted([*before, tmp_path / "folder"])


def test_remove_asks_first(stored: Run) -> None:
    asked = stored("dataset", "remove", "garden", input="n\n")
    assert asked.exit_code == 1
    assert "Remove garden@1 (2 entries)? [y/N]" in asked.stderr
    assert stored("dataset", "show", "garden").exit_code == 0
    assert stored("dataset", "remove", "garden", "--yes").stdout == (
        "removed: garden@1 (2 entries)\n"
    )
    assert stored("dataset", "show", "garden").exit_code == 3


def test_remove_of_one_version_keeps_the_others(stored: Run, garden: Path) -> None:
    garden.write_text(GARDEN.replace("climbers", "red"))
    stored("dataset", "import", garden.name)
    stored("dataset", "remove", "garden@1", "--yes")
    listed = json.loads(stored("dataset", "list", "--all", "--json").stdout)
    assert [d["version"] for d in listed if not d["is_built_in"]] == [2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "gardn"], "no dataset named 'gardn'; did you mean garden?"),
        (["show", "garden@7"], "no dataset named 'garden@7'; did you mean garden@1"),
        (
            ["show", "garden", "rose"],
            "no entry of garden named 'rose'; did you mean roses or hose?",
        ),
        (["export", "zzz"], "no dataset named 'zzz' (known: garden)"),
    ],
)
def test_unknown_names_get_the_nearest_ones(
    stored: Run, arguments: list[str], message: str
) -> None:
    result = stored("dataset", *arguments)
    assert result.exit_code == 3
    assert message in result.stderr
