"""Import published dataset files; `formats` has one module per format."""

from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.reading import (
    FORMATS,
    IMPORTER_VERSION,
    FileImport,
    described_issues,
    find_format,
    guess_format,
    is_published,
    needs_attention,
    open_import,
)
from horsesense.datasets.importers.source import SourceFile

__all__ = [
    "FORMATS",
    "IMPORTER_VERSION",
    "Companions",
    "Format",
    "FileImport",
    "SourceFile",
    "described_issues",
    "find_format",
    "guess_format",
    "is_published",
    "needs_attention",
    "open_import",
]
