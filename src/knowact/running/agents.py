"""Who is under test: models, and agents that are none in a model's place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowact.agents.outside import python
from knowact.agents.outside.reply import AgentFunction
from knowact.core.clean import one_line
from knowact.core.errors import BadUsage
from knowact.core.role_model import BUILT_IN
from knowact.core.suite import Suite
from knowact.running.request import RunRequest

SOLVER: Final = "solver:"
KINDS: Final = ("py:", "cmd:", SOLVER)


@dataclass(frozen=True, slots=True)
class UnderTest:
    """Models and agents, as the engine names models, and what it passes on to agents."""

    models: tuple[str, ...]
    engine: Mapping[str, Any]


def under_test(request: RunRequest) -> UnderTest:
    """Put agents among the models.

    Raises:
        BadUsage: There is neither a model nor an agent, the name can't be one, or a built-in agent takes no
            part in this suite.
    """
    from knowact.engine.own_model import AGENT

    agents, name = request.agents, request.agent_name
    if not request.models and not agents:
        raise BadUsage("Name a model by --model, or an agent by --agent.")
    if name and len(agents) != 1:
        raise BadUsage("--agent-name takes one --agent.")
    if name and ({*name} & {*":=/"} or one_line(name) != name):
        raise BadUsage(f"An agent's name has no colon, slash or equals sign: not {name!r}.")
    specs = [_specification(agent, name) for agent in agents]
    named = tuple(f"{AGENT}{name}={spec}" if name else f"{AGENT}{spec}" for spec in specs)
    settings: dict[str, Any] = {}
    if request.agent_timeout is not None:
        settings["agent_timeout"] = request.agent_timeout
    if any(spec.startswith(SOLVER) for spec in specs):
        if len(request.models) != 1:
            raise BadUsage("A solver asks one model: name it by --model.")
        settings["agent_model"], models = request.models[0], named
    else:
        models = (*request.models, *named)
    _check_built_in(request.suite, models)
    return UnderTest(models, {"model_args": settings} if settings else {})


def _specification(agent: str | AgentFunction, name: str) -> str:
    """What names an agent to the engine; a function is kept under its name.

    Raises:
        BadUsage: It is none, or a function whose run could not be found again.
    """
    if isinstance(agent, str):
        if not agent.startswith(KINDS):
            raise BadUsage(f"There is no agent {agent!r}. Write {' or '.join(kind + '…' for kind in KINDS)}.")
        return agent
    if not (name or python.lasting(agent)):
        raise BadUsage(
            "An agent that is a lambda, a method, an object or a function within another one has no name by "
            'which its run could be found again. Give it a name: agent_name="…".'
        )
    return f"py:{python.keep(agent)}"


def _check_built_in(suite: Suite, models: Sequence[str]) -> None:
    from knowact.agents.catalogue import unfit

    for model in models:
        name = model.removeprefix(BUILT_IN)
        if name != model and (complaint := unfit(name, converses=suite.converses)):
            raise BadUsage(complaint)
