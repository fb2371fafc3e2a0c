"""The published KAPRO tables, recomputed; where they break their own rules, the exceptions by name."""

import numpy as np
import pytest

from knowact.measures.agreement import pearson
from knowact.measures.chance import chance_corrected
from knowact.measures.kas import agreement_bounds, kas

from .made_records import Cell, Model, published

MODELS = published()
CELLS = [cell for model in MODELS for cell in model.cells.values()]
NOMINAL = {"external": 310, "hybrid": 368, "internal": 398}

each_cell = pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.model}-{cell.boundary}")
each_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)


def used(model: Model) -> list[int]:
    return [model.cells[boundary].n for boundary in NOMINAL]


def averaged(model: Model, column: str, weights: list[int]) -> float:
    return float(
        np.average([getattr(model.cells[boundary], column) for boundary in NOMINAL], weights=weights)
    )


def test_there_are_eighteen_models_in_three_subspaces() -> None:
    assert len(MODELS) == 18
    assert len(CELLS) == 54


@each_cell
def test_counts_give_back_the_printed_shares(cell: Cell) -> None:
    assert sum(cell.counts) == cell.n
    assert [f"{100 * count / cell.n:.2f}" for count in cell.counts] == [
        f"{share:.2f}" for share in cell.shares
    ]


@each_cell
def test_counts_give_back_the_printed_gap(cell: Cell) -> None:
    # The authors subtracted rounded shares, so the last digit may differ by one.
    assert 100 * (cell.counts[1] - cell.counts[2]) / cell.n == pytest.approx(cell.gap, abs=0.01)
    assert cell.shares[1] - cell.shares[2] == pytest.approx(cell.gap, abs=1e-9)


@each_cell
def test_the_printed_columns_give_back_the_printed_kas(cell: Cell) -> None:
    assert 100 * kas(cell.know / 100, cell.act / 100) == pytest.approx(cell.kas, abs=0.01)


@each_cell
def test_the_two_bounds_keep_their_order_on_published_figures(cell: Cell) -> None:
    bounds = agreement_bounds(cell.know / 100, cell.act / 100)
    assert bounds.by_kas <= bounds.by_accuracies


@each_cell
def test_directional_errors_fill_what_accuracy_lacks(cell: Cell) -> None:
    assert cell.know_error == pytest.approx(1 - cell.know / 100, abs=1e-9)
    assert cell.act_error == pytest.approx(1 - cell.act / 100, abs=1e-9)


def test_three_cells_by_name_rest_on_fewer_tasks() -> None:
    fewer = {(cell.model, cell.boundary): cell.n for cell in CELLS if cell.n != NOMINAL[cell.boundary]}
    assert fewer == {
        ("qwen3-235b-think", "external"): 255,
        ("qwen3-235b-think", "hybrid"): 360,
        ("claude-sonnet-4.5-think", "hybrid"): 194,
    }


@each_model
def test_average_kas_is_weighted_by_the_tasks_used(model: Model) -> None:
    assert averaged(model, "kas", used(model)) == pytest.approx(model.average_kas, abs=0.01)


@each_model
def test_average_gap_follows_one_of_three_rules(model: Model) -> None:
    exceptions = {"qwen3-235b-think": list(NOMINAL.values()), "claude-sonnet-4.5-think": [1, 1, 1]}
    weights = exceptions.get(model.name, used(model))
    assert averaged(model, "gap", weights) == pytest.approx(model.average_gap, abs=0.01)


def test_two_models_by_name_break_the_rule_of_the_average_gap() -> None:
    broken = {
        model.name
        for model in MODELS
        if averaged(model, "gap", used(model)) != pytest.approx(model.average_gap, abs=0.01)
    }
    assert broken == {"qwen3-235b-think", "claude-sonnet-4.5-think"}


@pytest.mark.parametrize(
    ("boundary", "printed"), [("external", 0.985), ("hybrid", 0.637), ("internal", -0.671)]
)
def test_success_correlates_with_kas_as_the_table_check_says(boundary: str, printed: float) -> None:
    cells = [model.cells[boundary] for model in MODELS]
    r = pearson([cell.success for cell in cells], [cell.kas for cell in cells])
    assert r.value == pytest.approx(printed, abs=5e-4)
    assert r.n == 18
    assert r.low is not None
    assert r.high is not None
    assert (r.low > 0) == (printed > 0) == (r.high > 0)


def test_internal_acting_is_inflated_in_eleven_rows_by_name() -> None:
    # For an empty T acting is right or wrong, so its accuracy must be the share of Kc/Ac and Kw/Ac.
    tasks = {model.name: inflation(model.cells["internal"]) for model in MODELS}
    inflated = {name: surplus for name, surplus in tasks.items() if surplus > 0.1}
    assert set(inflated) == {
        "gpt-4.1",
        "gemini-3-flash",
        "claude-sonnet-4.5-instruct",
        "qwen3-max",
        "o4-mini",
        "gemini-3-pro",
        "claude-sonnet-4.5-think",
        "qwen3-235b-instruct",
        "deepseek-v3.2",
        "qwen3-235b-think",
        "deepseek-r1",
    }
    assert min(inflated.values()) == pytest.approx(1.0, abs=0.05)
    assert max(inflated.values()) == pytest.approx(13.5, abs=0.05)


def inflation(cell: Cell) -> float:
    consistent, _, acted_only, _ = cell.counts
    return cell.act / 100 * cell.n - (consistent + acted_only)


@each_model
def test_internal_knowing_is_the_exact_share(model: Model) -> None:
    cell = model.cells["internal"]
    assert cell.know / 100 * cell.n == pytest.approx(cell.counts[0] + cell.counts[1], abs=0.021)


def test_thirteen_models_stay_within_ten_points_of_marking_everything() -> None:
    # That policy scores about 100, 51 and 0.
    everything = np.average([1, 0.51, 0], weights=list(NOMINAL.values()))
    assert everything == pytest.approx(0.46, abs=0.005)
    averages = {model.name: model.average_kas / 100 for model in MODELS}
    near = {name for name, value in averages.items() if value - everything <= 0.10}
    below = {name for name, value in averages.items() if chance_corrected(value, everything) < 0}
    assert len(near) == 13
    assert below == {"qwen3-235b-instruct"}
