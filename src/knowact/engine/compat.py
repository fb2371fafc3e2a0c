"""The one place that touches what the engine does not export, on a pinned range of versions.

Each name says why it cannot be avoided.
"""

from typing import Final

from inspect_ai._util.error import PrerequisiteError as EnginePrerequisiteError

__all__ = ["EnginePrerequisiteError", "call_being_read"]
"""`EnginePrerequisiteError`: how the engine says that a key or a provider package is missing. It has no
public base class of its own, and catching everything would hide our own faults."""

_PARSER: Final = "parse_tool_call"
"""The engine's function that reads the arguments of a call, for every provider."""


def call_being_read(error: BaseException) -> tuple[str, str] | None:
    """Return id and tool of the call whose arguments the engine was reading when this was raised.

    Providers read them before anybody else sees the reply, and hand over nothing where that raises; only the
    trace still knows the call. None where the error is another one, or the engine reads calls otherwise by
    then: so the worst that an unknown version does is to leave such a trial unscored.
    """
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_name == _PARSER:
            known = trace.tb_frame.f_locals
            return str(known.get("id") or _PARSER), str(known.get("function") or "")
        trace = trace.tb_next
    return None
