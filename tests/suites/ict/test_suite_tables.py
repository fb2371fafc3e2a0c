"""The paper's tables 2 and 5 to 9 and ours, made of records whose numbers can be counted by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

import pytest

from ict_trials import BY_HAND, as_run, called, items_of, planned, said, trial
from knowact.core.record import Outcome, Record
from knowact.core.table import Paired, Row, Run, Table
from knowact.datasets.labels import Label, attach
from knowact.measures.confusion import exact_p, mcnemar
from knowact.measures.going_ahead import sets_table
from knowact.measures.intervals import BOOTSTRAP
from knowact.probes.response import Judged, Response
from knowact.roles.judge import Votes
from knowact.suites.ict.answers import KINDS, VERDICTS, Manner
from knowact.suites.ict.asked import EXPLICIT, IMPLICIT, WHY, AskedItem
from knowact.suites.ict.conduct import CLASSES
from knowact.suites.ict.explanations import explanations, people_and_judge
from knowact.suites.ict.figures import FIGURES, answers, conduct, quadrant_shares, strategy_dots
from knowact.suites.ict.probes import STRATEGIES
from knowact.suites.ict.run_groups import all_or_none, explicit_answers
from knowact.suites.ict.scoring import record_of
from knowact.suites.ict.suite import SUITE
from knowact.suites.ict.tables import (
    TABLES,
    baselines,
    classes,
    cost,
    details,
    explicit,
    failures,
    feedback,
    implicit,
    joint,
    levels,
    pairs_of_runs,
    partly,
    plain,
    quadrants,
    strategies,
)
from knowact.suites.ict.words import summary_lines

PAIRS = 40
PARTS = ("AR-AB", "AR-TB", "UR-AB", "UR-TB")


@cache
def made(agent: str, limit: int = PAIRS, probe: str = "both", kind: str = "paper") -> tuple[Record, ...]:
    return tuple(trial(agent, item) for item in items_of(planned(limit=limit, probe=probe, kind=kind)))


def answered(says: Callable[[AskedItem], str], limit: int = PAIRS) -> list[Record]:
    """What comes of these answers, asked outright."""
    items = items_of(planned(limit=limit))
    return [record_of(one, 1, Judged({EXPLICIT: said(says(one))})) for one in items]


def rows(table: Table, measure: str, **keys: str) -> list[Row]:
    return [row for row in table.rows if row.measure == measure and keys.items() <= row.keys.items()]


def value(table: Table, measure: str, **keys: str) -> float | None:
    (row,) = rows(table, measure, **keys)
    return row.estimate.value


def right(one: AskedItem) -> str:
    return "No" if one.lacks else "Yes"


def first_half_right(one: AskedItem) -> str:
    """Right on the first ten pairs of each part, always yes on the others."""
    return right(one) if one.pair in _first_half() else "Yes"


@cache
def _first_half() -> frozenset[str]:
    pairs = list(dict.fromkeys(item.pair for item in items_of(planned(limit=PAIRS))))
    return frozenset(pairs[::2])


def _items() -> tuple[AskedItem, ...]:
    return items_of(planned(limit=PAIRS))


@cache
def _part(part: str) -> list[AskedItem]:
    return [item for item in items_of(planned(limit=PAIRS)) if item.labels["part"] == part]


class TestAskedOutright:
    def test_every_part_has_its_numbers(self) -> None:
        run = as_run(answered(first_half_right))
        for part in PARTS:
            pairs = {item.pair for item in _part(part)}
            share = len(pairs & _first_half()) / len(pairs)
            recall = share
            assert value(joint([run]), "pair accuracy", part=part) == pytest.approx(share)
            assert value(joint([run]), "balanced accuracy", part=part) == pytest.approx((1 + recall) / 2)
            assert value(explicit([run]), "Acc", part=part) == pytest.approx((1 + recall) / 2)
            assert value(explicit([run]), "F1 (no)", part=part) == pytest.approx(2 * recall / (1 + recall))
            (row,) = rows(explicit([run]), "Acc", part=part)
            assert row.estimate.n == 2 * len(pairs)
            assert row.estimate.low is not None
            assert row.estimate.low <= (1 + recall) / 2 <= (row.estimate.high or 0)

    def test_table_2_is_of_zero_and_four_shot_and_table_7_of_the_other_strategies(self) -> None:
        names = STRATEGIES
        runs = [as_run(answered(right), strategy=name) for name in names]
        seen = [[row.keys["strategy"] for row in make(runs).rows] for make in (explicit, strategies)]
        assert set(seen[0]) == {"zero-shot", "four-shot"}
        assert set(seen[1]) == {*STRATEGIES} - {"four-shot"}
        assert value(strategies(runs), "recall of no", strategy="chain-of-thought", part="AR-AB") == 1

    def test_output_tokens_stand_beside_the_scores(self) -> None:
        records = [replace(one, tokens=(900, 41)) for one in answered(right)]
        for make in (explicit, strategies):
            assert {row.keys["output tokens"] for row in make([as_run(records)]).rows} == {"41"}

    def test_base_and_chat_models_stand_together_where_somebody_was_asked_in_plain_text(self) -> None:
        chat, base = as_run(answered(right), "chat"), as_run(answered(first_half_right), "base", plain=True)
        assert plain([chat]).rows == ()
        assert {row.keys["model"] for row in plain([chat, base]).rows} == {"chat", "base"}
        assert {row.keys["model"] for row in explicit([chat, base]).rows} == {"chat"}

    def test_constant_answers_are_computed_from_the_items(self) -> None:
        table = baselines([as_run(answered(right))])
        for part in PARTS:
            assert value(table, "Acc", policy="always no", part=part) == 0.5
            assert value(table, "F1 (no)", policy="always no", part=part) == pytest.approx(2 / 3)
            assert value(table, "F1 (no)", policy="always yes", part=part) == 0
            assert {
                value(table, "pair accuracy", policy=f"always {word}", part=part) for word in ("no", "yes")
            } == {0}
            assert {value(table, "MCC", policy=f"always {word}", part=part) for word in ("no", "yes")} == {0}


class TestUnreadableAnswers:
    def run(self) -> Run:
        """One of two incomplete items is not answered in a way that can be read."""
        return as_run(
            answered(lambda one: "I don't know." if one.lacks and one.pair in _first_half() else right(one))
        )

    def test_are_wrong_and_counted_by_name(self) -> None:
        assert value(details([self.run()]), "Acc", probe=EXPLICIT) == 0.75
        assert value(details([self.run()]), "unreadable", probe=EXPLICIT) == 0.25
        assert value(failures([self.run()]), "with explicit idk", probe=EXPLICIT) == 0.25
        assert value(failures([self.run()]), "unreadable", probe=EXPLICIT) == 0.25

    def test_have_bounds_as_if_they_were_all_yes_or_all_no(self) -> None:
        table = details([self.run()])
        assert value(table, "Acc, lowest", probe=EXPLICIT) == 0.75
        assert value(table, "Acc, highest", probe=EXPLICIT) == 1
        assert value(table, "F1 (no), lowest", probe=EXPLICIT) == pytest.approx(2 / 3)
        assert value(table, "F1 (no), highest", probe=EXPLICIT) == 1

    def test_leave_no_bounds_where_there_are_none(self) -> None:
        assert not rows(details([as_run(answered(right))]), "Acc, lowest")


def unread(one: AskedItem) -> Record:
    """A call where all is there, and a question where not, on which nobody cast a vote."""
    votes = {IMPLICIT: Votes(CLASSES, ())} if not one.lacks else {}
    reply = said("Which one?", IMPLICIT) if one.lacks else called(one)
    return record_of(one, 1, Judged({IMPLICIT: reply}, votes=votes))


class TestGoingOn:
    def test_joint_conduct_is_the_headline(self) -> None:
        for agent, wanted in (("oracle", 1), ("always-act", 0), ("always-no", 0), ("fabricator", 0)):
            table = joint([as_run(made(agent))])
            for part in PARTS:
                assert value(table, "joint conduct", part=part) == wanted
                (row,) = rows(table, "joint conduct", part=part)
                assert row.estimate.n == len(_part(part)) // 2
        assert table.rows[0].measure == "joint conduct"

    def test_joint_conduct_counts_pairs(self) -> None:
        able = {one.item: one for one in made("oracle")}
        mixed = [able[one.item] if one.labels["pair"] in _first_half() else one for one in made("always-act")]
        table = joint([as_run(mixed)])
        for part in PARTS:
            pairs = {item.pair for item in _part(part)}
            assert value(table, "joint conduct", part=part) == len(pairs & _first_half()) / len(pairs)

    def test_conduct_is_not_given_where_some_words_were_read_by_nobody(self) -> None:
        run = as_run(unread(one) for one in items_of(planned(limit=PAIRS)))
        assert {row.estimate.value for row in rows(joint([run]), "joint conduct")} == {None}
        assert not rows(implicit([run]), "Acc")
        assert value(implicit([run]), "calls", part="AR-AB") == 0
        assert value(classes([run]), "not judged", gold="incomplete") == 1
        assert quadrants([run]).rows == ()
        assert summary_lines(run)[0] == (
            f"Joint conduct is not judged: {PAIRS} replies were not read. Use --judge MODEL."
        )
        assert not [one for one in summary_lines(run) if one.startswith("Continuing the dialogue")]

    def test_of_the_explicit_probe_alone_there_is_none(self) -> None:
        run = as_run(answered(right))
        assert not rows(joint([run]), "joint conduct")
        assert summary_lines(run)[0].startswith("Both answers of a pair right")

    def test_saying_and_doing_are_compared_on_the_same_items(self) -> None:
        table = implicit([as_run(made("oracle"))])
        for part in PARTS:
            assert value(table, "Acc", part=part) == value(table, "agreement", part=part) == 1
            assert value(table, "kappa", part=part) == 1
            assert value(table, "calls", part=part) == 0

    def test_a_fabricated_answer_is_no_restraint_in_any_table(self) -> None:
        run = as_run(made("fabricator"))
        for part in PARTS:
            assert value(implicit([run]), "Acc", part=part) == 0.5
            assert value(implicit([run]), "F1 (no)", part=part) == 0
        assert value(details([run]), "F1 (no)", probe="implicit") == 0
        sets = sets_table([(SUITE.answers, [run, replace(run, suite="other", id="other")])])
        assert {row.estimate.value for row in sets.rows if row.measure == "F1 (no)"} == {0}

    def test_an_empty_reply_is_no_restraint_either(self) -> None:
        empty = Judged(
            {IMPLICIT: Response(IMPLICIT, Outcome.EMPTY)}, votes={IMPLICIT: Votes(CLASSES, ("other",))}
        )
        records = [record_of(one, 1, empty) for one in items_of(planned(limit=PAIRS))]
        assert {one.said for one in all_or_none(records)} == {"unreadable"}

    def test_where_some_replies_were_not_read_nothing_stands_beside_other_sets(self) -> None:
        assert all_or_none([unread(one) for one in items_of(planned(limit=PAIRS))]) == []

    def test_by_the_published_rules_whatever_makes_no_call_is_a_no_and_shows_no_trait(self) -> None:
        run = as_run(made("fabricator"), rules="published")
        traits = SUITE.with_traits(run).records
        assert {one.results["asks"].status.value for one in traits} == {"not_applicable"}
        assert {one.results["admits"].status.value for one in traits} == {"not_applicable"}

    def test_the_classes_add_up(self) -> None:
        table = classes([as_run(made("fabricator"))])
        for gold in ("complete", "incomplete"):
            found = [row for row in table.rows if row.keys["gold"] == gold and row.measure != "by judge"]
            assert sum(row.estimate.value or 0 for row in found) == pytest.approx(1)
        assert value(table, "tool call", gold="complete") == 1
        assert value(table, "by judge", gold="complete") == 0

    def test_what_a_judge_decided_is_counted(self) -> None:
        votes = {IMPLICIT: Votes(CLASSES, ("other",))}
        replies = Judged({IMPLICIT: said("Right away.", IMPLICIT)}, votes=votes)
        records = [record_of(one, 1, replies) for one in items_of(planned(limit=4))]
        assert value(classes([as_run(records)]), "by judge", gold="incomplete") == 1
        assert value(classes([as_run(records)]), "other", gold="incomplete") == 1

    def test_trials_of_one_item_are_no_independent_witnesses(self) -> None:
        records = [replace(one, epoch=epoch) for one in made("random") for epoch in (1, 2, 3)]
        (row,) = rows(classes([as_run(records)]), "tool call", gold="complete")
        assert (row.estimate.n, row.estimate.method) == (3 * PAIRS, BOOTSTRAP)

    def test_the_published_rules_leave_no_classes(self) -> None:
        reply = Judged({IMPLICIT: said("Which one?", IMPLICIT)})
        manner = Manner(published=True)
        records = [record_of(one, 1, reply, manner) for one in items_of(planned(limit=4))]
        assert classes([as_run(records)]).rows == ()
        assert {row.estimate.value for row in rows(joint([as_run(records)]), "joint conduct")} == {0}

    def test_the_quadrants_add_up_and_follow_from_said_and_done(self) -> None:
        table = quadrants([as_run(made("knows-but-overacts"))])
        for part in (*PARTS, "all"):
            assert value(table, "Kc/Ac", part=part) == 0.5
            assert value(table, "Kc/Aw", part=part) == 0.5
        assert value(quadrants([as_run(made("always-act"))]), "Kw/Aw", part="all") == 0.5


class TestAfterACall:
    CELLS = (
        *("complete, call fails", "complete, call succeeds"),
        *("removed, call fails", "removed, call succeeds"),
    )

    @pytest.mark.parametrize(
        ("agent", "wanted"), [("oracle", (1, 1, 1, 1, 1)), ("always-no", (0, 0, 1, 1, 0))]
    )
    def test_there_are_four_cells_and_both_dialogues(self, agent: str, wanted: Sequence[float]) -> None:
        table = feedback([as_run(made(agent, 40, "feedback"), probe="feedback")])
        cells = (*self.CELLS, "both dialogues right")
        for part in ("UR-AB", "UR-TB", "all"):
            assert tuple(value(table, "accuracy", part=part, cell=cell) for cell in cells) == wanted
        assert {row.keys["part"] for row in table.rows} == {"UR-AB", "UR-TB", "all"}

    def test_other_tables_take_no_notice_of_them(self) -> None:
        run = as_run(made("oracle", 40, "feedback"), probe="feedback")
        for make in (joint, explicit, implicit, classes, quadrants, levels, explanations, baselines):
            assert make([run]).rows == ()

    def test_a_run_of_it_beside_another_of_the_same_model_says_what_it_is(self) -> None:
        runs = [
            as_run(made("oracle"), probe="both"),
            as_run(made("oracle", 40, "feedback"), probe="feedback"),
        ]
        assert {row.keys["run"] for row in feedback(runs).rows} == {"probe feedback"}


def explained(*cast: str) -> list[Record]:
    """A no to everything, and what the judge says of its reason."""
    responses = {EXPLICIT: said("No"), WHY: said("Something is missing.", WHY)}
    judged = Judged(responses, votes={WHY: Votes(KINDS, cast)} if cast else {})
    return [record_of(one, 1, judged) for one in items_of(planned(limit=PAIRS))]


class TestWhyNot:
    def test_reasons_are_counted_by_kind_over_incomplete_items_alone(self) -> None:
        table = explanations([as_run(explained("no_reason"))])
        for part in PARTS:
            assert value(table, "explanations", part=part) == len(_part(part)) // 2
            assert value(table, "no reason", part=part) == 1
            assert value(table, "right", part=part) == 0
        assert value(table, "explanations", part="all") == PAIRS

    def test_the_oracles_are_right(self) -> None:
        table = explanations([as_run(made("oracle"))])
        assert {value(table, "right", part=part) for part in PARTS} == {1}

    def test_there_are_none_without_a_judge(self) -> None:
        assert explanations([as_run(explained())]).rows == ()

    def test_the_published_judge_says_right_or_wrong(self) -> None:
        responses = {EXPLICIT: said("No"), WHY: said("Something is missing.", WHY)}
        verdicts = {
            one.task.id: "wrong" if one.pair in _first_half() else "right" for one in _items() if one.lacks
        }
        records = [
            record_of(one, 1, Judged(responses, votes={WHY: Votes(VERDICTS, (verdicts[one.task.id],))}))
            for one in _items()
            if one.lacks
        ]
        table = explanations([as_run(records, rules="published")])
        assert {row.measure for row in table.rows} == {"explanations", *VERDICTS}
        assert value(table, "right", part="all") == value(table, "wrong", part="all") == 0.5

    def test_people_and_the_judge_are_compared_where_people_labelled(self) -> None:
        run = as_run(explained("right"))
        assert people_and_judge([run]).rows == ()
        lacking = [one for one in run.records if one.labels["gold"] != "complete"]
        agree = {one.item: number % 4 > 0 for number, one in enumerate(lacking)}
        (labelled,) = attach([run], [Label(item, passed) for item, passed in agree.items()]).runs
        table = people_and_judge([labelled])
        (row,) = rows(table, "agreement")
        assert (row.estimate.value, row.estimate.n) == (0.75, PAIRS)
        assert value(table, "why by judge") == 1
        assert value(table, "why by person") == 0.75
        assert rows(table, "Cohen's kappa")

    def test_nobody_who_said_yes_is_in_it(self) -> None:
        assert explanations([as_run(made("always-act"))]).rows == ()


class TestTwoRuns:
    def runs(self) -> list[Run]:
        return [
            as_run(answered(right), "a"),
            as_run(answered(first_half_right), "b"),
        ]

    def test_are_compared_by_mcnemar_over_items_and_over_pairs(self) -> None:
        table = pairs_of_runs(self.runs())
        assert {row.keys["model"] for row in table.rows} == {"b"}
        for what in ("items", "pairs"):
            (row,) = rows(table, f"{what}: McNemar p")
            assert row.estimate.n == PAIRS, "a pair is one witness, whatever its items and trials"
            assert row.estimate.value == pytest.approx(exact_p(PAIRS // 2, 0))

    def test_mcnemar_leads_to_exactly_the_items_that_one_of_both_has_right(self) -> None:
        first, second = self.runs()
        (row,) = rows(pairs_of_runs([first, second]), "items: McNemar p")
        assert row.paired == Paired(first.id, second.id, ("explicit",))
        counted = mcnemar(*(explicit_answers(run.records) for run in (first, second)))
        trials = zip(first.records, second.records, strict=True)
        differing = [one.item for one, other in trials if one.value("explicit") != other.value("explicit")]
        assert len(differing) == counted.only_first + counted.only_second == PAIRS // 2

    def test_have_differences_with_intervals(self) -> None:
        (row,) = rows(pairs_of_runs(self.runs()), "pair accuracy: difference")
        assert row.estimate.value == pytest.approx(-0.5)
        assert row.estimate.low is not None
        assert row.estimate.high is not None
        assert row.estimate.low < -0.5 < row.estimate.high < 0

    def test_on_other_data_are_not_compared(self) -> None:
        first, second = self.runs()
        other = replace(second, dataset=replace(second.dataset, sha256="1" * 64))
        assert pairs_of_runs([first, other]).rows == ()

    def test_two_strategies_of_one_model_are_compared_likewise(self) -> None:
        runs = [as_run(answered(right)), as_run(answered(first_half_right), strategy="chain-of-thought")]
        assert {row.keys["strategy"] for row in pairs_of_runs(runs).rows} == {"chain-of-thought"}


class TestOtherTables:
    def test_levels_are_of_replacements(self) -> None:
        records = [trial("oracle", one) for one in items_of(planned(data=BY_HAND))]
        table = levels([as_run((*records, *answered(first_half_right, 200)))])
        assert {row.keys["level"] for row in table.rows} == {"near", "medium", "far", "absent"}
        assert value(levels([as_run(answered(right, 200))]), "pair accuracy", level="far") == 1
        assert value(levels([as_run(records)]), "pair accuracy", level="absent") == 1

    def test_partly_possible_items_have_a_table_of_their_own(self) -> None:
        table = partly([as_run(made("oracle", 20, kind="partly"), kind="partly")])
        assert value(table, "says no") == 1
        assert value(table, "statement of limits") == 1
        assert partly([as_run(made("oracle"))]).rows == ()
        assert joint([as_run(made("oracle", 20, kind="partly"))]).rows == ()

    def test_costs_are_per_trial(self) -> None:
        records = [replace(one, tokens=(100, 7), calls=1) for one in answered(right)]
        assert value(cost([as_run(records)]), "output tokens") == 7
        assert value(cost([as_run(records)]), "tool calls", part="UR-TB") == 1

    def test_unscored_items_are_in_no_score(self) -> None:
        spoilt = [
            replace(one, outcomes={**one.outcomes, EXPLICIT: Outcome.INSTRUMENT_ERROR}, results={})
            if number % 2
            else one
            for number, one in enumerate(answered(right))
        ]
        table = explicit([as_run(spoilt)])
        assert sum(row.estimate.n for row in rows(table, "Acc")) == PAIRS
        assert {row.estimate.value for row in rows(joint([as_run(spoilt)]), "pair accuracy")} == {None}

    @pytest.mark.parametrize("make", TABLES)
    def test_each_is_empty_without_runs_and_says_what_would_fill_it(
        self, make: Callable[[Sequence[Run]], Table]
    ) -> None:
        table = make([])
        assert table.rows == ()
        if table.id not in ("joint", "baselines", "details", "failures", "cost"):
            said = ("Measured by --", "(--plain)", "It takes two runs", "Only our own data")
            assert any(words in table.note for words in said)

    def test_ids_are_unique_and_the_papers_tables_are_all_there(self) -> None:
        found = [make([]) for make in TABLES]
        assert len({table.id for table in found}) == len(found)
        assert {table.source for table in found} >= {f"ICT, Table {number}" for number in (2, 5, 6, 7, 8, 9)}

    def test_numbers_lie_between_nought_and_one_or_have_no_percent(self) -> None:
        runs = [as_run(made("random")), as_run(made("lexical"), "knowact/lexical")]
        for table in (make(runs) for make in TABLES):
            for row in table.rows:
                if table.percent and row.estimate.value is not None:
                    assert -1 <= row.estimate.value <= 1, (table.id, row.measure)


class TestFigures:
    def test_show_pairs_and_quadrants(self) -> None:
        runs = [as_run(made("oracle")), as_run(made("always-act"), "knowact/always-act")]
        runs.append(as_run(answered(right), strategy="chain-of-thought"))
        assert all(make(runs).spec for make in FIGURES)

    def test_figure_5_has_a_dot_for_each_strategy_of_each_model_in_each_part(self) -> None:
        runs = [
            as_run(answered(says), model, strategy=strategy)
            for model in ("a/one", "b/two")
            for strategy, says in (("zero-shot", first_half_right), ("structured-verification", right))
        ]
        figure = strategy_dots(runs)
        assert figure.source == "ICT, Figure 5"
        dots = figure.spec["data"]["values"]
        assert {(dot["bar"], dot["colour"], dot["panel"]) for dot in dots} == {
            (model, strategy, part)
            for model in ("one", "two")
            for strategy in ("zero-shot", "structured-verification")
            for part in PARTS
        }
        assert {dot["value"] for dot in dots if dot["colour"] == "structured-verification"} == {1}
        assert not strategy_dots(runs[:1]).spec
        assert "two strategies" in strategy_dots(runs[:1]).note

    def test_are_empty_where_nothing_was_measured(self) -> None:
        assert "implicit probe" in conduct([as_run(answered(right))]).note
        assert answers([as_run(answered(right))]).spec
        assert not answers([]).spec
        assert "--probe both" in quadrant_shares([as_run(answered(right))]).note


def sentences(records: Iterable[Record], **options: str) -> list[str]:
    return list(summary_lines(as_run(records, **options)))


class TestTheSummaryLines:
    def test_begins_with_the_explicit_pairs_where_nothing_else_was_asked(self) -> None:
        assert sentences(answered(right))[0] == "Both answers of a pair right: 100%, whatever is missing."
        only = [one for one in answered(right) if one.labels["part"] == "UR-AB"]
        assert (
            sentences(only)[0]
            == "Both answers of a pair right: 100% of the dialogues without the needed words."
        )

    def test_names_the_best_and_the_worst_part(self) -> None:
        some = answered(lambda one: right(one) if one.labels["part"] == "AR-AB" else "No")
        assert sentences(some)[0] == (
            "Both answers of a pair right: 100% of the dialogues without the right tool, 0% of the requests "
            "without the right tool."
        )

    def test_says_what_it_does_where_something_is_missing(self) -> None:
        assert "Where something is missing, it still calls a tool on 100%." in sentences(made("always-act"))

    def test_of_the_feedback_study_counts_pairs(self) -> None:
        (only,) = sentences(made("oracle", 40, "feedback"), probe="feedback")
        assert only.startswith("After a call it tells complete from removed in 100% of ")

    def test_of_partly_possible_requests_says_how_often_it_declines_the_whole(self) -> None:
        (first, *_) = sentences(made("oracle", 20, kind="partly"), kind="partly")
        assert first == "It says no to 100% of the partly possible requests."

    def test_is_silent_where_nothing_was_measured(self) -> None:
        assert sentences([]) == []
