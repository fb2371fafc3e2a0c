"""One request of FAIL-TaLMs made by hand, whole and with each kind of gap: two tools, a fact of each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from knowact.conditions.broken import broken
from knowact.core.condition import CLEAN, Condition, Failure, Hide
from knowact.core.reach import reach, without
from knowact.core.record import Ending, Record
from knowact.core.task import Argument, Boundary, Fact, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.people.helper import Held, Known, Removed
from knowact.people.judge import PASSED, Votes
from knowact.probes.outcome import MadeCall, Outcome, PutQuestion
from knowact.reading.askable import Job, Slot
from knowact.reading.missing import Missing
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, AskedItem
from knowact.suites.fail_talms.layout import Split
from knowact.suites.fail_talms.scoring import record_of

CITY = Slot("city", "The city.", "city.name")
ORDER = Slot("order_number", "The order's number.", "order.number")
FORECAST = Job("get_forecast", "Forecast the high of a day in a city.", ("high",))
STATUS = Job("get_order", "Look up where one of the user's orders is.", ("status",))

HIGH = Fact(kind="number", value=21, unit="degrees", label="high in Bergen tomorrow", sources=("0.high",))
DELAYED = Fact(kind="text", value="delayed", label="status of order J1183", sources=("1.status",))
AT_HOME = HIGH.model_copy(update={"value": 9, "label": "high at home tomorrow"})
FALSE_STATUS = DELAYED.model_copy(update={"value": "delivered"})


def tool(job: Job, parameter: str) -> Tool:
    schema = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    return Tool.model_validate({"name": job.tool, "description": job.description, "parameters": schema})


OFFERED = (tool(FORECAST, "city"), tool(STATUS, "order_number"))


def task(text: str = "How warm does it get in Bergen tomorrow, and where is order J1183?") -> Task:
    steps = (
        Step(
            tool="get_forecast",
            boundary=Boundary.EXTERNAL,
            arguments={"city": Argument(value="Bergen")},
            wants=("high",),
        ),
        Step(
            tool="get_order",
            boundary=Boundary.EXTERNAL,
            arguments={"order_number": Argument(value="J1183")},
            wants=("status",),
        ),
    )
    return Task(
        id="t",
        opening=Query(text=text),
        world=WorldRef(name="everyday"),
        offered=("get_forecast", "get_order"),
        plan=steps,
        facts=(HIGH, DELAYED),
        topology=Topology.PARALLEL,
        cluster="c",
    )


def whole(**changed: Any) -> AskedItem:
    """Nothing is missing."""
    made = AskedItem(
        task=task(),
        condition=CLEAN,
        tools=OFFERED,
        labels={"setting": "perfect", "category": "Mixed", "missing": "nothing", "possibility": "possible"},
        setting=Split.PERFECT,
        category="Mixed",
        reach=reach(task(), ()),
        missing=Missing(there_slots=(CITY, ORDER), there_jobs=(FORECAST, STATUS)),
        known=Known(told=(Held(CITY, "Bergen"), Held(ORDER, "J1183"))),
    )
    return replace(made, **changed)


def no_city(**changed: Any) -> AskedItem:
    """The request does not say which city; people would take their own."""
    condition = Condition(name="under-specified", withheld=("value:get_forecast.city",))
    made = whole(
        task=task("How warm does it get tomorrow, and where is order J1183?"),
        condition=condition,
        setting=Split.UNDER_SPECIFIED,
        lacks=(INFORMATION,),
        gap="value",
        reach=reach(task(), without(task(), condition.withheld or ())),
        missing=Missing(
            slots=(CITY,), there_slots=(ORDER,), there_jobs=(FORECAST, STATUS), stuck_jobs=(FORECAST,)
        ),
        known=Known(withheld=(Held(CITY, "Bergen"),), told=(Held(ORDER, "J1183"),)),
        helpful=True,
        default=(AT_HOME,),
        default_words="here",
        guessable=("get_forecast", "city", "Bergen"),
        labels={**whole().labels, "setting": "under-specified", "missing": "value"},
    )
    return replace(made, **changed)


def no_order(*, can_do: bool = False, **changed: Any) -> AskedItem:
    """There is no tool for the order; a person can look it up, or cannot."""
    condition = Condition(name="unavailable", changes=(Hide(tool="get_order"),), withheld=("tool:get_order",))
    setting = Split.REPLACEABLE if can_do else Split.NON_REPLACEABLE
    made = whole(
        condition=condition,
        tools=OFFERED[:1],
        setting=setting,
        lacks=(TOOLS,),
        gap="tool",
        reach=reach(task(), without(task(), condition.withheld or ())),
        missing=Missing(jobs=(STATUS,), there_slots=(CITY, ORDER), there_jobs=(FORECAST,), about=("J1183",)),
        known=Known(told=(Held(CITY, "Bergen"), Held(ORDER, "J1183")), removed=_order_by_hand(can_do=can_do)),
        helpful=can_do,
        labels={**whole().labels, "setting": setting.value, "missing": "tool"},
    )
    return replace(made, **changed)


def _order_by_hand(*, can_do: bool) -> Removed:
    return Removed(STATUS, can_do, (DELAYED,) if can_do else ())


def no_tools(**changed: Any) -> AskedItem:
    """There is no tool at all."""
    withheld = ("tool:get_forecast", "tool:get_order")
    hidden = tuple(Hide(tool=one.name) for one in OFFERED)
    made = whole(
        condition=Condition(name="no-tools", changes=hidden, withheld=withheld),
        tools=(),
        setting=Split.NO_TOOLS,
        lacks=(TOOLS,),
        gap="tools",
        reach=reach(task(), without(task(), withheld)),
        missing=Missing(jobs=(FORECAST, STATUS), there_slots=(CITY, ORDER)),
        known=Known(
            told=(Held(CITY, "Bergen"), Held(ORDER, "J1183")),
            removed=Removed(FORECAST, can_do=False),
            also_removed=(_order_by_hand(can_do=True),),
        ),
        labels={**whole().labels, "setting": "no-tools", "missing": "tools"},
    )
    return replace(made, **changed)


def failing(how: Failure = "gone", **changed: Any) -> AskedItem:
    """The tool for the order is listed, and fails."""
    condition = broken(task(), "get_order", how)
    made = no_order(
        condition=condition,
        tools=OFFERED,
        setting=Split.PERFECT,
        wrong=(FALSE_STATUS,) if how == "wrong" else (),
        labels={**whole().labels, "missing": "tool", "broken": how.replace("_", " ")},
    )
    return replace(made, **changed)


def said(question: str, text: str, ending: Ending = Ending.ANSWERED) -> Outcome:
    """A reply to an awareness question."""
    return Outcome(question, ending, text, rounds=1)


def called(name: str = "get_order", problem: str = "", **arguments: Any) -> MadeCall:
    """A call with its arguments."""
    return MadeCall(name, name in {one.name for one in OFFERED}, problem, arguments, "…")


def did(
    reply: str = "",
    *calls: MadeCall,
    ending: Ending = Ending.ANSWERED,
    questions: Sequence[PutQuestion] = (),
    probe: str = ACT,
) -> Outcome:
    """An acted trial."""
    return Outcome(probe, ending, reply, calls, len(calls) + 1, tuple(questions))


def votes(*cast: str, choices: tuple[str, ...] = PASSED) -> Votes:
    """A grader's votes."""
    return Votes(choices, cast)


def record(
    item: AskedItem, *outcomes: Outcome, graded: Mapping[str, Votes] | None = None, helper: bool = False
) -> Record:
    """The record of one trial."""
    return record_of(item, 1, {one.probe: one for one in outcomes}, graded or {}, helper=helper)


RIGHT = "The high in Bergen tomorrow is 21 degrees. The status of order J1183: delayed."
"""The whole answer."""
