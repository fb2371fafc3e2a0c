"""Briefs: what a writer is told of a draft, in words that name no tool, and what comes back.

A brief is JSON. A writer, a person or a model, puts it into the words of one person and says for each value
which words carry it. See docs/forging.md for the format of both files.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, cast

from pydantic import Field, JsonValue

from knowact.core.model import Noun, Words
from knowact.core.proof import values_at
from knowact.core.seeds import generator
from knowact.core.spoken import DAY, TIME
from knowact.core.task import Step
from knowact.forge.drafts import Draft
from knowact.worlds.material import Material

LENGTHS: Final = ("one sentence", "one or two sentences", "two or three sentences", "three or four sentences")
"""By the number of sub-tasks, a range of these is drawn from; never by what they need."""
COMPLETE: Final = "complete"
LONGEST_NAME: Final = 40
"""Characters: what is longer is a text or a list, which people put in their own way."""


class StatedValue(Noun):
    """A value that the text says.

    Attributes:
        key: `number.name`: the part's number and the value's name.
        meaning: What the value is.
        value: As the plan has it: days as YYYY-MM-DD, times as HH:MM.
        verbatim: Whether it is a name or a code that cannot be put otherwise.
        how: How the person comes to know it, where an assistant might have found it out.
    """

    key: str
    meaning: str
    value: JsonValue
    verbatim: bool = False
    how: str = ""


class BriefPart(Noun):
    """One sub-task.

    Attributes:
        wants: What it finds out or does, without values.
        asked: Whether the person wants to be told the result; else it only serves another part.
        said: The values that the text says.
        takes: What it takes from other parts, in words; the text names it, not its value.
        known: Whether the person already knows the result, which stands in `said`.
        gave: What the assistant found out or did about it in an earlier message, as JSON; "" where the
            last message asks for it.
    """

    wants: str
    asked: bool
    said: tuple[StatedValue, ...] = ()
    takes: tuple[str, ...] = ()
    known: bool = False
    gave: str = ""


How = Literal["", "left out", "vague", "pointing", "two candidates"]
"""How a value goes missing, "" where none does."""


def place_of(key: str) -> tuple[int, str]:
    """The step of the plan, from 0, and the argument or result field that a key of a brief speaks of."""
    number, _, name = key.partition(".")
    return int(number) - 1, name


class Version(Noun):
    """One text that is wanted of a brief.

    Attributes:
        name: "complete", or "incomplete".
        leaves_out: Keys of values that it does not say, and that nothing in it gives away.
        how: How they go missing; in the complete version, which way of speaking an earlier message resolves.
        before: What the messages before the last one are, in order: who speaks, and of what.
        earlier: Keys of values that one of those messages says, and the last one does not.
        other: Of two candidates the one that is not meant; an earlier message names both.
    """

    name: str = COMPLETE
    leaves_out: tuple[str, ...] = ()
    how: How = ""
    before: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    other: JsonValue = None

    @property
    def place(self) -> tuple[int, str]:
        """The step of the plan, from 0, and the argument whose value it leaves out; it must leave one out."""
        return place_of(self.leaves_out[0])

    @property
    def masked(self) -> bool:
        """Whether the last message is that of the complete version, letter for letter."""
        return bool(self.leaves_out) and self.how in {"vague", "pointing", "two candidates"}


class Brief(Noun):
    """What a writer is told.

    Attributes:
        id: Made of everything else, so that a text belongs to this very brief.
        person: Who writes, and how.
        situation: Where they are, and what they are after.
        shown: What the assistant knows anyway: the day, the place.
        length: About how long.
        parts: The sub-tasks.
        versions: The texts that are wanted.
    """

    id: str
    person: str
    situation: str
    shown: str
    length: str
    parts: tuple[BriefPart, ...]
    versions: tuple[Version, ...] = (Version(),)

    def keys(self, version: Version) -> list[str]:
        """The keys of the values that a version says."""
        every = (value.key for part in self.parts for value in part.said)
        return [key for key in every if key not in version.leaves_out]


class Written(Noun):
    """One text.

    Attributes:
        text: The request; in a dialogue, its last message.
        words: By key, the words that say the value, or that stand in its place.
        before: The messages before it, in order.
    """

    text: Words
    words: Mapping[str, str] = {}
    before: tuple[Words, ...] = ()

    @property
    def messages(self) -> tuple[str, ...]:
        """All messages, in order."""
        return (*self.before, self.text)

    @property
    def whole(self) -> str:
        """All messages, a line each."""
        return "\n".join(self.messages)


class Discard(Noun):
    """Texts of a brief that judges failed.

    Attributes:
        versions: The texts, by the versions' names.
        writer: Who wrote them.
        points: The points that most votes denied.
        why: What the judges said.
    """

    versions: Mapping[str, Written]
    writer: str = ""
    points: tuple[str, ...]
    why: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """Why they were discarded, in a sentence."""
        example = f" ({self.why[0]})" if self.why else ""
        return f"Judges failed it for {' and '.join(self.points)}{example}."


class BriefAnswer(Noun):
    """What a writer returns for a brief: its texts, or why nobody would ask for that.

    Attributes:
        brief: The brief's id.
        versions: The texts, by the versions' names.
        refused: Why the plan is absurd; empty where it is not.
        failed: What was wrong with the last text of a writer that never got it right.
        writer: Who wrote: a model's name, or a batch of authors.
        prompt: The hash of the prompt that a model was given.
        attempts: How often it was asked.
        discarded: The brief's earlier texts that judges failed, in order.
    """

    brief: str
    versions: Mapping[str, Written] = {}
    refused: str = ""
    failed: str = ""
    writer: str = ""
    prompt: str = ""
    attempts: Annotated[int, Field(ge=0)] = 0
    discarded: tuple[Discard, ...] = ()


def brief_of(draft: Draft, material: Material, seed: int) -> Brief:
    """Write the brief of a draft."""
    task, scenario, jobs = draft.task, material.scenarios[draft.sketch.scenario], draft.sketch.jobs
    parts = tuple(
        BriefPart(
            wants=step.question,
            asked=not any(source.job == name for job in jobs for source in scenario.jobs[job].sources),
            said=tuple(_said(number, step, draft, material, scenario.jobs[name].told)),
            takes=tuple(_taken(step, task.plan, material)),
            known=bool(step.told),
        )
        for number, (name, step) in enumerate(zip(jobs, task.plan, strict=True), start=1)
    )
    shown = ", ".join(f"{name}: {value}" for name, value in material.shown.items())
    steps = len(parts)
    rng = generator(seed, "length", draft.sketch.scenario, *jobs, *map(str, draft.results))
    whole = Brief(
        id="",
        person=draft.person,
        situation=scenario.situation,
        shown=shown,
        length=LENGTHS[min(rng.randint(steps - 1, steps), len(LENGTHS) - 1)],
        parts=parts,
    )
    return whole.model_copy(update={"id": digest(whole)})


def digest(brief: Brief) -> str:
    """Twelve hexadecimal digits made of all that a brief says; what it does not use leaves no trace."""
    content = brief.model_copy(update={"id": ""}).model_dump_json(exclude_defaults=True)
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def _said(number: int, step: Step, draft: Draft, material: Material, how: str) -> Iterator[StatedValue]:
    shapes = material.tools[step.tool].properties
    for name, argument in step.arguments.items():
        if argument.origin in {"query", "context"}:
            yield StatedValue(
                key=f"{number}.{name}",
                meaning=str(shapes[name].get("description", name)),
                value=argument.value,
                verbatim=_is_name(argument.value, shapes[name]),
            )
    for field in step.told:
        (value,) = values_at(draft.results[number - 1], field)
        shape = _results(step.tool, material).get(field, {})
        yield StatedValue(
            key=f"{number}.{field}",
            meaning=meaning_of(step.tool, field, material),
            value=value,
            verbatim=_is_name(value, shape),
            how=how,
        )


def _is_name(value: JsonValue, shape: Mapping[str, Any]) -> bool:
    """Whether a value is a name, a title or a code: a text that is no day, no time, no term of a list."""
    if (
        not isinstance(value, str)
        or shape.keys() & {"enum", "format"}
        or DAY.fullmatch(value)
        or TIME.fullmatch(value)
    ):
        return False
    return len(value) <= LONGEST_NAME and not set(value) & {",", ";", "\n"}


def _taken(step: Step, plan: Sequence[Step], material: Material) -> Iterator[str]:
    for argument in step.arguments.values():
        if argument.step is not None and argument.field is not None:
            source = plan[argument.step]
            yield f"{meaning_of(source.tool, argument.field, material)} (from part {argument.step + 1})"


def meaning_of(tool: str, field: str, material: Material) -> str:
    """What a result field holds, in the words of its schema."""
    shape = _results(tool, material).get(field, {})
    return str(shape.get("description") or field.replace("_", " "))


def _results(tool: str, material: Material) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", (material.tools[tool].returns or {}).get("properties", {}))
