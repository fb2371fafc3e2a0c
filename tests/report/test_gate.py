"""Requirements on runs, and what may not get worse."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace

import pytest

from knowact.core.errors import BadUsage, UnknownName
from knowact.core.record import Outcome, Record, Result, Status
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Headline, Run
from knowact.core.traits import Trait
from knowact.measures.enough import items_for_bound
from knowact.measures.intervals import wilson
from knowact.measures.profile import trait_estimate
from knowact.measures.summary import average_kas, kas_estimate, mean_estimate
from knowact.report.gate import Baseline, CheckVerdict, Gate, as_junit, as_markdown, check
from knowact.report.requirements import read

from .report_double import make_run, make_suite

STRONG, WEAK = (replace(make_run(name, skill), id=name) for name, skill in (("strong", 1.0), ("weak", 0.3)))
SUITE = replace(make_suite(), compared=(("jaccard_know", "jaccard_act"), "jaccard_know"))
NAME = SUITE.name


def suite_of(_name: str) -> Suite:
    return SUITE


def held(runs: Sequence[Run], *requirements: str, point: bool = False) -> Gate:
    return check(runs, [f"{NAME}.{one}" for one in requirements], suite_of, point=point)


def verdicts(gate: Gate) -> list[CheckVerdict]:
    return [one.verdict for one in gate.checks]


def whole(run: Run) -> Run:
    """The run with all of its trials scored and nothing missing."""
    return replace(run, planned=len(run.records))


class TestReading:
    def test_all_parts(self) -> None:
        one = read(" fail-talms.right^3[setting=perfect, replaceable] >= 60% ")
        assert (one.suite, one.measure, one.k) == ("fail_talms", "right", 3)
        assert one.power == "Pass^k"
        assert dict(one.group) == {"setting": "perfect", "": "replaceable"}
        assert (one.at_least, one.bound) == (True, 0.6)
        assert one.subject == "fail-talms.right^3[setting=perfect, replaceable]"

    def test_quadrants_upper_bounds_and_negative_numbers(self) -> None:
        assert read("kapro.Kc/Aw<=.1").measure == "Kc/Aw"
        assert not read("kapro.calls<=3").at_least
        assert read("kapro.DirGap>=-0.2").bound == -0.2

    @pytest.mark.parametrize(
        "text", ["", "kapro", "kapro.kas", "kapro.kas>0.6", "kapro.kas>=", "a.b>=1e", "x>=1"]
    )
    def test_what_is_none_is_told(self, text: str) -> None:
        with pytest.raises(BadUsage, match="is not a requirement"):
            read(text)


def test_results_that_take_several_trials_are_made_once_whatever_is_required() -> None:
    made: list[int] = []

    def related(records: Sequence[Record]) -> Sequence[Record]:
        made.append(len(records))
        return records

    suite, counts = replace(SUITE, related=related), list[int]()
    for names in (["jaccard_know"], ["jaccard_know", "jaccard_act", "knows", "kas"]):
        made.clear()
        check([STRONG, WEAK], [f"{NAME}.{one}>=0" for one in names], lambda _: suite)
        counts.append(len(made))
    assert counts[0] == counts[1] > 0


class TestBounds:
    def test_the_end_of_the_interval_decides_not_the_estimate(self) -> None:
        found = mean_estimate(WEAK.records, "jaccard_know", 0)
        assert found.value is not None
        assert found.low is not None
        between = (found.value + found.low) / 2
        for bound, said in (
            (found.low - 0.01, "passed"),
            (between, "too few items"),
            (found.value + 0.01, "missed"),
        ):
            assert verdicts(held([whole(WEAK)], f"jaccard_know>={bound:.6f}")) == [said]
        assert held([whole(WEAK)], f"jaccard_know>={between:.6f}", point=True)

    def test_an_upper_bound_is_met_by_the_upper_end(self) -> None:
        found = mean_estimate(WEAK.records, "calls", 0, (0, 100))
        assert found.value is not None
        assert found.high is not None
        assert held([whole(WEAK)], f"calls<={found.high + 0.01}")
        between = (found.value + found.high) / 2
        assert verdicts(held([whole(WEAK)], f"calls<={between:.6f}")) == [CheckVerdict.TOO_FEW]

    def test_a_group_is_a_value_of_any_label(self) -> None:
        internal = [one for one in WEAK.records if one.labels["boundary"] == "internal"]
        parallel = [one for one in WEAK.records if one.labels["topology"] == "parallel"]
        for group, records in (
            ("internal", internal),
            ("topology=parallel", parallel),
            ("parallel", parallel),
        ):
            [one] = held([whole(WEAK)], f"jaccard_know[{group}]>=0").checks
            assert one.found == mean_estimate(records, "jaccard_know", 0)

    def test_kas_is_the_average_over_subspaces_and_in_one_of_them_its_own(self) -> None:
        gate = held([whole(WEAK)], "kas>=0", "kas[internal]>=0")
        internal = [one for one in WEAK.records if one.labels["boundary"] == "internal"]
        assert gate.checks[0].found == average_kas(WEAK.records, "jaccard_know", "jaccard_act", "boundary", 0)
        assert gate.checks[1].found == kas_estimate(internal, "jaccard_know", "jaccard_act", 0)

    def test_the_headline_is_the_number_that_the_page_leads_with(self) -> None:
        suite = replace(
            SUITE,
            headline=Headline(
                "half", lambda run: mean_estimate(run.records[::2], "jaccard_know"), lambda _: {}
            ),
        )
        internal = [one for one in WEAK.records if one.labels["boundary"] == "internal"]
        wanted = [f"{NAME}.headline>=0", f"{NAME}.headline[internal]>=0"]
        gate = check([whole(WEAK)], wanted, lambda _: suite)
        assert [one.found for one in gate.checks] == [
            mean_estimate(some[::2], "jaccard_know") for some in (WEAK.records, internal)
        ]
        with pytest.raises(BadUsage, match="a headline has no Pass"):
            check([whole(WEAK)], [f"{NAME}.headline^3>=0"], lambda _: suite)
        with pytest.raises(BadUsage, match="no trials to pair"):
            check([whole(WEAK)], wanted, lambda _: suite, baseline=Baseline([whole(STRONG)], 0.1))

    def test_a_headline_that_is_not_judged_is_not_measured(self) -> None:
        half = Headline("half", lambda _: Estimate(1.0, 1), lambda _: {}, rests_on=("jaccard_know",))
        suite = replace(SUITE, headline=half)
        lost = Result(Status.NOT_JUDGED, why="no judge")
        records = [replace(one, results=dict.fromkeys(one.results, lost)) for one in WEAK.records]
        gate = check([whole(replace(WEAK, records=records))], [f"{NAME}.headline>=0"], lambda _: suite)
        assert verdicts(gate) == [CheckVerdict.NOT_MEASURED]

    def test_pass_k_needs_so_many_trials_and_a_success_or_failure(self) -> None:
        twice = [
            replace(one, epoch=epoch, condition="clean", results={"fine": Result.of(epoch == 1 or place % 2)})
            for place, one in enumerate(WEAK.records)
            for epoch in (1, 2)
        ]
        run = replace(WEAK, records=twice, planned=len(twice))
        [hat, at] = held([run], "fine^2>=0", "fine@2>=0").checks
        assert hat.found.value == pytest.approx(0.5, abs=0.05)
        assert at.found.value == 1
        with pytest.raises(BadUsage, match="need 3 trials"):
            held([run], "fine^3>=0")
        with pytest.raises(BadUsage, match="not a success or a failure"):
            held([whole(WEAK)], "jaccard_know^1>=0")

    def test_every_run_of_the_suite_is_held_to_it(self) -> None:
        gate = held([whole(STRONG), whole(WEAK)], "jaccard_know>=0.8")
        assert [(one.run, one.passed) for one in gate.checks] == [("strong", True), ("weak", False)]
        assert not gate
        assert "1 of 2 failed." in str(gate)

    def test_what_is_not_there_is_told(self) -> None:
        with pytest.raises(
            UnknownName, match=r"no measure named 'jacard_know'\. Did you mean 'jaccard_know'"
        ):
            held([WEAK], "jacard_know>=0")
        with pytest.raises(UnknownName, match="no group named 'nowhere'"):
            held([WEAK], "jaccard_know[nowhere]>=0")
        with pytest.raises(UnknownName, match="no label named 'moon'"):
            held([WEAK], "jaccard_know[moon=full]>=0")
        with pytest.raises(BadUsage, match="there is no run of 'other' here"):
            check([WEAK], ["other.kas>=0"], suite_of)
        with pytest.raises(BadUsage, match="No requirement is given"):
            held([WEAK])


class TestAbsence:
    def test_nothing_measured_is_a_failure(self) -> None:
        [one] = held([whole(WEAK)], "pass>=0").checks
        assert one.verdict is CheckVerdict.NOT_MEASURED

    def test_a_run_with_lost_trials_is_a_failure_whatever_its_numbers(self) -> None:
        lost = {"act": Outcome.INSTRUMENT_ERROR}
        records = [
            replace(one, outcomes=lost) if place < 3 else one for place, one in enumerate(STRONG.records)
        ]
        run = replace(STRONG, records=records, planned=len(records))
        assert verdicts(held([run], "jaccard_know>=0")) == [CheckVerdict.NOT_QUOTABLE]
        unfinished = replace(STRONG, planned=2 * len(STRONG.records))
        assert verdicts(held([unfinished], "jaccard_know>=0", point=True)) == [CheckVerdict.NOT_QUOTABLE]

    def test_a_judge_that_failed_counts_as_lost(self) -> None:
        failed = {"fine": Result(Status.JUDGE_ERROR)}
        records = [replace(one, results={**one.results, **failed}) for one in STRONG.records]
        suite = replace(SUITE, measures=("fine", *SUITE.measures))
        run = replace(STRONG, records=records, planned=len(records))
        gate = check([run], [f"{NAME}.jaccard_know>=0"], lambda _: suite)
        assert verdicts(gate) == [CheckVerdict.NOT_QUOTABLE]


class TestBaseline:
    def against(self, run: Run, old: Run, *requirements: str, most: float = 0.03) -> Gate:
        wanted = [f"{NAME}.{one}" for one in requirements]
        return check([whole(run)], wanted, suite_of, baseline=Baseline([whole(old)], most))

    def test_without_requirements_the_headline_is_compared(self) -> None:
        [one] = self.against(STRONG, WEAK).checks
        assert one.name == f"{NAME}.kas against weak"
        assert one.passed
        [other] = self.against(WEAK, STRONG).checks
        assert other.verdict is CheckVerdict.MISSED
        assert one.found.value == pytest.approx(-(other.found.value or 0))

    def test_the_same_run_is_too_few_where_the_interval_is_wider_than_the_drop(self) -> None:
        shaken = make_run("shaken", 0.3)
        records = [
            replace(one, results=other.results)
            for one, other in zip(WEAK.records, shaken.records, strict=True)
        ]
        [one] = self.against(replace(shaken, records=records), WEAK, "jaccard_know>=0", most=0.0).checks[1:]
        assert one.verdict in {CheckVerdict.TOO_FEW, CheckVerdict.MISSED}

    def test_more_calls_are_worse_and_the_drop_is_a_share_of_them(self) -> None:
        more = replace(WEAK, records=[replace(one, calls=one.calls * 2 + 2) for one in WEAK.records])
        assert self.against(more, WEAK, "calls<=100", most=0.5).checks[1].verdict is CheckVerdict.MISSED
        assert self.against(more, WEAK, "calls<=100", most=9.0).checks[1].passed

    def test_a_self_read_run_is_not_held_against_another(self) -> None:
        own = replace(WEAK, roles={"judge": (WEAK.model,)}, wanted=("judge",))
        with pytest.raises(BadUsage, match="is self-read"):
            self.against(own, STRONG)

    def test_which_baseline_is_told_where_several_fit(self) -> None:
        two = [replace(whole(WEAK), id=name, model=name) for name in ("one", "two")]
        with pytest.raises(BadUsage, match=r"there are 2 \(one, two\)"):
            check([whole(STRONG)], [], suite_of, baseline=Baseline(two, 0.03))
        mine = replace(two[1], model=STRONG.model)
        assert check([whole(STRONG)], [], suite_of, baseline=Baseline([two[0], mine], 0.03)).checks

    def test_pass_k_has_no_pairs(self) -> None:
        fine = replace(WEAK, records=[replace(r, results={"fine": Result.of(1)}) for r in WEAK.records])
        with pytest.raises(BadUsage, match="can't be compared with a baseline"):
            self.against(fine, WEAK, "fine^1>=0")


class TestEnough:
    @pytest.mark.parametrize(
        ("rate", "n", "bound"), [(0.7, 20, 0.6), (0.95, 40, 0.9), (1.0, 5, 0.9), (0.5, 10, 0.45)]
    )
    def test_wilson_s_end_is_there_with_so_many_and_not_with_one_tenth_fewer(
        self, rate: float, n: int, bound: float
    ) -> None:
        needed = items_for_bound(wilson(round(rate * n), n), bound, at_least=True)
        assert needed is not None
        assert (wilson(round(rate * needed), needed).low or 0) >= bound
        fewer = int(needed * 0.9) - 1
        assert (wilson(round(rate * fewer), fewer).low or 0) < bound

    def test_other_intervals_shrink_with_the_root(self) -> None:
        assert items_for_bound(Estimate(0.7, 100, 0.6, 0.8, "cluster bootstrap"), 0.65, at_least=True) == 400
        assert items_for_bound(Estimate(0.7, 100, 0.6, 0.8, "cluster bootstrap"), 0.75, at_least=False) == 400

    def test_no_number_helps_on_the_wrong_side_or_on_the_bound(self) -> None:
        for bound in (0.7, 0.71):
            assert items_for_bound(Estimate(0.7, 100, 0.6, 0.8), bound, at_least=True) is None
        assert items_for_bound(Estimate(0.7, 10), 0.6, at_least=True) is None


class TestFiles:
    def test_junit_has_a_test_per_requirement_and_says_why_it_failed(self) -> None:
        gate = held([whole(STRONG), whole(WEAK)], "jaccard_know>=0.8", "calls<=100")
        root = ET.fromstring(as_junit(gate).partition("\n")[2])  # noqa: S314 - ours
        assert [(one.get("name"), one.get("tests"), one.get("failures")) for one in root] == [
            ("strong", "2", "0"),
            ("weak", "2", "1"),
        ]
        [failure] = root.iter("failure")
        assert (failure.get("message") or "").startswith("missed: ")

    def test_nothing_from_a_log_becomes_markup(self) -> None:
        evil = replace(whole(WEAK), id="a|b`<script>\x00\n", model="x")
        gate = held([evil], "jaccard_know>=0.99")
        shown = as_markdown(gate)
        assert "<script>" not in shown
        assert "a\\|b'&lt;script>" in shown
        assert all(line.count("|") - line.count("\\|") == 6 for line in shown.splitlines()[2:5])
        root = ET.fromstring(as_junit(gate).partition("\n")[2])  # noqa: S314 - ours
        assert "<script>" in (root[0].get("name") or "")


class TestProfile:
    """A trait over all suites of a model, as a requirement."""

    def gate(self, *requirements: str, runs: Sequence[Run] = (STRONG, WEAK)) -> Gate:
        return check([whole(one) for one in runs], requirements, suite_of)

    def test_every_model_is_held_to_it(self) -> None:
        gate = self.gate("profile.knows>=0.8", f"{NAME}.knows>=0.8")
        assert [(one.run, one.suite, one.passed) for one in gate.checks] == [
            ("strong", "profile", True),
            ("weak", "profile", False),
            ("strong", NAME, True),
            ("weak", NAME, False),
        ]
        assert gate.checks[1].found == gate.checks[3].found, "one suite is its own mean"
        assert 'classname="profile"' in as_junit(gate)

    def test_a_requirement_measures_its_own_trait_and_no_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        measured: list[Trait] = []

        def counting(records: Sequence[Record], trait: Trait, seed: int) -> Estimate:
            measured.append(trait)
            return trait_estimate(records, trait, seed)

        monkeypatch.setattr("knowact.measures.profile.trait_estimate", counting)
        self.gate("profile.knows>=0.1", "profile.acts>=0.1", runs=[STRONG])
        assert measured == [Trait.KNOWS, Trait.ACTS]

    def test_consistency_takes_two_trials(self) -> None:
        [one] = self.gate("profile.consistent>=0.5", runs=[STRONG]).checks
        assert one.verdict is CheckVerdict.NOT_MEASURED
        twice = [replace(one, epoch=epoch) for one in STRONG.records for epoch in (1, 2)]
        run = replace(STRONG, records=twice, planned=len(twice))
        assert self.gate("profile.consistent>=0.5", f"{NAME}.consistent>=0.5", runs=[run])

    def test_unscored_trials_spoil_it(self) -> None:
        broken = replace(make_run("broken", 1.0, broken=10), id="broken")
        [one] = self.gate("profile.acts>=0.1", runs=[broken]).checks
        assert one.verdict is CheckVerdict.NOT_QUOTABLE

    def test_what_is_no_trait_is_told(self) -> None:
        for requirement in ("profile.kas>=0.5", "profile.knows^2>=0.5", "profile.knows[internal]>=0.5"):
            with pytest.raises(BadUsage, match="a profile has knows, acts, asks, admits, consistent"):
                self.gate(requirement)
        with pytest.raises(UnknownName, match="no measure named 'asks'"):
            self.gate(f"{NAME}.asks>=0")

    def test_against_a_baseline_go_the_suites_and_a_profile_is_refused_by_name(self) -> None:
        runs = [whole(STRONG)]
        baseline = Baseline([whole(WEAK)], 0.03)
        gate = check(runs, [f"{NAME}.knows>=0.5"], suite_of, baseline=baseline)
        assert [one.name for one in gate.checks][1:] == [f"{NAME}.knows against weak"]
        for requirements in (["profile.knows>=0.5"], [f"{NAME}.knows>=0.5", "profile.knows>=0.5"]):
            with pytest.raises(BadUsage, match=rf"'profile.knows' can't be compared .*\(\"{NAME}.knows\"\)"):
                check(runs, requirements, suite_of, baseline=baseline)
        with pytest.raises(BadUsage, match="can't be compared with a baseline"):
            check(runs, [f"{NAME}.consistent>=0.5"], suite_of, baseline=baseline)
