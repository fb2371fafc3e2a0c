"""Sample sizes: a published table, closed forms, exact power by enumeration."""

import math
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.measures.power import (
    Sample,
    chi_square_quantile,
    chi_square_tail,
    discordant_by_chance,
    discordant_range,
    goodness_of_fit,
    two_shares,
    two_shares_paired,
)

NORMAL = NormalDist()

DF = st.integers(1, 60)
ALPHAS = st.floats(1e-6, 0.5)
SHARES = st.floats(0.02, 0.98)
quick = settings(deadline=None, max_examples=60)


class TestGoodnessOfFit:
    @pytest.mark.parametrize(
        ("df", "large", "medium"),
        [(1, 66.9, 185.7), (2, 77.6, 215.5), (3, 85.3, 236.8), (4, 91.6, 254.3), (5, 97.0, 269.6)],
    )
    def test_the_specifications_table_comes_out(self, df: int, large: float, medium: float) -> None:
        assert round(goodness_of_fit(0.5, 0.005, 0.9, df).exact, 1) == large
        assert round(goodness_of_fit(0.3, 0.005, 0.9, df).exact, 1) == medium

    def test_the_published_92_is_that_of_four_degrees_of_freedom(self) -> None:
        needed = {df: goodness_of_fit(0.5, 0.005, 0.9, df).needed for df in range(1, 11)}
        assert [df for df, n in needed.items() if n == 92] == [4]
        assert goodness_of_fit(0.3, 0.005, 0.9, 4).needed == 255

    @quick
    @given(st.floats(0.05, 2), ALPHAS, st.floats(0.01, 0.99), DF)
    def test_the_size_found_has_just_the_power_asked_for(
        self, effect: float, alpha: float, part: float, df: int
    ) -> None:
        power = alpha + part * (1 - alpha)
        found = goodness_of_fit(effect, alpha, power, df).exact
        critical = chi_square_quantile(1 - alpha, df)
        assert chi_square_tail(critical, df, found * effect**2) == pytest.approx(power, abs=1e-6)

    @pytest.mark.slow
    @quick
    @given(st.floats(0.05, 1), st.floats(1.01, 3), ALPHAS, DF)
    def test_less_effect_takes_more_by_its_square(
        self, effect: float, times: float, alpha: float, df: int
    ) -> None:
        one, other = (goodness_of_fit(w, alpha, 0.9, df).exact for w in (effect, effect * times))
        assert one == pytest.approx(other * times**2, rel=1e-9)

    @pytest.mark.slow
    @quick
    @given(ALPHAS, st.floats(0.55, 0.95), DF)
    def test_more_power_fewer_false_alarms_and_more_bins_take_more(
        self, alpha: float, power: float, df: int
    ) -> None:
        found = goodness_of_fit(0.3, alpha, power, df).exact
        assert goodness_of_fit(0.3, alpha, power + 0.04, df).exact > found
        assert goodness_of_fit(0.3, alpha / 2, power, df).exact > found
        assert goodness_of_fit(0.3, alpha, power, df + 1).exact > found

    def test_extremes_end_and_are_finite(self) -> None:
        for alpha, power, df in ((1e-12, 0.999999, 1), (1e-9, 0.5, 2_000), (0.5, 0.500001, 1)):
            assert 0 < goodness_of_fit(0.5, alpha, power, df).exact < 1e6

    @pytest.mark.parametrize(
        ("effect", "alpha", "power", "df", "said"),
        [
            (0, 0.05, 0.9, 1, "an effect is a number of at least"),
            (math.nan, 0.05, 0.9, 1, "an effect"),
            (math.inf, 0.05, 0.9, 1, "an effect"),
            (0.5, 0, 0.9, 1, "alpha lies"),
            (0.5, 1, 0.9, 1, "alpha lies"),
            (0.5, math.nan, 0.9, 1, "alpha lies"),
            (0.5, 0.05, 1, 1, "power lies above alpha"),
            (0.5, 0.05, 0.05, 1, "power lies above alpha"),
            (0.5, 0.05, 0.9, 0, "degrees of freedom"),
            (0.5, 0.05, 0.9, 10_001, "degrees of freedom"),
        ],
    )
    def test_impossible_arguments_are_refused(
        self, effect: float, alpha: float, power: float, df: int, said: str
    ) -> None:
        with pytest.raises(ValueError, match=said):
            goodness_of_fit(effect, alpha, power, df)


class TestTheDistribution:
    @quick
    @given(st.floats(0.001, 0.999))
    def test_two_degrees_are_an_exponential(self, probability: float) -> None:
        assert chi_square_quantile(probability, 2) == pytest.approx(-2 * math.log(1 - probability), rel=1e-9)

    @quick
    @given(st.floats(0, 60), st.floats(0, 60))
    def test_one_degree_is_a_squared_normal_that_is_shifted(self, value: float, noncentrality: float) -> None:
        root, shift = math.sqrt(value), math.sqrt(noncentrality)
        exact = NORMAL.cdf(shift - root) + NORMAL.cdf(-shift - root)
        assert chi_square_tail(value, 1, noncentrality) == pytest.approx(exact, abs=1e-10)

    @quick
    @given(st.integers(1, 40), st.floats(0.001, 120))
    def test_even_degrees_are_a_sum_of_poisson_weights(self, half: int, value: float) -> None:
        mean = value / 2
        terms = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(half)]
        assert chi_square_tail(value, 2 * half) == pytest.approx(math.fsum(terms), abs=1e-10)

    @quick
    @given(st.floats(0.001, 0.999), DF)
    def test_quantile_and_tail_are_inverse(self, probability: float, df: int) -> None:
        assert chi_square_tail(chi_square_quantile(probability, df), df) == pytest.approx(
            1 - probability, abs=1e-9
        )

    @quick
    @given(st.floats(0.1, 100), DF, st.floats(0, 50), st.floats(0.1, 20))
    def test_a_larger_shift_has_more_in_the_tail(
        self, value: float, df: int, noncentrality: float, more: float
    ) -> None:
        low, high = (chi_square_tail(value, df, shift) for shift in (noncentrality, noncentrality + more))
        assert 0 <= low <= high <= 1

    @pytest.mark.parametrize(("value", "df", "noncentrality"), [(-1, 1, 0), (1, 0, 0), (1, 1, -1)])
    def test_impossible_arguments_are_refused(self, value: float, df: int, noncentrality: float) -> None:
        with pytest.raises(ValueError, match=r"not negative|positive"):
            chi_square_tail(value, df, noncentrality)

    @pytest.mark.parametrize("probability", [0, 1, -0.1, math.nan])
    def test_impossible_probabilities_are_refused(self, probability: float) -> None:
        with pytest.raises(ValueError, match="probability"):
            chi_square_quantile(probability, 3)


def binomial(n: int, share: float) -> list[float]:
    return [math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]


def exact_power_unpaired(first: float, second: float, n: int, alpha: float) -> float:
    """How often the test of two pooled shares finds the difference, over all outcomes of two groups."""
    critical = NORMAL.inv_cdf(1 - alpha / 2)
    ones, others = binomial(n, first), binomial(n, second)
    power = 0.0
    for a, chance in enumerate(ones):
        for b, other in enumerate(others):
            mean = (a + b) / (2 * n)
            error = math.sqrt(2 * mean * (1 - mean) / n)
            if error and abs(a - b) / n >= critical * error:
                power += chance * other
    return power


def exact_power_paired(first: float, second: float, discordant: float, n: int, alpha: float) -> float:
    """How often McNemar's test (its normal form) finds the difference, over all outcomes."""
    critical = NORMAL.inv_cdf(1 - alpha / 2)
    towards_first = (discordant + first - second) / 2 / discordant
    power = 0.0
    for pairs, chance in enumerate(binomial(n, discordant)):
        for wins, other in enumerate(binomial(pairs, towards_first)):
            if pairs and abs(2 * wins - pairs) >= critical * math.sqrt(pairs):
                power += chance * other
    return power


class TestTwoShares:
    @pytest.mark.parametrize(
        ("first", "second", "needed"),
        # Textbook values without continuity correction, alpha 0.05 two-sided, power 0.8.
        [(0.5, 0.6, 388), (0.4, 0.6, 97), (0.1, 0.2, 199)],
    )
    def test_known_sizes_come_out(self, first: float, second: float, needed: int) -> None:
        assert two_shares(first, second, 0.05, 0.8).needed == needed

    @pytest.mark.parametrize(("first", "second"), [(0.3, 0.5), (0.36, 0.61), (0.6, 0.85)])
    def test_the_size_has_about_the_power_asked_for(self, first: float, second: float) -> None:
        n = two_shares(first, second, 0.05, 0.8).needed
        assert exact_power_unpaired(first, second, n, 0.05) == pytest.approx(0.8, abs=0.03)

    @pytest.mark.parametrize(
        ("first", "second", "discordant"), [(0.36, 0.46, 0.3), (0.4, 0.55, 0.5), (0.5, 0.6, 0.2)]
    )
    def test_the_paired_size_has_about_the_power_asked_for(
        self, first: float, second: float, discordant: float
    ) -> None:
        n = two_shares_paired(first, second, discordant, 0.05, 0.8).needed
        assert exact_power_paired(first, second, discordant, n, 0.05) == pytest.approx(0.8, abs=0.03)

    @quick
    @given(SHARES, SHARES, ALPHAS, st.floats(0.55, 0.95))
    def test_order_and_direction_do_not_matter(
        self, first: float, second: float, alpha: float, power: float
    ) -> None:
        if abs(first - second) < 1e-3:
            return
        size = two_shares(first, second, alpha, power).exact
        assert two_shares(second, first, alpha, power).exact == pytest.approx(size)
        assert two_shares(1 - first, 1 - second, alpha, power).exact == pytest.approx(size, rel=1e-6)

    @quick
    @given(SHARES, SHARES, st.floats(0, 1), st.floats(0, 1))
    def test_the_more_two_runs_differ_on_items_the_more_it_takes(
        self, first: float, second: float, part: float, other: float
    ) -> None:
        if abs(first - second) < 1e-3:
            return
        low, high = discordant_range(first, second)
        less, more = (low + one * (high - low) for one in sorted((part, other)))
        sizes = [two_shares_paired(first, second, one, 0.05, 0.8).exact for one in (less, more)]
        assert sizes[0] <= sizes[1] * (1 + 1e-9)

    def test_two_runs_can_differ_on_no_more_items_than_either_outcome_leaves(self) -> None:
        assert discordant_range(0.2, 0.3) == pytest.approx((0.1, 0.5))
        assert discordant_range(0.8, 0.9) == pytest.approx((0.1, 0.3))
        for discordant in (0.1, 0.3):  # the edges themselves are possible
            assert two_shares_paired(0.8, 0.9, discordant, 0.05, 0.8).exact > 1

    @quick
    @given(st.floats(0.2, 0.65), st.floats(0.02, 0.15))
    def test_runs_that_have_nothing_in_common_take_as_many_items_as_a_group_of_other_items(
        self, first: float, gap: float
    ) -> None:
        chance = discordant_by_chance(first, first + gap)
        low, high = discordant_range(first, first + gap)
        assert low < chance < high
        paired = two_shares_paired(first, first + gap, chance, 0.05, 0.8).exact
        assert paired == pytest.approx(two_shares(first, first + gap, 0.05, 0.8).exact, rel=0.06)

    @pytest.mark.parametrize(
        ("first", "second", "said"),
        [(0.5, 0.5, "must differ"), (-0.1, 0.5, "between 0 and 1"), (0.5, math.nan, "between 0 and 1")],
    )
    def test_impossible_shares_are_refused(self, first: float, second: float, said: str) -> None:
        with pytest.raises(ValueError, match=said):
            two_shares(first, second, 0.05, 0.8)
        with pytest.raises(ValueError, match=said):
            two_shares_paired(first, second, 0.3, 0.05, 0.8)

    @pytest.mark.parametrize("discordant", [0.09, 0.91, math.nan])
    def test_discordance_that_the_shares_do_not_allow_is_refused(self, discordant: float) -> None:
        with pytest.raises(ValueError, match=r"between 0\.1 and 0\.9 of all"):
            two_shares_paired(0.4, 0.5, discordant, 0.05, 0.8)

    def test_the_ends_of_what_is_possible_are_allowed(self) -> None:
        assert two_shares_paired(0.4, 0.5, 0.5 - 0.4, 0.05, 0.8).needed > 1
        assert two_shares_paired(0.0, 1.0, 1.0, 0.05, 0.8).needed >= 1


@pytest.mark.parametrize(
    ("exact", "needed"), [(91.6, 92), (92.0, 92), (92.0000000001, 92), (0.2, 1), (92.1, 93)]
)
def test_sizes_are_rounded_up(exact: float, needed: int) -> None:
    assert Sample(exact).needed == needed
