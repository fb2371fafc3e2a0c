"""Small trials of KAPRO: items over tools of one letter, what an agent says and does, and the records."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from knowact.core.condition import CLEAN
from knowact.core.record import Outcome, Record
from knowact.core.suite import Item
from knowact.core.task import Boundary, Fact, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.engine.records import with_reading
from knowact.probes.response import Judged, MadeCall, Response
from knowact.reading.answer_form import AnswerForm
from knowact.roles.extractor import Extraction
from knowact.roles.judge import Votes
from knowact.suites.kapro.probes import ACT, KNOW
from knowact.suites.kapro.scoring import PASSING, record_of

FACT = Fact(kind="number", value=42, label="answer")
NOBODY = object()
STATED = {"value": "42", "quotes": ["42"]}
FAILED = [outcome for outcome in Outcome if outcome not in {Outcome.ANSWERED, Outcome.NOT_RUN}]
OF_THE_AGENT = [outcome for outcome in FAILED if not outcome.instrument]
OF_THE_INSTRUMENT = [outcome for outcome in FAILED if outcome.instrument]
RULES = ("definition", "published")


def item(
    listed: Sequence[str],
    required: Iterable[str],
    *,
    facts: Sequence[Fact] = (FACT,),
    gap: Sequence[str] = (),
) -> Item:
    """An item over tools that are called like this, of which some are required."""
    needed = set(required)
    task = Task(
        id="t",
        opening=Query(text="What is the answer?"),
        world=WorldRef(name="replay"),
        offered=tuple(listed),
        plan=tuple(
            Step(tool=name, boundary=Boundary.EXTERNAL if name in needed else Boundary.INTERNAL)
            for name in listed
        ),
        facts=tuple(facts),
        topology=Topology.PARALLEL,
        cluster="c",
        replay_gap=tuple(gap),
    )
    return Item(task, CLEAN, tuple(Tool(name=name, parameters={}) for name in listed), {"boundary": "x"})


def says(listed: Iterable[str], needed: Iterable[str]) -> Response:
    """What a model replies that marks these of the listed tools, in the form that the probe asks for."""
    marked = set(needed)
    decisions = {name: name in marked for name in dict.fromkeys([*listed, *marked])}
    return Response(KNOW, Outcome.ANSWERED, json.dumps({"tool_decisions": decisions}), rounds=1)


def does(used: Iterable[str], listed: Iterable[str] = (), reply: str = "The answer is 42.") -> Response:
    """An agent that calls these, each once, and answers."""
    known = set(listed)
    calls = tuple(MadeCall(name, name in known, "" if name in known else "unknown_tool") for name in used)
    return Response(ACT, Outcome.ANSWERED, reply, calls, rounds=2)


def record(  # noqa: PLR0917 - named at most call sites
    one: Item,
    know: Response | None = None,
    act: Response | None = None,
    graded: Votes | None = None,
    rules: str = "definition",
    slot: Any = NOBODY,
) -> Record:
    """The record of a trial.

    Args:
        slot: What somebody fills in for the fact; `NOBODY` where nobody extracts.
    """
    responses = {response.probe: response for response in (know, act) if response is not None}
    votes = {} if graded is None else {PASSING[rules]: graded}
    extracted: dict[str, Extraction] = {}
    if slot is not NOBODY and act is not None:
        results = AnswerForm.from_facts(one.task.facts).score(act.reply, {"fact_1": slot})
        extracted[ACT] = Extraction("somebody", results)
    judged = Judged(responses, extracted, votes)
    return with_reading(record_of(one, 1, judged, rules), judged, None)
