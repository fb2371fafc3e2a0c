"""The paper's Table 1."""

import pytest

from knowact.core.condition import CLEAN
from knowact.core.task import Dialogue, Query, Utterance
from knowact.core.tool import Tool
from knowact.suites.ict.published import load_published
from knowact.suites.ict.published_tables import Measured, measured, statistics, table_1

from .release import FIXTURES

Cell = tuple[str, str, str]


def test_statistics_are_over_the_manipulated_items_and_beside_the_papers() -> None:
    items = load_published(FIXTURES).items
    table = statistics(items)
    cells: dict[Cell, tuple[float | None, int]] = {
        (row.keys["part"], row.keys["from"], row.measure): (row.estimate.value, row.estimate.n)
        for row in table.rows
    }
    assert list(dict.fromkeys(row.keys["part"] for row in table.rows)) == ["AR-AB", "AR-TB", "UR-AB", "UR-TB"]
    assert cells["AR-AB", "here", "manipulated instances"] == (3, 3)
    assert cells["AR-AB", "here", "turns"] == (pytest.approx((3 + 4 + 3) / 3), 3)
    assert cells["AR-TB", "here", "tools per instance"] == (2.5, 2)
    assert cells["UR-TB", "here", "length of a turn"] == (11, 1)
    own = [one for one in items if one.part.short == "UR-TB" and one.condition != CLEAN]
    lengths = [len(text) for one in own for text in one.descriptors]
    assert cells["UR-TB", "here", "length of a tool"] == (pytest.approx(sum(lengths) / 2), 2)
    printed = {
        key: value
        for (part, source, key), (value, _) in cells.items()
        if (part, source) == ("UR-AB", "paper")
    }
    assert list(printed.values()) == [304, 5.18, 2.05, 18.87, 443.38]


def test_parts_that_are_not_there_are_left_out() -> None:
    items = [one for one in load_published(FIXTURES).items if one.part.short == "UR-TB"]
    assert {row.keys["part"] for row in statistics(items).rows} == {"UR-TB"}
    assert statistics([]).rows == ()


def test_a_descriptor_is_measured_as_it_was_published() -> None:
    first = load_published(FIXTURES).items[0]
    assert first.descriptors[0].startswith('{"name": "ReserveBerth", "description": "Reserves a berth')


def test_items_of_our_own_are_measured_alike() -> None:
    tool = Tool(name="tide", description="High water.", parameters={"type": "object"})
    talk = Dialogue(
        utterances=(
            Utterance(role="user", text="One two."),
            Utterance(role="assistant", text="Three?"),
            Utterance(role="user", text="Four five six."),
        )
    )
    items = [measured("ours", talk, [tool, tool]), measured("ours", Query(text="One."), [tool])]
    assert {row.measure: row.estimate.value for row in table_1(items).rows} == {
        "manipulated instances": 2,
        "turns": 2,
        "tools per instance": 1.5,
        "length of a turn": (2 + 1 + 3 + 1) / 4,
        "length of a tool": len(
            '{"name": "tide", "description": "High water.", "parameters": {"type": "object"}}'
        ),
    }


def test_a_mean_over_nothing_is_not_measured() -> None:
    (found,) = (
        row.estimate for row in table_1([Measured("ours", [], [])]).rows if row.measure == "length of a turn"
    )
    assert (found.value, found.n) == (None, 0)
