"""Removals: what is said in the complete version, and what in its place (spec ict.md, section 3.2).

*Crossed twins* (validity.md, section 4). The request is mostly the same, letter for letter: it speaks of "the
day we agreed on", or of what stands on "the yellow slip". Sentences beside it, or earlier in a dialogue, tell
that in the complete version; in the incomplete one they tell the same of another phrase or slip.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from knowact.core.task import PastCall
from knowact.core.world import Call
from knowact.suites.ict.cases import Incomplete, Lost
from knowact.suites.ict.proving import prove_missing
from knowact.worlds.everyday import EverydayWorld
from version_1.bind import TODAY, raised
from version_1.draw import Said, draw, number
from version_1.fail_talms.marked import Slot, changed_sentence
from version_1.fail_talms.recipe import Base, says_what_is_fixed
from version_1.fail_talms.withhold import says
from version_1.ict.talk import talk
from version_1.proofs import BY_NAME
from version_1.vague import Vague, vague

Where = Literal["earlier", "before", "after"]
_BARE: Final = 0.12
"""So many complete versions say a value in its place; the other one has a phrase there, and no more."""
_SENTENCES: Final = {1: 0.15, 2: 0.65, 3: 0.2}
"""How many sentences say what phrases mean, in either version, independently of the other's: so an incomplete
one often says more than its twin, and still not enough."""
_TRIES: Final = 30
_CLUMSY: Final = re.compile(
    r"\b(?:figure|value|amount|text|word|words|phrase|sentence|quantity|code|name|"
    r"hexadecimal|binary|octal|dose) $"
)
"""What a phrase with an article of its own cannot follow, beside what `Marked.replaceable` knows."""
_CLOSE: Final = 3
_STEM: Final = 4
_REFERS_BACK: Final = ("talked about", "told you", "mentioned")
"""A phrase with these may well mean something in the dialogue that is shown."""


@dataclass(frozen=True, slots=True)
class Masked:
    """The words of both versions of a removal.

    Attributes:
        complete, incomplete: The last request.
        told, instead: What is said besides: what completes it, and what does not.
        where: Where that is said.
        lost: The record, as if all were in one message.
    """

    complete: str
    incomplete: str
    told: str
    instead: str
    where: Where
    lost: Lost


def mask_value(
    base: Base, past: Sequence[PastCall], wanted: Incomplete, rng: random.Random, *, earlier: bool
) -> Masked | None:
    """Take a value away, so that what is left is as possible as wanted; None where no value will do.

    Args:
        base: The request.
        past: Calls that were made before.
        wanted: `impossible`, or `partly_possible`.
        rng: For every choice.
        earlier: Whether there is a message before the last one.
    """
    slots = [slot for slot in base.marked.said if _can_be_lost(base, slot, past, wanted)]
    if not slots:
        return None
    slot = rng.choice(slots)
    part = base.parts[slot.step]
    entry = vague()[part.tool, slot.parameter]
    phrase = rng.choice(_phrases(entry))
    text = base.marked.filled({slot: phrase})
    if _clumsy(text, phrase):
        return None
    try:
        teller = _Teller(base, slot, phrase, rng)
        invented = teller.invented()
        bare = rng.random() < _BARE
        told = "" if bare else teller.completing()
        instead, beside = ("", ()) if bare else teller.beside_the_point()
    except ValueError:
        return None  # There are too few other values.
    before, after = changed_sentence(base.task.opening.text, text)
    if told:
        before, after = told, instead
    said = base.said(slot)
    lost = Lost(
        what="value",
        tool=part.tool,
        step=slot.step,
        parameter=slot.parameter,
        value=said.value,
        words=said.words,
        phrase=phrase,
        turn=0,
        before=before,
        after=after,
        beside=beside,
        invented=invented,
    )
    if mentions(f"{text} {after}", said) or not says_what_is_fixed(part, f"{text} {after}"):
        return None
    complete = text if told else base.marked.filled()
    return Masked(complete, text, told, instead, _where(rng, earlier=earlier), lost)


def mentions(text: str, said: Said) -> bool:
    """Whether a text says a value, in the request's words or as a bare figure."""
    return says(text, said) or says(text, replace(said, words=number(said.value), on=""))


def _where(rng: random.Random, *, earlier: bool) -> Where:
    choices: list[Where] = ["earlier"] * 6 if earlier else []
    return rng.choice([*choices, "before", "before", "after", "after"])


def _phrases(entry: Vague) -> list[str]:
    """The phrases that do not refer to this very conversation."""
    return [phrase for phrase in entry.phrases if not any(word in phrase for word in _REFERS_BACK)]


def _can_be_lost(base: Base, slot: Slot, past: Sequence[PastCall], wanted: Incomplete) -> bool:
    """Whether a phrase can take a value's place, and the value is then really gone."""
    part = base.parts[slot.step]
    entry = vague().get((part.tool, slot.parameter))
    if (
        entry is None
        or slot.parameter not in BY_NAME[part.tool].required
        or not base.marked.replaceable(slot)
    ):
        return False
    shown = base.marked.filled({slot: entry.phrases[0]})
    if says(shown, base.said(slot)):
        return False
    lost = Lost(
        what="value",
        tool=part.tool,
        step=slot.step,
        parameter=slot.parameter,
        words=base.said(slot).words,
        phrase=entry.phrases[0],
        turn=0,
        before=shown,
    )
    return prove_missing(base.task, BY_NAME, lost, None, past).possibility is wanted


def _clumsy(text: str, phrase: str) -> bool:
    """Whether a phrase stands badly: after such a word, or close to the thing that it is about itself."""
    before, _, after = text.casefold().partition(phrase.casefold())
    if _CLUMSY.search(before):
        return True
    around = [*re.findall(r"\w+", before)[-_CLOSE:], *re.findall(r"\w+", after)[:_CLOSE]]
    heads = re.findall(r"\w+", phrase.casefold())[1:3]
    return any(word[:_STEM] == head[:_STEM] for word in around for head in heads if len(head) >= _STEM)


class _Told(NamedTuple):
    """A sentence and the value that it names."""

    text: str
    value: Any


class _Teller:
    """Sentences about what phrases mean; no value comes twice, and no two are about one other phrase.

    Args:
        base: The request.
        slot: The lost value's place.
        phrase: What stands there.
        rng: For every choice.
    """

    def __init__(self, base: Base, slot: Slot, phrase: str, rng: random.Random) -> None:
        self._base, self._slot, self._phrase, self._rng = base, slot, phrase, rng
        self._part = base.parts[slot.step]
        self._entry = vague()[self._part.tool, slot.parameter]
        self._taken: list[Any] = [one.value for step in base.task.plan for one in step.arguments.values()]
        # Nobody begins two sentences in a row alike.
        self._frames: list[str] = []

    def completing(self) -> str:
        """Say what the phrase means, and perhaps something about others."""
        own = self._sentence(self._phrase, self._base.said(self._slot), holds=True)
        text, _ = self._some([own, *self._about_others(False, True)])
        return text

    def beside_the_point(self) -> tuple[str, tuple[Any, ...]]:
        """Say what the phrase does not mean, perhaps something about others, and which values that named."""
        not_own = self._sentence(self._phrase, self._other(), holds=False)
        return self._some([not_own, *self._about_others(True, True)])

    def _about_others(self, *holds: bool) -> list[_Told]:
        others = [phrase for phrase in _phrases(self._entry) if phrase != self._phrase]
        chosen = self._rng.sample(others, len(holds))
        return [
            self._sentence(phrase, self._other(), holds=one)
            for phrase, one in zip(chosen, holds, strict=True)
        ]

    def _some(self, found: list[_Told]) -> tuple[str, tuple[Any, ...]]:
        count = self._rng.choices(list(_SENTENCES), list(_SENTENCES.values()))[0]
        kept = found[:count]
        self._rng.shuffle(kept)
        return " ".join(one.text for one in kept), tuple(one.value for one in kept)

    def _sentence(self, phrase: str, said: Said, *, holds: bool) -> _Told:
        if not self._frames:
            self._frames = self._rng.sample(talk().means, len(talk().means))
        return _Told(self._entry.sentence(self._frames.pop(), phrase, said, holds=holds), said.value)

    def _other(self) -> Said:
        """Draw a value that nothing in the request has.

        Raises:
            ValueError: There is none.
        """
        name = self._slot.parameter
        how, say = self._part.variant.draw[name], self._part.words.say_of(self._part.variant, name)
        for _ in range(_TRIES):
            said = draw(how, TODAY, self._rng, say)
            if said.value not in self._taken and not says(self._base.task.opening.text, said):
                self._taken.append(said.value)
                return said
        raise ValueError(f"no other value for {self._part.tool}.{name}")

    def invented(self) -> Any:
        """Return a value that is nowhere said, and with which the call succeeds.

        Raises:
            ValueError: There is none.
        """
        seed = self._base.task.provenance["seed"]
        assert isinstance(seed, int), "the recipe writes it"
        for _ in range(_TRIES):
            value: Any = self._other().value
            call = {name: one.value for name, one in self._part.bound.items()} | {self._slot.parameter: value}
            if EverydayWorld().open({}, seed).call(Call(self._part.tool, call)).ok:
                return value
        raise ValueError("no other value succeeds")


def mask_request(base: Base, rng: random.Random, *, earlier: bool) -> Masked:
    """Take the request itself away: it stands on one thing, and the user asks for what is on another."""
    words = talk()
    asked, other = rng.sample(rng.choice(words.slips), 2)
    plain = base.task.opening.text
    written, besides = rng.choice(words.written), rng.choice(words.other)
    step = rng.choice((1, -1))
    texts = [
        " ".join([_on(written, one, plain), _on(besides, another, "")][::step])
        for one, another in ((asked, other), (other, asked))
    ]
    last = _on(rng.choice(words.please), asked, "")
    lost = Lost(what="request", words=plain, phrase=asked, turn=0, before=texts[0], after=texts[1])
    return Masked(last, last, texts[0], texts[1], _where(rng, earlier=earlier), lost)


def _on(frame: str, thing: str, request: str) -> str:
    return frame.format_map({"thing": thing, "Thing": raised(thing), "request": request})
