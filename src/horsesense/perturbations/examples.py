"""The example that a transformation brings along."""

from __future__ import annotations

from io import BytesIO

from horsesense.perturbations.transformation import Transformation
from horsesense.schema import Entry
from horsesense.schema.notation import SchemaFile


def example_of(transformation: Transformation) -> Entry:
    """The entry of ours on which the transformation can be seen."""
    (entry,) = SchemaFile(BytesIO(transformation.example.encode()), "example", "example")
    return entry
