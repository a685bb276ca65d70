"""What our own exporters write comes back as it was, as far as a table can hold it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given

from horsesense.datasets.exporters import Exported, FileExport, find_export
from horsesense.datasets.importers.format import Format
from horsesense.datasets.importers.formats import copa, minimal_pairs, swag, winogrande
from horsesense.datasets.importers.formats.table import FORMAT, FORMAT_JSONL, FORMAT_PARQUET
from horsesense.schema import Dataset, Entry, Grid, Header, Mode, problems
from horsesense.schema.notation import parse_grid, print_grid
from tests.datasets.importers.imported import Imported, imported, imported_file
from tests.strategies import brisk, grids, tame

FORMATS = {"csv": FORMAT, "jsonl": FORMAT_JSONL, "hf": FORMAT_PARQUET, "lm-eval": FORMAT_JSONL}
NAMES = "x-problems"

# Grids that a table can hold: sentences are finished, key phrases have no word in common with each
# other or with what stands beside them, and candidates are marked where answers occur.
HELD = (
    "A lorry <can, cannot> pass under a {high, low} bridge.",
    "{Owls, Voles} <often, never> eat {voles, owls}.",
    "The owl hid {because, so} <it was day., it was not seen.>",
    "[The owl] ate [the vole] because <it = the owl, the vole> was {hungry, tasty}.",
    "It rained. <It = the owl, the vole> was {hungry, tasty}.",
    "[Nora] told [Lena] that <her's = Nora, Lena> scarf was {wet, dry}.",
    "[Nora] thanked [Lena] for all that <_ = Nora, Lena> had {received, given}.",
    "! {three owls, two voles} <sleep, wake> here",
    "Owls eat <voles*, oats>.\n& Owls eat <moss, mice*>.",
    "Owls hunt at <night*, noon>.\n& Owls do hunt at <night*, noon>.",
    "[Nora] met [Lena]; <she = Nora*, Lena> sang.\n& It was <he = Tom, Max*> who sang.",
    "Owls <hunt*, sing>.\n& Elms <grow*, sing>.\n& Elms <fall*, run>.",
    "Ladles lie in <drawers*, bridges>.",
    "Ladles lie in <drawers, bridges, lorries*>.",
    "Ladles lie in <drawers, bridges, lorries, owls, elms*>.",
    "! ladles lie in <drawers*, bridges>",
    "<Owls, Voles*> fear <voles, owls*>.",
    "<Owls hunt.*, Owls hunts.>",
    "! <owls hunt, owls hunts*>",
)
UNKNOWN = (
    "Ladles lie in <? drawers, bridges, lorries>.",
    "Owls eat <? voles, oats>.\n& Owls like <? voles, oats>.",
    "<? Owls, Voles> fear <? voles, owls>.",
    "<? Owls hunt., Owls hunts.>",
)


def dataset(written: Sequence[str]) -> list[Entry]:
    """Entries that say a lot about themselves."""
    entries = []
    for number, grid in enumerate(map(parse_grid, written), 1):
        names = ", ".join(f"q{number}.{n}" for n, _ in enumerate(problems(grid)))
        entries.append(
            Entry(
                f"e{number}",
                grid,
                tags=("owls", "a/b")[: number % 3],
                note="" if number % 2 else "half-baked, as it were",
                flags=(("switchable", True), ("invertible", False))[: number % 3],
                extras=((NAMES, names), *[("x-from", "a “book”; p. 3")][: number % 2]),
            )
        )
    return entries


def exported(entries: Sequence[Entry], name: str, mode: Mode = Mode.BY_ANSWER) -> bytes:
    outgoing, export = Dataset(Header("own"), entries, mode=mode), find_export(name)
    if isinstance(export, FileExport):
        return "".join(export.pieces(outgoing, Exported())).encode()
    files = dict(export.files(outgoing, Exported()))
    return next(data for path, data in files.items() if path.endswith((".parquet", ".jsonl")))


def returned(entries: Sequence[Entry], name: str = "csv", mode: Mode = Mode.BY_ANSWER) -> Imported:
    return imported(FORMATS[name], exported(entries, name, mode))


@pytest.mark.parametrize("name", ["csv", "jsonl", "hf"])
@pytest.mark.parametrize("written", [HELD, UNKNOWN])
def test_what_a_table_can_hold_comes_back_as_it_was(name: str, written: tuple[str, ...]) -> None:
    entries = dataset(written)
    read = returned(entries, name)
    assert read.grids == {entry.id: print_grid(entry.grid) for entry in entries}
    assert read.entries == entries
    assert read.faults == []


@pytest.mark.parametrize("name", ["jsonl", "hf"])
def test_an_empty_field_comes_back_where_the_format_can_tell(name: str) -> None:
    entries = [Entry("e", parse_grid(HELD[0]), extras=((NAMES, "a, b"), ("x-empty", "")))]
    assert returned(entries, name).entries == entries


def test_names_of_problems_are_kept_from_then_on() -> None:
    (entry,) = returned([Entry("owl", parse_grid(HELD[0]))]).entries
    assert entry == Entry("owl", parse_grid(HELD[0]), extras=((NAMES, "owl-1, owl-2"),))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        # Bare sentences are finished in the table.
        ("owls <hunt, sing> by {night, day}", "Owls <hunt, sing> by {night, day}."),
        # An answer that opens its sentence has a capital there.
        ("<owls, voles> hunt by {night, day}.", "<Owls, Voles> hunt by {night, day}."),
        # Key phrases are what differs.
        ("Owls <hunt, sing> {by night, by day}.", "Owls <hunt, sing> by {night, day}."),
        ("Owls {, never} <hunt, sing>.", "{Owls, Owls never} <hunt, sing>."),
        # Rows that could make a schema do.
        ("Owls <hunt*, sing>.\n& Elms <hunt, sing*>.", "{Owls, Elms} <hunt, sing>."),
        # Candidates are marked wherever answers occur.
        (
            "The owl ate [the vole]; <it = the owl, the vole> was {hungry, tasty}.",
            "[The owl] ate [the vole]; <it = the owl, the vole> was {hungry, tasty}.",
        ),
        # A sentence is verbatim where it must be.
        ("! Owls <hunt*, sing>.", "Owls <hunt*, sing>."),
    ],
)
def test_what_a_table_cannot_tell_comes_back_as_it_is_read(written: str, read: str) -> None:
    assert list(returned([Entry("e", parse_grid(written))]).grids.values()) == [read]


def test_shared_words_in_the_middle_of_key_phrases_make_a_loose_pair() -> None:
    grid = parse_grid("Owls <hunt, sing> {here by night, there by day}.")
    read = returned([Entry("e", grid)])
    assert (read.kinds, read.told) == ({"loose pair": 1}, {"scattered-difference": 1})


def test_some_labels_among_unlabelled_problems_are_faults() -> None:
    entries = [Entry("a", parse_grid(HELD[12])), Entry("b", parse_grid(UNKNOWN[0]))]
    read = returned(entries)
    assert read.faults == [(3, "no label, but other problems have one")]


def sentences(grid: Grid, names: Sequence[str]) -> dict[str, tuple[frozenset[str], str]]:
    """By name, the sentences of each problem and the right one."""
    return {
        name: (
            frozenset(sentence.text for sentence in one.sentences),
            "" if one.right is None else one.sentences[one.right].text,
        )
        for name, one in zip(names, problems(grid), strict=True)
    }


@pytest.mark.parametrize("name", ["csv", "jsonl"])
@brisk
@given(grid=grids(tame))
def test_a_model_reads_the_same_sentences(name: str, grid: Grid) -> None:
    posed = problems(grid)
    assume(len({one.right is None for one in posed}) == 1)
    names = [f"e-{number}" for number in range(1, len(posed) + 1)] if len(posed) > 1 else ["e"]
    (entry,) = returned([Entry("e", grid)], name).entries
    order = dict(entry.extras)[NAMES].split(", ")
    assert sentences(entry.grid, order) == sentences(grid, names)
    # What has come back once comes back as it is.
    assert returned([entry], name).entries == [entry]


@pytest.mark.parametrize("name", ["csv", "jsonl", "hf"])
def test_schemas_come_back_from_solution_by_key(name: str) -> None:
    entries = dataset(HELD[:2])
    entries = [replace(entry, flags=()) for entry in entries]
    assert returned(entries, name, Mode.BY_KEY).entries == entries


def test_dyads_come_back_in_every_mode() -> None:
    written = "It is |true, false| that a lorry <can, cannot> pass under a {high, low} bridge."
    for mode in Mode:
        read = returned([Entry("e", parse_grid(written))], "csv", mode)
        told = {} if mode is Mode.BY_ANSWER else {"own-mode": 1}
        assert (read.grids, read.told) == ({"e": written}, told)


def test_whole_sentences_for_lm_eval_come_back_as_problems() -> None:
    entries = dataset(HELD)
    read = returned(entries, "lm-eval")
    assert read.faults == []
    for before, after in zip(entries, read.entries, strict=True):
        names = dict(before.extras)[NAMES].split(", ")
        order = dict(after.extras)[NAMES].split(", ")
        assert sentences(after.grid, order) == sentences(before.grid, names)


@pytest.mark.parametrize(
    ("form", "path"),
    [
        (copa.FORMAT_XML, "copa/balanced/balanced-copa-dev-all.xml"),
        (copa.FORMAT_XML, "copa/balanced/BCOPA-CE.xml"),
        (copa.FORMAT_SUPERGLUE, "copa/superglue/test.jsonl"),
        (swag.FORMAT, "swag/swag.csv"),
        (minimal_pairs.FORMAT_BLIMP, "blimp/npi_present_1.jsonl"),
        (minimal_pairs.FORMAT_CROWS_PAIRS, "crows_pairs/crows_pairs_anonymized.csv"),
        (winogrande.FORMAT, "winogrande/dev.jsonl"),
    ],
)
def test_published_datasets_come_back_as_they_were(form: Format, path: str) -> None:
    entries = imported_file(form.name, path).entries
    assert entries
    for name in ("csv", "jsonl", "hf"):
        assert returned(entries, name).entries == entries
