"""`knowact data show ID` and `knowact data stats`: one task with its proof; a data set in numbers."""

from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.options import HELP, Group, seed_option
from knowact.cli.sources import plan_of, shipped_names, suite_for
from knowact.cli.task_view import own_proof_lines, proof_lines, task_lines
from knowact.core import screen
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.suite import Item, Plan, Suite
from knowact.core.table import Table
from knowact.datasets.own import MANIFEST, data_folder
from knowact.people.audit import tasks_of
from knowact.report.statistics import Statistics, statistics, statistics_text, write_page
from knowact.worlds.registry import find, names

MOST_LISTED = 20
"""More ids than this are too many for one sentence."""

_DATA = click.option(
    "--data", metavar="NAME|DIR", help="A shipped data set or a folder [default: the suite's own]."
)
_SUITE = click.option(
    "--suite", "suite_name", metavar="SUITE", help="The data's suite, where several could read them."
)


@click.group("data", cls=Group, context_settings=HELP)
def command() -> None:
    """Look at data: `knowact data show ID` shows one task, `knowact data stats` a whole data set."""


@command.command("show", context_settings=HELP)
@click.argument("item", metavar="ID")
@_DATA
@_SUITE
def show(item: str, data: str | None, suite_name: str | None) -> int:
    """Show the task ID: query, tools, plan, boundary with its reason, facts, proof, provenance.

    The proof is computed now: the task must be possible with the tools offered, and impossible without
    any tool it requires. Exit code 0: the proof holds, or the tools declare no capabilities. Exit code 1:
    it fails.
    """
    terminal.prepare()
    suite, plan, found = _find(item, data, suite_name)
    wide = screen.width()
    terminal.say(*task_lines(suite, plan, found, wide))
    if suite.clauses is None:
        lines, holds = proof_lines(plan, found, wide)
    else:
        lines, holds = own_proof_lines(suite.clauses(found), wide)
    terminal.say(*lines)
    return 0 if holds else 1


@command.command("stats", context_settings=HELP)
@click.argument("world", required=False, metavar="[WORLD]")
@seed_option("The seed of the world's databases.")
@_DATA
@_SUITE
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.html", help="Also write a page."
)
def stats(world: str | None, seed: int, data: str | None, suite_name: str | None, out: Path | None) -> int:
    """Describe a data set in tables. With --out, also as a page with figures that opens offline.

    With WORLD (such as car), describe that world's databases instead.
    """
    terminal.prepare()
    if world is not None and (data, suite_name) != (None, None):
        raise BadUsage("Give either a world, or a data set with --data or --suite.")
    found = _of_data(data, suite_name) if world is None else _of_world(world, seed)
    click.echo(statistics_text(found))
    if out is not None:
        write_page(found, out)
        click.echo(f"The page: {out}")
    return 0


def _of_data(data: str | None, suite_name: str | None) -> Statistics:
    suite = suite_for(suite_name, data)
    plan = plan_of(suite, data)
    found = statistics(suite, plan.dataset, plan.items)
    return replace(found, tables=(*_written(suite, data), *found.tables))


def _written(suite: Suite, data: str | None) -> tuple[Table, ...]:
    """Who wrote the requests and what readers said of them, where the data's folder says it."""
    folder = data_folder(data or str(suite.defaults()["data"]), suite.name, suite.datasets())
    if not suite.forge or not (folder / MANIFEST).exists():
        return ()
    from knowact.forge.figures import tables
    from knowact.forge.recipe import finished_in, load_recipe

    done = finished_in(folder, load_recipe(suite.forge))
    return tables(done) if done else ()


def _of_world(name: str, seed: int) -> Statistics:
    entry = find(name)
    if entry.statistics is None:
        some = " or ".join(one for one in names() if find(one).statistics is not None)
        raise BadUsage(
            f"The world {name!r} has no databases; {some} has. For a data set use --suite or --data."
        )
    tables = tuple(entry.statistics(seed))
    return Statistics(f"the world {name}", "Databases of a world", f"seed {seed}", tables)


def _find(item: str, data: str | None, suite_name: str | None) -> tuple[Suite, Plan, Item]:
    """Find a task in the named data set, or else in all shipped ones, each suite's default first.

    Raises:
        UnknownName: No task has this id; the nearest ids are suggested.
    """
    if data is not None or suite_name is not None:
        chosen = [suite_for(suite_name, data)]
    else:
        chosen = [suites.find(name) for name in suites.names()]
    known: list[str] = []
    for suite in chosen:
        for source in dict.fromkeys([data] if data is not None else [None, *shipped_names(suite)]):
            plan = plan_of(suite, source)
            found = tasks_of(plan.items)
            if item in found:
                return suite, plan, found[item]
            known += found
    raise _no_task(item, list(dict.fromkeys(known)))


def _no_task(item: str, known: list[str]) -> BadUsage:
    if len(known) <= MOST_LISTED or get_close_matches(item.lower(), known, cutoff=0.5):
        return UnknownName("task", item, known)
    some = ", ".join(known[:3])
    return BadUsage(f"There is no task named {item!r}. There are {len(known):,}, such as {some}.")
