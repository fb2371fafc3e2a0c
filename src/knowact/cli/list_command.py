"""`knowact list`: what there is."""

import click


@click.command("list", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """List suites, data sets (version, size, licence) and built-in agents."""
    from knowact import suites
    from knowact.agents.catalogue import DESCRIPTIONS, PREFIX

    click.echo("Suites")
    found = [suites.find(name) for name in suites.names()]
    _columns([(suite.name.replace("_", "-"), suite.question, suite.paper) for suite in found])
    click.echo("\nData sets")
    _columns(
        [
            (f"{suite.name}/{data.name}@{data.version}", f"{data.size:,} items", data.licence)
            for suite in found
            for data in suite.datasets()
        ]
    )
    click.echo("\nBuilt-in agents (--model)")
    _columns([(PREFIX + name, what, "") for name, what in DESCRIPTIONS.items()])


def _columns(rows: list[tuple[str, str, str]]) -> None:
    if not rows:
        click.echo("  none")
        return
    widths = [max(len(row[place]) for row in rows) for place in (0, 1)]
    for first, second, third in rows:
        click.echo(f"  {first:<{widths[0]}}  {second:<{widths[1]}}  {third}".rstrip())
