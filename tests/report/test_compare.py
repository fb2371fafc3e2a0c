import dataclasses
import json
import math
from collections.abc import Sequence
from urllib.parse import parse_qsl

import pytest

from knowact.core.errors import BadUsage
from knowact.core.record import Decided, Outcome, Record, Result, Status
from knowact.core.table import Paired, Run, Table
from knowact.report.as_json import compared_json
from knowact.report.as_text import compared_text, telling_text
from knowact.report.compare import Compared, compare, telling_items

from .report_double import make_run, make_suite

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


def test_items_of_edited_data_are_compared_where_they_say_the_same() -> None:
    def edited(run: Run, sha256: str, *changed: str) -> Run:
        records = [
            dataclasses.replace(one, content=sha256 if one.item in changed else "as it was")
            for one in run.records
        ]
        return dataclasses.replace(
            run, dataset=dataclasses.replace(run.dataset, sha256=sha256), records=records
        )

    one, other = edited(STRONG, "1"), edited(WEAK, "2", "task-000", "task-007")
    found = compare(one, other, ["jaccard_know"], seed=0)
    assert number(found.tests, "matched", result="jaccard_know", boundary="all") == 58
    said = "Left out, because they were edited between the runs: 2 items: 'task-000', 'task-007'."
    assert said in found.differences.note


def test_the_version_of_the_data_must_be_the_same() -> None:
    moved = dataclasses.replace(WEAK, dataset=dataclasses.replace(WEAK.dataset, version="2-A"))
    with pytest.raises(BadUsage, match=r"is on everyday@1-A, .* on everyday@2-A: items of different data"):
        compare(STRONG, moved, ["jaccard_know"], seed=0)


def test_a_log_that_does_not_say_what_its_items_hold_is_not_compared_over_edited_data() -> None:
    moved = dataclasses.replace(WEAK, dataset=dataclasses.replace(WEAK.dataset, sha256="0" * 64))
    with pytest.raises(BadUsage, match="does not say what its items hold"):
        compare(STRONG, moved, ["jaccard_know"], seed=0)


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


def with_values(name: str, **values: Sequence[Sequence[float]]) -> Run:
    """A run with an item per place; of each result, the values of the item's epochs."""
    records = [
        dataclasses.replace(
            STRONG.records[0],
            item=f"item-{place}",
            epoch=epoch + 1,
            results={
                measure: Result.of(found[place][epoch], why=f"{name} {place}")
                for measure, found in values.items()
            },
        )
        for place, epochs in enumerate(next(iter(values.values())))
        for epoch in range(len(epochs))
    ]
    return dataclasses.replace(make_run(name, 1.0), records=records)


SUITE = dataclasses.replace(make_suite(), compared=("right", "said"))


def test_the_most_telling_items_differ_most_then_in_more_epochs_then_in_more_results() -> None:
    a = with_values(
        "a", right=[[1], [1], [1, 1], [1, 1], [0], [1]], said=[[0], [1], [1, 1], [1, 1], [1], [1]]
    )
    b = with_values(
        "b", right=[[0], [0], [0, 1], [0, 0], [1], [1]], said=[[1], [0], [1, 1], [0, 0], [0], [0]]
    )
    found = telling_items(SUITE, a, b)
    assert [one.item for one in found] == ["item-3", "item-1", "item-0", "item-4", "item-2"]
    assert [(one.first, one.second, one.epochs, one.same) for one in found[:2]] == [
        (1, 0, 2, 1),
        (1, 0, 1, 1),
    ]
    assert (found[0].why_first, found[0].why_second) == ("a 3", "b 3")
    assert found[-1].second == 0.5
    assert [one.item for one in telling_items(SUITE, a, b, most=2)] == ["item-3", "item-1"]
    assert telling_items(SUITE, a, a) == []


def test_a_trial_that_one_run_has_no_value_for_tells_nothing() -> None:
    a, b = with_values("a", right=[[1], [1]]), with_values("b", right=[[0], [0]])
    unread = dataclasses.replace(b.records[0], results={"right": Result(Status.NOT_JUDGED)})
    assert [
        one.item for one in telling_items(SUITE, a, dataclasses.replace(b, records=[unread, b.records[1]]))
    ] == ["item-1"]


def test_without_a_reason_stands_what_decided_the_failure_or_how_it_ended() -> None:
    a, b = with_values("a", right=[[1]]), with_values("b", right=[[0]])
    bare = dataclasses.replace(b.records[0], results={"right": Result.of(0)})

    def why(record: Record) -> str:
        (one,) = telling_items(SUITE, a, dataclasses.replace(b, records=[record]))
        return one.why_second

    assert why(dataclasses.replace(bare, decided=(Decided("act", "add is not required", call=0),))) == (
        "add is not required"
    )
    assert why(dataclasses.replace(bare, outcomes={"act": Outcome.LIMIT})) == "act: limit"


def test_each_item_has_a_link_that_holds_any_name() -> None:
    def named(run: Run) -> Run:
        return dataclasses.replace(run, records=[dataclasses.replace(run.records[0], item="a/b?c=d&e #f")])

    a, b = (named(with_values(name, right=[[value]])) for name, value in (("a", 1), ("b", 0)))
    (one,) = telling_items(SUITE, a, b)
    assert dict(parse_qsl(one.link.removeprefix("#sides?"))) == {
        "a": a.id,
        "b": b.id,
        "item": "a/b?c=d&e #f",
        "condition": "distractors-10",
        "epoch": "1",
    }


def test_rows_name_the_runs_and_results_on_whose_differing_trials_they_rest() -> None:
    found = compare(STRONG, WEAK, [("jaccard_know", "jaccard_act"), "DirGap"], seed=0)
    rests = {row.keys["result"]: row.paired for row in (*found.differences.rows, *found.tests.rows)}
    assert rests == {
        "KAS": Paired(STRONG.id, WEAK.id, ("jaccard_know", "jaccard_act")),
        "DirGap": Paired(STRONG.id, WEAK.id, ()),
    }


def test_as_json_it_has_both_tables_the_items_and_the_link() -> None:
    a, b = with_values("a", right=[[1]]), with_values("b", right=[[0]])
    read = json.loads(compared_json(a, b, compare(a, b, ["right"], seed=0), telling_items(SUITE, a, b)))
    assert (read["format"], read["a"]["model"], read["b"]["id"]) == ("knowact.compare/1", "a", b.id)
    assert [table["id"] for table in read["tables"]] == ["compared", "compared-tests"]
    assert [(one["item"], one["first"], one["second"]) for one in read["items"]] == [("item-0", 1.0, 0.0)]
    assert read["items"][0]["link"].startswith(f"{read['link']}&item=item-0")


def test_the_terminal_shows_reasons_beside_each_other_and_no_control_characters() -> None:
    a, b = with_values("a", right=[[1]]), with_values("b", right=[[0]])
    (one,) = telling_items(SUITE, a, b)
    hostile = dataclasses.replace(one, item="x\x1b[31m", why_second="long " * 50)
    title, head, line = telling_text([hostile]).splitlines()
    assert (title, head.split()[:4]) == ("The most telling items, percent", ["item", "condition", "A", "B"])
    assert "\x1b" not in line
    assert line.endswith("...")
    assert telling_text([]) == "The runs differ on no item.\n"
