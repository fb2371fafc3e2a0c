"""How many proofs the closure makes per second: `python benchmarks/proofs.py [--seconds 3]`.

A made-up world of forty tools in five servers: in each, tools that look things up by name, by id and
by the result of another, and one that changes something. Tasks are plans of one to four steps, proven
complete and with each of their tools removed, which is what the tests do to all shipped data.
Prints one line per kind of work; measured on one core, process time.
"""

import argparse
import time
from collections.abc import Callable, Iterator

from knowact.core.condition import Condition, Hide
from knowact.core.proof import Goal, Possibility, goal_of, means_under, prove
from knowact.core.seeds import generator
from knowact.core.task import Argument, Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Capability, Need, Report, Tool

SERVERS = 5
TOOLS_PER_SERVER = 8


def made_world() -> dict[str, Tool]:
    """Return the tools: number n of a server takes what number n - 1 reports."""
    tools: dict[str, Tool] = {}
    for server in range(SERVERS):
        for number in range(TOOLS_PER_SERVER):
            capability = Capability(
                about=("of",),
                needs=(Need(parameter="of", attribute=f"s{server}.a{number}"),),
                reports=(
                    Report(field="next", attribute=f"s{server}.a{number + 1}"),
                    Report(field="value", attribute=f"s{server}.value{number}"),
                ),
                changes=(f"s{server}.done",) if number == TOOLS_PER_SERVER - 1 else (),
            )
            name = f"s{server}_t{number}"
            tools[name] = Tool(name=name, parameters={"type": "object"}, capability=capability)
    return tools


def made_task(number: int, tools: dict[str, Tool]) -> Task:
    """Return a chain of one to four tools of one server, with ten tools of the others beside it."""
    rng = generator(0, "proofs", number)
    server, length = rng.randrange(SERVERS), rng.randint(1, 4)
    start = rng.randrange(TOOLS_PER_SERVER - length + 1)
    steps: list[Step] = []
    for place in range(length):
        linked = place > 0
        argument = Argument(
            value=f"{number}-{place}",
            origin="step" if linked else "query",
            step=place - 1 if linked else None,
            field="next" if linked else None,
        )
        steps.append(
            Step(
                tool=f"s{server}_t{start + place}",
                boundary=Boundary.EXTERNAL,
                arguments={"of": argument},
                wants=("value",) if place == length - 1 else (),
            )
        )
    own = [step.tool for step in steps]
    others = [name for name in tools if not name.startswith(f"s{server}_")]
    return Task(
        id=f"task-{number}",
        opening=Query(text="-"),
        world=WorldRef(name="made"),
        offered=(*own, *rng.sample(others, 10)),
        plan=tuple(steps),
        topology=Topology.SINGLE_HOP if length == 1 else Topology.MULTI_HOP,
        cluster=str(number),
    )


def removals(tasks: list[Task]) -> Iterator[tuple[Task, Condition | None]]:
    """Yield each task complete, and without each of its required tools."""
    for task in tasks:
        yield task, None
        for name in sorted(task.required):
            yield task, Condition(name="", changes=(Hide(tool=name),))


def rate(work: Callable[[], int], seconds: float) -> float:
    """Repeat `work`, which says how much it did, for so many seconds; return how much per second."""
    done, started = 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        done += work()
    return done / spent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Proofs per second.")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to measure each kind of work")
    seconds = float(parser.parse_args().seconds)
    tools = made_world()
    tasks = [made_task(number, tools) for number in range(200)]
    cases = list(removals(tasks))
    goals: dict[str, Goal] = {task.id: goal_of(task, tools) for task in tasks}

    def turn() -> int:
        return sum(1 for task in tasks if goal_of(task, tools).wanted)

    def prove_all() -> int:
        for task, condition in cases:
            possibility = prove(goals[task.id], means_under(task.offered, tools, condition)).verdict
            if (possibility is Possibility.POSSIBLE) != (condition is None):
                raise SystemExit(f"{task.id} under {condition}: {possibility}")
        return len(cases)

    def both() -> int:
        return sum(
            prove(goal_of(task, tools), means_under(task.offered, tools, condition)).verdict in Possibility
            for task, condition in cases
        )

    print(f"{len(tasks)} tasks, {len(cases)} cases, {len(tools)} tools in the world, 11 to 14 offered")
    print(f"plans turned into goals: {rate(turn, seconds):>9,.0f} per second")
    print(f"goals proven:            {rate(prove_all, seconds):>9,.0f} per second")
    print(f"both together:           {rate(both, seconds):>9,.0f} per second")


if __name__ == "__main__":
    main()
