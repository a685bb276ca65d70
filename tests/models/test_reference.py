"""The slow reference against what can be seen by eye, and against the losses of transformers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from horsesense.schema import Mode, Problem, problems
from horsesense.schema.notation import parse_grid
from tests.models.cuts import blanks_of, cut
from tests.models.reference import (
    CausalReference,
    MaskedReference,
    Seq2SeqReference,
    label_of,
    reference_of,
    source_of,
)

Folders: TypeAlias = Callable[[str], Path]

LATHE = "[Una] sold [Bea] a lathe because <her's = Una, Bea> shed was {crammed, bare}."
OWLS = "{owls, voles} <do, do not> eat {voles, owls}"


def first_problem(text: str, mode: Mode = Mode.BY_ANSWER) -> Problem:
    return problems(parse_grid(text), mode)[0]


@pytest.mark.parametrize(
    ("name", "text", "mode", "blanks", "suffix"),
    [
        ("gpt2", LATHE, Mode.BY_ANSWER, [" Una's"], " shed was crammed."),
        ("gpt2", OWLS, Mode.BY_KEY, ["Owls", " voles"], "."),
        ("llama-bos", OWLS, Mode.BY_ANSWER, [" do"], " eat voles."),
        ("roberta", OWLS, Mode.BY_KEY, ["Owls", " voles"], "."),
        ("bert", LATHE, Mode.BY_ANSWER, ["una's"], "shedwascr##ammed."),
        # Across the end of the blank a token counts as what follows.
        ("gpt2", "a <foot, cannon>ball {rolls, kills}", Mode.BY_ANSWER, [""], " football rolls."),
    ],
)
def test_tokens_are_found_by_where_they_stand(
    name: str, text: str, mode: Mode, blanks: list[str], suffix: str, *, kept_folders: Folders
) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(kept_folders(name))
    problem = first_problem(text, mode)
    found = cut(tokenizer, problem.sentences[0].text, blanks_of(problem, problem.sentences[0]))

    def spelt(positions: tuple[int, ...]) -> str:
        tokens = tokenizer.convert_ids_to_tokens([found.ids[at] for at in positions])
        return "".join(tokens).replace("Ġ", " ")

    assert [spelt(blank) for blank in found.blanks] == blanks
    assert spelt(found.suffix) == suffix


def test_the_causal_loss_is_that_of_transformers(kept_folders: Folders) -> None:
    import torch

    reference = reference_of(kept_folders("gpt2"))
    assert isinstance(reference, CausalReference)
    problem = first_problem(LATHE)
    ids = torch.tensor([reference.tokenizer(problem.sentences[0].text).input_ids])
    costs = reference.costs(problem)["loss"]
    assert costs is not None
    assert costs[0] == pytest.approx(reference.network(ids, labels=ids).loss.item(), abs=1e-5)


def test_the_masked_loss_is_that_of_transformers(kept_folders: Folders) -> None:
    import torch

    reference = reference_of(kept_folders("roberta"))
    assert isinstance(reference, MaskedReference)
    ids = torch.tensor([reference.tokenizer("Owls do not eat voles.").input_ids])
    labels = torch.full_like(ids, -100)
    first = reference.tokenizer.convert_ids_to_tokens(ids[0]).index("Ġdo")
    at = [first, first + 1]
    labels[0, at] = ids[0, at]
    ids[0, at] = reference.tokenizer.mask_token_id
    costs = reference.costs(first_problem(OWLS))["loss"]
    assert costs is not None
    assert costs[1] == pytest.approx(reference.network(ids, labels=labels).loss.item(), abs=1e-5)


def test_the_loss_of_a_label_is_that_of_transformers(kept_folders: Folders) -> None:
    import torch

    reference = reference_of(kept_folders("t5"))
    assert isinstance(reference, Seq2SeqReference)
    source, label = "wsc:<extra_id_0> do eat<extra_id_1>.", "<extra_id_0> Owls<extra_id_1> voles"
    read = [reference.tokenizer(text).input_ids for text in (source, f"{label}<extra_id_2>")]
    loss = reference.network(torch.tensor([read[0]]), labels=torch.tensor([read[1]])).loss.item()
    costs = reference.costs(first_problem(OWLS, Mode.BY_KEY))["prefix-loss"]
    assert costs is not None
    assert costs[0] == pytest.approx(loss, abs=1e-5)


def test_no_space_stands_before_a_sentinel() -> None:
    lathe = first_problem(LATHE)
    assert source_of(lathe, "wsc: ") == (
        "wsc: Una sold Bea a lathe because<extra_id_0> shed was crammed."
    )
    assert label_of(lathe.options[0]) == "<extra_id_0> Una's<extra_id_1>"
    assert label_of(("",)) == "<extra_id_0><extra_id_1>"
