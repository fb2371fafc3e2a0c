"""Published conversations as messages."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadData
from knowact.core.task import Dialogue, PastCall, Utterance
from knowact.datasets.deviations import Deviation, Done
from knowact.datasets.lines import Line
from knowact.datasets.members import Members
from knowact.suites.ict.conversations import read_conversation
from knowact.suites.ict.layout import Kind

TIDE = "API-Request: [QueryTide(port='Hull')]"


def read(text: str) -> tuple[tuple[Utterance, ...], list[tuple[str, Done]]]:
    deviations = list[Deviation]()
    value = {"conversation": text}
    row = Members(Line(Path("rows.jsonl"), 3, value), value, deviations)
    found = read_conversation(row)
    assert all((one.place.line, one.place.field) == (3, "conversation") for one in deviations)
    return found, [(one.kind, one.done) for one in deviations]


def user(text: str) -> Utterance:
    return Utterance(role="user", text=text)


def assistant(text: str = "", *calls: PastCall) -> Utterance:
    return Utterance(role="assistant", text=text, calls=calls)


def test_lines_of_user_and_assistant_are_messages_in_order() -> None:
    assert read("User: Hello.\nAI: Yes?\nUser: Tide?") == (
        (user("Hello."), assistant("Yes?"), user("Tide?")),
        [],
    )


def test_a_request_belongs_to_what_the_assistant_said_before_it_and_what_follows_is_a_new_message() -> None:
    request = f"{TIDE}->{{'times': ['04:10']}}"
    text = f"User: Tide?\nAI: I'll look.\n{request}\nAI: At ten past four.\nUser: And Whitby?"
    call = PastCall(tool="QueryTide", arguments={"port": "Hull"}, result={"times": ["04:10"]})
    found, told = read(text)
    assert found == (
        user("Tide?"),
        assistant("I'll look.", call),
        assistant("At ten past four."),
        user("And Whitby?"),
    )
    assert told == []
    Dialogue(utterances=found)


def test_requests_in_a_row_keep_their_order() -> None:
    found, _ = read(f"User: Tide?\n{TIDE}->1\n{TIDE}->2\nUser: Thanks, and now?")
    assert [one.calls[0].result for one in found if one.calls] == [1, 2]


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("success", "success"),
        ("{'token': 't'}", {"token": "t"}),
        ('[{"a": 1}]', [{"a": 1}]),
        ("", ""),
        ("[half", "[half"),
        ("a -> b", "a -> b"),
        ("first\nsecond", "first\nsecond"),
    ],
)
def test_a_result_is_a_value_where_it_can_be_read_as_one(written: str, result: object) -> None:
    found, told = read(f"User: Tide?\n{TIDE}->{written}\nUser: Go on.")
    assert found[1].calls[0].result == result
    assert told == []


def test_a_request_without_a_result_is_noted() -> None:
    found, told = read(f"User: Tide?\n{TIDE}\nUser: Go on.")
    assert found[1].calls[0].result is None
    assert told == [(Kind.RESULT_MISSING, Done.NOTED)]


def test_a_request_with_quotes_in_quotes_is_mended() -> None:
    found, told = read("User: Log it.\nAPI-Request: [Log(what='[{'a': 1}]')]->ok\nUser: Go on.")
    assert found[1].calls[0].arguments == {"what": "[{'a': 1}]"}
    assert told == [(Kind.CALL_LOOSE, Done.MENDED)]


def test_a_request_that_cannot_be_read_stays_as_words() -> None:
    found, told = read("User: Tide?\nAPI-Request: look it up\nUser: Go on.")
    assert found[1] == assistant("API-Request: look it up")
    assert told == [(Kind.CALL_UNREADABLE, Done.NOTED)]


def test_what_the_assistant_says_last_is_left_out_and_told() -> None:
    found, told = read("User: Tide?\nAI: Sure.\nAI: I'll look it up now.\n")
    assert found == (user("Tide?"),)
    assert told == [(Kind.TRAILING, Done.MENDED)]


def test_the_cue_to_generate_a_request_is_left_out_and_told() -> None:
    found, told = read("User: Tide?\nAI: Sure.\nGenerate API Request:\n")
    assert found == (user("Tide?"),)
    assert told == [(Kind.CUE, Done.MENDED), (Kind.TRAILING, Done.MENDED)]


def test_a_result_at_the_end_stays_so_that_the_row_can_be_set_aside() -> None:
    found, told = read(f"User: Tide?\n{TIDE}->1\nAI: There you are.")
    assert found[-1].calls
    assert told == [(Kind.TRAILING, Done.MENDED)]


def test_lines_without_a_speaker_go_on_with_the_message() -> None:
    assert read("User: Two things:\n- the tide\n- the moon") == (
        (user("Two things:\n- the tide\n- the moon"),),
        [],
    )


def test_only_line_ends_end_a_line() -> None:
    assert read("User: one\u2028AI: two\r\nAI: Yes?\r\nUser: three")[0] == (
        user("one\u2028AI: two"),
        assistant("Yes?"),
        user("three"),
    )


def test_words_without_any_speaker_are_taken_for_the_users_and_noted() -> None:
    assert read("When is high water?") == ((user("When is high water?"),), [(Kind.NO_SPEAKER, Done.NOTED)])


def test_empty_lines_of_a_speaker_say_nothing() -> None:
    assert read("AI:\nUser: Tide?\nAI:")[0] == (user("Tide?"),)


@pytest.mark.parametrize("text", ["AI: Hello.", "User:", "Generate API Request:"])
def test_a_conversation_without_words_of_the_user_is_refused(text: str) -> None:
    with pytest.raises(BadData, match=r"rows\.jsonl:3, field 'conversation': the user says nothing"):
        read(text)


def test_a_blank_conversation_is_refused() -> None:
    with pytest.raises(BadData, match="a text that is not blank"):
        read("  ")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["User: ", "AI: ", "API-Request: ", ""]),
            st.text(max_size=20) | st.sampled_from(["[A(x='1')]->2", "[A(x='it's')]", "A()->"]),
        ).map("".join),
        max_size=6,
    )
)
@settings(deadline=None, max_examples=200)
def test_whatever_the_lines_are_they_become_messages_or_bad_data(lines: list[str]) -> None:
    try:
        found, _ = read("\n".join(lines))
    except BadData:
        return
    assert found[-1].role == "user" or found[-1].calls
