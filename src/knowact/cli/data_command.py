"""`knowact data show ID` and `knowact data stats`: one task with its proof; a data set in numbers."""

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.groups import HELP, Group
from knowact.core.errors import BadUsage, UnknownName

if TYPE_CHECKING:
    from knowact.core.suite import Item, Plan, Suite
    from knowact.report.statistics import Statistics

DATA_HELP = "A shipped data set or a folder; the suite's default if not given."
FEW = 20
"""So many ids can be listed in a sentence."""
SUITE_HELP = "Whose data they are; not needed where only one suite can be meant."


@click.group("data", cls=Group, context_settings=HELP)
def command() -> None:
    """Look at data: `knowact data show ID` one task, `knowact data stats` a whole data set."""


@command.command("show", context_settings=HELP)
@click.argument("item", metavar="ID")
@click.option("--data", metavar="NAME|DIR", help=DATA_HELP)
@click.option("--suite", "suite_name", metavar="SUITE", help=SUITE_HELP)
def show(item: str, data: str | None, suite_name: str | None) -> int:
    """Show the task ID: query, tools, plan, boundary with its reason, facts, proof, provenance.

    The proof is made on the spot: the task must be possible with the tools on offer, and not without any
    one that it requires. Exit code 0 says that it holds (or that nobody has said what the tools can do),
    1 that it does not.
    """
    from knowact.cli.task_view import own_proof_lines, proof_lines, task_lines

    terminal.prepare()
    suite, plan, found = _find(item, data, suite_name)
    wide = terminal.width()
    terminal.say(*task_lines(suite, plan, found, wide))
    if suite.clauses is None:
        lines, holds = proof_lines(plan, found, wide)
    else:
        lines, holds = own_proof_lines(suite.clauses(found), wide)
    terminal.say(*lines)
    return 0 if holds else 1


@command.command("stats", context_settings=HELP)
@click.argument("world", required=False, metavar="[WORLD]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the world's databases.")
@click.option("--data", metavar="NAME|DIR", help=DATA_HELP)
@click.option("--suite", "suite_name", metavar="SUITE", help=SUITE_HELP)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.html", help="Write a page, too."
)
def stats(world: str | None, seed: int, data: str | None, suite_name: str | None, out: Path | None) -> int:
    """Say what a data set is made of: tables here, pictures in a page (--out) that opens offline.

    With WORLD (such as car), what the databases of that world hold.
    """
    from knowact.report.statistics import statistics_text, write_page

    terminal.prepare()
    if world is not None and (data, suite_name) != (None, None):
        raise BadUsage("Name a world, or a data set with --data or --suite, not both.")
    found = _of_data(data, suite_name) if world is None else _of_world(world, seed)
    click.echo(statistics_text(found))
    if out is not None:
        write_page(found, out)
        click.echo(f"The page: {out}")
    return 0


def _of_data(data: str | None, suite_name: str | None) -> "Statistics":
    from knowact.cli.items import plan_of, suite_for
    from knowact.report.statistics import statistics

    suite = suite_for(suite_name, data)
    plan = plan_of(suite, data)
    return statistics(suite, plan.dataset, plan.items)


def _of_world(name: str, seed: int) -> "Statistics":
    from knowact.report.statistics import Statistics
    from knowact.worlds.registry import find, names

    entry = find(name)
    if entry.statistics is None:
        some = " or ".join(one for one in names() if find(one).statistics is not None)
        raise BadUsage(
            f"The world {name!r} has no databases; {some} has. For data sets use --suite or --data."
        )
    tables = tuple(entry.statistics(seed))
    return Statistics(f"the world {name}", "Databases of a world", f"seed {seed}", tables)


def _find(item: str, data: str | None, suite_name: str | None) -> "tuple[Suite, Plan, Item]":
    """Look a task up in one data set, or in all that are shipped if none is named; default ones come first.

    Raises:
        UnknownName: There is none of that id; the near ones are suggested.
    """
    from knowact.cli.items import plan_of, shipped_names, suite_for
    from knowact.people.audit import tasks_of

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
    """Suggest the near ids; a thousand others are not worth listing."""
    if len(known) <= FEW or get_close_matches(item.lower(), known, cutoff=0.5):
        return UnknownName("task", item, known)
    some = ", ".join(known[:3])
    return BadUsage(f"There is no task named {item!r}. There are {len(known):,}, such as {some}.")
