"""What judges of a conversation are shown: before a ruling on a message, and for votes on policies.

Judges see an account of the conversation, an event a line: who said what, which calls came to what, what
they changed. All of it is material, marked as such; instructions in it are for nobody.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from pydantic import JsonValue

from knowact.core.prompts import Prompt, load_prompt
from knowact.people.judge import Ballot
from knowact.worlds.car.defects import defects
from knowact.worlds.car.policies.applies import to_judge
from knowact.worlds.car.policies.catalogue import POLICIES, Policy
from knowact.worlds.car.record import Called, Said, Trial
from knowact.worlds.car.timeline import Timeline, within

FOLLOWED: Final = ("followed", "broken")
"""What votes on a policy may be."""

SHORT: Final = 200
"""Characters of a result that a judge reads where the rule has no need of it."""

LONG: Final = 6_000
"""Characters of a result that the rule is about: three routes, or a dozen places."""

ALL: Final = ("*",)
"""In place of names of tools: all of them."""

_ROUTINE: Final = frozenset({"think", "planning_tool"})
"""Private notes, which nobody hears (defect D-40)."""


@cache
def policy_prompt() -> Prompt:
    """The versioned prompt for votes on policies; its hash goes into the log."""
    return load_prompt("knowact.people", "policy")


def account(
    trial: Trial, *, state: Sequence[str] = (), results: Sequence[str] = (), situated: bool = False
) -> str:
    """Tell a conversation, a line per event.

    Args:
        trial: The record.
        state: The variables that are told at the start and whenever they change; empty for all changes.
        results: The tools whose results are told at length; `ALL` for every tool.
        situated: Whether it begins with where the car is and what time it is, as rules on the weather here
            and now cannot be judged without (D-37).
    """
    lines = list(_told(trial, state, results))
    return "\n".join([_situation(trial), *lines] if situated else lines)


def before_last_words(trial: Trial) -> str:
    """What was said and done before the agent's last words: material for whoever rules on them."""
    return account(trial.model_copy(update={"events": trial.events[:-1]}), results=ALL)


def _situation(trial: Trial) -> str:
    here, now = (within(trial.context, name) for name in ("current_location", "current_datetime"))
    place = {name: within(here, name) for name in ("name", "id")}
    return f"[The car is at {_json(place)}; it is {_json(now)}]"


def _told(trial: Trial, state: Sequence[str], results: Sequence[str]) -> Iterator[str]:
    if state:
        yield f"[At the start: {_json({name: trial.initial.get(name) for name in state})}]"
    for event in trial.events:
        if isinstance(event, Said):
            who = "Driver" if event.role == "user" else "Assistant"
            yield f"{who}: {_json(event.text)}"
        elif isinstance(event, Called) and event.tool not in _ROUTINE:
            yield _call_told(event, LONG if results == ALL or event.tool in results else SHORT)
            changed = {one.name: one.after for one in event.changes if not state or one.name in state}
            if changed:
                yield f"  [now: {_json(changed)}]"


def _call_told(call: Called, longest: int) -> str:
    came = f"failed: {call.problem.message}" if call.problem is not None else _json(call.result)
    if len(came) > longest:
        came = f"{came[:longest]} [cut: {len(came):,} characters in all]"
    # Agents invent names of tools, too, and one with a line break in it would pass for several events.
    name = call.tool if call.tool.isidentifier() else _json(call.tool)
    return f"[Call {name}({_json(dict(call.arguments or {}))}) -> {came}]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def policy_ballots(trial: Trial, votes: int) -> tuple[Ballot, ...]:
    """Return a ballot for every judged policy that applies to a trial."""
    line = Timeline(trial)
    return tuple(
        Ballot(policy, (_policy_prompt(POLICIES[policy], trial),), FOLLOWED, votes, _of_the_agent(trial))
        for policy in to_judge(line, defects(trial.world))
    )


def _policy_prompt(policy: Policy, trial: Trial) -> str:
    values = {
        "sentence": policy.sentence,
        "trigger": policy.trigger,
        "condition": policy.condition,
        "evidence": policy.evidence,
        "hint": policy.hint or "(none)",
        "conversation": account(trial, state=policy.state, results=policy.results, situated=True),
    }
    return policy_prompt().fill(values)


def _of_the_agent(trial: Trial) -> tuple[str, ...]:
    """All words of the agent: those that the driver hears, and those in its calls, however deep."""
    said = (one.text for one in trial.events if isinstance(one, Said) and one.role == "assistant")
    written = (text for call in trial.calls for text in (call.tool, *_texts(dict(call.arguments or {}))))
    return (*said, *written)


def _texts(value: JsonValue) -> Iterator[str]:
    """Every text in a value, names of members included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _texts(one)
