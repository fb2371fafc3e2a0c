"""All operations of the world, in a fixed order: one module per category below `tools`, by name."""

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Final

from knowact.core.tool import Tool
from knowact.worlds import gathering
from knowact.worlds.everyday import tools
from knowact.worlds.everyday.contract import Operation


def modules() -> list[ModuleType]:
    """Import every module below `tools`, in the order of their names."""
    return gathering.modules_of(tools)


def gathered(modules: Iterable[ModuleType]) -> Mapping[str, Operation]:
    """Return the operations of some modules by name, in order of definition; a name twice is an error."""
    return gathering.gathered(modules, Operation)


OPERATIONS: Final = gathered(modules())
TOOLS: Final[tuple[Tool, ...]] = tuple(operation.tool for operation in OPERATIONS.values())
