"""What a model said about a problem token by token, as a profile keeps it. Pure.

The texts of an option, one after the other, read as its sentence: a token has the space before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from horsesense.evaluation.inference import Scored
from horsesense.models import (
    CausalObservation,
    Label,
    LabelPart,
    LogProbs,
    MaskedObservation,
    Observation,
    Part,
    SpansObservation,
    TokenSpans,
)
from horsesense.results import TokenCosts, Variant
from horsesense.schema import Problem

Spell: TypeAlias = Callable[[int], str]
# What stands between two blanks comes before the last of them, as the prefix does.
_PARTS = {Part.PREFIX: "prefix", Part.BLANK: "blank", Part.BETWEEN: "prefix", Part.SUFFIX: "suffix"}
_PREFIX, _BLANK, _SUFFIX = "prefix", "blank", "suffix"
# How vocabularies spell the space before a word.
_SPACES = str.maketrans("Ġ▁", "  ")


class _Token(NamedTuple):
    text: str
    part: str
    cost: float | None


def token_costs(
    model: str, form: Variant, entry: str, number: int, scored: Scored, spell: Spell
) -> Iterator[TokenCosts]:
    """The tokens of each option of a problem; none for what a baseline says.

    Of a causal model they have what each costs after those before it; of a masked one, masked
    alone; of a sequence-to-sequence one, as part of the label that it is to write for the blank.
    """
    for option, observation in enumerate(scored.observations):
        tokens = list(_tokens(scored.problem, option, observation, spell))
        if tokens:
            texts, parts, costs = zip(*tokens, strict=True)
            yield TokenCosts(
                model, form.dataset, form.name, entry, number, option, texts, parts, costs
            )


def _tokens(
    problem: Problem, option: int, observation: Observation, spell: Spell
) -> Iterator[_Token]:
    match observation:
        case CausalObservation(tokens=placed):
            first = placed.real[0] if placed.real else 0
            costs = (*observation.log_probs[:first], observation.first)
            yield from _placed(placed, costs + observation.log_probs[first + 1 :])
        case MaskedObservation(tokens=placed):
            yield from _placed(placed, observation.single)
        case SpansObservation(plain=plain):
            yield from _label(problem, option, plain, spell)


def _placed(placed: TokenSpans, log_probs: LogProbs) -> Iterator[_Token]:
    """The tokens that stand in the sentence, each with what lies between it and the last."""
    reading, start = placed.reading, 0
    last = placed.real[-1] if placed.real else 0
    for at in placed.real:
        # A piece of a character has no text of its own, and the last token has the rest.
        end = len(reading.text) if at == last else max(start, reading.ends[at])
        value = log_probs[at] if at < len(log_probs) else None
        cost = None if value is None else -value
        yield _Token(reading.text[start:end], _PARTS[placed.parts[at]], cost)
        start = end


def _label(problem: Problem, option: int, label: Label, spell: Spell) -> Iterator[_Token]:
    """The sentence with the tokens of the label in its blanks.

    What stands around the blanks costs nothing. A sentinel, and the end, have no text in it.
    """
    sentence = problem.sentences[option]
    spans = sentence.spans_of(problem.mode.axis)
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(sentence.text)]
    around = [sentence.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    blank = -1
    begins = False
    for token, part, log_prob in zip(label.ids, label.parts, label.log_probs, strict=True):
        text = ""
        if part is LabelPart.SENTINEL:
            blank += 1
            if blank < len(spans):
                yield _Token(around[blank], _PREFIX, None)
            begins = True
        elif part is LabelPart.PHRASE:
            spelt = spell(token).translate(_SPACES)
            text, begins = (spelt.lstrip(" "), False) if begins else (spelt, False)
        yield _Token(text, _BLANK, -log_prob)
    yield _Token(around[-1], _SUFFIX, None)
