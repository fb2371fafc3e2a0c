"""Crossed sets of tools: what is enough for one request is too little for another.

Two requests whose missing tools are exchanged for one another are offered the same others. So a set of tools
occurs as often in complete items as in incomplete ones, and who looks at the tools alone is at chance.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from knowact.core.condition import Condition, Replace
from knowact.core.proof import Possibility, prove_task
from knowact.core.seeds import generator
from knowact.core.task import Task
from knowact.worlds.material import Material

_WINDOW: Final = 40
"""So many of those who wait are looked at for a partner, so that the beginning of a data set is crossed."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A request on its way to a partner.

    Attributes:
        number: Which request it is.
        task: Its task, which offers its own tools only.
        gone: The required tools that go missing, in the plan's order.
        offered: Everything that is offered in the complete item.
        instead: What takes the place of each missing tool in the incomplete item.
    """

    number: int
    task: Task
    gone: tuple[str, ...]
    offered: tuple[str, ...] = ()
    instead: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def complete(self) -> Task:
        """The task with all that is offered."""
        return self.task.model_copy(update={"offered": self.offered})

    def condition(self, name: str) -> Condition:
        """What is changed in the incomplete item."""
        return Condition(
            name=name,
            changes=tuple(Replace(tool=tool, by=self.instead[tool]) for tool in self.gone),
            withheld=tuple(f"tool:{tool}" for tool in self.gone),
        )


def shuffled(task: Task, seed: int) -> Task:
    """The task, its tools offered in a drawn order: the plan's would tell which one comes first."""
    offered = list(task.offered)
    generator(seed, "offered", task.id).shuffle(offered)
    return task.model_copy(update={"offered": tuple(offered)})


def crossed(
    seats: Sequence[Seat],
    material: Material,
    cost: Callable[[Seat, Seat], float],
    holds: Callable[[Seat], bool],
) -> tuple[list[Seat], list[Seat]]:
    """Seat requests in couples.

    Args:
        seats: Who waits, in order.
        material: The world.
        cost: Of a couple; the cheapest one is tried first.
        holds: Whether a seated request is what it claims to be, beyond what is proven here.

    Returns:
        Those that are seated, couple by couple, and those for whom there is no partner.
    """
    waiting, seated, alone = list(seats), list[Seat](), list[Seat]()
    while waiting:
        first, *waiting = waiting
        for other in sorted(waiting[:_WINDOW], key=lambda seat: (cost(first, seat), seat.number)):
            couple = together(first, other)
            if couple and all(crosses(seat, material) and holds(seat) for seat in couple):
                seated += couple
                waiting.remove(other)
                break
        else:
            alone.append(first)
    return seated, alone


def together(seat: Seat, other: Seat) -> tuple[Seat, Seat] | None:
    """Seat two requests; None where one's missing tools are of use to the other."""
    mine, yours = set(seat.task.offered), set(other.task.offered)
    if len(seat.gone) != len(other.gone) or mine & set(other.gone) or yours & set(seat.gone):
        return None
    beside = sorted((mine - set(seat.gone)) | (yours - set(other.gone)))
    return _seated(seat, other, beside), _seated(other, seat, beside)


def _seated(seat: Seat, other: Seat, beside: Sequence[str]) -> Seat:
    instead = dict(zip(seat.gone, other.gone, strict=True))
    return Seat(seat.number, seat.task, seat.gone, (*seat.gone, *beside), instead)


def crosses(seat: Seat, material: Material) -> bool:
    """Whether the complete item can be done and the incomplete one cannot."""
    task = seat.complete
    rivals = [
        (name, gone)
        for gone in seat.gone
        for name in {*seat.offered, *seat.instead.values()} - {gone}
        if material.stands_in(name, gone)
    ]
    complete = prove_task(task, material.tools)
    incomplete = prove_task(task, material.tools, seat.condition("crossed"))
    return (
        not rivals
        and complete.possibility is Possibility.POSSIBLE
        and incomplete.possibility is not Possibility.POSSIBLE
    )
