"""The file of echoes, which several processes may use at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from horsesense.models.server.echoes import Echoes

_WRITE = """
import sys
from pathlib import Path
from horsesense.models.server.echoes import Echoes
echoes = Echoes(Path(sys.argv[1]), "model", print)
for number in range(100):
    echoes.put(f"text {number}", [sys.argv[2]], [number])
print("done", flush=True)
sys.stdin.read()
"""


def echoes_in(folder: Path, fingerprint: str = "model") -> tuple[Echoes, list[str]]:
    messages: list[str] = []
    return Echoes(folder, fingerprint, messages.append), messages


def test_what_was_put_is_there_in_the_next_process_and_for_the_same_model_only(
    tmp_path: Path,
) -> None:
    first, _ = echoes_in(tmp_path / "new")
    for text in ("An owl", "Zoë\n😀", "half \ud800", "nul \0"):
        first.put(text, ["An", " owl"], [None, -1.5])
        for fingerprint, expected in (("model", (["An", " owl"], [None, -1.5])), ("other", None)):
            second, messages = echoes_in(tmp_path / "new", fingerprint)
            assert second.get(text) == expected and not messages
            second.close()
    assert first.get("An") is None
    first.close()
    assert first.get("An owl")
    first.close()


def test_two_processes_write_at_once_and_lose_nothing_when_they_are_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _WRITE, str(tmp_path)]
    processes = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for name in ("first", "second")
    ]
    for process in processes:
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"done\n"
            process.kill()
    echoes, messages = echoes_in(tmp_path)
    for number in range(100):
        assert echoes.get(f"text {number}") in ((["first"], [number]), (["second"], [number]))
    echoes.close()
    assert not messages


def test_a_folder_that_cannot_be_made_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    echoes, messages = echoes_in(tmp_path / "file")
    for number in range(3):
        echoes.put(f"text {number}", ["text"], [None])
        assert echoes.get(f"text {number}") is None
    assert len(messages) == 1 and "warning: " in messages[0]


def test_log_probabilities_are_forgotten_and_tokens_are_not(tmp_path: Path) -> None:
    echoes, _ = echoes_in(tmp_path)
    other, _ = echoes_in(tmp_path, "other")
    for each in (echoes, other):
        for text in ("An owl", "Zoë", "half \ud800"):
            each.put(text, [text], [None])
    echoes.forget(["half \ud800", "unknown"])
    assert [echoes.get(text) for text in ("Zoë", "half \ud800")] == [
        (["Zoë"], [None]),
        (["half \ud800"], None),
    ]
    echoes.forget_all()
    assert echoes.get("Zoë") == (["Zoë"], None)
    assert dict(echoes.pieces()) == {text: [text] for text in ("An owl", "Zoë", "half \ud800")}
    echoes.clear()
    assert echoes.get("Zoë") is None and not dict(echoes.pieces())
    assert other.get("Zoë") == (["Zoë"], [None])
    echoes.close()
    other.close()


def test_log_probabilities_are_forgotten_after_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for longest, expected in ((3600, [None]), (0, None)):
        monkeypatch.setattr("horsesense.models.server.echoes.LONGEST", longest)
        echoes, _ = echoes_in(tmp_path)
        if longest:
            echoes.put("An owl", ["An owl"], [None])
            echoes.close()
        assert echoes.get("An owl") == (["An owl"], expected)
        echoes.close()
