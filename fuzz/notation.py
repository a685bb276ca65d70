"""Corrupt schema files, for the notation.

Bytes of good files are flipped, removed, doubled, or inserted from other files or from a list of
troublemakers. Whatever the result, the program may raise only its own errors, must finish within a
second, and must be able to read back what it prints of the entries it accepted.
"""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path

from horsesense.errors import HorsesenseError
from horsesense.schema import Entry, Header, Schema, doubts, modes, problems, schemas, wrap
from horsesense.schema.notation import SchemaFile, parse_grid, parse_wrapper, print_file, print_grid

LIMIT_SECONDS = 1.0
GOOD = [
    "a lorry <can, cannot> pass under a {high, low} bridge\n    id: lorry\n    tags: a, b\n",
    "{owls, voles} ⟨do, do not⟩ eat {voles, owls}.\n    note: who eats whom\n",
    '[The lid] missed [the jar] as <it = the lid, the jar> was too {wide, "tall, thin"}.\n'
    '    switchable: no\n    adjectival: the red lid, "the blue, old lid"\n    unbalanced: x y z\n',
    "It is |true, false| that {ice, steam} <does, does not> melt into {steam, ice}\n    x-own: 1\n",
    "[2: Bo] met [1: Al] and <his's = Al*, Bo, Cy> dog barked.\n& <? He = Al, Bo> ran {\n",
    '<The owls sleep.*, "The owls, sleeps.">\n# a comment\n---\n',
    "---\nname: set\nlicence: CC BY 4.0\n---\n"
    "{, not} all <a\\>b, c\\,d> \\[x\\] \\# \\\\ ‖plausible, odd‖\n",
    'She said <? her\'s = Ada, Ida> cat {slept, "ran, \\"fast\\""}\n    voice: {a, b} <c, d>\n',
]
_MARKS = "{}<>⟨⟩|‖[]\\\",=*?#&:'…é漢\u2028\ufeff\x00\t\n -"
_PIECES = [
    "...",
    "---",
    "\r\n",
    "    ",
    "\n& ",
    "\n    id: x\n",
    "<a*, b>",
    "{a, b}",
    "[a]",
    "{" * 9,
]
_NOT_UTF8 = [b"\xff", b"\xc3", b"\xed\xa0\x80"]
TROUBLE = [*map(str.encode, _MARKS), *map(str.encode, _PIECES), *_NOT_UTF8, b"|a, b|", b"x" * 200]


def prepare(folder: Path) -> list[str]:
    """Return the good files."""
    return GOOD


def spoil(rng: random.Random, good: list[str]) -> bytes:
    """Make one to eight changes to a good file, or to two of them joined."""
    data = bytearray("".join(rng.choices(good, k=rng.randint(1, 2))).encode())
    for _ in range(rng.randint(1, 8)):
        place = rng.randrange(len(data) + 1)
        end = min(len(data), place + rng.randint(1, 12))
        match rng.randrange(5):
            case 0:
                data[place:place] = rng.choice(TROUBLE)
            case 1:
                del data[place:end]
            case 2:
                data[place:place] = data[place:end]
            case 3 if place < len(data):
                data[place] = rng.randrange(256)
            case _:
                other = rng.choice(good).encode()
                start = rng.randrange(len(other))
                data[place:end] = other[start : start + rng.randint(1, 30)]
    return bytes(data)


def attempt(data: bytes, folder: Path) -> bool:
    """Read it in every way there is; return whether it was a sound file."""
    file = SchemaFile(BytesIO(data), "fuzz", "fuzz")
    entries = list(file.sound_entries())
    for entry in entries:
        use(entry)
    check_file_comes_back(file.header, entries)
    text = data.decode(errors="surrogateescape")
    for read in (parse_grid, parse_wrapper):
        try:
            read(text)
        except HorsesenseError as error:
            str(error)
    for fault in file.errors:
        str(fault)
    return not file.errors


def use(entry: Entry) -> None:
    """Use a sound entry as the program does."""
    grid = entry.grid
    if parse_grid(print_grid(grid)) != grid:
        raise AssertionError(f"printing and reading back changes {print_grid(grid)!r}")
    for mode in modes(grid):
        problems(grid, mode)
        schemas(grid, mode)
    list(doubts(grid))
    if isinstance(grid, Schema):
        try:
            wrap(grid, parse_wrapper("It is |true, false| that …"))
        except HorsesenseError as error:
            str(error)


def check_file_comes_back(header: Header, entries: list[Entry]) -> None:
    """Check that a file printed from sound entries is sound and reads back the same."""
    printed = "".join(print_file(header, entries)).encode()
    again = SchemaFile(BytesIO(printed), "again", "again")
    if list(again.sound_entries()) != entries or (entries and again.errors):
        raise AssertionError(f"a printed file reads differently: {printed!r}")
