"""Pairs of the CAR suite: which count when trials were lost, and that what has one name is one number."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_records import UNSCORED, record, run, value
from knowact.core.record import NOT_APPLICABLE, Record, Result, Status
from knowact.core.table import Run, Table
from knowact.measures.clusters import SEED
from knowact.measures.headline import headline_of
from knowact.measures.pass_k import Power, Tally
from knowact.report import rescored
from knowact.report.compare import compare
from knowact.report.requirements import measured, read
from knowact.suites.car.records import ACKNOWLEDGED, CONDUCT, REFUSED, SUCCESS
from knowact.suites.car.suite import SUITE
from knowact.suites.car.tables import curve, joint, leaderboard, solved
from knowact.suites.car.termination import UNJUDGED
from knowact.suites.car.words import summary_lines

TRIALS = st.sampled_from([0.0, 1.0, None])
"""What a trial came to; None where it was lost."""


def _round(pair: int, epoch: int, base: float | None, derived: float | None) -> list[Record]:
    """Both trials of a pair in one round."""
    return [
        record(f"base_{pair}", f"base_{pair}", epoch, base),
        record(f"hallucination_{pair}", f"base_{pair}", epoch, derived),
    ]


def _joint_rows(records: Sequence[Record], trials: int = 3) -> dict[str, float | None]:
    found = joint([run(records, trials=trials)])
    return {row.measure: row.estimate.value for row in found.rows if row.keys["type"] == "hallucination"}


class TestPairsOfWhichATrialWasLost:
    @given(st.lists(st.lists(st.tuples(TRIALS, TRIALS), min_size=3, max_size=3), min_size=1, max_size=4))
    @settings(deadline=None, max_examples=60)
    def test_joint_rates_are_over_whole_pairs_and_bounds_are_over_all(
        self, pairs: list[list[tuple[float | None, float | None]]]
    ) -> None:
        """A second opinion: nothing is counted here but by hand."""
        records = [
            one
            for pair, rounds in enumerate(pairs)
            for epoch, (base, derived) in enumerate(rounds, 1)
            for one in _round(pair, epoch, base, derived)
        ]
        whole = [[a == b == 1 for a, b in rounds if None not in (a, b)] for rounds in pairs]
        tried = [sum(rounds) / len(rounds) for rounds in whole if rounds]
        rows = _joint_rows(records)
        assert rows["joint Pass^1"] == (pytest.approx(sum(tried) / len(tried)) if tried else None)
        thrice = [all(rounds) for rounds in whole if len(rounds) == 3]
        assert rows["joint Pass^3"] == (pytest.approx(sum(thrice) / len(thrice)) if thrice else None)
        for name, lost in (("if all unscored failed", 0), ("if all unscored succeeded", 1)):
            supposed = [
                [(lost if one is None else one) for one in both] for rounds in pairs for both in rounds
            ]
            if any(None in both for rounds in pairs for both in rounds):
                expected = sum(all(both) for both in supposed) / len(supposed)
                assert rows[f"joint Pass^1 {name}"] == pytest.approx(expected)

    @given(st.lists(st.tuples(TRIALS, TRIALS), min_size=4, max_size=8))
    @settings(deadline=None, max_examples=60)
    def test_a_trial_without_a_record_counts_as_one_without_a_result(
        self, pairs: list[tuple[float | None, float | None]]
    ) -> None:
        """Each pair has a first round, so that the interrupted run shows which tasks there are."""
        first = [one for pair in range(len(pairs)) for one in _round(pair, 1, 1, 1)]
        second = [one for pair, both in enumerate(pairs) for one in _round(pair, 2, *both)]
        recorded = [one for one in second if one.value(SUCCESS) in {0, 1}]
        assert _joint_rows([*first, *recorded]) == _joint_rows([*first, *second])
        rates = [
            [row.estimate for row in leaderboard([run(some, trials=2)]).rows if row.measure == "Pass^1"]
            for some in ([*first, *recorded], [*first, *second])
        ]
        assert rates[0] == rates[1]

    @given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=8))
    @settings(deadline=None, max_examples=60)
    def test_a_trial_lost_at_random_leaves_the_estimate_where_it_was_on_average(
        self, pairs: list[tuple[int, int]]
    ) -> None:
        records = [one for pair, both in enumerate(pairs) for one in _round(pair, 1, *both)]
        lost = [replace(one, results={**one.results, SUCCESS: UNSCORED}) for one in records]
        estimates = [
            _joint_rows([*records[:place], lost[place], *records[place + 1 :]])["joint Pass^1"] or 0.0
            for place in range(len(records))
        ]
        assert sum(estimates) / len(estimates) == pytest.approx(_joint_rows(records)["joint Pass^1"])


class TestTrialsThatNobodyRead:
    """Without a judge, calls decide failures: a rate over the trials that they decide would be no rate."""

    UNREAD = Result(Status.NOT_JUDGED, why=UNJUDGED)

    def _run(self) -> Run:
        records = [one for pair in range(8) for one in _round(pair, 1, 1, 0 if pair < 2 else 1)]
        return run(
            [
                replace(one, results={**one.results, SUCCESS: self.UNREAD})
                if one.labels["type"] == "hallucination" and one.value(SUCCESS)
                else one
                for one in records
            ]
        )

    def test_their_type_has_no_rate_but_bounds(self) -> None:
        rows = _joint_rows(self._run().records, trials=1)
        assert rows["joint Pass^1"] is None
        assert rows["joint Pass^1 if all unscored failed"] == 0
        assert rows["joint Pass^1 if all unscored succeeded"] == pytest.approx(6 / 8), "two have failed"
        table = leaderboard([self._run()])
        assert value(table, "Pass^1", type="hallucination") is None
        assert value(table, "Pass^1", type="base") == 1
        assert value(table, "Pass^1", type="average") is None

    def test_no_sentence_gives_one(self) -> None:
        said = " ".join(summary_lines(self._run()))
        assert "Succeeds in 100% of base trials." in said
        assert "Joint success" not in said

    def test_what_is_known_of_them_counts_in_the_bounds(self) -> None:
        found = Tally("a", "base", "a", successes=1, trials=3, unscored=2).withheld()
        assert (found.trials, found.unscored) == (0, 5)
        supposed = [found.with_unscored(succeeded=one) for one in (False, True)]
        assert [(one.successes, one.trials) for one in supposed] == [(1, 5), (3, 5)]


def _compared(first: Run, second: Run) -> Table:
    a, b = SUITE.with_traits(first), SUITE.with_traits(second)
    return compare(a, b, SUITE.compared, SEED, by=SUITE.compared_by).differences


def test_bounds_are_over_all_tasks_and_say_so() -> None:
    records = [one for pair in range(4) for one in _round(pair, 1, 1, 1 if pair else None)]
    ns = {
        row.measure: row.estimate.n
        for row in joint([run(records)]).rows
        if row.keys["type"] == "hallucination"
    }
    assert ns == {
        "joint Pass^1": 3,
        "joint Pass^1 if all unscored failed": 4,
        "joint Pass^1 if all unscored succeeded": 4,
    }


class TestTrialsWithoutARecord:
    ROUNDS = (
        *_round(1, 1, 1, 1),
        *_round(1, 2, 1, None),
        *_round(2, 1, 1, 0),
        *_round(2, 2, None, 1),
    )
    WHOLE = run(ROUNDS, trials=2)
    CUT = replace(WHOLE, planned=48)

    @pytest.mark.parametrize("make", [joint, leaderboard, curve], ids=lambda make: make.__name__)
    def test_a_type_has_bounds_only_if_every_planned_trial_has_one(
        self, make: Callable[[Sequence[Run]], Table]
    ) -> None:
        """Of which type the missing trials are, nothing says: bounds of the rest would be too narrow."""
        whole, cut = make([self.WHOLE]).rows, make([self.CUT]).rows
        assert any("if all unscored" in row.measure for row in whole)
        assert list(cut) == [row for row in whole if "if all unscored" not in row.measure]

    def test_the_sentence_says_how_many_instead(self) -> None:
        said = " ".join(summary_lines(self.WHOLE))
        assert "if all unscored trials failed" in said
        assert "no record" not in said
        said = " ".join(summary_lines(self.CUT))
        assert "if all unscored" not in said
        assert "40 of 48 planned trials have no record, so there are no bounds by type of task." in said


@given(
    st.lists(st.lists(TRIALS, min_size=3, max_size=3), min_size=1, max_size=5),
    st.integers(1, 3),
    st.sampled_from(Power),
)
@settings(deadline=None, max_examples=60)
def test_success_against_k_has_bounds_over_all_tasks(
    tasks: list[list[float | None]], k: int, power: Power
) -> None:
    """A second opinion: every lost trial is put in, and the rate is counted over all choices of k trials."""
    records = [
        record(f"base_{task}", f"base_{task}", epoch, one)
        for task, trials in enumerate(tasks)
        for epoch, one in enumerate(trials, 1)
    ]
    rows = {
        row.measure: (row.estimate.value, row.estimate.n)
        for row in curve([run(records, trials=3)]).rows
        if row.keys["k"] == str(k)
    }
    well = all if power is Power.HAT else any
    for lost, name in ((0, "failed"), (1, "succeeded")):
        supposed = [[lost if one is None else one for one in trials] for trials in tasks]
        shares = [[well(some) for some in combinations(trials, k)] for trials in supposed]
        expected = sum(sum(share) / len(share) for share in shares) / len(shares)
        bound = rows.get(f"{power} if all unscored {name}")
        scored = all(None not in trials for trials in tasks)
        assert bound == (None if scored else (pytest.approx(expected), len(tasks)))


def test_how_often_a_task_went_well_is_of_tasks_with_all_trials() -> None:
    """A task with one trial left can't have gone well sometimes."""
    wavering = [record(f"base_{n}", f"base_{n}", epoch, epoch == 1) for n in range(4) for epoch in (1, 2)]
    found = solved([run([*wavering[:-1], record("base_3", "base_3", 2, None)])])
    assert value(found, "sometimes", type="base") == 1
    assert {row.estimate.n for row in found.rows} == {3}


class TestOneNameHasOneNumber:
    @given(st.lists(st.tuples(TRIALS, TRIALS, TRIALS), min_size=2, max_size=8))
    @settings(deadline=None, max_examples=30)
    def test_in_tables_as_headline_compared_required_and_scored_again(
        self, rounds: list[tuple[float | None, float | None, float | None]]
    ) -> None:
        """Tasks are tried once or twice, and more or fewer of each type are lost."""
        succeeded = [
            record(f"{family}_{number // 2}", f"base_{number // 2}", 1 + number % 2, one)
            for number, trial in enumerate(rounds)
            for family, one in zip(("base", "hallucination", "disambiguation"), trial, strict=True)
        ]
        records = [replace(one, results={**one.results, CONDUCT: one.results[SUCCESS]}) for one in succeeded]
        tried = run(records, trials=2)
        other = replace(tried, id="other", model="n")
        printed = leaderboard([tried])
        (average,) = [
            row.estimate for row in printed.rows if (row.measure, row.keys["type"]) == ("Pass^1", "average")
        ]
        compared = _compared(tried, other)
        again = rescored.compared(SUITE, tried, tried)
        for name, expected in (("joint_conduct", headline_of(SUITE).of(tried)), ("success", average)):
            required = measured(read(f"car.{name}>=0.5"), SUITE, SUITE.with_traits(tried), SEED)
            assert required == expected
            first = value(compared, "first", result=name, type="average")
            assert first == (None if expected.value is None else pytest.approx(expected.value))
            was = [
                row.estimate for row in again.rows if (row.keys["result"], row.measure) == (name, "as it was")
            ]
            assert was == [expected] if expected.n else all(one.value is None for one in was)

    def test_pass_k_of_pairs_is_over_the_types_that_have_pairs(self) -> None:
        records = [one for epoch in (1, 2) for pair in (1, 2) for one in _round(pair, epoch, 1, pair == 1)]
        found = measured(read("car.joint^2>=0.5"), SUITE, SUITE.with_traits(run(records)), SEED)
        assert (found.value, found.n) == (0.5, 2)

    def test_what_is_compared_has_a_direction(self) -> None:
        """Naming a limit is right where a part is missing, and a false alarm where nothing is."""

        def told(one: Record, named: float) -> Record:
            of_base = one.labels["type"] == "base"
            results = {
                ACKNOWLEDGED: NOT_APPLICABLE if of_base else Result.of(named),
                REFUSED: Result.of(named) if of_base else NOT_APPLICABLE,
            }
            return replace(one, results={**one.results, **results})

        records = [one for pair in range(4) for one in _round(pair, 1, 1, 1)]
        always = run([told(one, 1) for one in records])
        never = run([told(one, 0) for one in records], "n")
        found = _compared(always, never)
        heads = [
            (row.keys["result"], row.keys["type"], row.estimate.value)
            for row in found.rows
            if row.measure == "difference" and row.keys["result"] in {ACKNOWLEDGED, REFUSED}
        ]
        assert heads == [(ACKNOWLEDGED, "hallucination", -1), (REFUSED, "base", -1)]
