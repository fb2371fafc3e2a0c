"""What our own providers have in common: built-in agents, files in a role, people."""

from typing import Any

from inspect_ai.model import GenerateConfig, ModelAPI


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
