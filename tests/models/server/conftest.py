from collections.abc import Iterator

import pytest

from tests.servers.llama_cpp import llama_cpp_server


@pytest.fixture(scope="session")
def llama_cpp_url() -> Iterator[str]:
    """The address of llama.cpp's own server with the embedded default and four slots."""
    with llama_cpp_server() as url:
        yield url
