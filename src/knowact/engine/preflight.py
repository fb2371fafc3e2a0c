"""What is settled before any model is called: can the models be used, what will the run take."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from knowact.core.errors import BadUsage
from knowact.core.suite import Plan
from knowact.engine.filed import PROVIDER, shown
from knowact.engine.gold_context import BUILT_IN
from knowact.engine.models import (
    CHARACTERS_PER_TOKEN,
    REASONING_TIMEOUT,
    price,
    reasons,
    resolved,
    set_prices,
)
from knowact.engine.runs import Request
from knowact.people.baseline import PERSON

"""A usual rule of thumb for English text; the announced cost is a lower bound anyway."""


def checked(request: Request) -> Request:
    """Check models, roles and prices, and complete the engine's settings.

    Raises:
        BadUsage: A provider's package or key is missing, or a cost limit cannot be kept.
    """
    engine = dict(request.engine)
    prices = engine.pop("model_cost_config", None)
    if prices is not None:
        set_prices(Path(str(prices)))
    resolved(request.model, engine.get("model_base_url"))
    for model in request.roles.values():
        resolved(model)
    _check_token_budget(request.model, engine)
    if request.cost_limit is not None and price(request.model) is None:
        raise BadUsage(
            f"No price of {request.model} is known, so --cost-limit cannot be kept. "
            "Give prices with: -- --model-cost-config FILE"
        )
    return replace(request, engine=_with_reasoning(request.model, engine))


WITH_TOKEN_BUDGET = frozenset(("anthropic", "google", "bedrock", "openrouter", "mockllm", "knowact"))
"""Providers to which the engine passes a budget of reasoning tokens on, and those that only pretend."""


def _check_token_budget(model: str, engine: dict[str, Any]) -> None:
    """Refuse a budget that would never reach the model: it is dropped without a word.

    Raises:
        BadUsage: The provider takes no budget of reasoning tokens, or an effort is given, too.
    """
    if {"reasoning_effort", "reasoning_tokens"} <= engine.keys():
        raise BadUsage(
            "Give --reasoning-effort or --reasoning-tokens: providers take one and drop the other."
        )
    provider = model.partition("/")[0]
    if "reasoning_tokens" in engine and provider not in WITH_TOKEN_BUDGET:
        raise BadUsage(
            f"The engine does not pass --reasoning-tokens on to {provider}; give the effort instead "
            "(-- --reasoning-effort low), limit the whole answer (-- --max-tokens 4096), or write what the "
            """server understands (-- --extra-body '{"thinking_token_budget": 512}')."""
        )


def _with_reasoning(model: str, engine: dict[str, Any]) -> dict[str, Any]:
    """A model that reasons gets more time, and no temperature (providers refuse it)."""
    asked = {"reasoning_effort", "reasoning_tokens"} & engine.keys()
    if asked or (not model.startswith(BUILT_IN) and reasons(model)):
        engine.setdefault("attempt_timeout", REASONING_TIMEOUT)
        engine["knowact_reasoning"] = True
    return engine


def announce(request: Request, plan: Plan, folder: Path, *, fresh: bool = False) -> Iterator[str]:
    """Say what the run will do: items, calls, dollars where prices are known, and where it is kept.

    What is in the folder will be set aside first where the run begins `fresh`.
    """
    few, most = plan.calls
    trials = int(request.options.get("trials", 1))
    calls = f"{few * trials:,}" if few == most else f"{few * trials:,} to {most * trials:,}"
    data = f"{plan.dataset.name}@{plan.dataset.version}"
    repeated = f", {trials} trials each" if trials > 1 else ""
    items = f"{len(plan.items):,} items of {data}{repeated}"
    yield f"{request.suite.title}: {items}, {calls} calls of {request.model}."
    if (least := _least_cost(request, plan)) is not None:
        yield f"At least ${least:,.2f} for the first round of each probe."
    elif not request.model.startswith((BUILT_IN, PERSON)):
        yield "No price is known for this model, so its cost is unknown."
    yield from _role_lines(request, plan, trials)
    for note in plan.notes[:MOST_NOTES]:
        yield f"Note: {note}"
    if len(plan.notes) > MOST_NOTES:
        yield f"Note: … and {len(plan.notes) - MOST_NOTES} more of the kind."
    goes_on = not fresh and any(folder.glob("*.eval"))
    yield f"Logs: {folder}{' (going on)' if goes_on else ''}"


MOST_NOTES = 12

ROLE_TOKENS = 1_500
"""Tokens of one call in a role, about: the instructions, a form or a policy, a reply, and what comes back."""


def _role_lines(request: Request, plan: Plan, trials: int) -> Iterator[str]:
    """What the models in roles will be asked, and at least how much that costs where prices are known."""
    for role, model in sorted(request.roles.items()):
        few, most = (trials * calls for calls in plan.role_calls.get(role, (0, 0)))
        calls = f"{few:,}" if few == most else f"{few:,} to {most:,}"
        known = None if model.startswith((BUILT_IN, f"{PROVIDER}/")) else price(model)
        dollars = "" if known is None else f", about ${few * ROLE_TOKENS * known.input / 1e6:,.2f} at least"
        yield f"Role {role}: {calls} calls of {shown(model)}{dollars}."
    unread = (
        [] if request.model.startswith(BUILT_IN) else [r for r in plan.headline if r not in request.roles]
    )
    if unread:
        yield f"No model is bound as {' and '.join(unread)}: what depends on the agent's words is not judged."


def _least_cost(request: Request, plan: Plan) -> float | None:
    cost = price(request.model)
    if cost is None or request.model.startswith(BUILT_IN):
        return None
    characters = sum(
        len(item.task.opening.text)
        + sum(len(str(tool.parameters)) + len(tool.description) for tool in item.tools)
        for item in plan.items
    )
    probes = plan.calls[0] / max(1, len(plan.items))
    return characters / CHARACTERS_PER_TOKEN * probes * cost.input / 1e6
