"""Our own cases as items: what is missing, who knows it, and what can be done without it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from knowact.core.condition import CLEAN, Condition
from knowact.core.proof import Possibility
from knowact.core.reach import Reach, reach, without
from knowact.core.task import Dialogue, Fact, Opening, Query, Task, Utterance
from knowact.core.tool import Tool
from knowact.people.helper import Held, Known, Removed
from knowact.reading.askable import Job
from knowact.reading.missing import Missing
from knowact.reading.of_tools import job_of, slot_of
from knowact.suites.fail_talms.asked import AskedItem, Gap
from knowact.suites.fail_talms.cases import Case
from knowact.suites.fail_talms.layout import Split
from knowact.worlds.overlay import offered_under

GAPS: Final[Mapping[Split, Gap]] = {
    Split.PERFECT: "nothing",
    Split.UNDER_SPECIFIED: "value",
    Split.REPLACEABLE: "tool",
    Split.NON_REPLACEABLE: "tool",
    Split.NO_TOOLS: "tools",
}
LACKS: Final[Mapping[Gap, tuple[str, ...]]] = {
    "nothing": (),
    "value": ("information",),
    "tool": ("tools",),
    "tools": ("tools",),
}
"""What an agent that knows its limits does not say that it has (`core.suite.Item.lacks`)."""


def own_item(case: Case, condition: Condition, tools: Mapping[str, Tool]) -> AskedItem:
    """Make the item of a case.

    Args:
        case: The case.
        condition: Its own, or that with distractors.
        tools: The world's tools by name.
    """
    gap = GAPS[case.setting]
    lacks = () if case.possibility is Possibility.POSSIBLE else LACKS[gap]
    blocked = without(case.task, condition.withheld or ())
    known = _known(case, tools)
    missing = case.missing
    offered = offered_under(case.task.offered, tools, condition)
    reached = reach(case.task, blocked)
    return AskedItem(
        task=case.task.model_copy(update={"id": case.id, "opening": opening(case)}),
        condition=condition,
        tools=offered,
        labels=_labels(case, gap),
        lacks=lacks,
        setting=case.setting,
        category=case.category,
        gap=gap,
        reach=reached,
        missing=for_reasons(
            *(case.task, known, offered, reached), tools=tools, phrases=(missing.phrase,) if missing else ()
        ),
        known=known,
        helpful=bool(known.withheld) or _can_do_all(case, known, blocked),
        default=case.references.default if case.references else (),
        default_words=missing.default.words if missing and missing.default else "",
        guessable=(missing.tool, missing.parameter, missing.value) if missing and gap == "value" else None,
    )


def _can_do_all(case: Case, known: Known, blocked: frozenset[int]) -> bool:
    """Whether a person can do every job that nobody else can."""
    needed = {case.task.plan[number].tool for number in blocked}
    jobs = [one for one in known.jobs if one.job.tool in needed]
    return bool(jobs) and all(one.can_do for one in jobs)


def with_tools(item: AskedItem, tools: Mapping[str, Tool]) -> AskedItem:
    """The same item with the tools of its task, as in the perfect setting."""
    return replace(
        item,
        condition=CLEAN,
        tools=offered_under(item.task.offered, tools, CLEAN),
        lacks=(),
        gap="nothing",
        reach=reach(item.task, ()),
    )


def opening(case: Case) -> Opening:
    """Everything that the user says, a message each."""
    if not case.remarks:
        return Query(text=case.query)
    return Dialogue(utterances=tuple(Utterance(role="user", text=text) for text in case.messages))


def _labels(case: Case, gap: Gap) -> dict[str, str]:
    labels = {"setting": case.setting.value, "category": case.category, "missing": gap}
    if case.setting is Split.REPLACEABLE:
        labels["job"] = "a model can do it" if case.by_model else "only a person can do it"
    if gap == "value" and case.missing is not None:
        labels["job"] = "with a usual default" if case.missing.default else "without a default"
    return labels | {"possibility": case.possibility.value, "topology": case.task.topology.value}


def _known(case: Case, tools: Mapping[str, Tool]) -> Known:
    missing = case.missing
    withheld: tuple[Held, ...] = ()
    if missing is not None and missing.kind == "value":
        slot = slot_of(tools[missing.tool], missing.parameter)
        withheld = (Held(slot, missing.value, (missing.words,)),)
    told = tuple(_told(case, tools))
    gone = [change.tool for change in case.condition.changes if change.kind == "hide"]
    removed = [_removed(case, tools[name]) for name in gone]
    return Known(withheld, told, removed[0] if removed else None, tuple(removed[1:]))


def _told(case: Case, tools: Mapping[str, Tool]) -> Iterator[Held]:
    """The values that the request gives."""
    missing = case.missing
    said = cast("Mapping[str, str]", case.task.provenance.get("said", {}))
    for number, step in enumerate(case.task.plan):
        for name, argument in step.arguments.items():
            taken = missing is not None and (number, name) == (missing.step, missing.parameter)
            if argument.origin != "step" and not taken:
                words = said.get(f"{number}.{name}")
                yield Held(slot_of(tools[step.tool], name), argument.value, (words,) if words else ())


def _removed(case: Case, tool: Tool) -> Removed:
    """What a person can do for a tool that is gone, and what they would find.

    In the setting of the replaceable ones that is the setting's own label; else the tool's.
    """
    by_person = tool.replaceable is not None and tool.replaceable.by_human
    can_do = by_person if case.setting is Split.NO_TOOLS else case.setting is Split.REPLACEABLE
    return Removed(job_of(tool), can_do, found_by(case.task, tool.name) if can_do else ())


def found_by(task: Task, tool: str) -> tuple[Fact, ...]:
    """What a tool's call gives for a task: its facts, and what only feeds a later step."""
    steps = {str(number) for number, step in enumerate(task.plan) if step.tool == tool}
    facts = [f for f in task.facts if {source.partition(".")[0] for source in f.sources} & steps]
    said = {source for fact in facts for source in fact.sources}
    for step in task.plan:
        for argument in step.arguments.values():
            source = f"{argument.step}.{argument.field}"
            if str(argument.step) in steps and source not in said:
                said.add(source)
                facts.append(_fed(argument.field or "", argument.value))
    return tuple(facts)


def _fed(field: str, value: object) -> Fact:
    label = field.rpartition(".")[2].replace("_", " ")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Fact(kind="number", value=float(value), label=label)
    return Fact(kind="text", value=str(value), label=label)


def for_reasons(
    task: Task,
    known: Known,
    offered: Sequence[Tool],
    reached: Reach,
    *,
    tools: Mapping[str, Tool],
    phrases: Sequence[str] = (),
) -> Missing:
    """What the readers hold against all that an agent says is missing.

    Args:
        task: The task.
        known: What the person of the item knows: what is withheld, what is said, which tools do not serve.
        offered: The tools that do.
        reached: Which steps are left.
        tools: All tools of the world by name.
        phrases: What the request says in place of a withheld value; empty ones are none.
    """
    gone = {removed.job.tool for removed in known.jobs}
    stuck = {task.plan[number].tool for number in reached.blocked} - gone
    there = tuple(map(job_of, offered))
    return Missing(
        slots=tuple(held.slot for held in known.withheld),
        jobs=tuple(_job_here(removed.job, task) for removed in known.jobs),
        there_slots=tuple(held.slot for held in known.told),
        there_jobs=there,
        stuck_jobs=tuple(job for job in there if job.tool in stuck),
        phrases=tuple(filter(None, phrases)),
        about=tuple(_names_for(task, gone, tools)),
    )


def _job_here(job: Job, task: Task) -> Job:
    """A missing tool's job with what it gives for this task: people speak of that rather than of the tool."""
    labels = [fact.label for fact in found_by(task, job.tool) if fact.label]
    return replace(job, description=" ".join([job.description, *labels]))


def _names_for(task: Task, gone: Collection[str], tools: Mapping[str, Tool]) -> list[str]:
    """The names that only steps of missing tools are about ("order J1183"); days and numbers are no names."""
    said = cast("Mapping[str, str]", task.provenance.get("said", {}))
    mine: dict[str, list[str]] = {}
    others: set[str] = set()
    for number, step in enumerate(task.plan):
        for name, argument in step.arguments.items():
            value = str(argument.value)
            if step.tool not in gone:
                others.add(value)
            elif argument.origin == "query" and _is_name(argument.value, tools[step.tool].properties[name]):
                mine[value] = [value, said.get(f"{number}.{name}", value)]
    return list(dict.fromkeys(word for value, words in mine.items() if value not in others for word in words))


_NAME = re.compile(r"(?!\d{4}-\d\d-\d\d)(?=.*[^\W\d_])[^\n.?!{}]{3,40}")
"""Short, with letters, no sentence, no day and no JSON."""


def _is_name(value: object, schema: Mapping[str, object]) -> bool:
    """Whether a value names something: a choice of a few ("first class") does not."""
    return isinstance(value, str) and "enum" not in schema and _NAME.fullmatch(value) is not None
