"""Conditions are data: they come back from a file as they were, or are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from knowact.core.condition import CLEAN, Add, Condition, Fail, Hide, Mask, Replace

EVERYTHING = Condition(
    name="everything",
    changes=(
        Hide(tool="a"),
        Mask(tool="b", part="parameter", name="city"),
        Mask(tool="b", part="result", name="days[].high"),
        Replace(tool="c", by="d"),
        Fail(tool="e"),
        Fail(tool="f", message="Out of order."),
        Add(tool="g"),
    ),
    order=("b", "d", "e"),
    withheld=("tool:a",),
)


def test_every_kind_of_change_comes_back_from_json_as_it_was() -> None:
    assert Condition.model_validate_json(EVERYTHING.model_dump_json()) == EVERYTHING


def test_the_clean_condition_changes_and_withholds_nothing() -> None:
    assert (CLEAN.changes, CLEAN.order, CLEAN.withheld) == ((), (), ())


def test_not_known_is_not_the_same_as_nothing() -> None:
    unknown = Condition.model_validate_json('{"name": "published", "withheld": null}')
    assert unknown.withheld is None
    assert Condition(name="x").withheld == ()


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "hid", "tool": "a"},
        {"tool": "a"},
        {"kind": "hide"},
        {"kind": "hide", "tool": "a", "by": "b"},
        {"kind": "mask", "tool": "a", "part": "returns", "name": "x"},
        {"kind": "replace", "tool": "a"},
    ],
    ids=str,
)
def test_a_change_that_nobody_knows_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Condition.model_validate({"name": "x", "changes": [change]})
