"""Plug-ins of each kind, as another package would write them: one that works, one that fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NoReturn

from horsesense.datasets.exporters import Exported, FileExport, FolderExport
from horsesense.datasets.importers import FORMATS, Companions, SourceFile
from horsesense.datasets.recovery import Journal, RawEntry
from horsesense.models import (
    BaselineModel,
    Family,
    LoadOptions,
    Model,
    ModelInfo,
    ModelProvider,
    Observation,
    make_baseline,
)
from horsesense.reports import section
from horsesense.results import Results
from horsesense.results.logs import LOG_FORMATS
from horsesense.schema import Dataset, Problem
from horsesense.scoring import Method, Result, find_method

TABLE = FORMATS["table-csv"]


def _is_owls(file: SourceFile) -> bool:
    return file.name.endswith(".owls")


def _broken_groups(file: SourceFile, journal: Journal, others: Companions) -> Iterator[RawEntry]:
    yield from TABLE.read(file, journal, others)
    raise KeyError("owl")


IMPORTER = replace(TABLE, name="owls", title="owls", looks_like=_is_owls)
BROKEN_IMPORTER = replace(IMPORTER, read=_broken_groups)


def _loudly(dataset: Dataset, report: Exported) -> Iterator[str]:
    yield from (f"{entry.id.upper()}!\n" for entry in dataset)


def _never(dataset: Dataset, report: Exported) -> Iterator[tuple[str, bytes]]:
    yield "one.txt", b"owl"
    raise KeyError("owl")


EXPORTER = FileExport("loud", "the ids in capitals", ".txt", (), _loudly)
BROKEN_EXPORTER = FolderExport("never", "nothing", (), _never)

LOG = replace(LOG_FORMATS["table"], name="owls", title="owls", looks_like=_is_owls)


def _fail(*_: object) -> NoReturn:
    raise KeyError("owl")


BROKEN_LOG = replace(LOG, read=_fail)


def _second(observations: Sequence[Observation]) -> Result:
    return find_method("choice", Family.BASELINE).function(observations[::-1])


METHOD = Method("second", Family.BASELINE, "second", "the other's cost", _second)
BROKEN_METHOD = replace(METHOD, function=_fail)


def _load(name: str, options: LoadOptions) -> Model | None:
    return make_baseline("first") if name == "owl:first" else None


def _wrap(model: object, tokenizer: object) -> Model | None:
    return make_baseline("longer") if model == 17 else None


PROVIDER = ModelProvider("owls", "models of owls", _load, wrap=_wrap)
BROKEN_PROVIDER = ModelProvider("owls", "models of owls", _fail)


def _last(problem: Problem) -> tuple[float, ...]:
    return tuple(-float(number) for number in range(len(problem.options)))


SOLVER = BaselineModel(ModelInfo("owls", Family.BASELINE, architecture="last"), _last)
BROKEN_SOLVER = replace(SOLVER, rule=_fail)


@section("owls", title="Owls")
def SECTION(results: Results) -> Iterator[str]:
    """Count the problems."""
    yield f"Owls looked at {len(results.problems)} problems."
