"""A world as another package would offer it, with tools that misbehave in every way; see `install`."""

import json
import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from knowact.core.tool import Capability, Need, Report, Tool
from knowact.core.world import Call, Observation
from knowact.worlds.check import Example
from knowact.worlds.registry import WorldEntry

ASLEEP = 600
"""Seconds that a tool sleeps: far more than everything else takes together, on any machine."""

TOOLS = ("good", "sleeps", "spins", "raises", "leaves", "crashes", "generates", "lies")


def make_tool(name: str) -> Tool:
    parameters: dict[str, Any] = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
    }
    returns: dict[str, Any] = {"type": "object", "properties": {"twice": {"type": "integer"}}}
    capability = Capability(
        about=("n",),
        needs=(Need(parameter="n", attribute="number.value"),),
        reports=(Report(field="twice", attribute=f"number.{name}"),),
    )
    return Tool(name=name, parameters=parameters, returns=returns, capability=capability, category="Odd")


class Session:
    def tools(self) -> Sequence[Tool]:
        return [make_tool(name) for name in TOOLS]

    def call(self, call: Call) -> Observation:
        match call.tool:
            case "sleeps":
                time.sleep(ASLEEP)
            case "spins":
                # Never lets go of the interpreter: a thread that watched would be stopped, too.
                re.match(r"(a+)+$", "a" * 60 + "b")
            case "raises":
                raise RuntimeError("the drawer\x1b[2J is stuck")
            case "leaves":
                sys.exit(4)
            case "crashes":
                os._exit(3)
            case "generates":
                return Observation(one for one in ())
            case "lies":
                return Observation({"twice": 7})
            case _:
                pass
        return Observation({"twice": 2 * (call.arguments or {})["n"]})

    def context(self) -> Mapping[str, str]:
        return {}

    def snapshot(self) -> Mapping[str, Any]:
        return {}

    def digest(self) -> str:
        return ""


class World:
    name, deterministic = "outside", True

    def open(self, setup: Mapping[str, Any], seed: int) -> Session:
        return Session()


def examples() -> Sequence[Example]:
    return [
        Example(tool=tool, arguments={"n": n}, result={"twice": 2 * n}) for tool in TOOLS for n in (1, 2, 3)
    ]


def broken() -> World:
    raise RuntimeError("no such drawer")


ENTRY = WorldEntry(World, examples)
BARE = WorldEntry(World)
UNMADE = WorldEntry(broken, examples)
NO_ENTRY = "a text"


def install(folder: Path) -> None:
    """Write what an installed package leaves behind for the entry points of this module."""
    info = folder / "outside-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n", encoding="utf-8")
    offered = {"outside": "ENTRY", "bare": "BARE", "unmade": "UNMADE", "no-entry": "NO_ENTRY"}
    lines = [f"{name} = outside_world:{thing}\n" for name, thing in offered.items()]
    (info / "entry_points.txt").write_text("[knowact.worlds]\n" + "".join(lines), encoding="utf-8")


def write_examples(file: Path, found: Sequence[Example]) -> Path:
    """Write examples as the lines that `--examples` reads."""
    file.write_text(
        "".join(json.dumps(one.model_dump(mode="json")) + "\n" for one in found), encoding="utf-8"
    )
    return file
