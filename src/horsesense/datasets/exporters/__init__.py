"""Datasets written for other programs: one module for each format.

What a format cannot hold is counted in the report, and nothing is lost in silence.
"""

from horsesense.datasets.exporters.exported import Exported, wrapped
from horsesense.datasets.exporters.registry import (
    EXPORTS,
    Export,
    FileExport,
    FolderExport,
    find_export,
)

__all__ = [
    "EXPORTS",
    "Export",
    "Exported",
    "FileExport",
    "FolderExport",
    "find_export",
    "wrapped",
]
