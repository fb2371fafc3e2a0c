"""Conversations in the car for tests: agents, users and judges that say what they are told to."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, cast

from inspect_ai import (
    eval as run_eval,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall

from knowact.core.condition import CLEAN
from knowact.core.conversation import Control, Trial, read_trial
from knowact.core.declared import Declared
from knowact.core.errors import Place
from knowact.core.parts import Part
from knowact.core.record import Outcome, Record, Result
from knowact.core.suite import Item, Plan
from knowact.core.table import DatasetInfo
from knowact.core.task import Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.world import Call
from knowact.engine.conversations import TRIALS, ConversationSpec, conversation_task
from knowact.engine.usage import UsageTracker
from knowact.engine.users import Played, User
from knowact.probes.probe import Message
from knowact.roles.lines import UserLine
from knowact.roles.ruling import ToRule, on_user
from knowact.roles.script import Script
from knowact.roles.user_faults import JUDGED, conversation_text, left_at_once
from knowact.suites.car.role_views import policy_ballots
from knowact.suites.car.termination import Case
from knowact.worlds.car.record import CarRecorder, CarTrial, TaskType
from knowact.worlds.car.removal import LimitedSession, removed
from knowact.worlds.car.world import CarWorld

Moved: TypeAlias = str | Call | Sequence[Call]
"""What an agent does: words, a call, or several in one message."""

SHADE = Script(opening="Please open the sunshade.")
HOW_FAR = "open:shade"

PARTS = (
    Part("set_seat_heating", "heating the seats"),
    Part(HOW_FAR, "how far the sunshade opens"),
    Part("tool:open_close_sunshade", "moving the sunshade"),
)
DOES = {
    "set_seat_heating": frozenset({"set_seat_heating"}),
    "tool:open_close_sunshade": frozenset({"open_close_sunshade"}),
}


@dataclass
class InTurn:
    """A user that says these lines one after the other, whatever it hears, and leaves."""

    lines: list[str]

    async def open(self) -> UserLine:
        return self._next()

    async def answer(self, said: str, declared: Declared | None) -> UserLine:
        del said, declared
        return self._next()

    def leave(self) -> None:
        pass

    def _next(self) -> UserLine:
        return UserLine(self.lines.pop(0)) if self.lines else UserLine("", Control.STOP)


Acts: TypeAlias = Mapping[str, str]
"""What a message does: by act, the words of the part that it does it about."""


@dataclass
class Judge:
    """A judge that says what it is told to; of each kind of answer the last one repeats.

    Attributes:
        messages: Rulings on messages, vote by vote; a text is a reply as it is.
        policies: Replies about policies.
        users: Names of the faults that each vote on the user finds; a text is a reply as it is.
        asked: What it was asked, in order.
    """

    messages: Sequence[Acts | str] = ({},)
    policies: Sequence[str] = ('{"why": "as told", "quote": "", "verdict": "followed"}',)
    users: Sequence[tuple[str, ...] | str] = ((),)
    asked: list[str] = field(default_factory=list[str])

    def answer(self, messages: list[ChatMessage], *_: Any) -> ModelOutput:
        return output(self.reply("\n".join(one.text for one in messages)))

    def reply(self, prompt: str) -> str:
        """Answer one request."""
        kind = next(kind for mark, kind in KINDS.items() if mark in prompt)
        place = sum(one.startswith(kind) for one in self.asked)
        self.asked.append(f"{kind}\n{prompt}")
        replies: Sequence[Any] = {"message": self.messages, "policy": self.policies, "user": self.users}[kind]
        said = replies[min(place, len(replies) - 1)]
        if isinstance(said, str):
            return said
        if kind == "user":
            quoted = prompt.split("<conversation>\n")[1].split("\n", maxsplit=1)[0]
            return json.dumps(filled(prompt, {JUDGED[name]: {"did": quoted} for name in said}))
        message = prompt.split("==========\n")[1]
        return json.dumps(filled(prompt, {words: {act: message.strip()} for act, words in said.items()}))


KINDS = {"The message, between": "message", "You check one rule": "policy", "played the user": "user"}
"""What a judge is asked about, by words of the prompt."""


def filled(prompt: str, acts: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """The form that a prompt asks for, with these acts by the words of a part."""
    slots = json.loads(prompt.split("nothing else:\n\n")[1].split("\n", maxsplit=1)[0])["properties"]
    return {name: acts.get(slot["description"]) for name, slot in slots.items()}


@dataclass(frozen=True)
class Scene:
    """One trial to be held.

    Attributes:
        says: The agent's messages, in order; the last one repeats.
        hears: What a user of few words answers, one line after the other, before it leaves.
        user: Replies of a model that plays the user; empty lets `hears` do it.
        judge: Who judges; None binds nobody.
        case: What it is decided by; by default nothing is missing or open.
    """

    says: Sequence[Moved]
    script: Script = SHADE
    hears: Sequence[str] = ()
    user: Sequence[str] = ()
    judge: "Judge | None" = None
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
        return self.case or Case(PARTS, type=self.type, does=DOES)


@dataclass(frozen=True)
class Held:
    """What came of it: the log, and the record of every attempt."""

    log: EvalLog
    trials: tuple[CarTrial, ...]
    inputs: Sequence[Sequence[ChatMessage]]

    @property
    def trial(self) -> CarTrial:
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
    replies: Sequence[ModelOutput], inputs: list[list[ChatMessage]] | None = None, name: str = "model"
) -> Model:
    """A model that gives these replies in order, the last one again and again."""
    queue = list(replies)

    def answer(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        if inputs is not None:
            inputs.append(list(messages))
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
    return Item(task, condition, tuple(_recorder(scene, 1).session.tools()), {"type": scene.type.family})


def _recorder(scene: Scene, epoch: int) -> CarRecorder:
    car = CarWorld().open(scene.setup, 0)
    session = LimitedSession(car, removed(scene.removed, car.tools())) if scene.removed else car
    context = car.car.context.model_dump(mode="json")
    opening = CarTrial(item="scene", type=scene.type, epoch=epoch, removed=scene.removed, context=context)
    return CarRecorder(session, opening)


def _record(item: Item, epoch: int, trials: Sequence[Trial], graded: bool) -> Record:  # noqa: FBT001 - as the engine calls it
    return Record(
        item=item.task.id,
        condition=item.condition.name,
        epoch=epoch,
        cluster="scene",
        labels=item.labels,
        offered=(),
        required=frozenset(),
        outcomes={"conversation": Outcome.ANSWERED if trials else Outcome.INSTRUMENT_ERROR},
        results={"graded": Result.of(graded)},
    )


def spec_of(scene: Scene) -> ConversationSpec:
    """The scene as the engine takes it."""

    def user(_: Item, key: str, usage: UsageTracker) -> User:
        if scene.user:
            return Played(f"You want: {scene.scenario}", key, usage.of("user"))
        return InTurn([scene.script.opening, *scene.hears])

    def faults(_: Item, trial: Trial) -> Sequence[str]:
        return ("early_stop",) if scene.user and left_at_once(trial) else ()

    def of_the_user(_: Item, trial: Trial) -> ToRule | None:
        return on_user("user", JUDGED, scene.scenario, conversation_text(trial)) if scene.user else None

    item = item_of(scene)
    return ConversationSpec(
        plan=Plan(DatasetInfo("scenes", "1-A", "0" * 64), (item,), (1, 1)),
        episode=lambda _, epoch: _recorder(scene, epoch),
        brief=lambda _, context: (Message("system", f"You are a car in {context['current_location']}."),),
        user=user,
        trial=CarTrial,
        rules=lambda _: scene.known,
        ballots=lambda _, trial: policy_ballots(cast("CarTrial", trial), 3),
        faults=faults,
        on_user=of_the_user,
        record=_record,
        measures=("graded",),
        seed=0,
        most_steps=scene.most_steps,
        reruns=scene.reruns,
    )


def hold(
    scene: Scene, folder: Path, change: Callable[[ConversationSpec], ConversationSpec] = lambda spec: spec
) -> Held:
    """Hold a scene in the engine and return what came of it.

    Args:
        scene: Who says what.
        folder: Where the log goes.
        change: Changes what the engine is told.
    """
    inputs: list[list[ChatMessage]] = []
    roles: dict[str, Model] = {}
    if scene.user:
        roles["user"] = speaking([output(reply) for reply in scene.user])
    if scene.judge:
        roles["judge"] = get_model("mockllm/judge", custom_outputs=scene.judge.answer, memoize=False)
    task = conversation_task(
        change(spec_of(scene)),
        metrics=[],
        epochs=1,
        metadata={},
        version="1-A",
        config=GenerateConfig(),
    )
    (log,) = run_eval(
        task,
        model=speaking([as_output(move) for move in scene.says], inputs),
        model_roles=roles or None,  # pyright: ignore[reportArgumentType] - invariant in the engine
        display="none",
        log_dir=str(folder),
        log_realtime=False,
    )
    texts = [text for sample in log.samples or [] for text in sample.store.get(TRIALS, [])]
    return Held(log, tuple(read_trial(text, Place(folder), CarTrial) for text in texts), inputs)


def line(text: str = "", word: str = "CONTINUE") -> str:
    """A user's structured reply."""
    fields = {"reasoning": "as told", "user_message": text, "conversation_control_keyword": word}
    return json.dumps(fields)


def vote(result: str, why: str = "as told") -> str:
    """A judge's reply."""
    return json.dumps({"why": why, "quote": "as told", "verdict": result})
