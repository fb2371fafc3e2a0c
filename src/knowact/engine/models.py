"""What can be used here: a model (its provider's package, its key, its prices), and the engine's options."""

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

from inspect_ai import (
    eval_set,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)
from inspect_ai.model import (
    GenerateConfig,
    Model,
    ModelCost,
    ModelInfo,
    get_model,
    get_model_info,
    set_model_cost,
    set_model_info,
)

from knowact.core.errors import BadUsage, KnowactError, UnknownName, suggest
from knowact.core.role_model import RoleModel
from knowact.engine.compat import EnginePrerequisiteError

REASONING_TIMEOUT = 900
"""Seconds for one attempt of a model that reasons."""

PROVIDERS = (
    *("knowact", "mockllm", "openai", "openai-api", "anthropic", "google", "mistral", "grok", "groq"),
    *("azureai", "bedrock", "cloudflare", "fireworks", "hf", "llama-cpp-python", "ollama", "openrouter"),
    *("perplexity", "sagemaker", "sglang", "together", "transformer_lens", "vllm"),
)
"""The engine's providers, as far as they are suggested for a misspelt one; it does not list them itself."""


def resolved(name: str, base_url: str | None = None) -> Model:
    """Return the model, or say in one sentence what is missing.

    Raises:
        BadUsage: Unknown provider, missing package, missing key; or its address holds a name and a password,
            which would end in the log.
    """
    try:
        model = get_model(name, base_url=base_url)
    except KnowactError:
        raise
    except EnginePrerequisiteError as error:
        raise BadUsage(f"The model {name} cannot be used: {plain(str(error.message))}") from error
    except ValueError as error:
        provider = name.partition("/")[0]
        known = [] if provider in PROVIDERS else [suggest(provider, PROVIDERS)]
        raise BadUsage(" ".join([f"The model {name} cannot be used: {plain(str(error))}", *known])) from error
    if model.api.base_url and "@" in urlsplit(model.api.base_url).netloc:
        raise BadUsage(
            f"The model {name} cannot be used: its address holds a password, which would stand in the log. "
            "Set the provider's key in the environment instead."
        )
    return model


def plain(text: str) -> str:
    """The engine's message without its markup, on one line."""
    return " ".join(re.sub(r"\[/?[a-z]+\]", "", text).replace("ERROR:", "").split())


def reasons(name: str) -> bool:
    """Whether the engine's catalogue says that the model reasons by itself; False where it is unknown."""
    info = get_model_info(name)
    return bool(info and info.reasoning)


REASONING: Final = frozenset(("reasoning_effort", "reasoning_tokens"))
"""The settings that make a model reason."""

ROLE_SETTINGS: Final = (
    *("reasoning_effort", "reasoning_tokens", "max_tokens", "temperature", "top_p", "seed"),
    "extra_body",
)
"""Settings that a model in a role may have of its own."""


def reasoning(player: RoleModel) -> bool:
    """Whether a model in a role reasons: because its settings ask for it, or by itself."""
    return bool(REASONING & player.settings.keys()) or reasons(player.name)


def cool(player: RoleModel) -> float | None:
    """Temperature 0, but none for a model that reasons: providers refuse it."""
    return None if reasoning(player) else 0.0


def in_role(player: RoleModel, **more: Any) -> Model:
    """The model of a role, with its settings.

    Args:
        player: Who plays the role; its settings come before these.
        more: Further generation settings.
    """
    config = GenerateConfig.model_validate({**more, **player.settings})
    return get_model(player.name, config=config, memoize=False)


def check_player(role: str, player: RoleModel) -> None:
    """Make sure that a model can be used in a role, with its settings.

    Raises:
        BadUsage: It cannot, or a setting has a value that makes no sense.
        UnknownName: A role has no such setting.
    """
    for name, value in player.settings.items():
        if name not in ROLE_SETTINGS:
            raise UnknownName(f"setting of the role {role}", name, ROLE_SETTINGS)
        if value is None or not fits(name, value):
            raise BadUsage(f"The setting {name} of the role {role} cannot be {value!r}.")
    check_budget(player.name, player.settings)
    resolved(player.name)


WITH_TOKEN_BUDGET = frozenset(("anthropic", "google", "bedrock", "openrouter", "mockllm", "knowact"))
"""Providers to which the engine passes a budget of reasoning tokens on, and those that only pretend."""


def check_budget(model: str, settings: Mapping[str, Any]) -> None:
    """Refuse a budget that would never reach the model: it is dropped without a word.

    Raises:
        BadUsage: The provider takes no budget of reasoning tokens, or an effort is given, too.
    """
    if settings.keys() >= REASONING:
        raise BadUsage(
            f"Give {model} a reasoning effort or reasoning tokens: providers take one and drop the other."
        )
    provider = model.partition("/")[0]
    if "reasoning_tokens" in settings and provider not in WITH_TOKEN_BUDGET:
        raise BadUsage(
            f"The engine does not pass reasoning tokens on to {provider}; give the effort instead "
            "(--reasoning-effort low), limit the whole answer (--max-tokens 4096), or write what the "
            """server understands (-- --extra-body '{"thinking_token_budget": 512}')."""
        )


def set_prices(file: Path) -> None:
    """Tell the engine prices: a JSON file of model name to its `ModelCost` fields (dollars per million).

    Raises:
        BadUsage: The file cannot be read or is not of that shape.
    """
    try:
        found = cast("dict[str, Any]", json.loads(file.read_text(encoding="utf-8")))
        for name, cost in found.items():
            price_of = ModelCost.model_validate(cost)
            if get_model_info(name) is None:
                set_model_info(name, ModelInfo())
            set_model_cost(name, price_of)
    except (OSError, ValueError, AttributeError) as error:
        what = "model names to input, output, input_cache_write and input_cache_read"
        raise BadUsage(f"The price file {file} must be a JSON object of {what}.") from error


def price(name: str) -> ModelCost | None:
    """The model's prices, where the engine knows them."""
    info = get_model_info(name)
    return info.cost if info else None


CHARACTERS_PER_TOKEN: Final = 4
"""A usual rule of thumb for English text; announced costs are lower bounds anyway."""


def sending(name: str, characters: int) -> str:
    """How much is sent to a model, roughly: "about 1,200 tokens ($0.01)"; dollars where prices are known."""
    tokens = characters // CHARACTERS_PER_TOKEN
    cost = price(name)
    dollars = "" if cost is None else f" (${tokens * cost.input / 1e6:,.2f})"
    return f"about {tokens:,} tokens{dollars}"


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
