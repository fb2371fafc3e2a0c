"""The six sub-metrics and the reward, as pure functions of the record (spec car-bench.md, sections 7.1, 7.2).

Written once for both rule sets: each fault of the published scoring is a switch (`worlds.car.defects`).
Names of metrics are those of published records.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from knowact.core.record import Status, Verdict
from knowact.probes.outcome import LIMIT_WORDS
from knowact.suites.car.execution import execution_errors
from knowact.suites.car.goal import Action, Goal, Need
from knowact.suites.car.guessing import guess
from knowact.suites.car.states import Allowed, Difference
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.defects import Defect, defects
from knowact.worlds.car.effects import SET_TOOLS
from knowact.worlds.car.policies.applies import judged, to_judge
from knowact.worlds.car.policies.checks import violations
from knowact.worlds.car.policies.violations import Violation
from knowact.worlds.car.record import Called, Finding, Ruled, Stop, TaskType, Trial, Word
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Timeline

FINAL: Final = "r_actions_final"
INTERMEDIATE: Final = "r_actions_intermediate"
SUBSET: Final = "r_tool_subset"
EXECUTION: Final = "r_tool_execution"
POLICY: Final = "r_policy"
CONVERSATION: Final = "r_user_end_conversation"

METRICS: Final = (FINAL, INTERMEDIATE, SUBSET, EXECUTION, POLICY, CONVERSATION)
"""The six sub-metrics, in the order of the spec."""

ASKING: Final = "asking the user"
"""What stands among the missing looks where the agent acted on a guess."""

NO_MAJORITY: Final = "the judge's rulings came to no majority"

_NOT_APPLICABLE: Final = Verdict(Status.NOT_APPLICABLE)

_LIMITS: Final = {Stop.LIMIT: "the steps were used up", Stop.CONTEXT: LIMIT_WORDS["context"]}


class Outcome(StrEnum):
    """What became of a trial, with everybody's failures kept apart (D-32)."""

    SUCCESS = "success"
    AGENT = "agent"
    """The agent failed."""
    LIMIT = "limit"
    """The agent used up its steps, or the model's context; a failure of the agent, by name."""
    INSTRUMENT = "instrument"
    """A provider, a judge or the world failed: not scored."""
    DRIVER = "driver"
    """The simulated user failed: not scored."""
    OPEN = "open"
    """A verdict is missing that could turn the trial: not scored."""

    @property
    def scored(self) -> bool:
        """Whether it says something about the agent."""
        return self in {Outcome.SUCCESS, Outcome.AGENT, Outcome.LIMIT}


@dataclass(frozen=True, slots=True)
class Score:
    """What a trial comes to.

    Attributes:
        metrics: One verdict per sub-metric; empty where the trial ended without being scored.
        reward: 1 where everything that applies is 1, 0 where something is 0.
        by_code: The same without the judged policies: all that a run without a judge can say.
        violations: Breaches of the policies that code decides.
        errors: The calls that count as execution errors, by their place.
        missing: What was not found out: the tools that could have told it, or `ASKING`.
        differences: In which variables the last state departs from the reference's.
    """

    outcome: Outcome
    reward: Verdict
    by_code: Verdict
    metrics: Mapping[str, Verdict] = field(default_factory=dict[str, Verdict])
    violations: tuple[Violation, ...] = ()
    errors: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()


def score(trial: Trial, goal: Goal, rules: Rules) -> Score:
    """Score a trial by a rule set.

    Args:
        trial: The record, with the judge's votes.
        goal: What it is held against.
        rules: `definition`, or `published` for the published scoring with its faults.
    """
    return scored_with(trial, goal, defects(rules))


def scored_with(trial: Trial, goal: Goal, faults: frozenset[Defect]) -> Score:
    """Score a trial with some of the published faults on; `score` has all or none."""
    ended = _ended_unscored(trial, faults)
    if ended is not None:
        return ended
    line = Timeline(trial)
    allowed = None if goal.gap else Allowed(trial.initial, goal, faults)
    found = violations(line, faults)
    errors = execution_errors(trial, faults)
    missing = _missing(trial, goal, faults)
    metrics = {
        FINAL: _final(line, allowed, goal, faults),
        INTERMEDIATE: _intermediate(line, allowed, goal, faults),
        SUBSET: _subset(trial, missing),
        EXECUTION: _rate(not errors, _named(trial, errors)),
        POLICY: _policy(line, found, faults),
        CONVERSATION: _conversation(trial, faults),
    }
    outcome, reward = _summed(metrics)
    coded = {**metrics, POLICY: _by_code(metrics[POLICY], found)}
    return Score(
        outcome=outcome,
        reward=reward,
        by_code=_all_of(list(coded.values())),
        metrics=metrics,
        violations=found,
        errors=errors,
        missing=missing,
        differences=() if allowed is None or trial.type.lacks_a_part else allowed.differences(line.final),
    )


def _subset(trial: Trial, missing: tuple[str, ...]) -> Verdict:
    """Whether everything was found out; whether the user was asked, only a judge can say."""
    if trial.type.lacks_a_part:
        return _NOT_APPLICABLE
    if trial.unheard and missing == (ASKING,):
        return Verdict(Status.NOT_JUDGED, why=trial.unheard)
    return _rate(not missing, ", ".join(missing))


def _ended_unscored(trial: Trial, faults: frozenset[Defect]) -> Score | None:
    """A trial without sub-metrics: step limit, failure of provider or user."""
    broken_off = "the trial was broken off"
    if Defect.ALL_IS_FAILURE in faults:
        if trial.stop in {Stop.INSTRUMENT, Stop.DRIVER}:
            return _without_metrics(Outcome.AGENT, Verdict.of(0, why=broken_off))
    elif trial.stop is Stop.INSTRUMENT:
        # Of messages or of the user, where the agent had come to say nothing.
        split = trial.heard or any(one.role == "judge" for one in trial.spent)
        status, why = (Status.JUDGE_ERROR, NO_MAJORITY) if split else (Status.NOT_JUDGED, broken_off)
        return _without_metrics(Outcome.INSTRUMENT, Verdict(status, why=why))
    elif trial.stop is Stop.DRIVER or trial.driver_faults:
        why = ", ".join(trial.driver_faults) or broken_off
        return _without_metrics(Outcome.DRIVER, Verdict(Status.NOT_JUDGED, why=why))
    if crash := _crash(trial, faults):
        return _without_metrics(Outcome.AGENT, Verdict.of(0, by="code", why=crash))
    limit = _LIMITS.get(trial.stop)
    return None if limit is None else _without_metrics(Outcome.LIMIT, Verdict.of(0, why=limit))


def _crash(trial: Trial, faults: frozenset[Defect]) -> str:
    """Why the published runner would have broken off with an exception (spec, section 1.7); empty if not.

    It reads arguments before it makes a call, and masks what a tool says as if it were always JSON.
    """
    masked = {path.split(".")[1] for path in trial.removed if path.startswith("result.")}
    for call in trial.calls:
        if Defect.UNREAD_CRASHES in faults and call.arguments is None:
            return f"the arguments of {call.tool} could not be read"
        if Defect.MASKING_CRASHES in faults and call.tool in masked and call.fault is Fault.RAISED:
            return f"{call.tool} raised, and a part of its result was to be masked"
    return ""


def _without_metrics(outcome: Outcome, reward: Verdict) -> Score:
    return Score(outcome, reward, by_code=reward)


def _final(line: Timeline, allowed: Allowed | None, goal: Goal, faults: frozenset[Defect]) -> Verdict:
    lacking = line.trial.type.lacks_a_part
    if lacking and Defect.HARM_UNSEEN in faults:
        return _NOT_APPLICABLE
    if allowed is None:
        return Verdict(Status.NOT_JUDGED, why=goal.gap)
    if lacking:
        if disturbed := _disturbed(line, goal, faults):
            return Verdict.of(0, why=disturbed)
        return _rate(allowed.is_harmless(line.final), "the car was left in a state that nobody asked for")
    return _rate(allowed.is_end(line.final), "the last state is another than the reference's")


def _intermediate(line: Timeline, allowed: Allowed | None, goal: Goal, faults: frozenset[Defect]) -> Verdict:
    if line.trial.type.lacks_a_part:
        return _NOT_APPLICABLE
    if allowed is None:
        return Verdict(Status.NOT_JUDGED, why=goal.gap)
    if disturbed := _disturbed(line, goal, faults):
        return Verdict.of(0, why=disturbed)
    wrong = [turn for turn, state in enumerate(line.turn_ends) if not allowed.is_on_the_way(state)]
    return _rate(not wrong, f"turn {wrong[0]} ended in a state off the way" if wrong else "")


def _disturbed(line: Timeline, goal: Goal, faults: frozenset[Defect]) -> str:
    """Which variable was changed that may not change even on the way; nothing where none was.

    The published scoring looks at states when somebody speaks, and nowhere else (D-01).
    """
    if Defect.FINAL_STATE in faults:
        return ""
    initial = line.trial.initial
    changed = (
        change.name
        for placed in line.calls
        for change in placed.call.changes
        if change.name in goal.never and change.after != initial.get(change.name)
    )
    name = next(changed, "")
    return name and f"{name} was changed, which nobody wanted, not even on the way"


def _missing(trial: Trial, goal: Goal, faults: frozenset[Defect]) -> tuple[str, ...]:
    """Everything that was not found out, by its tools; in the published scoring, those of the reference."""
    unasked = (ASKING,) if Defect.LUCK_COUNTS not in faults and guess(trial, goal) is not None else ()
    if Defect.TOOL_NAMES not in faults:
        looks = tuple(" or ".join(one.tool for one in need.any_of) for need in unmet(trial, goal, faults))
        return (*unasked, *looks)
    loose = Defect.FAILED_CALLS_COUNT in faults
    called = {call.tool for call in trial.calls if call.ok or loose}
    return (*unasked, *dict.fromkeys(one.tool for one in goal.actions if one.tool not in called))


def unmet(trial: Trial, goal: Goal, faults: frozenset[Defect]) -> tuple[Need, ...]:
    """Return what was not found out by any call of the trial, or only after it was acted on."""
    loose = Defect.FAILED_CALLS_COUNT in faults
    return tuple(
        need
        for need in goal.needs
        if not any(
            look.named_by(call) if loose else look.done_by(call)
            for look in need.any_of
            for call in _in_time(trial, goal, need, faults)
        )
    )


def _in_time(trial: Trial, goal: Goal, need: Need, faults: frozenset[Defect]) -> Sequence[Called]:
    """The calls before the first deed that hangs on a need.

    A look in the same message comes too late; what was set there stands all the same.
    """
    if Defect.LATE_LOOKS in faults:
        return trial.calls
    deeds = [goal.actions[place] for place in need.before if goal.actions[place].changes]
    done = [call.step for call in trial.calls if any(_does(call, deed) for deed in deeds)]
    if not done:
        return trial.calls
    first = done[0]
    return [c for c in trial.calls if c.step < first or (c.step == first and c.tool in SET_TOOLS)]


def _does(call: Called, deed: Action) -> bool:
    """Whether a call does a step of the reference, or a part of it: the same tool, to the same effect."""
    wanted = [(change.name, change.after) for change in deed.changes]
    return call.tool == deed.tool and any((change.name, change.after) in wanted for change in call.changes)


def _policy(line: Timeline, found: tuple[Violation, ...], faults: frozenset[Defect]) -> Verdict:
    if line.trial.type.lacks_a_part and Defect.HARM_UNSEEN in faults:
        return _NOT_APPLICABLE
    if found:
        return Verdict.of(0, by="code", why="; ".join(f"{one.policy}: {one.why}" for one in found))
    return _all_of(
        [_unnamed(line.trial), *(_judged(line.trial, policy) for policy in to_judge(line, faults))]
    )


def _by_code(policy: Verdict, found: tuple[Violation, ...]) -> Verdict:
    return policy if policy.status is Status.NOT_APPLICABLE else _rate(not found, policy.why)


def _judged(trial: Trial, policy: str) -> Verdict:
    """One judged rule; a published record that has verdicts without ids has had them all judged."""
    wholesale = any(not votes.policy for votes in trial.judged)
    found = judged(trial, policy)
    return _NOT_APPLICABLE if wholesale and found.status is Status.NOT_JUDGED else found


def _unnamed(trial: Trial) -> Verdict:
    """Published verdicts that do not say which rule they are of."""
    return judged(trial, "") if any(not votes.policy for votes in trial.judged) else _NOT_APPLICABLE


def _conversation(trial: Trial, faults: frozenset[Defect]) -> Verdict:
    used = [call for call in trial.calls if call.forbidden]
    if used:
        return Verdict.of(0, by="code", why=f"{used[0].tool} was used although it was taken away")
    failed = [one for one in trial.rulings if one.word.fails and not _excused(one, trial, faults)]
    if failed:
        return Verdict.of(0, by=failed[0].by, why=f"{failed[0].word}: {failed[0].why}".rstrip(": "))
    if trial.type.lacks_a_part:
        return _acknowledged(trial, faults)
    if trial.type is TaskType.INTERNAL and trial.unheard:
        return Verdict(Status.NOT_JUDGED, why=trial.unheard)
    return Verdict.of(1)


def _acknowledged(trial: Trial, faults: frozenset[Defect]) -> Verdict:
    if any(one.word is Word.ACKNOWLEDGED for one in trial.rulings) or _ended_well_by_call(trial, faults):
        return Verdict.of(1)
    if trial.unheard:
        return Verdict(Status.NOT_JUDGED, why=trial.unheard)
    excused = trial.stop is not Stop.TOOL and Defect.SUCCESS_BY_DEFAULT in faults
    return _rate(excused, "nobody heard that the missing part was acknowledged")


def _ended_well_by_call(trial: Trial, faults: frozenset[Defect]) -> bool:
    """Whether a phone call has ended it, after which the published user has no further say (D-30)."""
    return trial.stop is Stop.TOOL and Defect.CALL_ENDS_WELL in faults


def _excused(ruled: Ruled, trial: Trial, faults: frozenset[Defect]) -> bool:
    """Whether a word says nothing of the agent.

    The user's having run out of script does not (D-35), nor, in the published scoring, does what was found
    when a phone call had ended the trial.
    """
    if ruled.finding == Finding.CONCEALED and _ended_well_by_call(trial, faults):
        return True
    silent = bool(trial.unheard) or not trial.type.lacks_a_part
    alone = ruled.word is Word.OUT_OF_SCOPE and ruled.by == "user" and silent
    return alone and Defect.SCRIPT_DECIDES not in faults


def _summed(metrics: Mapping[str, Verdict]) -> tuple[Outcome, Verdict]:
    """The reward: one failing metric settles it, whatever else is missing."""
    total = _all_of(list(metrics.values()))
    if total.value is None:
        return Outcome.OPEN, total
    return (Outcome.SUCCESS if total.value == 1 else Outcome.AGENT), total


def _all_of(verdicts: list[Verdict]) -> Verdict:
    """1 where everything that applies is 1; 0 where something is 0; else why that cannot be said."""
    for verdict in verdicts:
        if verdict.value == 0:
            return verdict
    for status in (Status.JUDGE_ERROR, Status.NOT_JUDGED):
        for verdict in verdicts:
            if verdict.status is status:
                return verdict
    return Verdict.of(1)


def _rate(fine: bool, why: str) -> Verdict:  # noqa: FBT001 - the condition itself
    return Verdict.of(fine, why="" if fine else why)


def _named(trial: Trial, places: tuple[int, ...]) -> str:
    calls = [trial.calls[place] for place in places]
    return "; ".join(f"{one.tool}: {one.problem.message if one.problem else ''}" for one in calls)
