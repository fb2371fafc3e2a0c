"""A model as judge: what it is shown, how its vote is read, how votes become a verdict. Pure."""

from collections.abc import Sequence
from typing import Literal, cast

from knowact.core.record import Status, Verdict
from knowact.core.task import Task
from knowact.reading.json_text import JsonObject, find_json

Vote = Literal["right", "wrong", "unreadable"]


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


def read_vote(text: str) -> Vote:
    """Read a judge's reply: the last JSON object whose `verdict` is "right" or "wrong".

    Anything else is unreadable, an object that says both included, and a vote for neither side.
    """
    for found in reversed(find_json(text)):
        if isinstance(found.value, JsonObject):
            said = {str(value) for key, value in found.value.members if key == "verdict"}
            if said & {"right", "wrong"}:
                return cast("Vote", said.pop()) if len(said) == 1 else "unreadable"
    return "unreadable"


def majority(votes: Sequence[Vote]) -> Verdict:
    """More than half of *all* votes decides; an unreadable one is a vote for neither.

    No majority is an error of the judge: the item's pass is then not scored, and counted.
    """
    right, wrong = votes.count("right"), votes.count("wrong")
    tally = f"{right} right, {wrong} wrong, {len(votes) - right - wrong} unreadable"
    if 2 * right > len(votes):
        return Verdict.of(1, by="grader", why=tally)
    if 2 * wrong > len(votes):
        return Verdict.of(0, by="grader", why=tally)
    return Verdict(Status.JUDGE_ERROR, by="grader", why=f"no majority: {tally}")
