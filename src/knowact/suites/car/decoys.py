"""Decoys: what complete tasks lack although they need none of it.

If only hallucination tasks lacked something, the list of tools alone would tell which they are. So every
base task and every disambiguation task lacks something, too: what was taken away from a hallucination task
of the same half, and has nothing to do with this one. Whatever is gone is then gone from an incomplete task
and from a complete one, and each request comes with a part gone that it needs, and with one that it doesn't.

`Concerns` says what a task has to do with a part; where it finds anything, the part is no decoy for it.
`proofs` proves the rest, by carrying it out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from knowact.core.tool import Tool
from knowact.suites.car.goals import PREFERENCES
from knowact.suites.car.removals import EDITING, lost_calls
from knowact.suites.car.tasks import CarTask, Decoy
from knowact.worlds.car.effects import NAVIGATION
from knowact.worlds.car.fields import FIELDS

_CLIMATE: Final = ("get_climate_settings", "set_fan_speed")
_AROUND: Final[Mapping[str, tuple[str, ...]]] = {
    "open_close_sunroof": ("get_weather", "open_close_sunshade", "get_sunroof_and_sunshade_position"),
    "open_close_window": ("get_climate_settings", "set_air_conditioning"),
    "set_air_conditioning": (*_CLIMATE, "get_vehicle_window_positions", "open_close_window"),
    "set_climate_temperature": ("get_temperature_inside_car",),
    "set_fog_lights": (
        "get_weather",
        "get_exterior_lights_status",
        "set_head_lights_low_beams",
        "set_head_lights_high_beams",
    ),
    "set_head_lights_high_beams": ("get_exterior_lights_status", "set_fog_lights"),
    "set_window_defrost": (*_CLIMATE, "set_fan_airflow_direction", "set_air_conditioning"),
}
"""What a rule wants looked up, or seen to, when a tool is used (AUT-POL:005 to 014, LLM-POL:007 to 012)."""


@dataclass(frozen=True)
class Concerns:
    """What a complete task has to do with; found once, and held against many parts.

    Args:
        task: The task.
        tools: All tools of the world by name.
    """

    task: CarTask
    tools: Mapping[str, Tool]

    def of(self, decoy: Decoy) -> Iterator[str]:
        """Yield what a task has to do with a part, a clause each; nothing for a decoy.

        It errs towards finding something: a tool that the reference uses is never touched, not even in a
        field that nobody reads.
        """
        touched = {path.removeprefix("result.").partition(".")[0] for path in decoy.paths}
        if near := touched & self.near:
            yield f"the task has to do with {', '.join(sorted(near))}"
        asked = [path for path in decoy.paths if path.startswith(f"{PREFERENCES}.")]
        if any(_topic(path) in self.topics for path in asked):
            yield "the driver has a preference on it"
        called = touched & {one.tool for one in self.task.reference}
        if called and lost_calls(self.task.reference, decoy.paths, self.tools):
            yield "the reference needs it"

    @cached_property
    def variables(self) -> frozenset[str]:
        """What must hold, what would be as good, what decides a choice and what is decided by it."""
        goal, element = self.task.goal, self.task.element
        names: set[str] = set()
        if goal is not None:
            names.update(goal.holds, *goal.ends)
        if element is not None:
            names.update(element.decides, *(option.where for option in element.options))
        return frozenset(names & FIELDS.keys())

    @cached_property
    def near(self) -> frozenset[str]:
        """The tools of the reference, those that rules bring in, and all that read or write the variables."""
        used = {one.tool for one in self.task.reference} - {PREFERENCES}
        around = {other for tool in used for other in _AROUND.get(tool, ())}
        routes = set(EDITING) if self.variables & set(NAVIGATION) else set[str]()
        about = {
            name
            for name, tool in self.tools.items()
            if self.variables & _shown(tool) or any(_writes(tool, self.variables))
        }
        return frozenset(used | around | routes | about)

    @cached_property
    def topics(self) -> frozenset[str]:
        """What the driver has preferences on ("weather.weather"), and what one of them would settle."""
        likes = cast("Mapping[str, Mapping[str, Any]]", self.task.setup.get("user_preferences") or {})
        named = {f"{category}.{topic}" for category, topics in likes.items() for topic in topics}
        return frozenset(named | ({self.task.element.topic} if self.task.element else set[str]()))


def _shown(tool: Tool) -> frozenset[str]:
    return frozenset(cast("Mapping[str, Any]", (tool.returns or {}).get("properties", {})))


def _writes(tool: Tool, variables: frozenset[str]) -> Iterator[bool]:
    """Whether a tool changes what variables are named after ("fan_speed.set", "fan_speed")."""
    for change in tool.capability.changes if tool.capability else ():
        yield any(name.startswith(change.partition(".")[0]) for name in variables)


def _topic(path: str) -> str:
    return ".".join(path.split(".")[2:])
