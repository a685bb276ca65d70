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
    is_plain,
    pair,
    transposed,
)
from horsesense.schema.dataset import CLUSTER, Entry, Header, Named, check_name, check_tags
from horsesense.schema.doubts import doubts
from horsesense.schema.english import (
    capitalise,
    decapitalise,
    ends_sentence,
    is_finished_text,
    is_possessive,
    is_several_sentences,
    names_inside,
    opens_sentences,
    possessive,
    starts_sentence,
    with_full_stop,
    without_full_stop,
)
from horsesense.schema.filling import BLANK, MAY_OPEN, STOPS, Sentence, Span, fill
from horsesense.schema.frame import Candidate, Frame, Part, Target, candidates_of, join_parts
from horsesense.schema.issue import Issue, IssueKind
from horsesense.schema.loose import LooseGrid, Row
from horsesense.schema.material import FLAGS, OWN, PHRASES, VERSIONS, check_own_name
from horsesense.schema.problem import (
    Grid,
    Mode,
    Problem,
    fixed_axis,
    fixed_order,
    mode_to_pose,
    modes,
    problems,
    schemas,
)
from horsesense.schema.problem_tags import (
    add_own_tags,
    all_tags,
    extras_in,
    fields_of_tags,
    own_tags,
    problem_tags,
)
from horsesense.schema.proved import proved_row, proved_schema
from horsesense.schema.schema import Kind, Schema
from horsesense.schema.wrapper import BooleanWrapper, lowered_word, wrap

__all__ = [
    "BLANK",
    "FLAGS",
    "MAY_OPEN",
    "OWN",
    "PHRASES",
    "STOPS",
    "VERSIONS",
    "CLUSTER",
    "Axis",
    "AxisName",
    "BooleanWrapper",
    "Candidate",
    "Cell",
    "Entry",
    "Frame",
    "Grid",
    "Header",
    "Issue",
    "IssueKind",
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
    "all_tags",
    "candidates_of",
    "capitalise",
    "check_name",
    "check_own_name",
    "check_tags",
    "decapitalise",
    "doubts",
    "ends_sentence",
    "extras_in",
    "fields_of_tags",
    "fill",
    "find_unprintable",
    "fixed_axis",
    "fixed_order",
    "mode_to_pose",
    "is_finished_text",
    "is_plain",
    "is_possessive",
    "is_several_sentences",
    "join_parts",
    "lowered_word",
    "modes",
    "names_inside",
    "opens_sentences",
    "own_tags",
    "pair",
    "possessive",
    "problem_tags",
    "problems",
    "proved_row",
    "proved_schema",
    "schemas",
    "starts_sentence",
    "transposed",
    "with_full_stop",
    "add_own_tags",
    "without_full_stop",
    "wrap",
]
