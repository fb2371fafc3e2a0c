"""`knowact tools`: other people's tools."""

import click

from knowact.cli import tools_collect
from knowact.cli.options import HELP, Group


@click.group("tools", cls=Group, context_settings=HELP)
def command() -> None:
    """Work with tools of your own, or with collections of published ones."""


command.add_command(tools_collect.command)
