"""Published datasets that we know by the hashes of their files."""

from horsesense.datasets.catalog.catalogue import (
    KnownDataset,
    KnownFile,
    Recognition,
    Repository,
    find_known,
    known_datasets,
    misspelt,
    published,
    recognise,
)

__all__ = [
    "KnownDataset",
    "KnownFile",
    "Recognition",
    "Repository",
    "find_known",
    "known_datasets",
    "misspelt",
    "published",
    "recognise",
]
