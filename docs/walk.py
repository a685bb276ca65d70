"""Run a command of the program and count the functions that it calls.

    python docs/walk.py run --model first --data hs-adversarial --first 5 --output out

The last line of the standard error has the counts as JSON. The script counts calls, from any
thread, into the package that is found first on the path. Calls during an import don't count,
because importing is not part of the job. The caller is the nearest function of the package further
up the stack; frames of other libraries are skipped.
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
    """The functions called, and which module called which."""

    root: Path
    functions: set[tuple[str, str]] = field(default_factory=set)
    arrows: set[tuple[str, str]] = field(default_factory=set)
    _modules: dict[str, str] = field(default_factory=dict)

    def record(self, frame: FrameType, event: str, _argument: object) -> None:
        """Record a call; passed to `sys.setprofile`."""
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
        """Count what was called, and list the packages that call each other both ways."""
        modules = {module for module, _ in self.functions}
        pairs = {(_package(caller), _package(called)) for caller, called in self.arrows}
        both = sorted(pair for pair in pairs if pair[0] < pair[1] and pair[::-1] in pairs)
        return {
            "packages": len({_package(module) for module in modules}),
            "modules": len(modules),
            "functions": len(self.functions),
            "unnamed": sum(name.endswith(">") for _, name in self.functions),
            "arrows": len(self.arrows),
            "both_ways": [" <> ".join(pair) for pair in both],
        }

    def _module(self, code: CodeType) -> str:
        """Return the module of a code object, without the package; empty for other libraries."""
        # Not by the code itself: equal functions of two files are equal.
        file = code.co_filename
        name = self._modules.get(file)
        if name is None:
            path = Path(file)
            is_ours = path.is_relative_to(self.root)
            name = ".".join(path.relative_to(self.root).with_suffix("").parts) if is_ours else ""
            self._modules[file] = name
        return name


def walk(arguments: list[str]) -> dict[str, Any]:
    """Run the program with these arguments, and return the counts."""
    package = importlib.import_module(PACKAGE)
    assert package.__file__ is not None
    trace = Walk(Path(package.__file__).parent)
    main = importlib.import_module(f"{PACKAGE}.__main__").main
    sys.argv = [PACKAGE, *arguments]
    threading.setprofile(trace.record)
    sys.setprofile(trace.record)
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
