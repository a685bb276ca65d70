"""What the program prints and writes, in the neutral words of the golden files.

Tests of golden numbers know the program by its command line only. Where a command, a column or a
field gets another name, it is changed here and nowhere else.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from horsesense.cli.main import cli
from tests.golden.tables import Table

csv.field_size_limit(sys.maxsize)

# Columns of the files that `report --format csv` writes, by their neutral names.
PLACE = ("model", "dataset", "variant", "subset", "method")
ESTIMATE_KEYS = (*PLACE, "metric", "kind", *(f"against_{name}" for name in PLACE))
NUMBERS = ("value", "low", "high", "count", "total", "n_problems", "n_schemas", "n_clusters")
TESTS = ("n_undecided", "before", "after", "p", "p_adjusted", "p_thesis", "undefined")
TODAY = {"p_thesis": "thesis_p", "schema_id": "entry"}
# What is kept of an answer, by its cell of `correct`; where that is empty, it is the reason.
VERDICTS = {"true": "solved", "false": "failed"}


def command(store: Path, *arguments: str, exit_codes: tuple[int, ...] = (0,)) -> str:
    """Run a command on a store, and give what it prints."""
    result = CliRunner().invoke(cli, ["--store", str(store), *arguments], catch_exceptions=False)
    assert result.exit_code in exit_codes, result.output
    return result.stdout


def printed(store: Path, *arguments: str, exit_codes: tuple[int, ...] = (0,)) -> Any:
    """Run a command on a store, and give the JSON that it prints."""
    return json.loads(command(store, *arguments, "--json", exit_codes=exit_codes))


def parsed(text: str) -> Any:
    """The JSON of a text, if there is any."""
    return json.loads(text) if text.strip() else None


def rows_of(folder: Path, file: str) -> Iterator[dict[str, str]]:
    """The rows of a CSV file of a report."""
    with (folder / "csv" / f"{file}.csv").open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


def get(row: dict[str, str], column: str) -> str:
    """A cell by the neutral name of its column."""
    if column == "correct":
        return VERDICTS.get(row["correct"], row["reason"])
    return row[TODAY.get(column, column)]


def number(text: str) -> float | int | None:
    """A number of a CSV file, if there is one."""
    return None if text == "" else int(text) if text.lstrip("-").isdigit() else float(text)


def sha256(lines: Iterable[str]) -> str:
    """The hash of lines of text."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def estimates(folder: Path) -> Table:
    """All estimates of a run, from the CSV files of its report."""
    table = Table(ESTIMATE_KEYS, NUMBERS + TESTS)
    for row in rows_of(folder, "estimates"):
        cells: dict[str, object] = {
            name: number(get(row, name)) for name in NUMBERS + TESTS if name != "undefined"
        }
        # Undefined is a value with a reason.
        is_undefined = row["value"] == ""
        assert not is_undefined or row["reason"]
        table.add((get(row, key) for key in ESTIMATE_KEYS), cells | {"undefined": is_undefined})
    return table


def answers(folder: Path) -> Table:
    """All answers of a run."""
    keys = ("model", "dataset", "variant", "method", "schema_id", "number")
    table = Table(keys, ("choice", "correct", "costs"))
    for row in rows_of(folder, "answers"):
        costs = json.loads(row["costs"]) if row["costs"] else []
        table.add(
            (get(row, key) for key in keys),
            {
                "choice": get(row, "choice"),
                "correct": get(row, "correct"),
                "costs": [round(cost, 6) for cost in costs],
            },
        )
    return table


def hashed_answers(folder: Path) -> Table:
    """A hash of the choices of each model, variant and method, for runs with many answers."""
    keys = ("model", "dataset", "variant", "method")
    chosen: dict[tuple[str, ...], list[str]] = {}
    for row in rows_of(folder, "answers"):
        place = tuple(get(row, key) for key in keys)
        cells = (get(row, key) for key in ("schema_id", "number", "choice", "correct"))
        chosen.setdefault(place, []).append(" ".join(cells))
    table = Table(keys, ("count", "sha256"))
    for place, lines in chosen.items():
        table.add(place, {"count": len(lines), "sha256": sha256(sorted(lines))})
    return table


def problems(folder: Path) -> Table:
    """A hash of the problems of each variant, and of their tags as each model has them."""
    table = Table(("model", "dataset", "variant"), ("count", "sha256"))
    texts: dict[tuple[str, ...], set[str]] = {}
    for row in rows_of(folder, "problems"):
        cells = (get(row, key) for key in ("schema_id", "number", "statement", "options", "label"))
        place: tuple[str, ...] = ("", row["dataset"], get(row, "variant"))
        texts.setdefault(place, set()).add("|".join((*cells, row["sentences"])))
    for row in rows_of(folder, "answers"):
        place = (row["model"], row["dataset"], get(row, "variant"))
        cells = (get(row, key) for key in ("schema_id", "number", "twins", "tags"))
        texts.setdefault(place, set()).add("|".join(cells))
    for place, lines in texts.items():
        table.add(place, {"count": len(lines), "sha256": sha256(sorted(lines))})
    return table


def tokens(folder: Path) -> Table:
    """The tokens of every sentence, the part of the problem each stands in, and its cost."""
    keys = ("model", "dataset", "variant", "schema_id", "number", "option")
    table = Table(keys, ("tokens", "parts", "costs"))
    for row in rows_of(folder, "tokens"):
        costs = [None if cost is None else round(cost, 6) for cost in json.loads(row["costs"])]
        cells = {
            "tokens": sha256(json.loads(row["texts"]))[:16],
            "parts": "".join(part[0] for part in json.loads(row["parts"])),
            "costs": ["–" if cost is None else cost for cost in costs],
        }
        table.add((get(row, key) for key in keys), cells)
    return table


def shares(folder: Path) -> Table:
    """How often each option was chosen, of how many that offered it."""
    keys = (*PLACE, "option")
    table = Table(keys, ("count", "total"))
    for row in rows_of(folder, "options"):
        table.add(
            (get(row, key) for key in keys), {"count": row["chosen"], "total": row["offered"]}
        )
    return table


def variants(folder: Path) -> Table:
    """How many problems each variant has, and how often something was skipped."""
    table = Table(("dataset", "variant"), ("mode", "n_entries", "n_problems", "n_skipped"))
    for row in rows_of(folder, "variants"):
        cells = {"mode": row["mode"], "n_entries": row["entries"], "n_problems": row["problems"]}
        reasons = json.loads(row["left_out"])
        table.add((row["dataset"], row["name"]), cells | {"n_skipped": len(reasons)})
    skipped = list(rows_of(folder, "skipped"))
    table.add(("", "skipped"), {"n_skipped": len(skipped)})
    table.add(
        ("", "requested and skipped"),
        {"n_skipped": sum(row["is_named"] == "true" for row in skipped)},
    )
    return table


# What commands print as JSON: one row for each figure, under the case, its subject, and its name.
FIGURE_KEYS = ("case", "subject", "metric", "quantity")

Figures = Iterator[tuple[str, str, str, object]]


def figures(cases: Iterable[tuple[str, Figures]]) -> Table:
    """All figures of all cases; a figure that is undefined has an empty cell."""
    table = Table(FIGURE_KEYS, ("value",))
    for case, listed in cases:
        for subject, metric, quantity, value in listed:
            table.add((case, subject, metric, quantity), {"value": value})
    return table


def computed_metrics(answer: dict[str, Any]) -> Figures:
    """The figures that `metric compute` prints."""
    for run in answer["runs"]:
        subject = f"{run['task']} {run['method']}"
        for name in ("problems", "schemas", "clusters", "undecided"):
            yield subject, "", f"n_{name}", run[name]
        yield subject, "", "mode", run["mode"]
        for kind in ("positions", "texts"):
            for option in run["responses"][kind]:
                share = option["share"]
                yield (
                    subject,
                    f"{kind}: {option['option']}",
                    "share",
                    [share["count"], share["total"]],
                )
    for estimate in answer["metrics"]:
        yield from _estimate(f"by {estimate['method']}", estimate)


def compared_metrics(answer: dict[str, Any]) -> Figures:
    """The figures that `metric compare` prints."""
    yield from _differences("", answer)
    for test in answer["beside"]:
        yield from _test("", test)
    for test in answer["thesis"]:
        for quantity in ("p", "exact", "difference", "schemas", "trials"):
            yield "thesis' test", test["metric"], quantity, test[quantity]


def compared_runs(answer: dict[str, Any]) -> Figures:
    """The figures that `compare` prints."""
    for number, variant in enumerate(answer["forms"]):
        place, against = (
            " ".join(variant[side][TODAY.get(name, name)] for name in PLACE)
            for side in ("of", "against")
        )
        subject = f"{number}: {place} against {against}"
        yield subject, "", "n_problems", variant["problems"]
        yield subject, "", "n_schemas", variant["schemas"]
        yield subject, "", "n_flips", len(variant["flips"])
        yield from _differences(subject, variant)
    yield "all", "", "n_tests", answer["family"]["size"]
    yield "all", "", "n_skipped", len(answer["gaps"])


def ranked_models(answer: dict[str, Any]) -> Figures:
    """The figures that `metric curve` prints."""
    for result in answer["results"]:
        chosen = result["specification"]
        choice = f"{chosen['setup']}, {chosen['subset']}, ties {chosen['ties']}"
        metric = chosen["metric"]
        for name in ("problems", "schemas", "clusters", "dropped"):
            yield choice, metric, f"n_{name}", result[name]
        yield choice, metric, "tau", result["tau"]
        ranking = [" = ".join(map(_file_name, models)) for models in result["ranking"]]
        yield choice, metric, "ranking", " > ".join(ranking)
        for estimate in result["estimates"]:
            subject = f"{choice}, {_file_name(estimate['model'])}"
            yield subject, metric, "value", estimate["value"]
            yield from _interval(subject, metric, "", estimate["interval"])
        for pair in result["differences"]:
            names = [_file_name(pair[side]) for side in ("first", "second")]
            subject = f"{choice}, {names[0]} less {names[1]}"
            for quantity in ("value", "ahead", "behind", "holds"):
                yield subject, metric, quantity, pair[quantity]
            yield from _interval(subject, metric, "", pair["interval"])
    for curve in answer["model_curves"]:
        for quantity, value in curve["spread"].items():
            yield f"curve of {_file_name(curve['model'])}", "", quantity, value
    yield "top", "", "models", " ".join(map(_file_name, answer["top"]))
    yield "top", "", "stays", [answer["stays_top"]["count"], answer["stays_top"]["total"]]


def _differences(subject: str, answer: dict[str, Any]) -> Figures:
    for entry in answer["differences"]:
        metric, where = entry["metric"], f"{subject} difference"
        yield where, metric, "before", entry["one"]
        yield where, metric, "after", entry["other"]
        yield where, metric, "p_adjusted", entry["adjusted_p"]
        if entry["difference"] is not None:
            yield from _estimate(where, entry["difference"])
        if entry["test"] is not None:
            yield from _test(f"{where} {metric}", entry["test"])
        if entry["noticeable"] is not None:
            yield where, metric, "noticeable", entry["noticeable"]["difference"]
    for estimate in answer["consistency"]:
        yield from _estimate(f"{subject} consistency", estimate)


def _estimate(subject: str, estimate: dict[str, Any]) -> Figures:
    metric = estimate["metric"]
    yield subject, metric, "value", estimate["estimate"]
    for quantity in ("clusters", "undefined"):
        yield subject, metric, f"n_{quantity}", estimate[quantity]
    yield subject, metric, "chance", estimate.get("chance")
    if estimate.get("share") is not None:
        share = estimate["share"]
        yield subject, metric, "share", [share["count"], share["total"]]
    for kind in ("percentile", "empirical", "exact", "interval"):
        yield from _interval(subject, metric, f"{kind} ", estimate.get(kind))


def _interval(subject: str, metric: str, kind: str, interval: dict[str, Any] | None) -> Figures:
    if interval is not None:
        for end in ("low", "high"):
            yield subject, metric, f"{kind}{end}", interval[end]


def _test(subject: str, test: dict[str, Any]) -> Figures:
    for quantity in ("difference", "p", "units", "unequal", "trials"):
        yield subject, test["test"], quantity, test[quantity]


def _file_name(path: str) -> str:
    return Path(path).name
