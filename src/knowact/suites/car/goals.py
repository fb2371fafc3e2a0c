"""What a task of ours is meant to come to, apart from the calls that get there (spec, section 10.8, item 3).

The reference is one way; the goal says which facts must hold in the end, which other ends are as good, what
has to come before what, and what must never be touched. The proofs carry the reference out and compare;
scoring takes the same goal (`scoring_goal`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from pydantic import Field, JsonValue, model_validator

from knowact.core.model import Noun
from knowact.suites.car.goal import RELEVANT as RELEVANT_ARGUMENTS
from knowact.suites.car.goal import Action, Goal, Look, Need, rehearsed
from knowact.suites.car.states import MAILS, PHONES
from knowact.worlds.car.effects import SET_TOOLS
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.record import Values
from knowact.worlds.car.recording import Drivable
from knowact.worlds.car.session import CarSession


class Told(Noun):
    """Where an argument comes from, if not from the driver or the context: a field of an earlier result."""

    step: int = Field(ge=0)
    field: str = Field(min_length=1)


class Reference(Noun):
    """One call of the reference.

    Attributes:
        arguments: As the call carries them.
        told: Arguments that an earlier call's result tells, each with all its sources.
        reads: For a look: the fields of its result that matter beyond what `told` says, dotted, `[]` at
            lists.
        knowing: Earlier looks whose `reads` must be known before this call, by their place.
        after: Calls that have to come before, by their place, for another reason.
        consent: Why the driver has to agree first: the id of a policy; empty where nobody has to.
    """

    tool: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    told: Mapping[str, tuple[Told, ...]] = Field(default_factory=dict[str, tuple[Told, ...]])
    reads: tuple[str, ...] = ()
    knowing: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    consent: str = ""

    @model_validator(mode="after")
    def _tells_what_it_carries(self) -> Self:
        strange = next((name for name in self.told if name not in self.arguments), None)
        if strange is not None:
            raise ValueError(
                f"'told' speaks of {strange!r}, which is no argument of this call of {self.tool}"
            )
        return self

    @property
    def acts(self) -> bool:
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
                raise ValueError(f"{name!r} is no variable of the car")
        for name, value in (pair for values in (self.holds, *self.ends) for pair in values.items()):
            try:
                FIELDS[name].admitted(value)
            except ValueError as wrong:
                raise ValueError(f"the goal's {name!r} {wrong}, not {value!r:.60}") from None
        clash = [name for name in self.forbidden if name in self.holds]
        if clash:
            raise ValueError(f"{clash[0]!r} cannot be forbidden, because the goal gives it a value")
        return self

    def complaints(self, initial: Values, final: Values) -> tuple[str, ...]:
        """Return what keeps a state from being a good end, a clause each; nothing for a good one."""
        tries = [self._against({**self.holds, **end}, initial, final) for end in (_NOTHING, *self.ends)]
        return min(tries, key=len)

    def disturbed(self, initial: Values, passed: Sequence[Values]) -> tuple[str, ...]:
        """Return the forbidden variables that some state on the way has changed."""
        return tuple(
            name for name in self.forbidden if any(state.get(name) != initial.get(name) for state in passed)
        )

    def contradicted(self, session: CarSession, initial: Values) -> tuple[str, ...]:
        """Return where the reference departs from what is written here, a clause each.

        It must lead to `holds` itself: the other ends are only held to be as good (`scoring_goal`).

        Args:
            session: A session that has carried the reference out.
            initial: Its first state.
        """
        final = session.snapshot()
        found = [
            f"goal {_says(name, value, self.holds)}, does leads to {name} = {_shown(final.get(name))}"
            for name, value in _missed({**initial, **self.holds}, final)
        ]
        passed = [(change.name, change.after) for step in session.steps for change in step.changes]
        found += [
            f"{name} may never change, does sets it to {_shown(value)}"
            for name, value in passed
            if name in self.forbidden and value != initial.get(name)
        ]
        return tuple(dict.fromkeys(found))

    def _against(self, wanted: Values, initial: Values, final: Values) -> tuple[str, ...]:
        return tuple(
            f"{name} is {final.get(name)!r}, not {value!r}"
            for name, value in _missed({**initial, **wanted}, final)
        )


_NOTHING: Mapping[str, JsonValue] = {}


def _missed(wanted: Values, final: Values) -> Iterator[tuple[str, JsonValue]]:
    """The variables that do not have the value wanted, with that value."""
    for name, value in wanted.items():
        if _plain(name, final.get(name)) != _plain(name, value):
            yield name, value


def _says(name: str, value: JsonValue, holds: Values) -> str:
    return f"says {name} = {_shown(value)}" if name in holds else f"leaves {name} = {_shown(value)}"


def _shown(value: JsonValue) -> str:
    return f"{json.dumps(value, ensure_ascii=False):.80}"


def _plain(name: str, value: JsonValue) -> JsonValue:
    """Addresses and numbers in any order, each once (D-20)."""
    if name in {MAILS, PHONES} and isinstance(value, list):
        return list[JsonValue](sorted({str(one) for one in value}))
    return value


def needs_of(reference: Sequence[Reference], asks: Sequence[str] = ()) -> tuple[Need, ...]:
    """Return what must have been found out, each before the calls that hang on it.

    Args:
        reference: The task's calls.
        asks: The tools of the calls that carry what only the driver can settle: nothing stands in for them.
    """
    needs: list[Need] = []
    for place, one in enumerate(reference):
        if one.acts:
            continue
        relevant = RELEVANT_ARGUMENTS.get(one.tool, ())
        about = {name: value for name, value in one.arguments.items() if name in relevant}
        # A look that no action hangs on comes before none of them; an empty tuple would say before all.
        before = tuple(_hanging_on(place, reference)) or tuple(_read_on(place, reference)) or (place,)
        others = _worked_out(one, reference) if one.tool not in asks else ()
        if (demanded := _demanded(place, reference)) is not None:
            others = (*others, demanded.instead)
            before = tuple(p for p in before if reference[p].tool not in demanded.setting) or before
        tells = _tells(place, reference)
        needs += [
            Need(any_of=(Look(tool=one.tool, arguments=each, tells=tells), *others), before=before)
            for each in _one_by_one(about)
        ]
    return tuple(needs)


def _read_on(place: int, reference: Sequence[Reference]) -> list[int]:
    """The later looks that are made with a look's result, where no action hangs on it."""
    return [later for later, one in enumerate(reference) if place in one.sources]


def _tells(place: int, reference: Sequence[Reference]) -> dict[str, JsonValue]:
    """The id of the city that a name stands for: whoever asks by another name of it has looked it up."""
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


def _worked_out(one: Reference, reference: Sequence[Reference]) -> tuple[Look, ...]:
    """The look that does as well with some arithmetic (`worked_out.FORMULAS`).

    How far the present charge carries follows from charge and range, which one look tells.
    """
    sources = one.told.get("initial_state_of_charge", ()) if one.tool == "get_distance_by_soc" else ()
    return tuple(Look(tool=reference[source.step].tool) for source in sources)


def _one_by_one(about: Mapping[str, JsonValue]) -> list[dict[str, JsonValue]]:
    """What a look is about, each thing on its own: people may be looked up in one call or in several."""
    several = next((name for name, value in about.items() if isinstance(value, list)), None)
    value = about.get(several) if several else None
    if several is None or not isinstance(value, list):
        return [dict(about)]
    return [{**about, several: [one]} for one in value]


@dataclass(frozen=True, slots=True)
class _Demanded:
    """What a rule wants at one value anyway (AUT-POL:005, 013).

    Attributes:
        fields: Of the look that would show it.
        setting: The tools that set it; their calls need no look at it.
        instead: The call that does as well as the look.
    """

    fields: frozenset[str]
    setting: frozenset[str]
    instead: Look


_BEAMS: Final = ("head_lights_low_beams", "head_lights_high_beams")
_DEMANDED: Final[Mapping[str, _Demanded]] = {
    "get_sunroof_and_sunshade_position": _Demanded(
        frozenset({"sunshade_position"}),
        frozenset({"open_close_sunshade"}),
        Look(tool="open_close_sunshade", arguments={"percentage": 100}),
    ),
    "get_exterior_lights_status": _Demanded(
        frozenset(_BEAMS),
        frozenset(f"set_{beam}" for beam in _BEAMS),
        Look(tool="set_head_lights_high_beams"),
    ),
}
"""By the look that would show it."""


def _demanded(place: int, reference: Sequence[Reference]) -> _Demanded | None:
    """What a look is for, where a rule leaves one value for it, so that setting that unread does as well.

    Whether everything was set that the rule wants is left to the rule (`policies.checks`).
    """
    found = _DEMANDED.get(reference[place].tool)
    told = any(one.step == place for later in reference for some in later.told.values() for one in some)
    return None if found is None or told or not set(reference[place].reads) <= found.fields else found


def _hanging_on(place: int, reference: Sequence[Reference]) -> list[int]:
    """The acting calls that need a look's result, be it by way of other looks."""
    reached = {place}
    for later in range(place + 1, len(reference)):
        if reference[later].sources & reached:
            reached.add(later)
    return [later for later in sorted(reached) if reference[later].acts]


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
