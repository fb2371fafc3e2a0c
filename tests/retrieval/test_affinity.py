"""Affinity: exact arithmetic and the same neighbours on every machine."""

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from knowact.core import seeds
from knowact.retrieval import affinity
from knowact.retrieval.affinity import STEP, Matrix, top, unit_rows, vectors

WORDS = st.sampled_from(["rain", "bank", "flight", "flights", "song", "the", "snow", "bill", "goal", "egg"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=12)

SCENARIOS = (
    "A traveller asks whether the flight to Lisbon leaves on time.",
    "A traveller books two flights to Lisbon for the weekend.",
    "A cook has eggs and flour and asks what to bake.",
    "A cook doubles a recipe for the weekend.",
    "",
)


def affinities(matrix: Matrix) -> Matrix:
    """The cosine of every row with every row."""
    return matrix @ matrix.T


def plain_cosines(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    rows = matrix / np.where(lengths > 0, lengths, 1)
    return rows @ rows.T


def sorted_others(scores: Matrix, row: int, k: int) -> list[int]:
    """The k best of one row by a plain sort of everything."""
    others = [other for other in range(len(scores)) if other != row]
    return sorted(others, key=lambda other: (-float(scores[row, other]), other))[:k]


class TestVectors:
    def test_what_shares_words_is_near_and_a_plural_is_its_singular(self) -> None:
        found = affinities(vectors(SCENARIOS))
        assert found[0, 1] > found[0, 2]
        assert found[2, 3] > found[2, 1]
        assert affinities(vectors(["flight", "flights"]))[0, 1] == 1

    def test_a_rare_word_counts_for_more_than_a_common_one(self) -> None:
        found = affinities(vectors(["the snow", "the rain", "the bank", "a snow"]))
        assert found[0, 3] > found[0, 1]

    def test_a_text_without_words_has_no_affinity_to_anything(self) -> None:
        assert affinities(vectors(SCENARIOS))[4].tolist() == [0] * len(SCENARIOS)
        assert vectors(["", "?!"]).shape == (2, 0)
        assert vectors([]).shape == (0, 0)

    @settings(deadline=None)
    @given(TEXTS)
    def test_rows_have_length_one_and_equal_texts_equal_rows(self, texts: list[str]) -> None:
        matrix = vectors([*texts, texts[0]])
        lengths = np.linalg.norm(matrix, axis=1)
        assert matrix.dtype == np.float32
        assert all(abs(length - bool(text)) < 0.002 for length, text in zip(lengths, texts, strict=False))
        assert matrix[0].tolist() == matrix[-1].tolist()

    @settings(deadline=None)
    @given(TEXTS.flatmap(lambda texts: st.tuples(st.just(texts), st.permutations(range(len(texts))))))
    def test_affinities_do_not_depend_on_the_order_of_the_texts(
        self, case: tuple[list[str], list[int]]
    ) -> None:
        texts, order = case
        straight, turned = affinities(vectors(texts)), affinities(vectors([texts[i] for i in order]))
        assert turned.tolist() == straight[np.ix_(order, order)].tolist()

    def test_words_beyond_the_columns_share_them_and_leave_affinities_nearly_as_they_are(self) -> None:
        rng = seeds.generator(0, "words")
        vocabulary = [f"word{number}" for number in range(2_000)]
        texts = [" ".join(rng.sample(vocabulary, 20)) for _ in range(200)]
        # Neighbours have half of their words in common.
        texts += [" ".join([*text.split()[:10], *rng.sample(vocabulary, 10)]) for text in texts]
        alone, shared = vectors(texts, columns=10_000), vectors(texts, columns=512)
        assert alone.shape[1] > 1_500
        assert shared.shape[1] == 512
        assert (top(shared, 1).indices == top(alone, 1).indices).mean() > 0.99
        error = affinities(shared) - affinities(alone)
        assert abs(float(error.mean())) < 0.005
        assert float(error.std()) < 0.06

    def test_no_column_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at least one column, not 0"):
            vectors(["rain"], columns=0)

    def test_the_same_numbers_come_out_everywhere(self) -> None:
        matrix = vectors(SCENARIOS, columns=8)
        units = np.rint(matrix / STEP).astype("<i4")
        assert hashlib.sha256(units.tobytes()).hexdigest()[:16] == "64b430c9e45e710a"


class TestUnitRows:
    @settings(deadline=None)
    @given(st.integers(0, 2**32 - 1), st.sampled_from([1e-30, 1.0, 1e30]))
    def test_cosines_of_an_embedding_stay_within_a_few_thousandths(self, seed: int, size: float) -> None:
        embedding = np.random.default_rng(seed).normal(size=(8, 64))
        rows = unit_rows(embedding * size)
        assert np.abs(affinities(rows) - plain_cosines(embedding)).max() < 0.003

    @settings(deadline=None)
    @given(st.integers(0, 2**32 - 1))
    def test_products_are_exact_in_whatever_order_they_are_added(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        rows = unit_rows(rng.normal(size=(6, 300)))
        order = rng.permutation(300)
        exact = np.rint(rows / STEP).astype(np.int64)
        assert (affinities(rows) == (exact @ exact.T) * STEP**2).all()
        assert (affinities(rows) == affinities(np.ascontiguousarray(rows[:, order]))).all()

    def test_zeros_stay_zeros(self) -> None:
        assert unit_rows(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist() == [
            [0, 0],
            pytest.approx([0.6, 0.8], abs=STEP),
        ]

    @pytest.mark.parametrize("entry", [math.nan, math.inf])
    def test_what_is_no_number_is_refused(self, entry: float) -> None:
        with pytest.raises(ValueError, match="infinite or not a number"):
            unit_rows(np.array([[1.0, entry]]))

    def test_what_is_no_matrix_is_refused(self) -> None:
        with pytest.raises(ValueError, match="1 dimensions"):
            unit_rows(np.array([1.0, 0.0]))


class TestTop:
    @settings(deadline=None)
    @given(
        TEXTS.filter(lambda texts: len(texts) > 1).flatmap(
            lambda texts: st.tuples(st.just(texts), st.integers(1, len(texts) - 1), st.integers(1, 40))
        )
    )
    def test_it_finds_what_sorting_everything_finds_ties_included(
        self, case: tuple[list[str], int, int]
    ) -> None:
        texts, k, held = case
        matrix = vectors(texts)
        scores = affinities(matrix)
        with pytest.MonkeyPatch.context() as patch:
            # So few scores at a time that there are several blocks.
            patch.setattr(affinity, "SCORES", held)
            found = top(matrix, k)
        expected = [sorted_others(scores, row, k) for row in range(len(texts))]
        assert found.indices.tolist() == expected
        assert found.scores.tolist() == np.take_along_axis(scores, np.array(expected), axis=1).tolist()

    def test_of_many_equals_the_first_find_room(self) -> None:
        found = top(vectors(["rain"] * 50), 3)
        assert found.indices[0].tolist() == [1, 2, 3]
        assert found.indices[2].tolist() == [0, 1, 3]
        assert found.indices[49].tolist() == [0, 1, 2]

    def test_an_embedding_does_as_well(self) -> None:
        embedding = np.random.default_rng(0).normal(size=(30, 16))
        embedding /= np.linalg.norm(embedding, axis=1, keepdims=True)
        cosines = plain_cosines(embedding).astype(np.float32)
        assert top(embedding.astype(np.float32), 4).indices.tolist() == [
            sorted_others(cosines, row, 4) for row in range(30)
        ]

    @pytest.mark.parametrize("k", [0, -1, 3, 4])
    def test_more_others_than_there_are_is_refused(self, k: int) -> None:
        with pytest.raises(ValueError, match=f"3 rows has 2 others, so k cannot be {k}"):
            top(vectors(["rain", "snow", "egg"]), k)

    def test_rows_of_another_length_are_refused(self) -> None:
        with pytest.raises(ValueError, match="row 1 has the length 5, not 1: use unit_rows first"):
            top(np.array([[1, 0], [3, 4]], np.float32), 1)
