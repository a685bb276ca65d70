"""Which files are read as schema files, and which as a format to import."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from horsesense.datasets.builtin import BUILT_IN
from horsesense.datasets.files import looks_published, read_dataset, source_file
from horsesense.datasets.importers import FORMATS, SourceFile, guess_format, is_published
from horsesense.errors import FileError, NotationErrors
from tests.datasets.importers.samples import SAMPLES
from tests.plugins import installed

SCHEMAS = b"---\nname: owls\n---\n{owls, mice} <do, do not> hunt {mice, owls}\n"


@pytest.fixture
def no_format_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: SourceFile) -> bool:
        raise AssertionError(f"{file.name} was compared with the formats to import")

    monkeypatch.setattr("horsesense.datasets.files.is_published", refuse)


@pytest.mark.usefixtures("no_format_is_tried")
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_dataset_goes_straight_to_the_notation(name: str) -> None:
    assert read_dataset(name).name == name


@pytest.mark.usefixtures("no_format_is_tried")
@pytest.mark.parametrize("name", ["owls.schemas", "OWLS.SCHEMAS"])
def test_so_does_a_schemas_file_with_front_matter(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(SCHEMAS)
    assert read_dataset(str(tmp_path / name)).name == "owls"


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_short_way_says_what_the_formats_would_say(name: str) -> None:
    file = source_file(name)
    assert not looks_published(file)
    assert not is_published(file)


@pytest.mark.parametrize("format_name", SAMPLES)
def test_a_schemas_file_in_another_format_is_still_recognised(format_name: str) -> None:
    sample = SAMPLES[format_name]
    file = SourceFile("own.schemas", sample.encode() if isinstance(sample, str) else sample)
    assert looks_published(file)
    assert guess_format(file).name == format_name


@pytest.mark.parametrize(
    "data", [b"", b"---", b"---\r\nname: owls\r\n---\r\n", b"<owls*, mice> hunt.\n", b"hoot"]
)
def test_a_schemas_file_without_front_matter_is_compared_with_the_formats(data: bytes) -> None:
    file = SourceFile("own.schemas", data)
    assert not looks_published(file)
    assert not is_published(file)


def test_a_file_called_as_a_built_in_dataset_is_read_as_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(BUILT_IN[0]).write_bytes(b"text,option 1,option 2,answer\nthe _ hoots,owl,vole,1\n")
    assert looks_published(source_file(BUILT_IN[0]))


def test_front_matter_in_a_file_to_import_is_no_schema_file(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes(SCHEMAS)
    with pytest.raises(FileError, match="no known format"):
        read_dataset(str(path))


def test_an_unreadable_schemas_file_gives_the_errors_of_the_notation(tmp_path: Path) -> None:
    path = tmp_path / "own.schemas"
    path.write_bytes(b"---\nname: owls\n---\n{owls, mice} hunt\n")
    with pytest.raises(NotationErrors):
        read_dataset(str(path))


def test_a_plug_in_may_claim_a_schemas_file(tmp_path: Path) -> None:
    file = SourceFile("own.schemas", SCHEMAS)
    assert not looks_published(file)
    with installed(tmp_path, FORMATS, f"owls = {__name__}:CLAIMING"):
        assert looks_published(file)


CLAIMING = replace(FORMATS["table-csv"], name="owls", looks_like=lambda file: True)
