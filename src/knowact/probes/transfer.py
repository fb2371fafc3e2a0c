"""Know-to-act transfer: the acting probe again, behind a verdict or a neutral question in the same chat.

The agent acts four times on an item, each time in a fresh session: on the request alone; after its own
verdict, which is its answer to the suite's question about its limits; after a neutral question of equal
length about the same material; after the gold verdict, which answers the suite's question rightly. All four
chats have the same system message and the same request, and own and gold differ in the answer alone. What it
comes to is in `measures.transfer`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Annotated, Any, Final, TypeVar

from pydantic import Field

from knowact.core.errors import BadUsage
from knowact.core.names import shown_names
from knowact.core.option import Option
from knowact.core.record import Outcome, Preceding, Record, Result, Status
from knowact.core.suite import Item
from knowact.probes.probe import Message, Probe, Question
from knowact.probes.response import Judged
from knowact.roles.extractor import Reading
from knowact.roles.judge import Ballot

_HELP: Final = (
    "Also have the agent act after its own verdict, after a neutral question and after the gold verdict."
)
OPTION: Final = Option("transfer", _HELP, default=False)
Transferred = Annotated[bool, Field(description=_HELP)]
"""The option `transfer` of a suite in which it can be measured."""

CERTAIN: Final = 1
"""Acting trials that are added to each in any case: the gold verdict is always there."""
MOST: Final = 3
"""Those that are added where the agent answers in words, too."""

LONG_NAME: Final = 20
"""Characters; the neutral questions ask which names of tools have more."""

_BEHIND: Final = (Preceding.OWN, Preceding.NEUTRAL, Preceding.GOLD)
_NEUTRAL: Final = "neutral_"


def require(options: Mapping[str, Any], needed: Mapping[str, tuple[object, str]]) -> None:
    """Refuse options with which `--transfer` makes no sense.

    Args:
        options: Of the run.
        needed: By option the value that it takes, and why, as a clause.

    Raises:
        BadUsage: One of them is another.
    """
    published = {"rules": ("definition", "no paper has it, so there are no published rules for it")}
    for name, (value, why) in {**published, **needed}.items():
        if options.get("transfer") and options[name] != value:
            flag = f"--{name.replace('_', '-')}"
            given, fix = f"{flag} {options[name]}", f"use {flag} {value}"
            if isinstance(value, bool):
                given, fix = flag, f"leave out {flag}"
            raise BadUsage(f"--transfer cannot be combined with {given}: {why}; {fix}.")


def behind(act: str, preceding: Preceding) -> str:
    """The name of the acting probe behind something; `act` is its name where nothing precedes it."""
    return act if preceding is Preceding.NOTHING else f"{act}_{preceding.value}"


def acting(act: str) -> tuple[str, ...]:
    """The names of the acting probe in all four chats."""
    return tuple(behind(act, one) for one in Preceding)


def long_names(item: Item) -> dict[str, bool]:
    """Shown name to whether it is a long one: what the neutral questions ask about tools."""
    return {name: len(name) > LONG_NAME for name in shown_names(tool.name for tool in item.tools).values()}


def neutral(act: Probe, verdict: str, words: Callable[[Item], str], answer: Callable[[Item], str]) -> Probe:
    """A neutral question.

    Args:
        act: The acting probe, whose system message it has.
        verdict: The name of the probe in whose place it stands.
        words: The question.
        answer: What the built-in agents reply: the right answer.
    """

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        told = (one for one in act.opening(item, context) if one.role == "system")
        return (*told, Message("user", words(item)))

    def replies(agent: str, item: Item, rng: Random) -> str:  # noqa: ARG001 - as all questions of suites
        return answer(item)

    return Probe(f"{_NEUTRAL}{verdict}", Question.OWN, 1, execute=False, opening=opening, replies=replies)


def probes(
    act: Probe, verdicts: Sequence[Probe], neutrals: Sequence[Probe], gold: Callable[[Item], Sequence[str]]
) -> list[Probe]:
    """What is asked beside the acting probe and the questions for verdicts.

    Args:
        act: How the agent is let act on the request alone.
        verdicts: The questions whose answers are its own verdict.
        neutrals: As many neutral ones (`neutral`).
        gold: From an item to the right answer to each of the questions.
    """
    told = replace(act, opening=partial(_told, act, verdicts, gold))
    chats = (
        (act, Preceding.OWN, verdicts),
        (act, Preceding.NEUTRAL, neutrals),
        (told, Preceding.GOLD, ()),
    )
    return [
        *neutrals,
        *(
            replace(
                probe,
                name=behind(act.name, preceding),
                follows=tuple(one.name for one in before),
                preceded=preceding,
            )
            for probe, preceding, before in chats
        ),
    ]


def _told(
    act: Probe,
    verdicts: Sequence[Probe],
    gold: Callable[[Item], Sequence[str]],
    item: Item,
    context: Mapping[str, str],
) -> Sequence[Message]:
    """The acting probe's messages, with the questions and the right answers before the request."""
    messages = act.opening(item, context)
    told: list[Message] = [one for one in messages if one.role == "system"]
    for verdict, answer in zip(verdicts, gold(item), strict=True):
        told += [one for one in verdict.opening(item, context) if one.role != "system"]
        told.append(Message("assistant", answer))
    return (*told, *(one for one in messages if one.role != "system"))


Read = TypeVar("Read", Reading, Ballot)


def read_behind(find: Callable[[Judged], Sequence[Read]], judged: Judged, act: str) -> list[Read]:
    """What is read or put to the vote of a trial: as ever, and the same of acting in the other chats.

    Args:
        find: What is read of a trial; what is about acting has the name of its probe.
        judged: The trial.
        act: The name of the acting probe.
    """
    found = list(find(judged))
    for name in (behind(act, one) for one in _BEHIND):
        if name in judged.responses:
            there = find(judged.with_in_place(name, of=act))
            found += [replace(one, name=name) for one in there if one.name == act]
    return found


def with_transfer(score: Callable[[Judged], Record], judged: Judged, act: str, measure: str) -> Record:
    """The record of a trial, with what came of acting in each of the four chats.

    Args:
        score: Makes the record that the suite makes of a trial.
        judged: The trial. Without the option it holds nothing of this, and nothing is added.
        act: The name of the acting probe.
        measure: The suite's result that says whether acting was right.
    """
    record = score(judged)
    if behind(act, Preceding.GOLD) not in judged.responses:
        return record
    results: dict[str, Result] = {}
    for preceding in Preceding:
        name = behind(act, preceding)
        if judged.response(name).outcome is Outcome.NOT_RUN:
            # Only an answer that can stand in a chat can be followed; an empty one is no verdict.
            results[preceding.result] = Result(Status.NOT_APPLICABLE, why="there was no answer to follow")
        elif measure in (found := score(judged.with_in_place(name, of=act)).results):
            results[preceding.result] = found[measure]
    endings = dict(record.outcomes)
    for name, one in judged.responses.items():
        if name.startswith(_NEUTRAL) or name in acting(act):
            endings.setdefault(name, one.outcome)
    return replace(record, outcomes=endings, results={**record.results, **results})
