"""Finding a world's operations: everything of one type that the modules of one package define."""

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Protocol, TypeVar

from knowact.core.tool import Tool
from knowact.worlds.typed.schema import ContractError


class HasTool(Protocol):
    """An operation: a tool with what carries it out."""

    @property
    def tool(self) -> Tool:
        """What agents see."""
        ...


_Operation = TypeVar("_Operation", bound=HasTool)


def modules_of(package: ModuleType) -> list[ModuleType]:
    """Import every module of a package, in the order of their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return [importlib.import_module(f"{package.__name__}.{name}") for name in names]


def gathered(modules: Iterable[ModuleType], kind: type[_Operation]) -> Mapping[str, _Operation]:
    """Return the operations of some modules by name, in order of definition; a name twice is an error."""
    found: dict[str, _Operation] = {}
    for module in modules:
        for thing in vars(module).values():
            if not isinstance(thing, kind):
                continue
            if thing.tool.name in found:
                raise ContractError(f"two tools are named {thing.tool.name!r}")
            found[thing.tool.name] = thing
    return MappingProxyType(found)
