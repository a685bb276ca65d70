"""Tables of the tests' own making in the form of the perturbed WSC."""

from horsesense.datasets.importers.formats.perturbed_wsc import FORMAT
from horsesense.schema import Entry
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import Imported, imported

HIGH = {
    "text_original": "The owl saw the vole because it was high .",
    "pron": "it",
    "pron_index": "6",
    "answer_a": "the owl",
    "answer_b": "the vole",
    "correct_answer": "A",
    "pair_number": "0",
    "associative": "0",
    "switchable": "1",
}
LOW = {
    **HIGH,
    "text_original": "The owl saw the vole because it was low .",
    "correct_answer": "B",
}


def table(*rows: dict[str, str]) -> str:
    """A table with these rows; a cell that is not given does not apply."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [columns, *([row.get(name, "-") for name in columns] for row in rows)]
    return "\n".join("\t".join(line) for line in lines) + "\n"


def read(*rows: dict[str, str], off: tuple[str, ...] = ()) -> Imported:
    """What becomes of a table with these rows."""
    return imported(FORMAT, table(*rows), switched_off=off)


def versions_of(entry: Entry) -> dict[str, str]:
    """The versions of an entry in notation."""
    return {name: print_grid(grid) for name, grid in entry.versions}
