"""Majorities of votes, where some could not be used."""

from typing import Any

import pytest

from knowact.core.votes import majority

YES: dict[str, dict[str, str]] = {"part": {"asked": "words"}}
NO: dict[str, dict[str, str]] = {"part": {"claimed": "words"}}
NOTHING: dict[str, dict[str, str]] = {}


@pytest.mark.parametrize(
    ("votes", "said"),
    [
        ((YES, YES, NO), True),
        ((YES, NO, NOTHING), False),
        ((YES, NO, None), None),
        ((YES, YES, None), True),
        ((NO, NOTHING, None), False),
        ((YES, None, None), None),
        ((None, None, None), None),
        ((YES,), True),
        ((), None),
    ],
)
def test_more_than_half_of_all_votes_decide(votes: Any, said: bool | None) -> None:  # noqa: FBT001
    assert majority(votes, "asked", "part") is said


def test_votes_for_either_of_two_parts_go_together() -> None:
    other: dict[str, dict[str, str]] = {"other": {"asked": "words"}}
    assert majority((YES, other, NO), "asked", "part") is False
    assert majority((YES, other, NO), "asked", "part", "other") is True
