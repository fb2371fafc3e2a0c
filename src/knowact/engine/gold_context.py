"""What a built-in agent is told beside its messages: which probe asks, about which item.

Set by the engine around every probe, read by `knowact.agents` only. A real model never sees it.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from knowact.core.suite import Item
from knowact.probes.probe import Probe
from knowact.roles.gold_plan import GoldPlan
from knowact.roles.helper import Known


@dataclass(frozen=True, slots=True)
class GoldContext:
    """What a built-in agent is told.

    Attributes:
        probe: The probe that is under way.
        item: The item, gold included.
        seed: With the epoch, what fixes an agent's random choices.
        known: What the person knows who can be asked; None where nobody can be, or nobody has said.
        gold: What can be done and said, where the probe is a whole conversation; None elsewhere.
        built_in: Whether the agent is one of ours, whose messages declare what they do.
        planned: All items of the run: people who take part are told how many there are.
        endings: What is to be ended with the probe: an agent that still waits for the results of its calls.
    """

    probe: Probe
    item: Item
    seed: int
    epoch: int
    known: Known | None = None
    gold: GoldPlan | None = None
    built_in: bool = False
    planned: Sequence[Item] = ()
    endings: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])


_current: ContextVar[GoldContext | None] = ContextVar("knowact_gold", default=None)


def current_gold() -> GoldContext | None:
    """The gold context of the probe that is under way; None outside of knowact's tasks."""
    return _current.get()


def place_in_words() -> str:
    """Which item of how many is under way: "Task 3 of 10"; empty outside of knowact's tasks."""
    now = current_gold()
    items = () if now is None else now.planned
    places = [number for number, item in enumerate(items, 1) if now is not None and item is now.item]
    return f"Task {places[0]:,} of {len(items):,}" if places else ""


@contextmanager
def gold_context(now: GoldContext) -> Generator[None]:
    """Make `now` the gold context of the calls inside."""
    token = _current.set(now)
    try:
        yield
    finally:
        _current.reset(token)
        for end in now.endings:
            end()
