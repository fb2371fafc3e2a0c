"""`knowact compare A B`: two runs on the same items, paired."""

from pathlib import Path

import click

from knowact import suites
from knowact.cli.options import HELP, PATH, folder_option, seed_option
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.table import Run
from knowact.report.as_json import compared_json
from knowact.report.as_text import compared_text, telling_text
from knowact.report.compare import compare_within
from knowact.report.telling import sides_link, telling_items
from knowact.report.write import write_text
from knowact.running.sources import runs_at

PAGE = "report/index.html"
"""Where `knowact report` writes its page, unless told otherwise."""


@click.command("compare", context_settings=HELP)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@folder_option("--log-dir", "logs", "Where to look for a run by its id or model.")
@seed_option("Fixes the bootstrap and the permutation test.")
@click.option("--json", "json_file", type=PATH, help="Write the comparison to FILE.")
def command(first: str, second: str, log_dir: Path, seed: int, json_file: Path | None) -> int:
    """Compare two runs on the same items: paired differences with intervals and Holm-corrected p values.

    A and B are each a log, a folder with one run, or the id or model of a run below --log-dir. The ten most
    telling items follow: those that differ most in the headline, and of these the least noisy ones.
    """
    a, b = _run(first, log_dir), _run(second, log_dir)
    suite = suites.find(a.suite)
    comparison = compare_within(suite, a, b, seed)
    click.echo(f"A: {a.id} ({a.model})\nB: {b.id} ({b.model})\n")
    click.echo(compared_text(comparison))
    items = telling_items(suite, a, b)
    click.echo(telling_text(items))
    click.echo(f"Both transcripts of each item: {PAGE}{sides_link(a, b)} (written by knowact report)")
    if json_file is not None:
        write_text(compared_json(a, b, comparison, items), json_file, "the comparison to ")
        click.echo(json_file)
    return 0


def _run(name: str, log_dir: Path) -> Run:
    path = Path(name)
    if path.exists():
        runs = runs_at([path])
    else:
        every = runs_at([log_dir])
        runs = [run for run in every if name in (run.id, run.model)]
        if not runs:
            raise UnknownName("run", name, [run.id for run in every])
    if len(runs) > 1:
        ids = ", ".join(run.id for run in runs)
        raise BadUsage(f"{name!r} matches several runs. Name one of them: {ids}.")
    return runs[0]
