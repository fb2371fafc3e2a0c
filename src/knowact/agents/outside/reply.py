"""What an agent of one's own gets and gives: typed tools, a reply, a way to say that it can't work now."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, cast

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


class AgentTool(Protocol):
    """A tool as an agent calls it: `await tool(city="Oslo")`, without `await` in a plain function.

    It is a function that returns the text that a model would read; a failure is a text, too. Frameworks that
    look at functions find a name, a docstring, a signature and annotations; others take the schema.

    Attributes:
        name: As a model sees it.
        description: Likewise.
        parameters: JSON Schema of the arguments, an object.
        openai: The tool as the chat API takes it.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    openai: dict[str, Any]

    def __call__(self, **arguments: Any) -> Any:
        """Call it; for an async agent this is to be awaited."""
        ...


AgentFunction: TypeAlias = Callable[
    [list[dict[str, Any]], list[AgentTool]], str | Reply | Awaitable[str | Reply]
]
"""An agent as a function: from messages, as the chat API has them, and tools to its words; async or plain."""


def agent_tool(
    name: str, description: str, parameters: Mapping[str, Any], call: Callable[..., Any]
) -> AgentTool:
    """Make a tool of what carries its calls out: a coroutine function of one, else a plain function.

    Args:
        name: As a model sees it.
        description: Likewise.
        parameters: JSON Schema of the arguments.
        call: From the tool's name and the arguments to the text of the result.
    """
    made: Any
    if inspect.iscoroutinefunction(call):

        async def tool(**arguments: Any) -> str:
            return await call(name, arguments)

        made = tool
    else:

        def plain(**arguments: Any) -> str:
            return call(name, arguments)

        made = plain
    signature, schema = _signature(parameters), dict(parameters)
    made.__name__ = made.__qualname__ = made.name = name
    made.__doc__ = made.description = description
    made.__signature__, made.parameters = signature, schema
    annotated = {one.name: one.annotation for one in signature.parameters.values()}
    made.__annotations__ = {**annotated, "return": str}
    function = {"name": name, "description": description, "parameters": schema}
    made.openai = {"type": "function", "function": function}
    return cast("AgentTool", made)


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
