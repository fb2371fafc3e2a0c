"""`knowact check`: hold runs to bounds, and against a baseline, for a release."""

from collections.abc import Sequence
from pathlib import Path

import click

from knowact import suites
from knowact.cli.options import HELP, PATH, seed_option
from knowact.report.gate import Baseline, as_junit, as_markdown, check
from knowact.report.write import write_text
from knowact.running.sources import runs_at

FAILED = 4
"""Exit code where some requirement is not met."""


@click.command("check", context_settings=HELP)
@click.argument("logs", nargs=-1, type=PATH)
@click.option(
    "--require",
    "requirements",
    multiple=True,
    metavar="BOUND",
    help='A bound, such as "SUITE.kas[internal]>=0.6", "SUITE.success^3>=40%" or "SUITE.calls<=3".',
)
@click.option("--against", type=PATH, metavar="LOGS", help="Runs of a baseline.")
@click.option(
    "--max-drop",
    type=float,
    default=0.03,
    show_default=True,
    metavar="X",
    help="How much worse than the baseline a measure may be.",
)
@click.option(
    "--point", is_flag=True, help="Compare the estimates with the bounds, not the ends of their intervals."
)
@click.option("--junit", type=PATH, metavar="FILE", help="Write JUnit XML.")
@click.option("--markdown", type=PATH, metavar="FILE", help="Write a Markdown table.")
@seed_option("Fixes the bootstrap.")
def command(  # noqa: PLR0917 - click passes by name
    logs: Sequence[Path],
    requirements: Sequence[str],
    against: Path | None,
    max_drop: float,
    point: bool,
    junit: Path | None,
    markdown: Path | None,
    seed: int,
) -> int:
    """Check runs against bounds; exit with code 4 if a bound is not met.

    LOGS are logs or folders [default: ./logs]. A bound is met when the end of the 95 % interval meets it. The
    check also fails if there are too few items, if more than 2 % of a run's trials are unscored, or if a
    measure has no value. With --against, the required measures (by default the first that `knowact compare`
    shows for each suite) may not get worse by more than --max-drop, paired by trial; for calls, tokens,
    seconds and cost, --max-drop is a share of the baseline's value.
    """
    baseline = Baseline(runs_at([against]), max_drop) if against is not None else None
    runs = runs_at(logs or [Path("logs")])
    gate = check(runs, requirements, suites.find, baseline=baseline, point=point, seed=seed)
    click.echo(str(gate))
    for file, text in ((junit, as_junit), (markdown, as_markdown)):
        if file is not None:
            write_text(text(gate), file)
    return 0 if gate.passed else FAILED
