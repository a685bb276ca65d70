"""Answers as lm-evaluation-harness logs its samples: a line for each problem and method.

The harness takes the first of equal options, and so does `acc` here, as whoever reads such lines
expects it; `tie` says where that was so. Everywhere else an undecided problem is undecided.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from math import inf
from os.path import commonprefix
from typing import Any

from horsesense.errors import UnknownNameError
from horsesense.results import ORIGINAL, ModelSubject, ProblemRow, ResultKey, Results
from horsesense.scoring.outcome import Answer, Outcome, Sheet


def lm_eval_samples(
    profile: Results, model: str, dataset: str, form: str = ORIGINAL
) -> Iterator[dict[str, Any]]:
    """The samples of a model on a form of a dataset, by every method.

    The log-likelihoods of the options are the method's costs with the other sign. A document has
    a field `schema`, which two problems have in common that make one; of a problem in several
    schemas it is the first.
    """
    posed = {
        (one.entry, one.number): one
        for one in profile.problems
        if (one.dataset, one.variant) == (dataset, form)
    }
    numbers: dict[tuple[str, int], int] = {}
    for method in model_named(profile, model).methods:
        sheet = profile.sheets.get(ResultKey(model, dataset, form, method=method))
        if sheet is None:
            continue
        schemas = _schema_ids(sheet)
        for at, one in enumerate(sheet.answers):
            number = numbers.setdefault(one.problem, len(numbers))
            row = _sample(number, one, schemas[at], posed.get(one.problem))
            yield row | {"filter": filter_of(method), "perturbation": form}


def model_named(profile: Results, name: str) -> ModelSubject:
    """The model or baseline of that name."""
    known = {one.name: one for one in profile.models}
    if name not in known:
        raise UnknownNameError("model of this run", name, known)
    return known[name]


def filter_of(method: str) -> str:
    """A scoring method as the name of a filter, which stands behind a comma.

    >>> filter_of("mean-smart@1")
    'mean-smart1'
    """
    return method.replace("@", "")


def _schema_ids(sheet: Sheet) -> list[str]:
    """What each answer's schema is called: as its entry, unless that has several or none."""
    counts = Counter(sheet.answers[first].entry for first, _ in sheet.schemas)
    found: dict[int, str] = {}
    for first, second in sheet.schemas:
        if first in found or second in found:
            continue
        entry, number = sheet.answers[first].problem
        found[first] = found[second] = entry if counts[entry] == 1 else f"{entry}.{number}"
    return [found.get(at, f"{one.entry}.{one.number}") for at, one in enumerate(sheet.answers)]


def _sample(number: int, one: Answer, schema: str, posed: ProblemRow | None) -> dict[str, Any]:
    right = one.outcome.right if one.outcome.has_choice else None
    document = {
        "id": f"{schema}-{one.number}",
        "schema": schema,
        # Under these names nobody takes it for a table of problems and pairs it by itself.
        "posed": posed.statement if posed else "",
        "offered": list(one.options),
        "label": right,
    }
    target = "" if right is None else str(right)
    arguments = _arguments(one, posed)
    likelihoods = [[str(-cost), "False"] for cost in one.outcome.costs]
    return {
        "doc_id": number,
        "doc": document,
        "target": target,
        "arguments": arguments,
        "resps": [[pair] for pair in likelihoods],
        "filtered_resps": likelihoods,
        "filter": "",
        "metrics": ["acc"],
        "doc_hash": hash_of(json.dumps(document, indent=2, ensure_ascii=False)),
        "prompt_hash": hash_of("".join(one["arg_0"] for one in arguments.values())),
        "target_hash": hash_of(target),
        **_metric(one.outcome),
        "schema_id": schema,
        "problem_id": f"{one.entry} {one.number}",
        "margin": "inf" if one.outcome.margin == inf else one.outcome.margin,
        "tie": one.outcome.chosen is None,
    }


def hash_of(text: str) -> str:
    """A hash as the harness makes it of documents, prompts and targets."""
    return hashlib.sha256(text.encode()).hexdigest()


def _arguments(one: Answer, posed: ProblemRow | None) -> Mapping[str, dict[str, str]]:
    """Contexts and continuations: the sentences cut where they begin to differ."""
    sentences = posed.sentences if posed else one.options
    cut = commonprefix(sentences).rfind(" ") + 1
    return {
        f"gen_args_{at}": {"arg_0": text[:cut].rstrip(), "arg_1": text[cut - 1 if cut else 0 :]}
        for at, text in enumerate(sentences)
    }


def _metric(outcome: Outcome) -> dict[str, float]:
    """Whether the problem was solved; nothing where its right option is not known."""
    if outcome.right is None:
        return {}
    costs, chosen = outcome.costs, outcome.chosen
    first = costs.index(min(costs)) if costs else chosen
    return {"acc": float(first == outcome.right)}
