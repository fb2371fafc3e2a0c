"""All operations of the world, in a fixed order: one module per category below `tools`, by name."""

from typing import Final

from knowact.core.tool import Tool
from knowact.worlds.everyday import tools
from knowact.worlds.everyday.contract import Operation
from knowact.worlds.typed.tools import gathered, modules_of

OPERATIONS: Final = gathered(modules_of(tools), Operation)
TOOLS: Final[tuple[Tool, ...]] = tuple(operation.tool for operation in OPERATIONS.values())
