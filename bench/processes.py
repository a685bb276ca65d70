"""Start processes that do jobs for a comparison, each with its model loaded; see `peer_jobs`."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO

from bench.peer_jobs import Job

ROOT = Path(__file__).parents[1]
_OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}


class Process:
    """A process that does jobs, and the seconds it took to start."""

    def __init__(
        self,
        python: str,
        module: str,
        *arguments: str,
        log: IO[str],
        root: Path = ROOT,
        env: Mapping[str, str] = os.environ,
    ) -> None:
        start = time.perf_counter()
        self._process = subprocess.Popen(
            [python, "-m", f"bench.{module}", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=root,
            env={**env, **_OFFLINE},
            text=True,
        )
        self._name, self._log = module, log.name
        self._reply()
        self.started_in = time.perf_counter() - start

    def run(self, **job: object) -> Job:
        """Run a job, and return its reply."""
        assert self._process.stdin is not None
        print(json.dumps(job), file=self._process.stdin, flush=True)
        return self._reply()

    def _reply(self) -> Job:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            log = Path(self._log).read_text(errors="replace").strip()[-2000:]
            raise SystemExit(f"{self._name} failed:\n{log}")
        reply: Job = json.loads(line)
        return reply

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
