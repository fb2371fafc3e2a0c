"""`knowact calibrate`: how often a model errs as extractor, judge, simulated user or helper."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from knowact.core.errors import BadUsage

if TYPE_CHECKING:
    from knowact.engine.calibrating import Part, Progress
    from knowact.people.calibration import Calibration

ROLES = ("extractor", "judge", "user", "helper")
"""Named here, too: the sets are loaded when they are used."""


@click.command("calibrate", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--model", help="The model to measure, in every --role that names no other.")
@click.option(
    "--role",
    multiple=True,
    metavar="NAME[=MODEL]",
    help=f"{', '.join(ROLES)}; all of them by default. MODEL may be file:PATH.",
)
@click.option("--limit", type=click.IntRange(1), help="Only N items of each set, drawn by a hash.")
@click.option(
    "--max-connections", type=click.IntRange(1), default=10, show_default=True, help="Calls at a time."
)
@click.option("--yes", is_flag=True, help="Don't ask before calls that cost money.")
def command(
    model: str | None, role: tuple[str, ...], limit: int | None, max_connections: int, yes: bool
) -> int:
    """Measure how often a model errs in a role, on labelled sets. Reports print the rates.

    Kill it anywhere: the same command goes on from there.
    """
    from knowact.core.folders import data_folder
    from knowact.engine.calibrating import announce, ask, measured, parts_of
    from knowact.people.calibration import keep_rates
    from knowact.suites import labelled_sets

    root = data_folder()
    bound, sets = _bound(role, model), labelled_sets()
    parts = [
        part for name, who in bound.items() for part in parts_of(sets, name, who, root, limit=limit or 0)
    ]
    for part in parts:
        click.echo(announce(part))
    if not yes and sys.stdin.isatty() and any(_costs(part) for part in parts):
        click.confirm("Go on?", abort=True, default=True)
    unanswered = 0
    for part, progress in zip(parts, ask(parts, max_connections, _told), strict=True):
        found = measured(part)
        if found.rates:
            keep_rates(root, found)
        _show(found)
        for reason in dict.fromkeys(progress.failures[:3]):
            click.echo(f"Not answered: {reason}", err=True)
        unanswered += len(part.items) - len(part.known())
    if unanswered:
        click.echo(f"{unanswered} items were not answered. The same command asks them again.", err=True)
    click.echo(f"Kept in {root / 'calibrations'}.")
    return 1 if unanswered else 0


def _bound(roles: Sequence[str], model: str | None) -> dict[str, str]:
    """Role to model, as the options say it."""
    bound: dict[str, str] = {}
    for one in roles or ROLES:
        name, equals, other = one.partition("=")
        if name not in ROLES:
            raise BadUsage(f"There is no role {name!r} to calibrate; there are {', '.join(ROLES)}.")
        who = other if equals else model
        if not who:
            raise BadUsage(f"Nobody is to be measured as {name}: add --model MODEL, or --role {name}=MODEL.")
        if name in bound:
            raise BadUsage(f"--role {name} is given twice.")
        bound[name] = who
    return bound


def _costs(part: "Part") -> bool:
    free = part.model.startswith(("knowact/", "mockllm/", "filed/"))
    return not free and len(part.known()) < len(part.items)


def _told(part: "Part", progress: "Progress") -> None:
    """Show on a terminal how far it is."""
    if sys.stderr.isatty():
        done = progress.answered + len(progress.failures)
        click.echo(f"\r{part.role}, {part.prompt.id}: {done:,} done", nl=False, err=True)


def _show(found: "Calibration") -> None:
    click.echo(f"\n{found.role}, prompt {found.prompt.id}@{found.prompt.sha256[:8]}, {found.model}")
    for rate in found.rates:
        one = rate.estimate
        if one.value is not None and one.low is not None and one.high is not None:
            interval = f"(95 %: {one.low:.1%} to {one.high:.1%})"
            click.echo(f"  {rate.kind:40} {rate.what:10} {one.value:6.1%} of {one.n:>4} {interval}")
