"""What was proven of every task of version 1: `forge.proving` in the everyday world, and no hint of tools."""

import re
from typing import Final

from knowact.core.task import Task
from knowact.forge import proving
from knowact.forge.proving import CROWD, OTHER_SEEDS, holds, used_fields
from knowact.worlds.everyday.catalogue import OPERATIONS
from knowact.worlds.everyday.material import material
from knowact.worlds.plans import run_plan

__all__ = [
    "BY_NAME",
    "CROWD",
    "OTHER_SEEDS",
    "holds",
    "leak",
    "off_side",
    "run_plan",
    "unproven",
    "unproven_in_a_crowd",
    "used_fields",
]

BY_NAME: Final = material().tools


def unproven(task: Task, seed: int) -> str:
    """Everything but distractors: no leak, solvable, impossible without a required tool, on its sides."""
    return leak(task.opening.text) or proving.unproven(task, seed, material())


_NAMES: Final = tuple(f" {name.replace('_', ' ')} " for name in OPERATIONS if "_" in name)
_LETTERS: Final = re.compile(r"[a-z]+")
_LEAK: Final = re.compile(r"\b(tools?|api|function call|look up|by yourself|in your head|calculator)\b")


def leak(query: str) -> str:
    """Say which tool a query names, or which word of it speaks of tools; "" if neither."""
    words = " ".join(_LETTERS.findall(query.lower()))
    if found := _LEAK.search(words):
        return f"the query says {found[0]!r}"
    named = next((name.strip() for name in _NAMES if name in f" {words} "), "")
    return f"the query names the tool {named!r}" if named else ""


def unproven_in_a_crowd(task: Task, seed: int = 0) -> str:
    """Solvable, and impossible without a required tool, beside ten distractors too."""
    return proving.unproven_in_a_crowd(task, material(), seed)


def off_side(task: Task, seed: int) -> str:
    """Say which step does not lie on the side of the boundary that it declares."""
    return proving.off_side(task, seed, material())
