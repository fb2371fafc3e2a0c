"""Proofs about tasks: solvable, impossible, partly possible.

`goal_of` turns a task's plan into a question for the closure; nobody writes atoms by hand:

- an argument that the query, the context or common knowledge tells is *given*;
- an argument that comes from an earlier step's result is tied to what that step's tool reports;
- an internal step is a free operation: from its arguments follows its result, with or without its tool;
- what must be reached are the wanted fields of all steps, and the effects of external ones, with what
  has to be found out and stands beside their subject (the text of a message);
- a value that comes from a step may also be reached by way of what that step was about.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, cast

from knowact.core.closure import Atom, Means, Rule, closure
from knowact.core.condition import Condition, Hide, Mask, Replace
from knowact.core.condition import Fail as FailChange
from knowact.core.task import Argument, Step, Task, Topology
from knowact.core.tool import Capability, Tool
from knowact.core.world import Call, WorldState

PROOF: Final = "proof"
"""In the provenance of a task, and as a label: the level of its proof."""
PROVEN: Final = "proven"
"""By the prover, on tools whose declarations are checked by execution."""
EXECUTED: Final = "executed"
"""By the prover, and the plan ran."""
DECLARED: Final = "declared"
"""By what somebody says of the tools, or by a judge."""


class Possibility(StrEnum):
    """What the prover says about a task and a set of tools."""

    POSSIBLE = "possible"
    PARTLY = "partly_possible"
    IMPOSSIBLE = "impossible"


class Unprovable(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """The plan cannot be turned into a question: a tool without capability, a field nobody reports."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A task as the closure sees it."""

    given: frozenset[Atom]
    rules: tuple[Rule, ...]
    wanted: frozenset[Atom]


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome, with its witnesses: what was wanted and could not be reached."""

    possibility: Possibility
    missing: frozenset[Atom]


def _symbol(value: object) -> str:
    """One name per value: equal values name one entity."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _capability(tools: Mapping[str, Tool], step: Step) -> Capability:
    tool = tools.get(step.tool)
    if tool is None:
        raise Unprovable(f"the plan names the tool {step.tool!r}, which the world does not have")
    if tool.capability is None:
        raise Unprovable(f"the tool {step.tool!r} declares no capability")
    return tool.capability


def _told(capability: Capability, step: Step) -> dict[str, Atom]:
    """The atoms that this step's call has to be told, by parameter."""
    return {
        need.parameter: Atom(need.attribute, (_symbol(step.arguments[need.parameter].value),))
        for need in capability.needs
        if need.parameter in step.arguments
    }


def _subject(capability: Capability, step: Step) -> tuple[str, ...]:
    """What this step's call is about; a subject parameter that is left out stands for its default."""
    needs = {need.parameter for need in capability.needs}
    return tuple(
        _symbol(step.arguments[name].value) if name in needs and name in step.arguments else ""
        for name in capability.about
    )


def _reported(capability: Capability, step: Step, field: str) -> Atom:
    for report in capability.reports:
        if report.field == field:
            return Atom(report.attribute, _subject(capability, step))
    raise Unprovable(f"the tool {step.tool!r} does not declare that its field {field!r} reports anything")


def goal_of(task: Task, tools: Mapping[str, Tool]) -> Goal:
    """Turn the plan into what is given, what follows freely, and what must be reached.

    Args:
        task: Any task whose plan has arguments with origins.
        tools: All tools of the world by name, whether offered or not.

    Raises:
        Unprovable: The plan and the capabilities do not fit together.
    """
    given: set[Atom] = set()
    rules: list[Rule] = []
    wanted: set[Atom] = set()
    fed = {argument.step for step in task.plan for argument in step.arguments.values()}
    for number, step in enumerate(task.plan):
        capability = _capability(tools, step)
        told = _told(capability, step)
        for name, atom in told.items():
            argument = step.arguments[name]
            if argument.origin == "step":
                rules.append(_link(argument, atom, task.plan, tools))
            else:
                given.add(atom)
        results = {_reported(capability, step, field) for field in step.wants}
        effects: set[Atom] = set()
        if step.external:
            effects = {Atom(change, _subject(capability, step)) for change in capability.changes}
            for atom in results | effects:
                whole = _with_what_stands_beside(atom, step, capability, told)
                if atom not in whole.then:
                    rules.append(whole)
                wanted |= whole.then
        else:
            everything = {Atom(name, _subject(capability, step)) for name in capability.gives()}
            rules.append(Rule(frozenset(told.values()), frozenset(everything)))
            wanted |= results
        if not (results or effects or number in fed):
            raise Unprovable(f"no result of step {number} is wanted or used")
    rules += _short_cuts(task.plan, tools, wanted | {atom for rule in rules for atom in rule.known})
    return Goal(frozenset(given), tuple(rules), frozenset(wanted))


def _with_what_stands_beside(
    atom: Atom, step: Step, capability: Capability, told: Mapping[str, Atom]
) -> Rule:
    """Want an atom together with what had to be found out and stands beside its subject.

    The subject may be reached by another road, but a message with the right text takes that very text.
    """
    found_out = {name for name, one in step.arguments.items() if one.origin == "step"}
    beside = [told[name] for name in sorted(found_out & told.keys() - set(capability.about))]
    whole = Atom(atom.attribute, (*atom.about, *(part for one in beside for part in one.about)))
    return Rule(frozenset({atom, *beside}), frozenset({whole}))


def _link(argument: Argument, atom: Atom, plan: Sequence[Step], tools: Mapping[str, Tool]) -> Rule:
    """Tie an argument that comes from an earlier result to what that step's tool reports."""
    source = _source(argument, plan)
    assert argument.field is not None
    reported = _reported(_capability(tools, source), source, argument.field)
    return Rule(frozenset({reported}), frozenset({atom}))


def _source(argument: Argument, plan: Sequence[Step]) -> Step:
    assert argument.step is not None
    if argument.step >= len(plan):
        raise Unprovable(f"an argument comes from step {argument.step}, but the plan has {len(plan)} steps")
    return plan[argument.step]


def _short_cuts(plan: Sequence[Step], tools: Mapping[str, Tool], asked: Iterable[Atom]) -> list[Rule]:
    """Tie a value that comes from a step to what that step was about.

    "The weather in the city where Ann lives" may be had by asking for Ann's city first, or at once from a
    tool that tells the weather by contact: whoever knows the attribute of Ann has it of her city. What a
    list of all things says is about nothing in particular; it is about each of them where the list itself
    says it.
    """
    origins: dict[str, tuple[str, ...]] = {}
    listed: dict[str, frozenset[str]] = {}
    for step in plan:
        for argument in step.arguments.values():
            if argument.origin == "step":
                source = _source(argument, plan)
                capability = _capability(tools, source)
                about = _subject(capability, source)
                if _symbol(argument.value) not in about:
                    origins.setdefault(_symbol(argument.value), about)
                if not about:
                    listed.setdefault(_symbol(argument.value), capability.gives())
    rules: list[Rule] = []
    waiting, seen = list(asked), set(asked)
    while waiting:
        atom = waiting.pop()
        for place, part in enumerate(atom.about):
            if part in origins and (origins[part] or atom.attribute in listed[part]):
                about = (*atom.about[:place], *origins[part], *atom.about[place + 1 :])
                before = Atom(atom.attribute, about)
                rules.append(Rule(frozenset({before}), frozenset({atom})))
                if before not in seen and len(seen) < MOST_SHORT_CUTS:
                    seen.add(before)
                    waiting.append(before)
    return rules


MOST_SHORT_CUTS = 1_000
"""Plans have three steps; only values that come round in a circle could ask for more."""


def means_under(
    offered: Iterable[str], tools: Mapping[str, Tool], condition: Condition | None = None
) -> tuple[Means, ...]:
    """Return the offered tools as the closure sees them, after a condition's changes.

    A tool that is listed but fails counts as absent. A tool of unknown capability is refused: a proof
    of impossibility would not hold over it.
    """
    parameters: dict[str, set[str]] = {}
    fields: dict[str, set[str]] = {}
    failing: set[str] = set()
    names = list(offered)
    for change in condition.changes if condition else ():
        match change:
            case FailChange(tool=tool):
                failing.add(tool)
            case Hide(tool=tool):
                names = [name for name in names if name != tool]
            case Replace(tool=tool, by=by):
                names = [by if name == tool else name for name in names]
            case Mask(tool=tool, part="parameter", name=part):
                parameters.setdefault(tool, set()).add(part)
            case Mask(tool=tool, name=part):
                fields.setdefault(tool, set()).add(part)
            case _:
                names.append(change.tool)
    means: list[Means] = []
    for name in (name for name in names if name not in failing):
        tool = tools.get(name)
        if tool is None or tool.capability is None:
            raise Unprovable(f"the tool {name!r} declares no capability")
        removed = frozenset(parameters.get(name, ())), frozenset(fields.get(name, ()))
        if removed[0] & frozenset(tool.required):
            # Even where the closure could guess the value (an enumeration): the call cannot carry it.
            continue
        means.append(Means(tool.capability, *removed))
    return tuple(means)


def prove(goal: Goal, means: Sequence[Means]) -> Proof:
    """Say whether everything, something or nothing of what is wanted can be reached.

    A goal without wants (a task that a model does alone) is possible with any tools.
    """
    missing = goal.wanted - closure(goal.given, means, goal.rules, goal.wanted)
    if not missing:
        return Proof(Possibility.POSSIBLE, frozenset())
    possibility = Possibility.IMPOSSIBLE if missing == goal.wanted else Possibility.PARTLY
    return Proof(possibility, missing)


def prove_task(task: Task, tools: Mapping[str, Tool], condition: Condition | None = None) -> Proof:
    """Prove one task with the tools that it offers under a condition."""
    return prove(goal_of(task, tools), means_under(task.offered, tools, condition))


@dataclass(frozen=True, slots=True)
class Execution:
    """What running the plan gave: each step's result, and what went wrong first (empty if nothing)."""

    results: tuple[Any, ...]
    failure: str = ""


def execute(task: Task, session: WorldState) -> Execution:
    """Run the plan, binding arguments that come from earlier steps afresh from their results."""
    results: list[Any] = []
    for number, step in enumerate(task.plan):
        arguments: dict[str, Any] = {}
        for name, argument in step.arguments.items():
            arguments[name] = argument.value
            if argument.origin == "step" and argument.step is not None and argument.field is not None:
                found = values_at(results[argument.step], argument.field)
                if argument.value not in (*found, found):
                    return Execution(
                        tuple(results),
                        f"step {number} takes {argument.value!r} for {name!r} from step {argument.step}, "
                        f"which gave {found!r}",
                    )
        seen = session.call(Call(step.tool, arguments))
        if seen.problem is not None:
            return Execution(tuple(results), f"step {number} ({step.tool}): {seen.problem.message}")
        results.append(seen.value)
    return Execution(tuple(results))


def values_at(result: Any, path: str) -> list[Any]:
    """Return the values at a dotted path; `[]` steps into every element of a list."""
    values = [result]
    for part in path.split("."):
        into_list = part.endswith("[]")
        name = part.removesuffix("[]")
        stepped: list[Any] = []
        for value in values:
            inner = _member(value, name)
            if inner is not None:
                stepped.extend(cast("list[Any]", inner) if into_list and isinstance(inner, list) else [inner])
        values = stepped
    return values


def _member(value: Any, name: str) -> Any:
    if not name:
        return value
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


def solvable(
    task: Task, tools: Mapping[str, Tool], session: WorldState, holds: Callable[[Task, Sequence[Any]], str]
) -> str:
    """Return "" if the task is solvable, else what stands in the way, in a sentence.

    Args:
        task: The task, complete.
        tools: All tools of its world.
        session: A fresh session of it.
        holds: Given the task and the results of its plan, says which reference fact they do not bear
            out ("" if all are): data sets know how their facts follow from results.
    """
    proof = prove_task(task, tools)
    if proof.possibility is not Possibility.POSSIBLE:
        return f"not possible with the offered tools; missing: {describe(proof.missing)}"
    run = execute(task, session)
    return run.failure or holds(task, run.results)


def describe(atoms: Iterable[Atom]) -> str:
    """Atoms in words, sorted."""
    return "; ".join(sorted(f"{atom.attribute} of ({', '.join(atom.about)})" for atom in atoms))


def check_plan(task: Task) -> str:
    """Return "" if topology and plan agree, else what does not, in a sentence.

    Only where every argument's origin is known: published plans carry no edges.
    """
    arguments = [argument for step in task.plan for argument in step.arguments.values()]
    if any(argument.origin == "unstated" for argument in arguments):
        return ""
    linked = any(argument.origin == "step" for argument in arguments)
    steps = len(task.plan)
    if (task.topology is Topology.SINGLE_HOP) != (steps == 1):
        return f"the topology is {task.topology.value}, but the plan has {steps} step(s)"
    if (task.topology is Topology.MULTI_HOP) != linked and steps > 1:
        how = "one step feeds another" if linked else "no step feeds another"
        return f"the topology is {task.topology.value}, but {how}"
    for number, step in enumerate(task.plan):
        for argument in step.arguments.values():
            if argument.step is not None and argument.step >= number:
                return f"step {number} takes an argument from step {argument.step}, which comes no earlier"
    return ""


NOTHING: Final = "\x00 withheld"
"""A value that no other argument can have."""


def told_less(
    task: Task,
    tools: Mapping[str, Tool],
    step: int,
    parameter: str,
    beside: Sequence[Any] = (),
) -> Goal:
    """Turn a task into a question for the closure, with one argument's value not given.

    Args:
        task: The complete task.
        tools: All tools of the world by name.
        step: The step of the argument.
        parameter: Its name.
        beside: Other values of the same kind that the text speaks of; they are given.

    Raises:
        ValueError: There is no such argument, or it comes from an earlier step.
        Unprovable: The plan and the capabilities do not fit together.
    """
    argument = task.plan[step].arguments.get(parameter)
    if argument is None or argument.origin == "step":
        raise ValueError(f"step {step} of {task.id!r} is not told {parameter!r} by the query")
    whole = goal_of(task, tools)
    # What another argument tells too stays given, and so does what nobody has to tell (a default).
    without = goal_of(_with_value(task, step, parameter, NOTHING), tools)
    given = set(whole.given & without.given)
    for value in beside:
        given |= goal_of(_with_value(task, step, parameter, value), tools).given
    return replace(whole, given=frozenset(given))


def prove_withheld(
    task: Task,
    tools: Mapping[str, Tool],
    step: int,
    parameter: str,
    beside: Sequence[Any] = (),
    *,
    condition: Condition | None = None,
) -> Proof:
    """Say what can be reached when one argument's value is not given, with the tools under a condition."""
    goal = told_less(task, tools, step, parameter, beside)
    return prove(goal, means_under(task.offered, tools, condition))


def _with_value(task: Task, step: int, parameter: str, value: Any) -> Task:
    old = task.plan[step]
    argument = old.arguments[parameter]
    arguments = {**old.arguments, parameter: Argument(value=value, origin=argument.origin)}
    changed = old.model_copy(update={"arguments": arguments})
    return task.model_copy(update={"plan": (*task.plan[:step], changed, *task.plan[step + 1 :])})


def prove_under(task: Task, tools: Mapping[str, Tool], condition: Condition) -> Proof:
    """Say what can be reached under a condition: its changes to the tools, and a value that it withholds.

    Raises:
        ValueError: It withholds several values, which no data set of ours does.
        Unprovable: The plan and the capabilities do not fit together.
    """
    values = [one.removeprefix("value:") for one in condition.withheld or () if one.startswith("value:")]
    if not values:
        return prove_task(task, tools, condition)
    if len(values) > 1:
        raise ValueError("a proof takes one withheld value at a time")
    tool, _, parameter = values[0].partition(".")
    step = next(
        number for number, one in enumerate(task.plan) if one.tool == tool and parameter in one.arguments
    )
    return prove_withheld(task, tools, step, parameter, condition=condition)
