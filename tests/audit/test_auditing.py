from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from horsesense.audit import CONTROLS, CheckResult, Concern, Weight, audit, chosen_checks
from horsesense.audit.findings import posed_by_answer
from horsesense.errors import UnknownNameError
from horsesense.models import load_model
from tests.audit.made_datasets import SOUND, dataset_of
from tests.audit.test_artefacts import POSITION

SHOWN = ["kinds-and-tags", "duplicates", "overlap", "bag-of-words", "part-sent"]


def made(checks: tuple[CheckResult, ...]) -> list[str]:
    return [checked.name for checked in checks]


def test_every_check_is_made_once_in_a_fixed_order_under_its_own_name() -> None:
    checks = audit(dataset_of(*SOUND))
    assert made(checks) == list(chosen_checks())
    assert len(set(made(checks))) == len(checks)
    assert all(checked.title for checked in checks)


def test_a_sound_dataset_gives_no_concern() -> None:
    assert [concern for checked in audit(dataset_of(*SOUND)) for concern in checked.concerns] == []


def test_what_is_planted_is_found() -> None:
    checks = audit(dataset_of(*POSITION, POSITION[0]), only=["duplicates", "bag-of-words"])
    assert [(checked.faults, len(checked.concerns)) for checked in checks] == [(1, 1), (0, 1)]


def test_only_some_checks_are_made_in_the_same_order() -> None:
    assert made(audit(dataset_of(*SOUND), only=SHOWN[::-1])) == SHOWN


def test_a_check_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="did you mean duplicates or near-duplicates"):
        audit(dataset_of(*SOUND), only=["duplicate"])


def test_without_a_model_the_controls_are_skipped_with_the_reason() -> None:
    checks = audit(dataset_of(*SOUND), only=list(CONTROLS), no_model="the model is away")
    assert [checked.skipped for checked in checks] == ["the model is away"] * 3


def test_the_model_is_asked_by_the_controls() -> None:
    [checked] = audit(dataset_of(*POSITION), only=["no-candidate"], model=load_model("first"))
    assert not checked.skipped and checked.figures[0].value == 0.5


def test_files_to_compare_with_are_read(tmp_path: Path) -> None:
    file = tmp_path / "published.txt"
    file.write_text(posed_by_answer(dataset_of(*SOUND)).problems[0].sentences[0].text)
    [without] = audit(dataset_of(*SOUND), only=["overlap"])
    [checked] = audit(dataset_of(*SOUND), only=["overlap"], against=[file])
    assert without.skipped and checked.faults


def test_progress_tells_the_check_before_it_is_made_and_how_far_a_model_has_come() -> None:
    told: list[tuple[str, int, int]] = []
    audit(dataset_of(*SOUND), only=SHOWN, on_progress=lambda *args: told.append(args))
    assert told == [(name, 0, 0) for name in SHOWN]


def test_an_empty_dataset_can_be_audited() -> None:
    checks = audit(dataset_of())
    assert made(checks) == list(chosen_checks())
    assert not any(checked.concerns for checked in checks)


def test_heavy_libraries_are_not_imported_with_the_package() -> None:
    heavy = "{'sklearn', 'scipy', 'spacy', 'torch', 'transformers'}"
    code = f"import sys, horsesense.audit; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_concerns_are_faults_or_to_be_looked_at() -> None:
    concerns = [Concern(weight, "") for weight in (Weight.LOOK, Weight.FAULT, Weight.LOOK)]
    checked = CheckResult("made", "Made", concerns=tuple(concerns))
    assert (checked.faults, checked.looks) == (1, 2)
