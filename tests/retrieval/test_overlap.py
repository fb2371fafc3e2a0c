"""Shingles, MinHash and banding, against plain sets."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.retrieval import overlap
from knowact.retrieval.overlap import HASHES, MISSED, buckets, jaccard, normalised, rows_of_a_band, shingles

ANY_TEXT = st.text(st.characters(), max_size=40)
"""Lone surrogates included: a JSON file can bring them."""
FEW_LETTERS = st.text("ab ", max_size=30)


def plain_shingles(text: str) -> set[str]:
    padded = f" {text} ".ljust(5)
    return {padded[start : start + 5] for start in range(len(padded) - 4)}


def plain_jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


class TestNormalised:
    def test_case_width_and_white_space_do_not_count_but_signs_do(self) -> None:
        assert normalised("  Get the\n\tWEATHER ") == normalised("get the weather")
        assert normalised("\N{FULLWIDTH LATIN CAPITAL LETTER A}1") == "a1"
        assert len({normalised(text) for text in ("C", "C++", "C#", "-5", "5")}) == 5

    @settings(deadline=None)
    @given(ANY_TEXT)
    def test_case_does_not_count_in_ascii_and_white_space_nowhere(self, text: str) -> None:
        assert normalised(f"\t{text}\n ") == normalised(text)
        if text.isascii():
            assert normalised(text.upper()) == normalised(text)


class TestShingles:
    @settings(deadline=None)
    @given(ANY_TEXT)
    def test_there_are_as_many_as_different_substrings(self, text: str) -> None:
        found = shingles(text)
        assert len(found) == len(plain_shingles(text)) > 0
        assert (found[1:] > found[:-1]).all()

    def test_the_same_codes_come_out_everywhere(self) -> None:
        assert shingles("a").tolist() == [9876305403569638619]
        assert shingles("tool \N{GREEK SMALL LETTER PI}").tolist() == [
            2539071796830411228,
            6720943861050836205,
            8951550837160914419,
            11929971776832207038,
        ]
        signature = overlap.signatures([shingles("get the weather")]).astype("<u8")
        assert hashlib.sha256(signature.tobytes()).hexdigest()[:16] == "0a8030d6c83a7419"


class TestJaccard:
    @settings(deadline=None)
    @given(FEW_LETTERS, st.lists(FEW_LETTERS, max_size=5))
    def test_it_is_that_of_the_sets_of_substrings(self, one: str, others: list[str]) -> None:
        found = jaccard(shingles(one), [shingles(other) for other in others])
        expected = [plain_jaccard(plain_shingles(one), plain_shingles(other)) for other in others]
        assert found == expected

    @settings(deadline=None)
    @given(ANY_TEXT, ANY_TEXT)
    def test_it_is_symmetric_and_one_for_a_text_with_itself(self, one: str, other: str) -> None:
        first, second = shingles(one), shingles(other)
        assert jaccard(first, [second]) == jaccard(second, [first])
        assert jaccard(first, [first]) == [1.0]


class TestSignatures:
    def test_agreement_estimates_the_jaccard_index_without_bias(self) -> None:
        rng = np.random.default_rng(0)
        letters = np.array(list("abcdefgh"))
        errors: list[float] = []
        for _ in range(200):
            text = "".join(rng.choice(letters, 120))
            cut = int(rng.integers(0, 120))
            sets = [shingles(text), shingles(text[:cut] + "".join(rng.choice(letters, 120 - cut)))]
            (exact,) = jaccard(sets[0], sets[1:])
            one, other = overlap.signatures(sets)
            estimate = float((one == other).mean())
            # Five standard errors; a pair that agrees in all or nothing has none.
            assert abs(estimate - exact) <= 5 * (exact * (1 - exact) / HASHES) ** 0.5
            errors.append(estimate - exact)
        assert abs(float(np.mean(errors))) < 0.01

    @settings(deadline=None, max_examples=30)
    @given(st.lists(FEW_LETTERS, min_size=1, max_size=8))
    def test_a_signature_depends_on_its_own_text_alone(self, texts: list[str]) -> None:
        together = overlap.signatures([shingles(text) for text in texts])
        alone = [overlap.signatures([shingles(text)])[0].tolist() for text in texts]
        assert together.tolist() == alone

    def test_many_texts_are_hashed_like_few(self) -> None:
        sets = [shingles(f"text number {number}") for number in range(450)]
        found = overlap.signatures(sets)
        assert found.shape == (450, HASHES)
        assert found[430:].tolist() == overlap.signatures(sets[430:]).tolist()


class TestBanding:
    @pytest.mark.parametrize(("threshold", "rows"), [(0.11, 1), (0.5, 2), (0.8, 4), (0.9, 6), (1.0, HASHES)])
    def test_as_many_rows_as_hardly_miss_a_pair_at_the_threshold(self, threshold: float, rows: int) -> None:
        def missed(rows: int) -> float:
            return (1 - threshold**rows) ** (HASHES // rows)

        assert rows_of_a_band(threshold) == rows
        assert missed(rows) <= MISSED
        assert rows == HASHES or missed(rows + 1) > MISSED

    @pytest.mark.parametrize("threshold", [-0.5, 0.0, 0.1, 1.01, float("nan")])
    def test_a_threshold_out_of_reach_is_refused(self, threshold: float) -> None:
        with pytest.raises(ValueError, match=r"from 0\.11 to 1, not"):
            rows_of_a_band(threshold)

    def test_texts_share_a_bucket_where_a_band_agrees_and_no_other_is_listed(self) -> None:
        table = np.array([[1, 2, 3, 4, 9], [1, 2, 5, 6, 9], [7, 8, 5, 6, 9], [0, 2, 3, 6, 9]], np.uint64)
        first, second, third, alone = buckets(table, rows=2)
        assert len(first) == len(third) == 1
        assert set(second) == {*first, *third}
        assert set(first).isdisjoint(third)
        assert alone == []
