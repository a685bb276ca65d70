from __future__ import annotations

from collections.abc import Callable

import pytest

from horsesense.audit import CheckResult, findings
from horsesense.audit.candidates import check_agreement
from horsesense.audit.duplicates import check_words
from horsesense.audit.shape import check_readability
from horsesense.schema import Dataset
from tests.audit.made_datasets import SOUND, dataset_of

GERMAN = (
    "[Der Krug] fiel auf [den Teller], weil <er = der Krug, der Teller> {locker, dort} war.",
    "[Die Eule] jagte [die Maus], bis <sie = die Eule, die Maus> {satt, fort} war.",
    "[Anna] half [Ruth] beim Umzug, denn <sie = Anna, Ruth> hatte {Zeit, Kisten}.",
)
GREEK = (
    "[Η κανάτα] έπεσε στο [πιάτο], γιατί <αυτό = η κανάτα, το πιάτο> ήταν {ψηλά, εκεί}.",
    "[Η γάτα] κυνηγούσε [το ποντίκι] ώσπου <αυτό = η γάτα, το ποντίκι> {κουράστηκε, χάθηκε}.",
)
CHECKS = (check_readability, check_words, check_agreement)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("texts", [GERMAN, GREEK])
def test_checks_that_know_english_words_are_skipped_in_other_languages(
    check: Callable[[Dataset], CheckResult], texts: tuple[str, ...]
) -> None:
    assert check(dataset_of(*texts * 10)).skipped == "the text is not English"
    assert check(dataset_of(*SOUND * 2)).skipped != "the text is not English"


@pytest.mark.parametrize(
    ("texts", "is_english"),
    [
        (SOUND, True),
        (GERMAN, False),
        (GREEK, False),
        (GREEK[:1], False),
        (("{owls, voles} <eat, flee> {voles, owls}",), True),  # too short to tell
        ((), True),
    ],
)
def test_a_dataset_is_english_by_its_letters_and_its_commonest_words(
    texts: tuple[str, ...], is_english: bool
) -> None:
    assert findings.is_english(dataset_of(*texts)) is is_english
