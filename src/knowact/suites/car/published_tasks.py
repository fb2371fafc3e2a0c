"""Published tasks (spec car-bench.md, section 6.1), as `CarTask`.

The release has one configuration per task type with the splits `train` and `test`, and flat columns: initial
configuration, reference and removed parts arrive as JSON text. Files are JSON (a list, or one object) or
JSON Lines.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from knowact.core.errors import BadData, Place
from knowact.datasets.lines import decode, read_lines, read_text
from knowact.people.driver.script import Persona
from knowact.suites.car.goals import Reference
from knowact.suites.car.loose import items, members, unpacked
from knowact.suites.car.removals import kind_of
from knowact.suites.car.tasks import CarTask, Element, Removal, Split
from knowact.worlds.car.record import TaskType

_ENDINGS: Final = (".json", ".jsonl")
_SPLITS: Final[tuple[Split, ...]] = ("train", "test", "hidden")
_STYLES: Final = ("commanding", "conversational", "questioning")


def published_tasks(path: Path) -> tuple[tuple[CarTask, ...], tuple[Path, ...]]:
    """Return the tasks of a file, or of all JSON files below a folder, and the files that they came from.

    Raises:
        BadData: There is none, or one is wrong.
    """
    files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.suffix in _ENDINGS)
    found: dict[str, CarTask] = {}
    for file in files:
        for row, place in _rows(file):
            task = _task(row, file, place)
            if task.id in found:
                fix = "give each task an id of its own"
                raise BadData(f"the id {task.id!r} stands there twice", place, fix)
            found[task.id] = task
    if not found:
        what = "there is no task here (an object with 'task_id', 'instruction' and 'context_init_config')"
        raise BadData(what, Place(path), "name a task file of the benchmark, or a folder of them")
    return tuple(found.values()), tuple(files)


def _rows(file: Path) -> Iterator[tuple[Mapping[str, Any], Place]]:
    text = read_text(file)
    try:
        whole: Any = decode(text)
    except ValueError:
        for line in read_lines(file, text):
            yield line.value, line.place()
        return
    for number, row in enumerate(items(whole) if isinstance(whole, list) else [whole], start=1):
        yield members(row), Place(file, None, f"record {number}")


def _task(row: Mapping[str, Any], file: Path, place: Place) -> CarTask:
    for field in ("task_id", "instruction", "context_init_config", "actions"):
        if not row.get(field):
            spot = Place(file, place.line, field)
            raise BadData("this field is missing", spot, "add it, or leave the file out")
    name = str(row["task_id"])
    kind = _type(row, name, Place(file, place.line, "task_type"))
    calendar = {"calendar_id": row["calendar_id"]} if row.get("calendar_id") else {}
    try:
        return CarTask(
            id=name,
            type=kind,
            # Neither the base task nor the split stands in a record (D-55); the file's name has the split.
            cluster=name,
            split=_split(file),
            persona=_persona(str(row.get("persona") or "")),
            instruction=str(row["instruction"]),
            setup={**members(row["context_init_config"]), **calendar},
            reference=tuple(_reference(members(one)) for one in items(row["actions"])),
            removal=_removal(row) if kind.lacks_a_part else None,
            element=_element(row, kind) if kind.family == "disambiguation" else None,
            source=str(place),
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        spot = Place(file, place.line, ".".join(str(part) for part in first["loc"]))
        raise BadData(f"{first['msg'][:1].lower()}{first['msg'][1:]}", spot, "correct it") from error


def _type(row: Mapping[str, Any], name: str, place: Place) -> TaskType:
    written = str(row.get("task_type") or name.partition("_")[0])
    try:
        return TaskType(written)
    except ValueError:
        known = ", ".join(one.value for one in TaskType)
        raise BadData(f"the task type {written!r} is unknown", place, f"use one of {known}") from None


def _split(file: Path) -> Split:
    for split in _SPLITS:
        if split in file.stem:
            return split
    return ""


def _persona(words: str) -> Persona:
    """A persona in prose: the age is its only number, style and proficiency go by the published words."""
    plain = words.lower()
    age = re.search(r"\b(?:1[6-9]|[2-9]\d)\b", plain)
    skill = "low" if "low" in plain else "high" if "high" in plain else ""
    style = next((one for one in _STYLES if one in plain), "conversational")
    return Persona.model_validate(
        {"age": age and int(age[0]), "style": style, "proficiency": skill, "words": words}
    )


def _reference(action: Mapping[str, Any]) -> Reference:
    return Reference(
        tool=str(action.get("name", "")),
        arguments=dict(members(action.get("kwargs") or action.get("arguments"))),
    )


def _removal(row: Mapping[str, Any]) -> Removal | None:
    written = unpacked(row.get("removed_part"))
    paths = tuple(map(str, [written] if isinstance(written, str) and written else items(written)))
    return Removal(paths=paths, kind=kind_of(paths[0])) if paths else None


def _element(row: Mapping[str, Any], kind: TaskType) -> Element | None:
    """What is ambiguous; the note says how it is settled, in words that only people can use."""
    internal = kind is TaskType.INTERNAL
    field = "disambiguation_element_internal" if internal else "disambiguation_element_user"
    what = str(row.get(field) or row.get("disambiguation_element_note") or "")
    note = str(row.get("disambiguation_element_note") or "")
    level = _level(note) if internal else "user"
    return Element.model_validate({"what": what, "level": level, "note": note}) if what else None


def _level(note: str) -> str:
    """The level that a note speaks of; preferences where it names none, like most of the published tasks."""
    plain = note.lower()
    return next(
        (level for level in ("policy", "preference", "default") if level in plain),
        "context" if "context" in plain or "state" in plain else "preference",
    )
