"""What a trial's end decides nobody has read, and a crash is no call: tables and sentences say neither."""

from dataclasses import replace
from itertools import count

import pytest

from kapro_trials import OF_THE_AGENT, STATED, does, item, record, says
from knowact.core.record import Outcome, Record
from knowact.core.table import DatasetInfo, Run
from knowact.probes.response import Response
from knowact.reading.answer_form import AnswerForm
from knowact.roles.extractor import unread
from knowact.roles.judge import PASSED, Votes
from knowact.suites.kapro.probes import ACT
from knowact.suites.kapro.tables import judges
from knowact.suites.kapro.words import summary_lines

RIGHT, WRONG, NOBODY_VOTED = Votes(PASSED, ("right",)), Votes(PASSED, ("wrong",)), Votes(PASSED, ())
INFO = DatasetInfo("everyday", "1-A", "0" * 64)
NUMBERS = count()


def run(*records: Record, boundary: str = "internal") -> Run:
    """A run of these trials, each of an item of its own."""
    own = [
        replace(one, item=name, cluster=name, labels={"boundary": boundary, "topology": "parallel"})
        for one in records
        for name in (f"item-{next(NUMBERS)}",)
    ]
    return Run("r", "kapro", INFO, "m", {}, (), len(own), own)


def ended(outcome: Outcome) -> Record:
    """A trial that came to no answer, with the form and the ballot that it gets."""
    return record(item("a", "a"), act=Response(ACT, outcome), graded=NOBODY_VOTED, slot=None)


@pytest.mark.parametrize("outcome", OF_THE_AGENT)
def test_only_what_was_read_counts_as_a_way_to_judge(outcome: Outcome) -> None:
    answered = [
        record(item("a", "a"), act=does("a", "a", "It is 42."), graded=votes, slot=STATED)
        for votes in (RIGHT, WRONG, WRONG)
    ]
    found = {row.measure: row.estimate for row in judges([run(*answered, *[ended(outcome)] * 5)]).rows}
    alone = {row.measure: row.estimate for row in judges([run(*answered)]).rows}
    for measure, value in (("pass by form", 1.0), ("pass by judge", 1 / 3), ("agreement", 1 / 3)):
        assert (found[measure].value, found[measure].n) == (pytest.approx(value), 3), measure
        assert found[measure] == alone[measure]
    assert (found["rests on form"].value, found["rests on form"].n) == (pytest.approx(3 / 8), 8)
    assert judges([run(ended(outcome))]).rows == ()


def test_a_form_that_nobody_filled_is_nobodys_result() -> None:
    assert unread(AnswerForm.from_facts(())).result(value=False).by == ""


def test_further_trials_of_few_items_compare_nothing_and_are_called_trials() -> None:
    """Three items, always wrong: worse than every baseline, if their six trials were items."""
    wrong = record(item("ab", "a"), says("ab", "b"), does("b", "ab"))
    right = record(item("ab", ""), says("ab", ""), does("", "ab"))

    def said(wrongs: int, trials: int) -> list[str]:
        parts = [run(*[wrong] * wrongs, boundary="external"), run(*[right] * 6)]
        records = [
            replace(one, epoch=epoch + 1) for part in parts for one in part.records for epoch in range(trials)
        ]
        return list(summary_lines(replace(parts[0], records=records, planned=len(records))))

    for trials, counted in ((1, "9 items"), (2, "18 trials of 9 items")):
        first, *others = said(3, trials)
        assert first == f"KAS, averaged over the kinds of task, is 67% on {counted}."
        assert not any("than the" in line for line in others)
    first, *others = said(6, 1)
    assert first == "KAS is 100% on internal tasks and 0% on external ones."
    assert any("orse than the" in line and "external" in line for line in others)


def test_a_crash_is_no_call() -> None:
    """Of ten internal trials in which it knew, it called in three; in four others it ended without a call."""
    internal, knew = item("ab", ""), says("ab", "")
    called = record(internal, knew, does("a", "ab"))
    crashed = record(internal, knew, Response(ACT, Outcome.LIMIT))
    restrained = record(internal, knew, does("", "ab"))
    said = summary_lines(run(*[called] * 3, *[crashed] * 4, *[restrained] * 3))
    assert "On 30% of internal tasks it knew that no tool is needed, and still called one." in said
    for quiet in (run(*[crashed] * 10), run(*[called] * 2, *[crashed] * 8)):
        assert not any("still called one" in line for line in summary_lines(quiet))
