"""Small records in the published layout, in our own words, and their files."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Record = dict[str, Any]

CODES = {"External_Function": "P1", "Hybrid_Function": "P2", "Internal_Function": "P3"}

TOOLS: Mapping[str, tuple[str, str]] = {
    "tide_table": ("Tells when the tide turns at a harbour.", "harbour"),
    "berth_status": ("Tells whether a berth is free at the moment.", "berth"),
    "post_notice": ("Pins a notice to the harbour's board.", "text"),
    "knots_to_kmh": ("Turns a speed in knots into kilometres per hour.", "knots"),
    "count_words": ("Counts the words of a text.", "text"),
}


def document(name: str) -> Record:
    """Return a tool's document, as an object."""
    description, parameter = TOOLS[name]
    schema = {
        "type": "object",
        "properties": {parameter: {"type": "string", "description": f"The {parameter}."}},
        "required": [parameter],
    }
    return {"name": name, "description": description, "input_schema": schema, "annotations": None}


def single(boundary: str = "P1", tool: str = "tide_table", index: object = 0, **changed: Any) -> Record:
    """Return a record with one tool: document and recording are texts, nothing is keyed by the name."""
    record = {
        **_common(boundary, "single-hop", index),
        "target_tool": tool,
        "tool_doc": json.dumps(document(tool)),
        "tool_call_parameter": {TOOLS[tool][1]: "Whitby"},
        "tool_response": "The tide turns at 14:20.",
    }
    return {**record, **changed}


def several(
    boundary: str = "P2",
    hop: str = "parallel",
    codes: Mapping[str, str] | None = None,
    index: object = 0,
    **changed: Any,
) -> Record:
    """Return a record with several tools, keyed by their names; `codes` maps each to its boundary."""
    parts = codes or {"tide_table": "P1", "knots_to_kmh": "P3"}
    record = {
        **_common(boundary, hop, index),
        "target_tool": ", ".join(parts),
        "num_tools": len(parts),
        "sub_questions": "When does the tide turn?How fast is that?",
        "sub_question_annotations": [
            {"subquestion": f"What does {name} say?", "tool": name, "boundary": code}
            for name, code in parts.items()
        ],
        "tool_doc": {name: json.dumps(document(name)) for name in parts},
        "tool_call_parameter": {name: {TOOLS[name][1]: "Whitby"} for name in parts},
        "tool_response": {name: f"This is what {name} said." for name in parts},
    }
    return {**record, **changed}


def without(record: Record, *fields: str) -> Record:
    """Return the record less some fields."""
    return {name: value for name, value in record.items() if name not in fields}


def _common(boundary: str, hop: str, index: object) -> Record:
    return {
        "index": index,
        "task": f"When can we leave Whitby? (No. {index})",
        "boundary": boundary,
        "turn": "single-turn",
        "hop": hop,
        "server": "single",
        "answer": "After the tide has turned.",
    }


def release(**changed: Sequence[Record]) -> dict[str, Sequence[Record]]:
    """Return a record for each of the eight files, by path; give others as `External_Function__parallel`."""
    external = {"tide_table": "P1", "berth_status": "P1"}
    internal = {"knots_to_kmh": "P3", "count_words": "P3"}
    files: dict[str, Sequence[Record]] = {
        "External_Function/single-hop": [single()],
        "External_Function/parallel": [several("P1", "parallel", external)],
        "External_Function/multi-hop": [several("P1", "multi-hop", external)],
        "Hybrid_Function/parallel": [several("P2", "parallel")],
        "Hybrid_Function/multi-hop": [several("P2", "multi-hop")],
        "Internal_Function/single-hop": [single("P3", "knots_to_kmh")],
        "Internal_Function/parallel": [several("P3", "parallel", internal)],
        "Internal_Function/multi-hop": [several("P3", "multi-hop", internal)],
    }
    renamed = {name.replace("__", "/").replace("_hop", "-hop"): records for name, records in changed.items()}
    return files | renamed


def write(folder: Path, files: Mapping[str, Sequence[Record]]) -> Path:
    """Write files of records, `<Boundary>_Function/<topology>` to records, and return the folder."""
    for name, records in files.items():
        text = "".join(json.dumps(record) + "\n" for record in records)
        write_text(folder, name, text)
    return folder


def write_text(folder: Path, name: str, text: str) -> Path:
    """Write one file of the layout as it is, and return its path."""
    file = folder / f"{name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def place_of(record: Record) -> str:
    """Return the file, without its ending, where a record's own boundary and topology belong."""
    folder = next(name for name, code in CODES.items() if code == record["boundary"])
    return f"{folder}/{record['hop']}"


def write_one(folder: Path, record: Record) -> Path:
    """Write one record where it belongs, and return the folder."""
    return write(folder, {place_of(record): [record]})
