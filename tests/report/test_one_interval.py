"""One number, one interval: the same trials have the same interval in whatever table they stand."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.record import Outcome, Record, Result
from knowact.core.table import DatasetInfo, Estimate, Run, Table
from knowact.report.compare import compare_within
from knowact.report.gate import check
from knowact.report.overview import headline_of
from knowact.report.rescored import compared
from knowact.suites import find
from knowact.suites.kapro.tables import AVERAGE, main, quadrants

SUITE = find("kapro")
ACCURACIES = st.sampled_from([0.0, 0.5, 1.0])
TRIALS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["external", "hybrid", "internal"]), ACCURACIES, ACCURACIES),
    min_size=1,
    max_size=16,
)


def made(trials: list[tuple[int, str, float, float]], name: str = "run") -> Run:
    records = [
        Record(
            item=f"item-{number}",
            condition="clean",
            epoch=1,
            cluster=f"base-{cluster}",
            labels={"boundary": boundary, "topology": "single_hop"},
            offered=("a",),
            required=frozenset("a"),
            outcomes={"tools_needed": Outcome.ANSWERED, "act": Outcome.ANSWERED},
            knew=know == 1,
            acted=act == 1,
            results={"acc_know": Result.of(know), "acc_act": Result.of(act)},
        )
        for number, (cluster, boundary, know, act) in enumerate(trials)
    ]
    data = DatasetInfo("everyday", "2-A", "0" * 64)
    return Run(name, "kapro", data, "mockllm/model", {}, (f"{name}.eval",), len(records), records)


def row(table: Table, measure: str, **keys: str) -> Estimate:
    (found,) = [
        one.estimate for one in table.rows if one.measure == measure and keys.items() <= one.keys.items()
    ]
    return found


@settings(deadline=None, max_examples=30)
@given(TRIALS, st.randoms(use_true_random=False))
def test_the_same_trials_have_one_interval_whatever_command_prints_it_and_in_any_order(
    trials: list[tuple[int, str, float, float]], shuffler: Random
) -> None:
    run = made(trials)
    shuffled = replace(run, records=shuffler.sample(run.records, len(run.records)))
    kas, gap = row(main([run]), "KAS", boundary=AVERAGE), row(quadrants([run]), "DirGap", boundary=AVERAGE)
    for one in (run, shuffled):
        scored_again = compared(SUITE, one, one)
        (held,) = check([one], ["kapro.kas>=0"], find).checks
        (parted,) = check([one], ["kapro.DirGap>=-1"], find).checks
        assert headline_of(SUITE).of(one) == kas
        assert [row(scored_again, side, result="KAS") for side in ("as it was", "now")] == [kas, kas]
        assert [row(scored_again, side, result="DirGap") for side in ("as it was", "now")] == [gap, gap]
        assert (held.found, parted.found) == (kas, gap)


@settings(deadline=None, max_examples=20)
@given(TRIALS)
def test_the_same_trials_differ_by_nothing_and_two_runs_are_compared_by_what_is_printed_of_each(
    trials: list[tuple[int, str, float, float]],
) -> None:
    run, other = made(trials), made([(c, b, act, know) for c, b, know, act in trials], "other")
    for difference in (
        row(compared(SUITE, run, run), "difference", result="KAS"),
        row(
            compare_within(SUITE, run, replace(run), 0).differences,
            "difference",
            result="KAS",
            boundary="all",
        ),
    ):
        assert (difference.value, difference.low, difference.high) == (0, 0, 0)
    table = compare_within(SUITE, run, other, 0).differences
    for side, one in (("first", run), ("second", other)):
        assert row(table, side, result="KAS", boundary="all").value == headline_of(SUITE).of(one).value


def test_a_difference_of_0_with_an_interval_is_explained_where_it_is_printed() -> None:
    trials = [(number, "external", 1.0, 0.5) for number in range(6)]
    run, other = made(trials), made(trials, "other")
    assert "its interval says how far" in compare_within(SUITE, run, other, 0).differences.note
    assert "its interval says how far" not in compare_within(SUITE, run, run, 0).differences.note
