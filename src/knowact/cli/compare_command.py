"""`knowact compare A B`: two runs on the same items, paired."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from knowact.core.errors import BadUsage, UnknownName

if TYPE_CHECKING:
    from knowact.core.table import Run


@click.command("compare", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--log-dir",
    type=click.Path(path_type=Path),
    default=Path("logs"),
    show_default=True,
    help="Where runs are looked for by id or model.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Fixes bootstrap and swaps.")
def command(first: str, second: str, log_dir: Path, seed: int) -> int:
    """Compare two runs on the same items: differences with intervals, Holm's correction over the rows.

    A and B are each a log, a folder that holds one run, or the id or model of a run below --log-dir.
    """
    from knowact import suites
    from knowact.report.as_text import compared_text
    from knowact.report.compare import compare

    a, b = _run(first, log_dir), _run(second, log_dir)
    suite = suites.find(a.suite)
    if suite.related is not None and a.suite == b.suite:
        a, b = (replace(run, records=suite.related(run.records)) for run in (a, b))
    found = compare(a, b, suite.compared, seed, by=suite.compared_by)
    click.echo(f"A: {a.id} ({a.model})\nB: {b.id} ({b.model})\n")
    click.echo(compared_text(found))
    return 0


def _run(name: str, log_dir: Path) -> "Run":
    from knowact.cli.sources import runs_at

    path = Path(name)
    if path.exists():
        found = runs_at([path])
    else:
        every = runs_at([log_dir])
        found = [run for run in every if name in (run.id, run.model)]
        if not found:
            raise UnknownName("run", name, [run.id for run in every])
    if len(found) > 1:
        ids = ", ".join(run.id for run in found)
        raise BadUsage(f"{name!r} holds several runs; name one of them: {ids}.")
    return found[0]
