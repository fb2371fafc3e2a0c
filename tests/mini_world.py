"""A world of eight tools, small enough to check every proof about it by hand.

Contacts live in cities, cities have weather, notes are found by topic and read by number; `add` and
`translate` do what a model can do alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from knowact.core.task import Argument, Boundary, Fact, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Capability, Need, Report, Tool
from knowact.core.world import Call, Observation, Problem

EXTERNAL, INTERNAL = Boundary.EXTERNAL, Boundary.INTERNAL

CONTACTS = {
    "Ann": {"city": "Lisbon", "email": "ann@example.org"},
    "Bob": {"city": "Oslo", "email": "bob@example.org"},
}
WEATHER = {"Lisbon": {"temperature": 21, "rain": False}, "Oslo": {"temperature": 4, "rain": True}}
NOTES = {3: {"topic": "garden", "text": "Water the figs."}, 7: {"topic": "bike", "text": "New chain."}}
WORDS = {"gato": "cat", "lobo": "wolf"}


def make_tool(
    name: str,
    needs: Mapping[str, str],
    reports: Mapping[str, str],
    *,
    about: Sequence[str] | None = None,
    changes: Sequence[str] = (),
    free: Sequence[str] = (),
    server: str = "",
) -> Tool:
    """Return a tool that must be told `needs`, may be told `free`, and reports `reports`."""
    capability = Capability(
        about=tuple(needs) if about is None else tuple(about),
        needs=tuple(Need(parameter=name, attribute=attribute) for name, attribute in needs.items()),
        reports=tuple(Report(field=field, attribute=attribute) for field, attribute in reports.items()),
        changes=tuple(changes),
    )
    parameters: dict[str, Any] = {
        "type": "object",
        "properties": {parameter: {"type": "string"} for parameter in (*needs, *free)},
        "required": list(needs),
    }
    return Tool(name=name, parameters=parameters, server=server, capability=capability)


TOOLS = {
    tool.name: tool
    for tool in (
        make_tool(
            "find_contact",
            {"name": "contact.name"},
            {"city": "contact.city", "email": "contact.email"},
            server="people",
        ),
        make_tool(
            "current_weather",
            {"city": "city.name"},
            {"temperature": "weather.temperature", "rain": "weather.rain"},
            free=("unit",),
            server="weather",
        ),
        make_tool("search_notes", {"topic": "note.topic"}, {"notes[].id": "note.found"}, server="notes"),
        make_tool("read_note", {"id": "note.id"}, {"text": "note.text"}, server="notes"),
        make_tool(
            "send_message",
            {"to": "contact.email", "text": "message.text"},
            {},
            about=("to",),
            changes=("message.sent",),
            server="people",
        ),
        make_tool("add", {"a": "number.first", "b": "number.second"}, {"sum": "number.sum"}, server="maths"),
        make_tool("translate", {"word": "word.text"}, {"english": "word.english"}, server="words"),
        make_tool("list_holidays", {"country": "country.name"}, {"days[].name": "holiday.name"}),
    )
}


class MiniSession:
    """One trial's view of the mini world; it remembers only the messages sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def tools(self) -> Sequence[Tool]:
        return tuple(TOOLS.values())

    def call(self, call: Call) -> Observation:
        arguments = dict(call.arguments or {})
        missing = [need for need in (TOOLS[call.tool].required) if need not in arguments]
        if missing:
            return Observation(problem=Problem("bad_arguments", f"{missing[0]!r} is missing."))
        if call.tool == "send_message":
            self.sent.append(arguments)
            return Observation({"sent": True})
        value = _look_up(call.tool, arguments)
        if value is None:
            return Observation(problem=Problem("not_found", "There is no such thing here."))
        return Observation(value)

    def context(self) -> Mapping[str, str]:
        return {"date": "2026-03-02"}

    def snapshot(self) -> Mapping[str, Any]:
        return {"sent": [dict(message) for message in self.sent]}

    def digest(self) -> str:
        return str(len(self.sent))


def _look_up(tool: str, arguments: Mapping[str, Any]) -> Any:
    match tool:
        case "find_contact":
            return CONTACTS.get(arguments["name"])
        case "current_weather":
            return WEATHER.get(arguments["city"])
        case "search_notes":
            found = [{"id": key} for key, note in NOTES.items() if note["topic"] == arguments["topic"]]
            return {"notes": found}
        case "read_note":
            note = NOTES.get(arguments["id"])
            return None if note is None else {"text": note["text"]}
        case "add":
            return {"sum": arguments["a"] + arguments["b"]}
        case "translate":
            english = WORDS.get(arguments["word"])
            return None if english is None else {"english": english}
        case _:
            return {"days": []}


def told(value: Any) -> Argument:
    """Return an argument that stands in the query."""
    return Argument(value=value)


def from_step(value: Any, step: int, field: str) -> Argument:
    """Return an argument that an earlier step's result carries."""
    return Argument(value=value, origin="step", step=step, field=field)


def weather_in(city: str) -> Step:
    """Return the step that looks up a city's temperature."""
    return Step(
        tool="current_weather", boundary=EXTERNAL, arguments={"city": told(city)}, wants=("temperature",)
    )


def sum_of(a: Argument, b: Argument, *, wanted: bool = True) -> Step:
    """Return the step that adds two numbers, which a model does alone."""
    wants = ("sum",) if wanted else ()
    return Step(tool="add", boundary=INTERNAL, arguments={"a": a, "b": b}, wants=wants)


def make_task(name: str, topology: Topology, *plan: Step, offered: Sequence[str] = ()) -> Task:
    """Return a task that offers its plan's tools and those in `offered`."""
    tools = dict.fromkeys([*(step.tool for step in plan), *offered])
    return Task(
        id=name,
        opening=Query(text=f"Please do {name}."),
        world=WorldRef(name="mini"),
        offered=tuple(tools),
        plan=plan,
        facts=(Fact(kind="text", value=name),),
        topology=topology,
        cluster=name,
    )


EMAIL_OF_BOB = Step(tool="find_contact", boundary=EXTERNAL, arguments={"name": told("Bob")}, wants=("email",))
CITY_OF_ANN = Step(tool="find_contact", boundary=EXTERNAL, arguments={"name": told("Ann")})
GATO = Step(tool="translate", boundary=INTERNAL, arguments={"word": told("gato")}, wants=("english",))
WEATHER_THERE = Step(
    tool="current_weather",
    boundary=EXTERNAL,
    arguments={"city": from_step("Lisbon", 0, "city")},
    wants=("temperature",),
)
NOTE_OF_SUM = Step(
    tool="read_note", boundary=EXTERNAL, arguments={"id": from_step(3, 0, "sum")}, wants=("text",)
)

EXTERNAL_SINGLE = make_task("external-single", Topology.SINGLE_HOP, weather_in("Lisbon"))
EXTERNAL_PARALLEL = make_task("external-parallel", Topology.PARALLEL, weather_in("Lisbon"), EMAIL_OF_BOB)
EXTERNAL_MULTI = make_task("external-multi", Topology.MULTI_HOP, CITY_OF_ANN, WEATHER_THERE)
INTERNAL_SINGLE = make_task("internal-single", Topology.SINGLE_HOP, sum_of(told(2), told(3)))
INTERNAL_PARALLEL = make_task("internal-parallel", Topology.PARALLEL, sum_of(told(2), told(3)), GATO)
INTERNAL_MULTI = make_task(
    "internal-multi",
    Topology.MULTI_HOP,
    sum_of(told(2), told(3), wanted=False),
    sum_of(from_step(5, 0, "sum"), told(4)),
)
HYBRID_PARALLEL = make_task(
    "hybrid-parallel", Topology.PARALLEL, weather_in("Lisbon"), sum_of(told(2), told(3))
)
HYBRID_MULTI = make_task(
    "hybrid-multi",
    Topology.MULTI_HOP,
    weather_in("Lisbon").model_copy(update={"wants": ()}),
    sum_of(from_step(21, 0, "temperature"), told(5)),
)
"""External first: the temperature, plus five."""
HYBRID_MULTI_INTERNAL_FIRST = make_task(
    "hybrid-multi-internal-first",
    Topology.MULTI_HOP,
    sum_of(told(1), told(2), wanted=False),
    NOTE_OF_SUM,
)
"""Internal first: the note whose number is one plus two."""

TASKS = (
    EXTERNAL_SINGLE,
    EXTERNAL_PARALLEL,
    EXTERNAL_MULTI,
    INTERNAL_SINGLE,
    INTERNAL_PARALLEL,
    INTERNAL_MULTI,
    HYBRID_PARALLEL,
    HYBRID_MULTI,
    HYBRID_MULTI_INTERNAL_FIRST,
)
