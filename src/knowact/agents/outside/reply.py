"""What an agent of one's own gets and gives: typed tools, a reply, a way to say that it can't work now."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_TYPES: Final[Mapping[str, Any]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


class AgentUnavailable(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """Raise it in an agent where something that it depends on fails (a provider, a network).

    The trial is then tried again, and at last not scored: it is no failure of the agent.
    """


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent says at the end of its turn.

    Attributes:
        text: Its words.
        input_tokens: What it has read, where it counts that.
        output_tokens: What it has written.
        cost: US dollars, where it knows.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


class AgentTool:
    """A tool as an agent calls it: `await tool(city="Oslo")`, without `await` in a plain function.

    It returns the text that a model would read; a failure is a text, too. Frameworks that look at functions
    find a name, a docstring and a signature; those that take schemas find name, description and parameters.

    Attributes:
        name: As a model sees it.
        description: Likewise.
        parameters: JSON Schema of the arguments, an object.
    """

    def __init__(
        self, name: str, description: str, parameters: Mapping[str, Any], call: Callable[..., Any]
    ) -> None:
        self.name, self.description, self.parameters = name, description, dict(parameters)
        self.__name__, self.__doc__ = name, description
        self.__signature__ = _signature(self.parameters)
        self._call = call

    def __call__(self, **arguments: Any) -> Any:
        """Call it; for an async agent this is to be awaited."""
        return self._call(self.name, arguments)

    @property
    def openai(self) -> dict[str, Any]:
        """The tool as the chat API takes it."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}

    def __repr__(self) -> str:
        return f"AgentTool({self.name}{self.__signature__})"


def _signature(parameters: Mapping[str, Any]) -> inspect.Signature:
    """Keyword parameters with Python's types; those that are not required have None as their default."""
    required: Sequence[str] = parameters.get("required") or []
    properties: Mapping[str, Mapping[str, Any]] = parameters.get("properties") or {}
    named = [(name, schema) for name, schema in properties.items() if name.isidentifier()]
    return inspect.Signature(
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if name in required else None,
                annotation=_TYPES.get(_type_of(schema), Any),
            )
            for name, schema in named
        ],
        return_annotation=str,
    )


def _type_of(schema: Mapping[str, Any]) -> str:
    """The JSON type of a parameter; empty where it has several or none."""
    found = schema.get("type")
    return found if isinstance(found, str) else ""
