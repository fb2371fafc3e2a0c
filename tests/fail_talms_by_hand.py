"""One request of FAIL-TaLMs made by hand, whole and with each kind of gap: two tools, a fact of each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fail_talms_trials import declared
from knowact.conditions.broken import broken
from knowact.core.condition import CLEAN, Condition, Failure, Hide
from knowact.core.declared import Act, Declared
from knowact.core.parts import job_part, parts_of, value_part
from knowact.core.reach import reach, without
from knowact.core.record import Outcome, Record
from knowact.core.task import Argument, Boundary, Fact, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.probes.response import MadeCall, PutQuestion, Response
from knowact.roles.helper import Held, Known, Removed
from knowact.roles.judge import PASSED, Votes
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, AskedItem
from knowact.suites.fail_talms.layout import Split
from knowact.suites.fail_talms.own_items import slots_of
from knowact.suites.fail_talms.scoring import record_of

HIGH = Fact(kind="number", value=21, unit="degrees", label="high in Bergen tomorrow", sources=("0.high",))
DELAYED = Fact(kind="text", value="delayed", label="status of order J1183", sources=("1.status",))
AT_HOME = HIGH.model_copy(update={"value": 9, "label": "high at home tomorrow"})
FALSE_STATUS = DELAYED.model_copy(update={"value": "delivered"})


def tool(name: str, job: str, parameter: str) -> Tool:
    schema = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    return Tool.model_validate({"name": name, "description": job, "parameters": schema})


FORECAST = tool("get_forecast", "Forecast the high of a day in a city.", "city")
STATUS = tool("get_order", "Look up where one of the user's orders is.", "order_number")
OFFERED = (FORECAST, STATUS)
CITY_PART, ORDER_PART = value_part(FORECAST, "city"), value_part(STATUS, "order_number")
CITY, ORDER = CITY_PART.id, ORDER_PART.id
NO_FORECAST, NO_STATUS = job_part(FORECAST).id, job_part(STATUS).id
"""Ids of the parts."""

TOLD = (Held(CITY_PART, "Bergen"), Held(ORDER_PART, "J1183"))


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
        slots=slots_of(task()),
        parts=parts_of(task(), {one.name: one for one in OFFERED}),
        known=Known(told=TOLD),
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
        missing=frozenset((CITY,)),
        known=Known(withheld=TOLD[:1], told=TOLD[1:]),
        helpful=True,
        default=(AT_HOME, DELAYED),
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
        missing=frozenset((NO_STATUS,)),
        known=Known(told=TOLD, removed=(_order_by_hand(can_do=can_do),)),
        helpful=can_do,
        labels={**whole().labels, "setting": setting.value, "missing": "tool"},
    )
    return replace(made, **changed)


def _order_by_hand(*, can_do: bool) -> Removed:
    return Removed(job_part(STATUS), can_do, (DELAYED,) if can_do else ())


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
        missing=frozenset(withheld),
        known=Known(
            told=TOLD, removed=(Removed(job_part(FORECAST), can_do=False), _order_by_hand(can_do=True))
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
        wrong=(HIGH, FALSE_STATUS) if how == "wrong" else (),
        labels={**whole().labels, "missing": "tool", "broken": how.replace("_", " ")},
    )
    return replace(made, **changed)


def said(
    question: str, text: str, outcome: Outcome = Outcome.ANSWERED, *, lacks: Sequence[str] | None = None
) -> Response:
    """A reply to an awareness question, which declares what it lacks where that is given."""
    acts = tuple(Act("could_not", part, text) for part in lacks or ())
    return Response(
        *(question, outcome, text), rounds=1, declared=None if lacks is None else Declared(acts=acts)
    )


def called(name: str = "get_order", problem: str = "", **arguments: Any) -> MadeCall:
    """A call with its arguments."""
    return MadeCall(name, name in {one.name for one in OFFERED}, problem, arguments, "…")


def slot(reply: str, value: object) -> dict[str, Any]:
    """What a reply states for a fact, as a form holds it; whole slots stay as they are."""
    made: dict[str, Any] = {"value": value, "quotes": [reply]}
    return made | value if isinstance(value, dict) else made


def did(
    reply: str = "",
    *calls: MadeCall,
    outcome: Outcome = Outcome.ANSWERED,
    questions: Sequence[PutQuestion] = (),
    probe: str = ACT,
    high: object = None,
    status: object = None,
    acts: Sequence[tuple[str, str]] = (),
    extracted: bool = True,
) -> Response:
    """An acted trial.

    Args:
        high: What the reply states of the high: a value, or some members of a slot.
        status: What it states of the order's status.
        acts: What it does about which part.
        extracted: Whether anybody fills the form.
    """
    facts = {place: slot(reply, one) for place, one in enumerate((high, status)) if one is not None}
    says = Declared(facts, tuple(Act(act, part, reply) for act, part in acts))
    return Response(
        *(probe, outcome, reply, calls, len(calls) + 1, tuple(questions)),
        words=reply,
        declared=says if extracted else None,
    )


def right(*calls: MadeCall, **about: Any) -> Response:
    """A trial whose reply asserts everything."""
    return did(RIGHT, *calls, high=21, status="delayed", **about)


def votes(*cast: str, choices: tuple[str, ...] = PASSED) -> Votes:
    """A judge's votes."""
    return Votes(choices, cast)


def record(
    item: AskedItem,
    *responses: Response,
    voted: Mapping[str, Votes] | None = None,
    rules: str = "definition",
    helper: bool = False,
    read: bool = True,
) -> Record:
    """The record of one trial; `read` says whether somebody reads what has no words."""
    judged = declared(item, {one.probe: one for one in responses}, rules, read=read)
    judged = replace(judged, votes={**judged.votes, **(voted or {})})
    return record_of(item, 1, judged, rules=rules, helper=helper)


RIGHT = "The high in Bergen tomorrow is 21 degrees. The status of order J1183: delayed."
"""The whole answer."""
