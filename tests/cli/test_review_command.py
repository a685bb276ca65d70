from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.cli.conftest import Run, content, write

PIER = """\
---
name: pier
---
[Ivo] thanked [Emil] because <he = Ivo, Emil> had {eaten, cooked}.
    id: meal
[Jana] lent [Vera] the ladder because <she = Jana, Vera> {did not need it, had none}.
    id: ladder
[Nora] threw [Lena] the rope because <she = Nora, Lena> was {ashore, drowning}.
    id: rope
"""
MENU = "? help: "
BETTER = "[Emil] thanked [Ivo] because <he = Emil, Ivo> had {dined, cooked}."
ROPE = "[Lena] threw [Nora] the line because <she = Lena, Nora> was {ashore, drowning}."
PATIENCE = 20


@pytest.fixture
def pier(run: Run) -> Run:
    """The command line with three proposals in its store."""
    run("dataset", "import", write("pier.schemas", PIER))
    assert run("perturb", "apply", "switched", "pier").exit_code == 0
    return run


@pytest.fixture
def asked(pier: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same, where what is typed counts as typed in a terminal."""
    monkeypatch.setattr("horsesense.cli.perturb._in_terminal", lambda: True)
    return pier


def review(run: Run, *options: str, keys: str = "") -> Result:
    arguments = ("perturb", "review", "pier.switched", "--by", "nora", *options)
    return run(*arguments, input=keys) if keys else run(*arguments)


def history(run: Run, entry: str) -> list[tuple[str, str, str]]:
    """What was said of an entry after it was proposed: the validity, by whom, and the remark."""
    shown = run("perturb", "show", "pier.switched", entry, "--json")
    found: list[dict[str, Any]] = json.loads(shown.stdout)["history"]
    return [(one["validity"], one["by"], one["note"]) for one in found[1:]]


def ids(run: Run) -> list[str]:
    return [entry["id"] for entry in content(run, "pier.switched")]


def editor(monkeypatch: pytest.MonkeyPatch, *commands: str) -> None:
    """Let an editor run these commands of sed on the file that it is given."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", " ".join(["sed -i", *(f"-e '{one}'" for one in commands)]))


def test_without_a_terminal_scripts_are_told_what_to_say(pier: Run) -> None:
    result = review(pier)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "reviewing needs a terminal; in a script use --accept" in result.stderr
    assert history(pier, "meal") == []


def test_scripts_judge_without_being_asked(pier: Run) -> None:
    result = review(pier, "--accept", "rope", "--reject", "ladder", "--edit", "meal", BETTER)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "pier.switched: 3 judgements stored; 1 accepted, 1 edited, 0 proposed, 1 rejected;"
        " 2 of 3 valid (67%)",
        "dataset: pier.switched@1",
    ]
    assert [entry["id"] for entry in content(pier, "pier.switched")] == ["meal", "rope"]
    assert content(pier, "pier.switched")[0]["notation"] == BETTER
    assert history(pier, "ladder") == [("rejected", "nora", "")]


def test_accept_all_takes_the_proposals_that_are_not_judged_otherwise(pier: Run) -> None:
    review(pier, "--reject", "rope")
    review(pier, "--reject", "meal", "--accept-all")
    assert ids(pier) == ["ladder"]
    assert history(pier, "rope") == [("rejected", "nora", "")]


def test_the_name_of_the_environment_is_whoever_judges(
    pier: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "lena")
    assert pier("perturb", "review", "pier.switched", "--accept", "meal").exit_code == 0
    assert history(pier, "meal") == [("accepted", "lena", "")]


@pytest.mark.parametrize(
    ("options", "exit_code", "message"),
    [
        (("--accept", "mael"), 3, "no entry of pier.switched named 'mael'; did you mean meal?"),
        (("--accept", "meal", "--reject", "meal"), 2, "meal is judged twice"),
        (("--edit", "meal", "<he = Emil, Ivo> {ate"), 1, "never closed"),
        (("--edit", "meal", "a pot is <hot*, cold>"), 1, "meal cannot be edited like this"),
        (("--edit", "meal"), 2, "requires 2 arguments"),
        (("--by", " ", "--accept", "meal"), 2, "--by is empty"),
    ],
)
def test_wrong_judgements_are_refused_and_none_is_stored(
    pier: Run, options: tuple[str, ...], exit_code: int, message: str
) -> None:
    result = review(pier, "--accept", "rope", *options)
    assert (result.exit_code, result.stdout) == (exit_code, "")
    assert message in result.stderr
    assert history(pier, "rope") == history(pier, "meal") == []


@pytest.mark.parametrize(
    "exchanged",
    [
        "[Emil] thanked [Ivo] because <he = Ivo, Emil> had {dined, cooked}.",
        "[Emil] thanked [Ivo] because <he = Ivo, Emil> had {eaten, cooked}.",
        "[Emil] thanked [Ivo] because <he = Emil, Ivo> had {cooked, eaten}.",
        "[Ivo] thanked [Emil] because <he = Ivo, Emil> had {cooked, eaten}.",
    ],
)
def test_an_edit_that_exchanges_the_answers_is_refused_with_all_that_came_with_it(
    pier: Run, exchanged: str
) -> None:
    edits = ("--edit", "rope", ROPE, "--edit", "meal", exchanged)
    result = review(pier, *edits, "--accept", "ladder")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "meal cannot be edited like this: " in result.stderr
    assert history(pier, "rope") == history(pier, "meal") == history(pier, "ladder") == []


def test_what_somebody_else_edits_meanwhile_is_shown_before_it_is_accepted(
    asked: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = iter("aaq")

    def getchar() -> str:
        key = next(keys)
        if history(asked, "meal") == []:
            asked("perturb", "review", "pier.switched", "--by", "lena", "--edit", "meal", BETTER)
        return key

    monkeypatch.setattr("click.getchar", getchar)
    result = review(asked)
    assert "meal has been changed in the meantime; review it again" in result.stderr
    assert result.stdout.count("1 of 3\n") == 2
    assert "meal  edited by lena" in result.stdout
    assert [said[:2] for said in history(asked, "meal")] == [("edited", "lena"), ("edited", "nora")]


def test_an_unknown_perturbation_gets_the_nearest_name(pier: Run) -> None:
    result = pier("perturb", "review", "pier.swiched", "--accept-all")
    assert result.exit_code == 3
    assert "did you mean pier.switched?" in result.stderr


def test_one_key_judges_one_entry(asked: Run) -> None:
    result = review(asked, keys="arnobody lends that\nq")
    assert result.exit_code == 0
    assert "1 of 3\nmeal  proposed by horsesense (the candidates exchanged)\n" in result.stdout
    assert "  before  [-Ivo-] thanked" in result.stdout
    assert "2 judgements stored; 1 accepted, 0 edited, 1 proposed, 1 rejected" in result.stdout
    assert history(asked, "meal") == [("accepted", "nora", "")]
    assert history(asked, "ladder") == [("rejected", "nora", "nobody lends that")]
    assert ids(asked) == ["meal"]


def test_the_reason_may_be_empty(asked: Run) -> None:
    review(asked, keys="r\nq")
    assert history(asked, "meal") == [("rejected", "nora", "")]


def test_skipping_judges_nothing_and_the_rest_comes_again(asked: Run) -> None:
    assert "0 judgements stored" in review(asked, keys="sss").stdout
    review(asked, keys="sas")
    again = review(asked, keys="q").stdout
    assert "1 of 2\nmeal" in again
    assert history(asked, "ladder") == [("accepted", "nora", "")]


def test_back_shows_the_last_word_and_takes_another(asked: Run) -> None:
    result = review(asked, keys="bab" + "r\n" + "q")
    assert result.stdout.count("1 of 3\n") == 3
    assert "meal  accepted by nora" in result.stdout
    assert [validity for validity, _, _ in history(asked, "meal")] == ["accepted", "rejected"]


def test_keys_that_mean_nothing_do_nothing_and_help_tells_what_they_mean(asked: Run) -> None:
    result = review(asked, keys="x \x1b?q")
    assert "a  accept: the sentences are good English" in result.stderr
    assert result.stderr.count(MENU) == 5
    assert "0 judgements stored" in result.stdout
    assert "no entry is valid yet" in result.stderr


def test_the_end_of_what_is_typed_is_the_end_of_the_review(asked: Run) -> None:
    result = review(asked, keys="a")
    assert result.exit_code == 0
    assert "1 judgement stored" in result.stdout


def test_all_shows_what_has_been_judged_too(asked: Run) -> None:
    review(asked, "--accept-all")
    nothing = review(asked, keys="a")
    assert "nothing to review; use --all to see entries that have been judged" in nothing.stderr
    result = review(asked, "--all", keys="sr\nq")
    assert "2 of 3\nladder  accepted by nora" in result.stdout
    assert ids(asked) == ["meal", "rope"]
    assert "dataset: pier.switched@2" in result.stdout


def test_an_edit_is_stored_as_edited(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(monkeypatch, "s/eaten/dined/")
    result = review(asked, keys="eq")
    assert "1 judgement stored; 0 accepted, 1 edited" in result.stdout
    assert content(asked, "pier.switched")[0]["notation"] == BETTER


def test_accepting_an_edited_entry_again_keeps_the_edit(
    asked: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(monkeypatch, "s/eaten/dined/")
    review(asked, keys="eba" + "q")
    assert [validity for validity, _, _ in history(asked, "meal")] == ["edited", "edited"]
    assert content(asked, "pier.switched")[0]["notation"] == BETTER


def test_an_edit_that_cannot_be_used_is_asked_for_again(
    asked: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(monkeypatch, "s/eaten, cooked}/dined/", "t", "s/{dined/{dined, cooked}/")
    # The first time the bracket is lost; the draft is opened again, and put right.
    result = review(asked, keys="eeq")
    assert "never closed" in result.stderr
    assert "nothing was stored; press e to edit it again" in result.stderr
    assert content(asked, "pier.switched")[0]["notation"] == BETTER


def test_an_edit_of_another_shape_is_refused(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(monkeypatch, "1s/.*/a pot is <hot*, cold>/")
    result = review(asked, keys="eq")
    assert "meal cannot be edited like this" in result.stderr
    assert history(asked, "meal") == []


def test_an_edit_that_changes_nothing_is_none(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(monkeypatch, "s/^# The lines/# What/")
    result = review(asked, keys="eq")
    assert "no changes" in result.stderr
    assert history(asked, "meal") == []


def test_an_editor_that_fails_is_no_end(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "false")
    result = review(asked, keys="eaq")
    assert "Editing failed" in result.stderr
    assert history(asked, "meal") == [("accepted", "nora", "")]


def in_terminal(folder: Path, answers: Sequence[tuple[str, str]]) -> tuple[int, str]:
    """Review in a real terminal: wait for each text to be shown, then type what follows it."""
    command = [sys.executable, "-m", "horsesense", "perturb", "review", "pier.switched"]
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "EDITOR": "sed -i s/eaten/dined/"}
    for name in ("VISUAL", "NO_COLOR"):
        environment.pop(name, None)
    process = subprocess.Popen(
        [*command, "--by", "nora"], cwd=folder, env=environment, stdin=follower, stdout=follower,
        stderr=follower, start_new_session=True,
    )  # fmt: skip
    os.close(follower)
    shown = ""
    try:
        for expected, typed in answers:
            seen = len(shown)
            while expected not in shown[seen:]:
                assert select.select([leader], [], [], PATIENCE)[0], f"{expected!r}: {shown}"
                shown += _read(leader)
            if expected == MENU:
                _await_single_keys(leader)
            os.write(leader, typed.encode())
        while chunk := _read(leader):
            shown += chunk
        return process.wait(PATIENCE), shown.replace("\r\n", "\n")
    finally:
        process.kill()
        process.wait()
        os.close(leader)


def _await_single_keys(terminal: int) -> None:
    """Wait until keys are taken one by one; what is typed before that is thrown away."""
    while termios.tcgetattr(terminal)[3] & termios.ICANON:
        time.sleep(0.01)


def _read(descriptor: int) -> str:
    """What the terminal shows next; nothing once its last writer is gone."""
    try:
        return os.read(descriptor, 4096).decode()
    except OSError:
        return ""


def test_a_review_in_a_terminal_has_colours_and_takes_single_keys(
    pier: Run, tmp_path: Path
) -> None:
    keys = [(MENU, "e"), (MENU, "r"), ("reason", "too odd\n"), (MENU, "q")]
    exit_code, shown = in_terminal(tmp_path, keys)
    assert exit_code == 0
    assert "  before  \x1b[31mIvo\x1b[0m thanked \x1b[31mEmil\x1b[0m" in shown
    assert "  after   \x1b[32mEmil\x1b[0m thanked" in shown
    assert "2 judgements stored; 0 accepted, 1 edited, 1 proposed, 1 rejected" in shown
    assert history(pier, "meal") == [("edited", "nora", "")]
    assert history(pier, "ladder") == [("rejected", "nora", "too odd")]
    assert content(pier, "pier.switched")[0]["notation"] == BETTER


def test_interrupting_a_review_loses_no_judgement(pier: Run, tmp_path: Path) -> None:
    exit_code, shown = in_terminal(tmp_path, [(MENU, "a"), (MENU, "\x03")])
    assert exit_code == 128 + signal.SIGINT
    assert "1 judgement stored; review pier.switched again to continue and freeze it" in shown
    assert "unfinished work was not stored" not in shown
    assert history(pier, "meal") == [("accepted", "nora", "")]
    assert history(pier, "ladder") == []


def test_interrupting_a_rejection_takes_it_back(pier: Run, tmp_path: Path) -> None:
    keys = [(MENU, "r"), ("reason", "\x04"), (MENU, "a"), (MENU, "q")]
    exit_code, _ = in_terminal(tmp_path, keys)
    assert exit_code == 0
    assert history(pier, "meal") == [("accepted", "nora", "")]
