"""Key phrases masked: a control in which the two problems of a schema are one (Abdou et al.).

Nothing is left that could decide, so no answer is right. A model that prefers one of them all the
same prefers a candidate, or a place in the sentence.
"""

from __future__ import annotations

from horsesense.perturbations.candidates import CLOSES_UP
from horsesense.perturbations.catalogue.cutting import with_capital
from horsesense.perturbations.transformation import (
    Level,
    NotApplicable,
    Parameter,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Voucher,
    needs_schema,
)
from horsesense.schema import (
    AxisName,
    Entry,
    Frame,
    LooseGrid,
    Part,
    Row,
    Slot,
    capitalise,
    join_parts,
    starts_sentence,
)


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
    schema, mask = needs_schema(entry.grid), settings["mask"]
    if schema.is_dyad:
        raise NotApplicable("a dyad has a truth pair besides")
    if not mask and any(not "".join(phrases) for phrases in schema.keys.values):
        raise NotApplicable("a key phrase is empty, so one of the problems would stay")
    frame = masked(schema.frame, mask)
    row = Row(frame, schema.answers, None, schema.target, schema.verbatim)
    how = f"{mask} for the key phrase" if mask else "the key phrase removed"
    return Rewriting(with_capital(LooseGrid((row,))), how, Voucher.RULE)


def masked(frame: Frame, mask: str) -> Frame:
    """The frame with a mask for every key phrase; where there is no mask, spaces close up."""
    parts = [mask if _is_key(part) else part for part in frame]
    if not parts[0] and isinstance(parts[1], str):
        parts[1] = parts[1].lstrip(" ,;:")  # what set the key phrase off from the rest
    for place, part in enumerate(frame):
        if _is_key(part) and not mask and 0 < place < len(frame) - 1:
            parts[place - 1], parts[place + 1] = _closed_up(parts[place - 1], parts[place + 1])
    return join_parts(parts)


def _is_key(part: Part) -> bool:
    return isinstance(part, Slot) and part.axis is AxisName.KEY


def _closed_up(before: Part, after: Part) -> tuple[Part, Part]:
    """The neighbours of a gap: no space before a comma, a capital where a sentence starts now."""
    if not isinstance(before, str) or not isinstance(after, str):
        return before, after
    if before.strip(" ") and starts_sentence(before):
        after = capitalise(after)
    if after.startswith(CLOSES_UP) and not after[1:2].isdigit():
        before = before.rstrip(" ")
    return before, after


KEY_MASKED = Transformation(
    name="key-masked",
    version=1,
    title="the key phrases removed or masked",
    source="Abdou et al. 2020, section 5.1",
    level=Level.SCHEMA,
    touches=frozenset({Touch.KEYS, Touch.FRAME}),
    precondition="a substitution or transposition schema whose key phrases are not empty",
    not_for="dyads, and problems without key phrases",
    right=Right.NONE,
    purpose=Purpose.CONTROL,
    tests="whether a model prefers a candidate, or a place in the sentence, where nothing decides",
    example="[The broom] did not go behind [the door] because <it = the broom, the door> was too "
    "{thick, near}.\n",
    rewrite=_rewrite,
    parameters=(
        Parameter("mask", "", "what stands for the key phrase, such as [MASK]; nothing, if empty"),
    ),
)
