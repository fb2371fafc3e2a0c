"""A model as judge: what it is shown, how its vote is read, how votes become a result. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core import clean
from knowact.core.record import Result, Status
from knowact.core.task import Task
from knowact.reading.json_text import LONGEST_REPLY, JsonObject, find_json

UNREADABLE = "unreadable"
"""The vote of a judge whose reply says none of its choices."""

VOTE_LIMITS: Final[Mapping[str, str]] = {
    "tokens": "a vote was cut off at the token limit",
    "context": "the request did not fit the judge's context",
}
"""Why a vote is unreadable that its model could not finish, by the limit that it ran into."""

LONGEST_REASON = 300
"""Characters of a reason or a quote that are kept: judges are asked for a sentence or two."""

NOT_VOTED = Result(Status.NOT_JUDGED, why="no judge was bound")

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
        told: What the one who is judged said: a ruling that was only copied from there is no vote.
        declared: How a built-in agent's own declaration settles it; empty for every other agent.
    """

    name: str
    prompts: tuple[str, ...]
    choices: tuple[str, ...] = PASSED
    votes: int = 3
    told: tuple[str, ...] = ()
    declared: str = ""


@dataclass(frozen=True, slots=True)
class Votes:
    """What the judge said, vote by vote; one that says no choice is "unreadable".

    Attributes:
        why: The reason of each vote, or why it is unreadable; empty strings where there is none.
        quotes: The words that each vote rests on, as the judge gave them; likewise.
    """

    choices: tuple[str, ...]
    cast: tuple[str, ...]
    why: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()

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
        value = f"{fact.shown} {fact.unit}".strip()
        slack = f" (give or take {fact.tolerance:g})" if fact.tolerance else ""
        also = f"; also right: {', '.join(fact.aliases)}" if fact.aliases else ""
        lines.append(f"- {fact.label or 'answer'}: {value}{slack}{also}")
    return "\n".join(lines)


def read_vote(text: str, choices: Sequence[str] = PASSED, told: Sequence[str] = ()) -> str:
    """Read a judge's reply: the last JSON object whose `verdict` is one of the choices.

    Anything else is unreadable, an object that says two of them included, and a vote for neither side. So is
    an object that stands word for word in what the one who is judged has said (`told`).
    """
    copied = {verdict for words in told if "verdict" in words for verdict in _objects(words)}
    for verdict in reversed(_objects(text)):
        rulings = {str(value) for key, value in verdict.members if key == "verdict"}
        if rulings & set(choices) and verdict not in copied:
            return rulings.pop() if len(rulings) == 1 else UNREADABLE
    return UNREADABLE


def read_member(text: str, name: str) -> str:
    """Read what a judge says beside its ruling: that member of its last JSON object; empty without one."""
    for ruling in reversed(_objects(text)):
        texts = [value for key, value in ruling.members if key == name and isinstance(value, str)]
        return clean.text(" ".join(texts[0].split()))[:LONGEST_REASON] if texts else ""
    return ""


def _objects(text: str) -> list[JsonObject]:
    if len(text) > LONGEST_REPLY:
        return []
    return [match.value for match in find_json(text) if isinstance(match.value, JsonObject)]


def result_of(votes: Votes, right: str = "right") -> Result:
    """Turn votes into a result: 1 where the majority says `right`, 0 where it says another choice.

    No majority is an error of the judge: the measure is then not scored, and counted.
    """
    if votes.winner is None:
        lost = next((f"{why}; " for why in votes.why if why in VOTE_LIMITS.values()), "")
        return Result(Status.JUDGE_ERROR, by="judge", why=f"no majority: {lost}{votes.tally}")
    return Result.of(votes.winner == right, by="judge", why=votes.tally)
