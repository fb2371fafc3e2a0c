"""`knowact demo`: limit-awareness in a minute, offline, with agents whose scores are known."""

import time
from pathlib import Path

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.options import HELP, folder_option
from knowact.cli.sources import BUILT_IN, make_report, runs_at
from knowact.core import screen
from knowact.core.screen import wrapped
from knowact.core.suite import Scene, Suite


@click.command("demo", context_settings=HELP)
@folder_option("--out", "knowact-demo", "Where to write logs and report.")
def command(out: Path) -> int:
    """Run every suite on built-in agents and write a report: no key, no network."""
    from knowact.report.write import write

    began = time.monotonic()
    worst = 0
    for suite in map(suites.find, suites.names()):
        if suite.demo:
            click.echo(f"\n{suite.title}. {suite.question}")
        for scene in suite.demo:
            worst = max(worst, _play(suite, scene, out / "logs"))
    page = write(make_report(runs_at([out / "logs"])), out / "report")
    click.echo(f"\nDone in {time.monotonic() - began:.0f} seconds, without key or network. Open the report:")
    click.echo(page.resolve())
    return worst


def _play(suite: Suite, scene: Scene, logs: Path) -> int:
    """Run one scene and print its headline."""
    from knowact.engine.runs import Request, carry_out

    # Built-in agents do the same every time.
    options = {**suite.defaults(), "trials": 1, **scene.options}
    done = carry_out(Request(suite, options, BUILT_IN + scene.agent, logs), suite.plan(options))
    changed = ", ".join(f"{name} {value}" for name, value in scene.options.items() if name != "limit")
    said = " ".join(suite.summary_lines(done.run)) if done.run else done.reason
    name = f"{scene.agent} ({changed})" if changed else scene.agent
    terminal.say(f"\n  {name}", *wrapped(said, screen.width(), "    "))
    return done.exit_code
