from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.errors import HorsesenseError, UnknownNameError
from tests.results.awkward import awkward_profile


def test_the_tokens_of_a_problem_are_found_by_its_entry() -> None:
    assert awkward_profile().problem_tokens("boat").column("token") == ("Infinity", " sank")
    with pytest.raises(UnknownNameError, match="of the entry boat named '3'"):
        awkward_profile().problem_tokens("boat", 3)
    with pytest.raises(UnknownNameError, match="no entry whose tokens were kept named 'nope'"):
        awkward_profile().problem_tokens("nope")
    with pytest.raises(UnknownNameError, match="no entry of c whose tokens"):
        awkward_profile().problem_tokens("boat", dataset="c")


def test_an_entry_of_two_datasets_needs_the_name_of_one() -> None:
    results = awkward_profile()
    others = tuple(replace(token, dataset="pier") for token in results.tokens)
    both = replace(results, tokens=(*results.tokens, *others))
    assert len(both.problem_tokens("boat", dataset="quay")) == 2
    with pytest.raises(HorsesenseError, match="boat is an entry of pier and quay; say which"):
        both.problem_tokens("boat")
