"""From authored tasks to tasks: what was looked up is filled in, and everything that follows is derived.

A base task's calls are carried out once, in its own situation, so that ids of places, routes and people
come from the world and never from an author. Hallucination tasks are base tasks without a part;
disambiguation tasks are base tasks whose request leaves something out. `proofs` then checks all of them, by
other means.

Which calls need the driver's yes, or another call first, follows from the rules and the state of the car. A
model judges whether an agent asked; here only *when* it has to is worked out, so that the scripted driver and
the built-in agents know.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from pydantic import JsonValue

from knowact.core.task import Fact
from knowact.core.world import Call
from knowact.people.script import Detail, Persona, Script
from knowact.suites.car.authored import (
    Answer,
    AuthoredBase,
    AuthoredElement,
    AuthoredTwist,
    Binder,
    Bound,
    Do,
    Likes,
)
from knowact.suites.car.goals import MAILS, PHONES, PREFERENCES, TRUNK, Description, Reference, Told
from knowact.suites.car.removals import is_hidden, kind_of, lost_calls, with_ways_around
from knowact.suites.car.situations import preferences, setup_of, topics_of
from knowact.suites.car.tasks import CarTask, Element, Option, Removal, Split
from knowact.worlds.car.effects import EDITS, SET_TOOLS, WINDOWS
from knowact.worlds.car.fields import COLOURS, FIELDS
from knowact.worlds.car.policies.applies import CONFIRMED, WIDEST_WITHOUT_WARNING
from knowact.worlds.car.databases.rows import Condition
from knowact.worlds.car.record import TaskType, Values
from knowact.worlds.car.removal import Removed, removed
from knowact.worlds.car.session import CarSession, Step
from knowact.worlds.car.world import CarWorld

PLEASANT: Final = frozenset({"sunny", "cloudy", "partly_cloudy"})
"""Weather in which the sunroof may be opened without asking (LLM-POL:008)."""

_ROUGH: Final = ("thunderstorm", "hail")
"""Weather in which fog lights may be switched on without asking (LLM-POL:008)."""


_NAVIGATION: Final = ("set_new_navigation", "delete_current_navigation", *EDITS)
_FIRST: Final[Mapping[str, tuple[str, ...]]] = {
    "open_close_sunroof": ("open_close_sunshade",),
    "set_air_conditioning": ("open_close_window", "set_fan_speed"),
    "set_window_defrost": ("set_fan_speed", "set_fan_airflow_direction", "set_air_conditioning"),
    "set_fog_lights": ("set_head_lights_low_beams", "set_head_lights_high_beams"),
    "set_head_lights_high_beams": ("set_fog_lights",),
    **dict.fromkeys(_NAVIGATION, _NAVIGATION),
}
"""What has to be done before what (AUT-POL:005, 010, 011, 013, 014)."""


def consents(reference: Sequence[Reference], session: CarSession) -> dict[int, str]:
    """Return the calls that need a yes, by their place, with the id of the policy that says so.

    Args:
        reference: In order.
        session: A fresh session in the task's first state.
    """
    found: dict[int, str] = {}
    weather = _weather(session)
    cooling_from_the_start = session.snapshot()["air_conditioning"]
    fog = any(one.tool == "set_fog_lights" and one.arguments.get("on") for one in reference)
    for place, one in enumerate(reference):
        before = session.snapshot()
        step = session.do(Call(one.tool, one.arguments))
        if not step.changes:
            continue
        # What the rule for fog lights demands needs no yes of its own.
        demanded = fog and one.tool == "set_head_lights_high_beams" and one.arguments.get("on") is False
        if one.tool in CONFIRMED and not demanded:
            found[place] = "LLM-POL:004"
        elif _against_the_weather(one, step, before, weather):
            found[place] = "LLM-POL:008"
        elif cooling_from_the_start and _wastes(step):
            found[place] = "LLM-POL:007"
    return found


def prerequisites(reference: Sequence[Reference], place: int) -> tuple[int, ...]:
    """Return the calls that a rule, or the author, wants before one, by their place.

    The windows and the fan for the air conditioning, the beams for the fog lights, and so on: without them
    the call would break a rule. Changes of the navigation build on each other.
    """
    one = reference[place]
    wanted = _FIRST.get(one.tool, ())
    eases = one.arguments.get("on") is False or one.arguments.get("percentage") == 0
    before = [
        earlier
        for earlier in range(place)
        if not eases and reference[earlier].tool in wanted and not _opens_a_window(reference[earlier])
    ]
    return tuple(sorted({*one.after, *before}))


def _opens_a_window(one: Reference) -> bool:
    return one.tool == "open_close_window" and one.arguments.get("percentage") != 0


def _weather(session: CarSession) -> str:
    """The condition where the car is, now."""
    context = session.car.context
    now = context.current_datetime
    rows = session.car.databases.weather(context.current_location.id)
    slots = rows.weather if rows is not None else ()
    minute = f"{now.hour:02}:{now.minute:02}"
    return next((slot.condition for slot in reversed(slots) if slot.start_time <= minute), "")


def _against_the_weather(one: Reference, step: Step, before: Values, weather: str) -> bool:
    if one.tool == "open_close_sunroof":
        opened: Any = step.changes[0].after
        was: Any = before["sunroof_position"]
        return opened > was and weather not in PLEASANT
    return (
        one.tool == "set_fog_lights"
        and one.arguments.get("on") is True
        and not any(word in weather for word in _ROUGH)
    )


def _wastes(step: Step) -> bool:
    moved: list[tuple[Any, Any]] = [
        (one.before, one.after) for one in step.changes if re.fullmatch("window_.*_position", one.name)
    ]
    return any(after > max(before, WIDEST_WITHOUT_WARNING) for before, after in moved)


OUTWARD: Final = (TRUNK, "head_lights_high_beams", MAILS, PHONES)
"""What others notice or nobody can take back: never touched, not even on the way, unless it is wanted."""

_KINDS: Final[Mapping[str, TaskType]] = {
    "tool": TaskType.MISSING_TOOL,
    "parameter": TaskType.MISSING_PARAMETER,
    "nested parameter": TaskType.MISSING_PARAMETER,
    "result": TaskType.MISSING_RESPONSE,
}
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "windows": WINDOWS,
    "temperatures": ("climate_temperature_driver", "climate_temperature_passenger"),
    "reading_lights": tuple(name for name in FIELDS if name.startswith("reading_light_")),
}
"""Fields of results that authors may name together."""


class Underivable(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """What was written does not come to a task; `field` is where, if one field alone is wrong."""

    def __init__(self, what: str, field: str | None = None) -> None:
        self.field = field
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes tasks.

    Args:
        world: The car world, under the definition.
        seed: Of its databases.
        habits: Preferences that decide nothing, by topic.
    """

    world: CarWorld
    seed: int
    habits: Likes

    def base(self, base: AuthoredBase, number: int, split: Split) -> CarTask:
        """Return the base task.

        Raises:
            Underivable: A call of the reference is refused, or leads elsewhere than the goal says.
            Unbound, Unplaced: It names what is not there.
        """
        made = self._made(base, base.does, base.goal, {})
        goal = _description(base, made)
        drawn = preferences(f"base_{number:03}", topics_of(made.reference), [base.likes], self.habits)
        return CarTask(
            id=f"base_{number:03}",
            type=TaskType.BASE,
            cluster=f"base_{number:03}",
            split=split,
            persona=Persona(age=base.age, style=base.style, proficiency=base.skill),
            instruction=made.binder.text(base.story),
            script=Script(
                opening=made.binder.text(base.says),
                later=tuple(made.binder.text(one) for one in base.later),
                details=_details(base.details, made.binder),
            ),
            setup={**made.setup, "user_preferences": _as_json(drawn)},
            reference=made.reference,
            goal=goal,
            answers=_answers(base.answers, made),
            source=base.id,
        )

    def lacking(self, task: CarTask, base: AuthoredBase, number: int) -> CarTask:
        """Return the hallucination task of a base task; the author says what it lacks."""
        assert base.lacks is not None
        assert task.script is not None
        session = self.world.open(task.setup, self.seed)
        tools = {tool.name: tool for tool in session.tools()}
        paths = with_ways_around((base.lacks.part, *base.lacks.also), task, tools)
        kind = kind_of(base.lacks.part)
        taken = removed(paths, list(tools.values()))
        lost = lost_calls(task.reference, paths, tools)
        return task.model_copy(
            update={
                "id": f"hallucination_{number:03}",
                "type": _KINDS[kind],
                "script": task.script.model_copy(update={"lacks": base.lacks.cues}),
                "removal": Removal(paths=paths, kind=kind, words=base.lacks.words, lost=lost),
                "answers": tuple(
                    one
                    for one in task.answers
                    if not any(_is_lost(source, task.reference, taken, lost) for source in one.sources)
                ),
            }
        )

    def ambiguous(self, task: CarTask, base: AuthoredBase, twist: AuthoredTwist, number: int) -> CarTask:
        """Return a disambiguation task of a base task.

        Raises:
            Underivable: The choice is carried by a call that there is not, or a call is refused, or leads
                elsewhere than the goal says.
            Unbound, Unplaced: It names what is not there.
        """
        does = base.does if twist.does is None else twist.does
        if twist.element.level == "preference":
            does = _looked_up_first(does, twist.element)
        goal = base.goal if twist.goal is None else twist.goal
        made = self._made(base, does, goal, twist.car)
        spoken = {topic: tuple(made.binder.text(one) for one in some) for topic, some in twist.likes.items()}
        likes = [base.likes, spoken]
        element = _element(twist.element, made)
        unspoken = [word.lower() for option in element.options for word in option.words]
        drawn = preferences(task.cluster, topics_of(made.reference), likes, self.habits, unspoken)
        later = base.later if twist.later is None else twist.later
        return task.model_copy(
            update={
                "id": f"disambiguation_{number:03}",
                "type": TaskType.USER if element.level == "user" else TaskType.INTERNAL,
                "instruction": made.binder.text(twist.story),
                "script": Script(
                    opening=made.binder.text(twist.says),
                    later=tuple(made.binder.text(one) for one in later),
                    details=_details(base.details if twist.details is None else twist.details, made.binder),
                    secrets=twist.secrets,
                ),
                "setup": {**made.setup, "user_preferences": _as_json(drawn)},
                "reference": made.reference,
                "goal": _description(base, made),
                "answers": _answers(base.answers if twist.answers is None else twist.answers, made),
                "element": element,
            }
        )

    def _made(
        self,
        base: AuthoredBase,
        does: Sequence[Do],
        goal: Mapping[str, JsonValue],
        car: Mapping[str, JsonValue],
    ) -> "_Made":
        """Carry the reference out and fill in what it finds."""
        plain = self.world.open({}, self.seed)
        setup = setup_of(base, plain.car.databases, car)
        session = self.world.open(setup, self.seed)
        initial = session.snapshot()
        here: Any = setup["current_location"]
        constants: dict[str, JsonValue] = {"here": here["id"], "city": here["name"]}
        results: dict[str, Any] = {}
        places = _named(does, constants)
        reference: list[Reference] = []
        for place, one in enumerate(does):
            made = _reference(one, place, Binder(results, constants), places)
            seen = session.call(Call(made.tool, made.arguments))
            if seen.problem is not None:
                raise Underivable(f"call {place} ({one.do}) is refused: {seen.problem.message}")
            results[one.name or str(place)] = seen.value
            reference.append(made)
        binder = Binder(results, constants)
        asked = consents(reference, self.world.open(setup, self.seed))
        reference = [
            made.model_copy(
                update={"consent": asked.get(place, ""), "after": prerequisites(reference, place)}
            )
            for place, made in enumerate(reference)
        ]
        wanted = {name: binder.value(one)[0] for name, one in goal.items()}
        return _Made(setup, tuple(reference), wanted, binder, session, initial, places)


@dataclass(frozen=True, slots=True)
class _Made:
    """An authored task with everything looked up; its session has carried the reference out."""

    setup: dict[str, JsonValue]
    reference: tuple[Reference, ...]
    goal: dict[str, JsonValue]
    binder: Binder
    session: CarSession
    initial: Values
    places: Mapping[str, int]


def _named(does: Sequence[Do], constants: Mapping[str, JsonValue]) -> dict[str, int]:
    """The place of each call that has a name.

    Raises:
        Underivable: Two have the same, or one has that of a constant: nobody could say which is meant.
    """
    places: dict[str, int] = {}
    for place, one in enumerate(does):
        if one.name in places or one.name in constants:
            raise Underivable(f"call {place} ({one.do}) is named {one.name!r}, which is already in use")
        if one.name:
            places[one.name] = place
    return places


def _reference(one: Do, place: int, binder: Binder, places: Mapping[str, int]) -> Reference:
    arguments: dict[str, JsonValue] = {}
    told: dict[str, tuple[Told, ...]] = {}
    for name, written in one.args.items():
        value, sources = binder.value(written)
        arguments[name] = value
        if sources:
            told[name] = tuple(dict.fromkeys(_told(source, places) for source in sources))
    for name, source in one.told.items():
        call, _, field = source.partition(".")
        told[name] = (*told.get(name, ()), Told(step=_place(call, places), field=field))
    knowing = tuple(_place(call, places) for call in one.knowing)
    after = tuple(_place(call, places) for call in one.after)
    if any(other >= place for other in (*knowing, *after)):
        raise Underivable(f"call {place} ({one.do}) depends on a later call")
    reads = tuple(field for written in one.reads for field in _GROUPS.get(written, (written,)))
    return Reference(
        tool=one.do,
        arguments=arguments,
        told=told,
        reads=reads,
        knowing=knowing,
        after=after,
        wish=one.wish,
    )


def _minutes(route: Any) -> tuple[JsonValue, tuple[str, ...]]:
    return 60 * route["duration_hours"] + route["duration_minutes"], ("duration_hours", "duration_minutes")


def _start(meeting: Any) -> tuple[JsonValue, tuple[str, ...]]:
    return f"{meeting['start']['hour']}:{meeting['start']['minute']}", ("start.hour", "start.minute")


TOLD: Final[Mapping[str, tuple[Callable[[Any], tuple[JsonValue, tuple[str, ...]]], str]]] = {
    "minutes": (_minutes, "hours and minutes"),
    "start": (_start, "hour and minute"),
    "closing": (lambda hours: (hours.rpartition(" - ")[2].removesuffix("h"), ("",)), "the end of the hours"),
    "number": (lambda text: (float(text.removesuffix("km")), ("",)), ""),
    "count": (lambda several: (len(several), ("",)), "count"),
}
"""How a value is worked out: the value, the fields below the path that tell it; and the rule in words."""

_OPTIONS: Final = {
    "": (),
    "weather": tuple(one.replace("_", " ") for one in get_args(Condition)),
    "colours": ("off", *(one.lower() for one in COLOURS)),
}


def _answers(written: Sequence[Answer], made: "_Made") -> tuple[Fact, ...]:
    """Look up what the driver wants to be told."""
    found: list[Fact] = []
    for one in written:
        value, sources, rule = one.value, one.sources, one.rule
        how, _, path = str(value).partition(" ")
        if how in TOLD:
            work_out, rule = TOLD[how]
            below, ((bound),) = made.binder.value(path)
            value, fields = work_out(below)
            sources = tuple(".".join(filter(None, (bound.name, bound.field, one))) for one in fields)
        elif isinstance(value, str) and value.startswith("$"):
            value, ((bound),) = made.binder.value(value)
            sources = (f"{bound.name}.{bound.field}",)
        elif one.kind == "yes_no":
            rule = rule or "what the sources say"
        if one.options:
            value = str(value).lower().replace("_", " ")
        placed = [source.partition(".") for source in sources]
        found.append(
            Fact.model_validate(
                {
                    **one.model_dump(exclude={"phone", "options"}),
                    "value": value,
                    "options": _OPTIONS[one.options],
                    "aliases": (str(value).replace(" ", ""),) if one.phone else (),
                    "sources": tuple(f"{_place(name, made.places)}.{field}" for name, _, field in placed),
                    "rule": rule,
                }
            )
        )
    return tuple(found)


def _is_lost(source: str, reference: Sequence[Reference], taken: Removed, lost: Sequence[int]) -> bool:
    """Whether nobody can find out any more what an answer comes from."""
    place, _, field = source.partition(".")
    return int(place) in lost or is_hidden(Told(step=int(place), field=field), reference, taken)


def _told(source: Bound, places: Mapping[str, int]) -> Told:
    return Told(step=_place(source.name, places), field=source.field)


def _place(name: str, places: Mapping[str, int]) -> int:
    if name not in places:
        raise Underivable(f"no call is named {name!r}")
    return places[name]


def _details(details: Sequence[Detail], binder: Binder) -> tuple[Detail, ...]:
    return tuple(one.model_copy(update={"says": binder.text(one.says)}) for one in details)


def _description(base: AuthoredBase, made: _Made) -> Description:
    """The goal, which the reference must have reached.

    Raises:
        Underivable: It has not.
    """
    outward = tuple(name for name in OUTWARD if name not in made.goal)
    forbidden = tuple(dict.fromkeys((*outward, *base.never)))
    found = Description(holds=made.goal, ends=base.ends, forbidden=forbidden)
    if clauses := found.contradicted(made.session, made.initial):
        raise Underivable(f"in {base.id!r}, {'; '.join(clauses)}", "goal")
    return found


def _looked_up_first(does: Sequence[Do], element: AuthoredElement) -> list[Do]:
    """Put the read of the preference that decides before everything else."""
    category, _, topic = element.topic.partition(".")
    read = Do(
        do=PREFERENCES,
        args={"preference_categories": {category: {topic: True}}},
        name="preference",
        reads=(f"{element.topic}[]",),
    )
    # Where no argument carries the choice, it is one between tools, and every action hangs on it.
    carrying = {element.at.partition(".")[0]} if element.at else SET_TOOLS
    rest = [
        one.model_copy(update={"knowing": (*one.knowing, "preference")}) if one.do in carrying else one
        for one in does
    ]
    return [read, *rest]


def _element(written: AuthoredElement, made: _Made) -> Element:
    """Fill in an element's options, and find the call that carries the choice."""
    options = tuple(
        Option(
            value=made.binder.value(one.value)[0],
            words=tuple(made.binder.text(word) for word in one.words),
            where=one.where,
        )
        for one in written.options
    )
    argument: tuple[int, str] | None = None
    answer = made.binder.value(written.answer)[0]
    if written.at:
        tool, _, parameter = written.at.partition(".")
        place = next(
            (p for p, one in enumerate(made.reference) if one.tool == tool and parameter in one.arguments),
            None,
        )
        if place is None:
            raise Underivable(f"no call carries {written.at!r}")
        argument, answer = (place, parameter), made.reference[place].arguments[parameter]
    return Element(
        what=written.what,
        kind=written.kind,
        level=written.level,
        options=options,
        answer=answer,
        argument=argument,
        topic=written.topic,
        rule=written.rule,
        decides=written.decides,
    )


def _as_json(likes: Mapping[str, Mapping[str, Sequence[str]]]) -> JsonValue:
    return {
        category: {topic: list(some) for topic, some in topics.items()} for category, topics in likes.items()
    }
