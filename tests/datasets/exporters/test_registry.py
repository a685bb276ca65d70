import subprocess
import sys

import pytest

from horsesense.datasets.exporters import EXPORTS, Exported, FileExport, FolderExport, find_export
from horsesense.errors import UnknownNameError
from horsesense.schema import Header, Mode
from horsesense.schema.notation import print_file
from tests.datasets.exporters.folders import LADLE, LORRY, dataset_of, entry, text_of


def test_every_format_is_found_by_its_name() -> None:
    assert [find_export(name).name for name in EXPORTS] == list(EXPORTS)


def test_an_unknown_format_offers_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean winogrande"):
        find_export("winogrand")


def test_files_have_a_suffix_and_folders_have_none() -> None:
    folders = [one.name for one in EXPORTS.values() if isinstance(one, FolderExport)]
    assert folders == ["hf", "lm-eval"]
    files = [one for one in EXPORTS.values() if isinstance(one, FileExport)]
    assert all(one.suffix.startswith(".") for one in files)


def test_only_the_notation_has_no_modes() -> None:
    assert {one.name: one.modes for one in EXPORTS.values()} == {
        name: () if name == "notation" else tuple(Mode) for name in EXPORTS
    }


def test_the_notation_holds_everything() -> None:
    header, report = Header("kitchen", licence="CC0"), Exported()
    entries = (entry("ladle", LADLE, note="long"), entry("lorry", LORRY))
    text = text_of("notation", dataset_of(*entries, header=header), report)
    assert text == "".join(print_file(header, entries))
    assert (report.entries, report.left_out) == (2, {})


def test_nobody_pays_for_pyarrow_before_it_is_needed() -> None:
    program = "import sys, horsesense.datasets.exporters; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
