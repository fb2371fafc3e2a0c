"""Duplicates against comparing everything with everything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core import seeds
from knowact.retrieval.duplicates import Deduplicated, without_duplicates
from knowact.retrieval.overlap import jaccard, normalised, shingles

PHRASES = ("get the weather", "of a city", "in Lisbon", "for tomorrow", "book a table", "two people")
TEXTS = st.lists(
    st.lists(st.sampled_from([*PHRASES, "Of A City", " ", "x"]), max_size=5).map(" ".join), max_size=10
)
"""So few phrases that many texts are alike, and some the same."""
THRESHOLDS = st.sampled_from([0.3, 0.5, 0.8, 1.0])


def similarity(one: str, other: str) -> float:
    first, second = (shingles(normalised(text)) for text in (one, other))
    return jaccard(first, [second])[0]


class TestSimilarity:
    @settings(deadline=None)
    @given(st.text(max_size=30), st.text(max_size=30))
    def test_it_is_symmetric_within_its_bounds_and_one_for_exact_duplicates(
        self, one: str, other: str
    ) -> None:
        assert 0 <= similarity(one, other) == similarity(other, one) <= 1
        assert similarity(one, f" {one}\n") == 1

    def test_a_changed_word_is_nearer_than_another_request(self) -> None:
        request = "Could you tell me whether it rains in Lisbon tomorrow afternoon?"
        moved = similarity(request, request.replace("Lisbon", "Antwerp"))
        assert 0.6 < moved < 0.8
        assert similarity(request, "Who sent me the last mail about the invoice?") < 0.1

    def test_texts_of_different_letters_share_nothing_and_empty_ones_are_equal(self) -> None:
        assert similarity("abcdefgh", "12345678") == 0
        assert similarity("", "  ") == 1
        assert similarity("", "a") == 0


class TestWithoutDuplicates:
    def test_planted_pairs_are_found_among_many_texts(self) -> None:
        rng = seeds.generator(0, "planted")
        letters = "abcdefghijklmnopqrstuvwxyz     "
        texts = ["".join(rng.choices(letters, k=150)) for _ in range(600)]
        planted = [f"{text[:75]}Q{text[76:]}" for text in texts[:100]]
        assert without_duplicates([*texts, *planted], 0.8).dropped == {600 + i: i for i in range(100)}

    def test_different_texts_with_the_same_shingles_are_alike(self) -> None:
        assert without_duplicates(["a" * 20, "a" * 30], 1.0).dropped == {1: 0}

    @pytest.mark.parametrize("threshold", [0, 0.05, 1.5])
    def test_a_threshold_out_of_reach_is_refused(self, threshold: float) -> None:
        with pytest.raises(ValueError, match=r"from 0\.11 to 1"):
            without_duplicates([], threshold)

    def test_each_that_goes_names_the_one_it_repeats(self) -> None:
        long = "Returns the opening hours of a museum, day by day, for the coming week"
        texts = [
            "Get weather",
            f"{long}.",
            "get  WEATHER",
            f"{long}!",
            long.upper(),
            "Book a table",
            f" {long}! ",
        ]
        assert without_duplicates(texts, 0.8) == Deduplicated(
            indices=(0, 1, 5), dropped={2: 0, 3: 1, 4: 1, 6: 1}, exact=2, near=2
        )

    def test_the_nearest_of_those_that_stay_is_named(self) -> None:
        base = "the quick brown fox jumps over the lazy dog and runs away"
        texts = [base.replace("lazy", "late"), base.replace("away", "home"), f"{base}s"]
        first, second = (similarity(texts[2], text) for text in texts[:2])
        assert similarity(texts[0], texts[1]) < 0.7 < first < second
        assert without_duplicates(texts, 0.7).dropped == {2: 1}

    def test_of_two_that_are_equally_near_the_first_is_named(self) -> None:
        base = "abcdefghijklmnopqrstuvwxyz"
        texts = [base.replace("h", "1"), base.replace("s", "2"), base]
        first, second = (similarity(texts[2], text) for text in texts[:2])
        assert similarity(*texts[:2]) < 0.6 < first == second
        assert without_duplicates(texts, 0.6).dropped == {2: 0}

    @settings(deadline=None)
    @given(TEXTS, THRESHOLDS)
    def test_it_is_the_greedy_choice_in_the_given_order(self, texts: list[str], threshold: float) -> None:
        stay: list[int] = []
        for place, text in enumerate(texts):
            if all(similarity(text, texts[other]) < threshold for other in stay):
                stay.append(place)
        assert without_duplicates(texts, threshold).indices == tuple(stay)

    @settings(deadline=None)
    @given(TEXTS, THRESHOLDS)
    def test_each_text_stays_or_goes(self, texts: list[str], threshold: float) -> None:
        kept = without_duplicates(texts, threshold)
        assert sorted((*kept.indices, *kept.dropped)) == list(range(len(texts)))
        assert set(kept.dropped.values()) <= set(kept.indices)
        assert kept.exact == len(texts) - len({normalised(text) for text in texts})
        assert kept.exact + kept.near == len(kept.dropped)
        again = without_duplicates([texts[i] for i in kept.indices], threshold)
        assert again.indices == tuple(range(len(kept.indices)))

    @settings(deadline=None)
    @given(TEXTS.flatmap(lambda texts: st.tuples(st.just(texts), st.permutations(texts))))
    def test_how_many_are_exact_does_not_depend_on_the_order(self, case: tuple[list[str], list[str]]) -> None:
        texts, turned = case
        assert without_duplicates(texts, 0.8).exact == without_duplicates(turned, 0.8).exact
