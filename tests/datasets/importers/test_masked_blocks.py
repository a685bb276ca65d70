from collections import Counter
from pathlib import Path

import pytest

from horsesense.datasets.importers.formats.blocks import (
    BY_APPEARANCE,
    SPACE_AFTER_GAP,
)
from horsesense.datasets.importers.formats.blocks import (
    FORMAT_MASKED_BLOCKS as FORMAT,
)
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import BY_NEIGHBOURS, BY_OPTIONS, NO_TWINS, Journal
from horsesense.schema import Entry, Header, Issue, IssueKind, Kind, LooseGrid
from horsesense.schema.notation import print_grid

DATA = Path(__file__).parents[3].parent / "shared" / "data"


def block(sentence: str, candidates: str, right: str) -> str:
    return f"{sentence}\n[MASK]\n{candidates}\n{right}\n"


HUNGRY = block("The owl ate the vole as [MASK] was hungry.", "The owl,The vole", "The owl")
TASTY = block("The owl ate the vole as [MASK] was tasty.", "The vole,The owl", "The vole")
LORRY = block("Nora drove the lorry under the bridge, but [MASK] was too high.", "x,y", "y")


def read(*blocks: str, off: tuple[str, ...] = ()) -> tuple[dict[str, str], list[Issue]]:
    """The grids by their ids, and the issues."""
    file = SourceFile("own.txt", "\n".join(blocks).encode())
    reading = FileImport(file, FORMAT, Header("own"), Journal(off), keep_going=True)
    return {entry.id: print_grid(entry.grid) for entry in reading}, reading.issues()


def test_candidates_are_ordered_by_appearance_where_the_right_one_always_comes_first() -> None:
    grids, issues = read(HUNGRY, TASTY)
    assert grids == {
        "1": "[The owl] ate [the vole] as <_ = the owl, the vole> was {hungry, tasty}."
    }
    (repair,) = (issue for issue in issues if issue.name == BY_APPEARANCE)
    assert (repair.kind, repair.line, repair.problem) == (IssueKind.REPAIR, 0, "")
    assert repair.odd == "the right candidate is the first in all 2 blocks"


def test_the_published_order_stands_where_it_gives_nothing_away_or_the_repair_is_off() -> None:
    grids, issues = read(HUNGRY.replace("The owl,The vole", "The vole,The owl"))
    assert grids["1"] == "[2: The owl] ate [1: the vole] as <_ = the vole, the owl*> was hungry."
    assert BY_APPEARANCE not in {issue.name for issue in issues}
    grids, issues = read(TASTY, off=(BY_APPEARANCE,))
    assert grids["1"] == "[2: The owl] ate [1: the vole] as <_ = the vole*, the owl> was tasty."
    assert [issue.kind for issue in issues if issue.name == BY_APPEARANCE] == [IssueKind.ODDITY]


def test_candidates_that_do_not_occur_come_last_by_the_alphabet() -> None:
    sentence = "Up there sits an owl that saw how [MASK] fled."
    grids, _ = read(block(sentence, "Rita,an owl,Emma", "Rita"))
    assert grids["1"].endswith("<_ = an owl, Emma, Rita*> fled.")


def test_there_may_be_more_than_two_candidates_and_the_gap_may_open_a_sentence() -> None:
    sentence = "The owl met Nora and Lena. [MASK] spoke."
    grids, issues = read(block(sentence, " Nora , the owl , Lena ", " Lena "))
    assert grids["1"] == (
        "[2: The owl] met [1: Nora] and [3: Lena]. <_ = Nora, the owl, Lena*> spoke."
    )
    assert [one.name for one in issues] == [NO_TWINS, "exterior-whitespace", "answer-capital"]


def test_neighbours_with_the_same_options_are_twins() -> None:
    lid = "Lena put the lid on the jar, for [MASK] was {}."
    others = [block(lid.format(word), "the lid,the jar", "the jar") for word in ("open", "shut")]
    grids, issues = read(HUNGRY, TASTY, *others)
    assert list(grids) == ["1", "3"]
    assert [(issue.kind, issue.line) for issue in issues if issue.name == BY_NEIGHBOURS] == [
        (IssueKind.STEP, 0)
    ]


def test_two_schemas_told_in_turns_are_paired_by_their_options() -> None:
    nora = "Nora told {} that [MASK] {}."
    blocks = [
        block(nora.format(who, what), f"Nora,{who}", right or who)
        for what, right in (("had won", "Nora"), ("could go", ""))
        for who in ("Lena", "someone")
    ]
    grids, issues = read(*blocks)
    assert grids == {
        "1": "[Nora] told [Lena] that <_ = Nora, Lena> {had won, could go}.",
        "2": "[Nora] told [someone] that <_ = Nora, someone> {had won, could go}.",
    }
    assert [issue.name for issue in issues] == [BY_OPTIONS]


def test_one_problem_without_a_twin_among_many_pairs_stays_alone() -> None:
    blocks = [
        block(f"Nora told {who} that [MASK] {what}.", f"Nora,{who}", who)
        for first, second in ("AB", "CD", "EF", "GH", "IJ")
        for what in ("won", "lost")
        for who in (f"Lady {first}", f"Lady {second}")
    ]
    grids, issues = read(LORRY.replace("x,y\ny", "the lorry,the bridge\nthe lorry"), *blocks)
    assert len(grids) == 11
    assert BY_OPTIONS in {issue.name for issue in issues}


def test_a_file_of_unlike_problems_has_no_twins() -> None:
    lorry = LORRY.replace("x,y\ny", "the lorry,the bridge\nthe lorry")
    grids, issues = read(HUNGRY, lorry, TASTY)
    assert list(grids) == ["1", "2", "3"]
    assert {BY_NEIGHBOURS, BY_OPTIONS}.isdisjoint(issue.name for issue in issues)


def test_a_space_between_the_gap_and_a_punctuation_mark_goes() -> None:
    one = block("When Nora met Lena, an owl saw [MASK] .", "Lena,Nora", "Nora")
    grids, issues = read(one)
    assert grids["1"] == "When [2: Nora] met [1: Lena], an owl saw <_ = Lena, Nora*>."
    assert [issue.name for issue in issues] == [NO_TWINS, SPACE_AFTER_GAP]
    grids, _ = read(one, off=(SPACE_AFTER_GAP,))
    assert grids["1"].endswith("<_ = Lena, Nora*> .")


def test_tokenised_text_stays_as_it_is() -> None:
    one = block("When Nora met Lena , an owl saw [MASK] .", "Lena,Nora", "Nora")
    grids, issues = read(one)
    assert grids["1"] == "When [2: Nora] met [1: Lena] , an owl saw <_ = Lena, Nora*> ."
    assert [issue.name for issue in issues] == [NO_TWINS]


def test_a_sentence_without_a_gap_or_with_two_is_a_fault() -> None:
    none, two = HUNGRY.replace("[MASK] was", "it was"), HUNGRY.replace("ate", "[MASK] ate")
    grids, issues = read(none, two, HUNGRY)
    assert list(grids) == ["3"]
    assert [(issue.line, issue.odd) for issue in issues if issue.kind is IssueKind.FAULT] == [
        (1, "0 gaps '[MASK]' where one is expected"),
        (6, "2 gaps '[MASK]' where one is expected"),
    ]


def test_a_look_tells_the_format() -> None:
    for text, expected in (
        (HUNGRY, True),
        (HUNGRY.replace("[MASK]", "it"), False),
        (HUNGRY.replace("as [MASK]", "as it"), False),
        ("", False),
    ):
        assert FORMAT.looks_like(SourceFile("own.txt", text.encode())) is expected


def published(path: str) -> tuple[list[Entry], Counter[str]]:
    """The entries of a published file, and how often each issue came up."""
    if not (DATA / path).exists():
        pytest.skip(f"the published {path} is not at hand")
    file = SourceFile(path, (DATA / path).read_bytes())
    assert FORMAT.looks_like(file)
    reading = FileImport(file, FORMAT, Header("own"), Journal(), keep_going=True)
    entries = list(reading)
    return entries, Counter(issue.name for issue in reading.issues())


def rights(entries: list[Entry]) -> Counter[int | None]:
    grids = [entry.grid for entry in entries]
    return Counter(row.right for grid in grids if isinstance(grid, LooseGrid) for row in grid.rows)


def test_the_published_wsc273_has_its_schemas() -> None:
    entries, names = published("kocijan_masked/wsc273.txt")
    kinds = Counter(entry.grid.kind for entry in entries)
    assert kinds == {Kind.SUBSTITUTION: 133, Kind.LOOSE: 3}
    assert (names["several-twins"], names["answers-differ"]) == (1, 2)
    # The eighteen of Table 3.1 of the thesis.
    assert (names[BY_APPEARANCE], names[BY_NEIGHBOURS], names[SPACE_AFTER_GAP]) == (1, 1, 18)


def test_the_published_pdp_has_no_twins_and_up_to_five_candidates() -> None:
    entries, names = published("kocijan_masked/PDP.txt")
    grids = [entry.grid for entry in entries]
    sizes = Counter(len(grid.rows[0].answers) for grid in grids if isinstance(grid, LooseGrid))
    assert sizes == {2: 45, 3: 12, 4: 1, 5: 2}
    assert rights(entries) == {0: 32, 1: 20, 2: 7, 3: 1}
    assert {BY_NEIGHBOURS, BY_OPTIONS, BY_APPEARANCE}.isdisjoint(names)


def test_the_published_winogender_is_paired_by_its_options() -> None:
    entries, names = published("kocijan_masked/WinoGender.txt")
    kinds = Counter(entry.grid.kind for entry in entries)
    assert kinds == {Kind.SUBSTITUTION: 92, Kind.LOOSE: 28}
    assert names == {BY_OPTIONS: 1, "blank-in-difference": 28}


def test_the_published_wikicrem_does_not_give_its_answers_away() -> None:
    entries, names = published("wikicrem/WikiCREM_dev.txt")
    # One statement holds a letter that grows in lower case.
    assert len(entries) + names["not-usable"] == 10_000
    assert len(entries) >= 9_999
    assert {entry.grid.kind for entry in entries} == {Kind.SINGLE}
    assert names[BY_APPEARANCE] == 1
    positions = rights(entries)
    assert min(positions[0], positions[1]) > 4_000
