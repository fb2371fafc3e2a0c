"""`knowact new`: from a module of one's own to a data set that runs, with a scripted model in all roles."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.annotators import filled
from doubles.endpoint import Reply, Request, Say, ScriptedEndpoint
from knowact.forge.briefs import Brief
from knowact.forge.flat import flat
from knowact.tools.annotation import Annotation
from knowact.tools.folder import find
from running import knowact

from .test_forge_own import ANNOTATIONS, MODULE, scenario

MODEL = "openai-api/new/model"
WRITES = Annotation.model_validate(
    {
        "writes": True,
        "fires": ["interaction"],
        "when": "always",
        "by_person": True,
        "about": ["title"],
        "needs": {"title": "book.title"},
        "changes": ["order.made"],
        "reports": {"title": "echo", "copies": "book.copies"},
    }
)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """A model that describes the shop's tools, thinks of situations in it, and writes plainly."""
    seen: Counter[str] = Counter()
    said = {name: Annotation.model_validate(one) for name, one in ANNOTATIONS["tools"].items()}

    def script(request: Request) -> Reply:
        text = request.conversation
        if "You invent situations" in text:
            seen["scenarios"] += 1
            return Say(json.dumps({f"book-{one}": scenario(one) for one in ("town", "line", "rain")}))
        if "The brief:\n\n" in text:
            seen["texts"] += 1
            shown = text.split("The brief:\n\n")[1].split("\n}\n")[0] + "}"
            return Say(flat(Brief.model_validate_json(shown)).model_dump_json(include={"versions"}))
        if text.startswith("You name"):
            seen["attributes"] += 1
            names = ("book.title", "book.price", "book.copies", "words.text", "words.capitals", "order.made")
            return Say(json.dumps({"attributes": dict.fromkeys(names, "what it says")}))
        seen["votes"] += 1
        name = json.loads(text.rpartition("The tool:\n\n")[2])["name"]
        own = next(tool for tool in find("shop").tools if tool.name == name)
        form = filled(own, said.get(name, WRITES))
        return Say(json.dumps(form))

    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(MODULE, encoding="utf-8")
    known = tmp_path / "knowact-tools" / "shop" / "annotations.yaml"
    known.parent.mkdir(parents=True)
    known.write_text("tools: {get_price: {writes: false}, get_stock: {writes: false}}\n", encoding="utf-8")
    with ScriptedEndpoint(script, keep_requests=False) as endpoint:
        monkeypatch.setenv("NEW_API_KEY", "x")
        monkeypatch.setenv("NEW_BASE_URL", endpoint.base_url)
        yield seen


@pytest.mark.slow
def test_one_line_makes_a_data_set_that_an_oracle_gets_right(
    asked: Counter[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = ("new", "shop", "--python", "shop.py", "--model", MODEL, "--size", 8, "--yes")
    done = knowact(capsys, *new)
    assert done.code == 0, done.said
    assert done.out.index("In all, to describe the tools") < done.out.index("$ knowact tools annotate shop")
    assert "Items can be made with 2 of the 4 tools of 'shop'." in done.out
    assert "not with 1: only a model says that it reads: write `writes: false`" in done.out
    assert len((tmp_path / "shop" / "kapro" / "items.jsonl").read_text("utf-8").splitlines()) == 8
    assert asked["votes"] == 4 * 2 * 3
    assert asked["texts"] == 8
    before = asked.total()
    assert knowact(capsys, *new).code == 0
    assert asked.total() == before, "what is there is not asked again"
    [line] = [one.strip() for one in done.out.splitlines() if one.strip().startswith("knowact run ")]
    words = line.removeprefix("knowact ").replace("MODEL", "knowact/oracle").split()
    ran = knowact(capsys, *words, "--yes")
    assert ran.code == 0, ran.said
    [gate] = [one.strip() for one in done.out.splitlines() if one.strip().startswith("knowact check ")]
    checked = knowact(capsys, *gate.removeprefix("knowact ").replace('"', "").split(), "--point")
    assert checked.code == 0, checked.said
    assert knowact(capsys, "report", "shop/logs", "--out", "page").code == 0
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "people say it of 0 of the 2 tools used, models of the others." in page
    assert "Models say what people say: writes 100% of 2." in page
    shown = json.loads((tmp_path / "page" / "report.json").read_text("utf-8"))["runs"][0]["dataset"]
    assert shown["labels"][0].startswith("Whether a step needs its tool")
    checked = knowact(capsys, "data", "check", "shop/kapro")
    assert "8 items: 8 executed" in checked.out


def test_tools_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    done = knowact(capsys, "new", "shop", "--model", MODEL)
    assert done.code == 2
    assert "Name your tools by one of --mcp, --mcp-url, --openapi, --python." in done.err


def test_nothing_is_spent_on_tools_that_nobody_calls_harmless(
    asked: Counter[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "knowact-tools" / "shop" / "annotations.yaml").unlink()
    done = knowact(capsys, "new", "shop", "--python", "shop.py", "--model", MODEL, "--size", 8, "--yes")
    assert done.code == 2
    assert "no model was asked" in done.err
    assert "`tools: {NAME: {writes: false}}`" in done.err
    assert asked.total() == 0


@pytest.mark.slow
def test_tools_that_were_added_need_no_source_and_keep_their_settings(
    asked: Counter[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    added = knowact(capsys, "tools", "add", "shop", "--python", "shop.py", "--timeout", 7)
    assert added.code == 0, added.said
    done = knowact(capsys, "new", "shop", "--model", MODEL, "--size", 3, "--yes")
    assert done.code == 0, done.said
    assert (tmp_path / "shop" / "kapro" / "items.jsonl").is_file()
    assert find("shop").source.timeout == 7


def test_nothing_is_spent_on_tools_that_refuse_every_call(
    asked: Counter[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "calls.jsonl").write_text('{"tool": "get_price", "arguments": {"title": "None"}}', "utf-8")
    words = ("--python", "shop.py", "--calls", "calls.jsonl", "--model", MODEL, "--size", 8, "--yes")
    done = knowact(capsys, "new", "shop", *words)
    assert done.code == 2
    assert "Each call of 'shop' was refused (KeyError: 'None'), and no model was asked." in done.err
    assert asked.total() == 0
