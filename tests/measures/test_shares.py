import numpy as np
import pytest

from knowact.core.table import Estimate
from knowact.measures.intervals import BOOTSTRAP, UNANIMOUS, mean, wilson
from knowact.measures.shares import share

TASKS = [f"task {number}" for number in range(60)]


def width(hits: list[int], clusters: list[str]) -> float:
    found = share(hits, clusters, seed=0)
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def test_independent_rows_get_wilsons_interval() -> None:
    assert share([1] * 20 + [0] * 40, TASKS, seed=0) == wilson(20, 60)


def test_trials_of_one_task_that_all_go_alike_say_no_more_than_one() -> None:
    once = [1] * 20 + [0] * 40
    thrice = [hit for hit in once for _ in range(3)]
    found = share(thrice, [name for name in TASKS for _ in range(3)], seed=0)
    assert (found.value, found.n, found.method) == (1 / 3, 180, BOOTSTRAP)
    one = wilson(20, 60)
    assert one.high is not None
    assert one.low is not None
    assert width(thrice, [name for name in TASKS for _ in range(3)]) == pytest.approx(
        one.high - one.low, rel=0.1
    )


@pytest.mark.parametrize("hit", [0, 1])
def test_where_all_are_alike_the_clusters_count(hit: int) -> None:
    found = share([hit] * 180, [name for name in TASKS for _ in range(3)], seed=0)
    over_tasks = wilson(60 * hit, 60)
    assert found.method == UNANIMOUS
    assert (found.low, found.high) == (pytest.approx(over_tasks.low), pytest.approx(over_tasks.high))


def test_it_is_the_mean_of_zeros_and_ones() -> None:
    hits = [1, 0, 0, 1, 1, 0]
    expected = mean(np.array(hits, dtype=float), np.array([0, 0, 1, 1, 2, 2]), seed=3)
    assert share(hits, ["a", "a", "b", "b", "c", "c"], seed=3) == expected


def test_the_seed_fixes_the_interval_and_another_seed_gives_another() -> None:
    hits, chances = [place % 3 for place in range(60)], [2 + place % 5 for place in range(60)]
    found = [share(hits, TASKS, seed=seed, of=chances) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    assert found[0].value == found[2].value


def test_rows_may_have_several_chances_or_none() -> None:
    found = share([1, 0, 0], ["a", "b", "c"], seed=0, of=[2, 1, 0])
    assert (found.value, found.n) == (1 / 3, 3)
    assert found.method == BOOTSTRAP
    assert share([0], ["a"], seed=0, of=[0]) == share([], [], seed=0) == Estimate(None, 0)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="more often"):
        share([2], ["a"], seed=0)
    with pytest.raises(ValueError, match="zip"):
        share([1], ["a", "b"], seed=0)
