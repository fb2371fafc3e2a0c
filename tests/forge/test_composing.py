"""Requests composed of parts: everything is asked for, everything is said, and it reads as one request."""

import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.task import Boundary
from knowact.forge.compose import Book, Composed, NoWords, compose, series
from knowact.forge.links import links, rivals, takes
from knowact.forge.parts import Part, carried_out
from knowact.forge.sample import Sampler, Wish, affinities, joint
from knowact.forge.words import REGISTERS, phrasings
from knowact.worlds.everyday.catalogue import OPERATIONS

WISHES = [
    Wish(boundary, steps, linked=linked)
    for boundary in Boundary
    for steps in (1, 2, 3)
    for linked in (False, True)
    if steps > linked and not (boundary is Boundary.HYBRID and steps == 1)
]


def composed(wish: Wish, seed: int) -> tuple[tuple[Part, ...], Composed] | None:
    rng = random.Random(seed)
    sketches = Sampler(rng).sketch(wish)
    parts = carried_out(sketches, rng, 27) if sketches else None
    if parts is None:
        return None
    try:
        return parts, compose(parts, rng.choice(REGISTERS), rng, Book())
    except NoWords:
        return None


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(WISHES), st.integers(0, 2**32))
def test_every_part_is_asked_for_or_feeds_another(wish: Wish, seed: int) -> None:
    made = composed(wish, seed)
    if made is None:
        return
    parts, request = made
    feeding = {source.part for part in parts for source in part.links.values()}
    for place, wants in enumerate(request.wants):
        assert wants or place in feeding
    assert len(parts) == wish.steps
    assert bool(feeding) == wish.linked
    sides = {part.external for part in parts}
    assert len(sides) == (2 if wish.boundary is Boundary.HYBRID else 1)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(WISHES), st.integers(0, 2**32))
def test_every_drawn_value_is_said_and_nothing_is_left_open(wish: Wish, seed: int) -> None:
    made = composed(wish, seed)
    if made is None:
        return
    parts, request = made
    for part in parts:
        for name, said in part.bound.items():
            if name not in part.links:
                assert said.words.casefold() in request.text.casefold()
    rest = request.text
    # Long ones first: a short one may stand in a long one ("8" in a document).
    for words in sorted(
        (said.words for part in parts for said in part.bound.values()), key=len, reverse=True
    ):
        rest = rest.replace(words, "_") if words else rest
    assert not re.search(r"[{}]|\s{2}|\s[.,?!]|\.\.", rest), request.text
    assert request.text[0] == request.text[0].upper()


def test_seldom_used_phrasings_come_rather() -> None:
    book = Book(Counter({"often": 50}))
    rng = random.Random(3)
    picked = Counter(book.pick([("often", 1), ("seldom", 2)], rng)[0] for _ in range(200))
    assert picked["seldom"] > 190


def test_nothing_to_pick_from_is_told() -> None:
    with pytest.raises(NoWords):
        Book().pick([], random.Random(0))


@pytest.mark.parametrize(
    ("clauses", "text"),
    [
        (["how old it is"], "how old it is"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b, and c"),
        (["salt and pepper", "b"], "salt and pepper, and b"),
    ],
)
def test_clauses_are_joined_as_a_sentence_does(clauses: list[str], text: str) -> None:
    assert series(clauses) == text


class TestLinks:
    def test_types_agree_and_noun_phrases_exist(self) -> None:
        assert len(links()) > 300
        for link in links():
            giver, taker = OPERATIONS[link.giver], OPERATIONS[link.taker]
            assert giver.yields[link.field] == taker.takes[link.parameter]
            assert phrasings()[link.giver].fields[link.field].noun
            assert set(phrasings()[link.giver].topics) & set(phrasings()[link.taker].topics)

    def test_a_title_that_the_wording_fixes_is_never_linked(self) -> None:
        for variant in phrasings()["count_words"].variants:
            assert takes(variant, "text") == (not variant.fixed)

    def test_rivals_are_rivals_both_ways(self) -> None:
        assert rivals("multiply", "convert_length")
        assert rivals("convert_length", "multiply")
        assert not rivals("get_forecast", "get_contact")


class TestAffinity:
    def test_is_symmetric_and_one_with_itself(self) -> None:
        for (one, other), value in affinities().items():
            assert value == affinities()[other, one]
            assert -0.01 <= value <= 1.01
            assert one != other or value == pytest.approx(1, abs=0.01)

    def test_joint_affinity_is_the_mean_over_pairs(self) -> None:
        trio = ["get_forecast", "get_train_fare", "get_contact"]
        pairs = [affinities()[a, b] for a, b in ((trio[0], trio[1]), (trio[0], trio[2]), (trio[1], trio[2]))]
        assert joint(trio) == pytest.approx(sum(pairs) / 3)
        assert joint(trio[:1]) == 0

    def test_tools_of_one_errand_are_nearer_than_strangers(self) -> None:
        assert (
            affinities()["get_train_fare", "get_next_train"] > affinities()["get_train_fare", "close_issue"]
        )
