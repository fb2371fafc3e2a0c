"""knowact: does an LLM agent know the limits of what it can do, and act on it?"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knowact.agents.outside.reply import AgentTool, AgentUnavailable, Reply
    from knowact.api import Comparison, Runs, check, compare, load, run, run_async
    from knowact.core.record import Record
    from knowact.core.suite import Item
    from knowact.core.task import Fact
    from knowact.probes.suite import Suite
    from knowact.reading.answer_form import AnswerForm
    from knowact.report.gate import Gate

__version__ = "0.1.0"

__all__ = [
    "AgentTool",
    "AgentUnavailable",
    "AnswerForm",
    "Comparison",
    "Fact",
    "Gate",
    "Item",
    "Record",
    "Reply",
    "Runs",
    "Suite",
    "__version__",
    "check",
    "compare",
    "load",
    "run",
    "run_async",
]

_HOMES = {
    "AgentTool": "knowact.agents.outside.reply",
    "AgentUnavailable": "knowact.agents.outside.reply",
    "Reply": "knowact.agents.outside.reply",
    "AnswerForm": "knowact.reading.answer_form",
    "Comparison": "knowact.api",
    "Fact": "knowact.core.task",
    "Gate": "knowact.report.gate",
    "Item": "knowact.core.suite",
    "Record": "knowact.core.record",
    "Runs": "knowact.api",
    "Suite": "knowact.probes.suite",
    "check": "knowact.api",
    "compare": "knowact.api",
    "load": "knowact.api",
    "run": "knowact.api",
    "run_async": "knowact.api",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'knowact' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
