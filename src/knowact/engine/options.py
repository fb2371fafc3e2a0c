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
