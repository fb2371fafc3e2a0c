"""Agents that know the gold, where something is missing: they ask, do what can be done, name the rest."""

import datetime as dt
import re
from dataclasses import dataclass

from knowact.agents.policy import Attempt, View, attempt, facts_in_words, right_answer
from knowact.core.condition import Fail
from knowact.core.reach import Reach, reach, without
from knowact.core.task import Fact
from knowact.people.telling import label_of
from knowact.reading.askable import Slot

ASK = "ask_human"


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What an item lacks, as far as an agent has to care.

    Attributes:
        reach: Which steps and facts are left.
        questions: What to ask the person, one after the other; empty where asking cannot help.
        words: What is missing, as an agent says it; empty where nothing is.
    """

    reach: Reach
    questions: tuple[str, ...]
    words: str


def shortfall(view: View) -> Shortfall:
    """Take stock of an item; with a person who can help, nothing is out of reach."""
    item = view.item
    if not item.lacks:
        return Shortfall(reach(item.task, ()), (), "")
    questions = _questions(view)
    blocked = () if questions else without(item.task, item.condition.withheld or ())
    return Shortfall(reach(item.task, blocked), questions, "" if questions else missing_words(view))


def _questions(view: View) -> tuple[str, ...]:
    """Ask for what is withheld, or for every job that nobody but the person can do, if they can do all."""
    known, task = view.known, view.item.task
    if known is None:
        return ()
    if known.withheld:
        described = _described(view, known.withheld[0].slot.parameter)
        return (f"Which {label_of(known.withheld[0].slot)} do you mean? I need {described or 'to know it'}.",)
    blocked = without(task, view.item.condition.withheld or ())
    needed = {task.plan[number].tool for number in blocked}
    jobs = [one for one in known.jobs if one.job.tool in needed]
    if not all(one.can_do for one in jobs):
        return ()
    return tuple(f"Could you {one.job.tool.replace('_', ' ')} for me?" for one in jobs)


def missing_words(view: View) -> str:
    """What is missing, a sentence each."""
    withheld = view.item.condition.withheld
    if not withheld:
        return "Something that it takes is missing."
    said: list[str] = []
    for one in withheld:
        kind, _, name = one.partition(":")
        if kind == "value":
            said.append(_missing_value(view, *name.split(".", 1)))
        elif any(isinstance(change, Fail) and change.tool == name for change in view.item.condition.changes):
            said.append(f"The tool {name} does not work.")
        elif kind == "tool":
            said.append(f"There is no tool {name}.")
        else:
            said.append("The request itself is missing: you did not say what you want.")
    return " ".join(said)


def _missing_value(view: View, tool: str, parameter: str) -> str:
    """Name a value as its schema describes it, too: bare names of parameters ("first") say little."""
    described = _described(view, parameter, tool) or "which"
    return f"The {label_of(Slot(parameter))} is missing: you did not say {described}."


def _described(view: View, parameter: str, tool: str = "") -> str:
    """How the schema of an offered tool begins to describe a parameter."""
    for one in view.item.tools:
        if tool in ("", one.name) and parameter in one.properties:
            text = str(one.properties[parameter].get("description", ""))
            head = re.split(r"[,;:(.]", text, maxsplit=1)[0].strip()
            return f"{head[:1].lower()}{head[1:]}"
    return ""


def calls_in_reach(view: View) -> list[Attempt]:
    """The calls that an able agent makes: the required ones that can be made, and those that then fail."""
    found = shortfall(view).reach
    offered = {tool.name for tool in view.item.tools}
    failing = {change.tool for change in view.item.condition.changes if isinstance(change, Fail)}
    names = [
        step.tool
        for number, step in enumerate(view.item.task.plan)
        if step.external and step.tool in offered and (number not in found.blocked or step.tool in failing)
    ]
    return [attempt(view, name) for name in dict.fromkeys(names)]


def answer_in_reach(view: View) -> str:
    """Everything that could be found out, and what could not."""
    found = shortfall(view)
    if not found.words:
        return right_answer(view.item.task)
    return f"{facts_in_words(found.reach.facts)} {found.words}".strip()


def invented(fact: Fact) -> Fact:
    """A value that is not the right one, as an agent that makes things up would say it."""
    value: str | float | bool
    match fact.kind:
        case "number":
            value = round(float(fact.value) * 1.5 + 7 + 2 * fact.tolerance, 2)
        case "yes_no":
            value = not fact.value
        case "date":
            value = (dt.date.fromisoformat(str(fact.value)) + dt.timedelta(days=9)).isoformat()
        case "time":
            moved = dt.datetime.combine(dt.date.min, dt.time.fromisoformat(str(fact.value)))
            value = (moved + dt.timedelta(hours=3, minutes=7)).time().isoformat("minutes")
        case "text":
            value = "Zorblatt"
    return fact.model_copy(update={"value": value, "aliases": ()})
