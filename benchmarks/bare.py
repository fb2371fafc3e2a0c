"""The bare task: the same two questions in as few lines as Inspect allows. What ours is compared with.

Same items, prompts, tools and model settings. What is missing is what knowact adds: conditions, endings,
who failed, records that survive a kill, a reading that is not fooled, and anything to report from.
"""

import json
from pathlib import Path

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    execute_tools,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolParams
from workload import options, seed_of

from knowact.core.names import shown_names
from knowact.core.suite import Item
from knowact.core.world import Call, WorldState
from knowact.engine.assemble import DEFAULTS
from knowact.probes.probe import Message, shown_tools
from knowact.suites.kapro.items import KaproOptions
from knowact.suites.kapro.probes import act, tools_needed
from knowact.suites.kapro.suite import SUITE
from knowact.worlds.registry import open_world


class Script:
    """One item, made ready to be asked: prompts filled, tools shown. Part of each trial, as it is in ours."""

    def __init__(self, item: Item, seed: int) -> None:
        self.item, self.seed = item, seed
        context = self.session().context()
        self.know, self.act = (
            [_message(message) for message in probe.opening(item, context)]
            for probe in (tools_needed(), act(item, KaproOptions().rounds))
        )
        self.shown = shown_tools(item.tools)
        self.names = {shown: name for name, shown in shown_names(t.name for t in item.tools).items()}

    def session(self) -> WorldState:
        """Open the item's world."""
        return open_world(self.item.task.world, self.seed)

    def tools(self) -> list[ToolDef]:
        """The tools, bound to a session of this trial's own."""
        session = self.session()
        return [
            self._tool(session, spec["name"], spec["description"], spec["parameters"]) for spec in self.shown
        ]

    def _tool(self, session: WorldState, name: str, description: str, parameters: object) -> ToolDef:
        async def execute(**arguments: object) -> str:
            return session.call(Call(self.names[name], arguments)).text()

        checked = ToolParams.model_validate(parameters)
        return ToolDef(execute, name=name, description=description, parameters=checked)


class Items:
    """All items. The engine logs what solvers and scorers are given, but not the inside of a plain object."""

    def __init__(self, folder: Path) -> None:
        self.by_id = {item.id: item for item in SUITE.plan(options(folder)).items}
        self.seed = seed_of(folder)


def _message(message: Message) -> ChatMessage:
    kind = ChatMessageSystem if message.role == "system" else ChatMessageUser
    return kind(content=message.text)


@solver
def ask_both(items: Items) -> Solver:
    """Ask what is needed; then let the agent do it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script, model = Script(items.by_id[str(state.sample_id)], items.seed), get_model()
        state.store.set("said", (await model.generate(script.know)).completion)
        tools, messages, called = script.tools(), list(script.act), set[str]()
        for _ in range(KaproOptions().rounds):
            state.output = await model.generate(messages, tools=tools)
            messages.append(state.output.message)
            wanted = {call.function for call in state.output.message.tool_calls or []}
            if not wanted:
                break
            called |= wanted
            results = await execute_tools(messages, [tool for tool in tools if tool.name in wanted])
            messages.extend(results.messages)
        state.messages = messages
        state.store.set("called", sorted(called))
        return state

    return solve


@scorer(metrics={"know": [mean()], "act": [mean()]})
def both_right(items: Items) -> Scorer:
    """Whether each of the two sets is exactly the required one."""

    async def score(state: TaskState, target: Target) -> Score:
        item = items.by_id[str(state.sample_id)]
        names = shown_names(tool.name for tool in item.tools)
        required = {names[name] for name in item.task.required}
        decisions = json.loads(state.store.get("said"))["tool_decisions"]
        said = {name for name, needed in decisions.items() if needed}
        called = set(state.store.get("called"))
        return Score(value={"know": float(said == required), "act": float(called == required)})

    return score


@task
def bare(data: str) -> Task:
    """Both questions for each item of a folder in our layout."""
    items = Items(Path(data))
    samples = [Sample(id=name, input=item.task.opening.text) for name, item in items.by_id.items()]
    return Task(
        dataset=MemoryDataset(samples, name="bare"),
        solver=ask_both(items),
        scorer=both_right(items),
        config=DEFAULTS,
        epochs=Epochs(1, ["mean"]),
        fail_on_error=True,
        continue_on_fail=True,
        score_on_error=True,
    )
