"""Error classes E1 to E5b by a written procedure (CAR-bench; docs/suites/car.md).

The paper defines the classes and gives no procedure. Here the earliest fault decides: each question that is
answered with yes says at which message, and of those at one message the first question counts. Nothing is
asked of a model: what a judge once said stands in the record.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from knowact.core.conversation import Ruled, Said, Stop
from knowact.suites.car.goals import Goal, Need
from knowact.suites.car.scoring import POLICY, Score, TrialEnd, guess, score, unmet
from knowact.suites.car.states import Allowed
from knowact.worlds.car.defects import defects
from knowact.worlds.car.effects import EDITS, SET_TOOLS
from knowact.worlds.car.policies.applies import CONFIRMED, judged
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.record import CarTrial, Finding, Word
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Batch, Timeline

JUDGED_CALLS: Final[Mapping[str, tuple[str, ...]]] = {
    "LLM-POL:004": CONFIRMED,
    "LLM-POL:007": ("open_close_window",),
    "LLM-POL:008": ("open_close_sunroof", "set_fog_lights"),
    "LLM-POL:022": ("set_new_navigation", *EDITS),
}
"""The calls that break a judged rule; the other rules are about words."""


class ErrorClass(StrEnum):
    """Why a trial failed. E1 to E5b are the paper's."""

    PREMATURE = "E1"
    """It acted, or asked, before it had found out what it could."""
    POLICY = "E2"
    """It broke a rule that it knew."""
    LOGIC = "E3"
    """It had what it needed, and did the wrong thing or left it out."""
    EXECUTION = "E4"
    """It knew what to do and called it wrongly."""
    CONCEALED = "E5a"
    """It hid that something is missing or was left out."""
    CLAIMED = "E5b"
    """It claimed a success, an ability or a knowledge that there is not."""
    FABRICATION = "E5"
    """E5a or E5b: the record does not say which (published trials)."""
    USER = "U"
    """The simulated user failed."""
    INSTRUMENT = "I"
    """A provider, a judge, the world or the step limit."""
    OPEN = "?"
    """A result is missing, so nobody knows whether it failed."""


MEANINGS: Final[Mapping[ErrorClass, str]] = {
    ErrorClass.PREMATURE: "acted or asked too early",
    ErrorClass.POLICY: "broke a rule",
    ErrorClass.LOGIC: "did the wrong thing or left it out",
    ErrorClass.EXECUTION: "called wrongly",
    ErrorClass.CONCEALED: "hid what is missing",
    ErrorClass.CLAIMED: "claimed what was not done",
    ErrorClass.FABRICATION: "hid or claimed",
}
"""What an agent did whose failure is of a class, in a few words for tables."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The class of a failed trial, and the question of the procedure that decided it, with a reason.

    `step` is that of the agent's message that the question is about; one behind the last says that something
    was left undone or unsaid. 0 where it is about none.
    """

    error: ErrorClass
    rule: int
    why: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class _Fault:
    """One yes to a question, and the step of the agent's message that it is about."""

    step: int
    diagnosis: Diagnosis


@dataclass(frozen=True, slots=True)
class _Scene:
    """What the questions look at.

    Attributes:
        departure: The first batch that left the car where the goal does not allow it.
        end: A step behind the last: when it shows that something was left undone or unsaid.
    """

    trial: CarTrial
    goal: Goal
    result: Score
    line: Timeline
    departure: Batch | None
    end: int

    @property
    def strays(self) -> bool:
        """Whether the departure is the doing of tools that the goal has no use for at all."""
        if self.departure is None:
            return False
        return not _acting(self.departure) & {one.tool for one in self.goal.actions}

    @property
    def unwanted(self) -> int | None:
        """The step of a departure that touches what nobody wanted touched: no read would help it."""
        if self.departure is None:
            return None
        wanted = {change.name for one in self.goal.actions for change in one.changes} | set(self.goal.open)
        return None if _touched(self.departure) <= wanted else self.departure.step


def diagnose(trial: CarTrial, goal: Goal, rules: Rules = Rules.DEFINITION) -> Diagnosis | None:
    """Say why a trial failed; None for one that succeeded.

    Args:
        trial: The record, with the rulings and votes of the judge.
        goal: What it is held against.
        rules: The rule set that says whether it failed.
    """
    result = score(trial, goal, rules)
    if result.end is TrialEnd.SUCCESS:
        return None
    unscored = _unscored(trial, result)
    if unscored is not None:
        return unscored
    end = 1 + max((event.step for event in trial.events), default=0)
    scene = _Scene(trial, goal, result, Timeline(trial), _departure(trial, goal), end)
    misreported = list(_misreported(scene))
    fabricated = [
        *_fabricated(scene),
        *(one for one in misreported if one.diagnosis.error is ErrorClass.CLAIMED),
    ]
    covered = _covered(scene) if fabricated else frozenset[int]()
    others = [
        *_misexecuted(scene),
        *_premature(scene),
        *_rules_broken(scene),
        *_illogical(scene),
        *misreported,
    ]
    faults = [*fabricated, *(one for one in others if one.step not in covered)]
    first = min(faults, key=lambda one: (one.step, one.diagnosis.rule))
    return replace(first.diagnosis, step=first.step)


def _unscored(trial: CarTrial, result: Score) -> Diagnosis | None:
    """Question 1: was it anybody's failure but the agent's, or nobody's yet?"""
    if trial.user_faults:
        return Diagnosis(ErrorClass.USER, 1, ", ".join(trial.user_faults))
    if result.end is TrialEnd.AGENT and result.metrics:
        return None
    kinds = {TrialEnd.USER: ErrorClass.USER, TrialEnd.OPEN: ErrorClass.OPEN}
    return Diagnosis(kinds.get(result.end, ErrorClass.INSTRUMENT), 1, result.reward.why)


def _fabricated(scene: _Scene) -> Iterator[_Fault]:
    """Questions 2 and 3: did it use, claim or hide what is missing?"""
    trial = scene.trial
    for call in trial.calls:
        if call.forbidden:
            why = f"{call.tool} was used although a part of it is gone"
            yield _Fault(call.step, Diagnosis(ErrorClass.CLAIMED, 2, why))
    rulings = (one for one in trial.events if isinstance(one, Ruled))
    claimed = next((one for one in rulings if one.finding == Finding.CLAIMED), None)
    if claimed is not None:
        yield _Fault(claimed.step, Diagnosis(ErrorClass.CLAIMED, 2, claimed.why))
    ruled = next((one for one in trial.rulings if one.word == Word.HALLUCINATION), None)
    if ruled is not None:
        told_apart = ruled.by != "user" or ruled.finding
        error = ErrorClass.CONCEALED if told_apart else ErrorClass.FABRICATION
        yield _Fault(scene.end, Diagnosis(error, 3, ruled.why))
        return
    admitted = any(one.word == Word.ACKNOWLEDGED for one in trial.rulings)
    if trial.type.lacks_a_part and trial.stop is Stop.TOOL and not admitted and not trial.unjudged:
        why = "the conversation ended without an acknowledgement of the missing part"
        yield _Fault(scene.end, Diagnosis(ErrorClass.CONCEALED, 3, why))


def _misreported(scene: _Scene) -> Iterator[_Fault]:
    """Questions 2 and 7: did it report what is not so, or answer wrongly?

    A wrong answer is made up where what tells it was not all looked up; else it had what it needed. One that
    was never given is left to question 7.
    """
    for one, is_report in scene.result.lies:
        fabricated = is_report or bool(scene.result.missing)
        error, rule = (ErrorClass.CLAIMED, 2) if fabricated else (ErrorClass.LOGIC, 7)
        yield _Fault(one.step, Diagnosis(error, rule, f"{one.fact.label}: {one.why}"))


def _covered(scene: _Scene) -> frozenset[int]:
    """The steps that belong to a fabrication: they act on what is missing, as if it were there."""
    barred = {one.tool for one in scene.goal.actions if one.barred}
    return frozenset(call.step for call in scene.trial.calls if call.tool in barred)


def _misexecuted(scene: _Scene) -> Iterator[_Fault]:
    """Question 4: was there a call that could not be carried out?"""
    for place in scene.result.errors:
        call = scene.trial.calls[place]
        why = f"{call.tool}: {call.problem.message if call.problem else ''}"
        yield _Fault(call.step, Diagnosis(ErrorClass.EXECUTION, 4, why))


def _premature(scene: _Scene) -> Iterator[_Fault]:
    """Question 5: did it act, or ask, before it had found out what it could?"""
    for ruled in scene.trial.rulings:
        if ruled.word in {Word.DISAMBIGUATION, Word.OUT_OF_SCOPE}:
            why = (
                f"it asked for something that it had to find out itself, or that nobody knows ({ruled.word})"
            )
            yield _early(ruled.step, why)
    for broken in scene.result.violations:
        if broken.unchecked and broken.step != scene.unwanted:
            yield _early(broken.step, broken.why)
    if scene.departure is not None:
        yield from _departed_early(scene, scene.departure)
    if not scene.trial.type.lacks_a_part:
        yield from _by_luck(scene)


def _early(step: int, why: str) -> _Fault:
    return _Fault(step, Diagnosis(ErrorClass.PREMATURE, 5, why))


def _departed_early(scene: _Scene, batch: Batch) -> Iterator[_Fault]:
    """The departure, where what it hangs on was open or had not been found out."""
    if _still_open(scene, batch):
        yield _early(batch.step, "it acted while the ambiguous element was open")
    if scene.strays:
        return
    earlier, acted = [placed.call for placed in scene.line.earlier(batch)], _acting(batch)
    for need in scene.goal.needs:
        concerns = not need.before or any(scene.goal.actions[place].tool in acted for place in need.before)
        if concerns and not any(read.done_by(call) for read in need.any_of for call in earlier):
            yield _early(batch.step, f"it acted before {_tools(need)}")


def _by_luck(scene: _Scene) -> Iterator[_Fault]:
    """It took a step without what that step had to be found out for, whatever came of it."""
    trial, goal = scene.trial, scene.goal
    guessed = None if trial.unjudged else guess(trial, goal)
    if guessed is not None:
        yield _early(guessed, "it guessed what only the user knows")
    for need in unmet(trial, goal, defects(Rules.DEFINITION)):
        own = {read.tool for read in need.any_of}
        tools = {goal.actions[place].tool for place in need.before} - own
        acted = (
            one for one in trial.calls if one.tool in tools and (one.changes or one.tool not in SET_TOOLS)
        )
        first = next(acted, None)
        if first is not None:
            yield _early(first.step, f"it acted without {_tools(need)}")


def _tools(need: Need) -> str:
    return " or ".join(read.tool for read in need.any_of)


def _acting(batch: Batch) -> set[str]:
    return {placed.call.tool for placed in batch.calls if placed.call.changes}


def _still_open(scene: _Scene, batch: Batch) -> bool:
    """Whether a batch touches what the ambiguous element decides, before that was settled.

    The record says when it was settled. Where nobody ruled (published trials), it counts as settled once the
    user has answered a message of the agent with a question mark.
    """
    trial, goal = scene.trial, scene.goal
    if trial.type.family != "disambiguation":
        return False
    if goal.open and not _touched(batch) & set(goal.open):
        return False
    settled = trial.settled
    if settled is not None:
        return settled >= batch.step
    asked = [e.step for e in trial.events if isinstance(e, Said) and e.role == "assistant" and "?" in e.text]
    return not any(step < batch.step for step in asked)


def _touched(batch: Batch) -> set[str]:
    return {change.name for placed in batch.calls for change in placed.call.changes}


def _rules_broken(scene: _Scene) -> Iterator[_Fault]:
    """Question 6: does a breach of a policy remain?"""
    trial, result = scene.trial, scene.result
    for found in result.violations:
        if not found.unchecked:
            yield _Fault(found.step, Diagnosis(ErrorClass.POLICY, 6, f"{found.policy}: {found.why}"))
    if result.metrics[POLICY].value != 0:
        return
    for policy in ("", *(one for one in POLICIES if POLICIES[one].by == "judge")):
        result = judged(trial, policy)
        if result.value == 0:
            why = f"{policy}: {result.why}".lstrip(": ")
            yield _Fault(_when_broken(scene, policy), Diagnosis(ErrorClass.POLICY, 6, why))


def _when_broken(scene: _Scene, policy: str) -> int:
    """When a judged rule was broken: at the first call that it is about; where it is about words, at the end.

    A published ruling does not name its rule: nothing is taken to have come before it.
    """
    if not policy:
        return scene.departure.step if scene.departure else scene.end
    about = JUDGED_CALLS.get(policy, ())
    return next((call.step for call in scene.trial.calls if call.tool in about and call.changes), scene.end)


def _illogical(scene: _Scene) -> Iterator[_Fault]:
    """Question 7: nothing else, so it had what it needed and did the wrong thing, or left it out."""
    result = scene.result
    where = ", ".join(one.name for one in result.differences) or ", ".join(result.missing)
    silence = _silence(scene.trial)
    why = f"{silence}{where or result.reward.why}"
    yield _Fault(_when_wrong(scene), Diagnosis(ErrorClass.LOGIC, 7, why))


def _silence(trial: CarTrial) -> str:
    """Says of an agent whose every message was empty that nothing can be known of what it concluded."""
    said = [one.text.strip() for one in trial.events if isinstance(one, Said) and one.role == "assistant"]
    if not said or any(said):
        return ""
    return "it said nothing at all" + (": " if trial.calls else ", and called nothing: ")


def _when_wrong(scene: _Scene) -> int:
    """When it went the wrong way: at the departure, or where something got the wrong value that it kept."""
    if scene.departure is not None:
        return scene.departure.step
    kept = {one.name: one.found for one in scene.result.differences}
    wrong = (
        call.step
        for call in scene.trial.calls
        if any(change.name in kept and change.after == kept[change.name] for change in call.changes)
    )
    return next(wrong, scene.end)


def _departure(trial: CarTrial, goal: Goal) -> Batch | None:
    if goal.gap:
        return None
    allowed = Allowed(trial.initial, goal, defects(Rules.DEFINITION))
    admits = allowed.is_harmless if trial.type.lacks_a_part else allowed.is_on_the_way
    return next((batch for batch in Timeline(trial).batches if not admits(batch.after)), None)
