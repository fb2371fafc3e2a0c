"""Who spent what in a conversation: each call of a model goes into its record."""

from collections.abc import Callable
from dataclasses import dataclass

from inspect_ai.model import ModelOutput

from knowact.core.conversation import ModelUsage, Recorder, Role, Trial

Spend = Callable[[ModelOutput], None]
"""Writes down one call of a model."""


@dataclass(frozen=True, slots=True)
class UsageTracker:
    """Writes calls of models into a conversation's record."""

    recorder: Recorder[Trial]

    def of(self, role: Role) -> Spend:
        """Return what writes down the calls of one role."""
        return lambda output: self.recorder.spend(model_usage(role, output, self.recorder.turn))


def model_usage(role: Role, output: ModelOutput, turn: int) -> ModelUsage:
    """Return one call of a model as records keep it: cached tokens are read tokens, too."""
    usage = output.usage
    read = wrote = 0
    if usage is not None:
        read = sum(
            (usage.input_tokens, usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0)
        )
        wrote = usage.output_tokens
    return ModelUsage(
        role=role,
        model=output.model,
        turn=turn,
        tokens=(read, wrote),
        cost=None if usage is None else usage.total_cost,
        seconds=output.time or 0.0,
    )
