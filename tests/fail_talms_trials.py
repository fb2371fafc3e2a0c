"""FAIL-TaLMs for tests: cases as items, and trials of built-in agents without the engine."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from knowact.agents.policy import Attempt, View
from knowact.agents.reference import AGENTS, ASK
from knowact.conditions.broken import other_seed
from knowact.core.declared import Declared
from knowact.core.names import shown_names
from knowact.core.record import Outcome, Record
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.core.world import Call
from knowact.probes.response import Judged, MadeCall, PutQuestion, Response
from knowact.roles.extractor import by_declaration, unread
from knowact.roles.helper import Known, scripted_answer
from knowact.roles.judge import Votes
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, AskedItem
from knowact.suites.fail_talms.items import plan
from knowact.suites.fail_talms.judging import ballots, readings
from knowact.suites.fail_talms.probes import QUESTIONS_ANSWERED, ROUNDS
from knowact.suites.fail_talms.scoring import record_of
from knowact.suites.fail_talms.suite import SUITE
from knowact.worlds.overlay import Overlay
from knowact.worlds.registry import open_world

VERSION_1 = Path(__file__).parent / "suites" / "fail_talms" / "version_1"
"""One base item in version 1's form: a default, sentences about what a phrase means, a job that a model can
do, tools that are hidden with another beside them. Its facts are the same under every seed."""


def planned(**changed: Any) -> Plan:
    """The items of a run with these options, the others at their defaults."""
    return plan({**SUITE.defaults(), **changed})


def items_of(plan: Plan) -> tuple[AskedItem, ...]:
    return cast("tuple[AskedItem, ...]", plan.items)


@cache
def _shipped_plan() -> Plan:
    return planned()


def shipped() -> tuple[AskedItem, ...]:
    """All items of our own data, under the default options."""
    return items_of(_shipped_plan())


@cache
def version_1() -> tuple[AskedItem, ...]:
    """The items of the base item in version 1's form."""
    return items_of(planned(data=str(VERSION_1)))


def trial(agent: str, item: AskedItem, *, helped: bool = False) -> Record:
    """What a built-in agent comes to on an item of our own data, with nothing of the engine."""
    responses = {name: _said(agent, item, name) for name in (TOOLS, INFORMATION)}
    responses[ACT] = _done(agent, item, helped=helped)
    return record_of(item, 1, declared(item, responses), rules="definition", helper=helped)


def declared(
    item: AskedItem, responses: Mapping[str, Response], rules: str = "definition", *, read: bool = False
) -> Judged:
    """Forms and votes as the agent's own declarations fill them.

    Args:
        item: What was asked.
        responses: By probe.
        rules: "definition" or "published".
        read: Whether somebody would have read what has no words.
    """
    forms = {
        one.name: by_declaration(one, one.declared) if one.declared and one.reply else unread(one.form)
        for one in readings(item, responses, rules)
        if one.declared is not None or (read and not one.reply)
    }
    votes = {
        one.name: Votes(one.choices, (one.declared,) if one.declared else ())
        for one in ballots(item, responses, 1, rules)
        if one.declared or (read and not one.votes)
    }
    return Judged(responses, forms, votes)


def _rng(agent: str, item: AskedItem, probe: str) -> Any:
    return generator(0, agent, item.id, probe, 1)


def _said(agent: str, item: AskedItem, question: str) -> Response:
    move = AGENTS[agent].proceed(View(item, 0, _rng(agent, item, question), question))
    return Response(question, Outcome.ANSWERED, move.text, rounds=1, words=move.text, declared=move.declared)


def _done(agent: str, item: AskedItem, *, helped: bool) -> Response:
    """As `engine.loop.act` goes about it: questions are free, and only so many are answered."""
    world_seed = _shipped_plan().world_seed
    known = item.known or Known()
    elsewhere = open_world(item.task.world, other_seed(world_seed)) if item.broken == "wrong" else None
    session = Overlay(open_world(item.task.world, world_seed), item.condition, item.tools, elsewhere)
    names = {shown: name for name, shown in shown_names(tool.name for tool in item.tools).items()}
    calls: list[MadeCall] = []
    put: list[PutQuestion] = []
    for turn in range(ROUNDS + QUESTIONS_ANSWERED):
        view = View(item, turn, _rng(agent, item, ACT), "", helped, known if helped else None)
        move = AGENTS[agent].act(view)
        if not move.calls:
            return Response(
                *(ACT, Outcome.ANSWERED, move.text, tuple(calls), turn + 1, tuple(put)),
                words=move.text,
                declared=move.declared,
            )
        for call in move.calls:
            if call.tool == ASK:
                put.append(_put(call, move.declared, known))
            else:
                calls.append(_called(call, names, session))
    return Response(ACT, Outcome.LIMIT, "", tuple(calls), ROUNDS, tuple(put))


def _put(call: Attempt, said: Declared, known: Known) -> PutQuestion:
    question = str(cast("Mapping[str, Any]", call.arguments)["question"])
    answer = scripted_answer(known, said)
    targeted = None if known.whole else answer.targeted(known)
    return PutQuestion(question, answer.text, answer.kind, targeted, tuple(sorted(answer.gave)))


def _called(call: Attempt, names: Mapping[str, str], session: Overlay) -> MadeCall:
    name, arguments = names.get(call.tool), cast("Mapping[str, Any]", call.arguments)
    if name is None:
        return MadeCall(call.tool, offered=False, problem="unknown_tool", arguments=arguments)
    seen = session.call(Call(name, arguments))
    return MadeCall(name, True, seen.problem.code if seen.problem else "", arguments, seen.text())


def rate(records: Sequence[Record], measure: str) -> float:
    """The mean of a measure over the records that have it."""
    values = [value for one in records if not math.isnan(value := one.value(measure))]
    return sum(values) / len(values)
