"""A folder that Hugging Face's `datasets` loads: a Parquet file, and a card that tells about it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

from horsesense.datasets.exporters.exported import Exported
from horsesense.datasets.exporters.table import ANSWER, ExportTable, joined_options, table_of
from horsesense.errors import FileError
from horsesense.schema import FLAGS, Dataset, Entry, Header
from horsesense.schema.notation import print_wrapper

DATA_FILE = "data/test.parquet"
# The value that users of Hugging Face's datasets expect where an answer is not known.
_NO_LABEL = -1


def hugging_face(dataset: Dataset, report: Exported) -> Iterator[tuple[str, bytes]]:
    """The files of the folder, each with its path in it."""
    table = table_of(dataset, report)
    yield DATA_FILE, parquet(table)
    yield "README.md", card(dataset, table, DATA_FILE).encode()


def parquet(table: ExportTable) -> bytes:
    """The plain columns, null where there is no value, and three that spare their reader work.

    `label` counts the options from 0 and is -1 where the answer is not known; `options` and
    `sentences` are lists.
    """
    arrow, writer = _pyarrow()
    text, number, texts = arrow.string(), arrow.int64(), arrow.list_(arrow.string())
    columns: dict[str, Any] = {
        name: arrow.array([row.get(name) for row in table.rows], number if name == ANSWER else text)
        for name in table.columns
    }
    problems = table.problems
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


# What Hugging Face calls licences. Others are «other», with a name of their own.
_LICENCES = frozenset(
    str.split(
        "afl-3.0 agpl-3.0 apache-2.0 bsd-2-clause bsd-3-clause cc-by-2.0 cc-by-2.5 cc-by-3.0 "
        "cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 "
        "cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 "
        "cc0-1.0 gpl-2.0 gpl-3.0 isc lgpl-2.1 lgpl-3.0 mit mpl-2.0 odbl odc-by pddl unlicense"
    )
)
_NO_LICENCE = "unknown"
# Numbers of rows, each with how Hugging Face calls what has fewer.
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
_LARGEST = "n>10M"

_COLUMNS = {
    "id": "name of the problem",
    "schema": "the entry that it belongs to; problems of the same entry are twins",
    "mode": "what is guessed",
    "text": "the sentence with `___` for each blank; null if whole sentences are compared",
    "option1": "an option for the blank; ` ¶ ` separates the phrases for two blanks",
    "answer": "the number of the right option, from 1; null if unknown",
    "pronoun": "the pronoun that the blank replaces",
    "verbatim": "`yes` if the sentences are as published",
    "tags": "words separated by commas",
    "note": "the author's",
    **FLAGS,
    "label": "the position of the right option, from 0; -1 if unknown",
    "options": "all options",
    "sentences": "the complete sentences, one for each option: what a model reads",
}


def card(dataset: Dataset, table: ExportTable, data_file: str) -> str:
    """The text of `README.md`."""
    header = dataset.header
    entries = {entry.id: entry for entry in table.entries}.values()
    paragraphs = [
        f"# {header.title or header.name}",
        header.note,
        "\n".join(_facts(dataset, table)),
        "## Contents\n\n" + "\n".join(_kinds(entries)),
        "## Columns\n\n| Column | Meaning |\n|---|---|\n" + "\n".join(_columns(table)),
        "## Loading\n\n```python\nfrom datasets import load_dataset\n\n"
        'problems = load_dataset("path/to/this/folder", split="test")\n```',
        "## Sources\n\n" + "\n".join(provenance(dataset)),
    ]
    front = "\n".join(("---", *_front_matter(header, len(table.rows), data_file), "---"))
    return "\n\n".join((front, *filter(None, paragraphs))) + "\n"


def provenance(dataset: Dataset) -> Iterator[str]:
    """The files that the dataset was read from, as lines of a list."""
    for source in dataset.sources:
        read_by = f"{source.importer} {source.importer_version}"
        yield f"- `{source.file}`, SHA-256 `{source.sha256}`, read by {read_by}"
    yield "- written by horsesense"


def licence_id(licence: str) -> str:
    """Return the Hugging Face id of a licence, `other` if it is unknown.

    >>> licence_id("CC BY 4.0"), licence_id("Apache License 2.0"), licence_id("ask the author")
    ('cc-by-4.0', 'apache-2.0', 'other')
    """
    if not licence:
        return _NO_LICENCE
    words = re.sub(r"\b(licen[cs]e|version|the)\b", " ", licence.lower())
    name = "-".join(re.split(r"[\s_,-]+", words.strip()))
    name = "cc0-1.0" if name == "cc0" else name  # there is one version
    return name if name in _LICENCES else "other"


def size_category(rows: int) -> str:
    """Return the Hugging Face size category for a number of rows.

    >>> size_category(999), size_category(1000)
    ('n<1K', '1K<n<10K')
    """
    return next((name for limit, name in _SIZES if rows < limit), _LARGEST)


def _front_matter(header: Header, rows: int, data_file: str) -> Iterator[str]:
    # A JSON string is a YAML string, whatever it holds.
    yield f"pretty_name: {json.dumps(header.title or header.name, ensure_ascii=False)}"
    licence = licence_id(header.licence)
    yield f"license: {licence}"
    if licence == "other":
        yield f"license_name: {json.dumps(header.licence, ensure_ascii=False)}"
    yield from ("task_categories:", "- multiple-choice")
    yield from ("size_categories:", f"- {size_category(rows)}")
    yield from ("configs:", "- config_name: default", "  data_files:")
    yield from ("  - split: test", f"    path: {data_file}")


def _facts(dataset: Dataset, table: ExportTable) -> Iterator[str]:
    header = dataset.header
    yield f"- name: {header.name}"
    if header.author:
        yield f"- author: {header.author}"
    yield f"- licence: {header.licence or 'not stated'}"
    yield f"- problems: {len(table.rows)}, solved {dataset.mode}"
    if dataset.wrapper:
        yield f"- wrapper: `{print_wrapper(dataset.wrapper)}`"


def _kinds(entries: Iterable[Entry]) -> Iterator[str]:
    yield "| Kind | Entries |\n|---|---|"
    kinds = (f"{'dyad of a ' if e.grid.is_dyad else ''}{e.grid.kind}" for e in entries)
    for kind, count in Counter(kinds).most_common():
        yield f"| {kind} | {count} |"


def _columns(table: ExportTable) -> Iterator[str]:
    for column in (*table.columns, "label", "options", "sentences"):
        if column in _COLUMNS:
            yield f"| `{column}` | {_COLUMNS[column]} |"
        elif not column.startswith("option"):
            yield f"| `{column}` | a field of the author's own |"
