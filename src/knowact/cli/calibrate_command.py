"""`knowact calibrate`: how often a model errs as extractor, judge, simulated user or helper."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from knowact.cli.options import HELP, connections_option, yes_option
from knowact.core.errors import BadUsage
from knowact.core.role_model import RoleModel, role_model
from knowact.core.suite import ROLES
from knowact.roles.calibration import Calibration, data_folder, keep_rates
from knowact.running.progress import shown
from knowact.running.sources import FREE
from knowact.suites import labelled_sets

if TYPE_CHECKING:
    from knowact.engine.calibrating import CalibrationJob


@click.command("calibrate", context_settings=HELP)
@click.option("--model", help="The model to measure in every --role that names no other.")
@click.option(
    "--role",
    multiple=True,
    metavar="NAME[=MODEL]",
    help=f"{', '.join(ROLES)}; all of them by default. MODEL may be file:PATH.",
)
@click.option("--limit", type=click.IntRange(1), help="Use N items of each set, chosen by a hash.")
@connections_option
@yes_option
def command(
    model: str | None, role: tuple[str, ...], limit: int | None, max_connections: int, yes: bool
) -> int:
    """Measure a model's error rates in a role on labelled sets. Reports print these rates.

    Interrupt it at any time; the same command resumes, and nothing is counted twice.
    """
    from knowact.engine.calibrating import announce, ask, measured, parts_of

    root = data_folder()
    bound, sets = _bound(role, model), labelled_sets()
    parts = [
        part for name, who in bound.items() for part in parts_of(sets, name, who, root, limit=limit or 0)
    ]
    for part in parts:
        click.echo(announce(part))
    if not yes and sys.stdin.isatty() and any(_costs(part) for part in parts):
        click.confirm("Continue?", abort=True, default=True)
    unanswered = 0
    for part, progress in zip(parts, ask(parts, max_connections, shown()), strict=True):
        calibration = measured(part)
        if calibration.rates:
            keep_rates(root, calibration)
        _show(calibration)
        for reason in dict.fromkeys(progress.failures[:3]):
            click.echo(f"Not answered: {reason}", err=True)
        unanswered += len(part.items) - len(part.known())
    if unanswered:
        click.echo(f"{unanswered} items were not answered. Run the same command to ask them again.", err=True)
    click.echo(f"Rates and replies are in {root / 'calibrations'}.")
    return 1 if unanswered else 0


def _bound(roles: Sequence[str], model: str | None) -> dict[str, RoleModel]:
    """Role to model, as the options say it."""
    bound: dict[str, RoleModel] = {}
    for pair in roles or ROLES:
        name, equals, other = pair.partition("=")
        if name not in ROLES:
            raise BadUsage(f"There is no role {name!r} to calibrate. Choose from {', '.join(ROLES)}.")
        who = other if equals else model
        if not who:
            raise BadUsage(
                f"No model is named for the role {name}. Add --model MODEL or --role {name}=MODEL."
            )
        if name in bound:
            raise BadUsage(f"--role {name} is given twice. Give it once.")
        bound[name] = role_model(who)
    return bound


def _costs(part: "CalibrationJob") -> bool:
    return not part.player.name.startswith(FREE) and len(part.known()) < len(part.items)


def _show(calibration: Calibration) -> None:
    prompt = f"{calibration.prompt.id}@{calibration.prompt.sha256[:8]}"
    click.echo(f"\n{calibration.role}, prompt {prompt}, {calibration.model}")
    for rate in calibration.rates:
        estimate = rate.estimate
        if estimate.value is not None and estimate.low is not None and estimate.high is not None:
            interval = f"(95 %: {estimate.low:.1%} to {estimate.high:.1%})"
            click.echo(f"  {rate.kind:40} {rate.what:10} {estimate.value:6.1%} of {estimate.n:>4} {interval}")
