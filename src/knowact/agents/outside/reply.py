"""What an agent of one's own gets and gives: typed tools, a reply, a way to say that it can't work now."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NotRequired, Protocol, TypeAlias, TypedDict, cast

from pydantic import JsonValue

from knowact.core.schema import Schema, elements, members

_TYPES: Final[Mapping[str, type]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


class CalledFunction(TypedDict):
    """The function of a call, as the chat API has it; `arguments` is JSON."""

    name: str
    arguments: str


class ChatCall(TypedDict):
    """A call in a message, as the chat API has it."""

    id: str
    type: Literal["function"]
    function: CalledFunction


class ChatTurn(TypedDict):
    """A message as the chat API has it."""

    role: str
    content: str
    tool_calls: NotRequired[list[ChatCall]]
    tool_call_id: NotRequired[str]


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
    parameters: Schema
    openai: Schema

    def __call__(self, **arguments: JsonValue) -> Any:
        """Call it; for an async agent this is to be awaited."""
        ...


AgentFunction: TypeAlias = Callable[
    [list[dict[str, Any]], list[AgentTool]], str | Reply | Awaitable[str | Reply]
]
"""An agent as a function: from messages, as the chat API has them, and tools to its words; async or plain."""


def agent_tool(
    name: str,
    description: str,
    parameters: Mapping[str, JsonValue],
    call: Callable[[str, Schema], Awaitable[str]] | Callable[[str, Schema], str],
) -> AgentTool:
    """Make a tool of what carries its calls out: a coroutine function of one, else a plain function.

    Args:
        name: As a model sees it.
        description: Likewise.
        parameters: JSON Schema of the arguments.
        call: From the tool's name and the arguments to the text of the result.
    """

    async def awaited(**arguments: JsonValue) -> str:
        result = call(name, arguments)
        return result if isinstance(result, str) else await result

    def plain(**arguments: JsonValue) -> str | Awaitable[str]:
        return call(name, arguments)

    tool = awaited if inspect.iscoroutinefunction(call) else plain
    signature, schema = _signature(parameters), dict(parameters)
    annotated = {parameter.name: parameter.annotation for parameter in signature.parameters.values()}
    tool.__name__ = tool.__qualname__ = name
    tool.__doc__ = description
    tool.__annotations__ = {**annotated, "return": str}
    function = {"name": name, "description": description, "parameters": schema}
    vars(tool).update(
        __signature__=signature,
        name=name,
        description=description,
        parameters=schema,
        openai={"type": "function", "function": function},
    )
    return cast("AgentTool", tool)


def _signature(parameters: Mapping[str, JsonValue]) -> inspect.Signature:
    """Keyword parameters with Python's types; those that are not required have None as their default."""
    required = elements(parameters.get("required"))
    return inspect.Signature(
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if name in required else None,
                annotation=_TYPES.get(str(members(shape).get("type")), Any),
            )
            for name, shape in members(parameters.get("properties")).items()
            if name.isidentifier()
        ],
        return_annotation=str,
    )
