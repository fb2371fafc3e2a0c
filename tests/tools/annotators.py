"""Tools of the everyday world as if they were somebody else's, and what is said of them."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from knowact.core.tool import Tool
from knowact.tools.annotation import Annotated, annotated
from knowact.tools.folder import Hints, OwnTool, Source, ToolFolder
from knowact.tools.material import side_of
from knowact.tools.sides import Side
from knowact.worlds.everyday.catalogue import TOOLS
from running import Ran, knowact

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


ASK = ("--role", "annotator=openai-api/note/annotator", "--role", "auditor=openai-api/note/auditor", "--yes")


def annotate(capsys: pytest.CaptureFixture[str], *words: object) -> Ran:
    return knowact(capsys, "tools", "annotate", "mine", *words)


def say(folder: ToolFolder, text: str) -> None:
    folder.annotations.write_text(text, encoding="utf-8")


def by_name(folder: ToolFolder) -> dict[str, Annotated]:
    return {one.own.name: one for one in annotated(folder)}


def of(one: Annotated) -> Callable[[Mapping[str, Any]], Side]:
    return side_of(one.own, one.said)
