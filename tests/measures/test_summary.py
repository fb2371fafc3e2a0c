"""Estimates of records, averages over subspaces, floors and bounds."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import UnknownName
from knowact.core.record import Outcome, Record, Result
from knowact.core.table import Estimate
from knowact.measures.chance import chance_corrected, corrected, policies_of
from knowact.measures.columns import columns
from knowact.measures.intervals import wilson
from knowact.measures.kas import jaccard, kas
from knowact.measures.summary import (
    average_kas,
    kas_estimate,
    mean_estimate,
    quadrant_estimates,
    worst,
)

from .made_records import ACT, KNOW, scored, trial, vectors

TOOLS = st.frozensets(st.sampled_from("abcd"))


def subspaces() -> list[Record]:
    """Two subspaces: one of six items that are known and half done, one of two that are the reverse."""
    large = [scored(f"e{i}", f"e{i}", 1, i % 2, labels={"boundary": "external"}) for i in range(6)]
    small = [scored(f"i{i}", f"i{i}", i % 2, 1, labels={"boundary": "internal"}) for i in range(2)]
    return large + small


def spoil(record: Record) -> Record:
    return replace(record, outcomes={"act": Outcome.USER_FAULT})


def test_the_vectors_give_the_specifications_means_and_kas() -> None:
    know, act = mean_estimate(vectors(), KNOW, 0), mean_estimate(vectors(), ACT, 0)
    score = kas_estimate(vectors(), KNOW, ACT, 0)
    assert know.value == pytest.approx(0.642857, abs=5e-7)
    assert act.value == pytest.approx(0.595238, abs=5e-7)
    assert score.value == pytest.approx(0.618132, abs=5e-7)
    assert {found.n for found in (know, act, score)} == {7}
    assert {found.method for found in (know, act, score)} == {"cluster bootstrap"}


def test_the_vectors_give_the_specifications_quadrants() -> None:
    found = quadrant_estimates(vectors(), 0)
    values = {name: estimate.value for name, estimate in found.items()}
    assert values == {"Kc/Ac": 1 / 7, "Kc/Aw": 2 / 7, "Kw/Ac": 2 / 7, "Kw/Aw": 2 / 7, "DirGap": 0}
    assert [found[name].method for name in ("Kc/Ac", "DirGap")] == ["wilson", "cluster bootstrap"]
    low, high = found["DirGap"].low, found["DirGap"].high
    assert low is not None
    assert high is not None
    assert low < 0 < high


@pytest.mark.parametrize(("know", "act", "gap"), [(1, 0, 1), (0, 1, -1)])
def test_a_gap_in_one_direction_alone_can_still_close_or_turn(know: int, act: int, gap: int) -> None:
    found = quadrant_estimates([scored(str(i), f"c{i // 2}", know, act) for i in range(12)], 0)["DirGap"]
    reach = 2 * (wilson(0, 6).high or 0)
    ends = sorted((gap, gap - gap * reach))
    assert (found.value, found.low, found.high) == pytest.approx((gap, *ends))


def test_a_trial_of_which_one_half_was_not_measured_is_in_no_quadrant() -> None:
    half = [replace(vectors()[0], acted=None), replace(vectors()[0], knew=None)]
    assert quadrant_estimates([*vectors(), *half], 0) == quadrant_estimates(vectors(), 0)


def test_spoilt_records_are_left_out_and_n_says_so() -> None:
    records = [spoil(record) if record.item == "6" else record for record in vectors()]
    without = [record for record in vectors() if record.item != "6"]
    assert mean_estimate(records, KNOW, 0) == mean_estimate(without, KNOW, 0)
    assert kas_estimate(records, KNOW, ACT, 0) == kas_estimate(without, KNOW, ACT, 0)
    assert quadrant_estimates(records, 0) == quadrant_estimates(without, 0)
    assert mean_estimate(records, KNOW, 0).n == 6


def test_a_run_without_a_scored_record_has_no_headline() -> None:
    records = [spoil(record) for record in vectors()]
    nothing = Estimate(None, 0)
    assert mean_estimate(records, KNOW, 0) == nothing
    assert kas_estimate(records, KNOW, ACT, 0) == nothing
    assert average_kas(records, KNOW, ACT, "condition", 0) == nothing
    assert set(quadrant_estimates(records, 0).values()) == {nothing}
    nobody = policies_of(records)
    assert nobody.n == 0
    assert all(map(math.isnan, (nobody.everything, nobody.nothing, nobody.coin, nobody.best)))


def test_averages_weigh_subspaces_by_their_tasks() -> None:
    found = average_kas(subspaces(), KNOW, ACT, "boundary", 0)
    assert found.value == pytest.approx(kas(1, 0.5))
    shifted = average_kas(subspaces(), ACT, ACT, "boundary", 0)
    assert shifted.value == pytest.approx((6 * 0.5 + 2 * 1) / 8)
    for estimate in (found, shifted):
        assert estimate.n == 8
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low <= (estimate.value or 0) <= estimate.high


def test_an_average_is_not_the_pooled_kas() -> None:
    pooled = kas_estimate(subspaces(), KNOW, ACT, 0)
    assert pooled.value == pytest.approx(kas(7 / 8, 5 / 8))
    assert pooled.value != average_kas(subspaces(), KNOW, ACT, "boundary", 0).value


def test_a_spoilt_item_has_no_weight_in_an_average() -> None:
    records = [spoil(record) if record.item == "i0" else record for record in subspaces()]
    found = average_kas(records, KNOW, KNOW, "boundary", 0)
    assert (found.value, found.n) == (1, 7)
    half = average_kas(records, ACT, ACT, "boundary", 0)
    assert half.value == pytest.approx((6 * 0.5 + 1 * 1) / 7)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(("value", "spoilt", "one probe")), min_size=8, max_size=8))
def test_an_average_is_that_of_its_scored_records_alone(fates: list[str]) -> None:
    """Value, n and interval rest on the same trials."""

    def fated(record: Record, fate: str) -> Record:
        if fate == "one probe":
            return replace(record, results={KNOW: record.results[KNOW]})
        return spoil(record) if fate == "spoilt" else record

    records = [fated(record, fate) for fate, record in zip(fates, subspaces(), strict=True)]
    kept = [one for fate, one in zip(fates, subspaces(), strict=True) if fate == "value"]
    found, alone = (average_kas(some, KNOW, ACT, "boundary", 0) for some in (records, kept))
    if {one.labels["boundary"] for one in kept} == {"external", "internal"}:
        assert found == alone
    else:
        assert found == Estimate(None, len(kept))


def test_an_average_that_lacks_a_subspace_is_none() -> None:
    records = [spoil(record) if record.item.startswith("i") else record for record in subspaces()]
    assert average_kas(records, KNOW, KNOW, "boundary", 0) == Estimate(None, 6)


def test_an_average_of_unanimous_subspaces_is_as_wide_as_they_are() -> None:
    records = [replace(record, results={KNOW: Result.of(1)}) for record in subspaces()]
    found = average_kas(records, KNOW, KNOW, "boundary", 0)
    groups = columns(records, (KNOW,), ("boundary",)).groups("boundary")
    apart = {key[0]: mean_estimate(group, KNOW, 0).low or 0 for key, group in groups.items()}
    assert found.low == pytest.approx(0.75 * apart["external"] + 0.25 * apart["internal"])
    assert (found.value, found.high) == (1, 1)


@pytest.mark.parametrize("value", [1.0, 0.5])
def test_an_average_kas_of_unanimous_subspaces_is_as_wide_as_they_are(value: float) -> None:
    records = [replace(one, results={KNOW: Result.of(value), ACT: Result.of(value)}) for one in subspaces()]
    found = average_kas(records, KNOW, ACT, "boundary", 0)
    apart = [kas_estimate(part, KNOW, ACT, 0) for part in (records[:6], records[6:])]
    assert found.value == pytest.approx(value)
    assert found.low == pytest.approx(0.75 * (apart[0].low or 0) + 0.25 * (apart[1].low or 0))
    assert found.high == pytest.approx(0.75 * (apart[0].high or 0) + 0.25 * (apart[1].high or 0))


def test_an_average_kas_rests_on_the_items_where_both_were_measured() -> None:
    half = replace(subspaces()[0], results={KNOW: Result.of(1)})
    found = average_kas([half, *subspaces()[1:]], KNOW, ACT, "boundary", 0)
    assert (found.value, found.n) == (pytest.approx((5 * kas(1, 0.6) + 2 * kas(0.5, 1)) / 7), 7)


def test_a_subspace_without_records_takes_no_part_in_an_average() -> None:
    made = columns(subspaces(), (KNOW,), ("boundary",))
    found = average_kas(made.groups("boundary")["internal",], KNOW, KNOW, "boundary", 0)
    assert (found.value, found.n) == (0.5, 2)
    assert average_kas(subspaces()[:1], KNOW, KNOW, "boundary", 0).value == 1
    assert average_kas([], KNOW, KNOW, "boundary", 0) == Estimate(None, 0)


@settings(deadline=None, max_examples=20)
@given(st.permutations(subspaces()))
def test_the_order_of_records_changes_no_average(records: list[Record]) -> None:
    found = average_kas(records, KNOW, ACT, "boundary", 0)
    assert found == average_kas(subspaces(), KNOW, ACT, "boundary", 0)


def test_a_label_that_was_not_read_is_refused() -> None:
    with pytest.raises(UnknownName, match="boundary"):
        average_kas(columns(subspaces(), (KNOW,), ("boundary",)), KNOW, KNOW, "topology", 0)


def test_a_cluster_in_two_subspaces_is_drawn_as_one() -> None:
    apart = [
        scored(f"{side}{i}", f"{side}{i}", (i % 3) / 2, 1, labels={"side": side})
        for side in "ab"
        for i in range(30)
    ]
    together = [replace(record, cluster=record.item[1:]) for record in apart]
    widths = [
        (found.high or 0) - (found.low or 0)
        for found in (average_kas(records, KNOW, KNOW, "side", 0) for records in (apart, together))
    ]
    # Pairs whose members go up and down together carry half of the information: wider by the root of two.
    assert widths[1] / widths[0] == pytest.approx(math.sqrt(2), rel=0.1)


def test_the_worst_subspace_is_named_and_unmeasured_ones_are_not_it() -> None:
    low, high = Estimate(0.2, 5), Estimate(0.9, 5)
    assert worst({"external": high, "internal": low, "hybrid": Estimate(None, 0)}) == ("internal", low)
    assert worst({"b": low, "a": low}) == ("a", low)
    assert worst({"hybrid": Estimate(None, 0)}) is None


@settings(deadline=None)
@given(st.lists(st.tuples(TOOLS, TOOLS), min_size=1, max_size=5))
def test_policies_are_what_agents_of_that_kind_would_get(
    items: list[tuple[frozenset[str], frozenset[str]]],
) -> None:
    found = policies_of([trial(str(n), "".join(o), "".join(r), "", "") for n, (o, r) in enumerate(items)])

    def coin(offered: frozenset[str], required: frozenset[str]) -> float:
        subsets = itertools.chain.from_iterable(
            itertools.combinations(sorted(offered), size) for size in range(len(offered) + 1)
        )
        return math.fsum(jaccard(set(subset), required) for subset in subsets) / 2 ** len(offered)

    assert found.n == len(items)
    assert found.everything == pytest.approx(np.mean([jaccard(o, r) for o, r in items]))
    assert found.nothing == pytest.approx(np.mean([jaccard(frozenset(), r) for _, r in items]))
    assert found.coin == pytest.approx(np.mean([coin(o, r) for o, r in items]))
    assert found.best == max(found.everything, found.nothing)


def test_policies_come_from_the_scored_records() -> None:
    records = [spoil(record) if record.item in {"1", "2"} else record for record in vectors()]
    assert policies_of(records) == policies_of(vectors()[2:])
    assert policies_of(columns(vectors(), ())) == policies_of(vectors())


def test_a_policys_accuracy_is_its_kas() -> None:
    eager = [
        trial(r.item, "".join(r.offered), "".join(r.required), *["".join(r.offered)] * 2) for r in vectors()
    ]
    assert kas_estimate(eager, KNOW, ACT, 0).value == pytest.approx(policies_of(vectors()).everything)


def test_chance_correction_puts_the_best_policy_at_zero_and_perfection_at_one() -> None:
    assert chance_corrected(0.4, 0.4) == 0
    assert chance_corrected(1, 0.4) == 1
    assert chance_corrected(0.1, 0.4) == pytest.approx(-0.5)
    assert math.isnan(chance_corrected(1, 1))
    found = corrected(Estimate(0.7, 9, 0.4, 0.85, "cluster bootstrap"), 0.4)
    assert (found.value, found.low, found.high) == (pytest.approx(0.5), 0, pytest.approx(0.75))
    assert (found.n, found.method) == (9, "cluster bootstrap")


def test_there_is_no_correction_without_room_or_without_a_value() -> None:
    assert corrected(Estimate(1.0, 9, 0.7, 1.0, "wilson"), 1.0) == Estimate(None, 9)
    assert corrected(Estimate(0.5, 9, 0.4, 0.6, "wilson"), math.nan) == Estimate(None, 9)
    assert corrected(Estimate(None, 0), 0.4) == Estimate(None, 0)
    assert corrected(Estimate(0.7, 2), 0.4).low is None


def test_one_subspace_alone_has_the_interval_of_its_kas() -> None:
    part = [record for record in subspaces() if record.labels["boundary"] == "external"]
    assert average_kas(part, KNOW, ACT, "boundary", 0) == kas_estimate(part, KNOW, ACT, 0)
