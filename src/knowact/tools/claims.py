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
from knowact.core.table import Estimate
from knowact.core.tool import Dimension
from knowact.measures.intervals import wilson
from knowact.tools.annotation import (
    ATTRIBUTE,
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


class Vote(Noun):
    """One opinion of one tool.

    Attributes:
        tool: Its name.
        seen: The hash of the tool as it was shown; a vote on a tool that has changed since counts no longer.
        stage: Proposal or audit.
        number: Which of the stage's votes, from 1.
        model: Who says it.
        prompt: The hash of the prompt.
        says: By claim.
        why: In a sentence.
    """

    tool: str
    seen: str
    stage: Stage
    number: int
    model: str
    prompt: str
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

    def of(self, players: Mapping[Stage, str], prompts: Mapping[Stage, str]) -> list[Vote]:
        """The votes that these models cast on these prompts (hashes), by stage."""
        return [
            vote
            for vote in self._kept
            if (vote.model, vote.prompt) == (players[vote.stage], prompts[vote.stage])
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
            "dimensions": _object({one.value: ternary for one in Dimension}),
            "when": {"type": "string", "enum": [*get_args(When), UNSURE]},
            "by_person": ternary,
            "about": _object(dict.fromkeys(self.parameters, ternary)),
            "needs": _object(dict.fromkeys(self.told, text)),
            "reports": _object(dict.fromkeys(self.fields, text)),
            "changes": {"type": "array", "items": text},
            "why": text,
        }
        return _object(fields)

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


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


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
            raise ValueError(f"{name[:80]!r} is no attribute: write it as 'city.name', in small letters.")
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
        mine = [vote for vote in votes if vote.tool == own.name]
        if {vote.stage for vote in mine} == {*STAGES}:
            tools[own.name] = agreed(own, mine)
    return Annotations(attributes=dict(attributes), tools=tools)


def agreed(own: OwnTool, votes: Sequence[Vote]) -> Annotation:
    """What votes on one tool come to; what they do not agree on is open.

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
    about = {name: said.ternary(f"about.{name}") for name in form.parameters}
    if None in about.values():
        said.open.append("about")
    changes = _changes(said) if writes else () if writes is False else None
    return Annotation(
        writes=writes,
        fires=fires,
        when=when,
        by_person=said.ternary("by_person"),
        about=None if None in about.values() else tuple(name for name, holds in about.items() if holds),
        needs={name: one for name in form.told if (one := said.value(f"needs.{name}"))},
        reports={name: (one,) for name in form.fields if (one := said.value(f"reports.{name}"))},
        changes=changes or None,
        why=next((vote.why for vote in votes if vote.stage == "audit" and vote.why), ""),
        open=tuple(one for one in dict.fromkeys(said.open) if not one.startswith("about.")),
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


def _changes(said: _Settled) -> tuple[str, ...] | None:
    named = {claim for vote in said.votes for claim in vote.says if claim.startswith("changes.")}
    # What a vote does not list, it denies.
    sides = {claim: said.value(claim, "no") for claim in sorted(named)}
    if "" in sides.values():
        said.open.append("changes")
        return None
    return tuple(claim.removeprefix("changes.") for claim, side in sides.items() if side == "yes")


def agreement(folder: ToolFolder, people: Annotations, models: Annotations) -> Mapping[str, Estimate]:
    """How often models say what people say, by kind of claim, over what both speak of.

    Attributes have no right name, so needs and reports are compared by their links: two places carry the same
    attribute, or they do not. `links found` are those of people's that models have, `links right` those of
    models' that people have.

    Args:
        folder: The tools.
        people: Of `annotations.yaml`.
        models: Of `proposed.yaml`.
    """
    both = [own for own in folder.tools if own.name in people.tools and own.name in models.tools]
    pairs = [(people.tools[own.name], models.tools[own.name]) for own in both]
    found: dict[str, list[bool]] = {}
    for mine, theirs in pairs:
        for name, one, other in _compared(mine, theirs):
            found.setdefault(name, []).append(one == other)
    rates = {name: wilson(sum(same), len(same)) for name, same in found.items()}
    ours, made = (_links({own.name: of.tools[own.name] for own in both}) for of in (people, models))
    rates["links found"] = wilson(len(ours & made), len(ours))
    rates["links right"] = wilson(len(ours & made), len(made))
    return rates


def _compared(mine: Annotation, theirs: Annotation) -> Iterable[tuple[str, object, object]]:
    for name in ("writes", "when", "by_person"):
        if getattr(mine, name) is not None:
            yield name, getattr(mine, name), getattr(theirs, name)
    if mine.fires is not None:
        for one in Dimension:
            # An open claim agrees with nothing.
            other = None if theirs.fires is None or one.value in theirs.open else one in theirs.fires
            yield one.value, one in mine.fires, other
    if mine.about is not None:
        yield "about", {*mine.about}, None if theirs.about is None else {*theirs.about}


def _links(said: Mapping[str, Annotation]) -> set[tuple[str, str]]:
    """The pairs of places that carry one attribute."""
    places: dict[str, set[str]] = {}
    for tool, one in said.items():
        for name, attribute in one.needs.items():
            places.setdefault(attribute, set()).add(f"{tool}({name})")
        for field, names in one.reports.items():
            for attribute in names:
                if attribute not in {ECHO, NONE}:
                    places.setdefault(attribute, set()).add(f"{tool}.{field}")
    return {(a, b) for every in places.values() for a in every for b in every if a < b}
