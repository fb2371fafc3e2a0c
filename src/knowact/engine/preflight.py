"""What is settled before any model is called: can the models be used, what will the run take."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from knowact.core.errors import BadUsage
from knowact.core.role_model import BUILT_IN
from knowact.core.suite import Plan
from knowact.engine.filed import PROVIDER, shown
from knowact.engine.models import (
    CHARACTERS_PER_TOKEN,
    REASONING,
    REASONING_TIMEOUT,
    check_budget,
    check_player,
    price,
    reasons,
    resolved,
    set_prices,
)
from knowact.engine.own_model import AGENT
from knowact.engine.runs import Request
from knowact.roles.baseline import PERSON


def checked(request: Request) -> Request:
    """Check models, roles and prices, and complete the engine's settings.

    Raises:
        BadUsage: A provider's package or key is missing, or a cost limit cannot be kept.
    """
    engine = dict(request.engine)
    prices = engine.pop("model_cost_config", None)
    if prices is not None:
        set_prices(Path(str(prices)))
    check_budget(request.model, engine)
    resolved(request.model, engine.get("model_base_url"))
    for role, player in request.roles.items():
        check_player(role, player)
    # What an agent spends is counted as it asks a model of the engine, or as its replies say.
    unknown = price(request.model) is None and not request.model.startswith(AGENT)
    if request.cost_limit is not None and unknown:
        raise BadUsage(
            f"No price of {request.model} is known, so --cost-limit cannot be kept. "
            "Give prices with: -- --model-cost-config FILE"
        )
    return replace(request, engine=_with_reasoning(request.model, engine))


def _with_reasoning(model: str, engine: dict[str, Any]) -> dict[str, Any]:
    """A model that reasons gets more time, and no temperature (providers refuse it)."""
    if REASONING & engine.keys() or (not model.startswith(BUILT_IN) and reasons(model)):
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
    if (least := least_cost(request, plan)) is not None:
        yield f"At least ${least:,.2f} for the first round of each probe."
    elif not request.model.startswith((BUILT_IN, PERSON)):
        yield "No price is known for this model, so its cost is unknown."
    yield from _role_lines(request, plan, trials)
    remarks = plan.remarks
    for remark in remarks[:MOST_NOTES]:
        yield f"Note: {remark}"
    if len(remarks) > MOST_NOTES:
        yield f"Note: … and {len(remarks) - MOST_NOTES} more (knowact data check lists them all)."
    goes_on = not fresh and any(folder.glob("*.eval"))
    yield f"Logs: {folder}{' (resuming)' if goes_on else ''}"


def in_all(runs: Sequence[tuple[Request, Plan]]) -> str:
    """One sentence about several runs together: calls of the agents, dollars where prices are known."""
    few, most = (sum(plan.calls[end] * int(r.options.get("trials", 1)) for r, plan in runs) for end in (0, 1))
    calls = f"{few:,}" if few == most else f"{few:,} to {most:,}"
    known = [cost for request, plan in runs if (cost := least_cost(request, plan)) is not None]
    dollars = f", at least ${sum(known):,.2f} for the first round of each probe" if known else ""
    return f"In all: {len(runs)} runs, {calls} calls of agents{dollars}."


MOST_NOTES = 12

ROLE_TOKENS = 1_500
"""Tokens of one call in a role, about: the instructions, a form or a policy, a reply, and what comes back."""


def _role_lines(request: Request, plan: Plan, trials: int) -> Iterator[str]:
    """What the models in roles will be asked, and at least how much that costs where prices are known."""
    for role, player in sorted(request.roles.items()):
        model = player.name
        few, most = (trials * calls for calls in plan.role_calls.get(role, (0, 0)))
        calls = f"{few:,}" if few == most else f"{few:,} to {most:,}"
        known = None if model.startswith((BUILT_IN, f"{PROVIDER}/")) else price(model)
        dollars = "" if known is None else f", about ${few * ROLE_TOKENS * known.input / 1e6:,.2f} at least"
        yield f"Role {role}: {calls} calls of {shown(player)}{dollars}."
    unread = (
        [] if request.model.startswith(BUILT_IN) else [r for r in plan.headline if r not in request.roles]
    )
    if unread:
        yield f"No model is bound as {' and '.join(unread)}: what depends on the agent's words is not judged."


def least_cost(request: Request, plan: Plan) -> float | None:
    """US dollars for the first round of each probe, at least; None where no price is known."""
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
