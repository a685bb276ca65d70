"""How many schemas of published files the no-candidate perturbation covers, and how well.

These are the figures of docs/reference/perturbations.md.
"""

import json
import re
from collections.abc import Iterator

import pytest

from horsesense.datasets.importers import open_import
from horsesense.datasets.importers.source import SourceFile
from horsesense.perturbations import TRANSFORMATIONS, Perturbed, perturb
from horsesense.perturbations.catalogue.no_candidate import NO_CANDIDATE
from horsesense.schema import BLANK, Entry, Header, problems
from horsesense.schema.material import PROBLEMS
from tests.datasets.importers.imported import published

XML = "wsc_xml/273/WSCollection.xml"
SQUARE_ONE = "winograd_square_one/winohard/"
# Entries, those covered with all candidates marked, those covered when others are looked for.
COVERED = {
    XML: (136, 97, 114),
    "wsc_xml/285/WSCollection.xml": (142, 103, 120),
    "wsc266/wsc266.txt": (133, 133, 133),
    SQUARE_ONE + "pairs/wsc.jsonl": (136, 97, 114),
    SQUARE_ONE + "pairs/wsc_non_associative.jsonl": (110, 81, 94),
    SQUARE_ONE + "pairs/dev.jsonl": (284, 278, 278),
    "enhanced_wsc/enhanced_wsc.tsv": (142, 103, 119),
    "trinh_le/wsc273.json": (136, 98, 115),
    "kocijan_masked/wsc273.txt": (136, 97, 114),
    "pdp60/PDPChallenge2016.xml": (60, 57, 57),
    "dpr/train.c.txt": (661, 648, 648),
    "superglue_wsc/train.jsonl": (238, 155, 155),
    "wnli/train.tsv": (256, 134, 153),
    "winogrande/dev.jsonl": (983, 972, 972),
}


def entries_of(name: str, recipe: str = "") -> list[Entry]:
    return list(open_import(published(name), Header("measured"), recipe=recipe))


def bared(entries: list[Entry], start: str = "capital") -> Iterator[Perturbed]:
    done = perturb(entries, NO_CANDIDATE, NO_CANDIDATE.settings({"start": start}))
    return (one for one in done if isinstance(one, Perturbed))


def is_all_marked(one: Perturbed) -> bool:
    return one.how == "the candidates deleted"


def statements(done: Perturbed) -> dict[str, str]:
    """The statements after the perturbation, by the names of the problems in the file."""
    names = dict(done.entry.extras)[PROBLEMS].split(", ")
    texts = [one.statement.text for one in problems(done.entry.grid)]
    return dict(zip(names, texts, strict=True))


@pytest.mark.parametrize("name", COVERED)
def test_so_many_schemas_are_covered(name: str) -> None:
    entries = entries_of(name)
    done = list(bared(entries))
    assert (len(entries), sum(map(is_all_marked, done)), len(done)) == COVERED[name]


def test_what_is_found_in_the_wsc_is_deleted_as_in_the_published_files() -> None:
    """WSC266's recipe gives the published files to the byte; the plain XML has the answers only."""
    expected = {
        name: text
        for done in bared(entries_of(XML, "wsc266"))
        for name, text in zip(
            dict(done.entry.extras)["x-wsc273"].split(", "), statements(done).values(), strict=True
        )
    }
    same = {True: [0, 0], False: [0, 0]}
    for done in bared(entries_of(XML)):
        for name, text in statements(done).items():
            if name in expected:
                counts = same[is_all_marked(done)]
                counts[0] += text == expected[name]
                counts[1] += 1
    # Two of the fifteen others keep a longer noun whole that the published files cut into.
    assert same == {True: [177, 192], False: [34, 34]}


def test_winogrande_is_as_elazar_et_al_have_it_but_for_spaces_and_endings() -> None:
    lines = published(SQUARE_ONE + "no_cands/dev.jsonl").text.splitlines()
    expected = {row["qID"]: row["sentence"].strip() for row in map(json.loads, lines)}
    pairs = [
        (text.replace(BLANK, "_"), expected[name])
        for done in bared(entries_of(SQUARE_ONE + "pairs/dev.jsonl"), "lower")
        for name, text in statements(done).items()
        if name in expected
    ]
    assert len(pairs) == 542
    assert sum(ours == theirs for ours, theirs in pairs) == 394
    assert all(normal(ours) == normal(theirs) for ours, theirs in pairs)


def normal(text: str) -> str:
    """The text without possessive endings that stand alone and spaces before punctuation."""
    text = re.sub(r"\s['’](s\b|(?=\s))", "", f" {text}")
    return re.sub(r"\s+", " ", re.sub(r"\s+(?=[,.;:?!)])", "", text)).strip()


def test_switching_leaves_alone_what_only_deleting_may_look_for() -> None:
    """«His» would have to change, too; so a candidate must be marked to change places."""
    entries = entries_of(XML)
    switched = TRANSFORMATIONS["switched"]
    done = perturb(entries, switched, switched.settings())
    ids = {one.entry.id for one in done if isinstance(one, Perturbed)}
    assert ids.isdisjoint(one.entry.id for one in bared(entries) if not is_all_marked(one))


@pytest.mark.parametrize(
    ("statement", "after"),
    [
        ("The cat lay near the mouse hole because ___ was", ""),
        (
            "The mouse hole was deep and the cat saw the mouse because ___ was",
            "The mouse hole was deep and saw because ___ was",
        ),
        (
            "The cat watched the mouse hole until the mouse left because ___ was",
            "Watched the mouse hole until left because ___ was",
        ),
    ],
)
def test_a_table_is_not_cut_in_a_longer_noun(statement: str, after: str) -> None:
    rows = "".join(
        f"{number},a,{statement} {key}.,the cat,the mouse,{number},it\n"
        for number, key in enumerate(("big", "small"), start=1)
    )
    table = "id,schema,text,option1,option2,answer,pronoun\n" + rows
    entries = list(open_import(SourceFile("mice.csv", table.encode()), Header("mice")))
    assert len(entries) == 1
    texts = [text for done in bared(entries) for text in statements(done).values()]
    assert texts == ([f"{after} big.", f"{after} small."] if after else [])
