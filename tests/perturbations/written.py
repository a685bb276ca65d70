"""Entries from the notation, and transformations applied to them, for the tests."""

from io import BytesIO

from horsesense.perturbations import Perturbed, SkippedEntry, Transformation, perturb_entry
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import SchemaFile, print_grid


def entry(text: str, **fields: str) -> Entry:
    """One entry of a schema file; `_` in the name of a field is a hyphen."""
    lines = [text, *(f"    {name.replace('_', '-')}: {value}" for name, value in fields.items())]
    (one,) = SchemaFile(BytesIO(("\n".join(lines) + "\n").encode()), "test", "test")
    return one


def applied(transformation: Transformation, one: Entry, **values: str) -> str:
    """The notation of what comes out, or in brackets the reason why nothing does."""
    done = result(transformation, one, **values)
    return f"({done.reason})" if isinstance(done, SkippedEntry) else print_grid(done.entry.grid)


def result(transformation: Transformation, one: Entry, **values: str) -> Perturbed | SkippedEntry:
    return perturb_entry(one, transformation, transformation.settings(values))


def sensible(grid: Grid) -> list[str]:
    """The sentences that make sense."""
    return [grid.sentence(cell).text for cell in grid.cells if grid.is_sensible(cell)]
