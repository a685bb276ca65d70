"""Groups of commands that are imported when they are used, and further exit codes."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from horsesense.errors import UnknownNameError

HAS_GAPS = 7  # something that was asked for is missing in a report
INTERRUPTED = 130  # as of a program that Ctrl-C has ended
NOT_READ = 141  # as of a program that a closed pipe has ended


class LazyGroup(click.Group):
    """A group that imports a command when it is used, and offers the nearest name of one.

    `lazy` has each command's place ("module:attribute") and its short help by its name. A group
    may have commands of its own as well.
    """

    def __init__(
        self, *args: Any, lazy: Mapping[str, tuple[str, str]] | None = None, **extra: Any
    ) -> None:
        super().__init__(*args, **extra)
        self.lazy = lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of all commands."""
        return sorted([*self.commands, *self.lazy])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command if there is one of that name."""
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        place, _ = self.lazy[cmd_name]
        module, _, attribute = place.partition(":")
        try:
            command: click.Command = getattr(import_module(module), attribute)
        except KeyboardInterrupt:
            click.echo("Error: interrupted; nothing was done", err=True)
            ctx.exit(INTERRUPTED)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the short help of every command, without importing any."""
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max(map(len, names), default=0)
        rows = [(name, self._short_help(name, limit)) for name in names]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def _short_help(self, name: str, limit: int) -> str:
        command = self.commands.get(name) or click.Command(name, help=self.lazy[name][1])
        return command.get_short_help_str(limit)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or fail with the nearest names."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            ctx.fail(str(UnknownNameError("command", args[0], self.list_commands(ctx))))
        return super().resolve_command(ctx, args)
