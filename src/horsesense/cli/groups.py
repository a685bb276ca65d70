"""Command groups that import their commands lazily, and exit codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from horsesense.errors import UnknownNameError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

IS_INCOMPLETE = 7  # the report is missing something that the user requested
INTERRUPTED = 130  # as for a program that was stopped with Ctrl-C
NOT_READ = 141  # as for a program whose output pipe was closed
# Short helps wrap in a narrow terminal, and are not cut.
_NO_LIMIT = 1000
# What other programs call some of our commands; these names do not work, but lead to ours.
_SYNONYMS = {
    "clear": "prune",
    "delete": "remove",
    "download": "get",
    "eval": "run",
    "evaluate": "run",
    "fetch": "get",
    "repair": "check --repair",
    "rm": "remove",
}
# The target ("module:attribute") and the short help of each command.
LazyCommands: TypeAlias = Mapping[str, tuple[str, str]]


def load_target(target: str) -> Any:
    """Import the object at "module:attribute"."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


class LazyCommand(click.Command):
    """A command that imports its function when it runs, so that its help is fast.

    The decorated function only declares the options; the one at `target` gets their values.
    """

    def __init__(self, *args: Any, target: str = "", **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.target = target

    def invoke(self, ctx: click.Context) -> Any:
        """Import the function and call it with the options."""
        if not self.target:
            return super().invoke(ctx)
        return ctx.invoke(load_target(self.target), **ctx.params)


class LazyGroup(click.Group):
    """A group that imports a command when it is used, and suggests names similar to a wrong one.

    `lazy` maps the name of each command to its target ("module:attribute") and its short help.
    A group may also have commands that are registered as usual. A large group has `sections`
    instead: the title of each, with the commands that the help lists below it.
    """

    def __init__(
        self,
        *args: Any,
        lazy: LazyCommands | None = None,
        sections: Mapping[str, LazyCommands] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(*args, **extra)
        self.sections = sections or {}
        in_sections = (section.items() for section in self.sections.values())
        self.lazy = lazy or dict(chain.from_iterable(in_sections))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of all commands."""
        return sorted([*self.commands, *self.lazy])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, importing it if needed."""
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        target, _ = self.lazy[cmd_name]
        try:
            command: click.Command = load_target(target)
        except KeyboardInterrupt:
            click.echo("Error: interrupted; nothing was done", err=True)
            ctx.exit(INTERRUPTED)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the short help of every command, without importing any."""
        names = self.list_commands(ctx)
        longest = max(map(len, names), default=0)
        sections: Mapping[str, Iterable[str]] = self.sections or {"Commands": names}
        for title, listed in sections.items():
            # Names of equal length align the sections.
            rows = [(name.ljust(longest), self._short_help(name)) for name in listed]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands, without importing any."""
        from click.shell_completion import CompletionItem

        names = (name for name in self.list_commands(ctx) if name.startswith(incomplete))
        commands = [CompletionItem(name, help=self._short_help(name)) for name in names]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def _short_help(self, name: str) -> str:
        command = self.commands.get(name) or click.Command(name, help=self.lazy[name][1])
        return command.get_short_help_str(_NO_LIMIT)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or fail and suggest similar names."""
        is_typed = args and not args[0].startswith("-") and not ctx.resilient_parsing
        if is_typed and self.get_command(ctx, args[0]) is None:
            similar = self._meant(ctx, args[0]) or None
            names = self.list_commands(ctx)
            ctx.fail(str(UnknownNameError("command", args[0], names, similar=similar)))
        return super().resolve_command(ctx, args)

    def _meant(self, ctx: click.Context, name: str) -> list[str]:
        """Return the command that has another name here, or those of that name in the groups."""
        synonym = _SYNONYMS.get(name, "")
        names = self.list_commands(ctx)
        if synonym.partition(" ")[0] in names:
            return [synonym]
        commands = ((group, self.get_command(ctx, group)) for group in names)
        return [
            f"{group} {name}"
            for group, command in commands
            if isinstance(command, LazyGroup) and name in command.list_commands(ctx)
        ]
