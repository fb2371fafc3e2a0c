"""Published trial records, in the shapes that there are (CAR-bench).

The benchmark's own runner writes rows with the messages under `traj`; the competition's have them under
`trajectory`, and what the runner keeps under `info` may stand at the top of the row. Nothing is judged here:
what a record says is kept beside what its messages say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

from knowact.core.errors import BadData, Place
from knowact.datasets.loose import (
    Found,
    files_at,
    items,
    members,
    number,
    objects,
    unpacked,
    words,
)
from knowact.suites.car.scoring import POLICY, PUBLISHED
from knowact.worlds.car.record import MOST_STEPS, TaskType

STOP_MARK: Final = "###STOP###"
UNKNOWN: Final = "unknown type"
POLICY_BY_CODE: Final = "r_policy, by code"
"""Whether the record names a policy that its code saw broken; it has no number for that."""

_MESSAGES: Final = ("traj", "trajectory")
_MODEL: Final = ("model", "agent_model", "model_name", "agent_llm")
_TRIAL: Final = ("trial", "trial_index", "trial_id")
_FAMILIES: Final = frozenset(kind.family for kind in TaskType)
_DIVIDING: Final = re.compile(
    rf"(?i)(?:^|[_\-\s]+)(?:{'|'.join({w for kind in TaskType for w in kind.split('_')})}|train|test|hidden)"
    r"(?=[_\-\s]|$)"
)


@dataclass(frozen=True, slots=True)
class PublishedTask:
    """The task of a record, as far as scoring needs it.

    Attributes:
        setup: The 43 values of the initial configuration.
        actions: Name and arguments of each reference action.
        lack: Why the task cannot be used; empty if it can.
    """

    type: TaskType = TaskType.BASE
    calendar_id: str = ""
    setup: Mapping[str, Any] = field(default_factory=dict[str, Any])
    actions: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    removed: tuple[str, ...] = ()
    lack: str = ""


@dataclass(frozen=True, slots=True)
class PublishedTrial:
    """One record.

    Attributes:
        kind: The type of the task as tables name it: base, hallucination, disambiguation.
        index: The trial, from 0; as recorded, or by order of occurrence.
        messages: The conversation, system prompt included.
        reward: As recorded.
        recorded: The recorded sub-metrics and `POLICY_BY_CODE`; None for what did not apply or is not there.
        keyword: The word that failed the conversation; empty for none.
        judged: What the policy judge complained about; None where nothing is recorded.
        error: Why the trial crashed; empty if it did not.
        model: The agent's model; empty where the record and what it stands in don't say.
        found: Where it was found.
    """

    item: str
    kind: str
    index: int
    task: PublishedTask
    messages: tuple[Mapping[str, Any], ...]
    reward: float | None
    recorded: Mapping[str, float | None]
    keyword: str
    judged: tuple[str, ...] | None
    error: str
    model: str
    found: Found

    @property
    def name(self) -> str:
        """How reports call it: "base_3, trial 1"."""
        return f"{self.item}, trial {self.index + 1}"

    @property
    def stopped(self) -> bool:
        """Whether the record shows that the driver ended the conversation."""
        last = self.messages[-1:]
        return any(one.get("role") == "user" and STOP_MARK in words(one.get("content")) for one in last)

    @property
    def cut_off(self) -> str:
        """Why a trial ended without being scored: "crash", "limit"; empty if it was scored."""
        if any(value is not None for value in self.recorded.values()):
            return ""
        if self.error or not self.messages:
            return "crash"
        if self.stopped or self.reward == 1:
            return ""
        if sum(message.get("role") == "assistant" for message in self.messages) >= MOST_STEPS:
            return "limit"
        return "crash" if self.reward == 0 else ""


@dataclass(slots=True, eq=False)
class PublishedRun:
    """The trials of one agent.

    Attributes:
        name: What tables call it: the model, else what its files have in common.
        remarks: What was decided about trials that occur more than once, a sentence each.
    """

    name: str
    trials: list[PublishedTrial] = field(default_factory=list[PublishedTrial])
    remarks: list[str] = field(default_factory=list[str])

    @property
    def tasks(self) -> frozenset[str]:
        """Their ids."""
        return frozenset(one.item for one in self.trials)

    @property
    def files(self) -> tuple[Path, ...]:
        """Where they come from."""
        return tuple(dict.fromkeys(one.found.file for one in self.trials))


def read_runs(path: Path) -> tuple[PublishedRun, ...]:
    """Read the records of a file, or of all JSON files below a folder, run by run.

    A run is what one file says of one model. Files of the same model, or without one, whose paths differ only
    in words for task types and splits are one run if no task occurs in two of them.

    Raises:
        BadData: There is nothing to read, or a file is neither JSON nor JSON Lines.
    """
    root = path if path.is_dir() else path.parent
    runs: dict[tuple[str, ...], list[PublishedRun]] = {}
    for file in files_at(path):
        *folders, stem = file.relative_to(root).with_suffix("").parts
        for part in _parts([_trial(found) for found in objects(file, _is_record)]):
            names = (*map(_without_types, folders), part.name or _without_types(stem))
            key = tuple(name for name in names if name)
            same = runs.setdefault(key, [])
            whole = next((run for run in same if not run.tasks & part.tasks), None)
            if whole is None:
                same.append(part)
            else:
                whole.trials += part.trials
                whole.remarks += part.remarks
    if not runs:
        what = "there is no trial record here (an object with 'task_id' and 'traj' or 'trajectory')"
        raise BadData(what, Place(path), "name a result file of the benchmark, or a folder of them")
    found = [(key, run) for key, same in runs.items() for run in same]
    taken = set[str]()
    for place, (key, run) in enumerate(found, start=1):
        alone = str(run.files[0].relative_to(root))
        best = run.name or (alone if len(run.files) == 1 else "/".join(key) or path.resolve().name)
        # Runs of one model are told apart by their files.
        names = (best, f"{best} ({alone})", f"{best} ({alone}, {place})")
        run.name = next(name for name in names if name not in taken)
        taken.add(run.name)
    return tuple(run for _, run in found)


def _without_types(name: str) -> str:
    """A name without words for types of tasks and splits, which divide a run into files."""
    return _DIVIDING.sub("", name).strip("_- ")


def _parts(trials: Sequence[PublishedTrial]) -> Iterator[PublishedRun]:
    """The trials of a file, numbered, by model and by the element of a list that they stand in."""
    parts: dict[tuple[str, str], PublishedRun] = {}
    seen: dict[tuple[str, str, int], list[PublishedTrial]] = {}
    numbers: dict[tuple[PublishedRun, str], set[int]] = {}
    repeated: list[PublishedTrial] = []
    for one in trials:
        same = seen.setdefault((one.model, one.item, one.index), [])
        if one.index >= 0 and any(before.found.row == one.found.row for before in same):
            repeated.append(one)
            continue
        part = parts.setdefault((one.model, _element(one.found)), PublishedRun(one.model))
        known, index = numbers.setdefault((part, one.item), set()), one.index
        if index in known:
            what = f"{one.name} is recorded again, and otherwise, at {one.found.place}"
            part.remarks.append(f"{what}; both count")
        if index < 0 or index in known:
            index = next(free for free in count() if free not in known)
        same.append(one)
        known.add(index)
        part.trials.append(replace(one, index=index))
    for one in repeated[:1]:
        # Intermediate results, say, which the final ones repeat.
        what = f"{len(repeated):,} of the records repeat others word for word and count once"
        next(iter(parts.values())).remarks.append(f"{what}; the first is {one.name}, at {one.found.place}")
    yield from parts.values()


def _element(found: Found) -> str:
    """The way to the element of a list in which a row stands, if it is not that element itself."""
    if found.line is not None and found.keys:
        return str(found.line)
    first = next((place for place, key in enumerate(found.keys) if key.isdigit()), len(found.keys))
    return ".".join(found.keys[: first + 1]) if first < len(found.keys) - 1 else ""


def _is_record(row: Mapping[str, Any]) -> bool:
    if any(name in row for name in _MESSAGES):
        return True
    named = "task_id" in row or "task_index" in row
    return named and any(row.get(name) for name in ("info", "reward_info", "error", "traceback"))


def _trial(found: Found) -> PublishedTrial:
    row, info = found.row, members(found.row.get("info"))
    reward_info = members(info.get("reward_info") or row.get("reward_info"))
    # Sub-scores have a place of their own, and stand higher up in other files.
    levels = (members(reward_info.get("info")), reward_info, info, row)

    def told(*names: str) -> Any:
        return next((level[name] for name in names for level in levels if level.get(name) is not None), None)

    written = members(told("task"))
    kind = family_of(written, found)
    recorded = {name: number(told(name)) for name in PUBLISHED}
    broken, complaints = (unpacked(told(name)) for name in ("policy_aut_errors", "policy_llm_errors"))
    recorded[POLICY_BY_CODE] = None if recorded[POLICY] is None or broken is None else float(not broken)
    index = number(told(*_TRIAL))
    return PublishedTrial(
        item=_item(row, written, kind, found),
        kind=kind,
        index=-1 if index is None else int(index),
        task=_task(written, kind, told("removed_part")),
        messages=tuple(map(members, items(row.get("traj")) or items(row.get("trajectory")))),
        reward=number(told("reward") if row.get("reward") is None else row["reward"]),
        recorded=recorded,
        keyword=str(told("end_conversation_keyword") or ""),
        judged=_complaints(recorded[POLICY], broken, complaints, asked=kind != "hallucination"),
        error=str(told("error", "traceback") or ""),
        model=_model(row, info, found.above),
        found=found,
    )


def _complaints(policy: float | None, broken: Any, complaints: Any, *, asked: bool) -> tuple[str, ...] | None:
    """What the judge complained about; None where it was not asked, or nobody knows."""
    if policy is None and not asked:
        return None
    if complaints is not None:
        return tuple(map(str, items(complaints)))
    if policy == 0 and broken == []:
        return ("the record says only that a policy was broken, and none that code decides",)
    return () if policy == 1 else None


def _model(row: Mapping[str, Any], info: Mapping[str, Any], above: Sequence[Mapping[str, Any]]) -> str:
    """The agent's model: of the row, or of the nearest object around it that names one, or a participant."""
    named = [level.get(name) for level in (row, info, *reversed(above)) for name in _MODEL]
    named += [one for level in reversed(above) for one in members(level.get("participants")).values()]
    return next((one for one in named if isinstance(one, str) and one), "")


def family_of(task: Mapping[str, Any], found: Found) -> str:
    """Return the family of a row's task: what its type or id says; else where it stands: key, split, file."""
    told = (task.get("task_type"), found.row.get("task_type"), task.get("task_id"), found.row.get("task_id"))
    for text in (*told, *found.around):
        for word in re.split(r"[^a-z]+", str(text or "").lower()):
            if word in _FAMILIES:
                return word
    return UNKNOWN


def _item(row: Mapping[str, Any], task: Mapping[str, Any], kind: str, found: Found) -> str:
    """The task's id: the first that is no mere number, else a number with its type."""
    keys = (key for key in reversed(found.keys) if re.fullmatch(rf"({'|'.join(_FAMILIES)})\w*_\d+", key))
    ids = (row.get("task_id"), task.get("task_id"), *keys, row.get("task_index"))
    known = [name for one in ids if (name := named("", one))] or [found.spot]
    given = next((one for one in known if not one.isdigit()), known[0])
    return named("" if kind == UNKNOWN else kind, given)


def named(family: str, written: Any) -> str:
    """Return an id with its type: legacy files number the tasks of a type."""
    whole = None if isinstance(written, str) else number(written)
    name = str(written or "") if whole is None or whole % 1 else str(int(whole))
    return f"{family}_{name}" if name.isdigit() and family else name


def _task(task: Mapping[str, Any], kind: str, removed: Any) -> PublishedTask:
    """The task, or why it can't be used."""
    listed = unpacked(task.get("removed_part") or removed or [])
    paths = tuple(map(str, [listed] if isinstance(listed, str) else items(listed)))
    found = type_of(task, kind, paths)
    if found is None:
        return PublishedTask(lack=f"the task type {task.get('task_type') or kind!r} is unknown")
    if not task:
        return PublishedTask(found, removed=paths, lack="the record does not carry its task")
    setup, listed_actions = members(task.get("context_init_config")), unpacked(task.get("actions"))
    if not setup or not (isinstance(listed_actions, list) or found.lacks_a_part):
        return PublishedTask(found, lack="the task has no initial configuration or no reference actions")
    actions = tuple(action_of(members(one)) for one in items(listed_actions))
    if not all(name for name, _ in actions):
        return PublishedTask(found, lack="a reference action names no tool")
    values = {name: value for name, value in setup.items() if value is not None}
    return PublishedTask(found, str(task.get("calendar_id") or ""), values, actions, paths)


def type_of(task: Mapping[str, Any], kind: str, removed: Sequence[str]) -> TaskType | None:
    """Return the type as written; where only its family is, what is removed or ambiguous tells the rest."""
    written = str(task.get("task_type") or kind).lower().rpartition(".")[2]
    if written in set(TaskType):
        return TaskType(written)
    if written == "hallucination":
        main = removed[0] if removed else ""
        parameter = TaskType.MISSING_PARAMETER if "." in main else TaskType.MISSING_TOOL
        return TaskType.MISSING_RESPONSE if main.startswith("result.") else parameter
    if written == "disambiguation":
        return TaskType.INTERNAL if task.get("disambiguation_element_internal") else TaskType.USER
    return None


def action_of(action: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the name of a called tool and its arguments, by the names that are in use for them."""
    inner = members(action.get("function")) or action
    name = next((inner[key] for key in ("name", "tool_name") if inner.get(key)), "")
    given = next((inner[key] for key in ("kwargs", "arguments", "args") if inner.get(key) is not None), None)
    return str(name), members(given)
