"""Corrupt the bytes of a store, and check how the commands react.

The store holds datasets, a perturbation with its ledger, a model's answers and a run. It is damaged
by overwriting bytes, runs of bytes or pages, or by truncating the file. Each command that shows the
content of the store must then print the same as before, or fail with an error that reports the
damage. Different text or numbers without such an error are a failure, and so is a traceback.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from horsesense.cli.main import cli
from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.protocol.running import run_protocol
from horsesense.models import Answers, Family, ModelInfo, causal_query
from horsesense.results import Plan
from horsesense.store import QueryRun, Store, keep_answers, load_answers

LIMIT_SECONDS = 60.0
_STORE = "horsesense.db"
_PAGE = 4096
_PIER = """\
---
name: pier
title: At the pier
author: nobody
licence: CC BY 4.0
---
[Nora] threw [Lena] the rope because <she = Nora, Lena> was {ashore, drowning}.
    id: rope
    tags: people, water
    switchable: yes
[Ivo] thanked [Emil] because <he = Ivo, Emil> had {eaten, cooked}.
    id: meal
    note: gratitude goes to the cook
[Jana] lent [Vera] the ladder because <she = Jana, Vera> {did not need it, had none}.
    id: ladder
    tags: people
[The hose] did not reach [the pump] because <it = the hose, the pump> was too {short, far away}.
    id: hose
    switchable: no
a boiling pot is <hotter, colder> than a {lukewarm, glowing} one
    id: pot
"""
# In WinoGrande's format, with oddities that become issues.
_BERTH = """\
{"qID": "c-1", "sentence": "The crane lifted the barge because the _ was strong.", \
"option1": "crane", "option2": "barge", "answer": "1"}
{"qID": "c-2", "sentence": "The crane lifted the barge because the _ was light.", \
"option1": "crane", "option2": "barge", "answer": "2"}
{"qID": "t-1", "sentence": "Nora envied Lena the mooring, for  _ had none.", \
"option1": "Nora", "option2": "Lena", "answer": "1"}
"""
_MADE: tuple[tuple[str, ...], ...] = (
    ("dataset", "import", "pier.schemas"),
    ("dataset", "import", "berth.jsonl", "--name", "berth"),
    ("perturb", "apply", "switched", "pier", "--unreviewed"),
    ("perturb", "review", "pier.switched", "--by", "Ada", "--accept", "meal"),
    ("perturb", "review", "pier.switched", "--by", "Bo", "--reject", "ladder"),
)
_SHOWN: tuple[tuple[str, ...], ...] = (
    ("dataset", "list", "--all", "--json"),
    ("dataset", "show", "pier"),
    ("dataset", "show", "berth", "--json"),
    ("dataset", "show", "pier", "rope"),
    ("dataset", "search", "ladder"),
    ("dataset", "search", "the", "--json"),
    ("dataset", "issues", "berth", "--all"),
    ("dataset", "export", "pier"),
    ("score", "--dataset", "pier.switched", "--model", "first", "--json"),
    ("perturb", "list", "--in-store", "--json"),
    ("perturb", "show", "pier.switched", "--left-out", "--json"),
    ("perturb", "show", "pier.switched", "meal"),
    ("perturb", "diff", "pier.switched", "--json"),
    ("runs", "list", "--json"),
    ("runs", "show", "--json"),
    ("report",),
    ("report", "--format", "json"),
    ("profile", "longer", "--json"),
    ("compare", "longer", "first", "--json"),
    ("why", "--model", "longer", "--json"),
    ("why", "pier/rope.1", "--model", "longer"),
    ("cache", "stats", "--json"),
)
_MODEL = ModelInfo(
    name="parrot",
    family=Family.CAUSAL,
    architecture="Parrot",
    weights="aa" * 32,
    tokenizer="bb" * 32,
    revision="",
    dtype="float32",
    device="cpu",
    parameters=1000,
    vocabulary=50,
    context=100,
    before=(1,),
    after=(),
)
_QUERY_RUN = QueryRun("a1", "parrot", "2026-01-01T00:00:00+00:00", "1", "2", "5", "tree", "")
_ANSWERS: Answers = [
    (causal_query((1, number % 50, number // 50 + 2, 7)), (-0.5 * (number + 1), -1.25, -3.0))
    for number in range(60)
]


@dataclass(frozen=True)
class Sound:
    """The bytes of a sound store, and the output of the commands."""

    data: bytes
    printed: dict[tuple[str, ...], tuple[int, str]]


@dataclass(frozen=True)
class Spoilt:
    """A store with some of its bytes changed."""

    data: bytes
    sound: Sound

    def __repr__(self) -> str:
        pairs = enumerate(zip(self.data, self.sound.data, strict=False))
        places = [place for place, (now, before) in pairs if now != before]
        return f"a store of {len(self.data)} bytes, changed at {places[:20]}"


def prepare(folder: Path) -> Sound:
    """Make a store with data of every kind, and run every command on it."""
    with _inside(folder):
        Path("pier.schemas").write_text(_PIER)
        Path("berth.jsonl").write_text(_BERTH)
        for command in _MADE:
            result = CliRunner().invoke(cli, command, catch_exceptions=False)
            assert result.exit_code == 0, result.output
        with Store.open(Path(_STORE)) as store:
            keep_answers(store, _MODEL, _QUERY_RUN, _ANSWERS)
            plan = Plan(models=("longer", "first"), data=("pier",), resamples=50)
            run_protocol(plan, store)
        printed = {command: _run(command)[:2] for command in _SHOWN}
        for command, (code, _) in printed.items():
            assert code == 0, (command, printed[command])
        return Sound(Path(_STORE).read_bytes(), printed)


def spoil(rng: random.Random, good: Sound) -> Spoilt:
    """Overwrite bytes, runs of bytes or pages of a store, or truncate it."""
    data = bytearray(good.data)
    for _ in range(rng.choice((1, 1, 1, 2, 5, 20))):
        start = rng.randrange(len(data))
        match rng.randrange(12):
            case 0 | 1 | 2 | 3 | 4:
                data[start] = rng.randrange(256)
            case 5 | 6:
                data[start] = ord(rng.choice("aeiost 0123459"))
            case 7 | 8:
                data[start] ^= 1 << rng.randrange(8)
            case 9:
                end = min(len(data), start + rng.randint(2, 60))
                data[start:end] = rng.randbytes(end - start)
            case 10:
                page = start // _PAGE * _PAGE
                other = rng.randrange(len(data)) // _PAGE * _PAGE
                page_of_other = good.data[other : other + _PAGE]
                zeros = bytes(min(_PAGE, len(data) - page))
                data[page : page + _PAGE] = rng.choice((zeros, page_of_other[: len(zeros)]))
            case _ if rng.random() < 0.3:
                del data[max(start, 1) :]
            case _:
                data[start : start + 4] = bytes(len(data[start : start + 4]))
    return Spoilt(bytes(data), good)


def attempt(spoilt: Spoilt, folder: Path) -> bool:
    """Run every command; return whether the damage made no difference to any."""
    with _inside(folder):
        is_same = True
        for command, sound in spoilt.sound.printed.items():
            _place(spoilt.data)
            result = _run(command)
            code, _, errors = result
            if result[:2] != sound and code != StoreError.exit_code and "damaged" not in errors:
                raise AssertionError(
                    f"{' '.join(command)} prints {_differing(sound, result)} without reporting"
                    " the damage"
                )
            is_same &= result[:2] == sound
        _place(spoilt.data)
        is_same &= _answers_are_sound()
        _check_and_repair(spoilt.data, is_same=is_same)
    return is_same


def _check_and_repair(data: bytes, *, is_same: bool) -> None:
    """Assert that `store check` finds the damage, and that a repair leaves a usable file."""
    _place(data)
    code, output, errors = _run(("store", "check"))
    assert is_same or code != 0, f"store check finds nothing: {output}"
    _run(("dataset", "check"))
    for former in Path().glob("*-repaired.db*"):
        former.unlink()
    _place(data)
    code, output, errors = _run(("store", "check", "--repair", "--json"))
    if code == StoreError.exit_code:
        return  # it cannot be opened at all
    copy = json.loads(output)["copy"]
    code, output, errors = _run(("--store", copy or _STORE, "store", "check"))
    is_whole = "the file is damaged" not in errors and "the search index: sound" in output
    assert is_whole, f"after a repair: {output} {errors}"


def _run(command: tuple[str, ...]) -> tuple[int, str, str]:
    """Run a command; return its exit code, standard output and standard error. Bugs raise."""
    result = CliRunner().invoke(cli, command, catch_exceptions=False)
    return result.exit_code, result.stdout, result.stderr


def _answers_are_sound() -> bool:
    """Return whether all answers load; those that do must equal the ones that were kept."""
    try:
        with Store.open(Path(_STORE)) as store:
            loaded = load_answers(store, _MODEL, [query for query, _ in _ANSWERS])
    except HorsesenseError:
        return False
    kept = dict(_ANSWERS)
    for query, numbers in loaded.answers.items():
        assert numbers == kept[query], f"an answer is {numbers} but was {kept[query]}"
    return len(loaded.answers) == len(kept)


def _differing(sound: tuple[int, str], result: tuple[int, str, str]) -> str:
    if sound[0] != result[0]:
        return f"(exit code {result[0]}) {result[1][:200]!r}"
    pairs = zip(sound[1].splitlines(), result[1].splitlines(), strict=False)
    changed = (f"{after!r} instead of {before!r}" for before, after in pairs if before != after)
    return next(changed, f"{len(result[1])} characters instead of {len(sound[1])}")


def _place(data: bytes) -> None:
    """Put a store in the working folder, and remove the log of an earlier one."""
    for leftover in Path().glob(f"{_STORE}-*"):
        leftover.unlink()
    Path(_STORE).write_bytes(data)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Work in a folder with its own store, whatever the environment says."""
    before, store = Path.cwd(), os.environ.get("HORSESENSE_STORE")
    os.environ["HORSESENSE_STORE"] = _STORE
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        if store is None:
            del os.environ["HORSESENSE_STORE"]
        else:
            os.environ["HORSESENSE_STORE"] = store
