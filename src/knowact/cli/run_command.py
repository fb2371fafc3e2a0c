"""`knowact run SUITE`: announces the run and its cost, runs or resumes it, and prints the headline."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from knowact import suites
from knowact.cli import agent_options, config_file, engine_options, role_options
from knowact.cli.options import HELP
from knowact.cli.progress import display_option, displays
from knowact.cli.sources import BUILT_IN, FREE, measured_rates, typed
from knowact.cli.sweeps import arms, budget_options, values_option
from knowact.core.errors import BadUsage, RunHeld
from knowact.core.option import Option
from knowact.core.role_model import RoleModel
from knowact.core.suite import Item, Plan, Suite
from knowact.core.table import Run
from knowact.people.baseline import PERSON
from knowact.worlds.registry import ready

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
    "run",
    cls=Suites,
    subcommand_metavar="SUITE [OPTIONS] [-- ENGINE OPTIONS]",
    context_settings=HELP,
    invoke_without_command=True,
)
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Run every suite that a TOML file has a section for (docs/config.md).",
)
@click.pass_context
def command(context: click.Context, file: Path | None) -> int | None:
    """Run a suite on a model. `knowact run SUITE --help` lists the suite's options."""
    if context.invoked_subcommand is not None:
        if file is not None:
            raise BadUsage(
                f"Put --config after the suite: knowact run {context.invoked_subcommand} --config {file}."
            )
        return None
    if file is None:
        click.echo(context.get_help())
        return 2
    names = config_file.sections(file, lambda: [typed(name) for name in suites.names()])
    # All sections are read before the first of them is run.
    commands = [suite_command(suites.find(name)) for name in names]
    contexts = [
        one.make_context(name, ["--config", str(file)], parent=context)
        for name, one in zip(names, commands, strict=True)
    ]
    codes: list[int] = []
    for one, its in zip(commands, contexts, strict=True):
        with its:
            codes.append(int(one.invoke(its) or 0))
    return max(codes)


def suite_command(suite: Suite) -> click.Command:
    """Make the command of one suite from what the suite declares."""

    def callback(**given: Any) -> int:
        return run_suite(suite, given)

    options: list[click.Parameter] = [
        click.Option(["--model"], multiple=True, help="A model, as Inspect names it; repeatable."),
        config_file.option(),
        *agent_options.options(),
        *role_options.options(suite.roles),
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
        *budget_options(),
        click.Option(["--max-connections"], type=click.IntRange(1), help="Concurrent requests."),
        click.Option(
            ["--cost-limit"], type=float, help="Stop at this cost in US dollars, all runs together."
        ),
        click.Option(
            ["--log-dir"],
            type=click.Path(path_type=Path),
            default=Path("logs"),
            show_default=True,
            help="The folder of all runs; each run gets a subfolder.",
        ),
        display_option(),
        click.Option(["--live"], is_flag=True, help="Show running trials in the viewer; takes more CPU."),
        click.Option(["--fresh"], is_flag=True, help="Start over. The earlier run is kept."),
        click.Option(["--yes"], is_flag=True, help="Don't ask before a run that costs money."),
        click.Option(
            ["--preflight/--no-preflight"],
            default=True,
            envvar="KNOWACT_PREFLIGHT",
            help="Call each model once before the run.",
        ),
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
    if option.several:
        return values_option(option)
    if isinstance(option.default, bool):
        # What is on by default can be switched off.
        names = f"{flag}/--no-{flag.removeprefix('--')}" if option.default else flag
        return click.Option([names], is_flag=True, default=option.default, help=option.help)
    kind: Any = click.Choice(option.choices) if option.choices else type(option.default)
    if isinstance(option.default, int):
        kind = click.IntRange(option.least)
    if option.bare:
        return click.Option(
            [flag], type=kind, is_flag=False, flag_value=option.bare, default=option.default, help=option.help
        )
    if option.others:
        defaults = f"{option.default} for built-in agents, {option.others} for others"
        return click.Option([flag], type=kind, show_default=defaults, help=option.help)
    return click.Option([flag], type=kind, default=option.default, show_default=True, help=option.help)


def run_suite(suite: Suite, given: Mapping[str, Any], draw: Draw | None = None) -> int:
    """Carry runs out; return the worst of their exit codes. Arguments as for `carried_out`."""
    return carried_out(suite, given, draw).exit_code


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """What came of one command: its runs, and the worst exit code, that of a run held by another included."""

    done: "tuple[Done, ...]"
    exit_code: int


def carried_out(suite: Suite, given: Mapping[str, Any], draw: Draw | None = None) -> CarriedOut:
    """Plan, announce, ask before it costs money, run, and sum up: a run for each model and treatment.

    Args:
        suite: What is run.
        given: The values of the command's options, by name.
        draw: From the items that the options leave to those of this run, and how that is said of the run;
            None for all of them.
    """
    given = agent_options.as_models(given)
    _check_agents(suite, given["model"])
    engine = engine_options.parse(given["engine"]) | agent_options.settings(given)
    if given["max_connections"] is not None:
        engine["max_connections"] = given["max_connections"]
    every = arms(suite, given, engine)
    # Data are checked before the engine is even loaded, and long before a model is called.
    plans = [_plan(suite, _options(suite, {**given, **arm.options}), draw) for arm in every]
    ready(item.task.world.name for one in plans for item in one.plan.items)
    bound = {model: role_options.bound(plans[0].plan, model, given) for model in given["model"]}
    due = [
        _due(suite, planned, {**engine, **arm.engine}, model, bound[model], given, arm.words)
        for model in given["model"]
        for planned, arm in zip(plans, every, strict=True)
    ]
    _announce(due, fresh=given["fresh"])
    costs = any(
        not name.startswith(FREE)
        for one in due
        for name in (one.request.model, *(player.name for player in one.request.roles.values()))
    )
    if costs and not given["yes"] and sys.stdin.isatty():
        click.confirm("Continue?", abort=True, default=True)
    if given["preflight"]:
        _call_first(due, fresh=given["fresh"])
    return _run_all(due, fresh=given["fresh"])


def _call_first(due: "Sequence[_Due]", *, fresh: bool) -> None:
    """Call every model that a run with something left to do is going to call.

    Raises:
        BadUsage: One of them cannot be used.
    """
    from knowact.engine.first_call import call_each, callees
    from knowact.engine.progress import ended_before
    from knowact.engine.runs import folder_of, trials_of

    left = [
        one.request
        for one in due
        if fresh or len(ended_before(folder_of(one.request, one.plan))) < trials_of(one.request, one.plan)
    ]
    for note in call_each(callee for request in left for callee in callees(request)):
        click.echo(f"{note} The run starts anyway, and tries again by itself.", err=True)


@dataclass(frozen=True, slots=True)
class _Planned:
    """Options, their items, and which of these it is where it is not all of them."""

    options: Mapping[str, Any]
    plan: Plan
    sample: str = ""


@dataclass(frozen=True, slots=True)
class _Due:
    """One run that is to be done; `words` tell it from the others of a sweep."""

    request: "Request"
    plan: Plan
    words: str


def _plan(suite: Suite, options: Mapping[str, Any], draw: Draw | None) -> _Planned:
    plan = suite.plan(options)
    if plan.obstacle:
        raise BadUsage(plan.obstacle)
    if draw is None:
        return _Planned(options, plan)
    items, sample = draw(plan.items)
    return _Planned(options, _only(plan, items), sample)


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


def _due(  # noqa: PLR0917 - one call site, named there
    suite: Suite,
    planned: _Planned,
    engine: Mapping[str, Any],
    model: str,
    roles: Mapping[str, RoleModel],
    given: Mapping[str, Any],
    words: str,
) -> _Due:
    from knowact.engine.preflight import checked
    from knowact.engine.runs import Request

    display, watch = displays(
        given["display"], at_terminal=planned.plan.at_terminal or model.startswith(PERSON)
    )
    request = Request(
        suite=suite,
        options=planned.options,
        model=model,
        roles=roles,
        log_dir=given["log_dir"],
        engine=engine,
        cost_limit=given["cost_limit"],
        display=display,
        watch=watch,
        sample=planned.sample,
        live=given["live"],
    )
    return _Due(checked(request), planned.plan, words)


def _announce(due: Sequence[_Due], *, fresh: bool) -> None:
    """Say what will be done and what it costs; of several runs, each, and then all of them together."""
    from knowact.engine.preflight import announce, in_all
    from knowact.engine.runs import folder_of

    told: set[str] = set()
    for number, one in enumerate(due, 1):
        if len(due) > 1:
            click.echo(_which(number, due))
        for line in announce(one.request, one.plan, folder_of(one.request, one.plan), fresh=fresh):
            if line not in told or not line.startswith("Note: "):
                click.echo(line)
            told.add(line)
    if len(due) > 1:
        click.echo(in_all([(one.request, one.plan) for one in due]))


def _which(number: int, due: Sequence[_Due]) -> str:
    one = due[number - 1]
    return ", ".join(filter(None, (f"Run {number} of {len(due)}: {one.request.model}", one.words)))


def _run_all(due: Sequence[_Due], *, fresh: bool) -> CarriedOut:
    """Do one run after the other; the exit code is the worst.

    Where another process is at one of several, the others are done all the same. Ctrl-C and the cost limit,
    which holds for all of them together, end the rest, too.
    """
    from knowact.engine.budget import BUDGET
    from knowact.engine.run_folder import set_aside
    from knowact.engine.runs import COST, INTERRUPTED, carry_out, folder_of

    worst, every, BUDGET.spent = 0, list["Done"](), 0.0
    for number, one in enumerate(due, 1):
        request, folder = one.request, folder_of(one.request, one.plan)
        if len(due) > 1:
            click.echo(f"\n{_which(number, due)}")
        try:
            if fresh and folder.exists():
                click.echo(f"The earlier run is now in {set_aside(folder)}.")
            done = carry_out(request, one.plan)
        except RunHeld as error:
            if len(due) == 1:
                raise
            click.echo(error, err=True)
            worst = max(worst, error.exit_code)
            continue
        _sum_up(request.suite, done, request)
        worst = max(worst, done.exit_code)
        every.append(done)
        if done.exit_code in {COST, INTERRUPTED}:
            break
    if any(one.words for one in due):
        _compare(due[0].request.suite, [done.run for done in every if done.run is not None])
    return CarriedOut(tuple(every), worst)


def _compare(suite: Suite, runs: Sequence[Run]) -> None:
    """Print what the runs of a sweep differ in, pair by pair."""
    from knowact.report.as_text import compared_text
    from knowact.report.treatments import treatments

    found = treatments(suite, runs)
    if found is not None:
        click.echo(f"\n{compared_text(found)}")
    if runs:
        folders = dict.fromkeys(_quoted(Path(run.logs[0]).parent) for run in runs)
        click.echo(f"One page of all of them: knowact report {' '.join(folders)}")


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
