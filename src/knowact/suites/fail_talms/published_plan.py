"""The items of a published release under a run's options."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from knowact.conditions.broken import broken
from knowact.core.condition import Failure
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.core.table import DatasetInfo
from knowact.datasets.deviations import counted
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.functions import Function
from knowact.suites.fail_talms.layout import Split
from knowact.suites.fail_talms.own_plan import BREAKS
from knowact.suites.fail_talms.published import Published, PublishedItem, load_published
from knowact.suites.fail_talms.published_items import published_item, with_tools
from knowact.suites.fail_talms.replies import Cassette, Replies, read_cassette, template_replies

MOST_NAMED = 3
"""So many items of a kind are named in a note; `data stats` has them all."""


@dataclass(frozen=True, slots=True)
class _Voices:
    """Where the replies of published tools come from; neither where nothing is acted."""

    cassette: Cassette | None = None
    templates: bool = False

    def of(self, functions: Sequence[Function]) -> Replies | None:
        if self.cassette is not None:
            return self.cassette.replies(functions)
        return template_replies(functions) if self.templates else None


def plan_of_release(folder: Path, options: Mapping[str, Any]) -> Plan:
    """Make the items that the options choose; what the release does not have is an obstacle to running them.

    Raises:
        BadData: The release or the cassette cannot be used.
    """
    voices = _voices(options)
    published = load_published(folder)
    chosen = _chosen(published.items, options)
    mended: dict[str, list[str]] = {}
    for one in published.deviations:
        field = f" {one.place.field}" if one.place.field else ""
        mended.setdefault(one.item, []).append(f"{one.kind} ({one.done}){field}: {one.how}")
    items = tuple(_items(chosen, published, voices, mended, options))
    notes = (*_notes(published, items, options), *_untaken(published, voices))
    return Plan(_info(published, voices), items, (0, 0), notes, obstacle=_obstacle(items, voices, options))


def _info(published: Published, voices: _Voices) -> DatasetInfo:
    """The data, recorded replies included: a run does not go on with others than it began with."""
    if voices.cassette is None:
        return published.info
    both = hashlib.sha256(f"{published.info.sha256} {voices.cassette.sha256}".encode()).hexdigest()
    return replace(published.info, sha256=both)


def _untaken(published: Published, voices: _Voices) -> Iterator[str]:
    """What a cassette has replies for that is no function of the release: misspelt, as a rule."""
    unknown = voices.cassette.unknown(published.pool) if voices.cassette else ()
    if unknown:
        named = [f"{one.tool}.{one.function}" for one in unknown[:MOST_NAMED]]
        more = ", …" if len(unknown) > MOST_NAMED else ""
        what = f"The cassette has replies for {len(unknown):,} functions that no query has"
        yield f"{what}: {', '.join(named)}{more}"


def _obstacle(items: Sequence[AskedItem], voices: _Voices, options: Mapping[str, Any]) -> str:
    """Why the items cannot be run."""
    if options["helper"] == "scripted":
        return (
            "Nobody wrote down what the published queries lack, so the scripted person has nothing to answer "
            "from; use --helper model (with --role helper=MODEL) or --helper person."
        )
    acts = options["probe"] != "awareness" and any(item.tools or item.full for item in items)
    if not acts or voices.cassette is not None or voices.templates:
        return ""
    return (
        "The published data hold no replies of their tools, so nothing can be acted: give recorded ones with "
        "--cassette FILE, take the data's sketches with --replies template (synthetic), or ask only with "
        "--probe awareness."
    )


def _voices(options: Mapping[str, Any]) -> _Voices:
    if options["cassette"]:
        return _Voices(read_cassette(Path(str(options["cassette"]))))
    return _Voices(templates=options["replies"] == "template")


def _chosen(items: Sequence[PublishedItem], options: Mapping[str, Any]) -> list[PublishedItem]:
    setting = Split.PERFECT.value if options["broken"] != "none" else str(options["setting"])
    wanted = [item for item in items if setting in ("all", item.split.value)]
    limit = int(options.get("limit") or 0)
    if not limit:
        return wanted
    bases = set(list(dict.fromkeys(item.cluster for item in wanted))[:limit])
    return [item for item in wanted if item.cluster in bases]


def _items(
    chosen: Sequence[PublishedItem],
    published: Published,
    voices: _Voices,
    mended: Mapping[str, Sequence[str]],
    options: Mapping[str, Any],
) -> Iterator[AskedItem]:
    count = int(options["distractors"])
    for one in chosen:
        crowd = _crowd(one, published.pool, count, int(options["seed"])) if one.functions else ()
        item = published_item(one, voices.of((*one.functions, *crowd)), mended.get(one.id, ()), crowd)
        if options["win_rate"] and one.split is Split.NO_TOOLS and one.dropped:
            item = replace(item, full=with_tools(item, one, voices.of(one.dropped)))
        yield from _broken_items(item, options) if options["broken"] != "none" else (item,)


def _crowd(item: PublishedItem, pool: Sequence[Function], count: int, seed: int) -> tuple[Function, ...]:
    """Distractors: functions of the same category first. Nobody has said what they can do."""
    taken = {function.tool.name for function in (*item.functions, *(item.dropped or ()))}
    spare = {one.tool.name: one for one in pool if one.tool.name not in taken}
    drawn = list(spare.values())
    generator(seed, "distractors", item.id).shuffle(drawn)
    return tuple(sorted(drawn, key=lambda one: one.key.category != item.category)[:count])


def _broken_items(item: AskedItem, options: Mapping[str, Any]) -> Iterator[AskedItem]:
    """The item with one of its own tools broken, once for every way; which one, the seed decides."""
    needed = {step.tool for step in item.task.plan}
    offered = {tool.name for tool in item.tools}
    names = sorted(name for name in needed if name in offered)
    if not names:
        return
    name = generator(int(options["seed"]), "broken", item.task.id).choice(names)
    chosen = str(options["broken"]).replace("-", "_")
    for how in BREAKS if chosen == "all" else (cast("Failure", chosen),):
        yield _with_broken(item, name, how)


def _with_broken(item: AskedItem, name: str, how: Failure) -> AskedItem:
    condition = broken(item.task, name, how)
    return replace(
        item,
        condition=condition,
        labels={**item.labels, "missing": "tool", "broken": how.replace("_", " ")},
        lacks=("tools",),
        gap="tool",
        missing=frozenset(condition.withheld or ()),
        helpful=False,
    )


def _notes(published: Published, items: Sequence[AskedItem], options: Mapping[str, Any]) -> Iterator[str]:
    """What the user should know before the run, a sentence each."""
    for (split, kind), n in sorted(published.excluded_counts.items()):
        yield f"Set aside in {split.value}: {n:,} ({kind})."
    for (kind, done), n in counted(published.deviations).items():
        every = [one.item for one in published.deviations if one.kind is kind and one.item]
        named = list(dict.fromkeys(every))[:MOST_NAMED]
        more = ", …" if n > len(named) else ""
        yield f"{n:,} x {kind} ({done}): {', '.join(named) or 'no item of its own'}{more}"
    if options["replies"] == "template":
        yield "The tools answer with the data's sketches of a reply: synthetic, whatever the arguments."
    gaps = sum(bool(item.task.replay_gap) for item in items)
    if gaps:
        yield f"{gaps:,} items have a tool without any reply: their pass is not judged."
    if int(options["distractors"]):
        yield "Nobody has said what these tools can do, so the distractors are not proven harmless."
