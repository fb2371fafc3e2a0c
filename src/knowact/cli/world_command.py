"""`knowact world check NAME`: whether a world's tools do what they declare, reported like unit tests."""

import math
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from knowact.cli import terminal
from knowact.cli.options import HELP, PATH, Group
from knowact.core.clean import one_line
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.rounding import count
from knowact.core.tool import Tool
from knowact.datasets.lines import parse, read_lines
from knowact.worlds import registry
from knowact.worlds.check import Checks, Example, Finding
from knowact.worlds.watched import Watched

ROUNDS = 20
"""Random calls per tool and seed of the world."""

LONGEST = 400
"""Characters shown of one failure; results can be long, and differ near their start."""


@click.group("world", cls=Group, context_settings=HELP)
def command() -> None:
    """Check the worlds in which tools are executed: see `knowact world check --help`."""


@command.command("check", context_settings=HELP)
@click.argument("name")
@click.option(
    "--examples",
    "file",
    type=PATH,
    metavar="FILE",
    help="Your own worked examples, one JSON object per line, instead of those of the world.",
)
@click.option("--tool", "only", multiple=True, metavar="TOOL", help="Check only this tool; repeatable.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Seed of the world and of the random calls; the next seed is tried too.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, 3600, min_open=True),
    default=20.0,
    show_default=True,
    help="Seconds per call; after that the call is stopped and its tool has failed.",
)
def check(name: str, file: Path | None, only: tuple[str, ...], seed: int, time_limit: float) -> int:
    """Check the tools of the world NAME: worked examples, then random calls against each declaration.

    NAME is a world of knowact or of an installed package. One without worked examples of its own is checked
    as far as that goes, and you are told what is not checked. Calls run in a separate process, so a tool that
    hangs or crashes fails alone. Exit code 0: every check passed. Exit code 1: some failed.
    """
    terminal.prepare()
    if math.isnan(time_limit):
        raise BadUsage("--time-limit takes a number of seconds, not nan.")
    entry = registry.find(name)
    own = None if file is None else _read(file)
    began = time.monotonic()
    with Watched(partial(registry.world, name), time_limit) as world:
        described = world.describe(seed)
        tools = _chosen(described.tools, only, name)
        examples = own or (entry.examples() if entry.examples else ())
        checks = Checks(
            described.tools,
            examples,
            world.attempt,
            rounds=ROUNDS,
            seeds=(seed, seed + 1),
            deterministic=described.deterministic,
            examples_needed=entry.examples is not None,
        )
        click.echo(_heading(name, tools, examples, seed, time_limit))
        findings = _report(checks, tools, agree=described.deterministic, whole=not only)
    for line in _unchecked(checks, tools):
        click.echo(line)
    return _sum_up(findings, time.monotonic() - began)


def _unchecked(checks: Checks, tools: Sequence[Tool]) -> Iterator[str]:
    """What could not be checked for want of examples, and what to write."""
    without = [tool.name for tool in tools if not checks.has_examples(tool)]
    idle = [tool.name for tool in tools if not checks.callable_at_random(tool)]
    if without:
        named = _plain(", ".join(without))
        yield f"\nNot checked, because there are no worked examples: the results of {named}."
    if idle:
        named = _plain(", ".join(idle))
        yield f"Not called at all, because nothing says what arguments to call them with: {named}."
    if without:
        yield "Write some, one JSON object per line, and add --examples FILE (docs/worlds.md)."


def _chosen(tools: Sequence[Tool], only: Sequence[str], name: str) -> list[Tool]:
    if not tools:
        raise BadUsage(f"The world {name!r} has no tools to check: its tools come with the data.")
    known = {tool.name: tool for tool in tools}
    for tool_name in only:
        if tool_name not in known:
            raise UnknownName(f"tool of the world {name!r}", tool_name, known)
    return [tool for tool in tools if not only or tool.name in only]


def _read(file: Path) -> Sequence[Example]:
    examples = [parse(Example, line) for line in read_lines(file)]
    if not examples:
        raise BadUsage(f"{file} holds no example. Put one JSON object on each line.")
    return examples


def _heading(name: str, tools: Sequence[Tool], examples: Sequence[Example], seed: int, limit: float) -> str:
    chosen = {tool.name for tool in tools}
    worked = sum(example.tool in chosen for example in examples)
    return (
        f"World {name!r}: {count(len(tools), 'tool')}, {count(worked, 'worked example')}, then {ROUNDS} "
        f"random calls per tool with each of the seeds {seed} and {seed + 1}; at most {limit:g} s per call.\n"
    )


def _report(checks: Checks, tools: Sequence[Tool], *, agree: bool, whole: bool) -> list[Finding]:
    """Run the checks and print one line per tool as it finishes."""
    findings: list[Finding] = []
    if whole:
        findings += _print("examples", checks.strangers())
    category = ""
    for tool in tools:
        if tool.category != category:
            category = tool.category
            click.echo(_plain(category))
        findings += _print(tool.name, checks.of(tool), always=True)
    if agree:
        agreement = checks.agreement()
        click.echo("All tools together")
        findings += _print(
            f"{count(len(agreement), 'attribute')} reported consistently", agreement, always=True
        )
    return findings


def _print(label: str, findings: list[Finding], *, always: bool = False) -> list[Finding]:
    failed = [finding for finding in findings if not finding.ok]
    if failed or always:
        click.echo(f"  {'FAIL' if failed else 'ok  '}  {_plain(label)}")
    for finding in failed:
        check_name = finding.name.removeprefix(f"{label}: ")
        click.echo(f"          {_plain(check_name)}: {_plain(finding.message)}")
    return findings


def _sum_up(findings: Sequence[Finding], seconds: float) -> int:
    failed = [finding for finding in findings if not finding.ok]
    click.echo("")
    if not failed:
        click.echo(f"All {count(len(findings), 'check')} passed in {seconds:.1f} s.")
        return 0
    names = _plain(", ".join(dict.fromkeys(finding.name.partition(": ")[0] for finding in failed)))
    click.echo(f"{len(failed):,} of {count(len(findings), 'check')} failed in {seconds:.1f} s: {names}")
    return 1


def _plain(text: str) -> str:
    shown = one_line(text)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} …"
