"""`knowact tools`: other people's tools."""

import click

from knowact.cli import tools_annotate, tools_collect, tools_draft, tools_own
from knowact.cli.options import HELP, Group


@click.group("tools", cls=Group, context_settings=HELP)
def command() -> None:
    """Work with tools of your own, or with collections of published ones."""


for _one in (
    *(tools_own.add, tools_own.show, tools_own.record),
    *(tools_annotate.command, tools_collect.command, tools_draft.command),
):
    command.add_command(_one)
