"""`knowact data show`, `check`, `stats`: one task with its proof, your own data, a data set in numbers."""

from collections import Counter
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.options import FILE, HELP, PATH, Group, seed_option
from knowact.cli.task_view import Level, proof, task_lines
from knowact.core import screen
from knowact.core.errors import BadData, BadUsage, KnowactError, Place, UnknownName
from knowact.core.rounding import count
from knowact.core.screen import wrapped
from knowact.core.suite import Item, Plan
from knowact.core.table import Table
from knowact.datasets.lines import gathering
from knowact.datasets.own import MANIFEST, data_folder, read_manifest
from knowact.probes.suite import Suite
from knowact.report.statistics import Statistics, statistics, statistics_text, write_page
from knowact.roles.audit import tasks_of
from knowact.running.sources import plan_of, shipped_names, suite_for, typed
from knowact.worlds.registry import find, names

MOST_LISTED = 20
"""More ids than this are too many for one sentence."""

UNWRAPPED = 10_000
"""A width at which each claim stays one line."""

_DATA = click.option(
    "--data", metavar="NAME|DIR", help="A shipped data set or a folder [default: the suite's own]."
)
_SUITE = click.option(
    "--suite", "suite_name", metavar="SUITE", help="The data's suite, where several could read them."
)


@click.group("data", cls=Group, context_settings=HELP)
def command() -> None:
    """Look at data: `show ID` shows a task, `check FOLDER` checks your own, `stats` describes a set."""


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
    suite, plan, task = _find(item, data, suite_name)
    wide = screen.width()
    terminal.say(*task_lines(suite, plan, task, wide))
    proven = proof(suite, plan, task, wide)
    terminal.say(*proven.lines)
    return 0 if proven.holds else 1


@command.command("check", context_settings=HELP)
@click.argument("folder", type=PATH)
@_SUITE
def check(folder: Path, suite_name: str | None) -> int:
    """Check your own data in FOLDER before a run: for every suite that can read them, or for one.

    Reports how many items are proven, executed or only declared, and lists every error with its place
    (docs/own-data.md). Exit code 0: there is no error. Exit code 2: there is one, or no suite can read them.
    """
    terminal.prepare()
    if not folder.exists():
        raise BadData("there is no such file or folder", Place(folder), "check the path")
    chosen = [suites.find(suite_name)] if suite_name else [suites.find(name) for name in suites.names()]
    refused: dict[str, list[KnowactError]] = {}
    wrong = 0
    for suite in chosen:
        with gathering() as problems:
            try:
                plan = plan_of(suite, str(folder))
            except KnowactError as error:
                refused[typed(suite.name)] = [*problems, *([] if error in problems else [error])]
                continue
        wrong += _checked(suite, plan)
    if len(refused) < len(chosen):
        if refused:
            terminal.say(f"Not in the format of {', '.join(refused)} (--suite NAME shows why).")
        return 2 if wrong else 0
    terminal.say("These data cannot be read:" if suite_name else "No suite can read these data:")
    # Who came furthest, with the fewest errors, is most likely meant; of others the first error says enough.
    by_name = sorted(refused.items(), key=lambda pair: (-_line_of(pair[1][0]), len(pair[1])))
    for place, (name, errors) in enumerate(by_name):
        shown = errors[: 1 if place else MOST_LISTED]
        for error in shown:
            terminal.say(*wrapped(str(error), screen.width(), f"  {name}: "))
        if len(errors) > len(shown):
            terminal.say(f"  {name}: … and {len(errors) - len(shown):,} more")
    return 2


def _line_of(error: KnowactError) -> int:
    return error.place.line or 0 if isinstance(error, BadData) else 0


def _checked(suite: Suite, plan: Plan) -> int:
    """Prove every item of a plan, and say what came of it; return how many are wrong."""
    proofs = {item.id: proof(suite, plan, item, UNWRAPPED) for item in plan.items}
    levels = Counter(checked.level for checked in proofs.values())
    tally = ", ".join(f"{levels[level]:,} {level.value}" for level in Level if levels[level])
    terminal.say(f"{typed(suite.name)}: {count(len(proofs), 'item')}: {tally}")
    failed = {name: checked for name, checked in proofs.items() if not checked.holds}
    for name, checked in list(failed.items())[:MOST_LISTED]:
        terminal.say(*wrapped("; ".join(checked.against), screen.width(), f"  {name}: "))
    if len(failed) > MOST_LISTED:
        terminal.say(f"  … and {len(failed) - MOST_LISTED:,} more")
    if failed:
        some = next(iter(failed))
        terminal.say(f"  The whole proof: knowact data show {some} --suite {typed(suite.name)} --data FOLDER")
    for note in plan.remarks:
        terminal.say(*wrapped(note, screen.width(), "  Note: "))
    if plan.obstacle:
        terminal.say(*wrapped(plan.obstacle, screen.width(), "  It cannot be run: "))
    return len(failed) + bool(plan.obstacle)


@command.command("stats", context_settings=HELP)
@click.argument("world", required=False, metavar="[WORLD]")
@seed_option("The seed of the world's databases.")
@_DATA
@_SUITE
@click.option("--out", type=FILE, metavar="FILE.html", help="Also write a page.")
def stats(world: str | None, seed: int, data: str | None, suite_name: str | None, out: Path | None) -> int:
    """Describe a data set in tables. With --out, also as a page with figures that opens offline.

    With WORLD (such as car), describe that world's databases instead.
    """
    terminal.prepare()
    if world is not None and (data, suite_name) != (None, None):
        raise BadUsage("Give either a world, or a data set with --data or --suite.")
    described = _of_data(data, suite_name) if world is None else _of_world(world, seed)
    click.echo(statistics_text(described))
    if out is not None:
        write_page(described, out)
        click.echo(f"The page: {out}")
    return 0


def _of_data(data: str | None, suite_name: str | None) -> Statistics:
    suite = suite_for(suite_name, data)
    plan = plan_of(suite, data)
    described = statistics(suite, plan.dataset, plan.items)
    return replace(described, tables=(*_written(suite, data), *described.tables))


def _written(suite: Suite, data: str | None) -> tuple[Table, ...]:
    """Who wrote the requests and what readers said of them, where the data's folder says it."""
    folder = data_folder(data or str(suite.defaults()["data"]), suite.name, suite.datasets())
    if not (folder / MANIFEST).exists():
        return ()
    from knowact.forge.figures import tables
    from knowact.forge.recipe import finished_in, recipe_of, used_in

    if (recipe := recipe_of(suite)) is None:
        return ()
    seed = read_manifest(folder).seed
    every = finished_in(folder, recipe)
    for other in map(suites.find, recipe.borrows):
        for shipped in (data.path for data in other.datasets() if (data.path / MANIFEST).exists()):
            if read_manifest(shipped).seed == seed and (lender := recipe_of(other)) is not None:
                every += finished_in(shipped, lender)
    done = used_in(folder, every)
    return tables(done) if done else ()


def _of_world(name: str, seed: int) -> Statistics:
    entry = find(name)
    if entry.statistics is None:
        some = " or ".join(world for world in names() if find(world).statistics is not None)
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
            tasks = tasks_of(plan.items)
            if item in tasks:
                return suite, plan, tasks[item]
            known += tasks
    raise _no_task(item, list(dict.fromkeys(known)))


def _no_task(item: str, known: list[str]) -> BadUsage:
    if len(known) <= MOST_LISTED or get_close_matches(item.lower(), known, cutoff=0.5):
        return UnknownName("task", item, known)
    some = ", ".join(known[:3])
    return BadUsage(f"There is no task named {item!r}. There are {len(known):,}, such as {some}.")
