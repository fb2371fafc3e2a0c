"""Other people's tools: from MCP servers, OpenAPI documents, Python modules and published collections."""

from typing import TYPE_CHECKING

from knowact.tools.folder import OWN_TOOLS
from knowact.worlds.registry import offer

if TYPE_CHECKING:
    from knowact.core.world import World


def _world(name: str) -> "World":
    from knowact.tools.world import ToolsWorld

    return ToolsWorld(name)


offer(OWN_TOOLS, _world)
