"""A suite's plan as a task of the engine: samples, one solver for all probes, one scorer for the record."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Any, cast

from inspect_ai import Epochs, Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, GenerateConfig, get_model
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from knowact.core import clean
from knowact.core.declared import declared_in
from knowact.core.prompts import Prompt
from knowact.core.record import Ending, Record
from knowact.core.suite import Item, Plan
from knowact.core.world import Session
from knowact.engine.desk import Desk
from knowact.engine.extracting import extract
from knowact.engine.grading import poll
from knowact.engine.interrupt import INTERRUPTS
from knowact.engine.loop import act, ask, chat, reply
from knowact.engine.outputs import guarded
from knowact.engine.own_solver import OwnSolver
from knowact.engine.patience import ATTEMPT_SECONDS
from knowact.engine.persons import Person
from knowact.engine.records import (
    ROLE_CALLS,
    SCORING,
    item_metadata,
    score_metadata,
    score_value,
    with_reading,
)
from knowact.engine.situation import BUILT_IN, Situation, situation
from knowact.engine.tools import Bench, paired
from knowact.people.extractor import Reading
from knowact.people.helper import Known
from knowact.people.judge import Ballot
from knowact.probes.outcome import LIMIT_FLAGS, LIMIT_WORDS, Judged, MadeCall, Outcome, PutQuestion
from knowact.probes.probe import Probe
from knowact.worlds.overlay import Overlay

OUTCOMES = "outcomes"
"""Key of the sample store that holds what came of each probe."""

LENGTH = "messages"
"""Key of a stored outcome that says how many of the sample's messages are that probe's, in order."""

ASIDES = "asides"
"""Key of a stored outcome that says what stands beside the talk: the place of the message that it follows,
whose it is, and what it says. Logs of before rulings were shown have what the world did, by the place."""

LIMIT = "limit"
"""Whose an aside is that names a limit of the model."""

DEFAULTS = GenerateConfig(
    temperature=0.0,
    max_tokens=16_384,
    max_retries=6,
    attempt_timeout=ATTEMPT_SECONDS,
    # Recorded outputs run to tens of kilobytes; cutting them would change what the agent is told.
    max_tool_output=1_000_000,
)
"""Greedy, with the paper's output limit (spec kapro.md, section 7); interfaces.md has the rest."""


def _nobody(_item: Item) -> None:
    """Nobody can be asked."""


def _nowhere(_item: Item) -> None:
    """No tool is broken."""


def _nothing_to_read(_item: Item, _known: Mapping[str, Outcome]) -> Sequence[Reading]:
    """No reply is extracted."""
    return ()


def _always(_item: Item, _probe: Probe, _known: Mapping[str, Outcome]) -> bool:
    """Every probe is asked."""
    return True


@dataclass(frozen=True, slots=True)
class Trials:
    """What a suite tells the engine.

    Attributes:
        plan: The items.
        probes: The probes of an item, in order.
        session: Opens a fresh session of an item's world.
        record: From an item, epoch and what came of the trial to the record.
        measures: The verdicts that go into `Score.value`.
        readings: The replies of a trial that are extracted, each with its form.
        ballots: What the judge is asked about a trial, given what was extracted.
        seed: For built-in agents' dice.
        elsewhere: Opens a session of the item's world under another seed, from which a broken tool takes what
            is plausible but wrong; None where nothing is broken like that.
        person: Who can be asked about an item, where a probe lets people be asked; and what they know of it,
            None where nobody has said what the item lacks.
        goes_on: Whether a probe is still asked, given what came of those before it.
    """

    plan: Plan
    probes: Callable[[Item], Sequence[Probe]]
    session: Callable[[Item], Session]
    record: Callable[[Item, int, Judged], Record]
    measures: Sequence[str]
    ballots: Callable[[Item, Judged], Sequence[Ballot]]
    seed: int
    readings: Callable[[Item, Mapping[str, Outcome]], Sequence[Reading]] = _nothing_to_read
    elsewhere: Callable[[Item], Session | None] = _nowhere
    person: Callable[[Item], tuple[Person, Known | None] | None] = _nobody
    goes_on: Callable[[Item, Probe, Mapping[str, Outcome]], bool] = _always


def described(
    suite: str, plan: Plan, options: Mapping[str, Any], trials: int, prompts: Iterable[Prompt]
) -> dict[str, Any]:
    """What the log says of a run as a whole, beside what the engine records; the reader makes runs of it."""
    data = plan.dataset
    return {
        "knowact": {
            "suite": suite,
            "dataset": {"name": data.name, "version": data.version, "sha256": data.sha256},
            "options": {**options, "data": data.name},
            "planned": len(plan.items) * trials,
            "scoring": SCORING,
            "roles": {
                "wanted": [role for role, (_, most) in plan.role_calls.items() if most],
                "headline": list(plan.headline),
            },
            "prompts": {prompt.id: [prompt.version, prompt.sha256] for prompt in prompts},
        }
    }


def engine_task(
    trials: Trials,
    *,
    metrics: Sequence[Metric | Mapping[str, Sequence[Metric]]],
    epochs: int,
    metadata: Mapping[str, Any],
    version: str,
    config: GenerateConfig = DEFAULTS,
) -> Task:
    """Make the engine's task of a suite's trials.

    Every sample that fails on the instrument's account is retried by the engine, then scored as far as it
    got, and leaves the log with status "error": the same command does it again (interfaces.md).
    """
    items = {item.id: item for item in trials.plan.items}
    if len(items) != len(trials.plan.items):
        raise ValueError("two items of the plan have the same id")
    samples = [
        Sample(id=item.id, input=item.task.opening.text, target="", metadata=item_metadata(item))
        for item in items.values()
    ]
    bench: dict[str, Bench] = {}
    return Task(
        dataset=MemoryDataset(samples, name=trials.plan.dataset.name),
        setup=_offer(trials, items, bench),
        solver=_ask_all(trials, items, bench),
        scorer=_record(trials, items, bench, metrics),
        config=config,
        epochs=Epochs(epochs, ["mean"]),
        fail_on_error=True,
        continue_on_fail=True,
        score_on_error=True,
        metadata=dict(metadata),
        version=version,
        early_stopping=None if all(_acting(trials, item) for item in items.values()) else OwnSolver(),
    )


def _bench(trials: Trials, item: Item, probe: Probe | None) -> Bench:
    """The table of one trial: the session under the item's condition, and the line to a person."""
    session = Overlay(trials.session(item), item.condition, item.tools, trials.elsewhere(item))
    if probe is None:
        return Bench(session, item.tools)
    desk: Desk | None = None
    if probe.help is not None and (person := trials.person(item)) is not None:
        desk = Desk(probe.help, *person)
    return Bench(session, item.tools, desk, probe.keep_calls)


def _acting(trials: Trials, item: Item) -> Probe | None:
    return next((probe for probe in trials.probes(item) if probe.execute), None)


def _offer(trials: Trials, items: Mapping[str, Item], bench: dict[str, Bench]) -> Solver:
    """Put the acting probe's opening and tools into the state, for whatever solver comes.

    It runs even where `--solver` puts somebody's agent in our solver's place, and makes acting
    measurable there.
    """

    @solver(name="knowact/offer")
    def offer() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - the engine's
            item = items[str(state.sample_id)]
            probe = _acting(trials, item)
            if probe is not None:
                bound = bench[state.uuid] = _bench(trials, item, probe)
                state.messages = chat(probe.opening(item, bound.session.context()))
                state.tools = list(bound.definitions.values())
            return state

        return solve

    return offer()


def _ask_all(trials: Trials, items: Mapping[str, Item], bench: dict[str, Bench]) -> Solver:
    @solver(name="knowact/probes")
    def probes() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - the engine's
            INTERRUPTS.watch()
            item = items[str(state.sample_id)]
            bound = bench.pop(state.uuid, None) or _bench(trials, item, _acting(trials, item))
            model = guarded(get_model())
            context = bound.session.context()
            stored: dict[str, Any] = {}
            said: list[ChatMessage] = []
            talks: dict[str, list[ChatMessage]] = {}
            known: dict[str, Outcome] = {}
            for probe in trials.probes(item):
                if not trials.goes_on(item, probe, known):
                    known[probe.name] = Outcome(probe.name, Ending.NOT_RUN)
                    stored[probe.name] = _stored(known[probe.name], 0)
                    state.store.set(OUTCOMES, dict(stored))
                    continue
                asked = probe.of or item
                at = bound if probe.of is None else _bench(trials, probe.of, probe)
                desk = at.desk if probe.help is not None else None
                built_in = str(model).startswith(BUILT_IN)
                now = Situation(
                    *(probe, asked, trials.seed, state.epoch, desk and desk.known), built_in=built_in
                )
                opening = probe.opening(asked, context)
                with situation(now):
                    # No span per probe: its four events are a twentieth of a call's CPU, and the sample's
                    # messages and the stored outcome say which probe said what.
                    if probe.execute:
                        outcome, messages = await act(probe, model, opening, at)
                    elif probe.registers:
                        outcome, messages = await reply(probe, model, opening, at)
                    else:
                        before = talks.get(probe.follows, [])
                        outcome, messages = await ask(probe, model, opening, before)
                talks[probe.name] = messages
                said.extend(messages)
                state.messages = list(said)
                known[probe.name] = outcome
                # Written at once: what was answered is kept if a later probe fails.
                stored[probe.name] = _stored(outcome, len(messages)) | _aside(outcome, messages)
                state.store.set(OUTCOMES, dict(stored))
            return state

        return solve

    return probes()


def _aside(outcome: Outcome, messages: Sequence[ChatMessage]) -> dict[str, Any]:
    """What a reader of the transcript is told below the last message: which limit it ran into."""
    if not outcome.limit:
        return {}
    return {ASIDES: [[len(messages) - 1, LIMIT, LIMIT_WORDS[outcome.limit]]]}


def _record(
    trials: Trials,
    items: Mapping[str, Item],
    bench: dict[str, Bench],
    metrics: Sequence[Metric | Mapping[str, Sequence[Metric]]],
) -> Scorer:
    @scorer(name="knowact/record", metrics=cast("Any", [*metrics]))
    def record() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the engine's
            item = items[str(state.sample_id)]
            bench.pop(state.uuid, None)
            outcomes = _outcomes(trials, item, state)
            acted = next((o for name, o in outcomes.items() if _is_acting(trials, item, name)), None)
            judged = await _judged(trials, item, outcomes, f"{item.id}/{state.epoch}")
            made = with_reading(trials.record(item, state.epoch, judged), judged, state.store.get(ROLE_CALLS))
            made = _with_limits(made, outcomes)
            return Score(
                value=cast("Any", score_value(made, trials.measures)),
                answer=acted.reply if acted else "",
                metadata=score_metadata(made) | _kept(judged),
            )

        return score

    return record()


async def _judged(trials: Trials, item: Item, outcomes: Mapping[str, Outcome], key: str) -> Judged:
    """Read what was said into forms, then put to the vote what forms cannot hold."""
    judged = Judged(outcomes)
    found = {one.name: await extract(one, f"{key}/{one.name}") for one in trials.readings(item, outcomes)}
    judged = replace(judged, extracted={name: one for name, one in found.items() if one is not None})
    votes = {ballot.name: await poll(ballot, key) for ballot in trials.ballots(item, judged)}
    return replace(judged, votes={name: cast_ for name, cast_ in votes.items() if cast_ is not None})


def _kept(judged: Judged) -> dict[str, Any]:
    """What the log keeps of forms and votes, beside the record: for people who want to see why.

    As JSON texts, because the engine copies and walks metadata several times per trial.
    """
    forms = {
        name: clean.dumps({"by": one.by, "form": one.filled, "problems": list(one.results.problems)})
        for name, one in judged.extracted.items()
    }
    votes = {
        name: clean.dumps({"cast": v.cast, "why": v.why, "quotes": v.quotes})
        for name, v in judged.votes.items()
    }
    return ({"forms": forms} if forms else {}) | ({"votes": votes} if votes else {})


def _with_limits(record: Record, outcomes: Mapping[str, Outcome]) -> Record:
    """The record, saying which limit of the model ended those of its probes that one has ended."""
    ended = [one for one in outcomes.values() if record.endings.get(one.probe) is Ending.LIMIT and one.limit]
    return replace(record, flags={**record.flags, **{LIMIT_FLAGS[one.limit] + one.probe: 1 for one in ended}})


def _is_acting(trials: Trials, item: Item, name: str) -> bool:
    return any(probe.execute and probe.name == name for probe in trials.probes(item))


def _outcomes(trials: Trials, item: Item, state: TaskState) -> dict[str, Outcome]:
    """What came of each probe of this item; one that never finished was the instrument's failure."""
    stored = state.store.get(OUTCOMES)
    probes = trials.probes(item)
    answered = state.output.choices or any(message.role == "assistant" for message in state.messages)
    if stored is None and answered:
        return _foreign(trials, item, state)
    known = {name: _restored(one) for name, one in cast("dict[str, Any]", stored or {}).items()}
    lost = {p.name: Outcome(p.name, Ending.INSTRUMENT_ERROR) for p in probes if p.name not in known}
    return known | lost


def _foreign(trials: Trials, item: Item, state: TaskState) -> dict[str, Outcome]:
    """Another solver stood in the place of ours: take its messages as the acting probe's."""
    probe = _acting(trials, item)
    if probe is None:
        return {}
    bound = _bench(trials, item, probe)
    made: list[MadeCall] = []
    for place, message in enumerate(state.messages):
        if message.role == "assistant":
            # Ids may begin anew with each message.
            results = takewhile(lambda one: one.role != "assistant", state.messages[place + 1 :])
            for call, result in paired(message.tool_calls or [], results):
                failed = result is not None and result.error is not None
                made.append(bound.named(call, "bad_arguments" if failed else ""))
    reply = state.output.completion if state.output.choices else ""
    if not reply.strip():
        # Not every agent sets the engine's output; what it said last stands in the conversation, too.
        said = [message for message in state.messages if message.role == "assistant"]
        reply = said[-1].text if said else ""
    ending = Ending.ANSWERED if reply.strip() else Ending.EMPTY
    return {probe.name: Outcome(probe.name, ending, reply, tuple(made), words=reply)}


def _restored(stored: Mapping[str, Any]) -> Outcome:
    calls = tuple(MadeCall(**call) for call in stored["calls"])
    questions = tuple(PutQuestion(**question) for question in stored["questions"])
    declared = stored["declared"]
    return Outcome(
        probe=stored["probe"],
        ending=Ending(stored["ending"]),
        reply=stored["reply"],
        calls=calls,
        rounds=int(stored["rounds"]),
        questions=questions,
        limit=stored["limit"],
        words=stored["words"],
        declared=None if declared is None else declared_in(json.loads(declared)),
    )


def _stored(outcome: Outcome, messages: int) -> dict[str, Any]:
    """An outcome as the sample's store keeps it; the engine compares that at every step, so it is flat."""
    declared = None if outcome.declared is None else json.dumps(outcome.declared.to_metadata())
    return asdict(replace(outcome, declared=None)) | {"declared": declared, LENGTH: messages}
