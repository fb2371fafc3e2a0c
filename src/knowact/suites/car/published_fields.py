"""Fields of a published task, read so that every complaint can say file, record and field.

Nested values may be JSON text (spec car-bench.md, section 6.1). What is there must be what the field says:
a broken text is never taken for an empty value, because the task would then be another one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from knowact.core.errors import BadData, BadUsage, Place, suggest
from knowact.datasets.lines import decode
from knowact.suites.car.goals import Reference
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.databases import Databases
from knowact.worlds.car.removal import removed
from knowact.worlds.car.world import CarWorld

CONFIGURATION = "context_init_config"


@dataclass(frozen=True, slots=True)
class Fields:
    """One record.

    Attributes:
        row: Its fields.
        file: Where it stands.
        line: Its line, where it has one of its own.
        number: Its place in a file that is one list, from 1; None where it has a line.
    """

    row: Mapping[str, Any]
    file: Path
    line: int | None = None
    number: int | None = None

    @property
    def source(self) -> str:
        """The record's place in words; a file's name for `Place`, when the file is closed."""
        if self.number is None:
            return str(Place(self.file, self.line))
        return f"{self.file}, record {self.number}"

    def spot(self, field: str) -> Place:
        """The place of a field."""
        return Place(Path(self.source), None, field)

    def text(self, field: str) -> str:
        """Return a text; empty where there is none.

        Raises:
            BadData: It is something else.
        """
        value = self.row.get(field)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise BadData(f"this is no text, but {value!r:.60}", self.spot(field), "write a text")
        return value

    def members(self, field: str, value: Any = None) -> Mapping[str, Any]:
        """Return an object, of the record or within a field; JSON text of one will do.

        Raises:
            BadData: It is something else.
        """
        found = self._unpacked(field, self.row.get(field) if value is None else value)
        if not isinstance(found, Mapping):
            raise BadData(f"this is no object, but {found!r:.60}", self.spot(field), "write a JSON object")
        return cast("Mapping[str, Any]", found)

    def items(self, field: str) -> list[Any]:
        """Return a list; JSON text of one will do.

        Raises:
            BadData: It is something else.
        """
        found = self._unpacked(field, self.row.get(field))
        if not isinstance(found, list):
            raise BadData(f"this is no list, but {found!r:.60}", self.spot(field), "write a JSON list")
        return cast("list[Any]", found)

    def _unpacked(self, field: str, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return decode(value)
        except ValueError as error:
            said = f"the text is not JSON ({error})"
            raise BadData(said, self.spot(field), "restore it, or write the value itself") from None

    def reference(self) -> tuple[Reference, ...]:
        """Return the calls of the reference.

        Raises:
            BadData: One names no tool that there is, or its arguments are no object.
        """
        return tuple(self._call(f"actions.{place}", one) for place, one in enumerate(self.items("actions")))

    def _call(self, field: str, written: Any) -> Reference:
        action = self.members(field, {} if written is None else written)
        name = action.get("name")
        if not isinstance(name, str) or name not in OPERATIONS:
            near = suggest(str(name), OPERATIONS) if name else "name the tool"
            spot = self.spot(f"{field}.name")
            raise BadData(f"there is no tool {name!r}", spot, f"correct it: {near}".rstrip(".")) from None
        given = next((key for key in ("kwargs", "arguments") if action.get(key) is not None), "")
        arguments = self.members(f"{field}.{given}", action[given]) if given else dict[str, Any]()
        return Reference(tool=name, arguments=dict(arguments))

    def removed_part(self) -> tuple[str, ...]:
        """Return the paths of what was taken away; none where nothing was.

        Raises:
            BadData: A path leads to no tool, parameter or part of a result.
        """
        field = "removed_part"
        written = self.row.get(field)
        if not written:
            return ()
        plain = isinstance(written, str) and not written.lstrip().startswith(("[", '"', "{"))
        paths = [written] if plain else self.items(field)
        try:
            for path in paths:
                removed([str(path)], [one.tool for one in OPERATIONS.values()])
        except BadUsage as error:
            raise BadData(str(error).rstrip("."), self.spot(field), "name a part that there is") from None
        return tuple(map(str, paths))


def check_setups(tasks: Sequence[CarTask], world: CarWorld, seed: int, *, stored: bool) -> None:
    """Open the car of every published task, and look its places up.

    Args:
        tasks: Of any kind; those of ours are proven elsewhere.
        world: Opens the cars.
        seed: Of its databases.
        stored: Whether the databases are those that the tasks were written for.

    Raises:
        BadData: A variable is unknown or cannot have its value, or an id is not in the databases.
    """
    for task in tasks:
        if task.script is not None:
            continue
        place = Place(Path(task.source), None, CONFIGURATION)
        try:
            session = world.open(task.setup, seed)
        except BadUsage as error:
            raise BadData(str(error).rstrip("."), place, "correct the variable") from None
        if stored:
            _look_up(task.setup, session.car.databases, place)


def _look_up(setup: Mapping[str, Any], databases: Databases, place: Place) -> None:
    here = cast("Mapping[str, Any]", setup.get("current_location") or {}).get("id")
    stops = cast("Sequence[str]", setup.get("waypoints_id") or ())
    routes = cast("Sequence[str]", setup.get("routes_to_final_destination_id") or ())
    calendar = cast("str", setup.get("calendar_id") or "")
    fix = "correct the id, or name the databases of these tasks with --databases"
    for name, ids, known in (
        ("current_location", [here] if here else [], databases.place),
        ("waypoints_id", stops, databases.place),
        ("routes_to_final_destination_id", routes, databases.route),
        ("calendar_id", [calendar] if calendar else [], databases.calendars.get),
    ):
        unknown = next((one for one in ids if known(one) is None), None)
        if unknown is not None:
            field = name if name == "calendar_id" else f"{place.field}.{name}"
            spot = Place(place.file, None, field)
            raise BadData(f"the id {unknown!r} is not in the databases", spot, fix)
