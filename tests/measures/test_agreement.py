"""Agreement of people: textbook figures, properties, and intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.table import Estimate
from knowact.measures.agreement import Ratings, clustered_pearson, kappa, observed, p_of_r
from knowact.measures.intervals import wilson

FOURTEEN_RATERS = (
    *((0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1)),
    *((7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7)),
)
"""Ten items, five categories: the usual worked example of Fleiss' kappa (0.210, observed 0.378)."""


def spread(counts: tuple[int, ...]) -> list[str]:
    return [str(category) for category, count in enumerate(counts) for _ in range(count)]


def clusters(ratings: Ratings) -> list[str]:
    return [str(row) for row in range(len(ratings))]


def cells(yes_yes: int, yes_no: int, no_yes: int, no_no: int) -> list[list[str | None]]:
    rows = [("y", "y")] * yes_yes + [("y", "n")] * yes_no + [("n", "y")] * no_yes + [("n", "n")] * no_no
    return [list(row) for row in rows]


def test_cohens_kappa_of_a_textbook_table() -> None:
    ratings = cells(20, 5, 10, 15)
    found = kappa(ratings, clusters(ratings), 0)
    assert found.value == pytest.approx(0.4)
    assert found.n == 50
    assert found.low is not None
    assert found.high is not None
    # The usual standard error of this table is 0.127.
    assert found.low == pytest.approx(0.4 - 1.96 * 0.127, abs=0.04)
    assert found.high == pytest.approx(0.4 + 1.96 * 0.127, abs=0.04)
    assert observed(ratings, clusters(ratings), 0).value == pytest.approx(0.7)


def test_fleiss_kappa_of_a_textbook_table() -> None:
    ratings = [spread(row) for row in FOURTEEN_RATERS]
    assert kappa(ratings, clusters(ratings), 0).value == pytest.approx(0.210, abs=5e-4)
    assert observed(ratings, clusters(ratings), 0).value == pytest.approx(0.378, abs=5e-4)


def test_a_missing_answer_costs_that_rating_alone() -> None:
    whole: list[list[str | None]] = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["a", "b", "b"]]
    holed = [["a", "a", None], ["b", None, None], *whole[1:]]
    assert kappa(holed, clusters(holed), 0).n == 4
    assert kappa([["a", None], ["b", "b"], [None, None]], ["1", "2", "3"], 0).n == 1


def test_agreement_that_chance_explains_has_no_kappa_but_is_observed() -> None:
    same: list[list[str | None]] = [["yes", "yes"]] * 6
    found, share = kappa(same, clusters(same), 0), observed(same, clusters(same), 0)
    assert (found.value, found.n) == (None, 6)
    # Six items do not make certainty: as far as six successes of six.
    assert (share.value, share.low, share.high) == pytest.approx((1, wilson(6, 6).low, 1))


def test_nothing_to_compare_gives_nothing() -> None:
    assert kappa([], [], 0).n == observed([], [], 0).n == 0
    assert kappa([["a", None]], ["1"], 0).value is None
    assert observed([["a", None]], ["1"], 0).value is None


@pytest.mark.parametrize("ratings", [[["a"]], [["a", "b"], ["a", "b", "c"]]])
def test_one_rater_or_uneven_rows_are_impossible(ratings: list[list[str | None]]) -> None:
    with pytest.raises(ValueError, match="two raters or more"):
        kappa(ratings, clusters(ratings), 0)


def test_clusters_must_fit() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        observed([["a", "b"]], [], 0)
    with pytest.raises(ValueError, match="do not fit"):
        kappa([["a", "b"]], [], 0)


RATINGS = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from(("a", "b", "c", None)), min_size=raters, max_size=raters),
        min_size=1,
        max_size=12,
    )
)


@settings(deadline=None, max_examples=60)
@given(ratings=RATINGS)
def test_bounds_order_and_names_of_categories_do_not_matter(ratings: list[list[str | None]]) -> None:
    found = kappa(ratings, clusters(ratings), 3)
    assert found == kappa(ratings[::-1], clusters(ratings)[::-1], 3)
    renamed = [
        [None if one is None else {"a": "z", "b": "y", "c": "x"}[one] for one in row] for row in ratings
    ]
    again = kappa(renamed, clusters(ratings), 3)
    assert again.value == (None if found.value is None else pytest.approx(found.value))
    if found.value is not None:
        assert -1 - 1e-9 <= found.value <= 1 + 1e-9
    if found.low is not None and found.high is not None and found.value is not None:
        assert found.low <= found.value <= found.high
    share = observed(ratings, clusters(ratings), 3)
    assert share.value is None or 0 <= share.value <= 1


class TestTheChanceOfACorrelation:
    @pytest.mark.parametrize("n", [3, 4, 5, 6, 11, 18, 40])
    @pytest.mark.parametrize("r", [0.0, 0.3, -0.748, 0.99])
    def test_is_the_tail_of_the_distribution_of_r(self, n: int, r: float) -> None:
        # Under no correlation r has the density (1 - r^2)^((n - 4) / 2); sin takes away the poles of n = 3.
        angles = np.linspace(0, np.pi / 2, 200_001)
        density = np.cos(angles) ** (n - 3)
        tail = np.where(np.sin(angles) >= abs(r), density, 0)
        expected = float(tail.sum() / density.sum())
        found = p_of_r(Estimate(r, n))
        assert found.value == pytest.approx(expected, abs=3e-5)
        assert found.n == n

    def test_of_the_papers_figure_is_what_the_paper_says(self) -> None:
        assert p_of_r(Estimate(-0.748, 18)).value == pytest.approx(3.575e-4, rel=1e-3)

    def test_is_nothing_without_a_correlation_and_none_on_a_line(self) -> None:
        assert p_of_r(Estimate(None, 2)) == Estimate(None, 2)
        assert p_of_r(Estimate(1.0, 9)).value == p_of_r(Estimate(-1.0, 9)).value == 0


def test_r_over_families_agrees_with_a_plain_bootstrap_of_them() -> None:
    generator = np.random.default_rng(7)
    families = [*"aaabbccdefgh"]
    x = generator.normal(size=len(families))
    y = x + generator.normal(size=len(families))
    members = [[place for place, name in enumerate(families) if name == family] for family in "abcdefgh"]
    drawn: list[float] = []
    for _ in range(4_000):
        taken: list[int] = generator.integers(0, 8, 8).tolist()
        places = [place for family in taken for place in members[family]]
        drawn.append(float(np.corrcoef(x[places], y[places])[0, 1]))
    r, p = clustered_pearson(x.tolist(), y.tolist(), families)
    assert r.value == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert (r.low, r.high) == pytest.approx(np.quantile(drawn, (0.025, 0.975)), abs=0.04)
    assert p is not None
    assert p.n == 8, "p takes as many points as there are families"
