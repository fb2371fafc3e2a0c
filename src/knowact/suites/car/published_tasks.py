"""Published tasks (CAR-bench), as `CarTask`.

The release has one configuration per task type with the splits `train` and `test`, and flat columns: initial
configuration, reference and removed parts arrive as JSON text. Files are JSON or JSON Lines, beside them
perhaps a `task_splits.json`. The original repository has them as Python too, which nobody runs here.

Every complaint says file, record and field. What is there must be what the field says: a broken text is never
taken for an empty value, because the task would then be another one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast, get_args

from pydantic import ValidationError

from knowact.core.errors import BadData, BadUsage, Place, suggest
from knowact.datasets.lines import decode, read_text
from knowact.datasets.loose import Found, files_at, members, objects, unpacked
from knowact.roles.script import Persona, Style
from knowact.suites.car.goals import Reference
from knowact.suites.car.published_trials import family_of, named, type_of
from knowact.suites.car.removals import kind_of
from knowact.suites.car.tasks import LONGEST_NAME, CarTask, Element, Removal, Split, is_name
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.databases import Databases
from knowact.worlds.car.record import TaskType
from knowact.worlds.car.removal import removed
from knowact.worlds.car.world import CarWorld

CONFIGURATION = "context_init_config"


@dataclass(frozen=True, slots=True)
class Fields:
    """One record: its fields, strictly read."""

    found: Found

    @property
    def row(self) -> Mapping[str, Any]:
        """Its fields as they stand there."""
        return self.found.row

    @property
    def source(self) -> str:
        """The record's place in words; a file's name for `Place`, when the file is closed."""
        return ", ".join(filter(None, (str(Place(self.found.file, self.found.line)), self.found.spot)))

    def spot(self, field: str) -> Place:
        """The place of a field."""
        return Place(Path(self.source), None, field)

    def text(self, field: str) -> str:
        """Return a text; empty where there is none.

        Raises:
            BadData: It is something else.
        """
        value = self.row.get(field)
        if value is not None and not isinstance(value, str):
            raise BadData(f"this must be text, not {value!r:.60}", self.spot(field), "write a text")
        return value or ""

    def members(self, field: str, value: Any = None) -> Mapping[str, Any]:
        """Return an object, of the record or within a field; JSON text of one will do.

        Raises:
            BadData: It is something else.
        """
        return self._of_kind(field, self.row.get(field) if value is None else value, dict, "an object")

    def items(self, field: str) -> list[Any]:
        """Return a list; JSON text of one will do.

        Raises:
            BadData: It is something else.
        """
        return self._of_kind(field, self.row.get(field), list, "a list")

    def _of_kind(self, field: str, value: Any, kind: type, words: str) -> Any:
        try:
            found = decode(value) if isinstance(value, str) else value
        except ValueError as error:
            said = f"the text is not JSON ({error})"
            raise BadData(said, self.spot(field), "restore it, or write the value itself") from None
        if not isinstance(found, kind):
            fix = f"write {words} of JSON"
            raise BadData(f"this must be {words}, not {found!r:.60}", self.spot(field), fix)
        return found

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


_SPLITS: Final[tuple[Split, ...]] = ("train", "test", "hidden")
_ELEMENTS: Final = {
    TaskType.INTERNAL: "disambiguation_element_internal",
    TaskType.USER: "disambiguation_element_user",
}


def published_tasks(path: Path) -> tuple[tuple[CarTask, ...], tuple[Path, ...]]:
    """Return the tasks of a file, or of all JSON files below a folder, and the files that they came from.

    Raises:
        BadData: There is none, one is wrong, or some are Python.
    """
    _refuse_python(path)
    splits: dict[str, Split] = {}
    tasks: dict[str, CarTask] = {}
    files = files_at(path)
    for file in sorted(files, key=lambda file: "split" not in file.name):
        if "split" in file.name:
            splits |= _split_file("", unpacked(read_text(file)))
        for found in objects(file, _is_task):
            task = _task(Fields(found), splits)
            if task.id in tasks:
                fix = "give each task an id of its own"
                raise BadData(f"the id {task.id!r} occurs twice", Fields(found).spot("task_id"), fix)
            tasks[task.id] = task
    if not tasks:
        what = "there is no task here (an object with 'task_id', 'instruction' and 'context_init_config')"
        raise BadData(what, Place(path), "name a task file of the benchmark, or a folder of them")
    return tuple(tasks.values()), tuple(files)


def _is_task(row: Mapping[str, Any]) -> bool:
    return any(name in row for name in ("task_id", "instruction", CONFIGURATION))


def _refuse_python(path: Path) -> None:
    """Complain about tasks in Python that have no JSON file beside them.

    Raises:
        BadData: Some are there.
    """
    files = [path] if path.suffix == ".py" else sorted(path.rglob("*.py")) if path.is_dir() else []
    for file in files:
        beside = any(file.with_suffix(ending).exists() for ending in (".json", ".jsonl"))
        if not beside and (file == path or CONFIGURATION in file.read_text("utf-8", errors="replace")):
            fix = "name the benchmark's release in JSON, or write the tasks of this file into one beside it"
            raise BadData("these tasks are Python, which is not run here", Place(file), fix)


def _split_file(family: str, value: Any, split: Split = "") -> dict[str, Split]:
    """Ids by split, as a file lists them: under families and splits in any order, or each with its split."""
    found: dict[str, Split] = {}
    if isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, Any]", value).items():
            known: dict[str, Split] = {word: word for word in _SPLITS}
            kind = next((kind.family for kind in TaskType if key in {kind.value, kind.family}), family)
            if isinstance(inner, str) and inner in known:
                found[named(family, key)] = known[inner]
            else:
                found |= _split_file(kind, inner, known.get(key, split))
    elif isinstance(value, list) and split:
        found = {named(family, one): split for one in cast("list[Any]", value) if isinstance(one, str | int)}
    return found


def _task(fields: Fields, splits: Mapping[str, Split]) -> CarTask:
    row = fields.row
    for field in ("task_id", "instruction", CONFIGURATION, "actions"):
        if row.get(field) in (None, "", [], {}):
            raise BadData("this field is missing", fields.spot(field), "add it, or leave the file out")
    if not fields.items("actions"):
        raise BadData("this list is empty", fields.spot("actions"), "add the calls of the reference")
    kind = type_of(row, family_of(row, fields.found), fields.removed_part())
    if kind is None:
        known = ", ".join(one.value for one in TaskType)
        what = f"the task type {row.get('task_type') or row['task_id']!r} is unknown"
        raise BadData(what, fields.spot("task_type"), f"use one of {known}")
    name = _name(fields, kind)
    calendar = {"calendar_id": fields.text("calendar_id")} if row.get("calendar_id") else {}
    setup = {name: one for name, one in fields.members(CONFIGURATION).items() if one is not None}
    _has_what_its_type_needs(fields, kind)
    try:
        return CarTask(
            id=name,
            type=kind,
            # The base task does not stand in a record.
            cluster=name,
            split=splits.get(name) or _split(fields.found),
            persona=persona_of(fields.text("persona")),
            instruction=fields.text("instruction"),
            setup={**setup, **calendar},
            reference=fields.reference(),
            removal=_removal(fields) if kind.lacks_a_part else None,
            element=_element(row, kind) if kind.family == "disambiguation" else None,
            source=fields.source,
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        spot = fields.spot(".".join(str(part) for part in first["loc"]))
        raise BadData(f"{first['msg'][:1].lower()}{first['msg'][1:]}", spot, "correct it") from error


def _name(fields: Fields, kind: TaskType) -> str:
    """The task's id. It names trials in logs, on terminals and in pages."""
    written = fields.row["task_id"]
    name = named(kind.family, written)
    if not isinstance(written, str | int | float) or isinstance(written, bool) or not is_name(name):
        what = f"this must be an id, not {written!r:.60}"
        raise BadData(
            what, fields.spot("task_id"), f"write a text of at most {LONGEST_NAME} printable characters"
        )
    return name


def _has_what_its_type_needs(fields: Fields, kind: TaskType) -> None:
    """Complain in the words of the release about a field that the type of a task cannot be without."""
    needed = ""
    if kind.lacks_a_part and not fields.removed_part():
        needed = "removed_part"
    elif kind.family == "disambiguation" and _element(fields.row, kind) is None:
        needed = _ELEMENTS[kind]
    if needed:
        what = f"this field is missing, and a task of type {kind.value!r} needs it"
        raise BadData(what, fields.spot(needed), "add it, or correct 'task_type'")


def _split(found: Found) -> Split:
    """The split that the record's place names: the nearest key, the file or its folder."""
    for text in found.around:
        for split in _SPLITS:
            if split in re.split(r"[^a-z]+", text.lower()):
                return split
    return ""


def persona_of(words: str) -> Persona:
    """A persona in prose, by the words of the release for its style and proficiency.

    A style is named as such; proficiency is "low" or "high" in the clause that has "proficiency" or
    "proficient". Whatever is put otherwise is not specified.
    """
    plain = words.lower()
    spoken = [clause for clause in re.split("[.;,]", plain) if re.search(r"\bproficien(?:cy|t)\b", clause)]
    skills = {skill for clause in spoken for skill in re.findall(r"\b(?:low|high)\b", clause)}
    named = {"style": set(re.findall(rf"\b(?:{'|'.join(get_args(Style))})\b", plain)), "proficiency": skills}
    clear = {field: found.pop() for field, found in named.items() if len(found) == 1}
    return Persona.model_validate({**clear, "words": words})


def _removal(fields: Fields) -> Removal | None:
    paths = fields.removed_part()
    return Removal(paths=paths, kind=kind_of(paths[0])) if paths else None


def _element(row: Mapping[str, Any], kind: TaskType) -> Element | None:
    """What is ambiguous; the note says how it is settled, in words that only people can use.

    Preferences are stored where one settles it, and in no other task of this type (sections 3.2 and 6.4).
    """
    note = str(row.get("disambiguation_element_note") or "")
    what = str(row.get(_ELEMENTS[kind]) or note)
    topics = members(members(row[CONFIGURATION]).get("user_preferences")).values()
    stored = any(texts for topic in topics for texts in members(topic).values())
    level = "user" if kind is TaskType.USER else "preference" if stored else "context"
    return Element.model_validate({"what": what, "level": level, "note": note}) if what else None
