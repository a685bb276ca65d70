"""The chapter of docs/perturbations.md that tells of every transformation; cog runs it."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.perturbations import TRANSFORMATIONS, Perturbed, Transformation, perturb_entry
from horsesense.perturbations.transformation import example_of
from horsesense.schema import Grid, Mode, problems


def chapter() -> str:
    """All transformations, each with its declaration and its example before and after."""
    return "\n".join(line for one in TRANSFORMATIONS.values() for line in _section(one))


def _section(one: Transformation) -> Iterator[str]:
    touches = ", ".join(sorted(one.touches)) or "nothing"
    yield from ("", f"### `{one.name}`: {one.title}", "")
    yield f"*{one.purpose.capitalize()} · level: {one.level} · touches: {touches}* · {one.source}"
    yield from ("", f"**Tests** {one.tests}.", "")
    yield f"**Needs** {one.precondition}. **Not for** {one.not_for}."
    yield from ("", f"**Right afterwards** is {one.right}.")
    for parameter in one.parameters:
        choices = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
        yield ""
        yield f"`{parameter.name}`{choices}: {parameter.about}. Default: `{parameter.default}`"
    yield from ("", "```text", *_example(one), "```")


def _example(one: Transformation) -> Iterator[str]:
    before = example_of(one)
    done = perturb_entry(before, one, one.settings())
    assert isinstance(done, Perturbed), done
    yield from one.example.rstrip("\n").split("\n")
    if one.mode is Mode.BY_ANSWER:
        yield from (f"- {text}" for text in _shown(before.grid, one))
    yield from (f"+ {text}" for text in _shown(done.entry.grid, one))


def _shown(grid: Grid, one: Transformation) -> list[str]:
    """The sentences that make sense or, where nobody says which do, all of them."""
    if one.mode is not Mode.BY_ANSWER:
        return [problem.statement.text for problem in problems(grid, one.mode)]
    cells = [cell for cell in grid.cells if grid.is_sensible(cell) is not False]
    return [grid.sentence(cell).text for cell in cells]
