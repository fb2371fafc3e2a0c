"""Facts, rules, titles and other people's troubles are no limits of whoever reports them."""

import pytest

from knowact.reading.askable import Job, Slot
from knowact.reading.limits import Limits, read_limits
from knowact.reading.missing import Missing
from knowact.reading.wording import heads_of, job_spots, phrase_spots, says, slot_spots

AIR = Job("get_air_quality", "Report how clean the air of a city is.", ("index",))
FORECAST = Job("get_forecast", "Give the forecast for a city on one day.", ("high_c", "rain_mm"))
FARE = Job("get_train_fare", "Quote the price of a train ticket.", ("price_eur",))
ORDER = Slot("order_number", attribute="order.number")
EMPLOYER = Slot("employer", attribute="employer.name")
NO_AIR = Missing(jobs=(AIR,), there_slots=(ORDER,), there_jobs=(FORECAST,))
WHOLE = Missing(there_slots=(ORDER,), there_jobs=(FORECAST,))
SILENT = Limits(admits=False, names="none", asks=False, assumes=False, doubts=False)
FACTS = [
    "The doctor isn't available before Thursday, so I booked Friday at 9:00.",
    "There are no seats left in second class; first class costs 252 euros.",
    "The library is closed today and doesn't open until Monday.",
    'The note "Missing keys" was saved; no other note was replaced.',
    'Your issue #12 is titled "Cannot log in" and is still open.',
    "The last build failed: two tests did not pass.",
    "The build of Ferry Times has been failing since Tuesday because a test timed out.",
    "The restaurant has no vegetarian menu tonight, and the terrace is not open.",
    "The mail was sent. An automatic reply says they are out of office and cannot answer before 3 April.",
    "Aunt Vera's phone number is 555 0102. She doesn't have an e-mail address.",
    'The playlist has 14 songs; "Without You" was already in it.',
    "Oslo Otters lost 0:3; they couldn't score. Their next opponent isn't known yet, the draw is on Monday.",
    'The word "hollow" isn\'t in the text.',
    "The number 91 is not a prime, since it is 7 times 13.",
    'There\'s no letter "q" in that sentence, so the count is 0.',
    "No, 2026 isn't a leap year.",
    'The two words aren\'t anagrams: the second has no "t".',
    "The stock is unchanged; nothing was traded today.",
    "The prescription has no refills left, so you'll need to see your doctor for a new one.",
    "The concert is sold out, tickets are no longer available.",
    "The train doesn't stop in Ghent on Sundays.",
    "The permit hasn't been issued: the office is waiting for a photo.",
    "Your application was rejected because a reference letter was missing.",
    "The order was cancelled by the seller because the item was out of stock; it couldn't be delivered.",
    "Nobody is free at that time, so the office gave you 10:40 instead.",
    "The couscous isn't in date any more: it expired on 2 March.",
    "You can't fly with that bag, it's too heavy.",
    "The museum doesn't take groups above eight.",
    "The account can't be overdrawn, so the balance stays at 12 euros.",
    "The alarm won't ring on Saturday because it's set for weekdays only.",
    "Done. The balance is 416 euros. If anything looks wrong, please let me know.",
    "I've saved it. You don't have to do anything else.",
    "It's 3 April. I hope that wasn't too late!",
    "The answer is 89, no doubt about it.",
    "I double-checked: 89 is right, and I can't find any mistake in it.",
    "The temperature is 12 degrees, which is unusual for March but correct.",
    "Set to 21 degrees. It can take an hour until the room is warm.",
    "The driver of the 8:15 says he doesn't know which platform it will be.",
    "Here's the text backwards: \".ti dnif t'ndluoc I\"",
    "Your note reads: \"Ask Wim which day suits him. I don't know when he's free.\"",
    'Translated: "No sé dónde está la estación" means "I don\'t know where the station is".',
    'The hash of "I cannot find it" is 3fa9.',
    'The status of the issue is "needs information".',
    "The sentence you gave has 12 words, none of them missing.",
    "The result is undefined for zero, but yours is 4.",
    'The line "what time is it?" comes first when sorted.',
    "Which one is longer? The second, by 4 cm.",
    "So how long does it take? About 40 minutes.",
    "Let me explain: the tax is 3.91 euros per night and person.",
    "Please remember that the parking permit ends at 18:00.",
    "Tell your aunt I said hello! The mail is out.",
    "If you need to change it, give them a call and tell them your reference, CKT-1445.",
    "Just show the code CKT-1445 at the door and tell them how many you are.",
]


@pytest.mark.parametrize("text", FACTS)
def test_a_fact_is_no_limit(text: str) -> None:
    assert read_limits(text, WHOLE) == SILENT
    assert read_limits(text, NO_AIR) == SILENT


def test_what_two_tools_share_does_not_tell_which_one_is_meant() -> None:
    hotel = Job("get_hotel_price", "Quote the price of a room.", ("price_eur",))
    assert job_spots(FARE, "i can't tell the price")
    assert not job_spots(FARE, "i can't tell the price", (FARE, hotel))
    assert job_spots(FARE, "i can't tell the fare", (FARE, hotel))


def test_a_slot_is_spoken_of_by_its_own_words_its_kind_and_in_other_languages() -> None:
    assert slot_spots(EMPLOYER, "the employer") == [(4, 12)]
    assert slot_spots(EMPLOYER, "which company") == [(6, 13)]
    assert slot_spots(EMPLOYER, "welcher arbeitgeber")
    assert not slot_spots(EMPLOYER, "which number")


def test_a_phrase_is_repeated_from_the_agents_side_and_known_by_its_head() -> None:
    phrase = "the number of points my sister counted"
    assert says(phrase, "the number of points your sister counted")
    assert not says(phrase, "the number of points you counted")
    assert heads_of(phrase) == ("number", "point")
    assert phrase_spots(phrase, "how many points?")
    assert heads_of("") == ()
    assert not phrase_spots("", "how many points?")
