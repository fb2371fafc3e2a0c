"""Which runs and trials stand beside each other, case by case; test_mixtures.py has properties."""

from dataclasses import replace

import pytest

from knowact.core.errors import BadUsage
from knowact.core.table import DatasetInfo, Run
from knowact.core.task import Query
from knowact.measures.agreement import clustered_pearson, pearson
from knowact.measures.pairing import data_names, item_sets, nearest, run_pairs, sides
from knowact.suites import find
from knowact.suites.kapro.tables import correlations, kas_against_calls, shifts
from made_runs import Made, made_run

PLAIN = made_run(Made())


def edited(run: Run, sha256: str, **contents: str) -> Run:
    """A run on data with this hash, in which some items hold something else."""
    records = [
        replace(one, content=contents.get(one.item.replace("-", "_"), "the same")) for one in run.records
    ]
    return replace(run, id=f"{run.id}-{sha256}", dataset=replace(run.dataset, sha256=sha256), records=records)


class TestTheTrialsOfTwoRuns:
    def test_are_all_of_them_on_data_with_the_same_hash(self) -> None:
        found = sides(PLAIN, edited(PLAIN, PLAIN.dataset.sha256, task_1="not looked at"))
        assert (found.first, found.changed, found.note) == (PLAIN, (), "")

    def test_are_those_of_items_that_hold_the_same_where_the_data_were_edited(self) -> None:
        found = sides(edited(PLAIN, "1"), edited(PLAIN, "2", task_1="x", task_8="y"))
        assert found.changed == ("task-1", "task-8")
        assert {one.item for one in found.second.records} == {f"task-{at}" for at in (0, 2, 3, 4, 5, 6, 7)}

    def test_are_refused_where_every_item_was_edited(self) -> None:
        other = replace(edited(PLAIN, "2"), records=[replace(one, content="x") for one in PLAIN.records])
        with pytest.raises(BadUsage, match=r"no item is what it was \(9 items: 'task-0'.* and 6 more\)"):
            sides(edited(PLAIN, "1"), other)


class TestTheRunThatATreatedOneIsHeldAgainst:
    def test_asks_as_much_where_there_is_one_that_does(self) -> None:
        few, many = (made_run(Made(options={"limit": limit})) for limit in (3, 6))
        treated = made_run(Made(options={"limit": 3, "distractors": 10}))
        for runs in ([few, many, treated], [many, few, treated]):
            assert [*run_pairs(("distractors",), runs, lambda run: not run.options["distractors"])] == [
                (few, treated)
            ]

    def test_is_the_first_of_those_with_most_of_its_trials(self) -> None:
        few, many, more = (made_run(Made(options={"limit": limit})) for limit in (3, 6, 8))
        assert nearest(made_run(Made(options={"limit": 5})), [few, many, more]) is many


def test_an_item_holds_what_is_asked_and_what_an_answer_is_held_against() -> None:
    task = find("kapro").plan({**find("kapro").defaults(), "limit": 1}).items[0].task
    reworded = task.model_copy(update={"opening": Query(text=f"{task.opening.text} Please.")})
    revalued = task.model_copy(update={"answer": "another one"})
    moved = task.model_copy(update={"provenance": {"line": 7}})
    contents = [one.content for one in (task, reworded, revalued, moved)]
    assert contents[0] == contents[3]
    assert len(set(contents)) == 3


def test_data_sets_that_differ_in_their_hash_alone_are_named_by_it() -> None:
    one, other, third = (
        DatasetInfo("d", "1", "ab" * 32),
        DatasetInfo("d", "1", "cd" * 32),
        DatasetInfo("e", "", ""),
    )
    assert [*data_names([one, other, one, third]).values()] == [
        "d@1 (sha256 abababab)",
        "d@1 (sha256 cdcdcdcd)",
        "e",
    ]


def test_each_set_of_items_stands_once_whoever_was_asked_and_however_often() -> None:
    runs = [
        made_run(Made(options=one))
        for one in ({}, {"trials": 2}, {"limit": 3}, {"strategy": "acknowledge-limits"})
    ]
    found = item_sets([(run, {"setting": "clean"}, run.records) for run in runs])
    assert [(head, len(records)) for head, records in found] == [
        ({"setting": "clean", "items": "9"}, 9),
        ({"setting": "clean", "items": "3"}, 3),
    ]


class TestKapro:
    def test_a_strategy_sweep_beside_two_runs_does_not_change_what_distractors_change(self) -> None:
        noisy = Made(options={"distractors": 10}, twin_of=Made())
        sweep = [Made(options={"strategy": "acknowledge-limits"}), Made(settings={"reasoning_effort": "low"})]
        rows = shifts([made_run(one) for one in (Made(), noisy, *sweep)]).rows
        assert rows
        assert {row.estimate.value for row in rows} == {0.0}
        assert shifts([made_run(one) for one in (noisy, *sweep)]).rows == ()

    def test_a_correlation_has_one_point_per_model(self) -> None:
        sweep = [
            Made(model=f"lab/m{at}", options=one)
            for at in range(4)
            for one in ({}, {"strategy": "acknowledge-limits"})
        ]
        alone = [row.estimate.n for row in correlations([made_run(one) for one in sweep[:8]]).rows]
        assert alone
        assert set(alone) == {4}
        assert correlations([made_run(one) for one in sweep[:2]]).rows == ()

    def test_models_on_different_data_are_correlated_apart(self) -> None:
        made = [
            Made(model=f"lab/m{at}", data=("everyday", version))
            for at in range(3)
            for version in ("2-A", "2-A.seed7")
        ]
        runs = [made_run(one) for one in made]
        assert {row.keys["data"] for row in correlations(runs).rows} == {"everyday@2-A", "everyday@2-A.seed7"}
        assert {row.estimate.n for row in correlations(runs).rows} == {3}
        assert "no r over models that were not asked the same" in kas_against_calls(runs).note


class TestACorrelationOverFamilies:
    X = (0.1, 0.4, 0.35, 0.8, 0.7, 0.95, 0.2, 0.6, 0.55, 0.9)
    Y = (3.0, 2.0, 2.4, 1.1, 1.5, 0.4, 2.6, 1.9, 1.2, 0.8)

    def test_is_fishers_where_each_model_is_a_family(self) -> None:
        r, p = clustered_pearson(self.X, self.Y, [str(at) for at in range(10)])
        assert r == pearson(self.X, self.Y)
        assert p is not None
        assert p.n == 10

    def test_resamples_families_and_counts_them_for_p(self) -> None:
        r, p = clustered_pearson(self.X, self.Y, list("aabbccddee"))
        plain = pearson(self.X, self.Y)
        assert (r.value, r.n, r.method) == (plain.value, 10, "cluster bootstrap")
        assert r.low is not None
        assert r.high is not None
        assert r.low <= (r.value or 0) <= r.high
        assert p is not None
        assert p.n == 5

    def test_has_no_p_below_ten_models_and_no_interval_below_four_families(self) -> None:
        r, p = clustered_pearson(self.X[:9], self.Y[:9], list("aaabbbccc"))
        assert (r.low, r.high, p) == (None, None, None)
