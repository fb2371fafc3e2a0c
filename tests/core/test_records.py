"""Records: what is missing is never a number, and no instrument's failure is taken for an answer."""

import math

import pytest

from knowact.core.record import Outcome, Record, Result, Status


def record(**changes: Outcome) -> Record:
    return Record(
        item="t1",
        condition="clean",
        epoch=1,
        cluster="c1",
        labels={},
        offered=("a",),
        required=frozenset({"a"}),
        outcomes=changes,
        results={"pass": Result.of(1), "kas": Result(Status.NOT_JUDGED)},
    )


class TestResults:
    def test_a_value_has_a_number(self) -> None:
        result = Result.of(True, by="facts", why="all there")
        assert result == Result(Status.VALUE, 1.0, "facts", "all there")
        assert isinstance(result.value, float)
        assert result.number == 1.0

    @pytest.mark.parametrize("status", [status for status in Status if status is not Status.VALUE])
    def test_anything_else_has_none_and_counts_as_not_a_number(self, status: Status) -> None:
        assert math.isnan(Result(status).number)
        with pytest.raises(ValueError, match="exactly when its status is 'value'"):
            Result(status, 0.0)

    def test_a_value_without_a_number_is_refused(self) -> None:
        with pytest.raises(ValueError, match="exactly when its status is 'value'"):
            Result(Status.VALUE)

    def test_not_a_number_is_no_value(self) -> None:
        with pytest.raises(ValueError, match="value"):
            Result.of(math.nan)


class TestRecords:
    def test_the_value_of_a_measure_is_its_result_and_else_not_a_number(self) -> None:
        row = record()
        assert row.value("pass") == 1.0
        assert math.isnan(row.value("kas"))
        assert math.isnan(row.value("no such measure"))

    @pytest.mark.parametrize("outcome", list(Outcome))
    def test_only_an_instrument_leaves_a_trial_unscored(self, outcome: Outcome) -> None:
        failed = outcome in {Outcome.INSTRUMENT_ERROR, Outcome.USER_FAULT, Outcome.INTERRUPTED}
        assert outcome.instrument == failed
        assert record(tools_needed=Outcome.ANSWERED, act=outcome).scored == (not failed)

    def test_a_trial_without_probes_is_scored(self) -> None:
        assert record().scored
