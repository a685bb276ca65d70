"""Boolean wrappers: `It is |true, false| that …` makes a dyad of a schema (thesis 3.5.6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from horsesense.errors import SchemaError
from horsesense.schema.axis import Axis, AxisName, Slot, check_axis
from horsesense.schema.english import (
    decapitalise,
    is_finished_text,
    is_several_sentences,
    name_at_start,
    names_inside,
    opens_sentences,
    without_full_stop,
)
from horsesense.schema.frame import Candidate, Frame, Target, join_parts, text_of
from horsesense.schema.schema import Schema

TRUTH_SLOT = Slot(AxisName.TRUTH, 0)


@dataclass(frozen=True, slots=True)
class BooleanWrapper:
    """A sentence around a schema, with a truth pair: the first value affirms the schema."""

    before: Frame
    after: Frame
    truths: Axis

    def __post_init__(self) -> None:
        if len(self.truths) != 2 or self.truths.placeholders != 1:
            raise SchemaError("a truth pair is two phrases in one placeholder", axis="truth")
        check_axis(self.truths, AxisName.TRUTH, may_be_empty=False)
        if (*self.before, *self.after).count(TRUTH_SLOT) != 1:
            raise SchemaError("a wrapper has one truth placeholder", axis="truth")


def wrap(schema: Schema, wrapper: BooleanWrapper) -> Schema:
    """The dyad of a schema: its sentence inside the wrapper's, with the truth axis added.

    A schema written as a finished sentence loses its full stop, and its first word loses
    the capital unless it is a name as far as `english.is_name` can tell. A schema written
    bare is taken as it stands, so that a capital there is a name's.
    """
    if schema.is_dyad:
        raise SchemaError("a dyad is already wrapped", axis="truth")
    text = text_of(schema.frame)
    if is_several_sentences(text):
        raise SchemaError("only one sentence fits into a wrapper, and this has several")
    if text.endswith(("?", "!")):
        raise SchemaError("only a statement fits into a wrapper")
    inner = _opened(schema) if _is_finished(schema) else schema
    frame = join_parts((*wrapper.before, *inner.frame, *wrapper.after))
    # What is wrapped is no longer what somebody published, so it is put right again.
    return replace(inner, frame=frame, truths=wrapper.truths, verbatim=False)


def lowered_word(schema: Schema) -> str:
    """The word that loses its capital in a wrapper and might be a name; empty if there is none."""
    if not _is_finished(schema):
        return ""
    for before, after in zip(_first_texts(schema), _first_texts(_opened(schema)), strict=True):
        if before != after and not opens_sentences(before):
            return before.split(" ")[0]
    return ""


def _first_texts(schema: Schema) -> list[str]:
    """The texts that the sentence may begin with."""
    first = schema.frame[0]
    if isinstance(first, Slot):
        return [value[0] for value in schema.axes[first.axis].values]
    return [first.text if isinstance(first, Candidate) else first]


def _is_finished(schema: Schema) -> bool:
    last = schema.frame[-1]
    return isinstance(last, str) and is_finished_text(last)


def _opened(schema: Schema) -> Schema:
    """A finished sentence as it would stand inside another: no full stop, no capital."""
    *parts, last = schema.frame
    first, *rest = join_parts((*parts, without_full_stop(str(last))))
    texts = [schema.sentence(cell).text for cell in schema.cells]
    names = set[str]().union(*map(names_inside, texts), *map(name_at_start, texts))
    if isinstance(first, Slot):
        schema = _with_first_phrase_lowered(schema, first.axis, names)
    elif isinstance(first, Candidate):
        first = Candidate(first.number, decapitalise(first.text, names))
    else:
        first = decapitalise(first, names)
    return replace(schema, frame=(first, *rest))


def _with_first_phrase_lowered(schema: Schema, axis: AxisName, names: Collection[str]) -> Schema:
    """The schema with lower case in what fills its first placeholder, names apart."""
    lowered = Axis(
        tuple((decapitalise(value[0], names), *value[1:]) for value in schema.axes[axis].values)
    )
    if axis is AxisName.KEY:
        return replace(schema, keys=lowered)
    target = schema.target and Target(decapitalise(schema.target.written, names))
    return replace(schema, answers=lowered, target=target)
