"""Corrupt plans in YAML: bytes, values, aliases, tags and deep nesting."""

from __future__ import annotations

import random
import re
from pathlib import Path

from fuzz.spoiling import spoil_bytes
from horsesense.errors import HorsesenseError
from horsesense.evaluation.protocol import parse_plan, plan_from, plan_text, read_plan
from horsesense.evaluation.protocol.plans import check_fields

LIMIT_SECONDS = 2.0
_PLACE = re.compile(r"plan\.yaml:\d+: ")
GOOD = [
    "models: [gpt2, ./checkpoint]\ndata: hs-winograd\nlimit: 20\nmemory: 2\n",
    "# x\nperturbations:\n  - switched\n  - by-key\nsubsets: [associative, not (a or b)]\n",
    "models: gpt2\nfrequencies: table.txt\nallow_pickle: yes\nseed: 7\nresamples: 1000\n",
    'wrapper: "It is |true, false| that …"\nties: half\nstraddling: suffix\ndtype: float32\n',
    "device: cpu\nbatch: auto\nmethods: [full, partial]\nsample: null\nperturbations: all\n",
    "models: &m [gpt2]\ndata: *m\nseed: 0x10\nmemory: 1.5\n",
]
_NAMES = [
    *("models", "data", "subsets", "sample", "first", "limit", "seed"),
    *("memory", "wrapper", "device", "batch", "x"),
]
_VALUES = [
    *("9" * 5_000, "0x" + "f" * 20_000, "0b1", "0o7", "1_000", "1:2:3", "1:" * 500 + "1", "1e999"),
    *("2001-99-99", "2001-12-14", "2001-12-14t21:59:43.10-05:00", "!!timestamp x", "!!int x"),
    *("!!float x", "!!bool x", "!!null x", "!!binary =", "!!set {a, b}", "!!omap [a: b]"),
    *("!!pairs [a: b]", "!!python/object:os.system {}", "!x y", "!<tag:x> y", "!!str", "!!map []"),
    *(".nan", "-.inf", "~", "null", "yes", "-0", "=", "<<", "''", '"\\ud800"', '"\\0"', '"\\x07"'),
    *("[" * 3_000, "{a: " * 3_000, "[" * 60 + "]" * 60, "- " * 800 + "x", "? " * 500 + "x"),
    *("(" * 2_000 + "a", "not " * 3_000 + "a", "a or " * 3_000 + "a", "x" * 20_000, "{[a]: b}"),
    *("&a [*a]", "*nothing", "&a", "{? [a] : b}", "|\n  text\n", ">-\n  text\n", "'", '"', "%TAG"),
]
_BOMBS = [
    "a: &a [x, x]\n"
    + "".join(
        f"{c}: &{c} [*{p}, *{p}, *{p}]\n"
        for p, c in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=True)
    ),
    "models: &a [x, x]\n"
    + "".join(
        f"data: &{c} [*{p}, *{p}, *{p}]\n"
        for p, c in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=True)
    ),
    "models: [&a [x, x]"
    + "".join(
        f", &{c} [*{p}, *{p}, *{p}]"
        for p, c in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=True)
    )
    + "]\n",
    "models:\n  - &a {k: 1}\n"
    + "".join(
        f"  - &{c} {{<<: [*{p}, *{p}, *{p}]}}\n"
        for p, c in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=True)
    ),
    "seed: &a {b: *a}\n",
]


def prepare(folder: Path) -> list[str]:
    """Return the good plans."""
    return GOOD


def spoil(rng: random.Random, good: list[str]) -> bytes:
    """Put troublesome values into a good plan, change its bytes, or both."""
    text = rng.choice(good)
    if rng.random() < 0.6:
        lines = text.splitlines(keepends=True)
        line = f"{rng.choice(_NAMES)}: {rng.choice(_VALUES)}\n"
        if rng.random() < 0.3:
            line = f"{rng.choice(_NAMES)}: [{rng.choice(_VALUES)}, {rng.choice(_VALUES)}]\n"
        if rng.random() < 0.1:
            line = rng.choice(_BOMBS)
        lines.insert(rng.randrange(len(lines) + 1), line)
        text = "".join(lines)
    data = text.encode()
    return spoil_bytes(rng, data, most=4) if rng.random() < 0.5 else data


def attempt(spoilt: bytes, folder: Path) -> bool:
    """Read it as `run` does, and write it back; an error must name the file and the line."""
    path = folder / "plan.yaml"
    path.write_bytes(spoilt)
    try:
        values = read_plan(path)
    except HorsesenseError as error:
        if not _PLACE.search(str(error)):
            raise AssertionError(f"the message does not name a line: {str(error)[:200]}") from error
        if len(str(error)) > 2_000:
            raise AssertionError("the message is far too long") from error
        raise
    plan = plan_from(values)
    check_fields(plan)
    again = plan_from(parse_plan(plan_text(plan)))
    if again != plan:
        raise AssertionError(f"a written plan reads differently: {plan} and {again}")
    return True
