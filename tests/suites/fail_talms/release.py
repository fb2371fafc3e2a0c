"""A small release in the published layout, in our own words."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Files = dict[str, Any]
"""Relative path to what the file holds: a text as it is, anything else as JSON."""

HARBOUR = "Harbour"
HIGH_WATER = ("tides", "next_high_water")
MOON = ("tides", "moon_phase")
FREE = ("berths", "free_berth")
BOOK = ("berths", "book_berth")

SPLITS = ("Original", "Underspecified", "Replaceable", "Non-replaceable", "No-tools")


def function(key: tuple[str, str] = HIGH_WATER, category: str = HARBOUR, **changed: Any) -> Row:
    """An entry of a query's `api_list`."""
    tool, name = key
    row = {
        "category_name": category,
        "tool_name": tool,
        "api_name": name,
        "api_description": f"Query's words for {name}.",
        "required_parameters": [{"name": "port", "type": "STRING"}],
        "optional_parameters": [],
        "method": "GET",
        "template_response": {"answer": "text"},
    }
    return {**row, **changed}


def query(text: str, *functions: Row, **changed: Any) -> Row:
    """One query."""
    row = {"api_list": list(functions), "query": text, "relevant APIs": [], "query_id": 1}
    return {**row, **changed}


def descriptor(tool: str, *names: str, **changed: Any) -> Row:
    """A tool's descriptor; every function takes the name of a port."""
    entries = [
        {
            "name": name,
            "url": "https://example.org",
            "description": f"Descriptor's words for {name}.",
            "method": "GET",
            "required_parameters": [{"name": "port", "type": "STRING", "description": "Which port."}],
            "optional_parameters": [{"name": "days", "type": "INTEGER", "default": "3"}],
        }
        for name in names
    ]
    return {"tool_name": tool, "tool_description": "", "title": tool, "api_list": entries, **changed}


def without(row: Row, *names: str) -> Row:
    """The row without some of its members."""
    return {name: value for name, value in row.items() if name not in names}


TIDE = "When is high water in Whitby on Sunday, and is a berth free there?"
MOONLIT = "What is the moon like in Hull tonight? Book me a berth there."


def standard() -> Files:
    """Two base queries with a variant in every setting, and two tools; no combined files yet."""
    both, other = (function(HIGH_WATER), function(FREE)), (function(MOON), function(BOOK))
    return {
        "tools/Harbour/tides.json": descriptor("tides", "next_high_water", "moon_phase"),
        "tools/Harbour/berths.json": descriptor("berths", "free_berth", "book_berth"),
        "benchmark/Original/Harbour/query_1.json": [query(TIDE, *both)],
        "benchmark/Original/Harbour/query_2.json": [query(MOONLIT, *other)],
        "benchmark/Underspecified/Harbour/query_1_1.json": [
            query("When is high water? Is a berth free?", *both)
        ],
        "benchmark/Underspecified/Harbour/query_2_1.json": [
            query("What is the moon like? Book a berth.", *other)
        ],
        "benchmark/Replaceable/Harbour/query_1_1.json": [query(TIDE, both[0])],
        "benchmark/Non-replaceable/Harbour/query_1_1.json": [query(TIDE, both[1])],
        "benchmark/Non-replaceable/Harbour/query_2_1.json": [query(MOONLIT, other[1])],
        "benchmark/No-tools/Harbour/query_1.json": [query(TIDE)],
        "benchmark/No-tools/Harbour/query_2.json": [query(MOONLIT)],
    }


def with_combined(files: Files) -> Files:
    """Add the combined file of each setting: all rows, numbered from 1 in the order of the paths."""
    out = dict(files)
    for split in SPLITS:
        own = [rows for path, rows in sorted(files.items()) if path.startswith(f"benchmark/{split}/")]
        rows: list[Row] = [row for one in own if not isinstance(one, str | dict) for row in one]
        if rows:
            numbered = [{**row, "query_id": number} for number, row in enumerate(rows, start=1)]
            out[f"benchmark/{split}/all_{split}_queries.json"] = numbered
    return out


def write(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write a release; return its folder."""
    for name, value in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value, indent=4)
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return folder


def answer(query_id: int, text: str = TIDE, **changed: Any) -> Row:
    """One record of a published run: not skipped, passed."""
    row = {"query_id": query_id, "query": text, "skipped": False, "pass_rate": 1, "model_answer": "At noon."}
    return {**row, **changed}


def tool_label(label: str) -> Row:
    """The members of a tool awareness answer."""
    return {"tool_awareness": f"{label}, because.", "tool_annotation": label.lower(), "tool_aware_score": 1}


def info_label(label: str) -> Row:
    """The members of an information awareness answer."""
    return {"info_awareness": f"{label}, because.", "info_annotation": label.lower(), "info_aware_score": 1}


def asked(*ratings: str) -> Row:
    """The questions that were put to a person."""
    return {
        "interaction_scores": [
            {"score": rating, "question": "Which port?", "user_response": "Whitby"} for rating in ratings
        ]
    }


def outputs(runs: Mapping[tuple[str, str], object]) -> Files:
    """Files of published runs, by setting and model folder: ("Original", "gpt_4o_auto_eval")."""
    return {f"outputs/{split}/{model}/answers.json": rows for (split, model), rows in runs.items()}
