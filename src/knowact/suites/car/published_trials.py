"""Published trial records, in both shapes (spec car-bench.md, section 1.12).

The benchmark's own runner writes a list of records with the messages under `traj`; the competition's result
file is one object with a summary, whose rows have them under `trajectory`. Nothing is judged here: what a
record says is kept beside what its messages say.

`unpacked` and the functions after it read JSON of which nothing is certain: each takes any value; of another
kind, it gives an empty one.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from knowact.core import clean
from knowact.core.errors import BadData, Place
from knowact.datasets.lines import DEEPEST, decode, depth, read_lines
from knowact.suites.car.scoring import POLICY, PUBLISHED
from knowact.worlds.car.record import TaskType


def unpacked(value: Any) -> Any:
    """Return a value that may stand there as JSON text (spec car-bench.md, section 6.1).

    A text stays one that is no JSON, nests deeper than anything real, or holds a number beyond all measure.
    """
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    if value.count("[") + value.count("{") > DEEPEST and depth(found) > DEEPEST:
        return value
    # Half of a surrogate pair, spelt out, is what no record of ours can hold.
    return clean.plain(found) if "\\u" in value else found


def members(value: Any) -> Mapping[str, Any]:
    """Return an object, which may stand there as text."""
    found = unpacked(value)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def items(value: Any) -> list[Any]:
    """Return a list, which may stand there as text."""
    found = unpacked(value)
    return cast("list[Any]", found) if isinstance(found, list) else []


def number(value: Any) -> float | None:
    """Return a number; None where there is none, or none that can be reckoned with."""
    try:
        found = float(value) if isinstance(value, int | float) else None
    except OverflowError:
        return None
    return found if found is not None and math.isfinite(found) else None


def amount(value: Any) -> float | None:
    """Return a number that is not negative; None where there is none."""
    found = number(value)
    return found if found is not None and found >= 0 else None


_MESSAGES: Final = ("traj", "trajectory")
_ENDINGS: Final = (".json", ".jsonl")
STOP_MARK: Final = "###STOP###"


@dataclass(frozen=True, slots=True)
class PublishedTask:
    """The task of a record (spec, section 6.1), as far as scoring needs it.

    Attributes:
        setup: The 43 values of the initial configuration.
        actions: Name and arguments of each reference action.
    """

    id: str
    type: TaskType
    calendar_id: str
    setup: Mapping[str, Any]
    actions: tuple[tuple[str, Mapping[str, Any]], ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublishedTrial:
    """One record.

    Attributes:
        index: The trial, from 0.
        task: None where the record does not carry it.
        messages: The conversation, system prompt left out.
        reward: As recorded.
        recorded: The recorded sub-metrics; None for those that were not applicable or are not there.
        keyword: The word that failed the conversation; empty for none.
        judged: What the policy judge complained about; None where nothing is recorded.
        error: Why the trial crashed; empty if it did not.
        lack: Why the task cannot be used; empty if it can.
        seconds: Time of all calls of the agent's model; None where it is not recorded.
        cost: Of the agent, in US dollars; None where it is not recorded.
    """

    item: str
    index: int
    task: PublishedTask | None
    messages: tuple[Mapping[str, Any], ...]
    reward: float | None
    recorded: Mapping[str, float | None]
    keyword: str
    judged: tuple[str, ...] | None
    error: str
    lack: str
    seconds: float | None
    cost: float | None
    place: Place

    @property
    def name(self) -> str:
        """How reports call it: "base_3, trial 1"."""
        return f"{self.item}, trial {self.index + 1}"


def read_trials(path: Path) -> tuple[PublishedTrial, ...]:
    """Read the records of a file, or of all JSON files below a folder.

    Raises:
        BadData: There is nothing to read, or a file is no such file.
    """
    if not path.exists():
        raise BadData("there is no such file or folder", Place(path), "check the path")
    files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.suffix in _ENDINGS)
    found = [_trial(row, place) for file in files for row, place in _rows(file)]
    if not found:
        what = "there is no trial record here (an object with 'task_id' and 'traj' or 'trajectory')"
        raise BadData(what, Place(path), "name a result file of the benchmark, or a folder of them")
    return tuple(found)


def _rows(file: Path) -> Iterator[tuple[Mapping[str, Any], Place]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadData("the file cannot be read as text", Place(file), "check the file") from error
    try:
        whole: Any = decode(text)
    except ValueError:
        # One object per line; of what is neither, this reader says what is wrong where.
        for line in read_lines(file, text):
            yield line.value, line.place()
        return
    rows = items(whole) if isinstance(whole, list) else _below(members(whole))
    for place, row in enumerate(rows, start=1):
        yield members(row), Place(file, None, f"record {place}")


def _below(whole: Mapping[str, Any]) -> Sequence[Any]:
    """The rows of an object: itself, or what stands in the lists of records somewhere below a summary."""
    if _is_record(whole):
        return [whole]
    found: list[Any] = []
    for value in whole.values():
        if isinstance(value, list):
            found += [row for row in items(value) if _is_record(members(row))]
        elif isinstance(value, Mapping):
            found += _below(members(value))
    return found


def _is_record(row: Mapping[str, Any]) -> bool:
    return "task_id" in row and any(name in row for name in _MESSAGES)


def _trial(row: Mapping[str, Any], place: Place) -> PublishedTrial:
    if not _is_record(row):
        raise BadData("this is no trial record", place, "it needs 'task_id', and 'traj' or 'trajectory'")
    info = members(row.get("info"))
    reward_info = members(info.get("reward_info") or row.get("reward_info"))
    scores = members(reward_info.get("info"))
    messages = items(row.get("traj")) or items(row.get("trajectory"))
    task, lack = _task(members(info.get("task") or row.get("task")), row)
    judged = scores.get("policy_llm_errors", [] if number(scores.get(POLICY)) == 1 else None)
    milliseconds = amount(info.get("total_llm_induced_latency_ms"))
    index = int(number(row.get("trial")) or 0)
    if index < 0:
        raise BadData(f"'trial' is {index}, but trials count from 0", place, "correct the number")
    return PublishedTrial(
        item=_item(row["task_id"], task),
        index=index,
        task=task,
        messages=tuple(members(message) for message in messages),
        reward=number(row.get("reward")),
        recorded={name: number(scores.get(name)) for name in PUBLISHED},
        keyword=str(scores.get("end_conversation_keyword") or ""),
        judged=None if judged is None else tuple(map(str, items(judged))),
        error=str(info.get("error") or row.get("error") or ""),
        lack=lack,
        seconds=None if milliseconds is None else milliseconds / 1000,
        cost=amount(info.get("total_agent_cost")),
        place=place,
    )


def _item(given: Any, task: PublishedTask | None) -> str:
    """The task's id; legacy files number the tasks of a type instead."""
    if isinstance(given, str) and not given.isdigit():
        return given
    if task is None:
        return str(given)
    return task.id if not task.id.isdigit() else f"{task.type.family}_{task.id}"


def _task(task: Mapping[str, Any], row: Mapping[str, Any]) -> tuple[PublishedTask | None, str]:
    """The task, or why it can't be used."""
    if not task:
        return None, "the record does not carry its task"
    setup = members(task.get("context_init_config"))
    if not setup or not isinstance(unpacked(task.get("actions")), list):
        return None, "the task has no initial configuration or no reference actions"
    try:
        kind = TaskType(str(task.get("task_type") or str(task.get("task_id")).split("_", maxsplit=1)[0]))
    except ValueError:
        return None, f"the task type {task.get('task_type')!r} is unknown"
    actions = tuple(_action(members(one)) for one in items(task["actions"]))
    if not all(name for name, _ in actions):
        return None, "a reference action names no tool"
    removed = unpacked(task.get("removed_part") or members(row.get("info")).get("removed_part") or [])
    listed = [removed] if isinstance(removed, str) else items(removed)
    found = PublishedTask(
        id=str(task.get("task_id", row["task_id"])),
        type=kind,
        calendar_id=str(task.get("calendar_id") or ""),
        setup=setup,
        actions=actions,
        removed=tuple(map(str, listed)),
    )
    return found, ""


def _action(action: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    return str(action.get("name") or ""), members(action.get("kwargs") or action.get("arguments"))
