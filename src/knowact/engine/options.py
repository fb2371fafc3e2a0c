"""The engine's options by name, for the command line."""

import inspect
from collections.abc import Sequence
from typing import Any

from inspect_ai import (
    eval_set,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)
from inspect_ai.model import GenerateConfig


def engine_names() -> Sequence[str]:
    """The engine's options, from its own signature and its generation settings."""
    signature: Any = inspect.signature(eval_set)  # pyright: ignore[reportUnknownArgumentType]
    return [*signature.parameters, *GenerateConfig.model_fields]


def fits(name: str, value: Any) -> bool:
    """Whether a generation setting takes this value; other options the engine checks when it starts."""
    if name not in GenerateConfig.model_fields:
        return True
    try:
        GenerateConfig.model_validate({name: value})
    except ValueError:
        return False
    return True
