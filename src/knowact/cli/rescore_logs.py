"""`knowact rescore SUITE LOGS`: the trials of our own logs, scored again without asking the agent."""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.options import put_json
from knowact.core.clean import one_line
from knowact.core.errors import BadUsage
from knowact.core.role_model import RoleModel
from knowact.core.suite import Plan
from knowact.core.table import Table
from knowact.probes.suite import Suite
from knowact.running.progress import shown
from knowact.running.roles import NOBODY, SELF, named
from knowact.running.sources import FREE, measured_rates

if TYPE_CHECKING:  # the engine takes seconds to load, and a published release needs none
    from knowact.engine.rescoring import Request, Rescored
    from knowact.report.rescored import ItemDifference

FORMAT: Final = "knowact.rescored-logs/1"

SHOWN: Final = 20
"""Differences that are printed; a file has all of them."""

READERS: Final = ("extractor", "judge")
"""The roles that read stored words; nobody talks to the agent again."""


@dataclass(frozen=True, slots=True)
class RescoreOptions:
    """What the command line asks for.

    Attributes:
        paths: Logs and folders.
        rules: Empty for the rules that each run was scored by.
        judge: Who reads all stored words anew; empty for nobody.
        roles: `--role`, as given.
        log_dir: Where the new logs go; None for nowhere.
        data: Where the data are by now; empty if they are where they were.
    """

    paths: Sequence[Path]
    rules: str = ""
    judge: str = ""
    roles: Sequence[str] = ()
    log_dir: Path | None = None
    data: str = ""
    connections: int | None = None
    yes: bool = False


def logs_at(path: Path) -> list[Path]:
    """The files at or below a path that are logs of the engine."""
    if path.is_dir():
        return sorted(path.rglob("*.eval"))
    return [path] if path.suffix == ".eval" else []


def rescore_logs(name: str, asked: RescoreOptions, json_file: Path | None) -> int:
    """Score the newest log of each run again, and say what differs.

    Raises:
        BadData: A log cannot be read, or its data are not what they were.
        BadUsage: There is no log of the suite, or a role cannot be played.
    """
    from knowact.engine.reader import find_logs, newest

    suite = suites.find(name)
    logs = [log for log in find_logs(asked.paths, any_scoring=True) if log.run.suite == suite.name]
    if not logs:
        where = ", ".join(map(str, asked.paths))
        raise BadUsage(f"There is no log of {suite.name} at {where}.")
    kept, superseded = newest(logs)
    requests = [_request(suite, log, asked) for log in kept]
    plans = [request.planned() for request in requests]
    if json_file is None:
        for log in superseded:
            click.echo(f"Superseded: {log.path}")
    _confirm(requests, plans, asked)
    with ExitStack() as stack:
        folder = asked.log_dir or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        done = [_rescored(request, plan, folder) for request, plan in zip(requests, plans, strict=True)]
        if json_file is not None:
            runs = [
                _as_json(suite, *rescored, written=asked.log_dir is not None)
                for rescored in zip(requests, done, strict=True)
            ]
            put_json({"format": FORMAT, "suite": suite.name, "runs": runs}, json_file)
        else:
            terminal.prepare()
            for request, rescored in zip(requests, done, strict=True):
                terminal.say(*_told(suite, request, rescored), *_written(rescored, asked.log_dir))
    read = all(each.after.scored == each.after.planned and not _unread(each) for each in done)
    return 0 if read else 1


def _request(suite: Suite, log: Any, asked: RescoreOptions) -> "Request":
    from knowact.engine.filed import as_model
    from knowact.engine.rescoring import Request

    agent = str(log.header.eval.model)
    readers = _readers(suite, log.run.roles.wanted, asked, agent)
    roles = {role: as_model(player) for role, player in readers.items()}
    return Request(log, suite, asked.rules, roles, asked.data, asked.connections)


def _readers(suite: Suite, needed: Sequence[str], asked: RescoreOptions, agent: str) -> dict[str, RoleModel]:
    """Role to model, for those that read what an agent said anew.

    Raises:
        BadUsage: A role that reads nothing, or one that the suite has no use for.
    """
    roles = named(asked.roles)
    if idle := [role for role in roles if role not in READERS]:
        raise BadUsage(
            f"The {idle[0]} takes part in the conversation and cannot be replaced afterwards. Only "
            f"{' and '.join(READERS)} can read the stored words again."
        )
    if unused := [role for role in roles if role not in needed]:
        raise BadUsage(f"A run of {suite.name} like this one needs no {unused[0]}.")
    if asked.judge in {"", NOBODY}:
        return roles
    judge = agent if asked.judge == SELF else asked.judge
    both = named([f"{role}={judge}" for role in READERS if role in needed])
    return both | roles


def _confirm(requests: "Sequence[Request]", plans: Sequence[Plan], asked: RescoreOptions) -> None:
    """Say what will be asked of whom, before it costs anything."""
    from knowact.engine.filed import shown
    from knowact.engine.models import check_player

    costs = False
    for request, plan in zip(requests, plans, strict=True):
        for role, player in request.roles.items():
            check_player(role, player)
            least, most = (int(request.options["trials"]) * n for n in plan.role_calls.get(role, (0, 0)))
            click.echo(f"Role {role}: {least:,} to {most:,} calls of {shown(player)}.", err=True)
            costs = costs or not player.name.startswith(FREE)
    if costs and not asked.yes and sys.stdin.isatty():
        click.confirm("Continue?", abort=True, default=True)


def _rescored(request: "Request", plan: Plan, folder: Path) -> "Rescored":
    from knowact.engine.rescoring import rescore

    return rescore(request, plan, folder, shown())


def _unread(done: "Rescored") -> str:
    from knowact.engine.reasons import why_unread

    return why_unread(done.after)


def _tables(suite: Suite, done: "Rescored") -> list[Table]:
    from knowact.report.rescored import agreement, compared

    tables = [compared(suite, done.before, done.after)]
    return [*tables, agreement(done.rulings)] if done.rulings else tables


def _notes(suite: Suite, request: "Request", done: "Rescored") -> Iterator[str]:
    """What a reader should know, a sentence each."""
    rules = str(request.options["rules"])
    if done.asked_under != rules:
        yield (
            f"The agent was asked under the {done.asked_under} rules, which a new scoring cannot change: "
            f"only the scoring follows the {rules} ones. {suite.asked_by_rules}".rstrip()
        )
    if done.would_go_on:
        yield (
            f"{done.would_go_on:,} conversations were ended by a ruling that no longer stands. How they "
            "would have gone on is not known: they are not scored."
        )
    if done.lacking:
        yield f"{done.lacking:,} trials lack a question that these rules ask: they are not scored."
    if done.left_out:
        yield f"{done.left_out:,} trials are of items that these rules do not ask about: they are left out."
    for why in dict.fromkeys(done.failures.values()):
        count = sum(failure == why for failure in done.failures.values())
        yield f"{count:,} trials could not be read again: {why}."


def _told(suite: Suite, request: "Request", done: "Rescored") -> Iterator[str]:
    from knowact.report.as_text import run_text, table_text
    from knowact.report.build import summary
    from knowact.report.rescored import differences

    yield f"{done.before.id}: {request.log.path}"
    for run in (done.before, done.after):
        yield run_text(summary(suite, run, measured_rates()))
    yield from map(table_text, _tables(suite, done))
    yield from map(one_line, _notes(suite, request, done))
    changed = list(differences(suite, done.before, done.after))
    trials = len({(d.item, d.condition, d.epoch) for d in changed})
    yield f"{len(changed):,} results of {trials:,} trials differ." if changed else "No result differs."
    yield from map(_line, changed[:SHOWN])
    if len(changed) > SHOWN:
        yield f"... and {len(changed) - SHOWN:,} more (--json FILE has all of them)."


def _line(change: "ItemDifference") -> str:
    where = change.item if change.condition == "clean" else f"{change.item}@{change.condition}"
    return one_line(f"  {where}/{change.epoch} {change.measure}: {change.was} -> {change.now} ({change.why})")


def _written(done: "Rescored", log_dir: Path | None) -> Iterator[str]:
    if log_dir is not None:
        yield f"Log: {done.after.logs[0]}"


def _as_json(suite: Suite, request: "Request", done: "Rescored", *, written: bool) -> Mapping[str, Any]:
    from knowact.report.as_json import table_json
    from knowact.report.rescored import as_entries, differences

    changed = list(differences(suite, done.before, done.after))
    return {
        "log": str(request.log.path),
        "rescored": done.after.logs[0] if written else None,
        "model": done.before.model,
        "roles": dict(done.after.roles),
        "asked_under": done.asked_under,
        "rules": request.options["rules"],
        "planned": done.after.planned,
        "scored": done.after.scored,
        "tables": [table_json(table) for table in _tables(suite, done)],
        "notes": list(_notes(suite, request, done)),
        "differences": as_entries(changed),
    }
