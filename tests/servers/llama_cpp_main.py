"""Serve a GGUF file with llama.cpp's own server until standard input is closed.

The tests run this file with the Python that has the package xllamacpp. It prints the address.

Usage: python llama_cpp_main.py FILE ALIAS SLOTS TOKENS_PER_SLOT THREADS [exact]

With `exact`, it computes everything in float32, as far as the file has it.
"""

import sys
from importlib import import_module


def main(path: str, alias: str, slots: str, context: str, threads: str, mode: str = "") -> None:
    xllamacpp = import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.model_alias = {alias}
    parameters.n_parallel = int(slots)
    parameters.n_ctx = int(slots) * int(context)
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = int(threads)
    if mode == "exact":
        parameters.cache_type_k = parameters.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
        attention = xllamacpp.llama_flash_attn_type
        parameters.flash_attn_type = attention.LLAMA_FLASH_ATTN_TYPE_DISABLED
    parameters.verbosity = 1
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
