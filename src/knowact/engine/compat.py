"""The one place that touches what the engine does not export, on a pinned range of versions.

Each name says why it cannot be avoided.
"""

from inspect_ai._util.error import PrerequisiteError as EnginePrerequisiteError

__all__ = ["EnginePrerequisiteError"]
"""`EnginePrerequisiteError`: how the engine says that a key or a provider package is missing. It has no
public base class of its own, and catching everything would hide our own faults."""
