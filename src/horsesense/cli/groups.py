"""Groups of commands that offer the nearest name for a misspelt one."""

from __future__ import annotations

import click

from horsesense.errors import UnknownNameError


class NamingGroup(click.Group):
    """A group that says which command may have been meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or fail with the nearest names."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            ctx.fail(str(UnknownNameError("command", args[0], self.list_commands(ctx))))
        return super().resolve_command(ctx, args)
