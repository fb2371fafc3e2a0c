"""What every test runs under."""

import gc
import os
import signal
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from threading import TIMEOUT_MAX
from types import SimpleNamespace

import pytest
from hypothesis import settings

from knowact.engine import runs
from knowact.running import progress
from local_agents import LocalAgents
from offline import Guard, block_sockets
from one_address import afresh, served

# The same examples on every machine, and no deadlines: a red test is red for its change. Others are drawn
# with `pytest --hypothesis-profile=default`.
settings.load_profile("ci")

ENGINE_WARNINGS = (
    "ignore:The 'initial' parameter is deprecated:DeprecationWarning",
    "ignore:Unclosed <MemoryObject:ResourceWarning",
    "ignore:unclosed transport <_SelectorSocketTransport:ResourceWarning",
    "ignore:unclosed <socket.socket:ResourceWarning",
)
"""Of the engine's own making (retries by tenacity, streams and connections left to the collector). They
can come up long after the test that ran the engine, so no test's own marks would do."""


def pytest_configure(config: pytest.Config) -> None:
    """Let the engine's own warnings pass; all others stay errors."""
    for line in ENGINE_WARNINGS:
        config.addinivalue_line("filterwarnings", line)
    # What was started in the background ignores Ctrl-C, and so would every process that a test starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Scripted endpoints answer what their tests are about; the call before a run has tests of its own.
os.environ["KNOWACT_PREFLIGHT"] = "0"


@pytest.fixture(scope="session", autouse=True)
def loopback_only() -> Iterator[Guard]:
    """Let no test leave this machine."""
    with block_sockets() as guard:
        yield guard
    # Here the engine's warnings pass; what is left to the collector until the session is over would fail it.
    gc.unfreeze()
    gc.collect()


@pytest.fixture(scope="session", autouse=True)
def collector_of_the_tests() -> Iterator[None]:
    """Keep runs from thawing what `nothing_left_open` froze: the next test would collect for seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "gc", SimpleNamespace(freeze=lambda: None, unfreeze=lambda: None))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_lines_of_progress() -> Iterator[None]:
    """Keep runs from saying how far they are: after ten seconds they do, on a busy machine any of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "LOOKED", TIMEOUT_MAX)
        yield


@pytest.fixture(scope="session", autouse=True)
def installed_packages_once() -> Iterator[None]:
    """Read once what is installed: the engine does at every run, for half of what a run of few items takes.

    Only where the sources are installed for editing; elsewhere it finds our package at once.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspect_ai._util.package.packages_distributions", cache(packages_distributions))
        yield


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """Fail the test that has left a file open, rather than the one during which the collector finds it.

    What has survived one test is frozen, so that the collector looks at no more than what the next one made.
    """
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_swallowed_attempt(loopback_only: Guard) -> Iterator[None]:
    """Fail a test that tried to leave this machine, also when a library swallowed the error."""
    before = len(loopback_only.attempts)
    yield
    attempts = loopback_only.attempts[before:]
    assert not attempts, f"this test tried to leave the machine: {attempts}"


@pytest.fixture(scope="session")
def kaware() -> Path:
    """The folder of KAware's published sample; nothing of it is kept in this repository."""
    upstream = os.environ.get("KNOWACT_UPSTREAM") or Path(__file__).parents[2] / "shared" / "upstream"
    folder = Path(upstream) / "kaware"
    if not folder.is_dir():
        pytest.skip(f"no published sample at {folder}; say where it is with KNOWACT_UPSTREAM")
    return folder


@pytest.fixture(scope="session")
def _one_endpoint() -> Iterator[LocalAgents]:
    with served(LocalAgents()) as agents:
        yield agents


@pytest.fixture
def local(_one_endpoint: LocalAgents, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> LocalAgents:
    """Scripted agents where Inspect's own provider finds the models `openai-api/local/...`."""
    return afresh(_one_endpoint, "local", monkeypatch, tmp_path)
