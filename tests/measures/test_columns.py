"""Records as columns: what is kept, what has no value, and how they are split."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import UnknownName
from knowact.core.record import Outcome, Record, Result, Status
from knowact.measures.columns import Columns, Shape, as_columns, columns
from knowact.measures.quadrants import Quadrant

from .made_records import ACT, KNOW, scored, trial, vectors


def spoilt(record: Record) -> Record:
    return replace(record, outcomes={**record.outcomes, "act": Outcome.INSTRUMENT_ERROR})


def judged(status: Status) -> Record:
    return replace(vectors()[0], results={"pass": Result(status)})


def test_columns_carry_each_records_numbers_in_order() -> None:
    found = columns(vectors(), (KNOW, ACT))
    assert len(found) == 7
    assert found.values(KNOW).tolist() == [record.value(KNOW) for record in vectors()]
    assert found.values(ACT).tolist() == [record.value(ACT) for record in vectors()]
    assert [found.item.names[code] for code in found.item.codes] == list("1234567")
    assert found.knew.tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert found.acted.tolist() == [1, 0, 0, 1, 1, 0, 0]
    assert [found.shapes.names[code] for code in found.shapes.codes][2:5] == [
        Shape(required=2, reachable=2, spare=0),
        Shape(required=3, reachable=3, spare=0),
        Shape(required=1, reachable=1, spare=1),
    ]


def test_records_are_read_once_and_may_come_from_a_generator() -> None:
    seen: list[str] = []

    def stream() -> Iterator[Record]:
        for record in vectors():
            seen.append(record.item)
            yield record

    assert len(columns(stream(), (KNOW,))) == 7
    assert seen == list("1234567")


def test_no_records_make_empty_columns() -> None:
    found = columns([], (KNOW,), ("boundary",))
    assert len(found) == 0
    assert found.values(KNOW).tolist() == []
    assert found.groups("boundary") == {}


def test_columns_pass_through_and_records_are_converted() -> None:
    found = columns(vectors(), (KNOW,))
    assert as_columns(found, (ACT,)) is found
    assert as_columns(vectors(), (ACT,)).values(ACT).tolist() == [record.value(ACT) for record in vectors()]


def test_a_spoilt_record_has_no_value_anywhere_although_its_results_are_there() -> None:
    found = columns([spoilt(record) for record in vectors()], (KNOW, ACT))
    assert np.isnan(found.values(KNOW)).all()
    assert np.isnan(found.values(Quadrant.CONSISTENT)).all()
    assert np.isnan(found.values("DirGap")).all()
    assert found.knew.tolist() == found.acted.tolist() == [-1] * 7


def test_an_unknown_measure_or_key_names_the_near_ones() -> None:
    found = columns(vectors(), (KNOW,), ("boundary",))
    with pytest.raises(UnknownName, match="acc_know"):
        found.values("acc_knov")
    with pytest.raises(UnknownName, match="boundary"):
        found.groups("boundry")


def test_a_missing_label_is_a_group_of_its_own() -> None:
    records = [
        trial("1", "a", "", "", "", labels={"hop": "single"}),
        trial("2", "a", "", "", ""),
        trial("3", "a", "", "", "", labels={"hop": "single"}, condition="noise"),
    ]
    found = columns(records, (KNOW,), ("hop",))
    sizes = {key: len(group) for key, group in found.groups("hop", "condition").items()}
    assert sizes == {("single", "clean"): 1, ("", "clean"): 1, ("single", "noise"): 1}
    assert {key: len(group) for key, group in found.groups("condition").items()} == {
        ("clean",): 2,
        ("noise",): 1,
    }
    assert found.groups() == {(): found}


def test_the_condition_can_be_asked_for_like_a_label() -> None:
    found = columns(vectors(), (), ("condition",))
    assert list(found.groups("condition")) == [("clean",)]


def test_groups_come_in_the_order_of_the_keys_and_of_first_appearance() -> None:
    pairs = [("y", "1"), ("x", "1"), ("y", "2"), ("x", "2"), ("y", "1")]
    records = [scored(str(i), str(i), 1, 1, labels={"a": a, "b": b}) for i, (a, b) in enumerate(pairs)]
    groups = columns(records, (), ("a", "b")).groups("a", "b")
    assert list(groups) == [("y", "1"), ("y", "2"), ("x", "1"), ("x", "2")]


LABELS = st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("12"), st.integers(0, 6)), max_size=20)


@settings(deadline=None)
@given(LABELS)
def test_groups_split_records_without_loss(rows: list[tuple[str, str, int]]) -> None:
    records = [
        scored(str(number), f"c{value}", value / 6, 1, labels={"a": a, "b": b})
        for number, (a, b, value) in enumerate(rows)
    ]
    groups = columns(records, (KNOW,), ("a", "b")).groups("a", "b")
    found = {key: sorted(group.values(KNOW).tolist()) for key, group in groups.items()}
    expected = {
        (a, b): sorted(value / 6 for other, another, value in rows if (other, another) == (a, b))
        for a, b, _ in rows
    }
    assert found == expected
    for group in groups.values():
        clusters: list[str] = [group.cluster.names[code] for code in group.cluster.codes.tolist()]
        assert clusters == [f"c{round(6 * value)}" for value in group.values(KNOW)]


def test_a_shape_counts_what_is_offered_needed_and_both() -> None:
    assert Shape.of(("a", "b", "b", "c"), frozenset({"a", "x"})) == Shape(required=2, reachable=1, spare=2)
    shapes = Counter(Shape.of(record.offered, record.required) for record in vectors())
    assert shapes[Shape(0, 0, 1)] == 1


def test_what_every_record_has_is_a_measure_too() -> None:
    base = replace(vectors()[0], calls=3, tokens=(40, 2), seconds=1.5)
    found = columns([base, replace(base, cost=0.25), spoilt(base)], ("calls", "tokens", "seconds", "cost"))
    assert found.values("calls")[:2].tolist() == [3, 3]
    assert found.values("tokens")[0] == 42
    assert found.values("seconds")[0] == 1.5
    assert np.isnan(found.values("cost")).tolist() == [True, False, True]
    assert math.isnan(found.values("calls")[2])


def test_a_column_is_a_few_bytes_per_record() -> None:
    found: Columns = columns((vectors()[number % 7] for number in range(7_000)), (KNOW, ACT))
    arrays = (found.values(KNOW), found.knew, found.scored, found.item.codes, found.epoch)
    assert sum(array.nbytes for array in arrays) <= 7_000 * (8 + 1 + 1 + 4 + 4)
