"""Published datasets that we know by the hashes of their files."""

from horsesense.known.catalogue import KnownDataset, KnownFile, find_known, known_datasets
from horsesense.known.recognition import Recognition, recognise

__all__ = [
    "KnownDataset",
    "KnownFile",
    "Recognition",
    "find_known",
    "known_datasets",
    "recognise",
]
