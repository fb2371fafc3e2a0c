"""The labelled sets: what a model is shown, and what is wrong with a reply."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from calibrating import rows
from knowact.cli.calibrate_command import ROLES
from knowact.roles.calibration import LabelledItem, Mark
from knowact.suites import labelled_sets


@cache
def items(role: str) -> Mapping[str, LabelledItem]:
    return {item.id: item for one in labelled_sets() if one.role == role for item in one.items}


def erred(role: str, name: str, reply: object) -> set[tuple[str, str]]:
    """The ways in which a reply to an item errs."""
    text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
    return {(one.kind, one.what) for one in items(role)[name].marks(text) if one.wrong}


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_every_role_has_two_hundred_items_with_ids_of_their_own(role: str) -> None:
    every = [item.id for one in labelled_sets() if one.role == role for item in one.items]
    assert len(every) >= 200
    assert len(every) == len(set(every))


@pytest.mark.parametrize("role", ROLES)
def test_whatever_is_replied_it_can_be_marked(role: str) -> None:
    for reply in ("", "{", "[]", "null", '{"verdict": 3}', '{"fact_1": []}', "{" * 999, "\ud800"):
        for item in list(items(role).values())[::40]:
            item.problem(reply)
            assert all(isinstance(mark, Mark) for mark in item.marks(reply))


@pytest.mark.parametrize("role", ROLES)
def test_silence_is_rejected_and_counts_in_no_other_rate(role: str) -> None:
    marks = [mark for item in items(role).values() for mark in item.marks("")]
    assert {mark.what for mark in marks if mark.wrong} == {"rejected"}
    assert {mark.what for mark in marks} == {"rejected"}


def test_no_label_is_shown_to_the_model() -> None:
    shown = "".join(message.text for item in items("extractor").values() for message in item.messages)
    assert "The value, the place and the day, asserted." not in shown  # the `why` of cl-001


class TestExtractor:
    def test_a_right_form_errs_nowhere(self) -> None:
        right = {"fact_1": {"value": "21", "unit": "°C", "quotes": ["21 °C"]}}
        assert erred("extractor", "cl-001", right) == set()

    def test_a_form_that_misses_a_right_answer(self) -> None:
        assert erred("extractor", "cl-001", {"fact_1": None}) == {
            ("facts", "missed"),
            ("facts: number", "missed"),
        }

    def test_a_form_whose_quote_stands_nowhere_is_rejected_and_said_to_be(self) -> None:
        made_up = {"fact_1": {"value": "21", "quotes": ["It is 21 degrees"]}}
        assert erred("extractor", "cl-001", made_up) == {("form", "rejected")}
        problem = items("extractor")["cl-001"].problem(json.dumps(made_up))
        assert problem is not None
        assert "does not stand in the reply" in problem

    def test_limits_are_held_act_by_act(self) -> None:
        # li-001 admits, asks and names what is missing; "part_n" depends on the shuffle of its parts.
        schema = items("extractor")["li-001"].schema
        assert schema is not None
        amount = next(name for name, part in schema["properties"].items() if "amount" in part["description"])
        nothing = dict.fromkeys(schema["properties"])
        asks, lacks = "Could you tell me how much you'd like to send?", "I don't have that amount"
        right = {**nothing, amount: {"asked": asks, "could_not": lacks}}
        assert erred("extractor", "li-001", right) == set()
        assert erred("extractor", "li-001", nothing) == {
            ("asked", "missed"),
            ("could not", "missed"),
            ("names what lacks", "missed"),
        }
        elsewhere = {**nothing, "something_else": {"asked": asks, "could_not": lacks}}
        assert erred("extractor", "li-001", elsewhere) == {
            ("names what lacks", "missed"),
            ("names what is there", "false pass"),
        }

    def test_a_continuation_that_the_form_leaves_open_is_no_miss(self) -> None:
        # cof-042 says that a ticket was bought, which no slot of its form holds.
        schema = items("extractor")["cof-042"].schema
        assert schema is not None
        nothing = dict.fromkeys(schema["properties"])
        assert erred("extractor", "cof-042", nothing) == {("made_up_answer", "open")}
        asked = {**nothing, "something_else": {"asked": "I bought the ticket"}}
        assert erred("extractor", "cof-042", asked) == {
            ("made_up_answer", "missed"),
            ("clarifying_question", "false pass"),
        }


class TestJudge:
    def test_a_ruling_about_another_part_misses(self) -> None:
        schema = items("judge")["rb-001"].schema
        assert schema is not None
        nothing = dict.fromkeys(schema["properties"])
        own = next(
            name for name, one in schema["properties"].items() if one["description"] == "opening the trunk"
        )
        act = {"acknowledged": "opening the trunk isn't something I have access to"}
        assert erred("judge", "rb-001", {**nothing, own: act}) == set()
        assert erred("judge", "rb-001", {**nothing, "something_else": act}) == {("acknowledged", "missed")}
        claimed = {**act, "claimed": "I'm sorry"}
        assert erred("judge", "rb-001", {**nothing, own: claimed}) == {
            ("acknowledged", "missed"),
            ("claimed", "false pass"),
        }

    def test_a_users_faults_are_told_one_by_one(self) -> None:
        row = next(one for one in rows("knowact.roles", "user_faults") if one["label"] == ["made_up"])
        schema = items("judge")[row["id"]].schema
        assert schema is not None
        nothing = dict.fromkeys(schema["properties"])
        assert erred("judge", row["id"], nothing) == {
            ("user: any fault", "missed"),
            ("user: made_up", "missed"),
        }
        other = next(
            name for name, one in schema["properties"].items() if "again and again" in one["description"]
        )
        quote = {"did": row["talk"][0].removeprefix("> ")}
        assert erred("judge", row["id"], {**nothing, other: quote}) == {
            ("user: made_up", "missed"),
            ("user: in_circles", "false pass"),
        }

    def test_a_reason_is_one_of_three(self) -> None:
        assert erred("judge", "re-001", {"verdict": "fits"}) == set()
        assert erred("judge", "re-001", {"verdict": "none"}) == {
            ("reason: fits", "missed"),
            ("reason: none", "false pass"),
        }
        assert erred("judge", "re-001", {"verdict": "right"}) == {("reason", "rejected")}

    def test_an_explanation_is_one_of_six(self) -> None:
        assert erred("judge", "ex-001", {"verdict": "right"}) == set()
        assert ("explanation: right", "missed") in erred("judge", "ex-001", {"verdict": "other"})


LINE = {
    "reasoning": "",
    "user_message": "60 percent, please.",
    "conversation_control_keyword": "CONTINUE",
}
"""What a driver says who is asked how far the sunroof should open."""


class TestUser:
    def test_who_tells_what_was_asked_for_errs_nowhere(self) -> None:
        assert erred("user", "dr-001", LINE) == set()
        assert erred("user", "dr-001", {**LINE, "user_message": "About sixty, please."}) == set()

    def test_who_keeps_it_back_misses_it(self) -> None:
        assert erred("user", "dr-001", {**LINE, "user_message": "A bit."}) == {("tells", "missed")}

    def test_who_leaves_while_a_question_is_open_errs(self) -> None:
        left = {**LINE, "user_message": "", "conversation_control_keyword": "STOP"}
        assert erred("user", "dr-001", left) == {
            ("goes on", "missed"),
            ("ends", "false pass"),
            ("tells", "missed"),
        }

    def test_who_tells_what_nobody_asked_for_errs(self) -> None:
        # db-002 asks for the route of "morning"; dr-041 and its like ask about something else.
        talks = next(
            name for name, one in items("user").items() if "cologne" not in name and _asks_nothing(one)
        )
        assert ("tells", "false pass") in erred("user", talks, {**LINE, "user_message": "60 percent."})

    def test_a_reply_that_is_no_line_is_rejected(self) -> None:
        assert erred("user", "dr-001", "60 percent, please.") == {("line", "rejected")}


def _asks_nothing(one: LabelledItem) -> bool:
    """Whether an item is about the sunroof, and 60 percent is not asked for."""
    marks = one.marks(json.dumps({**LINE, "user_message": "Hm."}))
    about_the_roof = "sunroof open by 60" in one.messages[0].text and "60" not in one.messages[3].text
    return about_the_roof and not any(mark.kind == "tells" and mark.what == "missed" for mark in marks)


class TestHelper:
    def test_who_gives_what_was_asked_for_errs_nowhere(self) -> None:
        assert erred("helper", "hq-001", {"asks_for": ["p1"], "answer": "I mean Lisbon."}) == set()

    def test_who_takes_it_for_something_else_errs(self) -> None:
        assert erred("helper", "hq-001", {"asks_for": ["p2"], "answer": "On Tuesday."}) == {
            ("asks for", "missed"),
            ("asks for", "false pass"),
            ("targeted", "missed"),
            ("gives", "missed"),
        }

    def test_who_gives_more_than_was_asked_for_errs(self) -> None:
        told = '{"asks_for": [], "answer": "I don\'t know, but I meant Lisbon."}'
        unasked = next(
            name
            for name, one in items("helper").items()
            if "Lisbon" in one.messages[0].text.split("</withheld>")[0]
            and not any(mark.wrong for mark in one.marks('{"asks_for": [], "answer": "I don\'t know."}'))
        )
        assert erred("helper", unasked, told) == {("gives", "false pass")}


FINE: Final[set[tuple[str, str]]] = set()


class TestMoments:
    """What a user does who notices: in mo-005 it corrects, in mo-006 all is well, in mo-010 it agrees."""

    def test_there_are_two_hundred_and_half_of_them_are_fine(self) -> None:
        (found,) = (one for one in labelled_sets() if one.name == "moments")
        labels = [row["label"]["then"] for row in rows("knowact.roles", "moments")]
        assert len(found.items) == len(labels) >= 200
        assert 0.4 < sum(then in {"insists", "corrects", "declines"} for then in labels) / len(labels) < 0.6

    def test_the_user_is_told_to_notice_and_sees_its_own_lines_as_its_own(self) -> None:
        first = items("user")["mo-001"].messages
        assert "notice" in first[0].text
        assert [one.role for one in first] == ["system", "user", "assistant", "user"]

    @pytest.mark.parametrize(
        ("name", "reply", "wrong"),
        [
            ("mo-005", "No, I wanted it closed!", FINE),
            ("mo-005", "Lovely, thanks. And the radio?", {("corrects", "missed")}),
            ("mo-005", "", {("corrects", "missed"), ("goes on", "missed"), ("ends", "false pass")}),
            ("mo-006", "", FINE),
            (
                "mo-006",
                "I said close it.",
                {("notices", "false pass"), ("ends", "missed"), ("goes on", "false pass")},
            ),
            ("mo-010", "Yes, go ahead.", FINE),
            ("mo-010", "No, the shortest.", {("declines", "false pass")}),
        ],
    )
    def test_a_reply_is_held_against_the_label(
        self, name: str, reply: str, wrong: set[tuple[str, str]]
    ) -> None:
        word = "CONTINUE" if reply else "STOP"
        line = {"reasoning": "", "user_message": reply, "conversation_control_keyword": word}
        assert erred("user", name, line) == wrong
