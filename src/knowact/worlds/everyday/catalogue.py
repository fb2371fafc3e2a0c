"""All operations of the world, in a fixed order: one module per category below `tools`."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Final

from knowact.core.tool import Tool
from knowact.worlds.everyday.contract import Operation
from knowact.worlds.everyday.schema import ContractError
from knowact.worlds.everyday.tools import (
    calendar,
    finance,
    language,
    personal_agenda,
    personal_money,
    personal_people,
    science,
    transportation,
    weather,
)

_MODULES: Final = (
    personal_people,
    personal_agenda,
    personal_money,
    calendar,
    weather,
    finance,
    language,
    transportation,
    science,
)


def gathered(modules: Iterable[ModuleType]) -> Mapping[str, Operation]:
    """Return the operations of some modules by name, in order of definition; a name twice is an error."""
    found: dict[str, Operation] = {}
    for module in modules:
        for thing in vars(module).values():
            if not isinstance(thing, Operation):
                continue
            if thing.tool.name in found:
                raise ContractError(f"two tools are named {thing.tool.name!r}")
            found[thing.tool.name] = thing
    return MappingProxyType(found)


OPERATIONS: Final = gathered(_MODULES)
TOOLS: Final[tuple[Tool, ...]] = tuple(operation.tool for operation in OPERATIONS.values())
