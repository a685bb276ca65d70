"""The candidates of Winograd schemas: both are marked, each answer means one, the target is named.

Which noun an answer is about is told by its words, without a parser: the last word before a
preposition or a relative pronoun, which in English is where a noun phrase has its noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from horsesense.audit.checked import Case, Checked, Concern, Figure, Weight, one_of_each_kind
from horsesense.audit.subject import NO_WINOGRAD, Subject
from horsesense.audit.words import parts_of, same_words, without_determiner
from horsesense.schema import Row, Schema, candidates_of

# What follows a noun and says more about it.
_AFTER_NOUN = frozenset(
    str.split(
        "about above after against among around at before behind below beneath beside between by "
        "for from in inside into near of off on onto outside over than that through to towards "
        "under until up whereby which who whom whose with within without"
    )
)
_OWNED = re.compile(r"'s?$")
_UNMARKED = "no candidate is marked; put both in square brackets"
_NAMELESS = "the target is written '_'; name the pronoun that stands there"


def check_candidates(subject: Subject) -> Checked:
    """Winograd schemas whose candidates are not marked, or with answers that mean neither."""
    name, title = "candidates", "Candidates and target of Winograd schemas"
    if not subject.winograd:
        return Checked(name, title, skipped=NO_WINOGRAD)
    unmarked: list[str] = []
    nameless: list[str] = []
    cases: list[Case] = []
    for entry in subject.winograd:
        parts = parts_of(entry.grid)
        if not any(candidates_of(part.frame) for part in parts):
            unmarked.append(entry.id)
        else:
            cases += (one for part in parts for one in _cases(part, entry.id))
        if not all(part.target is not None and part.target.is_known for part in parts):
            nameless.append(entry.id)
    concerns = list(one_of_each_kind(cases))
    if unmarked:
        concerns.insert(0, Concern(Weight.FAULT, _UNMARKED, tuple(unmarked)))
    if nameless:
        concerns.append(Concern(Weight.LOOK, _NAMELESS, tuple(nameless)))
    figures = (
        Figure("Winograd entries", len(subject.winograd)),
        Figure("entries without a marked candidate", len(unmarked)),
        Figure("entries whose target is not named", len(nameless)),
    )
    return Checked(name, title, figures, tuple(concerns))


def head_word(phrase: str) -> str:
    """The noun or name of a noun phrase, as far as the order of its words tells.

    >>> [head_word(one) for one in ("the old oak by the river", "Ann's uncle", "Ann's", "Ada Berg")]
    ['oak', 'uncle', 'ann', 'berg']
    """
    found = without_determiner(phrase).split()
    end = next((i for i, word in enumerate(found) if i and word in _AFTER_NOUN), len(found))
    return _OWNED.sub("", found[end - 1]) if found else ""


def _cases(part: Schema | Row, entry: str) -> Iterator[Case]:
    """What is wrong with the candidates of a schema, or of a row of a grid that has some."""
    texts: dict[int, list[str]] = {}
    for candidate in candidates_of(part.frame):
        texts.setdefault(candidate.number, []).append(candidate.text)
    answers = [value[0] for value in part.answers.values]
    for number, answer in enumerate(answers, start=1):
        if number not in texts:
            said = f"the candidate of the answer {answer!r} is not marked; put it in brackets"
            # Whoever imports data may not find a candidate that is worded otherwise.
            yield Case(Weight.LOOK, "unmarked", said, entry)
    if len(texts) == len(answers):
        yield from _wrong_answers(answers, texts, entry)


def _wrong_answers(
    answers: Sequence[str], texts: dict[int, list[str]], entry: str
) -> Iterator[Case]:
    """The answers that do not seem to mean the candidate of their number."""
    for number, answer in enumerate(answers, start=1):
        own = texts[number]
        others = [text for other, some in texts.items() if other != number for text in some]
        if any(_bare(answer) == _bare(text) for text in own):
            continue
        meant = [text for text in others if _bare(answer) == _bare(text)]
        if not meant and any(_may_mean(answer, text) for text in own):
            continue
        meant = meant or [text for text in others if _may_mean(answer, text)]
        if meant:
            said = f"the answer {answer!r} goes with {own[0]!r}, but means {meant[0]!r}"
            yield Case(Weight.FAULT, "exchanged", f"{said}; exchange the numbers", entry)
        else:
            said = f"the answer {answer!r} has no noun or name of its candidate {own[0]!r}"
            yield Case(Weight.LOOK, "other", f"{said}; is it the same?", entry)


def _may_mean(answer: str, candidate: str) -> bool:
    """True where one of them has the noun or name of the other."""
    answer_words, candidate_words = (
        {_OWNED.sub("", word) for word in same_words(phrase).split()}
        for phrase in (answer, candidate)
    )
    return head_word(answer) in candidate_words or head_word(candidate) in answer_words


def _bare(phrase: str) -> str:
    return _OWNED.sub("", without_determiner(phrase))
