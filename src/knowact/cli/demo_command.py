"""`knowact demo`: limit-awareness in a minute, offline, with agents whose scores are known."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from knowact.core.suite import Scene, Suite


@click.command("demo", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("knowact-demo"),
    show_default=True,
    help="Where logs and report are written.",
)
def command(out: Path) -> int:
    """See it work: every suite on built-in agents, no key, no network, ending in a page."""
    from knowact import suites
    from knowact.cli.sources import make_report, runs_at
    from knowact.report.write import write

    began = time.monotonic()
    worst = 0
    for suite in map(suites.find, suites.names()):
        if suite.demo:
            click.echo(f"{suite.title}. {suite.question}\n")
        for scene in suite.demo:
            worst = max(worst, _play(suite, scene, out / "logs"))
    page = write(make_report(runs_at([out / "logs"])), out / "report")
    click.echo(f"\n{time.monotonic() - began:.0f} seconds, no network, no key. Open the report:")
    click.echo(page.resolve())
    return worst


def _play(suite: "Suite", scene: "Scene", logs: Path) -> int:
    """Run one scene and say in words what came of it."""
    from knowact.engine.runs import BUILT_IN, Request, carry_out

    options = {**suite.defaults(), **scene.options}
    done = carry_out(Request(suite, options, BUILT_IN + scene.agent, logs), suite.plan(options))
    changed = ", ".join(f"{name} {value}" for name, value in scene.options.items() if name != "limit")
    name = f"{scene.agent} ({changed})" if changed else scene.agent
    click.echo(f"{name:<36} {' '.join(suite.verdict(done.run)) if done.run else done.reason}")
    return done.exit_code
