"""The proofs can fail: each claim, broken on purpose in a sound task, is told."""

import pytest
from pydantic import JsonValue

from knowact.core.task import Argument, Boundary, Fact, Step, Task, Topology, WorldRef
from knowact.datasets.own import load_own
from knowact.forge.proving import off_side, unproven, unproven_in_a_crowd
from knowact.suites.kapro.items import DATA, KaproOptions
from knowact.worlds.everyday.material import material

SEED = 27
WORLD = material()
TASKS = load_own(DATA / KaproOptions().data).rows


def one(boundary: Boundary, topology: Topology = Topology.SINGLE_HOP) -> Task:
    return next(task for task in TASKS if task.boundary is boundary and task.topology is topology)


def with_step(task: Task, place: int, **changes: object) -> Task:
    plan = list(task.plan)
    plan[place] = plan[place].model_copy(update=changes)
    return task.model_copy(update={"plan": tuple(plan)})


@pytest.mark.parametrize("boundary", list(Boundary))
def test_a_sound_task_passes(boundary: Boundary) -> None:
    task = one(boundary, Topology.MULTI_HOP)
    assert unproven(task, SEED, WORLD) == ""
    assert unproven_in_a_crowd(task, WORLD) == ""


def test_a_step_on_the_wrong_side_is_told() -> None:
    task = one(Boundary.INTERNAL)
    assert "is not external by the limits" in off_side(
        with_step(task, 0, boundary=Boundary.EXTERNAL), SEED, WORLD
    )


def test_a_wrong_fact_is_told() -> None:
    task = one(Boundary.EXTERNAL)
    wrong = Fact(kind="text", value="nonsense", label="it", sources=task.facts[0].sources)
    assert "the fact 'it' is 'nonsense'" in unproven(task.model_copy(update={"facts": (wrong,)}), SEED, WORLD)


def test_a_tool_that_is_not_offered_is_told() -> None:
    task = one(Boundary.EXTERNAL)
    assert "not possible with the offered tools" in unproven(
        task.model_copy(update={"offered": ()}), SEED, WORLD
    )


def test_a_tool_that_can_stand_in_for_a_required_one_is_told() -> None:
    name, task = next(
        (step.tool, with_step(task, 0, boundary=Boundary.EXTERNAL))
        for task in TASKS
        for step in task.plan
        if task.topology is Topology.SINGLE_HOP and WORLD.stands_in("multiply", step.tool)
    )
    crowded = task.model_copy(update={"offered": (name, "multiply")})
    assert f"{name} is not needed beside multiply" in unproven(crowded, SEED, WORLD)


def test_a_wrong_topology_is_told() -> None:
    task = one(Boundary.EXTERNAL, Topology.MULTI_HOP)
    assert "the topology is parallel" in unproven(
        task.model_copy(update={"topology": Topology.PARALLEL}), SEED, WORLD
    )


def test_an_answer_that_stays_the_same_under_every_seed_is_told() -> None:
    fixed: dict[str, JsonValue] = {"accounts": {"joint": {"cents": 12_300}}}
    step = Step(
        tool="get_balance",
        boundary=Boundary.EXTERNAL,
        arguments={"account": Argument(value="joint")},
        wants=("balance_eur",),
    )
    task = one(Boundary.EXTERNAL).model_copy(
        update={"plan": (step,), "offered": ("get_balance",), "world": WorldRef(name="everyday", setup=fixed)}
    )
    assert "hardly changes with the seed" in off_side(task, SEED, WORLD)
    alive = task.model_copy(update={"world": WorldRef(name="everyday")})
    assert off_side(alive, SEED, WORLD) == ""
