"""Who spent what in a conversation: each call of a model goes into its record (spec car-bench.md, D-33)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import ModelOutput

from knowact.worlds.car.record import Spent
from knowact.worlds.car.recording import Recorder

Role = Literal["agent", "user", "judge"]


@dataclass(slots=True)
class Purse:
    """Writes calls of models into a conversation's record; `turn` is the one that is under way."""

    recorder: Recorder
    turn: int = 1

    def of(self, role: Role) -> Callable[[ModelOutput], None]:
        """Return what writes down the calls of one role."""
        return lambda output: self.recorder.spend(spent(role, output, self.turn))


def spent(role: Role, output: ModelOutput, turn: int) -> Spent:
    """Return one call of a model as records keep it: cached tokens are read tokens, too."""
    usage = output.usage
    read = wrote = 0
    if usage is not None:
        read = sum(
            (usage.input_tokens, usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0)
        )
        wrote = usage.output_tokens
    return Spent(
        role=role,
        model=output.model,
        turn=turn,
        tokens=(read, wrote),
        cost=None if usage is None else usage.total_cost,
        seconds=output.time or 0.0,
    )
