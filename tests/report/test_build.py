import dataclasses
from collections.abc import Sequence

import pytest

from knowact.core.record import CRASHED, Outcome, Record, Result, Status
from knowact.core.table import Figure, Run, Table
from knowact.measures.losses import Bounds, Trials
from knowact.report.as_text import run_text
from knowact.report.build import build, summary

from .report_double import make_input, make_run, make_suite

SUITE = make_suite()


def warned(run: Run) -> str:
    return " ".join(summary(SUITE, run).warnings)


def test_a_clean_run_is_quotable_and_has_nothing_to_warn_of() -> None:
    found = summary(SUITE, make_run("m", 0.8))
    assert (found.recorded, found.run.scored, found.trials.unscored) == (60, 60, 0)
    assert found.quotable
    assert found.warnings == ()
    assert found.bounds is None
    assert found.headline


def test_two_percent_unscored_may_be_quoted_and_more_may_not() -> None:
    at_most = make_run("m", 0.8, size=98, broken=2)
    too_many = make_run("m", 0.8, size=97, broken=3)
    assert summary(SUITE, at_most).quotable
    assert not summary(SUITE, too_many).quotable
    assert "Do not quote" not in warned(at_most)
    assert "Do not quote: 3 of 100 planned trials (3.0 %) are unscored" in warned(too_many)


def test_trials_that_were_never_recorded_are_unscored() -> None:
    found = summary(SUITE, make_run("m", 0.8, size=50, missing=50))
    assert found.trials == Trials(scored=50, not_judged=0, lost=0, not_run=50, incomplete=0)
    assert "Unfinished: 50 of 100" in warned(found.run)
    assert "Do not quote" in warned(found.run)


def test_a_judge_that_failed_on_the_headline_leaves_the_trial_unscored() -> None:
    run = make_run("m", 0.8, size=10)
    lost = dataclasses.replace(run.records[0], results={"jaccard_know": Result(Status.JUDGE_ERROR)})
    found = summary(SUITE, dataclasses.replace(run, records=[lost, *run.records[1:]]))
    assert (found.trials.scored, found.trials.lost) == (9, 1)
    assert found.judged["jaccard_know"] == {"judge_error": 1}
    assert not found.quotable
    assert "1 of 10 planned trials (10.0 %) are unscored" in " ".join(found.warnings)
    assert "Scored 9 of 10 planned trials, lost 1." in run_text(found)


def test_there_is_no_headline_when_nothing_was_scored_and_the_reason_is_given() -> None:
    dead = make_run("m", 0, size=0, broken=4)
    found = summary(SUITE, dead)
    assert found.headline == ()
    assert not found.quotable
    assert warned(dead) == "None of the 4 planned trials was scored. The endpoint answered 500."
    quiet = dataclasses.replace(dead, problems=())
    assert "instrument error (4)" in warned(quiet)
    assert "No trial left a record" in warned(dataclasses.replace(quiet, records=[]))


def test_the_bounds_count_every_lost_trial_as_wrong_and_as_right() -> None:
    run = make_run("m", 1.0, size=3, broken=1, missing=1)
    kept = [
        dataclasses.replace(r, results={"jaccard_know": Result.of(1)}) if r.results else r
        for r in run.records
    ]
    found = summary(SUITE, dataclasses.replace(run, records=kept))
    assert found.bounds == Bounds("jaccard_know", 1.0, 3 / 4, 1.0, 1), (
        "nobody knows the trial without a record"
    )


def test_the_bounds_leave_out_what_could_not_have_the_measure() -> None:
    """Such as tasks that are also tried without tools, where a set of tools is neither right nor wrong."""
    run = make_run("m", 1.0, size=5, broken=2)
    *scored, lost, alone = [
        dataclasses.replace(r, results={"jaccard_know": Result.of(1)}) if r.results else r
        for r in run.records
    ]
    scored[0] = dataclasses.replace(scored[0], condition="no-tools", results={"pass": Result.of(1)})
    alone = dataclasses.replace(alone, condition="no-tools")
    found = summary(SUITE, dataclasses.replace(run, records=[*scored, lost, alone]))
    assert found.trials.lost == 2
    assert found.bounds == Bounds("jaccard_know", 1.0, 4 / 5, 1.0, 1)


def test_the_bounds_count_a_failed_judge_only_where_the_headline_was_the_judges() -> None:
    run, lost = make_run("m", 1.0, size=4), Result(Status.JUDGE_ERROR)
    first, *rest = [
        dataclasses.replace(r, results={"jaccard_know": Result.of(1), "pass": Result.of(1)})
        for r in run.records
    ]
    found = {
        name: summary(
            SUITE,
            dataclasses.replace(
                run, records=[dataclasses.replace(first, results={**first.results, name: lost}), *rest]
            ),
        )
        for name in ("jaccard_know", "pass")
    }
    assert [(one.trials.lost, one.trials.incomplete) for one in found.values()] == [(1, 0), (0, 1)]
    assert found["jaccard_know"].bounds == Bounds("jaccard_know", 1.0, 3 / 4, 1.0, 1)
    assert found["pass"].bounds is None


def test_a_headline_that_is_no_share_has_no_bounds() -> None:
    run = make_run("m", 1.0, size=3, broken=1)
    kept = [dataclasses.replace(r, results={"jaccard_know": Result.of(7)}) for r in run.records]
    assert summary(SUITE, dataclasses.replace(run, records=kept)).bounds is None


def test_endings_are_counted_by_probe_and_name() -> None:
    run = make_run("m", 0.8, size=5, broken=2)
    assert summary(SUITE, run).outcomes == {
        "tools_needed": {Outcome.ANSWERED.value: 7},
        "act": {Outcome.ANSWERED.value: 5, Outcome.INSTRUMENT_ERROR.value: 2},
    }


def test_an_agent_that_crashed_is_called_that_and_hit_no_limit() -> None:
    run = make_run("m", 1.0, size=2)
    crashed = dataclasses.replace(run.records[0], outcomes={"act": Outcome.LIMIT}, flags={CRASHED + "act": 1})
    limit = dataclasses.replace(run.records[1], outcomes={"act": Outcome.LIMIT})
    found = summary(SUITE, dataclasses.replace(run, records=[crashed, limit]))
    assert found.outcomes == {"act": {"crashed": 1, "limit": 1}}
    assert "Outcome of act: crashed 1, limit 1." in run_text(found)


def test_results_of_several_trials_are_added_once_for_each_run() -> None:
    added: list[int] = []

    def related(records: Sequence[Record]) -> Sequence[Record]:
        added.append(len(records))
        return records

    suite = dataclasses.replace(SUITE, related=related)
    build(make_input([make_run("a", 1.0, size=3), make_run("b", 0.5, size=4)], suite))
    assert added == [3, 4]


def test_no_run_gives_an_empty_report() -> None:
    for source in (make_input([]), dataclasses.replace(make_input([]), suites=[])):
        report = build(source)
        assert (report.sections, report.items, report.runs) == ((), (), ())


def test_two_runs_of_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="fake/everyday@1-A/m"):
        build(make_input([make_run("m", 0.8, size=1), make_run("m", 0.2, size=1)]))


def test_an_id_that_two_suites_use_gets_their_names_in_front() -> None:
    one, other = make_suite("one"), make_suite("other")
    source = dataclasses.replace(
        make_input([]),
        suites=[
            (one, [make_run("m", 0.8, size=2, suite="one")]),
            (other, [make_run("m", 0.8, size=2, suite="other")]),
        ],
    )
    found = [table.id for section in build(source).sections for table in section.tables]
    assert found[:2] == ["one-main", "one-quadrants"]
    assert "other-main" in found


def test_one_suite_may_not_use_an_id_twice() -> None:
    def same(_: object) -> Table:
        return Table("same", "T", "knowact", ())

    def clash(_: object) -> Figure:
        return Figure("same", "F", "knowact")

    suite = dataclasses.replace(SUITE, tables=(same,), figures=(clash,))
    with pytest.raises(ValueError, match="'same'"):
        build(make_input([make_run("m", 0.8, size=1)], suite))
