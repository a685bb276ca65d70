"""Zero-shot: solved by key, where the key phrases are one word each (Elazar et al.).

The right answer takes the place of the pronoun and the word that tells the twins apart becomes the
blank. That is inversion; nothing is rewritten. Words of one token can be compared in a masked
model without telling it how long the answer is.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

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
    Transformation,
    needs_schema,
)
from horsesense.schema import AxisName, Entry, Kind, Mode, Schema, Sentence
from horsesense.schema.measures import Tokenizer, load_tokenizer


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
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
    """The tokenizer of a file, which is read once for all entries."""
    return load_tokenizer(Path(path))


def _check_tokens(schema: Schema, tokenizer: Tokenizer) -> None:
    if not all(is_one_token(schema.sentence(cell), tokenizer) for cell in schema.cells):
        raise NotApplicable("a key phrase is not one token")


def is_one_token(sentence: Sentence, tokenizer: Tokenizer) -> bool:
    """True where the key phrase of the sentence is one token: no more than it, and no less.

    A space before it may belong to the token.
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
    rewrite=_rewrite,
    parameters=(
        Parameter("tokenizer", "", "a tokenizer.json in which the words have to be one token"),
    ),
    mode=Mode.BY_KEY,
)
