"""Data for two services that are not ours, with makeshift texts: a SQLite server over MCP, a shop over HTTP.

What people would say of their tools stands in `own_tools.yaml`; `real_model.py` runs a model on the data.
"""

import json
import sqlite3
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import httpx
import yaml
from servers import SERVERS, installed

sys.path.append(str(Path(__file__).parents[1] / "tests"))

SAID: Final[Mapping[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
SIZE: Final = 8

Command = Callable[..., tuple[int, str]]
"""Runs a command of ours: its exit code, and what it said."""


@contextmanager
def library(here: Path) -> Generator[Sequence[str]]:
    """A database of two tables; give the words that add its server."""
    file = here / "library.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE book (title TEXT, shelf TEXT, copies INTEGER)")
        database.execute("CREATE TABLE loan (title TEXT, due TEXT)")
        books = [("Dune", "S4", 3), ("Emma", "C1", 1), ("Walden", "N3", 4)]
        database.executemany("INSERT INTO book VALUES (?, ?, ?)", books)
    yield "--mcp", f"{installed('sqlite', SERVERS['sqlite'])} --db-path {file}"


@contextmanager
def shop(_: Path) -> Generator[Sequence[str]]:
    """The shop of the tests with two orders, served while the block runs; give the words that add it."""
    app: Any = import_module("shop_app")
    with app.served(app.shop()) as address:
        for order in ({"sku": "A1", "pieces": 2, "note": "ring twice"}, {"sku": "B2", "note": "next door"}):
            made = httpx.post(
                f"{address}/orders", json=order, headers={"Authorization": f"Bearer {app.TOKEN}"}
            )
            made.raise_for_status()
        yield "--openapi", f"{address}/openapi.json"


OWN: Final = {"library": library, "shop": shop}


def forged(name: str, source: Sequence[str], here: Path, command: Command) -> Path:
    """Make data of a source as somebody would who describes the tools by hand.

    Args:
        name: Which of `OWN`.
        source: The words that add it.
        here: Where data and descriptions are kept; `KNOWACT_TOOLS` names its folder `tools`.
        command: Runs a command.
    """
    said, data, calls = SAID[name], here / f"kapro-{name}", here / f"{name}.jsonl"
    (data / "scenarios").mkdir(parents=True)
    (data / "scenarios" / "own.yaml").write_text(yaml.safe_dump(said["scenarios"], sort_keys=False), "utf-8")
    calls.write_text("".join(f"{json.dumps(one)}\n" for one in said["calls"]), encoding="utf-8")
    _typed(command, "tools", "add", name, *source)
    (here / "tools" / name / "annotations.yaml").write_text(yaml.safe_dump(said["annotations"]), "utf-8")
    _typed(command, "tools", "record", name, "--calls", str(calls), "--yes")
    words = ("--role", "writer=flat", "--size", str(SIZE), "--out", str(data))
    _typed(command, "forge", "kapro", "--tools", name, *words)
    return data


def _typed(command: Command, *words: str) -> None:
    code, said = command(*words)
    if code:
        sys.exit(f"knowact {' '.join(words)} left with {code}: {said}")
