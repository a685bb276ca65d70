"""`horsesense doctor`: whether a model's numbers can be believed, before they are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from horsesense.cli.asked_model import GIB, chosen_model, model_options
from horsesense.cli.output import counted, json_option, note, show_json
from horsesense.errors import ModelError
from horsesense.evaluation.inference import FOREIGN, Finding, Health, examine
from horsesense.models import Model

_MARKS = {
    Health.OK: ("✓", "green"),
    Health.WARNING: ("!", "yellow"),
    Health.FAILURE: ("✗", "red"),
}
_CHECK_WIDTH = 18


@click.command("doctor")
@click.argument("name", metavar="MODEL")
@model_options
@json_option
@click.pass_context
def doctor_command(
    ctx: click.Context, /, name: str, memory: float, as_json: bool, **options: Any
) -> None:
    """Examine MODEL before a run, and say in plain words what was found.

    It reads texts on which tokenizers go wrong, asks for sentences whose order is known, asks
    the same in batches and one by one, and tells what a run takes in memory and time. Exits
    with 1 if anything failed, and with 6 if a library could not load or ask the model.

    Example:

    \\b
        horsesense doctor longer
    """
    model = chosen_model(name, memory=memory, **options)
    findings: list[Finding] = []
    for finding in examine(model, budget=int(memory * GIB), installed=_installed()):
        findings.append(finding)
        if not as_json:
            _show(finding)
    if as_json:
        show_json(_json(model, findings))
    else:
        _conclude(model, findings)
    if any(finding.check == FOREIGN for finding in findings):
        ctx.exit(ModelError.exit_code)
    if _count(findings, Health.FAILURE):
        ctx.exit(1)


def _show(finding: Finding) -> None:
    mark, colour = _MARKS[finding.verdict]
    first, *rest = finding.text.splitlines()
    click.echo(f"{click.style(mark, colour, bold=True)} {finding.check:{_CHECK_WIDTH}}{first}")
    for line in (*rest, finding.remedy):
        if line:
            click.echo(f"{'':{_CHECK_WIDTH + 2}}{line.strip()}")


def _conclude(model: Model, findings: Sequence[Finding]) -> None:
    failures, warnings = _count(findings, Health.FAILURE), _count(findings, Health.WARNING)
    told = f"{counted(failures, 'failure')}, {counted(warnings, 'warning')}"
    verdict = "its numbers cannot be believed" if failures else "can be used"
    note(f"{model.info.name}: {verdict} ({told})")


def _count(findings: Sequence[Finding], verdict: Health) -> int:
    return sum(finding.verdict is verdict for finding in findings)


def _json(model: Model, findings: Sequence[Finding]) -> dict[str, Any]:
    declared = model.info
    return {
        "model": declared.name,
        "family": declared.family,
        "fingerprint": declared.fingerprint,
        "failures": _count(findings, Health.FAILURE),
        "warnings": _count(findings, Health.WARNING),
        "findings": [asdict(finding) for finding in findings],
    }


def _installed() -> int | None:
    """The memory of this machine, where it tells."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
