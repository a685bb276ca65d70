"""Many schemas, each derived a second time from its sentences alone."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import cache
from itertools import islice, pairwise

import inflect
import pytest

from horsesense.generation import RULES, Recipe, generate
from horsesense.schema import Entry, Kind, Schema, doubts
from tests.generation.checkers import CHECKERS

FEW = 500
MANY = 10_000

pytestmark = pytest.mark.usefixtures("untraced")


@pytest.fixture(scope="module", params=[FEW, pytest.param(MANY, marks=pytest.mark.long)])
def entries(request: pytest.FixtureRequest) -> list[Entry]:
    return list(islice(generate(Recipe(0, date(2026, 3, 1)), RULES), request.param))


@pytest.fixture(scope="module")
def sentences_of(entries: list[Entry]) -> list[dict[str, bool]]:
    """The sentences of each schema, and which of them are held to be true."""
    grids = map(grid_of, entries)
    return [
        {grid.sentence(cell).text: grid.is_sensible(cell) for cell in grid.cells} for grid in grids
    ]


def grid_of(entry: Entry) -> Schema:
    assert isinstance(entry.grid, Schema)
    return entry.grid


def test_all_are_distinct_whichever_key_stands_first(
    entries: list[Entry], sentences_of: list[dict[str, bool]]
) -> None:
    assert len(set(map(frozenset, sentences_of))) == len(entries)
    assert {len(sentences) for sentences in sentences_of} == {4}
    assert len({entry.id for entry in entries}) == len(entries)


def test_every_answer_is_derived_again_from_the_sentence_alone(
    entries: list[Entry], sentences_of: list[dict[str, bool]]
) -> None:
    wrong = [
        (entry.id, sentence)
        for entry, sentences in zip(entries, sentences_of, strict=True)
        for sentence, is_true in sentences.items()
        if CHECKERS[entry.tags[0]](sentence) is not is_true
    ]
    assert wrong == []


def test_none_of_them_gives_an_author_a_doubt(entries: list[Entry]) -> None:
    assert [entry.id for entry in entries if list(doubts(entry.grid))] == []


def test_articles_fit_and_no_word_is_doubled(sentences_of: list[dict[str, bool]]) -> None:
    english = inflect.engine()
    fits = cache(lambda article, word: english.a(word).split()[0] == article)
    wrong = set()
    for sentences in sentences_of:
        for sentence in sentences:
            words = re.findall(r"[\w'’-]+|[^\w\s]", sentence)
            for first, second in pairwise(words):
                article = first.lower()
                # One's mother's mother's mother is a good Englishwoman.
                is_doubled = article == second.lower() and not article.endswith("'s")
                if is_doubled or (article in ("a", "an") and not fits(article, second)):
                    wrong.add(f"{first} {second}")
    assert wrong == set()


def test_every_rule_takes_part_and_both_kinds_occur(entries: list[Entry]) -> None:
    assert {dict(entry.extras)["x-rule"] for entry in entries} == {rule.name for rule in RULES}
    kinds_made = Counter(entry.grid.kind for entry in entries)
    assert min(kinds_made[Kind.SUBSTITUTION], kinds_made[Kind.TRANSPOSITION]) > len(entries) / 4


def test_no_answer_is_right_more_often_than_wrong(entries: list[Entry]) -> None:
    """Both answers of a schema are right once, so that the commoner one is at chance."""
    first = Counter(grid_of(entry).answers.values[0][0] for entry in entries)
    second = Counter(grid_of(entry).answers.values[1][0] for entry in entries)
    for answer, count in (first + second).items():
        if count >= 200:
            assert 0.4 < first[answer] / count < 0.6, answer
