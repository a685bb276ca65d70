"""minicons scores the same sentences, and both agree.

The models are small and seeded, with the tokenizers of RoBERTa and GPT-2. minicons 0.3.39 calls a
method of tokenizers that transformers 5.22 no longer has: `bench/peer_minicons.py` gives it back,
in one line, and changes nothing else.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from horsesense.evaluation.inference import score
from horsesense.models import LanguageModel, load_model
from horsesense.schema import Problem, problems
from horsesense.schema.notation import parse_grid
from horsesense.scoring import Scores, find_method
from tests.models.tiny import save_tiny
from tests.peers.peers import TOLERANCE, ask_peer, needs_peers

# Words of many tokens, names, digits, apostrophes, hyphens, characters of several bytes.
SCHEMAS = (
    "the ferry <will, will not> wait for a {punctual, belated} lorry",
    "a thermos <can, cannot> keep soup {warm, frozen} until evening",
    "{glaciers, rivulets} <do, do not> carve wider valleys than {rivulets, glaciers}",
    "[Ottoline] overtook [Bartholomew] as <she = Ottoline, Bartholomew> was {pedalling, idling}",
    "the 37 crates <fit, don't fit> into a {roomy, well-filled} barn",
    "a lutenist's strings <snap, hold> when they are {overtightened, loosened}",
    "the café on Ørsted Street <serves, never serves> {crêpes, paving stones}",
    "an unwatered ficus <thrives, withers> in the {rainforest, Sahara}",
    "[the kiln] cracked [the vase] since <it = the kiln, the vase> was too {hot, brittle}",
    "{beekeepers, burglars} <are, aren't> welcomed by the neighbours",
)
ASKED = [problem for line in SCHEMAS for problem in problems(parse_grid(line))]
SENTENCES = [sentence.text for problem in ASKED for sentence in problem.sentences]

pytestmark = needs_peers


def ours(model: LanguageModel, name: str) -> list[float]:
    """What the tokens of every sentence add up to by a method: its cost, negated."""
    method = find_method(name, model.info.family)
    found = [one.results[name] for one in score(model, ASKED, [method])]
    return [-cost for result in found if isinstance(result, Scores) for cost in result.costs]


@dataclass(frozen=True, slots=True)
class Compared:
    """Both models, and what minicons said: added up, sentence by sentence."""

    masked: LanguageModel
    causal: LanguageModel
    original: list[float]
    within_word: list[float]
    whole: list[float]
    last_parts: list[float]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """minicons asked about all sentences, in one process."""
    masked = save_tiny("roberta", tmp_path_factory.mktemp("masked"))
    causal = save_tiny("gpt2", tmp_path_factory.mktemp("causal"))
    last_parts = [cut for problem in ASKED for cut in cuts(problem)]
    jobs: list[dict[str, Any]] = [
        {"family": "masked", "sentences": SENTENCES, "metric": "original"},
        {"family": "masked", "sentences": SENTENCES, "metric": "within_word_l2r"},
        {"family": "causal", "sentences": SENTENCES},
        {"family": "causal", "pairs": last_parts},
    ]
    replies = ask_peer(
        "peer_minicons",
        [f"masked={masked}", f"causal={causal}"],
        [job | {"batch_size": 8} for job in jobs],
    )
    said = [reply["log_likelihoods"] for reply in replies]
    return Compared(_loaded(masked), _loaded(causal), *said)


def _loaded(folder: Path) -> LanguageModel:
    return cast(LanguageModel, load_model(str(folder)))


def cuts(problem: Problem) -> list[tuple[str, str]]:
    """Every sentence up to the end of its blank, and what follows."""
    ends = [sentence.spans_of(problem.mode.axis)[-1].end for sentence in problem.sentences]
    return [
        (one.text[:end], one.text[end:]) for one, end in zip(problem.sentences, ends, strict=True)
    ]


def test_there_are_some_forty_sentences_and_all_differ() -> None:
    assert len(SENTENCES) == len(set(SENTENCES)) == 40


def test_statement_is_the_pseudo_log_likelihood(compared: Compared) -> None:
    assert ours(compared.masked, "statement") == pytest.approx(compared.original, abs=TOLERANCE)


def test_within_word_is_that_of_minicons(compared: Compared) -> None:
    found = ours(compared.masked, "within-word")
    assert found == pytest.approx(compared.within_word, abs=TOLERANCE)


def test_words_of_many_tokens_make_a_difference(compared: Compared) -> None:
    pairs = list(zip(compared.original, compared.within_word, strict=True))
    # Far beyond the tolerance, and in most sentences: the two are not mistaken for each other.
    assert sum(abs(one - other) > 100 * TOLERANCE for one, other in pairs) > len(pairs) / 2


def test_all_but_first_is_the_sequence_score(compared: Compared) -> None:
    assert ours(compared.causal, "all-but-first") == pytest.approx(compared.whole, abs=TOLERANCE)


def test_partial_is_the_conditional_score(compared: Compared) -> None:
    assert ours(compared.causal, "partial") == pytest.approx(compared.last_parts, abs=TOLERANCE)
