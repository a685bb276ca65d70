"""What is made at a glance of published files is what would be made of them with care."""

from itertools import islice

import pytest

from horsesense.datasets.importers import Format, SourceFile, guess_format
from horsesense.datasets.importers.formats import blimp, winogrande
from horsesense.datasets.importers.reading import open_import
from horsesense.datasets.recovery import building, modes, recover
from horsesense.errors import HorsesenseError
from horsesense.schema import Entry, Header, Issue
from tests.datasets.importers.imported import imported, published_files

ROWS = """\
{"qID": "a-1", "sentence": "The owl saw the vole, so _ fled.", "option1": "owl", "option2": "vole", "answer": "1"}
{"qID": "a-2", "sentence": "The owl saw the vole, so _ hid.", "option1": "owl", "option2": "vole", "answer": "2"}
{"qID": "b-1", "sentence": "the owl saw the vole, so _ fled.", "option1": "owl", "option2": "elk", "answer": "1"}
"""  # noqa: E501
# So many entries of each file show all that there is in it, and do not take long.
ENOUGH = 200
PAIR = '{"sentence_good": "Owls hide.", "sentence_bad": "Owls hides.", "UID": "a", "pairID": "0"}'


def without_plain_ways(patch: pytest.MonkeyPatch) -> None:
    """Leave everything to care."""
    for module, name in (
        (building, "plain_row"),
        (building, "plain_square"),
        (modes, "plain_by_key"),
        (recover, "plain_difference"),
    ):
        patch.setattr(module, name, lambda *_: None)


def read(file: SourceFile) -> tuple[list[Entry], list[Issue]]:
    """The first entries of a file, and the issues met with up to there."""
    reading = open_import(file, Header("x"), keep_going=True)
    return list(islice(reading, ENOUGH)), reading.issues()


@pytest.mark.parametrize("form, data", [(winogrande.FORMAT, ROWS), (blimp.FORMAT, PAIR)])
def test_rows_are_read_alike_in_either_way(
    form: Format, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_a_glance = imported(form, data)
    without_plain_ways(monkeypatch)
    assert imported(form, data) == at_a_glance


def test_published_files_are_read_alike_in_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in published_files():
        file = SourceFile(path.name, path.read_bytes())
        try:
            guess_format(file)
        except HorsesenseError:
            continue
        at_a_glance = read(file)
        with monkeypatch.context() as patch:
            without_plain_ways(patch)
            assert read(file) == at_a_glance, path.name
