"""What an agent sees of a listed tool that answers with an error, with nothing, or with half of something.

No call is carried out and nothing is waited for, so the world stays as it is and nothing of a true result can
be seen. A tool that answers with something wrong is in `distort`.
"""

import json
from collections.abc import Mapping
from typing import Final

from knowact.core.condition import Fail, Failure
from knowact.core.tool import Tool
from knowact.core.world import Observation, Problem

SECONDS: Final = 20
"""The longest that a function of the benchmark may take (FAIL-TaLMs; spec fail-talms.md, section 3)."""

_MESSAGES: Final[Mapping[Failure, str]] = {
    "gone": "410 Gone: this service was shut down and will not come back.",
    "server_error": "500 Internal Server Error: the service could not handle the request.",
    "timeout": f"The service did not answer within {SECONDS} seconds.",
}


def failed(tool: Tool, change: Fail) -> Observation:
    """Return what a call of the tool comes to, whatever its arguments.

    Args:
        tool: As it is offered, so that a half result names nothing that was masked.
        change: How it fails; anything but `wrong`.
    """
    if change.how == "wrong":
        raise ValueError("a tool that reports something wrong carries its calls out")
    if change.how == "empty":
        return Observation("")
    if change.how == "malformed":
        return Observation(_beginning(tool))
    return Observation(problem=Problem(change.how, _MESSAGES.get(change.how, change.message)))


def _beginning(tool: Tool) -> str:
    """The result of this tool as JSON, up to its first value."""
    text = ""
    for part in _first_field(tool).split("."):
        name = part.removesuffix("[]")
        text += f"{{{json.dumps(name, ensure_ascii=False)}: " if name else ""
        text += "[" if part.endswith("[]") else ""
    return text.rstrip()


def _first_field(tool: Tool) -> str:
    if tool.capability is not None and tool.capability.reports:
        return tool.capability.reports[0].field
    fields = (tool.returns or {}).get("properties")
    return next(iter(fields), "result") if isinstance(fields, dict) else "result"
