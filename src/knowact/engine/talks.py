"""A suite's conversations as a task of the engine: attempts of each trial, judged, recorded once.

The counterpart of `engine.assemble` for suites whose trials are conversations with a driver.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from inspect_ai import Epochs, Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, GenerateConfig, get_model
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from knowact.core.errors import Place
from knowact.core.record import Record
from knowact.core.suite import Item, Plan
from knowact.core.tool import Tool
from knowact.engine.assemble import LENGTH, OUTCOMES
from knowact.engine.conversation import Conversation, Phases, Referee
from knowact.engine.drivers import Driver
from knowact.engine.grading import grader_bound
from knowact.engine.loop import chat
from knowact.engine.purse import Purse
from knowact.engine.records import item_metadata, score_metadata, score_value
from knowact.engine.referees import judge
from knowact.engine.situation import Situation, situation
from knowact.engine.transcripts import ASIDES
from knowact.people.part import Part
from knowact.probes.probe import Message, Probe, Question
from knowact.worlds.car.record import Stop, Trial, read
from knowact.worlds.car.recording import Recorder

TRIALS: Final = "trials"
"""Key of the sample store that holds the records of all attempts, one text each."""

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


def _converse(talks: Talks, items: Mapping[str, Item]) -> Solver:
    @solver(name="knowact/conversation")
    def conversation() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - the engine's
            item = items[str(state.sample_id)]
            said: list[ChatMessage] = []
            outcomes: dict[str, Any] = {}
            trials: list[str] = []
            for attempt in range(1 + talks.reruns):
                trial, held = await _attempt(talks, item, state.epoch)
                said.extend(held.messages)
                asides = {str(place): text for place, text in held.asides.items()}
                name = CONVERSATION if not attempt else f"{CONVERSATION}, attempt {attempt + 1}"
                outcomes[name] = {LENGTH: len(held.messages), ASIDES: asides}
                trials.append(trial.text())
                if not trial.driver_faults:
                    break
            state.messages = said
            # Written once: the engine compares the whole store at every change.
            state.store.set(OUTCOMES, outcomes)
            state.store.set(TRIALS, trials)
            return state

        return solve

    return conversation()


async def _attempt(talks: Talks, item: Item, epoch: int) -> tuple[Trial, Conversation]:
    """Hold one conversation, look for faults of its driver, and have it judged."""
    seat = talks.seat(item, epoch)
    purse = Purse(seat.recorder)
    held = Conversation(
        model=get_model(),
        messages=chat(talks.brief(item, seat.context)),
        tools=seat.tools,
        recorder=seat.recorder,
        purse=purse,
        ended=seat.ended,
        driver=talks.driver(item, purse),
        referee=talks.referee(item, purse),
        most_steps=talks.most_steps,
        phases=talks.phases,
        at_fault=lambda so_far: talks.faults(item, so_far),
    )
    probe = Probe(CONVERSATION, Question.CONVERSE, talks.most_steps, execute=True, opening=talks.brief)
    with situation(Situation(probe, item, talks.seed, epoch, part=talks.part(item))):
        trial = await held.held()
    faults = held.faults or talks.faults(item, trial)
    if faults or trial.stop in {Stop.LIMIT, Stop.INSTRUMENT}:
        # Nobody votes on a trial that its end alone decides.
        return trial.model_copy(update={"driver_faults": tuple(dict.fromkeys(faults))}), held
    votes = await judge(trial, talks.votes, purse.of("judge"))
    spent = seat.recorder.close(trial.stop).spent
    return trial.model_copy(update={"judged": votes, "spent": spent}), held


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
            return Score(
                value=cast("Any", score_value(made, talks.measures)),
                answer=state.messages[-1].text if texts and state.messages else "",
                metadata=score_metadata(made),
            )

        return score

    return record()
