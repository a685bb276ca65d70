"""`horsesense completion`: install or show the script that makes a shell complete commands."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from horsesense.cli.groups import LazyGroup
from horsesense.cli.output import note
from horsesense.datasets.files import write_file
from horsesense.errors import FileError

SHELLS = ("bash", "zsh", "fish")
_PROGRAM = "horsesense"
# Every script sets it, so that a file with it is one of ours.
_VARIABLE = "_HORSESENSE_COMPLETE"
_ZSHRC = "fpath+=(~/.zfunc); autoload -Uz compinit && compinit"

shell_argument = click.argument(
    "shell", type=click.Choice(SHELLS), required=False, metavar="[bash|zsh|fish]"
)


@click.group("completion", cls=LazyGroup)
def completion_group() -> None:
    """Set up tab completion for your shell.

    The tab key then completes commands, options, and the names of datasets, models, metrics,
    transformations and runs. If you name no shell, your login shell is used.
    """


@completion_group.command("install")
@shell_argument
@click.pass_context
def install_command(ctx: click.Context, shell: str | None) -> None:
    """Install the completion script for a shell.

    The script is written to the folder where the shell looks for such scripts. No other file is
    changed.

    Example:

    \b
        horsesense completion install
        horsesense completion install zsh
    """
    shell = shell or _login_shell(ctx)
    path = script_path(shell)
    if path.exists() and _VARIABLE not in path.read_text(encoding="utf-8", errors="replace"):
        raise FileError(f"{path} was not written by horsesense; move it elsewhere first")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{path.parent} cannot be created: {error.strerror}") from error
    write_file(path, [_script(ctx, shell)], overwrite=True)
    click.echo(f"wrote {path}; to undo this, delete the file")
    if shell == "bash":
        note("it takes effect in new shells that load the package bash-completion")
    elif shell == "fish":
        note("it takes effect in new shells")
    elif ".zfunc" in _text_of(Path.home() / ".zshrc"):
        note("it takes effect in new shells, because ~/.zshrc already mentions ~/.zfunc")
    else:
        note(f"add this line to ~/.zshrc and start a new shell:\n  {_ZSHRC}")


@completion_group.command("show")
@shell_argument
@click.pass_context
def show_command(ctx: click.Context, shell: str | None) -> None:
    """Print the completion script for a shell.

    Example:

    \b
        horsesense completion show fish
    """
    click.echo(_script(ctx, shell or _login_shell(ctx)))


def script_path(shell: str, environment: Mapping[str, str] = os.environ) -> Path:
    """Return where a shell looks for the completion script of a program.

    >>> script_path("fish", {"XDG_CONFIG_HOME": "/config"}).as_posix()
    '/config/fish/completions/horsesense.fish'
    """
    home = Path.home()
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    scripts = Path(environment.get("BASH_COMPLETION_USER_DIR") or data / "bash-completion")
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    paths = {
        "bash": scripts / "completions" / _PROGRAM,
        "zsh": home / ".zfunc" / f"_{_PROGRAM}",
        "fish": config / "fish" / "completions" / f"{_PROGRAM}.fish",
    }
    return paths[shell]


def _login_shell(ctx: click.Context) -> str:
    shell = Path(os.environ.get("SHELL", "")).name
    if shell not in SHELLS:
        found = f"your login shell is {shell}" if shell else "your login shell is unknown"
        raise click.UsageError(f"{found}; specify one of: {', '.join(SHELLS)}", ctx)
    return shell


def _script(ctx: click.Context, shell: str) -> str:
    shell_class = get_completion_class(shell)
    assert shell_class is not None  # click has one for each of SHELLS
    return shell_class(ctx.find_root().command, {}, _PROGRAM, _VARIABLE).source()


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
