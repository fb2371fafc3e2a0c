"""What a tool can do, read off its function: needs, reports and echoes come from the annotated types."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_type_hints

from knowact.core.tool import Capability, Need, Report
from knowact.worlds.typed.schema import ContractError, Leaf, flows_of


def capability_of(
    function: Callable[..., Any],
    parameters: Mapping[str, Any],
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
    unknown = set(subject) - set(parameters["properties"])
    if unknown:
        raise ContractError(f"{function.__name__}: 'about' names no parameter: {sorted(unknown)}")
    return Capability(
        about=subject,
        needs=needs,
        reports=tuple(Report(field=leaf.path, attribute=name) for leaf in leaves for name in leaf.names),
        changes=changes,
        echoes=tuple(leaf.path for leaf in leaves if not leaf.names),
    )


def _needs(function: Callable[..., Any], parameters: Mapping[str, Any]) -> tuple[Need, ...]:
    """Return what a call must be told: parameters with neither a default nor an enumeration.

    A plain true or false is an enumeration, too, unless it was given an attribute.
    """
    hints = get_type_hints(function, include_extras=True)
    carrying = flows_of(function)
    needs: list[Need] = []
    for name in parameters["required"]:
        shape = parameters["properties"][name]
        if "enum" in shape or (shape["type"] == "boolean" and name not in carrying):
            continue
        names = Leaf.of(name, hints[name]).names
        if len(names) != 1:
            raise ContractError(f"{function.__name__}: parameter {name!r} carries no single attribute")
        needs.append(Need(parameter=name, attribute=names[0]))
    return tuple(needs)
