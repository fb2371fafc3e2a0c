"""The commands that our pages show, and models on loopback that take part in them."""

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from doubles.endpoint import Reply, Request, Say
from doubles.replies import text_of

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

PROVIDER: Final = "docs"
"""Inspect finds the models `openai-api/docs/...` and `openrouter/docs/...` at one endpoint of ours."""

_BLOCK = re.compile(r"(?:<!-- (?P<mark>[^\n]*?) -->\n)?```console\n(?P<text>.*?)```", re.DOTALL)
_MARK = re.compile(
    r"not run by tests: (?P<why>.+)|(?P<elsewhere>run by tests/.+)|exit codes: (?P<codes>\d+(?:, \d+)*)"
)
_SPAN = re.compile(r"(?<!`)`(knowact [a-z][^`]*)`(?!`)")
_MODEL = re.compile(r"\b(openai|anthropic|google|vllm)/[\w.-]+")
_ROLE = re.compile(r"(extractor|judge|user|helper|writer|annotator)=")
_STAND_INS = {"google": "openrouter"}
"""The provider that takes another's place, where it isn't `openai-api`: it passes budgets of tokens on."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A command of a page.

    Attributes:
        page: Relative to the repository.
        line: As it is typed.
        code: The exit code that the page gives it.
        unrun: Why the tests do not run it; "" where they do.
    """

    page: str
    line: str
    code: int = 0
    unrun: str = ""

    @property
    def words(self) -> list[str]:
        """The words of the command; a comment behind it is none."""
        return shlex.split(self.line, comments=True)


def name_of(page: Path) -> str:
    """A page's path below the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: str, kind: str) -> list[str]:
    """A page's blocks of one kind, in order."""
    return re.findall(rf"```{kind}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def commands(page: Path) -> list[Shown]:
    """Every command of a page's console blocks, in order; the lines between them are output.

    A comment above a block says what its commands exit with, if not 0, or why tests do not run them here.
    """
    found: list[Shown] = []
    for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        mark = _MARK.fullmatch(block["mark"] or "")
        assert mark or not block["mark"], f"{name_of(page)}: what does {block['mark']!r} say?"
        text = re.sub(r"\\\n\s*", "", block["text"])
        lines = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
        assert lines, f"{name_of(page)}: a console block without a command"
        why, elsewhere, codes = mark.groups("") if mark else ("", "", "")
        expected = [int(code) for code in codes.split(", ")] if codes else [0] * len(lines)
        found += [
            Shown(name_of(page), line, code, why or elsewhere)
            for line, code in zip(lines, expected, strict=True)
        ]
    return found


def mentioned(page: Path) -> list[Shown]:
    """The commands that stand in a page's sentences and tables."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [Shown(name_of(page), span, unrun="in a sentence") for span in _SPAN.findall(text)]


def with_local_models(text: str, plays: str = "agent") -> str:
    """The same text with models on loopback in the place of providers'."""
    return _MODEL.sub(lambda one: f"{_STAND_INS.get(one[1], 'openai-api')}/{PROVIDER}/{plays}", text)


def local(words: Sequence[str]) -> list[str]:
    """The same command with models on loopback, and few tasks where models work through a set."""
    works = words[:2] in (["knowact", "run"], ["knowact", "calibrate"])
    asks = any(map(_MODEL.search, words)) or "--config" in words
    named = [*_each_with_local_models(words)]
    if not (works and asks):
        return named
    if "--limit" in named:
        named[named.index("--limit") + 1] = "2"
    elif "--config" not in named:
        # A cluster of the car's tasks is six of them.
        named += ["--limit", "1" if "car" in named else "2"]
    if words[:3] == ["knowact", "run", "car"] and "--trials" not in named:
        named += ["--trials", "1"]
    return named


def _each_with_local_models(words: Sequence[str]) -> Iterator[str]:
    before = ""
    for word in words:
        role = _ROLE.match(word)
        yield with_local_models(word, role[1] if role else before.removeprefix("--"))
        before = word


def answer(request: Request) -> Reply:
    """What the models on loopback say: empty forms, votes, a user's lines; an agent that does nothing."""
    said = text_of(request.messages[-1])
    if wanted := request.body.get("response_format"):
        form = emptiest(wanted["json_schema"]["schema"])
        # A user who greets, answers once, and leaves.
        return Say(json.dumps({**form, **_line(len(request.messages))} if "user_message" in form else form))
    if '"verdict"' in said:
        choices = re.findall(r'"verdict"[^"\n]*"(\w+)"', said) or re.findall(
            r"^- (\w+): ", said, re.MULTILINE
        )
        return Say(json.dumps({"why": "as told", "quote": "", "verdict": (choices or ["right"])[-1]}))
    return Say("done" if request.tools else '{"tool_decisions": {}}')


def _line(messages: int) -> dict[str, str]:
    goes_on = messages < 4
    return {
        "user_message": "Please do." if goes_on else "",
        "conversation_control_keyword": "CONTINUE" if goes_on else "STOP",
    }


def emptiest(schema: Any) -> Any:
    """The emptiest value that a schema takes."""
    ways: list[Any] = schema.get("anyOf") or [schema]
    names = [name for way in ways for name in _types(way)]
    if "null" in names:
        return None
    if "enum" in ways[0]:
        return ways[0]["enum"][0]
    if names[0] == "object":
        members: dict[str, Any] = ways[0].get("properties", {})
        return {name: emptiest(member) for name, member in members.items()}
    plain: dict[str, Any] = {"array": [], "boolean": False, "integer": 0, "number": 0}
    return plain.get(names[0], "")


def _types(schema: Any) -> list[str]:
    kind = schema.get("type", "string")
    return cast("list[str]", kind if isinstance(kind, list) else [kind])
