"""What our own providers have in common: built-in agents, agents of others, files in a role, people."""

from typing import Any, Final

from inspect_ai.model import GenerateConfig, ModelAPI

AGENT: Final = "agent/"
"""Prefix of agents that are no models: `agent/SPEC`, or `agent/NAME=SPEC` with the name that reports show."""


def named(model: str) -> str:
    """A model's name as reports show it."""
    name, _, _ = model.removeprefix(AGENT).partition("=")
    return AGENT + name if model.startswith(AGENT) and ":" not in name else model


class OwnModel(ModelAPI):
    """A model of ours, which needs no key and no address."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,  # noqa: ARG002 - the engine passes what it has
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
