"""`knowact world check NAME`: whether a world's tools do what they declare, told like unit tests."""

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from knowact.cli import terminal
from knowact.cli.groups import HELP, Group
from knowact.core.errors import BadUsage, UnknownName

if TYPE_CHECKING:
    from knowact.core.tool import Tool
    from knowact.worlds.check import Checks, Example, Finding

ROUNDS = 20
"""Random calls per tool and seed of the world."""

LONGEST = 400
"""Characters shown of one complaint; results can be long, and the first difference is near their start."""


@click.group("world", cls=Group, context_settings=HELP)
def command() -> None:
    """Worlds: where calls have results. `knowact world check --help` says how one is checked."""


@command.command("check", context_settings=HELP)
@click.argument("name")
@click.option(
    "--examples",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Worked examples of your own, one JSON object a line, instead of those that come with the world.",
)
@click.option("--tool", "only", multiple=True, metavar="TOOL", help="Check only this tool; repeatable.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Of the world and of the random calls; the next is tried too.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, 3600, min_open=True),
    default=20.0,
    show_default=True,
    help="Seconds that one call may take; then it is stopped, and its tool has failed.",
)
def check(name: str, file: Path | None, only: tuple[str, ...], seed: int, time_limit: float) -> int:
    """Check the tools of world NAME: worked examples, then random calls against what each tool declares.

    NAME is a world of knowact or one that an installed package offers. Calls are made in a process of
    their own, so that a tool that hangs or crashes is a failure of that tool and of nothing else. Exit
    code 0 says that every check passed, 1 that one failed.
    """
    from knowact.worlds import registry
    from knowact.worlds.check import Checks
    from knowact.worlds.watched import Watched

    terminal.prepare()
    if math.isnan(time_limit):
        raise BadUsage("--time-limit takes seconds, not nan.")
    entry = registry.find(name)
    own = None if file is None else _read(file)
    began = time.monotonic()
    with Watched(partial(registry.world, name), time_limit) as world:
        described = world.describe(seed)
        tools = _chosen(described.tools, only, name)
        examples = own or _shipped(entry.examples, name)
        checks = Checks(
            described.tools,
            examples,
            world.attempt,
            rounds=ROUNDS,
            seeds=(seed, seed + 1),
            deterministic=described.deterministic,
        )
        click.echo(_heading(name, tools, examples, seed, time_limit))
        found = _report(checks, tools, agree=described.deterministic, whole=not only)
    return _sum_up(found, time.monotonic() - began)


def _chosen(tools: "Sequence[Tool]", only: Sequence[str], name: str) -> "list[Tool]":
    if not tools:
        raise BadUsage(f"The world {name!r} has no tools of its own to check: they come with the data.")
    known = {tool.name: tool for tool in tools}
    for one in only:
        if one not in known:
            raise UnknownName(f"tool of the world {name!r}", one, known)
    return [tool for tool in tools if not only or tool.name in only]


def _read(file: Path) -> "Sequence[Example]":
    from knowact.datasets.lines import parse, read_lines
    from knowact.worlds.check import Example

    found = [parse(Example, line) for line in read_lines(file)]
    if not found:
        raise BadUsage(f"{file} holds no example; put one JSON object on each line.")
    return found


def _shipped(read: "Callable[[], Sequence[Example]] | None", name: str) -> "Sequence[Example]":
    if read is None:
        raise BadUsage(f"The world {name!r} comes without worked examples; give some with --examples FILE.")
    return read()


def _heading(
    name: str, tools: "Sequence[Tool]", examples: "Sequence[Example]", seed: int, limit: float
) -> str:
    chosen = {tool.name for tool in tools}
    worked = sum(example.tool in chosen for example in examples)
    return (
        f"World {name!r}: {_count(len(tools), 'tool')}, {_count(worked, 'worked example')}; then {ROUNDS} "
        f"random calls per tool with each of the seeds {seed} and {seed + 1}; at most {limit:g} s a call.\n"
    )


def _report(checks: "Checks", tools: "Sequence[Tool]", *, agree: bool, whole: bool) -> "list[Finding]":
    """Run the checks and print a line per tool as soon as it is done."""
    found: list[Finding] = []
    if whole:
        found += _told("examples", checks.strangers())
    category = ""
    for tool in tools:
        if tool.category != category:
            category = tool.category
            click.echo(_plain(category))
        found += _told(tool.name, checks.of(tool), always=True)
    if agree:
        agreement = checks.agreement()
        click.echo("All tools together")
        found += _told(f"{_count(len(agreement), 'attribute')} told alike", agreement, always=True)
    return found


def _told(label: str, findings: "list[Finding]", *, always: bool = False) -> "list[Finding]":
    failed = [finding for finding in findings if not finding.ok]
    if failed or always:
        click.echo(f"  {'FAIL' if failed else 'ok  '}  {_plain(label)}")
    for finding in failed:
        check_name = finding.name.removeprefix(f"{label}: ")
        click.echo(f"          {_plain(check_name)}: {_plain(finding.message)}")
    return findings


def _sum_up(found: "Sequence[Finding]", seconds: float) -> int:
    failed = [finding for finding in found if not finding.ok]
    click.echo("")
    if not failed:
        click.echo(f"All {_count(len(found), 'check')} passed in {seconds:.1f} s.")
        return 0
    names = _plain(", ".join(dict.fromkeys(finding.name.partition(": ")[0] for finding in failed)))
    click.echo(f"{len(failed):,} of {_count(len(found), 'check')} failed in {seconds:.1f} s: {names}")
    return 1


def _plain(text: str) -> str:
    from knowact.core.clean import one_line

    shown = one_line(text)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} …"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
