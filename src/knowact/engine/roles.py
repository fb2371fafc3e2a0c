"""Models in roles: extractor, judge, simulated user, helper. Each call is outside the agent's limits.

A role may be played by a file (`file:PATH`, `engine.filed`), which is asked by a key instead of a prompt.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ResponseSchema, model_roles
from inspect_ai.util import JSONSchema, store, suspend_token_limit, suspend_turn_limit

from knowact.engine.budget import BUDGET
from knowact.engine.outputs import guarded
from knowact.engine.records import ROLE_CALLS

ATTEMPT_SECONDS: Final = 120
"""For one attempt, where nothing else was asked for."""

RETRIES: Final = 6
"""Of a call that a provider fails."""


class AttemptTimeout:
    """Seconds for one attempt of a model in a role.

    The engine hands `max_retries` and `timeout` of a run down to the models in its roles, but neither the
    attempt's own time limit nor that of a task: without one, a user or a judge that never answers holds a
    trial up for as long as the provider's client waits (half an hour).
    """

    def __init__(self) -> None:
        self.seconds = ATTEMPT_SECONDS


ATTEMPT_TIMEOUT: Final = AttemptTimeout()
"""One per process, like the budget: it is no part of what a run is."""


def role_config(**more: Any) -> GenerateConfig:
    """Settings for one call of a model in a role.

    Never from a cache: equal prompts would give one vote several times, a person who is asked again may well
    say something else, and a reply that could not be read would come back with every new run.
    """
    return GenerateConfig(cache=False, attempt_timeout=ATTEMPT_TIMEOUT.seconds, **more)


EXTRACTOR: Final = "extractor"
JUDGE: Final = "judge"
USER: Final = "user"
HELPER: Final = "helper"

_KEYS: ContextVar[tuple[str, ...]] = ContextVar("knowact_role_keys", default=())


def role_keys() -> tuple[str, ...]:
    """What the call that is under way is about ("task-7@removed/1/act"); a file answers by the first one."""
    return _KEYS.get()


@contextmanager
def keyed(*keys: str) -> Generator[None]:
    """Say what the calls inside are about, the closest name first."""
    token = _KEYS.set(keys)
    try:
        yield
    finally:
        _KEYS.reset(token)


def players(role: str) -> tuple[Model, ...]:
    """The models bound to a role; none where nobody is.

    The engine would otherwise fall back to the model under test.
    """
    bound = model_roles().get(role)
    if bound is None:
        return ()
    return tuple(bound) if isinstance(bound, list) else (bound,)


def as_response(name: str, schema: dict[str, Any]) -> ResponseSchema:
    """A JSON Schema as providers with structured output take it."""
    return ResponseSchema(name=name, json_schema=JSONSchema.model_validate(schema))


async def role_reply(model: Model, prompt: str | list[ChatMessage], **config: Any) -> ModelOutput:
    """Ask a model in a role once.

    What it takes is no turn and no token of the agent's, and is charged to the budget of the run.

    Args:
        model: Who plays the role.
        prompt: A text, or the whole conversation.
        config: Further settings of the call (`role_config`).

    Raises:
        BudgetSpent: The cost limit was reached before.
    """
    with suspend_token_limit(), suspend_turn_limit():
        BUDGET.check()
        output = await guarded(model).generate(prompt, config=role_config(**config))
        BUDGET.charge(output)
    if model.role:
        asked = store()
        calls: dict[str, int] = asked.get(ROLE_CALLS, {})
        asked.set(ROLE_CALLS, {**calls, model.role: calls.get(model.role, 0) + 1})
    return output
