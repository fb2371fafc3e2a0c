"""The reference results are those of the shipped data, and those of the page."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from knowact.agents.catalogue import DESCRIPTIONS
from knowact.suites import find, names

ROOT = Path(__file__).parents[2]
OURS = [name for name in names() if find(name).paper]
"""Suites of this package; installed ones from outside have none."""

REFERENCE: dict[str, Any] = json.loads((ROOT / "benchmarks" / "reference.json").read_text(encoding="utf-8"))


def script() -> Any:
    """`benchmarks/reference.py`, which makes both."""
    spec = spec_from_file_location("reference", ROOT / "benchmarks" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", OURS)
def test_the_numbers_are_of_the_data_that_ship(name: str) -> None:
    (data, *_) = find(name).datasets()
    manifest = json.loads((data.path / "manifest.json").read_text(encoding="utf-8"))
    entry = REFERENCE[name]
    moved = "the data have moved: make reference"
    assert (entry["dataset"], entry["sha256"]) == (f"{data.name}@{data.version}", manifest["sha256"]), moved


@pytest.mark.parametrize("name", OURS)
def test_the_oracle_is_the_ceiling_and_constant_agents_get_no_pair(name: str) -> None:
    entry = REFERENCE[name]
    agents = entry["agents"]
    assert set(agents) <= set(DESCRIPTIONS)
    assert agents["oracle"]["value"] == 1.0
    for one in agents.values():
        assert 0 <= one["low"] <= one["value"] <= one["high"] <= 1
        assert one["n"] > 0
    if entry["measure"] != "KAS":
        constant = {"asker", "refuser", "always-act", "always-ask", "always-no", "always-idk", "shy"}
        assert {agents[agent]["value"] for agent in constant & set(agents)} <= {0.0}


def test_the_page_has_these_numbers() -> None:
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert script().with_tables(page, REFERENCE) == page
    assert all(f"benchmarks/reference.py: {name} -->" in page for name in OURS)


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["oracle", "random"])
def test_an_agent_measured_again_gets_the_same_numbers(agent: str, tmp_path: Path) -> None:
    made, kept = script(), REFERENCE["when2call"]
    again = made.numbers(made.run_of(find("when2call"), agent, tmp_path))
    assert again["headline"] == kept["agents"][agent]
    for probe, numbers in kept["probes"].items():
        assert again[probe] == numbers["agents"][agent]
