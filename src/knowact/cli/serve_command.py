"""`knowact serve`: the tools of a world, or of one item, over MCP."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import click

from knowact.cli.options import FILE, HELP, seed_option
from knowact.core.clean import dumps
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.names import shown_names
from knowact.core.task import WorldRef
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, WorldState
from knowact.probes.probe import shown_tools
from knowact.running.sources import plan_of, suite_for
from knowact.worlds.overlay import Overlay
from knowact.worlds.registry import open_world


@click.command("serve", context_settings=HELP)
@click.argument("world", required=False)
@click.option(
    "--item", metavar="ID", help="The tools that an item offers, under its condition, in its world."
)
@click.option("--data", metavar="NAME|DIR", help="The item's data.")
@click.option("--suite", "suite_name", metavar="SUITE", help="The item's suite.")
@click.option("--setup", metavar="JSON", help="The first state of a world that has one, as a JSON object.")
@seed_option("The seed of the world's databases.")
@click.option("--http", is_flag=True, help="Streamable HTTP on loopback, under an address with a token.")
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="The port of --http [a free one].")
@click.option("--record", type=FILE, metavar="FILE", help="Append each call (JSON Lines).")
def command(  # noqa: PLR0917 - click passes by name
    world: str | None,
    item: str | None,
    data: str | None,
    suite_name: str | None,
    setup: str | None,
    seed: int,
    http: bool,
    port: int,
    record: Path | None,
) -> int:
    """Serve the tools of WORLD (everyday, car, or an installed one), or of an item, over MCP.

    Over standard input and output, unless --http is given; that prints the address. One process is one
    session: state that calls change lasts until it ends.
    """
    from knowact.agents.outside.mcp_tools import available, serve_stdio, served

    available()
    if (world is None) == (item is None):
        raise BadUsage("Name a world, or an item by --item.")
    session = _of_world(world, setup, seed) if world is not None else _of_item(str(item), data, suite_name)
    tools: list[Mapping[str, Any]] = list(shown_tools(session.tools()))
    calls = _Calls(session, record)
    if world is not None:
        tools = list(map(_with_result, tools, session.tools()))
    if not http:
        asyncio.run(serve_stdio(tools, calls))
        return 0

    async def serve() -> None:
        async with served(tools, calls, port) as url:
            click.echo(url)
            await asyncio.Event().wait()

    asyncio.run(serve())
    return 0


class _Calls:
    """Carries calls out in one session, and writes them down."""

    def __init__(self, session: WorldState, record: Path | None) -> None:
        self._session, self._record = session, record
        self._names = {
            shown: name for name, shown in shown_names(tool.name for tool in session.tools()).items()
        }

    async def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Observation:
        seen = self._session.call(Call(self._names.get(tool, tool), dict(arguments)))
        if self._record is not None:
            line = {"tool": tool, "arguments": dict(arguments), "result": seen.text()}
            try:
                with self._record.open("a", encoding="utf-8", newline="") as file:
                    file.write(f"{dumps(line)}\n")
            except OSError as error:
                raise BadUsage(f"Cannot write {self._record}: {error.strerror}.") from error
        return seen


def _with_result(shown: Mapping[str, Any], tool: Tool) -> Mapping[str, Any]:
    """A tool with the schema of its result, where that is an object: the protocol knows no other.

    The tools of an item have none, as in every probe; of one that fails under the item's condition, results
    would break the schema, and its lack would give that away.
    """
    described = tool.returns is not None and tool.returns.get("type") == "object"
    return {**shown, "returns": tool.returns} if described else shown


def _of_world(name: str, setup: str | None, seed: int) -> WorldState:
    try:
        state: Any = json.loads(setup) if setup is not None else {}
    except ValueError as error:
        raise BadUsage(f"--setup takes a JSON object ({error}).") from error
    if not isinstance(state, dict):
        raise BadUsage("--setup takes a JSON object.")
    return open_world(WorldRef(name=name, setup=cast("dict[str, Any]", state)), seed)


def _of_item(name: str, data: str | None, suite_name: str | None) -> WorldState:
    plan = plan_of(suite_for(suite_name, data), data)
    item = next((each for each in plan.items if each.id == name), None)
    if item is None:
        raise UnknownName("item", name, [each.id for each in plan.items])
    return Overlay(open_world(item.task.world, plan.world_seed), item.condition, item.tools)
