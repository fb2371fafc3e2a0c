"""What the engine finds under the prefix `knowact/`: the built-in agents, and a task per suite of ours.

It loads whenever any eval starts. Importing a suite's task registers it.
"""

from importlib import import_module

from knowact import suites
from knowact.agents.provider import knowact_agents
from knowact.engine.filed import filed

TASKS = tuple(import_module(f"knowact.suites.{name}.task") for name in suites.own_names())

__all__ = ["TASKS", "filed", "knowact_agents"]
