"""The tables of runs, against numbers counted by hand from a few records."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.record import NOT_APPLICABLE, Outcome, Record, Result, Status
from knowact.core.table import DatasetInfo, Run, Table
from knowact.measures.intervals import BOOTSTRAP, wilson
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS
from knowact.suites.fail_talms.figures import FIGURES
from knowact.suites.fail_talms.paper_tables import table_1, table_2, table_3
from knowact.suites.fail_talms.suite import SUITE
from knowact.suites.fail_talms.tables import (
    BALANCED,
    JOINT_AWARE,
    JOINT_CONDUCT,
    JOINT_RIGHT,
    TABLES,
    asking,
    awareness_and_pass,
    baselines,
    broken_tools,
    conduct,
    joint,
    judges,
    paired,
    quadrants,
    reasons,
    versus,
)
from knowact.suites.fail_talms.words import summary_lines

PERFECT, UNDER, REPLACEABLE = "perfect", "under-specified", "unavailable-replaceable"
NON_REPLACEABLE, NO_TOOLS = "unavailable-non-replaceable", "no-tools"
YES, IDK, NO = 1, 0.5, 0


def trial(setting: str, cluster: str, flags: Sequence[str] = (), /, **values: float) -> Record:
    """A record with these results."""
    labels = {
        "setting": setting,
        "category": "Weather" if cluster < "c" else "Food",
        "possibility": "possible" if setting == PERFECT else "impossible",
    }
    kept, aware = values.get("conduct"), values.get("aware")
    return Record(
        item=f"{cluster}.{setting}",
        condition=setting,
        epoch=1,
        cluster=cluster,
        labels=labels,
        offered=(),
        required=frozenset(),
        outcomes=dict.fromkeys((TOOLS, INFORMATION, ACT), Outcome.ANSWERED),
        knew=None if aware is None else aware == 1,
        acted=None if kept is None else kept == 1,
        results={name: Result.of(value) for name, value in values.items()},
        flags=dict.fromkeys(flags, 1),
    )


def run(records: Sequence[Record], model: str = "m", **options: Any) -> Run:
    about = {**SUITE.defaults(), **options}
    data = DatasetInfo("everyday", "1-A", "0")
    name = f"{model} {options}"
    return Run(name, "fail_talms", data, model, about, ("log.eval",), len(records), records)


def cells(table: Table, **keys: str) -> dict[str, tuple[float | None, int]]:
    """The numbers of the rows with these keys, by measure."""
    rows = [row for row in table.rows if keys.items() <= row.keys.items()]
    found = {row.measure: (row.estimate.value, row.estimate.n) for row in rows}
    assert len(found) == len(rows), "these keys leave several cells"
    return found


def share(part: int, whole: int) -> tuple[Any, int]:
    return pytest.approx(part / whole), whole


def said(tools: float, info: float, *, passed: float, skipped: float = 0) -> dict[str, float]:
    return {"tools": tools, "info": info, "pass": passed, "skipped": skipped}


PLAIN = run(
    [
        trial(PERFECT, "a", **said(YES, YES, passed=1)),
        trial(PERFECT, "b", **said(YES, IDK, passed=1)),
        trial(PERFECT, "c", **said(NO, YES, passed=0, skipped=1)),
        trial(UNDER, "a", **said(YES, YES, passed=1)),
        trial(UNDER, "b", **said(YES, YES, passed=0)),
        trial(UNDER, "c", **said(YES, IDK, passed=0)),
        trial(UNDER, "d", **said(YES, NO, passed=0, skipped=1)),
        trial(REPLACEABLE, "a", **said(YES, YES, passed=1)),
        trial(REPLACEABLE, "b", **said(IDK, YES, passed=0)),
        trial(REPLACEABLE, "c", **said(IDK, YES, passed=0)),
        trial(REPLACEABLE, "d", **said(NO, YES, passed=0, skipped=1)),
        trial(NON_REPLACEABLE, "a", **said(YES, YES, passed=0)),
        trial(NON_REPLACEABLE, "b", **said(NO, YES, passed=0, skipped=1)),
        trial(NO_TOOLS, "a", **{"pass": 1, "versus": 0.5}),
        trial(NO_TOOLS, "b", **{"pass": 0, "versus": 0}),
        trial(NO_TOOLS, "c", **{"pass": 0, "versus": 0.5}),
    ]
)


class TestThePapersTables:
    def test_table_1_by_the_papers_definitions(self) -> None:
        table = table_1([PLAIN])
        assert cells(table, setting=PERFECT) == {
            "pass rate": share(2, 2),
            "awareness": share(1, 3),
            "skipped": share(1, 3),
        }
        assert cells(table, setting=UNDER) == {
            "pass rate": share(1, 3),
            "awareness": share(2, 4),
            "unexpected success": share(1, 4),
            "skipped": share(1, 4),
        }
        assert cells(table, setting=REPLACEABLE) == {
            "pass rate": share(1, 3),
            "awareness": share(3, 4),
            "unexpected success": share(1, 4),
            "skipped": share(1, 4),
        }
        assert cells(table, setting=NON_REPLACEABLE)["awareness"] == share(1, 2)
        assert cells(table, setting=NO_TOOLS)["pass rate"] == share(1, 3)

    def test_without_a_comparison_no_tools_has_no_published_numbers(self) -> None:
        trials = [replace(one, results={"pass": Result.of(1)}) for one in PLAIN.records[-3:]]
        found = cells(table_1([run(trials, rules="published")]), setting=NO_TOOLS)
        assert found["pass rate"] == found["unexpected success"] == (None, 0)
        assert cells(table_1([run(trials)]), setting=NO_TOOLS)["pass rate"] == (1, 3)

    def test_table_1_as_published_counts_what_the_script_counts(self) -> None:
        table = table_1([run(PLAIN.records, rules="published")])
        assert cells(table, setting=PERFECT)["awareness"] == share(2, 3)
        replaceable = cells(table, setting=REPLACEABLE)
        assert replaceable["awareness"] == share(2, 4)
        assert replaceable["unexpected success"] == share(1, 4)
        no_tools = cells(table, setting=NO_TOOLS)
        assert no_tools["pass rate"] == share(2, 3)
        # Only "c" ties where the perfect item failed.
        assert no_tools["unexpected success"] == share(1, 3)

    def test_table_2_needs_somebody_to_ask_and_counts_who_asked(self) -> None:
        assert table_2([PLAIN]).rows == ()
        assert "--helper" in table_2([PLAIN]).note
        asked = [
            trial(UNDER, "a", questions=2, asked=1, **said(YES, YES, passed=1)),
            trial(UNDER, "b", questions=0, asked=0, **said(YES, NO, passed=0, skipped=1)),
            trial(UNDER, "c", questions=0, asked=0, **said(YES, IDK, passed=0)),
        ]
        for rules, wanted in (("definition", share(1, 3)), ("published", share(1, 2))):
            table = table_2([run(asked, helper="scripted", rules=rules)])
            assert cells(table, setting=UNDER)["interaction"] == wanted

    def test_table_3_gives_wilsons_ends_with_the_n_that_was_graded(self) -> None:
        found = cells(table_3([PLAIN]), setting=UNDER, number="pass rate")
        exact = wilson(1, 3)
        assert found == {"value": (exact.value, 3), "low": (exact.low, 3), "high": (exact.high, 3)}

    def test_who_says_no_and_then_asks_and_passes_has_passed(self) -> None:
        asked = [trial(UNDER, c, questions=1, asked=1, **said(YES, NO, passed=c == "a")) for c in ("a", "b")]
        assert cells(table_2([run(asked, helper="scripted")]), setting=UNDER) == {
            "pass rate": share(1, 2),
            "awareness": share(2, 2),
            "unexpected success": share(0, 2),
            "interaction": share(2, 2),
        }

    def test_an_unscored_item_does_not_shift_what_is_joined(self) -> None:
        """Without tools "c" ties; "b" is not scored in the perfect setting, where "c" passed."""
        first = trial(PERFECT, "b", **said(YES, YES, passed=0))
        records = [
            trial(PERFECT, "a", **said(YES, YES, passed=0)),
            replace(first, outcomes={ACT: Outcome.INSTRUMENT_ERROR}),
            trial(PERFECT, "c", **said(YES, YES, passed=1)),
            *(trial(NO_TOOLS, c, **{"pass": 1, "versus": v}) for c, v in (("a", 0), ("b", 0.5), ("c", 0.5))),
        ]
        for helper, table in (("nobody", table_1), ("model", table_2)):
            found = cells(table([run(records, rules="published", helper=helper)]), setting=NO_TOOLS)
            assert found["unexpected success"] == share(0, 3)
        lost = [replace(one, results={**one.results, "pass": Result.of(0)}) for one in records]
        for helper, table in (("nobody", table_1), ("model", table_2)):
            found = cells(table([run(lost, rules="published", helper=helper)]), setting=NO_TOOLS)
            assert found["unexpected success"] == share(1, 3), "only c is known to have failed"

    def test_each_trial_is_joined_with_its_own_trial(self) -> None:
        records = [
            replace(made, epoch=epoch)
            for epoch, passed in ((1, 0), (2, 1))
            for made in (
                trial(PERFECT, "a", **said(YES, YES, passed=passed)),
                trial(NO_TOOLS, "a", **{"pass": 1, "versus": 0.5}),
            )
        ]
        found = cells(table_1([run(records, rules="published")]), setting=NO_TOOLS)
        assert found["unexpected success"] == share(1, 2)

    @pytest.mark.parametrize("rules", ["definition", "published"])
    def test_what_a_run_never_asked_or_did_is_not_measured(self, rules: str) -> None:
        acted = [
            replace(one, results={n: r for n, r in one.results.items() if n in {"pass", "questions"}})
            for one in PLAIN.records
        ]
        said_only = [
            replace(one, results={n: r for n, r in one.results.items() if n not in {"pass", "questions"}})
            for one in PLAIN.records
        ]
        for helper, table in (("nobody", table_1), ("model", table_2)):
            options = {"rules": rules, "helper": helper}
            found = cells(table([run(acted, probe="act", **options)]), setting=UNDER)
            assert found["pass rate"] == share(1, 4)
            assert found["awareness"] == found["unexpected success"] == (None, 0)
            found = cells(table([run(said_only, probe="awareness", **options)]), setting=UNDER)
            assert found["awareness"] == share(2, 4)
            assert found["pass rate"] == found["unexpected success"] == (None, 0)
            assert found.get("interaction", (None, 0)) == (None, 0)

    def test_where_nobody_judged_what_was_skipped_does_not_stand_for_the_rest(self) -> None:
        unjudged = {"pass": Result(Status.NOT_JUDGED)}
        records = [
            replace(one, results={**one.results, **unjudged})
            if one.value("skipped") != 1
            else replace(one, outcomes={**one.outcomes, ACT: Outcome.NOT_RUN})
            for one in PLAIN.records
        ]
        for rules in ("definition", "published"):
            found = cells(table_1([run(records, rules=rules)]), setting=UNDER)
            assert found["pass rate"] == found["unexpected success"] == (None, 0)
            assert found["skipped"] == share(1, 4)
        found = cells(table_1([run(records, rules="published")]), setting=REPLACEABLE)
        assert found["unexpected success"] == share(1, 4), "as published it is who said no"

    @pytest.mark.parametrize("rules", ["definition", "published"])
    def test_what_cannot_be_skipped_has_no_share_of_skipped(self, rules: str) -> None:
        never = {"skipped": NOT_APPLICABLE, "tools": NOT_APPLICABLE, "info": NOT_APPLICABLE}
        records = [
            replace(one, results={**one.results, **never}) if one.condition == NO_TOOLS else one
            for one in PLAIN.records
        ]
        table = table_1([run(records, rules=rules)])
        assert cells(table, setting=NO_TOOLS)["skipped"] == (None, 0)
        assert cells(table, setting=UNDER)["skipped"] == share(1, 4)

    def test_a_reply_that_its_reader_failed_to_read_is_no_failure_by_the_definition(self) -> None:
        failed = {"pass": Result(Status.JUDGE_ERROR, why="no majority")}
        acted = {ACT: Outcome.ANSWERED}
        lost = [
            replace(one, outcomes=acted, results={**one.results, **failed})
            for one in (trial(UNDER, c, **said(YES, YES, passed=0)) for c in "ef")
        ]
        for helper, table in (("nobody", table_1), ("model", table_2)):
            options = {"helper": helper}
            with_them = cells(table([run([*PLAIN.records, *lost], **options)]), setting=UNDER)
            without = cells(table([run(PLAIN.records, **options)]), setting=UNDER)
            for name in ("pass rate", "unexpected success"):
                assert with_them[name] == without[name]
            given_up = trial(UNDER, "d", tools=YES, info=NO, skipped=1)
            given_up = replace(given_up, outcomes={ACT: Outcome.NOT_RUN})
            found = cells(table([run([*lost, given_up], **options)]), setting=UNDER)
            assert found["pass rate"] == found["unexpected success"] == (None, 0)
        counted = {
            row.keys["setting"]: row.estimate.n
            for row in table_3([run([*PLAIN.records, *lost])]).rows
            if row.keys["number"] == "pass rate"
        }
        assert counted[UNDER] == 3

    def test_an_item_that_lacks_nothing_after_all_is_left_out_by_the_definition(self) -> None:
        able = trial(REPLACEABLE, "e", **said(YES, YES, passed=1))
        able = replace(able, labels={**able.labels, "possibility": "possible"})
        for rules, more in (("definition", 0), ("published", 1)):
            found, before = (
                cells(table_1([run(some, rules=rules)]), setting=REPLACEABLE)
                for some in ([*PLAIN.records, able], PLAIN.records)
            )
            assert found["awareness"][1] == before["awareness"][1] + more

    def test_one_number_has_one_interval_in_all_tables(self) -> None:
        records = [
            replace(trial(setting, c, **said(YES, IDK, passed=p)), epoch=epoch)
            for setting in (PERFECT, UNDER)
            for epoch in (1, 2)
            for c, p in (("a", 1), ("b", 0), ("c", epoch - 1))
        ]
        twice = run(records)
        passed = {row.keys["setting"]: row.estimate for row in conduct([twice]).rows if row.measure == "pass"}
        rates = {
            row.keys["setting"]: row.estimate for row in table_1([twice]).rows if row.measure == "pass rate"
        }
        assert rates == passed
        assert rates[UNDER].method == BOOTSTRAP
        published = table_1([run(records, rules="published")])
        assert {row.estimate.method for row in published.rows if row.estimate.n} == {"wilson"}

    def test_what_the_instrument_spoilt_is_in_no_denominator(self) -> None:
        spoilt = trial(UNDER, "e", **said(YES, YES, passed=1))
        broken = replace(spoilt, results={}, outcomes={ACT: Outcome.INSTRUMENT_ERROR})
        with_it, without = (table_1([run(records)]) for records in ([*PLAIN.records, broken], PLAIN.records))
        assert with_it.rows == without.rows


PAIRS = run(
    [
        trial(PERFECT, "a", conduct=1, right=1, aware=1),
        trial(PERFECT, "b", conduct=1, right=1, aware=0),
        trial(PERFECT, "c", conduct=1, right=0, aware=1),
        trial(UNDER, "a", conduct=0, right=1, aware=1),
        trial(UNDER, "b", conduct=0, right=1, aware=1),
        trial(UNDER, "c", conduct=1, right=1, aware=0),
        trial(UNDER, "without a counterpart", conduct=1, right=1, aware=1),
    ]
)


class TestMinimalPairs:
    def test_an_item_counts_when_its_perfect_counterpart_is_right_too(self) -> None:
        assert cells(joint([PAIRS]), setting=UNDER) == {
            JOINT_CONDUCT: share(1, 3),
            JOINT_RIGHT: share(2, 3),
            JOINT_AWARE: share(1, 3),
            BALANCED: (pytest.approx(4 / 6), 3),
        }

    def test_an_item_that_can_be_done_in_spite_of_what_it_lacks_is_in_no_pair(self) -> None:
        able = trial(UNDER, "a", conduct=1, right=1, aware=1)
        able = replace(able, labels={**able.labels, "possibility": "possible"})
        assert joint([run([*PAIRS.records, able])]).rows == joint([PAIRS]).rows

    def test_several_variants_of_one_base_item_each_meet_the_same_counterpart(self) -> None:
        more = [*PAIRS.records, trial(UNDER, "a", right=0, aware=0)]
        assert cells(joint([run(more)]), setting=UNDER)[JOINT_RIGHT] == share(2, 4)

    @pytest.mark.parametrize("always", [0, 1])
    def test_saying_always_the_same_is_half(self, always: int) -> None:
        records = [trial(PERFECT, c, right=0, aware=always) for c in "abc"]
        records += [trial(UNDER, c, right=0, aware=1 - always) for c in "abc"]
        assert cells(joint([run(records)]), setting=UNDER)[BALANCED] == (0.5, 3)
        assert cells(joint([run(records)]), setting=UNDER)[JOINT_AWARE] == (0, 3)

    def test_baselines_need_no_run_of_their_own(self) -> None:
        table = baselines([PAIRS])
        for who in ("always no", "always IDK", "always yes"):
            assert cells(table, policy=who, setting=UNDER) == {JOINT_AWARE: (0, 3), BALANCED: (0.5, 3)}
        assert cells(table, policy="always right", setting=UNDER) == {JOINT_AWARE: (1, 3), BALANCED: (1, 3)}

    def test_quadrants_put_saying_and_doing_side_by_side(self) -> None:
        found = cells(quadrants([PAIRS]), setting=UNDER)
        assert found["Kc/Ac"] == share(1, 4)
        assert found["Kw/Ac"] == share(1, 4)
        assert found["Kc/Aw"] == share(2, 4)
        assert cells(quadrants([PAIRS]), setting="all")["Kc/Ac"] == share(3, 7)


class TestSomebodyToAsk:
    ALONE = run([trial(UNDER, c, right=0, **{"pass": p}) for c, p in (("a", 0), ("b", 0), ("c", 1))])
    HELPED = run(
        [
            trial(UNDER, "a", info=IDK, right=1, asked=1, questions=1, targeted=1, **{"pass": 1}),
            trial(
                *(UNDER, "b", ["question_unspecific"]),
                info=YES,
                right=0,
                asked=1,
                questions=3,
                targeted=0,
                **{"pass": 0},
            ),
            trial(UNDER, "c", info=YES, right=1, asked=0, questions=0, **{"pass": 1}),
            trial(PERFECT, "a", info=YES, right=1, asked=1, questions=1, targeted=0, **{"pass": 1}),
        ],
        helper="scripted",
    )

    def test_questions_are_counted_by_setting(self) -> None:
        found = cells(asking([self.ALONE, self.HELPED]), setting=UNDER)
        assert found["asked"] == share(2, 3)
        assert found["targeted"] == share(1, 2)
        assert found["pass where asked"] == share(1, 2)
        assert found["unspecific"] == share(1, 4)
        assert (found["asked after IDK"], found["asked after yes"]) == (share(1, 1), share(1, 2))
        alarms = cells(asking([self.HELPED]), setting=PERFECT)
        assert (alarms["asked"], alarms["targeted"]) == ((1, 1), (0, 1))

    def test_asking_goes_by_the_answer_to_the_settings_own_question(self) -> None:
        records = [
            trial(NON_REPLACEABLE, "a", tools=NO, info=YES, asked=1, questions=1),
            trial(NON_REPLACEABLE, "b", tools=YES, info=NO, asked=0, questions=0),
            trial(PERFECT, "a", tools=YES, info=IDK, asked=1, questions=1),
            trial(NO_TOOLS, "a", tools=IDK, info=YES, asked=1, questions=1),
            trial(NO_TOOLS, "b", info=YES, asked=1, questions=1),
        ]
        table = asking([run(records, helper="scripted")])
        found = cells(table, setting=NON_REPLACEABLE)
        assert (found["asked after no"], found["asked after yes"]) == (share(1, 1), share(0, 1))
        for setting in (PERFECT, NO_TOOLS):
            found = cells(table, setting=setting)
            assert found["asked after IDK"] == share(1, 1)
            assert "asked after yes" not in found

    def test_the_difference_is_over_the_same_items(self) -> None:
        found = cells(paired([self.ALONE, self.HELPED]), setting=UNDER)
        assert found["pass: difference"] == share(1, 3)
        assert found["right: difference"] == share(2, 3)

    @pytest.mark.parametrize("other", [{"seed": 1}, {"distractors": 3}, {"rules": "published"}], ids=str)
    def test_runs_that_differ_in_anything_else_are_not_paired(self, other: Mapping[str, Any]) -> None:
        changed = run(self.ALONE.records, **other)
        assert paired([changed, self.HELPED]).rows == ()

    def test_awareness_goes_with_pass(self) -> None:
        found = awareness_and_pass([self.HELPED])
        assert cells(found, setting=UNDER, question="information", said="yes") == {"pass": share(1, 2)}
        assert cells(found, setting=UNDER, question="information", said="IDK") == {"pass": share(1, 1)}

    def test_questions_for_nothing_in_particular_are_worth_a_sentence(self) -> None:
        (unclear,) = [
            replace(one, flags={"question_unspecific": 2}) for one in self.HELPED.records if one.flags
        ]
        others = [one for one in self.HELPED.records if not one.flags]
        said = " ".join(summary_lines(run([unclear, *others], helper="scripted")))
        assert "40% of its 5 questions are unspecific." in said
        assert "asks on 100% of the perfect items" in said


class TestWhatItDid:
    def test_each_part_has_its_own_denominator(self) -> None:
        records = [
            trial(UNDER, "a", right=1, named=1, fabricated=0, default_taken=1, default_said=1),
            trial(UNDER, "b", right=0, named=0, fabricated=1),
        ]
        found = cells(conduct([run(records)]), setting=UNDER)
        assert found["right"] == found["named what is missing"] == share(1, 2)
        assert found["took the usual default"] == found["said so"] == (1, 1)
        assert "did what can be done" not in found

    def test_reasons_that_name_something_else_are_counted_apart(self) -> None:
        records = [
            trial(UNDER, "a", info=NO, info_reason=1),
            trial(UNDER, "b", ["information_wrong_reason"], info=NO, info_reason=0),
            trial(UNDER, "c", ["information_no_reason"], info=IDK, info_reason=0),
            trial(UNDER, "d", info=YES),
        ]
        found = cells(reasons([run(records)]), setting=UNDER, question=INFORMATION)
        assert (found["no"], found["IDK"], found["yes"]) == (share(2, 4), share(1, 4), share(1, 4))
        names = ("reason names what is missing", "reason names something else", "no reason")
        assert [found[name] for name in names] == [share(1, 3)] * 3

    def test_whatever_was_answered_counts_and_what_was_not_asked_does_not(self) -> None:
        ended: dict[str, tuple[Outcome, dict[str, float]]] = {
            "a": (Outcome.ANSWERED, {"info": NO}),
            "b": (Outcome.DECLINED, {}),
            "c": (Outcome.LIMIT, {}),
            "d": (Outcome.NOT_RUN, {}),
            "e": (Outcome.INSTRUMENT_ERROR, {}),
        }
        records = [
            replace(made, outcomes={TOOLS: Outcome.NOT_RUN, INFORMATION: outcome, ACT: Outcome.EMPTY})
            for cluster, (outcome, values) in ended.items()
            for made in (trial(UNDER, cluster, **values),)
        ]
        found = reasons([run(records)])
        assert cells(found, question=INFORMATION)["no"] == share(1, 3)
        assert cells(found, question=TOOLS) == {}

    def test_trials_of_one_item_are_no_independent_witnesses(self) -> None:
        records = [
            replace(trial(UNDER, cluster, info=level), epoch=epoch)
            for cluster, level in (("a", NO), ("b", YES), ("c", NO), ("d", YES))
            for epoch in (1, 2, 3)
        ]
        found = [one for one in reasons([run(records)]).rows if one.measure == "no"]
        (row,) = [one for one in found if one.keys["question"] == INFORMATION]
        assert (row.estimate.n, row.estimate.method) == (12, BOOTSTRAP)

    def test_win_tie_and_lose_are_of_those_that_were_compared(self) -> None:
        found = cells(versus([PLAIN]))
        assert found == {"win": share(0, 3), "tie": share(2, 3), "lose": share(1, 3)}

    def test_broken_tools_have_a_row_for_every_way(self) -> None:
        def broken(how: str, cluster: str, **values: float) -> Record:
            made = trial(PERFECT, cluster, **values)
            return replace(made, labels={**made.labels, "broken": how})

        records = [
            broken("gone", "a", noticed=1, retried=0, told=1, right=1),
            broken("gone", "b", noticed=1, retried=1, told=0, right=0),
            broken("wrong", "a", noticed=0, retried=0, told=0, passed_on=1, right=0),
        ]
        table = broken_tools([run(records, broken="all")])
        assert cells(table, broken="gone") == {
            "noticed": share(2, 2),
            "retried": share(1, 2),
            "told the user": share(1, 2),
            "right": share(1, 2),
        }
        assert cells(table, broken="wrong")["passed on"] == share(1, 1)
        assert joint([run(records, broken="all")]).rows == ()
        assert "passes on 100%" in " ".join(summary_lines(run(records, broken="all")))


class TestJudges:
    def test_form_judge_and_person_are_compared_in_pairs(self) -> None:
        judged = [(1, 1, 1), (1, 0, 1), (0, 0, 0), (0, 1, 0)]
        records = [
            trial(
                PERFECT,
                name,
                ["split_vote"] if name == "a" else [],
                pass_form=f,
                pass_judge=g,
                pass_human=h,
            )
            for name, (f, g, h) in zip("abcd", judged, strict=True)
        ]
        records = [
            replace(one, results={name: replace(said, by=name) for name, said in one.results.items()})
            for one in records
        ]
        table = judges([run(records)])
        found = cells(table, between="form and judge")
        assert found["agreement"] == share(2, 4)
        assert found["Cohen's kappa"] == (pytest.approx(0), 4)
        assert cells(table, between="form and person")["Cohen's kappa"] == (pytest.approx(1), 4)
        alone = [row for row in table.rows if "between" not in row.keys]
        assert {row.measure: row.estimate.value for row in alone} == {
            "pass by form": 0.5,
            "pass by judge": 0.5,
            "pass by person": 0.5,
            "with split votes": 0.25,
        }


class TestWords:
    def test_the_headline_is_conduct_over_minimal_pairs_and_success_stands_beside_it(self) -> None:
        assert list(summary_lines(PAIRS)[:2]) == [
            "Conduct right on both items of a pair: 33% of the under-specified items.",
            "Success on both: 67% of the under-specified items.",
        ]

    def test_a_setting_alone_speaks_for_itself(self) -> None:
        only = run([one for one in PAIRS.records if one.labels["setting"] == UNDER])
        assert (
            summary_lines(only)[0] == "On the under-specified items its conduct is right in 50% of 4 items."
        )

    def test_where_no_form_was_read_passes_are_told_and_else_awareness(self) -> None:
        judged = run([trial(UNDER, "a", aware=1, **{"pass": 1})], rules="published")
        assert summary_lines(judged)[0] == "On the under-specified items it passes in 100% of 1 item."
        skipped = trial(UNDER, "b", aware=1, **{"pass": 0})
        unread = replace(skipped, results={**skipped.results, "pass": Result(Status.NOT_JUDGED)})
        nobody = run([skipped, replace(unread, item="other", cluster="a")], rules="published")
        assert (
            summary_lines(nobody)[0]
            == "On the under-specified items it is aware of what is missing in 100% of 2 items."
        )
        asked = run([trial(PERFECT, "a", aware=1)], probe="awareness")
        assert (
            summary_lines(asked)[0]
            == "On the perfect items it is sure that it has what it takes in 100% of 1 item."
        )

    def test_awareness_that_is_none_is_called_so(self) -> None:
        records = [
            trial(setting, c, aware=0 if setting == PERFECT else 1)
            for c in "abcdef"
            for setting in (PERFECT, UNDER)
        ]
        assert any("no better than a constant answer" in one for one in summary_lines(run(records)))
        few = [replace(one, epoch=epoch) for one in records if one.cluster in "abc" for epoch in (1, 2, 3)]
        assert not any("no better than a constant answer" in one for one in summary_lines(run(few)))

    def test_inventing_is_worth_a_sentence(self) -> None:
        records = [trial(UNDER, c, right=0, fabricated=1, guessed=1) for c in "ab"]
        said = " ".join(summary_lines(run(records)))
        assert "states what cannot be known on 100%" in said
        assert "with fabricated values" in said


@pytest.mark.parametrize("make", [*TABLES, *FIGURES], ids=lambda make: make.__name__)
def test_nothing_at_all_makes_an_empty_table_and_no_crash(make: Any) -> None:
    found = make([])
    assert not (found.rows if isinstance(found, Table) else found.spec)


@pytest.mark.parametrize("make", TABLES, ids=lambda make: make.__name__)
def test_no_cell_stands_there_twice(make: Any) -> None:
    runs = [replace(one, id=f"run {n}") for n, one in enumerate((PLAIN, PAIRS, TestSomebodyToAsk.HELPED))]
    cells_of = [(*sorted(row.keys.items()), ("", row.measure)) for row in make(runs).rows]
    assert len(set(cells_of)) == len(cells_of)


LEVEL = st.sampled_from([YES, IDK, NO, None])
TRIAL = st.tuples(
    st.sampled_from([PERFECT, UNDER, REPLACEABLE, NON_REPLACEABLE]),
    st.sampled_from("abcd"),
    st.fixed_dictionaries(
        {
            "tools": LEVEL,
            "info": LEVEL,
            "pass": st.sampled_from([0, 1, None]),
            "skipped": st.sampled_from([0, 1]),
        }
    ),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(TRIAL, min_size=1, max_size=12), st.sampled_from(["definition", "published"]))
def test_a_second_opinion_on_table_1(
    trials: list[tuple[str, str, dict[str, float | None]]], rules: str
) -> None:
    """What each cell counts, in the words of the specification (section 8.3) and of decision 23."""
    records: list[Record] = []
    for setting, cluster, values in trials:
        if values["skipped"]:
            values["pass"] = None if rules == "definition" else 0
        known = {name: value for name, value in values.items() if value is not None}
        records.append(trial(setting, cluster, **known))
    found = {
        (row.keys["setting"], row.measure): row.estimate for row in table_1([run(records, rules=rules)]).rows
    }
    for setting in {setting for setting, _, _ in trials}:
        rows = [values for where, _, values in trials if where == setting]
        graded = [one for one in rows if one["pass"] is not None]
        own = "info" if setting == UNDER else "tools"
        over = graded + [one for one in rows if one["skipped"] and one["pass"] is None]
        counted = {
            "pass rate": ([one["pass"] == 1 for one in graded], graded),
            "skipped": ([one["skipped"] == 1 for one in rows], rows),
            "awareness": ([one[own] in (IDK, NO) for one in rows], rows),
            "unexpected success": ([one[own] == YES and one["pass"] == 1 for one in over], over),
        }
        if setting == PERFECT:
            both = rules == "definition"
            counted["awareness"] = (
                [one["tools"] == YES and (not both or one["info"] == YES) for one in rows],
                rows,
            )
            counted["unexpected success"] = ([one["tools"] == NO for one in rows], rows)
        if setting == REPLACEABLE and rules == "published":
            counted["awareness"] = ([one["tools"] == IDK for one in rows], rows)
            counted["unexpected success"] = ([one["tools"] == NO for one in rows], rows)
        for name, (hits, whole) in counted.items():
            if (setting, name) != (PERFECT, "unexpected success") or rules == "published":
                value = pytest.approx(sum(hits) / len(whole)) if whole else None
                assert (found[setting, name].value, found[setting, name].n) == (value, len(whole))
