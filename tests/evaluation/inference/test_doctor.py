from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import count

import pytest

from horsesense.errors import ModelError
from horsesense.evaluation.inference import Finding, Health, examine
from horsesense.evaluation.inference.doctor import CANARIES
from horsesense.models import Answers, Family, Model, Query, Tokenization, load_model
from horsesense.schema import problems
from horsesense.schema.notation import parse_grid
from tests.evaluation.inference.word_model import WordModel

GIB = 2**30


def findings(model: Model) -> dict[str, Finding]:
    """What is found, by the check, with a clock that moves a second at every look."""
    seconds = count()
    found = list(examine(model, clock=lambda: float(next(seconds))))
    assert len({finding.check for finding in found}) == len(found)
    return {finding.check: finding for finding in found}


def failures(model: Model) -> list[str]:
    """The checks that failed."""
    return [f.check for f in findings(model).values() if f.verdict is Health.FAILURE]


def test_a_canary_is_the_same_words_in_disorder() -> None:
    for canary in CANARIES:
        (problem,) = problems(parse_grid(canary))
        plain, scrambled = (sentence.text for sentence in problem.sentences)
        assert problem.right == 0 and plain != scrambled
        assert sorted(plain.split()) == sorted(scrambled.split())


def test_a_sound_model_passes_every_check() -> None:
    found = findings(WordModel())
    assert {finding.verdict for finding in found.values()} == {Health.OK}
    assert found["canaries"].text.startswith("prefers 12 of 12 plain sentences")
    assert found["context"].text == "at most 512 tokens"
    assert found["special tokens"].text.startswith("no BOS: full scores need a table")
    assert found["speed"].text == "about 125 s for 1,000 sentences of 20 tokens"


def test_a_model_that_has_not_learnt_anything_fails_the_canaries() -> None:
    class Untrained(WordModel):
        def answer_singly(self, query: Query) -> tuple[float, ...]:
            return tuple(-1 - hash(query.ids[: at + 2]) % 97 / 10 for at in range(query.size))

    found = findings(Untrained())["canaries"]
    assert found.verdict is Health.FAILURE
    assert found.text.startswith("prefers scrambled sentences as often as plain ones")


def test_a_model_that_is_unsure_of_word_order_is_doubted() -> None:
    known = [problems(parse_grid(one))[0].sentences[0].text for one in CANARIES[:9]]
    found = findings(WordModel(known))["canaries"]
    assert found.verdict is Health.WARNING and "10 of 12" in found.text


def test_a_model_that_gives_every_option_the_same_score_fails() -> None:
    class Even(WordModel):
        def answer_singly(self, query: Query) -> tuple[float, ...]:
            # The same numbers in the same order, whatever the words.
            return tuple(-1.0 - at for at in range(query.size))

    found = findings(Even())["canaries"]
    assert (found.verdict, found.text) == (Health.FAILURE, "every option gets the same score")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), "log-probabilities are NaN or infinite"),
        (float("-inf"), "log-probabilities are NaN or infinite"),
        (0.0, "every token has the log-probability 0"),
        (-3.5, "every token has the log-probability -3.5"),
        (0.5, "some log-probabilities are greater than 0"),
    ],
)
def test_numbers_that_cannot_be_end_the_examination(value: float, text: str) -> None:
    class Broken(WordModel):
        def answer_singly(self, query: Query) -> tuple[float, ...]:
            return (value,) * query.size

    found = findings(Broken())
    assert list(found)[-1] == "numbers"
    assert found["numbers"].verdict is Health.FAILURE and text in found["numbers"].text


def test_an_error_while_asking_is_a_finding() -> None:
    class Absent(WordModel):
        def answer(
            self, queries: Sequence[Query], answered: Container[Query] = ()
        ) -> Iterator[Answers]:
            raise ModelError("the weights are gone; get them anew")

    found = findings(Absent())["querying"]
    assert (found.verdict, found.text) == (Health.FAILURE, "the weights are gone; get them anew")


def test_batches_that_flip_decisions_fail() -> None:
    class Shifted(WordModel):
        def answer(
            self, queries: Sequence[Query], answered: Container[Query] = ()
        ) -> Iterator[Answers]:
            for batch in super().answer(queries, answered):
                # As if every sentence had been read in the place of the one beside it.
                yield [(query, batch[at ^ 1][1]) for at, (query, _) in enumerate(batch)]

    assert failures(Shifted()) == ["canaries", "batches"]
    assert "6 decisions would flip" in findings(Shifted())["batches"].text


def test_answers_that_are_missing_fail() -> None:
    class Terse(WordModel):
        def answer_singly(self, query: Query) -> tuple[float, ...]:
            return super().answer_singly(query)[1:]

    assert "206 log-probabilities instead of 230" in findings(Terse())["numbers"].text


def test_batches_that_drift_are_a_warning() -> None:
    class Drifting(WordModel):
        def answer(
            self, queries: Sequence[Query], answered: Container[Query] = ()
        ) -> Iterator[Answers]:
            for batch in super().answer(queries, answered):
                yield [(query, tuple(v - 0.001 for v in values)) for query, values in batch]

    found = findings(Drifting())["batches"]
    assert found.verdict is Health.WARNING
    assert "differ by 0.001 at most; no decisions would flip" in found.text


def test_a_doubled_bos_fails() -> None:
    class Doubled(WordModel):
        def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
            read = super().tokenize(text, specials=specials)
            return Tokenization(text, (*read.tokens[: int(specials)], *read.tokens))

    assert failures(Doubled(bos=True)) == ["special tokens"]
    assert failures(WordModel(bos=True)) == []


def test_offsets_that_miss_a_word_fail() -> None:
    class Deaf(WordModel):
        def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
            read = super().tokenize(text, specials=specials)
            return Tokenization(text, tuple(t for t in read.tokens if self.words[t.id] != "fox"))

    found = findings(Deaf())["offsets"]
    assert found.verdict is Health.FAILURE
    assert found.text.startswith("no token covers 'fox' in 'The quick brown fox")


def test_offsets_that_lead_to_another_word_fail() -> None:
    class Crooked(WordModel):
        def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
            read = super().tokenize(text, specials=specials)
            ids = [token.id for token in read.tokens]
            shifted = zip(read.tokens, ids[1:] + ids[:1], strict=True)
            return Tokenization(text, tuple(replace(t, id=other) for t, other in shifted))

    assert "token 'quick' is mapped to 'The'" in findings(Crooked())["offsets"].text


def test_unknown_characters_are_told() -> None:
    class Narrow(WordModel):
        def __init__(self) -> None:
            super().__init__()
            self.info = replace(self.info, unknown=0)

        def _id(self, word: str) -> int:
            return super()._id(word) if word.isascii() else 0

    found = findings(Narrow())["other characters"]
    assert found.verdict is Health.WARNING and "猫" in found.text


def test_a_vocabulary_without_plain_english_fails() -> None:
    class Mute(WordModel):
        def __init__(self) -> None:
            super().__init__()
            self.info = replace(self.info, unknown=0)

        def _id(self, word: str) -> int:
            return 0 if word in ("fox", "quick") else super()._id(word)

    assert findings(Mute())["plain text"].text == "no tokens for quick, fox"


def test_small_letters_for_capitals_are_a_warning() -> None:
    class Uncased(WordModel):
        def _id(self, word: str) -> int:
            return super()._id(word.lower())

    assert findings(Uncased())["capitals"].verdict is Health.WARNING


def test_memory_beyond_the_machine_is_a_warning() -> None:
    found = list(
        examine(WordModel(), budget=2 * GIB, installed=GIB, clock=iter(range(99)).__next__)
    )
    (memory,) = (finding for finding in found if finding.check == "memory")
    assert memory.verdict is Health.WARNING and memory.remedy.startswith("lower --memory")
    assert memory.text.endswith("up to 2.00 GiB for batches; this machine has 1.0 GiB")


def test_a_baseline_has_nothing_to_examine_but_its_choices() -> None:
    assert load_model("longer").info.family is Family.BASELINE
    assert failures(load_model("longer")) == failures(load_model("random")) == []
    assert failures(load_model("uniform")) == ["choice"]
