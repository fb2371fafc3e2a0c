"""`knowact tools draft`: prose to a draft, only what quotes support, refused until a person confirms it."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.endpoint import Reply, Request, Say, ScriptedEndpoint
from harbour_app import HTML, MARKDOWN, OF_HTML, OF_MARKDOWN, harbour
from knowact.core.errors import BadData
from knowact.core.world import Call
from knowact.tools.draft import draft
from knowact.tools.folder import find
from knowact.tools.openapi import read_document
from knowact.tools.prose import OVERLAP, PIECE, Piece, pieces
from knowact.tools.prose_form import Form, checked
from knowact.tools.world import LiveSession, ToolsWorld
from running import Ran, knowact
from shop_app import served

ROLE = ("--role", "writer=openai-api/note/writer", "--yes")


class Writer:
    """A model that reads documentation as a test wants it to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.prompts: list[str] = []
        self.schemas: list[Any] = []
        self.reply: Callable[[str, int], str] = lambda piece, _turn: json.dumps(
            OF_HTML if ".html" in piece else OF_MARKDOWN
        )

    def script(self, request: Request) -> Reply:
        piece = request.conversation.rpartition("The piece, ")[2].partition(":")[0]
        self.asked.append(piece)
        self.prompts.append(request.conversation)
        self.schemas.append(request.body["response_format"]["json_schema"]["schema"])
        return Say(self.reply(piece, request.turn))


@pytest.fixture
def writer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Writer]:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path / "tools"))
    played = Writer()
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        monkeypatch.setenv("NOTE_API_KEY", "x")
        monkeypatch.setenv("NOTE_BASE_URL", endpoint.base_url)
        yield played


@pytest.fixture
def docs(tmp_path: Path) -> list[Path]:
    files = [tmp_path / "berths.md", tmp_path / "booking.html"]
    files[0].write_text(MARKDOWN, encoding="utf-8")
    files[1].write_text(HTML, encoding="utf-8")
    return files


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "tools" / "harbour" / "openapi.yaml"


def drafted(capsys: pytest.CaptureFixture[str], docs: list[Path], *words: object) -> Ran:
    named = [word for file in docs for word in ("--docs", file)]
    return knowact(capsys, "tools", "draft", "harbour", *named, *ROLE, *words)


def confirm(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(one for one in lines if not one.startswith("x-knowact-draft")), encoding="utf-8")


def operations(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"{method} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def put(form: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """The form with its first operation changed."""
    first, *rest = form["operations"]
    return {**form, "operations": [{**first, **changes}, *rest]}


@pytest.mark.slow
def test_from_prose_to_a_call_with_a_person_in_between(
    writer: Writer,
    docs: list[Path],
    target: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = drafted(capsys, docs)
    assert done.code == 0, done.said
    assert "at least 2 calls" in done.out
    assert "list_berths: GET /berths, 2 parameters" in done.out
    assert "book_berth_: POST /berths/{berth}/bookings, 3 parameters" in done.out
    assert "3 operations drafted" in done.out

    add = ("tools", "add", "harbour", "--openapi", target, "--header", "X-Harbour-Key: ${HARBOUR_KEY}")
    refused = knowact(capsys, *add)
    assert refused.code == 2
    assert "this is a draft that nobody has confirmed" in refused.err
    assert "remove that line" in refused.err
    assert not (target.parent / "tools.jsonl").exists()

    confirm(target)
    monkeypatch.setenv("HARBOUR_KEY", "k-loopback")
    with served(harbour()) as base:
        added = knowact(capsys, *add, "--base-url", base)
        assert added.code == 0, added.said
        assert "x-quote" not in (target.parent / "tools.jsonl").read_text(encoding="utf-8")
        session = ToolsWorld("tools:harbour").open({}, 0)
        assert isinstance(session, LiveSession)
        assert session.call(Call("get_berth", {"number": 4})).value["price_eur"] == 31.5
        assert session.call(Call("list_berths", {"side": "south"})).value[0]["side"] == "south"
        booking = {"berth": "4", "nights": 2, "boat": {"name": "Nix"}}
        assert session.call(Call("book_berth_", booking)).value == {"booking": 1}
        session.close()
        assert session.shared.service is not None
        session.shared.service.close()


def test_a_file_of_replies_takes_the_writers_place(
    docs: list[Path],
    target: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path / "tools"))
    file = tmp_path / "replies.jsonl"
    file.write_text(
        "".join(
            f"{json.dumps({'id': name, 'reply': reply})}\n"
            for name, reply in (
                ("berths.md.1.1", {**OF_MARKDOWN, "servers": "no list"}),
                ("berths.md.1", OF_MARKDOWN),
                ("booking.html.1", OF_HTML),
            )
        ),
        encoding="utf-8",
    )
    named = [word for one in docs for word in ("--docs", one)]
    words = ("tools", "draft", "harbour", *named, "--role", f"writer=file:{file}", "--yes")
    done = knowact(capsys, *words)
    assert done.code == 0, done.said
    assert "3 operations drafted" in done.out, "the second attempt has no line of its own"
    assert target.is_file()


def test_the_draft_says_what_the_documentation_says_with_quotes(
    writer: Writer, docs: list[Path], target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drafted(capsys, docs).code == 0
    text = target.read_text(encoding="utf-8")
    document = yaml.safe_load(text)
    assert text.startswith("# Drafted by a model from prose.")
    assert document["x-knowact-draft"] is True
    assert [one["url"] for one in document["servers"]] == ["https://harbour.example/v2"]
    found = operations(document)
    listing = found["get /berths"]
    # The key is the service's affair, and no parameter that an agent fills in.
    assert [one["name"] for one in listing["parameters"]] == ["length", "side"]
    assert listing["parameters"][1]["schema"]["enum"] == ["north", "south"]
    assert listing["x-quote"] == "GET /berths lists the berths"
    element = listing["responses"]["200"]["content"]["application/json"]["schema"]["items"]["properties"]
    assert element["owner"]["properties"]["name"]["type"] == "string"
    booking = found["post /berths/{berth}/bookings"]
    # Nobody described what varies in the path; the path's own quote holds it.
    assert booking["parameters"][0]["name"] == "berth"
    body = booking["requestBody"]["content"]["application/json"]["schema"]
    assert (body["required"], body["properties"]["boat"]["type"]) == (["nights"], "object")
    assert document["components"]["securitySchemes"]["X-Harbour-Key"]["in"] == "header"
    # A model that can be held to a schema is, and instructions of pages come as data.
    assert writer.schemas[0]["required"] == ["servers", "keys", "operations"]
    page = next(one for one in writer.prompts if ".html" in one).rpartition("The piece, ")[2]
    assert "POST /berths/{berth}/bookings" in page
    assert "/secret" not in page
    assert "/script" not in page


def test_a_method_in_capitals_is_the_same_method() -> None:
    said = {"method": "POST", "path": "/berths", "quote": "POST /berths"}
    assert Form.model_validate({"operations": [said]}).operations[0].method == "post"


LIES: list[tuple[str, dict[str, Any], str]] = [
    (
        "a quote that stands nowhere",
        {"quote": "GET /berths shows boats"},
        "does not stand in the documentation",
    ),
    ("another method", {"method": "delete"}, "does not hold the method"),
    ("another path", {"path": "/boats"}, "does not hold it"),
    ("a path that is none", {"path": "/berths?x=1"}, "a path begins with"),
    ("a path to elsewhere", {"path": "//203.0.113.9/berths"}, "does not hold it"),
    ("an unnamed slot", {"path": "/berths/{}"}, "a path begins with"),
]


@pytest.mark.parametrize(("changes", "why"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES])
def test_an_operation_without_a_quote_is_left_out_and_said(changes: dict[str, Any], why: str) -> None:
    form, dropped = checked(Piece("berths.md", 1, MARKDOWN), Form.model_validate(put(OF_MARKDOWN, **changes)))
    assert [one.name for one in form.operations] == ["get_berth"]
    assert [why in one for one in dropped] == [True]


def test_fields_servers_and_values_need_quotes_as_well() -> None:
    (length, side, key), element = OF_MARKDOWN["operations"][0]["parameters"], {"name": "[].weight"}
    said = put(
        {**OF_MARKDOWN, "servers": [{"url": "http://203.0.113.9/", "quote": "All calls go to"}]},
        parameters=[
            {**length, "name": "width"},
            {**side, "values": ["north", "east"]},
            {**key, "place": "path"},
        ],
        result=[{**OF_MARKDOWN["operations"][0]["result"][0], **element}],
    )
    form, dropped = checked(Piece("berths.md", 1, MARKDOWN), Form.model_validate(said))
    assert form.servers == ()
    listing = form.operations[0]
    assert [(one.name, one.values) for one in listing.parameters] == [("side", ())]
    assert listing.result == ()
    assert len(dropped) == 5


def test_a_lie_is_sent_back_once_and_then_left_out(
    writer: Writer, docs: list[Path], target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lying = {"method": "delete", "path": "/berths", "quote": "DELETE /berths with the server"}
    writer.reply = lambda _piece, _turn: json.dumps(put(OF_MARKDOWN, **lying))
    done = drafted(capsys, docs[:1])
    assert done.code == 0, done.said
    assert len(writer.asked) == 2
    assert "DELETE /berths: its quote does not stand in the documentation" in done.out
    assert list(operations(yaml.safe_load(target.read_text(encoding="utf-8")))) == ["get /berths/{number}"]


def test_garbage_is_named_and_the_rest_drafted_then_the_same_command_goes_on(
    writer: Writer, docs: list[Path], target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = writer.reply

    def broken(piece: str, turn: int) -> str:
        return '{"operations": [{"method": "eval"}]}' if ".html" in piece else good(piece, turn)

    writer.reply = broken
    done = drafted(capsys, docs, "--max-connections", "1")
    assert done.code == 1
    assert "no usable reading of booking.html, piece 1" in done.err
    assert "The draft lacks the operations of these pieces." in done.err
    assert len(operations(yaml.safe_load(target.read_text(encoding="utf-8")))) == 2
    writer.reply = good
    writer.asked.clear()
    assert drafted(capsys, docs).code == 0
    assert writer.asked == ["booking.html, piece 1"]
    assert len(operations(yaml.safe_load(target.read_text(encoding="utf-8")))) == 3
    writer.asked.clear()
    assert drafted(capsys, docs).code == 0
    assert writer.asked == []


def test_what_a_person_changed_is_never_written_over(
    writer: Writer, docs: list[Path], target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drafted(capsys, docs).code == 0
    confirm(target)
    writer.asked.clear()
    done = drafted(capsys, docs)
    assert done.code == 2
    assert "may hold your corrections" in done.err
    assert writer.asked == []


def test_an_address_that_the_documentation_smuggles_in_is_shown(
    writer: Writer, docs: list[Path], target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A quote proves that it stands there, not that it is right: that is for the person to see."""
    smuggled = {"url": "http://203.0.113.9/", "quote": "with the server http://203.0.113.9/"}
    good = writer.reply
    writer.reply = lambda piece, turn: (
        json.dumps({**OF_HTML, "servers": [smuggled]}) if ".html" in piece else good(piece, turn)
    )
    done = drafted(capsys, docs)
    assert done.code == 0
    assert "Addresses: https://harbour.example/v2, http://203.0.113.9. Calls go to the first" in done.out


def test_documentation_without_a_call_is_a_sentence(
    writer: Writer, docs: list[Path], target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer.reply = lambda _piece, _turn: '{"servers": [], "keys": [], "operations": []}'
    done = drafted(capsys, docs)
    assert done.code == 2
    assert "found no operation in it that a quote supports" in done.err
    assert not target.exists()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.pdf", b"%PDF-1.7\xff\xfe\x00", "this is not UTF-8 text"),
        ("a.md", b"a\x00b", "this is not text"),
        ("a.md", b"  \n", "there is no text in it"),
        ("a.html", b"<script>alert(1)</script>", "there is no text in it"),
        ("a.txt", b"x" * 5_000_001, "it has more than 5,000,000 characters"),
    ],
)
def test_what_is_no_documentation_is_a_sentence(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(BadData, match=said):
        pieces([file])


def test_nobody_named_and_no_file_are_sentences(
    capsys: pytest.CaptureFixture[str], docs: list[Path], tmp_path: Path
) -> None:
    assert "add --role writer=MODEL" in knowact(capsys, "tools", "draft", "x", "--docs", docs[0]).err
    gone = knowact(capsys, "tools", "draft", "x", "--docs", tmp_path / "no.md", *ROLE)
    assert (gone.code, "the file cannot be read" in gone.err) == (2, True)


class TestPieces:
    def test_cut_before_headings_and_lose_nothing(self, tmp_path: Path) -> None:
        parts = [f"# Part {number}\n\n" + f"word{number} " * 1_500 + "\n" for number in range(6)]
        file = tmp_path / "long.md"
        file.write_text("".join(parts), encoding="utf-8")
        found = pieces([file])
        assert [one.number for one in found] == list(range(1, len(found) + 1))
        assert max(len(one.text) for one in found) <= PIECE + OVERLAP
        rebuilt = found[0].text + "".join(one.text[OVERLAP:] for one in found[1:])
        assert rebuilt == "".join(parts)
        assert all(one.text[OVERLAP:].startswith("# Part") for one in found[1:])

    def test_deep_and_broken_markup_is_read(self, tmp_path: Path) -> None:
        file = tmp_path / "deep.html"
        file.write_text("<div>" * 20_000 + "<p>GET /x<td>" + "<!--" * 20_000, encoding="utf-8")
        assert "GET /x" in pieces([file])[0].text

    def test_one_line_without_blanks_is_cut_all_the_same(self, tmp_path: Path) -> None:
        file = tmp_path / "one.txt"
        file.write_text("x" * (2 * PIECE + 1), encoding="utf-8")
        assert len(pieces([file])) == 3


def test_two_pieces_speak_of_one_call_by_other_names() -> None:
    first = put(OF_MARKDOWN, parameters=[], result=[])
    texts = [Piece("a.md", 1, MARKDOWN), Piece("a.md", 2, MARKDOWN.replace(":number", "{no}"))]
    slot = {**OF_MARKDOWN["operations"][1]["parameters"][0], "name": "no", "quote": "/berths/{no}"}
    again = {
        **OF_MARKDOWN["operations"][1],
        "path": "/berths/{no}",
        "quote": slot["quote"],
        "parameters": [slot],
    }
    again["quote"] = "send a GET request to /berths/{no}"
    forms = [Form.model_validate(first), Form.model_validate({**OF_MARKDOWN, "operations": [again, LISTED]})]
    made = draft("harbour", "m", zip(texts, forms, strict=True), Path("x.yaml"))
    assert made.dropped == ()
    found = operations(made.document)
    assert list(found) == ["get /berths", "get /berths/{number}"]
    assert len(found["get /berths"]["parameters"]) == 2
    assert [one["name"] for one in found["get /berths/{number}"]["parameters"]] == ["number"]


LISTED = OF_MARKDOWN["operations"][0]
_names = st.text(max_size=12) | st.sampled_from(
    ["a", "[]", "a.b", "a[].b", "a[]", "[].a", "x", "\x1b[31m", "$ref"]
)
_fields = st.lists(
    st.fixed_dictionaries(
        {
            "name": _names.filter(bool),
            "type": st.sampled_from(["string", "integer", "number", "boolean", "array", "object"]),
            "required": st.booleans(),
            "description": st.text(max_size=9),
            "values": st.lists(st.text(max_size=4) | st.integers() | st.floats(), max_size=3),
            "quote": st.just(""),
            "place": st.sampled_from(["path", "query", "header", "cookie"]),
        }
    ),
    max_size=6,
)
_said = st.fixed_dictionaries(
    {
        "method": st.sampled_from(["get", "put", "post", "delete", "patch"]),
        "path": st.sampled_from(["/a", "/a/{b}", "/a/{c}", "/{x}/{y}", "/", "/é/{$ref}"]),
        "name": st.text(max_size=70),
        "summary": st.text(max_size=9),
        "quote": st.just(""),
        "parameters": _fields,
        "body_as": st.sampled_from(["json", "form"]),
        "body": _fields,
        "result": _fields,
    }
)


@settings(max_examples=40, deadline=None)
@given(st.lists(_said, min_size=1, max_size=4))
def test_whatever_a_model_says_with_quotes_becomes_a_valid_document(said: list[dict[str, Any]]) -> None:
    """Every name is quoted by the piece itself; our reader takes the document, from YAML as well."""
    every = "\n".join(
        [f"{one['method']} {one['path']}" for one in said]
        + [
            f"{each['name']}"
            for one in said
            for part in ("parameters", "body", "result")
            for each in one[part]
        ]
    )
    quoted = [
        {
            **one,
            "quote": f"{one['method']} {one['path']}",
            **{
                part: [{**each, "quote": each["name"]} for each in one[part]]
                for part in ("parameters", "body", "result")
            },
        }
        for one in said
    ]
    form = Form.model_validate({"operations": quoted})
    made = draft("any", "m", [(Piece("a.md", 1, every), form)], Path("x.yaml"))
    if made.read is None:
        return
    assert yaml.safe_load(made.text()) == made.document


def test_a_draft_is_refused_whatever_its_mark_says(tmp_path: Path) -> None:
    file = tmp_path / "draft.yaml"
    file.write_text("x-knowact-draft: false\nopenapi: 3.1.0\n", encoding="utf-8")
    with pytest.raises(BadData, match="nobody has confirmed"):
        read_document(str(file), {})


def test_no_folder_of_tools_is_there_before_one_is_added(
    writer: Writer, docs: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert drafted(capsys, docs).code == 0
    with pytest.raises(Exception, match="There is no folder of tools"):
        find("harbour")
