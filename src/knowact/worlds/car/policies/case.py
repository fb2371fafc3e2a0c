"""What a judge reads about one rule and one trial (spec car-bench.md, section 10.3: D-37, D-40).

A log of what was said and done, one line each, with the values that the rule is about; not a dump of all
messages. Every text of the driver or the agent is a JSON string on its own line, so none of them can
pass for a line of the log. What the agent notes for itself is left out: the driver never hears it.
"""

import json
from collections.abc import Iterator
from typing import Final

from knowact.worlds.car.policies.catalogue import POLICIES, Policy
from knowact.worlds.car.record import Called, Said, Trial, Values
from knowact.worlds.car.timeline import Placed, Timeline, within

_PRIVATE: Final = frozenset({"think", "planning_tool"})

_SHORT, _LONG = 200, 6_000
"""Characters of a result that a rule is not about, and of one that it is."""


def case(trial: Trial, policy: str) -> str:
    """Return the rule and the log of a trial, for a judge.

    Args:
        trial: The record.
        policy: The id of a judged rule.

    Raises:
        ValueError: It is no rule, or not one for a judge.
    """
    rule = POLICIES.get(policy)
    if rule is None or rule.by != "judge":
        raise ValueError(f"{policy!r} is no rule that a judge decides")
    head = [f"Rule: {rule.sentence}", f"It comes up when {rule.trigger}.", f"Then: {rule.condition}."]
    if rule.hint:
        head.append(f"Mind: {rule.hint}")
    return "\n".join([*head, "", "What happened:", *_log(trial, rule)])


def _log(trial: Trial, rule: Policy) -> Iterator[str]:
    moment, place = (within(trial.context, name) for name in ("current_datetime", "current_location"))
    name, identity = (_json(within(place, one)) for one in ("name", "id"))
    yield f"- It is {_json(moment)}; the car is at {name} ({identity})."
    if rule.state:
        yield f"- At the start: {_state(trial.initial, rule)}."
    calls = iter(Timeline(trial).calls)
    for event in trial.events:
        if isinstance(event, Said):
            yield f"- {'The driver' if event.role == 'user' else 'The agent'} says: {_json(event.text)}"
        elif isinstance(event, Called):
            yield from _called(next(calls), rule)


def _called(placed: Placed, rule: Policy) -> Iterator[str]:
    call = placed.call
    if call.tool in _PRIVATE:
        return
    told = f"- The agent calls {_json(call.tool)} with {_json(dict(call.arguments or {}))}"
    if call.problem is not None:
        yield f"{told}; it is refused: {_json(call.problem.message)}"
        return
    long = call.tool in rule.results
    yield f"{told}; result: {_cut(_json(call.result), _LONG if long else _SHORT)}"
    if {change.name for change in call.changes} & set(rule.state):
        yield f"- Now: {_state(placed.after, rule)}."


def _state(values: Values, rule: Policy) -> str:
    return ", ".join(f"{name} = {_json(values.get(name))}" for name in rule.state)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} characters more)"
