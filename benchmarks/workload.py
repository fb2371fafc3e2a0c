"""What the engine's benchmarks ask, and a model that costs next to nothing to ask.

The items are the shipped KAPRO data, repeated under new ids.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from knowact.agents.policy import Statement, right_answer
from knowact.core.names import shown_names
from knowact.core.suite import Item, Plan
from knowact.datasets.lines import sha256
from knowact.datasets.own import ITEMS, MANIFEST, read_manifest
from knowact.suites.kapro.items import DATA, KaproOptions
from knowact.suites.kapro.probes import tools_needed
from knowact.suites.kapro.suite import SUITE
from knowact.worlds.registry import open_world

MODEL = "rehearsed/agent"


def repeated_data(folder: Path, count: int) -> Path:
    """Write `count` items in our layout, the shipped ones over and over, and return the folder."""
    source = DATA / KaproOptions().data
    lines = [json.loads(line) for line in (source / ITEMS).read_text("utf-8").splitlines()]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ITEMS).open("w", encoding="utf-8") as file:
        for number in range(count):
            line = lines[number % len(lines)]
            file.write(json.dumps({**line, "id": f"{line['id']}-{number:05}"}, ensure_ascii=False) + "\n")
    changed = {"name": "repeated", "size": count, "sha256": sha256(folder / ITEMS)}
    manifest = read_manifest(source).model_copy(update=changed)
    (folder / MANIFEST).write_text(manifest.model_dump_json(), encoding="utf-8")
    return folder


def options(data: Path) -> dict[str, bool | int | str]:
    """The suite's options: all at their defaults, but for the data."""
    return SUITE.defaults() | {"data": str(data)}


def seed_of(data: Path) -> int:
    """What opens the worlds of a data set."""
    return read_manifest(data).seed


PARTS: dict[str, tuple[Statement, Sequence[ToolCall]]] = {}
"""What the rehearsed model says to a user's message, as built-in agents do; and the calls that come first."""


def rehearse(plan: Plan, seed: int) -> None:
    """Teach the model its part: what each task needs, the plan's external calls, the right answer."""
    for item in plan.items:
        names = shown_names(tool.name for tool in item.tools)
        asked = tools_needed().opening(item, open_world(item.task.world, seed).context())
        said = {shown: name in item.task.required for name, shown in names.items()}
        PARTS[asked[-1].text] = Statement(json.dumps({"tool_decisions": said})), ()
        PARTS[item.task.opening.text] = right_answer(item.task), _calls(item, names)


def _calls(item: Item, names: Mapping[str, str]) -> list[ToolCall]:
    wanted = {step.tool: step.call_arguments for step in item.task.plan if step.external}
    return [
        ToolCall(id=f"call-{number}", function=names[name], arguments=arguments)
        for number, (name, arguments) in enumerate(wanted.items())
    ]


class Rehearsed(ModelAPI):
    """A model that has learnt its part: it makes its calls in one round, then it answers."""

    asked: ClassVar[int] = 0
    """Calls so far, over all runs of this process."""

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Say what was rehearsed. Usage is set: the engine would else download a tokeniser."""
        Rehearsed.asked += 1
        user = next(message for message in input if message.role == "user")
        said, calls = PARTS[user.text]
        if input[-1] is not user:
            calls = ()
        message = ChatMessageAssistant(
            content="" if calls else said.text,
            tool_calls=[*calls] or None,
            metadata=None if calls else said.declared.to_metadata(),
        )
        choice = ChatCompletionChoice(message=message, stop_reason="tool_calls" if calls else "stop")
        usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
        return ModelOutput(model=MODEL, choices=[choice], usage=usage)


@modelapi(name="rehearsed")
def rehearsed() -> type[ModelAPI]:
    """Register the model with the engine."""
    return Rehearsed


SETTINGS: Mapping[str, Any] = {
    "retry_attempts": 0,
    "retry_immediate": False,
    "retry_on_error": 2,
    "display": "none",
    "ctl_server": False,
    "score_display": False,
    "log_dir_allow_dirty": True,
}
"""As `knowact run` sets them (`knowact.engine.runs`), so that both sides log and retry alike."""
