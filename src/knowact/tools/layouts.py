"""Operations in the layouts that tool collections are published in, each brought to one schema.

An operation is told by its shape, never by the name of a data set:

- a function as chat APIs take it: `name`, `description`, `parameters`, alone or below `function` (tau-bench's
  tool files return one from `get_info`; Toucan's rows hold a list of them in `available_tools`);
- a tool as MCP servers list it: `name`, `description`, `inputSchema` or `input_schema` (Toucan's rows hold
  the servers in `metadata`; where they do, the renamed copies in `available_tools` are passed over);
- an endpoint as ToolBench describes it: `required_parameters` and `optional_parameters`, below its tool's
  `api_list`, or beside a query;
- a line with a name and a description.

Python files are parsed and never run. Everything may stand as JSON text.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pydantic import Field, JsonValue

from knowact.core import clean
from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.schema import Schema, elements, members, normalised
from knowact.datasets.loose import unpacked
from knowact.datasets.parquet import parquet_rows
from knowact.retrieval.overlap import normalised as folded

LINES: Final = frozenset((".jsonl", ".ndjson"))
PARQUET: Final = ".parquet"
ENDINGS: Final = LINES | {".json", ".py", PARQUET}
INSIDE: Final = ("metadata", "mcp_servers", "server_info_crawled", "remote_server_response")
"""Under which names a server's description stands in a row."""
LISTS: Final = ("api_list", "tools", "functions", "available_tools")
"""Under which names a list of operations stands."""
KINDS: Final = frozenset(("string", "number", "integer", "boolean", "array", "object"))
"""ToolBench's names of types that JSON Schema has, in small letters; the others (DATE, ENUM, …) are texts."""
COMPARED: Final = 4_000
"""Characters of an operation that are compared with others: what is longer holds pasted manuals."""
LONGEST: Final = 20_000
"""Characters of a description that are kept, and of a schema."""


class Collected(Noun):
    """An operation of a collection, as the paper's unified schema has it, and where it comes from.

    Attributes:
        id: Of its name, description and parameters; the same in every collection.
        name: As published.
        description: What it does.
        parameters: JSON Schema of its arguments.
        returns: JSON Schema of its result, where published.
        server: The tool or server that it belongs to.
        about: What that server says of itself.
        category: A broad subject, where published.
        source: The file and the place in it.
    """

    id: str
    name: str = Field(min_length=1)
    description: str = ""
    parameters: dict[str, JsonValue]
    returns: dict[str, JsonValue] | None = None
    server: str = ""
    about: str = ""
    category: str = ""
    source: str

    @property
    def compared(self) -> str:
        """What tells operations apart: the name, the description, and the parameters' names.

        One that says nothing of itself goes by what its server says.
        """
        names = ", ".join(members(self.parameters.get("properties")))
        words = self.description.strip() or f"{self.server} {self.about}"
        return f"{self.name}\n{words}\n{names}"[:COMPARED]


@dataclass(frozen=True, slots=True)
class Unusable:
    """Something in a collection that is no operation: where, and why not, as a clause."""

    source: str
    why: str


@dataclass(frozen=True, slots=True)
class _Around:
    """What is known of an operation from the objects that it stands in."""

    source: str
    server: str = ""
    about: str = ""
    folder: str = ""

    def below(self, row: Schema, key: str) -> "_Around":
        """The same inside an object that may be a server."""
        named = _first(row, "tool_name", "server_name", "name", "title", "standardized_name")
        about = _first(row, "tool_description", "description", "overview")
        # ToolBench keeps the tools of a category in a folder of its name.
        folder = self.folder if key == "api_list" else ""
        inside = replace(self, source=f"{self.source}.{key}", folder=folder)
        return replace(inside, server=named or self.server, about=about or self.about)


def files_of(paths: list[Path]) -> list[Path]:
    """The files of a collection, in the order given; those of a folder sorted.

    Raises:
        BadData: There is no such path, or it holds no file of a known kind.
    """
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise BadData("there is no such file or folder", Place(path), "check the path")
        inside = (
            [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.suffix.lower() in ENDINGS)
        )
        if not inside or inside[0].suffix.lower() not in ENDINGS:
            fix = "give JSON Lines, JSON, parquet or Python files"
            raise BadData("this holds no tools in a known kind of file", Place(path), fix)
        files.extend(inside)
    return files


def operations(file: Path) -> Iterator[Collected | Unusable]:
    """Yield every operation of a file, and what is none; JSON Lines and parquet are never held whole.

    Raises:
        BadData: The file cannot be read.
    """
    ending = file.suffix.lower()
    try:
        if ending == ".py":
            yield from _of_python(file)
        elif ending == PARQUET:
            for number, row in enumerate(parquet_rows(file), 1):
                yield from _of_row(clean.plain(row), _Around(f"{file.name}:{number}"))
        elif ending in LINES:
            with file.open(encoding="utf-8-sig") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield from _of_text(line, _Around(f"{file.name}:{number}"))
        else:
            around = _Around(file.name, folder=file.resolve().parent.name)
            yield from _of_text(file.read_text(encoding="utf-8-sig"), around)
    except (OSError, UnicodeDecodeError) as error:
        raise BadData("the file cannot be read as UTF-8 text", Place(file), "check the file") from error


def _of_text(text: str, around: _Around) -> Iterator[Collected | Unusable]:
    value = unpacked(text)
    if isinstance(value, str):
        yield Unusable(around.source, "it is not JSON")
        return
    yield from _of_row(value, around)


def _of_row(value: JsonValue, around: _Around) -> Iterator[Collected | Unusable]:
    operation = None
    for operation in _below(value, around):
        yield operation
    if operation is None:
        yield Unusable(around.source, "there is no tool in it")


def _below(value: JsonValue, around: _Around) -> Iterator[Collected | Unusable]:
    """Descend to operations, by the names under which they stand."""
    row: JsonValue = unpacked(value)
    if isinstance(row, list):
        for number, inner in enumerate(row, 1):
            yield from _below(inner, replace(around, source=f"{around.source}[{number}]"))
    elif not isinstance(row, dict):
        return
    elif isinstance(unpacked(row.get("function")), dict):
        yield from _below(row["function"], around)
    elif (shaped := _shaped(row)) is not None:
        yield _operation(row, shaped, around)
    else:
        yield from _held(row, around)


def _held(row: Schema, around: _Around) -> Iterator[Collected | Unusable]:
    """The operations that an object holds: those of its servers' own descriptions, else of its lists."""
    operation = None
    for key in INSIDE:
        for operation in _below(row.get(key), around.below(row, key)):
            yield operation
    if operation is not None:
        return
    for key in LISTS:
        if rows := elements(unpacked(row.get(key))):
            yield from _below(rows, around.below(row, key))
            return
    # A line that only names a thing and says what it does.
    if isinstance(row.get("name"), str) and isinstance(row.get("description"), str):
        yield _operation(row, {}, around)


def _shaped(row: Schema) -> Schema | None:
    """The JSON Schema of an operation's arguments; None for what has none, and so may hold operations."""
    if "required_parameters" in row or "optional_parameters" in row:
        return _toolbench(row)
    for key in ("parameters", "inputSchema", "input_schema"):
        schema: JsonValue = unpacked(row.get(key))
        if isinstance(schema, dict):
            return schema
    return None


def _toolbench(row: Schema) -> Schema:
    """ToolBench's two lists of parameters as a schema."""
    shapes: Schema = {}
    required: list[JsonValue] = []
    for key in ("required_parameters", "optional_parameters"):
        for parameter in (members(unpacked(each)) for each in elements(unpacked(row.get(key)))):
            if not (name := _first(parameter, "name")):
                continue
            kind, default = str(parameter.get("type", "")).lower(), parameter.get("default")
            shape: Schema = {"type": kind if kind in KINDS else "string"}
            shape["description"] = _first(parameter, "description")
            shapes[name] = shape if default in (None, "") else {**shape, "default": default}
            if key == "required_parameters":
                required.append(name)
    return {"type": "object", "properties": shapes, "required": required}


def _operation(row: Schema, shape: Schema, around: _Around) -> Collected | Unusable:
    name = _first(row, "api_name", "name")
    if not name:
        return Unusable(around.source, "it has no name")
    parameters = normalised(shape).schema
    if len(json.dumps(parameters, ensure_ascii=False)) > LONGEST:
        return Unusable(around.source, f"its schema has more than {LONGEST:,} characters")
    published = (members(unpacked(row.get(key))) for key in ("returns", "outputSchema"))
    returns = next(filter(None, published), None)
    operation = Collected(
        id="-",
        name=name,
        description=_first(row, "api_description", "description")[:LONGEST],
        parameters=parameters,
        returns=normalised(returns).schema if returns else None,
        server=_first(row, "tool_name", "server") or around.server,
        about=around.about[:LONGEST],
        category=_first(row, "category_name", "category") or around.folder,
        source=around.source,
    )
    digest = hashlib.sha256(folded(operation.compared).encode()).hexdigest()[:16]
    return operation.model_copy(update={"id": digest})


def _first(row: Schema, *keys: str) -> str:
    """The first text under one of the names, fit for a file; empty where there is none."""
    return next((clean.text(row[key]) for key in keys if isinstance(row.get(key), str) and row[key]), "")


def _of_python(file: Path) -> Iterator[Collected | Unusable]:
    """What functions named `get_info` return, where that is a plain literal. Nothing of it is run."""
    try:
        tree = ast.parse(file.read_text(encoding="utf-8-sig"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield Unusable(file.name, "it is not Python")
        return
    folder = file.resolve().parent
    server = folder.parent.name if folder.name == "tools" else folder.name
    for node in ast.walk(tree):
        if not (isinstance(node, ast.FunctionDef) and node.name == "get_info"):
            continue
        around = _Around(f"{file.name}:{node.lineno}", server=server)
        returned = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value]
        try:
            value = ast.literal_eval(returned[0]) if returned else None
            text = json.dumps(value)
        except (ValueError, TypeError, RecursionError, MemoryError):
            yield Unusable(around.source, "get_info returns no plain literal")
            continue
        yield from _of_text(text, around)
