"""A folder of tasks for the Language Model Evaluation Harness (lm-eval).

`NAME_full` compares complete sentences without a context, which can be done with any problem. In
place of the context the harness reads a prefix token, of which the files tell.
`NAME_partial` compares the text behind the blank after each of the options, which needs text
there; it is made where every problem has some. The text keeps the space that it begins with, and
the delimiter is empty, so that no space is doubled.

Where two problems make a schema, the tasks report schema accuracy too, by functions beside them:
lm-eval 0.4.13 finds neither tasks nor metrics of other packages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from horsesense.datasets.exporters.exported import (
    UNLABELLED,
    Exported,
    NamedProblem,
    named_problems,
)
from horsesense.datasets.exporters.hugging_face import provenance
from horsesense.datasets.exporters.table import held_in, misfit, values_of
from horsesense.schema import Dataset, Entry, Mode, Problem, problems
from horsesense.schema.problem import schema_pairs

# The harness looks for data files in the working directory. A function beside the task does not.
_LOADER = '''"""Reads the problems that lie beside this file, wherever the harness was started."""

import json
from pathlib import Path

from datasets import Dataset, DatasetDict


def dataset(**_):
    path = Path(__file__).with_name({file})
    with path.open(encoding="utf-8") as lines:
        return DatasetDict({{"test": Dataset.from_list([json.loads(line) for line in lines])}})
'''
# Added to the loader where there are schemas.
_SCHEMA_ACCURACY = '''

def process_results(doc, results):
    likelihoods = [result[0] for result in results]
    is_solved = likelihoods.index(max(likelihoods)) == doc["label"]
    return {"acc": float(is_solved), "schema_acc": (doc["schemas"], is_solved)}


def schema_accuracy(items):
    """The share of schemas with both problems solved; one of which a problem is missing, as with
    --limit, does not count."""
    outcomes = {}
    for schemas, is_solved in items:
        for schema in schemas:
            outcomes.setdefault(schema, []).append(is_solved)
    solved = [all(both) for both in outcomes.values() if len(both) == 2]
    return sum(solved) / len(solved) if solved else float("nan")
'''
_TASK = """\
task: {task}
custom_dataset: !function {loader}.dataset
test_split: test
output_type: multiple_choice
doc_to_text: {text}
doc_to_choice: {choice}
doc_to_target: {target}
target_delimiter: ""
num_fewshot: 0
{scored}metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
{metric}metadata:
  version: {version}
"""
_NO_SCHEMAS = {"scored": "", "metric": "", "version": "1.0"}
_SCHEMAS = {
    "scored": "process_results: !function {loader}.process_results\n",
    "metric": """\
  - metric: schema_acc
    aggregation: !function {loader}.schema_accuracy
    higher_is_better: true
""",
    "version": "1.1",
}
# Where doc_to_text is a number, the harness takes the choices for contexts.
_FULL = {"text": '""', "choice": "sentences", "target": "label"}
_PARTIAL = {"text": "label", "choice": "contexts", "target": "suffix"}
_FULL_TOLD = "compares the complete sentences, without a context"
# What lm-eval does where the context is empty: `TemplateLM.loglikelihood`, `HFLM.prefix_token_id`.
_PREFIX_TOLD = (
    "Without a context lm-eval has the model read a prefix token first, and adds up all tokens of "
    "the sentence after it. That is the BOS of the tokenizer where it has one, even if the "
    "tokenizer does not put it before texts by itself, as GPT-2's does not; otherwise its EOS. "
    "`--model_args prefix_token_id=…` chooses another.",
    "Where the tokenizer puts BOS before every text, this is what horsesense calls `full`. Where "
    "it does not, horsesense reads nothing before the sentence: its `full` then takes the first "
    "token from a table of frequencies or is undefined, and `all-but-first` leaves it out. Scores "
    "of the two programs differ there, and so may the option that is preferred, above all where a "
    "sentence begins with its blank.",
)
_SCHEMAS_TOLD = (
    "The schema accuracy, `schema_acc`, is the share of schemas with both problems solved; chance "
    "is a quarter. lm-eval gives no standard error for it, and computes that of `acc` as if the "
    "problems of a schema were independent. `horsesense metric compute` computes both with "
    "intervals over whole schemas, from the file that `--log_samples` writes."
)
_PARTIAL_TOLD = "compares what follows the blank, with each option before it"
_NO_PARTIAL = "no partial task: {few} of {all} problems have two blanks or nothing behind the blank"


def lm_eval(dataset: Dataset, report: Exported) -> Iterator[tuple[str, bytes]]:
    """The files of the folder, each with its path in it."""
    name = task_name(dataset)
    lines_and_splits = [
        (_line(entry, named) | {"schemas": schemas}, _split(named.problem))
        for entry, kept in named_problems(
            dataset, report, misfit=_misfit, held=held_in(dataset.mode)
        )
        for named, schemas in zip(kept, _schemas(entry, kept), strict=True)
    ]
    tasks = {f"{name}_full": _FULL}
    if unfit := sum(not split for _, split in lines_and_splits):
        report.remarks.append(_NO_PARTIAL.format(all=len(lines_and_splits), few=unfit))
    else:
        tasks[f"{name}_partial"] = _PARTIAL
    lines = [line if unfit else line | split for line, split in lines_and_splits]
    written = (json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    yield f"{name}.jsonl", "".join(written).encode()
    # Several datasets may share a folder, so that each has a loader of its own.
    loader = "load_" + re.sub(r"\W", "_", name)
    has_schemas = any(line["schemas"] for line in lines)
    code = _LOADER.format(file=json.dumps(f"{name}.jsonl"))
    yield f"{loader}.py", (code + _SCHEMA_ACCURACY if has_schemas else code).encode()
    added = _SCHEMAS if has_schemas else _NO_SCHEMAS
    fitted = {key: text.format(loader=loader) for key, text in added.items()}
    for task, fields in tasks.items():
        text = _TASK.format(task=json.dumps(task), loader=loader, **fields, **fitted)
        if fields is _FULL:
            text += _comment(_PREFIX_TOLD[0])
        yield f"{task}.yaml", text.encode()
    yield "README.md", _readme(dataset, report, list(tasks), has_schemas).encode()


def _comment(text: str) -> str:
    return "".join(f"# {line}\n" for line in wrap(text, 98, break_on_hyphens=False))


def task_name(dataset: Dataset) -> str:
    """Return the prefix of the task names: the dataset's name and how it was posed."""
    parts = [dataset.header.name]
    if dataset.wrapper is not None:
        parts.append("dyadic")
    if dataset.mode is not Mode.BY_ANSWER:
        parts += dataset.mode.split(" ")
    return "_".join(parts)


def _misfit(problem: Problem) -> str:
    return UNLABELLED if problem.right is None else misfit(problem)


def _line(entry: Entry, named_problem: NamedProblem) -> dict[str, Any]:
    """The row that any table has, so that it can be imported again, and what the task reads."""
    sentences = [sentence.text for sentence in named_problem.problem.sentences]
    return {
        **dict(values_of(entry, named_problem)),
        "sentences": sentences,
        "label": named_problem.problem.right,
    }


def _schemas(entry: Entry, kept: Sequence[NamedProblem]) -> list[list[str]]:
    """The schemas that each problem belongs to; a schema that is not kept whole is none."""
    mode = kept[0].problem.mode
    pairs = schema_pairs(entry.grid, mode, problems(entry.grid, mode))
    numbers = {named.number - 1 for named in kept}
    whole = [pair for pair in pairs if numbers.issuperset(pair)]
    return [
        [f"{entry.id}.{at}" for at, pair in enumerate(whole, 1) if named.number - 1 in pair]
        for named in kept
    ]


def _split(problem: Problem) -> dict[str, Any]:
    """The sentences cut behind the blank; nothing where partial scoring would make no sense."""
    if problem.blanks != 1:
        return {}
    ends = [sentence.spans_of(problem.mode.axis)[0].end for sentence in problem.sentences]
    cut = list(zip(problem.sentences, ends, strict=True))
    contexts = [sentence.text[:end] for sentence, end in cut]
    suffixes = {sentence.text[end:] for sentence, end in cut}
    # The harness would move a space from the end of a context to the suffix, and not from others.
    if len(suffixes) > 1 or "" in suffixes or not all(c and not c.endswith(" ") for c in contexts):
        return {}
    return {"contexts": contexts, "suffix": suffixes.pop()}


def _readme(dataset: Dataset, report: Exported, tasks: list[str], has_schemas: bool) -> str:
    header = dataset.header
    descriptions = dict(zip(tasks, (_FULL_TOLD, _PARTIAL_TOLD), strict=False))
    facts = {"author": header.author, "licence": header.licence or "not stated"}
    paragraphs = [
        f"# {header.title or header.name}",
        header.note,
        "\n".join(f"- {name}: {text}" for name, text in facts.items() if text)
        + f"\n- problems: {report.problems}, solved {dataset.mode}",
        "## Tasks\n\n" + "\n".join(f"- `{task}` {text}" for task, text in descriptions.items()),
        *_PREFIX_TOLD,
        "\n".join(report.remarks),
        "The accuracy, `acc`, is the share of problems of which the right option has the highest "
        "summed log-probability.",
        _SCHEMAS_TOLD if has_schemas else "",
        "They have been tried with lm-eval 0.4.13.",
        f"```sh\nlm_eval --include_path path/to/this/folder --tasks {tasks[0]} \\\n"
        "    --model hf --model_args pretrained=MODEL\n```",
        "## Where it comes from\n\n" + "\n".join(provenance(dataset)),
    ]
    return "\n\n".join(filter(None, paragraphs)) + "\n"
