"""Confusion matrices behind published figures: the spec's findings on every printed cell (ict.md, 13, 17)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.measures.recovery import Matrix, recover_confusion, recover_counts

PUBLISHED: dict[str, Any] = json.loads((Path(__file__).parent / "ict_published.json").read_text("utf-8"))
"""All cells of tables 2 and 7 as spec ict.md prints them (sections 12.1 and 12.2), with what its section 13
recovered, as [hits, passes]; `size` says R for the released and S for the smaller set."""
SIZES: dict[str, int] = PUBLISHED["sizes"]
TOTALS: dict[str, int] = PUBLISHED["smaller_totals"]
FEW_SHOT = {"zero_shot", "four_shot"}


def cells(size: str) -> list[dict[str, Any]]:
    return [cell for cell in PUBLISHED["cells"] if cell["size"] == size]


def on_released(cell: dict[str, Any]) -> tuple[Matrix, ...]:
    return recover_confusion(cell["accuracy"], cell["f1"], SIZES[cell["column"]])


def name(cell: dict[str, Any]) -> tuple[str, str, str]:
    return cell["model"], cell["strategy"], cell["column"]


def test_all_but_one_cell_of_the_released_size_have_exactly_one_matrix() -> None:
    found = {name(cell): on_released(cell) for cell in cells("R")}
    assert len(found) == 112
    assert [cell for cell, matrices in found.items() if not matrices] == [
        ("Qwen2.5-14B", "zero_shot", "AR-AB")
    ]
    assert all(len(matrices) <= 1 for matrices in found.values())


def test_the_matrices_are_those_that_the_spec_lists() -> None:
    listed = [cell for cell in cells("R") if cell["recovered"] is not None]
    assert len(listed) == 111
    for cell in listed:
        (only,) = on_released(cell)
        assert [only.hits, only.passes] == cell["recovered"], name(cell)
        n = SIZES[cell["column"]]
        assert (only.hits + only.misses, only.passes + only.alarms) == (n, n)


def test_no_other_zero_or_four_shot_cell_fits_the_released_size() -> None:
    others = [cell for cell in cells("S") if cell["strategy"] in FEW_SHOT]
    assert len(others) == 48
    assert not any(on_released(cell) for cell in others)


def test_all_other_cells_fit_the_smaller_totals() -> None:
    for cell in cells("S"):
        assert recover_counts(cell["accuracy"], cell["f1"], TOTALS[cell["column"]]), name(cell)


@pytest.mark.parametrize("column", sorted(SIZES))
def test_the_smaller_total_is_the_only_one_that_fits_all_twelve_cells_of_its_column(column: str) -> None:
    twelve = [cell for cell in cells("S") if cell["column"] == column and cell["strategy"] in FEW_SHOT]
    assert len(twelve) == 12
    fitting = [
        total
        for total in range(1, 2 * SIZES[column] + 1)
        if all(recover_counts(cell["accuracy"], cell["f1"], total) for cell in twelve)
    ]
    assert fitting == [TOTALS[column]]


@pytest.mark.parametrize(
    ("accuracy", "f1", "n", "hits", "passes"),
    [
        (67.85, 57.10, 423, 181, 393),
        (50.00, 1.46, 406, 3, 403),
        (81.11, 78.48, 45, 31, 42),
        (81.11, 81.32, 45, 37, 36),
        (81.11, 80.00, 90, 68, 78),
        (75.00, 75.00, 4, 3, 3),
    ],
)
def test_the_vectors_of_the_spec_are_recovered(
    accuracy: float, f1: float, n: int, hits: int, passes: int
) -> None:
    assert recover_confusion(accuracy, f1, n) == (Matrix(hits, n - hits, passes, n - passes),)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_the_matrix_that_made_the_figures_is_among_the_recovered_ones(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 150))
    hits, passes = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    errors = 2 * n - hits - passes
    accuracy = round(100 * (hits + passes) / (2 * n), 2)
    f1 = round(200 * hits / (2 * hits + errors), 2) if hits or errors else 0.0
    assert Matrix(hits, n - hits, passes, n - passes) in recover_confusion(accuracy, f1, n)


def test_a_flawless_run_and_one_that_never_says_no_are_recovered() -> None:
    assert recover_confusion(100, 100, 7) == (Matrix(7, 0, 7, 0),)
    assert recover_confusion(50, 0, 7) == (Matrix(0, 7, 7, 0),)


def test_coarser_figures_leave_more_matrices() -> None:
    assert len(recover_confusion(68, 57, 423, decimals=0)) > 1
    assert len(recover_confusion(67.85, 57.10, 423)) == 1


@pytest.mark.parametrize(
    ("accuracy", "f1", "total", "decimals"),
    [(101, 50, 10, 2), (50, -1, 10, 2), (50, 50, 0, 2), (50, 50, 10, -1), (float("nan"), 50, 10, 2)],
)
def test_figures_that_cannot_be_are_refused(accuracy: float, f1: float, total: int, decimals: int) -> None:
    with pytest.raises(ValueError, match=r"percent|recovered"):
        recover_counts(accuracy, f1, total, decimals)
