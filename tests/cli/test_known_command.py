from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner, Result

from horsesense.cli.dataset_checks import known_command
from horsesense.cli.main import cli
from horsesense.datasets.catalog import find_known, known_datasets
from horsesense.errors import UnknownNameError


def run(*arguments: str) -> Result:
    return CliRunner().invoke(
        known_command, arguments, catch_exceptions=False, **cli.context_settings
    )


def test_without_a_name_every_dataset_has_a_line() -> None:
    headings, *lines = run().stdout.splitlines()
    assert headings.split() == ["name", "title", "size", "licence", "files", "fetched"]
    assert [line.split()[0] for line in lines] == [dataset.name for dataset in known_datasets()]
    (gap,) = (line for line in lines if line.startswith("gap "))
    assert re.fullmatch(r"gap +GAP +4,454 passages .+ Apache-2\.0 +3 +by name", gap)
    for start, end in (("kocijan-masked ", "by file"), ("wikicrem ", "no")):
        (line,) = (line for line in lines if line.startswith(start))
        assert line.endswith(f" {end}")


def test_a_dataset_is_shown_with_all_that_is_known_of_it() -> None:
    dataset = find_known("dpr")
    assert run("dpr").stdout == (
        "dpr: DPR\n"
        f"paper: {dataset.paper}\n"
        "licence: not stated\n"
        f"size: {dataset.size}\n"
        f"get: {dataset.get}\n"
        f"note: {dataset.note}\n"
        "fetch: horsesense dataset import dpr (test.c.txt)\n"
        "\n"
        "file         format  rows   bytes    sha256\n"
        "test.c.txt   dpr     564    67,044   cf1cf025e1d5…\n"
        f"train.c.txt  dpr     1,322  160,409  {dataset.files[1].sha256}\n"
        "\n"
        f"{dataset.bibtex[0]}\n"
    )


def test_a_file_that_nothing_reads_has_dashes() -> None:
    assert re.search(r"^copa\.dtd +– +– +372 +e16b841cd5e2", run("copa").stdout, re.M)


def test_json_of_one_dataset_is_an_object_and_of_all_a_list() -> None:
    every, one = json.loads(run("--json").stdout), json.loads(run("gap", "--json").stdout)
    assert len(every) == len(known_datasets()) and one in every
    assert one["title"] == "GAP" and one["files"][0]["path"] == "gap-development.tsv"
    assert one["bibtex"] == list(find_known("gap").bibtex)


def test_bibtex_of_a_dataset_is_its_entries_alone() -> None:
    first, second = find_known("kocijan-masked").bibtex
    assert run("kocijan-masked", "--bibtex").stdout == f"{first}\n\n{second}\n"


def test_bibtex_of_all_has_every_key_once() -> None:
    keys = re.findall(r"^@\w+\{(\w+),$", run("--bibtex").stdout, re.M)
    assert "maler2023evaluating" in keys and len(set(keys)) == len(keys)
    assert len(keys) == len({e for dataset in known_datasets() for e in dataset.bibtex})


@pytest.mark.parametrize("name", ["winogrand", ""])
def test_an_unknown_name_is_an_error(name: str) -> None:
    with pytest.raises(UnknownNameError):
        run(name)


def test_json_and_bibtex_exclude_each_other() -> None:
    result = run("--json", "--bibtex")
    assert result.exit_code == 2 and "leave out --bibtex" in result.stderr
