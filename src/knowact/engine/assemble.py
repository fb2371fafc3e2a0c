"""A suite's plan as a task of the engine: samples, one solver for all probes, one scorer for the record."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, cast

from inspect_ai import Epochs, Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSpec
from inspect_ai.model import ChatMessage, GenerateConfig, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import JsonValue

from knowact.core.prompts import Prompt
from knowact.core.record import Outcome, Record
from knowact.core.role_model import BUILT_IN
from knowact.core.suite import Item, Plan
from knowact.engine.compat import EnginePrerequisiteError
from knowact.engine.gold_context import GoldContext, gold_context
from knowact.engine.grading import extract, poll
from knowact.engine.interrupt import INTERRUPTS
from knowact.engine.loop import act, ask, chat, continued, reply
from knowact.engine.outputs import guarded
from knowact.engine.progress import WATCHED
from knowact.engine.records import (
    LOGGED,
    ROLE_CALLS,
    LoggedRoles,
    LoggedRun,
    item_metadata,
    score_metadata,
    score_value,
    with_reading,
)
from knowact.engine.roles import ATTEMPT_SECONDS, RETRIES
from knowact.engine.spending import Tries, earlier_metadata
from knowact.engine.stored import RESPONSES, Kept, as_stored, kept
from knowact.engine.tools import AskHuman, ToolRunner, paired
from knowact.probes.probe import Probe
from knowact.probes.response import LIMIT_FLAGS, Judged, MadeCall, Response
from knowact.probes.spec import TaskSpec
from knowact.worlds.overlay import Overlay
from knowact.worlds.registry import open_world

DEFAULTS = GenerateConfig(
    temperature=0.0,
    max_tokens=16_384,
    max_retries=RETRIES,
    attempt_timeout=ATTEMPT_SECONDS,
    # Recorded outputs run to tens of kilobytes; cutting them would change what the agent is told.
    max_tool_output=1_000_000,
)
"""Greedy, with the paper's output limit (KAPRO)."""


def described(
    suite: str, plan: Plan, options: Mapping[str, Any], trials: int, prompts: Iterable[Prompt]
) -> dict[str, Any]:
    """What the log says of a run as a whole, as the task's metadata."""
    run = LoggedRun(
        suite=suite,
        dataset=plan.dataset,
        options={**options, "data": plan.dataset.name},
        planned=len(plan.items) * trials,
        roles=LoggedRoles(
            wanted=tuple(role for role, (_, most) in plan.role_calls.items() if most), headline=plan.headline
        ),
        prompts={prompt.id: (prompt.version, prompt.sha256) for prompt in prompts},
    )
    return {LOGGED: run.model_dump(mode="json")}


def items_by_id(plan: Plan) -> dict[str, Item]:
    """The items of a plan by the ids of their samples."""
    items = {item.id: item for item in plan.items}
    if len(items) != len(plan.items):
        raise ValueError("two items of the plan have the same id")
    return items


def dataset_of(plan: Plan) -> MemoryDataset:
    """The engine's samples of a plan, in its order."""
    samples = [
        Sample(id=item.id, input=item.task.opening.text, target="", metadata=item_metadata(item))
        for item in plan.items
    ]
    return MemoryDataset(samples, name=plan.dataset.name)


def engine_task(
    trials: TaskSpec,
    *,
    metrics: Sequence[Metric | Mapping[str, Sequence[Metric]]],
    epochs: int,
    metadata: Mapping[str, Any],
    version: str,
    config: GenerateConfig = DEFAULTS,
) -> Task:
    """Make the engine's task of a suite's trials.

    Every sample that fails on the instrument's account is retried by the engine, then scored as far as it
    got, and leaves the log with status "error": the same command does it again.
    """
    items = items_by_id(trials.plan)
    if trials.temperature:
        config = config.model_copy(update={"temperature": trials.temperature})
    running: dict[str, _Trial] = {}
    tries = Tries()
    probes = {name: [probe.name for probe in trials.probes(item)] for name, item in items.items()}
    WATCHED.expect(probes, epochs)
    return Task(
        dataset=dataset_of(trials.plan),
        setup=_offer(trials, items, running, tries),
        solver=_ask_all(trials, items, running, tries),
        scorer=_record(trials, items, (running, tries), metrics),
        config=config,
        epochs=Epochs(epochs, []),
        fail_on_error=True,
        continue_on_fail=True,
        score_on_error=True,
        metadata=dict(metadata),
        version=version,
        early_stopping=None if all(_acting(trials, item) for item in items.values()) else OwnSolver(),
    )


@dataclass(slots=True)
class _Trial:
    """One sample while it runs, from solver to scorer.

    Attributes:
        runner: The tools of the acting probe.
        responses: What came of each probe; None where another solver stands in the place of ours.
        opened: The tools of further acting probes, on sessions of their own.
    """

    runner: ToolRunner
    responses: dict[str, Response] | None = None
    opened: list[ToolRunner] = field(default_factory=list[ToolRunner])
    _stored: dict[str, Any] = field(default_factory=dict[str, Any])

    def keep(self, state: TaskState, response: Response, messages: Sequence[ChatMessage] = ()) -> None:
        """Keep a response, and write it into the log at once: a later probe may fail."""
        self.responses = {**(self.responses or {}), response.probe: response}
        self._stored[response.probe] = as_stored(response, messages)
        state.store.set(RESPONSES, dict(self._stored))
        WATCHED.probe_ended(str(state.sample_id), state.epoch, response.probe, response.outcome)

    async def close(self) -> None:
        """Let go of what sessions started outside; a second time does nothing."""
        for one in (self.runner, *self.opened):
            await one.close()


def _tools_of(trials: TaskSpec, item: Item, probe: Probe | None) -> ToolRunner:
    """The tools of one probe: the session under the item's condition, and the line to a person."""
    inner = trials.session(item) if trials.session else open_world(item.task.world, trials.plan.world_seed)
    session = Overlay(inner, item.condition, item.tools, trials.elsewhere(item))
    if probe is None:
        return ToolRunner(session, item.tools)
    ask_human: AskHuman | None = None
    if probe.help is not None and (person := trials.person(item)) is not None:
        ask_human = AskHuman(probe.help, *person)
    return ToolRunner(session, item.tools, ask_human, probe.keep_calls)


def _acting(trials: TaskSpec, item: Item) -> Probe | None:
    return next((probe for probe in trials.probes(item) if probe.execute), None)


def _offer(trials: TaskSpec, items: Mapping[str, Item], running: dict[str, _Trial], tries: Tries) -> Solver:
    """Put the acting probe's opening and tools into the state, for whatever solver comes.

    It runs even where `--solver` puts somebody's agent in our solver's place, and makes acting
    measurable there.
    """

    @solver(name="knowact/offer")
    def offer() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - the engine's
            tries.begin(state)
            item = items[str(state.sample_id)]
            probe = _acting(trials, item)
            if probe is not None:
                runner = _tools_of(trials, item, probe)
                running[state.uuid] = _Trial(runner)
                state.messages = chat(probe.opening(item, runner.session.context()))
                state.tools = list(runner.definitions.values())
            return state

        return solve

    return offer()


def _ask_all(trials: TaskSpec, items: Mapping[str, Item], running: dict[str, _Trial], tries: Tries) -> Solver:
    @solver(name="knowact/probes")
    def probes() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - the engine's
            INTERRUPTS.watch()
            tries.begin(state)
            item = items[str(state.sample_id)]
            offered = running.pop(state.uuid, None)
            acting = _acting(trials, item)
            runner = offered.runner if offered else _tools_of(trials, item, acting)
            # The engine tries a sample again under the same id: nothing of the last attempt is left over.
            trial = running[state.uuid] = _Trial(runner, {})
            model = guarded(get_model())
            context = runner.session.context()
            conversations: dict[str, list[ChatMessage]] = {}
            try:
                for probe in trials.probes(item):
                    if not trials.asks(item, probe, trial.responses or {}):
                        trial.keep(state, Response(probe.name, Outcome.NOT_RUN))
                        continue
                    asked = probe.of or item
                    # What was called before must not show: whoever acts once more finds the world as it was.
                    again = probe.execute and acting is not None and probe.name != acting.name
                    at = _tools_of(trials, asked, probe) if again else runner
                    if again:
                        trial.opened.append(at)
                    ask_human = at.ask_human if probe.help is not None else None
                    built_in = str(model).startswith(BUILT_IN)
                    now = GoldContext(
                        *(probe, asked, trials.seed, state.epoch, ask_human and ask_human.known),
                        built_in=built_in,
                        planned=trials.plan.items,
                    )
                    before = [message for name in probe.follows for message in conversations[name]]
                    messages = continued(before, probe.opening(asked, context))
                    with gold_context(now):
                        # No span per probe: its four events are a twentieth of a call's CPU, and the sample's
                        # messages and the stored response say which probe said what.
                        if probe.execute:
                            response = await act(probe, model, messages, at)
                            # Sessions of one service may take turns, and the next probe may want its own.
                            await at.close()
                        elif probe.registers:
                            response = await reply(probe, model, messages, at)
                        else:
                            response = await ask(probe, model, messages)
                    conversations[probe.name] = messages
                    state.messages = [message for some in conversations.values() for message in some]
                    trial.keep(state, response, messages)
            finally:
                await trial.close()
            return state

        return solve

    return probes()


def _record(
    trials: TaskSpec,
    items: Mapping[str, Item],
    held: tuple[dict[str, _Trial], Tries],
    metrics: Sequence[Metric | Mapping[str, Sequence[Metric]]],
) -> Scorer:
    @scorer(name="knowact/record", metrics=cast("Any", [*metrics]))
    def record() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the engine's
            running, tries = held
            item = items[str(state.sample_id)]
            trial = running.pop(state.uuid, None)
            if trial is not None:  # where somebody's own solver acted
                await trial.close()
            responses = responses_of(trials, item, state, trial.responses if trial else None)
            acting = _acting(trials, item)
            acted = responses.get(acting.name) if acting else None
            judged = await read_and_judged(trials, item, responses, f"{item.id}/{state.epoch}")
            made = record_made(trials, item, state.epoch, judged, state.store.get(ROLE_CALLS))
            WATCHED.trial_ended(item.id, state.epoch, made.outcomes)
            tries.end(state)
            return Score(
                value=cast("Any", score_value(made, trials.measures)),
                answer=acted.reply if acted else "",
                metadata=score_metadata(made) | kept(judged) | earlier_metadata(state.store),
            )

        return score

    return record()


async def read_and_judged(
    trials: TaskSpec, item: Item, responses: Mapping[str, Response], key: str, stored: Kept | None = None
) -> Judged:
    """Read what was said into forms, then put to the vote what forms cannot hold.

    Args:
        trials: What the suite tells the engine.
        item: What was asked.
        responses: What came of it.
        key: Names the trial, for files in roles.
        stored: Forms and votes that stand in for roles which nobody plays.
    """
    judged = Judged(responses)
    readings = trials.readings(item, responses)
    found = {one.name: await extract(one, f"{key}/{one.name}", stored) for one in readings}
    judged = replace(judged, extracted={name: one for name, one in found.items() if one is not None})
    votes = {one.name: await poll(one, key, stored=stored) for one in trials.ballots(item, judged)}
    return replace(judged, votes={name: cast_ for name, cast_ in votes.items() if cast_ is not None})


def record_made(
    trials: TaskSpec, item: Item, epoch: int, judged: Judged, role_calls: Mapping[str, int] | None
) -> Record:
    """The record of a trial, with how it was read and which limits ended it."""
    made = with_reading(trials.record(item, epoch, judged), judged, role_calls)
    return _with_limits(made, judged.responses)


def _with_limits(record: Record, responses: Mapping[str, Response]) -> Record:
    """The record, saying which limit of the model ended those of its probes that one has ended."""
    ended = [
        one for one in responses.values() if record.outcomes.get(one.probe) is Outcome.LIMIT and one.limit
    ]
    return replace(record, flags={**record.flags, **{LIMIT_FLAGS[one.limit] + one.probe: 1 for one in ended}})


def responses_of(
    trials: TaskSpec, item: Item, state: TaskState, known: Mapping[str, Response] | None
) -> dict[str, Response]:
    """What came of each probe of this item; one that never finished was the instrument's failure."""
    answered = state.output.choices or any(message.role == "assistant" for message in state.messages)
    if known is None and answered:
        return _foreign(trials, item, state)
    found = dict(known or {})
    lost = (probe.name for probe in trials.probes(item) if probe.name not in found)
    return found | {name: Response(name, Outcome.INSTRUMENT_ERROR) for name in lost}


def _foreign(trials: TaskSpec, item: Item, state: TaskState) -> dict[str, Response]:
    """Another solver stood in the place of ours: take its messages as the acting probe's."""
    probe = _acting(trials, item)
    if probe is None:
        return {}
    runner = _tools_of(trials, item, probe)
    made: list[MadeCall] = []
    for place, message in enumerate(state.messages):
        if message.role == "assistant":
            # Ids may begin anew with each message.
            results = takewhile(lambda one: one.role != "assistant", state.messages[place + 1 :])
            for call, result in paired(message.tool_calls or [], results):
                failed = result is not None and result.error is not None
                made.append(runner.named(call, "bad_arguments" if failed else "", keep=probe.keep_calls))
    reply = state.output.completion if state.output.choices else ""
    if not reply.strip():
        # Not every agent sets the engine's output; what it said last stands in the conversation, too.
        said = [message for message in state.messages if message.role == "assistant"]
        reply = said[-1].text if said else ""
    outcome = Outcome.ANSWERED if reply.strip() else Outcome.EMPTY
    return {probe.name: Response(probe.name, outcome, reply, tuple(made), words=reply)}


class OwnSolver:
    """Refuses `inspect eval --solver` as the task begins.

    The engine tells a task of its solver nowhere else before samples run: this is its protocol for stopping
    samples early, and it stops none.
    """

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:  # noqa: ARG002 - the engine's
        """Refuse a solver; return the name under which this stands in the log.

        Raises:
            EnginePrerequisiteError: There is one.
        """
        if task.solver is not None:
            raise EnginePrerequisiteError(
                f"{task.task} asks its own questions, so --solver {task.solver} cannot take the place of its "
                "solver: knowact run takes it by --agent solver:FILE.py@NAME (docs/agents.md)."
            )
        return "own solver"

    async def schedule_sample(self, id: str | int, epoch: int) -> None:  # noqa: A002 - the engine's
        """Let every sample run."""

    async def complete_sample(
        self,
        id: str | int,  # noqa: A002 - the engine's
        epoch: int,
        scores: dict[str, SampleScore],
    ) -> None:
        """Take no notice."""

    async def complete_task(self) -> dict[str, JsonValue]:
        """Nothing was stopped."""
        return {}
