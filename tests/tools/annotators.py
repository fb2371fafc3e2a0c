"""Tools of the everyday world as if they were somebody else's."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path

from knowact.core.tool import Tool
from knowact.tools.folder import Hints, OwnTool, Source, ToolFolder
from knowact.worlds.everyday.catalogue import TOOLS

NAMES = ("get_current_weather", "get_forecast", "multiply", "add_event", "cancel_order")
EVERYDAY = {tool.name: tool for tool in TOOLS}


def own_tool(tool: Tool, hints: Hints | None = None) -> OwnTool:
    """A tool of ours as if it had been read from somebody else's server."""
    return OwnTool(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        returns=tool.returns,
        hints=hints or Hints(),
        sha256=tool.name,
    )


def folder_of(root: Path, tools: Iterable[OwnTool]) -> ToolFolder:
    """A folder of tools, written."""
    source = Source(kind="python", module="weather.py", added=date(2026, 11, 23))
    made = ToolFolder(root / "mine", source, tuple(tools))
    made.save()
    return made
