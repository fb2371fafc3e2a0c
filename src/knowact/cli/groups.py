"""Commands that have commands, such as `knowact world check`: wrong names suggest the near ones."""

from typing import Any

import click

from knowact.core.errors import UnknownName

HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


class Group(click.Group):
    """A group that answers an unknown command with the near ones."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise UnknownName(f"command of `knowact {self.name}`", args[0], self.commands)
        return super().resolve_command(ctx, args)
