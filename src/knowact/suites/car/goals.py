"""What a task of ours is meant to come to, apart from its calls (CAR-bench).

The reference is one way; the goal says which facts must hold in the end, which other ends are as good, what
has to come before what, and what must never be touched. The proofs carry the reference out and compare;
scoring takes the same goal (`scoring_goal`).

What the reference changes is found once, by carrying it out in a session of its own, and kept with the goal.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from pydantic import Field, JsonValue, model_validator

from knowact.core.conversation import StateChange
from knowact.core.model import Noun
from knowact.core.world import Call
from knowact.suites.car.telling import Telling
from knowact.worlds.car.effects import SET_TOOLS
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.policies.checks import SLOT_HOURS
from knowact.worlds.car.record import CarCalled, Drivable, Values
from knowact.worlds.car.removal import Removed
from knowact.worlds.car.timeline import within

PREFERENCES: Final = "get_user_preferences"
MAILS: Final = "email_addresses_sent_mail_to"
PHONES: Final = "phone_numbers_called"
TRUNK: Final = "trunk_door_position"


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
    changes: tuple[StateChange, ...] = ()
    after: tuple[int, ...] = ()
    barred: bool = False


class Read(Noun):
    """A call that tells something: the tool, and the arguments that matter for what it tells.

    Attributes:
        tells: What has to be in its result, whatever it was asked with (a city has several names); empty
            where the arguments say what it is about.
    """

    tool: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    tells: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])

    def done_by(self, call: CarCalled) -> bool:
        """Whether a call is this read; one that failed is none, and neither is weather of another time."""
        if not call.ok or not self.named_by(call):
            return False
        if self.tells:
            return covers(call.result, self.tells)
        about = {name: value for name, value in self.arguments.items() if name != HOUR}
        return covers(call.arguments or {}, about) and _shows_the_hour(call, self.arguments.get(HOUR))

    def named_by(self, call: CarCalled) -> bool:
        """Whether a call is at least of this tool."""
        return call.tool == self.tool


class Need(Noun):
    """Something that must have been found out, by any one of several reads.

    Attributes:
        before: The actions, by their place, that must not be taken without it; empty for all. A trial that
            takes one of them too early has acted prematurely (`errors`).
    """

    any_of: tuple[Read, ...] = Field(min_length=1)
    before: tuple[int, ...] = ()


class Goal(Noun):
    """What a trial should come to.

    Attributes:
        actions: In the order of the reference.
        needs: What must have been found out.
        ends: Further end states that are as good, each as the variables that differ from the first state.
        open: The variables that the ambiguous element decides about; it may decide only what is looked up.
        asks: The tools of the calls that carry what only the driver can settle. Published goals don't say so.
        never: The variables that may not change, not even on the way. Published goals don't say so.
        telling: What may be told. Published goals have nothing there.
        gap: Why the reference's states are not known; empty where they are.
    """

    actions: tuple[Action, ...]
    needs: tuple[Need, ...] = ()
    ends: tuple[Values, ...] = ()
    open: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    telling: Telling = Telling()
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
    PREFERENCES: ("preference_categories",),
    "calculate_charging_time_by_soc": ("charging_station_id", "charging_station_plug_id"),
    "calculate_charging_soc_by_time": ("charging_station_id", "charging_station_plug_id"),
}
"""The arguments that say what a read is about; the others only shape the answer."""

_SAYING: Final = frozenset({"think", "planning_tool", "calculate_math", "calculate_datetime"})
"""Tools that tell nothing that an agent could not work out."""


def without(actions: Iterable[Action], taken: Removed) -> tuple[Action, ...]:
    """Mark the actions that nobody can do without some parts: those of a tool or a parameter that is gone.

    What a missing *result* makes impossible, paths don't say; mark such actions where the goal is written.
    """
    return tuple(
        one.model_copy(update={"barred": True}) if taken.forbids(Call(one.tool, one.arguments)) else one
        for one in actions
    )


def needs_of_actions(actions: Iterable[Action]) -> tuple[Need, ...]:
    """Return a need for every read of a reference, about the same things, each on its own."""
    reads = [one for one in actions if one.tool not in SET_TOOLS and one.tool not in _SAYING]
    return tuple(Need(any_of=(Read(tool=one.tool, arguments=each),)) for one in reads for each in _about(one))


def _about(read: "Action | Reference") -> list[dict[str, JsonValue]]:
    """What a read is about, each thing on its own: people may be looked up in one call or in several."""
    found: list[dict[str, JsonValue]] = [{}]
    for name in RELEVANT.get(read.tool, ()):
        if name in read.arguments:
            several = _singly(read.arguments[name])
            found = [{**others, name: one} for others in found for one in several]
    return found


def _singly(value: JsonValue) -> list[JsonValue]:
    """The entries of a list, and what an object asks for, each as a value that has nothing else."""
    if isinstance(value, list):
        return [[one] for one in value] or [value]
    if isinstance(value, dict):
        asked = ((name, inner) for name, inner in value.items() if inner is not False)
        return [{name: one} for name, inner in asked for one in _singly(inner)] or [value]
    return [value]


def _shows_the_hour(call: CarCalled, hour: JsonValue) -> bool:
    """Whether a read of the weather shows that of an hour, be it as the slot that comes next."""
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
    known = tuple(needs_of_actions(actions) if needs is None else needs)
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


class Told(Noun):
    """Where an argument comes from, if not from the driver or the context: a field of an earlier result."""

    step: int = Field(ge=0)
    field: str = Field(min_length=1)


class Reference(Noun):
    """One call of the reference.

    Attributes:
        arguments: As the call carries them.
        told: Arguments that an earlier call's result tells, each with all its sources.
        reads: For a read: the fields of its result that matter beyond what `told` says, dotted, `[]` at
            lists.
        knowing: Earlier reads whose `reads` must be known before this call, by their place.
        after: Calls that have to come before, by their place, for another reason.
        consent: Why the driver has to agree first: the id of a policy; empty where nobody has to.
        wish: Which wish of the driver it serves: 0 for the opening, 1 for the first later one.
    """

    tool: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    told: Mapping[str, tuple[Told, ...]] = Field(default_factory=dict[str, tuple[Told, ...]])
    reads: tuple[str, ...] = ()
    knowing: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    consent: str = ""
    wish: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _tells_what_it_carries(self) -> Self:
        strange = next((name for name in self.told if name not in self.arguments), None)
        if strange is not None:
            raise ValueError(
                f"'told' speaks of {strange!r}, which is not an argument of this call of {self.tool}"
            )
        return self

    @property
    def writes(self) -> bool:
        """Whether it is meant to change something."""
        return self.tool in SET_TOOLS

    @property
    def sources(self) -> frozenset[int]:
        """The earlier calls without whose results this one can't be made rightly."""
        told = (one.step for sources in self.told.values() for one in sources)
        return frozenset((*told, *self.knowing))


class Description(Noun):
    """The goal of a task.

    Attributes:
        holds: Variables that must have this value in the end. All others must be as at the start.
        ends: Other ends that are as good: each replaces the values of `holds` that it names.
        forbidden: Variables that may never have another value than at the start, not even on the way.
    """

    holds: Mapping[str, JsonValue]
    ends: tuple[Mapping[str, JsonValue], ...] = ()
    forbidden: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _speaks_of_variables(self) -> Self:
        for name in (*self.holds, *self.forbidden, *(name for end in self.ends for name in end)):
            if name not in FIELDS:
                raise ValueError(f"{name!r} is not a variable of the car")
        for name, value in (pair for values in (self.holds, *self.ends) for pair in values.items()):
            try:
                FIELDS[name].admitted(value)
            except ValueError as wrong:
                raise ValueError(f"the goal's {name!r} {wrong}, not {value!r:.60}") from None
        clash = [name for name in self.forbidden if name in self.holds]
        if clash:
            raise ValueError(f"{clash[0]!r} cannot be forbidden, because the goal gives it a value")
        return self

    def reached(self, initial: Values, final: Values) -> bool:
        """Whether a state is a good end."""
        ends = ({**initial, **self.holds, **end} for end in (dict[str, JsonValue](), *self.ends))
        return any(not list(_missed(one, final)) for one in ends)

    def contradicted(self, initial: Values, passed: Sequence[Values]) -> tuple[str, ...]:
        """Return where the reference departs from what is written here, a clause each.

        It must lead to `holds` itself: the other ends are only held to be as good (`scoring_goal`).

        Args:
            initial: The first state.
            passed: The state after each call of the reference.
        """
        final = passed[-1] if passed else initial
        found = [
            f"the goal {'says' if name in self.holds else 'leaves'} {name} = {_shown(value)}, "
            f"but the reference leads to {name} = {_shown(final.get(name))}"
            for name, value in _missed({**initial, **self.holds}, final)
        ]
        found += [
            f"{name} may never change, but the reference sets it to {_shown(state.get(name))}"
            for state in passed
            for name in self.forbidden
            if state.get(name) != initial.get(name)
        ]
        return tuple(dict.fromkeys(found))


def _missed(wanted: Values, final: Values) -> Iterator[tuple[str, JsonValue]]:
    """The variables that do not have the value wanted, with that value."""
    for name, value in wanted.items():
        if _plain(name, final.get(name)) != _plain(name, value):
            yield name, value


def _shown(value: JsonValue) -> str:
    return f"{json.dumps(value, ensure_ascii=False):.80}"


def _plain(name: str, value: JsonValue) -> JsonValue:
    """Addresses and numbers in any order, each once."""
    if name in {MAILS, PHONES} and isinstance(value, list):
        texts = (dialled(str(one)) if name == PHONES else str(one) for one in value)
        return list[JsonValue](sorted({*texts}))
    return value


def dialled(number: str) -> str:
    """A phone number by its digits: however it was written, it reaches the same phone."""
    return "".join(filter(str.isdecimal, number))


def needs_of(reference: Sequence[Reference], asks: Sequence[str] = ()) -> tuple[Need, ...]:
    """Return what must have been found out, each before the calls that hang on it.

    Args:
        reference: The task's calls.
        asks: The tools of the calls that carry what only the driver can settle: nothing stands in for them.
    """
    needs: list[Need] = []
    for place, one in enumerate(reference):
        if one.writes:
            continue
        # A read that no action hangs on comes before none of them; an empty tuple would say before all.
        before = tuple(_hanging_on(place, reference)) or tuple(_read_on(place, reference)) or (place,)
        others = _worked_out(one, reference) if one.tool not in asks else ()
        if (demanded := _demanded(place, reference)) is not None:
            others = (*others, demanded.instead)
            before = tuple(p for p in before if reference[p].tool not in demanded.setting) or before
        tells = _tells(place, reference)
        needs += [
            Need(any_of=(Read(tool=one.tool, arguments=each, tells=tells), *others), before=before)
            for each in _about(one)
        ]
    return tuple(needs)


def _read_on(place: int, reference: Sequence[Reference]) -> list[int]:
    """The later reads that are made with a read's result, where no action hangs on it."""
    return [later for later, one in enumerate(reference) if place in one.sources]


def _tells(place: int, reference: Sequence[Reference]) -> dict[str, JsonValue]:
    """The id of the city that a name stands for: a look-up by another name of it counts as well."""
    if reference[place].tool != "get_location_id_by_location_name":
        return {}
    ids = (
        later.arguments[name]
        for later in reference
        for name, sources in later.told.items()
        if Told(step=place, field="id") in sources and isinstance(later.arguments[name], str)
    )
    found = next(ids, None)
    return {} if found is None else {"id": found}


def _worked_out(one: Reference, reference: Sequence[Reference]) -> tuple[Read, ...]:
    """The read that does as well with some arithmetic (`worked_out.FORMULAS`).

    How far the present charge carries follows from charge and range, which one read tells.
    """
    sources = one.told.get("initial_state_of_charge", ()) if one.tool == "get_distance_by_soc" else ()
    return tuple(Read(tool=reference[source.step].tool) for source in sources)


@dataclass(frozen=True, slots=True)
class _Demanded:
    """What a rule wants at one value anyway (AUT-POL:005, 013).

    Attributes:
        fields: Of the read that would show it.
        setting: The tools that set it; their calls need no read of it.
        instead: The call that does as well as the read.
    """

    fields: frozenset[str]
    setting: frozenset[str]
    instead: Read


_BEAMS: Final = ("head_lights_low_beams", "head_lights_high_beams")
_DEMANDED: Final[Mapping[str, _Demanded]] = {
    "get_sunroof_and_sunshade_position": _Demanded(
        frozenset({"sunshade_position"}),
        frozenset({"open_close_sunshade"}),
        Read(tool="open_close_sunshade", arguments={"percentage": 100}),
    ),
    "get_exterior_lights_status": _Demanded(
        frozenset(_BEAMS),
        frozenset(f"set_{beam}" for beam in _BEAMS),
        Read(tool="set_head_lights_high_beams"),
    ),
}
"""By the read that would show it."""


def _demanded(place: int, reference: Sequence[Reference]) -> _Demanded | None:
    """What a read is for, where a rule leaves one value for it, so that setting that unread does as well.

    Whether everything was set that the rule wants is left to the rule (`policies.checks`).
    """
    found = _DEMANDED.get(reference[place].tool)
    told = any(one.step == place for later in reference for some in later.told.values() for one in some)
    return None if found is None or told or not set(reference[place].reads) <= found.fields else found


def _hanging_on(place: int, reference: Sequence[Reference]) -> list[int]:
    """The acting calls that need a read's result, be it by way of other reads."""
    reached = {place}
    for later in range(place + 1, len(reference)):
        if reference[later].sources & reached:
            reached.add(later)
    return [later for later in sorted(reached) if reference[later].writes]


def scoring_goal(
    reference: Sequence[Reference],
    description: Description,
    session: Drivable,
    *,
    barred: frozenset[int] = frozenset(),
    decides: Sequence[str] = (),
    asks: Sequence[str] = (),
) -> Goal:
    """Return the goal that trials are scored by.

    Args:
        reference: The task's calls.
        description: The task's goal; its other ends are as good.
        session: A fresh session in the task's first state, with everything there.
        barred: The calls that nobody can make, because they need a part that was taken away.
        decides: The variables that an ambiguous element decides about.
        asks: The tools of the calls that carry it, where only the driver can settle it.
    """
    actions = [
        Action(tool=one.tool, arguments=one.arguments, after=one.after, barred=place in barred)
        for place, one in enumerate(reference)
    ]
    found = rehearsed(actions, session, needs=needs_of(reference, asks))
    ends = tuple({**description.holds, **end} for end in description.ends)
    more = {"open": tuple(decides), "asks": tuple(asks), "never": description.forbidden}
    return found.model_copy(update={"ends": ends, **more})
