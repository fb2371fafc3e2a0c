"""Decoys: what complete tasks lack although they need none of it (validity.md, section 4).

If only hallucination tasks lacked something, the list of tools alone would tell which they are. So every
base task and every disambiguation task lacks something, too: what was taken away from a hallucination task
of the same half, and has nothing to do with this one. Whatever is gone is then gone from an incomplete task
and from a complete one, and each request comes with a part gone that it needs, and with one that it doesn't.

`Concerns` says what a task has to do with a part; where it finds anything, the part is no decoy for it.
`crossed` deals the decoys out. `proofs` proves what came of it, by carrying it out.

Decoys are dealt out by minimum-cost assignment (Hungarian algorithm), in whole numbers, so that equal costs
give equal pairs on every machine.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, cast

from knowact.core.tool import Tool
from knowact.reading.quotes import folded
from knowact.suites.car.goals import PREFERENCES
from knowact.suites.car.removals import EDITING, kind_of, lost_calls
from knowact.suites.car.tasks import CarTask, Decoy
from knowact.worlds.car.effects import NAVIGATION
from knowact.worlds.car.fields import FIELDS

_FAR = 1 << 60


def cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return the column of each row such that the sum of the costs is least.

    Args:
        costs: A row each, all of one length; there are at least as many columns as rows.

    Raises:
        ValueError: There are fewer.
    """
    rows, columns = len(costs), len(costs[0]) if costs else 0
    if rows > columns:
        raise ValueError("every row needs a column of its own")
    # Rows and columns are counted from 1; column 0 holds the row that is being placed.
    owner, of_row, of_column = [0] * (columns + 1), [0] * (rows + 1), [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0], here = row, 0
        came, slack, free = [0] * (columns + 1), [_FAR] * (columns + 1), set(range(columns + 1))
        while owner[here]:
            free.remove(here)
            for column in free:
                rest = costs[owner[here] - 1][column - 1] - of_row[owner[here]] - of_column[column]
                if rest < slack[column]:
                    slack[column], came[column] = rest, here
            there = min(sorted(free), key=slack.__getitem__)
            least = slack[there]
            for column in range(columns + 1):
                if column in free:
                    slack[column] -= least
                else:
                    of_row[owner[column]] += least
                    of_column[column] -= least
            here = there
        while here:
            owner[here] = owner[came[here]]
            here = came[here]
    return [owner.index(row, 1) - 1 for row in range(1, rows + 1)]


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

_LONG: Final = 4
"""Letters of a word that may go on; a shorter one is another word then ("fan", "fancy")."""

_UNFIT: Final = 1_000_000
_ELSEWHERE: Final = 1_000
"""Costs: of a part that a task has to do with, and of one of another part of the car."""


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
        if any(_cue(cue).search(self.said) for cue in decoy.cues):
            yield "the driver speaks of it"
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

    @cached_property
    def said(self) -> str:
        """Everything that the driver says or has said, knows or wants, folded."""
        found = [self.task.instruction]
        if (script := self.task.script) is not None:
            found += [script.opening, *script.later]
            found += [text for detail in script.details for text in (detail.says, *detail.about)]
        likes = cast(
            "Mapping[str, Mapping[str, Sequence[str]]]", self.task.setup.get("user_preferences") or {}
        )
        found += [text for topics in likes.values() for some in topics.values() for text in some]
        return _plain(" ".join(found))


@lru_cache(maxsize=1024)
def _cue(cue: str) -> re.Pattern[str]:
    """Finds a word of the author's for a part in what the driver says; longer ones may go on ("window")."""
    word = _plain(cue.removesuffix("*"))
    goes_on = cue.endswith("*") or len(word.split()[-1]) >= _LONG
    return re.compile(rf"\b{re.escape(word)}" + ("" if goes_on else r"\b"))


def _plain(text: str) -> str:
    spelled = unicodedata.normalize("NFKD", folded(text))
    return "".join(sign for sign in spelled if not unicodedata.combining(sign))


def _shown(tool: Tool) -> frozenset[str]:
    return frozenset(cast("Mapping[str, Any]", (tool.returns or {}).get("properties", {})))


def _writes(tool: Tool, variables: frozenset[str]) -> Iterator[bool]:
    """Whether a tool changes what variables are named after ("fan_speed.set", "fan_speed")."""
    for change in tool.capability.changes if tool.capability else ():
        yield any(name.startswith(change.partition(".")[0]) for name in variables)


def _topic(path: str) -> str:
    return ".".join(path.split(".")[2:])


def crossed(tasks: Sequence[CarTask], tools: Mapping[str, Tool]) -> tuple[CarTask, ...]:
    """Give every complete task a decoy, each half from its own removals.

    The base tasks of hallucination tasks get each removal once; the others get them evenly. A part of the
    same domain is preferred (it is harder to tell), then one from near by in the order of the data, so that
    prefixes are crossed as well. Where no part is irrelevant enough, a task goes without.

    Args:
        tasks: All tasks of a data set, in order.
        tools: All tools of the world by name.
    """
    found: dict[str, Decoy] = {}
    for half in sorted({task.split for task in tasks}):
        own = [task for task in tasks if task.split == half]
        lacking = [task for task in own if task.removal is not None]
        paired = {task.cluster for task in lacking}
        bases = [task for task in own if task.type.family == "base" and task.cluster in paired]
        others = [task for task in own if task.removal is None and task not in bases]
        for takers in (bases, others):
            found.update(_dealt(takers, lacking, tools))
    return tuple(
        task.model_copy(update={"decoy": found[task.id]}) if task.id in found else task for task in tasks
    )


def _dealt(
    takers: Sequence[CarTask], lacking: Sequence[CarTask], tools: Mapping[str, Tool]
) -> dict[str, Decoy]:
    """Deal removals out to tasks, none again before all are used up."""
    if not takers or not lacking:
        return {}
    parts = [decoy_of(task) for task in lacking]
    rounds = -(-len(takers) // len(lacking))
    costs: list[list[int]] = []
    for task in takers:
        concerns = Concerns(task, tools)
        costs.append([_cost(concerns, one, part) for one, part in zip(lacking, parts, strict=True)] * rounds)
    pairs = zip(takers, costs, cheapest(costs), strict=True)
    return {task.id: parts[column % len(parts)] for task, row, column in pairs if row[column] < _UNFIT}


def decoy_of(task: CarTask) -> Decoy:
    """Return what a hallucination task lacks, as a decoy for others."""
    assert task.removal is not None
    cues = task.script.lacks if task.script is not None else ()
    return Decoy(paths=task.removal.paths, kind=kind_of(task.removal.paths[0]), cues=cues, of=task.id)


def _cost(concerns: Concerns, lacking: CarTask, part: Decoy) -> int:
    task = concerns.task
    if task.cluster == lacking.cluster or next(concerns.of(part), ""):
        return _UNFIT
    domain = concerns.tools[part.paths[0].removeprefix("result.").partition(".")[0]].category
    distance = abs(int(task.cluster.rpartition("_")[2]) - int(lacking.cluster.rpartition("_")[2]))
    return distance + (0 if domain in task.domains else _ELSEWHERE)
