"""A tool from its function, what it can do included; and all operations of a world, gathered."""

import importlib
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Protocol, TypeVar, get_type_hints

from pydantic import JsonValue

from knowact.core.tool import Capability, Need, Report, Tool
from knowact.worlds.paths import elements, members
from knowact.worlds.typed.schema import (
    ContractError,
    Leaf,
    ToolFunction,
    attributes_of,
    description,
    parameters_of,
    returns_of,
)


def capability_of(
    function: ToolFunction,
    parameters: Mapping[str, JsonValue],
    leaves: Sequence[Leaf],
    *,
    about: Sequence[str] | None,
    changes: tuple[str, ...],
) -> Capability:
    """Derive a tool's capability.

    Args:
        function: The tool function; its first parameter is the state.
        parameters: Its schema, from `schema.parameters_of`.
        leaves: The places in its result, from `schema.returns_of`.
        about: The parameters that together name the subject; None for all that must be told.
        changes: Attributes that a call makes true.

    Raises:
        ContractError: `about` names no parameter, or a parameter that must be told carries no attribute.
    """
    needs = _needs(function, parameters)
    subject = tuple(need.parameter for need in needs) if about is None else tuple(about)
    unknown = set(subject) - set(members(parameters["properties"]))
    if unknown:
        raise ContractError(f"{function.__name__}: 'about' names no parameter: {sorted(unknown)}")
    return Capability(
        about=subject,
        needs=needs,
        reports=tuple(Report(field=leaf.path, attribute=name) for leaf in leaves for name in leaf.names),
        changes=changes,
        echoes=tuple(leaf.path for leaf in leaves if not leaf.names),
    )


def _needs(function: ToolFunction, parameters: Mapping[str, JsonValue]) -> tuple[Need, ...]:
    """Return what a call must be told: parameters with neither a default nor an enumeration.

    A plain true or false is an enumeration, too, unless it was given an attribute.
    """
    hints = get_type_hints(function, include_extras=True)
    carrying = attributes_of(function)
    needs: list[Need] = []
    properties = members(parameters["properties"])
    for name in map(str, elements(parameters["required"])):
        shape = members(properties[name])
        if "enum" in shape or (shape["type"] == "boolean" and name not in carrying):
            continue
        names = Leaf.of(name, hints[name]).names
        if len(names) != 1:
            raise ContractError(f"{function.__name__}: parameter {name!r} carries no single attribute")
        needs.append(Need(parameter=name, attribute=names[0]))
    return tuple(needs)


def tool_of(
    function: ToolFunction,
    *,
    category: str,
    server: str,
    about: tuple[str, ...] | None,
    changes: tuple[str, ...],
    begins: str = "",
) -> Tool:
    """Derive a tool from its function.

    Args:
        function: The function; its first parameter is the state.
        category: See `core.tool.Tool`.
        server: See `core.tool.Tool`.
        about: See `capability_of`.
        changes: See `capability_of`.
        begins: What the description begins with.

    Raises:
        ContractError: The function's types or docstring leave something unsaid.
    """
    parameters = parameters_of(function)
    returns, leaves = returns_of(function)
    return Tool(
        name=function.__name__,
        description=begins + description(function),
        parameters=parameters,
        returns=returns,
        category=category,
        server=server,
        capability=capability_of(function, parameters, leaves, about=about, changes=changes),
    )


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
    named: dict[str, _Operation] = {}
    for module in modules:
        for thing in vars(module).values():
            if not isinstance(thing, kind):
                continue
            if thing.tool.name in named:
                raise ContractError(f"two tools are named {thing.tool.name!r}")
            named[thing.tool.name] = thing
    return MappingProxyType(named)
