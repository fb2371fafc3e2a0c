"""The tools of a message as people and outside agents are shown them."""

from collections.abc import Sequence

from inspect_ai.tool import ToolInfo

from knowact.roles.desk import OfferedTool


def offered(tools: Sequence[ToolInfo]) -> list[OfferedTool]:
    """The engine's tools with their parameters as JSON Schema."""
    return [
        OfferedTool(tool.name, tool.description, tool.parameters.model_dump(exclude_none=True))
        for tool in tools
    ]
