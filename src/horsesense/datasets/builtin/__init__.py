"""The datasets that come in the box, as schema files beside this one.

They were written for horsesense and are licensed CC BY 4.0, unlike the code.
"""

from __future__ import annotations

from importlib.resources import files
from io import BytesIO
from typing import BinaryIO

BUILT_IN = ("hs-adversarial", "hs-winograd")


def open_built_in(name: str) -> BinaryIO:
    """The schema file of a dataset that comes in the box.

    >>> with open_built_in("hs-winograd") as stream:
    ...     stream.readline()
    b'---\\n'
    """
    return BytesIO((files(__name__) / f"{name}.schemas").read_bytes())
