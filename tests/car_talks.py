"""Conversations in the car for tests: agents, drivers and judges that say what they are told to."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from inspect_ai import (
    eval as run_eval,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall

from knowact.core.condition import CLEAN
from knowact.core.errors import Place
from knowact.core.record import Ending, Record, Verdict
from knowact.core.suite import Item, Plan
from knowact.core.table import DatasetInfo
from knowact.core.task import Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.world import Call
from knowact.engine.drivers import Driver, Played, Scripted
from knowact.engine.purse import Purse
from knowact.engine.referees import VotedReferee
from knowact.engine.talks import TRIALS, Seat, Talks, conversation_task
from knowact.people.driver.script import Detail, Script
from knowact.people.driver.scripted import ScriptedDriver
from knowact.people.driver_faults import Known, driver_faults
from knowact.people.part import Part
from knowact.people.referee import Case
from knowact.probes.probe import Message
from knowact.worlds.car.record import TaskType, Trial, read
from knowact.worlds.car.recording import Recorder
from knowact.worlds.car.removal import LimitedSession, removed
from knowact.worlds.car.world import CarWorld

Moved: TypeAlias = str | Call | Sequence[Call]
"""What an agent does: words, a call, or several in one message."""

SHADE = Script(
    opening="Please open the sunshade.",
    details=(Detail(about=("how far", "percent"), says="Half way, please."),),
)


@dataclass(frozen=True)
class Scene:
    """One trial to be held.

    Attributes:
        says: The agent's messages, in order; the last one repeats.
        driver: Replies of the model that drives; empty lets the script drive.
        votes: Replies of the grader; empty binds none.
        case: What the referee knows; by default nothing is missing or open.
    """

    says: Sequence[Moved]
    script: Script = SHADE
    driver: Sequence[str] = ()
    votes: Sequence[str] = ()
    type: TaskType = TaskType.BASE
    removed: tuple[str, ...] = ()
    case: Case | None = None
    setup: dict[str, Any] = field(default_factory=dict[str, Any])
    most_steps: int = 12
    reruns: int = 0
    scenario: str = ""

    def but(self, **changed: Any) -> "Scene":
        """The same scene with some fields changed."""
        return replace(self, **changed)

    @property
    def known(self) -> Case:
        return self.case or Case(self.type, self.script)


@dataclass(frozen=True)
class Held:
    """What came of it: the log, and the record of every attempt."""

    log: EvalLog
    trials: tuple[Trial, ...]
    heard: Sequence[Sequence[ChatMessage]]

    @property
    def trial(self) -> Trial:
        """The last attempt's record."""
        return self.trials[-1]


def output(text: str, calls: Sequence[Call] = ()) -> ModelOutput:
    """A model's reply. Usage is given, because the engine would otherwise fetch a tokeniser."""
    made = ModelOutput.from_content("mockllm/model", text)
    if calls:
        made.message.tool_calls = [_tool_call(number, call) for number, call in enumerate(calls)]
    made.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return made


def _tool_call(number: int, call: Call) -> ToolCall:
    if call.arguments is None:
        return ToolCall(id=f"c{number}", function=call.tool, arguments={}, parse_error="cut off")
    return ToolCall(id=f"c{number}", function=call.tool, arguments=dict(call.arguments))


def speaking(
    replies: Sequence[ModelOutput], heard: list[list[ChatMessage]] | None = None, name: str = "model"
) -> Model:
    """A model that gives these replies in order, the last one again and again."""
    queue = list(replies)

    def answer(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        if heard is not None:
            heard.append(list(messages))
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        return reply.model_copy(deep=True)

    return get_model(f"mockllm/{name}", custom_outputs=answer, memoize=False)


def as_output(move: Moved) -> ModelOutput:
    if isinstance(move, str):
        return output(move)
    return output("", [move] if isinstance(move, Call) else list(move))


def item_of(scene: Scene) -> Item:
    """The scene's task as an item; what its reference is plays no part here."""
    tools = tuple(CarWorld().open({}, 0).tools())
    taken = removed(scene.removed, tools)
    task = Task(
        id="scene",
        opening=Query(text=scene.script.opening),
        world=WorldRef(name="car"),
        offered=tuple(tool.name for tool in tools),
        plan=(Step(tool="open_close_sunshade", boundary=Boundary.EXTERNAL),),
        topology=Topology.SINGLE_HOP,
        cluster="scene",
    )
    condition = taken.condition() if scene.removed else CLEAN
    return Item(task, condition, tuple(_seat(scene, 1).tools), {"type": scene.type.family})


def _seat(scene: Scene, epoch: int) -> Seat:
    car = CarWorld().open(scene.setup, 0)
    session = LimitedSession(car, removed(scene.removed, car.tools())) if scene.removed else car
    context = car.car.context.model_dump(mode="json")
    recorder = Recorder(session, "scene", context, type=scene.type, epoch=epoch, removed=scene.removed)
    return Seat(recorder, lambda: session.ended, tuple(session.tools()), session.context())


def _record(item: Item, epoch: int, trials: Sequence[Trial], graded: bool) -> Record:  # noqa: FBT001 - as the engine calls it
    return Record(
        item=item.task.id,
        condition=item.condition.name,
        epoch=epoch,
        cluster="scene",
        labels=item.labels,
        offered=(),
        required=frozenset(),
        endings={"conversation": Ending.ANSWERED if trials else Ending.INSTRUMENT_ERROR},
        verdicts={"graded": Verdict.of(graded)},
    )


def talks_of(scene: Scene) -> Talks:
    """The scene as the engine takes it."""

    def drive(_: Item, purse: Purse) -> Driver:
        if scene.driver:
            return Played(f"You want: {scene.scenario}", purse.of("driver"))
        return Scripted(ScriptedDriver(scene.script))

    def faults(_: Item, trial: Trial) -> Sequence[str]:
        return driver_faults(Known(scene.script, scene.scenario), trial) if scene.driver else ()

    item = item_of(scene)
    return Talks(
        plan=Plan(DatasetInfo("scenes", "1-A", "0" * 64), (item,), (1, 1)),
        seat=lambda _, epoch: _seat(scene, epoch),
        brief=lambda _, context: (Message("system", f"You are a car in {context['current_location']}."),),
        driver=drive,
        referee=lambda _, purse: VotedReferee(scene.known, 3, purse.of("referee")),
        part=lambda _: Part(()),
        faults=faults,
        record=_record,
        measures=("graded",),
        seed=0,
        votes=3,
        most_steps=scene.most_steps,
        reruns=scene.reruns,
    )


def hold(scene: Scene, folder: Path, change: Callable[[Talks], Talks] = lambda talks: talks) -> Held:
    """Hold a scene in the engine and return what came of it.

    Args:
        scene: Who says what.
        folder: Where the log goes.
        change: Changes what the engine is told.
    """
    heard: list[list[ChatMessage]] = []
    roles: dict[str, Model] = {}
    if scene.driver:
        roles["user"] = speaking([output(reply) for reply in scene.driver])
    if scene.votes:
        roles["grader"] = speaking([output(reply) for reply in scene.votes])
    task = conversation_task(
        change(talks_of(scene)),
        metrics=[],
        epochs=1,
        metadata={},
        version="1-A",
        config=GenerateConfig(),
    )
    (log,) = run_eval(
        task,
        model=speaking([as_output(move) for move in scene.says], heard),
        model_roles=roles or None,  # pyright: ignore[reportArgumentType] - invariant in the engine
        display="none",
        log_dir=str(folder),
        log_realtime=False,
    )
    texts = [text for sample in log.samples or [] for text in sample.store.get(TRIALS, [])]
    return Held(log, tuple(read(text, Place(folder)) for text in texts), heard)


def line(text: str = "", word: str = "CONTINUE") -> str:
    """A driver's structured reply."""
    fields = {"reasoning": "as told", "user_message": text, "conversation_control_keyword": word}
    return json.dumps(fields)


def vote(verdict: str, why: str = "as told") -> str:
    """A judge's reply."""
    return json.dumps({"why": why, "verdict": verdict})
