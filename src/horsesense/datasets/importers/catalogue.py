"""Every format that can be imported. The more particular come first: the first match is taken."""

from __future__ import annotations

from horsesense.datasets.importers.format import COMMON, Format
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
from horsesense.datasets.recovery import ISSUES, STEPS, TWINS

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
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
        # Anybody's own table may look like much else.
        table.FORMAT,
        table.FORMAT_JSONL,
        table.FORMAT_PARQUET,
    )
}


def described_issues() -> dict[str, str]:
    """Every issue that an import may report, and what it means."""
    described = {**STEPS, **ISSUES, **TWINS, **COMMON}
    for one in FORMATS.values():
        described |= {**one.issues, **one.repairs}
        for recipe in one.recipes.values():
            described |= recipe.repairs
    return described
