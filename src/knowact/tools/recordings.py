"""What calls were answered: `recordings.jsonl`, secrets redacted, and which calls can be made without asking.

A recording is an answer to one tool with one set of arguments. What was not recorded is `no_recording`,
which is counted, never an empty result.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from typing import Final, Self

from pydantic import Field, JsonValue, model_validator

from knowact.core.clean import dumps
from knowact.core.errors import BadData, suggest
from knowact.core.model import Noun
from knowact.core.schema import Schema, elements, members
from knowact.core.world import Observation, Problem
from knowact.datasets.lines import parse, read_lines, rows_of
from knowact.tools.folder import OwnTool, ToolFolder, write
from knowact.tools.schemas import learnt
from knowact.worlds.replay import canonical

MOST_CALLS: Final = 50
"""Calls of one tool that enumerating makes, unless the user says otherwise."""

REDACTED: Final = "[redacted]"


class RecordedProblem(Noun):
    """A call that was refused, as `core.world.Problem`."""

    code: str = Field(min_length=1)
    message: str
    fix: str = ""


class Recording(Noun):
    """One call and its answer: a reply, or a problem."""

    tool: str = Field(min_length=1)
    arguments: dict[str, JsonValue]
    reply: JsonValue = None
    problem: RecordedProblem | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        if self.problem is not None and self.reply is not None:
            raise ValueError("a call has a reply or a problem, not both")
        return self

    def observation(self) -> Observation:
        """What an agent is told."""
        if self.problem is None:
            return Observation(self.reply)
        return Observation(problem=Problem(self.problem.code, self.problem.message, self.problem.fix))


def key_of(tool: OwnTool, arguments: Mapping[str, JsonValue]) -> tuple[str, str]:
    """Equal for equal calls: leaving an argument out is the same as giving its default."""
    return tool.name, canonical(tool.filled(arguments))


def read_recordings(folder: ToolFolder) -> dict[tuple[str, str], Observation]:
    """Return all recorded answers by `key_of`; a folder without the file has none.

    Raises:
        BadData: A line is wrong, or two lines answer one call differently.
    """
    known = {tool.name: tool for tool in folder.tools}
    answers: dict[tuple[str, str], Observation] = {}
    for line in read_lines(folder.recordings) if folder.recordings.is_file() else ():
        recording = parse(Recording, line)
        if recording.tool not in known:
            continue  # a tool that is gone
        answer = recording.observation()
        earlier = answers.setdefault(key_of(known[recording.tool], recording.arguments), answer)
        if _compared(earlier) != _compared(answer):
            twice = f"this call of {recording.tool!r} is answered twice"
            raise BadData(twice, line.place(), "remove one of them")
    return answers


def _compared(answer: Observation) -> str:
    problem = answer.problem
    return canonical([answer.value, problem and [problem.code, problem.message]])


def save_recordings(folder: ToolFolder, made: Sequence[Recording]) -> ToolFolder:
    """Write recordings beside the earlier ones of other calls; return the folder with what they teach.

    A tool without an output schema gets the one that its recorded results have, marked as learnt.
    """
    known = {tool.name: tool for tool in folder.tools}
    fresh = {key_of(known[each.tool], each.arguments) for each in made}
    kept = [
        each
        for each in rows_of(Recording, folder.recordings)
        if each.tool in known and key_of(known[each.tool], each.arguments) not in fresh
    ]
    every = [*kept, *made]
    lines = [dumps(each.model_dump(mode="json", exclude_defaults=True)) for each in every]
    write(folder.recordings, "".join(f"{line}\n" for line in lines))
    taught = ToolFolder(folder.path, folder.source, tuple(_taught(tool, every) for tool in folder.tools))
    taught.save()
    return taught


def _taught(tool: OwnTool, every: Iterable[Recording]) -> OwnTool:
    if tool.returns is not None and not tool.returns_learnt:
        return tool
    shape = learnt([each.reply for each in every if each.tool == tool.name and each.problem is None])
    if shape is None:
        return tool
    return tool.model_copy(update={"returns": shape, "returns_learnt": True})


@dataclass(frozen=True, slots=True)
class Enumerated:
    """The calls of one tool that its schema alone allows to make.

    Attributes:
        calls: Arguments, one mapping a call.
        open: Required parameters whose values nobody can list; then there are no calls.
        more: Whether there would be more calls than were asked for.
    """

    calls: tuple[Schema, ...]
    open: tuple[str, ...] = ()
    more: bool = False


def enumerated(tool: OwnTool, most: int = MOST_CALLS) -> Enumerated:
    """List the calls of a tool: every choice of enumerated values, and examples where the schema has some.

    Optional parameters that can't be listed are left out.
    """
    values = {name: _values(members(shape)) for name, shape in tool.properties.items()}
    missing = tuple(name for name in tool.required if not values.get(name))
    if missing:
        return Enumerated((), missing)
    left_out: list[Schema] = [{}]
    columns = [
        [*(() if name in tool.required else left_out), *({name: value} for value in listed)]
        for name, listed in values.items()
        if listed
    ]
    calls: dict[tuple[str, str], Schema] = {}
    for row in islice(product(*columns), most * 20):
        call = {name: value for chosen in row for name, value in chosen.items()}
        calls.setdefault(key_of(tool, call), call)
        if len(calls) > most:
            break
    return Enumerated(tuple(islice(calls.values(), most)), more=len(calls) > most)


def _values(shape: Schema) -> list[JsonValue]:
    """The values of a parameter that can be listed."""
    if isinstance(values := shape.get("enum"), list):
        return values
    if "const" in shape:
        return [shape["const"]]
    if shape.get("type") == "boolean":
        return [False, True]
    default, example = ([shape[keyword]] if keyword in shape else [] for keyword in ("default", "example"))
    values = [*default, *elements(shape.get("examples")), *example]
    return list({canonical(value): value for value in values}.values())


_SECRET_NAMES: Final = re.compile(
    r"(?i)(pass(word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|"
    r"authorization|set-cookie|cookie|session[_-]?id|otp|pin|cvv|cvc|ssn|iban)"
)
"""Words in the names of fields whose values are secrets, as programmers write them."""

_SECRET_TEXTS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)",
        r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",  # a JSON Web Token
        r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{20,}",
        r"\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_\w{22,}|\bglpat-[\w-]{20,}",
        r"\bxox[abposr]-[A-Za-z0-9-]{10,}",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\bAIza[\w-]{35}\b",
        r"\bhf_[A-Za-z0-9]{30,}",
        r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,}",
        r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)",  # user and password in an address
    )
)
"""Formats of keys that their issuers document."""


@dataclass(slots=True)
class Redactor:
    """Takes secrets out of JSON values, by the name of a field, by known formats, and by known values.

    Attributes:
        known: Values that are secret wherever they occur (those of environment variables that were used).
        found: Where something was taken out: path and reason, in order.
    """

    known: Sequence[str] = ()
    found: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    @classmethod
    def for_source(cls, variables: Iterable[str]) -> Self:
        """A redactor that knows the values of some environment variables; very short ones tell nothing."""
        values = (os.environ.get(name, "") for name in variables)
        return cls(tuple(value for value in values if len(value) > 5))  # noqa: PLR2004 - "true", "8080"

    def recording(self, tool: OwnTool, arguments: Mapping[str, JsonValue], answer: Observation) -> Recording:
        """Write a call and its answer down without secrets."""
        problem = None
        if answer.problem is not None:
            message, fix = self._text(answer.problem.message, "[0]"), self._text(answer.problem.fix, "[1]")
            problem = RecordedProblem(code=answer.problem.code, message=message, fix=fix)
        reply = self.clean(answer.value) if problem is None else None
        given = members(self.clean(dict(arguments), "arguments"))
        return Recording(tool=tool.name, arguments=given, reply=reply, problem=problem)

    def clean(self, value: JsonValue, path: str = "") -> JsonValue:
        """Return the value without secrets."""
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, list):
            return [self.clean(element, f"{path}[{n}]") for n, element in enumerate(value)]
        if not isinstance(value, dict):
            return value
        out: Schema = {}
        for name, inner in value.items():
            here = f"{path}.{name}" if path else name
            secret = named_secret(name) and inner not in (None, "", True, False)
            if secret and not isinstance(inner, dict | list):
                self.found.append((here, "its name"))
                out[name] = REDACTED
            else:
                out[name] = self.clean(inner, here)
        return out

    def _text(self, text: str, path: str) -> str:
        if text.lstrip()[:1] in {"{", "["}:
            # A result as text: what it holds has names, too.
            try:
                inner: JsonValue = json.loads(text)
            except (ValueError, RecursionError):
                inner = None
            before = len(self.found)
            if isinstance(inner, dict | list):
                cleaned = self.clean(inner, path)
                if len(self.found) > before:
                    return dumps(cleaned)
        for secret in self.known:
            if secret in text:
                self.found.append((path, "the value of an environment variable"))
                text = text.replace(secret, REDACTED)
        for pattern in _SECRET_TEXTS:
            text, times = pattern.subn(REDACTED, text)
            if times:
                self.found.append((path, "the format of a key"))
        return text


def named_secret(name: str) -> bool:
    """Whether a field's name has a word for secrets: `userPassword`, `api_key`, not `tokens_used`."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return any(
        (match.start() == 0 or not parts[match.start() - 1].isalpha())
        and (match.end() == len(parts) or not parts[match.end()].isalpha())
        for match in _SECRET_NAMES.finditer(parts)
    )


def looks_secret(text: str) -> bool:
    """Whether a text holds a key in a known format."""
    return any(pattern.search(text) for pattern in _SECRET_TEXTS)


def read_calls(file: Path, folder: ToolFolder) -> Iterator[tuple[OwnTool, Schema]]:
    """Yield the calls that a file lists, `{"tool": ..., "arguments": {...}}` a line.

    Raises:
        BadData: A line is wrong, or names a tool that is not there.
    """
    known = {tool.name: tool for tool in folder.tools}
    for line in read_lines(file):
        call = parse(Recording, line)
        if call.tool not in known:
            fix = f"name a tool of {folder.name}. {suggest(call.tool, known)}".rstrip(".")
            raise BadData(f"there is no tool {call.tool!r}", line.place("tool"), fix)
        yield known[call.tool], call.arguments
