"""What models are asked of a tool, claim by claim, and what their votes come to.

Two stages: proposals, which see the source's hints, and an audit, which sees neither hints nor proposals. A
claim holds where more than half of the proposals and more than half of the audit's votes say the same; else
it stays open, for people.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from pydantic import JsonValue

from knowact.core.clean import dumps
from knowact.core.model import Noun
from knowact.core.schema import Schema, elements, members, object_schema
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
from knowact.tools.sides import INTERNAL, Condition, Decided, decided, options

VOTES: Final = "votes.jsonl"
NAMES: Final = "attributes.jsonl"
UNSURE: Final = "unsure"
TERNARY: Final = ("yes", "no", UNSURE)
AT_ONCE: Final = 30
"""Tools that are shown at once while attributes are named."""
MOST_FIELDS: Final = 200
"""Fields of a result that are asked about; a longer list is no result that a person would describe."""

WHENS: Final[tuple[When, ...]] = get_args(When)
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
        for named in rows(self._names, Named):
            self._add(named)
            self.named |= {tool for tool, shown in named.tools.items() if now.get(tool) == shown}

    def _add(self, named: Named) -> None:
        # The first meaning stays: votes rest on it.
        self.attributes = {**named.attributes, **self.attributes}

    def name(self, named: Named) -> None:
        """Keep attributes."""
        append(self._names, named)
        self._add(named)

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
        return cls(told_parameters(own), tuple(own.properties), fields_of(own)[:MOST_FIELDS])

    def schema(self) -> Schema:
        """The JSON Schema of a filled form, for models that can be held to one."""
        ternary: Schema = {"type": "string", "enum": list(TERNARY)}
        text: Schema = {"type": "string"}
        fields: Schema = {
            "writes": ternary,
            "dimensions": object_schema({dimension.value: ternary for dimension in Dimension}),
            "when": {"type": "string", "enum": [*WHENS, UNSURE]},
            "by_person": ternary,
            "about": object_schema(dict.fromkeys(self.parameters, ternary)),
            "needs": object_schema(dict.fromkeys(self.told, text)),
            "reports": object_schema(dict.fromkeys(self.fields, text)),
            "changes": {"type": "array", "items": text},
            "why": text,
        }
        return object_schema(fields)

    def read(self, reply: Mapping[str, JsonValue], known: Iterable[str]) -> dict[str, str]:
        """The claims of a filled form.

        Args:
            reply: The form.
            known: The attributes that have a name.

        Raises:
            ValueError: A claim is missing, or says what it cannot say; with a sentence.
        """
        attributes = {*known}
        claims = {"writes": _one_of(reply, "writes", TERNARY)}
        dimensions = members(reply.get("dimensions"))
        claims |= {each.value: _one_of(dimensions, each.value, TERNARY) for each in Dimension}
        claims["when"] = _one_of(reply, "when", (*WHENS, UNSURE))
        claims["by_person"] = _one_of(reply, "by_person", TERNARY)
        about, needs, reports = (members(reply.get(name)) for name in ("about", "needs", "reports"))
        claims |= {f"about.{name}": _one_of(about, name, TERNARY) for name in self.parameters}
        claims |= {f"needs.{name}": _one_of(needs, name, attributes | {UNSURE}) for name in self.told}
        free = attributes | {ECHO, NONE, UNSURE}
        claims |= {f"reports.{name}": _one_of(reports, name, free) for name in self.fields}
        for attribute in elements(reply.get("changes")):
            if attribute not in attributes:
                raise ValueError(f"changes: {str(attribute)[:80]!r} is none of the attributes.")
            claims[f"changes.{attribute}"] = "yes"
        return claims


_SIDES: Final = (INTERNAL, *(dimension.value for dimension in Dimension), UNSURE)
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
        return cls({name: tuple(labels) for name, labels in options(own).items()})

    def schema(self) -> Schema:
        """The JSON Schema of a filled form, for models that can be held to one."""
        side: Schema = {"type": "string", "enum": list(_SIDES)}
        calls = {name: object_schema(dict.fromkeys(labels, side)) for name, labels in self.options.items()}
        return object_schema({"calls": object_schema(calls), "why": {"type": "string"}})

    def read(self, reply: Mapping[str, JsonValue]) -> dict[str, str]:
        """The claims of a filled form.

        Raises:
            ValueError: A claim is missing, or says what it cannot say; with a sentence.
        """
        calls = members(reply.get("calls"))
        return {
            _claim(name, label): _one_of(members(calls.get(name)), label, _SIDES)
            for name, labels in self.options.items()
            for label in labels
        }

    def shown(self, own: OwnTool, *, hints: bool) -> str:
        """What is shown of a tool beside the form."""
        return f"{shown_tool(own, hints=hints)}\n\nThe options:\n\n{dumps(self.options)}"


def _claim(parameter: str, option: str) -> str:
    return f"{CALLS}.{parameter}={option}"


def _one_of(reply: Mapping[str, JsonValue], name: str, choices: Iterable[str]) -> str:
    choice, known = reply.get(name), {*choices}
    if not isinstance(choice, str) or choice not in known:
        shown = ", ".join(sorted(known)[:20])
        raise ValueError(f"{name}: {str(choice)[:80]!r} is not one of {shown}.")
    return choice


def shown_tool(own: OwnTool, *, hints: bool) -> str:
    """What is shown of a tool.

    Args:
        own: The tool.
        hints: Whether the source's own hints are shown, which an independent audit must not see.
    """
    form = Form.of(own)
    shown: Schema = {
        "name": own.name,
        "description": own.description,
        "parameters": own.properties,
        "must be told": [*form.told],
        "fields of the result": [*form.fields],
    }
    if hints and (words := own.hints.model_dump(exclude_defaults=True)):
        shown["hints of its source, unchecked"] = words
    return dumps(shown)


def seen(own: OwnTool) -> str:
    """The hash of what is shown of a tool."""
    return hashlib.sha256(shown_tool(own, hints=True).encode()).hexdigest()[:16]


def read_names(reply: Mapping[str, JsonValue]) -> dict[str, str]:
    """The attributes of a reply, with what they mean.

    Raises:
        ValueError: There are none, or one is no attribute; with a sentence.
    """
    attributes = members(reply.get("attributes"))
    if not attributes:
        raise ValueError("attributes: there is none.")
    for name in attributes:
        if not re.fullmatch(ATTRIBUTE, name):
            raise ValueError(f"{name[:80]!r} is not an attribute: write it as 'city.name', in small letters.")
    return {name: str(meaning) for name, meaning in attributes.items()}


def shown_names(attributes: Mapping[str, str]) -> str:
    """The attributes, a line each."""
    return "\n".join(f"- {name}: {dumps(meaning)}" for name, meaning in attributes.items())


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
    claims = _Settled(votes)
    writes = claims.ternary("writes")
    hinted = guess(own.hints)
    if writes is not None and hinted is not None and writes != hinted:
        writes = None
        claims.open.append("writes")
    fires, when = _label(claims)
    calls = _Settled(on_calls)
    sides = None
    if when == "by_argument" and fires is not None:
        denied = [dimension for dimension in Dimension if claims.ternary(dimension.value) is False]
        sides = _sides(own, calls, fires, denied)
        # What makes a single call external fires on the tool, if nobody denies it.
        settled = {*fires, *(sides.external_if if sides else ())}
        fires = tuple(dimension for dimension in Dimension if dimension in settled)
    about = {name: claims.ternary(f"about.{name}") for name in form.parameters}
    if None in about.values():
        claims.open.append("about")
    changes = _changes(claims) if writes else () if writes is False else None
    external: Mapping[Dimension, Sequence[Condition]] = sides.external_if if sides else {}
    return Annotation(
        writes=writes,
        fires=fires,
        when=when,
        external_if={dimension: tuple(of) for dimension, of in external.items()} if sides else None,
        internal_if=tuple(sides.internal_if) if sides else None,
        by_person=claims.ternary("by_person"),
        about=None if None in about.values() else tuple(name for name, holds in about.items() if holds),
        needs={name: value for name in form.told if (value := claims.value(f"needs.{name}"))},
        reports={name: (value,) for name in form.fields if (value := claims.value(f"reports.{name}"))},
        changes=changes or None,
        why=next((vote.why for vote in votes if vote.stage == "audit" and vote.why), ""),
        open=tuple(
            claim
            for claim in dict.fromkeys((*claims.open, *calls.open))
            if not claim.startswith("about.") and claim not in external
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


def _majority(choices: Sequence[str]) -> str:
    (choice, times) = Counter(choices).most_common(1)[0]
    return choice if 2 * times > len(choices) else ""


def _label(claims: _Settled) -> tuple[tuple[Dimension, ...] | None, When | None]:
    """Which dimensions fire, and when calls are external; None where that is open or contradicts itself."""
    dimensions = {dimension: claims.ternary(dimension.value) for dimension in Dimension}
    settled = claims.value("when")
    when: When | None = next((each for each in WHENS if each == settled), None)
    fires = tuple(dimension for dimension, holds in dimensions.items() if holds)
    outside = when in {"always", "by_argument"}
    if when is not None and outside != bool(fires):
        claims.open.append("when")
        return None, None
    # One dimension that surely fires is enough for external; none may be open for internal.
    return (fires, when) if outside or None not in dimensions.values() else (None, when)


def _sides(
    own: OwnTool, claims: _Settled, fires: Iterable[Dimension], denied: Iterable[str]
) -> Decided | None:
    """Which calls are external by the votes on them; None where too little is agreed on."""
    if {vote.stage for vote in claims.votes} != {*STAGES}:
        return None
    says = {
        name: {label: claims.value(_claim(name, label)) for label in labels}
        for name, labels in CallForm.of(own).options.items()
    }
    if any(side in denied for by_label in says.values() for side in by_label.values()):
        claims.open.append("external_if")
        return None
    return decided(own, says, fires)


def _changes(claims: _Settled) -> tuple[str, ...] | None:
    named = {claim for vote in claims.votes for claim in vote.says if claim.startswith("changes.")}
    # What a vote does not list, it denies.
    sides = {claim: claims.value(claim, "no") for claim in sorted(named)}
    if "" in sides.values():
        claims.open.append("changes")
        return None
    return tuple(claim.removeprefix("changes.") for claim, side in sides.items() if side == "yes")
