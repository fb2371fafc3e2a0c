"""Recorded calls: found again by tool and arguments, enumerated from schemas, without secrets."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.core.errors import BadData
from knowact.core.world import Call
from knowact.tools.folder import OwnTool, Source, ToolFolder
from knowact.tools.recordings import (
    REDACTED,
    RecordedProblem,
    Recording,
    Redactor,
    enumerated,
    looks_secret,
    read_calls,
    read_recordings,
    save_recordings,
)
from knowact.tools.schemas import learnt
from knowact.tools.world import RecordedSession, ToolsWorld

STATES = OwnTool(
    name="states",
    parameters={
        "type": "object",
        "properties": {
            "land": {"type": "string", "enum": ["de", "fr"]},
            "full": {"type": "boolean", "default": False},
            "note": {"type": "string"},
        },
        "required": ["land"],
    },
)
FREE = OwnTool(
    name="free",
    parameters={"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ToolFolder:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
    source = Source(kind="python", module="none", answers="recorded", added=date(2026, 1, 1))
    made = ToolFolder(tmp_path / "lands", source, (STATES, FREE))
    made.save()
    return made


def reply(arguments: dict[str, Any], value: Any, tool: str = "states") -> Recording:
    return Recording(tool=tool, arguments=arguments, reply=value)


def test_a_recording_answers_the_same_call_whatever_its_order_and_defaults(folder: ToolFolder) -> None:
    refused = RecordedProblem(code="not_found", message="No such land.")
    save_recordings(
        folder,
        [
            reply({"land": "de", "full": False}, {"n": 16}),
            Recording(tool="free", arguments={"q": "x"}, problem=refused),
        ],
    )
    world = ToolsWorld("tools:lands")
    session = world.open({}, 3)
    assert isinstance(session, RecordedSession)
    assert world.deterministic
    assert session.call(Call("states", {"land": "de"})).value == {"n": 16}
    assert session.call(Call("states", {"full": False, "land": "de"})).value == {"n": 16}
    problems = [
        session.call(one).problem
        for one in (
            Call("states", {"land": "de", "full": True}),
            Call("free", {"q": "x"}),
            Call("stats", {}),
            Call("states", None),
        )
    ]
    assert [one.code for one in problems if one] == [
        "no_recording",
        "not_found",
        "unknown_tool",
        "bad_arguments",
    ]


def test_new_recordings_take_the_place_of_those_of_the_same_call_only(folder: ToolFolder) -> None:
    taught = save_recordings(
        folder, [reply({"land": "de"}, {"n": 16}), reply({"land": "fr"}, {"n": 18, "x": 1})]
    )
    states = taught.tools[0]
    assert states.returns_learnt
    assert states.returns is not None
    assert states.returns["required"] == ["n"]
    again = save_recordings(taught, [reply({"land": "de", "full": False}, {"n": 17})])
    found = [seen.value for seen in read_recordings(again).values()]
    assert found == [{"n": 18, "x": 1}, {"n": 17}]


def test_a_call_that_is_answered_twice_is_an_error_with_its_line(folder: ToolFolder) -> None:
    lines = [reply({"land": "de"}, 1), reply({"land": "de", "full": False}, 2)]
    folder.recordings.write_text("".join(f"{one.model_dump_json()}\n" for one in lines), encoding="utf-8")
    with pytest.raises(BadData, match=r"recordings\.jsonl:2: this call of 'states' is answered twice"):
        read_recordings(folder)


def test_listed_calls_are_read_with_their_places(folder: ToolFolder, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text('{"tool": "free", "arguments": {"q": "a"}}\n{"tool": "fre", "arguments": {}}\n', "utf-8")
    read = read_calls(file, folder)
    assert next(read)[1] == {"q": "a"}
    with pytest.raises(BadData, match=r"calls\.jsonl:2, field 'tool'.*Did you mean 'free'"):
        next(read)


def test_calls_are_enumerated_where_every_required_value_can_be_listed() -> None:
    found = enumerated(STATES)
    assert [dict(one) for one in found.calls] == [
        *({"land": "de"}, {"land": "de", "full": True}),
        *({"land": "fr"}, {"land": "fr", "full": True}),
    ]
    assert enumerated(FREE).open == ("q",)
    assert enumerated(OwnTool(name="now", parameters={"type": "object"})).calls == ({},)
    few = enumerated(STATES, most=3)
    assert (len(few.calls), few.more) == (3, True)


@pytest.mark.parametrize(
    ("value", "clean"),
    [
        ({"password": "p", "n": 1}, {"password": REDACTED, "n": 1}),
        ({"userPassword": "p", "api_key": 3}, {"userPassword": REDACTED, "api_key": REDACTED}),
        (
            {"tokens": 12, "keyboard": "k", "passenger": "x"},
            {"tokens": 12, "keyboard": "k", "passenger": "x"},
        ),
        ({"pin": None, "token": True}, {"pin": None, "token": True}),
        ([{"a": "use Bearer abcdefghijklmnop1234 now"}], [{"a": f"use {REDACTED} now"}]),
        ("AKIAABCDEFGHIJKLMNOP", REDACTED),
        ('{"access_token": "x", "b": 2}', f'{{"access_token": "{REDACTED}", "b": 2}}'),
        ("https://me:pass@host/x", f"https://{REDACTED}@host/x"),
        ("-----BEGIN RSA PRIVATE KEY-----\\nMII", REDACTED),
        ("A basic idea of tokens", "A basic idea of tokens"),
    ],
)
def test_secrets_are_taken_out_by_name_and_by_format(value: Any, clean: Any) -> None:
    redactor = Redactor()
    assert redactor.clean(value) == clean
    assert bool(redactor.found) == (value != clean)


def test_values_of_the_environment_are_taken_out_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANDS_KEY", "quite-ordinary-words")
    monkeypatch.setenv("LANDS_PORT", "80")
    redactor = Redactor.for_source(["LANDS_KEY", "LANDS_PORT", "LANDS_NONE"])
    assert redactor.clean({"url": "x?k=quite-ordinary-words&p=80"}) == {"url": f"x?k={REDACTED}&p=80"}
    assert redactor.found == [("url", "the value of an environment variable")]


def test_a_list_of_plain_values_is_learnt_too() -> None:
    assert learnt([["orders", "customers"], []]) == {"type": "array", "items": {"type": "string"}}
    assert learnt([[]]) is None
    assert learnt(["orders"]) is None


def test_a_command_with_a_key_in_it_is_noticed() -> None:
    assert looks_secret("serve --token ghp_" + "a" * 36)
    assert not looks_secret("serve --token ${TOKEN} --db-path ./a.db")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@given(st.lists(JSON, min_size=1, max_size=5))
def test_a_learnt_schema_holds_for_all_that_it_was_learnt_from(values: list[Any]) -> None:
    from jsonschema import Draft202012Validator

    shape = learnt(values)
    if shape is not None:
        validator: Any = Draft202012Validator(json.loads(json.dumps(shape)))
        assert all(validator.is_valid(one) for one in values)
