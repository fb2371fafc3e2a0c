"""From parts to one person's request.

Three ways to word a plan, after its topology:

- parts side by side: one sentence that holds a clause for each, or a complete request for the first part
  and a further sentence for the rest;
- *nested*: what an earlier step finds out is named by a noun phrase inside the later question ("how warm
  it will get in the city where Ann lives");
- *in sequence*: the earlier step is asked for itself, and the next sentence refers back ("in that city").
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeVar

from version_1.bind import filled, raised
from version_1.draw import Said
from version_1.frames import Kind, frames
from version_1.parts import Part, Source
from version_1.words import Ask, Clause, Register, Topic

_T = TypeVar("_T")
Lead = Literal["", "also_", "then_"]
_OPENING: Final = 0.55
_CLOSING: Final = 0.1
_SEQUENCE: Final = 0.5
_ONE_SENTENCE: Final = 0.5
_LONGEST_NOUN: Final = 16
"""Words in a noun phrase, one inside it included; nobody follows a longer one."""


class NoWords(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """These parts cannot be worded in this register."""


@dataclass(slots=True)
class Book:
    """How often each phrasing was used, so that all get their turn."""

    used: Counter[str] = field(default_factory=Counter[str])

    def pick(self, choices: Sequence[tuple[str, _T]], rng: random.Random) -> tuple[str, _T]:
        """Choose one of some phrasings, seldom-used ones rather."""
        if not choices:
            raise NoWords
        weights = [1 / (1 + self.used[name]) ** 2 for name, _ in choices]
        return rng.choices(choices, weights)[0]


@dataclass(frozen=True, slots=True)
class Composed:
    """A request.

    Attributes:
        text: The query.
        wants: Per part, the result fields that it asks for; none for one that only feeds others.
        phrasings: What it was made of, by name ("get_forecast/ask 3", "frame tell/chatty 2").
    """

    text: str
    wants: tuple[tuple[str, ...], ...]
    phrasings: tuple[str, ...]


def compose(parts: Sequence[Part], tone: Register, rng: random.Random, book: Book) -> Composed:
    """Word a plan.

    Args:
        parts: Its steps, carried out.
        tone: The register.
        rng: For every choice.
        book: What was used before; it is read, not written.

    Raises:
        NoWords: The parts have no phrasing that fits.
    """
    writer = _Writer(parts, tone, rng, book)
    text = writer.request()
    wants = tuple(writer.wants.get(number, ()) for number in range(len(parts)))
    return Composed(text, wants, tuple(writer.used))


class _Writer:
    def __init__(self, parts: Sequence[Part], tone: Register, rng: random.Random, book: Book) -> None:
        self._parts = parts
        self._tone: Register = tone
        self._rng = rng
        self._book = book
        self.wants: dict[int, tuple[str, ...]] = {}
        self.used: list[str] = []
        self._named: set[Source] = set()
        """What has been named in full already."""

    def request(self) -> str:
        """The whole query."""
        feeding = {source.part for part in self._parts for source in part.links.values()}
        last = [number for number in range(len(self._parts)) if number not in feeding]
        # Inside a story a noun phrase for something unknown reads like a riddle.
        if feeding and (self._tone == "story" or self._rng.random() < _SEQUENCE):
            if text := self._in_sequence(last):
                return self._closed(text)
            if self._tone == "story":
                raise NoWords
        if len(last) == 1 and (feeding or len(self._parts) == 1):
            return self._closed(self._alone(last[0]))
        return self._closed(self._side_by_side(last))

    def _alone(self, number: int) -> str:
        several = len(self._parts) > 1 and self._tone != "story"
        if self._sets_a_scene(number) or (several and self._rng.random() < _ONE_SENTENCE):
            return self._opened(self._clauses([number]), [number])
        return self._ask(number)

    def _sets_a_scene(self, number: int) -> bool:
        """Whether a request would tell a story around a value that an earlier step only names.

        "The roofer's bill is the balance of my joint account": chatty requests bring a scene of their own.
        """
        return bool(self._parts[number].links) and self._tone == "chatty"

    def _side_by_side(self, numbers: Sequence[int]) -> str:
        plain = not any(self._parts[number].links for number in numbers)
        if plain and self._tone != "story" and self._rng.random() < _ONE_SENTENCE:
            return self._opened(self._clauses(numbers), numbers)
        first, *rest = numbers
        if self._tone == "terse" and self._rng.random() < _ONE_SENTENCE:
            return _in_a_row(*(self._ask(number) for number in numbers))
        opening = self._clauses([first]) if self._sets_a_scene(first) else self._ask(first)
        return _in_a_row(opening, self._clauses(rest, "also_"))

    def _in_sequence(self, last: Sequence[int]) -> str:
        """Ask for the one step that feeds all of the last ones, then go on from it; "" if there is none."""
        sources = {source for number in last for source in self._parts[number].links.values()}
        if len({source.part for source in sources}) != 1 or not all(self._parts[n].links for n in last):
            return ""
        giver = next(iter(sources)).part
        fields = {source.field for source in sources}
        told = self._parts[giver].links and self._tone in {"chatty", "story"}
        if told or not any(fields <= set(ask.wants) for _, ask in self._asks(giver)):
            return ""
        return _in_a_row(self._ask(giver, fields), self._clauses(last, "then_", again=True))

    def _asks(self, number: int) -> list[tuple[str, Ask]]:
        part = self._parts[number]
        asks = enumerate(part.words.asks_of(part.variant))
        return [(f"{self._name(part)}/ask {place}", ask) for place, ask in asks if ask.tone == self._tone]

    def _name(self, part: Part) -> str:
        own = part.variant.asks or part.variant.clauses
        return f"{part.tool}/{part.words.variants.index(part.variant)}" if own else part.tool

    def _ask(self, number: int, fields: set[str] | frozenset[str] = frozenset()) -> str:
        choices = [(name, ask) for name, ask in self._asks(number) if fields <= set(ask.wants)]
        ask = self._use(choices)
        self.wants[number] = ask.wants
        return filled(ask.text, self._said(number), opens=True)

    def _clauses(self, numbers: Sequence[int], lead: Lead = "", *, again: bool = False) -> str:
        texts: dict[Literal["do", "tell"], list[str]] = {"do": [], "tell": []}
        for number in numbers:
            part = self._parts[number]
            named = enumerate(part.words.clauses_of(part.variant))
            clause: Clause = self._use([(f"{self._name(part)}/clause {n}", one) for n, one in named])
            self.wants[number] = clause.wants
            texts[clause.mode].append(self._filled(clause.text, number, again=again))
        if texts["do"] and texts["tell"] and not lead:
            frame = self._frame("mixed")
            return raised(frame.format(do=series(texts["do"]), tell=series(texts["tell"])))
        sentences: list[str] = []
        for mode, found in texts.items():
            if found:
                kind = _KINDS[mode]["also_" if sentences else lead]
                sentences.append(raised(self._frame(kind).format(series(found))))
        return " ".join(sentences)

    def _frame(self, kind: Kind) -> str:
        tone: Register = "chatty" if self._tone == "story" else self._tone
        choices = enumerate(frames().frames[kind][tone])
        return self._use([(f"frame {kind}/{tone} {place}", text) for place, text in choices])

    def _opened(self, text: str, numbers: Sequence[int]) -> str:
        if self._tone == "terse" or self._rng.random() > _OPENING:
            return text
        openers = self._openers(numbers)
        return f"{self._use(openers)} {text}" if openers else text

    def _openers(self, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """What sets the scene of a topic that all parts share."""
        shared: set[Topic] = set(self._parts[numbers[0]].words.topics)
        for part in self._parts:
            shared &= set(part.words.topics)
        return [
            (f"opener {topic}/{self._tone} {place}", text)
            for topic in sorted(shared)
            for place, text in enumerate(frames().openers.get(topic, {}).get(self._tone, ()))
        ]

    def _closed(self, text: str) -> str:
        closers = [
            (f"closer {self._tone} {place}", closer)
            for place, closer in enumerate(frames().closers.get(self._tone, ()))
        ]
        return f"{text} {self._use(closers)}" if closers and self._rng.random() < _CLOSING else text

    def _use(self, choices: Sequence[tuple[str, _T]]) -> _T:
        name, chosen = self._book.pick(choices, self._rng)
        self.used.append(name)
        return chosen

    def _filled(self, template: str, number: int, *, again: bool = False) -> str:
        return filled(template, self._said(number, again=again))

    def _said(self, number: int, *, again: bool = False) -> Mapping[str, Said]:
        """The words for a part's arguments; linked ones are named, or referred back to."""
        part = self._parts[number]
        said = dict(part.bound)
        for name, source in part.links.items():
            phrase = self._again(source) if again or source in self._named else self._noun(source)
            self._named.add(source)
            said[name] = Said(part.bound[name].value, phrase, f"on {phrase}")
        return said

    def _noun(self, source: Source) -> str:
        giver = self._parts[source.part]
        phrases = giver.words.fields[source.field].noun
        name = f"{giver.tool}/noun {source.field}"
        noun = self._filled(self._use([(f"{name} {n}", one) for n, one in enumerate(phrases)]), source.part)
        if len(noun.split()) > _LONGEST_NOUN:
            raise NoWords
        return noun

    def _again(self, source: Source) -> str:
        giver = self._parts[source.part]
        phrases = giver.words.fields[source.field].again
        name = f"{giver.tool}/again {source.field}"
        return self._filled(self._use([(f"{name} {n}", one) for n, one in enumerate(phrases)]), source.part)


_KINDS: Final[Mapping[Literal["do", "tell"], Mapping[Lead, Kind]]] = {
    "do": {"": "do", "also_": "also_do", "then_": "then_do"},
    "tell": {"": "tell", "also_": "also_tell", "then_": "then_tell"},
}


def _in_a_row(*sentences: str) -> str:
    """Put sentences one after the other; one that has no end of its own gets a full stop."""
    *most, last = sentences
    return " ".join([*(one if one.endswith((".", "?", "!")) else f"{one}." for one in most), last])


def series(clauses: Sequence[str]) -> str:
    """Join clauses as a sentence does."""
    *most, last = clauses
    if not most:
        return last
    # A clause with an "and" or a comma of its own needs a pause after it.
    pause = len(most) > 1 or any(" and " in clause or "," in clause for clause in clauses)
    return f"{', '.join(most)}{',' if pause else ''} and {last}"
