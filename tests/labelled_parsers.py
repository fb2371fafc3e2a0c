"""How often the parsers of requested formats err, on their labelled sets."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from knowact.reading.tool_decisions import read_tool_decisions
from knowact.reading.yes_no import read_yes_no
from knowact.roles.calibration import Mark, Rate, rates_of
from knowact.roles.lines import read_line


def rows(package: str, name: str) -> list[dict[str, Any]]:
    text = files(package).joinpath("labelled", f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@cache
def parser_rates() -> Mapping[tuple[str, str], Rate]:
    """By parser, how often it reads a reply wrongly, and how often it cannot read a readable one."""
    return {(rate.kind, rate.what): rate for rate in rates_of(_marks())}


def _marks() -> Iterator[tuple[str, Mark]]:
    for row in rows("knowact.reading", "tool_decisions"):
        found = read_tool_decisions(row["reply"], row["offered"])
        got = sorted(found.needed or ()) if found.outcome == "answered" else None
        yield from _held("tool decisions", row["id"], got, row["label"]["needed"])
    for row in rows("knowact.reading", "awareness"):
        label = row["label"]["verdict"]
        yield from _held("yes, no or idk", row["id"], read_yes_no(row["reply"]).label, _readable(label))
    for name in ("feasibility", "feasibility_fresh"):
        for row in rows("knowact.reading", name):
            got = read_yes_no(row["reply"]).label
            yield from _held("yes or no", row["id"], None if got == "idk" else got, _readable(row["label"]))
    for row in rows("knowact.roles", "driver_lines"):
        line, label = read_line(row["reply"]), row["label"]
        got = None if line.fault else (str(line.word), line.text)
        wanted = None if label["fault"] else (label["word"], label["text"])
        yield from _held("drivers' lines", row["id"], got, wanted)


def _readable(label: str) -> str | None:
    return None if label == "unreadable" else label


def _held(kind: str, name: str, got: object, wanted: object) -> Iterator[tuple[str, Mark]]:
    """Wrong is what was read and is not the label; missed is a label that was not read."""
    yield name, Mark(kind, "false pass", got is not None and got != wanted)
    if wanted is not None:
        yield name, Mark(kind, "missed", got is None)
