"""A model as judge: what it is shown, how its vote is read, how votes become a verdict. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from knowact.core import clean
from knowact.core.record import Status, Verdict
from knowact.core.task import Task
from knowact.reading.json_text import JsonObject, find_json

UNREADABLE = "unreadable"
"""The vote of a judge whose reply says none of its choices."""

LONGEST_REPLY = 100_000
"""Characters of a reply that are looked at: a megabyte of braces would hold up everybody else's trials."""

LONGEST_REASON = 300
"""Characters of a reason that are kept: judges are asked for a sentence or two."""

PASSED = ("right", "wrong")
"""The choices of a judge of answers."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """A question to the judge.

    Attributes:
        name: Unique among the ballots of a trial.
        prompts: What is shown; votes take them in turn, so that an order of presentation can be changed.
        choices: What a vote may be.
        votes: How many are asked for.
        told: What the one who is judged said: a verdict that was only copied from there is no vote.
    """

    name: str
    prompts: tuple[str, ...]
    choices: tuple[str, ...] = PASSED
    votes: int = 3
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Votes:
    """What the judge said, vote by vote; one that says no choice is "unreadable".

    Attributes:
        why: The reason of each vote, where the judge is asked for one; empty strings where it gave none.
    """

    choices: tuple[str, ...]
    cast: tuple[str, ...]
    why: tuple[str, ...] = ()

    @property
    def winner(self) -> str | None:
        """What more than half of *all* votes say; an unreadable one is a vote for nothing."""
        counts = Counter(self.cast)
        return next((choice for choice in self.choices if 2 * counts[choice] > len(self.cast)), None)

    @property
    def split(self) -> bool:
        """Whether not all votes are the same."""
        return len(set(self.cast)) > 1

    @property
    def tally(self) -> str:
        """The votes in words, "2 right, 1 wrong, 0 unreadable"."""
        counts = Counter(self.cast)
        return ", ".join(f"{counts[choice]} {choice}" for choice in (*self.choices, UNREADABLE))


def reference_of(task: Task) -> str:
    """What a right answer says: the facts, a line each, or the reference answer in prose."""
    if not task.facts:
        return task.answer
    lines: list[str] = []
    for fact in task.facts:
        value = f"{fact.value} {fact.unit}".strip()
        slack = f" (give or take {fact.tolerance:g})" if fact.tolerance else ""
        also = f"; also right: {', '.join(fact.aliases)}" if fact.aliases else ""
        lines.append(f"- {fact.label or 'answer'}: {value}{slack}{also}")
    return "\n".join(lines)


def read_vote(text: str, choices: Sequence[str] = PASSED, told: Sequence[str] = ()) -> str:
    """Read a judge's reply: the last JSON object whose `verdict` is one of the choices.

    Anything else is unreadable, an object that says two of them included, and a vote for neither side. So is
    an object that stands word for word in what the one who is judged has said (`told`).
    """
    copied = {one for words in told if "verdict" in words for one in _objects(words)}
    for found in reversed(_objects(text)):
        said = {str(value) for key, value in found.members if key == "verdict"}
        if said & set(choices) and found not in copied:
            return said.pop() if len(said) == 1 else UNREADABLE
    return UNREADABLE


def read_reason(text: str) -> str:
    """Read why a judge votes as it does: the last JSON object's `why`; empty where it says nothing of it."""
    for found in reversed(_objects(text)):
        said = [value for key, value in found.members if key == "why" and isinstance(value, str)]
        return clean.text(" ".join(said[0].split()))[:LONGEST_REASON] if said else ""
    return ""


def _objects(text: str) -> list[JsonObject]:
    if len(text) > LONGEST_REPLY:
        return []
    return [found.value for found in find_json(text) if isinstance(found.value, JsonObject)]


def verdict_of(votes: Votes, right: str = "right") -> Verdict:
    """Turn votes into a verdict: 1 where the majority says `right`, 0 where it says another choice.

    No majority is an error of the judge: the measure is then not scored, and counted.
    """
    if votes.winner is None:
        return Verdict(Status.JUDGE_ERROR, by="grader", why=f"no majority: {votes.tally}")
    return Verdict.of(votes.winner == right, by="grader", why=votes.tally)
