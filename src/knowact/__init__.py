"""knowact: does an LLM agent know the limits of what it can do, and act on it?"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knowact.core.task import Fact
    from knowact.reading.answer_form import AnswerForm

__version__ = "0.1.0"

__all__ = ["AnswerForm", "Fact", "__version__"]

_HOMES = {"AnswerForm": "knowact.reading.answer_form", "Fact": "knowact.core.task"}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'knowact' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
