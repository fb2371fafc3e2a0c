"""A task as each role sees it: agent, termination rules, user, judge of policies, built-in agents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from pydantic import JsonValue

from knowact.core.parts import Part
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.core.task import Fact
from knowact.core.world import Call
from knowact.probes.probe import Message
from knowact.probes.strategies import GATHER, NONE, paragraph
from knowact.reading.quotes import folded, stands_in
from knowact.roles.gold_plan import GoldAction, GoldFact, GoldPlan
from knowact.roles.judge import Ballot
from knowact.roles.ruling import account, as_json
from knowact.roles.script import Script
from knowact.roles.simulated_user import ScriptedUser, proposal
from knowact.roles.user_brief import Setting
from knowact.suites.car.goals import PREFERENCES, Reference
from knowact.suites.car.items import CarItem
from knowact.suites.car.parts import open_part, tool_of
from knowact.suites.car.tasks import CarTask, Element, Removal
from knowact.suites.car.telling import reports
from knowact.suites.car.termination import SILENT, Case
from knowact.worlds.car.catalogue import OPERATIONS, operations
from knowact.worlds.car.defects import Defect, defects
from knowact.worlds.car.policies.applies import to_judge
from knowact.worlds.car.policies.catalogue import POLICIES, Policy
from knowact.worlds.car.record import CarTrial
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Timeline, texts, within

_NAMES: Final = ("agent", GATHER, "turn-over")


@cache
def prompts() -> Mapping[str, Prompt]:
    """All prompts for the agent, by file name; their hashes go into the log."""
    return {name: load_prompt("knowact.suites.car", name) for name in _NAMES}


def brief(item: Item, context: Mapping[str, str], strategy: str) -> Sequence[Message]:
    """The agent's system message.

    Args:
        item: Not looked at: every task is told the same, or the telling would give something away.
        context: Where and when it is, as the world shows it.
        strategy: "none", or the run factor that adds a paragraph.
    """
    del item
    # Its two phases are real ones in the car, and say so.
    own = prompts().get(strategy)
    added = "" if strategy == NONE else (own or paragraph(strategy)).text
    values = {
        "policies": "\n".join(f"- {one.sentence}" for one in POLICIES.values()),
        "strategy": added,
        "location": context["current_location"],
        "datetime": context["current_datetime"],
    }
    return (Message("system", prompts()["agent"].fill(values).strip()),)


def looking_tools(rules: Rules) -> frozenset[str]:
    """The tools of the gathering phase: all that change nothing."""
    return frozenset(name for name, one in operations(rules).items() if one.kind != "set")


AT_THE_WHEEL: Final = Setting(
    player="sits at the wheel and talks to the assistant of the car",
    subject="cars",
    place="You are the driver, and talk to the assistant of your car.",
)
"""Where simulated users are."""


def script_of(what: CarTask) -> Script:
    """The user's script; a published task has its instruction instead, which is no script."""
    return what.script or Script(opening=what.instruction)


def case_of(item: CarItem) -> Case:
    """What a conversation about an item is decided by."""
    what, element = item.what, item.what.element
    does = dict(item.does)
    if what.removal is not None:
        does[what.removal.paths[0]] = _undone(what, what.removal)
    return Case(
        type=what.type,
        parts=item.parts,
        does=does,
        missing="".join(what.removed[:1]),
        also=item.missing - {*what.removed[:1]},
        open=open_part(what, element).id if element else "",
        settled_by=_settling(what),
        options=() if element is None else tuple(word for one in element.options for word in one.words),
        shuffle=what.cluster,
    )


def _missing(item: CarItem) -> Part | None:
    return next((part for part in item.parts if part.id in item.what.removed[:1]), None)


def _undone(what: CarTask, removal: Removal) -> frozenset[str]:
    """The tools that alone could have done what is missing; none for a result, which no call tells any more.

    What goes with the main part leads to the same end with it there, and may well be used for something else.
    """
    if removal.kind == "result":
        return frozenset()
    return frozenset({tool_of(removal.paths[0]), *(what.reference[place].tool for place in removal.lost)})


def _settling(what: CarTask) -> frozenset[str]:
    """The reads of the reference that the open choice hangs on."""
    element = what.element
    if element is None or element.level == "user":
        return frozenset()
    if element.level == "preference":
        return frozenset({PREFERENCES})
    if element.argument is None:
        return frozenset()
    sources = what.reference[element.argument[0]].sources
    return frozenset(what.reference[place].tool for place in sources)


def at_the_wheel(rules: Rules) -> Setting:
    """Where simulated users are; the published one never says that something does not fit."""
    return replace(AT_THE_WHEEL, notices=rules is not Rules.PUBLISHED)


def user_of(item: CarItem) -> ScriptedUser:
    """The scripted user of a task: it wants what the reference does, and to be told what the task says."""
    what, element = item.what, item.what.element
    answers: dict[str, str] = {}
    yours: set[str] = set()
    if element is not None:
        part, says = open_part(what, element).id, _answer(what, element)
        if element.level != "user":
            yours.add(part)
        elif says:
            answers[part] = says
    wanted = frozenset(proposal(Call(one.tool, one.arguments)) for one in what.reference if one.writes)
    user = ScriptedUser(script_of(what), what.persona, wanted, answers, frozenset(yours))
    if item.factory.rules is Rules.PUBLISHED:
        return user
    return replace(user, due=frozenset(item.telling.wanted), wishes=_wishes(item))


def _wishes(item: CarItem) -> Mapping[int, tuple[Fact, ...]]:
    """What may be reported of each thing: what the reference makes of it on its way, or another good end."""
    values: dict[str, list[JsonValue]] = {}
    for change in (change for one in item.goal.actions for change in one.changes):
        values.setdefault(change.name, []).append(change.after)
    for end in item.goal.ends:
        for name, value in end.items():
            values.setdefault(name, []).append(value)
    found: dict[int, tuple[Fact, ...]] = {}
    for name in item.telling.variables:
        many = values.get(name) or [item.factory.whole(item.what).snapshot().get(name)]
        first = len(item.telling.facts) + len(found)
        slots = zip(*(reports(name, value) for value in many), strict=True)
        found.update(enumerate(slots, first))
    return found


def _answer(what: CarTask, element: Element) -> str:
    """What the user says when asked for what only they know: the detail with the right option."""
    details = [one.says for one in script_of(what).details]
    words = [folded(word) for one in element.options if one.value == element.answer for word in one.words]
    telling = (says for says in details if any(stands_in(word, folded(says)) for word in words))
    return next(telling, details[0] if details else "")


def gold_of(item: CarItem) -> GoldPlan:
    """What a built-in agent can do and say."""
    what, element, removal = item.what, item.what.element, item.what.removal
    lost = frozenset(removal.lost if removal else ())
    return GoldPlan(
        actions=tuple(
            _gold_action(what, place, one, place in lost) for place, one in enumerate(what.reference)
        ),
        open=open_part(what, element) if element else None,
        asks=element is not None and element.level == "user",
        missing=_missing(item),
        is_fact=removal is not None and removal.kind == "result",
        answers=tuple(_answers(item)),
        reports=_reports(item),
        wishes=1 + len(script_of(what).later),
    )


def _answers(item: CarItem) -> Iterator[GoldFact]:
    """What is wanted to be told, with the latest wish that one of its sources belongs to."""
    for place in item.telling.wanted:
        fact = item.telling.facts[place]
        calls = (item.what.reference[int(one.partition(".")[0])] for one in fact.sources)
        yield GoldFact(place, fact, max((call.wish for call in calls), default=0))


def _reports(item: CarItem) -> tuple[GoldFact, ...]:
    """What is true of the car once everything was done that can be."""
    done = (change for one in item.goal.actions if not one.barred for change in one.changes)
    car = {**item.factory.whole(item.what).snapshot(), **{change.name: change.after for change in done}}
    last = len(script_of(item.what).later)
    every = [GoldFact(place, fact, last) for place, fact in enumerate(item.telling.slots(car))]
    return tuple(every[len(item.telling.facts) :])


def _gold_action(what: CarTask, place: int, one: Reference, lost: bool) -> GoldAction:  # noqa: FBT001 - one call site
    return GoldAction(
        call=Call(one.tool, one.arguments),
        writes=one.writes,
        consent=bool(one.consent),
        ends=OPERATIONS[one.tool].ends if one.tool in OPERATIONS else False,
        lost=lost,
        guess=_guess(what, place, one),
        wish=one.wish,
    )


def _guess(what: CarTask, place: int, one: Reference) -> Call | None:
    """The call with the wrong option, as somebody picks it who does not look."""
    element = what.element
    if element is None or element.argument is None or element.argument[0] != place:
        return None
    carried = one.arguments.get(element.argument[1])
    wrong = [option.value for option in element.options if option.value != carried]
    arguments: dict[str, JsonValue] = dict(one.arguments)
    if wrong:
        arguments[element.argument[1]] = wrong[0]
    return Call(one.tool, arguments)


def scenario_of(what: CarTask) -> str:
    """What a user is held to: the story, and what only the agent may settle."""
    element = what.element
    if element is None or element.level == "user":
        return what.instruction
    return f"{what.instruction}\nOnly the assistant may settle: {element.what}."


FOLLOWED: Final = ("followed", "broken")
"""What votes on a policy may be."""
_NO_VARIABLE: Final = ("",)
"""In place of names of variables whose changes are told."""


@cache
def policy_prompt(*, published: bool = False) -> Prompt:
    """The versioned prompt for votes on policies; its hash goes into the log.

    Args:
        published: Whether the judge is the published one, who sees a rule and the messages, and no more.
    """
    return load_prompt("knowact.suites.car", "policy-as-published" if published else "policy")


def policy_ballots(trial: CarTrial, votes: int) -> tuple[Ballot, ...]:
    """Return a ballot for every judged policy that applies to a trial."""
    faults = defects(trial.world)
    shown = _sentence_alone if Defect.BLIND_JUDGE in faults else _whole_rule
    return tuple(
        Ballot(policy, (shown(POLICIES[policy], trial),), FOLLOWED, votes, _of_the_agent(trial))
        for policy in to_judge(Timeline(trial), faults)
    )


def _whole_rule(policy: Policy, trial: CarTrial) -> str:
    """A rule with all that it depends on: where and when, the state at the start, and what changed it."""
    here, now = (within(trial.context, name) for name in ("current_location", "current_datetime"))
    place = {name: within(here, name) for name in ("name", "id")}
    told = [f"[The car is at {as_json(place)}; it is {as_json(now)}]"]
    if policy.state:
        start = {name: trial.initial.get(name) for name in policy.state}
        told.append(f"[At the start: {as_json(start)}]")
    told.append(
        account(trial.events, state=policy.state, results=policy.results, silent=SILENT, user="Driver")
    )
    values = {
        "sentence": policy.sentence,
        "trigger": policy.trigger,
        "condition": policy.condition,
        "evidence": policy.evidence,
        "hint": policy.hint or "(none)",
        "conversation": "\n".join(told),
    }
    return policy_prompt().fill(values)


def _sentence_alone(policy: Policy, trial: CarTrial) -> str:
    """A rule as the published judge sees it: with messages and calls, but no state."""
    values = {
        "id": policy.id,
        "sentence": policy.sentence,
        "hint": policy.published_hint or "(none)",
        "conversation": account(trial.events, state=_NO_VARIABLE, user="Driver"),
    }
    return policy_prompt(published=True).fill(values)


def _of_the_agent(trial: CarTrial) -> tuple[str, ...]:
    """All words of the agent: those for the driver, and those in its calls, however deep."""
    written = (text for call in trial.calls for text in (call.tool, *texts(call.arguments or {})))
    return (*trial.words("assistant"), *written)
