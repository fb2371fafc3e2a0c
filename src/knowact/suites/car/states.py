"""Which states a trial may stand in, at the end and whenever the agent speaks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pydantic import JsonValue

from knowact.suites.car.goals import MAILS, PHONES, TRUNK, Action, Goal, dialled
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.effects import NAVIGATION
from knowact.worlds.car.record import Values

_COLLECTED: Final = (MAILS, PHONES)
"""Lists that only ever grow, and whose order says nothing."""

_MOST_ACTIONS: Final = 14
"""Published references have 9 at most; beyond this, orders are too many to list."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A variable that stands at another value than it should."""

    name: str
    found: JsonValue


class Allowed:
    """The states that a goal allows, from the first state of the trial on.

    Args:
        initial: The first state.
        goal: With the changes of its reference; without a gap.
        faults: The faults of the published scoring that are on.
    """

    def __init__(self, initial: Values, goal: Goal, faults: frozenset[Defect]) -> None:
        self._initial, self._goal, self._faults = initial, goal, faults

    @cached_property
    def end(self) -> Values:
        """The state after the whole reference."""
        return self._comparable(_after(self._initial, self._goal.actions))

    @cached_property
    def on_the_way(self) -> tuple[Values, ...]:
        """All states that the reference passes: in its order, or in any order that its steps allow."""
        if Defect.ONE_ORDER in self._faults:
            return self._passed(_in_order(self._goal.actions))
        return self._passed((_in_order if self._are_many else _in_any_order)(self._steps))

    @cached_property
    def harmless(self) -> tuple[Values, ...]:
        """All states that some of the reference's steps lead to, as far as they can be taken."""
        return self._passed((_in_order if self._are_many else _in_any_order)(self._steps, barred=True))

    @cached_property
    def _steps(self) -> Sequence[Action]:
        """The reference in its smallest steps, unless that makes too many."""
        parts = _in_parts(self._goal.actions)
        return self._goal.actions if _acting(parts) > _MOST_ACTIONS else parts

    @property
    def _are_many(self) -> bool:
        return _acting(self._steps) > _MOST_ACTIONS

    def _passed(self, chosen: Iterable[Sequence[Action]]) -> tuple[Values, ...]:
        return tuple(self._comparable(_after(self._initial, some)) for some in chosen)

    def is_end(self, state: Values) -> bool:
        """Whether a state is the reference's last one, or one that the goal says is as good."""
        found = self._comparable(state)
        ends = [self._comparable({**self._initial, **end}) for end in self._goal.ends]
        return any(found == end for end in (self.end, *ends))

    def is_on_the_way(self, state: Values) -> bool:
        """Whether a state is one that the agent may speak in."""
        found = self._comparable(state)
        if found in self.on_the_way:
            return True
        if Defect.ONE_ORDER in self._faults:
            return False
        return self.is_end(state) or any(
            _loosely_equal(found, passed, self._initial, self.end) for passed in self.on_the_way
        )

    def is_harmless(self, state: Values) -> bool:
        """Whether a state is one that only possible steps of the reference lead to."""
        found = self._comparable(state)
        return any(
            found == passed or _loosely_equal(found, passed, self._initial, self.end)
            for passed in self.harmless
        )

    def differences(self, state: Values) -> tuple[Difference, ...]:
        """Say in which variables a state departs from the reference's last one."""
        found = self._comparable(state)
        return tuple(Difference(name, value) for name, value in found.items() if self.end.get(name) != value)

    def _comparable(self, state: Values) -> Values:
        """Return a state in which what means the same is the same."""
        out = dict(state)
        if Defect.TRUNK_WORDS not in self._faults:
            out[TRUNK] = "OPEN" if str(state.get(TRUNK)).upper() == "OPEN" else "CLOSE"
        if Defect.LISTS_IN_ORDER not in self._faults:
            out[MAILS] = [*sorted({text.strip().casefold() for text in _texts(state, MAILS)})]
            out[PHONES] = [*sorted({dialled(text) for text in _texts(state, PHONES)})]
        return out


def _texts(state: Values, name: str) -> list[str]:
    value = state.get(name)
    return [str(item) for item in value] if isinstance(value, list) else []


def _after(initial: Values, actions: Iterable[Action]) -> dict[str, JsonValue]:
    return {**initial, **{change.name: change.after for one in actions for change in one.changes}}


def _acting(actions: Sequence[Action]) -> int:
    return sum(bool(one.changes) for one in actions)


def _in_parts(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return a reference with each call that writes several variables as a call for each.

    All windows may be closed one by one, and both seats heated one after the other. A route is one thing.
    """
    parts: list[Action] = []
    places: list[tuple[int, ...]] = []
    for one in actions:
        after = tuple(part for place in one.after for part in places[place])
        whole = len(one.changes) <= 1 or any(change.name in NAVIGATION for change in one.changes)
        changes = [one.changes] if whole else [(change,) for change in one.changes]
        places.append(tuple(range(len(parts), len(parts) + len(changes))))
        parts += [one.model_copy(update={"changes": some, "after": after}) for some in changes]
    return tuple(parts)


def _in_any_order(actions: Sequence[Action], *, barred: bool = False) -> Iterator[Sequence[Action]]:
    """Yield every choice of actions that could have been taken so far: with each, all that must precede it.

    Args:
        actions: In the order of the reference.
        barred: Whether to leave out those that need a part that was taken away.
    """
    before = [_needed_before(place, actions) for place in range(len(actions))]
    acting = [place for place, one in enumerate(actions) if one.changes and not (barred and one.barred)]
    chosen: list[frozenset[int]] = [frozenset()]
    for place in acting:
        chosen += [some | {place} for some in chosen if before[place] <= some]
    for some in chosen:
        yield [actions[place] for place in sorted(some)]


def _in_order(actions: Sequence[Action], *, barred: bool = False) -> Iterator[Sequence[Action]]:
    """Yield what could have been taken so far in the order of the reference; arguments as `_in_any_order`."""
    chosen: list[int] = []
    yield []
    for place, one in enumerate(actions):
        takeable = one.changes and not (barred and one.barred)
        if takeable and _needed_before(place, actions) <= set(chosen):
            chosen.append(place)
            yield [actions[taken] for taken in chosen]


def _needed_before(place: int, actions: Sequence[Action]) -> frozenset[int]:
    """The acting steps that must precede one: those that it names, and those that write its variables."""
    names = {change.name for change in actions[place].changes}
    found: set[int] = set()
    rest = list(actions[place].after)
    while rest:
        named = rest.pop()
        found.add(named)
        rest += actions[named].after
    writers = (p for p in range(place) if names & {change.name for change in actions[p].changes})
    return frozenset(p for p in {*found, *writers} if actions[p].changes)


def _loosely_equal(found: Values, passed: Values, initial: Values, end: Values) -> bool:
    """Whether two states differ only in what may grow towards the end step by step.

    Addresses and numbers one after the other, and a route in the making: its stops are among the goal's,
    in the goal's order (the same route built in two steps).
    """
    loose = {*_COLLECTED, *NAVIGATION}
    if any(found.get(name) != value for name, value in passed.items() if name not in loose):
        return False
    for name in _COLLECTED:
        have = set(_texts(found, name))
        if not set(_texts(initial, name)) <= have <= set(_texts(end, name)) | set(_texts(initial, name)):
            return False
    if all(found.get(name) == passed.get(name) for name in NAVIGATION):
        return True
    stops, goal = _texts(found, "waypoints_id"), _texts(end, "waypoints_id")
    return bool(stops) and stops[:1] == goal[:1] and _is_subsequence(stops, goal)


def _is_subsequence(some: Sequence[str], every: Sequence[str]) -> bool:
    rest = iter(every)
    return all(one in rest for one in some)
