"""What a trial is held against: the reference actions, their order where it matters, and what must be known.

Spec car-bench.md, section 10.8, item 3. What the reference changes is found once, by carrying it out in a
session of its own, and kept with the goal (D-24).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self

from pydantic import Field, JsonValue, model_validator

from knowact.core.model import Noun
from knowact.core.world import Call
from knowact.worlds.car.effects import SET_TOOLS
from knowact.worlds.car.policies.checks import SLOT_HOURS
from knowact.worlds.car.record import Called, Values
from knowact.worlds.car.recording import Drivable
from knowact.worlds.car.state import Change
from knowact.worlds.car.timeline import within


class Action(Noun):
    """One call of the reference.

    Attributes:
        changes: What it changed when the reference was carried out in order.
        after: The actions that have to come before, by their place. Actions that write the same variable
            keep their order anyway.
        barred: Whether a part that was taken away is needed for it, so that nobody can do it.
    """

    tool: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    changes: tuple[Change, ...] = ()
    after: tuple[int, ...] = ()
    barred: bool = False


class Look(Noun):
    """A call that tells something: the tool, and the arguments that matter for what it tells.

    Attributes:
        tells: What has to be in its result, whatever it was asked with (a city has several names); empty
            where the arguments say what it is about.
    """

    tool: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    tells: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])

    def done_by(self, call: Called) -> bool:
        """Whether a call is this look; one that failed is none, and neither is weather of another time."""
        if not call.ok or not self.named_by(call):
            return False
        if self.tells:
            return covers(call.result, self.tells)
        about = {name: value for name, value in self.arguments.items() if name != HOUR}
        return covers(call.arguments or {}, about) and _shows_the_hour(call, self.arguments.get(HOUR))

    def named_by(self, call: Called) -> bool:
        """Whether a call is at least of this tool."""
        return call.tool == self.tool


class Need(Noun):
    """Something that must have been found out, by any one of several looks.

    Attributes:
        before: The actions, by their place, that must not be taken without it; empty for all. A trial that
            takes one of them too early has acted prematurely (`errors`).
    """

    any_of: tuple[Look, ...] = Field(min_length=1)
    before: tuple[int, ...] = ()


class Goal(Noun):
    """What a trial should come to.

    Attributes:
        actions: In the order of the reference.
        needs: What must have been found out.
        ends: Further end states that are as good, each as the variables that differ from the first state.
        open: The variables that the ambiguous element decides about; empty where nothing is ambiguous, or
            where it decides only what is looked up.
        asks: The tools of the calls that carry what only the driver can settle, so that they have to be
            asked; empty where there is nothing to ask. Published goals don't say so.
        never: The variables that may not change, not even on the way. Published goals don't say so.
        gap: Why the reference's states are not known; empty where they are.
    """

    actions: tuple[Action, ...]
    needs: tuple[Need, ...] = ()
    ends: tuple[Values, ...] = ()
    open: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    gap: str = ""

    @model_validator(mode="after")
    def _order_is_possible(self) -> Self:
        if any(not 0 <= before < place for place, one in enumerate(self.actions) for before in one.after):
            raise ValueError("an action can only come after earlier ones")
        if any(not 0 <= place < len(self.actions) for need in self.needs for place in need.before):
            raise ValueError("a need comes before actions that there are")
        return self


HOUR: Final = "time_hour_24hformat"

RELEVANT: Final[Mapping[str, tuple[str, ...]]] = {
    "get_weather": ("location_or_poi_id", "month", "day", HOUR),
    "get_location_id_by_location_name": ("location",),
    "get_routes_from_start_to_destination": ("start_id", "destination_id"),
    "search_poi_at_location": ("location_id", "category_poi"),
    "search_poi_along_the_route": ("route_id", "category_poi"),
    "convert_route_distance_and_time": ("route_id",),
    "get_contact_information": ("contact_ids",),
    "get_entries_from_calendar": ("month", "day"),
    "get_user_preferences": ("preference_categories",),
    "calculate_charging_time_by_soc": ("charging_station_id", "charging_station_plug_id"),
    "calculate_charging_soc_by_time": ("charging_station_id", "charging_station_plug_id"),
}
"""The arguments that say what a look is about; the others only shape the answer (D-18)."""

_SAYING: Final = frozenset({"think", "planning_tool", "calculate_math", "calculate_datetime"})
"""Tools that tell nothing that an agent could not work out."""


def without(actions: Iterable[Action], removed: Sequence[str]) -> tuple[Action, ...]:
    """Mark the actions that nobody can do without some parts: those of a tool or a parameter that is gone.

    Args:
        actions: The reference.
        removed: Paths of the published grammar (spec, section 6.3). What a missing *result* makes impossible
            they don't say; mark such actions where the goal is written.
    """
    gone = [path.split(".") for path in removed if not path.startswith("result.")]
    return tuple(
        one.model_copy(update={"barred": True}) if any(_uses(one, path) for path in gone) else one
        for one in actions
    )


def _uses(action: Action, path: Sequence[str]) -> bool:
    return action.tool == path[0] and (len(path) == 1 or path[1] in action.arguments)


def needs_of(actions: Iterable[Action]) -> tuple[Need, ...]:
    """Return a need for every look of a reference, about the same things."""
    looks = [one for one in actions if one.tool not in SET_TOOLS and one.tool not in _SAYING]
    return tuple(Need(any_of=(Look(tool=one.tool, arguments=_relevant(one)),)) for one in looks)


def _relevant(action: Action) -> dict[str, JsonValue]:
    kept = RELEVANT.get(action.tool, ())
    return {name: value for name, value in action.arguments.items() if name in kept}


def _shows_the_hour(call: Called, hour: JsonValue) -> bool:
    """Whether a look at the weather shows that of an hour, be it as the slot that comes next."""
    given = call.argument(HOUR)
    if not isinstance(hour, int | float) or not isinstance(given, int | float):
        return True
    ahead = hour // SLOT_HOURS - given // SLOT_HOURS
    return ahead == 0 or (ahead == 1 and within(call.result, "next_slot") is not None)


def covers(given: JsonValue | Mapping[str, JsonValue], wanted: JsonValue | Mapping[str, JsonValue]) -> bool:
    """Whether a value has all that is wanted: lists in any order, texts in any case, objects with more."""
    if isinstance(wanted, Mapping):
        return isinstance(given, Mapping) and all(
            covers(within(given, name), value) for name, value in wanted.items() if value is not False
        )
    if isinstance(wanted, list):
        return isinstance(given, list) and all(any(covers(one, each) for one in given) for each in wanted)
    if isinstance(wanted, str) and isinstance(given, str):
        return given.strip().casefold() == wanted.strip().casefold()
    return given == wanted


def rehearsed(actions: Sequence[Action], session: Drivable, *, needs: Sequence[Need] | None = None) -> Goal:
    """Carry a reference out and return the goal with its changes.

    Args:
        actions: In order; what they had as changes is found anew.
        session: A fresh session in the task's first state; only tools that change something are called.
        needs: What must be found out; None for what the reference itself looks up.

    Returns:
        The goal; where an action is refused, `gap` says so and nothing is known of the states.
    """
    known = tuple(needs_of(actions) if needs is None else needs)
    found: list[Action] = []
    for action in actions:
        if action.tool not in SET_TOOLS:
            found.append(action.model_copy(update={"changes": ()}))
            continue
        done = session.do(Call(action.tool, action.arguments))
        if done.observation.problem is not None:
            gap = f"the reference's {action.tool} is refused: {done.observation.problem.message}"
            return Goal(actions=tuple(actions), needs=known, gap=gap)
        found.append(action.model_copy(update={"changes": tuple(done.changes)}))
    return Goal(actions=tuple(found), needs=known)
