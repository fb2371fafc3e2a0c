"""What models are asked of a tool, claim by claim, and what their votes come to.

Two stages: proposals, which see the source's hints, and an audit, which sees neither hints nor proposals. A
claim holds where more than half of the proposals and more than half of the audit's votes say the same; else
it stays open, for people.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from knowact.core.clean import dumps
from knowact.core.model import Noun
from knowact.core.schema import object_schema
from knowact.core.tool import Dimension
from knowact.tools.annotation import (
    ATTRIBUTE,
    CALLS,
    ECHO,
    NONE,
    Annotation,
    Annotations,
    When,
    fields_of,
    guess,
    told_parameters,
)
from knowact.tools.folder import OwnTool, ToolFolder
from knowact.tools.kept import append, mend, rows
from knowact.tools.sides import INTERNAL, Decided, decided, options

VOTES: Final = "votes.jsonl"
NAMES: Final = "attributes.jsonl"
UNSURE: Final = "unsure"
TERNARY: Final = ("yes", "no", UNSURE)
AT_ONCE: Final = 30
"""Tools that are shown at once while attributes are named."""
MOST_FIELDS: Final = 200
"""Fields of a result that are asked about; a longer list is no result that a person would describe."""

Stage = Literal["proposal", "audit"]
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)
Question = Literal["tool", "calls"]
"""What is asked: all of a tool, or which of its calls are external."""
QUESTIONS: Final[tuple[Question, ...]] = get_args(Question)


class Vote(Noun):
    """One opinion of one tool.

    Attributes:
        tool: Its name.
        seen: The hash of the tool as it was shown; a vote on a tool that has changed since counts no longer.
        stage: Proposal or audit.
        number: Which of the stage's votes, from 1.
        model: Who says it.
        prompt: The hash of the prompt.
        question: What was asked.
        says: By claim.
        why: In a sentence.
    """

    tool: str
    seen: str
    stage: Stage
    number: int
    model: str
    prompt: str
    question: Question = "tool"
    says: dict[str, str]
    why: str = ""


class Named(Noun):
    """Attributes that a model named for some tools.

    Attributes:
        tools: The tools' names, each with the hash of what was shown.
        model: Who named them.
        attributes: What each means.
    """

    tools: dict[str, str]
    model: str
    attributes: dict[str, str]


class Votes:
    """All that models have said of the tools of a folder as they are now.

    Raises:
        BadData: A file was edited into something else.
    """

    def __init__(self, folder: ToolFolder) -> None:
        self._votes, self._names = folder.path / VOTES, folder.path / NAMES
        mend(self._votes)
        mend(self._names)
        now = {own.name: seen(own) for own in folder.tools}
        self._kept = [vote for vote in rows(self._votes, Vote) if now.get(vote.tool) == vote.seen]
        self.attributes: dict[str, str] = {}
        self.named: set[str] = set()
        for one in rows(self._names, Named):
            self._add(one)
            self.named |= {tool for tool, shown in one.tools.items() if now.get(tool) == shown}

    def _add(self, one: Named) -> None:
        # The first meaning stays: votes rest on it.
        self.attributes = {**one.attributes, **self.attributes}

    def name(self, one: Named) -> None:
        """Keep attributes."""
        append(self._names, one)
        self._add(one)

    def keep(self, vote: Vote) -> None:
        """Keep a vote."""
        append(self._votes, vote)
        self._kept.append(vote)

    def of(self, players: Mapping[Stage, str], prompts: Mapping[tuple[Question, Stage], str]) -> list[Vote]:
        """The votes that these models cast by stage on these prompts (hashes)."""
        return [
            vote
            for vote in self._kept
            if (vote.model, vote.prompt) == (players[vote.stage], prompts[vote.question, vote.stage])
        ]


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked of one tool.

    Attributes:
        told: The parameters that a call must be told.
        parameters: All of them.
        fields: The fields of the result.
    """

    told: tuple[str, ...]
    parameters: tuple[str, ...]
    fields: tuple[str, ...]

    @classmethod
    def of(cls, own: OwnTool) -> "Form":
        """The form of a tool."""
        return cls(told_parameters(own), tuple(own.tool("").properties), fields_of(own)[:MOST_FIELDS])

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a filled form, for models that can be held to one."""
        ternary = {"type": "string", "enum": list(TERNARY)}
        text = {"type": "string"}
        fields = {
            "writes": ternary,
            "dimensions": object_schema({one.value: ternary for one in Dimension}),
            "when": {"type": "string", "enum": [*get_args(When), UNSURE]},
            "by_person": ternary,
            "about": object_schema(dict.fromkeys(self.parameters, ternary)),
            "needs": object_schema(dict.fromkeys(self.told, text)),
            "reports": object_schema(dict.fromkeys(self.fields, text)),
            "changes": {"type": "array", "items": text},
            "why": text,
        }
        return object_schema(fields)

    def read(self, reply: Mapping[str, Any], known: Iterable[str]) -> dict[str, str]:
        """The claims of a filled form.

        Args:
            reply: The form.
            known: The attributes that have a name.

        Raises:
            ValueError: A claim is missing, or says what it cannot say; with a sentence.
        """
        attributes = {*known}
        said = {"writes": _one_of(reply, "writes", TERNARY)}
        dimensions = _inside(reply, "dimensions")
        said |= {one.value: _one_of(dimensions, one.value, TERNARY) for one in Dimension}
        said["when"] = _one_of(reply, "when", (*get_args(When), UNSURE))
        said["by_person"] = _one_of(reply, "by_person", TERNARY)
        about, needs, reports = (_inside(reply, name) for name in ("about", "needs", "reports"))
        said |= {f"about.{name}": _one_of(about, name, TERNARY) for name in self.parameters}
        said |= {f"needs.{name}": _one_of(needs, name, attributes | {UNSURE}) for name in self.told}
        free = attributes | {ECHO, NONE, UNSURE}
        said |= {f"reports.{name}": _one_of(reports, name, free) for name in self.fields}
        changes: object = reply.get("changes")
        for one in cast("list[object]", changes) if isinstance(changes, list) else ():
            if one not in attributes:
                raise ValueError(f"changes: {str(one)[:80]!r} is none of the attributes.")
            said[f"changes.{one}"] = "yes"
        return said


_SIDES: Final = (INTERNAL, *(one.value for one in Dimension), UNSURE)
"""What can be said of an option of a call."""


@dataclass(frozen=True, slots=True)
class CallForm:
    """What is asked of the calls of one tool.

    Attributes:
        options: The options of each parameter; without any there is nothing to ask.
    """

    options: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, own: OwnTool) -> "CallForm":
        """The form of a tool."""
        return cls({name: tuple(found) for name, found in options(own).items()})

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a filled form, for models that can be held to one."""
        one = {"type": "string", "enum": list(_SIDES)}
        calls = {name: object_schema(dict.fromkeys(found, one)) for name, found in self.options.items()}
        return object_schema({"calls": object_schema(calls), "why": {"type": "string"}})

    def read(self, reply: Mapping[str, Any]) -> dict[str, str]:
        """The claims of a filled form.

        Raises:
            ValueError: A claim is missing, or says what it cannot say; with a sentence.
        """
        calls = _inside(reply, "calls")
        return {
            _claim(name, label): _one_of(_inside(calls, name), label, _SIDES)
            for name, found in self.options.items()
            for label in found
        }

    def shown(self, own: OwnTool, *, hints: bool) -> str:
        """What is shown of a tool beside the form."""
        asked = {name: list(found) for name, found in self.options.items()}
        return f"{shown_tool(own, hints=hints)}\n\nThe options:\n\n{dumps(asked)}"


def _claim(parameter: str, option: str) -> str:
    return f"{CALLS}.{parameter}={option}"


def _inside(reply: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = reply.get(name)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def _one_of(reply: Mapping[str, Any], name: str, choices: Iterable[str]) -> str:
    said, known = reply.get(name), {*choices}
    if not isinstance(said, str) or said not in known:
        shown = ", ".join(sorted(known)[:20])
        raise ValueError(f"{name}: {str(said)[:80]!r} is not one of {shown}.")
    return said


def shown_tool(own: OwnTool, *, hints: bool) -> str:
    """What is shown of a tool.

    Args:
        own: The tool.
        hints: Whether the source's own hints are shown, which an independent audit must not see.
    """
    form = Form.of(own)
    told: dict[str, Any] = {
        "name": own.name,
        "description": own.description,
        "parameters": own.tool("").properties,
        "must be told": form.told,
        "fields of the result": form.fields,
    }
    if hints and (said := own.hints.model_dump(exclude_defaults=True)):
        told["hints of its source, unchecked"] = said
    return dumps(told)


def seen(own: OwnTool) -> str:
    """The hash of what is shown of a tool."""
    return hashlib.sha256(shown_tool(own, hints=True).encode()).hexdigest()[:16]


def read_names(reply: Mapping[str, Any]) -> dict[str, str]:
    """The attributes of a reply, with what they mean.

    Raises:
        ValueError: There are none, or one is no attribute; with a sentence.
    """
    found = _inside(reply, "attributes")
    if not found:
        raise ValueError("attributes: there is none.")
    for name in found:
        if not re.fullmatch(ATTRIBUTE, name):
            raise ValueError(f"{name[:80]!r} is not an attribute: write it as 'city.name', in small letters.")
    return {name: str(meaning) for name, meaning in found.items()}


def shown_names(attributes: Mapping[str, str]) -> str:
    """The attributes, a line each."""
    return "\n".join(f"- {name}: {json.dumps(said, ensure_ascii=False)}" for name, said in attributes.items())


def proposed(folder: ToolFolder, attributes: Mapping[str, str], votes: Sequence[Vote]) -> Annotations:
    """What votes come to, for every tool that was voted on in both stages.

    Args:
        folder: The tools.
        attributes: What the attributes mean.
        votes: Of these tools as they are now.
    """
    tools: dict[str, Annotation] = {}
    for own in folder.tools:
        mine = {
            question: [vote for vote in votes if (vote.tool, vote.question) == (own.name, question)]
            for question in QUESTIONS
        }
        if {vote.stage for vote in mine["tool"]} == {*STAGES}:
            tools[own.name] = agreed(own, mine["tool"], mine["calls"])
    return Annotations(attributes=dict(attributes), tools=tools)


def agreed(own: OwnTool, votes: Sequence[Vote], on_calls: Sequence[Vote] = ()) -> Annotation:
    """What votes on one tool come to, and those on its calls; what they do not agree on is open.

    A claim to read only what the source itself says is destructive (or the other way round) is open, too.
    """
    form = Form.of(own)
    said = _Settled(votes)
    writes = said.ternary("writes")
    hinted = guess(own.hints)
    if writes is not None and hinted is not None and writes != hinted:
        writes = None
        said.open.append("writes")
    fires, when = _label(said)
    calls = _Settled(on_calls)
    sides = None
    if when == "by_argument" and fires is not None:
        denied = [one for one in Dimension if said.ternary(one.value) is False]
        sides = _sides(own, calls, fires, denied)
        # What makes a single call external fires on the tool, if nobody denies it.
        fires = tuple(one for one in Dimension if one in fires or (sides and one in sides.external_if))
    about = {name: said.ternary(f"about.{name}") for name in form.parameters}
    if None in about.values():
        said.open.append("about")
    changes = _changes(said) if writes else () if writes is False else None
    return Annotation(
        writes=writes,
        fires=fires,
        when=when,
        external_if=None if sides is None else {one: tuple(of) for one, of in sides.external_if.items()},
        internal_if=None if sides is None else tuple(sides.internal_if),
        by_person=said.ternary("by_person"),
        about=None if None in about.values() else tuple(name for name, holds in about.items() if holds),
        needs={name: one for name in form.told if (one := said.value(f"needs.{name}"))},
        reports={name: (one,) for name in form.fields if (one := said.value(f"reports.{name}"))},
        changes=changes or None,
        why=next((vote.why for vote in votes if vote.stage == "audit" and vote.why), ""),
        open=tuple(
            one
            for one in dict.fromkeys((*said.open, *calls.open))
            if not one.startswith("about.") and one not in (sides.external_if if sides else ())
        ),
    )


class _Settled:
    """Votes, claim by claim; remembers which were asked for and are open."""

    def __init__(self, votes: Sequence[Vote]) -> None:
        self.votes = votes
        self.open: list[str] = []

    def value(self, claim: str, unsaid: str = UNSURE) -> str:
        """What both stages say by majority; empty where they don't."""
        sides = [
            _majority([vote.says.get(claim, unsaid) for vote in self.votes if vote.stage == stage])
            for stage in STAGES
        ]
        if sides[0] != sides[1] or sides[0] in {"", UNSURE}:
            self.open.append(claim)
            return ""
        return sides[0]

    def ternary(self, claim: str) -> bool | None:
        return {"yes": True, "no": False}.get(self.value(claim))


def _majority(said: Sequence[str]) -> str:
    (one, times) = Counter(said).most_common(1)[0]
    return one if 2 * times > len(said) else ""


def _label(said: _Settled) -> tuple[tuple[Dimension, ...] | None, When | None]:
    """Which dimensions fire, and when calls are external; None where that is open or contradicts itself."""
    dimensions = {one: said.ternary(one.value) for one in Dimension}
    when = cast("When | None", said.value("when") or None)
    fires = tuple(one for one, holds in dimensions.items() if holds)
    outside = when in {"always", "by_argument"}
    if when is not None and outside != bool(fires):
        said.open.append("when")
        return None, None
    # One dimension that surely fires is enough for external; none may be open for internal.
    return (fires, when) if outside or None not in dimensions.values() else (None, when)


def _sides(own: OwnTool, said: _Settled, fires: Iterable[Dimension], denied: Iterable[str]) -> Decided | None:
    """Which calls are external by the votes on them; None where too little is agreed on."""
    if {vote.stage for vote in said.votes} != {*STAGES}:
        return None
    says = {
        name: {label: said.value(_claim(name, label)) for label in found}
        for name, found in CallForm.of(own).options.items()
    }
    if any(one in denied for found in says.values() for one in found.values()):
        said.open.append("external_if")
        return None
    return decided(own, says, fires)


def _changes(said: _Settled) -> tuple[str, ...] | None:
    named = {claim for vote in said.votes for claim in vote.says if claim.startswith("changes.")}
    # What a vote does not list, it denies.
    sides = {claim: said.value(claim, "no") for claim in sorted(named)}
    if "" in sides.values():
        said.open.append("changes")
        return None
    return tuple(claim.removeprefix("changes.") for claim, side in sides.items() if side == "yes")
