"""A human baseline: which items people are asked about, in which order, and how answers are kept."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.condition import Condition
from knowact.core.errors import BadData
from knowact.core.suite import Item
from knowact.core.task import Boundary, Query, Step, Task, Topology, WorldRef
from knowact.datasets.audit_file import AnswerFile, Head, read_all
from knowact.roles.audit import AuditAnswer
from knowact.roles.baseline import FORMAT, QUESTION, in_order_of, sampled


def item(cluster: int, gold: str, part: str) -> Item:
    task = Task(
        id=f"{part}-{cluster}",
        opening=Query(text="When is high water?"),
        world=WorldRef(name="replay"),
        offered=("tide",),
        plan=(Step(tool="tide", boundary=Boundary.EXTERNAL),),
        topology=Topology.SINGLE_HOP,
        cluster=f"{part}-{cluster}",
    )
    return Item(task, Condition(name=gold), (), {"gold": gold, "part": part})


def minimal_pairs(*sizes: int) -> list[Item]:
    """Parts of so many pairs each: a complete and an incomplete item per cluster."""
    return [
        item(cluster, gold, f"part{part}")
        for part, size in enumerate(sizes)
        for cluster, gold in product(range(size), ("yes", "no"))
    ]


def drawn(items: Sequence[Item], size: int, seed: int = 0) -> tuple[Item, ...]:
    return sampled(items, "gold", ("part",), size, seed)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=4), st.integers(1, 40), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_no_cluster_comes_twice_and_the_classes_are_of_one_size(
    sizes: list[int], size: int, seed: int
) -> None:
    items = minimal_pairs(*sizes)
    sample = drawn(items, size, seed)
    assert len(sample) == min(size, sum(sizes))
    assert len({one.task.cluster for one in sample}) == len(sample)
    classes = Counter(one.labels["gold"] for one in sample)
    assert abs(classes["yes"] - classes["no"]) <= 1


def test_each_class_is_spread_over_the_strata() -> None:
    cells = Counter((one.labels["gold"], one.labels["part"]) for one in drawn(minimal_pairs(30, 30, 8), 24))
    assert set(cells.values()) == {4}


def test_the_sample_is_in_the_datas_order_and_depends_on_seed_and_ids_alone() -> None:
    items = minimal_pairs(10, 10)
    sample = drawn(items, 8)
    assert [one.id for one in sample] == [one.id for one in items if one in sample]
    assert {one.id for one in drawn(items[::-1], 8)} == {one.id for one in sample}
    assert {one.id for one in drawn(items, 8, seed=1)} != {one.id for one in sample}


def test_everybody_gets_the_same_items_in_an_order_of_their_own() -> None:
    sample = drawn(minimal_pairs(10, 10), 8)
    ann, bob = (in_order_of(name, sample, 0) for name in ("ann", "bob"))
    assert ann == in_order_of("ann", sample, 0)
    assert ann != bob
    assert sorted(one.id for one in ann) == sorted(one.id for one in bob)


def head(annotator: str = "ann", kind: str = FORMAT) -> Head:
    return Head.model_validate(
        {
            "format": kind,
            "suite": "ict",
            "data": "everyday@2-A",
            "sha256": "0" * 64,
            "annotator": annotator,
            "n": 2,
            "seed": 0,
            "questions": [QUESTION],
        }
    )


def test_answers_are_kept_and_read_back(tmp_path: Path) -> None:
    file = AnswerFile.open(tmp_path, head())
    events = [
        AuditAnswer(item="a@removal", question=QUESTION, answer="no"),
        AuditAnswer(item="b", question=QUESTION, answer=None),
    ]
    for event in events:
        file.append(event)
    (found,) = read_all(tmp_path)
    assert (found.head.format, found.events) == (FORMAT, tuple(events))
    assert AnswerFile.open(tmp_path, head()).answers.events == tuple(events)


def test_a_baseline_is_no_audit(tmp_path: Path) -> None:
    AnswerFile.open(tmp_path, head())
    with pytest.raises(BadData, match=r"of the kind 'knowact\.baseline/1', not 'knowact\.audit/1'"):
        AnswerFile.open(tmp_path, head("bob", "knowact.audit/1"))
