"""`knowact list`: suites, data sets and built-in agents."""

import click

from knowact import suites
from knowact.cli.options import HELP
from knowact.core.errors import BadUsage
from knowact.core.suite import Suite
from knowact.running.sources import typed


@click.command("list", context_settings=HELP)
def command() -> None:
    """List suites, data sets (size, licence) and built-in agents."""
    from knowact.agents.catalogue import DESCRIPTIONS
    from knowact.core.role_model import BUILT_IN

    usable: list[Suite] = []
    unusable: list[tuple[str, str, str]] = []
    for name in suites.names():
        try:
            usable.append(suites.find(name))
        except BadUsage as error:
            unusable.append((typed(name), str(error), ""))
    _table("Suites", [(typed(suite.name), suite.question, suite.paper) for suite in usable])
    _table(
        "\nData sets",
        [
            (f"{suite.name}/{data.name}@{data.version}", f"{data.size:,} items", data.licence)
            for suite in usable
            for data in suite.datasets()
        ],
    )
    _table(
        "\nBuilt-in agents (--model)", [(BUILT_IN + name, about, "") for name, about in DESCRIPTIONS.items()]
    )
    if unusable:
        _table("\nSuites that cannot be used", unusable)


def _table(title: str, rows: list[tuple[str, str, str]]) -> None:
    click.echo(title)
    widths = [max((len(row[place]) for row in rows), default=0) for place in (0, 1)]
    for first, second, third in rows or [("none", "", "")]:
        click.echo(f"  {first:<{widths[0]}}  {second:<{widths[1]}}  {third}".rstrip())
