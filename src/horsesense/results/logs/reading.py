"""Read logs: find the log files of a folder, recognize their formats, and build answer sets.

Folders are searched as deep as the programs write below their output folder: lm-evaluation-harness
has a folder for each model, lighteval `details/ORGANIZATION/MODEL/DATE`, inspect none. The error
for a file that is not a log says what to give instead.

Another package adds a format by an entry point of the group `horsesense.logs`, whose value is a
`LogFormat`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError, HorsesenseError, MetricError, UnknownNameError
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
from horsesense.results.logs.plain import missing_columns
from horsesense.scoring import Answer, AnswerSet

# How deep the files of each pattern may be.
_DEPTHS = {
    "samples_*.jsonl": 1,
    "samples_*.jsonl.gz": 1,
    "details_*.parquet": 4,
    "*.eval": 1,
}
_OURS = "*.jsonl"
_FIRST_BYTES = 20_000
# Files with totals only, by their first bytes.
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
    """A format of logs: how to recognize its files, and how to read them."""

    name: str
    title: str
    looks_like: Callable[[SourceFile], bool]
    read: Callable[[SourceFile], list[Task]]


# Tried last, as a table may look like other formats.
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
    """List all formats in the order to try: a table comes last."""
    return [format_ for format_ in LOG_FORMATS.values() if format_ is not _TABLE] + [_TABLE]


def read_log(path: Path, *, group_by: str = "", consecutive: bool = False) -> tuple[Logged, ...]:
    """Read an answer set for every task and metric in a log file, or in all logs of a folder.

    `group_by` names a field whose equal values make a schema; `consecutive` pairs documents in
    their order. A folder must hold the logs of one run of one model.
    """
    files = logs_in(path) if path.is_dir() else [path]
    by_file: list[tuple[Path, Logged]] = []
    for file in files:
        source = SourceFile(str(file), bytes_of(file))
        answers = read_log_file(source, group_by=group_by, consecutive=consecutive)
        by_file += [(file, _of_model(logged, file)) for logged in answers]
    _check_one_run(path, by_file)
    return tuple(logged for _, logged in by_file)


def read_log_file(
    file: SourceFile, *, group_by: str = "", consecutive: bool = False
) -> tuple[Logged, ...]:
    """Read an answer set for every task and metric from the bytes of a log.

    >>> table = SourceFile("owls.csv", b"schema,solved\\nowl,1\\nowl,0\\n")
    >>> [logged.answer_set.schemas for logged in read_log_file(table)]
    [((0, 1),)]
    """
    file, remarks = _without_halves(unpacked(file))
    format_ = next((format_ for format_ in _formats_to_try() if format_.looks_like(file)), None)
    if format_ is None:
        titles = ", ".join(format_.title for format_ in LOG_FORMATS.values())
        reason = why_unknown(file) or f"this does not look like a log of {titles}"
        raise FileError("\n  ".join((f"{file.name}: {reason}", *LOG_FORMATS.failures)))
    tasks = [
        replace(task, remarks=(*remarks, *task.remarks)) if remarks else task
        for task in format_.read(file)
    ]
    for task in tasks:
        if not any(method.outcomes for method in task.methods):
            reasons = dict.fromkeys(remark for method in task.methods for remark in method.remarks)
            reason = "; ".join(("nothing in it says what was solved", *task.remarks, *reasons))
            raise FileError(f"{file.name}: {reason}")
    return tuple(
        logged
        for task in tasks
        for logged in _logged(task, _arrangement(task, group_by, consecutive))
    )


def _without_halves(file: SourceFile) -> tuple[SourceFile, tuple[str, ...]]:
    """Remove lone surrogates from JSON, and return a remark if there were any."""
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
        positions: dict[int, int] = {}
        for position, outcome in sorted(method.outcomes.items()):
            entry, number = arrangement.problems[position]
            options = task.documents[position].options
            tags = arrangement.tags.get(position, frozenset())
            positions[position] = len(answers)
            answers.append(Answer(entry, number, outcome, options, tags))
        pairs = [pair for pair in arrangement.schemas if positions.keys() >= set(pair)]
        answer_set = AnswerSet(
            f"{task.name} {method.name}",
            tuple(answers),
            tuple((positions[first], positions[second]) for first, second in pairs),
            (*arrangement.remarks, *task.remarks, *method.remarks, *_missing(task, method)),
            arrangement.marks,
        )
        documents = tuple(task.documents[position] for position in positions)
        yield Logged(task.name, method.name, task.model, answer_set, task.mode, documents)


def _missing(task: Task, method: LoggedMethod) -> list[str]:
    missing = len(task.documents) - len(method.outcomes) - method.explained
    return [f"{counted(missing, 'document')} without an outcome"] if missing else []


def of_one_task(logged: Sequence[Logged], path: str, task: str | None) -> tuple[Logged, ...]:
    """Return the answer sets of a task; without a name, of the only one."""
    tasks = list(dict.fromkeys(answers.task for answers in logged))
    if task is not None and task not in tasks:
        raise UnknownNameError(f"task in {path}", task, tasks)
    if task is None and len(tasks) > 1:
        names = ", ".join(tasks)
        raise HorsesenseError(f"{path} has several tasks; choose one with --task: {names}")
    return tuple(answers for answers in logged if answers.task == (task or tasks[0]))


def _of_model(logged: Logged, path: Path) -> Logged:
    """Take the model from the name of the folder if the log does not name it."""
    if logged.model or not path.name.startswith(("samples_", "details_")):
        return logged
    folder = path.parent if path.name.startswith("samples_") else path.parent.parent
    return replace(logged, model=folder.name)


def _check_one_run(path: Path, by_file: list[tuple[Path, Logged]]) -> None:
    models = dict.fromkeys(logged.model for _, logged in by_file)
    if len(models) > 1:
        raise MetricError(
            f"{path}: logs of {len(models)} models, {', '.join(models)}; give one at a time"
        )
    seen: dict[tuple[str, str], Path] = {}
    for file, logged in by_file:
        before = seen.setdefault((logged.task, logged.method), file)
        if before != file:
            raise MetricError(
                f"{path}: {logged.task} was run twice, {before.name} and {file.name}; "
                "give one at a time"
            )


def logs_in(folder: Path) -> list[Path]:
    """List the logs in a folder; raise an error if there are none."""
    logs = {path for pattern, depth in _DEPTHS.items() for path in _files(folder, pattern, depth)}
    logs |= {path for path in _files(folder, _OURS, 1) if _is_ours(path)}
    if not logs:
        raise FileError(
            f"{folder}: no log in this folder: none of {', '.join(_DEPTHS)}, and no {_OURS} of "
            "`horsesense score --output`; name any other file itself"
        )
    return sorted(logs)


def bytes_of(path: Path, most: int = -1) -> bytes:
    """Read a file, or its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error


def _files(folder: Path, pattern: str, depth: int) -> Iterator[Path]:
    """Find the files of a pattern in a folder, up to a depth."""
    for between in range(depth + 1):
        yield from (path for path in folder.glob("*/" * between + pattern) if path.is_file())


def _is_ours(path: Path) -> bool:
    return own_scores.looks_like(SourceFile(str(path), bytes_of(path, _FIRST_BYTES)))


def why_unknown(file: SourceFile) -> str | None:
    """Say why the file is not a log, or return None if unknown.

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
    missing = missing_columns(columns)
    # Plain text may have commas in its first line too.
    is_near = len(missing) == 1 or (not is_json and len(columns) > 1 and is_table(file))
    if not is_near:
        return None
    listed = " and ".join(f"`{column}`" for column in missing)
    meaning = "; ".join(f"{column}: {_MEANINGS[column]}" for column in missing)
    noun = "column" if len(missing) == 1 else "columns"
    return f"a table without the {noun} {listed} (there are: {some(columns, 24)}); {meaning}"


def _keys(file: SourceFile) -> list[str]:
    """Return the fields of the first line of JSON."""
    try:
        first = json.loads(file.head.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return []
    return list(first)
