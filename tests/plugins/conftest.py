"""The plugins are installed for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plugins.installing import install, installed


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed") / "site-packages")


@pytest.fixture(scope="module", autouse=True)
def _at_hand(site: Path) -> Iterator[None]:
    with installed(site):
        yield
