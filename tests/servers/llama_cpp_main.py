"""Serve a GGUF file with llama.cpp's own server until standard input is closed.

The tests run this file with the Python that has the package xllamacpp. It prints the address.

Usage: python llama_cpp_main.py FILE SLOTS TOKENS_PER_SLOT [ALIAS]
"""

import sys

import xllamacpp


def main(path: str, slots: str, context: str, alias: str = "") -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    if alias:
        parameters.model_alias = {alias}
    parameters.n_parallel = int(slots)
    parameters.n_ctx = int(slots) * int(context)
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 2
    parameters.verbosity = 1
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
