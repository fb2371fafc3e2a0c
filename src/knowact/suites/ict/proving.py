"""What is proven of a pair: the complete version possible, the other one not.

Both are questions for the same closure, and everything that the dialogue tells is given in both: the
arguments and the results of earlier calls too. A lost value is taken from what is given, and a lost request
from what is wanted: whoever does not know what is asked for cannot know an answer to be one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from knowact.core.closure import Atom, Rule
from knowact.core.condition import CLEAN, Condition
from knowact.core.proof import DECLARED, EXECUTED, PROVEN, Goal, Proof, goal_of, means_under, prove, told_less
from knowact.core.task import Argument, Boundary, PastCall, Step, Task
from knowact.core.tool import Tool
from knowact.datasets.in_world import RECORDED
from knowact.suites.ict.cases import Lost, Pair
from knowact.worlds.registry import find, world

_REQUEST: Final = Atom("request.content", ("the user",))
"""What is asked for; no tool of the world reports it."""


def prove_incomplete(pair: Pair, tools: Mapping[str, Tool]) -> Proof:
    """Say what can be reached in the incomplete version."""
    return prove_missing(pair.task, tools, pair.lost, pair.condition if pair.gone else None, pair.past)


def prove_complete(pair: Pair, tools: Mapping[str, Tool]) -> Proof:
    """Say the same of the complete version: the positive control, by the same prover."""
    goal = goal_of(pair.task, tools)
    if pair.lost is not None and pair.lost.what == "request":
        goal = _asked(goal, told=True)
    return prove(_knowing(goal, pair.past, tools), means_under(pair.task.offered, tools, CLEAN))


def prove_missing(
    task: Task,
    tools: Mapping[str, Tool],
    lost: Lost | None,
    condition: Condition | None,
    past: Sequence[PastCall],
) -> Proof:
    """Say what can be reached with something missing.

    Args:
        task: The complete task.
        tools: All tools of the world by name.
        lost: What is not said.
        condition: What was changed about the tools.
        past: Calls that were made before, with their results.
    """
    if lost is None:
        goal = goal_of(task, tools)
    elif lost.what == "request":
        goal = _asked(goal_of(task, tools), told=False)
    else:
        assert lost.step is not None, "the noun says so"
        goal = told_less(task, tools, lost.step, lost.parameter, lost.beside)
    return prove(_knowing(goal, past, tools), means_under(task.offered, tools, condition))


def strength(task: Task, *, proved: bool) -> str:
    """Say how well a pair is shown to be what it claims.

    Args:
        task: The complete version.
        proved: Whether the prover has said so; else a judge has.

    Returns:
        `PROVEN`, `EXECUTED` or `DECLARED`.
    """
    if not proved or task.world.name in RECORDED:
        return DECLARED
    checked = find(task.world.name).examples is not None and world(task.world.name).deterministic
    return PROVEN if checked else EXECUTED


def _asked(goal: Goal, *, told: bool) -> Goal:
    """Want answers to what is asked, which takes knowing it."""
    answers = {atom: Atom(atom.attribute, (*atom.about, *_REQUEST.about)) for atom in goal.wanted}
    rules = tuple(
        Rule(frozenset({atom, _REQUEST}), frozenset({answer})) for atom, answer in sorted(answers.items())
    )
    given = goal.given | {_REQUEST} if told else goal.given
    return Goal(frozenset(given), (*goal.rules, *rules), frozenset(answers.values()))


def _knowing(goal: Goal, past: Sequence[PastCall], tools: Mapping[str, Tool]) -> Goal:
    """Add what earlier calls were told and what they gave."""
    given = set(goal.given)
    for call in past:
        known = goal_of(_as_task(call, tools), tools)
        given |= known.given | known.wanted
    return replace(goal, given=frozenset(given))


def _as_task(call: PastCall, tools: Mapping[str, Tool]) -> Task:
    """An earlier call as a task of its own, of which everything is wanted."""
    capability = tools[call.tool].capability
    assert capability is not None, "every tool of the everyday world declares what it can do"
    step = Step(
        tool=call.tool,
        boundary=Boundary.EXTERNAL,
        arguments={name: Argument(value=value) for name, value in call.arguments.items()},
        wants=tuple(report.field for report in capability.reports),
    )
    return Task.model_validate(
        {
            "id": "past",
            "cluster": "past",
            "opening": {"text": "past"},
            "world": {"name": "everyday"},
            "offered": (call.tool,),
            "plan": (step,),
            "topology": "single_hop",
        }
    )
