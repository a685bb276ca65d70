"""Self-tests of engines, and the cached records of their outcomes.

When weights are loaded, an engine tests each optimization against single sentences, which takes as
long as a dozen of them. The outcome depends on nothing but what `record_key` lists, so it is cached
under that key. A record also says what was dropped and why. If it is missing, damaged or has
another key, the tests run again.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from horsesense.models.huggingface.engines.budget import is_out_of_memory
from horsesense.models.huggingface.manifest import write_atomically
from horsesense.models.protocol import Answers, ModelInfo
from horsesense.models.query import Query

# The source that outcomes depend on.
_SOURCE = Path(__file__).parents[1]
_LIBRARIES = ("torch", "transformers", "safetensors", "numpy")
# Environment variables with which these libraries choose other instructions.
_SETTINGS = ("ATEN_", "DNNL_", "MKL_", "ONEDNN_", "TORCH_")
_CPUINFO = Path("/proc/cpuinfo")
# The fields of a processor on x86 and on ARM.
_CPU_FIELDS = frozenset(
    ["vendor_id", "cpu family", "model", "model name", "stepping", "flags"]
    + ["CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features"]
)


class SelfTests:
    """The outcomes of self-tests: for each part why it is not used, or an empty text if it is.

    A part that has an outcome already is not tested again.
    """

    def __init__(self, outcomes: Mapping[str, str] | None = None) -> None:
        self.outcomes = dict(outcomes or {})
        # Only outcomes that are new and will be the same next time are worth a record.
        self.has_new = self.has_passing = False

    @property
    def dropped(self) -> tuple[str, ...]:
        """The reasons why parts are not used, each once."""
        return tuple(dict.fromkeys(filter(None, self.outcomes.values())))

    def run(
        self,
        part: str,
        answer: Callable[[Sequence[Query]], Answers],
        expected: Callable[[], Mapping[Query, tuple[float, ...]]],
        *,
        tolerance: float,
        variant: str = "",
        singles: str = "single sentences",
    ) -> str:
        """Return why a part cannot be used; empty if it can.

        `answer` computes answers with it, and `expected` the right ones, as `singles`; errors of
        the latter are raised. `variant` tells several ways to use the same part apart.
        """
        name = f"{part}, {variant}" if variant else part
        if name not in self.outcomes:
            right = expected()
            self.has_new = True
            self.outcomes[name] = self._tested(part, answer, right, tolerance, singles)
        return self.outcomes[name]

    def _tested(
        self,
        part: str,
        answer: Callable[[Sequence[Query]], Answers],
        right: Mapping[Query, tuple[float, ...]],
        tolerance: float,
        singles: str,
    ) -> str:
        try:
            answers = dict(answer(list(right)))
        except Exception as error:  # architectures reject unknown inputs in many ways
            self.has_passing |= is_out_of_memory(error)
            return f"it rejects {part} ({_summary(error)})"
        drift = max(
            abs(a - b)
            for query, values in right.items()
            for a, b in zip(answers[query], values, strict=True)
        )
        if drift <= tolerance:
            return ""
        return f"its numbers for {part} differ from {singles} (by {drift:.2g})"


def _summary(error: Exception) -> str:
    """Return the class and the first line of an error that an architecture raised."""
    line = next(iter(str(error).splitlines()), "")[:120]
    return f"{type(error).__name__}: {line}"


def record_key(info: ModelInfo, **use: object) -> dict[str, str]:
    """Return everything that outcomes depend on: the model, its use, the libraries, the machine."""
    import torch

    return {
        "model": info.fingerprint,
        "dtype": info.dtype,
        "device": info.device,
        **{name: str(value) for name, value in use.items()},
        **{name: _version(name) for name in _LIBRARIES},
        "source": _source_hash(),
        "threads": str(torch.get_num_threads()),
        "processor": _processor(),
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "accelerator": _accelerator(info.device, torch),
        "settings": _settings(os.environ),
    }


def load_outcomes(cache_folder: Path, key: Mapping[str, str]) -> dict[str, str]:
    """Load the outcomes that were recorded under that key; empty if there is no valid record."""
    try:
        record = json.loads(_path(cache_folder, key).read_bytes())
        outcomes = record["outcomes"]
        is_valid = (
            record["key"] == key
            and record["sha256"] == _hash(record["key"], outcomes)
            and all(isinstance(reason, str) for reason in outcomes.values())
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
    return outcomes if is_valid else {}


def save_outcomes(cache_folder: Path, key: Mapping[str, str], outcomes: Mapping[str, str]) -> None:
    """Record outcomes; if the cache is not writable, the tests run every time."""
    record = {"key": dict(key), "outcomes": dict(outcomes), "sha256": _hash(key, outcomes)}
    write_atomically(_path(cache_folder, key), json.dumps(record, indent=1).encode())


def _path(cache_folder: Path, key: Mapping[str, str]) -> Path:
    return cache_folder / "self-tests" / f"{_hash(key)[:32]}.json"


def _hash(*content: object) -> str:
    """Return the SHA-256 of mappings as JSON."""
    text = json.dumps([dict(part) for part in content], sort_keys=True)  # type: ignore[call-overload]
    return hashlib.sha256(text.encode()).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@cache
def _source_hash() -> str:
    """Return a hash of the source of the models, so that a changed engine is tested again."""
    digest = hashlib.sha256()
    for path in sorted(_SOURCE.rglob("*.py")):
        digest.update(f"{path.relative_to(_SOURCE).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _processor() -> str:
    """Return the kind of processor with its instruction set; all cores are assumed to be equal."""
    try:
        lines = _CPUINFO.read_text(encoding="utf-8").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    fields = (line.partition(":") for line in lines)
    known = {name.strip(): value.strip() for name, _, value in fields}
    return "; ".join(f"{name}: {known[name]}" for name in sorted(_CPU_FIELDS & known.keys()))


def _accelerator(device: str, torch: Any) -> str:
    if not device.startswith("cuda"):
        return ""
    return f"{torch.cuda.get_device_name(device)} {torch.version.cuda}"


def _settings(environment: Mapping[str, str]) -> str:
    """Return the environment variables that change how libraries compute."""
    names = sorted(name for name in environment if name.startswith(_SETTINGS))
    return " ".join(f"{name}={environment[name]}" for name in names)
