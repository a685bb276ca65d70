"""Files that are no logs: what is said of them."""

import json
import re

import pytest

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError
from horsesense.results.logs import read_log, read_log_file
from tests.results.logs.logs import LM_EVAL

EMPTY_CELL = "schema: two problems with the same one are twins; a problem without twins has an"


def message_of(text: str) -> str:
    with pytest.raises(FileError) as raised:
        read_log_file(SourceFile("owls.csv", text.encode()))
    return str(raised.value)


@pytest.mark.parametrize("text", ["", "\n", " \r\n\n"])
def test_an_empty_file_is_called_empty(text: str) -> None:
    assert message_of(text) == "owls.csv: the file is empty"


@pytest.mark.parametrize(
    "text",
    ["id,solved\n1,1\n", "id;solved\n1;1\n", json.dumps({"id": 1, "solved": True}) + "\n"],
)
def test_a_table_without_schemas_is_told_so(text: str) -> None:
    told = message_of(text)
    start = "owls.csv: a table without the column `schema` (there are: id, solved); "
    assert told.startswith(start + EMPTY_CELL)


@pytest.mark.parametrize(
    "text",
    ["schema,chosen\nowl,1\n", "schema\tchosen\n", json.dumps({"schema": "owl", "chosen": 1})],
)
def test_a_table_without_what_was_solved_is_told_so(text: str) -> None:
    told = message_of(text)
    assert "a table without the column `solved` (there are: schema, chosen); solved: it is" in told


def test_a_table_of_something_else_is_told_both() -> None:
    told = message_of("item,correct\n1,1\n")
    assert "a table without the columns `schema` and `solved` (there are: item, correct)" in told


@pytest.mark.parametrize(
    "text",
    [
        "An owl, awake, sees much.\nA vole, asleep, sees nothing, nor does a mole.\n",
        "owl\nvole\n",
        '{"owl": 1}\n',
        '{"schema": "owl", "sol',
        "[1, 2]\n",
    ],
)
def test_of_anything_else_nothing_is_known(text: str) -> None:
    assert message_of(text).startswith("owls.csv: this does not look like a log of lm-eval")


def test_totals_are_no_samples() -> None:
    path = LM_EVAL / "results.json"
    message = f"{path}: the totals of lm-evaluation-harness; give samples_*.jsonl, which --log_samp"
    with pytest.raises(FileError, match=re.escape(message)):
        read_log(path)
    told = message_of('{"config_general": {}, "results": {}}')
    assert told.endswith("give details_*.parquet, which --save-details writes")
