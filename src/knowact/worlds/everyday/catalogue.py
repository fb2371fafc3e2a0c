"""All operations of the world, in a fixed order: one module per category below `tools`, by name."""

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Final

from knowact.core.tool import Tool
from knowact.worlds.everyday import tools
from knowact.worlds.everyday.contract import Operation
from knowact.worlds.everyday.schema import ContractError


def modules() -> list[ModuleType]:
    """Import every module below `tools`, in the order of their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(tools.__path__))
    return [importlib.import_module(f"{tools.__name__}.{name}") for name in names]


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


OPERATIONS: Final = gathered(modules())
TOOLS: Final[tuple[Tool, ...]] = tuple(operation.tool for operation in OPERATIONS.values())
