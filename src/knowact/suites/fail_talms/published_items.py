"""Published queries as items: what the data say of them, and no more.

Nobody wrote down which detail an under-specified query lacks, there are no reference facts, and nothing was
recorded. So a pass takes a model judge, acting takes replies from elsewhere, and the scripted person, who
answers from the record, has nothing to answer from.
"""

from collections.abc import Sequence
from dataclasses import replace

from knowact.core.condition import CLEAN, Condition, Hide
from knowact.core.parts import Part, distinct, job_part
from knowact.core.task import Boundary, Query, Step, Task, Topology
from knowact.people.helper import Known, Removed
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.functions import Function
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.own_items import GAPS, LACKS
from knowact.suites.fail_talms.published import PublishedItem
from knowact.suites.fail_talms.replies import Replies


def published_item(
    item: PublishedItem, replies: Replies | None, mended: Sequence[str], added: Sequence[Function] = ()
) -> AskedItem:
    """Make the item of a published query.

    Args:
        item: The query.
        replies: What its tools answer; None where nothing is acted.
        mended: What the loader had to do about it.
        added: Distractors beside its own functions.
    """
    gap = GAPS[item.split]
    offered = (*item.functions, *added)
    tools = tuple(function.tool for function in offered)
    labels = {"setting": item.split.value, "category": item.category, "missing": gap}
    if replies is not None and replies.synthetic:
        labels["replies"] = "synthetic"
    return AskedItem(
        task=_task(item, replies or Replies((), synthetic=False, gaps=()), offered),
        condition=_condition(item),
        tools=tools,
        labels=labels,
        lacks=LACKS[gap],
        parts=_parts(item),
        missing=frozenset(item.withheld or ()),
        setting=item.split,
        category=item.category,
        gap=gap,
        known=_known(item),
        helpful=item.split in (Split.UNDER_SPECIFIED, Split.REPLACEABLE),
        mended=tuple(mended),
    )


def with_tools(item: AskedItem, query: PublishedItem, replies: Replies | None) -> AskedItem:
    """The item of a query without tools as in the perfect setting, with what was taken away."""
    functions = query.dropped or ()
    task = item.task
    if replies is not None:
        task = task.model_copy(update={"world": replies.world(functions), "replay_gap": replies.gaps})
    tools = tuple(function.tool for function in functions)
    return replace(
        item, task=task, condition=CLEAN, tools=tools, lacks=(), missing=frozenset(), gap="nothing"
    )


def _condition(item: PublishedItem) -> Condition:
    """The setting; its changes are in the data. Without tools, the base query's were hidden."""
    if item.split is Split.PERFECT:
        return CLEAN
    hidden = item.dropped or () if item.split is Split.NO_TOOLS else ()
    changes = tuple(Hide(tool=one.tool.name) for one in hidden)
    return Condition(name=item.split.value, changes=changes, withheld=item.withheld)


def _task(item: PublishedItem, replies: Replies, offered: Sequence[Function]) -> Task:
    needed = (*item.functions, *(item.dropped or ()))
    return Task(
        id=item.id,
        opening=Query(text=item.query),
        world=replies.world(offered),
        offered=tuple(function.tool.name for function in offered),
        # The data do not say what a call carries, nor whether one feeds another. Where it is not known what
        # was dropped and nothing is left, the one step is unknown, too.
        plan=tuple(Step(tool=one.tool.name, boundary=Boundary.EXTERNAL) for one in needed) or _UNKNOWN,
        topology=Topology.PARALLEL if len(needed) > 1 else Topology.SINGLE_HOP,
        cluster=item.cluster,
        provenance={"file": item.place.file.name, "line": item.place.line},
        replay_gap=replies.gaps,
    )


_UNKNOWN = (Step(tool="(not known)", boundary=Boundary.EXTERNAL),)


def _known(item: PublishedItem) -> Known | None:
    if item.split is Split.UNDER_SPECIFIED:
        return Known(whole=item.original or item.query)
    if item.split in UNAVAILABLE and item.dropped:
        can_do = item.split is Split.REPLACEABLE
        removed = tuple(Removed(job_part(one.tool), can_do) for one in item.dropped)
        return Known(removed=removed, whole=item.query)
    return Known(whole=item.query)


def _parts(item: PublishedItem) -> tuple[Part, ...]:
    """The jobs of all functions that the request was written for; which values it takes, nobody has said."""
    return distinct(job_part(one.tool) for one in (*item.functions, *(item.dropped or ())))
