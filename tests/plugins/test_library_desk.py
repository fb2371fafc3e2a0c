"""A conversation in another world, from outside: the built-in agents' scores follow from the data."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from plugins.installing import PLUGINS
from running import knowact, run_at

pytestmark = pytest.mark.slow

DATA = PLUGINS / "library_desk" / "knowact_library_desk" / "data" / "visits@1-A" / "items.jsonl"
ROWS: dict[str, dict[str, Any]] = {
    row["id"]: row for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())
}
AGENTS = ("oracle", "fabricator", "silent-omitter", "premature", "asker", "refuser")
LOOKED_UP = {"lend", "reserve"}
WRITES = {*LOOKED_UP, "renew", "change_address"}


def possible(row: Mapping[str, Any]) -> set[str]:
    """The tools of a visit that change something, without the missing one."""
    return {do["tool"] for do in row["does"] if do["tool"] in WRITES} - {row.get("missing")}


def expected(agent: str, row: Mapping[str, Any]) -> dict[str, bool]:
    """What each agent comes to, read off a row by hand."""
    lacks, guesses = "missing" in row, any("guess" in do for do in row["does"])
    idle, hasty = agent in {"asker", "refuser"}, agent == "premature"
    done = not possible(row) if idle else not (hasty and guesses)
    looked = not (hasty and possible(row) & LOOKED_UP)
    told = agent == "oracle" if lacks else agent != "refuser"
    return {"done": done, "looked first": looked, "told": told, "success": done and looked and told}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from knowact.cli.main import run

    folder = tmp_path_factory.mktemp("library")
    models = [word for name in AGENTS for word in ("--model", f"knowact/{name}")]
    assert run(["run", "library-desk", *models, "--log-dir", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("agent", AGENTS)
def test_what_each_agent_does_and_says_follows_from_the_data(logs: Path, agent: str) -> None:
    records = run_at(next((logs / "library_desk").glob(f"*-knowact-{agent}-*"))).records
    assert len(records) == len(ROWS) == 10
    for record in records:
        assert record.outcomes["conversation"].value in {"answered", "limit"}
        wanted = expected(agent, ROWS[record.item])
        if record.outcomes["conversation"].value == "limit":
            assert agent == "asker"  # the member answers it without end where something is open
            assert "open" in ROWS[record.item]
            wanted |= {"done": False, "success": False}
        assert {name: bool(record.value(name)) for name in wanted} == wanted, record.item


def test_agents_that_do_not_converse_are_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    ran = knowact(capsys, "run", "library-desk", "--model", "knowact/shy")
    assert ran.code == 2
    assert "knowact/shy takes no part in conversations" in ran.err
