"""Distractors: tools that a task does not need, put beside its own (KAPRO, appendix E.3).

Drawn at random, those of the servers that the task's own tools come from first, then others. T stays
what it was, so no distractor may do a required tool's job: where capabilities are known, every draw is
proven again, tool by tool, and what would open another way is passed over.
"""

from collections.abc import Mapping, Sequence

from knowact.core.condition import Add, Condition, Hide
from knowact.core.names import bare
from knowact.core.proof import Possibility, prove_task
from knowact.core.seeds import generator
from knowact.core.task import Task
from knowact.core.tool import Tool


def distractors(
    task: Task, own: Mapping[str, Tool], pool: Sequence[Tool], count: int, seed: int
) -> Condition:
    """Choose distractors for one task and shuffle them among its own tools.

    Args:
        task: The task.
        own: Its world's tools by name (the offered ones at least).
        pool: Where distractors are drawn from; the task's own tools are passed over.
        count: How many (10 in the paper); fewer where the pool has no more.
        seed: Fixes draw and order.

    Returns:
        A condition named "distractors-<count>", which withholds nothing.
    """
    if count < 0:
        raise ValueError("the number of distractors cannot be negative")
    rng = generator(seed, "distractors", task.id)
    servers = {own[name].server for name in task.offered if own[name].server}
    names = {bare(name) for name in (*task.offered, *task.stand_ins)}
    candidates = {tool.name: tool for tool in pool if bare(tool.name) not in names}
    near = [tool for tool in candidates.values() if tool.server in servers]
    far = [tool for tool in candidates.values() if tool.server not in servers]
    rng.shuffle(near)
    rng.shuffle(far)
    chosen: list[Tool] = []
    for tool in (*near, *far):
        if len(chosen) == count:
            break
        if bare(tool.name) not in names and keeps_required(task, own, (*chosen, tool)):
            chosen.append(tool)
            names.add(bare(tool.name))
    order = [*task.offered, *(tool.name for tool in chosen)]
    rng.shuffle(order)
    return Condition(
        name=f"distractors-{count}",
        changes=tuple(Add(tool=tool.name) for tool in chosen),
        order=tuple(order),
    )


def keeps_required(task: Task, own: Mapping[str, Tool], added: Sequence[Tool]) -> bool:
    """Whether each required tool is still required with `added` on the table.

    True where the task's own tools say nothing of what they can do (published data): then nothing can be
    proven, and the loader says so. Where they do, an added tool that says nothing is not let in.
    """
    tools = {**own, **{tool.name: tool for tool in added}}
    if not all(own[name].capability for name in task.offered):
        return True
    if not all(tool.capability for tool in added):
        return False
    extra = tuple(Add(tool=tool.name) for tool in added)
    return all(
        prove_task(task, tools, Condition(name="", changes=(Hide(tool=name), *extra))).possibility
        is not Possibility.POSSIBLE
        for name in task.required
    )
