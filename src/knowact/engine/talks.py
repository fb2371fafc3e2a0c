"""A suite's conversations as a task of the engine: attempts of each trial, judged, recorded once.

The counterpart of `engine.assemble` for suites whose trials are conversations with a user.
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
from knowact.engine.conversation import Conversation, Phases
from knowact.engine.interrupt import INTERRUPTS
from knowact.engine.loop import chat
from knowact.engine.outputs import guarded
from knowact.engine.own_solver import OwnSolver
from knowact.engine.purse import Purse
from knowact.engine.records import ROLE_CALLS, item_metadata, score_metadata, score_value
from knowact.engine.roles import JUDGE, players
from knowact.engine.situation import BUILT_IN, Situation, situation
from knowact.engine.termination import TerminationJudge, judge, rule_on_user
from knowact.engine.users import User
from knowact.people.gold_plan import GoldPlan
from knowact.people.ruling import ToRule
from knowact.people.termination import Case
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
        user: Who plays the user; the text names the trial, for files in roles.
        case: What a conversation about the item is decided by.
        gold: What can be done and said, for built-in agents.
        faults: Names of the faults of a trial's user that need no judge.
        on_user: What a judge is asked about the user's lines; None where nobody looks for more faults.
        record: From the records of all attempts (none: the instrument failed), and whether a judge was bound.
        measures: The verdicts that go into `Score.value`.
        seed: For built-in agents' dice.
        votes: How many the judge casts on each message, on each policy and on the user.
        most_steps: Messages of the agent in one conversation.
        reruns: Further attempts after one whose user was at fault.
        phases: Two phases in each turn; None for none.
    """

    plan: Plan
    seat: Callable[[Item, int], Seat]
    brief: Callable[[Item, Mapping[str, str]], Sequence[Message]]
    user: Callable[[Item, str, Purse], User]
    case: Callable[[Item], Case]
    gold: Callable[[Item], GoldPlan]
    faults: Callable[[Item, Trial], Sequence[str]]
    on_user: Callable[[Item, Trial], ToRule | None]
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
        early_stopping=OwnSolver(),
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
        """Whether another attempt is due: the first whole one, or one after a faulty user."""
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
    """Hold one conversation, have it judged, look for faults of its user, and keep it."""
    seat = talks.seat(item, epoch)
    purse, model, key = Purse(seat.recorder), get_model(), f"{item.id}/{epoch}"
    held = Conversation(
        model=guarded(model),
        messages=chat(talks.brief(item, seat.context)),
        tools=seat.tools,
        recorder=seat.recorder,
        purse=purse,
        ended=seat.ended,
        user=talks.user(item, key, purse),
        terminator=TerminationJudge(talks.case(item), talks.votes, key, purse.of("judge")),
        most_steps=talks.most_steps,
        phases=talks.phases,
        declares=str(model).startswith(BUILT_IN),
    )
    trial: Trial | None = None
    try:
        trial = await _judged(talks, item, epoch, held, purse)
    finally:
        so_far.add(trial or seat.recorder.close(Stop.BROKEN), held)


async def _judged(talks: Talks, item: Item, epoch: int, held: Conversation, purse: Purse) -> Trial:
    """The record of a conversation, with what is said about it when it is over."""
    probe = Probe(CONVERSATION, Question.CONVERSE, talks.most_steps, execute=True, opening=talks.brief)
    now = Situation(probe, item, talks.seed, epoch, gold=talks.gold(item), built_in=held.declares)
    with situation(now):
        trial = await held.held()
    key, spend = f"{item.id}/{epoch}", purse.of("judge")
    faults = [*held.faults, *talks.faults(item, trial)]
    stop = trial.stop
    if not faults and stop not in {Stop.INSTRUMENT, Stop.DRIVER} and (asked := talks.on_user(item, trial)):
        found = await rule_on_user(asked, talks.votes, key, spend)
        if found is not None:
            faults = held.found(found)
            stop = Stop.INSTRUMENT if found.split and not faults else stop
    votes = trial.judged
    if not faults and stop not in {Stop.LIMIT, Stop.CONTEXT, Stop.INSTRUMENT}:
        # Nobody votes on a trial that its end alone decides.
        votes = await judge(trial, talks.votes, key, spend)
    spent = held.recorder.close(stop).spent
    named = tuple(dict.fromkeys(faults))
    return trial.model_copy(update={"driver_faults": named, "stop": stop, "judged": votes, "spent": spent})


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
            made = talks.record(item, state.epoch, trials, bool(players(JUDGE)))
            calls = cast("dict[str, int]", state.store.get(ROLE_CALLS) or {})
            made = replace(made, flags={**made.flags, **_limits(state)}, role_calls=calls)
            return Score(
                value=cast("Any", score_value(made, talks.measures)),
                answer=state.messages[-1].text if texts and state.messages else "",
                metadata=score_metadata(made),
            )

        return score

    return record()
