"""Datasets written for other programs: one module for each format.

What a format cannot hold is counted in the report, and nothing is lost in silence.
"""

from horsesense.datasets.exporters.outgoing import Exported, Made, Origin, Outgoing, Step, wrapped
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
    "Made",
    "Origin",
    "Outgoing",
    "Step",
    "find_export",
    "wrapped",
]
