"""ICT for tests: the shipped pairs as items, and trials of built-in agents without the engine."""

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from doubles.endpoint import CallTools, Reply, Request, Say, ToolCall
from knowact.agents.catalogue import agent as built_in
from knowact.agents.policy import Move, View
from knowact.core.declared import Declared
from knowact.core.record import Outcome, Record
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.core.table import DatasetInfo, Run
from knowact.core.task import Task
from knowact.probes.response import Judged, MadeCall, Response
from knowact.roles.extractor import Extraction, by_declaration, unread
from knowact.roles.judge import Ballot, Votes
from knowact.suites.ict.answers import Manner, reason_ballots
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, IMPLICIT, LACKS, WHY, AskedItem
from knowact.suites.ict.conduct import conduct_ballots, readings_of
from knowact.suites.ict.items import plan
from knowact.suites.ict.scoring import record_of, says_no
from knowact.suites.ict.suite import SUITE

RELEASE = str(Path(__file__).parent / "suites" / "ict" / "fixtures")
"""A small release in the published layout."""
BY_HAND = str(Path(__file__).parent / "suites" / "ict" / "by_hand")
"""Pairs whose words tests rely on; a tool that is `absent` and a lost request are in none that we ship."""


@cache
def _planned(changed: tuple[tuple[str, Any], ...]) -> Plan:
    return plan({**SUITE.defaults(), **dict(changed)})


def planned(**changed: Any) -> Plan:
    """The items of a run with these options, the others at their defaults."""
    return _planned(tuple(sorted(changed.items())))


def items_of(plan: Plan) -> tuple[AskedItem, ...]:
    return cast("tuple[AskedItem, ...]", plan.items)


def item(pair: str, gold: str = "incomplete", data: str = BY_HAND) -> AskedItem:
    """One version of a pair."""
    (found,) = [one for one in items_of(planned(data=data)) if (one.pair, one.gold) == (pair, gold)]
    return found


def said(
    text: str,
    probe: str = EXPLICIT,
    outcome: Outcome = Outcome.ANSWERED,
    declared: Declared | None = None,
) -> Response:
    """A reply in words; with what it declares, where a built-in agent gave it."""
    limit = "tokens" if outcome is Outcome.LIMIT else ""
    return Response(probe, outcome, text, rounds=1, limit=limit, words=text, declared=declared)


def filled(item: AskedItem, judged: Judged, form: str) -> Judged:
    """With what an extractor made of how the agent went on.

    Args:
        item: The item.
        judged: The responses.
        form: What its form says: `asked` or `could_not` (about the first part), `stated`, `hedged`,
            `rivals` or `denied` (the first fact), `nothing`, or `invalid` (a quote that is none).
    """
    (reading,) = readings_of(item, judged.response(IMPLICIT))
    slots = dict.fromkeys(reading.form.schema()["properties"])
    quote = reading.reply
    stances = {"stated": "asserted", "hedged": "hedged", "denied": "denied", "rivals": "asserted"}
    found: dict[str, Any] = {**slots}
    if form in stances:
        also = ["2026-04-05"] if form == "rivals" else []
        value = "yes" if reading.form.facts[0].kind == "yes_no" else quote
        found["fact_1"] = {"value": value, "quotes": [quote], "stance": stances[form], "also": also}
    elif form in ("asked", "could_not"):
        found["part_1"] = {form: quote}
    elif form == "invalid":
        found["part_1"] = {"asked": "words that nobody said"}
    results = reading.form.score(reading.reply, found)
    return replace(judged, extracted={IMPLICIT: Extraction("somebody", results, found)})


def called(item: AskedItem, text: str = "") -> Response:
    """A continuation that calls the first tool."""
    made = (MadeCall(item.tools[0].name, offered=True, arguments={}),)
    return Response(IMPLICIT, Outcome.ANSWERED, text, made, 1)


def judged(item: AskedItem, *responses: Response) -> Judged:
    """What the engine makes of these responses of a built-in agent, with nobody in any role."""
    found = Judged({one.probe: one for one in responses})
    readings = readings_of(item, found.response(IMPLICIT))
    forms = {
        one.name: by_declaration(one, one.declared) if one.reply.strip() else unread(one.form)
        for one in readings
        if one.declared is not None
    }
    found = replace(found, extracted=forms)
    ballots: list[Ballot] = [*conduct_ballots(item, found, 3), *reason_ballots(item, found, 3)]
    return replace(found, votes={b.name: Votes(b.choices, (b.declared,)) for b in ballots if b.declared})


def trial(agent: str, item: AskedItem) -> Record:
    """What a built-in agent comes to on an item, with nothing of the engine."""
    if item.outcome is not None:
        return record_of(item, 1, judged(item, _asked(agent, item, FEEDBACK)))
    responses = [_asked(agent, item, EXPLICIT), _goes_on(agent, item)]
    if says_no(responses[0], Manner()):
        responses.append(_said(built_in(agent).explain(_view(agent, item, WHY)), WHY))
    return record_of(item, 1, judged(item, *responses))


def _view(agent: str, item: AskedItem, probe: str) -> View:
    return View(item, 0, generator(0, agent, item.id, probe, 1))


def _said(move: Move, probe: str) -> Response:
    outcome = Outcome.ANSWERED if move.text.strip() or move.calls else Outcome.EMPTY
    return said(move.text, probe, outcome, move.declared)


def _asked(agent: str, item: AskedItem, probe: str) -> Response:
    return _said(built_in(agent).proceed(_view(agent, item, probe)), probe)


def _goes_on(agent: str, item: AskedItem) -> Response:
    move: Move = built_in(agent).go_on(_view(agent, item, IMPLICIT))
    names = {tool.name for tool in item.tools}
    made = tuple(MadeCall(one.tool, one.tool in names) for one in move.calls)
    return replace(_said(move, IMPLICIT), calls=made)


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


def finds_questions(request: Request, task: Task) -> Reply:
    """An extractor that takes a reply that ends with a question mark for a question, and nothing for more."""
    _, reply, form = request.conversation.split("==========\n")
    properties = json.loads(form.partition("The form:")[2])["properties"]
    asked = {"asked": reply.strip()} if reply.rstrip().endswith("?") else None
    return Say(json.dumps({**dict.fromkeys(properties), "part_1": asked}))


def likes_reasons(request: Request) -> Reply:
    """A judge that likes all reasons, and no other reply."""
    return Say('{"verdict": "right"}' if "misread_intent" in request.conversation else '{"verdict": "other"}')


def as_run(
    records: Iterable[Record], model: str = "knowact/oracle", data: str = "0" * 64, **options: Any
) -> Run:
    """Records as a report gets them."""
    kept = list(records)
    name = f"{model} {sorted(options.items())}"
    info = DatasetInfo("everyday", "2-A", data)
    return Run(name, "ict", info, model, options, ("a.eval",), len(kept), kept)
