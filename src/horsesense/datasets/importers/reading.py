"""Import a published file: recognise its format, check its problems, recover its schemas.

Specific formats come before general ones: the first format that recognises a file reads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from horsesense.datasets.importers.columns import UNUSED
from horsesense.datasets.importers.consecutive import (
    LOOK_LIKE_TWINS,
    have_no_twins,
    mention_twins,
    pair_twins,
)
from horsesense.datasets.importers.format import (
    COMMON,
    DUPLICATE_ID,
    OWN_MODE,
    SEVERAL_MODES,
    Companions,
    Format,
    Reader,
)
from horsesense.datasets.importers.formats import (
    blocks,
    copa,
    davis_xml,
    ewok,
    gap,
    glue,
    knowref,
    minimal_pairs,
    perturbed_wsc,
    square_one,
    statements,
    swag,
    table,
    thesis_text,
    trichelair,
    trinh_le,
    winobias,
    winodict,
    winogender,
    winogrande,
    winoventi,
    winowhat,
    winowhy,
    xwino,
)
from horsesense.datasets.importers.formats.table_rows import DID_YOU_MEAN, TABLE_OF_YOUR_OWN
from horsesense.datasets.importers.source import BAD_LABEL, SourceFile
from horsesense.datasets.recovery import (
    ISSUES,
    STEPS,
    TWINS,
    Journal,
    PairingSummary,
    RawEntry,
    RawProblem,
    Recovery,
    names_in,
    paired,
)
from horsesense.errors import FileError, HorsesenseError, ImportFaults, UnknownNameError
from horsesense.registry import Registry, blame, blame_each
from horsesense.schema import Dataset, Entry, Header, Issue, Mode, Source

# General tables come last, because other formats look like them.
_TABLES = (table.FORMAT, table.FORMAT_JSONL, table.FORMAT_PARQUET)


def _blaming(format_: Format, source: str) -> Format:
    def failing(file: SourceFile, *_: object) -> str:
        return f"the format {format_.name!r} of {source} fails on {file.name}"

    def read(reader: Reader) -> Reader:
        return blame_each(reader, failing)

    return replace(
        format_,
        looks_like=blame(format_.looks_like, failing),
        describe=blame(format_.describe, failing),
        read=read(format_.read),
        recipes={
            name: replace(recipe, read=read(recipe.read))
            for name, recipe in format_.recipes.items()
        },
    )


FORMATS: Registry[Format] = Registry("format", "horsesense.importers", Format, wrap=_blaming)
FORMATS.add(
    thesis_text.FORMAT,
    davis_xml.FORMAT_WSC,
    davis_xml.FORMAT_PDP,
    trichelair.FORMAT,
    square_one.FORMAT,
    square_one.FORMAT_ZERO_SHOT,
    perturbed_wsc.FORMAT,
    perturbed_wsc.FORMAT_JSONL,
    winodict.FORMAT,
    winowhat.FORMAT,
    winogrande.FORMAT,
    trinh_le.FORMAT,
    blocks.FORMAT_MASKED_BLOCKS,
    blocks.FORMAT_DPR,
    glue.FORMAT_WNLI,
    glue.FORMAT_WSC,
    knowref.FORMAT,
    knowref.FORMAT_TSV,
    winogender.FORMAT_WINOPRON,
    winogender.FORMAT,
    winobias.FORMAT,
    copa.FORMAT_XML,
    copa.FORMAT_SUPERGLUE,
    swag.FORMAT,
    swag.FORMAT_JSON,
    gap.FORMAT,
    xwino.FORMAT,
    minimal_pairs.FORMAT_BLIMP,
    minimal_pairs.FORMAT_CROWS_PAIRS,
    winoventi.FORMAT,
    statements.FORMAT_COM2SENSE,
    statements.FORMAT_CREAK,
    winowhy.FORMAT,
    winowhy.FORMAT_CSV,
    ewok.FORMAT,
    *_TABLES,
)


def formats_to_try() -> list[Format]:
    """Return all formats in the order in which they are tried; the first match is used.

    Formats of plug-ins come before our general tables, which many files look like.
    """
    specific = [format_ for format_ in FORMATS.ours.values() if format_ not in _TABLES]
    return [*specific, *FORMATS.plugins.values(), *_TABLES]


def described_issues() -> dict[str, str]:
    """Return the description of every issue that an import may report, by name."""
    descriptions = {**STEPS, **ISSUES, **TWINS, **COMMON}
    for format_ in FORMATS.values():
        descriptions |= {**format_.issues, **format_.repairs}
        for recipe in format_.recipes.values():
            descriptions |= recipe.repairs
    return descriptions


# Increase when the same file would be read differently.
IMPORTER_VERSION = "3"
_SEE = "run 'horsesense dataset import' for details"
_NO_LABELS = "no problem has a label, so no answer counts as right or wrong"


def needs_attention(remark: str) -> bool:
    """Return whether a remark on a file points to a likely mistake in it."""
    return any(sign in remark for sign in (LOOK_LIKE_TWINS, DID_YOU_MEAN, _NO_LABELS, _SEE))


@dataclass(frozen=True)  # no slots, because of the cached properties
class FileImport:
    """A running import: iterate over its entries to the end, then read its issues.

    `about` is the header before the problems have been read. `paired` says, from the first entry
    on, how twins were found.
    """

    file: SourceFile
    format: Format
    about: Header
    journal: Journal
    companions: Companions = ()
    keep_going: bool = False
    recipe: str = ""
    consecutive: bool = False
    paired: list[PairingSummary] = field(default_factory=list)

    @cached_property
    def groups(self) -> list[RawEntry]:
        """The problems of the file, grouped into entries."""
        read = self.format.recipes[self.recipe].read if self.recipe else self.format.read
        groups = list(read(self.file, self.journal, self.companions))
        if self.format in _TABLES:
            groups = self._twins_in_order(groups)
        return list(_labelled(_distinct(groups, self.journal), self.journal))

    def _twins_in_order(self, groups: list[RawEntry]) -> list[RawEntry]:
        """Pair consecutive rows of a table that look like twins on request, else mention them."""
        if self.consecutive:
            if not have_no_twins(groups):
                raise FileError(
                    f"{self.file.name}: a column says which rows belong together; "
                    "leave out --consecutive"
                )
            return pair_twins(groups, self.journal)
        if have_no_twins(groups):
            mention_twins(groups)
        return groups

    @cached_property
    def header(self) -> Header:
        """The header of the dataset, with the mode of its problems."""
        return replace(self.about, mode=_declared_mode(self.groups, self.journal))

    def __iter__(self) -> Iterator[Entry]:
        """Yield the entries; at the end raise all faults as one error, unless `keep_going`."""
        self.header  # noqa: B018 - reports the issues of the mode
        groups, names = self.groups, None
        if self.format.is_bare:
            raw_problems = [raw_problem for group in groups for raw_problem in group.problems]
            names = names_in(
                raw_problem.sentence(n)
                for raw_problem in raw_problems
                for n in range(len(raw_problem.options))
            )
        self.paired[:] = paired(groups, self.format.twins)
        recovery = Recovery(self.journal, contiguous=self.format.contiguous, names=names)
        used: set[str] = set()
        for entry in recovery.entries(groups):
            used.add(entry.id)
            yield entry
        self._report_twins([group for group in groups if group.id in used])
        if self.journal.faults and not self.keep_going:
            faults = sorted((fault.line, fault.odd) for fault in self.journal.faults)
            if self.file.counts_rows:
                faults = [(0, f"row {row}: {odd}" if row else odd) for row, odd in faults]
            raise ImportFaults(self.file.name, faults)
        if not used:
            raise FileError(f"{self.file.name}: contains no usable problems of {self.format.title}")

    def dataset(self, entries: Iterable[Entry] | None = None) -> Dataset:
        """Read the file to its end; `entries` may be this import wrapped in a progress bar."""
        read = tuple(self if entries is None else entries)
        importer = f"{self.format.name}/{self.recipe}" if self.recipe else self.format.name
        companions = [_source(file, f"{self.format.name} companion") for file in self.companions]
        return Dataset(
            self.header,
            read,
            issues=self.issues(),
            remarks=self.remarks(),
            sources=[_source(self.file, importer), *companions],
        )

    def _report_twins(self, groups: Iterable[RawEntry]) -> None:
        """Report once for the whole file how twins were found."""
        self.paired[:] = paired(groups, self.format.twins)
        for pairing in self.paired:
            self.journal.step(pairing.twins.issue, 0, "", pairing.counts, pairing.done)

    def issues(self) -> list[Issue]:
        """Return all issues; call it after reading the entries."""
        return list(self.journal.issues())

    @property
    def left_out(self) -> str:
        """A message about the part of the file that is in no entry; empty if there is none."""
        count, line = self.journal.left_out, self.journal.stopped
        problems = f"{count} {'problem' if count == 1 else 'problems'}" if count else ""
        unit = "row" if self.file.counts_rows else "line"
        rest = f"everything from {unit} {line} onward" if line else ""
        message = " and ".join(filter(None, (problems, rest)))
        return f"{message} left out" if message else ""

    @property
    def several_modes(self) -> str:
        """A message about problems in several modes; empty if there is only one mode."""
        issues = (issue for issue in self.journal.issues() if issue.name == SEVERAL_MODES)
        return next((f"{issue.odd}: {issue.done}" for issue in issues), "")

    def remarks(self) -> list[str]:
        """Return messages for callers that don't store the issues; call it after reading."""
        remarks = [pairing.message for pairing in self.paired]
        remarks += [
            f"{issue.odd} was {issue.done}"
            for issue in self.journal.issues()
            if issue.name == UNUSED and DID_YOU_MEAN in issue.done
        ]
        if _have_no_labels(self.groups):
            remarks.append(_NO_LABELS)
        if self.several_modes:
            remarks.append(self.several_modes)
        if self.left_out:
            remarks.append(f"{self.left_out}; {_SEE}")
        elif count := len(self.journal.faults):
            remarks.append(f"{count} {'fault' if count == 1 else 'faults'}; {_SEE}")
        return [f"{Path(self.file.name).name}: {remark}" for remark in remarks]


def _source(file: SourceFile, importer: str) -> Source:
    return Source(file.name, file.digest, len(file.data), importer, IMPORTER_VERSION)


def open_import(
    file: SourceFile,
    header: Header,
    *,
    format_name: str | None = None,
    companions: Companions = (),
    switched_off: Collection[str] = (),
    keep_going: bool = False,
    recipe: str = "",
    consecutive: bool = False,
) -> FileImport:
    """Return an import of the file in the named format, or in the format it looks like.

    `consecutive` pairs consecutive rows of a table that look like twins.
    """
    file, chosen = _resolved(file, format_name)
    if recipe and recipe not in chosen.recipes:
        raise UnknownNameError(f"recipe for {chosen.name}", recipe, chosen.recipes)
    repairs = {**chosen.repairs, **(chosen.recipes[recipe].repairs if recipe else {})}
    unknown = set(switched_off) - set(repairs)
    if unknown:
        raise UnknownNameError(f"repair of {recipe or chosen.name}", min(unknown), repairs)
    if companions and not chosen.companions:
        raise HorsesenseError(
            f"{chosen.title}: this format takes no companion files; leave out {companions[0].name}"
        )
    if consecutive and chosen not in _TABLES:
        raise HorsesenseError(
            f"{chosen.title}: only tables of your own can be paired by --consecutive; leave it out"
        )
    if recipe:
        header = Header(header.name, title=chosen.recipes[recipe].title)
    elif not header.note:
        header = replace(header, note=chosen.describe(file))
    journal = Journal(switched_off)
    return FileImport(
        file, chosen, header, journal, companions, keep_going, recipe, consecutive=consecutive
    )


def find_format(name: str) -> Format:
    """Return the format of that name."""
    return FORMATS[name]


def guess_format(file: SourceFile) -> Format:
    """Return the first format that recognises the file."""
    return _resolved(file, None)[1]


def is_published(file: SourceFile) -> bool:
    """Return whether any format recognises the file."""
    return _claim(file) is not None


def _resolved(file: SourceFile, format_name: str | None) -> tuple[SourceFile, Format]:
    """Return the file as its format reads it, and that format: named or recognised.

    A JSON list is read as JSON lines, unless the format reads lists.
    """
    if format_name:
        chosen, rows = find_format(format_name), file.rows_of_list
        return (file if rows is None or chosen.looks_like(file) else rows), chosen
    claim = _claim(file)
    if claim is None and not file.data.strip():
        raise FileError(f"{file.name}: the file is empty")
    if claim is None:
        question = "".join(
            f"{DID_YOU_MEAN} {name!r} by the column {heading!r}? Otherwise "
            for heading, name in table.misspelt_columns(file.rows_of_list or file).items()
        )
        raise FileError(
            "\n  ".join(
                (
                    f"{file.name}: no known format matches this file; {question}specify one with "
                    f"--format (`horsesense dataset formats` lists them). {TABLE_OF_YOUR_OWN}",
                    *FORMATS.failures,
                )
            )
        )
    return claim


def _claim(file: SourceFile) -> tuple[SourceFile, Format] | None:
    """Return the first format that recognises the file, the rows of its list or of its table."""
    if file.rows_of_parquet is not None:
        return _claim(file.rows_of_parquet)
    for format_ in formats_to_try():
        if format_.looks_like(file):
            return file, format_
    rows = file.rows_of_list
    return None if rows is None else _claim(rows)


def _declared_mode(groups: Sequence[RawEntry], journal: Journal) -> Mode:
    """Return the mode of the file's schemas if they share one, else by answer."""
    counts = Counter(group.mode for group in groups for _ in group.problems)
    if not counts.keys() - {Mode.BY_ANSWER}:
        return Mode.BY_ANSWER
    message = ", ".join(f"{count} {mode}" for mode, count in counts.items())
    # A problem without a twin makes no schema and can be posed only as published.
    modes = {group.mode for group in groups if len(group.problems) > 1}
    if len(modes) == 1 and Mode.BY_ANSWER not in modes:
        (mode,) = modes
        journal.step(OWN_MODE, 0, "", message, f"posed {mode} unless you choose another mode")
        return mode
    odd = message if modes else f"{message}, without twins"
    journal.oddity(SEVERAL_MODES, 0, "", odd, "posed by answer unless you choose another mode")
    return Mode.BY_ANSWER


def _distinct(groups: Iterable[RawEntry], journal: Journal) -> Iterator[RawEntry]:
    """Drop problems and groups with an id that has occurred before, and report them."""
    seen: dict[str, int] = {}
    entries: set[str] = set()
    for group in groups:
        kept: list[RawProblem] = []
        for raw_problem in group.problems:
            name, line = raw_problem.name, raw_problem.line
            if name in seen:
                odd = f"the id {name!r} is already used in line {seen[name]}"
                journal.fault(DUPLICATE_ID, line, name, odd)
            else:
                seen[name] = line
                kept.append(raw_problem)
        if group.id in entries:
            for raw_problem in kept:
                odd = f"the schema id {group.id!r} occurs twice"
                journal.fault(DUPLICATE_ID, raw_problem.line, raw_problem.name, odd)
        elif kept:
            entries.add(group.id)
            group.problems = kept
            yield group


def _labelled(groups: Iterable[RawEntry], journal: Journal) -> Iterator[RawEntry]:
    """Drop problems without a label if others have one, and report them."""
    groups = list(groups)
    if _have_no_labels(groups):
        yield from groups
        return
    for group in groups:
        for raw_problem in group.problems:
            if raw_problem.right is None:
                journal.fault(
                    BAD_LABEL,
                    raw_problem.line,
                    raw_problem.name,
                    "no label, but other problems have one",
                )
        group.problems = [
            raw_problem for raw_problem in group.problems if raw_problem.right is not None
        ]
        if group.problems:
            yield group


def _have_no_labels(groups: Iterable[RawEntry]) -> bool:
    return all(raw_problem.right is None for group in groups for raw_problem in group.problems)
