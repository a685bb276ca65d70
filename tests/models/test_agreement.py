"""The engines give what the definitions say, whatever they do to be fast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

import pytest

from horsesense.evaluation.inference import Reader, needed_by, plan_option, queries_of
from horsesense.models import Family, Query, causal_query, load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.schema import Problem
from horsesense.scoring import FrequencyTable, methods_of
from tests.models import grids
from tests.models.differences import TOLERANCE, differences
from tests.models.huggingface.engines.engine_of import (
    answers_of,
    assert_answers_like_single,
    declare,
    made_up,
    make_network,
)
from tests.models.reference import Table, reference_of

# Some tokens are missing, and get the floor.
COUNTS = {token: 1 + token * 7919 % 1009 for token in range(50257) if token % 5}
FREQUENCIES = FrequencyTable(sum(COUNTS.values()), COUNTS)
TABLE = Table(sum(COUNTS.values()), COUNTS, floor=0.5)
Folders: TypeAlias = Callable[[str], Path]

pytestmark = pytest.mark.usefixtures("one_thread")

PROBLEMS = grids.problems_of(grids.ALL)
FAR = grids.problems_of(grids.FAR_LETTERS)
FEW = grids.problems_of(grids.FEW)
LONG = grids.problems_of(grids.LONG)


def disagreements(
    path: Path, problems: Sequence[Problem], frequencies: FrequencyTable | None = None
) -> list[str]:
    """Where the model in a folder and the reference on the same weights differ."""
    reference = reference_of(path, TABLE if frequencies else None)
    return list(differences(loaded(path), reference, problems, frequencies))


def loaded(path: Path, cache: Path | None = None) -> HuggingFaceModel:
    """The model in a folder, new each time."""
    model = load_model(str(path), cache=cache or path / "cache")
    assert isinstance(model, HuggingFaceModel)
    return model


@pytest.mark.parametrize("name", ["gpt2", "llama", "llama-bos"])
def test_causal_models_agree_with_the_definitions(name: str, kept_folders: Folders) -> None:
    """With BOS the table is not needed, and must not be used."""
    assert disagreements(kept_folders(name), PROBLEMS + FAR, FREQUENCIES) == []


@pytest.mark.parametrize("name", ["gpt2", "llama-bos"])
def test_causal_models_agree_without_a_table_of_frequencies(
    name: str, kept_folders: Folders
) -> None:
    assert disagreements(kept_folders(name), PROBLEMS[::6]) == []


# Every token of every sentence is a pass of its own: one problem of each schema must do for all.
@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("roberta", 2),
        ("bert", 3),
        ("albert", 3),
        pytest.param("roberta", 1, marks=pytest.mark.long),
        pytest.param("bert", 1, marks=pytest.mark.long),
        pytest.param("albert", 1, marks=pytest.mark.long),
    ],
)
def test_masked_models_agree_with_the_definitions(
    name: str, step: int, kept_folders: Folders
) -> None:
    assert disagreements(kept_folders(name), (PROBLEMS + FAR)[::step]) == []


def test_a_model_of_the_t5_kind_agrees_with_the_definitions(kept_folders: Folders) -> None:
    assert disagreements(kept_folders("t5"), PROBLEMS) == []


@pytest.mark.parametrize("name", ["opt", "electra", "deberta-v2"])
def test_other_architectures_agree_with_the_definitions(name: str, kept_folders: Folders) -> None:
    assert disagreements(kept_folders(name), FEW) == []


@pytest.mark.parametrize("name", ["mistral", "gemma2", "gpt-neo", "modernbert"])
def test_models_that_look_no_further_than_a_window_agree_beyond_it(
    name: str, kept_folders: Folders
) -> None:
    assert disagreements(kept_folders(name), LONG) == []


@pytest.mark.parametrize("name", ["bloom", "mpt", "mamba"])
def test_architectures_that_cannot_be_packed_are_right_in_plain_batches(
    name: str, kept_folders: Folders
) -> None:
    path = kept_folders(name)
    assert loaded(path).engine.batching == "plain"
    assert disagreements(path, LONG) == []


@pytest.mark.parametrize("name", ["gpt2", "llama-bos", "roberta", "albert", "t5"])
def test_packed_padded_and_single_agree(
    name: str, kept_folders: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept_folders(name)
    queries, engine = queries_for(path, PROBLEMS[::3]), loaded(path).engine
    packed = answers_of(engine, queries)
    hinder_packing(monkeypatch)
    plain = loaded(path, tmp_path).engine  # no record says that packing works
    padded = answers_of(plain, queries)
    assert (engine.batching != "plain", plain.batching) == (True, "plain")
    for query in queries:
        assert packed[query] == pytest.approx(padded[query], rel=0, abs=TOLERANCE)
    for query in queries[::10]:
        single = plain.answer_singly(query)
        assert packed[query] == pytest.approx(single, rel=0, abs=TOLERANCE)


def test_a_window_wider_than_a_row_is_still_a_window() -> None:
    """Sentences of single problems may be long: a story and its end."""
    from horsesense.models.huggingface.engines.causal import CausalEngine

    network = make_network("mistral", sliding_window=300, max_position_embeddings=1024)
    engine = CausalEngine(network, declare(network, Family.CAUSAL, before=(), after=()))
    assert_answers_like_single(engine, [causal_query(made_up(length)) for length in (290, 400)])


def queries_for(path: Path, problems: Sequence[Problem]) -> list[Query]:
    """All that is asked about some problems for all methods."""
    reader = Reader(loaded(path))
    wanted = needed_by(methods_of(reader.info.family), table=True)
    plans = [
        plan_option(reader, problem, option, wanted)
        for problem in problems
        for option in range(len(problem.options))
    ]
    return list(dict.fromkeys(query for plan in plans for query in queries_of(plan)))


def hinder_packing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let engines made from now on find that nothing but plain batches will do."""

    def refuse(*_arguments: object, **_options: object) -> NoReturn:
        raise TypeError("no such layout")

    monkeypatch.setattr("horsesense.models.huggingface.engines.layouts.tree_mask", refuse)
    monkeypatch.setattr("horsesense.models.huggingface.engines.masked.packed", refuse)
    monkeypatch.setattr(
        "horsesense.models.huggingface.engines.seq2seq.seq2seq_heads", lambda network: ()
    )
