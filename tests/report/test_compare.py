import dataclasses
import math

import pytest

from knowact.core.errors import BadUsage
from knowact.core.record import Result, Status
from knowact.core.table import Run, Table
from knowact.report.as_text import compared_text
from knowact.report.compare import Compared, compare

from .report_double import make_run

STRONG, WEAK = make_run("strong", 1.0), make_run("weak", 0.3, broken=2)


def number(table: Table, measure: str, **keys: str) -> float | None:
    [row] = [row for row in table.rows if row.measure == measure and dict(row.keys) == keys]
    return row.estimate.value


def test_the_difference_is_second_minus_first_over_the_matched_trials() -> None:
    found = compare(STRONG, WEAK, ["jaccard_know"], seed=0)
    keys = {"result": "jaccard_know", "boundary": "all"}
    first, second, difference = (
        number(found.differences, name, **keys) for name in ("first", "second", "difference")
    )
    assert first == 1.0
    assert second is not None
    assert difference is not None
    assert difference == pytest.approx(second - 1.0)
    assert difference < -0.2
    assert number(found.tests, "matched", **keys) == 60
    assert number(found.tests, "only second", **keys) == 2
    assert (number(found.tests, "p", **keys) or 0) < 0.01
    [row] = [r for r in found.differences.rows if r.measure == "difference" and r.keys == keys]
    assert row.estimate.low is not None
    assert row.estimate.low <= difference


def test_rows_are_corrected_together_over_measures_and_boundaries() -> None:
    found = compare(STRONG, WEAK, ["jaccard_know", ("jaccard_know", "jaccard_act"), "DirGap"], seed=0)
    results = {row.keys["result"] for row in found.tests.rows}
    groups = {row.keys["boundary"] for row in found.tests.rows}
    assert results == {"jaccard_know", "KAS", "DirGap"}
    assert groups == {"all", "external", "hybrid", "internal"}
    raw = sorted(row.estimate.value or 0 for row in found.tests.rows if row.measure == "p")
    corrected = sorted(row.estimate.value or 0 for row in found.tests.rows if row.measure == "p, Holm")
    assert len(raw) == 12
    assert corrected[0] == pytest.approx(min(1, 12 * raw[0]))


def test_a_group_to_which_a_measure_does_not_apply_has_no_row() -> None:
    def but_hybrid(run: Run) -> Run:
        none = Result(Status.NOT_APPLICABLE)
        records = [
            dataclasses.replace(
                r, results={"aware": none if r.labels["boundary"] == "hybrid" else Result.of(1)}
            )
            for r in run.records
        ]
        return dataclasses.replace(run, records=records)

    found = compare(but_hybrid(STRONG), but_hybrid(WEAK), ["aware", "DirGap"], seed=0)
    groups = {(row.keys["result"], row.keys["boundary"]) for row in found.tests.rows}
    assert ("aware", "hybrid") not in groups
    assert {("aware", "internal"), ("aware", "all"), ("DirGap", "hybrid")} <= groups
    assert number(found.tests, "matched", result="aware", boundary="all") == 40
    assert number(found.tests, "unscored", result="aware", boundary="all") == 0, "does not apply"


def test_a_trial_that_one_run_left_unscored_counts_as_such() -> None:
    def lacking(run: Run, item: str) -> Run:
        records = [
            dataclasses.replace(r, results={"a": Result.of(1)} if r.item != item else {}) for r in run.records
        ]
        return dataclasses.replace(run, records=records)

    item = STRONG.records[0].item
    found = compare(lacking(STRONG, item), lacking(WEAK, ""), ["a"], seed=0)
    assert number(found.tests, "unscored", result="a", boundary="all") == 1


def test_a_run_against_itself_differs_by_nothing() -> None:
    found = compare(STRONG, STRONG, ["jaccard_know"], seed=0)
    assert number(found.differences, "difference", result="jaccard_know", boundary="all") == 0
    assert number(found.tests, "p, Holm", result="jaccard_know", boundary="all") == 1


def _under(run: Run, condition: str) -> Run:
    return dataclasses.replace(
        run, records=[dataclasses.replace(r, condition=condition) for r in run.records]
    )


def test_one_condition_against_another_is_paired_by_item() -> None:
    found = compare(_under(STRONG, "clean"), _under(STRONG, "distractors-10"), ["jaccard_know"], seed=0)
    assert number(found.tests, "matched", result="jaccard_know", boundary="all") == 60
    assert "Paired by item, epoch." in found.differences.note


def test_runs_that_share_no_trial_are_refused_with_a_sentence() -> None:
    other = dataclasses.replace(
        STRONG, records=[dataclasses.replace(r, item=f"other {r.item}") for r in STRONG.records]
    )
    with pytest.raises(BadUsage, match="share no trial"):
        compare(STRONG, other, ["jaccard_know"], seed=0)
    with pytest.raises(BadUsage, match="Compare runs of one suite"):
        compare(STRONG, make_run("m", 1.0, suite="another"), ["jaccard_know"], seed=0)
    with pytest.raises(BadUsage, match="declares no measure"):
        compare(STRONG, WEAK, [], seed=0)


def test_another_version_of_the_data_is_said() -> None:
    moved = dataclasses.replace(WEAK, dataset=dataclasses.replace(WEAK.dataset, sha256="0" * 64))
    assert (
        "different versions of the data" in compare(STRONG, moved, ["jaccard_know"], seed=0).differences.note
    )


def test_other_options_are_said_with_both_values() -> None:
    changed = {**WEAK.options, "rules": "published", "data": "elsewhere", "max_questions": 3}
    note = compare(STRONG, dataclasses.replace(WEAK, options=changed), ["jaccard_know"], seed=0).tests.note
    assert "Options that differ: rules (definition, published), max questions (not given, 3)." in note
    assert "options" not in compare(STRONG, WEAK, ["jaccard_know"], seed=0).tests.note


def test_a_measure_beyond_one_is_not_shown_in_percent() -> None:
    def with_calls(run: Run) -> Run:
        records = [dataclasses.replace(r, results={"calls": Result.of(r.calls)}) for r in run.records]
        return dataclasses.replace(run, records=records)

    found = compare(with_calls(STRONG), with_calls(WEAK), ["calls"], seed=0)
    assert not found.differences.percent
    assert math.isfinite(number(found.differences, "difference", result="calls", boundary="all") or math.nan)


def test_the_terminal_shows_one_line_per_row() -> None:
    found: Compared = compare(STRONG, WEAK, ["jaccard_know"], seed=0)
    title, head, *lines = compared_text(found).splitlines()
    assert title == "weak minus strong, percent"
    shown = "result boundary first second difference p p, Holm matched unscored only first only second"
    assert " ".join(head.split()) == shown
    assert len(lines) == 5
    assert lines[0].startswith("jaccard_know  all       100.0")
    assert lines[-1].startswith("First: fake/everyday@1-A/strong.")
