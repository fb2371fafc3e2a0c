"""One task as `knowact data show` prints it, and its proof, computed now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from knowact.core.clean import dumps, one_line
from knowact.core.condition import Condition, Hide
from knowact.core.proof import (
    PROOF,
    Possibility,
    Proof,
    Unprovable,
    describe,
    execute,
    prove_task,
    prove_under,
)
from knowact.core.screen import wrapped
from knowact.core.suite import Clause, Item, Plan, Suite
from knowact.core.task import Step, Task
from knowact.core.tool import Tool
from knowact.core.world import WorldState
from knowact.report.task_text import fact_lines, plan_lines, query_lines, section_lines
from knowact.worlds.registry import open_world


def task_lines(suite: Suite, plan: Plan, item: Item, width: int) -> list[str]:
    """Everything that the data say about a task."""
    task, data = item.task, plan.dataset
    context = _session(plan, item).context()
    kind = f"{task.boundary.value}, {task.topology.value.replace('_', ' ')}"
    required = ", ".join(sorted(item.required)) or "none"
    return [
        one_line(f"{task.id}, of {suite.name}/{data.name}@{data.version}"),
        *wrapped(f"{kind}; required tools: {required}", width, ""),
        *_gap(item, width),
        "",
        *query_lines(task, context, item.tools, width),
        "",
        *(section_lines(sections, width) if (sections := suite.sections(item)) else _plan(item, width)),
        "Provenance:",
        *_provenance(item, width),
        "",
    ]


def _plan(item: Item, width: int) -> list[str]:
    """The plan step by step, and the reference answer."""
    task = item.task
    tools = {tool.name: tool for tool in item.tools}
    notes = [_boundary(step, tools.get(step.tool)) for step in task.plan]
    facts = fact_lines(task.facts, width) or wrapped(task.answer or "none", width)
    head = "A correct answer states:" if task.facts else "Reference answer:"
    return ["Plan:", *plan_lines(task, width, notes), "", head, *facts, ""]


def _gap(item: Item, width: int) -> list[str]:
    """The condition, and what it withholds."""
    if item.condition.withheld == ():
        return []
    missing = ", ".join(item.condition.withheld) if item.condition.withheld else "not recorded"
    return wrapped(f"{item.condition.name}; missing: {missing}", width, "")


def _boundary(step: Step, tool: Tool | None) -> str:
    if step.told:
        return f"{step.boundary.value}: the request itself states {', '.join(step.told)}"
    if tool is None or tool.rubric is None:
        return f"{step.boundary.value}; no reason is recorded"
    when = {
        "always": "whatever the arguments",
        "never": "whatever the arguments",
        "by_argument": "for these arguments",
        "public": "a public fact, which carries no label",
    }
    fires = ", ".join(dimension.value for dimension in tool.rubric.fires)
    named = f" ({fires})" if fires and step.external else ""
    return f"{step.boundary.value}{named}, {when[tool.rubric.when]}: {tool.rubric.why}"


def _provenance(item: Item, width: int) -> list[str]:
    task = item.task
    lines = [
        line for name, value in task.provenance.items() for line in wrapped(f"{name}: {_plain(value)}", width)
    ]
    lines += wrapped(f"world: {task.world.name}, cluster: {task.cluster}", width)
    if task.world.setup and task.world.name != "replay":
        lines += wrapped(f"setup of the world: {dumps(task.world.setup)}", width)
    if task.stand_ins:
        lines += wrapped(
            f"never distractors here, because they could substitute: {', '.join(task.stand_ins)}", width
        )
    if task.replay_gap:
        lines += wrapped(f"without a recording: {', '.join(task.replay_gap)}", width)
    return lines


def _plain(value: object) -> str:
    return value if isinstance(value, str) else dumps(value)


class Level(StrEnum):
    """How far an item holds, as far as that can be found out without asking anybody."""

    PROVEN = "proven"
    """Possible with the tools offered, impossible without any that it requires, and the plan runs."""
    EXECUTED = "executed"
    """The plan runs; what the tools can do is not declared, or rests on annotations of own tools."""
    DECLARED = "declared"
    """It rests on what the data say."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Proven:
    """What a proof came to: its lines, how far the item holds, and the claims that do not."""

    lines: list[str]
    level: Level
    against: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the item."""
        return self.level is not Level.FAILED


def proof(suite: Suite, plan: Plan, item: Item, width: int) -> Proven:
    """Prove a task now, by the suite's own prover where it has one."""
    clauses = suite.clauses(item)
    return _general_proof(plan, item, width) if clauses is None else proof_of(clauses, width)


def proof_of(clauses: Sequence[Clause], width: int) -> Proven:
    """What a suite's own prover came to: the claims that hold, and the evidence against the others."""
    lines = ["Proof:"]
    for clause in clauses:
        against = f": {'; '.join(clause.against)}" if clause.against else ""
        lines += wrapped(f"{clause.claim}{against}", width, _mark(not clause.against))
    failed = tuple(f"{clause.claim}: {'; '.join(clause.against)}" for clause in clauses if clause.against)
    return Proven(lines, Level.FAILED if failed else Level.PROVEN, failed)


def _general_proof(plan: Plan, item: Item, width: int) -> Proven:
    """Prove a task by its tools' capabilities. Tools that declare none allow no proof, so none can fail."""
    task = item.task
    tools = {tool.name: tool for tool in (*_session(plan, item).tools(), *item.tools)}
    try:
        whole = prove_task(task, tools)
        here = prove_under(task, tools, item.condition)
    except Unprovable as error:
        ran = not execute(task, _session(plan, item)).failure
        lines = ["Proof: none.", *wrapped(f"The task cannot be proven: {error}.", width)]
        return Proven(lines, Level.EXECUTED if ran else Level.DECLARED)
    good = whole.possibility is Possibility.POSSIBLE
    if item.lacks:
        lacking = here.possibility is not Possibility.POSSIBLE
        lines = ["Proof:", *_proven("under this condition", here, lacking, width)]
        lines += _proven("the complete task", whole, good, width)
        good &= lacking
    else:
        lines = ["Proof:", *_proven("with the tools offered", here, good, width)]
        needed, more = _each_required(task, tools, width)
        lines, good = [*lines, *more], good and needed and here.possibility is Possibility.POSSIBLE
    run = execute(task, _session(plan, item))
    done = run.failure or "every step succeeds with the plan's values"
    lines += wrapped(f"executed in the world: {done}", width, _mark(not run.failure))
    holds = good and not run.failure
    mark = _mark(good=False)
    against = tuple(line.removeprefix(mark) for line in lines if line.startswith(mark))
    return Proven(lines, _level(task) if holds else Level.FAILED, against)


def _level(task: Task) -> Level:
    """How far a task holds whose every claim does: never further than its maker says."""
    declared = task.provenance.get(PROOF)
    return next((each for each in (Level.EXECUTED, Level.DECLARED) if each.value == declared), Level.PROVEN)


def _each_required(task: Task, tools: Mapping[str, Tool], width: int) -> tuple[bool, list[str]]:
    """Remove each required tool in turn: the task must become impossible."""
    lines: list[str] = []
    good = True
    for name in sorted(task.required & set(task.offered)):
        without = prove_task(task, tools, Condition(name=f"no-{name}", changes=(Hide(tool=name),)))
        holds = without.possibility is not Possibility.POSSIBLE
        lines += _proven(f"without {name}", without, holds, width)
        good &= holds
    if not task.required:
        lines += wrapped("no tool is required, so none can be removed", width, " " * 8)
    return good, lines


def _proven(how: str, proof: Proof, good: bool, width: int) -> list[str]:
    missing = f"; missing: {describe(proof.missing)}" if proof.missing else ""
    possibility = proof.possibility.value.replace("_", " ")
    return wrapped(f"{how}: {possibility}{missing}", width, _mark(good))


def _mark(good: bool) -> str:
    return "  ok    " if good else "  FAIL  "


def _session(plan: Plan, item: Item) -> WorldState:
    return open_world(item.task.world, plan.world_seed)
