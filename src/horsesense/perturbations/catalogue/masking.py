"""Key phrases masked as a control (key-masked), or guessed where they are one word (zero-shot).

In zero-shot (Elazar et al.), the right answer replaces the pronoun and the word that distinguishes
the two problems becomes the blank. The schema is inverted, not rewritten. A masked model can
compare words of one token without knowing the length of the answer.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from horsesense.perturbations.candidates import CLOSES_UP
from horsesense.perturbations.catalogue.cutting import with_capital
from horsesense.perturbations.catalogue.modes import voucher_for_inversion
from horsesense.perturbations.transformation import (
    NOTHING,
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
    Kind,
    LooseGrid,
    LooseProblem,
    Mode,
    Part,
    Schema,
    Sentence,
    Slot,
    capitalise,
    join_parts,
    starts_sentence,
)
from horsesense.schema.measures import Tokenizer, load_tokenizer


def _mask_keys(entry: Entry, settings: Settings) -> Rewriting:
    schema, mask = needs_schema(entry.grid), settings["mask"]
    if schema.is_dyad:
        raise NotApplicable("a dyad has a truth pair as well")
    if not mask and any(not "".join(phrases) for phrases in schema.keys.values):
        raise NotApplicable("a key phrase is empty, so one of the problems would stay as it is")
    frame = masked(schema.frame, mask)
    row = LooseProblem(frame, schema.answers, None, schema.target, schema.verbatim)
    how = f"{mask} for the key phrase" if mask else "the key phrase removed"
    return Rewriting(with_capital(LooseGrid((row,))), how, Voucher.RULE)


def masked(frame: Frame, mask: str) -> Frame:
    """Replace every key phrase by a mask; without a mask, remove the space it leaves."""
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
    """Join the texts around a removed phrase: fix spaces before commas and sentence capitals."""
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
    tests="whether a model prefers a candidate or a position even if nothing decides",
    example="[The broom] did not go behind [the door] because <it = the broom, the door> was too "
    "{thick, near}.\n",
    rewrite=_mask_keys,
    parameters=(
        Parameter(
            "mask", "", "what replaces the key phrase, such as [MASK]; if empty, it is removed"
        ),
    ),
)


def _guess_key_word(entry: Entry, settings: Settings) -> Rewriting:
    schema = needs_schema(entry.grid)
    voucher = voucher_for_inversion(entry)
    if schema.kind is not Kind.SUBSTITUTION:
        raise NotApplicable(f"a {schema.kind} has two blanks")
    words = [phrase for (phrase,) in schema.keys.values]
    if any(len(word.split()) != 1 for word in words):
        raise NotApplicable("a key phrase is not one word")
    if settings["tokenizer"]:
        _check_tokens(schema, _tokenizer(settings["tokenizer"]))
    return Rewriting(schema, f"a choice between {words[0]} and {words[1]}", voucher)


@lru_cache(maxsize=2)
def _tokenizer(path: str) -> Tokenizer:
    """Load a tokenizer, once for all entries."""
    return load_tokenizer(Path(path))


def _check_tokens(schema: Schema, tokenizer: Tokenizer) -> None:
    if not all(is_one_token(schema.sentence(cell), tokenizer) for cell in schema.cells):
        raise NotApplicable("a key phrase is not one token")


def is_one_token(sentence: Sentence, tokenizer: Tokenizer) -> bool:
    """Return whether the key phrase of a sentence is exactly one token.

    The token may include the space before it.
    """
    [span] = sentence.spans_of(AxisName.KEY)
    inside = [
        (start, end)
        for start, end in tokenizer.offsets(sentence.text)
        if start < span.end and end > span.start
    ]
    if len(inside) != 1:
        return False
    [(start, end)] = inside
    return end == span.end and sentence.text[start : span.start].strip() == ""


ZERO_SHOT = Transformation(
    name="zero-shot",
    version=1,
    title="the key phrase to be guessed, where it is one word",
    source="Elazar et al. 2021, section 6.1",
    level=Level.SCHEMA,
    touches=NOTHING,
    precondition="a substitution schema with key phrases of one word, or one token, which its "
    "author does not call uninvertible",
    not_for="transposition schemas, which have two blanks, and longer key phrases",
    right=Right.KEY,
    purpose=Purpose.CONSISTENCY,
    tests="what a model knows before it is trained on such problems, with nothing to be learnt "
    "from the lengths of the answers",
    example="[The jug] leaked onto [the tray] because <it = the jug, the tray> was {cracked, "
    "below}.\n    invertible: yes\n",
    rewrite=_guess_key_word,
    parameters=(
        Parameter("tokenizer", "", "a tokenizer.json in which the words have to be one token"),
    ),
    mode=Mode.BY_KEY,
)
