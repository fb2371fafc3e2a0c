"""The one loader of published rows: what it accepts, and where it says that something is wrong."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import field_validator

from knowact.core.errors import BadData
from knowact.datasets.deviations import Deviation, ToolKind
from knowact.datasets.lines import Complaint, Line, parse
from knowact.datasets.members import Members
from knowact.datasets.published import PublishedRow, Text, WholeNumber, read_row


class Port(PublishedRow):
    name: Text


class Harbour(PublishedRow):
    number: WholeNumber
    ports: list[Port] = []  # noqa: RUF012 - pydantic copies it
    tides: dict[str, int] = {}  # noqa: RUF012 - pydantic copies it

    @field_validator("tides", mode="before")
    @classmethod
    def _of_the_moon(cls, value: Any) -> Any:
        if value == "none":
            raise Complaint("a harbour has tides", "look again", "tides.spring")
        return value


def row(**value: object) -> Members:
    return Members(Line(Path("harbours.jsonl"), 3, value), value, [], "found[1]")


@pytest.mark.parametrize("written", [7, "7", " 7 ", 7.0])
def test_a_whole_number_may_be_written_in_any_way(written: object) -> None:
    assert read_row(Harbour, row(number=written, more="unread")).number == 7


@pytest.mark.parametrize("written", [None, True, 7.5, "seven", "", "9" * 5000, []])
def test_what_is_no_whole_number_is_refused(written: object) -> None:
    with pytest.raises(BadData, match="this must be a whole number"):
        read_row(Harbour, row(number=written))


def test_members_in_another_spelling_are_read_and_entered() -> None:
    found = row(Number=7)
    assert read_row(Harbour, found).number == 7
    (entry,) = found.deviations
    assert isinstance(entry, Deviation)
    assert (entry.kind, entry.place.field) == (ToolKind.SPELLING, "found[1].Number")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({}, r"'found\[1\]\.number': this field is missing"),
        (
            {"number": 1, "ports": [{"name": "x"}, {}]},
            r"'found\[1\]\.ports\[1\]\.name': this field is missing",
        ),
        (
            {"number": 1, "ports": [{"name": " "}]},
            r"ports\[0\]\.name': this must be a text that is not blank",
        ),
        ({"number": 1, "tides": "none"}, r"tides\.spring': a harbour has tides\. Fix: look again"),
    ],
)
def test_a_complaint_names_file_line_and_field(value: dict[str, object], said: str) -> None:
    with pytest.raises(BadData, match=rf"harbours\.jsonl:3, field .*{said}"):
        read_row(Harbour, row(**value))


def test_a_complaint_about_a_column_says_where_inside_it() -> None:
    line = Line(Path("harbours.jsonl"), 3, {"number": 1, "ports": [{}]})
    with pytest.raises(BadData, match=r"field 'ports': at 0\.name, this field is missing"):
        parse(Harbour, line, columns=True)
