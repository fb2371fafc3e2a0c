"""Errands from outside: the scores of the built-in agents follow from the data, counted here by hand."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from plugins.installing import PLUGINS
from running import run_at

DATA = PLUGINS / "errands" / "knowact_errands" / "data" / "town@1-A" / "items.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
WRITES = {"buy", "post_letter"}

Row = Mapping[str, Any]


def steps(row: Row, *, lacks: bool) -> set[str]:
    """The tools of the plan that are there."""
    return {do["tool"] for do in row["does"]} - ({row["without"]} if lacks else set())


def needless_letter(row: Row) -> bool:
    """A shop refuses what it does not sell, but a letter box takes any letter."""
    return "post_letter" in row["tools"] and "post_letter" not in {do["tool"] for do in row["does"]}


DONE: Mapping[str, Callable[[Row, bool], bool]] = {
    "oracle": lambda _row, _lacks: True,
    "fabricator": lambda _row, _lacks: True,
    "always-no": lambda row, lacks: not steps(row, lacks=lacks) & WRITES,
    "eager": lambda row, _lacks: not needless_letter(row),
}
TOLD: Mapping[str, Callable[[bool], bool]] = {
    "oracle": lambda _lacks: True,
    "fabricator": lambda lacks: not lacks,
    "always-no": lambda _lacks: False,
    "eager": lambda lacks: not lacks,
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from knowact.cli.main import run

    folder = tmp_path_factory.mktemp("errands")
    models = [word for name in DONE for word in ("--model", f"knowact/{name}")]
    assert run(["run", "errands", *models, "--log-dir", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("agent", DONE)
def test_what_each_agent_does_and_says_follows_from_the_data(logs: Path, agent: str) -> None:
    found = run_at(next((logs / "errands").glob(f"*-knowact-{agent}-*")))
    records = {(one.item, one.labels["tools"] == "one missing"): one for one in found.records}
    assert len(records) == 2 * len(ROWS) == 16
    for row in ROWS:
        for lacks in (False, True):
            record = records[row["id"], lacks]
            done, told = DONE[agent](row, lacks), TOLD[agent](lacks)
            measured = [record.value(name) for name in ("done", "told", "success")]
            assert measured == [done, told, done and told], (row["id"], lacks)


def test_a_shop_that_refuses_leaves_purse_and_bag_alone() -> None:
    from knowact.core.world import Call
    from knowact.worlds.registry import world

    session = world("errands").open({}, 0)
    before = session.snapshot(), session.digest()
    hammer = {"shop": "hardware shop", "goods": "hammer"}
    for call, code in (
        (Call("buy", hammer), "conflict"),
        (Call("buy", {**hammer, "count": "two"}), "bad_arguments"),
        (Call("buy", {**hammer, "goods": "bread"}), "not_found"),
        (Call("buy", None), "bad_arguments"),
        (Call("sell", hammer), "unknown_tool"),
    ):
        problem = session.call(call).problem
        assert problem is not None
        assert problem.code == code
    assert (session.snapshot(), session.digest()) == before
    bought = session.call(Call("buy", {**hammer, "goods": "light bulb"}))
    assert bought.value == {"paid_cents": 480, "left_cents": 1520}
    assert session.digest() != before[1]
