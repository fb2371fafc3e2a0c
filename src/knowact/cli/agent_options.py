"""`--agent`: an agent that is no model, in a model's place; its name and its time limit."""

from collections.abc import Mapping
from typing import Any

import click

from knowact.core.clean import one_line
from knowact.core.errors import BadUsage

KINDS = ("py:", "cmd:", "solver:")
SOLVER = "solver:"


def options() -> list[click.Parameter]:
    """The options, for a command that runs a suite."""
    return [
        click.Option(
            ["--agent"],
            multiple=True,
            metavar="SPEC",
            help="An agent in the model's place: py:module:function, cmd:COMMAND with {prompt_file} and "
            "{mcp_url}, or solver:FILE.py@NAME, which asks --model; repeatable.",
        ),
        click.Option(
            ["--agent-name"], metavar="NAME", help="The agent's name and version, as reports show them."
        ),
        click.Option(
            ["--agent-timeout"], type=click.FloatRange(0.1), help="Seconds for one turn of the agent [600]."
        ),
    ]


def as_models(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the command's options, agents among the models.

    Raises:
        BadUsage: There is neither a model nor an agent, or the name can't be one.
    """
    from knowact.engine.own_model import AGENT

    agents, name = given.get("agent") or (), given.get("agent_name")
    if not given["model"] and not agents:
        raise BadUsage("Name a model by --model, or an agent by --agent.")
    if name and len(agents) != 1:
        raise BadUsage("--agent-name takes one --agent.")
    if name and ({*name} & {*":=/"} or one_line(name) != name):
        raise BadUsage(f"An agent's name has no colon, slash or equals sign: not {name!r}.")
    for agent in agents:
        if not agent.startswith(KINDS):
            raise BadUsage(f"There is no agent {agent!r}. Write {' or '.join(kind + '…' for kind in KINDS)}.")
    named = [f"{AGENT}{name}={agent}" if name else f"{AGENT}{agent}" for agent in agents]
    if any(agent.startswith(SOLVER) for agent in agents):
        if len(given["model"]) != 1:
            raise BadUsage("A solver asks one model: name it by --model.")
        return {**given, "model": tuple(named), "agent_model": given["model"][0]}
    return {**given, "model": (*given["model"], *named)}


def settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the engine passes on to the agent."""
    found = {name: given.get(name) for name in ("agent_timeout", "agent_model")}
    told = {name: value for name, value in found.items() if value is not None}
    return {"model_args": told} if told else {}
