"""The suite of multiple choice from outside: the scores of the built-in agents follow from its data."""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from knowact.core.suite import Item
from plugins.installing import PLUGINS
from running import knowact, records_at

pytestmark = pytest.mark.slow

DATA = PLUGINS / "choices" / "knowact_choices" / "data" / "moves@1-A" / "items.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]

Policy = Callable[[Mapping[str, Any]], str]

POLICIES: dict[str, Policy] = {
    "oracle": lambda row: row["right"],
    "always-no": lambda _: "decline",
    "always-ask": lambda _: "ask",
    "always-idk": lambda _: "",
    "shy": lambda _: "answer",
    "fabricator": lambda _: "answer",
    "eager": lambda row: "call" if row["tools"] else "answer",
    "always-act": lambda row: "call" if row["tools"] else "answer",
    "hostile": lambda _: "",
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from knowact.cli.main import run

    folder = tmp_path_factory.mktemp("choices")
    models = [word for name in POLICIES for word in ("--model", f"knowact/{name}")]
    assert run(["run", "choices", *models, "--log-dir", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("agent", POLICIES)
def test_each_agent_makes_the_moves_of_its_policy(logs: Path, agent: str) -> None:
    records = records_at(next((logs / "choices").glob(f"*-knowact-{agent}-*")))
    assert len(records) == len(ROWS) == 20
    for row in ROWS:
        chosen = POLICIES[agent](row)
        record = records[row["id"]]
        assert record.value("right") == (chosen == row["right"])
        made = {move for move in row["replies"] if record.value(move)}
        assert made == ({chosen} if chosen else set())
        assert (record.outcomes["choose"].value == "answered") == bool(chosen)


def test_the_order_of_the_replies_gives_nothing_away() -> None:
    from knowact.suites import find

    suite = find("choices")
    plan = suite.plan(suite.defaults())
    lettered: Callable[[Item], dict[str, str]] = import_module("knowact_choices").lettered
    places = [
        next(letter for letter, move in lettered(item).items() if move == row["right"])
        for item, row in zip(plan.items, ROWS, strict=True)
    ]
    assert [places.count(letter) for letter in "ABCD"] == [5, 5, 5, 5]


def test_what_is_wrong_with_data_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {**ROWS[0], "right": "guess"}
    (tmp_path / "items.jsonl").write_text(json.dumps(row), encoding="utf-8")
    ran = knowact(capsys, "run", "choices", "--model", "knowact/oracle", "--data", tmp_path)
    assert ran.code == 2
    assert "items.jsonl:1, field 'right': input should be 'call', 'ask', 'decline' or 'answer'" in ran.err
