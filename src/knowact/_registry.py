"""What the engine finds under the prefix `knowact/`: the built-in agents, and a task per installed suite.

It loads whenever any eval starts.
"""

from logging import getLogger

from knowact import suites
from knowact.agents.outside.provider import agent
from knowact.agents.person import person
from knowact.agents.provider import knowact_agents
from knowact.core.errors import KnowactError
from knowact.engine.filed import filed
from knowact.engine.suite_task import suite_task
from knowact.probes.suite import Suite


def installed_suites() -> list[Suite]:
    """Every suite that loads: one that another package broke must not take the others with it."""
    found: list[Suite] = []
    for name in suites.names():
        try:
            found.append(suites.find(name))
        except KnowactError as error:
            getLogger(__name__).warning(error)
    return found


TASKS = tuple(map(suite_task, installed_suites()))

__all__ = ["TASKS", "agent", "filed", "knowact_agents", "person"]
