"""A reply as one of several classes: picked by its letter among options, or done freely and told by a judge.

Picked: by the letters' probabilities where the provider gives them, else by the letter that the reply says.
Done: a call is seen by code; what words do is put to the vote.
"""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from knowact.core.declared import Declared
from knowact.core.prompts import Prompt
from knowact.core.record import Outcome, Record, Result, Status
from knowact.core.seeds import generator
from knowact.core.suite import Item
from knowact.probes.probe import Message, Probe, Question, context_as_text, tools_as_text
from knowact.probes.response import Judged
from knowact.roles.judge import NOT_VOTED, Ballot, result_of

CALL: Final = "tool_call"
"""The class of a reply that calls a tool."""

SEED: Final = 27
"""Orders the options of an item, the same in every run."""


class Told(NamedTuple):
    """What a reply is.

    Attributes:
        name: The class; "" for none of them. Where nobody could tell, whether it called.
        by: What told it ("probability", "letter", "judge"); empty for a call.
        unknown: Why nobody could tell; None where somebody did.
    """

    name: str
    by: str = ""
    unknown: Result | None = None


def lettered(item: str, classes: Sequence[str]) -> dict[str, str]:
    """Letter to class, in an order of the item's own that never changes.

    Args:
        item: The item's id.
        classes: At most 26, in any order.
    """
    order = sorted(classes)
    generator(SEED, item).shuffle(order)
    return dict(zip(string.ascii_uppercase, order, strict=False))


def pick_probe(
    name: str,
    prompt: Prompt,
    replies: Callable[[Item], Mapping[str, str]],
    built_in: Callable[[str, Item], str],
    *,
    probabilities: bool,
) -> Probe:
    """Ask which of several replies is right: one letter, nothing registered.

    Args:
        name: The probe's.
        prompt: With the placeholders context, tools, request and replies.
        replies: Class to reply, of an item; every item has the same classes.
        built_in: The class that a built-in agent picks, by its name; "" for one that cannot tell. The agent
            `random` tosses a die.
        probabilities: Whether the provider is asked for those of the letters.
    """

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        options = replies(item)
        letters = lettered(item.id, [*options]).items()
        values = {
            "context": context_as_text(context),
            "tools": tools_as_text(item.tools),
            "request": item.task.opening.text,
            "replies": "\n".join(f"{letter}. {options[one]}" for letter, one in letters),
        }
        return (Message("user", prompt.fill(values)),)

    def reply(agent: str, item: Item, rng: Random) -> str:
        letters = {one: letter for letter, one in lettered(item.id, [*replies(item)]).items()}
        if agent == "random":
            return rng.choice([*letters.values()])
        return letters.get(built_in(agent, item), "I don't know.")

    letters = tuple(string.ascii_uppercase) if probabilities else ()
    return Probe(name, Question.OWN, 1, execute=False, opening=opening, replies=reply, letters=letters)


def picked(name: str, item: str, classes: Sequence[str], judged: Judged) -> Told:
    """Read which class was picked; a reply that is more than one letter is none."""
    letters, response = lettered(item, classes), judged.response(name)
    if response.chances:
        return Told(letters[max(letters, key=lambda one: response.chances.get(one, 0.0))], "probability")
    found = re.fullmatch(r"\W*([A-Z])\W*", response.reply) if response.readable else None
    return Told(letters.get(found[1], "") if found else "", "letter")


def done(name: str, judged: Judged) -> Told:
    """What a free reply did. One that never came, or was cut off, did nothing.

    Where nobody reads, calls and failures are not judged either: what is left would be no fair sample. Only
    whether it called is known of all of them.
    """
    response, votes = judged.response(name), judged.votes.get(name)
    called = CALL if response.calls else ""
    if votes is None:
        return Told(called, "judge", NOT_VOTED)
    if response.outcome is not Outcome.ANSWERED or response.calls:
        return Told(called)
    if votes.winner is None:
        return Told("", "judge", result_of(votes))
    return Told(votes.winner, "judge")


def done_ballots(  # noqa: PLR0917 - what a ballot is made of
    name: str,
    prompt: Prompt,
    item: Item,
    judged: Judged,
    classes: Sequence[str],
    declared: Callable[[Declared], str],
    *,
    votes: int,
) -> Sequence[Ballot]:
    """Put to the vote what the words of a free reply do.

    It takes no vote to see a call, or nothing; that there is a ballot says whether somebody would read.

    Args:
        name: The probe's.
        prompt: With the placeholders request and reply.
        item: What was asked.
        judged: What came of it.
        classes: What a vote may be.
        declared: The class that a built-in agent's declaration comes to.
        votes: How many are asked for.
    """
    response = judged.response(name)
    if response.outcome.instrument or response.outcome is Outcome.NOT_RUN:
        return ()
    if response.outcome is not Outcome.ANSWERED or response.calls:
        seen = "" if response.declared is None else CALL
        return (Ballot(name, (), tuple(classes), votes=0, declared=seen),)
    text = prompt.fill({"request": item.task.opening.text, "reply": response.reply})
    said = "" if response.declared is None else declared(response.declared)
    return (Ballot(name, (text,), tuple(classes), votes, (response.reply,), said),)


def names_of(probe: str, classes: Sequence[str]) -> tuple[str, ...]:
    """The names of a probe's results: whether the class of the reply is right, then one per class."""
    return (probe, *(f"{probe} {name}" for name in classes))


def class_record(
    item: Item, epoch: int, judged: Judged, told: Mapping[str, Told], *, right: str, classes: Sequence[str]
) -> Record:
    """The record of a trial whose replies are classes.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        judged: What came of it.
        told: What the reply to each probe is; the first one knows, the last one acts.
        right: The right class.
        classes: All of them.
    """
    results: dict[str, Result] = {}
    outcomes = {name: judged.response(name).outcome for name in told}
    truth: list[bool | None] = []
    for probe, one in told.items():
        ended = outcomes[probe]
        lost = ended.instrument or ended is Outcome.NOT_RUN
        truth.append(None if lost or one.unknown else one.name == right)
        if lost:
            continue
        if one.unknown is not None:
            results[probe] = one.unknown
            if CALL in classes and one.unknown.status is Status.NOT_JUDGED:
                results[f"{probe} {CALL}"] = Result.of(one.name == CALL)
            continue
        if ended is Outcome.ANSWERED and not one.name:
            outcomes[probe] = Outcome.UNREADABLE
        first, *rest = names_of(probe, classes)
        results[first] = Result.of(one.name == right, one.by, one.name or f"the reply ended {ended.value}")
        results |= {name: Result.of(one.name == of) for name, of in zip(rest, classes, strict=True)}
    acted = judged.response([*told][-1])
    made = item.record(epoch, outcomes, results)
    return replace(made, used=acted.used, calls=len(acted.calls), knew=truth[0], acted=truth[-1])
