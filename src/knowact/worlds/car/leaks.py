"""Whether a car gives away what was taken away from what it tells (CAR-bench).

Two cars that differ only in a withheld reading answer every single call alike, and every write followed by
a read. What a tool tells is declared (`core.tool.Capability`), so a *thing* (a variable, or a field of the
databases' rows) is withheld where no tool that is left tells an attribute that shows it. Each such thing is
given two values, and both cars are asked everything whose arguments can be listed.

Ids of places, routes and people are left as they are: nobody guesses them, and whether a text can still be
read somewhere is another proof's question (`suites.car.proofs`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias, cast

from pydantic import JsonValue

from knowact.core.condition import Mask
from knowact.core.model import Noun
from knowact.core.tool import Report, Tool
from knowact.core.world import Call
from knowact.worlds.car.databases import Databases
from knowact.worlds.car.databases.rows import Contact, Meeting, Poi, Route, Slot
from knowact.worlds.car.effects import NAVIGATION
from knowact.worlds.car.fields import FIELDS, Choice, Field, Level, Switch
from knowact.worlds.car.removal import LimitedState, Removed
from knowact.worlds.car.world import CarWorld
from knowact.worlds.paths import elements, members
from knowact.worlds.typed.validate import limit

_Pair = tuple[JsonValue, JsonValue]
_RANGES: Final = ("battery.range", "charge.distance")
_CHARGING: Final = ("charging.minutes", "charging.reached")
_FUEL: Final = ("fuel.remaining", "fuel.consumption")

_CONTEXT: Final[Mapping[str, tuple[_Pair, tuple[str, ...]]]] = {
    "car_color": (("blue", "red"), ("car.color",)),
    "state_of_charge": ((15, 90), ("battery.charge", "battery.range", "fuel.remaining")),
    "energy_consumption": ((10, 20), (*_RANGES, *_FUEL)),
    "battery_capacity_kwh": ((60, 100), ("battery.capacity", "fuel.remaining", *_RANGES, *_CHARGING)),
    "max_charging_power_ac": ((11, 22), ("battery.ac_power", *_CHARGING)),
    "max_charging_power_dc": ((150, 350), ("battery.dc_power", *_CHARGING)),
    "charging_curve_parameters": (
        ({"thresholds": [100], "power_shares": [100]}, {"thresholds": [100], "power_shares": [50]}),
        _CHARGING,
    ),
}
"""Two values of each variable of the context, and the attributes that show it, be it by way of a formula."""

_ROWS: Final[Sequence[tuple[type[Noun], str, _Pair, tuple[str, ...]]]] = (
    (Slot, "temperature_c", (-10, 30), ("weather.temperature", "weather.next_temperature")),
    (Slot, "wind_speed_kph", (0, 90), ("weather.wind", "weather.next_wind")),
    (Slot, "humidity_percent", (5, 95), ("weather.humidity", "weather.next_humidity")),
    (Slot, "condition", ("sunny", "cloudy_and_fog"), ("weather.condition", "weather.next_condition")),
    (Meeting, "location", ("Munich", "Paris"), ("meeting.location",)),
    (Meeting, "topic", ("Review", "Farewell"), ("meeting.topic",)),
    (Meeting, "attendees", ([], ["con_0000"]), ("meeting.attendees",)),
    (Contact, "phone_number", ("+49 1", "+49 2"), ("contact.phone_number",)),
    (Contact, "email", ("a@one.example", "b@two.example"), ("contact.email",)),
    (Poi, "phone_number", ("+49 1", "+49 2"), ("poi.phone_number", "waypoint.phone_number")),
    (Route, "distance_km", (7.0, 70.0), ("route.distance", "route.part_distance", "poi.kilometer")),
    (Route, "duration_minutes", (1, 59), ("route.minutes", "route.part_minutes")),
    (Route, "duration_hours", (1, 9), ("route.hours", "route.part_minutes")),
)
"""Likewise of each field of the databases' rows."""


_TABLES: Final = ("locations", "contacts", "calendars")


class _Otherwise:
    """Databases whose rows have another value in one field."""

    def __init__(self, databases: Databases, row: type[Noun], name: str, value: JsonValue) -> None:
        self._databases, self._row, self._put = databases, row, {name: value}
        self._known: dict[str, _Rows] = {}

    # Whatever databases have: what is asked of them is asked of the true ones, and altered.
    def __getattr__(self, name: str) -> "_Rows | Callable[..., _Rows]":
        if name not in _TABLES:
            look_up: Callable[..., _Rows] = getattr(self._databases, name)
            return lambda *about: self._altered(look_up(*about))
        if name not in self._known:
            self._known[name] = self._altered(getattr(self._databases, name))
        return self._known[name]

    def _altered(self, value: "_Rows") -> "_Rows":
        if isinstance(value, Noun):
            rows = {name: getattr(value, name) for name in ("weather", "meetings") if hasattr(value, name)}
            inner = {name: self._altered(row) for name, row in rows.items()}
            return value.model_copy(update={**inner, **(self._put if isinstance(value, self._row) else {})})
        if isinstance(value, tuple | list):
            return tuple(self._altered(row) for row in value)
        if isinstance(value, Mapping):
            return {key: self._altered(row) for key, row in value.items()}
        return value


_Rows: TypeAlias = "Noun | Sequence[_Rows] | Mapping[str, _Rows] | str | bool | None"
"""What databases answer: rows, ids and phone numbers that are known or not."""


@dataclass(frozen=True, slots=True)
class _Thing:
    """What could be withheld.

    Attributes:
        path: Where it stands in a setup, or the field of a row.
        shown_as: The attributes that show it.
        values: Two that it can have.
        row: The kind of row that it is a field of, if it is.
    """

    path: tuple[str, ...]
    shown_as: frozenset[str]
    values: _Pair
    row: type[Noun] | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Looks for leaks in one situation.

    Args:
        world: The car world, under the definition.
        setup: The situation.
        seed: Of the databases.
        taken: What was taken away.
        own: Calls that can be made without knowing anything of what was taken away.
    """

    world: CarWorld
    setup: Mapping[str, JsonValue]
    seed: int
    taken: Removed
    own: Sequence[Call] = ()

    def leaks(self) -> Iterator[str]:
        """Yield what tells of each withheld thing, a clause each; nothing where nothing does."""
        things = self._withheld()
        # All at once first, as looking takes its time and there is seldom anything to name.
        for thing in things if next(self._telling(things), None) else ():
            if telling := dict.fromkeys(self._telling([thing])):
                yield f"{'.'.join(thing.path)} is told by {', '.join(telling)}"

    def withheld(self) -> tuple[str, ...]:
        """Return the names of what no tool tells any more, though one would without the removal."""
        return tuple(".".join(thing.path) for thing in self._withheld())

    def _withheld(self) -> Sequence[_Thing]:
        car = self.world.open(self.setup, self.seed)
        whole = {tool.name: tool for tool in car.tools()}
        limited = LimitedState(car, self.taken).tools()
        usable = [tool for tool in limited if set(whole[tool.name].required) <= set(tool.properties)]
        masks = (mask for mask in self.taken.changes if isinstance(mask, Mask) and mask.part == "parameter")
        # A topic that can't be asked about is a topic that is not told.
        unasked = {(mask.tool, mask.name.partition(".")[2]) for mask in masks}
        before = {report.attribute for _, report in _shown(car.tools())}
        left = {report.attribute for tool, report in _shown(usable) if (tool, _plain(report)) not in unasked}
        return [
            thing for thing in _things(car.tools()) if thing.shown_as & before and not thing.shown_as & left
        ]

    def _telling(self, things: Sequence[_Thing]) -> Iterator[str]:
        """Yield the calls that come out differently in two cars, and the reads that do after a write."""
        opened = [self._opens(things, which) for which in (0, 1)]
        whole = {tool.name: tool for tool in opened[0]().tools()}
        values = [value for thing in things for value in thing.values]
        calls = [call for tool in whole.values() for call in _calls(tool, values)]
        calls += [call for call in self.own if call.tool in whole]
        silent: list[Call] = []
        for call in calls if things else ():
            if _differ([opens() for opens in opened], call):
                yield call.tool
            else:
                silent.append(call)
        reads = [call for call in silent if not _writes(whole[call.tool])]
        # What a read tells hangs on the state, so no pair of states need be looked at twice.
        seen = {tuple(opens().digest() for opens in opened)}
        for call in silent:
            pair = [opens() for opens in opened]
            _differ(pair, call)
            states = tuple(car.digest() for car in pair)
            if states not in seen:
                seen.add(states)
                yield from (f"{read.tool} after {call.tool}" for read in reads if _differ(pair, read))

    def _opens(self, things: Sequence[_Thing], which: int) -> Callable[[], LimitedState]:
        """Return what opens a fresh car in which things have the first or the second of their values."""
        setup = self.setup
        for thing in things:
            setup = setup if thing.row else _put(setup, thing.path, thing.values[which])
        databases = self.world.open(setup, self.seed).car.databases
        for thing in things:
            if thing.row:
                altered = _Otherwise(databases, thing.row, thing.path[0], thing.values[which])
                databases = cast("Databases", altered)

        def opens() -> LimitedState:
            car = self.world.open(setup, self.seed)
            car.car.databases = databases
            return LimitedState(car, self.taken)

        return opens


def _differ(pair: Sequence[LimitedState], call: Call) -> bool:
    first, second = (car.call(call) for car in pair)
    return first != second


def _writes(tool: Tool) -> bool:
    return tool.capability is not None and bool(tool.capability.changes)


def _shown(tools: Iterable[Tool]) -> Iterator[tuple[str, Report]]:
    """Yield what the tools report that only look."""
    for tool in tools:
        if tool.capability is not None and not _writes(tool):
            yield from ((tool.name, report) for report in tool.capability.reports)


def _plain(report: Report) -> str:
    return report.field.removesuffix("[]")


def _things(tools: Sequence[Tool]) -> Iterator[_Thing]:
    """Yield everything that could be withheld: by the fields that show it, or by the tables above."""
    shown: dict[str, set[str]] = {}
    for _, report in _shown(tools):
        shown.setdefault(_plain(report), set()).add(report.attribute)
    for name, attributes in shown.items():
        path = tuple(name.split("."))
        # A car that refuses to edit a route tells that none is there: guidance cannot be withheld.
        if values := _two_of(FIELDS.get(name) if name not in NAVIGATION else None):
            yield _Thing(path, frozenset(attributes), values)
        elif path[0] == "seats_occupied":
            yield _Thing(path, frozenset(attributes), (False, True))
        elif any(attribute.startswith("preference.") for attribute in attributes):
            yield _Thing(("user_preferences", *path), frozenset(attributes), (["I do."], ["I don't."]))
    for name, (values, attributes) in _CONTEXT.items():
        yield _Thing((name,), frozenset(attributes), values)
    for row, name, values, attributes in _ROWS:
        yield _Thing((name,), frozenset(attributes), values, row)


def _two_of(kind: Field | None) -> _Pair | None:
    """Two values of a variable, as far apart as can be; none of lists, which no sensor reads."""
    match kind:
        case Switch():
            return False, True
        case Level():
            return kind.lowest, kind.highest
        case Choice():
            return kind.words[0], kind.words[-1]
        case _:
            return None


def _put(values: Mapping[str, JsonValue], path: Sequence[str], value: JsonValue) -> dict[str, JsonValue]:
    """Return a copy of a setup with something else at a path."""
    name, rest = path[0], path[1:]
    return {**values, name: _put(members(values.get(name)), rest, value) if rest else value}


def _calls(tool: Tool, more: Sequence[JsonValue]) -> Iterator[Call]:
    """Yield every call of a tool with its required arguments, where their values can be listed."""
    names = tool.required
    for values in product(*(_values(members(tool.properties[name]), more) for name in names)):
        yield Call(tool.name, dict(zip(names, values, strict=True)))


def _values(shape: Mapping[str, JsonValue], more: Sequence[JsonValue]) -> list[JsonValue]:
    """The values of a parameter that matter: all there are; of numbers both ends and those at hand."""
    if shape.get("type") == "boolean":
        return [True, False]
    low, high = limit(shape, "minimum"), limit(shape, "maximum")
    if low is not None and high is not None:
        numbers = (value for value in more if isinstance(value, int | float) and not isinstance(value, bool))
        return list(dict.fromkeys([low, high, *(number for number in numbers if low <= number <= high)]))
    if inner := members(shape.get("properties")):
        each = {name: _values(members(part), more) for name, part in inner.items()}
        return [{name: values[0] for name, values in each.items() if values}]
    return list(elements(shape.get("enum")))
