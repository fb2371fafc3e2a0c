"""Tables that every suite has: what readers cost beside the agent, and how two ways of judging agree."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.core.record import LIMITS, SPLIT, Outcome, Record, Result, Status
from knowact.core.table import DatasetInfo, Estimate, Row, Run, Table
from knowact.measures.enough import Basis
from knowact.measures.quadrants import Quadrant
from knowact.measures.run_tables import (
    Head,
    best_and_worst,
    cost_table,
    endings_table,
    heads_of,
    judges_table,
    means_table,
    quadrant_figure,
    row_heads,
    run_name,
)

from .made_records import trial

BASE = trial("1", "ab", "a", "a", "a", labels={"boundary": "external"})


def number(table: Table, measure: str) -> Estimate:
    (row,) = [row for row in table.rows if row.measure == measure]
    return row.estimate


def measures(table: Table) -> set[str]:
    return {row.measure for row in table.rows}


class TestCost:
    def table(self, *records: Record) -> Table:
        return cost_table([Head({"model": "m"}, records)], "boundary", ("external",), "knowact")

    def test_roles_stand_apart_from_the_agent(self) -> None:
        read = replace(
            BASE,
            tokens=(100, 10),
            cost=1.0,
            role_calls={"extractor": 2, "judge": 3},
            role_tokens={"extractor": (40, 4), "judge": (90, 9)},
            role_cost={"extractor": 0.5, "judge": 0.25},
        )
        table = self.table(read, replace(BASE, item="2", tokens=(100, 10), cost=1.0))
        per_trial = {
            "input tokens": 100,
            "dollars": 1,
            "extractor calls": 1,
            "extractor input tokens": 20,
            "extractor output tokens": 2,
            "extractor dollars": 0.25,
            "judge calls": 1.5,
            "judge input tokens": 45,
            "judge dollars": 0.125,
        }
        assert {name: number(table, name).value for name in per_trial} == pytest.approx(per_trial)

    def test_a_role_without_a_price_has_no_dollars_rather_than_none_spent(self) -> None:
        calls, tokens = {"judge": 3}, {"judge": (90, 9)}
        priced = replace(BASE, role_calls=calls, role_tokens=tokens, role_cost={"judge": 1.0})
        table = self.table(priced, replace(priced, item="2", role_cost={}))
        assert number(table, "judge dollars") == Estimate(None, 0)
        assert number(table, "judge calls").value == 3

    def test_calls_are_per_part_of_the_data_and_a_run_without_records_has_no_row(self) -> None:
        records = [replace(BASE, item=str(calls), calls=calls) for calls in (1, 3)]
        other = replace(BASE, item="x", calls=9, labels={"boundary": "internal"})
        heads = [Head({"model": "none"}, []), Head({"model": "m"}, [*records, other])]
        rows = cost_table(heads, "boundary", ("external", "internal", "hybrid"), "knowact").rows
        calls = {row.keys["boundary"]: row.estimate.value for row in rows if row.measure == "tool calls"}
        assert calls == {"external": 2, "internal": 9}
        assert {row.keys["model"] for row in rows} == {"m"}

    def test_all_of_it_is_over_all_recorded_trials_scored_or_not(self) -> None:
        spoilt = replace(BASE, item="2", cluster="2", outcomes={"act": Outcome.INSTRUMENT_ERROR})
        table = self.table(replace(BASE, calls=1, tokens=(10, 1)), replace(spoilt, calls=3, tokens=(30, 1)))
        for measure, value in (("tool calls", 2), ("input tokens", 20)):
            assert (number(table, measure).value, number(table, measure).n) == (value, 2)

    def test_nobody_in_a_role_makes_no_column(self) -> None:
        assert not [name for name in measures(self.table(BASE)) if "judge" in name or "extractor" in name]


class TestJudges:
    def judged(self, item: str, form: float | None, judge: float | None, by: str = "form") -> Record:
        """A trial that a form and a judge have read; None is an error of theirs."""
        results = {
            f"pass_{name}": Result(Status.JUDGE_ERROR, by=name) if said is None else Result.of(said, by=name)
            for name, said in (("form", form), ("judge", judge))
        }
        results["pass"] = results[f"pass_{by}"]
        return replace(BASE, item=item, cluster=item, results=results)

    def table(self, *records: Record) -> Table:
        return judges_table([Head({"model": "m"}, records)])

    def test_agreement_is_over_what_both_have_read(self) -> None:
        table = self.table(
            self.judged("1", 1, 1),
            self.judged("2", 0, 0),
            self.judged("3", 0, 1),
            self.judged("4", 1, None),
            self.judged("5", None, 1),
        )
        assert (number(table, "agreement").value, number(table, "agreement").n) == (pytest.approx(2 / 3), 3)
        assert number(table, "Cohen's kappa").value == pytest.approx(0.4)
        assert number(table, "pass by form").value == 0.5
        assert number(table, "pass by judge").value == 0.75

    def test_it_says_which_way_the_other_tables_count(self) -> None:
        mixed = self.table(self.judged("1", 1, 1), self.judged("2", 1, 0, by="judge"), self.judged("3", 1, 1))
        assert {name for name in measures(mixed) if name.startswith("rests")} == {
            "rests on form",
            "rests on judge",
        }
        assert number(mixed, "rests on judge").value == pytest.approx(1 / 3)

    def test_what_a_trials_end_decides_nobody_has_read(self) -> None:
        ended = {
            name: Result.of(0, why="the trial ended empty") for name in ("pass", "pass_form", "pass_judge")
        }
        assert self.table(replace(BASE, results=ended)).rows == ()
        table = self.table(self.judged("1", 1, 1), replace(BASE, item="2", cluster="2", results=ended))
        assert (number(table, "agreement").n, number(table, "rests on form").value) == (1, 0.5)

    def test_split_votes_are_a_share_of_what_was_voted_on(self) -> None:
        split = replace(self.judged("1", 1, 1), flags={SPLIT: 1})
        table = self.table(split, self.judged("2", 1, 1), self.judged("3", 1, None), self.judged("4", 1, 1))
        found = number(table, "with split votes")
        assert (found.value, found.n) == (pytest.approx(1 / 3), 3)


class TestRunsOfOneModel:
    def named(self, *options: Mapping[str, Any]) -> list[dict[str, str]]:
        info = DatasetInfo("everyday", "1-A", "0" * 64)
        runs = [
            Run(name, "s", info, "m", one, (), 1, [BASE]) for name, one in zip("abcd", options, strict=False)
        ]
        return row_heads([(one, {"model": one.model}) for one in runs])

    def test_each_names_the_options_in_which_they_differ_whatever_their_order(self) -> None:
        plain, other = {"rules": "definition", "seed": 0}, {"rules": "published", "seed": 0}
        heads = [{"model": "m", "run": "rules definition"}, {"model": "m", "run": "rules published"}]
        assert self.named(plain, other) == heads
        assert self.named(other, plain) == heads[::-1]

    def test_options_that_only_some_of_them_have_are_said_to_be_none_in_the_others(self) -> None:
        heads = self.named({}, {"cap": 3}, {"cap": 4})
        assert [head["run"] for head in heads] == ["cap none", "cap 3", "cap 4"]

    def test_runs_with_the_same_options_are_named_by_their_ids(self) -> None:
        assert [head["run"] for head in self.named({}, {}, {"cap": 3})] == ["a", "b", "cap 3"]

    def test_a_single_run_needs_no_name(self) -> None:
        assert self.named({"rules": "published"}) == [{"model": "m"}]


INFO = DatasetInfo("everyday", "1-A", "0" * 64)


class TestMeansAndOutcomes:
    def test_means_stand_by_part_of_the_data_and_over_all(self) -> None:
        wrong = trial("2", "ab", "a", "a", "b", labels={"boundary": "internal"})
        runs = [Run(name, "s", INFO, "m", {}, (), 2, [BASE, wrong]) for name in "ab"]
        table = means_table(runs, {"acc_act": "acting"}, "boundary")
        values = {(row.keys["run"], row.keys["boundary"]): row.estimate.value for row in table.rows}
        expected = {"external": 1, "internal": 0, "all": 0.5}
        assert values == {(run, part): value for run in "ab" for part, value in expected.items()}

    def test_a_run_is_named_by_its_id_only_beside_another_of_its_model(self) -> None:
        runs = [Run(name, "s", INFO, model, {}, (), 1, [BASE]) for name, model in ("am", "bm", "cn")]
        assert [head.keys for head in heads_of(runs)] == [
            {"model": "m", "run": "a"},
            {"model": "m", "run": "b"},
            {"model": "n"},
        ]

    def endings(self, *records: Record) -> dict[tuple[str, str], tuple[float | None, int]]:
        table = endings_table([Head({"model": "m"}, records)], ("know", "act"), lambda _: "know")
        return {(row.keys["probe"], row.measure): (row.estimate.value, row.estimate.n) for row in table.rows}

    def ended(self, item: str, flags: Mapping[str, int] | None = None, **outcomes: Outcome) -> Record:
        return replace(BASE, item=item, cluster=item, outcomes=outcomes, flags=flags or {})

    def test_outcomes_and_flags_are_shares_of_all_recorded_trials(self) -> None:
        found = self.endings(
            *(self.ended(str(n), act=one) for n, one in enumerate([Outcome.ANSWERED] * 2 + [Outcome.EMPTY])),
            self.ended("x", {"no_reason": 1}, know=Outcome.LIMIT),
        )
        assert found == {
            ("know", "limit"): (1 / 4, 4),
            ("know", "not_run"): (3 / 4, 4),
            ("act", "answered"): (2 / 4, 4),
            ("act", "empty"): (1 / 4, 4),
            ("act", "not_run"): (1 / 4, 4),
            ("know", "with no reason"): (1 / 4, 4),
        }

    def test_a_lost_trial_stands_under_every_probe_that_was_asked(self) -> None:
        answered = Outcome.ANSWERED
        lost = self.ended("lost", trial=Outcome.INSTRUMENT_ERROR)
        found = self.endings(*(self.ended(str(n), know=answered, act=answered) for n in range(3)), lost)
        assert found == {
            (probe, outcome): (share, 4)
            for probe in ("know", "act")
            for outcome, share in (("answered", 3 / 4), ("instrument_error", 1 / 4))
        }
        assert self.endings(lost) == {("trial", "instrument_error"): (1.0, 1)}, "nothing else was recorded"

    @given(
        st.lists(st.dictionaries(st.sampled_from(["know", "act", "why", "trial"]), st.sampled_from(Outcome)))
    )
    def test_outcomes_of_each_probe_sum_to_one(self, outcomes: list[dict[str, Outcome]]) -> None:
        found = self.endings(*(self.ended(str(n), None, **one) for n, one in enumerate(outcomes)))
        shares = {probe: 0.0 for probe, _ in found}
        for (probe, _), (share, n) in found.items():
            assert n == len(outcomes)
            shares[probe] += share or 0.0
        assert [*shares.values()] == pytest.approx([1.0] * len(shares))
        assert shares or not any(outcomes)

    @pytest.mark.parametrize("limit", LIMITS)
    @pytest.mark.parametrize("probe", ["act", "act_gold", "neutral_know"])
    def test_a_flag_of_a_limit_belongs_to_the_probe_that_it_names(self, limit: str, probe: str) -> None:
        flag = limit + probe
        found = self.endings(self.ended("a", {flag: 1, "omitted": 1}, act=Outcome.LIMIT))
        words = f"with {flag.replace('_', ' ')}"
        assert [one for one, measure in found if measure == words] == [probe]
        assert ("know", "with omitted") in found, "another flag is where the suite says"


class TestNamesAndSentences:
    def test_a_chart_names_the_model_and_what_is_not_as_usual(self) -> None:
        keys = {"model": "openai/org/m", "setting": "clean", "run": "b"}
        assert run_name(keys, {"setting": "clean"}) == "m, run: b"
        assert run_name(keys, {"setting": "noisy"}) == "m, setting: clean, run: b"

    @pytest.mark.parametrize(
        ("values", "sentences"),
        [
            ({"a": (0.25, 8), "b": (0.75, 8), "c": (None, 0)}, ["Held back: 75% of bees, 25% of ants."]),
            ({"a": (0.5, 8), "b": (0.5, 8)}, ["Held back: 50%, whatever is missing."]),
            ({"a": (None, 0), "b": (0.5, 8)}, ["Held back: 50% of bees."]),
            ({"a": (None, 0)}, []),
            ({"a": (1.0, 2), "b": (0.25, 8)}, ["Held back: 40% of 10 pairs."]),
        ],
    )
    def test_the_best_and_the_worst_part_are_said_where_each_is_large_enough(
        self, values: dict[str, tuple[float | None, int]], sentences: list[str]
    ) -> None:
        shares = {part: Estimate(value, n) for part, (value, n) in values.items()}
        pairs = {
            part: Basis.of([(f"{part}{at}", f"{part}{at}") for at in range(one.n)])
            for part, one in shares.items()
        }
        named = {"a": "ants", "b": "bees", "c": "cats"}
        assert best_and_worst("Held back", shares, pairs, named) == sentences

    def test_trials_of_few_pairs_are_no_more_pairs(self) -> None:
        shares = {"a": Estimate(1.0, 9), "b": Estimate(0.0, 9)}
        pairs = {
            part: Basis.of([(f"{part}{at % 3}", f"{part}{at % 3}") for at in range(9)]) for part in shares
        }
        named = {"a": "ants", "b": "bees"}
        assert best_and_worst("Held back", shares, pairs, named) == [
            "Held back: 50% of 18 trials of 6 pairs."
        ]

    def test_quadrants_make_a_figure_or_a_note(self) -> None:
        rows = tuple(
            Row({"model": "m", "part": "all"}, name, Estimate(0.25, 4)) for name in (*Quadrant, "KAS")
        )
        made = quadrant_figure(Table("t", "T", "knowact", rows), "part", {}, "KAPRO", "no answers")
        assert (bool(made.spec), made.note) == (True, "")
        assert "KAS" not in str(made.spec)
        none = quadrant_figure(Table("t", "T", "knowact", rows[-1:]), "part", {}, "KAPRO", "no answers")
        assert (bool(none.spec), none.note) == (False, "no answers")
