"""What is asked for: a suite, models or agents, options, treatments and limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knowact.agents.outside.reply import AgentFunction
from knowact.probes.suite import Suite
from knowact.running.progress import OURS


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """The runs that a command or a call asks for: one for each model or agent, and each treatment.

    Attributes:
        models: As Inspect names models.
        agents: Agents that are no models, as `--agent` names them, or as functions.
        agent_name: What reports call the agent; empty for its own name.
        agent_timeout: Seconds for one turn of an agent; None for the usual time.
        options: The suite's own; those that take several values as tuples. What is not here is at its
            default.
        budgets: Of tokens, by the engine's names, each with its values; None among them leaves it to the
            provider.
        judge: A model for all roles that are not bound apart, "self" or "none"; None where nobody was named.
        roles: ROLE=MODEL, each.
        limit: Only the first so many base tasks; None for all.
        trials: Epochs per item.
        seed: Fixes every random choice.
        rules: "definition" or "published".
        max_connections: Concurrent requests; None leaves it to the engine.
        cost_limit: US dollars for all runs together; None for no limit.
        log_dir: The folder of all runs.
        engine: Further options of the engine, by the names of its Python interface.
        display: How progress is shown (`running.progress.DISPLAYS`).
        live: Whether a viewer can follow trials that are under way.
        fresh: Whether earlier runs are set aside and begun anew.
    """

    suite: Suite
    models: tuple[str, ...] = ()
    agents: tuple[str | AgentFunction, ...] = ()
    agent_name: str = ""
    agent_timeout: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    budgets: Mapping[str, tuple[str | int | None, ...]] = field(
        default_factory=dict[str, tuple[str | int | None, ...]]
    )
    judge: str | None = None
    roles: tuple[str, ...] = ()
    limit: int | None = None
    trials: int = 1
    seed: int = 0
    rules: str = "definition"
    max_connections: int | None = None
    cost_limit: float | None = None
    log_dir: Path = Path("logs")
    engine: Mapping[str, Any] = field(default_factory=dict[str, Any])
    display: str = OURS
    live: bool = False
    fresh: bool = False
