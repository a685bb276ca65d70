"""The nouns: schemas as grids of sentences, the problems they pose, datasets of them.

Pure, standard library only. Everything else in the program meets text through this package.
"""

from horsesense.schema.axis import (
    Axis,
    AxisName,
    Cell,
    Phrases,
    Slot,
    find_unprintable,
    pair,
    transposed,
)
from horsesense.schema.dataset import Entry, Header, Named, check_name, check_tags
from horsesense.schema.doubts import doubts
from horsesense.schema.filling import BLANK, Sentence, Span, fill
from horsesense.schema.frame import Candidate, Frame, Part, Target, candidates_of, join_parts
from horsesense.schema.loose import LooseGrid, Row
from horsesense.schema.material import FLAGS, OWN, PHRASES, VERSIONS, check_own_name
from horsesense.schema.problem import Grid, Mode, Problem, fixed_axis, modes, problems, schemas
from horsesense.schema.schema import Kind, Schema
from horsesense.schema.wrapper import BooleanWrapper, lowered_word, wrap

__all__ = [
    "BLANK",
    "FLAGS",
    "OWN",
    "PHRASES",
    "VERSIONS",
    "Axis",
    "AxisName",
    "BooleanWrapper",
    "Candidate",
    "Cell",
    "Entry",
    "Frame",
    "Grid",
    "Header",
    "Kind",
    "LooseGrid",
    "Mode",
    "Named",
    "Part",
    "Phrases",
    "Problem",
    "Row",
    "Schema",
    "Sentence",
    "Slot",
    "Span",
    "Target",
    "candidates_of",
    "check_name",
    "check_own_name",
    "check_tags",
    "doubts",
    "fill",
    "find_unprintable",
    "fixed_axis",
    "join_parts",
    "lowered_word",
    "modes",
    "pair",
    "problems",
    "schemas",
    "transposed",
    "wrap",
]
