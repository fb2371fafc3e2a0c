"""Baselines rest on the items of the run that they stand beside."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from knowact.core.record import Outcome, Record, Result
from knowact.core.table import DatasetInfo, Run
from knowact.measures.going_ahead import CALLED, HELD_BACK, pairs_table
from knowact.measures.pairing import item_sets

DATA = DatasetInfo("data", "1-A", "sha")


def record(pair: int, *, complete: bool, lost: bool = False) -> Record:
    gold = "complete" if complete else "incomplete"
    return Record(
        *(f"{pair}-{gold}", "clean", 1, f"c{pair}", {"gold": gold, "pair": str(pair)}, (), frozenset[str]()),
        outcomes={"reply": Outcome.INSTRUMENT_ERROR if lost else Outcome.ANSWERED},
        results={} if lost else {CALLED: Result.of(1), HELD_BACK: Result.of(0)},
    )


def run(name: str, pairs: Sequence[int]) -> Run:
    records = [record(pair, complete=complete) for pair in pairs for complete in (True, False)]
    return Run(name, "suite", DATA, name, {}, (), len(records), records)


def policies(*runs: Run) -> dict[tuple[str, str], int]:
    """How many pairs each policy rests on, by the items that it stands for."""
    return {
        (row.keys.get("items", ""), row.keys["model"]): row.estimate.n
        for row in pairs_table(runs).rows
        if row.measure == "both right" and row.keys["model"].endswith(" call")
    }


def test_runs_on_the_same_items_share_their_baselines() -> None:
    assert policies(run("a", range(3)), run("b", range(3))) == {("", "always call"): 3, ("", "never call"): 3}


def test_a_smaller_run_has_baselines_of_its_own_items() -> None:
    found = policies(run("a", range(3)), run("b", range(5)), run("c", range(3)))
    assert {key: n for key, n in found.items() if key[1] == "never call"} == {
        ("6", "never call"): 3,
        ("10", "never call"): 5,
    }


def test_a_trial_that_was_lost_makes_no_other_set_of_items() -> None:
    whole = run("a", range(2))
    spoilt = replace(whole, id="b", records=[record(0, complete=True, lost=True), *whole.records[1:]])
    ((keys, items),) = item_sets([(one, {}, one.records) for one in (spoilt, whole)])
    assert (keys, len(items)) == ({}, 4)


@given(st.data())
def test_the_order_in_which_trials_ended_parts_no_pair(data: st.DataObject) -> None:
    once = run("a", range(3))
    trials = [replace(one, epoch=epoch) for epoch in (1, 2) for one in once.records]
    ended = replace(once, records=data.draw(st.permutations(trials)), planned=len(trials))
    assert policies(ended) == policies(once)


def test_equal_ids_of_other_data_are_other_items() -> None:
    other = replace(run("b", range(2)), dataset=DatasetInfo("data", "1-A", "another"))
    assert len(item_sets([(one, {}, one.records) for one in (run("a", range(2)), other)])) == 2


@given(st.lists(st.frozensets(st.integers(0, 3), min_size=1, max_size=4), min_size=1, max_size=6))
def test_every_set_of_items_stands_once(sizes: list[frozenset[int]]) -> None:
    runs = [run(str(number), sorted(pairs)) for number, pairs in enumerate(sizes)]
    found = [
        frozenset(int(record.labels["pair"]) for record in items)
        for _, items in item_sets([(one, {}, one.records) for one in runs])
    ]
    assert sorted(found, key=sorted) == sorted(set(sizes), key=sorted)
