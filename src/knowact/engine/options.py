"""The engine's options by name, for the command line."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import (
    eval_set,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)
from inspect_ai.model import GenerateConfig


def engine_names() -> Sequence[str]:
    """The engine's options, from its own signature and its generation settings."""
    signature: Any = inspect.signature(eval_set)  # pyright: ignore[reportUnknownArgumentType]
    return [*signature.parameters, *GenerateConfig.model_fields]


LEAST: Mapping[str, int] = {
    **dict.fromkeys(("max_tokens", "best_of", "num_choices", "max_connections", "attempt_timeout"), 1),
    **dict.fromkeys(("timeout", "stream_idle_timeout", "max_samples", "max_tasks", "max_subprocesses"), 1),
    **dict.fromkeys(("max_sandboxes", "message_limit", "token_limit", "time_limit", "working_limit"), 1),
    **dict.fromkeys(("max_retries", "retry_on_error", "reasoning_tokens", "temperature", "top_p"), 0),
    **dict.fromkeys(("top_logprobs", "prompt_logprobs", "max_tool_output"), 0),
}
"""Below this a setting means nothing, and the engine passes it on all the same."""


def fits(name: str, value: Any) -> bool:
    """Whether a generation setting takes this value; other options the engine checks when it starts."""
    if name in LEAST and isinstance(value, int | float) and not value >= LEAST[name]:
        return False
    if name not in GenerateConfig.model_fields:
        return True
    try:
        GenerateConfig.model_validate({name: value})
    except ValueError:
        return False
    return True
