"""Builds `kapro/everyday@0-A`: authored tasks in, frozen items out.

    python -m knowact.suites.kapro.build_everyday

reads `authored.jsonl` beside the data, executes every plan in the everyday world at the data set's
seed, freezes argument values and reference facts, and writes `items.jsonl` and `manifest.json`.
Equal sources give equal bytes. Nothing here is needed to *use* the data.

In the authored file, an argument is a bare value that stands in the query, or says where it comes from:
`{"value", "said"}` (the query says it in these words), `{"value", "context"}` (these words of the query
and the shown context together say it), `{"from": "0.city"}` (the result of step 0).
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import JsonValue

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.proof import check_plan, solvable, values_at
from knowact.core.seeds import generator
from knowact.core.task import Argument, Boundary, Fact, Query, Step, Task, Topology, WorldRef
from knowact.core.world import Call, Session
from knowact.datasets.own import ITEMS, MANIFEST, Manifest
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS

NAME: Final = "everyday"
VERSION: Final = "0-A"
SEED: Final = 27
FOLDER: Final = Path(__file__).parent / "data" / f"{NAME}@{VERSION}"
AUTHORED: Final = "authored.jsonl"
_GENERATOR: Final = "knowact.suites.kapro.build_everyday 1"


class Said(Noun):
    """An argument that the query says in other words than the call's."""

    value: JsonValue
    said: str


class Shown(Noun):
    """An argument that follows from words of the query together with the shown context."""

    value: JsonValue
    context: str


class AuthoredStep(Noun):
    """A step as it is authored; see `core.task.Step`."""

    tool: str
    boundary: Literal[Boundary.EXTERNAL, Boundary.INTERNAL]
    arguments: dict[str, JsonValue]
    wants: tuple[str, ...] = ()


class AuthoredFact(Noun):
    """A fact as it is authored: `source` names the result field, "<step>.<field>"; see `core.task.Fact`."""

    label: str
    kind: Literal["number", "text", "date", "time", "yes_no"]
    source: str
    value: str | float | bool | None = None
    tolerance: float = 0.0
    unit: str = ""
    aliases: tuple[str, ...] = ()
    rule: str = ""


class AuthoredTask(Noun):
    """A task as it is authored."""

    query: str
    topology: Topology
    steps: tuple[AuthoredStep, ...]
    facts: tuple[AuthoredFact, ...]
    setup: Mapping[str, JsonValue] = {}


def authored(folder: Path = FOLDER) -> list[AuthoredTask]:
    """Read the authored tasks, in order."""
    text = (folder / AUTHORED).read_text(encoding="utf-8")
    return [AuthoredTask.model_validate_json(line) for line in text.splitlines()]


def build(sources: Iterable[AuthoredTask], seed: int = SEED) -> list[Task]:
    """Turn authored tasks into frozen ones, in stratified order.

    Raises:
        BadData: A task is not what it says: an argument that nobody told, a boundary on the wrong side
            of the limits, a plan that fails, a fact that does not come out.
    """
    counts: dict[str, int] = defaultdict(int)
    buckets: dict[str, list[Task]] = defaultdict(list)
    for line, source in enumerate(sources, start=1):
        try:
            plan, results = _executed(source, seed)
            facts = tuple(_fact(fact, results) for fact in source.facts)
        except ValueError as error:
            raise BadData(str(error), Place(FOLDER / AUTHORED, line), "correct the task") from error
        bucket = f"{_side(plan)}-{source.topology.value}"
        counts[bucket] += 1
        task = _task(source, f"{NAME}-{bucket}-{counts[bucket]:02d}", plan, facts, line)
        complaint = check_plan(task) or proven(task, seed) or _rival(task)
        if complaint:
            raise BadData(complaint, Place(FOLDER / AUTHORED, line), "correct the task")
        buckets[bucket].append(task)
    return _round_robin([buckets[bucket] for bucket in sorted(buckets)])


def proven(task: Task, seed: int = SEED) -> str:
    """Return "" if the task is solvable with its tools, else what stands in the way."""
    tools = {name: operation.tool for name, operation in OPERATIONS.items()}
    return solvable(task, tools, EverydayWorld().open(task.world.setup, seed), holds)


def _rival(task: Task) -> str:
    """Say which offered tool could do a required one's job by a formula; "" if none."""
    for name in sorted(task.required):
        for other in OPERATIONS[name].also_done_by:
            if other in task.offered:
                return f"{name} is not needed beside {other}"
    return ""


def holds(task: Task, results: Sequence[Any]) -> str:
    """Say which reference fact the results of the plan do not bear out; "" if all are."""
    for fact in task.facts:
        step, _, field = fact.sources[0].partition(".")
        found = values_at(results[int(step)], field)
        if not found or (not fact.rule and found[0] != fact.value):
            return f"the fact {fact.label!r} is {fact.value!r}, but the plan gives {found!r}"
    return ""


def run_plan(plan: Sequence[Step], session: Session) -> list[Any]:
    """Run a plan with linked arguments taken from what comes out; frozen values are not looked at.

    Raises:
        ValueError: A call has a problem, or a linked field is not there.
    """
    results: list[Any] = []
    for step in plan:
        bound = {name: _bound(argument, results) for name, argument in step.arguments.items()}
        seen = session.call(Call(step.tool, bound))
        if seen.problem is not None:
            raise ValueError(f"{step.tool}: {seen.problem.message}")
        results.append(seen.value)
    return results


def _bound(argument: Argument, results: Sequence[Any]) -> Any:
    if argument.step is None or argument.field is None:
        return argument.value
    found = values_at(results[argument.step], argument.field)
    if not found:
        raise ValueError(f"step {argument.step} gives no {argument.field!r}")
    return found[0]


def _executed(source: AuthoredTask, seed: int) -> tuple[tuple[Step, ...], list[Any]]:
    """Bind and run the plan; return it with its values frozen, and the results."""
    loose = tuple(_step(step, source.query) for step in source.steps)
    results = run_plan(loose, EverydayWorld().open(source.setup, seed))
    frozen: list[Step] = []
    for step in loose:
        arguments = {
            name: argument.model_copy(update={"value": _bound(argument, results)})
            for name, argument in step.arguments.items()
        }
        bound = step.model_copy(update={"arguments": arguments})
        if OPERATIONS[step.tool].boundary(bound.call_arguments) is not step.boundary:
            raise ValueError(
                f"{step.tool} with {bound.call_arguments} is not {step.boundary.value} by the limits"
            )
        frozen.append(bound)
    return tuple(frozen), results


def _step(step: AuthoredStep, query: str) -> Step:
    if step.tool not in OPERATIONS:
        raise ValueError(f"there is no tool named {step.tool!r}")
    arguments = {name: _argument(value, query) for name, value in step.arguments.items()}
    return Step(tool=step.tool, boundary=step.boundary, arguments=arguments, wants=step.wants)


def _argument(written: JsonValue, query: str) -> Argument:
    """Read one authored argument, and hold it to what the query says."""
    if not isinstance(written, dict):
        if not any(form in query.casefold() for form in spellings(written)):
            raise ValueError(f"the query does not say {written!r}")
        return Argument(value=written)
    if "from" in written:
        step, _, field = str(written["from"]).partition(".")
        return Argument(value=None, origin="step", step=int(step), field=field)
    shown = "context" in written
    told = Shown.model_validate(written).context if shown else Said.model_validate(written).said
    if told.casefold() not in query.casefold():
        raise ValueError(f"the query does not say {told!r}")
    return Argument(value=written["value"], origin="context" if shown else "query")


def spellings(value: JsonValue) -> list[str]:
    """Return the ways in which a query may write a plain value: 4839217 also as 4,839,217."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [str(value), f"{value:,}", f"{value:.2f}", f"{value:,.2f}"]
    return [str(value).casefold()]


def _fact(fact: AuthoredFact, results: Sequence[Any]) -> Fact:
    step, _, field = fact.source.partition(".")
    found = values_at(results[int(step)], field)
    if not found:
        raise ValueError(f"the fact {fact.label!r} takes {fact.source!r}, which does not come out")
    return Fact(
        kind=fact.kind,
        value=found[0] if fact.value is None else fact.value,
        unit=fact.unit,
        tolerance=fact.tolerance,
        aliases=fact.aliases,
        label=fact.label,
        sources=(fact.source,),
        rule=fact.rule,
    )


def _side(plan: Sequence[Step]) -> str:
    sides = {step.boundary for step in plan}
    return Boundary.HYBRID.value if len(sides) > 1 else min(sides).value


def _task(
    source: AuthoredTask, name: str, plan: tuple[Step, ...], facts: tuple[Fact, ...], line: int
) -> Task:
    offered = list(dict.fromkeys(step.tool for step in plan))
    # The plan's order would tell which tool comes first.
    generator(SEED, "order", name).shuffle(offered)
    servers = {OPERATIONS[tool].tool.server for tool in offered}
    return Task(
        id=name,
        opening=Query(text=source.query),
        world=WorldRef(name=NAME, setup=dict(source.setup)),
        offered=tuple(offered),
        plan=plan,
        facts=facts,
        topology=source.topology,
        cluster=name,
        server="single" if len(servers) == 1 else "multi",
        provenance={
            "author": "knowact",
            "file": AUTHORED,
            "line": line,
            "seed": SEED,
        },
        stand_ins=_stand_ins(plan, offered),
    )


def _stand_ins(plan: Sequence[Step], offered: Sequence[str]) -> tuple[str, ...]:
    """Return tools that could stand in for a required one, and so must not be offered as distractors."""
    external = [step.tool for step in plan if step.external]
    found = {name for tool in external for name in OPERATIONS[tool].also_done_by}
    return tuple(sorted(found - set(offered)))


def _round_robin(buckets: Sequence[Sequence[Task]]) -> list[Task]:
    """Deal the buckets out in turn, so that every prefix is a fair sample."""
    longest = max(map(len, buckets), default=0)
    return [bucket[turn] for turn in range(longest) for bucket in buckets if turn < len(bucket)]


def rendered(tasks: Iterable[Task]) -> str:
    """Return the items file."""
    lines = (json.dumps(task.model_dump(mode="json"), ensure_ascii=False) for task in tasks)
    return "".join(f"{line}\n" for line in lines)


def manifest(items: str) -> Manifest:
    """Return the manifest of an items file."""
    return Manifest(
        name=NAME,
        version=VERSION,
        sha256=hashlib.sha256(items.encode()).hexdigest(),
        seed=SEED,
        world=NAME,
        generator=_GENERATOR,
        licence="MIT",
        datasheet="README.md",
        size=len(items.splitlines()),
    )


def files(folder: Path = FOLDER) -> Mapping[str, str]:
    """Return the generated files, name to text, without writing anything."""
    items = rendered(build(authored(folder)))
    return {ITEMS: items, MANIFEST: manifest(items).model_dump_json(indent=2) + "\n"}


def main() -> None:
    """Write the generated files."""
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
