"""What the engine finds under the prefix `knowact/`. Light: it loads whenever any eval starts."""

from knowact.agents.provider import knowact_agents
from knowact.suites.kapro.task import kapro

__all__ = ["kapro", "knowact_agents"]
