"""A suite's conversations as a task of the engine: attempts of each trial, judged, recorded once.

The counterpart of `engine.assemble` for suites whose trials are conversations with a user.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

from inspect_ai import Epochs, Task
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, GenerateConfig, get_model
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import JsonValue

from knowact.core.conversation import FilledForm, Recorder, Stop, Trial, UserFault, read_trial
from knowact.core.declared import Declared
from knowact.core.errors import Place
from knowact.core.prompts import Prompt
from knowact.core.record import Record
from knowact.core.role_model import BUILT_IN
from knowact.core.suite import Item, Plan
from knowact.core.transcript import CONVERSATION, attempt_name
from knowact.engine.assemble import OwnSolver, dataset_of, items_by_id
from knowact.engine.conversation import Conversation, asides
from knowact.engine.gold_context import GoldContext, gold_context
from knowact.engine.grading import rule
from knowact.engine.interrupt import INTERRUPTS
from knowact.engine.loop import chat
from knowact.engine.outputs import guarded
from knowact.engine.progress import WATCHED
from knowact.engine.records import ROLE_CALLS, score_metadata, score_value
from knowact.engine.roles import JUDGE, players
from knowact.engine.spending import Tries, earlier_metadata
from knowact.engine.stored import ASIDES, LENGTH, RESPONSES
from knowact.engine.termination import FoundFaults, TerminationJudge, extracted, found_faults, votes_on
from knowact.engine.usage import UsageTracker
from knowact.engine.users import User
from knowact.probes.probe import Message, Probe, Question
from knowact.probes.response import LIMIT_FLAGS
from knowact.probes.talk import Phases
from knowact.reading.answer_form import AnswerForm
from knowact.roles.gold_plan import GoldPlan
from knowact.roles.judge import Ballot
from knowact.roles.ruling import ToRule
from knowact.roles.termination import TerminationRules
from knowact.worlds.overlay import Overlay
from knowact.worlds.registry import open_world

TRIALS: Final = "trials"
"""Key of the sample store that holds the records of all attempts, one text each."""

ATTEMPTS: Final = "knowact/attempt"
"""Source of the events that close an attempt in the engine's log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSpec:
    """What a suite tells the engine of its conversations.

    Attributes:
        plan: The items.
        episode: From item and epoch to a recorder on a fresh session; None opens the world that the task
            names, under the item's condition.
        brief: The agent's system message, from the item and what the world shows the agent.
        user: Who plays the user; the text names the trial, for files in roles.
        record: From the records of all attempts (none: the instrument failed), and whether a judge was bound.
        most_steps: Messages of the agent in one conversation.
        trial: What records are read as.
        rules: What decides about a conversation on the item, beside its user.
        gold: What can be done and said, for built-in agents.
        faults: Names of the faults of a trial's user that need no judge.
        on_user: What a judge is asked about the user's lines; None where nobody looks for more faults.
        ballots: What a judge votes on when a trial is over: its policies.
        form: What an extractor reads each message of the agent into when a trial is over; None for nothing.
        votes: How many the judge casts on each message and on the user.
        reruns: Further attempts after one whose user was at fault.
        phases: Two phases in each turn; None for none.
        strategy: What the agent is put under; built-in agents look at it.
        prompts: Those that are asked with; their hashes go into the log.
        metrics: What the engine itself shows, as its own metrics; empty for the mean of the suite's headline.
        seed: For built-in agents' random choices; shared code takes it from the options.
        measures: The results that go into `Score.value`; shared code takes them from the suite.
    """

    plan: Plan
    brief: Callable[[Item, Mapping[str, str]], Sequence[Message]]
    user: Callable[[Item, str, UsageTracker], User]
    record: Callable[[Item, int, Sequence[Trial], bool], Record]
    most_steps: int
    episode: Callable[[Item, int], Recorder[Trial]] | None = None
    trial: type[Trial] = Trial
    rules: Callable[[Item], TerminationRules] = lambda _: TerminationRules()
    gold: Callable[[Item], GoldPlan] = lambda _: GoldPlan(())
    faults: Callable[[Item, Trial], Sequence[str]] = lambda _, __: ()
    on_user: Callable[[Item, Trial], ToRule | None] = lambda _, __: None
    ballots: Callable[[Item, Trial], Sequence[Ballot]] = lambda _, __: ()
    form: Callable[[Item], AnswerForm | None] = lambda _: None
    votes: int = 3
    reruns: int = 0
    phases: Phases | None = None
    strategy: str = ""
    prompts: Sequence[Prompt] = ()
    metrics: Sequence[Any] = ()
    seed: int = 0
    measures: Sequence[str] = ()

    def recorder(self, item: Item, epoch: int) -> Recorder[Trial]:
        """What writes one attempt down, on a fresh session."""
        if self.episode is not None:
            return self.episode(item, epoch)
        session = open_world(item.task.world, self.plan.world_seed)
        return Recorder(Overlay(session, item.condition, item.tools), Trial(item=item.id, epoch=epoch))


def conversation_task(
    spec: ConversationSpec,
    *,
    metrics: Sequence[Metric | Mapping[str, Sequence[Metric]]],
    epochs: int,
    metadata: Mapping[str, Any],
    version: str,
    config: GenerateConfig,
) -> Task:
    """Make the engine's task of a suite's conversations; settings as in `engine.assemble.engine_task`."""
    items, tries = items_by_id(spec.plan), Tries()
    WATCHED.expect({name: [CONVERSATION] for name in items}, epochs)
    return Task(
        dataset=dataset_of(spec.plan),
        solver=_converse(spec, items, tries),
        scorer=_record(spec, items, tries, metrics),
        config=config,
        epochs=Epochs(epochs, []),
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
        name = attempt_name(len(self.trials))
        self.outcomes[name] = {LENGTH: len(held.messages), ASIDES: [[*one] for one in asides(trial)]}
        ended = {"attempt": len(self.trials), "stop": trial.stop.value, "faults": list(trial.user_faults)}
        transcript().info(cast("JsonValue", ended), source=ATTEMPTS)

    def write(self, state: TaskState) -> None:
        """Put it into the sample, once: the engine compares the whole store at every change."""
        state.messages = list(self.said)
        state.store.set(RESPONSES, self.outcomes)
        state.store.set(TRIALS, [trial.text() for trial in self.trials])


def another_is_due(trials: Sequence[Trial], reruns: int) -> bool:
    """Whether another attempt is due: the first whole one, or one after a faulty user."""
    whole = [trial for trial in trials if trial.stop is not Stop.BROKEN]
    return not whole or (bool(whole[-1].user_faults) and len(whole) <= reruns)


def _converse(spec: ConversationSpec, items: Mapping[str, Item], tries: Tries) -> Solver:
    tried: dict[tuple[str, str, int], _SoFar] = {}

    @solver(name="knowact/conversation")
    def conversation() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - the engine's
            INTERRUPTS.watch()
            tries.begin(state)
            item = items[str(state.sample_id)]
            # The engine tries a sample again that an error has ended, and holds one task with several models.
            key = (str(state.model), str(state.sample_id), state.epoch)
            so_far = tried.setdefault(key, _SoFar())
            try:
                while another_is_due(so_far.trials, spec.reruns):
                    await _attempt(spec, item, state.epoch, so_far)
            finally:
                so_far.write(state)
            del tried[key]
            return state

        return solve

    return conversation()


async def _attempt(spec: ConversationSpec, item: Item, epoch: int, so_far: _SoFar) -> None:
    """Hold one conversation, have it judged, look for faults of its user, and keep it."""
    recorder, model, key = spec.recorder(item, epoch), get_model(), f"{item.id}/{epoch}"
    usage = UsageTracker(recorder)
    held = Conversation(
        model=guarded(model),
        messages=chat(spec.brief(item, recorder.session.context())),
        tools=item.tools,
        recorder=recorder,
        user=spec.user(item, key, usage),
        judge=TerminationJudge(spec.rules(item), spec.votes, key, usage.of("judge")),
        most_steps=spec.most_steps,
        phases=spec.phases,
        declares=str(model).startswith(BUILT_IN),
    )
    stop = Stop.BROKEN
    try:
        stop = await _judged(spec, item, epoch, held)
    finally:
        so_far.add(recorder.close(stop), held)


async def _judged(spec: ConversationSpec, item: Item, epoch: int, held: Conversation) -> Stop:
    """Hold a conversation, and write down what is said about it when it is over."""
    probe = Probe(
        *(CONVERSATION, Question.CONVERSE, spec.most_steps),
        execute=True,
        opening=spec.brief,
        strategy=spec.strategy,
    )
    now = GoldContext(
        probe, item, spec.seed, epoch, gold=spec.gold(item), built_in=held.declares, planned=spec.plan.items
    )
    with gold_context(now):
        stop = await held.hold()
    stop = await rule_when_over(spec, item, (held.recorder, stop), held.judge)
    declared = held.declared if held.declares else None
    await read_words(spec, item, (held.recorder, stop), held.judge.key, declared=declared)
    return stop


_DECIDED: Final = frozenset({Stop.LIMIT, Stop.CONTEXT, Stop.INSTRUMENT})
"""Ends that alone decide a trial: nobody votes on it, or reads its messages."""


async def rule_when_over(
    spec: ConversationSpec,
    item: Item,
    over: tuple[Recorder[Trial], Stop],
    judge: TerminationJudge,
    kept: Trial | None = None,
) -> Stop:
    """Look for faults of the user, and put the policies to the vote.

    Args:
        spec: What a suite tells the engine.
        item: What it was about.
        over: What holds the conversation, and gets what is said about it; and what ended it.
        judge: Says who is asked under which key.
        kept: The record whose votes are taken; None where the judge is asked.

    Returns:
        What ended it, or that whoever judges failed.
    """
    (recorder, stop), key, spend = over, judge.key, judge.spend
    trial = recorder.close(stop)
    for name in spec.faults(item, trial):
        recorder.user_fault(name)
    faulty = bool(recorder.so_far.user_faults)
    # An agent whose context does not even hold the first request has given its user nothing to do wrong.
    begun = stop is not Stop.CONTEXT or bool(trial.calls or trial.words("assistant"))
    looked_at = begun and not faulty and stop not in {Stop.INSTRUMENT, Stop.USER}
    if looked_at and (asked := spec.on_user(item, trial)):
        cast = kept.user_votes if kept else await rule(asked, spec.votes, key, spend)
        recorder.judge_user(cast or ())
        found = found_faults(asked, cast) if cast else _found_before(asked, kept)
        for name, quote in found.faults:
            recorder.user_fault(name, quote)
        faulty = bool(recorder.so_far.user_faults)
        stop = Stop.INSTRUMENT if found.split and not faulty else stop
    if not faulty and stop not in _DECIDED:
        ballots = spec.ballots(item, trial)
        names = {ballot.name for ballot in ballots}
        stood = tuple(one for one in kept.judged if one.policy in names) if kept else ()
        recorder.judge(stood if kept else await votes_on(ballots, key, spend))
    return stop


async def read_words(
    spec: ConversationSpec,
    item: Item,
    over: tuple[Recorder[Trial], Stop],
    key: str,
    *,
    declared: Mapping[int, Declared] | None = None,
    kept: Sequence[FilledForm] = (),
) -> None:
    """Have the agent's messages read into the form of the task, where it has one.

    Args:
        spec: What a suite tells the engine.
        item: What it was about.
        over: What holds the conversation, and gets the forms; and what ended it.
        key: Names the trial, for a file in the role.
        declared: What a built-in agent declares, by step; None for every other agent.
        kept: Forms that were filled before; they stand where nobody is bound.
    """
    (recorder, stop), form = over, spec.form(item)
    if form is None or recorder.so_far.user_faults or stop in _DECIDED:
        return
    spend = UsageTracker(recorder).of("extractor")
    read = await extracted(form, recorder.close(stop), declared, key, spend)
    recorder.extracted(read or (one for one in kept if one.step <= recorder.steps))


def _found_before(asked: ToRule, kept: Trial | None) -> FoundFaults:
    """What a record without the votes on its user says of it: the faults, and that votes were split."""
    if kept is None:
        return FoundFaults((), split=False)
    names = {part.id for part in asked.form.parts}
    told = (event for event in kept.events if isinstance(event, UserFault) and event.name in names)
    return FoundFaults([(one.name, one.quote) for one in told], split=kept.stop is Stop.INSTRUMENT)


def _record(
    spec: ConversationSpec,
    items: Mapping[str, Item],
    tries: Tries,
    metrics: Sequence[Metric | Mapping[str, Sequence[Metric]]],
) -> Scorer:
    @scorer(name="knowact/record", metrics=cast("Any", [*metrics]))
    def record() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the engine's
            item = items[str(state.sample_id)]
            trials = stored_trials(spec, state.store.get(TRIALS), str(state.sample_id))
            calls = cast("dict[str, int]", state.store.get(ROLE_CALLS) or {})
            made = record_of_trials(spec, item, state.epoch, trials, graded=bool(players(JUDGE)))
            made = replace(made, role_calls=calls)
            WATCHED.trial_ended(item.id, state.epoch, made.outcomes)
            tries.end(state)
            return Score(
                value=cast("Any", score_value(made, spec.measures)),
                answer=state.messages[-1].text if trials and state.messages else "",
                metadata=score_metadata(made) | earlier_metadata(state.store),
            )

        return score

    return record()


def stored_trials(spec: ConversationSpec, texts: Sequence[str] | None, name: str) -> list[Trial]:
    """The records of all attempts, from what a sample stores under `TRIALS`.

    Raises:
        BadData: One is no record of this version; it is said of which sample, by `name`.
    """
    return [read_trial(text, Place(Path(name)), spec.trial) for text in texts or ()]


def record_of_trials(
    spec: ConversationSpec, item: Item, epoch: int, trials: Sequence[Trial], *, graded: bool
) -> Record:
    """The record of a trial, with the limits that ended its last attempt."""
    made = spec.record(item, epoch, trials, graded)
    limits = {LIMIT_FLAGS[one] + CONVERSATION: 1 for one in (trials[-1].limits if trials else ())}
    return replace(made, flags={**made.flags, **limits})
