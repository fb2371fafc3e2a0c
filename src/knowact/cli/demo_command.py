"""`knowact demo`: limit-awareness in a minute, offline, with agents whose scores are known."""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.for_suites import ForSuites, played
from knowact.cli.options import HELP, folder_option
from knowact.core.role_model import BUILT_IN
from knowact.core.rounding import count
from knowact.core.suite import Plan, Scene
from knowact.probes.suite import Suite
from knowact.running.progress import shown
from knowact.running.sources import make_report, runs_at, typed

if TYPE_CHECKING:
    from knowact.engine.progress import Standing
    from knowact.engine.runs import Done, Request


@click.command("demo", cls=ForSuites, suites={"Suites": played}, context_settings=HELP)
@folder_option("--out", "knowact-demo", "Where to write logs and report.")
def command(out: Path) -> int:
    """Run suites on built-in agents and write a report: no key, no network."""
    from knowact.report.write import write

    began, worst, rows = time.monotonic(), 0, list[list[str]]()
    for suite in map(suites.find, suites.names()):
        for scene, done in zip(suite.demo, _played(suite, out / "logs"), strict=True):
            worst = max(worst, done.exit_code)
            rows.append([typed(suite.name), _name(scene), *_result(suite, done)])
    terminal.say("", *_table(rows))
    page = write(make_report(runs_at([out / "logs"])), out / "report")
    click.echo(f"\nDone in {time.monotonic() - began:.0f} seconds, without key or network. Open the report:")
    click.echo(page.resolve())
    return worst


def _played(suite: Suite, logs: Path) -> "list[Done]":
    """Run all scenes of a suite, on a line that shows how far they are."""
    from knowact.engine.runs import carry_out, trials_of

    if not suite.demo:
        return []
    began = time.monotonic()
    due = [_request(suite, scene, logs) for scene in suite.demo]
    so_far = _SoFar(suite.title, sum(trials_of(*scene) for scene in due))
    with shown()(so_far.now):
        done = [carry_out(replace(request, watch=so_far.watch), plan) for request, plan in due]
    agents = count(len(done), "run")
    seconds = time.monotonic() - began
    click.echo(f"{suite.title}: {agents} of built-in agents, {so_far.total:,} trials, {seconds:.0f} s")
    return done


def _request(suite: Suite, scene: Scene, logs: Path) -> "tuple[Request, Plan]":
    from knowact.engine.runs import Request

    # Built-in agents do the same every time.
    options: dict[str, Any] = {**suite.defaults(), "trials": 1, **scene.options}
    return Request(suite, options, BUILT_IN + scene.agent, logs), suite.plan(options)


class _SoFar:
    """How far the scenes of a suite are, all together."""

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total = title, total
        self._began, self._before = time.monotonic(), 0
        self._current: Callable[[], Standing] | None = None

    @contextmanager
    def watch(self, standing: "Callable[[], Standing]") -> Generator[None]:
        """Follow the run of one scene."""
        self._current = standing
        try:
            yield
        finally:
            self._before, self._current = self._before + standing().whole.done, None

    def now(self) -> "Standing":
        """How far they are now."""
        from knowact.engine.progress import Count, Standing

        current = self._current
        done = self._before + (current().whole.done if current else 0)
        share = done / self.total if self.total else 1.0
        return Standing(Count(self.title, done, self.total), (), time.monotonic() - self._began, share)


def _name(scene: Scene) -> str:
    changed = ", ".join(f"{name} {value}" for name, value in scene.options.items() if name != "limit")
    return f"{scene.agent} ({changed})" if changed else scene.agent


def _result(suite: Suite, done: "Done") -> Sequence[str]:
    """What the headline measures, its value with interval, and n, as on the page; else why there is none."""
    from knowact.measures.headline import headline_estimate, headline_of
    from knowact.report.as_text import estimate_text

    if done.run is None or not done.run.scored:
        return ("", done.reason or "nothing was scored", "")
    headline = headline_of(suite)
    estimate = headline_estimate(suite, suite.with_traits(done.run))
    return (headline.name.replace("_", " "), estimate_text(estimate, percent=True), f"{estimate.n:,}")


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """All results, the suite's name before its first row alone."""
    from knowact.report.as_text import aligned

    firsts = [number == 0 or rows[number - 1][0] != row[0] for number, row in enumerate(rows)]
    shown = [row if first else ["", *row[1:]] for row, first in zip(rows, firsts, strict=True)]
    return aligned([["suite", "agent", "headline", "percent [95 %]", "n"], *shown], left=3)
