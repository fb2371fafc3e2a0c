"""E-mails and phone calls: who can be reached, and what is kept of a message that goes half way."""

from typing import Any

import pytest

from knowact.core.world import Call
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState, Step
from knowact.worlds.car.world import CarWorld

PEOPLE = list(CarWorld().open({}, 0).car.databases.contacts.values())
KNOWN = PEOPLE[0].email
SENT = "email_addresses_sent_mail_to"


def opened(rules: Rules = Rules.DEFINITION) -> CarState:
    return CarWorld(rules).open({}, 0)


def sent(session: CarState, *addresses: str) -> Step:
    given: dict[str, Any] = {"content_message": "Hello.", "email_addresses": list(addresses)}
    return session.do(Call("send_email", given))


class TestMail:
    @pytest.mark.parametrize("rules", list(Rules))
    def test_every_address_is_kept_in_order_and_again(self, rules: Rules) -> None:
        session = opened(rules)
        assert sent(session, PEOPLE[1].email, KNOWN).observation.ok
        assert sent(session, KNOWN).observation.ok
        assert session.snapshot()[SENT] == [PEOPLE[1].email, KNOWN, KNOWN]

    def test_with_a_stranger_among_them_nobody_gets_it(self) -> None:
        step = sent(opened(), KNOWN, "nobody@example.org", PEOPLE[1].email)
        assert step.observation.problem is not None
        assert step.observation.problem.code == "not_found"
        assert step.changes == ()

    def test_as_published_those_before_the_stranger_get_it(self) -> None:
        session = opened(Rules.PUBLISHED)
        step = sent(session, KNOWN, "nobody@example.org", PEOPLE[1].email)
        assert (step.observation.ok, step.fault) == (False, Fault.LOGGED)
        assert [(change.name, change.after) for change in step.changes] == [(SENT, [KNOWN])]
        assert session.snapshot()[SENT] == [KNOWN]

    def test_a_refusal_does_not_give_anybody_elses_address_away(self) -> None:
        text = sent(opened(), "nobody@example.org").observation.text()
        assert not any(person.email in text for person in PEOPLE)

    def test_a_message_to_nobody_is_refused_but_not_as_published(self) -> None:
        assert not sent(opened()).observation.ok
        assert sent(opened(Rules.PUBLISHED)).observation.ok


class TestPhone:
    def test_numbers_of_contacts_and_places_can_be_called(self) -> None:
        session = opened()
        city = next(iter(session.car.databases.locations))
        place = session.car.databases.pois_at(city, "restaurants")[0]
        for number in (PEOPLE[0].phone_number, place.phone_number):
            step = session.do(Call("call_phone_by_number", {"phone_number": number}))
            assert (step.observation.ok, step.ends) == (True, True)

    def test_other_numbers_cannot_but_as_published_they_can(self) -> None:
        call = Call("call_phone_by_number", {"phone_number": "my mother"})
        here, there = opened().do(call), opened(Rules.PUBLISHED).do(call)
        assert (here.observation.ok, here.ends, here.changes) == (False, False, ())
        assert (there.observation.ok, there.ends) == (True, True)
