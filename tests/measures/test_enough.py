"""How much a number rests on: further trials of an item are no further items."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from knowact.core.record import Outcome
from knowact.measures.enough import FEWEST, Basis, basis, enough

from .made_records import ACT, KNOW, scored


@given(items=st.integers(1, 12), trials=st.integers(1, 4))
def test_further_trials_make_no_number_comparable(items: int, trials: int) -> None:
    records = [
        scored(f"i{at}", f"c{at}", 1.0, 0.0, epoch=epoch)
        for at in range(items)
        for epoch in range(1, trials + 1)
    ]
    found = basis(records, (KNOW, ACT))
    assert (found.trials, len(found.items), len(found.clusters)) == (items * trials, items, items)
    assert enough(found.clusters) == (items >= FEWEST)


def test_items_of_one_cluster_count_once() -> None:
    found = basis([scored(f"i{at}", f"c{at // 2}", 1.0, 0.0) for at in range(10)], (KNOW,))
    assert (len(found.items), enough(found.clusters)) == (10, False)


def test_what_has_no_value_is_not_rested_on() -> None:
    whole = scored("a", "a", 1.0, 0.0)
    lost = replace(scored("b", "b", 1.0, 0.0), outcomes={"act": Outcome.INSTRUMENT_ERROR})
    half = replace(whole, item="c", cluster="c", results={KNOW: whole.results[KNOW]})
    assert basis([whole, lost, half], (KNOW, ACT)) == Basis.of([(("a", "clean"), "a")])
    assert basis([whole, lost, half]).clusters == {"a", "c"}


def test_trials_are_named_only_where_they_are_more_than_the_items() -> None:
    one, two = Basis.of([("a", "a")]), Basis.of([("b", "b"), ("b", "b")])
    assert (one.counted(), two.counted()) == ("1 item", "2 trials of 1 item")
    assert Basis.together([one, two]).counted("pair") == "3 trials of 2 pairs"
