"""Our own cases as items: what is missing, who knows it, and what can be done without it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar, cast

from knowact.conditions.broken import breakable, broken, other_seed, wrong_facts
from knowact.core.condition import CLEAN, Condition, Failure
from knowact.core.parts import Part, job_part, parts_of, value_part
from knowact.core.proof import Possibility
from knowact.core.reach import reach, without
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.core.task import Dialogue, Fact, Opening, Query, Task, Utterance
from knowact.core.tool import Tool
from knowact.datasets.in_world import Placed, first_lines, shared_tools, unreached
from knowact.roles.helper import Held, Known, Removed
from knowact.suites.fail_talms.asked import AskedItem, Gap, for_audits
from knowact.suites.fail_talms.cases import Case, OwnCases, by_paper, in_a_crowd, person_can
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.worlds.overlay import offered_under
from knowact.worlds.registry import open_world


def slots_of(task: Task) -> tuple[Fact, ...]:
    """The facts, the values of the plan's arguments cut out of their labels while those stay different."""
    said = cast("Mapping[str, str]", task.provenance.get("said", {}))
    names: dict[str, str] = {}
    for number, step in enumerate(task.plan):
        for name, argument in step.arguments.items():
            for words in (said.get(f"{number}.{name}", ""), str(argument.value)):
                names[words.casefold()] = name.replace("_", " ")
    spoken = [words for words in sorted(names, key=len, reverse=True) if words]
    if not spoken:
        return task.facts
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, spoken))})(?!\w)", re.IGNORECASE)
    facts = tuple(_without(fact, pattern, names) for fact in task.facts)
    labels = [fact.label for fact in facts]
    return facts if len(set(labels)) == len(labels) else task.facts


def _without(fact: Fact, pattern: re.Pattern[str], names: Mapping[str, str]) -> Fact:
    cut = list(dict.fromkeys(names[found.casefold()] for found in pattern.findall(fact.label)))
    if not cut:
        return fact
    label = pattern.sub(lambda found: f"[{names[found[0].casefold()]}]", fact.label)
    whichever = " and ".join(f"[{name}]" for name in cut)
    return fact.model_copy(update={"label": f"{label} (whichever {whichever} the reply speaks of)"})


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
    parts = parts_of(case.task, tools)
    known = _known(case, tools, {part.id: part for part in parts})
    missing = case.missing
    return AskedItem(
        task=for_audits(
            case.task.model_copy(update={"id": case.id, "opening": opening(case)}),
            gap,
            lacks=bool(lacks),
            left=case.possibility,
        ),
        condition=condition,
        tools=offered_under(case.task.offered, tools, condition),
        labels=_labels(case, gap if lacks else "nothing") | _in_paper(case, tools),
        lacks=lacks,
        parts=parts,
        missing=really_missing(case.task, condition) if lacks else frozenset(),
        setting=case.setting,
        category=case.category,
        gap=gap,
        reach=reach(case.task, blocked),
        slots=slots_of(case.task),
        known=known,
        helpful=bool(known.withheld) or _can_do_all(case, known, blocked),
        default=case.references.default if case.references else (),
        guessable=(missing.tool, missing.parameter, missing.value) if missing and gap == "value" else None,
    )


def _can_do_all(case: Case, known: Known, blocked: frozenset[int]) -> bool:
    """Whether a person can do every job that nobody else can."""
    needed = {f"tool:{case.task.plan[number].tool}" for number in blocked}
    jobs = [one for one in known.removed if one.part.id in needed]
    return bool(jobs) and all(one.can_do for one in jobs)


def really_missing(task: Task, condition: Condition) -> frozenset[str]:
    """What is withheld and makes a difference: a tool does not whose job a model can do."""
    return frozenset(one for one in condition.withheld or () if without(task, (one,)))


def with_tools(item: AskedItem, tools: Mapping[str, Tool]) -> AskedItem:
    """The same item with the tools of its task, as in the perfect setting."""
    return replace(
        item,
        condition=CLEAN,
        tools=offered_under(item.task.offered, tools, CLEAN),
        lacks=(),
        missing=frozenset(),
        gap="nothing",
        reach=reach(item.task, ()),
    )


def opening(case: Case) -> Opening:
    """Everything that the user says, a message each."""
    if not case.remarks:
        return Query(text=case.query)
    return Dialogue(utterances=tuple(Utterance(role="user", text=text) for text in case.messages))


def _labels(case: Case, gap: Gap) -> dict[str, str]:
    """What tables group by; where a model can do the missing tool's job, nothing is missing."""
    labels = {"setting": case.setting.value, "category": case.category, "missing": gap}
    if case.setting is Split.REPLACEABLE:
        labels["job"] = "a model can do it" if case.by_model else "only a person can do it"
    if case.setting is Split.UNDER_SPECIFIED and case.missing is not None:
        labels["job"] = "with a usual default" if case.missing.default else "without a default"
    return labels | {"possibility": case.possibility.value, "topology": case.task.topology.value}


def _in_paper(case: Case, tools: Mapping[str, Tool]) -> dict[str, str]:
    """The paper's label beside ours, where readers decided about this request's own person."""
    if case.given is None or case.setting not in UNAVAILABLE:
        return {}
    return {"paper_label": by_paper(case, tools).setting.value}


def _known(case: Case, tools: Mapping[str, Tool], parts: Mapping[str, Part]) -> Known:
    missing = case.missing
    withheld: tuple[Held, ...] = ()
    if missing is not None and missing.kind == "value":
        part = _value_part(tools[missing.tool], missing.parameter, parts)
        withheld = (Held(part, missing.value, missing.words),)
    gone = [change.tool for change in case.condition.changes if change.kind in {"hide", "replace"}]
    removed = tuple(_removed(case, tools[name]) for name in gone)
    return Known(withheld, tuple(_told(case, tools, parts)), removed)


def _value_part(tool: Tool, parameter: str, parts: Mapping[str, Part]) -> Part:
    """The part of the task; made here for a value that nobody has to speak of."""
    made = value_part(tool, parameter)
    return parts.get(made.id, made)


def _told(case: Case, tools: Mapping[str, Tool], parts: Mapping[str, Part]) -> Iterator[Held]:
    """The values that the request gives."""
    missing = case.missing
    said = cast("Mapping[str, str]", case.task.provenance.get("said", {}))
    for number, step in enumerate(case.task.plan):
        for name, argument in step.arguments.items():
            taken = missing is not None and (number, name) == (missing.step, missing.parameter)
            if argument.origin != "step" and not taken:
                part = _value_part(tools[step.tool], name, parts)
                yield Held(part, argument.value, said.get(f"{number}.{name}", ""))


def _removed(case: Case, tool: Tool) -> Removed:
    """What a person can do for a tool that is gone, and what they would find.

    In the settings where one tool is gone, the setting says it.
    """
    alone = case.setting is Split.NO_TOOLS
    can_do = person_can(case, tool) if alone else case.setting is Split.REPLACEABLE
    return Removed(job_part(tool), can_do, found_by(case.task, tool.name) if can_do else ())


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


BREAKS: tuple[Failure, ...] = ("gone", "server_error", "timeout", "empty", "malformed", "wrong")


def plan_of_cases(loaded: OwnCases, options: Mapping[str, Any]) -> Plan:
    """Make the items that the options choose.

    `limit` counts base items: all variants of the first so many are taken, so that minimal pairs stay
    together. Under the published rules, what a person can do is what the paper's label says.
    """
    placed = [Placed(case.task, case.condition, loaded.lines[case.id]) for case in loaded.cases]
    tools = shared_tools(placed, loaded.seed)
    if options["rules"] == "published":
        loaded = replace(loaded, cases=tuple(by_paper(case, tools) for case in loaded.cases))
    cases = chosen(loaded.cases, lambda case: case.setting, options)
    notes = unreached(loaded.info, first_lines(placed), loaded.seed)
    if options["broken"] != "none":
        items = tuple(_broken_items(cases, loaded, tools, options))
        notes += _unbreakable(cases, items, options)
        return Plan(loaded.info, items, (0, 0), notes, loaded.seed)
    items = [own_item(case, _condition(case, tools, options), tools) for case in cases]
    if options["win_rate"]:
        items = [
            replace(item, full=with_tools(item, tools)) if item.setting is Split.NO_TOOLS else item
            for item in items
        ]
    return Plan(loaded.info, tuple(items), (0, 0), notes, loaded.seed)


class _Clustered(Protocol):
    @property
    def cluster(self) -> str: ...


C = TypeVar("C", bound=_Clustered)


def chosen(cases: Sequence[C], setting_of: Callable[[C], Split], options: Mapping[str, Any]) -> list[C]:
    """The cases of the setting that the options name, of as many base items as they allow."""
    setting = Split.PERFECT.value if options["broken"] != "none" else str(options["setting"])
    wanted = [case for case in cases if setting in ("all", setting_of(case).value)]
    limit = int(options.get("limit") or 0)
    if not limit:
        return wanted
    bases = set(list(dict.fromkeys(case.cluster for case in wanted))[:limit])
    return [case for case in wanted if case.cluster in bases]


def _condition(case: Case, tools: Mapping[str, Tool], options: Mapping[str, Any]) -> Condition:
    count = int(options["distractors"])
    if not count:
        return case.condition
    return in_a_crowd(case, tools, tuple(tools.values()), count, int(options["seed"]))


def _broken_items(
    cases: Sequence[Case], loaded: OwnCases, tools: Mapping[str, Tool], options: Mapping[str, Any]
) -> Iterator[AskedItem]:
    """The perfect cases, each once for every way to break."""
    chosen = str(options["broken"]).replace("-", "_")
    ways = BREAKS if chosen == "all" else (cast("Failure", chosen),)
    missing = {
        case.cluster: case.missing.tool
        for case in loaded.cases
        if case.setting in UNAVAILABLE and case.missing is not None
    }
    for case in cases:
        names = _in_turn(case, missing.get(case.cluster), tools, int(options["seed"]))
        for how in ways:
            item = next(filter(None, (_broken(case, name, how, loaded.seed, tools) for name in names)), None)
            if item is not None:
                yield item


def _in_turn(case: Case, missing: str | None, tools: Mapping[str, Tool], seed: int) -> list[str]:
    """The tools that can break: the one that is missing from its variant first, so that both are compared."""
    names = list(breakable(case.task, tools))
    generator(seed, "broken", case.id).shuffle(names)
    return sorted(names, key=lambda name: name != missing)


def _broken(case: Case, name: str, how: Failure, seed: int, tools: Mapping[str, Tool]) -> AskedItem | None:
    """The item with one broken tool; None where that tool cannot break like that."""
    wrong = ()
    if how == "wrong":
        session, other = (open_world(case.task.world, one) for one in (seed, other_seed(seed)))
        wrong = wrong_facts(case.task, session, other, name)
        if not wrong:
            return None
    condition = broken(case.task, name, how)
    item = own_item(case, condition, tools)
    tool = tools[name]
    can_do = person_can(case, tool)
    told = item.known.told if item.known else ()
    removed = Removed(job_part(tool), can_do, found_by(case.task, name) if can_do else ())
    told_wrong = {(fact.label, fact.sources): fact for fact in wrong}
    return replace(
        item,
        labels={**item.labels, "missing": "tool", "broken": how.replace("_", " ")},
        lacks=("tools",),
        gap="tool",
        reach=reach(case.task, without(case.task, condition.withheld or ())),
        missing=really_missing(case.task, condition),
        known=Known(told=told, removed=(removed,)),
        helpful=can_do,
        wrong=tuple(told_wrong.get((fact.label, fact.sources), fact) for fact in case.task.facts)
        if wrong
        else (),
    )


def _unbreakable(
    cases: Sequence[Case], items: Sequence[AskedItem], options: Mapping[str, Any]
) -> tuple[str, ...]:
    ways = len(BREAKS) if options["broken"] == "all" else 1
    lost = ways * len(cases) - len(items)
    if not lost:
        return ()
    what = "Items without a required tool that can fail in this way, or return a wrong result, are left out"
    return (f"{what}: {lost:,} of {ways * len(cases):,}.",)
