"""The one place that touches what the engine does not export, on a pinned range of versions.

Each name says why it cannot be avoided.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from inspect_ai._util.error import PrerequisiteError as EnginePrerequisiteError
from inspect_ai.model import Model, ModelCall, ModelUsage
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.model._model import active_model_context_var, sample_model_usage, sample_role_usage

__all__ = [
    "EnginePrerequisiteError",
    "call_being_read",
    "reply_being_read",
    "temperature_of_run",
    "usage_of_try",
    "with_active_model",
]
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
    for frame in _frames(error):
        if frame.f_code.co_name == _PARSER:
            known = frame.f_locals
            return str(known.get("id") or _PARSER), str(known.get("function") or "")
    return None


def reply_being_read(error: BaseException) -> Any:
    """Return the body of the provider's reply that the engine was reading when this was raised.

    Providers hand nothing over where that raises, and the log gets the error in the body's place. None where
    no reply had arrived by then, or the engine keeps it otherwise: the error then stands for itself.
    """
    for frame in _frames(error):
        for value in frame.f_locals.values():
            if isinstance(value, ModelCall) and value.response is not None:
                return value.response
    return None


@contextmanager
def with_active_model(model: Model) -> Generator[None]:
    """Let `get_model()` without a name mean this model while the block runs.

    The engine has no public way to say so, and a solver that runs as our agent would otherwise ask itself.
    """
    token = active_model_context_var.set(model)
    try:
        yield
    finally:
        active_model_context_var.reset(token)


def temperature_of_run() -> float | None:
    """Return the temperature of the running task; None where none is sent (models that reason refuse it).

    A solver is told of the settings of its task nowhere else.
    """
    return active_generate_config().temperature


def usage_of_try() -> tuple[dict[str, ModelUsage], dict[str, ModelUsage]]:
    """Return what the sample that is running has used so far, by model and by role.

    The engine counts a sample anew when it tries it again, keeps what was used before in no sample, and shows
    the running count nowhere else. Both go on counting until the try is over.
    """
    return sample_model_usage(), sample_role_usage()


def _frames(error: BaseException) -> Iterator[FrameType]:
    """Where an error came from, the outermost frame first."""
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next
