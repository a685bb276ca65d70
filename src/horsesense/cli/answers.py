"""Answers given on the command line: a log, and which of its runs is meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from horsesense.cli.output import note, working
from horsesense.datasets.importers import SourceFile
from horsesense.datasets.opening import STDIN, read_bytes
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.results.logs import Logged, read_log, read_log_file
from horsesense.schema import Mode


@dataclass(frozen=True, slots=True)
class Source:
    """What is meant of a log, and how its documents make schemas."""

    task: str | None
    group_by: str | None
    consecutive: bool

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Source:
        """Take these out of a command's options."""
        return cls(options.pop("task"), options.pop("group_by"), options.pop("consecutive"))


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a `Source`."""
    for option in (
        click.option(
            "--consecutive", is_flag=True, help="Take a log's documents two by two for schemas."
        ),
        click.option(
            "--group-by",
            metavar="FIELD",
            help="The field of a log's documents that the problems of a schema have in common.",
        ),
        click.option("--task", help="Of a log of several tasks, this one."),
    ):
        command = option(command)
    return command


def read_answers(path: str, source: Source) -> tuple[Logged, ...]:
    """What a log, or a folder of logs, holds of one task; one for each method."""
    how: Any = {"group_by": source.group_by or "", "consecutive": source.consecutive}
    with working(f"reading {path}"):
        if path == STDIN:
            found = read_log_file(SourceFile("<stdin>", read_bytes(path)), **how)
        else:
            found = read_log(Path(path), **how)
    tasks = list(dict.fromkeys(one.task for one in found))
    if source.task is not None and source.task not in tasks:
        raise UnknownNameError(f"task in {path}", source.task, tasks)
    if source.task is None and len(tasks) > 1:
        raise HorsesenseError(f"{path} holds several tasks; --task names one: {', '.join(tasks)}")
    chosen = tuple(one for one in found if one.task == (source.task or tasks[0]))
    return _answered(chosen, path) or chosen


def _answered(answers: Sequence[Logged], path: str) -> tuple[Logged, ...]:
    """Those that hold any answers: without BOS, a model has none by full scoring."""
    empty = [one for one in answers if not one.sheet.answers]
    if empty and len(empty) < len(answers):
        for told in told_of(empty):
            note(f"{path}: nothing by {told}")
    return tuple(one for one in answers if one.sheet.answers)


def by_method(answers: Sequence[Logged], method: str | None, path: str) -> Logged:
    """The answers by that method, or the only ones there are."""
    methods = {one.method: one for one in answers}
    if method is not None:
        if method not in methods:
            raise UnknownNameError(f"method in {path}", method, methods)
        return methods[method]
    if len(methods) > 1:
        listed = ", ".join(methods)
        raise HorsesenseError(f"{path}: answers by several methods; --method names one: {listed}")
    return answers[0]


def described(answers: Logged) -> str:
    """Whose answers they are, and to what."""
    model = answers.model or "an unnamed model"
    mode = f", {answers.mode}" if answers.mode not in ("", Mode.BY_ANSWER) else ""
    return f"{model} on {answers.task}{mode}"


def told_of(answers: Iterable[Logged]) -> tuple[str, ...]:
    """What is to be known of the answers, the same thing once."""
    methods: dict[str, list[str]] = {}
    for one in answers:
        for remark in one.sheet.remarks:
            methods.setdefault(remark, []).append(one.method)
    return tuple(f"{', '.join(dict.fromkeys(by))}: {told}" for told, by in methods.items())
