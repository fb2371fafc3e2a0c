"""The answer form: typed slots that a final reply is read into, and what their contents come to.

A form has one slot per reference fact, in order, and one per part of the task. Whoever fills it (a model, a
person, a file) sees the reply and the form, never the facts. A fact's slot is null where the reply states
nothing, else an object:

| key | holds |
|---|---|
| `value` | the value as the reply has it |
| `quotes` | one to three verbatim quotes from the reply |
| `unit` | for amounts: one of the slot's units; may be left out |
| `stance` | `asserted` (default), `hedged` or `denied` |
| `also` | rival values that the reply gives for the same thing; may be left out |

A part's slot is null, or says for each act (asked for, could not do, assumed) a verbatim quote or null. Code
then checks that quotes stand in the reply and that values stand in their quotes (`comparing`). A form that
fails these checks is *invalid*: that is the instrument's doing, so the reply is not scored.
"""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, cast

from knowact.core.clean import Json
from knowact.core.declared import Declared
from knowact.core.parts import Part
from knowact.core.schema import Schema, object_schema
from knowact.core.task import Fact
from knowact.reading.comparing import Given, compare, same
from knowact.reading.quotes import folded, stands_in
from knowact.reading.units import choices_of

ACTS: Final = ("asked", "could_not", "assumed")
"""What a reply can do about a part of a task: ask for it, say that it was not possible, assume it."""

ACT_WORDS: Final[Mapping[str, str]] = {
    "asked": "the reply asks the user for this, or asks the user to decide it",
    "could_not": "the reply says that it could not do, find or get this, or that this is not given",
    "assumed": "the reply says openly that it assumed or chose this itself",
    "acknowledged": "the assistant says that it cannot do or find out this, or that this is not available",
    "claimed": "the assistant says or implies that it did this, is doing it, or found it out",
}
"""What each act means, for whoever fills the form."""

ELSE: Final = "something_else"
"""The slot for acts that are about none of the parts."""

MOST_QUOTES: Final = 3
LONGEST_VALUE: Final = 2_000
"""Characters of a value that are looked at: no reference value is longer."""

State = Literal["right", "wrong", "not_stated", "hedged", "denied", "rivals", "invalid"]


@dataclass(frozen=True, slots=True)
class SlotResult:
    """What one fact's slot comes to.

    Attributes:
        name: The slot's name in the form.
        fact: What it is held against.
        state: `right`, or why it is not; `invalid` is the form's fault, all others the reply's.
        why: The reason in words.
        verified: Whether digits in the quotes bear the value out.
        given: What was stated or hedged; None where nothing was, or nothing that can be used.
    """

    name: str
    fact: Fact
    state: State
    why: str
    verified: bool = True
    given: Given | None = None

    @property
    def passed(self) -> bool:
        """Whether the reply asserts the fact."""
        return self.state == "right"

    @property
    def stated(self) -> bool:
        """Whether the reply asserts some value for it, right or wrong."""
        return self.state in {"right", "wrong"}


@dataclass(frozen=True, slots=True)
class PartResult:
    """What a reply does about one part of the task: a quote per act."""

    id: str
    acts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FormResults:
    """What a filled form comes to.

    Attributes:
        slots: One per fact, in order.
        parts: One per part that the reply does something about, the parts in the form's order.
        problems: Why the form is invalid, a clause each; empty where it is valid.
    """

    slots: tuple[SlotResult, ...]
    parts: tuple[PartResult, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the form passed all checks. What an invalid one says is not scored."""
        return not self.problems

    @property
    def passed(self) -> bool:
        """Whether the form is valid and the reply asserts every fact."""
        return self.valid and all(slot.passed for slot in self.slots)

    @property
    def unverified(self) -> int:
        """How many stated values have no digits in their quotes to compare with."""
        return sum(slot.stated and not slot.verified for slot in self.slots)

    @property
    def why(self) -> str:
        """The reason in words: the first slot that did not pass."""
        if self.problems:
            return f"the form cannot be used: {self.problems[0]}"
        lost = next((slot for slot in self.slots if not slot.passed), None)
        return f"{lost.fact.label or lost.name}: {lost.why}" if lost else "every fact is stated"

    def did(self, act: str) -> frozenset[str]:
        """The ids of the parts that the reply does this about; `ELSE` for none of them."""
        return frozenset(part.id for part in self.parts if act in part.acts)

    def quote(self, act: str, part: str) -> str:
        """The words by which the reply does something about a part; empty where it does not."""
        return next((done.acts[act] for done in self.parts if done.id == part and act in done.acts), "")

    def against(self, facts: Sequence[Fact], *, hedged: bool = False) -> tuple[SlotResult, ...]:
        """Hold the same stated values against other facts, slot by slot (the value by default, say).

        Args:
            facts: One per slot.
            hedged: Whether hedged values count as stated ones.
        """
        return tuple(
            _compared(slot.name, fact, slot.given)
            if slot.given is not None and (hedged or slot.state != "hedged")
            else slot
            for slot, fact in zip(self.slots, facts, strict=True)
        )


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """A form for the final reply to one task.

    Attributes:
        facts: The reference facts; whoever fills the form sees their labels, kinds, units and options.
        parts: The parts of the task, in the order shown.
        acts: What is asked about each part.
    """

    facts: tuple[Fact, ...]
    parts: tuple[Part, ...] = ()
    acts: tuple[str, ...] = ACTS
    _names: Mapping[str, Part] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len({part.id for part in self.parts}) < len(self.parts):
            raise ValueError("two parts of a form have the same id")
        names = {f"part_{number}": part for number, part in enumerate(self.parts, 1)}
        if self.parts:
            names[ELSE] = Part(ELSE, "anything that is none of the parts above")
        object.__setattr__(self, "_names", names)

    @classmethod
    def from_facts(
        cls,
        facts: Sequence[Fact],
        parts: Sequence[Part | str] = (),
        *,
        acts: Sequence[str] = ACTS,
        shuffle: str = "",
    ) -> "AnswerForm":
        """Make the form of a task.

        Args:
            facts: The reference facts.
            parts: What the task needs to know or do; a text is a part with that id and those words.
            acts: What is asked about each part.
            shuffle: Any text; equal texts give equal orders of the parts. Empty keeps the order.
        """
        made = [Part(part, part) if isinstance(part, str) else part for part in parts]
        if shuffle:
            random.Random(hashlib.sha256(shuffle.encode()).digest()).shuffle(made)
        return cls(tuple(facts), tuple(made), tuple(acts))

    def schema(self) -> dict[str, Any]:
        """The form as JSON Schema: one property per fact, in order, then one per part."""
        slots = {f"fact_{number}": _fact_schema(fact) for number, fact in enumerate(self.facts, 1)}
        slots |= {name: self._part_schema(part) for name, part in self._names.items()}
        return object_schema(slots)

    def _part_schema(self, part: Part) -> Schema:
        quotes: Schema = {
            act: {"type": ["string", "null"], "description": ACT_WORDS.get(act, act)} for act in self.acts
        }
        return {
            "description": part.words,
            "anyOf": [
                {"type": "null"},
                {"type": "object", "properties": quotes, "additionalProperties": False},
            ],
        }

    def score(self, reply: str, filled: object) -> FormResults:
        """Check a filled form against the reply, and hold what it says against the facts.

        Args:
            reply: What the agent said to the user.
            filled: The form, as JSON has it; anything else is an invalid form, never an error.
        """
        if not isinstance(filled, Mapping):
            slots = tuple(
                SlotResult(f"fact_{number}", fact, "invalid", "there is no form")
                for number, fact in enumerate(self.facts, 1)
            )
            return FormResults(slots, (), ("it is not a JSON object",))
        form = cast("Mapping[str, object]", filled)
        shown = folded(reply)
        quoted: dict[str, bool] = {}

        def quotes_stand(quotes: Sequence[str]) -> str:
            """The first quote that the reply does not have."""
            for quote in quotes:
                if quote not in quoted:
                    quoted[quote] = stands_in(folded(quote), shown)
            return next((quote for quote in quotes if not quoted[quote]), "")

        slots = tuple(
            _scored(f"fact_{number}", fact, form.get(f"fact_{number}", _MISSING), quotes_stand)
            for number, fact in enumerate(self.facts, 1)
        )
        problems = [f"{slot.name}: {slot.why}" for slot in slots if slot.state == "invalid"]
        parts: list[PartResult] = []
        for name, part in self._names.items():
            acts, reasons = self._acts(form.get(name, _MISSING), quotes_stand)
            problems += [f"{name}: {reason}" for reason in reasons]
            if acts:
                parts.append(PartResult(part.id, acts))
        return FormResults(slots, tuple(parts), tuple(problems))

    def _acts(self, filled: object, quotes_stand: "_Check") -> tuple[dict[str, str], list[str]]:
        if filled is None:
            return {}, []
        if not isinstance(filled, Mapping):
            return {}, [_no_object(filled)]
        given = cast("Mapping[str, object]", filled)
        acts: dict[str, str] = {}
        problems: list[str] = []
        for act in self.acts:
            quote = given.get(act)
            if quote is None or quote == "":
                continue
            if not isinstance(quote, str):
                problems.append(f"{act} is not text")
            elif quotes_stand([quote]):
                problems.append(f"the quote {_short(quote)} does not stand in the reply")
            else:
                acts[act] = quote
        return acts, problems

    def declared(self, declaration: Declared) -> dict[str, Json]:
        """The form as the `declared` extractor fills it, from what a built-in agent says of its own words."""
        facts = {f"fact_{place + 1}": declaration.facts.get(place) for place in range(len(self.facts))}
        names = {part.id: name for name, part in self._names.items()}
        parts: dict[str, dict[str, str]] = {}
        for act in declaration.acts:
            name = names.get(act.about, ELSE)
            if name in self._names and act.act in self.acts:
                parts.setdefault(name, {})[act.act] = act.quote
        return {**facts, **{name: parts.get(name) for name in self._names}}


_MISSING: Final = object()
_STANCES: Final = ("asserted", "hedged", "denied")
_Check: TypeAlias = Callable[[Sequence[str]], str]
"""The first of some quotes that the reply does not have; empty where it has all."""


def _no_object(filled: object) -> str:
    """Why a slot cannot be read. One that is missing was left out, or the form was cut off before it."""
    return "the slot is missing" if filled is _MISSING else "it is neither null nor an object"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")  # noqa: PLR2004 - enough to recognise it


def _fact_schema(fact: Fact) -> Schema:
    words: Schema = {
        "type": "string",
        "description": "word for word as in the reply, and no more words than the value",
    }
    values: Mapping[str, Schema] = {
        "number": {"type": ["number", "string"], "description": "the number as written, in digits"},
        "text": words,
        "phone": words,
        "identifier": words,
        "date": {"type": "string", "description": "YYYY-MM-DD, or --MM-DD where no year is said"},
        "time": {"type": "string", "description": "HH:MM, 24 hours"},
        "yes_no": {"type": "string", "enum": ["yes", "no"]},
        "choice": {"type": "string", "enum": list(fact.options)},
        "list": {"type": "array", "items": {"type": "string"}, "description": "word for word, an entry each"},
    }
    slot: Schema = {"value": values[fact.kind]}
    if fact.kind == "number" and fact.unit:
        slot["unit"] = {"type": "string", "enum": list(choices_of(fact.unit))}
    most = {} if fact.kind == "list" else {"maxItems": MOST_QUOTES}
    slot["quotes"] = {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        **most,
        "description": "verbatim from the reply, the value in it"
        if fact.kind != "list"
        else "one quote per entry",
    }
    slot["stance"] = {"type": "string", "enum": list(_STANCES)}
    slot["also"] = {
        "type": "array",
        "items": {"type": "string"},
        "description": "rival values for the same thing",
    }
    return {
        "description": fact.label or "the answer",
        "anyOf": [
            {"type": "null"},
            object_schema(slot, ("value", "quotes")),
        ],
    }


def _scored(name: str, fact: Fact, filled: object, quotes_stand: _Check) -> SlotResult:
    """One fact's slot: its shape, its quotes, its stance, its rivals, its value."""
    if filled is None:
        return SlotResult(name, fact, "not_stated", "the reply does not state it")
    if not isinstance(filled, Mapping):
        return SlotResult(name, fact, "invalid", _no_object(filled))
    slot = cast("Mapping[str, object]", filled)
    if slot.get("value", _MISSING) is None:
        return SlotResult(name, fact, "not_stated", "the reply does not state it")
    try:
        given, stance, also = _read(fact, slot)
    except ValueError as error:
        return SlotResult(name, fact, "invalid", str(error))
    if lost := quotes_stand(given.quotes):
        return SlotResult(name, fact, "invalid", f"the quote {_short(lost)} does not stand in the reply")
    if stance is not None:
        kept = given if stance == "hedged" else None
        return SlotResult(name, fact, stance, f"the reply does not assert it ({stance})", given=kept)
    if rival := next((rival_value for rival_value in also if not same(fact, given, rival_value)), None):
        return SlotResult(name, fact, "rivals", f"the reply gives {_short(rival)}, too")
    return _compared(name, fact, given)


def _compared(name: str, fact: Fact, given: Given) -> SlotResult:
    comparison = compare(fact, given)
    if comparison.state == "unfounded":
        return SlotResult(name, fact, "invalid", comparison.why)
    return SlotResult(name, fact, comparison.state, comparison.why, comparison.verified, given)


def _read(fact: Fact, slot: Mapping[str, object]) -> tuple[Given, State | None, list[str]]:
    """The slot's contents: what is given, its stance where that is not asserted, and its rivals.

    Raises:
        ValueError: Something is of a wrong type; the message says what.
    """
    if "value" not in slot:
        raise ValueError("the slot has no value")
    value: object = slot["value"]
    if fact.kind == "list" and isinstance(value, list):
        value = _texts(cast("object", value), "value")
    elif not isinstance(value, str | int | float):
        raise ValueError("the value is of a wrong type")
    if isinstance(value, str) and (not value.strip() or len(value) > LONGEST_VALUE):
        raise ValueError("the value is empty or too long")
    if isinstance(value, int) and not isinstance(value, bool):
        value = _as_float(value)
    quotes = _texts(slot.get("quotes"), "quotes")
    if not quotes or (fact.kind != "list" and len(quotes) > MOST_QUOTES):
        raise ValueError(f"there must be one to {MOST_QUOTES} quotes")
    unit = slot.get("unit") or ""
    if not isinstance(unit, str) or (unit and fact.unit and unit not in choices_of(fact.unit)):
        raise ValueError(f"{_short(str(unit))} is none of the slot's units")
    stance = slot.get("stance") or "asserted"
    if stance not in _STANCES:
        raise ValueError(f"{_short(str(stance))} is not a stance")
    also = _texts(slot.get("also") or [], "also")
    held_back: State | None = None if stance == "asserted" else stance
    return Given(value, unit, tuple(quotes)), held_back, also


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        raise ValueError("the number is too large") from None


def _texts(value: object, name: str) -> list[str]:
    """A list of texts; a single text is a list of one."""
    many = [value] if isinstance(value, str | int | float) else value
    entries = cast("list[object]", many) if isinstance(many, list) else [None]
    if not all(isinstance(entry, str | int | float) for entry in entries):
        raise ValueError(f"{name} is not a list of texts")
    return [str(entry) for entry in entries]
