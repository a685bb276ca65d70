"""What the tests beside this file let other processes do: `python -m tests.store.processes …`.

Each command writes a line for everything it has reached, so that a test can act right then.
"""

from __future__ import annotations

import os
import resource
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from horsesense.errors import StoreError
from horsesense.models import ChatRequest, Message, Replies, Reply
from horsesense.perturbations.checks import Perturbed, SkippedEntry, perturb
from horsesense.perturbations.transformation import Validity
from horsesense.schema import Entry, Header
from horsesense.store import (
    QueryRun,
    Source,
    Store,
    find_dataset,
    find_perturbation,
    freeze,
    judge,
    keep_replies,
    keep_run,
    list_datasets,
    load_entries,
    load_ledger,
    load_replies,
    save_entries,
    save_perturbation,
)
from tests.evaluation.inference.stand_in import declared
from tests.results.awkward import awkward_profile
from tests.store.builders import findings, lanterns, source
from tests.store.perturbing import LENGTHENED

ROOT = Path(__file__).parents[2]


def start(command: str, *arguments: object) -> subprocess.Popen[str]:
    """A process that runs one of the commands below."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.processes", command, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str], said: str = "") -> list[str]:
    """The lines that a process wrote, once it has ended well."""
    output, errors = process.communicate(said, timeout=60)
    assert process.returncode == 0 and not errors, errors
    return output.splitlines()


def save(path: str, name: str, count: str, prefix: str = "") -> None:
    """Save a dataset of so many lanterns, as soon as there is a line to read."""
    sys.stdin.readline()
    with Store.create_or_open(Path(path)) as store:
        saved = save_entries(store, Header(name), _counted(int(count), prefix), _last)
        _say(f"saved {saved.dataset.id}")


def create(*paths: str) -> None:
    """Make or open stores, one after another, as soon as there is a line to read."""
    _say("ready")
    sys.stdin.readline()
    for path in paths:
        with Store.create_or_open(Path(path)) as store:
            assert list_datasets(store) == []
    _say(f"made {len(paths)}")


def read(path: str) -> None:
    """Read all datasets until the standard input ends; each must be whole every time."""
    rounds = 0
    with Store.open(Path(path)) as store:
        _say("ready")
        while not _told():
            for dataset in list_datasets(store, all_versions=True):
                assert len(list(load_entries(store, dataset))) == dataset.entries
            rounds += 1
    _say(f"rounds {rounds}")


def hit_limit(path: str, limit: str) -> None:
    """Save more than may be written to one file; then save it without the limit."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), limits[1]))
    try:
        with Store.create_or_open(Path(path)) as store:
            save_entries(store, Header("large"), lanterns(2000), source)
    except StoreError as error:
        _say(f"refused: {error}")
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with Store.create_or_open(Path(path)) as store:
        _say(f"findings {findings(store)}, datasets {[one.name for one in list_datasets(store)]}")
        save_entries(store, Header("large"), lanterns(2000), source)
        _say(f"findings {findings(store)}, datasets {[one.name for one in list_datasets(store)]}")


def apply(path: str, original: str) -> None:
    """Perturb a dataset, as soon as there is a line to read."""
    sys.stdin.readline()
    settings = LENGTHENED.settings()
    with Store.open(Path(path)) as store:
        dataset = find_dataset(store, original)
        results = perturb(load_entries(store, dataset), LENGTHENED, settings)
        name = f"{original}.lengthened"
        save_perturbation(store, name, dataset, LENGTHENED, settings, _results(results))
        _say("applied")


def judge_all(path: str, name: str, by: str) -> None:
    """Accept every entry of a perturbation and freeze it, as soon as there is a line to read."""
    sys.stdin.readline()
    with Store.open(Path(path)) as store:
        perturbation = find_perturbation(store, name)
        for one in load_ledger(store, perturbation):
            judge(store, perturbation, one.entry.id, Validity.ACCEPTED, by)
        saved = freeze(store, perturbation)
        _say(f"frozen {saved.dataset.id if saved else ''}")


def keep_profile(path: str) -> None:
    """Keep a run, as soon as there is a line to read."""
    sys.stdin.readline()
    with Store.open(Path(path)) as store:
        keep_run(store, awkward_profile())
        _say("kept")


PARROT = declared(name="parrot", server="vllm 0.32.0")
# How many replies are stored together.
BATCH = 8


def requests(count: int) -> list[ChatRequest]:
    return [ChatRequest((Message("user", f"Lamp {number}?"),), 8) for number in range(count)]


def keep_replies_as(path: str, text: str, count: str) -> None:
    """Keep replies with that text batch by batch, as soon as there is a line to read."""
    sys.stdin.readline()
    texts = ""
    with Store.open(Path(path)) as store:
        for number, batch in enumerate(_batches(text, int(count))):
            texts += "".join(reply.text for _, reply in keep_replies(store, PARROT, _run(), batch))
            _say(f"batch {number}")
    _say(texts)


def limit_replies(path: str, limit: str) -> None:
    """Keep more replies than may be written to one file; then all without the limit."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), limits[1]))
    try:
        with Store.open(Path(path)) as store:
            for batch in _batches("A", 2000):
                keep_replies(store, PARROT, _run(), batch)
    except StoreError as error:
        _say(f"refused: {error}")
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with Store.open(Path(path)) as store:
        _say(f"kept {len(load_replies(store, PARROT.fingerprint, requests(2000)).replies)}")
        for batch in _batches("A", 2000):
            keep_replies(store, PARROT, _run(), batch)
        _say(f"kept {len(load_replies(store, PARROT.fingerprint, requests(2000)).replies)}")


def _batches(text: str, count: int) -> Iterator[Replies]:
    replies = [(request, Reply(text, "stop")) for request in requests(count)]
    for start in range(0, count, BATCH):
        yield replies[start : start + BATCH]


def _run() -> QueryRun:
    return QueryRun(str(os.getpid()), "parrot", "2026-01-01T00:00:00+00:00", "0.1", "", "", "", "")


def _results(results: Iterator[Perturbed | SkippedEntry]) -> Iterator[Perturbed | SkippedEntry]:
    for number, result in enumerate(results):
        if number % 50 == 0:
            _say(f"entry {number}")
        yield result
    _say("read")


def _counted(count: int, prefix: str) -> Iterator[Entry]:
    for number, entry in enumerate(lanterns(count, prefix)):
        if number % 50 == 0:
            _say(f"entry {number}")
        yield entry


def _last() -> Source:
    _say("read")
    return source()


def _told() -> bool:
    """True once the other side has closed our standard input."""
    return bool(select.select([sys.stdin], [], [], 0)[0])


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


COMMANDS: dict[str, Callable[..., None]] = {
    "save": save,
    "create": create,
    "read": read,
    "hit-limit": hit_limit,
    "apply": apply,
    "judge-all": judge_all,
    "keep-run": keep_profile,
    "keep-replies": keep_replies_as,
    "limit-replies": limit_replies,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
