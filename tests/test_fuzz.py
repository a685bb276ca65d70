"""Run every fuzzer for a short time, and check that they notice a program that misbehaves."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fuzz.runner import KINDS, fuzz, save
from horsesense.errors import FileError

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_short_fuzz_finds_nothing(kind: str) -> None:
    report = fuzz(kind, seed=7, count=300, seconds=2)
    assert report.inputs > 0
    assert report.sound + report.refused == report.inputs
    assert not report.findings, "\n".join(map(str, report.findings))


@pytest.fixture
def owls(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A kind that reads small numbers, refuses odd ones, and fails at some."""

    class Owls(ModuleType):
        LIMIT_SECONDS = 0.1

        @staticmethod
        def prepare(folder: Path) -> int:
            return 12

        @staticmethod
        def spoil(rng: random.Random, good: int) -> int:
            return rng.randrange(good)

        @staticmethod
        def attempt(spoilt: int, folder: Path) -> bool:
            assert folder.is_dir()
            if spoilt == 3:
                raise FileError("\ud800")
            if spoilt == 5:
                raise IndexError
            if spoilt == 7:
                started = time.process_time()
                while time.process_time() - started < 0.25:
                    pass
            while spoilt == 9:
                pass
            if spoilt % 2:
                raise FileError("odd")
            return spoilt < 9

    module = Owls("fuzz.owls")
    monkeypatch.setitem(sys.modules, "fuzz.owls", module)
    return module


def number_of(spoilt: int) -> int:
    """Return the number of the first input of seed 0 with this value."""
    numbers = range(1, 10_000)
    return next(n for n in numbers if random.Random(f"owls:0:{n}").randrange(12) == spoilt)


@pytest.mark.parametrize(
    "spoilt, what",
    [
        (3, "UnicodeEncodeError in runner.py"),
        (5, "IndexError in test_fuzz.py"),
        (7, "took more than 0.1 s"),
        (9, "given up after 10 times its limit"),
    ],
)
def test_what_goes_wrong_is_found_and_saved(
    owls: Any, spoilt: int, what: str, tmp_path: Path
) -> None:
    number = number_of(spoilt)
    report = fuzz("owls", only=number)
    (finding,) = report.findings
    assert finding.what.startswith(what)
    assert f"python -m fuzz owls --seed 0 --only {number}" in str(finding)
    assert list(report.summary()) == [f"  1 × {finding.what}"]
    (path,) = save(report, tmp_path)
    assert path.name == f"fuzz-owls-0-{number}.txt"
    assert f"\n{spoilt}\n" in path.read_text()


def test_what_is_sound_or_refused_is_counted(owls: Any) -> None:
    reports = {spoilt: fuzz("owls", only=number_of(spoilt)) for spoilt in (2, 1, 10)}
    counted = {spoilt: (report.sound, report.refused) for spoilt, report in reports.items()}
    assert counted == {2: (1, 0), 1: (0, 1), 10: (0, 1)}
    assert str(reports[2]).startswith("owls: 1 inputs of seed 0: 1 sound, 0 rejected, 0 findings; ")


def test_the_command_says_what_it_did(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "fuzz", "--folder", str(tmp_path), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)

    clean = run("notation", "--count", "50", "--seed", "3")
    assert (clean.returncode, clean.stderr) == (0, "")
    assert clean.stdout.startswith("notation: 50 inputs of seed 3: ")
    unknown = run("owls")
    assert unknown.returncode == 2
    assert "unknown kind 'owls'; choose from notation, importers, logs" in unknown.stderr
