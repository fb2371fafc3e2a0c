"""ICT for tests: the shipped pairs as items, and trials of built-in agents without the engine."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, cast

from knowact.agents.policy import Move, View
from knowact.agents.reference import AGENTS
from knowact.core.record import Ending, Record
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.core.table import DatasetInfo, Run
from knowact.core.task import Task
from knowact.probes.outcome import MadeCall, Outcome
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, IMPLICIT, LACKS, WHY, AskedItem
from knowact.suites.ict.grading import says_no
from knowact.suites.ict.items import plan
from knowact.suites.ict.scoring import record_of
from knowact.suites.ict.suite import SUITE
from knowact.testing.endpoint import CallTools, Reply, Request, Say, ToolCall

RELEASE = str(Path(__file__).parent / "suites" / "ict" / "fixtures")
"""A small release in the published layout."""
TWO_PAIRS = str(Path(__file__).parent / "suites" / "ict" / "two_pairs")
"""A removal and a replacement of ours whose words tests rely on, whatever is forged anew."""


@cache
def _planned(changed: tuple[tuple[str, Any], ...]) -> Plan:
    return plan({**SUITE.defaults(), **dict(changed)})


def planned(**changed: Any) -> Plan:
    """The items of a run with these options, the others at their defaults."""
    return _planned(tuple(sorted(changed.items())))


def items_of(plan: Plan) -> tuple[AskedItem, ...]:
    return cast("tuple[AskedItem, ...]", plan.items)


def item(pair: str, gold: str = "incomplete", data: str = TWO_PAIRS) -> AskedItem:
    """One version of a pair."""
    (found,) = [one for one in items_of(planned(data=data)) if (one.pair, one.gold) == (pair, gold)]
    return found


def said(text: str, probe: str = EXPLICIT, ending: Ending = Ending.ANSWERED) -> Outcome:
    """A reply in words."""
    return Outcome(probe, ending, text, rounds=1)


def called(item: AskedItem, text: str = "") -> Outcome:
    """A continuation that calls the first tool."""
    made = (MadeCall(item.tools[0].name, offered=True, arguments={}),)
    return Outcome(IMPLICIT, Ending.ANSWERED, text, made, 1)


def trial(agent: str, item: AskedItem, *, goes_on: bool = True) -> Record:
    """What a built-in agent comes to on an item, with nothing of the engine.

    Args:
        agent: Its name.
        item: The item.
        goes_on: Whether it is also let to go on with the dialogue; reading what it then says takes time.
    """
    if item.outcome is not None:
        return record_of(item, 1, {FEEDBACK: _asked(agent, item, FEEDBACK)}, {})
    outcomes = {EXPLICIT: _asked(agent, item, EXPLICIT)}
    if goes_on:
        outcomes[IMPLICIT] = _goes_on(agent, item)
    if says_no(item, outcomes[EXPLICIT]):
        reason = AGENTS[agent].explain(_view(agent, item, WHY))
        outcomes[WHY] = said(reason.text, WHY, Ending.ANSWERED if reason.text.strip() else Ending.EMPTY)
    return record_of(item, 1, outcomes, {})


def _view(agent: str, item: AskedItem, probe: str) -> View:
    return View(item, 0, generator(0, agent, item.id, probe, 1))


def _asked(agent: str, item: AskedItem, probe: str) -> Outcome:
    return said(AGENTS[agent].proceed(_view(agent, item, probe)).text, probe)


def _goes_on(agent: str, item: AskedItem) -> Outcome:
    move: Move = AGENTS[agent].go_on(_view(agent, item, IMPLICIT))
    names = {tool.name for tool in item.tools}
    made = tuple(MadeCall(one.tool, one.tool in names) for one in move.calls)
    return said(move.text, IMPLICIT) if not made else Outcome(IMPLICIT, Ending.ANSWERED, move.text, made, 1)


REMOVED_FROM_REQUESTS = ("--source", "single-request", "--manipulation", "utterance-removal")
"""Options of a run in which every item can be told by its first message."""


def tasks_of_requests(limit: int) -> tuple[Task, ...]:
    """The tasks of such a run."""
    run = planned(source="single-request", manipulation="utterance-removal", limit=limit)
    return tuple(item.task for item in run.items)


def able(request: Request, task: Task) -> Reply:
    """What an agent over HTTP does that knows what is missing: in the shape of `local_agents.well_done`."""
    complete = task.provenance[LACKS] == "nothing"
    if request.tools and complete:
        return CallTools((ToolCall(task.plan[0].tool, task.plan[0].call_arguments),))
    if request.tools:
        return Say("Could you tell me which one you mean?")
    if request.last_text.startswith("Why not?"):
        return Say("You did not say which one you mean.")
    return Say("Yes" if complete else "No")


def as_run(
    records: Iterable[Record], model: str = "knowact/oracle", data: str = "0" * 64, **options: Any
) -> Run:
    """Records as a report gets them."""
    kept = list(records)
    name = f"{model} {sorted(options.items())}"
    info = DatasetInfo("everyday", "1-A", data)
    return Run(name, "ict", info, model, options, ("a.eval",), len(kept), kept)
