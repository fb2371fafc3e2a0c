"""A suite's conversations as a task of the engine: attempts of each trial, judged, recorded once.

The counterpart of `engine.assemble` for suites whose trials are conversations with a driver.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

from inspect_ai import Epochs, Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, GenerateConfig, get_model
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import JsonValue

from knowact.core.errors import Place
from knowact.core.record import Record
from knowact.core.suite import Item, Plan
from knowact.core.tool import Tool
from knowact.engine.assemble import ASIDES, LENGTH, OUTCOMES
from knowact.engine.conversation import Conversation, Phases, Referee
from knowact.engine.drivers import Driver
from knowact.engine.grading import grader_bound
from knowact.engine.interrupt import INTERRUPTS
from knowact.engine.loop import chat
from knowact.engine.outputs import guarded
from knowact.engine.purse import Purse
from knowact.engine.records import item_metadata, score_metadata, score_value
from knowact.engine.referees import judge
from knowact.engine.situation import Situation, situation
from knowact.people.part import Part
from knowact.probes.outcome import LIMIT_FLAGS
from knowact.probes.probe import Message, Probe, Question
from knowact.worlds.car.record import Stop, Trial, read
from knowact.worlds.car.recording import Recorder

TRIALS: Final = "trials"
"""Key of the sample store that holds the records of all attempts, one text each."""

ATTEMPTS: Final = "knowact/attempt"
"""Source of the events that close an attempt in the engine's log."""

LIMITS: Final = "limits"
"""Key of a stored attempt that says which limits of the model it ran into."""

CONVERSATION: Final = "conversation"
"""Name of the one probe of such a trial."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What one attempt takes place with.

    Attributes:
        recorder: On a fresh session.
        ended: Whether a call has ended the conversation.
        tools: What the agent is offered.
        context: What the world shows the agent.
    """

    recorder: Recorder
    ended: Callable[[], bool]
    tools: Sequence[Tool]
    context: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Talks:
    """What a suite tells the engine.

    Attributes:
        plan: The items.
        seat: From item and epoch to what an attempt takes place with; fresh at every call.
        brief: The agent's system message.
        driver: Who drives.
        referee: Who rules.
        part: Gold, for built-in agents.
        faults: Names of the faults of a trial's driver, also of one that is under way.
        record: From the records of all attempts (none: the instrument failed), and whether a judge was bound.
        measures: The verdicts that go into `Score.value`.
        seed: For built-in agents' dice.
        votes: How many the judge casts on each policy.
        most_steps: Messages of the agent in one conversation.
        reruns: Further attempts after one whose driver was at fault.
        phases: Two phases in each turn; None for none.
    """

    plan: Plan
    seat: Callable[[Item, int], Seat]
    brief: Callable[[Item, Mapping[str, str]], Sequence[Message]]
    driver: Callable[[Item, Purse], Driver]
    referee: Callable[[Item, Purse], Referee]
    part: Callable[[Item], Part]
    faults: Callable[[Item, Trial], Sequence[str]]
    record: Callable[[Item, int, Sequence[Trial], bool], Record]
    measures: Sequence[str]
    seed: int
    votes: int
    most_steps: int
    reruns: int = 0
    phases: Phases | None = None


def conversation_task(
    talks: Talks,
    *,
    metrics: Sequence[Metric | Mapping[str, Sequence[Metric]]],
    epochs: int,
    metadata: Mapping[str, Any],
    version: str,
    config: GenerateConfig,
) -> Task:
    """Make the engine's task of a suite's conversations; settings as in `engine.assemble.engine_task`."""
    items = {item.id: item for item in talks.plan.items}
    if len(items) != len(talks.plan.items):
        raise ValueError("two items of the plan have the same id")
    samples = [
        Sample(id=item.id, input=item.task.opening.text, target="", metadata=item_metadata(item))
        for item in items.values()
    ]
    return Task(
        dataset=MemoryDataset(samples, name=talks.plan.dataset.name),
        solver=_converse(talks, items),
        scorer=_record(talks, items, metrics),
        config=config,
        epochs=Epochs(epochs, ["mean"]),
        fail_on_error=True,
        continue_on_fail=True,
        score_on_error=True,
        metadata=dict(metadata),
        version=version,
    )


@dataclass(slots=True)
class _SoFar:
    """What was held of one trial, over all tries of the engine: none is paid for and forgotten."""

    said: list[ChatMessage] = field(default_factory=list[ChatMessage])
    outcomes: dict[str, Any] = field(default_factory=dict[str, Any])
    trials: list[Trial] = field(default_factory=list[Trial])

    def add(self, trial: Trial, held: Conversation) -> None:
        """Keep an attempt."""
        self.said.extend(held.messages)
        self.trials.append(trial)
        asides = [list(one) for one in held.asides]
        name = CONVERSATION if len(self.trials) == 1 else f"{CONVERSATION}, attempt {len(self.trials)}"
        self.outcomes[name] = {LENGTH: len(held.messages), ASIDES: asides, LIMITS: sorted(held.limits)}
        ended = {"attempt": len(self.trials), "stop": trial.stop.value, "faults": list(trial.driver_faults)}
        transcript().info(cast("JsonValue", ended), source=ATTEMPTS)

    def goes_on(self, reruns: int) -> bool:
        """Whether another attempt is due: the first whole one, or one after a faulty driver."""
        whole = [trial for trial in self.trials if trial.stop is not Stop.BROKEN]
        return not whole or (bool(whole[-1].driver_faults) and len(whole) <= reruns)

    def write(self, state: TaskState) -> None:
        """Put it into the sample, once: the engine compares the whole store at every change."""
        state.messages = list(self.said)
        state.store.set(OUTCOMES, self.outcomes)
        state.store.set(TRIALS, [trial.text() for trial in self.trials])


def _converse(talks: Talks, items: Mapping[str, Item]) -> Solver:
    tried: dict[tuple[str, str, int], _SoFar] = {}

    @solver(name="knowact/conversation")
    def conversation() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - the engine's
            INTERRUPTS.watch()
            item = items[str(state.sample_id)]
            # The engine tries a sample again that an error has ended, and holds one task with several models.
            key = (str(state.model), str(state.sample_id), state.epoch)
            so_far = tried.setdefault(key, _SoFar())
            try:
                while so_far.goes_on(talks.reruns):
                    await _attempt(talks, item, state.epoch, so_far)
            finally:
                so_far.write(state)
            del tried[key]
            return state

        return solve

    return conversation()


async def _attempt(talks: Talks, item: Item, epoch: int, so_far: _SoFar) -> None:
    """Hold one conversation, look for faults of its driver, have it judged, and keep it."""
    seat = talks.seat(item, epoch)
    purse = Purse(seat.recorder)
    held = _conversation(talks, item, seat, purse)
    trial: Trial | None = None
    try:
        trial = await _judged(talks, item, epoch, held, purse)
    finally:
        so_far.add(trial or seat.recorder.close(Stop.BROKEN), held)


def _conversation(talks: Talks, item: Item, seat: Seat, purse: Purse) -> Conversation:
    return Conversation(
        model=guarded(get_model()),
        messages=chat(talks.brief(item, seat.context)),
        tools=seat.tools,
        recorder=seat.recorder,
        purse=purse,
        ended=seat.ended,
        driver=talks.driver(item, purse),
        referee=talks.referee(item, purse),
        most_steps=talks.most_steps,
        phases=talks.phases,
        at_fault=lambda under_way: talks.faults(item, under_way),
    )


async def _judged(talks: Talks, item: Item, epoch: int, held: Conversation, purse: Purse) -> Trial:
    """The record of a conversation, with what is said about it when it is over."""
    probe = Probe(CONVERSATION, Question.CONVERSE, talks.most_steps, execute=True, opening=talks.brief)
    with situation(Situation(probe, item, talks.seed, epoch, part=talks.part(item))):
        trial = await held.held()
    faults = held.faults or talks.faults(item, trial)
    if faults or trial.stop in {Stop.LIMIT, Stop.CONTEXT, Stop.INSTRUMENT}:
        # Nobody votes on a trial that its end alone decides.
        return trial.model_copy(update={"driver_faults": tuple(dict.fromkeys(faults))})
    votes = await judge(trial, talks.votes, purse.of("judge"))
    spent = held.recorder.close(trial.stop).spent
    return trial.model_copy(update={"judged": votes, "spent": spent})


def _limits(state: TaskState) -> dict[str, int]:
    """The limits of the model that the last attempt ran into, as flags of its one probe."""
    attempts = list(cast("dict[str, Any]", state.store.get(OUTCOMES) or {}).values())
    return {LIMIT_FLAGS[one] + CONVERSATION: 1 for one in attempts[-1][LIMITS]} if attempts else {}


def _record(
    talks: Talks, items: Mapping[str, Item], metrics: Sequence[Metric | Mapping[str, Sequence[Metric]]]
) -> Scorer:
    @scorer(name="knowact/record", metrics=cast("Any", [*metrics]))
    def record() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the engine's
            item = items[str(state.sample_id)]
            texts = cast("list[str]", state.store.get(TRIALS) or [])
            trials = [read(text, Place(Path(item.id))) for text in texts]
            made = talks.record(item, state.epoch, trials, grader_bound())
            made = replace(made, flags={**made.flags, **_limits(state)})
            return Score(
                value=cast("Any", score_value(made, talks.measures)),
                answer=state.messages[-1].text if texts and state.messages else "",
                metadata=score_metadata(made),
            )

        return score

    return record()
