"""Generate the reference of all transformations in docs/reference/perturbations.md; run by cog."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.perturbations import TRANSFORMATIONS, Perturbed, Transformation, perturb_entry
from horsesense.perturbations.transformation import example_of
from horsesense.schema import Grid, Mode, problems


def chapter() -> str:
    """Describe all transformations, each with an example before and after."""
    return "\n".join(line for each in TRANSFORMATIONS.values() for line in _section(each))


def _section(each: Transformation) -> Iterator[str]:
    touches = ", ".join(sorted(each.touches)) or "nothing"
    yield from ("", f"### `{each.name}`: {each.title}", "")
    purpose = each.purpose.capitalize()
    yield f"*{purpose} · level: {each.level} · touches: {touches}* · {each.source}"
    yield from ("", f"**Tests** {each.tests}.", "")
    yield f"**Needs** {each.precondition}. **Not for** {each.not_for}."
    yield from ("", f"**Right afterwards** is {each.right}.")
    for parameter in each.parameters:
        choices = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
        yield ""
        yield f"`{parameter.name}`{choices}: {parameter.about}. Default: `{parameter.default}`"
    yield from ("", "```text", *_example(each), "```")


def _example(each: Transformation) -> Iterator[str]:
    before = example_of(each)
    done = perturb_entry(before, each, each.settings())
    assert isinstance(done, Perturbed), done
    yield from each.example.rstrip("\n").split("\n")
    if each.mode is Mode.BY_ANSWER:
        yield from (f"- {text}" for text in _shown(before.grid, each))
    yield from (f"+ {text}" for text in _shown(done.entry.grid, each))


def _shown(grid: Grid, each: Transformation) -> list[str]:
    """Return the sentences that make sense or, if that is unknown, all of them."""
    if each.mode is not Mode.BY_ANSWER:
        return [problem.statement.text for problem in problems(grid, each.mode)]
    cells = [cell for cell in grid.cells if grid.is_sensible(cell) is not False]
    return [grid.sentence(cell).text for cell in cells]
