"""Checks of tools that may leave everything as it is, and of tools that need a setup before they can work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from checked_world import check_world
from knowact.core.tool import Capability, Need, Report, Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.check import Example

SWITCH = Tool(
    name="switch",
    parameters={
        "type": "object",
        "properties": {"on": {"type": "boolean"}},
        "required": ["on"],
    },
    returns={"type": "object", "properties": {"changed": {"type": "boolean"}}, "required": ["changed"]},
    capability=Capability(
        changes=("lamp.set",), reports=(Report(field="changed", attribute="lamp.changed"),)
    ),
)
DIM = Tool(
    name="dim",
    parameters={
        "type": "object",
        "properties": {"by": {"type": "integer"}, "name": {"type": "string"}},
        "required": ["by", "name"],
    },
    returns={
        "type": "object",
        "properties": {"left": {"type": "integer"}, "spare": {"type": "integer"}},
        "required": ["left"],
    },
    capability=Capability(
        about=("by",),
        needs=(Need(parameter="by", attribute="lamp.by"), Need(parameter="name", attribute="lamp.name")),
        changes=("lamp.dimmed",),
        reports=(
            Report(field="left", attribute="lamp.left"),
            Report(field="spare", attribute="lamp.spare"),
        ),
    ),
)


@dataclass
class Lamp:
    """A lamp that can be switched, and dimmed while it is on by the one whom it belongs to."""

    on: bool
    owner: str
    level: int = 9
    lies: bool = False
    calls: list[Call] = field(default_factory=list[Call])

    def tools(self) -> Sequence[Tool]:
        return (SWITCH, DIM)

    def call(self, call: Call) -> Observation:
        given = call.arguments or {}
        if call.tool == "switch":
            changed = self.on != given["on"]
            self.on = given["on"]
            return Observation({"changed": changed and not self.lies})
        if not self.on or given["name"] != self.owner:
            return Observation(problem=Problem("conflict", "It is dark."))
        self.level -= given["by"]
        return Observation({"left": self.level})

    def context(self) -> Mapping[str, str]:
        return {}

    def snapshot(self) -> Mapping[str, Any]:
        return {"on": self.on, "level": self.level}

    def digest(self) -> str:
        return f"{self.on}/{self.level}"


@dataclass(frozen=True)
class Lamps:
    """Opens lamps."""

    lies: bool = False
    name: str = "lamps"
    deterministic: bool = True

    def open(self, setup: Mapping[str, Any], seed: int) -> Lamp:
        return Lamp(bool(setup.get("on")), str(setup.get("owner", "")), lies=self.lies)


def switched(*, on: bool, changed: bool) -> Example:
    return Example(tool="switch", arguments={"on": on}, result={"changed": changed})


def dimmed(number: int) -> Example:
    # Only these two together are right, so that drawing each alone would hardly ever be.
    owner = f"person {number}"
    return Example(
        tool="dim",
        arguments={"by": number, "name": owner},
        result={"left": 9 - number},
        setup={"on": True, "owner": owner},
    )


EXAMPLES = [
    switched(on=True, changed=True),
    switched(on=False, changed=False),
    switched(on=True, changed=True),
    *(dimmed(number) for number in range(1, 9)),
]


def test_a_call_may_change_nothing_if_it_says_so() -> None:
    assert [found.message for found in check_world(Lamps(), EXAMPLES) if not found.ok] == []


def test_a_change_that_is_denied_is_found() -> None:
    wrong = [found for found in check_world(Lamps(lies=True), EXAMPLES) if not found.ok]
    assert any("says that nothing changed" in found.message for found in wrong)


def test_a_tool_that_needs_a_setup_is_tried_in_that_of_its_examples() -> None:
    without = [example.model_copy(update={"setup": {}, "problem": "conflict"}) for example in EXAMPLES[3:]]
    wrong = [found.message for found in check_world(Lamps(), [*EXAMPLES[:3], *without]) if not found.ok]
    assert any("none of 20 random calls succeeded" in message for message in wrong)
