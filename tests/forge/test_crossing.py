"""Crossed sets of tools: what is enough for one request is too little for the other."""

from forge.small_world import small
from knowact.core.proof import Possibility, prove_task
from knowact.core.task import Task
from knowact.forge.choose import candidates
from knowact.forge.crossing import Seat, crossed, together

WORLD = small()


def single(count: int) -> list[Task]:
    """Tasks of one external step each, of different tools."""
    found: dict[str, Task] = {}
    for draft in candidates(WORLD, 27):
        (step, *more) = draft.task.plan
        if not more and step.external:
            found.setdefault(step.tool, draft.task)
    return list(found.values())[:count]


def seats(tasks: list[Task]) -> list[Seat]:
    return [Seat(number, task, tuple(sorted(task.required))) for number, task in enumerate(tasks)]


def test_each_set_of_tools_comes_once_complete_and_once_incomplete() -> None:
    seated, alone = crossed(seats(single(8)), WORLD, lambda _one, _other: 0, lambda _seat: True)
    assert len(seated) + len(alone) == 8
    assert len(seated) >= 6
    complete = sorted(sorted(seat.offered) for seat in seated)
    incomplete = sorted(sorted(seat.instead.get(name, name) for name in seat.offered) for seat in seated)
    assert complete == incomplete
    for seat in seated:
        assert prove_task(seat.complete, WORLD.tools).possibility is Possibility.POSSIBLE
        changed = prove_task(seat.complete, WORLD.tools, seat.condition("crossed"))
        assert changed.possibility is Possibility.IMPOSSIBLE
        assert seat.condition("crossed").withheld == tuple(f"tool:{name}" for name in seat.gone)


def test_takes_the_cheapest_partner_first() -> None:
    four = seats(single(4))
    seated, _ = crossed(four, WORLD, lambda one, other: -abs(one.number - other.number), lambda _seat: True)
    assert [seat.number for seat in seated[:2]] == [0, 3]


def test_a_seat_that_does_not_hold_stays_alone() -> None:
    seated, alone = crossed(seats(single(4)), WORLD, lambda _one, _other: 0, lambda seat: seat.number != 0)
    assert 0 not in {seat.number for seat in seated}
    assert 0 in {seat.number for seat in alone}


def test_requests_that_need_each_others_tools_do_not_sit_together() -> None:
    one, other = seats(single(2))
    same = Seat(2, one.task, one.gone)
    assert together(one, same) is None
    assert together(one, Seat(3, other.task, ())) is None
    assert together(one, other) is not None
