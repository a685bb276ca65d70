"""Serve a GGUF file with llama.cpp's own server until standard input is closed.

The tests run this file with the Python that has the package xllamacpp. It prints the address.

Usage: python llama_cpp_main.py FILE ALIAS SLOTS TOKENS_PER_SLOT THREADS
"""

import sys
from importlib import import_module


def main(path: str, alias: str, slots: str, context: str, threads: str) -> None:
    xllamacpp = import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.model_alias = {alias}
    parameters.n_parallel = int(slots)
    parameters.n_ctx = int(slots) * int(context)
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = int(threads)
    parameters.verbosity = 1
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
