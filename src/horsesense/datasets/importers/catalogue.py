"""Every format that can be imported: ours, and those that other packages add.

The more particular come first: the first match is taken. Another package adds one by an entry
point of the group `horsesense.importers`, whose value is a `Format`.
"""

from __future__ import annotations

from dataclasses import replace

from horsesense.datasets.importers.format import COMMON, Format, Reader
from horsesense.datasets.importers.formats import (
    blimp,
    copa_xml,
    crows_pairs,
    dpr,
    gap,
    knowref,
    knowref_tsv,
    masked_blocks,
    pdp_xml,
    perturbed_wsc,
    perturbed_wsc_jsonl,
    square_one,
    superglue_copa,
    superglue_wsc,
    swag,
    table,
    thesis_text,
    trichelair,
    trinh_le,
    winobias,
    winogender,
    winogrande,
    wnli,
    wsc_xml,
    xwino,
)
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import ISSUES, STEPS, TWINS
from horsesense.registry import Registry, blame, blame_each

# Anybody's own table may look like much else.
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
    wsc_xml.FORMAT,
    pdp_xml.FORMAT,
    trichelair.FORMAT,
    square_one.FORMAT,
    square_one.FORMAT_ZERO_SHOT,
    perturbed_wsc.FORMAT,
    perturbed_wsc_jsonl.FORMAT,
    winogrande.FORMAT,
    trinh_le.FORMAT,
    masked_blocks.FORMAT,
    dpr.FORMAT,
    wnli.FORMAT,
    superglue_wsc.FORMAT,
    knowref.FORMAT,
    knowref_tsv.FORMAT,
    winogender.FORMAT,
    winobias.FORMAT,
    copa_xml.FORMAT,
    superglue_copa.FORMAT,
    swag.FORMAT,
    swag.FORMAT_JSON,
    gap.FORMAT,
    xwino.FORMAT,
    blimp.FORMAT,
    crows_pairs.FORMAT,
    *_TABLES,
)


def formats_to_try() -> list[Format]:
    """All formats in the order in which a file is held against them; the first match is taken.

    Those of plug-ins come before our tables, which many a file may look like.
    """
    ours = FORMATS.ours.values()
    particular = [one for one in ours if one not in _TABLES]
    return [*particular, *FORMATS.plugins.values(), *_TABLES]


def described_issues() -> dict[str, str]:
    """Every issue that an import may report, and what it means."""
    described = {**STEPS, **ISSUES, **TWINS, **COMMON}
    for one in FORMATS.values():
        described |= {**one.issues, **one.repairs}
        for recipe in one.recipes.values():
            described |= recipe.repairs
    return described
