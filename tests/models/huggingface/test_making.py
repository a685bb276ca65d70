from __future__ import annotations

import multiprocessing
import os
import time
from collections import namedtuple
from pathlib import Path

import pytest

from horsesense.errors import ModelError
from horsesense.models.huggingface.conversion import make_once


def quietly(_message: str) -> None:
    """Nobody is listening."""


def make_in(target: Path, *, needs_bytes: int = 0) -> Path:
    return make_once(
        target,
        lambda folder: (folder / "oats").touch(mode=0o600),
        needs_bytes=needs_bytes,
        progress=quietly,
    )


def test_a_folder_is_made_whole_with_the_rights_of_other_files(tmp_path: Path) -> None:
    made = make_in(tmp_path / "models" / "owl")
    plain = tmp_path / "plain"
    plain.touch()
    assert [path.name for path in made.iterdir()] == ["oats"]
    assert (made / "oats").stat().st_mode == plain.stat().st_mode


def test_a_folder_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    (tmp_path / "owl").mkdir()
    assert list(make_in(tmp_path / "owl").iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_is_broken_off_leaves_nothing_behind(
    tmp_path: Path, error: type[BaseException]
) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise error

    with pytest.raises(error):
        make_once(tmp_path / "owl", fail, needs_bytes=0, progress=quietly)
    assert [path.name for path in tmp_path.iterdir()] == ["owl.lock"]


def test_what_a_killed_process_has_left_goes_with_the_next(tmp_path: Path) -> None:
    (tmp_path / ".owl.abc123" / "owl").mkdir(parents=True)
    make_in(tmp_path / "owl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["owl", "owl.lock"]


def test_too_little_room_is_told_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage(0, 0, 3 * 10**8))
    with pytest.raises(
        ModelError, match=r"has 0\.3 GB left, and 0\.8 GB are needed; free some space"
    ):
        make_in(tmp_path / "owl", needs_bytes=75 * 10**7)
    assert not (tmp_path / "owl").exists()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ModelError, match="cannot be written: .*; free some space, or set HORSESEN"):
        make_in(tmp_path / "file" / "owl")


def test_a_disk_that_fills_up_is_named(tmp_path: Path) -> None:
    def fill(_folder: Path) -> None:
        raise OSError(28, os.strerror(28))

    with pytest.raises(
        ModelError, match="cannot be written: No space left on device; free some space"
    ):
        make_once(tmp_path / "owl", fill, needs_bytes=0, progress=quietly)


def _slowly(folder: Path) -> None:
    time.sleep(0.5)
    (folder / str(os.getpid())).touch()


def _make_slowly(target: str) -> list[str]:
    told: list[str] = []
    made = make_once(Path(target), _slowly, needs_bytes=0, progress=told.append)
    return [*told, *(path.name for path in made.iterdir())]


def test_of_two_processes_one_waits_for_the_other(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        first, second = sorted(pool.map(_make_slowly, [str(tmp_path / "owl")] * 2), key=len)
    assert first[-1:] == second[-1:] and len(first) == 1
    assert second[0] in ("waiting for another process that creates owl", first[0])
