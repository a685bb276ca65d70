"""One-line notation and schema files: text to schemas, and back.

Reading and printing are inverse; errors say where and what would be right.
"""

from horsesense.schema.notation.fields import Fields, written_fields
from horsesense.schema.notation.file import (
    FENCE,
    READER,
    READER_VERSION,
    SchemaFile,
    dataset_id,
    joined_entry,
    print_entry,
    print_file,
    print_header,
    read_schemas,
)
from horsesense.schema.notation.parser import (
    MAX_LINE,
    WRAPPERS,
    parse_grid,
    parse_wrapper,
    print_wrapper,
)
from horsesense.schema.notation.printer import content_id, grid_id, print_grid

__all__ = [
    "FENCE",
    "MAX_LINE",
    "READER",
    "READER_VERSION",
    "WRAPPERS",
    "Fields",
    "SchemaFile",
    "content_id",
    "dataset_id",
    "grid_id",
    "joined_entry",
    "parse_grid",
    "parse_wrapper",
    "print_entry",
    "print_file",
    "print_grid",
    "print_header",
    "print_wrapper",
    "read_schemas",
    "written_fields",
]
