"""What a person types in an agent's place: a message, a call of a tool, or a wish to see something. Pure.

A line is a call if it begins with a tool's name; `name=value …` are its arguments, or one JSON object. A
value is JSON, or words up to the next `name=`. Nothing is guessed: a line that looks like a call and is none
is refused with a sentence, and `say` in front of it makes it a message.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

from knowact.core.clean import dumps
from knowact.core.errors import suggest

SAY, TOOLS, SEEN, INSTRUCTIONS, HELP = "say", "tools", "seen", "instructions", "help"
WORDS: Final = (SAY, TOOLS, SEEN, INSTRUCTIONS, HELP)
"""What a line may begin with, beside a tool's name."""

HELP_TEXT: Final = """\
You are the assistant. Type what you say to the user, or the name of a tool with its arguments:
  name_of_tool first=two words second=3 third=["a", "b"]
Values are words, numbers or JSON. The tab key completes names and values where the terminal can.
  tools [WORD]   the tools you have; with a word: those in which it occurs, with their parameters
  seen           all that was said and looked up so far
  instructions   your instructions
  say TEXT       says a text that would be read as a call or as one of these
  help           this
There is no undo. Ctrl-C stops; the same command resumes with the remaining tasks."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool as agents are shown it; `parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """The parameters by name."""
        return cast("Mapping[str, Mapping[str, Any]]", self.parameters.get("properties") or {})

    @property
    def required(self) -> Sequence[str]:
        """The names of those that a call must have."""
        return cast("Sequence[str]", self.parameters.get("required") or ())


@dataclass(frozen=True, slots=True)
class TypedMessage:
    """Something said to the user."""

    text: str


@dataclass(frozen=True, slots=True)
class Make:
    """A call of a tool."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Show:
    """A wish to see something: one of `WORDS`, and for `TOOLS` the word that is looked for."""

    what: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that is none of these, and why."""

    why: str


Entry: TypeAlias = TypedMessage | Make | Show | Refused

_NAME: Final = re.compile(r"\s*([A-Za-z_][\w.-]*)=")
_NEXT: Final = re.compile(r"\s+[A-Za-z_][\w.-]*=")


def read_entry(line: str, tools: Sequence[OfferedTool]) -> Entry:
    """Read a line that somebody typed; never raises."""
    line = line.strip()
    first, _, rest = line.partition(" ")
    rest = rest.strip()
    if not line:
        return Refused("Nothing was typed. Say something, or type help.")
    if first == SAY:
        return TypedMessage(rest) if rest else Refused(f"What do you say? Type it behind {SAY!r}.")
    if line in {HELP, "?", SEEN, INSTRUCTIONS}:
        return Show(HELP if line == "?" else line)
    if first == TOOLS and " " not in rest:
        return Show(TOOLS, rest)
    known = {tool.name: tool for tool in tools}
    called = not rest or rest.startswith("{") or bool(_NAME.match(rest))
    if first in known and called:
        return _call(known[first], rest)
    if first in known:
        return Refused(
            f"{first} is a tool: give its arguments as name=value. To say this to the user: {SAY} {line[:60]}"
        )
    if re.fullmatch(r"\w+", first) and ("_" in first or rest) and called:
        near = suggest(first, known) if known else "No tool is offered here."
        near = near if near.startswith(("Did", "No")) else f"Type {TOOLS} to see what there is."
        return Refused(f"There is no tool {first[:60]!r}. {near} To say this to the user: {SAY} …")
    return TypedMessage(line)


def _call(tool: OfferedTool, rest: str) -> Make | Refused:
    """A call, or what is wrong with its arguments."""
    try:
        arguments = _object(rest) if rest.startswith("{") else dict(_pairs(tool, rest))
        for name, value in arguments.items():
            _check(tool, name, value)
    except (ValueError, RecursionError) as error:
        return Refused(f"{tool.name}: {error or 'the arguments are nested too deeply.'}")
    if missing := [name for name in tool.required if name not in arguments]:
        return Refused(f"{tool.name} also needs: {', '.join(missing)}.")
    return Make(tool.name, arguments)


def _object(text: str) -> dict[str, Any]:
    value, end = _json(text, 0, "the arguments")
    if text[end:].strip():
        raise ValueError(f"what is {text[end:].strip()[:40]!r} behind the arguments?")
    return cast("dict[str, Any]", value)


def _pairs(tool: OfferedTool, text: str) -> Iterator[tuple[str, Any]]:
    """The arguments of `name=value …`, each once."""
    at, seen = 0, set[str]()
    while text[at:].strip():
        match = _NAME.match(text, at)
        if match is None:
            raise ValueError(f"what is {text[at:].strip()[:40]!r}? Arguments are name=value.")
        name, at = match[1], match.end()
        if name in seen:
            raise ValueError(f"{name} is given twice.")
        seen.add(name)
        if text[at : at + 1] in {'"', "[", "{"}:
            value, at = _json(text, at, name)
        else:
            end = _NEXT.search(text, at)
            stop = end.start() if end else len(text)
            value, at = _typed(text[at:stop].strip(), tool.properties.get(name, {})), stop
        yield name, value


def _json(text: str, at: int, name: str) -> tuple[Any, int]:
    try:
        return json.JSONDecoder(parse_constant=_no_number).raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise ValueError(f"{name} cannot be read as JSON ({error.msg}, character {error.pos + 1}).") from None


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a value.")


def _typed(words: str, schema: Mapping[str, Any]) -> Any:
    """What words without quotes mean: JSON where the parameter wants that, else the words."""
    try:
        value = json.loads(words, parse_constant=_no_number)
    except ValueError:
        value = {"true": True, "false": False}.get(words.casefold(), words)
    return value if _fits(value, schema) else words


_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value is of the kind, and one of the values, that a parameter takes."""
    if any_of := schema.get("anyOf"):
        return any(_fits(value, choice) for choice in any_of)
    if (among := schema.get("enum")) and value not in among:
        return False
    kind = str(schema.get("type") or "")
    if kind not in _KINDS:
        return True
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _check(tool: OfferedTool, name: str, value: Any) -> None:
    if name not in tool.properties:
        if not tool.properties:
            raise ValueError("it takes no arguments.")
        raise ValueError(f"it has no parameter {name[:60]!r}. {suggest(name, tool.properties)}")
    if not _fits(value, tool.properties[name]):
        raise ValueError(f"{name} takes {_takes(tool.properties[name])}, not {dumps(value)[:60]}.")


def _takes(schema: Mapping[str, Any]) -> str:
    """What a parameter takes, in words."""
    if any_of := schema.get("anyOf"):
        return " or ".join(map(_takes, any_of))
    if among := schema.get("enum"):
        return f"one of {', '.join(_shown(value) for value in among)}"
    return {
        "string": "a text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "array": 'a list, such as ["a", "b"]',
        "object": 'an object, such as {"a": 1}',
        "null": "null",
    }.get(str(schema.get("type")), "any value")


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value)


def tools_in_words(tools: Sequence[OfferedTool], word: str = "") -> str:
    """The tools by name, or in full those in whose name, description or parameters a word occurs."""
    if not tools:
        return "No tool is offered here: answer in words."
    if not word:
        names = ", ".join(tool.name for tool in tools)
        return f"{len(tools):,} tools ({TOOLS} WORD shows those in which the word occurs, in full): {names}"
    exact = [tool for tool in tools if tool.name == word]
    shown = exact or [tool for tool in tools if word.casefold() in _in_full(tool).casefold()]
    return "\n\n".join(map(_in_full, shown)) or f"{word[:60]!r} occurs in no tool. Type {TOOLS} for all."


def _in_full(tool: OfferedTool) -> str:
    lines = [tool.name, *(f"  {line}" for line in tool.description.split("\n"))]
    for name, schema in tool.properties.items():
        free = "" if name in tool.required else ", optional"
        lines.append(f"    {name} ({_takes(schema)}{free}): {schema.get('description', '')}".rstrip(": "))
    return "\n".join(lines)


def completions(before: str, word: str, tools: Sequence[OfferedTool]) -> list[str]:
    """What a word may become: a tool or one of `WORDS`, a tool's parameter, or a value of one.

    Args:
        before: The line up to the word.
        word: As far as it is typed.
        tools: Those that are offered.
    """
    names = [tool.name for tool in tools]
    first = before.split(" ", maxsplit=1)[0]
    if not before.strip():
        every = [f"{name} " for name in (*WORDS, *names)]
    elif first == TOOLS:
        every = names
    else:
        properties = {tool.name: tool.properties for tool in tools}.get(first, {})
        if before.endswith("="):
            name = before[:-1].rsplit(" ", maxsplit=1)[-1]
            every = [f"{text} " for text in _values(properties.get(name, {}))]
        else:
            every = [f"{name}=" for name in properties if f" {name}=" not in before]
    return [text for text in every if text.startswith(word)]


def _values(schema: Mapping[str, Any]) -> list[str]:
    """The values that a parameter can take, where they are few."""
    values = [value for inner in schema.get("anyOf") or () for value in _values(inner)]
    values += [_shown(inner) for inner in schema.get("enum") or ()]
    return [*values, *(("true", "false") if schema.get("type") == "boolean" else ())]
