"""Know-to-act transfer from records alone: differences by hand, and the rule behind each verdict."""

from collections.abc import Sequence

import pytest

from knowact.core.record import TRANSFER, Outcome, Preceding, Record, Result, Status
from knowact.core.table import DatasetInfo, Run
from knowact.measures.columns import columns
from knowact.measures.run_tables import Head
from knowact.measures.transfer import EXCHANGE, GOLD, OWN, Transfer, TransferVerdict, contrast, verdict

Four = tuple[float | None, float | None, float | None, float | None]
"""How rightly it acted alone, after its own verdict, after the neutral question, after the gold verdict."""


def record(number: int, four: Four, part: str = "p") -> Record:
    results = {
        one.result: Result(Status.NOT_APPLICABLE) if value is None else Result.of(value)
        for one, value in zip(Preceding, four, strict=True)
    }
    outcomes = {"act": Outcome.ANSWERED}
    name, nothing = f"{part}{number}", frozenset[str]()
    return Record(name, "clean", 1, name, {"part": part}, (), nothing, outcomes, results=results)


def records(*many: tuple[int, Four], part: str = "p") -> list[Record]:
    every = [four for times, four in many for _ in range(times)]
    return [record(number, four, part) for number, four in enumerate(every)]


def said(*many: tuple[int, Four]) -> TransferVerdict:
    data = columns(records(*many), TRANSFER)
    return verdict(contrast(data, OWN), contrast(data, GOLD))


def run_of(some: Sequence[Record]) -> Run:
    return Run("r", "s", DatasetInfo("d", "1", ""), "m", {}, ("a.eval",), len(some), some)


SHOWN = Transfer(lambda runs: [Head({"model": one.model}, one.records) for one in runs], "part", "pq", {})


class TestDifferences:
    def test_are_means_of_what_each_item_gains(self) -> None:
        data = columns(records((3, (0, 1, 0.5, 1)), (1, (1, 0, 0.5, 0.25))), TRANSFER)
        found = {name: contrast(data, name).difference.value for name in (OWN, GOLD, EXCHANGE)}
        assert found == pytest.approx({OWN: 0.25, GOLD: 0.3125, EXCHANGE: 0.25})

    def test_leave_out_an_item_whose_answer_could_not_be_followed(self) -> None:
        data = columns(records((4, (0, 1, 0, 1)), (2, (0, None, 0, 0))), TRANSFER)
        own, gold = contrast(data, OWN), contrast(data, GOLD)
        assert (own.difference.value, own.matched, own.unscored) == (1, 4, 2)
        assert (gold.difference.value, gold.matched) == (pytest.approx(4 / 6), 6)


class TestTheVerdict:
    @pytest.mark.parametrize(
        ("four", "expected"),
        [
            ((0, 1, 0, 1), TransferVerdict.UNUSED),
            ((0, 1, 0, 0), TransferVerdict.UNUSED),
            ((0, 0, 0, 1), TransferVerdict.UNAWARE),
            ((0, 0, 0, 0), TransferVerdict.UNABLE),
            ((0.5, 0.5, 0.5, 0.5), TransferVerdict.UNABLE),
            ((1, 1, 1, 1), TransferVerdict.RIGHT),
            ((1, 0, 1, 0), TransferVerdict.RIGHT),
        ],
    )
    def test_of_a_pure_kind(self, four: Four, expected: TransferVerdict) -> None:
        assert said((40, four)) is expected

    def test_of_gains_that_any_exchange_brings_is_none_of_the_verdicts_doing(self) -> None:
        assert said((40, (0, 1, 1, 1))) is TransferVerdict.RIGHT

    def test_of_one_that_knows_a_little_and_uses_none_of_it(self) -> None:
        assert said((15, (0, 1, 0, 1)), (45, (0, 0, 0, 1))) is TransferVerdict.BOTH

    def test_is_open_where_so_few_could_be_chance(self) -> None:
        # Four of four differ one way: the interval is off zero, but tossing coins does that in one of eight.
        data = columns(records((4, (0, 1, 0, 0))), TRANSFER)
        own = contrast(data, OWN)
        assert own.difference.low is not None
        assert own.difference.low > 0
        assert own.p == pytest.approx(1 / 8, abs=0.01)
        assert said((4, (0, 1, 0, 0))) is TransferVerdict.OPEN

    def test_is_open_where_too_few_agree_to_rule_out_ten_points(self) -> None:
        assert said((20, (0, 0, 0, 0))) is TransferVerdict.OPEN
        assert said((40, (0, 0, 0, 0))) is TransferVerdict.UNABLE

    def test_is_open_where_items_differ_both_ways(self) -> None:
        assert said((10, (0, 1, 0, 0)), (8, (1, 0, 1, 1)), (10, (0, 0, 0, 0))) is TransferVerdict.OPEN

    def test_is_open_where_nothing_was_measured(self) -> None:
        assert said((5, (1, None, None, None))) is TransferVerdict.OPEN


class TestWhatIsShown:
    RUNS = (run_of([*records((40, (0, 1, 0, 1)), part="p"), *records((40, (0, 0, 0, 1)), part="q")]),)

    def test_a_sentence_names_the_parts_where_they_differ(self) -> None:
        (sentence,) = SHOWN.lines(self.RUNS[0])
        assert (
            sentence
            == f"Know-to-act transfer: on p, {TransferVerdict.UNUSED}; on q, {TransferVerdict.UNAWARE}."
        )

    def test_a_sentence_is_short_where_they_do_not(self) -> None:
        run = run_of(records((40, (0, 1, 0, 1))))
        assert SHOWN.lines(run) == [f"Know-to-act transfer: {TransferVerdict.UNUSED}."]

    def test_a_table_has_levels_and_differences_of_each_part_and_of_all(self) -> None:
        table = SHOWN.table(self.RUNS)
        found = {(row.keys["part"], row.measure): row.estimate for row in table.rows}
        assert {part for part, _ in found} == {"p", "q", "all"}
        assert found["all", "after its own verdict"].value == 0.5
        assert (found["q", OWN].value, found["p", OWN].value, found["all", OWN].value) == (0, 1, 0.5)
        assert (found["all", GOLD].value, found["all", GOLD].n) == (1, 80)
        low, high = found["all", OWN].low, found["all", OWN].high
        assert low is not None
        assert high is not None
        assert 0.3 < low < 0.5 < high < 0.7

    def test_a_figure_has_the_differences_with_their_intervals(self) -> None:
        spec = SHOWN.figure(self.RUNS).spec
        drawn = {(one["bar"], one["colour"]): one["value"] for one in spec["data"]["values"]}
        assert drawn["p", OWN] == 1
        assert {colour for _, colour in drawn} == {OWN, GOLD, EXCHANGE}

    def test_a_run_without_the_option_adds_nothing(self) -> None:
        some = Record("i", "clean", 1, "i", {"part": "p"}, (), frozenset(), {"act": Outcome.ANSWERED})
        run = run_of([some])
        assert SHOWN.lines(run) == []
        assert SHOWN.table([run]).rows == ()
        assert "--transfer" in SHOWN.figure([run]).note
