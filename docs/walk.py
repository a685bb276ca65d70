"""Run a command of the program and count what its data meets on the way.

    python docs/walk.py run --model first --data hs-adversarial --limit 5 --output out

The counts come last on the standard error, as a line of JSON. Counted are calls into the package
that is found first on the path, whichever thread makes them. Calls made while a module is being
imported don't count: importing is not part of the job. A call comes from the nearest function of
the package above it, with other libraries' frames skipped.
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

PACKAGE = "horsesense"


@dataclass(slots=True)
class Walk:
    """The functions met, and which module called which."""

    root: Path
    functions: set[tuple[str, str]] = field(default_factory=set)
    arrows: set[tuple[str, str]] = field(default_factory=set)
    _modules: dict[str, str] = field(default_factory=dict)

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call; given to `sys.setprofile`."""
        if event != "call":
            return
        code = frame.f_code
        module = self._module(code)
        if not module or code.co_name == "<module>":
            return
        caller, above = "", frame.f_back
        while above is not None:
            name = self._module(above.f_code)
            if name and above.f_code.co_name == "<module>":
                return
            caller = caller or name
            above = above.f_back
        self.functions.add((module, code.co_qualname))
        if caller and caller != module:
            self.arrows.add((caller, module))

    def counts(self) -> dict[str, Any]:
        """What was met, in numbers, and the packages that call each other both ways."""
        modules = {module for module, _ in self.functions}
        pairs = {(_package(caller), _package(called)) for caller, called in self.arrows}
        both = sorted(pair for pair in pairs if pair[0] < pair[1] and pair[::-1] in pairs)
        return {
            "packages": len({_package(module) for module in modules}),
            "modules": len(modules),
            "functions": len(self.functions),
            "arrows": len(self.arrows),
            "both_ways": [" <> ".join(pair) for pair in both],
        }

    def _module(self, code: CodeType) -> str:
        """The module of a piece of code, without the package's name; empty for other libraries."""
        file = code.co_filename  # not the code itself: equal functions of two files are equal
        name = self._modules.get(file)
        if name is None:
            path = Path(file)
            is_ours = path.is_relative_to(self.root)
            name = ".".join(path.relative_to(self.root).with_suffix("").parts) if is_ours else ""
            self._modules[file] = name
        return name


def walk(arguments: list[str]) -> dict[str, Any]:
    """Run the program with these arguments, and count."""
    package = importlib.import_module(PACKAGE)
    assert package.__file__ is not None
    trace = Walk(Path(package.__file__).parent)
    main = importlib.import_module(f"{PACKAGE}.__main__").main
    sys.argv = [PACKAGE, *arguments]
    threading.setprofile(trace.note)
    sys.setprofile(trace.note)
    try:
        main()
    except SystemExit as stop:
        if stop.code:
            raise
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return trace.counts()


def _package(module: str) -> str:
    return module.partition(".")[0]


if __name__ == "__main__":
    print(json.dumps(walk(sys.argv[1:])), file=sys.stderr)
