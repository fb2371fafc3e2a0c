"""`knowact run SUITE`: announces the run and its cost, runs or resumes it, and prints the headline."""

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from knowact import suites
from knowact.cli import config_file, role_options
from knowact.cli.options import FILE, HELP, PATH, display_option
from knowact.cli.sweeps import budget_options, values_option
from knowact.core.errors import BadUsage
from knowact.core.option import Option
from knowact.measures.run_tables import BUDGETS
from knowact.probes.suite import Suite
from knowact.running import engine_options
from knowact.running.carry_out import Output, carry_out
from knowact.running.config_file import sections
from knowact.running.plan import Draw, plan_runs
from knowact.running.request import RunRequest
from knowact.running.sources import typed


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
    type=FILE,
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
    names = sections(file, lambda: [typed(name) for name in suites.names()])
    # All sections are read before the first of them is run.
    commands = [suite_command(suites.find(name)) for name in names]
    contexts = [
        each.make_context(name, ["--config", str(file)], parent=context)
        for name, each in zip(names, commands, strict=True)
    ]
    codes: list[int] = []
    for each, its in zip(commands, contexts, strict=True):
        with its:
            codes.append(int(each.invoke(its) or 0))
    return max(codes)


def suite_command(suite: Suite) -> click.Command:
    """Make the command of one suite from what the suite declares."""

    def callback(**given: Any) -> int:
        return run_suite(suite, given)

    options: list[click.Parameter] = [
        click.Option(["--model"], multiple=True, help="A model, as Inspect names it; repeatable."),
        config_file.option(),
        *role_options.agent_options(),
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
            type=PATH,
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
    """Plan, announce, ask before it costs money, and run: a run for each model and treatment.

    Args:
        suite: What is run.
        given: The values of the command's options, by name.
        draw: From the items that the options leave to those of this run, and how that is said of the run;
            None for all of them.

    Returns:
        The worst of the runs' exit codes.
    """
    plan = plan_runs(_request(suite, given), draw)
    for line in plan.announcement():
        click.echo(line)
    if plan.paid and not given["yes"] and sys.stdin.isatty():
        click.confirm("Continue?", abort=True, default=True)
    if given["preflight"]:
        for note in plan.call_first():
            click.echo(note, err=True)
    return carry_out(plan, Output(click.echo, partial(click.echo, err=True))).exit_code


def _request(suite: Suite, given: Mapping[str, Any]) -> RunRequest:
    """What the values of the command's options ask for."""
    return RunRequest(
        suite=suite,
        models=tuple(given["model"]),
        agents=tuple(given["agent"]),
        agent_name=given["agent_name"] or "",
        agent_timeout=given["agent_timeout"],
        options={option.name: given[option.name] for option in suite.options},
        budgets={name: given[name] for name in BUDGETS if given[name] is not None},
        judge=given["judge"],
        roles=tuple(given["role"]),
        limit=given["limit"],
        trials=given["trials"],
        seed=given["seed"],
        rules=given["rules"],
        max_connections=given["max_connections"],
        cost_limit=given["cost_limit"],
        log_dir=given["log_dir"],
        engine=engine_options.parse(given["engine"]),
        display=given["display"],
        live=given["live"],
        fresh=given["fresh"],
    )
