"""Tables, figures and words of the CAR suite, on records made by hand."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from car_records import record, run, value
from knowact.core.record import Outcome, Result, Status
from knowact.core.table import Row, Run, Table
from knowact.report.compare import compare
from knowact.suites.car.figures import FIGURES
from knowact.suites.car.records import CONDUCT, FAULTY, RERUN, SUCCESS, UNGRADED
from knowact.suites.car.run_groups import BOTH, groups, joint_tallies, with_joint
from knowact.suites.car.suite import SUITE
from knowact.suites.car.tables import TABLES, curve, joint, leaderboard, solved
from knowact.suites.car.termination import UNJUDGED
from knowact.suites.car.words import summary_lines

WAVERING = run(
    [
        *(record("base_1", "base_1", epoch, 1) for epoch in (1, 2, 3)),
        *(record("base_2", "base_2", epoch, epoch != 2) for epoch in (1, 2, 3)),
        *(record("hallucination_1", "base_1", epoch, epoch == 1) for epoch in (1, 2, 3)),
        *(record("hallucination_2", "base_2", epoch, 1) for epoch in (1, 2, 3)),
        *(record("disambiguation_1", "base_1", epoch, 0, {"error_E1": 1}) for epoch in (1, 2, 3)),
    ]
)


class TestSuccess:
    def test_a_task_and_its_base_task_in_the_same_round_count(self) -> None:
        table = joint([WAVERING])
        # hallucination_1 went well in round 1 only; of hallucination_2's rounds, its base failed the second.
        assert value(table, "joint Pass^1", type="hallucination") == pytest.approx((1 / 3 + 2 / 3) / 2)
        assert value(table, "joint Pass^1", type="disambiguation") == 0
        assert value(table, "joint Pass^3", type="hallucination") == 0

    def test_the_leaderboard_has_all_three_and_their_average(self) -> None:
        table = leaderboard([WAVERING])
        assert value(table, "Pass^1", type="base") == pytest.approx(5 / 6)
        assert value(table, "Pass^3", type="base") == 0.5
        assert value(table, "Pass@3", type="base") == 1
        assert value(table, "Pass^3", type="average") == pytest.approx((0.5 + 0.5 + 0) / 3)
        assert [row.keys["type"] for row in table.rows][:4] == [
            "base",
            "hallucination",
            "disambiguation",
            "average",
        ]

    def test_the_curve_falls_and_rises_with_k(self) -> None:
        table = curve([WAVERING])
        hats = [value(table, "Pass^k", type="base", k=str(k)) for k in (1, 2, 3)]
        ats = [value(table, "Pass@k", type="base", k=str(k)) for k in (1, 2, 3)]
        assert hats == sorted(hats, key=lambda one: -(one or 0))
        assert ats == sorted(ats, key=lambda one: one or 0)

    def test_solved_by_none_some_and_all(self) -> None:
        table = solved([WAVERING])
        assert value(table, "sometimes", type="base") == 0.5
        assert value(table, "never", type="disambiguation") == 1
        assert value(table, "retry dependency", type="disambiguation") == 0
        assert 0 < (value(table, "retry dependency", type="base") or 0) < 1
        both = solved(
            [WAVERING, run([record("base_1", "base_1", 1, 0), record("base_2", "base_2", 1, 1)], "n")]
        )
        across = [
            row for row in both.rows if row.keys["model"] == "all models" and row.keys["type"] == "base"
        ]
        assert {row.measure: row.estimate.value for row in across} == {
            "never": 0,
            "sometimes": 0.5,
            "always": 0.5,
        }

    def test_a_task_without_its_base_is_in_no_pair(self) -> None:
        alone = run([record("hallucination_1", "base_1", 1, 1)])
        assert joint([alone]).rows == ()
        (group,) = groups([alone])
        assert joint_tallies(group) == []


class TestUnscored:
    FAULT = record(
        "base_1",
        "base_1",
        1,
        1,
        {RERUN: 1, FAULTY: 1, "user_made_up": 1},
        first=Result(Status.NOT_JUDGED, why="fault"),
    )

    def test_first_attempts_stand_beside_reruns_with_bounds(self) -> None:
        table = leaderboard([run([self.FAULT, record("base_2", "base_2", 1, 0)])])
        assert value(table, "Pass^1", type="base") == 0.5
        assert value(table, "Pass^1 of first attempts", type="base") == 0
        bounds = [row for row in table.rows if "if all unscored" in row.measure]
        assert [row.estimate.value for row in bounds] == [0, 0.5]

    @pytest.mark.parametrize("known", [0, 1])
    def test_a_trial_without_a_result_leaves_its_pair_out_whatever_became_of_the_other(
        self, known: int
    ) -> None:
        records = [record("base_1", "base_1", 1, known), record("hallucination_1", "base_1", 1, None)]
        table = joint([run(records)])
        assert value(table, "joint Pass^1", type="hallucination") is None
        bounds = [row.estimate.value for row in table.rows if "if all unscored" in row.measure]
        assert bounds == [0, known], (
            "a pair with a failed trial has failed, whatever the other would have been"
        )

    def test_faults_of_the_user_are_named_per_attempt(self) -> None:
        driven = run([self.FAULT, record("base_2", "base_2", 1, 1)], user="model")
        table = _table("user-faults", [driven])
        assert value(table, "attempts", fault="made_up") == pytest.approx(1 / 3)
        assert value(table, "attempts", fault="any") == pytest.approx(1 / 3)
        (any_fault,) = [row for row in table.rows if row.keys["fault"] == "any"]
        assert any_fault.estimate.n == 3, "attempts, not trials"

    @pytest.mark.parametrize(
        "options",
        [{}, {"user": "person", "rules": "published"}, {"user": "model", "rules": "published"}],
        ids=str,
    )
    def test_where_nobody_looks_for_faults_of_the_user_none_are_measured(
        self, options: dict[str, str]
    ) -> None:
        (row,) = _table("user-faults", [run([record("base_2", "base_2", 1, 1)], **options)]).rows
        assert (row.estimate.value, row.estimate.low, row.estimate.n) == (None, None, 0)
        assert row.keys["meaning"] == "needs a model or a person as the user"

    def test_a_fault_that_nobody_looked_for_has_no_rate_beside_one_that_is_not_measured(self) -> None:
        (row,) = _table("user-faults", [run([self.FAULT], user="model", rules="published")]).rows
        assert (row.keys["fault"], row.estimate.value) == ("any", None)

    @pytest.mark.parametrize("user", ["model", "person"])
    def test_a_user_without_a_fault_is_measured(self, user: str) -> None:
        (row,) = _table("user-faults", [run([record("b", "b", 1, 1)], user=user)]).rows
        assert (row.estimate.value, row.estimate.n) == (0, 1)

    def test_the_joint_headline_has_bounds_where_a_counterpart_is_unscored(self) -> None:
        records = [
            *(record(f"base_{n}", f"base_{n}", 1, 1) for n in (1, 2, 3, 4)),
            *(record(f"hallucination_{n}", f"base_{n}", 1, n == 1) for n in (1, 2)),
            record("hallucination_3", "base_3", 1, None),
            *(record(f"disambiguation_{n}", f"base_{n}", 1, 1) for n in (1, 2)),
        ]
        table = joint([run(records)])
        assert value(table, "joint Pass^1", type="hallucination") == 0.5
        low, high = (
            value(table, f"joint Pass^1 if all unscored {what}", type="hallucination")
            for what in ("failed", "succeeded")
        )
        assert (low, high) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
        bounded = {row.keys["type"] for row in table.rows if "if all unscored" in row.measure}
        assert bounded == {"hallucination", "average"}, "none where all is scored"
        assert summary_lines(run(records))[0] == (
            "Joint success: 50% of the hallucination tasks (33% if all unscored trials failed, 67% if "
            "all succeeded), 100% of the disambiguation tasks."
        )


def _table(name: str, runs: Sequence[Run]) -> Table:
    return next(made for made in (make(runs) for make in TABLES) if made.id == name)


class TestFailures:
    FAILED = run(
        [
            record("base_1", "base_1", 1, 0, {"error_E2": 1, "broke_AUT-POL:009": 2}),
            record("base_2", "base_2", 1, 0, {"error_E3": 1}),
            record("base_3", "base_3", 1, 1, knew=True, acted=False),
            record("hallucination_1", "base_1", 1, 0, {"error_E5a": 1}),
        ]
    )

    def test_error_classes_are_shares_of_the_failed_trials_of_a_type(self) -> None:
        table = _table("error-classes", [self.FAILED])
        assert value(table, "share of failed trials", type="base", **{"class": "E2"}) == 0.5
        assert value(table, "share of failed trials", type="hallucination", **{"class": "E5a"}) == 1

    def test_a_step_limit_is_a_class_of_their_own_and_in_the_denominator(self) -> None:
        records = [
            *(record("base_1", "base_1", epoch, 0, outcome=Outcome.LIMIT) for epoch in (1, 2, 3)),
            record("base_2", "base_2", 1, 0, {"error_E1": 1}),
            record("base_3", "base_3", 1, 1),
            record("base_4", "base_4", 1, None, outcome=Outcome.INSTRUMENT_ERROR),
            *(record(f"hallucination_{n}", "base_2", 1, 0, {"error_E5a": 1}) for n in (1, 2, 3)),
            record("hallucination_4", "base_1", 1, 0, outcome=Outcome.LIMIT),
        ]
        table = _table("error-classes", [run(records)])
        assert value(table, "share of failed trials", type="base", **{"class": "limit"}) == 0.75
        assert value(table, "share of failed trials", type="base", **{"class": "E1"}) == 0.25
        assert {row.estimate.n for row in table.rows if row.keys["type"] == "base"} == {4}
        said = summary_lines(run(records))
        assert "Of the failed base trials 75% are limit (step or context limit)." in said
        assert (
            "Of the failed hallucination trials 75% are E5a (hid what is missing), 25% are limit (step "
            "or context limit)." in said
        )
        figure = next(made for made in (make([run(records)]) for make in FIGURES) if made.id == "why-failed")
        drawn = {(one["panel"], one["colour"]): one["value"] for one in figure.spec["data"]["values"]}
        assert drawn["base", "limit step or context limit"] == 0.75
        assert sum(share for (panel, _), share in drawn.items() if panel == "base") == 1

    def test_a_failure_without_a_class_does_not_leave_the_denominator(self) -> None:
        records = [record("base_1", "base_1", 1, 0), record("base_2", "base_2", 1, 0, {"error_E3": 1})]
        table = _table("error-classes", [run(records, rules="published")])
        assert value(table, "share of failed trials", **{"class": "E3"}) == 0.5
        assert value(table, "share of failed trials", **{"class": "none"}) == 0.5

    @pytest.mark.parametrize("name", ["error-classes", "policies", "user-faults", "failures", "solved"])
    def test_trials_of_one_task_are_one_witness(self, name: str) -> None:
        """Each trial three times over leaves the shares and their uncertainty about as they were."""
        tables: list[Table] = []
        for epochs in ((1,), (1, 2, 3)):
            records = [
                record(
                    f"base_{task}",
                    f"base_{task}",
                    epoch,
                    task % 2,
                    {}
                    if task % 2
                    else {
                        f"error_E{2 + task % 4 // 2}": 1,
                        "broke_AUT-POL:009": 1,
                        "user_made_up": 1,
                        FAULTY: 1,
                    },
                )
                for task in range(80)
                for epoch in epochs
            ]
            tables.append(_table(name, [run(records, user="model")]))
        once, thrice = ([row for row in table.rows if row.estimate.value not in {0, 1}] for table in tables)
        assert once
        for one, more in zip(once, thrice, strict=True):
            assert one.estimate.value == pytest.approx(more.estimate.value)
            widths = [(row.estimate.high or 0) - (row.estimate.low or 0) for row in (one, more)]
            assert widths[1] == pytest.approx(widths[0], rel=0.2)

    def test_where_more_is_worse_nothing_is_bold(self) -> None:
        bold = {table.id for table in (make([self.FAILED]) for make in TABLES) if table.highest}
        paper = {"leaderboard", "pass-k", "sub-metrics", "parts"}
        assert bold == {"conduct", "joint", "baselines", *paper}

    def test_a_broken_policy_is_named_with_who_decides(self) -> None:
        (row,) = _table("policies", [self.FAILED]).rows
        assert row.keys["policy"] == "AUT-POL:009"
        assert row.keys["decided by"] == "code"
        assert row.estimate.value == 0.25

    def test_cost_is_per_trial_call_and_turn(self) -> None:
        table = _table("cost", [self.FAILED])
        assert value(table, "seconds", role="agent") == 8
        assert value(table, "seconds per call", role="agent") == 2
        assert value(table, "seconds per turn", role="agent") == 4
        assert value(table, "dollars", role="agent") == pytest.approx(0.1)

    def test_what_came_to_no_result_was_paid_for_all_the_same(self) -> None:
        lost = record("base_2", "base_2", 1, None, outcome=Outcome.INSTRUMENT_ERROR)
        dear = replace(lost, results={**lost.results, "agent_seconds": Result.of(20.0)})
        table = _table("cost", [run([record("base_1", "base_1", 1, 1), dear])])
        assert value(table, "seconds", role="agent") == 14
        assert value(table, "seconds per call", role="agent") == 28 / 8
        (row,) = [one for one in table.rows if one.measure == "seconds per call"]
        assert (row.estimate.n, row.estimate.low, row.estimate.high) == (2, 2, 5)

    def test_seconds_of_an_attempt_that_was_thrown_away_are_no_seconds_of_the_last_ones_turns(self) -> None:
        again = record("base_2", "base_2", 1, 1, {RERUN: 1, FAULTY: 1})
        twice = replace(again, results={**again.results, "agent_seconds": Result.of(20.0)})
        table = _table("cost", [run([record("base_1", "base_1", 1, 1), twice])])
        assert value(table, "seconds", role="agent") == 14
        assert value(table, "seconds per turn", role="agent") == 4

    def test_votes_that_differ_are_counted(self) -> None:
        assert value(_table("judges", [self.FAILED]), "panels whose votes differ") == 0.25


class TestWords:
    def test_the_headline_comes_first(self) -> None:
        sixth = [record("base_3", "base_3", epoch, epoch == 1) for epoch in (1, 2, 3)]
        said = summary_lines(replace(WAVERING, records=[*WAVERING.records, *sixth]))
        assert said[0] == "Joint success: 50% of the hallucination tasks, 0% of the disambiguation tasks."
        assert any("100% are E1" in one for one in said)

    def test_it_is_called_inconsistent_from_six_base_tasks_on(self) -> None:
        """Tasks of one base task are no independent ones, and further trials no further tasks."""
        records = list(WAVERING.records)
        for place in range(3, 7):
            assert not any("is inconsistent" in one for one in summary_lines(run(records)))
            name = f"base_{place}"
            records += [record(name, name, epoch, epoch == 1) for epoch in (1, 2, 3)]
        assert any("is inconsistent" in one for one in summary_lines(run(records)))

    def test_under_the_published_rules_the_papers_headline_comes_first(self) -> None:
        published = replace(WAVERING, options={"rules": "published"})
        assert summary_lines(published)[0] == "Pass^3, the mean over the types: 33%."
        assert not any("the mean over" in one for one in summary_lines(WAVERING))

    def test_without_a_judge_it_says_what_is_left_out(self) -> None:
        assert any(
            "No judge" in one for one in summary_lines(run([record("base_1", "base_1", 1, 1, by=UNGRADED)]))
        )
        assert not any("No judge" in one for one in summary_lines(WAVERING))

    def test_without_a_judge_it_says_how_many_trials_hang_on_words(self) -> None:
        lacking = record("hallucination_1", "base_1", 1, None)
        unjudged = {SUCCESS: Result(Status.NOT_JUDGED, why=UNJUDGED)}
        said = summary_lines(run([replace(lacking, results=unjudged)]))
        assert "1 trials depend on the agent's words and are not judged." in said
        assert not any("not judged" in one for one in summary_lines(WAVERING))

    def test_joint_conduct_comes_before_joint_success(self) -> None:
        pair = [record("base_1", "base_1", 1, 0), record("hallucination_1", "base_1", 1, 0)]
        good = [replace(one, results={**one.results, CONDUCT: Result.of(1)}) for one in pair]
        assert summary_lines(run(good))[:2] == [
            "Joint conduct: 100% of the hallucination tasks.",
            "Joint success: 0% of the hallucination tasks.",
        ]
        assert value(_table("conduct", [run(good)]), "joint conduct", type="hallucination") == 1
        refused = [replace(good[0], results={**good[0].results, CONDUCT: Result.of(0)}), good[1]]
        assert value(_table("conduct", [run(refused)]), "joint conduct", type="hallucination") == 0

    def test_a_faulty_user_is_worth_a_sentence(self) -> None:
        said = summary_lines(run([TestUnscored.FAULT], user="model"))
        assert any("user was at fault in 50% of 2 attempts" in one for one in said)
        assert not any("user was at fault" in one for one in summary_lines(run([TestUnscored.FAULT])))

    def test_a_run_without_a_result_says_so(self) -> None:
        assert summary_lines(run([record("base_1", "base_1", 1, None)])) == ["No trial could be scored."]


def test_two_runs_of_one_model_are_told_apart() -> None:
    first = run([record("base_1", "base_1", 1, 1)])
    runs = [first, replace(first, id="another")]
    keys = [tuple(group.keys.items()) for group in groups(runs)]
    assert len(set(keys)) == 2
    changed = run([record("base_1", "base_1", 1, 1)], strategy="gather-then-act", rules="published")
    assert groups([changed])[0].keys["condition"] == "gather-then-act, published rules"


@pytest.mark.parametrize("runs", [[], [run([])], [WAVERING], [TestFailures.FAILED, WAVERING]])
def test_every_table_and_figure_copes_with_any_runs(runs: list[Run]) -> None:
    tables = [make(runs) for make in TABLES]
    figures = [make(runs) for make in FIGURES]
    ids = [one.id for one in (*tables, *figures)]
    assert len(set(ids)) == len(ids)
    rows: list[Row] = [row for table in tables for row in table.rows]
    assert all(row.measure for row in rows)
    assert all(figure.spec or figure.note for figure in figures)


def test_two_runs_are_compared_by_type_and_on_the_joint_headline() -> None:
    perfect = run([replace(one, results={SUCCESS: Result.of(1)}) for one in WAVERING.records], "n")
    assert SUITE.related is not None
    before, after = (replace(one, records=SUITE.related(one.records)) for one in (WAVERING, perfect))
    found = compare(before, after, SUITE.compared, 0, by=SUITE.compared_by).differences
    joint_of = {
        row.keys["type"]: row.estimate
        for row in found.rows
        if row.keys["result"] == "joint" and row.measure == "first"
    }
    # Nine derived trials, of which three went well together with their base task: all of one type.
    assert {name: one.value for name, one in joint_of.items()} == {
        "average": pytest.approx((3 / 6 + 0) / 2),
        "hallucination": pytest.approx(3 / 6),
        "disambiguation": 0,
    }
    assert joint_of["average"].n == 9
    assert value(found, "difference", result="joint", type="disambiguation") == 1
    assert value(found, "difference", result="success", type="base") == pytest.approx(1 / 6)


@pytest.mark.parametrize("known", [0, 1])
def test_a_counterpart_that_is_unscored_leaves_the_pair_open_where_runs_are_compared(known: int) -> None:
    trials = [record("base_1", "base_1", 1, known), record("hallucination_1", "base_1", 1, None)]
    alone = record("hallucination_2", "base_2", 1, 1)
    later = record("hallucination_1", "base_1", 2, 0)
    base, derived, other, unpaired = with_joint([*trials, alone, later])
    assert BOTH not in base.results
    assert BOTH not in other.results, "its base task was not run"
    assert derived.results[BOTH].status is Status.NOT_JUDGED
    assert unpaired.results[BOTH].status is Status.NOT_JUDGED, "its base task was lost in that round"


def test_the_suite_declares_what_its_records_have() -> None:
    assert SUITE.measures[:2] == (CONDUCT, SUCCESS)
    assert {"data", "user", "strategy", "reruns"} <= set(SUITE.defaults())
