"""Keep the terminal sessions in the documentation up to date: ``--check`` or ``--write`` them.

A fenced block marked ``console`` has lines ``$ command``, each followed by its output, including
standard error. A command that ends in a backslash continues on the next line. If a command fails,
the last line of its output is ``[exit status 1]`` or similar. In the output, ``…`` stands for any
text within its line. In a block marked ``console rounded``, numbers may differ by one or two in
their last decimal place, because results of a model vary between processors.

A fenced block marked ``text file=NAME`` (or with another language) is a file of that name, which
the commands below it can use. A comment ``<!-- file=NAME -->`` copies such a file from the folder
of the document; for README.md that is the top of the repository.

All commands of a document run in one bash that starts in an empty folder, so that a session can
build on earlier ones. Of the caller's environment, only the path is passed on.
"""

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)")
FILE = re.compile(r"\S+ +file=(?P<name>\S+)")
COPIED = re.compile(r"<!-- file=(?P<name>\S+) -->")
ENVIRONMENT = {
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "LC_ALL": "C.UTF-8",
    "HORSESENSE_STORE": "horsesense.db",  # every document has a store of its own
    "PYTHONUNBUFFERED": "1",  # output and errors come in the order a terminal shows them
    # Download the embedded model once, not for every session.
    "HORSESENSE_CACHE": os.environ.get("HORSESENSE_CACHE", str(ROOT / ".cache" / "horsesense")),
}
NUMBER = re.compile(r"\d+\.\d+")


@dataclass(frozen=True, slots=True)
class File:
    """A file for the commands below it, in their folder: its content, or where to copy it from."""

    name: str
    content: str | Path


@dataclass(frozen=True, slots=True)
class Command:
    """A command, its documented output, and the index of the line where that starts."""

    text: str
    expected: tuple[str, ...]
    start: int
    indent: str
    is_rounded: bool


def read_steps(lines: Sequence[str], folder: Path) -> Iterator[File | Command]:
    """Yield the files and commands of a document in this folder, in order."""
    numbered = enumerate(lines)
    for number, line in numbered:
        if copied := COPIED.fullmatch(line.strip()):
            if not (source := folder / copied["name"]).is_file():
                raise ValueError(f"line {number + 1}: there is no file {source}")
            yield File(copied["name"], source)
        elif opening := FENCE.fullmatch(line):
            indent, fence, info = opening["indent"], opening["fence"], opening["info"].strip()
            closing = re.compile(rf" *{fence}{fence[0]}* *")
            block: list[str] = []
            for _, text in numbered:
                if closing.fullmatch(text):
                    break
                block.append(text.removeprefix(indent))
            if info in ("console", "console rounded"):
                for text, expected, start in _commands(block, number + 1):
                    yield Command(text, expected, start, indent, info != "console")
            elif file := FILE.fullmatch(info):
                yield File(file["name"], "".join(f"{text}\n" for text in block))


def run_steps(steps: Sequence[File | Command]) -> Iterator[tuple[Command, tuple[str, ...]]]:
    """Yield every command with its output in a fresh folder.

    Placeholders that still match are kept.
    """
    mark = uuid.uuid4().hex
    with tempfile.TemporaryDirectory() as home:
        work = Path(home, "work")
        work.mkdir()
        bash = subprocess.run(
            ["bash", "-c", "\n".join(_script(step, mark, work) for step in steps)],
            cwd=work,
            env=ENVIRONMENT | {"HOME": home},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
    commands = [step for step in steps if isinstance(step, Command)]
    outputs = re.findall(rf"(.*?){mark} (\d+)\n", bash.stdout, re.DOTALL)
    if len(outputs) < len(commands):
        raise ValueError(f"the session ends early, at {commands[len(outputs)].text!r}")
    for command, (text, status) in zip(commands, outputs, strict=True):
        lines = [line.rstrip() for line in text.splitlines()]
        lines += [f"[exit status {status}]"] if status != "0" else []
        rule = matches_roughly if command.is_rounded else matches
        yield command, keep_placeholders(command.expected, lines, rule)


def keep_placeholders(
    expected: Sequence[str], actual: Sequence[str], rule: Callable[[str, str], bool]
) -> tuple[str, ...]:
    """Return the actual lines, with expected ones wherever these still match."""
    pairs = zip(expected, actual, strict=False)
    alike = sum(1 for _ in takewhile(lambda pair: rule(*pair), pairs))
    more = len(actual) - len(expected)
    # Assume that lines were added or removed where the two first differ.
    aligned = [*expected[:alike], *[""] * more, *expected[alike + max(0, -more) :]]
    return tuple(old if rule(old, new) else new for old, new in zip(aligned, actual, strict=True))


def check(document: Path) -> bool:
    """Print where the document is wrong, and say whether it is right."""
    is_right = True
    for command, lines in _session(document):
        if lines != command.expected:
            is_right = False
            place = f"{os.path.relpath(document)}:{command.start + 1}"
            names = f"{place} as written", f"{place} as run"
            print(*difflib.unified_diff(command.expected, lines, *names, lineterm=""), sep="\n")
    return is_right


def write(document: Path) -> None:
    """Replace the documented output of the commands by the actual output."""
    new = _read(document)
    for command, lines in reversed(_session(document)):
        output = [f"{command.indent}{line}".rstrip() for line in lines]
        new[command.start : command.start + len(command.expected)] = output
    document.write_text("\n".join(new), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Check or write the given documents, by default README.md and those in docs/."""
    parser = argparse.ArgumentParser(
        description="keep the terminal sessions in the docs up to date"
    )
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true", help="show where the docs differ")
    action.add_argument("--write", action="store_true", help="rewrite the output of the commands")
    parser.add_argument("documents", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    documents = options.documents or [*ROOT.glob("README.md"), *sorted(ROOT.glob("docs/**/*.md"))]
    if options.write:
        for document in documents:
            write(document)
        return 0
    drifted = [document for document in documents if not check(document)]
    if drifted:
        print("if the commands are right and the docs are wrong, run: make docs")
    return int(bool(drifted))


def _read(document: Path) -> list[str]:
    return document.read_text(encoding="utf-8").split("\n")


def _session(document: Path) -> list[tuple[Command, tuple[str, ...]]]:
    try:
        return [*run_steps([*read_steps(_read(document), document.parent)])]
    except ValueError as error:
        sys.exit(f"{os.path.relpath(document)}: {error}")


def _commands(block: Sequence[str], offset: int) -> Iterator[tuple[str, tuple[str, ...], int]]:
    starts = [number for number, line in enumerate(block) if line.startswith("$ ")]
    if starts[:1] != [0]:
        raise ValueError(f"line {offset + 1}: a console block begins with a line '$ command'")
    for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
        first = start + 1
        while first < end and block[first - 1].endswith("\\"):
            first += 1
        text = "\n".join(block[start:first]).removeprefix("$ ")
        expected = tuple(line.rstrip() for line in block[first:end])
        yield text, expected, offset + first


def _script(step: File | Command, mark: str, work: Path) -> str:
    if isinstance(step, Command):
        # With eval, a command that bash cannot parse does not break the others.
        return f"eval {shlex.quote(step.text)}\nprintf '{mark} %d\\n' $?"
    path = work / step.name
    folder, target = shlex.quote(str(path.parent)), shlex.quote(str(path))
    if isinstance(step.content, Path):
        return f"mkdir -p {folder}\ncp {shlex.quote(str(step.content.resolve()))} {target}"
    return f"mkdir -p {folder}\nprintf %s {shlex.quote(step.content)} > {target}"


def matches(expected: str, actual: str) -> bool:
    """Return whether a line is as expected, allowing for its placeholders."""
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    return re.fullmatch(pattern, actual) is not None


def matches_roughly(expected: str, actual: str) -> bool:
    """Return the same, allowing for the last places of numbers."""
    if not matches(NUMBER.sub("0.0", expected), NUMBER.sub("0.0", actual)):
        return False
    numbers = zip(NUMBER.findall(expected), NUMBER.findall(actual), strict=False)
    return all(
        abs(float(old) - float(new)) <= 2.01 * 10 ** -len(old.partition(".")[2])
        for old, new in numbers
    )


if __name__ == "__main__":
    sys.exit(main())
