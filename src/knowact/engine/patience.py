"""How long one attempt of a model in a role may take.

The engine hands `max_retries` and `timeout` of a run down to the models in its roles, but neither the
attempt's own time limit nor that of a task: without one, a driver or a judge who never answers holds a trial
up for as long as the provider's client is patient (half an hour).
"""

from typing import Any, Final

from inspect_ai.model import GenerateConfig

ATTEMPT_SECONDS: Final = 120
"""For one attempt, where nothing else was asked for (interfaces.md)."""


class Patience:
    """Seconds for one attempt of a model in a role."""

    def __init__(self) -> None:
        self.seconds = ATTEMPT_SECONDS


PATIENCE = Patience()
"""One per process, like the budget: it is no part of what a run is."""


def role_config(**more: Any) -> GenerateConfig:
    """Settings for one call of a model in a role.

    Never from a cache: equal prompts would give one vote several times, a person who is asked again may well
    say something else, and a reply that could not be read would come back with every new run.
    """
    return GenerateConfig(cache=False, attempt_timeout=PATIENCE.seconds, **more)
