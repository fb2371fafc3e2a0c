"""All operations of the car world, in a fixed order: one module per part of the car, by name."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from knowact.core.tool import Tool
from knowact.worlds.car import tools
from knowact.worlds.car.contract import Operation
from knowact.worlds.car.rules import Rules
from knowact.worlds.overlay import masked
from knowact.worlds.typed.tools import gathered, modules_of

CHANGED: Final = "changed"
"""The result field that says whether a call made a difference; the published world has none."""

OPERATIONS: Final = gathered(modules_of(tools), Operation)


@cache
def operations(rules: Rules) -> Mapping[str, Operation]:
    """Return the operations that a rule set has, by name."""
    return {name: operation for name, operation in OPERATIONS.items() if operation.only in {None, rules}}


@cache
def tools_of(rules: Rules) -> tuple[Tool, ...]:
    """Return the tools that a rule set offers, as agents see them."""
    tools = tuple(operation.tool for operation in operations(rules).values())
    if rules is Rules.PUBLISHED:
        return tuple(masked(tool, frozenset(), frozenset({CHANGED})) for tool in tools)
    return tools
