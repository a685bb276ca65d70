"""A folder of tasks for the Language Model Evaluation Harness (lm-eval).

`NAME_full` compares complete sentences without a context, which can be done with any problem. In
place of the context the harness reads a prefix token, of which the files tell.
`NAME_partial` compares the text behind the blank after each of the options, which needs text
there; it is made where every problem has some. The text keeps the space that it begins with, and
the delimiter is empty, so that no space is doubled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
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
from horsesense.schema import Dataset, Entry, Mode, Problem

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
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""
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
_PARTIAL_TOLD = "compares what follows the blank, with each option before it"
_NO_PARTIAL = "no partial task: {few} of {all} problems have two blanks or nothing behind the blank"


def lm_eval(dataset: Dataset, report: Exported) -> Iterator[tuple[str, bytes]]:
    """The files of the folder, each with its path in it."""
    name = task_name(dataset)
    lines_and_splits = [
        (_line(entry, named), _split(named.problem))
        for entry, kept in named_problems(
            dataset, report, misfit=_misfit, held=held_in(dataset.mode)
        )
        for named in kept
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
    yield f"{loader}.py", _LOADER.format(file=json.dumps(f"{name}.jsonl")).encode()
    for task, fields in tasks.items():
        text = _TASK.format(task=json.dumps(task), loader=loader, **fields)
        if fields is _FULL:
            text += _comment(_PREFIX_TOLD[0])
        yield f"{task}.yaml", text.encode()
    yield "README.md", _readme(dataset, report, list(tasks)).encode()


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


def _readme(dataset: Dataset, report: Exported, tasks: list[str]) -> str:
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
        "They have been tried with lm-eval 0.4.13.",
        f"```sh\nlm_eval --include_path path/to/this/folder --tasks {tasks[0]} \\\n"
        "    --model hf --model_args pretrained=MODEL\n```",
        "## Where it comes from\n\n" + "\n".join(provenance(dataset)),
    ]
    return "\n\n".join(filter(None, paragraphs)) + "\n"
