"""The wheel as anybody installs it: without extras and with each, on every supported Python.

`make test-wheels` builds the wheel and runs these tests; an install takes 10 to 100 seconds.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.installs.installed import Installed

ROOT = Path(__file__).parents[2]
WHEEL = os.environ.get("HORSESENSE_WHEEL", "")
# The folder of a log that lm-evaluation-harness wrote.
LOG = ROOT / "docs/tutorials/smollm2-135m"
LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
VERSIONS = [
    trove.rpartition(" ")[2]
    for trove in PROJECT["classifiers"]
    if re.fullmatch(r".* :: 3\.\d+", trove)
]
# Where the module is not called like the distribution.
MODULES = {"scikit-learn": "sklearn"}
TORCH = "torch==2.13.0"

pytestmark = pytest.mark.skipif(
    not WHEEL, reason="HORSESENSE_WHEEL names no wheel; `make test-wheels` builds one"
)


@cache
def interpreter(version: str) -> str | None:
    """Find a Python of this version on the path or among those of pyenv; a stub may not run."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    homes = [str(path / "bin") for path in pyenv.glob(f"{version}.*")]
    for folder in [*os.get_exec_path(), *homes]:
        found = shutil.which(f"python{version}", path=folder)
        if (
            found
            and subprocess.run([found, "-c", "import venv"], capture_output=True).returncode == 0
        ):
            return found
    return None


def install(version: str, extra: str, folder: Path) -> Installed:
    """Install the wheel into a fresh environment."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"python{version} is not on the path, nor among those of pyenv")
    if extra == "hf" and version != VERSIONS[0]:
        pytest.skip(
            f"torch is installed once, on Python {VERSIONS[0]}: it takes minutes and gigabytes"
        )
    subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
    own = str(folder / "venv" / "bin" / "python")
    what = f"{WHEEL}[{extra}]" if extra else WHEEL
    for wanted in [TORCH, what] if extra == "hf" else [what]:
        pip = [own, "-m", "pip", "install", "-q", "--disable-pip-version-check", wanted]
        done = subprocess.run(pip, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    (folder / "work").mkdir()
    return Installed(own, folder / "work")


def modules(extra: str) -> list[str]:
    """List the modules that an extra brings."""
    names = [re.split(r"[^A-Za-z0-9_-]", requirement)[0] for requirement in EXTRAS.get(extra, [])]
    return [MODULES.get(name, name.replace("-", "_")) for name in names]


@pytest.mark.parametrize("extra", ["", *(extra for extra in EXTRAS if extra != "dev")])
@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_works_on_every_python_with_every_extra(
    version: str, extra: str, tmp_path: Path
) -> None:
    installed = install(version, extra, tmp_path)
    assert "Usage: horsesense" in installed.run("--help").stdout
    assert PROJECT["version"] in installed.run("--version").stdout
    assert "4 sentences" in installed.run("schema", "show", LORRY).stdout
    checked = installed.run("check", str(LOG), "--resamples", "100", "--output", "page.html")
    assert "schemas" in checked.stdout
    assert "<html" in (installed.folder / "page.html").read_text("utf-8")
    baseline = ("run", "--model", "first", "--data", "hs-winograd", "--limit", "4")
    assert installed.run(*baseline, "--resamples", "50", "--output", "run").stdout
    names = ["horsesense", *modules(extra)]
    told = installed.evaluate(
        "import importlib, sys, warnings; warnings.simplefilter('ignore');"
        f"[importlib.import_module(name) for name in {names}];"
        "print(*sys.version_info[:2], sep='.')"
    )
    assert told == f"{version}\n"
    # No environment outlives its test: together they would fill the disk.
    shutil.rmtree(tmp_path / "venv")
