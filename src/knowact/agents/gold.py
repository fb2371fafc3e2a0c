"""Agents that know the gold, where something is missing: they ask, do what can be done, name the rest."""

import datetime as dt
from dataclasses import dataclass

from knowact.agents.policy import Attempt, Said, View, acted, attempt, right_answer, stated
from knowact.core.condition import Fail
from knowact.core.parts import Part
from knowact.core.reach import Reach, reach, without
from knowact.core.task import Fact

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
    questions: tuple[Said, ...]
    words: Said


def shortfall(view: View) -> Shortfall:
    """Take stock of an item; with a person who can help, nothing is out of reach."""
    item = view.item
    if not item.lacks:
        return Shortfall(reach(item.task, ()), (), Said())
    questions = _questions(view)
    blocked = () if questions else without(item.task, item.condition.withheld or ())
    words = Said() if questions else missing_words(view)
    return Shortfall(reach(item.task, blocked), questions, words)


def _questions(view: View) -> tuple[Said, ...]:
    """Ask for what is withheld, or for every job that nobody but the person can do, if they can do all."""
    known, task = view.known, view.item.task
    if known is None:
        return ()
    if known.withheld:
        return tuple(_asked("What is the value", one.part) for one in known.withheld)
    blocked = without(task, view.item.condition.withheld or ())
    needed = {f"tool:{task.plan[number].tool}" for number in blocked}
    jobs = [one for one in known.removed if one.part.id in needed]
    if not all(one.can_do for one in jobs):
        return ()
    return tuple(_asked("Could you do this for me", one.part) for one in jobs)


def _asked(how: str, part: Part) -> Said:
    return acted("asked", f"{how} ({part.words})?", (part.id,))


def missing_words(view: View) -> Said:
    """What is missing, a sentence each."""
    words = {part.id: part.words for part in view.item.parts}
    said = Said()
    for one in sorted(view.item.missing):
        said += acted("could_not", f"This is missing: {words.get(one, one)}.", (one,))
    return said if said.text else acted("could_not", "Something that it takes is missing.")


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


def answer_in_reach(view: View) -> Said:
    """Everything that could be found out, and what could not."""
    found = shortfall(view)
    if not found.words.text:
        return right_answer(view.item.task)
    return stated(view.item.task, found.reach.facts) + found.words


def invented(fact: Fact) -> Fact:
    """A value that is not the right one, as an agent that makes things up would say it."""
    value: str | float | bool | tuple[str, ...]
    match fact.kind:
        case "number":
            value = round(float(str(fact.value)) * 1.5 + 7 + 2 * fact.tolerance, 2)
        case "yes_no":
            value = not fact.value
        case "date":
            value = (dt.date.fromisoformat(str(fact.value)) + dt.timedelta(days=9)).isoformat()
        case "time":
            moved = dt.datetime.combine(dt.date.min, dt.time.fromisoformat(str(fact.value)))
            value = (moved + dt.timedelta(hours=3, minutes=7)).time().isoformat("minutes")
        case "choice":
            value = next((one for one in fact.options if one != fact.value), str(fact.value))
        case "list":
            value = ("Zorblatt",)
        case "text":
            value = "Zorblatt"
    return fact.model_copy(update={"value": value, "aliases": ()})
