"""Spoil the bytes of a store, and see what the commands make of it.

A sound store with datasets, a perturbation and its ledger, a model's answers and a run is spoilt
by overwriting bytes, runs of bytes or pages, or by cutting the file. Each command that shows what
the store holds must then show the same as before, or refuse with an error that tells of the
damage. Text or numbers that differ without a word are a failure, and so is a traceback.
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
from horsesense.store import AskingRun, Store, keep_answers, load_answers

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
# In WinoGrande's form, with oddities that become issues.
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
_ASKED = AskingRun("a1", "parrot", "2026-01-01T00:00:00+00:00", "1", "2", "5", "tree", "")
_ANSWERS: Answers = [
    (causal_query((1, at % 50, at // 50 + 2, 7)), (-0.5 * (at + 1), -1.25, -3.0))
    for at in range(60)
]


@dataclass(frozen=True)
class Sound:
    """The bytes of a sound store, and what the commands print of it."""

    data: bytes
    printed: dict[tuple[str, ...], tuple[int, str]]


@dataclass(frozen=True)
class Spoilt:
    """A store with some of its bytes changed."""

    data: bytes
    sound: Sound

    def __repr__(self) -> str:
        pairs = enumerate(zip(self.data, self.sound.data, strict=False))
        places = [at for at, (now, before) in pairs if now != before]
        return f"a store of {len(self.data)} bytes, changed at {places[:20]}"


def prepare(folder: Path) -> Sound:
    """Make a store that has something of everything, and ask every command for it."""
    with _inside(folder):
        Path("pier.schemas").write_text(_PIER)
        Path("berth.jsonl").write_text(_BERTH)
        for command in _MADE:
            result = CliRunner().invoke(cli, command, catch_exceptions=False)
            assert result.exit_code == 0, result.output
        with Store.open(Path(_STORE)) as store:
            keep_answers(store, _MODEL, _ASKED, _ANSWERS)
            plan = Plan(models=("longer", "first"), data=("pier",), resamples=50)
            run_protocol(plan, store)
        printed = {command: _ask(command)[:2] for command in _SHOWN}
        for command, (code, _) in printed.items():
            assert code == 0, (command, printed[command])
        return Sound(Path(_STORE).read_bytes(), printed)


def spoil(rng: random.Random, good: Sound) -> Spoilt:
    """Overwrite bytes, runs of bytes or pages of a store, or cut it short."""
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
                lost = bytes(min(_PAGE, len(data) - page))
                data[page : page + _PAGE] = rng.choice((lost, page_of_other[: len(lost)]))
            case _ if rng.random() < 0.3:
                del data[max(start, 1) :]
            case _:
                data[start : start + 4] = bytes(len(data[start : start + 4]))
    return Spoilt(bytes(data), good)


def attempt(spoilt: Spoilt, folder: Path) -> bool:
    """Ask every command for what it shows; True if the damage made no difference to any."""
    with _inside(folder):
        is_same = True
        for command, sound in spoilt.sound.printed.items():
            _lay(spoilt.data)
            told = _ask(command)
            if told[:2] != sound and told[0] != StoreError.exit_code and "damaged" not in told[2]:
                raise AssertionError(
                    f"{' '.join(command)} says {_differing(sound, told)} and nothing of the damage"
                )
            is_same &= told[:2] == sound
        _lay(spoilt.data)
        is_same &= _answers_are_sound()
        _check_and_repair(spoilt.data, is_same=is_same)
    return is_same


def _check_and_repair(data: bytes, *, is_same: bool) -> None:
    """What a command has complained of is found by the check, and a repair leaves a usable file."""
    _lay(data)
    code, told, beside = _ask(("store", "check"))
    assert is_same or code != 0, f"store check finds nothing: {told}"
    _ask(("dataset", "check"))
    for former in Path().glob("*-repaired.db*"):
        former.unlink()
    _lay(data)
    code, told, beside = _ask(("store", "check", "--repair", "--json"))
    if code == StoreError.exit_code:
        return  # it cannot be opened at all
    copy = json.loads(told)["copy"]
    code, told, beside = _ask(("--store", copy or _STORE, "store", "check"))
    is_whole = "the file is damaged" not in beside and "the search index: sound" in told
    assert is_whole, f"after a repair: {told} {beside}"


def _ask(command: tuple[str, ...]) -> tuple[int, str, str]:
    """The exit code of a command, its output and what it says beside; a bug has its traceback."""
    result = CliRunner().invoke(cli, command, catch_exceptions=False)
    return result.exit_code, result.stdout, result.stderr


def _answers_are_sound() -> bool:
    """Whether all answers come back; those that do must be the ones that were given."""
    try:
        with Store.open(Path(_STORE)) as store:
            loaded = load_answers(store, _MODEL, [query for query, _ in _ANSWERS])
    except HorsesenseError:
        return False
    given = dict(_ANSWERS)
    for query, numbers in loaded.answers.items():
        assert numbers == given[query], f"an answer is {numbers} and was {given[query]}"
    return len(loaded.answers) == len(given)


def _differing(sound: tuple[int, str], told: tuple[int, str, str]) -> str:
    if sound[0] != told[0]:
        return f"(exit code {told[0]}) {told[1][:200]!r}"
    pairs = zip(sound[1].splitlines(), told[1].splitlines(), strict=False)
    changed = (f"{after!r} in place of {before!r}" for before, after in pairs if before != after)
    return next(changed, f"{len(told[1])} characters in place of {len(sound[1])}")


def _lay(data: bytes) -> None:
    """Put a store in the working folder, without a log of an earlier one."""
    for left in Path().glob(f"{_STORE}-*"):
        left.unlink()
    Path(_STORE).write_bytes(data)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Work in a folder with a store of its own, whatever the environment says."""
    before, named = Path.cwd(), os.environ.pop("HORSESENSE_STORE", None)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        if named is not None:
            os.environ["HORSESENSE_STORE"] = named
