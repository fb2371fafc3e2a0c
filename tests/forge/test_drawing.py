"""Drawn values, and the words for them."""

import datetime as dt
import random
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.forge.bind import arguments, filled
from knowact.forge.draw import Said, admits, cities, draw, far_day, near_day, number
from knowact.forge.words import (
    Clock,
    Fractional,
    Key,
    Lines,
    NearDay,
    OneOf,
    Place_,
    Several,
    Whole,
    phrasings,
)

TODAY = dt.date(2026, 3, 12)
SEEDS = st.integers(0, 2**32)
many = settings(deadline=None, max_examples=60)


@many
@given(SEEDS)
def test_a_draw_stays_within_its_bounds(seed: int) -> None:
    rng = random.Random(seed)
    assert draw(Whole(whole=(5, 50), step=5), TODAY, rng).value in range(5, 51, 5)
    assert 1.5 <= draw(Fractional(decimal=(1.5, 9.9), places=2), TODAY, rng).value <= 9.91
    assert "06:00" <= draw(Clock(time=("06:00", "22:00")), TODAY, rng).value <= "22:00"
    assert draw(Place_(city="coastal"), TODAY, rng).value in cities("coastal")


@many
@given(SEEDS)
def test_a_fraction_never_ends_in_a_zero(seed: int) -> None:
    value = draw(Fractional(decimal=(1, 99), places=2), TODAY, random.Random(seed)).value
    assert len(str(value).partition(".")[2]) == 2


@many
@given(SEEDS)
def test_a_drawn_argument_differs_where_it_must(seed: int) -> None:
    words = phrasings()["get_train_fare"]
    bound = arguments(words, words.variants[0], random.Random(seed))
    assert bound["origin"].value != bound["destination"].value


@many
@given(SEEDS)
def test_a_list_has_different_values_and_says_them_all(seed: int) -> None:
    how = Several(list_of=Whole(whole=(10, 99)), count=(3, 5))
    said = draw(how, TODAY, random.Random(seed))
    assert 3 <= len(set(said.value)) == len(said.value) <= 5
    assert all(str(value) in said.words for value in said.value)
    assert " and " in said.words


def test_lines_are_a_text_for_the_call_and_a_list_for_the_reader() -> None:
    said = draw(Lines(lines=("oats", "rye", "figs"), count=(2, 2)), TODAY, random.Random(1))
    assert said.value.splitlines() == said.words.split(", ")


@pytest.mark.parametrize(
    ("ahead", "words", "on"),
    [
        (0, "today", "today"),
        (1, "tomorrow", "tomorrow"),
        (2, "Saturday", "on Saturday"),
        (6, "Wednesday", "on Wednesday"),
        (7, "19 March", "on 19 March"),
        (-1, "yesterday", "yesterday"),
        (-5, "7 March", "on 7 March"),
    ],
)
def test_near_days_are_said_as_people_say_them(ahead: int, words: str, on: str) -> None:
    said = near_day(TODAY + dt.timedelta(days=ahead), TODAY)
    assert (said.words, said.on, said.origin) == (words, on, "context")


def test_far_days_are_said_in_full() -> None:
    assert far_day(dt.date(1987, 6, 5)).words == "5 June 1987"
    assert far_day(dt.date(1987, 6, 5)).origin == "query"


def test_numbers_are_written_with_commas() -> None:
    assert [number(one) for one in (1234567, 48219.37, 80.0, "NDKP", True)] == [
        "1,234,567",
        "48,219.37",
        "80",
        "NDKP",
        "True",
    ]


def test_a_parameter_is_put_into_the_words_of_its_phrasing() -> None:
    rng = random.Random(0)
    assert draw(OneOf(one_of=("first",)), TODAY, rng, {"first": "first class"}).words == "first class"
    assert draw(Whole(whole=(80, 80)), TODAY, rng, "{} euros").words == "80 euros"


def test_a_value_of_another_part_is_taken_only_where_it_could_have_been_drawn() -> None:
    assert admits(Place_(city="coastal"), "Lisbon", TODAY)
    assert not admits(Place_(city="coastal"), "Berlin", TODAY)
    assert admits(NearDay(day=(1, 12)), "2026-03-20", TODAY)
    assert not admits(NearDay(day=(1, 3)), "2026-03-20", TODAY)
    assert admits(Key(table="contacts"), "Maria Lindqvist", TODAY)
    assert not admits(Key(table="contacts", only=("Tom Okafor",)), "Maria Lindqvist", TODAY)
    assert not admits(Whole(whole=(1, 9)), 5, TODAY)


class TestFilling:
    SAID: ClassVar = {"day": Said("2026-03-13", "tomorrow", "tomorrow"), "name": Said("ndkp", "ndkp", "ndkp")}

    def test_a_slot_that_opens_a_sentence_gets_a_capital(self) -> None:
        assert filled("{day}: rain?", self.SAID, opens=True) == "Tomorrow: rain?"
        assert filled("Off we go. {day:on} it is.", self.SAID) == "Off we go. Tomorrow it is."

    def test_a_slot_inside_one_does_not(self) -> None:
        assert filled("{day}, if it rains", self.SAID) == "tomorrow, if it rains"

    def test_a_value_is_never_changed(self) -> None:
        assert filled("{name} today?", self.SAID, opens=True) == "ndkp today?"
