"""Tools of a Python module: schemas from types, a fresh module per session, and what functions raise."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from knowact.core.errors import BadUsage, Unreachable
from knowact.core.world import Call
from knowact.tools.folder import Source, ToolFolder, find
from knowact.tools.python_module import PythonModule
from knowact.tools.world import LiveSession, ToolsWorld
from running import knowact

MODULE = '''
from dataclasses import dataclass
from datetime import date
from typing import Literal
import time

COUNT = 0

@dataclass
class Room:
    name: str
    seats: int

def bump(by: int = 1) -> int:
    """Count up.

    Args:
        by: By how much
            it goes up.
    """
    global COUNT
    COUNT += by
    return COUNT

async def room(kind: Literal["small", "large"], day: date) -> Room:
    """Look a room up."""
    if kind == "large":
        raise LookupError("all taken")
    return Room(f"{kind} on {day:%d %B}", 4)

def sleeps(loose):
    time.sleep(600)

def _hidden() -> None: ...
'''


def source(tmp_path: Path, text: str = MODULE, timeout: float = 600.0) -> Source:
    file = tmp_path / "rooms.py"
    file.write_text(text, encoding="utf-8")
    return Source(kind="python", module=str(file), timeout=timeout, added=date(2026, 1, 1))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ToolFolder:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
    told = source(tmp_path)
    made = ToolFolder(tmp_path / "rooms", told, tuple(PythonModule(told).tools()))
    made.save()
    return made


def test_schemas_come_from_types_and_words_from_docstrings(folder: ToolFolder) -> None:
    bump, room, sleeps = folder.tools
    assert (bump.name, room.name, sleeps.name) == ("bump", "room", "sleeps")
    assert bump.description == "Count up."
    assert bump.tool("").properties["by"]["description"] == "By how much it goes up."
    assert room.tool("").required == ("kind", "day")
    assert room.tool("").properties["kind"]["enum"] == ["small", "large"]
    assert room.returns is not None
    assert list(room.tool("").model_dump()["returns"]["properties"]) == ["name", "seats"]
    assert "its parameters without a type take anything: loose" in sleeps.odd


def test_each_session_runs_the_module_anew(folder: ToolFolder) -> None:
    one, other = (ToolsWorld("tools:rooms").open({}, 0) for _ in range(2))
    assert [one.call(Call("bump", {"by": 2})).value for _ in range(2)] == [2, 4]
    assert other.call(Call("bump")).value == 1
    before = one.digest()
    one.call(Call("bump"))
    assert before != one.digest()


def test_arguments_are_brought_to_their_types_and_what_is_raised_is_a_result(folder: ToolFolder) -> None:
    session = ToolsWorld("tools:rooms").open({}, 0)
    found = session.call(Call("room", {"kind": "small", "day": "2026-03-01"}))
    assert found.value == {"name": "small on 01 March", "seats": 4}
    wrong = session.call(Call("room", {"kind": "tiny", "day": "2026-03-01"})).problem
    raised = session.call(Call("room", {"kind": "large", "day": "2026-03-01"})).problem
    assert wrong is not None
    assert raised is not None
    assert (wrong.code, raised.code, raised.message) == ("bad_arguments", "refused", "LookupError: all taken")


@pytest.mark.slow
def test_a_function_that_never_ends_is_left_behind(folder: ToolFolder, tmp_path: Path) -> None:
    ToolFolder(folder.path, source(tmp_path, timeout=0.5), folder.tools).save()
    session = ToolsWorld("tools:rooms").open({}, 0)
    with pytest.raises(Unreachable, match=r"'sleeps' took longer than 0\.5 seconds"):
        session.call(Call("sleeps", {"loose": 1}))


def test_a_function_that_is_another_now_is_noticed(folder: ToolFolder, tmp_path: Path) -> None:
    source(tmp_path, MODULE.replace("Count up.", "Count down."))
    session = ToolsWorld("tools:rooms").open({}, 0)
    assert isinstance(session, LiveSession)
    with pytest.raises(Unreachable, match="'bump' is another tool now"):
        session.call(Call("bump"))


def test_typed_dicts_are_read_whatever_module_they_are_from(tmp_path: Path) -> None:
    """Pydantic refuses `typing.TypedDict` on Python 3.11; it may contain itself, and lack a field."""
    text = """
from typing import Annotated, NotRequired, Required, TypedDict

class Named(TypedDict):
    name: str

class Folder(Named, total=False):
    size: Required[int]
    inner: "list[Folder]"

class Found(TypedDict):
    folder: Folder
    note: NotRequired[str]

def find(within: Folder) -> list[Found]:
    return [{"folder": within}]
"""
    module = PythonModule(source(tmp_path, text))
    [find] = module.tools()
    within: Any = find.tool("").properties["within"]
    assert (within["required"], list(within["properties"])) == (["name", "size"], ["name", "size", "inner"])
    returns: Any = find.returns
    assert returns["items"]["required"] == ["folder"]
    folder: dict[str, Any] = {"name": "a", "size": "1", "inner": [{"name": "b", "size": 2}]}
    assert module.call(find, {"within": folder}).value == [{"folder": {**folder, "size": 1}}]
    refused = module.call(find, {"within": {"name": "a"}}).problem
    assert refused is not None
    assert (refused.code, "size" in refused.message) == ("bad_arguments", True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nothing_of_that_name", "can't be loaded .ModuleNotFoundError"),
        ("x = 1", "has no public function of its own"),
        ("def f(x: 'Nowhere') -> int: ...", "the types of 'f' have no JSON Schema"),
        ("def f(x: object()) -> int: ...", "the types of 'f' have no JSON Schema"),
        ("def (", "can't be loaded .SyntaxError"),
    ],
)
def test_a_module_that_is_of_no_use_is_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadUsage, match=said):
        PythonModule(source(tmp_path, text)).tools()


def test_a_function_that_json_cannot_call_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
    (tmp_path / "both.py").write_text("def f(x: int) -> int: ...\ndef g(x: object()) -> int: ...\n")
    done = knowact(capsys, "tools", "add", "both", "--python", tmp_path / "both.py")
    assert done.code == 0, done.said
    assert "Left out: the types of 'g' have no JSON Schema (" in done.out
    assert [one.name for one in find("both").tools] == ["f"]
