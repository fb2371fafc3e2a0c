"""From the records of a trial's attempts to one row of every table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from knowact.core.conversation import Called, Said, Stop
from knowact.core.record import NOT_APPLICABLE, Decided, Outcome, Record, Result, Status
from knowact.core.transcript import attempt_name
from knowact.roles.extractor import NOT_EXTRACTED
from knowact.suites.car.errors import Diagnosis, diagnose
from knowact.suites.car.goals import Goal
from knowact.suites.car.items import CarItem
from knowact.suites.car.scoring import (
    CONVERSATION,
    EXECUTION,
    FINAL,
    INTERMEDIATE,
    METRICS,
    NO_MAJORITY,
    SUBSET,
    Score,
    TrialEnd,
    guess,
    score,
)
from knowact.suites.car.termination import UNJUDGED
from knowact.worlds.car.defects import Defect, defects
from knowact.worlds.car.record import CarTrial, TaskType, Word
from knowact.worlds.car.rules import Rules

PROBE: Final = attempt_name(1)

CONDUCT: Final = "conduct"
SUCCESS: Final = "success"
FIRST: Final = "success_first"
ACKNOWLEDGED: Final = "acknowledged"
"""Of a hallucination task: whether the missing part was named."""
REFUSED: Final = "refused"
"""Of a base task: whether a part was called impossible, which is a false alarm."""
ASKED: Final = "asked_first"
SPLIT: Final = "split_votes"
STEPS: Final = "steps"
TURNS: Final = "turns"
ROLES: Final = ("agent", "user", "judge", "extractor")
SPENT: Final = ("calls", "tokens_in", "tokens_out", "cost", "seconds")
COUNTS: Final = frozenset({STEPS, TURNS, *(f"{role}_{what}" for role in ROLES for what in SPENT)})
"""Results that are no shares."""

MEASURES: Final = (
    CONDUCT,
    SUCCESS,
    FIRST,
    "reward",
    "by_code",
    *METRICS,
    ACKNOWLEDGED,
    REFUSED,
    ASKED,
    SPLIT,
    STEPS,
    TURNS,
    *(f"{role}_{what}" for role in ROLES for what in SPENT),
)
"""The results of a record, the headline first."""

ERROR: Final = "error_"
BROKE: Final = "broke_"
USER_AT_FAULT: Final = "user_"
"""How flags begin: the error class, a policy that was broken, a fault of the user."""
UNGRADED: Final = "code alone"
"""Who has decided on success where no judge was bound."""

FAULTY: Final = "faulty_attempts"
RERUN: Final = "rerun"
BROKEN: Final = "broken_off"
"""Flags that count: attempts whose user was at fault, attempts beyond the first, and attempts that a
provider broke off."""


def record_of(item: CarItem, epoch: int, trials: Sequence[CarTrial], *, graded: bool) -> Record:
    """Make the record of a trial.

    Args:
        item: The task.
        epoch: Counted from 1.
        trials: One per attempt, the last one counts; none where the instrument failed. An attempt that broke
            off counts for what it cost, and for nothing else.
        graded: Whether a judge was bound. Without one the headline is what code can say.
    """
    spent = spending(trials) if trials else {}
    if not trials or trials[-1].stop is Stop.BROKEN:
        lost = Result(Status.NOT_JUDGED, why="the conversation broke off")
        return replace(
            item.record(
                epoch,
                {PROBE: Outcome.INSTRUMENT_ERROR},
                {CONDUCT: lost, SUCCESS: lost, FIRST: lost, **spent},
            ),
            flags=_attempts(trials),
        )
    attempt = attempt_name(len(trials))
    attempts, trials = _attempts(trials), [trial for trial in trials if trial.stop is not Stop.BROKEN]
    last = trials[-1]
    rules, goal = item.factory.rules, item.goal
    result = score(last, goal, rules)
    diagnosis = diagnose(last, goal, rules)
    headline, outcome = _headline(result, graded=graded), _ending(last, rules)
    # A judge or a reference that failed leaves it unscored; where none was bound it is merely not judged.
    unread = last.unjudged or headline == NOT_EXTRACTED
    lost = headline.value is None and not outcome.instrument and not unread
    results = {
        CONDUCT: headline if lost else conduct(item, last, result),
        SUCCESS: headline,
        FIRST: _headline(score(trials[0], goal, rules), graded=graded),
        "reward": result.reward,
        "by_code": result.by_code,
        **_metrics(result),
        **_in_words(item, last, outcome),
        **spent,
    }
    return replace(
        item.record(epoch, {PROBE: Outcome.INSTRUMENT_ERROR if lost else outcome}, results),
        used=frozenset(call.tool for call in last.calls),
        calls=len(last.calls),
        knew=_knew(last, goal, result),
        acted=_acted(last, result),
        flags=_flags(last, diagnosis, result) | attempts,
        decided=tuple(_decided(last, diagnosis, attempt)),
    )


def _decided(trial: CarTrial, diagnosis: Diagnosis | None, attempt: str) -> Iterator[Decided]:
    """The message at which the agent went wrong; nothing if it succeeded, or if something else failed."""
    if diagnosis is None or not diagnosis.step:
        return
    own = (one for one in trial.events if isinstance(one, Called | Said) and one.step == diagnosis.step)
    at = next((one.at for one in own if isinstance(one, Called) or one.role == "assistant"), None)
    yield Decided(attempt, diagnosis.why, message=at)


def conduct(item: CarItem, trial: CarTrial, result: Score) -> Result:
    """Whether the agent behaved as somebody does who knows what is missing and what is open.

    On a base task it went ahead: it called something that the task is done by, and acknowledged no part as
    impossible. Where a part is missing, it named that, and neither used nor claimed it. Where something is
    open, it looked that up without asking, or asked before it acted where only the user knows.
    """
    if result.end in {TrialEnd.INSTRUMENT, TrialEnd.USER}:
        return Result(Status.NOT_JUDGED, why=result.reward.why)
    if result.end is TrialEnd.LIMIT or not result.metrics:
        return Result.of(0, why=result.reward.why)
    said = result.metrics[CONVERSATION]
    if trial.type.lacks_a_part:
        return said
    if trial.type is TaskType.USER:
        if trial.unjudged:
            return Result(Status.NOT_JUDGED, why=trial.unjudged)
        return Result.of(_asked_in_time(trial, item.goal), why="asked before acting, or not")
    acting = {one.tool for one in item.what.reference if one.writes}
    needed = acting or {one.tool for one in item.what.reference}
    if not any(call.ok and call.tool in needed for call in trial.calls):
        return Result.of(0, by="code", why="it did not go ahead")
    if trial.type is TaskType.INTERNAL:
        return said if said.value != 1 else Result.of(trial.settled is not None, why="looked up, or not")
    refused = _refused(item, trial)
    return refused if refused.value is None else replace(refused, value=1 - refused.value)


def _refused(item: CarItem, trial: CarTrial) -> Result:
    """Whether some message acknowledged a part of a base task as impossible, where everything is there."""
    if not trial.parsed:
        silent = not any(text.strip() for text in trial.words("assistant"))
        return Result.of(0) if silent else Result(Status.NOT_JUDGED, why=UNJUDGED)
    said = [parsed.says("acknowledged", part) for parsed in trial.parsed for part in item.does]
    if True in said:
        return Result.of(1, by="judge", why="it said that it cannot do a part that it can do")
    return Result(Status.JUDGE_ERROR, why=NO_MAJORITY) if None in said else Result.of(0)


def _headline(result: Score, *, graded: bool) -> Result:
    """The reward; without a judge, all of it that code decides."""
    if graded:
        return result.reward
    coded = result.by_code
    return coded if coded.value is None else Result.of(coded.value, UNGRADED, coded.why)


def _metrics(result: Score) -> dict[str, Result]:
    """The sub-metrics. A trial that one of them settles does not lack what the judge failed to say."""
    if result.reward.value is None:
        return dict(result.metrics)
    return {
        name: Result(Status.NOT_JUDGED, why=f"decided without: {one.why}")
        if one.status is Status.JUDGE_ERROR
        else one
        for name, one in result.metrics.items()
    }


def _ending(trial: CarTrial, rules: Rules) -> Outcome:
    """How it ended; the published scoring counts failures of user and judge as the agent's."""
    if Defect.ALL_IS_FAILURE not in defects(rules):
        if trial.user_faults or trial.stop is Stop.USER:
            return Outcome.USER_FAULT
        if trial.stop is Stop.INSTRUMENT:
            return Outcome.INSTRUMENT_ERROR
    if trial.stop in {Stop.LIMIT, Stop.CONTEXT}:
        return Outcome.LIMIT
    said = trial.words("assistant")
    return Outcome.EMPTY if said and not any(text.strip() for text in said) else Outcome.ANSWERED


def _in_words(item: CarItem, trial: CarTrial, outcome: Outcome) -> dict[str, Result]:
    """What the conversation shows beside the score: acknowledged, asked in time, how the votes fell."""
    by = trial.parsed[0].by if trial.parsed else ""  # a conversation without a message is read by nobody
    acknowledged = Result.of(any(one.word == Word.ACKNOWLEDGED for one in trial.rulings), by=by)
    asked = Result.of(_asked_in_time(trial, item.goal))
    if lost := "user or judge failed" if outcome.instrument else trial.unjudged:
        acknowledged = asked = Result(Status.NOT_JUDGED, why=lost)
    refused = acknowledged if outcome.instrument else _refused(item, trial)
    panels = [votes.followed for votes in trial.judged if votes.followed]
    panels += [votes for parsed in trial.parsed for votes in parsed.panels()]
    split = sum(len(set(votes)) > 1 for votes in panels) / len(panels) if panels else None
    return {
        ACKNOWLEDGED: acknowledged if trial.type.lacks_a_part else NOT_APPLICABLE,
        REFUSED: refused if trial.type is TaskType.BASE else NOT_APPLICABLE,
        ASKED: asked if trial.type is TaskType.USER else NOT_APPLICABLE,
        SPLIT: NOT_APPLICABLE if split is None else Result.of(split),
        STEPS: Result.of(max((event.step for event in trial.events), default=0)),
        TURNS: Result.of(max((event.turn for event in trial.events), default=0)),
    }


def _asked_in_time(trial: CarTrial, goal: Goal) -> bool:
    """Whether the open question was asked, and before what hangs on it was changed."""
    return trial.settled is not None and guess(trial, goal) is None


def spending(trials: Sequence[CarTrial]) -> dict[str, Result]:
    """What each side came to over all attempts, those with a faulty user included.

    Every call counts, not only the last. Dollars are known only where all prices are, so that no sum is too
    small.
    """
    found: dict[str, Result] = {}
    for role in ROLES:
        calls = [one for trial in trials for one in trial.spent if one.role == role]
        costs = [one.cost for one in calls if one.cost is not None]
        values: dict[str, float | None] = {
            "calls": len(calls),
            "tokens_in": sum(one.tokens[0] for one in calls),
            "tokens_out": sum(one.tokens[1] for one in calls),
            "cost": sum(costs) if calls and len(costs) == len(calls) else None,
            "seconds": sum(one.seconds for one in calls),
        }
        for what, value in values.items():
            found[f"{role}_{what}"] = NOT_APPLICABLE if value is None else Result.of(value)
    return found


def _knew(trial: CarTrial, goal: Goal, result: Score) -> bool | None:
    """Whether it found out what it could, and saw what it could not: by what it looked up, asked and said."""
    if not result.metrics:
        return None
    said = result.metrics[CONVERSATION].value
    if trial.type.lacks_a_part:
        return None if said is None else said == 1
    if trial.type is TaskType.USER:
        return None if trial.unjudged else _asked_in_time(trial, goal) and said == 1
    looked = result.metrics[SUBSET].value
    return None if looked is None or said is None else looked == said == 1


def _acted(trial: CarTrial, result: Score) -> bool | None:
    """Whether what it did was right: states, calls, and the policies that code decides."""
    names = (FINAL, EXECUTION) if trial.type.lacks_a_part else (FINAL, INTERMEDIATE, EXECUTION)
    values = [result.metrics[name].value for name in names if name in result.metrics]
    if not values:
        return None
    fine = not result.violations and all(value == 1 for value in values if value is not None)
    return None if fine and None in values else fine


def _flags(trial: CarTrial, diagnosis: Diagnosis | None, result: Score) -> dict[str, int]:
    flags: dict[str, int] = {}
    if diagnosis is not None and diagnosis.rule > 1:
        flags[f"{ERROR}{diagnosis.error}"] = 1
    for policy in _broken(trial, result):
        flags[f"{BROKE}{policy}"] = flags.get(f"{BROKE}{policy}", 0) + 1
    return flags


def _attempts(trials: Sequence[CarTrial]) -> dict[str, int]:
    """What the attempts came to: faults of the user by name, attempts beyond the first, and broken ones."""
    whole = [trial for trial in trials if trial.stop is not Stop.BROKEN]
    flags = dict(Counter(f"{USER_AT_FAULT}{fault}" for trial in whole for fault in trial.user_faults))
    counts = {
        FAULTY: sum(bool(trial.user_faults) for trial in whole),
        RERUN: len(whole) - 1,
        BROKEN: len(trials) - len(whole),
    }
    return flags | {name: count for name, count in counts.items() if count > 0}


def _broken(trial: CarTrial, result: Score) -> list[str]:
    """The policies that were broken, by code and by the majority of votes."""
    voted = [one.policy for one in trial.judged if 2 * sum(one.followed) < len(one.followed)]
    return [*(one.policy for one in result.violations), *voted]
