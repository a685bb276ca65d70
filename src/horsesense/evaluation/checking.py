"""Check a run of another program: read its log, and measure what it says about twins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from time import monotonic

from horsesense.datasets.files import STDIN, read_bytes
from horsesense.datasets.importers import SourceFile
from horsesense.errors import UnknownNameError
from horsesense.evaluation.protocol.recording import make_record, now
from horsesense.metrics import Ties
from horsesense.results import (
    BY_ANSWER,
    NO_PERTURBATION,
    ORIGINAL,
    DatasetSubject,
    ModelSubject,
    Plan,
    ProblemRow,
    Record,
    ResultKey,
    Results,
    Skipped,
    Variant,
)
from horsesense.results.logs import (
    Logged,
    logs_in,
    of_one_task,
    read_log,
    read_log_file,
    statement_of,
)
from horsesense.results.measuring import Answers, conclude, measuring_steps

_UNNAMED = "the model"


def check(
    log: str | PathLike[str],
    *,
    task: str | None = None,
    method: str | None = None,
    group_by: str = "",
    consecutive: bool = False,
    resamples: int = 10_000,
    seed: int = 0,
    ties: str = "failed",
) -> Results:
    """Read a log of another program, and return the same kind of results as for a run.

    The log is a file, or the folder of one run, of lm-evaluation-harness, lighteval, inspect,
    `horsesense score --output`, or a table with the columns `schema` and `solved`; `-` is standard
    input. `task` is needed if the log has several tasks. `method` is the metric of that program
    that the verdict is about; by default the first one in the log. `group_by` names a field whose
    equal values make a schema, and `consecutive` pairs documents in their order, if the program
    cannot tell which problems are twins.

    >>> results = check("samples_winogrande.jsonl")  # doctest: +SKIP
    >>> results.verdict  # doctest: +SKIP
    """
    path, started_at, start = fspath(log), now(), monotonic()
    files = _read_files(path)
    logged = _read(path, files, group_by, consecutive)
    answers = _with_answers(of_one_task(logged, path, task))
    chosen = _method(answers, path, method)
    plan = Plan(
        models=(answers[0].model or _UNNAMED,),
        data=(answers[0].task,),
        perturbations=(NO_PERTURBATION,),
        resamples=resamples,
        seed=seed,
        ties=ties,
    )
    settings = [path, task, chosen, group_by, consecutive, resamples, seed, ties]
    key = hashlib.sha256(json.dumps(settings).encode() + b"".join(files)).hexdigest()

    def record() -> Record:
        return make_record(
            plan,
            key,
            started_at,
            seconds=monotonic() - start,
            queries=0,
            asked=0,
            made_of=(),
            in_memory=(f"the log {path}",),
        )

    return _measured(answers, chosen, plan, record)


def _read_files(path: str) -> list[bytes]:
    """Return the bytes of the log, or of each log in the folder."""
    if path != STDIN and Path(path).is_dir():
        return [read_bytes(str(file)) for file in logs_in(Path(path))]
    return [read_bytes(path)]


def _read(
    path: str, files: Sequence[bytes], group_by: str, consecutive: bool
) -> tuple[Logged, ...]:
    if path != STDIN and Path(path).is_dir():
        return read_log(Path(path), group_by=group_by, consecutive=consecutive)
    name = "<stdin>" if path == STDIN else path
    file = SourceFile(name, files[0])
    return read_log_file(file, group_by=group_by, consecutive=consecutive)


def _with_answers(logged: Sequence[Logged]) -> tuple[Logged, ...]:
    """Drop methods without answers, unless none has any."""
    return tuple(each for each in logged if each.answer_set.answers) or tuple(logged)


def _method(logged: Sequence[Logged], path: str, method: str | None) -> str:
    """Return the method that the verdict is about."""
    methods = [each.method for each in logged]
    if method is not None and method not in methods:
        raise UnknownNameError(f"method in {path}", method, methods)
    return method or methods[0]


def _measured(
    logged: Sequence[Logged], method: str, plan: Plan, record: Callable[[], Record]
) -> Results:
    """Measure the answers as if the program had evaluated the model itself."""
    (name,), (dataset,) = plan.models, plan.data
    first = logged[0]
    entries = {answer.entry for each in logged for answer in each.answer_set.answers}
    problems = _problems(logged, dataset)
    model = ModelSubject(
        name=name,
        family="logged",
        architecture="",
        parameters=0,
        dtype="",
        device="",
        fingerprint="",
        is_baseline=False,
        methods=tuple(each.method for each in logged),
        standard=((dataset, method),),
    )
    subject = DatasetSubject(
        name=dataset,
        version=0,
        id="",
        title=dataset,
        licence="",
        is_winograd=False,
        entries=len(entries),
        problems=len(problems),
        schemas=max(len(each.answer_set.schemas) for each in logged),
        tags=tuple(sorted(first.answer_set.marks)),
    )
    original = Variant(
        dataset=dataset,
        name=ORIGINAL,
        mode=first.mode or BY_ANSWER,
        entries=len(entries),
        problems=len(problems),
    )
    answers = Answers(
        answer_sets={
            ResultKey(name, dataset, method=each.method): each.answer_set for each in logged
        },
        models=[model],
        datasets=[subject],
        variants=[original],
        ties=Ties(plan.ties),
        resamples=plan.resamples,
        seed=plan.seed,
    )
    measured = conclude(answers, [row for step in measuring_steps(answers) for row in step])
    return Results(
        record=record(),
        models=(model,),
        datasets=(subject,),
        variants=(original,),
        estimates=measured.estimates,
        options=measured.options,
        problems=problems,
        answer_sets=answers.answer_sets,
        skipped=(*_remarks(logged), *measured.skipped),
    )


def _problems(logged: Sequence[Logged], dataset: str) -> tuple[ProblemRow, ...]:
    """Return the problems as far as the log has them, each once."""
    rows: dict[tuple[str, int], ProblemRow] = {}
    for each in logged:
        for answer, document in zip(each.answer_set.answers, each.documents, strict=True):
            rows.setdefault(
                answer.problem,
                ProblemRow(
                    dataset,
                    ORIGINAL,
                    answer.entry,
                    answer.number,
                    statement_of(document),
                    tuple(answer.options),
                    answer.outcome.right,
                    document.sentences,
                ),
            )
    return tuple(rows.values())


def _remarks(logged: Sequence[Logged]) -> Iterator[Skipped]:
    """Return what is odd about the log, each remark once."""
    remarks = dict.fromkeys(remark for each in logged for remark in each.answer_set.remarks)
    for remark in remarks:
        yield Skipped(logged[0].task, remark)
