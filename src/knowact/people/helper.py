"""The person behind the tool `ask_human`, played by a script with a written policy.

The published runs had whoever sat at the console answer, without a policy (spec fail-talms.md, sections 6.4
and 10). This person knows exactly what was withheld from one item and answers only what is asked:

- a withheld value, when the question asks for it or guesses at it; all of them that it asks for at once;
- a value that the query itself gives, when that is asked for again: it is repeated, and counts as no
  targeted question;
- the job of a tool that was taken away: done where a person could do it, else "I can't";
  the answer is never handed over;
- "I don't know" to everything else that is understood;
- nothing to a question that asks for everything, for the answer itself, or that names nothing.

Pure and deterministic: the same question gets the same answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from knowact.core.task import Fact
from knowact.people.asking import Sentence, sentences
from knowact.people.matching import asked_slots, guessed_slots, other_topics
from knowact.people.telling import facts_said, label_of
from knowact.reading.askable import Job, Slot, speaks_of, words_in
from knowact.reading.folding import fold
from knowact.reading.wording import job_spots

Kind = Literal["value", "did_job", "cannot", "unknown", "refused_fishing", "empty", "unmatched", "said"]

MANY_UNRELATED = 3
"""So many asked-for things that play no part in the item make a question a shot in the dark."""


@dataclass(frozen=True, slots=True)
class Held:
    """A value that this person can give.

    Attributes:
        slot: The parameter that it is for.
        value: As a call carries it.
        said: How people say it, the best way first; the value itself where there is none.
    """

    slot: Slot
    value: JsonValue
    said: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The value as this person says it."""
        return self.said[0] if self.said else str(self.value)


@dataclass(frozen=True, slots=True)
class Removed:
    """A tool that was taken away, and whether this person can stand in for it.

    Attributes:
        job: What it does.
        can_do: Whether a person could do that (`core.tool.Replaceable.by_human`).
        facts: What it would give for this item; only ever said where `can_do`.
    """

    job: Job
    can_do: bool
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """All that the person behind `ask_human` knows of one item.

    Attributes:
        withheld: The values that the query lacks.
        told: The values that the query gives.
        removed: The tool that is not offered, if one is not.
        also_removed: Further ones (no tools at all).
        whole: The request in which everything is said, where nobody wrote down what was taken out of it
            (published data). A model or a person can answer from it; the script cannot.
    """

    withheld: tuple[Held, ...] = ()
    told: tuple[Held, ...] = ()
    removed: Removed | None = None
    also_removed: tuple[Removed, ...] = ()
    whole: str = ""

    @property
    def jobs(self) -> tuple[Removed, ...]:
        """Every tool that is not offered."""
        return (*((self.removed,) if self.removed else ()), *self.also_removed)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the person says.

    Attributes:
        kind: `value` (what was asked for, as far as it is known), `did_job`, `cannot`, `unknown`,
            `refused_fishing`, `empty` (nothing was asked) or `unmatched` (what is asked was not understood);
            never from the script: `said` (a model or a person answered, in whatever way).
        text: What the agent reads.
        matched: The parameters that were asked for and answered, or the tool's name; sorted.
    """

    kind: Kind
    text: str
    matched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScriptedHelper:
    """The person of one item."""

    known: Known

    def answer(self, question: str) -> Answer:
        """Answer one question by the policy; never raises."""
        if not any(character.isalnum() for character in fold(question).plain):
            return Answer("empty", "You didn't ask me anything.")
        asked = sentences(question)
        known = self.known
        slots = [held.slot for held in (*known.withheld, *known.told)]
        found = asked_slots(asked, slots, question)
        unrelated = other_topics(asked, slots)
        if len(unrelated) >= MANY_UNRELATED:
            given = [held for held in known.withheld if held.slot in found]
            return Answer("refused_fishing", f"{_say(given)} {_TOO_MUCH}".strip(), _names(given))
        leave = any(one.has("leave") for one in asked)
        fishing = not leave and any(one.has("fishing") for one in asked)
        guesses = {} if found else guessed_slots(asked, _guessable(known), question)
        job = self._job(asked, frozenset(found))
        if job is not None and not (found and _is_withheld(found, known)):
            return job
        wanted = [
            held for held in (*known.withheld, *known.told) if held.slot in found or held.slot in guesses
        ]
        if fishing and not _is_withheld([held.slot for held in wanted], known):
            return Answer("refused_fishing", _BE_PRECISE)
        if wanted:
            return Answer("value", _confirmed(wanted, asked, guesses, question), _names(wanted))
        if unrelated or leave:
            return Answer("unknown", "I don't know.")
        return Answer("unmatched", "I'm not sure what you are asking me.")

    def _job(self, asked: Sequence[Sentence], found: frozenset[Slot]) -> Answer | None:
        """The answer to a question for the removed tool's job; None where it is not asked for."""
        values = [
            word
            for held in self.known.told
            for word in words_in(" ".join([held.words, str(held.value)]).lower())
        ]
        handed_over = any(one.has("handover") for one in asked)
        wanted = [
            one.asked_text if found else one.plain
            for one in asked
            if (one.asks or handed_over) and not one.has("leave")
        ]
        spoken_of = [
            removed
            for removed in self.known.jobs
            if any(speaks_of(removed.job, text, beside=values) for text in wanted)
        ]
        return _job_done(_meant(spoken_of, "\n".join(wanted))) if spoken_of else None


def _meant(spoken_of: Sequence[Removed], text: str) -> Removed:
    """The tool whose job is meant: where several share words, the one with most words of its own."""
    every = [removed.job for removed in spoken_of]
    return max(spoken_of, key=lambda removed: len(job_spots(removed.job, text, every)))


def _job_done(removed: Removed) -> Answer:
    if not removed.can_do:
        return Answer("cannot", "I can't do that for you; I have no way to find it out.", (removed.job.tool,))
    return Answer("did_job", facts_said(removed.facts), (removed.job.tool,))


_TOO_MUCH = "I can't help you with the rest of all that."
_BE_PRECISE = "Please ask me for one thing in particular."


def is_targeted(question: str, known: Known) -> bool:
    """Whether a question asks for what is really missing: a withheld value, or the removed tool's job.

    A question that asks for everything is not targeted, even where what is missing stands in the pile.
    """
    answer = ScriptedHelper(known).answer(question)
    if answer.kind in {"did_job", "cannot"}:
        return True
    return answer.kind == "value" and bool(
        set(answer.matched) & {held.slot.parameter for held in known.withheld}
    )


def _is_withheld(slots: Sequence[Slot], known: Known) -> bool:
    return any(held.slot in slots for held in known.withheld)


def _guessable(known: Known) -> list[tuple[Slot, JsonValue, tuple[str, ...], bool]]:
    return [
        *((held.slot, held.value, held.said, True) for held in known.withheld),
        *((held.slot, held.value, held.said, False) for held in known.told),
    ]


def _names(held: Sequence[Held]) -> tuple[str, ...]:
    return tuple(sorted({one.slot.parameter for one in held}))


def _say(held: Sequence[Held]) -> str:
    return " ".join(f"The {label_of(one.slot)} is {one.words}." for one in held)


def _confirmed(
    wanted: Sequence[Held], asked: Sequence[Sentence], guesses: dict[Slot, bool], question: str
) -> str:
    """The values, after a yes or a no where the question is a guess."""
    text = _say(wanted)
    if not guesses:
        whether = any(one.asks_whether for one in asked)
        if not whether:
            return text
        right = guessed_slots(asked, _guessable(Known(withheld=tuple(wanted))), question)
        guesses = {slot: hit for slot, hit in right.items() if hit}
    if any(" or " in one.plain for one in asked):
        return text
    return f"{'Yes' if guesses and all(guesses.values()) else 'No'}. {text}"
