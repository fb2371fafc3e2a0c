"""A trial laid out in time: the state around every call, batch and turn, and what the agent knew when."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final

from pydantic import JsonValue

from knowact.core.conversation import Said
from knowact.worlds.car.effects import written
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.record import CarCalled, CarTrial, Values
from knowact.worlds.car.rules import Rules

MASKED: Final = "unknown"
"""What stands in a published result in place of a value that was taken away."""


def within(value: JsonValue | Mapping[str, JsonValue], name: str, *path: str) -> JsonValue:
    """Return what stands at a path of names in a JSON value; None where there is nothing."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return within(inner, *path) if path else inner


def number(value: JsonValue) -> float:
    """Return a number as it is, and 0 for anything else."""
    return value if isinstance(value, int | float) else 0.0


def texts(value: JsonValue | Mapping[str, JsonValue]) -> Iterator[str]:
    """Yield every text in a JSON value, names of members included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (text for element in value for text in texts(element))
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from texts(inner)


@dataclass(frozen=True, slots=True)
class Placed:
    """A call and the state around it; `place` counts the calls of the trial from 0."""

    call: CarCalled
    place: int
    before: Values
    after: Values


@dataclass(frozen=True, slots=True)
class Batch:
    """The calls of one message, and the state around them.

    Attributes:
        answered: Whether their own results count among what the agent knows (`Timeline.until_it_speaks`).
    """

    turn: int
    step: int
    calls: tuple[Placed, ...]
    answered: bool = False

    @property
    def before(self) -> Values:
        """The state when the message came."""
        return self.calls[0].before

    @property
    def after(self) -> Values:
        """The state when all of its calls were carried out."""
        return self.calls[-1].after

    def of(self, *tools: str) -> tuple[Placed, ...]:
        """Return its calls of some tools."""
        return tuple(placed for placed in self.calls if placed.call.tool in tools)


class Timeline:
    """All batches of a trial, in order."""

    def __init__(self, trial: CarTrial) -> None:
        self.trial = trial
        self.calls = tuple(_placed(trial))
        batches = groupby(self.calls, key=lambda placed: placed.call.step)
        self.batches = tuple(_batch(tuple(calls)) for _, calls in batches)

    @cached_property
    def final(self) -> Values:
        """The last state."""
        return self.calls[-1].after if self.calls else self.trial.initial

    @cached_property
    def spoken(self) -> tuple[int, ...]:
        """The number of calls before each of the agent's messages to the driver."""
        counts, calls = list[int](), 0
        for event in self.trial.events:
            if isinstance(event, CarCalled):
                calls += 1
            elif isinstance(event, Said) and event.role == "assistant":
                counts.append(calls)
        return tuple(counts)

    @cached_property
    def turn_ends(self) -> tuple[Values, ...]:
        """The initial state, and the state at each of the agent's messages to the driver."""
        states = (self.trial.initial, *(placed.after for placed in self.calls))
        return (self.trial.initial, *(states[count] for count in self.spoken))

    def until_it_speaks(self, batch: Batch) -> Batch:
        """Return a batch with all that follows before the agent next speaks, or before the end, as one."""
        start = batch.calls[0].place
        end = next((count for count in self.spoken if count > start), len(self.calls))
        return replace(batch, calls=self.calls[start:end], answered=True)

    def earlier(self, batch: Batch) -> tuple[Placed, ...]:
        """Return the calls of all messages before a batch."""
        return self.calls[: batch.calls[0].place]

    def known(self, batch: Batch) -> frozenset[str]:
        """Return the variables whose value the agent knew when the batch came, or has set in it.

        What a successful read showed, and what a successful call wrote. A read in the same batch tells
        nothing yet: its result comes only after the decision. Up to when the agent speaks, it tells.
        """
        rules = self.trial.world
        seen = [*self.earlier(batch), *(batch.calls if batch.answered else ())]
        shown = {name for placed in seen for name in revealed(placed.call, rules)}
        return frozenset(shown) | {name for placed in batch.calls for name in written(placed.call, rules)}


def revealed(call: CarCalled, rules: Rules) -> frozenset[str]:
    """Return the state variables whose value a call tells, under the rule set that its car ran under."""
    if not call.ok:
        return frozenset()
    shown = call.result if isinstance(call.result, Mapping) else {}
    return frozenset(name for name, value in shown.items() if name in FIELDS and value != MASKED) | frozenset(
        written(call, rules)
    )


def _placed(trial: CarTrial) -> Iterable[Placed]:
    now: Mapping[str, JsonValue] = dict(trial.initial)
    for place, call in enumerate(trial.calls):
        after = {**now, **{c.name: c.after for c in call.changes}} if call.changes else now
        yield Placed(call, place, now, after)
        now = after


def _batch(calls: tuple[Placed, ...]) -> Batch:
    return Batch(calls[0].call.turn, calls[0].call.step, calls)
