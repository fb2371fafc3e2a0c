"""The folder of one's own tools, `./knowact-tools/NAME/`: plain text that people edit and commit.

    source.yaml        where the tools come from, how they are reached, when they were read
    tools.jsonl        a tool per line
    recordings.jsonl   what calls were answered, a call per line (`tools record`)
    annotations.yaml   what people say of the tools (docs/annotating.md)
    proposed.yaml      what models say of them (`tools annotate`)

Reading tools anew writes the first two and leaves the others alone. Values of secrets never come in here:
headers and commands name environment variables, `${NAME}`.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, Literal, Self

import yaml
from pydantic import Field, JsonValue, field_validator

from knowact.core.clean import dumps
from knowact.core.errors import BadData, BadUsage, Place, UnknownName
from knowact.core.model import Noun
from knowact.core.schema import Schema, elements, members
from knowact.core.tool import Tool
from knowact.datasets.lines import parse, read_lines, read_yaml

OWN_TOOLS: Final = "tools:"
"""What the names of worlds begin with that are made of such a folder."""

ROOT: Final = "knowact-tools"
"""Where the folders are, unless the environment variable KNOWACT_TOOLS names another place."""

SOURCE, TOOLS, RECORDINGS, ANNOTATIONS = "source.yaml", "tools.jsonl", "recordings.jsonl", "annotations.yaml"

Kind = Literal["mcp-stdio", "mcp-http", "openapi", "python"]
Part = Literal["path", "query", "header", "cookie", "body", "whole body"]
"""Where a parameter goes in a request. `body` is a member of a JSON object, `whole body` all of it."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_HEAD: Final = "# Written by `knowact tools add`. You may edit it; the next `add` writes it anew.\n"


class Hints(Noun):
    """What the source itself says of a tool's effects; a first guess, which nobody has checked.

    Attributes:
        read_only: MCP's readOnlyHint; for HTTP, whether the method is safe by definition.
        destructive: MCP's destructiveHint.
        idempotent: MCP's idempotentHint; for HTTP, by the method's definition.
        open_world: MCP's openWorldHint.
        method: The HTTP method, in capitals; empty elsewhere.
    """

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    method: str = ""


class Route(Noun):
    """How a tool of an OpenAPI document is called.

    Attributes:
        path: The path below the base address, with `{name}` where a parameter goes.
        places: Where each parameter goes.
        wire: The parameter's name in the request, where the tool's own is another one.
        exploded: Query parameters whose lists are repeated (`a=1&a=2`); other lists are joined by commas.
        media: The media type of the body; empty without one.
    """

    path: str
    places: Mapping[str, Part] = Field(default_factory=dict[str, Part])
    wire: Mapping[str, str] = Field(default_factory=dict[str, str])
    exploded: tuple[str, ...] = ()
    media: str = ""


class OwnTool(Noun):
    """A tool as it was read.

    Attributes:
        name: The source's own name.
        description: What an agent reads.
        parameters: JSON Schema of the arguments, references resolved.
        returns: JSON Schema of the result; null where nobody has said.
        returns_learnt: Whether `returns` was learnt from recorded calls, and so may be incomplete.
        category: The source's own grouping, if it has one (an OpenAPI tag).
        hints: What the source says of its effects.
        route: How it is called; OpenAPI only.
        odd: What is odd about it, a clause each.
        sha256: Of the tool as it was read, so that a server's changes are noticed and people's edits are not.
    """

    name: str = Field(min_length=1)
    description: str = ""
    parameters: dict[str, JsonValue]
    returns: dict[str, JsonValue] | None = None
    returns_learnt: bool = False
    category: str = ""
    hints: Hints = Hints()
    route: Route | None = None
    odd: tuple[str, ...] = ()
    sha256: str = ""

    def tool(self, server: str) -> Tool:
        """The tool as agents are offered it, without capability and rubric: those are annotated."""
        return Tool(
            name=self.name,
            description=self.description,
            parameters=self.parameters,
            returns=self.returns,
            category=self.category or server,
            server=server,
        )

    @property
    def properties(self) -> Schema:
        """The schema of each parameter, by name."""
        return members(self.parameters.get("properties"))

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that a call must carry."""
        return tuple(str(name) for name in elements(self.parameters.get("required")))

    def filled(self, arguments: Mapping[str, JsonValue]) -> Schema:
        """Arguments of a call, with the defaults of those that it leaves out."""
        shapes = {name: members(shape) for name, shape in self.properties.items()}
        defaults = {name: shape["default"] for name, shape in shapes.items() if "default" in shape}
        return {**defaults, **arguments}

    def hashed(self) -> str:
        """The hash of what the source itself says."""
        learnt = {"returns": None} if self.returns_learnt else {}
        return _hash(self.model_dump(mode="json", exclude={"sha256", "odd", "returns_learnt"}) | learnt)


class Source(Noun):
    """Where tools come from, and how they are reached.

    Attributes:
        kind: What speaks there.
        command: The command line of a local MCP server (started without a shell).
        url: The address of an MCP server, or the base address of an OpenAPI service.
        document: The OpenAPI document: a file or an address.
        module: The Python module: a dotted name, or a file.
        headers: Sent with each request; their values name environment variables, `Bearer ${TOKEN}`.
        env: Names of environment variables that a local server gets beside PATH, HOME and their like.
        reset: A command that puts the service back to its first state; it runs before each session.
        answers: Whether sessions call the source, or play recordings.
        timeout: Seconds that one call may take.
        connections: Calls at once to a remote service.
        sha256: Of all tools as they were read.
        added: The day on which they were read.
    """

    kind: Kind
    command: str = ""
    url: str = ""
    document: str = ""
    module: str = ""
    headers: Mapping[str, str] = Field(default_factory=dict[str, str])
    env: tuple[str, ...] = ()
    reset: str = ""
    answers: Literal["live", "recorded"] = "live"
    timeout: float = Field(default=30.0, gt=0, le=3600)
    connections: int = Field(default=4, ge=1, le=256)
    sha256: str = ""
    added: date

    @field_validator("headers")
    @classmethod
    def _no_values(cls, headers: Mapping[str, str]) -> Mapping[str, str]:
        for name, value in headers.items():
            if "${" not in value:
                raise ValueError(f"the header {name!r} must name an environment variable, as ${{NAME}}")
        return headers


@dataclass(frozen=True, slots=True)
class ToolFolder:
    """One folder of tools.

    Attributes:
        path: The folder; its name is the tools' name.
        source: Where they come from.
        tools: In the source's order.
    """

    path: Path
    source: Source
    tools: tuple[OwnTool, ...]

    @property
    def name(self) -> str:
        """The tools' name."""
        return self.path.name

    @property
    def recordings(self) -> Path:
        """The file of recorded calls; it need not exist."""
        return self.path / RECORDINGS

    @property
    def annotations(self) -> Path:
        """The file of annotations; it need not exist."""
        return self.path / ANNOTATIONS

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a folder.

        Raises:
            BadData: A file is missing or wrong, with file, line and field.
        """
        tools: dict[str, OwnTool] = {}
        lines: dict[str, int | None] = {}
        for line in read_lines(path / TOOLS):
            tool = parse(OwnTool, line)
            if tool.name in tools:
                twice = f"the tool {tool.name!r} stands in line {lines[tool.name]}, too"
                raise BadData(twice, line.place("name"), "remove one of them")
            tools[tool.name], lines[tool.name] = tool, line.number
        if not tools:
            raise BadData("there is no tool in it", Place(path / TOOLS), "add the tools again")
        source = parse(Source, read_yaml(path / SOURCE, "give one `name: value` a line"))
        return cls(path, source, tuple(tools.values()))

    def save(self) -> None:
        """Write `source.yaml` and `tools.jsonl`; other files of the folder stay as they are.

        Raises:
            BadUsage: The folder cannot be written.
        """
        given = self.source.model_dump(mode="json", exclude_defaults=True)
        given["sha256"] = hash_of(self.tools)
        text = yaml.safe_dump(given, sort_keys=False, allow_unicode=True, width=110)
        lines = [dumps(tool.model_dump(mode="json", exclude_defaults=True)) for tool in self.tools]
        write(self.path / SOURCE, _HEAD + text)
        write(self.path / TOOLS, "".join(f"{line}\n" for line in lines))


def root() -> Path:
    """The folder of all folders of tools."""
    return Path(os.environ.get("KNOWACT_TOOLS") or ROOT)


def folder_named(name: str) -> Path:
    """Return where the tools of a name are, or would be.

    Raises:
        BadUsage: It cannot be the name of a folder.
    """
    if not _NAME.fullmatch(name):
        raise BadUsage(
            f"{name!r} cannot name tools. Use up to 64 letters, digits, '_' and '-', not '-' first."
        )
    return root() / name


def find(name: str) -> ToolFolder:
    """Load the tools of a name.

    Raises:
        UnknownName: There are none.
        BadData: Their files are wrong.
    """
    path = folder_named(name)
    if not (path / TOOLS).is_file() and not (path / SOURCE).is_file():
        raise UnknownName(f"folder of tools in {root()}", name, names())
    return ToolFolder.load(path)


def names() -> list[str]:
    """The names of all tools that were added."""
    return sorted(file.parent.name for file in root().glob(f"*/{TOOLS}"))


def hash_of(tools: Sequence[OwnTool]) -> str:
    """The hash of all tools as they were read."""
    return _hash([tool.sha256 for tool in tools])


def write(file: Path, text: str) -> None:
    """Write a text file whole or not at all.

    Raises:
        BadUsage: It cannot be written.
    """
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8", newline="")
        beside.replace(file)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise BadUsage(f"Cannot write {file}: {error.strerror}. Choose another folder.") from error


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
