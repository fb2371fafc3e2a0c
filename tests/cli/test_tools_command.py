"""`knowact tools add`, `show` and `record`, as a user types them."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knowact.cli import main
from knowact.tools.annotation import annotated
from knowact.tools.folder import ToolFolder, find
from shop_app import TOKEN, served, shop

SERVER = Path(__file__).parents[1] / "odd_server.py"
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        code = main.run(["tools", *args])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def command(mode: str = "good") -> str:
    pytest.importorskip("mcp")
    return f'"{sys.executable}" -I "{SERVER}" {mode} notes.txt'


def test_add_writes_a_folder_that_show_tells(typed: Typed) -> None:
    code, out, _ = typed("add", "orders", "--mcp", command())
    assert code == 0
    assert "order  reads     2 parameters   no output schema" in out
    assert "order: nothing is said of a parameter: detail" in out
    assert typed("show", "orders")[1].startswith("orders: 3 tools of an MCP server over stdio")
    shown = json.loads(typed("show", "orders", "--json")[1])
    assert shown["source"]["sha256"] == find("orders").source.sha256 != ""
    assert "The order." in typed("show", "orders", "--tool", "order")[1]


def test_a_second_add_reads_again_and_keeps_what_people_wrote(typed: Typed) -> None:
    typed("add", "orders", "--mcp", command(), "--timeout", "900")
    folder = find("orders")
    folder.annotations.write_text("order: {}\n", encoding="utf-8")
    fewer = folder.tools[:1]
    ToolFolder(folder.path, folder.source, fewer).save()
    code, out, _ = typed("add", "orders")
    assert code == 0
    assert "New since the last time: order, note" in out
    again = find("orders")
    assert again.source.timeout == 900
    assert again.annotations.read_text("utf-8") == "order: {}\n"


def test_record_calls_only_what_reads_and_lists_secrets_before_it_writes(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed("add", "orders", "--mcp", command())
    calls = tmp_path / "calls.jsonl"
    lines: list[tuple[str, dict[str, int]]] = [
        ("order", {"id": 7}),
        ("order", {"id": 0}),
        ("note", {}),
        ("count", {}),
    ]
    calls.write_text(
        "".join(json.dumps({"tool": tool, "arguments": given}) + "\n" for tool, given in lines),
        encoding="utf-8",
    )
    code, out, _ = typed("record", "orders", "--calls", str(calls), "--yes")
    assert code == 0
    assert "note: not called, nothing declares it read-only (--reads)" in out
    assert "count: not called, it writes" in out
    assert "2 answers, 1 of them refusals" in out
    assert "order: api_key (by its name)" in out
    assert out.index("api_key") < out.index("Written to")
    assert not (tmp_path / "notes.txt").exists()
    folder = find("orders")
    assert "k-123" not in folder.recordings.read_text("utf-8")
    assert folder.tools[1].returns_learnt
    assert "learnt from results" in typed("show", "orders")[1]
    typed("add", "orders")
    assert find("orders").tools[1].returns_learnt


def test_what_only_reads_is_one_rule_for_record_show_and_the_forge(typed: Typed, tmp_path: Path) -> None:
    """`order` hints that it reads, `count` that it writes, `note` says nothing; people's word goes before."""
    typed("add", "orders", "--mcp", command())
    calls = tmp_path / "calls.jsonl"
    lines = [
        {"tool": name, "arguments": {"id": 7} if name == "order" else {}}
        for name in ("order", "note", "count")
    ]
    calls.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    said: dict[str, dict[str, Any]] = {
        "order": {"changes": ["order.seen"]},
        "count": {"writes": False},
        "note": {"by_person": True},
    }
    find("orders").annotations.write_text(json.dumps({"tools": said}), encoding="utf-8")
    code, out, _ = typed("record", "orders", "--calls", str(calls), "--yes")
    assert code == 0, out
    assert "order: not called, it writes" in out
    assert "note: not called, nothing declares it read-only" in out
    assert "count: not called" not in out
    shown = typed("show", "orders")[1]
    assert [known for known in ("order  writes", "note   not said", "count  reads") if known in shown] == [
        "order  writes",
        "note   not said",
        "count  reads",
    ]
    effects = {one.own.name: one.effect for one in annotated(find("orders"))}
    assert effects == {"order": "writes", "note": "not said", "count": "reads"}


def test_record_writes_nothing_where_the_user_says_no(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    typed("add", "orders", "--mcp", command())
    answers = iter([True, False])

    def confirm(*_: object, **__: object) -> bool:
        if next(answers):
            return True
        raise KeyboardInterrupt

    monkeypatch.setattr("click.confirm", confirm)
    code, out, _ = typed("record", "orders", "--reads", "note", "--tool", "note")
    assert code == 130
    assert "1 call of 1 tool" in out
    assert not find("orders").recordings.exists()


def test_a_service_with_a_key(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", TOKEN)
    with served(shop()) as address:
        told = ("--openapi", f"{address}/openapi.json", "--header", "Authorization: Bearer ${SHOP_TOKEN}")
        code, out, _ = typed("add", "shop", *told)
        assert code == 0
        assert "shop: 12 tools of an OpenAPI document" in out
        code, out, _ = typed("record", "shop", "--yes")
        assert code == 0
        assert "get_order: not called, nobody can list id (--calls)" in out
        assert "create_order: not called, nothing declares it read-only" in out
    folder = find("shop")
    assert TOKEN not in (folder.path / "source.yaml").read_text("utf-8") + folder.recordings.read_text(
        "utf-8"
    )
    assert '{"sku": "A1"}' in folder.recordings.read_text("utf-8")


def test_a_terminal_is_not_moved_by_what_a_server_says(typed: Typed) -> None:
    code, out, _ = typed("add", "orders", "--mcp", command("markup"))
    assert code == 0
    assert "agents see 'order__b_'" in out
    shown = typed("show", "orders", "--tool", "order/<b>")[1]
    assert "\x1b" not in shown + out
    assert "\u202e" not in shown + out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("add", "x"), "There are no tools named 'x' yet. Name a source"),
        (("add", "x", "--mcp", "a", "--python", "b"), "Name one source"),
        (("add", "../x", "--mcp", "a"), "cannot name tools"),
        (("add", "x", "--mcp", "/no/such/command"), "cannot be started"),
        (("add", "x", "--mcp", "serve --token ghp_" + "a" * 36), "A secret stands in the command"),
        (("add", "x", "--openapi", "none.json"), "cannot be read"),
        (("add", "x", "--mcp-url", "http://127.0.0.1:1/mcp", "--header", "Key: abc"), "--header takes"),
        (("add", "x", "--mcp-url", "http://127.0.0.1:1/mcp", "--header", "K: ${NO_KEY}"), "variable NO_KEY"),
        (
            ("add", "x", "--mcp-url", "http://127.0.0.1:1/mcp"),
            "The MCP server at http://127.0.0.1:1/mcp fails",
        ),
        (("add", "x", "--python", "no_such_module"), "can't be loaded"),
        (("show", "x"), "There is no folder of tools in knowact-tools named 'x'"),
        (("record", "x"), "There is no folder of tools in knowact-tools named 'x'"),
    ],
)
def test_a_mistake_is_one_sentence(typed: Typed, args: tuple[str, ...], said: str) -> None:
    code, _, err = typed(*args)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
    assert not Path("knowact-tools").exists()


def test_record_calls_what_people_say_reads_and_nothing_that_they_say_writes(
    typed: Typed, tmp_path: Path
) -> None:
    typed("add", "orders", "--mcp", command())
    folder = find("orders")
    said = "tools: {note: {writes: false}, order: {writes: true}}\n"
    folder.annotations.write_text(said, encoding="utf-8")
    calls = tmp_path / "calls.jsonl"
    lines = ['{"tool": "note", "arguments": {}}', '{"tool": "order", "arguments": {"id": 7}}']
    calls.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, out, _ = typed("record", "orders", "--calls", str(calls), "--yes")
    assert code == 0
    assert "order: not called, it writes" in out
    assert '"tool":"note"' in folder.recordings.read_text("utf-8").replace(" ", "")
