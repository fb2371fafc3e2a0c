"""Models that describe tools of the everyday world as these declare themselves, or as a test wants it."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from knowact.core.tool import Dimension, Tool
from knowact.testing.endpoint import Reply, Request, Say
from knowact.tools.annotation import declared
from knowact.tools.claims import Form
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


def filled(own: OwnTool) -> dict[str, Any]:
    """The form of a tool of the everyday world, as its declarations fill it."""
    said, form = declared(EVERYDAY[own.name]), Form.of(own)
    fires, about = said.fires or (), said.about or ()
    return {
        "writes": "yes" if said.writes else "no",
        "dimensions": {one.value: "yes" if one in fires else "no" for one in Dimension},
        "when": said.when,
        "by_person": "yes" if said.by_person else "no",
        "about": {name: "yes" if name in about else "no" for name in form.parameters},
        "needs": {name: said.needs[name] for name in form.told},
        "reports": {name: said.reports[name][0] for name in form.fields},
        "changes": list(said.changes or ()),
        "why": f"{said.why}",
    }


Change = Callable[[str, str, int, dict[str, Any]], None]
"""Changes a form: the tool, the model, the number of the vote, the form."""


def unchanged(_tool: str, _model: str, _number: int, _form: dict[str, Any]) -> None:
    """Leave a form as it is."""


@dataclass(slots=True)
class Annotators:
    """A scripted endpoint's answers to `knowact tools annotate`.

    Attributes:
        tools: The tools, by name.
        change: Changes forms before they are sent.
        replies: Sent first, whatever is asked.
        asked: What was asked for, in order: the prompt's beginning, and the tool.
        prompts: The prompts.
    """

    tools: dict[str, OwnTool]
    change: Change = unchanged
    replies: list[Reply] = field(default_factory=list[Reply])
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    prompts: list[str] = field(default_factory=list[str])

    def script(self, request: Request) -> Reply:
        text = request.conversation
        self.prompts.append(text)
        kind = text.split()[1]
        if kind == "name":
            self.asked.append((kind, ""))
            return (
                self.replies.pop(0) if self.replies else Say(json.dumps({"attributes": self._attributes()}))
            )
        shown = json.loads(text.rpartition("The tool:\n\n")[2])
        self.asked.append((kind, shown["name"]))
        if self.replies:
            return self.replies.pop(0)
        form = filled(self.tools[shown["name"]])
        self.change(shown["name"], request.model, int(request.body["seed"]), form)
        return Say(f"Here it is:\n{json.dumps(form)}")

    def _attributes(self) -> dict[str, str]:
        said: Sequence[Any] = [declared(EVERYDAY[name]) for name in self.tools]
        names = {one for each in said for one in (*each.needs.values(), *(each.changes or ()))}
        names |= {one for each in said for every in each.reports.values() for one in every if "." in one}
        return {name: f"what {name} is" for name in sorted(names)}
