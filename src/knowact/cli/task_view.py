"""One task as `knowact data show` prints it, and its proof, made on the spot."""

from typing import TYPE_CHECKING

from knowact.core.clean import dumps, one_line
from knowact.report.task_text import INDENT, fact_lines, plan_lines, query_lines, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from knowact.core.proof import Proof
    from knowact.core.suite import Clause, Item, Plan, Section, Suite
    from knowact.core.task import Step, Task
    from knowact.core.tool import Tool
    from knowact.core.world import Session


def task_lines(suite: "Suite", plan: "Plan", item: "Item", width: int) -> list[str]:
    """Everything that the data say of a task."""
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
        *(_plan(item, width) if suite.sections is None else _sections(suite.sections(item), width)),
        "Where it comes from:",
        *_provenance(item, width),
        "",
    ]


def _plan(item: "Item", width: int) -> list[str]:
    """How it is done, step by step, and what a right answer says."""
    task = item.task
    tools = {tool.name: tool for tool in item.tools}
    notes = [_boundary(step, tools.get(step.tool)) for step in task.plan]
    facts = fact_lines(task.facts, width) or wrapped(task.answer or "none", width)
    head = "A right answer says:" if task.facts else "Reference answer:"
    return ["Plan:", *plan_lines(task, width, notes), "", head, *facts, ""]


def _sections(sections: "Sequence[Section]", width: int) -> list[str]:
    """What a suite itself has to say of a task."""
    found: list[str] = []
    for section in sections:
        found.append(one_line(section.title))
        for line in section.lines:
            indent = INDENT + " " * (len(line) - len(line.lstrip(" ")))
            found += wrapped(line.strip(), width, indent, f"{indent}  ")
        found.append("")
    return found


def _gap(item: "Item", width: int) -> list[str]:
    """What was changed, and what is therefore missing."""
    if item.condition.withheld == ():
        return []
    missing = ", ".join(item.condition.withheld) if item.condition.withheld else "nobody has said what"
    return wrapped(f"{item.condition.name}; missing: {missing}", width, "")


def _boundary(step: "Step", tool: "Tool | None") -> str:
    if tool is None or tool.rubric is None:
        return f"{step.boundary.value}; nobody has said why"
    when = {
        "always": "whatever the arguments",
        "never": "whatever the arguments",
        "by_argument": "for these arguments",
        "public": "public facts, which carry no label",
    }
    fires = ", ".join(dimension.value for dimension in tool.rubric.fires)
    named = f" ({fires})" if fires and step.external else ""
    return f"{step.boundary.value}{named}, {when[tool.rubric.when]}: {tool.rubric.why}"


def _provenance(item: "Item", width: int) -> list[str]:
    task = item.task
    lines = [
        line for name, value in task.provenance.items() for line in wrapped(f"{name}: {_plain(value)}", width)
    ]
    lines += wrapped(f"world: {task.world.name}, cluster: {task.cluster}", width)
    if task.world.setup and task.world.name != "replay":
        lines += wrapped(f"the world is set up with {dumps(task.world.setup)}", width)
    if task.stand_ins:
        lines += wrapped(
            f"never distractors here, as they could stand in: {', '.join(task.stand_ins)}", width
        )
    if task.replay_gap:
        lines += wrapped(f"without a recording: {', '.join(task.replay_gap)}", width)
    return lines


def _plain(value: object) -> str:
    return value if isinstance(value, str) else dumps(value)


def own_proof_lines(clauses: "Sequence[Clause]", width: int) -> tuple[list[str], bool]:
    """What a suite's own prover says of a task: what holds, and what speaks against the rest."""
    lines = ["Proof:"]
    for clause in clauses:
        against = f": {'; '.join(clause.against)}" if clause.against else ""
        lines += wrapped(f"{clause.claim}{against}", width, _mark(not clause.against))
    return lines, not any(clause.against for clause in clauses)


def proof_lines(plan: "Plan", item: "Item", width: int) -> tuple[list[str], bool]:
    """Prove a task on the spot; return what was found, and whether it is as it has to be.

    Where nobody has said what the tools can do there is no proof, and nothing to hold.
    """
    from knowact.core.proof import Possibility, Unprovable, execute, prove_task
    from knowact.core.withheld import prove_under

    task = item.task
    tools = {tool.name: tool for tool in (*_session(plan, item).tools(), *item.tools)}
    try:
        whole = prove_task(task, tools)
        here = prove_under(task, tools, item.condition)
    except Unprovable as error:
        return ["Proof: none.", *wrapped(f"There can be none: {error}.", width)], True
    good = whole.verdict is Possibility.POSSIBLE
    if item.lacks:
        lacking = here.verdict is not Possibility.POSSIBLE
        lines = ["Proof:", *_proven("with what is there", here, lacking, width)]
        lines += _proven("its complete twin", whole, good, width)
        good &= lacking
    else:
        lines = ["Proof:", *_proven("with the tools on offer", here, good, width)]
        needed, more = _each_required(task, tools, width)
        lines, good = [*lines, *more], good and needed and here.verdict is Possibility.POSSIBLE
    run = execute(task, _session(plan, item))
    done = run.failure or "each step succeeds, on the values of the plan"
    lines += wrapped(f"executed in the world: {done}", width, _mark(not run.failure))
    return lines, good and not run.failure


def _each_required(task: "Task", tools: "Mapping[str, Tool]", width: int) -> tuple[bool, list[str]]:
    """Take each required tool away in turn: the task must not be possible then."""
    from knowact.core.condition import Condition, Hide
    from knowact.core.proof import Possibility, prove_task

    lines: list[str] = []
    good = True
    for name in sorted(task.required & set(task.offered)):
        without = prove_task(task, tools, Condition(name=f"no-{name}", changes=(Hide(tool=name),)))
        holds = without.verdict is not Possibility.POSSIBLE
        lines += _proven(f"without {name}", without, holds, width)
        good &= holds
    if not task.required:
        lines += wrapped("no tool is required, so there is none to take away", width, " " * 8)
    return good, lines


def _proven(how: str, proof: "Proof", good: bool, width: int) -> list[str]:
    from knowact.core.proof import describe

    missing = f"; missing: {describe(proof.missing)}" if proof.missing else ""
    verdict = proof.verdict.value.replace("_", " ")
    return wrapped(f"{how}: {verdict}{missing}", width, _mark(good))


def _mark(good: bool) -> str:
    return "  ok    " if good else "  FAIL  "


def _session(plan: "Plan", item: "Item") -> "Session":
    from knowact.worlds.registry import open_world

    return open_world(item.task.world, plan.world_seed)
