"""One profile per model: each trait from records, and their mean over suites."""

import itertools
import math
import random
from dataclasses import replace

import pytest

from knowact.core.record import Outcome, Record, Result, Status
from knowact.core.table import Estimate, Run
from knowact.core.traits import Evidence, Trait, with_traits
from knowact.measures.intervals import wilson
from knowact.measures.profile import ALL_SUITES, average, consistency, profile, profile_table, usual
from knowact.probes.declared_suite import DeclaredSuite
from report.report_double import make_run, make_suite


def record(item: str, epoch: int, *, acted: bool | None, broken: bool = False) -> Record:
    outcome = Outcome.INSTRUMENT_ERROR if broken else Outcome.ANSWERED
    return Record(item, "clean", epoch, item, {}, (), frozenset(), {"act": outcome}, acted=acted)


def trials(*rights: str) -> list[Record]:
    """Records of items, each written as its trials: "1" right, "0" wrong, "x" spoilt by the instrument."""
    return [
        record(f"item-{place}", epoch, acted=None if one == "x" else one == "1", broken=one == "x")
        for place, item in enumerate(rights)
        for epoch, one in enumerate(item, start=1)
    ]


class TestConsistency:
    def test_who_is_always_or_never_right_on_an_item_is_consistent(self) -> None:
        found = consistency(trials("111", "111", "000", "111"))
        assert (found.value, found.n) == (1, 3), "an item that was never right says nothing of it"
        assert found.low is not None
        assert found.low < 0.9, "three items are no certainty"

    def test_items_that_were_never_right_do_not_narrow_the_interval(self) -> None:
        telling = ["10", "11", "11", "100", "110"]
        assert consistency(trials(*telling, *["00"] * 40)) == consistency(trials(*telling))
        once = consistency(trials("10", "01", "10", "01", *["00"] * 8))
        assert (once.value, once.n, once.high) == (0.0, 4, wilson(0, 4).high)

    def test_it_is_the_chance_to_do_rightly_again_what_was_done_rightly(self) -> None:
        rng = random.Random(7)
        items = ["".join(rng.choice("01") for _ in range(rng.choice((2, 3, 3, 3)))) for _ in range(60)]
        weights, again = 0.0, 0.0
        for item in items:
            pairs = list(itertools.permutations(item, 2))
            share = len(item) / len(pairs)  # each item weighs as many trials as it has
            weights += share * sum(first == "1" for first, _ in pairs)
            again += share * sum(first == second == "1" for first, second in pairs)
        assert consistency(trials(*items)).value == pytest.approx(again / weights)

    def test_a_coin_of_chance_p_has_p(self) -> None:
        rng = random.Random(3)
        found = consistency(
            trials(*("".join("01"[rng.random() < 0.7] for _ in range(2)) for _ in range(4000)))
        )
        assert found.low is not None
        assert found.high is not None
        assert found.low < 0.7 < found.high
        assert found.high - found.low < 0.05

    def test_it_takes_two_scored_trials_and_something_right(self) -> None:
        assert consistency(trials("1", "0")) == Estimate(None, 0)
        assert consistency(trials("1x", "x0")) == Estimate(None, 0)
        assert consistency(trials("00", "00")) == Estimate(None, 0)
        assert consistency([]) == Estimate(None, 0)


class TestEvidence:
    ASKS = Evidence("fine", {"lacks": frozenset({"value", "values"}), "gold": frozenset({"incomplete"})})

    def one(self, **labels: str) -> dict[str, Result]:
        made = replace(record("a", 1, acted=False), knew=True, labels=labels, results={"fine": Result.of(1)})
        [shown] = with_traits([made], {Trait.ASKS: self.ASKS})
        return dict(shown.results)

    def test_what_a_record_says_and_where_the_suite_says_so(self) -> None:
        shown = self.one(lacks="value", gold="incomplete")
        assert (shown["knows"].value, shown["acts"].value, shown["asks"].value) == (1, 0, 1)
        assert "admits" not in shown

    @pytest.mark.parametrize("labels", [{}, {"lacks": "tool", "gold": "incomplete"}, {"lacks": "value"}])
    def test_other_items_show_nothing(self, labels: dict[str, str]) -> None:
        assert self.one(**labels)["asks"].status is Status.NOT_APPLICABLE

    def test_what_was_not_measured_is_no_value(self) -> None:
        [shown] = with_traits([record("a", 1, acted=None)], {Trait.ASKS: self.ASKS})
        assert {one.value for one in shown.results.values()} == {None}


class TestMean:
    def test_each_part_weighs_the_same_and_distances_add_in_squares(self) -> None:
        found = average([Estimate(0.2, 1000, 0.1, 0.3), Estimate(0.6, 10, 0.3, 0.7), Estimate(None, 5)])
        assert found.value == pytest.approx(0.4)
        assert found.n == 1010
        assert found.low == pytest.approx(0.4 - math.hypot(0.1, 0.3) / 2)
        assert found.high == pytest.approx(0.4 + math.hypot(0.1, 0.1) / 2)

    def test_one_part_is_itself_and_none_has_no_value(self) -> None:
        one = Estimate(0.2, 3, 0.1, 0.3, "wilson")
        assert average([one, Estimate(None, 5)]) == one
        assert average([Estimate(None, 5)]) == Estimate(None, 5)

    def test_the_interval_covers_the_truth(self) -> None:
        rng, covered, suite = random.Random(5), 0, make_suite()
        for _ in range(200):
            runs = [make_run("m", 0.5, size=1)]  # only for its shape
            parts = [
                profile([(suite, [suite.with_traits(replace(runs[0], records=drawn))])])[Trait.ACTS]["fake"]
                for drawn in (
                    [record(str(i), 1, acted=rng.random() < p) for i in range(40)] for p in (0.3, 0.8)
                )
            ]
            found = average(parts)
            assert found.low is not None
            assert found.high is not None
            covered += found.low <= 0.55 <= found.high
        assert covered >= 180


class TestTable:
    def suite(self, name: str) -> DeclaredSuite:
        return replace(
            make_suite(),
            name=name,
            traits={Trait.ADMITS: Evidence("jaccard_act", {"boundary": frozenset({"external"})})},
        )

    def run(self, suite: str, **changes: object) -> Run:
        return replace(make_run("model", 0.6, suite=suite), **changes)  # pyright: ignore[reportArgumentType]

    def test_a_row_per_suite_and_the_mean(self) -> None:
        a, b = self.suite("a"), replace(self.suite("b"), traits={})
        table = profile_table([(one, [one.with_traits(self.run(one.name))]) for one in (a, b)])
        cells = {(row.keys["suite"], row.measure): row.estimate for row in table.rows}
        assert cells["a", "knows"].n == cells["b", "knows"].n == 60
        assert cells[ALL_SUITES, "knows"] == average([cells["a", "knows"], cells["b", "knows"]])
        assert cells[ALL_SUITES, "admits"] == cells["a", "admits"]
        assert cells["a", "admits"].n == 20
        assert ("b", "admits") not in cells
        assert not any(measure in {"asks", "consistent"} for _, measure in cells), "nothing shows these"

    def test_of_several_runs_the_one_nearest_to_the_defaults_counts(self) -> None:
        suite = self.suite("a")
        plain = self.run("a", id="plain")
        more = replace(plain, id="more", records=[*plain.records, record("extra", 1, acted=True)])
        other = replace(more, id="other", options={"seed": 9}, planned=1000)
        assert usual(suite, [plain, more, other]).id == "more"
        assert usual(suite, [plain, replace(plain, id="later")]).id == "plain"
        effort = {"options": {"reasoning_effort": "low"}, "settings": ("reasoning_effort",)}
        assert usual(suite, [self.run("a", id="low", **effort), plain]).id == "plain", "a setting is a change"

    def test_a_run_that_has_hardly_begun_takes_no_finished_ones_place(self) -> None:
        suite = self.suite("a")
        done = self.run("a", id="done")
        begun = replace(done, id="begun", planned=1000, records=done.records[:1])
        assert usual(suite, [done, begun]).id == usual(suite, [begun, done]).id == "done"
        sweep = replace(done, id="sweep", options={"seed": 9})
        spoilt = replace(done, id="spoilt", records=[record("a", 1, acted=None, broken=True)])
        assert usual(suite, [sweep, spoilt]).id == "sweep", "nothing of the other is scored"
