"""What has changed between two runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from horsesense.evaluation.protocol import differences, run_protocol
from tests.evaluation.protocol.pantry import PANTRY, evaluated, plan, write


def test_nothing_has_changed_where_the_plan_of_a_record_is_run_again(tmp_path: Path) -> None:
    before = run_protocol(plan(seed=3, data=(write(tmp_path),)), None)
    after = run_protocol(before.record.plan, None)
    assert differences(before.record, after.record) == []
    assert after.estimates == before.estimates


def test_what_has_changed_since_is_told_in_words() -> None:
    before = evaluated().record
    after = evaluated(text=PANTRY.replace("cross", "angry"), seed=4, first=3).record
    told = differences(before, after)
    assert told[:2] == [
        "first in the plan: none then, 3 now",
        "seed in the plan: 0 then, 4 now",
    ]
    assert [line.split(":")[0] for line in told[2:]] == ["data pantry"]


def test_other_programs_machines_and_models_are_told_too() -> None:
    record = evaluated().record
    versions = dict(record.versions)
    now = replace(
        record,
        horsesense="9.9",
        program="0" * 64,
        versions=tuple((versions | {"numpy": "9.0", "model random": "abc"}).items()),
        machine=(*record.machine[:-1], ("memory", "1.0 GiB"), ("abacus", "yes")),
    )
    told = differences(record, now)
    assert told == [
        f"horsesense: {record.horsesense} then, 9.9 now",
        "the program of horsesense has changed",
        f"numpy: {versions['numpy']} then, 9.0 now",
        f"model random: {versions['model random']} then, abc now",
        f"memory: {dict(record.machine)['memory']} then, 1.0 GiB now",
        "abacus: none then, yes now",
    ]


def test_a_plan_with_other_methods_tells_which() -> None:
    record = evaluated().record
    now = replace(record, plan=replace(record.plan, subsets=("kitchen", "people")))
    assert differences(record, now) == ["subsets in the plan: none then, kitchen, people now"]
