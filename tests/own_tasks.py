"""Small tasks in our own format, as the JSON of their lines, and their files."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def told(value: object) -> Record:
    """Return an argument that stands in the query."""
    return {"value": value, "origin": "query"}


def rain(**changed: Any) -> Record:
    """Return an external task of one step in the everyday world."""
    task: Record = {
        "id": "rain",
        "opening": {"kind": "query", "text": "What is the weather like in Bergen right now?"},
        "world": {"name": "everyday", "setup": {}},
        "offered": ["get_current_weather"],
        "plan": [
            {
                "tool": "get_current_weather",
                "boundary": "external",
                "arguments": {"city": told("Bergen")},
                "wants": ["temperature_c"],
            }
        ],
        "facts": [
            {
                "kind": "number",
                "value": 4.5,
                "tolerance": 0.1,
                "label": "temperature",
                "sources": ["0.temperature_c"],
            }
        ],
        "topology": "single_hop",
        "cluster": "rain",
    }
    return {**task, **changed}


def parcel(**changed: Any) -> Record:
    """Return an external task whose second step takes its argument from the first."""
    task: Record = {
        "id": "parcel",
        "opening": {"kind": "query", "text": "Lantern Electronics wrote to me. Where is that order?"},
        "world": {"name": "everyday", "setup": {}},
        "offered": ["get_order", "get_latest_mail"],
        "plan": [
            {
                "tool": "get_latest_mail",
                "boundary": "external",
                "arguments": {"sender": told("Lantern Electronics")},
            },
            {
                "tool": "get_order",
                "boundary": "external",
                "arguments": {
                    "order_number": {"value": "C1", "origin": "step", "step": 0, "field": "order_number"}
                },
                "wants": ["status"],
            },
        ],
        "facts": [{"kind": "text", "value": "processing", "label": "status", "sources": ["1.status"]}],
        "topology": "multi_hop",
        "cluster": "parcel",
    }
    return {**task, **changed}


def replayed(**changed: Any) -> Record:
    """Return an internal task of the replay world, with its tool and recording."""
    tool = {
        "name": "double",
        "description": "Doubles a number.",
        "parameters": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]},
    }
    task: Record = {
        "id": "double",
        "opening": {"kind": "query", "text": "What is twice 21?"},
        "world": {"name": "replay", "setup": {"tools": [tool], "recordings": {"double": "42"}}},
        "offered": ["double"],
        "plan": [{"tool": "double", "boundary": "internal", "arguments": {"n": told(21)}}],
        "facts": [{"kind": "number", "value": 42, "label": "double"}],
        "topology": "single_hop",
        "cluster": "double",
    }
    return {**task, **changed}


def manifest_for(folder: Path, **changed: Any) -> Record:
    """Return the manifest that fits the items of a folder."""
    items = (folder / "items.jsonl").read_bytes()
    manifest: Record = {
        "name": "harbour",
        "version": "1-A",
        "sha256": hashlib.sha256(items).hexdigest(),
        "seed": 5,
        "world": "everyday",
        "generator": "by hand",
        "licence": "MIT",
        "datasheet": "README.md",
        "size": items.count(b"\n"),
    }
    return {**manifest, **changed}


def write_items(folder: Path, tasks: Sequence[Record]) -> Path:
    """Write `items.jsonl` and return the folder."""
    return write_items_text(folder, "".join(json.dumps(task) + "\n" for task in tasks))


def write_items_text(folder: Path, text: str) -> Path:
    """Write `items.jsonl` as it is and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "items.jsonl").write_text(text, encoding="utf-8")
    return folder


def write_manifest(folder: Path, manifest: Record) -> Path:
    """Write `manifest.json` and return the folder."""
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    return folder
