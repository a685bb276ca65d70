"""GGUF files: read once through transformers, and kept as a model folder with safetensors."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

from horsesense.errors import ModelError
from horsesense.models.huggingface.files.libraries import (
    check_libraries,
    reason,
    transformers_quietly,
)
from horsesense.models.huggingface.files.making import cannot_write, made_once
from horsesense.models.huggingface.files.manifest import hash_file

# A number of four bits becomes one of 32; with the scales a little less than eight times.
_GROWTH = 9
_HASH_SHOWN = 16
# What transformers needs besides to read such a file.
LIBRARIES = ("accelerate", "gguf")


def converted_folder(path: Path, cache: Path, progress: Callable[[str], None]) -> Path:
    """The folder with the model of a GGUF file; converted where it has not been yet."""
    sha256 = hash_file(path)
    target = cache / "models" / f"gguf-{sha256[:_HASH_SHOWN]}"
    return made_once(
        target,
        lambda folder: convert(path, folder, progress),
        needs_bytes=_GROWTH * path.stat().st_size,
        progress=progress,
    )


def convert(path: Path, folder: Path, progress: Callable[[str], None]) -> None:
    """Write the model of a GGUF file into a folder, in float32."""
    progress(f"converting {path.name} (once, a minute or more)")
    check_libraries(LIBRARIES)
    # Parts of the library draw progress bars of their own.
    with transformers_quietly() as transformers, redirect_stderr(StringIO()):
        try:
            tokenizer, network = _read(transformers, path)
            _put_around(tokenizer, path)
        except OSError as error:
            if error.errno is not None:  # a full disk is not the file's fault
                raise
            raise _unreadable(path, error) from error
        except Exception as error:  # the library raises whatever its parts raise
            raise _unreadable(path, error) from error
        try:
            network.save_pretrained(str(folder))
            tokenizer.save_pretrained(str(folder))
        except Exception as error:  # the library for weights has errors of its own for a full disk
            raise cannot_write(folder.parent, error) from error


def _read(transformers: Any, path: Path) -> tuple[Any, Any]:
    """The tokenizer and the model; the latter anew, as one from a GGUF file cannot be saved."""
    import torch

    place = {"gguf_file": path.name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(path.parent), **place)
    loaded = transformers.AutoModelForCausalLM.from_pretrained(
        str(path.parent), dtype=torch.float32, **place
    )
    config = loaded.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    network = type(loaded)(config)
    network.load_state_dict(loaded.state_dict())
    network.tie_weights()
    return tokenizer, network


def _put_around(tokenizer: Any, path: Path) -> None:
    """Let the tokenizer put BOS and EOS around a text if the file says so; transformers forgets."""
    from gguf import GGUFReader

    reader = GGUFReader(path)

    def said(key: str) -> Any:
        field = reader.get_field(f"tokenizer.ggml.{key}")
        return None if field is None else field.contents()

    begins = said("add_bos_token")
    if begins is None:
        begins = said("model") == "llama"  # what such files mean where they say nothing
    ids = tokenizer("x")["input_ids"]
    wants_bos = bool(begins) and tokenizer.bos_token_id is not None
    wants_eos = bool(said("add_eos_token")) and tokenizer.eos_token_id is not None
    if wants_bos and ids[0] != tokenizer.bos_token_id:
        tokenizer.add_bos_token = True
    if wants_eos and ids[-1] != tokenizer.eos_token_id:
        tokenizer.add_eos_token = True


def _unreadable(path: Path, error: Exception) -> ModelError:
    return ModelError(
        f"{path} cannot be read as a model: {reason(error)}\n"
        "  transformers reads GGUF files of common architectures; fetch it again if it is damaged"
    )
