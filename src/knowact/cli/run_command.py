"""`knowact run SUITE`: announces the run and its cost, runs or resumes it, and prints the headline."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from knowact import suites
from knowact.cli import engine_options, role_options
from knowact.cli.options import HELP
from knowact.cli.sources import BUILT_IN, FREE, measured_rates, typed
from knowact.core.errors import BadUsage
from knowact.core.suite import Item, Option, Plan, Suite
from knowact.people.baseline import PERSON

if TYPE_CHECKING:
    from knowact.engine.runs import Done, Request


Draw: TypeAlias = Callable[[Sequence[Item]], tuple[tuple[Item, ...], str]]
"""From the items that options leave to those of one run, and how that is said of the run."""


class Suites(click.Group):
    """One command per suite; hyphens and underscores are the same."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The suites' names, as people type them."""
        return [typed(name) for name in suites.names()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002 - likewise
        """The command of one suite, made from what it declares."""
        return suite_command(suites.find(cmd_name))


@click.group(
    "run", cls=Suites, subcommand_metavar="SUITE [OPTIONS] [-- ENGINE OPTIONS]", context_settings=HELP
)
def command() -> None:
    """Run a suite on a model. `knowact run SUITE --help` lists the suite's options."""


def suite_command(suite: Suite) -> click.Command:
    """Make the command of one suite from what the suite declares."""

    def callback(**given: Any) -> int:
        return run_suite(suite, given)

    options: list[click.Parameter] = [
        click.Option(
            ["--model"], multiple=True, required=True, help="A model, as Inspect names it; repeatable."
        ),
        *role_options.options(),
        *(_click_option(option) for option in suite.options),
        *role_options.dropped(suite),
        click.Option(["--limit"], type=click.IntRange(1), help="Run only the first N base tasks."),
        click.Option(
            ["--trials"],
            type=click.IntRange(1),
            default=suite.trials,
            show_default=True,
            help="Epochs per item.",
        ),
        click.Option(["--seed"], type=int, default=0, show_default=True, help="Fixes every random choice."),
        click.Option(
            ["--rules"],
            type=click.Choice(["definition", "published"]),
            default="definition",
            show_default=True,
            help="Score by the paper's definitions, or reproduce its published numbers.",
        ),
        click.Option(["--max-connections"], type=click.IntRange(1), help="Concurrent requests."),
        click.Option(["--cost-limit"], type=float, help="Stop at this cost in US dollars."),
        click.Option(
            ["--log-dir"],
            type=click.Path(path_type=Path),
            default=Path("logs"),
            show_default=True,
            help="The folder of all runs; each run gets a subfolder.",
        ),
        click.Option(["--live"], is_flag=True, help="Show running trials in the viewer; takes more CPU."),
        click.Option(["--fresh"], is_flag=True, help="Start over. The earlier run is kept."),
        click.Option(["--yes"], is_flag=True, help="Don't ask before a run that costs money."),
        click.Argument(["engine"], nargs=-1, type=click.UNPROCESSED, required=False),
    ]
    return click.Command(
        typed(suite.name),
        callback=callback,
        params=options,
        help=f"{suite.title}. {suite.question}" + (f" ({suite.paper})" if suite.paper else ""),
        context_settings=HELP,
    )


def _click_option(option: Option) -> click.Option:
    flag = f"--{option.name.replace('_', '-')}"
    if isinstance(option.default, bool):
        # What is on by default can be switched off.
        names = f"{flag}/--no-{flag.removeprefix('--')}" if option.default else flag
        return click.Option([names], is_flag=True, default=option.default, help=option.help)
    kind: Any = click.Choice(option.choices) if option.choices else type(option.default)
    if isinstance(option.default, int):
        kind = click.IntRange(option.least)
    if option.others:
        defaults = f"{option.default} for built-in agents, {option.others} for others"
        return click.Option([flag], type=kind, show_default=defaults, help=option.help)
    return click.Option([flag], type=kind, default=option.default, show_default=True, help=option.help)


def run_suite(suite: Suite, given: Mapping[str, Any], draw: Draw | None = None) -> int:
    """Plan, announce, ask before it costs money, run, and sum up. Returns the exit code.

    Args:
        suite: What is run.
        given: The values of the command's options, by name.
        draw: From the items that the options leave to those of this run, and how that is said of the run;
            None for all of them.
    """
    options = _options(suite, given)
    # Data are checked before the engine is even loaded, and long before a model is called.
    plan = suite.plan(options)
    if plan.obstacle:
        raise BadUsage(plan.obstacle)
    sample = ""
    if draw is not None:
        items, sample = draw(plan.items)
        plan = _only(plan, items)
    _check_agents(suite, given["model"])
    roles = {model: role_options.bound(plan, model, given) for model in given["model"]}
    engine = engine_options.parse(given["engine"])
    if given["max_connections"] is not None:
        engine["max_connections"] = given["max_connections"]
    worst = 0
    for model in given["model"]:
        worst = max(worst, _run_one(suite, plan, options, engine, model, roles[model], given, sample))
    return worst


def _only(plan: Plan, items: tuple[Item, ...]) -> Plan:
    """The plan of some of its items, with the calls that those take."""

    def share(calls: tuple[int, int]) -> tuple[int, int]:
        few, most = (-(-one * len(items) // len(plan.items)) for one in calls)
        return few, most

    roles = {role: share(calls) for role, calls in plan.role_calls.items()}
    return replace(plan, items=items, calls=share(plan.calls), role_calls=roles)


def _options(suite: Suite, given: Mapping[str, Any]) -> dict[str, Any]:
    """The suite's options; some defaults depend on whether the agents are built in."""
    built_in = all(model.startswith(BUILT_IN) for model in given["model"])
    others = {one.name: one.default if built_in else one.others for one in suite.options if one.others}
    named = {name: given[name] for name in suite.defaults()}
    return {**named, **{name: given[name] or default for name, default in others.items()}} | {
        "limit": given["limit"] or 0
    }


def _run_one(  # noqa: PLR0917 - one call site, named there
    suite: Suite,
    plan: Plan,
    options: Mapping[str, Any],
    engine: Mapping[str, Any],
    model: str,
    roles: Mapping[str, str],
    given: Mapping[str, Any],
    sample: str,
) -> int:
    from knowact.engine.preflight import announce, checked
    from knowact.engine.run_folder import set_aside
    from knowact.engine.runs import Request, carry_out, folder_of

    request = Request(
        suite=suite,
        options=options,
        model=model,
        roles=roles,
        log_dir=given["log_dir"],
        engine=engine,
        cost_limit=given["cost_limit"],
        display="rich" if _may_draw(plan) and not model.startswith(PERSON) else "none",
        sample=sample,
        live=given["live"],
    )
    request = checked(request)
    folder = folder_of(request, plan)
    for line in announce(request, plan, folder, fresh=given["fresh"]):
        click.echo(line)
    if given["fresh"] and folder.exists():
        click.echo(f"The earlier run is now in {set_aside(folder)}.")
    costs = not all(name.startswith(FREE) for name in (model, *roles.values()))
    if costs and not given["yes"] and sys.stdin.isatty():
        click.confirm("Continue?", abort=True, default=True)
    done = carry_out(request, plan)
    _sum_up(suite, done, request)
    return done.exit_code


def _may_draw(plan: Plan) -> bool:
    """Whether the engine may draw its progress: there is a screen, and the run asks nobody on it."""
    return sys.stderr.isatty() and sys.stdout.isatty() and not plan.at_terminal


def _check_agents(suite: Suite, models: Sequence[str]) -> None:
    from knowact.agents.catalogue import PREFIX, unfit

    for model in models:
        name = model.removeprefix(PREFIX)
        if name != model and (complaint := unfit(name, converses=suite.converses)):
            raise BadUsage(complaint)


def _sum_up(suite: Suite, done: "Done", request: "Request") -> None:
    """Print the headline, the first table that this run fills, and the next command."""
    from knowact.engine.runs import INTERRUPTED
    from knowact.report.as_text import run_text, table_text
    from knowact.report.build import summary, tables

    click.echo("")
    # A run that was interrupted before its first score has nothing to sum up.
    if done.run is not None and (done.run.scored or done.exit_code != INTERRUPTED):
        click.echo(run_text(summary(suite, done.run, measured_rates())), nl=False)
        if done.run.scored:
            click.echo("")
            made = tables(suite, [done.run])
            click.echo(table_text(next((one for one in made if one.rows), made[0])))
    if done.reason:
        click.echo(done.reason, err=done.exit_code != 0)
    if done.run is not None and done.run.scored:
        click.echo(f"The page: knowact report {_quoted(done.folder)}")
    elif request.model:
        click.echo(f"Logs: {done.folder}")


def _quoted(path: Path) -> str:
    text = str(path)
    return f'"{text}"' if " " in text else text
