"""Published rows of function-calling sets with their gold calls, as complete items, a row to a line.

- `question` (turns of messages) and `function`, as BFCL has them; the calls stand in a file of the same name
  in `possible_answer`, with all accepted values of each parameter, "" among them where it may be left out.
- `question` (a text), `tools`, `correct_answer` and `answers`, as When2Call has them; the call is the answer
  `tool_call`, as an object or as text, in tags or not.

Nobody has said more of these tools than their schemas, and of these calls than their values.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.core.task import (
    Argument,
    Boundary,
    Dialogue,
    Opening,
    Query,
    Step,
    Task,
    Utterance,
)
from knowact.core.tool import Tool
from knowact.datasets.lines import Line, read_lines
from knowact.datasets.loose import items, members, unpacked
from knowact.datasets.single_items import task_of_steps

ANSWERS: Final = "possible_answer"
CALL: Final = "tool_call"
_TAG: Final = re.compile(r"</?TOOLCALL>")
Calls = Sequence[tuple[str, Mapping[str, Any]]]
"""Gold calls: the tool, and by parameter the accepted values."""


class _Unfit(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A row that is no complete item, and why."""


def call_files(folder: Path) -> list[Path]:
    """The files of a folder that hold such rows."""
    files = (file for ending in ("*.json", "*.jsonl") for file in folder.glob(ending))
    return [file for file in sorted(files) if (first := next(_rows(file), None)) and _layout(first.value)]


def _layout(row: Mapping[str, Any]) -> str:
    if {"question", "function"} <= row.keys():
        return ANSWERS
    return CALL if {"question", "tools", "answers", "correct_answer"} <= row.keys() else ""


def _rows(file: Path) -> Iterator[Line]:
    """The rows of a file; what comes after a line that is no JSON object is not read."""
    with file.open(encoding="utf-8") as opened:
        first = opened.readline().strip()
    yield from read_lines(file) if first.startswith("{") and first.endswith("}") else ()


def call_rows(files: Sequence[Path]) -> Iterator[Task | str]:
    """Yield the task of each row, or why it is no complete item.

    Raises:
        BadData: A file is not JSON Lines.
    """
    for file in files:
        gold = file.parent / ANSWERS / file.name
        known = {str(line.value.get("id")): line for line in read_lines(gold)} if gold.exists() else {}
        for line in read_lines(file):
            try:
                yield _task(line, known)
            except _Unfit as error:
                yield str(error)


def _task(line: Line, known: Mapping[str, Line]) -> Task:
    row = line.value
    published = _layout(row) == ANSWERS
    name = str(row.get("id" if published else "uuid", f"{line.file.stem}-{line.number}"))
    opening = _dialogue(row["question"]) if published else Query(text=str(row["question"]))
    tools = [_tool(members(each)) for each in items(row["function" if published else "tools"])]
    if len({tool.name for tool in tools}) < len(tools):
        raise _Unfit("two of its tools have one name")
    calls = _accepted(known.get(name)) if published else _called(row)
    steps = [
        Step(tool=tool, boundary=Boundary.EXTERNAL, arguments=dict(_arguments(values, opening.text)))
        for tool, values in calls
    ]
    return task_of_steps(name, opening, tools, steps, line)


def _dialogue(question: Any) -> Opening:
    turns = items(question)
    messages = [members(message) for message in items(turns[0] if len(turns) == 1 else None)]
    if not messages:
        raise _Unfit("it goes on after a reply")
    if any(message.get("role") == "system" for message in messages):
        raise _Unfit("a system message comes with it")
    texts = [(message.get("role"), str(message.get("content") or "")) for message in messages]
    if texts[-1][0] != "user" or any(role not in {"user", "assistant"} or not text for role, text in texts):
        raise _Unfit("its messages are not those of a user and an assistant")
    if len(texts) == 1:
        return Query(text=texts[0][1])
    roles = [Utterance.model_validate({"role": role, "text": text}) for role, text in texts]
    return Dialogue(utterances=tuple(roles))


def _tool(function: Mapping[str, Any]) -> Tool:
    name, parameters = function.get("name"), members(function.get("parameters"))
    if not isinstance(name, str) or not name:
        raise _Unfit("one of its tools has no name")
    shape: dict[str, JsonValue] = {"type": "object", "properties": {}, **parameters}
    return Tool(name=name, description=str(function.get("description") or ""), parameters=shape)


def _accepted(line: Line | None) -> Calls:
    """The calls of a row of answers."""
    if line is None:
        raise _Unfit("no gold call is published for it")
    calls: list[tuple[str, Mapping[str, Any]]] = []
    for each in items(line.value.get("ground_truth")):
        call = members(each)
        if len(call) != 1:
            raise _Unfit("its gold call cannot be read")
        ((name, values),) = call.items()
        accepted = {key: items(each) for key, each in members(values).items()}
        calls.append((name, {key: each for key, each in accepted.items() if each and "" not in each}))
    return calls


def _called(row: Mapping[str, Any]) -> Calls:
    """The call that is the right answer of a row."""
    if row["correct_answer"] != CALL:
        raise _Unfit("something is missing in it already, or no tool is needed")
    answer: Any = members(row["answers"]).get(CALL)
    answer = unpacked(_TAG.sub("", answer).strip()) if isinstance(answer, str) else answer
    calls = [members(each) for each in (cast("list[Any]", answer) if isinstance(answer, list) else [answer])]
    if not calls or any(not isinstance(call.get("name"), str) for call in calls):
        raise _Unfit("its gold call cannot be read")
    return [
        (call["name"], {key: [each] for key, each in members(call.get("arguments")).items()})
        for call in calls
    ]


def _arguments(values: Mapping[str, Any], text: str) -> Iterator[tuple[str, Argument]]:
    """Each parameter with the accepted value that stands in the text, else the first."""
    whole = text.casefold()
    for name, accepted in values.items():
        plain = [value if isinstance(value, str) else json.dumps(value) for value in accepted]
        stands = (value for value, words in zip(accepted, plain, strict=True) if words.casefold() in whole)
        yield name, Argument(value=next(stands, accepted[0]), origin="unstated")
