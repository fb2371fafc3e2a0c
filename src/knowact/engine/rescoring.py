"""Scoring the trials of a log again: by today's rules, by the other rule set, or by other readers.

No agent is called. Models in roles are called where they are named; all else rests on the stored replies,
forms and votes.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from inspect_ai import score  # pyright: ignore[reportUnknownVariableType] - optional parts are untyped
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, write_eval_log
from inspect_ai.model import GenerateConfig, ModelConfig, ModelUsage, get_model
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from knowact.core.conversation import Stop
from knowact.core.errors import BadData, Place
from knowact.core.option import LIMIT, under_current_names
from knowact.core.record import Outcome, Record, Result, Status
from knowact.core.role_model import BUILT_IN, RoleModel
from knowact.core.suite import ASKED_UNDER, Item, Plan, options_of
from knowact.core.table import Run
from knowact.core.verdict import Verdict
from knowact.engine.assemble import described, items_by_id, read_and_judged, record_made, responses_of
from knowact.engine.budget import BUDGET
from knowact.engine.conversation import asides
from knowact.engine.conversations import (
    TRIALS,
    ConversationSpec,
    record_of_trials,
    stored_trials,
)
from knowact.engine.metrics import headline
from knowact.engine.models import cool, in_role
from knowact.engine.progress import WATCHED, RunProgress, Watch, unwatched
from knowact.engine.reader import SUFFIX, LogFile, damage_named, find_logs, read_runs
from knowact.engine.reasons import in_words
from knowact.engine.records import (
    LOGGED,
    ROLE_CALLS,
    SCORER,
    LoggedRun,
    score_metadata,
    score_value,
)
from knowact.engine.replaying import WOULD_GO_ON, attempts_again
from knowact.engine.roles import EXTRACTOR, JUDGE, RETRIES, players
from knowact.engine.spending import earlier_metadata
from knowact.engine.stored import ASIDES, RESPONSES, Kept, kept, stored_responses
from knowact.engine.suite_task import defaults_of, empty_run, spec_of
from knowact.engine.verdicts import Of, as_judged, of_conversation, of_probes
from knowact.measures.agreement import BothSaid, both_said
from knowact.probes.response import Response
from knowact.probes.spec import TaskSpec
from knowact.probes.suite import Suite


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be scored again, and how.

    Attributes:
        rules: The rule set; empty for the one that the log was scored by.
        roles: Role to model with its settings, for those that read the stored words anew.
        data: The data set, where it is no longer where the log says; empty if it is.
        connections: Calls of one model at a time; None for the provider's own limit.
    """

    log: LogFile
    suite: Suite
    rules: str = ""
    roles: Mapping[str, RoleModel] = field(default_factory=dict[str, RoleModel])
    data: str = ""
    connections: int | None = None

    @property
    def asked_under(self) -> str:
        """The rules under which the agent was asked."""
        options = self.log.run.options
        return str(options.get(ASKED_UNDER) or options["rules"])

    @property
    def options(self) -> dict[str, Any]:
        """The options of the run, with the rules of today.

        Raises:
            BadData: The log has an option that this version does not know.
        """
        known = defaults_of(self.suite)
        passed = under_current_names(self.log.header.eval.task_args)
        if unknown := sorted(passed.keys() - known.keys()):
            what = f"this version of knowact knows no option {unknown[0]!r} of {self.suite.name}"
            raise BadData(what, Place(self.log.path), "score it again with the version that ran it")
        changed = {"rules": self.rules or self.log.run.options["rules"]}
        changed |= {"data": self.data} if self.data else {}
        return options_of(self.suite, {**known, **passed, **changed})

    def planned(self) -> Plan:
        """The items of the run.

        Raises:
            BadData: The data are not those of the run.
            BadUsage: The data cannot be found, or the options do not go together any more.
        """
        plan = self.suite.plan(self.options)
        theirs = self.log.run.dataset
        if plan.dataset.sha256 != theirs.sha256:
            what = f"{theirs.name}@{theirs.version} is not what it was when this log was written"
            raise BadData(what, Place(self.log.path), "name the data of then: --data NAME|DIR")
        return plan


@dataclass(frozen=True, slots=True)
class Rescored:
    """A run as it was, and as it is scored again.

    Attributes:
        asked_under: The rules under which the agent was asked.
        rulings: What both readers ruled on, where somebody read the words anew.
        lacking: Trials of which these rules ask what was not asked.
        left_out: Trials of items that only the rules of then ask about.
        failures: Why trials could not be read anew, by trial.
    """

    before: Run
    after: Run
    asked_under: str
    rulings: tuple[BothSaid, ...]
    lacking: int
    left_out: int
    failures: Mapping[str, str]

    @property
    def would_go_on(self) -> int:
        """How many conversations were ended by a ruling that no longer stands."""
        return sum(WOULD_GO_ON in record.flags for record in self.after.records)


def rescore(request: Request, plan: Plan, folder: Path, watch: Watch = unwatched) -> Rescored:
    """Score a log again, and write it as a log of its own.

    Args:
        request: What, and how.
        plan: The items (`Request.planned`).
        folder: Where the new log goes.
        watch: Shows how far it is.

    Raises:
        BadData: The log cannot be read, or holds too little.
    """
    BUDGET.limit = None
    work = _Work(request, plan)
    old = request.log
    with damage_named(old.path, "its samples cannot be read: the log is damaged, or was edited"):
        log = read_eval_log(str(old.path), resolve_attachments=True)
    log.samples = work.asked_about(log.samples or [])
    work.samples = {_key(sample): sample for sample in log.samples}
    before = {key: {str(event.uuid) for event in sample.events} for key, sample in work.samples.items()}
    agent, engine_args, roles = log.eval.model, log.eval.model_args, log.eval.model_roles
    # The engine would set up the models of the log, whose packages and keys nobody may have here.
    log.eval.model_roles = None
    progress = RunProgress(len(log.samples))
    with WATCHED.by(progress), watch(progress.now):
        log = score(
            log,
            work.scorer(),
            epochs_reducer=[],
            model=get_model("none"),
            model_roles=work.players() or None,
            action="overwrite",
            display="none",
            copy=False,
        )
    new = {
        role: ModelConfig(model=one.name, config=GenerateConfig.model_validate(one.settings))
        for role, one in request.roles.items()
    }
    log.eval.model, log.eval.model_args, log.eval.model_roles = agent, engine_args, {**(roles or {}), **new}
    for key, sample in work.samples.items():
        sample.store.update(work.stores.get(key, {}))
        _charge(sample, {*request.roles}, _models(roles), before[key])
    file = folder / request.suite.name / f"{old.path.stem}-{work.digest}{SUFFIX}"
    work.describe(log)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_eval_log(log, str(file))
    (first,) = read_runs([old])
    (second,) = read_runs(find_logs([file]))
    return Rescored(
        first,
        second,
        request.asked_under,
        tuple(work.rulings),
        len(work.lacking),
        work.left_out,
        work.failures,
    )


def verdicts(request: Request, plan: Plan) -> list[Verdict]:
    """What judge and extractor said of the trials of a log, as it is stored.

    Args:
        request: Which log; readers that it names are not asked.
        plan: The items (`Request.planned`).

    Raises:
        BadData: The log cannot be read.
    """
    spec, items = spec_of(request.suite, plan, request.options), items_by_id(plan)
    header, path = request.log.header, request.log.path
    found: list[Verdict] = []
    with damage_named(path, "its samples cannot be read: the log is damaged, or was edited"):
        log = read_eval_log(str(path), resolve_attachments=True)
        for sample in (one for one in log.samples or [] if one.uuid and str(one.id) in items):
            of = Of(items[str(sample.id)], str(sample.uuid), sample.epoch)
            if isinstance(spec, ConversationSpec):
                found += of_conversation(
                    spec, of, stored_trials(spec, sample.store.get(TRIALS), str(sample.id))
                )
            else:
                built_in = header.eval.model.startswith(BUILT_IN)
                stored = stored_responses(sample.store, sample.messages, built_in=built_in)
                kept_of = Kept.of(_score_metadata(sample), judged=JUDGE in (header.eval.model_roles or {}))
                found += of_probes(spec, of, as_judged(spec, of.item, stored, kept_of))
    return found


def _models(roles: Mapping[str, Any] | None) -> dict[str, str]:
    """Role to model; of several, the first."""
    several = {
        role: cast("list[Any]", one) if isinstance(one, list) else [one]
        for role, one in (roles or {}).items()
    }
    return {role: str(first.model) for role, (first, *_) in several.items()}


def _key(sample: EvalSample) -> tuple[str, int]:
    return str(sample.id), sample.epoch


class _Work:
    """Scores the samples of one log."""

    def __init__(self, request: Request, plan: Plan) -> None:
        self._request, self._plan = request, plan
        self._options = request.options
        self._spec = spec_of(request.suite, plan, self._options)
        self._items = items_by_id(plan)
        self._judged = JUDGE in (request.log.header.eval.model_roles or {})
        self.rulings: list[BothSaid] = []
        self.failures: dict[str, str] = {}
        self.lacking: list[str] = []
        self.left_out = 0
        self.stores: dict[tuple[str, int], dict[str, Any]] = {}
        self.samples: dict[tuple[str, int], EvalSample] = {}

    @property
    def digest(self) -> str:
        """Tells scorings of one log apart."""
        readers = sorted((role, str(one)) for role, one in self._request.roles.items())
        told = f"{self._options['rules']} {readers}"
        return f"rescored-{hashlib.sha256(told.encode()).hexdigest()[:8]}"

    def players(self) -> dict[str, Any]:
        """The models that read anew, as the engine takes them."""
        more = {"max_retries": RETRIES, "max_connections": self._request.connections}
        return {
            role: in_role(one, temperature=cool(one), **more) for role, one in self._request.roles.items()
        }

    def scorer(self) -> Scorer:
        """What scores one sample again; one on which a reader fails stays unscored."""
        spec = self._spec

        @scorer(name=f"knowact/{SCORER}", metrics=cast("Any", [self._headline(), *spec.metrics]))
        def record() -> Scorer:
            async def again(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the engine's
                item = self._item(state)
                calls = cast("dict[str, int]", state.store.get(ROLE_CALLS) or {})
                state.store.set(ROLE_CALLS, {role: n for role, n in calls.items() if not players(role)})
                work: Callable[[Item, TaskState], Awaitable[Score]] = (
                    self._talked if isinstance(spec, ConversationSpec) else self._asked
                )
                (came,) = await asyncio.gather(work(item, state), return_exceptions=True)
                if not isinstance(came, Score | Exception) or isinstance(came, BadData):
                    raise came
                made = came if isinstance(came, Score) else self._lost(item, state, came)
                earlier = earlier_metadata(state.store, [role for role in calls if players(role)])
                return made.model_copy(update={"metadata": {**(made.metadata or {}), **earlier}})

            return again

        return record()

    def _headline(self) -> Metric:
        """The headline of the run as its agent and its readers make it; the engine is told of no agent."""
        request, header = self._request, self._request.log.header.eval
        roles = {**(header.model_roles or {}), **request.roles}
        return headline(
            request.suite, lambda: empty_run(request.suite, self._plan, self._options, header.model, roles)
        )

    def asked_about(self, samples: Sequence[EvalSample]) -> list[EvalSample]:
        """The samples whose items these rules ask about; under the rules of then that must be all."""
        if self._request.asked_under == self._options["rules"]:
            return list(samples)
        found = [one for one in samples if str(one.id) in self._items]
        self.left_out = len(samples) - len(found)
        return found

    def _item(self, state: TaskState) -> Item:
        item = self._items.get(str(state.sample_id))
        if item is None:
            what = f"its data have no item {state.sample_id!r} under these options"
            raise BadData(what, Place(self._request.log.path), "score it again with the version that ran it")
        return item

    def _lost(self, item: Item, state: TaskState, error: Exception) -> Score:
        why = in_words(f"{type(error).__name__}({str(error)!r})")
        self.failures[f"{state.sample_id}/{state.epoch}"] = why
        lost = {self._spec.measures[0]: Result(Status.NOT_JUDGED, why=why)} if self._spec.measures else {}
        return self._scored(item.record(state.epoch, {"reading": Outcome.INSTRUMENT_ERROR}, lost), {})

    def _scored(self, made: Record, more: Mapping[str, Any]) -> Score:
        WATCHED.trial_ended(f"{made.item}@{made.condition}", made.epoch, made.outcomes)
        return Score(
            value=cast("Any", score_value(made, self._spec.measures)),
            metadata=score_metadata(made) | dict(more),
        )

    async def _asked(self, item: Item, state: TaskState) -> Score:
        """Score what came of probes."""
        spec = cast("TaskSpec", self._spec)
        built_in = self._request.log.header.eval.model.startswith(BUILT_IN)
        sample = self.samples[str(state.sample_id), state.epoch]
        with damage_named(self._request.log.path, f"what it stores of {sample.id!r} cannot be read"):
            stored = stored_responses(sample.store, sample.messages, built_in=built_in)
            before = Kept.of(_score_metadata(sample), judged=self._judged)
        known = _as_asked(spec, item, stored) if RESPONSES in sample.store else None
        if not sample.error and known is not None and len(known) < len(spec.probes(item)):
            self.lacking.append(item.id)
        responses = responses_of(spec, item, state, known)
        key = f"{item.id}/{state.epoch}"
        judged = await read_and_judged(spec, item, responses, key, before)
        if self._request.roles:
            of, was = Of(item, "", state.epoch), as_judged(spec, item, judged.responses, before)
            self.rulings += both_said(of_probes(spec, of, was), of_probes(spec, of, judged))
        made = record_made(spec, item, state.epoch, judged, state.store.get(ROLE_CALLS))
        return self._scored(made, self._with_unread(kept(judged), sample))

    def _with_unread(self, now: Mapping[str, Any], sample: EvalSample) -> dict[str, Any]:
        """Forms and votes, with stored ones that these rules take no notice of: other rules may."""
        was = _score_metadata(sample)
        stay = [name for name, role in (("forms", EXTRACTOR), ("votes", JUDGE)) if not players(role)]
        old = {name: {**was[name], **now.get(name, {})} for name in stay if name in was}
        return {**now, **old}

    async def _talked(self, item: Item, state: TaskState) -> Score:
        """Score a conversation."""
        spec, anew = cast("ConversationSpec", self._spec), bool(players(JUDGE))
        stored = stored_trials(spec, state.store.get(TRIALS), str(state.sample_id))
        trials = await attempts_again(spec, item, stored, f"{item.id}/{state.epoch}", anew=anew)
        if anew:
            of = Of(item, "", state.epoch)
            self.rulings += both_said(*(of_conversation(spec, of, one) for one in (stored, trials)))
        told = dict(cast("Mapping[str, dict[str, Any]]", state.store.get(RESPONSES) or {}))
        for name, trial in zip(told, trials, strict=False):
            told[name] = {**told[name], ASIDES: [[*one] for one in asides(trial)]}
        # Without another judge, what was written down stays: other rules may see more of it.
        texts = {TRIALS: [trial.text() for trial in trials]} if anew else {}
        self.stores[str(state.sample_id), state.epoch] = {RESPONSES: told, **texts}
        made = record_of_trials(spec, item, state.epoch, trials, graded=anew or self._judged)
        cut = sum(
            now.stop is Stop.BROKEN and was.stop is not Stop.BROKEN
            for was, now in zip(stored, trials, strict=False)
        )
        flags = {**made.flags, **({WOULD_GO_ON: cut} if cut else {})}
        calls = cast("dict[str, int]", state.store.get(ROLE_CALLS) or {})
        return self._scored(replace(made, flags=flags, role_calls=calls), {})

    def describe(self, log: EvalLog) -> None:
        """Say in the log what it is by now."""
        request, was = self._request, self._request.log.run
        asked = request.asked_under
        told = LoggedRun.model_validate(
            described(request.suite.name, self._plan, self._options, 1, self._spec.prompts)[LOGGED]
        )
        other = {ASKED_UNDER: asked} if asked != self._options["rules"] else {}
        read = told.prompts if request.roles else {}
        now = told.model_copy(
            update={
                "options": {**told.options, **other},
                "planned": was.planned - self.left_out,
                "prompts": {**was.prompts, **read},
            }
        )
        log.eval.metadata = {**(log.eval.metadata or {}), LOGGED: now.model_dump(mode="json")}
        arguments = {LIMIT if name == "limit" else name: value for name, value in self._options.items()}
        log.eval.task_args = arguments
        # The newest scoring of a run is the one that counts.
        log.eval.created = datetime.now(UTC).isoformat(timespec="seconds")


def _score_metadata(sample: EvalSample) -> Mapping[str, Any]:
    found = (one for name, one in (sample.scores or {}).items() if name.rsplit("/", 1)[-1] == SCORER)
    return next((one.metadata for one in found if one.metadata), dict[str, Any]())


def _as_asked(spec: TaskSpec, item: Item, stored: Mapping[str, Response]) -> dict[str, Response]:
    """What came of the probes that these rules ask; one that was not asked then is left out."""
    found: dict[str, Response] = {}
    for probe in spec.probes(item):
        if not spec.asks(item, probe, found):
            found[probe.name] = Response(probe.name, Outcome.NOT_RUN)
        elif probe.name in stored:
            found[probe.name] = stored[probe.name]
    return found


def _charge(sample: EvalSample, roles: AbstractSet[str], was: Mapping[str, str], before: set[str]) -> None:
    """Put what the new readers took in the place of what those took whose roles they play.

    Args:
        sample: The sample, scored again.
        roles: Those that are played anew.
        was: Role to model, before.
        before: The ids of the events that were there before.
    """
    for role in sample.role_usage.keys() & roles:
        used, name = sample.role_usage.pop(role), was.get(role, "")
        if name in sample.model_usage:
            sample.model_usage[name] = _less(sample.model_usage[name], used)
    for event in sample.events:
        if not isinstance(event, ModelEvent) or event.uuid in before or event.role not in roles:
            continue
        if (used := event.output.usage) is not None:
            for found, name in ((sample.model_usage, event.model), (sample.role_usage, str(event.role))):
                found[name] = found.get(name, ModelUsage()) + used


def _less(total: ModelUsage, used: ModelUsage) -> ModelUsage:
    mine, theirs = total.model_dump(), used.model_dump()
    left = {n: value if theirs[n] is None else (value or 0) - theirs[n] for n, value in mine.items()}
    return ModelUsage.model_validate(left)
