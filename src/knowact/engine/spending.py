"""What a trial took of the model under test and of the models in roles, over all tries of the engine.

The engine tries a sample again that an error has ended, counts its usage anew, and keeps in the sample that
of the last try alone. What earlier tries took was paid for, too: it is written into the sample's store when
the next one begins (`Tries`), and stands in the score's metadata under `EARLIER`.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

from inspect_ai.model import ModelUsage
from inspect_ai.solver import TaskState
from inspect_ai.util import Store
from pydantic import TypeAdapter

from knowact.engine.compat import usage_of_try
from knowact.engine.records import EARLIER, ROLE_CALLS, Spent

_SPENT: Final = TypeAdapter(Spent)


def spent_of(
    models: Mapping[str, ModelUsage], roles: Mapping[str, ModelUsage], seconds: float = 0.0
) -> Spent:
    """What the model under test used, and apart from it what the models in roles did.

    Args:
        models: The usage of a sample by model, those in roles among them.
        roles: The usage by role.
        seconds: How long it worked.
    """
    used, played = list(models.values()), list(roles.values())
    return Spent(
        tokens=(
            sum(map(_read, used)) - sum(map(_read, played)),
            sum(usage.output_tokens for usage in used) - sum(usage.output_tokens for usage in played),
        ),
        seconds=seconds,
        cost=_cost(used, played),
        role_tokens={name: (_read(usage), usage.output_tokens) for name, usage in roles.items()},
        role_cost={name: usage.total_cost for name, usage in roles.items() if usage.total_cost is not None},
    )


def _cost(used: Sequence[ModelUsage], roles: Sequence[ModelUsage]) -> float | None:
    """The dollars of all models less those of the roles; None where no price of what is left is known."""
    left = _unpriced(used) - _unpriced(roles)
    priced = any(usage.total_cost is not None for usage in used)
    return _dollars(used) - _dollars(roles) if priced and left <= 0 else None


def _unpriced(some: Sequence[ModelUsage]) -> int:
    """Tokens whose price is not known."""
    return sum(_read(usage) + usage.output_tokens for usage in some if usage.total_cost is None)


def _dollars(some: Sequence[ModelUsage]) -> float:
    return math.fsum(usage.total_cost for usage in some if usage.total_cost is not None)


def _read(usage: ModelUsage) -> int:
    return usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)


@dataclass(slots=True)
class _Try:
    """One try of a sample: what it has used by model and by role, which goes on counting, and its store."""

    models: Mapping[str, ModelUsage]
    roles: Mapping[str, ModelUsage]
    store: Store


@dataclass(slots=True)
class Tries:
    """The tries of the samples that are running."""

    _last: dict[tuple[str, str, int], _Try] = field(default_factory=dict[tuple[str, str, int], _Try])

    def begin(self, state: TaskState) -> None:
        """Count a new try; where it is not the first, what was spent before goes into its store.

        How often roles were asked goes on from where the last try stopped. Called again in one try (the
        engine's setup comes before our solver), it does nothing.
        """
        before, (models, roles) = self._last.get(_key(state)), usage_of_try()
        if before is not None and before.models is models:
            return
        if before is not None:
            last, earlier = spent_of(before.models, before.roles), earlier_spent(before.store.get(EARLIER))
            state.store.set(EARLIER, asdict(last + earlier))
            state.store.set(ROLE_CALLS, before.store.get(ROLE_CALLS) or {})
        self._last[_key(state)] = _Try(models, roles, state.store)

    def end(self, state: TaskState) -> None:
        """Let go of a sample that was scored; there is no other try."""
        self._last.pop(_key(state), None)


def _key(state: TaskState) -> tuple[str, str, int]:
    """The engine holds one task with several models."""
    return str(state.model), str(state.sample_id), state.epoch


def earlier_spent(stored: object) -> Spent:
    """What earlier tries took, from what a store or the metadata of a score hold; nothing without any.

    Raises:
        ValueError: It was edited.
    """
    return Spent((0, 0), 0.0, None) if stored is None else _SPENT.validate_python(stored)


def earlier_metadata(store: Store, without: Collection[str] = ()) -> dict[str, object]:
    """What the metadata of a score say of earlier tries; nothing where there were none.

    Args:
        store: The sample's.
        without: Roles whose part is left out, because others play them by now.
    """
    stored = store.get(EARLIER)
    if stored is None:
        return {}
    found = asdict(earlier_spent(stored))
    for by_role in (found["role_tokens"], found["role_cost"]):
        for role in without:
            by_role.pop(role, None)
    return {EARLIER: found}
