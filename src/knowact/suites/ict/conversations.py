"""A published conversation as messages: lines of `User:` and `AI:`, and earlier requests with their results.

An earlier request `API-Request: [Name(key='value')]->result`
stays in the context; what the assistant says last, and the cue to generate a request, don't, because a
promise to call something gives the answer away.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from knowact.core.errors import BadData
from knowact.core.task import PastCall, Utterance
from knowact.datasets.members import Members
from knowact.datasets.published import PublishedRow, Text, read_row
from knowact.suites.ict.layout import Kind
from knowact.suites.ict.literals import ReadCall, read_calls, read_value

COLUMN: Final = "conversation"
USER, ASSISTANT, REQUEST = "User", "AI", "API-Request"

_SPEAKER: Final = re.compile(rf"(?P<who>{USER}|{ASSISTANT}|{REQUEST})[ \t]*:[ \t]*(?P<said>.*)")
_CUE: Final = re.compile(r"\s*(?:\n|^)\s*Generate (?:the )?(?:next )?API Request:?\s*$", re.IGNORECASE)
_RESULT: Final = re.compile(r"(?P<call>.*?\)\s*\]?)\s*->(?P<result>.*)", re.DOTALL)


class Conversation(PublishedRow):
    """The column with what was said."""

    conversation: Text


@dataclass(frozen=True, slots=True)
class _Line:
    """What somebody said, with the lines that go on without a speaker."""

    who: str
    said: str


def read_conversation(row: Members) -> tuple[Utterance, ...]:
    """Return the messages of a row, without what the assistant says last.

    The last one is the user's, or carries a call: then no opening can be made of them, and it is the caller's
    business to set the row aside.

    Raises:
        BadData: It is missing, blank, or the user says nothing in it.
    """
    whole = read_row(Conversation, row).conversation
    text = _CUE.sub("", whole)
    if text != whole:
        row.mended(Kind.CUE, "left out", COLUMN)
    utterances = _joined(list(_lines(text, row)), row)
    last = len(utterances)
    while last and utterances[last - 1].role == "assistant" and not utterances[last - 1].calls:
        last -= 1
    if last < len(utterances):
        how = f"left out: {_short(' '.join(one.text for one in utterances[last:]))}"
        row.mended(Kind.TRAILING, how, COLUMN)
    if not any(one.role == "user" for one in utterances[:last]):
        what = "the user says nothing in this conversation"
        raise BadData(what, row.place(COLUMN), f"give it a line that begins with '{USER}:'")
    return tuple(utterances[:last])


def _lines(text: str, row: Members) -> Iterator[_Line]:
    """Yield each speaker's words; words before the first speaker are taken for the user's."""
    who, said = "", list[str]()
    for line in text.strip().replace("\r\n", "\n").split("\n"):
        found = _SPEAKER.fullmatch(line.strip())
        if found is None:
            said.append(line)
            continue
        if said:
            yield _Line(who or _nobody(row), "\n".join(said).strip())
        who, said = found["who"], [found["said"]]
    if said:
        yield _Line(who or _nobody(row), "\n".join(said).strip())


def _nobody(row: Members) -> str:
    row.noted(Kind.NO_SPEAKER, "taken for the user's", COLUMN)
    return USER


def _joined(lines: Sequence[_Line], row: Members) -> list[Utterance]:
    """Turn lines into messages: a request belongs to what the assistant said directly before it."""
    out: list[Utterance] = []
    ready = False
    for line in lines:
        calls = _past_calls(line.said, row) if line.who == REQUEST else ()
        # A request that cannot be read stays in the dialogue as the assistant's own words.
        text = "" if calls else f"{REQUEST}: {line.said}" if line.who == REQUEST else line.said
        if calls and ready:
            out[-1] = Utterance(role="assistant", text=out[-1].text, calls=calls)
        elif calls or text:
            out.append(Utterance(role="user" if line.who == USER else "assistant", text=text, calls=calls))
        ready = line.who == ASSISTANT and bool(text)
    return out


def _past_calls(said: str, row: Members) -> tuple[PastCall, ...]:
    found = _RESULT.fullmatch(said)
    call = said if found is None else found["call"]
    try:
        calls = read_calls(call)
    except ValueError as error:
        how = f"kept as the assistant's words ({error}): {_short(said)}"
        row.noted(Kind.CALL_UNREADABLE, how, COLUMN)
        return ()
    told_loose(calls, row, COLUMN)
    if found is None:
        row.noted(Kind.RESULT_MISSING, _short(said), COLUMN)
    result = None if found is None else _result(found["result"])
    # Nothing published has several calls before one result; if it did, the result came after the last.
    return tuple(
        PastCall(tool=one.tool, arguments=one.arguments, result=result if one is calls[-1] else None)
        for one in calls
    )


def told_loose(calls: Sequence[ReadCall], row: Members, column: str) -> None:
    """Enter the calls that had to be taken apart at their commas."""
    for one in calls:
        if one.loose:
            how = f"{one.tool}: taken apart at its commas"
            row.mended(Kind.CALL_LOOSE, how, column)


def _result(text: str) -> JsonValue:
    """What a call gave: its value where it is one, else the text."""
    try:
        return read_value(text.strip())
    except ValueError:
        return text.strip()


def _short(text: str) -> str:
    whole = " ".join(text.split())
    return repr(whole if len(whole) <= 60 else f"{whole[:60]}…")  # noqa: PLR2004 - enough to recognise it
