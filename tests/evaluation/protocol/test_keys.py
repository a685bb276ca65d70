"""The key of a run: what changes it, and what does not."""

from __future__ import annotations

from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import FileError
from horsesense.evaluation.protocol import gather, run_key, run_protocol
from horsesense.evaluation.protocol.methods import protocols_of
from horsesense.models import Family, ModelInfo
from horsesense.results import Plan
from tests.evaluation.protocol.pantry import PANTRY, RESAMPLES, plan, source, write

# Another value of each field that may change a number, and of each that cannot.
CHANGED: dict[str, Any] = {
    "models": ("random@7",),
    "perturbations": ("all",),
    "methods": ("standard",),
    "subsets": ("kitchen",),
    "wrapper": "It is |right, wrong| that …",
    "sample": 2,
    "first": 2,
    "seed": 1,
    "resamples": RESAMPLES + 1,
    "ties": "half",
    "straddling": "blank",
    "dtype": "float64",
    "device": "cuda",
    "keep_going": True,
    "price_input": 0.5,
    "price_output": 1.5,
}
NUMBERLESS: dict[str, Any] = {
    "batch": 64,
    "memory": 0.5,
    "allow_pickle": True,
    "tokenizer": "ant",
    "concurrency": 3,
    "timeout": 9.0,
    "retries": 0,
    "max_requests": 10,
    "max_tokens": 10,
}
# Of these their content counts, as tests below have it.
BY_CONTENT = {"data", "frequencies"}
# This needs a price, which changes the key.
WITH_PRICE = {"max_cost"}


def key(chosen: Plan, text: str = PANTRY, *remarks: str) -> str:
    given = replace(source(text), remarks=remarks)
    return run_key(chosen, gather(chosen, None, (), [given], lambda _: None))


def test_every_field_of_a_plan_changes_the_key_or_is_known_not_to() -> None:
    known = CHANGED.keys() | NUMBERLESS.keys() | BY_CONTENT | WITH_PRICE
    assert {field.name for field in fields(Plan)} == known
    usual = key(plan())
    keys = {name: key(plan(**{name: value})) for name, value in CHANGED.items()}
    assert len({usual, *keys.values()}) == len(keys) + 1
    assert {key(plan(**{name: value})) for name, value in NUMBERLESS.items()} == {usual}
    assert key(plan(price_input=0.5, max_cost=2.0)) == keys["price_input"]


def test_the_key_changes_with_the_data_and_with_what_is_remarked_of_them() -> None:
    keys = [key(plan()), key(plan(), PANTRY.replace("cross", "angry")), key(plan(), PANTRY, "old")]
    assert len(set(keys)) == 3


def test_the_key_changes_with_the_content_of_the_table_of_frequencies(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    keys = [key(plan())]
    for content in ("4\n{7: 4}", "5\n{7: 5}"):
        table.write_text(content, encoding="utf-8")
        keys.append(key(plan(frequencies=str(table))))
    assert len(set(keys)) == 3


def test_a_table_of_frequencies_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    chosen = plan(frequencies=str(tmp_path / "none"))
    with pytest.raises(FileError, match="none cannot be read: No such file"):
        key(chosen)
    with pytest.raises(FileError, match="none cannot be read: No such file"):
        run_protocol(replace(chosen, models=("./nowhere",)), None)  # before anything is loaded


def test_the_key_knows_what_could_not_be_had_and_why() -> None:
    participants = gather(plan(models=("random", "./nowhere")), None, (), [source()], print)
    [gap] = participants.skipped
    other = replace(participants, skipped=(replace(gap, reason="it is too large"),))
    keys = {run_key(plan(), one) for one in (participants, other)}
    assert len(keys | {key(plan())}) == 3


def test_what_is_in_memory_is_another_run_than_what_a_plan_names(tmp_path: Path) -> None:
    chosen = plan(data=(write(tmp_path),))
    named = gather(chosen, None, (), (), print)
    given = gather(chosen, None, (), [named.data[0].read()], print)
    assert (named.in_memory, given.in_memory) == ((), ("pantry",))
    same = replace(given, data=named.data)
    assert run_key(chosen, named) != run_key(chosen, same)


@pytest.mark.parametrize("name", ["program_hash", "transformation_packages"])
def test_the_key_changes_with_the_program_and_with_what_packages_bring(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = key(plan())
    monkeypatch.setattr(f"horsesense.evaluation.protocol.recording.{name}", lambda: "another")
    assert key(plan()) != before


def test_the_key_changes_with_the_content_of_a_chat_protocol(tmp_path: Path) -> None:
    letter = Path(str(files("horsesense.scoring.chat"))) / "protocols" / "letter.toml"
    mine, keys = tmp_path / "mine.toml", set()
    info = ModelInfo("chat:ant", Family.CHAT, "ant")
    for instruction in ("the letter", "the right letter"):
        text = letter.read_text(encoding="utf-8").replace('name = "letter"', 'name = "mine"')
        mine.write_text(text.replace("the letter", instruction), encoding="utf-8")
        keys |= set(protocols_of(plan(methods=(str(mine),)), [info]))
    assert len(keys) == 2 and {name for name, _ in keys} == {f"protocol {mine}"}


def test_only_chat_models_have_protocols() -> None:
    chat, causal = (ModelInfo("ant", family, "ant") for family in (Family.CHAT, Family.CAUSAL))
    assert [*protocols_of(plan(), [causal])] == []
    names = [name for name, _ in protocols_of(plan(methods=("all", "letter@2")), [chat])]
    assert names == [
        f"protocol {name}" for name in ("letter", "word", "cloze", "judge", "letter@2")
    ]
    assert all(hash.startswith("v1 ") for _, hash in protocols_of(plan(methods=("judge",)), [chat]))


def test_the_standard_protocol_is_recorded_as_well() -> None:
    chat = ModelInfo("chat:ant", Family.CHAT, "ant")
    [(name, version)] = protocols_of(plan(methods=("standard",)), [chat])
    assert (name, version) == next(protocols_of(plan(methods=("letter",)), [chat]))
    names = [name for name, _ in protocols_of(plan(methods=("judge", "standard")), [chat])]
    assert sorted(names) == ["protocol judge", "protocol letter"]
