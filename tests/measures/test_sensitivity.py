"""d' and criterion: values worked out by hand, what an agent that never looks gets, and honest intervals."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.measures.confusion import Answer, Said
from knowact.measures.sensitivity import ALARMS, CRITERION, D_PRIME, HITS, sensitivity, sensitivity_table

Both = tuple[Said | None, Said | None]
RIGHT: Both = ("no", "yes")
EAGER: Both = ("yes", "yes")
SHY: Both = ("no", "no")


def pairs(*said: Both, clusters: int = 10**6) -> list[Answer]:
    """Pairs, each given as (what it did on the incomplete member, and on the complete one)."""
    return [
        Answer(str(pair), complete, one, f"c{pair % clusters}")
        for pair, both in enumerate(said)
        for complete, one in zip((False, True), both, strict=True)
    ]


def test_values_worked_out_by_hand() -> None:
    # 3 of 4 hits, 1 of 4 false alarms: rates (3.5 / 5, 1.5 / 5) = (0.7, 0.3), z(0.7) = 0.524401.
    found = sensitivity(pairs(("no", "yes"), ("no", "yes"), ("no", "no"), ("yes", "yes")))
    assert found[D_PRIME].value == pytest.approx(2 * 0.524401, abs=1e-5)
    assert found[CRITERION].value == pytest.approx(0)
    assert (found[HITS].value, found[ALARMS].value, found[D_PRIME].n) == (0.75, 0.25, 4)


def test_the_criterion_leans_to_going_ahead_or_to_holding_back() -> None:
    # 1 of 4 hits, no alarm: (0.3, 0.1), z = (-0.524401, -1.281552).
    eager = sensitivity(pairs(("no", "yes"), *[EAGER] * 3))
    assert eager[D_PRIME].value == pytest.approx(0.757151, abs=1e-5)
    assert eager[CRITERION].value == pytest.approx(0.902976, abs=1e-5)
    shy = sensitivity(pairs(("no", "yes"), *[SHY] * 3))
    assert shy[D_PRIME].value == pytest.approx(0.757151, abs=1e-5)
    assert shy[CRITERION].value == pytest.approx(-0.902976, abs=1e-5)


SAME: list[Said] = ["yes", "no", "unreadable"]
WORDS: tuple[Said, Said] = ("yes", "no")


@given(st.sampled_from(SAME), st.integers(1, 300))
def test_who_does_the_same_everywhere_tells_nothing_apart(said: Said, n: int) -> None:
    both: Both = (said, said)
    found = sensitivity(pairs(*[both] * n))[D_PRIME]
    assert found.value == 0
    assert (found.low or 0) < 0 < (found.high or 0)


def test_the_best_that_can_be_shown_grows_with_the_pairs_and_never_is_infinite() -> None:
    # z(20.5 / 21) = 1.980752 on either side.
    found = sensitivity(pairs(*[RIGHT] * 20))[D_PRIME]
    assert found.value == pytest.approx(2 * 1.980752, abs=1e-5)
    assert 0 < (found.low or 0) < (found.value or 0)
    assert found.high == found.value
    more = sensitivity(pairs(*[RIGHT] * 200))[D_PRIME].value
    assert (more or 0) > (found.value or 0)


def test_what_is_neither_is_no_restraint() -> None:
    found = sensitivity(pairs(("unreadable", "unreadable"), ("no", "yes")))
    assert (found[HITS].value, found[ALARMS].value) == (0.5, 0)


def test_half_a_pair_is_left_out() -> None:
    found = sensitivity([*pairs(("no", "yes"), (None, "no")), Answer("x", True, "no", "x")])
    assert found[D_PRIME].n == 1
    assert sensitivity([])[D_PRIME].value is None
    assert sensitivity_table([({}, [])], "part", "").rows == ()


def test_trials_of_one_cluster_are_no_independent_witnesses() -> None:
    said: Sequence[Both] = [RIGHT, SHY, EAGER, RIGHT] * 10
    alone, together = sensitivity(pairs(*said)), sensitivity(pairs(*said, clusters=4))
    widths = [(one[D_PRIME].high or 0) - (one[D_PRIME].low or 0) for one in (alone, together)]
    assert widths[1] > 1.5 * widths[0]


def test_the_interval_covers_what_is_true() -> None:
    rng = np.random.default_rng(5)
    truth, covered = 1.683242, 0  # z(0.8) - z(0.2)
    for _ in range(100):
        held: list[Both] = [
            (WORDS[bool(rng.random() < 0.8)], WORDS[bool(rng.random() < 0.2)]) for _ in range(120)
        ]
        found = sensitivity(pairs(*held))[D_PRIME]
        covered += (found.low or 0) <= truth <= (found.high or 0)
    assert covered >= 88
