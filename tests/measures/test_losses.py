"""What became of a run's trials, and the bounds of headlines over pairs, for all suites by one rule."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.record import Outcome, Record, Result, Status
from knowact.core.suite import Suite
from knowact.core.table import DatasetInfo, Run
from knowact.measures.headline import headline_of
from knowact.measures.losses import bounds, trials_of
from knowact.suites.bfcl.suite import SUITE as BFCL
from knowact.suites.car.suite import SUITE as CAR
from knowact.suites.fail_talms.suite import SUITE as FAIL_TALMS
from knowact.suites.ict.suite import SUITE as ICT
from knowact.suites.kapro.suite import SUITE as KAPRO
from knowact.suites.when2call.suite import SUITE as WHEN2CALL

LABELS: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "bfcl": ({"gold": "complete"}, {"gold": "incomplete"}),
    "when2call": ({"right": "tool_call"}, {"right": "cannot_answer"}),
    "ict": (
        {"gold": "complete", "kind": "paper", "part": "AR-TB"},
        {"gold": "incomplete", "kind": "paper", "part": "AR-TB"},
    ),
    "fail_talms": ({"setting": "perfect"}, {"setting": "under-specified"}),
    "car": ({"type": "base"}, {"type": "hallucination"}),
}
"""The labels of both members of a pair."""

PAIRED = {"bfcl": BFCL, "when2call": WHEN2CALL, "ict": ICT, "fail_talms": FAIL_TALMS, "car": CAR}
FATES = st.lists(st.sampled_from("rwl"), min_size=4, max_size=10).filter(lambda one: len(one) % 2 == 0)
"""Of each trial: right, wrong or lost; two in a row are a pair."""


def trial(suite: str, place: int) -> Record:
    """A lost trial: the engine kept nothing but that it failed."""
    labels = {**LABELS[suite][place % 2], "pair": f"p{place // 2}"}
    return Record(
        item=f"i{place}",
        condition="clean",
        epoch=1,
        cluster=f"p{place // 2}",
        labels=labels,
        offered=(),
        required=frozenset(),
        outcomes={"trial": Outcome.INSTRUMENT_ERROR},
    )


def run_of(suite: Suite, records: list[Record], planned: int = 0) -> Run:
    data = DatasetInfo("made", "1", "0" * 64)
    return Run("r", suite.name, data, "m", {}, (), max(planned, len(records)), records)


def played(suite: Suite, fates: str) -> Run:
    suppose = headline_of(suite).suppose
    assert suppose is not None
    records = [trial(suite.name, place) for place in range(len(fates))]
    return run_of(
        suite,
        [one if fate == "l" else suppose(one, fate == "r") for one, fate in zip(records, fates, strict=True)],
    )


def joint(fates: str) -> float:
    pairs = [fates[place : place + 2] for place in range(0, len(fates), 2)]
    return sum(pair == "rr" for pair in pairs) / len(pairs)


@pytest.mark.parametrize("name", PAIRED)
def test_a_trial_that_is_supposed_right_or_wrong_is_that_in_the_headline(name: str) -> None:
    for fates in map("".join, product("rw", repeat=2)):
        assert headline_of(PAIRED[name]).of(played(PAIRED[name], fates)).value == joint(fates)


@pytest.mark.parametrize("name", PAIRED)
@settings(deadline=None, max_examples=25)
@given(FATES)
def test_bounds_are_the_headline_with_lost_trials_wrong_and_right(name: str, fates: list[str]) -> None:
    suite, told = PAIRED[name], "".join(fates)
    run = played(suite, told)
    found, lost = bounds(suite, run), told.count("l")
    if headline_of(suite).of(run).value is None or not lost:
        assert found is None
        return
    assert found is not None
    assert found.if_all_wrong == pytest.approx(joint(told.replace("l", "w")))
    assert found.if_all_right == pytest.approx(joint(told.replace("l", "r")))
    assert found.lost == lost
    for others in product("rw", repeat=lost):
        filled = told.replace("l", "{}").format(*others)
        assert found.if_all_wrong - 1e-9 <= joint(filled) <= found.if_all_right + 1e-9


def test_the_bounds_of_kas_are_of_kas() -> None:
    made = [
        replace(
            trial("bfcl", place),
            outcomes={"act": Outcome.ANSWERED},
            labels={"boundary": side},
            results={"acc_know": Result.of(know), "acc_act": Result.of(act)},
        )
        for place, (side, know, act) in enumerate([("external", 1, 0.5), ("internal", 1, 1)])
    ]
    lost = replace(trial("bfcl", 2), labels={"boundary": "internal"})
    found = bounds(KAPRO, run_of(KAPRO, [*made, lost]))
    assert found is not None
    external = 2 / 3
    assert (found.measure, found.value) == ("KAS", pytest.approx((external + 1) / 2))
    assert found.if_all_right == pytest.approx((external + 2) / 3)
    assert found.if_all_wrong == pytest.approx((external + 2 * 0.5) / 3)


@given(
    st.lists(st.sampled_from(("value", "silent", "error", "lost")), min_size=1, max_size=12),
    st.integers(0, 3),
)
def test_every_planned_trial_is_scored_not_judged_lost_or_not_run(fates: list[str], missing: int) -> None:
    results = {
        "value": Result.of(1),
        "silent": Result(Status.NOT_JUDGED),
        "error": Result(Status.JUDGE_ERROR),
    }
    records = [
        replace(
            trial("fail_talms", place), outcomes={"act": Outcome.ANSWERED}, results={"conduct": results[one]}
        )
        if one in results
        else trial("fail_talms", place)
        for place, one in enumerate(fates)
    ]
    found = trials_of(FAIL_TALMS, run_of(FAIL_TALMS, records, len(records) + missing))
    assert (found.scored, found.not_judged) == (fates.count("value"), fates.count("silent"))
    assert (found.lost, found.not_run) == (fates.count("error") + fates.count("lost"), missing)
    assert found.scored + found.not_judged + found.unscored == len(fates) + missing


def test_what_nobody_was_bound_to_judge_has_no_bounds() -> None:
    run = played(FAIL_TALMS, "rrrl")
    silent = replace(run.records[0], results={"conduct": Result(Status.NOT_JUDGED)})
    unjudged = replace(run, records=[silent, silent, silent, run.records[3]], headline=("extractor",))
    assert bounds(FAIL_TALMS, unjudged) is None
    assert bounds(FAIL_TALMS, run) is not None, "the same run, judged"
