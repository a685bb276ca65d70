from horsesense.datasets.importers.formats.blocks import Block, read_blocks
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.schema import IssueKind

OWL = "The owl ate the vole because it was hungry.\nit\nThe owl,the vole\nThe owl\n"
LADLE = "Nora put the ladle into the drawer and shut it.\nit\nthe ladle,the drawer\nthe drawer\n"


def read(data: bytes) -> tuple[list[Block], list[tuple[int, str, str]]]:
    """The blocks, and the faults with their lines and problems."""
    journal = Journal()
    blocks = list(read_blocks(SourceFile("own.txt", data), journal))
    return blocks, [(fault.line, fault.problem, fault.odd) for fault in journal.faults]


def test_blocks_are_numbered_and_know_their_lines() -> None:
    blocks, faults = read(f"\n{OWL}\n \n{LADLE}".encode())
    assert faults == []
    owl = "The owl ate the vole because it was hungry."
    assert blocks[0] == Block(1, 2, owl, "it", ("The owl", "the vole"), 0)
    ladle = blocks[1]
    assert (ladle.number, ladle.line, ladle.right, ladle.name) == (2, 8, 1, "2")
    assert ladle.choice == {"the ladle", "the drawer"}


def test_lines_may_end_as_windows_ends_them() -> None:
    blocks, faults = read(f"{OWL}\n{LADLE}".replace("\n", "\r\n").encode())
    assert ([block.number for block in blocks], faults) == ([1, 2], [])


def test_a_broken_block_is_a_fault_and_is_counted() -> None:
    blocks, faults = read(f"{OWL}\nIt rained.\nit\n\n{LADLE}\n{LADLE}extra\n".encode())
    assert [block.number for block in blocks] == [1, 3]
    expected = "expected are 4: sentence, pronoun or gap, candidates, right candidate"
    assert faults == [
        (6, "2", f"a block of 2 lines; {expected}"),
        (14, "4", f"a block of 5 lines; {expected}"),
    ]


def test_a_file_that_breaks_off_is_a_fault_at_its_last_block() -> None:
    blocks, faults = read(f"{OWL}\nIt rained.".encode())
    assert ([block.number for block in blocks], faults[0][:2]) == ([1], (6, "2"))


def test_candidates_that_cannot_be_used_are_faults_at_their_lines() -> None:
    one = OWL.replace("The owl,the vole", "The owl")
    empty = OWL.replace("The owl,the vole", "The owl,")
    other = OWL.replace("\nThe owl\n", "\nthe owl\n")
    blocks, faults = read(f"{one}\n{empty}\n{other}\n{OWL}".encode())
    assert [block.number for block in blocks] == [4]
    assert faults == [
        (3, "1", "'The owl' is not a comma-separated list of candidates"),
        (8, "2", "'The owl,' is not a comma-separated list of candidates"),
        (14, "3", "the right candidate 'the owl' is none of 'The owl', 'the vole'"),
    ]


def test_bytes_that_are_no_utf_8_spoil_their_block_alone() -> None:
    blocks, faults = read(OWL.encode() + b"\nCaf\xe9.\nit\na,b\na\n\n" + LADLE.encode())
    assert [block.number for block in blocks] == [1, 3]
    assert faults[0] == (6, "", "byte 0xe9 at column 4 is not UTF-8")
    assert faults[1][:2] == (7, "2")


def test_stray_spaces_around_candidates_go_and_are_reported() -> None:
    journal = Journal()
    text = OWL.replace("The owl,the vole\nThe owl", " The owl , the  vole\nThe owl ")
    (block,) = read_blocks(SourceFile("own.txt", text.encode()), journal)
    assert (block.candidates, block.right) == (("The owl", "the vole"), 0)
    assert [(issue.kind, issue.name, issue.line, issue.problem) for issue in journal.issues()] == [
        (IssueKind.STEP, "double-spaces", 1, "1"),
        (IssueKind.STEP, "exterior-whitespace", 1, "1"),
    ]
