"""A folder that Hugging Face's `datasets` loads: a Parquet file, and a card that tells about it."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from horsesense.datasets.exporters.card import card
from horsesense.datasets.exporters.outgoing import Exported, Outgoing
from horsesense.datasets.exporters.table import ANSWER, Table, joined_options, table_of
from horsesense.errors import FileError

DATA_FILE = "data/test.parquet"
# The value that users of Hugging Face's datasets expect where an answer is not known.
_NO_LABEL = -1


def hugging_face(outgoing: Outgoing, report: Exported) -> Iterator[tuple[str, bytes]]:
    """The files of the folder, each with its path in it."""
    table = table_of(outgoing, report)
    yield DATA_FILE, parquet(table)
    yield "README.md", card(outgoing, table, DATA_FILE).encode()


def parquet(table: Table) -> bytes:
    """The plain columns, null where there is no value, and three that spare their reader work.

    `label` counts the options from 0 and is -1 where the answer is not known; `options` and
    `sentences` are lists.
    """
    arrow, writer = _pyarrow()
    text, number, texts = arrow.string(), arrow.int64(), arrow.list_(arrow.string())
    columns: dict[str, Any] = {
        name: arrow.array(
            [row.values.get(name) for row in table.rows], number if name == ANSWER else text
        )
        for name in table.columns
    }
    problems = [row.problem for row in table.rows]
    labels = [_NO_LABEL if problem.right is None else problem.right for problem in problems]
    sentences = [[sentence.text for sentence in problem.sentences] for problem in problems]
    columns["label"] = arrow.array(labels, number)
    columns["options"] = arrow.array([joined_options(problem) for problem in problems], texts)
    columns["sentences"] = arrow.array(sentences, texts)
    stream = BytesIO()
    writer.write_table(arrow.table(columns), stream)
    return stream.getvalue()


def _pyarrow() -> tuple[Any, Any]:
    """The packages `pyarrow` and `pyarrow.parquet`, which not everybody has."""
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        remedy = "pip install 'horsesense[parquet]'"
        raise FileError(f"a Parquet file cannot be written without pyarrow: {remedy}") from error
    return pyarrow, pyarrow.parquet
