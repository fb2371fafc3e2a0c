"""The items of our own data under a run's options."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from knowact.conditions.broken import breakable, broken, other_seed, wrong_facts
from knowact.core.condition import Condition, Failure
from knowact.core.parts import job_part
from knowact.core.reach import reach, without
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.core.tool import Tool
from knowact.datasets.in_world import Placed, first_lines, shared_tools, unreached
from knowact.people.helper import Known, Removed
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.cases import Case, OwnCases, in_a_crowd
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.own_items import found_by, own_item, really_missing, with_tools
from knowact.worlds.registry import open_world

BREAKS: tuple[Failure, ...] = ("gone", "server_error", "timeout", "empty", "malformed", "wrong")


def plan_of_cases(loaded: OwnCases, options: Mapping[str, Any]) -> Plan:
    """Make the items that the options choose.

    `limit` counts base items: all variants of the first so many are taken, so that twins stay together.
    """
    cases = _chosen(loaded.cases, options)
    placed = [Placed(case.task, case.condition, loaded.lines[case.id]) for case in loaded.cases]
    tools = shared_tools(placed, loaded.seed)
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


def _chosen(cases: Sequence[Case], options: Mapping[str, Any]) -> list[Case]:
    setting = Split.PERFECT.value if options["broken"] != "none" else str(options["setting"])
    wanted = [case for case in cases if setting in ("all", case.setting.value)]
    limit = int(options.get("limit") or 0)
    if not limit:
        return wanted
    bases = list(dict.fromkeys(case.cluster for case in wanted))[:limit]
    return [case for case in wanted if case.cluster in set(bases)]


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
    can_do = tool.replaceable is not None and tool.replaceable.by_human
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
    what = "Without a required tool that fails, or one whose wrong result could be made up, there is no item"
    return (f"{what}: {lost:,} of {ways * len(cases):,} are left out.",)
