"""One comparator per kind: right, wrong, or not in its quotes."""

import datetime as dt
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.core.task import Fact
from knowact.reading.comparing import Given, SlotComparison, compare, same


def state(fact: Fact, value: Any, *quotes: str, unit: str = "") -> str:
    return compare(fact, Given(value, unit, quotes or (str(value),))).state


def number(value: float, unit: str = "", **more: Any) -> Fact:
    return Fact(kind="number", value=value, unit=unit, **more)


class TestNumbers:
    @pytest.mark.parametrize(
        ("fact", "value", "unit", "quote", "expected"),
        [
            (number(21), 21, "", "21 degrees", "right"),
            (number(21), "21", "", "21 degrees", "right"),
            (number(21), "21.0", "", "21.0", "right"),
            (number(21), 22, "", "22 degrees", "wrong"),
            (number(21), 21, "", "22 degrees", "unfounded"),
            (number(21), "warm", "", "warm", "unfounded"),
            (number(21), True, "", "yes", "unfounded"),
            (number(12), "12", "", "twelve seats", "right"),
            (number(12), "13", "", "twelve seats", "wrong"),
            (number(-4), "-4", "", "minus 4 at night", "right"),
            (number(4), "4", "", "it is -4", "unfounded"),
            (number(1234), "1.234", "", "1.234 people", "right"),
            (number(1.234), "1.234", "", "1.234 people", "right"),
            (number(100, tolerance=0.5), "100.4", "", "100.4", "right"),
            (number(100, tolerance=0.5), "100.6", "", "100.6", "wrong"),
            (number(5, "km"), "5", "km", "5 km", "right"),
            (number(5, "km"), "5,000", "m", "5,000 m", "right"),
            (number(5, "km"), "5", "m", "5 m", "wrong"),
            (number(5, "km"), "5", "", "5 of them", "right"),
            (number(5, "km"), "5 km", "", "5 km", "right"),
            (number(5, "km"), "5", "other", "5 furlongs", "wrong"),
            (number(5, "km"), "5", "kg", "5 kg", "wrong"),
            (number(20, "\u00b0C"), "68", "\u00b0F", "68 \u00b0F", "right"),
            (number(135, "min"), "2 h 15 min", "", "2 h 15 min", "right"),
            (number(135, "min"), "2.25", "h", "2.25 hours", "right"),
            (number(0, "mm"), "0", "mm", "no rain at all", "right"),
            (number(12), "twelve", "", "twelve seats", "right"),
            (number(12), "thirteen", "", "thirteen seats", "wrong"),
            (number(0, "km"), "far", "", "far", "unfounded"),
            (number(21), math.nan, "", "warm", "unfounded"),
            (number(21), math.inf, "", "warm", "unfounded"),
            (number(1234), 1.234, "", "1.234 people", "wrong"),
            (number(98765432.1, tolerance=0.1), 98765432.2, "", "98,765,432.2", "right"),
            (number(5.04, "km"), "5.0", "km", "5.0 km", "wrong"),
            (number(12), "12 kg", "", "12 kg", "right"),
            (number(12, "seats"), "12", "seats", "12 seats", "right"),
            (number(12, "seats"), "12", "", "12", "right"),
            (number(12, "seats"), "12 kg", "", "12 kg", "wrong"),
            (number(20, "EUR"), "\u20ac20", "", "\u20ac20", "right"),
            (number(20, "EUR"), "about 20", "", "about 20", "right"),
            (number(20, "EUR"), "$20", "", "$20", "wrong"),
            (number(45, "\u00b0C"), "21 to 24 \u00b0C", "", "21 to 24 \u00b0C", "unfounded"),
            (number(7), "3 kg 4 g", "", "3 kg 4 g", "unfounded"),
            (number(8130, "s"), "2 h 15 min", "", "2 h 15 min", "right"),
            (number(8140, "s"), "2 h 15 min", "", "2 h 15 min", "wrong"),
            (number(136, "min"), "2 h 15 min", "", "2 h 15 min", "wrong"),
            (number(5, "km"), "5000 m.", "", "5000 m.", "right"),
            (number(5, "km"), "5000 m away", "", "5000 m away", "right"),
        ],
    )
    def test_examples(self, fact: Fact, value: object, unit: str, quote: str, expected: str) -> None:
        assert state(fact, value, quote, unit=unit) == expected

    def test_an_alias_holds_with_its_unit_only(self) -> None:
        fact = number(10, "EUR", aliases=("11 USD",))
        assert state(fact, "11", "11 USD", unit="USD") == "right"
        assert state(fact, "11.0 USD", "11.0 USD") == "right"
        assert state(fact, "11", "11 EUR", unit="EUR") == "wrong"
        assert state(fact, "12", "12 USD", unit="USD") == "wrong"

    def test_a_wrong_unit_is_the_reason(self) -> None:
        found = [compare(number(5, "km"), Given("5", unit, (f"5 {unit}",))).why for unit in ("kg", "m")]
        assert found == ["the unit is kg", "0.005 is not the value"]

    def test_a_part_of_an_alias_is_no_alias(self) -> None:
        fact = number(90, "min", aliases=("1 h 30 min",))
        assert state(fact, "1", "1 h", unit="h") == "wrong"
        assert state(number(12.5, aliases=("13",)), "twelve", "twelve") == "wrong"

    @pytest.mark.parametrize("words", ["an hour and a half", "one and a half hours"])
    def test_an_alias_in_words_holds_where_its_quote_has_it(self, words: str) -> None:
        fact = number(90, "min", aliases=("an hour and a half", "one and a half hours"))
        found = compare(fact, Given(words, "", (f"it takes {words}",)))
        assert (found.state, found.verified) == ("right", False)
        assert state(fact, "an hour and a half", "it takes long") == "unfounded"
        assert state(fact, "an hour and a bit", "an hour and a bit") == "unfounded"

    @pytest.mark.parametrize("kind", [str, float])
    def test_rounding_in_another_unit_may_cost_half_of_the_last_digit(self, kind: Any) -> None:
        # 62 miles are 99.78 km, and half a mile is 0.8 km.
        for value, expected in ((100, "right"), (99, "right"), (98.9, "wrong")):
            assert state(number(value, "km"), kind("62"), "62 miles", unit="mi") == expected
        assert state(number(100, "km"), kind("62.4"), "62.4 miles", unit="mi") == "wrong"

    def test_words_bear_nothing_out(self) -> None:
        assert compare(number(12), Given("12", "", ("twelve",))) == SlotComparison(
            "right", "12 is the value", False
        )

    def test_the_same_amount_in_another_unit_is_no_rival(self) -> None:
        own = Given("70", "kg", ("70 kg (154 lb)",))
        assert same(number(70, "kg"), own, "154 lb")
        assert same(number(70, "kg"), own, "70")
        assert not same(number(70, "kg"), own, "75 kg")

    @pytest.mark.parametrize(
        ("kind", "value", "alike", "other"),
        [
            ("text", "Thistle Cottage", "the thistle cottage", "Fern Cottage"),
            ("date", "2026-03-04", "4 March 2026", "5 March 2026"),
            ("time", "17:40", "5:40 pm", "5:40 am"),
        ],
    )
    def test_the_same_in_another_style_is_no_rival(
        self, kind: Any, value: str, alike: str, other: str
    ) -> None:
        fact, own = Fact(kind=kind, value=value), Given(value, "", (value,))
        assert same(fact, own, alike)
        assert not same(fact, own, other)


def grouped(digits: str, sign: str) -> str:
    first = len(digits) % 3
    groups = [digits[:first]] * bool(first) + [
        digits[place : place + 3] for place in range(first, len(digits), 3)
    ]
    return sign.join(groups)


STYLES = (("", "."), ("", ","), (",", "."), (".", ","), (" ", ","), ("\u202f", ","), ("'", "."), ("{,}", "."))
FRAMES = (
    "It is {}.",
    "**{}** in all",
    "| length | {} |",
    "Total: {}, more or less",
    "({})",
    "\u20ac{}",
    "`{}`",
)


def written(value: float) -> Iterator[str]:
    """A number in every style."""
    whole, _, decimals = f"{abs(value):.2f}".partition(".")
    for group, point in STYLES:
        for minus in ("-", "\u2212") if value < 0 else ("",):
            tail = f"{point}{decimals}" if int(decimals) else ""
            yield f"{minus}{grouped(whole, group)}{tail}"


AMOUNTS = st.one_of(
    st.integers(-99_999, 9_999_999).map(float),
    st.floats(-9_999, 999_999).map(lambda value: round(value, 2)),
)


@given(AMOUNTS, st.sampled_from(FRAMES))
def test_a_right_number_passes_in_every_style(value: float, frame: str) -> None:
    fact = number(value)
    for text in written(value):
        sentence = frame.format(text)
        assert state(fact, text, sentence) == "right", sentence
        assert state(fact, value, sentence) == "right", sentence


@given(AMOUNTS, AMOUNTS, st.sampled_from(FRAMES))
def test_another_number_never_passes(value: float, other: float, frame: str) -> None:
    if any(abs(other - near) < 0.005 for near in (value, 1000 * value, value / 1000)):
        return  # "1.234" is a thousand times 1,234 to somebody
    fact = number(value)
    for text in written(other):
        sentence = frame.format(text)
        assert state(fact, text, sentence) == "wrong", sentence
        if other != -value:  # a minus may be said in words
            assert state(fact, value, sentence) == "unfounded", sentence


class TestTexts:
    @pytest.mark.parametrize(
        ("value", "quote", "expected"),
        [
            ("Thistle Cottage", "take Thistle Cottage", "right"),
            ("thistle cottage", "take THISTLE COTTAGE", "right"),
            ("the Thistle Cottage", "take the Thistle Cottage", "right"),
            ("\u201cThistle Cottage\u201d.", "take \u201cThistle Cottage\u201d.", "right"),
            ("the cottage on the hill", "the cottage on the hill", "right"),
            ("Thistle", "take Thistle Cottage", "wrong"),
            ("Fern Cottage", "take Fern Cottage", "wrong"),
            ("Thistle Cottage", "take Fern Cottage", "unfounded"),
            ("...", "take ...", "unfounded"),
        ],
    )
    def test_examples(self, value: str, quote: str, expected: str) -> None:
        fact = Fact(kind="text", value="Thistle Cottage", aliases=("The cottage on the hill",))
        assert state(fact, value, quote) == expected

    def test_blanks_in_a_text_with_digits_are_typography(self) -> None:
        assert state(Fact(kind="text", value="DE12 3456"), "DE123456", "DE123456") == "right"
        assert state(Fact(kind="text", value="DE12 3456"), "DE12 3457", "DE12 3457") == "wrong"

    def test_an_exact_text_holds_letter_for_letter(self) -> None:
        fact = Fact(kind="text", value="AB-c", exact=True)
        assert state(fact, "AB-c", "it is `AB-c`") == "right"
        assert state(fact, "ab-c", "it is ab-c") == "wrong"
        assert state(fact, "AB-c", "it is ab-c") == "unfounded"
        assert state(fact, "AB-c", "so it is:", "AB-c") == "right"

    def test_one_of_several_quotes_has_the_value_and_the_reason_says_whether_it_is_right(self) -> None:
        fact = Fact(kind="text", value="Fern Cottage")
        found = [compare(fact, Given(one, "", ("Best of all:", one))) for one in ("Fern Cottage", "Thistle")]
        assert [one.why for one in found] == ["'Fern Cottage' is the value", "'Thistle' is not the value"]
        assert [one.state for one in found] == ["right", "wrong"]


DAYS = st.dates(dt.date(2020, 1, 1), dt.date(2029, 12, 31))
DATE_STYLES = (
    *("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%A, %d %B %Y", "%d. %b %Y", "%m/%d/%Y", "%d/%m/%y"),
    "%Y\u5e74%m\u6708%d\u65e5",
)


class TestDates:
    @pytest.mark.parametrize(
        ("value", "quote", "expected"),
        [
            ("2026-03-13", "on 13 March 2026", "right"),
            ("--03-13", "on Friday, 13 March", "right"),
            ("2026-03-13", "on Friday, 13 March", "right"),
            ("13 March", "on 13 March", "right"),
            ("2026-03-13", "am 13. M\u00e4rz", "right"),
            ("2026-03-13", "on the thirteenth of March", "right"),
            ("2026-03-13", "it may well come on the 13th", "right"),
            ("2026-03-14", "on 14 March 2026", "wrong"),
            ("2025-03-13", "on 13 March 2025", "wrong"),
            ("2026-03-13", "on 13 March 2025", "wrong"),
            ("2026-03-13", "on 13 March 1900", "wrong"),
            ("2026-03-13", "on 13 March 2199", "wrong"),
            ("13/03/25", "13/03/25", "wrong"),
            ("2026-03-13", "on 14 March 2026", "unfounded"),
            ("2026-03-13", "on 13 April 2026", "unfounded"),
            ("2026-03-13", "on 13/04/2026", "unfounded"),
            ("2026-02-30", "on 30 February", "unfounded"),
            ("soon", "soon", "unfounded"),
        ],
    )
    def test_examples(self, value: str, quote: str, expected: str) -> None:
        assert state(Fact(kind="date", value="2026-03-13"), value, quote) == expected

    @given(DAYS, st.sampled_from(DATE_STYLES))
    def test_a_right_date_passes_in_every_style(self, day: dt.date, style: str) -> None:
        fact, quote = Fact(kind="date", value=day.isoformat()), f"It is on {day.strftime(style)}."
        assert state(fact, day.isoformat(), quote) == "right"
        assert state(fact, day.strftime("--%m-%d"), quote) == "right"

    @given(DAYS, DAYS, st.sampled_from(DATE_STYLES))
    def test_another_date_never_passes(self, day: dt.date, other: dt.date, style: str) -> None:
        swapped = other.day <= 12 and (other.day, other.month) == (day.month, day.day)
        if day == other or swapped:
            return  # 4/3 is the fourth of March to somebody
        fact, quote = Fact(kind="date", value=day.isoformat()), f"It is on {other.strftime(style)}."
        assert state(fact, other.isoformat(), quote) == "wrong"
        assert state(fact, other.strftime(style), quote) == "wrong"


TIME_STYLES = ("{0}:{1:02}", "{0:02}:{1:02}", "{0}.{1:02}", "{0}h{1:02}", "{0}:{1:02} Uhr", "{2}:{1:02} {3}m")
HOURS, MINUTES = st.integers(0, 23), st.integers(0, 59)


def clock(style: str, hour: int, minute: int) -> str:
    return style.format(hour, minute, (hour - 1) % 12 + 1, "ap"[hour >= 12])


class TestTimes:
    @pytest.mark.parametrize(
        ("value", "quote", "expected"),
        [
            ("17:40", "at 17:40", "right"),
            ("17:40", "at 5:40 pm", "right"),
            ("17:40", "at 5.40 p.m.", "right"),
            ("5:40 pm", "at 5:40 pm", "right"),
            ("17:40", "it opens at 9:00 and closes at 17:40", "right"),
            ("17:40", "at 5:40 this afternoon", "right"),
            ("17:40", "at twenty to six in the evening", "right"),
            ("17:40", "at 20 to 6", "right"),
            ("5:40", "at 5:40", "wrong"),
            ("17:45", "at 17:45", "wrong"),
            ("17:40", "at 17:45", "unfounded"),
            ("17:40", "at 5:40 am", "unfounded"),
            ("05:40", "at 17:40", "unfounded"),
            ("late", "late", "unfounded"),
            ("25:00", "25:00", "unfounded"),
        ],
    )
    def test_examples(self, value: str, quote: str, expected: str) -> None:
        assert state(Fact(kind="time", value="17:40"), value, quote) == expected

    def test_noon_and_midnight_are_times(self) -> None:
        assert state(Fact(kind="time", value="12:00"), "noon", "at noon") == "right"
        assert state(Fact(kind="time", value="00:00"), "midnight", "at midnight") == "right"
        assert state(Fact(kind="time", value="00:00"), "24:00", "at 24:00") == "right"

    @given(HOURS, MINUTES, st.sampled_from(TIME_STYLES))
    def test_a_right_time_passes_in_every_style(self, hour: int, minute: int, style: str) -> None:
        fact, text = Fact(kind="time", value=f"{hour:02}:{minute:02}"), clock(style, hour, minute)
        assert state(fact, text, f"It leaves at {text}.") == "right"
        assert state(fact, str(fact.value), f"It leaves at {text}.") == "right"

    @given(HOURS, MINUTES, HOURS, MINUTES, st.sampled_from(TIME_STYLES))
    def test_another_time_never_passes(self, hour: int, minute: int, h: int, m: int, style: str) -> None:
        if (hour, minute) == (h, m):
            return
        fact, text = Fact(kind="time", value=f"{hour:02}:{minute:02}"), clock(style, h, m)
        assert state(fact, text, f"It leaves at {text}.") == "wrong"
        if (h - hour) % 12 or m != minute:  # "5:40" may be in the afternoon
            assert state(fact, str(fact.value), f"It leaves at {text}.") == "unfounded"


class TestChoices:
    def test_a_choice_is_one_of_the_options(self) -> None:
        fact = Fact(kind="choice", value="on the way", options=("on the way", "delivered"))
        assert state(fact, "On the way", "your parcel is underway") == "right"
        assert state(fact, "delivered", "it has arrived") == "wrong"
        assert state(fact, "lost", "it is lost") == "unfounded"

    @pytest.mark.parametrize("value", [True, "yes", "Yes.", "true"])
    def test_yes_is_yes_however_it_is_written(self, value: Any) -> None:
        found = compare(Fact(kind="yes_no", value=True), Given(value, "", ("it does",)))
        assert (found.state, found.why) == ("right", "it says yes")
        assert state(Fact(kind="yes_no", value=False), value, "it does") == "wrong"

    @pytest.mark.parametrize("value", ["maybe", 1.0, "yes and no"])
    def test_what_is_neither_yes_nor_no_is_no_value(self, value: object) -> None:
        assert state(Fact(kind="yes_no", value=True), value, "it does") == "unfounded"


ENTRIES = st.lists(
    st.sampled_from(["milk", "rye bread", "eggs", "salt"]), min_size=1, max_size=4, unique=True
)


class TestLists:
    @given(ENTRIES, st.randoms(use_true_random=False))
    def test_the_order_counts_only_where_the_fact_says_so(self, entries: list[str], rng: Any) -> None:
        shuffled = rng.sample(entries, len(entries))
        quotes = [f"some {one}, please" for one in shuffled]
        assert state(Fact(kind="list", value=tuple(entries)), shuffled, *quotes) == "right"
        ordered = state(Fact(kind="list", value=tuple(entries), ordered=True), shuffled, *quotes)
        assert ordered == ("right" if shuffled == entries else "wrong")

    @given(ENTRIES)
    def test_an_entry_less_or_more_is_another_list(self, entries: list[str]) -> None:
        fact = Fact(kind="list", value=tuple(entries))
        assert state(fact, [*entries, "tea"], "milk, rye bread, eggs, salt and tea") == "wrong"
        if entries[1:]:
            assert state(fact, entries[1:], "milk, rye bread, eggs, salt") == "wrong"

    def test_each_entry_stands_in_a_quote(self) -> None:
        fact = Fact(kind="list", value=("milk", "eggs"))
        assert state(fact, ["milk", "eggs"], "milk", "butter") == "unfounded"
        assert state(fact, "milk, eggs", "milk, eggs") == "unfounded"


def test_a_date_in_digits_counts_beside_another_in_words() -> None:
    fact = Fact(kind="date", value="2027-02-03", label="Monday of the week of 27 January 2027")
    quote = "Monday of the week of 27 January 2027: 2027-02-03."
    assert compare(fact, Given("2027-02-03", "", (quote,))).state == "right"
    assert compare(fact, Given("2027-03-03", "", ("3 January",))).state == "unfounded"


PHONE = Fact(kind="phone", value="+49 199 2070274")
ORDER = Fact(kind="identifier", value="K9437", aliases=("LX-31",))


class TestIdentifiers:
    @pytest.mark.parametrize(
        ("fact", "value", "quote", "expected"),
        [
            (PHONE, "plus 49, 199, 2070274", "it is plus 49, 199, 2070274", "right"),
            (PHONE, "+49 199 2070274", "it is plus 49, 199, 2070274.", "right"),
            (PHONE, "+49-199-20 70 274", "**+49-199-20 70 274**", "right"),
            (PHONE, "(49) 199 2070274", "(49) 199 2070274", "right"),
            (PHONE, "+49 199 2070275", "+49 199 2070275", "wrong"),
            (PHONE, "199 2070274", "+49 199 2070274", "wrong"),
            (PHONE, "+49 199 2070274", "+49 199 20702741", "unfounded"),
            (PHONE, "+49 199 2070274", "+149 199 2070274", "unfounded"),
            (PHONE, "plus", "plus", "unfounded"),
            (PHONE, "-", "-", "unfounded"),
            (ORDER, "k 9437", "order k 9437", "right"),
            (ORDER, "K-9437", "order K-9437", "right"),
            (ORDER, "lx31", "lx31", "right"),
            (ORDER, "K9473", "K9473", "wrong"),
            (ORDER, "9437", "K9437", "wrong"),
            (ORDER, "plus K9437", "plus K9437", "wrong"),
            (ORDER, "K9437", "order K94371", "unfounded"),
        ],
    )
    def test_they_are_their_letters_and_digits(
        self, fact: Fact, value: str, quote: str, expected: str
    ) -> None:
        assert state(fact, value, quote) == expected

    def test_a_text_keeps_what_stands_between_its_characters(self) -> None:
        assert state(Fact(kind="text", value="4.4.2"), "44.2", "version 44.2") == "wrong"

    @given(
        st.lists(st.text("0123456789", min_size=1, max_size=5), min_size=1, max_size=6),
        st.lists(st.sampled_from([" ", ", ", "-", ".", " (", ") ", ""]), min_size=6, max_size=6),
        st.sampled_from(["+", "plus ", "Plus ", ""]),
    )
    def test_however_a_phone_number_is_grouped_it_is_the_same(
        self, groups: list[str], between: list[str], sign: str
    ) -> None:
        written = sign + "".join(f"{group}{mark}" for group, mark in zip(groups, between, strict=False))
        fact = Fact(kind="phone", value="+" + " ".join(groups))
        assert state(fact, written, f"Call {written}!") == "right"
        assert same(fact, Given(written, "", (written,)), fact.value if isinstance(fact.value, str) else "")

    def test_a_rival_in_another_spelling_is_none(self) -> None:
        given_value = Given("plus 49, 199, 2070274", "", ("plus 49, 199, 2070274",))
        assert same(PHONE, given_value, "+491992070274")
        assert not same(PHONE, given_value, "+491992070275")
