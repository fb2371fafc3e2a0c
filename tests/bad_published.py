"""Mutations of records in the published layout."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bad_files import Bad, at
from kaware_records import (
    Record,
    document,
    place_of,
    release,
    several,
    single,
    without,
    write,
    write_one,
    write_text,
)

SINGLE = "External_Function/single-hop"
PAIR = "Hybrid_Function/parallel"


def published() -> Iterator[Bad]:
    """Mutations of records in the published layout."""
    yield from _missing_fields()
    yield from _wrong_fields()
    yield from _wrong_tools()
    yield from _wrong_annotations()
    yield from _wrong_documents()
    yield from _wrong_calls()
    yield from _wrong_lines()


def _one(name: str, field: str, said: str, **changed: Any) -> Bad:
    record = single(**changed)
    return Bad(name, lambda folder: write(folder, {SINGLE: [record]}), at(SINGLE, field), said)


def _two(name: str, field: str, said: str, **changed: Any) -> Bad:
    record = several(**changed)
    return Bad(name, lambda folder: write_one(folder, record), at(place_of(record), field), said)


def _missing_fields() -> Iterator[Bad]:
    every = ("task", "boundary", "hop", "server", "target_tool", "tool_doc", "tool_call_parameter")
    for field in (*every, "tool_response", "answer"):
        yield Bad(
            f"published: no {field}",
            lambda folder, field=field: write(folder, {SINGLE: [without(single(), field)]}),
            at(SINGLE, field),
            "this field is missing",
        )


def _wrong_fields() -> Iterator[Bad]:
    yield _one("published: blank task", "task", "a text that is not blank", task="  ")
    yield _one("published: task is a number", "task", "a valid string", task=3)
    yield _one("published: answer is null", "answer", "a valid string", answer=None)
    yield _one(
        "published: unknown boundary", "boundary", "says 'P4', but the file is one of 'P1'", boundary="P4"
    )
    yield _one("published: record of another folder", "boundary", "says 'P3'", boundary="P3")
    yield _one("published: record of another file", "hop", "says 'parallel'", hop="parallel")
    yield _one("published: boundary is a list", "boundary", "says ['P1']", boundary=["P1"])
    yield _one("published: unknown server", "server", "input should be 'single' or 'multi'", server="some")
    yield _one("published: mcp_server is a number", "mcp_server", "a valid list", mcp_server=7)
    yield _one(
        "published: mcp_server holds a number",
        "mcp_server",
        "at 1, input should be a valid string",
        mcp_server=["x", 7],
    )
    for name, second in (("number", 4), ("text of the same number", " 4 ")):
        records = [single(index=4), single(index=second)]
        yield Bad(
            f"published: index twice, as {name}",
            lambda folder, records=records: write(folder, {SINGLE: records}),
            at(SINGLE, "index", 2),
            "the index 4 occurs twice in this file",
        )


def _wrong_tools() -> Iterator[Bad]:
    field = "target_tool"
    for name, value in (
        *(("a number", 4), ("null", None), ("an empty text", ""), ("an empty list", [])),
        *(("a list of numbers", [4]), ("a server only", "Harbour Master::"), ("a comma too many", "a,,b")),
    ):
        yield _one(
            f"published: target_tool is {name}", field, "must name one tool or several", target_tool=value
        )
    yield _two("published: tool listed twice", field, "listed twice", target_tool="tide_table, X::tide_table")
    yield _two("published: num_tools too large", "num_tools", "num_tools is 3, but", num_tools=3)
    yield _two("published: num_tools is a text", "num_tools", "num_tools is '2', but", num_tools="2")


def _notes(**codes: Any) -> list[Record]:
    return [{"subquestion": "?", "tool": name, "boundary": code} for name, code in codes.items()]


def _wrong_annotations() -> Iterator[Bad]:
    field = "sub_question_annotations"
    yield Bad(
        "published: hybrid without annotations",
        lambda folder: write_one(folder, without(several(), field)),
        at(PAIR, field),
        "does not say which tools it needs",
    )
    for name, value, said in (
        ("are an object", {"tide_table": "P1"}, "a valid list"),
        ("are empty", [], "at least 1 item"),
        ("hold a text", ["tide_table"], "at 0, input should be"),
        ("lack a tool", [{"boundary": "P1"}], "at 0.tool, this field is missing"),
        ("name a blank tool", [{"tool": "", "boundary": "P1"}], "a text that is not blank"),
        ("carry the code P2", _notes(tide_table="P2"), "at 0.boundary, input should be 'P1' or 'P3'"),
        ("carry a list as code", _notes(tide_table=["P1"]), "should be 'P1' or 'P3'"),
        ("name an unknown tool", _notes(tide_table="P1", radar="P3"), "the plan names the tool 'radar'"),
        (
            "need everything",
            _notes(tide_table="P1", knots_to_kmh="P1"),
            "need some of their tools, and not all",
        ),
        ("need nothing", _notes(tide_table="P3", knots_to_kmh="P3"), "need some of their tools, and not all"),
    ):
        yield _two(f"published: annotations {name}", field, said, sub_question_annotations=value)
    pair = {"tide_table": "P1", "berth_status": "P3"}
    yield _two(
        *(
            "published: external with an internal tool",
            field,
            "need all of their tools, but this one needs ['tide_table']",
        ),
        boundary="P1",
        codes=pair,
    )
    yield _two(
        *(
            "published: internal with an external tool",
            field,
            "none of their tools, but this one needs ['tide_table']",
        ),
        boundary="P3",
        codes=pair,
    )
    yield _two(
        *(
            "published: external with a tool left out",
            field,
            "need all of their tools, but this one needs ['tide_table']",
        ),
        boundary="P1",
        codes=pair,
        sub_question_annotations=_notes(tide_table="P1"),
    )


def _wrong_documents() -> Iterator[Bad]:
    good = json.dumps(document("tide_table"))
    documents: tuple[tuple[str, object, str], ...] = (
        ("is cut off", good[:-9], "the text is not JSON"),
        ("holds NaN", good.replace("null", "NaN"), "NaN is not a JSON number"),
        ("has a field twice", good.replace("{", '{"name": "tide_table", ', 1), "'name' occurs twice"),
        ("is JSON within JSON", json.dumps(good), "must be a tool's document"),
        ("is a number", 4, "must be a tool's document"),
        ("is a text of a number", "4", "must be a tool's document"),
        ("is null", None, "must be a tool's document"),
        ("is an empty list", [], "no document of the tool 'tide_table'"),
    )
    for name, value, said in documents:
        yield _one(f"published: tool_doc {name}", "tool_doc", said, tool_doc=value)
    inner = "tool_doc.tide_table"
    for name, value, said in (
        ("of another tool", document("berth_status"), "and the name 'tide_table', not 'berth_status'"),
        (
            "without input_schema",
            without(document("tide_table"), "input_schema"),
            "must have a description, an input_schema",
        ),
        (
            "with a schema as text",
            {**document("tide_table"), "input_schema": "{}"},
            "must have a description, an input_schema",
        ),
        ("without description", without(document("tide_table"), "description"), "must have a description"),
        (
            "with a description of null",
            {**document("tide_table"), "description": None},
            "must have a description",
        ),
    ):
        yield _one(f"published: document {name}", inner, said, tool_doc=value)
    some = {"tide_table": good}
    yield _two("published: a document is missing", "tool_doc", "of the tool 'knots_to_kmh'", tool_doc=some)


def _wrong_calls() -> Iterator[Bad]:
    field = "tool_call_parameter"
    yield _one("published: arguments are a list", field, "a valid dictionary", tool_call_parameter=["Whitby"])
    yield _two("published: arguments of an unknown tool", field, "'radar'", tool_call_parameter={"radar": {}})
    yield _two(
        *("published: arguments that are a text", field, "at tide_table, input should be a valid dictionary"),
        tool_call_parameter={"tide_table": "Whitby"},
    )
    field = "tool_response"
    for name, value, said in (
        ("is a number", 4, "a recorded output per tool"),
        ("is null", None, "a recorded output per tool"),
        ("is one text for two tools", "14:20", "a recorded output per tool"),
        ("has more entries than tools", ["a", "b", "c"], "a recorded output per tool"),
        ("is of an unknown tool", {"radar": "a"}, "does not list 'radar'"),
    ):
        yield _two(f"published: tool_response {name}", field, said, tool_response=value)


def _wrong_lines() -> Iterator[Bad]:
    good = json.dumps(single())
    for name, text, field, said in (
        ("cut in a text", good[: good.index("Whitby") + 3], "", "the line is cut off"),
        ("cut before its last brace", good[:-1], "", "the line is cut off"),
        ("not JSON", "index: 0, task: When?", "", "the line is not JSON"),
        ("a list", f"[{good}]", "", "the line holds a list"),
        ("with a field twice", good.replace("{", '{"task": "x", ', 1), "task", "'task' occurs twice"),
        ("with NaN", good.replace('"index": 0', '"index": NaN'), "", "NaN is not a JSON number"),
        ("with half a character", good.replace("Whitby", "\\ud83d"), "", "half of a surrogate pair"),
        ("nested too deeply", good.replace('"index": 0', f'"index": {"[" * 99}{"]" * 99}'), "", "too deeply"),
    ):
        yield Bad(
            f"published: line {name}",
            lambda folder, text=text: write_text(folder, SINGLE, f"\n{text}\n"),
            at(SINGLE, field, 2),
            said,
        )
    yield Bad("published: not UTF-8", _latin, at(SINGLE, line=2), "this is not UTF-8 text")
    yield Bad("published: only empty files", _empty_files, "", "none of the published files holds a record")
    name = "published: a folder in a file's place"
    yield Bad(name, _folder_for_file, f"{SINGLE}.jsonl", "the file cannot be read")
    yield Bad(
        "published: the second of two records",
        lambda folder: write(folder, {**release(), SINGLE: [single(), single(index=1, task="")]}),
        at(SINGLE, "task", 2),
        "a text that is not blank",
    )


def _latin(folder: Path) -> None:
    file = write_text(folder, SINGLE, "")
    file.write_bytes(b"\n" + json.dumps(single(), ensure_ascii=False).replace("W", "\xdc").encode("latin-1"))


def _empty_files(folder: Path) -> None:
    for name in release():
        write_text(folder, name, "\n")


def _folder_for_file(folder: Path) -> None:
    (folder / f"{SINGLE}.jsonl").mkdir(parents=True)
