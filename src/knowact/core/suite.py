"""A suite: a choice of data sets, conditions, probes and measures, with its tables and figures.

Shared code gets to know a suite by this object alone. It is pure: importing it never loads the engine.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knowact.core.condition import Condition
from knowact.core.table import DatasetInfo, Estimate, Figure, Run, Table
from knowact.core.task import Task
from knowact.core.tool import Tool


@dataclass(frozen=True, slots=True)
class Option:
    """A suite's own option, on the command line and as a task argument of the engine.

    Attributes:
        name: In Python spelling; the command line shows it with hyphens.
        help: One sentence: what it does.
        default: Its type is the option's type (bool, int, str).
        choices: Allowed values; empty allows any.
        least: For integers, the least value that makes sense.
    """

    name: str
    help: str
    default: bool | int | str
    choices: tuple[str, ...] = ()
    least: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """A task under a condition, ready to be asked. `tools` are offered in this order."""

    task: Task
    condition: Condition
    tools: tuple[Tool, ...]
    labels: Mapping[str, str]

    @property
    def id(self) -> str:
        """Unique in a run: the task's id, and the condition where it is not the clean one."""
        return self.task.id if self.condition.name == "clean" else f"{self.task.id}@{self.condition.name}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do, known before anything is called.

    Attributes:
        calls: Fewest and most model calls for one pass over the items.
        notes: What the user should know (lossy schemas, replay gaps), a sentence each.
    """

    dataset: DatasetInfo
    items: tuple[Item, ...]
    calls: tuple[int, int]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set that a suite ships."""

    name: str
    version: str
    size: int
    licence: str
    path: Path


@dataclass(frozen=True, slots=True)
class Instrument:
    """A reader or judge, calibrated on its labelled adversarial set (validity.md, section 6).

    Attributes:
        false_positive: How often it says yes where the label says no.
        false_negative: How often it says no where the label says yes.
    """

    name: str
    what: str
    false_positive: Estimate
    false_negative: Estimate


COMMON_DEFAULTS: Mapping[str, bool | int | str] = {
    "seed": 0,
    "trials": 1,
    "rules": "definition",
    "limit": 0,
}
"""Options of every suite: the seed of all random choices, epochs, rule set, first N base tasks (0: all)."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One run of the demo: a built-in agent (without prefix) and what differs from the defaults."""

    agent: str
    options: Mapping[str, bool | int | str] = field(default_factory=dict[str, bool | int | str])


@dataclass(frozen=True, slots=True)
class Suite:
    """Everything that shared code needs to know of a suite.

    Attributes:
        name: As in Python and in the engine ("fail_talms").
        question: What it asks, in one line.
        task: "package.module:function" of its engine task, imported only when it runs.
        options: Its own options.
        datasets: What it ships.
        plan: Options (common ones included: `data`, `seed`, `rules`) to the items of a run.
        measures: Names of the verdicts in its records, the headline first.
        tables: Each makes one table of all runs of this suite.
        figures: Each makes one figure of all runs of this suite.
        verdict: The result of one run in words, the most important sentence first.
        instruments: The readers and judges it used, with their error rates.
        compared: Which verdicts `knowact compare` puts side by side; a pair stands for the KAS of both.
        about: What a reader has to know to read its numbers, in a few sentences.
        demo: What `knowact demo` runs of it.
    """

    name: str
    title: str
    question: str
    paper: str
    task: str
    options: tuple[Option, ...]
    datasets: Callable[[], Sequence[Dataset]]
    plan: Callable[[Mapping[str, Any]], Plan]
    measures: tuple[str, ...]
    tables: tuple[Callable[[Sequence[Run]], Table], ...]
    figures: tuple[Callable[[Sequence[Run]], Figure], ...]
    verdict: Callable[[Run], Sequence[str]]
    instruments: Callable[[], Sequence[Instrument]]
    compared: tuple[str | tuple[str, str], ...]
    about: str = ""
    demo: tuple[Scene, ...] = ()

    def defaults(self) -> dict[str, bool | int | str]:
        """Every option at its default."""
        return {option.name: option.default for option in self.options} | dict(COMMON_DEFAULTS)
