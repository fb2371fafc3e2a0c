"""Removed words: the brief of a value that a message is to say no more, and what code checks of the text.

As in the paper, what is taken out has to be essential. So it is the value of a parameter that the
schema requires, without a default, which one message of the user says and nothing else does. Code does not
try to understand the text: it looks whether the value is gone and the rest still there.
"""

import difflib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from pydantic import Field, JsonValue, ValidationError

from knowact.core.clean import dumps
from knowact.core.model import Noun
from knowact.core.parts import job_part, value_part
from knowact.core.prompts import load_prompt
from knowact.core.seeds import generator
from knowact.core.task import Dialogue, Opening, Query, Task
from knowact.datasets.lines import parse, read_lines
from knowact.forge.asking import NotYet, ToAsk, not_as_asked
from knowact.forge.complete import CompleteItem
from knowact.forge.texts import holds
from knowact.reading.quotes import folded, stands_in
from knowact.suites.ict.cases import Lost
from knowact.worlds.registry import find

SAID: Final = frozenset({"query", "unstated"})
"""Origins of arguments that only the user can tell."""
FEWEST: Final = 2
"""Words that a message keeps."""
KEPT: Final = 0.7
"""The share of the other words that must still stand there, in their order."""
MORE: Final = 3
"""So many words may the message grow: "the pounds I have" for "250 pounds"."""


class Brief(Noun):
    """What a writer is told.

    Attributes:
        id: Made of everything else, so that a text belongs to this very brief.
        conversation: The whole of it.
        message: The message that is rewritten.
        needs: What the call does that the value is for.
        meaning: What the value is.
        value: The value that the message is not to say.
        keep: Values that it must go on saying.
    """

    id: str = ""
    conversation: str
    message: str
    needs: str
    meaning: str
    value: JsonValue
    keep: tuple[JsonValue, ...] = ()


class Rewritten(Noun):
    """What comes back for a brief: a line of a file of texts.

    Attributes:
        brief: The brief's id.
        words: The words of the message that said the value.
        text: The message without it.
        refused: Why no natural message is left; empty where one is.
        failed: What was wrong with the last text of a writer that never got it right.
        writer: Who wrote.
        prompt: The hash of the prompt that a model was given.
        attempts: How often it was asked.
    """

    brief: str
    words: str = ""
    text: str = ""
    refused: str = ""
    failed: str = ""
    writer: str = ""
    prompt: str = ""
    attempts: int = Field(default=0, ge=0)


@dataclass(frozen=True, slots=True)
class Removable:
    """A value that can go missing: its place in the plan and in the conversation, and the brief for it."""

    step: int
    parameter: str
    turn: int
    brief: Brief

    def lost(self, task: Task, words: str, after: str) -> Lost:
        """The record of the removal."""
        step = task.plan[self.step]
        return Lost(
            what="value",
            tool=step.tool,
            step=self.step,
            parameter=self.parameter,
            value=step.arguments[self.parameter].value,
            words=words,
            how="left out",
            turn=self.turn,
            before=task.opening.utterances[self.turn].text,
            after=after,
        )

    def opening(self, task: Task, text: str) -> Opening:
        """What is said instead."""
        if isinstance(task.opening, Query):
            return Query(text=text)
        said = list(task.opening.utterances)
        said[self.turn] = said[self.turn].model_copy(update={"text": text})
        return Dialogue(utterances=tuple(said))


def removables(item: CompleteItem, seed: int) -> list[Removable]:
    """Return the values that can go missing from an item, in a drawn order."""
    found = list(_removables(item))
    generator(seed, "removal", item.task.id).shuffle(found)
    return found


def _removables(item: CompleteItem) -> Iterator[Removable]:
    task, made = item.task, find(item.task.world.name).material
    material = made() if made else None
    every = [one.value for step in task.plan for one in step.arguments.values()]
    for number, step in enumerate(task.plan):
        tool = item.tools.get(step.tool)
        if tool is None or not step.external:
            continue
        for name, argument in step.arguments.items():
            shape = tool.properties.get(name, {})
            told = argument.origin in SAID and not (material and material.usual(tool.name, name))
            if not told or name not in tool.required or "default" in shape:
                continue
            turn = _said_once(task, argument.value)
            if turn is not None and every.count(argument.value) == 1:
                message = task.opening.utterances[turn].text
                brief = Brief(
                    conversation=task.opening.text,
                    message=message,
                    needs=job_part(tool).words,
                    meaning=value_part(tool, name).words,
                    value=argument.value,
                    keep=tuple(one for one in every if one != argument.value and says(message, one)),
                )
                digest = hashlib.sha256(brief.model_dump_json().encode()).hexdigest()[:12]
                yield Removable(number, name, turn, brief.model_copy(update={"id": digest}))


def _said_once(task: Task, value: JsonValue) -> int | None:
    """The message of the user that says a value; None where not exactly one does, or a result has it too."""
    said = task.opening.utterances
    places = [number for number, one in enumerate(said) if says(one.text, value)]
    calls = dumps([call.model_dump(mode="json") for one in said for call in one.calls])
    if len(places) != 1 or said[places[0]].role != "user" or says(calls, value):
        return None
    return places[0]


def says(text: str, value: JsonValue) -> bool:
    """Whether a text says a value, whatever its case and typography; booleans and lists are never found."""
    if isinstance(value, str):
        return stands_in(folded(value), folded(text))
    return isinstance(value, int | float) and holds(text, value)


def complaints(brief: Brief, answer: Rewritten) -> list[str]:
    """Say everything that is wrong with a text, a sentence each; nothing for a refusal."""
    return [] if answer.refused else list(_wrong(brief, answer))


def _wrong(brief: Brief, answer: Rewritten) -> Iterator[str]:
    text, words = answer.text, folded(answer.words)
    before, after = folded(brief.message).split(), folded(text).split()
    if len(after) < FEWEST or text != text.strip() or not text.replace("\n", "").isprintable():
        yield "the text is too short, has blanks around it, or holds characters that cannot be seen."
    if not stands_in(words, folded(brief.message)):
        yield f"the words {answer.words!r} do not stand in the message."
    elif not says(answer.words, brief.value):
        yield f"the words {answer.words!r} do not say {brief.value!r}."
    elif stands_in(words, folded(text)):
        yield f"the text still holds the words {answer.words!r}."
    if says(text, brief.value):
        yield f"the text still says {brief.value!r}."
    for one in brief.keep:
        if not says(text, one):
            yield f"the text no longer says {one!r}, which it is to keep."
    if len(after) > len(before) + MORE:
        yield f"the text is more than {MORE} words longer than the message."
    blocks = difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_matching_blocks()
    if sum(block.size for block in blocks) < KEPT * (len(before) - len(words.split())):
        yield "the text changes more than it has to. Keep the other words of the message as they are."


def to_write(brief: Brief, writer: str) -> ToAsk[Rewritten]:
    """Ask a model for the text."""
    prompt = load_prompt("knowact.suites.ict", "remove")
    shown = brief.model_dump_json(indent=1, exclude={"id"})
    known = {"brief": brief.id, "writer": writer, "prompt": prompt.sha256}
    read = partial(_read, brief=brief, known=known)

    def given_up(wrong: str, attempts: int) -> Rewritten:
        return Rewritten.model_validate({**known, "failed": wrong, "attempts": attempts})

    failing = f"no usable text for brief {brief.id}"
    return ToAsk(brief.id, prompt.fill({"brief": shown}), read, failing, given_up=given_up)


def _read(reply: Mapping[str, Any], attempt: int, *, brief: Brief, known: Mapping[str, str]) -> Rewritten:
    if not reply:
        raise NotYet
    try:
        answer = Rewritten.model_validate({**reply, **known, "failed": "", "attempts": attempt})
    except ValidationError as error:
        raise not_as_asked(error) from error
    if wrong := complaints(brief, answer):
        raise NotYet(*wrong)
    return answer


def read_texts(file: Path) -> Sequence[Rewritten]:
    """Read a file of texts, one per line.

    Raises:
        BadData: A line is no text; with file, line and field.
    """
    return [parse(Rewritten, line) for line in read_lines(file)]
