import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from horsesense.datasets.exporters import Exported, wrapped
from horsesense.datasets.exporters.hugging_face import licence_id, size_category
from horsesense.errors import FileError
from horsesense.schema import Entry, Header, Mode, Source
from horsesense.schema.notation import parse_wrapper
from tests.datasets.exporters.folders import (
    BUS,
    COOK,
    FULL_FIELDS,
    KEYS,
    LADLE,
    LORRY,
    OWLS,
    STORM,
    SWIMMER,
    dataset_of,
    entry,
    files_of,
    left_out,
    text_of,
    write,
)

HEADER = Header("kitchen", title="Drawers: a study", author="Ida Elm", licence="CC BY 4.0")
EVERYTHING = (
    entry("lorry", LORRY),
    entry("ladle", LADLE, **FULL_FIELDS),
    entry("storm", STORM),
    entry("keys", KEYS),
    entry("cook", COOK),
    entry("bus", BUS),
)
# The Python of an environment in which Hugging Face's datasets is installed too.
PYTHON = os.environ.get("HORSESENSE_PEERS", "")


def table(tmp_path: Path, *entries: Entry, mode: Mode = Mode.BY_ANSWER) -> Any:
    """The Parquet file as pyarrow reads it back from disk."""
    files = files_of("hf", dataset_of(*entries, mode=mode))
    folder = write(tmp_path, files.items())
    return import_module("pyarrow.parquet").read_table(folder / "data" / "test.parquet")


def card(*entries: Entry, header: Header = HEADER, **others: Any) -> str:
    return files_of("hf", dataset_of(*entries, header=header, **others))["README.md"].decode()


def front_matter(text: str) -> Any:
    _, front, _ = text.split("---\n", 2)
    return import_module("yaml").safe_load(front)


def test_the_folder_holds_the_data_and_a_card() -> None:
    assert list(files_of("hf", dataset_of(*EVERYTHING))) == ["data/test.parquet", "README.md"]


@pytest.mark.parametrize("mode", [Mode.BY_ANSWER, Mode.BY_KEY])
def test_the_plain_columns_are_those_of_json_lines(tmp_path: Path, mode: Mode) -> None:
    what = (*EVERYTHING, entry("swim", SWIMMER), entry("owls", OWLS))
    rows = table(tmp_path, *what, mode=mode).to_pylist()
    lines = text_of("jsonl", dataset_of(*what, mode=mode)).splitlines()
    typed = {"label", "options", "sentences"}
    assert [
        {name: value for name, value in row.items() if value is not None and name not in typed}
        for row in rows
    ] == [json.loads(line) for line in lines]


def test_labels_options_and_sentences_can_be_used_as_they_are(tmp_path: Path) -> None:
    rows = {row["id"]: row for row in table(tmp_path, *EVERYTHING).to_pylist()}
    assert rows["lorry-2"]["label"] == 1
    assert rows["lorry-2"]["options"] == ["can", "cannot"]
    assert rows["lorry-2"]["sentences"] == [
        "A lorry can pass under a low bridge.",
        "A lorry cannot pass under a low bridge.",
    ]
    assert len(rows["storm"]["options"]) == 3
    assert (rows["cook"]["label"], rows["cook"]["answer"]) == (-1, None)
    assert rows["keys"]["text"] is None and rows["keys"]["options"] == rows["keys"]["sentences"]


def test_columns_have_types(tmp_path: Path) -> None:
    schema = table(tmp_path, *EVERYTHING).schema
    types = {name: str(schema.field(name).type) for name in schema.names}
    assert {types.pop(name) for name in ("answer", "label")} == {"int64"}
    lists = {types.pop(name).split("<")[0] for name in ("options", "sentences")}
    assert lists == {"list"} and set(types.values()) == {"string"}


def test_a_dataset_without_problems_has_the_columns_all_the_same(tmp_path: Path) -> None:
    empty = table(tmp_path, entry("storm", STORM), mode=Mode.BY_KEY)
    assert empty.num_rows == 0
    assert empty.schema.names == table(tmp_path / "full", entry("lorry")).schema.names


def test_sentences_that_a_blank_does_not_give_are_held() -> None:
    assert left_out("hf", dataset_of(entry("swim", SWIMMER), mode=Mode.BY_KEY)) == {}


def test_the_header_is_held_by_the_card() -> None:
    assert left_out("hf", dataset_of(entry("lorry"), header=HEADER)) == {}
    assert left_out("hf", dataset_of(entry("ladle", LADLE, **FULL_FIELDS))) == {
        "phrases for perturbations": 1,
        "marked candidates": 2,
    }


def test_without_pyarrow_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match=r"pip install 'horsesense\[parquet\]'"):
        files_of("hf", dataset_of(entry("lorry")))


def test_the_front_matter_is_for_programs() -> None:
    assert front_matter(card(*EVERYTHING)) == {
        "pretty_name": "Drawers: a study",
        "license": "cc-by-4.0",
        "task_categories": ["multiple-choice"],
        "size_categories": ["n<1K"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": "test", "path": "data/test.parquet"}],
            }
        ],
    }


def test_an_unknown_licence_is_named() -> None:
    front = front_matter(card(header=Header("kitchen", licence='"ask: the cook"')))
    assert (front["license"], front["license_name"]) == ("other", '"ask: the cook"')


@pytest.mark.parametrize(
    "licence, expected",
    [
        ("CC BY 4.0", "cc-by-4.0"),
        ("CC-BY-SA 3.0", "cc-by-sa-3.0"),
        ("Apache-2.0", "apache-2.0"),
        ("Apache License, Version 2.0", "apache-2.0"),
        ("MIT", "mit"),
        ("the MIT licence", "mit"),
        ("CC0", "cc0-1.0"),
        ("CC BY", "other"),
        ("", "unknown"),
    ],
)
def test_licences_get_the_names_that_hugging_face_knows(licence: str, expected: str) -> None:
    assert licence_id(licence) == expected


@pytest.mark.parametrize(
    "rows, expected", [(0, "n<1K"), (9_999, "1K<n<10K"), (10_000, "10K<n<100K"), (10**8, "n>10M")]
)
def test_sizes_get_the_names_that_hugging_face_knows(rows: int, expected: str) -> None:
    assert size_category(rows) == expected


def test_the_prose_tells_provenance_kinds_and_columns() -> None:
    source = Source("kitchen.schemas", "5e" * 32, 123, "notation", "1")
    text = card(*EVERYTHING, sources=(source,))
    assert f"- `kitchen.schemas`, SHA-256 `{'5e' * 32}`, read by notation 1\n" in text
    assert "| substitution schema | 2 |\n" in text and "| loose pair | 1 |\n" in text
    assert "- author: Ida Elm\n- licence: CC BY 4.0\n- problems: 9, solved by answer\n" in text
    assert "| `option1` | " in text and "`option3`" not in text
    assert "| `x-by` | a field of the author's own |" in text


def test_the_prose_says_less_where_less_is_known() -> None:
    text = card(entry("lorry"), header=Header("roads", note="so far"))
    assert "# roads\n\nso far\n\n- name: roads\n- licence: not stated\n- problems: 2" in text


def test_the_prose_tells_of_the_wrapper() -> None:
    wrapper = parse_wrapper("It is |true, false| that …")
    dyads = wrapped(dataset_of(entry("lorry")), wrapper, Exported())
    text = card(*dyads, wrapper=wrapper, mode=Mode.BY_BOOLEAN)
    assert "- problems: 4, solved by boolean\n- wrapper: `It is |true, false| that …`\n" in text
    assert "| dyad of a substitution schema | 1 |" in text


@pytest.mark.skipif(not PYTHON, reason="HORSESENSE_PEERS names no Python with datasets")
def test_hugging_faces_own_library_loads_the_folder(tmp_path: Path) -> None:
    write(tmp_path / "kitchen", files_of("hf", dataset_of(*EVERYTHING)).items())
    program = (
        "import json, sys, datasets\n"
        "loaded = datasets.load_dataset(sys.argv[1], split='test')\n"
        "json.dump(loaded['sentences'][:], sys.stdout)\n"
    )
    done = subprocess.run(
        [PYTHON, "-c", program, str(tmp_path / "kitchen")],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    assert len(loaded) == 9 and loaded[0][0] == "A lorry can pass under a high bridge."
