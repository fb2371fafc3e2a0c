"""Replies for published functions: read from a cassette, or made of the data's own sketches."""

import json
from pathlib import Path
from typing import Any

import pytest

from knowact.core.errors import BadData
from knowact.core.tool import Tool
from knowact.core.world import Call
from knowact.suites.fail_talms.functions import Function, FunctionKey
from knowact.suites.fail_talms.published_items import Cassette, read_cassette, template_replies
from knowact.worlds.registry import open_world

Row = dict[str, Any]


def published(name: str, reply: Any = None, tool: str = "Tides", shown: str = "") -> Function:
    offered = Tool(name=shown or name, parameters={"type": "object", "properties": {}})
    return Function(FunctionKey("Harbour", tool, name), offered, reply)


HIGH_WATER, MOON = published("next_high_water"), published("moon_phase")


def row(reply: Any, function: str = "next_high_water", **changed: Any) -> Row:
    return {"category": "Harbour", "tool": "Tides", "function": function, "reply": reply, **changed}


def written(folder: Path, *rows: Row | str) -> Path:
    file = folder / "cassette.jsonl"
    lines = [one if isinstance(one, str) else json.dumps(one) for one in rows]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture
def cassette(tmp_path: Path) -> Cassette:
    rows = (
        row({"at": "04:10"}, arguments={"port": "Whitby"}),
        row({"at": "unknown"}, arguments=None),
        "",
        row("full", "moon_phase"),
    )
    return read_cassette(written(tmp_path, *rows))


class TestCassette:
    def test_its_replies_are_what_the_tools_answer(self, cassette: Cassette) -> None:
        functions = (HIGH_WATER, MOON)
        replies = cassette.replies(functions)
        session = open_world(replies.world(functions), seed=0)
        assert session.call(Call("next_high_water", {"port": "Whitby"})).value == {"at": "04:10"}
        assert session.call(Call("next_high_water", {"port": "Hull"})).value == {"at": "unknown"}
        assert session.call(Call("moon_phase", {"port": "Hull"})).value == "full"
        assert (replies.synthetic, replies.gaps) == (False, ())
        assert list(session.tools()) == [HIGH_WATER.tool, MOON.tool]

    def test_names_are_found_in_any_letter_case(self, tmp_path: Path) -> None:
        file = written(tmp_path, row(1, "Next_High_Water", category=" harbour ", tool="TIDES"))
        assert read_cassette(file).replies([HIGH_WATER]).gaps == ()

    def test_a_function_is_played_under_the_name_that_is_shown(self, cassette: Cassette) -> None:
        counterpart = published("moon_phase", shown="Tides.moon_phase")
        (only,) = cassette.replies([counterpart]).replies
        assert (only.tool, only.reply) == ("Tides.moon_phase", "full")

    def test_a_function_without_a_reply_is_a_gap_and_says_so_when_called(self, cassette: Cassette) -> None:
        functions = (MOON, published("free_berth", tool="Berths"))
        replies = cassette.replies(functions)
        seen = open_world(replies.world(functions), seed=0).call(Call("free_berth", {}))
        assert replies.gaps == ("free_berth",)
        assert seen.problem is not None
        assert seen.problem.code == "no_recording"

    def test_a_null_is_a_reply(self, tmp_path: Path) -> None:
        replies = read_cassette(written(tmp_path, row(None))).replies([HIGH_WATER])
        assert replies.gaps == ()
        assert open_world(replies.world([HIGH_WATER]), 0).call(Call("next_high_water", {})).ok

    def test_functions_that_no_query_has_are_told(self, cassette: Cassette) -> None:
        assert [one.function for one in cassette.unknown([HIGH_WATER])] == ["moon_phase"]
        assert cassette.unknown([HIGH_WATER, MOON]) == ()

    def test_the_same_line_twice_does_no_harm(self, tmp_path: Path) -> None:
        file = written(tmp_path, row([1], arguments={"a": 1}), row([1], arguments={"a": 1.0}))
        assert len(read_cassette(file).replies([HIGH_WATER]).replies) == 1


class TestComplaints:
    @pytest.mark.parametrize(
        ("rows", "line", "field", "words"),
        [
            ([row(1), {"category": "Harbour", "tool": "Tides", "reply": 1}], 2, "function", "missing"),
            ([{"category": "H", "tool": "T", "function": "f"}], 1, "reply", "missing"),
            ([row(1, tool="")], 1, "tool", "at least 1 character"),
            ([row(1), row(2, "moon_phase", arguments="{}")], 2, "arguments", "dictionary"),
            ([row(1, argument={})], 1, "argument", "no such field"),
            ([row(1), "[]"], 2, None, "holds a list"),
            ([row(1), '{"category": '], 2, None, "cut off"),
            ([row(1), row(2, "moon_phase"), row(3)], 3, "reply", "another reply on line 1"),
            (
                [row(1, arguments={"n": 1}), row(2, arguments={"n": 1.0})],
                2,
                "reply",
                "another reply on line 1",
            ),
            ([row(1), row(2, "NEXT_HIGH_WATER")], 2, "reply", "another reply on line 1"),
        ],
        ids=range(10),
    )
    def test_say_file_line_and_field(
        self, tmp_path: Path, rows: list[Row | str], line: int, field: str | None, words: str
    ) -> None:
        file = written(tmp_path, *rows)
        with pytest.raises(BadData, match=words) as caught:
            read_cassette(file)
        assert (caught.value.place.file, caught.value.place.line) == (file, line)
        assert caught.value.place.field == field

    def test_a_file_without_a_reply_or_no_file_at_all_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="holds no reply"):
            read_cassette(written(tmp_path, "", " "))
        with pytest.raises(BadData, match="cannot be read"):
            read_cassette(tmp_path / "nowhere.jsonl")


class TestTemplates:
    def test_sketches_answer_every_call_and_are_called_synthetic(self) -> None:
        functions = (published("next_high_water", {"at": "string"}), published("moon_phase"))
        replies = template_replies(functions)
        session = open_world(replies.world(functions), seed=0)
        assert session.call(Call("next_high_water", {"port": "Hull"})).value == {"at": "string"}
        assert replies.synthetic
        assert replies.gaps == ("moon_phase",)
