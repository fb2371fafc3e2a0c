"""Scripted agents behind one address for a whole session, and with nothing left in them for each test."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

import pytest

from doubles.endpoint import Reply, Request, ScriptedEndpoint


class Scripted(Protocol):
    """A dataclass whose `script` answers; all its fields have defaults."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    base_url: str

    def script(self, request: Request) -> Reply: ...


S = TypeVar("S", bound=Scripted)


@contextmanager
def served(agents: S) -> Generator[S]:
    """Serve agents; for a session, as the engine keeps a model, address included, while the process lives."""
    with ScriptedEndpoint(agents.script, keep_requests=False) as endpoint:
        agents.base_url = endpoint.base_url
        yield agents


def afresh(agents: S, provider: str, patch: pytest.MonkeyPatch, folder: Path) -> S:
    """Let Inspect's own provider find agents as the models `openai-api/<provider>/...`.

    Whatever a test before this one has left in them is gone.
    """
    fresh = type(agents)()
    for one in fields(agents):
        if one.name != "base_url":
            setattr(agents, one.name, getattr(fresh, one.name))
    patch.setenv(f"{provider.upper()}_API_KEY", "x")
    patch.setenv(f"{provider.upper()}_BASE_URL", agents.base_url)
    patch.setenv("INSPECT_CACHE_DIR", str(folder / "engine-cache"))
    return agents
