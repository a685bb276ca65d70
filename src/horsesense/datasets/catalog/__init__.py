"""Published datasets that we know by the hashes of their files."""

from horsesense.datasets.catalog.catalogue import (
    KnownDataset,
    KnownFile,
    find_known,
    known_datasets,
)
from horsesense.datasets.catalog.recognition import Recognition, recognise

__all__ = [
    "KnownDataset",
    "KnownFile",
    "Recognition",
    "find_known",
    "known_datasets",
    "recognise",
]
