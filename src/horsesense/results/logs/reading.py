"""Reading logs: which files of a folder are logs, in which format, and what they hold.

A folder is searched as deep as the programs write, counted from the folder they were given:
lm-evaluation-harness has a folder for each model, lighteval has `details/ORGANIZATION/MODEL/DATE`,
inspect has none. A file that is not a log gets an error that says what to give instead.

Another package adds a format by an entry point of the group `horsesense.logs`, whose value is a
`LogFormat`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError, MetricError
from horsesense.registry import Registry, blame
from horsesense.results.logs import inspect_ai, lighteval, lm_eval, own_scores, plain
from horsesense.results.logs.document import (
    Arrangement,
    Logged,
    LoggedMethod,
    Task,
    counted,
    heading,
    is_table,
    mended,
    some,
    unpacked,
)
from horsesense.results.logs.pairing import arranged, check_distinct
from horsesense.results.logs.plain import lacking_columns
from horsesense.scoring import Answer, AnswerSet

# How many folders lie between.
_DEPTHS = {
    "samples_*.jsonl": 1,
    "samples_*.jsonl.gz": 1,
    "details_*.parquet": 4,
    "*.eval": 1,
}
_OURS = "*.jsonl"
_FIRST_BYTES = 20_000
# Totals, by what stands first in them.
_TOTALS = {
    re.compile(r'\s*\{\s*"results"\s*:\s*\{'): (
        "the totals of lm-evaluation-harness; give samples_*.jsonl, which --log_samples writes"
    ),
    re.compile(r'\s*\{\s*"config_general"\s*:'): (
        "the totals of lighteval; give details_*.parquet, which --save-details writes"
    ),
}
_MEANINGS = {
    "schema": "two problems with the same one are twins; a problem without twins has an empty cell",
    "solved": "it is 1 or 0, true or false, or empty for undecided",
}


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A program that writes logs, how its files look, and what reads them."""

    name: str
    title: str
    looks_like: Callable[[SourceFile], bool]
    read: Callable[[SourceFile], list[Task]]


# Anybody's table may look like much else.
_TABLE = LogFormat("table", "a table of what was solved", plain.looks_like, plain.read)


def _blaming(format_: LogFormat, source: str) -> LogFormat:
    def failing(file: SourceFile) -> str:
        return f"the log format {format_.name!r} of {source} fails on {file.name}"

    return replace(
        format_,
        looks_like=blame(format_.looks_like, failing),
        read=blame(format_.read, failing),
    )


LOG_FORMATS: Registry[LogFormat] = Registry(
    "log format", "horsesense.logs", LogFormat, wrap=_blaming
)
LOG_FORMATS.add(
    LogFormat("lm-eval", "lm-evaluation-harness", lm_eval.looks_like, lm_eval.read),
    LogFormat("lighteval", "lighteval", lighteval.looks_like, lighteval.read),
    LogFormat("inspect", "inspect", inspect_ai.looks_like, inspect_ai.read),
    LogFormat("horsesense", "horsesense score", own_scores.looks_like, own_scores.read),
    _TABLE,
)


def _formats_to_try() -> list[LogFormat]:
    """All formats in the order in which a file is held against them: a table comes last."""
    return [one for one in LOG_FORMATS.values() if one is not _TABLE] + [_TABLE]


def read_log(path: Path, *, group_by: str = "", consecutive: bool = False) -> tuple[Logged, ...]:
    """An answer set for every task and metric in a log file, or in all of those in a folder.

    `group_by` names a field of the documents whose equal values make a schema; `consecutive`
    pairs them in their order. A folder holds the logs of one run of one model.
    """
    files = logs_in(path) if path.is_dir() else [path]
    found: list[tuple[Path, Logged]] = []
    for file in files:
        source = SourceFile(str(file), bytes_of(file))
        logged = read_log_file(source, group_by=group_by, consecutive=consecutive)
        found += [(file, _of_model(one, file)) for one in logged]
    _check_one_run(path, found)
    return tuple(one for _, one in found)


def read_log_file(
    file: SourceFile, *, group_by: str = "", consecutive: bool = False
) -> tuple[Logged, ...]:
    """An answer set for every task and metric in the bytes of a log.

    >>> table = SourceFile("owls.csv", b"schema,solved\\nowl,1\\nowl,0\\n")
    >>> [one.answer_set.schemas for one in read_log_file(table)]
    [((0, 1),)]
    """
    file, remarks = _without_halves(unpacked(file))
    format_ = next((one for one in _formats_to_try() if one.looks_like(file)), None)
    if format_ is None:
        titles = ", ".join(one.title for one in LOG_FORMATS.values())
        why = why_unknown(file) or f"this looks like no log of {titles}"
        raise FileError("\n  ".join((f"{file.name}: {why}", *LOG_FORMATS.failures)))
    tasks = [
        replace(task, remarks=(*remarks, *task.remarks)) if remarks else task
        for task in format_.read(file)
    ]
    for task in tasks:
        if not any(method.outcomes for method in task.methods):
            reasons = dict.fromkeys(remark for method in task.methods for remark in method.remarks)
            why = "; ".join(("nothing in it says what was solved", *task.remarks, *reasons))
            raise FileError(f"{file.name}: {why}")
    return tuple(
        one for task in tasks for one in _logged(task, _arrangement(task, group_by, consecutive))
    )


def _without_halves(file: SourceFile) -> tuple[SourceFile, tuple[str, ...]]:
    """The file without broken characters, where it is JSON, and what was done to it."""
    if not file.head.lstrip().startswith(("{", "[")):
        return file, ()
    data, remarks = mended(file.data)
    return (SourceFile(file.name, data), remarks) if remarks else (file, ())


def _arrangement(task: Task, group_by: str, consecutive: bool) -> Arrangement:
    if task.arrangement is not None and not group_by and not consecutive:
        return task.arrangement
    return arranged(task.documents, group_by=group_by, consecutive=consecutive)


def _logged(task: Task, arrangement: Arrangement) -> Iterator[Logged]:
    check_distinct(zip(task.documents, arrangement.problems, strict=True))
    for method in task.methods:
        answers: list[Answer] = []
        places: dict[int, int] = {}
        for at, outcome in sorted(method.outcomes.items()):
            problem = arrangement.problems[at]
            options = task.documents[at].options
            places[at] = len(answers)
            answers.append(Answer(problem.entry, problem.number, outcome, options, problem.tags))
        pairs = [pair for pair in arrangement.schemas if places.keys() >= set(pair)]
        answer_set = AnswerSet(
            f"{task.name} {method.name}",
            tuple(answers),
            tuple((places[first], places[second]) for first, second in pairs),
            (*arrangement.remarks, *task.remarks, *method.remarks, *_lacking(task, method)),
            arrangement.marks,
        )
        yield Logged(task.name, method.name, task.model, answer_set, task.mode)


def _lacking(task: Task, method: LoggedMethod) -> list[str]:
    lacking = len(task.documents) - len(method.outcomes) - method.explained
    return [f"{counted(lacking, 'document')} without an outcome"] if lacking else []


def _of_model(logged: Logged, path: Path) -> Logged:
    """With the model that the folder is named after, where the log does not name it."""
    if logged.model or not path.name.startswith(("samples_", "details_")):
        return logged
    folder = path.parent if path.name.startswith("samples_") else path.parent.parent
    return replace(logged, model=folder.name)


def _check_one_run(path: Path, found: list[tuple[Path, Logged]]) -> None:
    models = dict.fromkeys(one.model for _, one in found)
    if len(models) > 1:
        raise MetricError(
            f"{path}: logs of {len(models)} models, {', '.join(models)}; give one at a time"
        )
    seen: dict[tuple[str, str], Path] = {}
    for file, one in found:
        before = seen.setdefault((one.task, one.method), file)
        if before != file:
            raise MetricError(
                f"{path}: {one.task} was run twice, {before.name} and {file.name}; "
                "give one at a time"
            )


def logs_in(folder: Path) -> list[Path]:
    """The logs of a folder; there must be one."""
    found = {path for pattern, depth in _DEPTHS.items() for path in _files(folder, pattern, depth)}
    found |= {path for path in _files(folder, _OURS, 1) if _is_ours(path)}
    if not found:
        raise FileError(
            f"{folder}: no log in this folder: none of {', '.join(_DEPTHS)}, and no {_OURS} of "
            "`horsesense score --output`; any other file is to be named itself"
        )
    return sorted(found)


def bytes_of(path: Path, most: int = -1) -> bytes:
    """The content of the file, or the first bytes of it."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error


def _files(folder: Path, pattern: str, depth: int) -> Iterator[Path]:
    """The files of this kind in a folder and in those below, so deep and no deeper."""
    for between in range(depth + 1):
        yield from (path for path in folder.glob("*/" * between + pattern) if path.is_file())


def _is_ours(path: Path) -> bool:
    return own_scores.looks_like(SourceFile(str(path), bytes_of(path, _FIRST_BYTES)))


def why_unknown(file: SourceFile) -> str | None:
    """Say why the file is not a log; None where nothing is known of it.

    >>> why_unknown(SourceFile("owls.csv", b""))
    'the file is empty'
    """
    if not file.data.strip():
        return "the file is empty"
    totals = (reason for start, reason in _TOTALS.items() if start.match(file.head))
    return next(totals, None) or _of_columns(file)


def _of_columns(file: SourceFile) -> str | None:
    is_json = file.head.lstrip().startswith("{")
    columns = _keys(file) if is_json else heading(file)
    lacking = lacking_columns(columns)
    # Many a text has commas in its first line.
    is_near = len(lacking) == 1 or (not is_json and len(columns) > 1 and is_table(file))
    if not is_near:
        return None
    listed = " and ".join(f"`{column}`" for column in lacking)
    meaning = "; ".join(f"{column}: {_MEANINGS[column]}" for column in lacking)
    noun = "column" if len(lacking) == 1 else "columns"
    return f"a table without the {noun} {listed} (there are: {some(columns, 24)}); {meaning}"


def _keys(file: SourceFile) -> list[str]:
    """The fields of the first line."""
    try:
        first = json.loads(file.head.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return []
    return list(first)
