"""Published queries as items: what the data say of them, and no more.

Nobody wrote down which detail an under-specified query lacks, there are no reference facts, and nothing was
recorded. So a pass takes a model judge, acting takes replies from elsewhere, and the scripted person, who
answers from the record, has nothing to answer from.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from pydantic import Field, JsonValue

from knowact.conditions.broken import broken
from knowact.core.condition import CLEAN, Condition, Failure, Hide
from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.parts import Part, distinct, job_part
from knowact.core.proof import Possibility
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.core.table import DatasetInfo
from knowact.core.task import Boundary, Query, Step, Task, Topology, WorldRef
from knowact.datasets.deviations import counted
from knowact.datasets.lines import Line, parse, read_lines, sha256
from knowact.roles.helper import Known, Removed
from knowact.suites.fail_talms.asked import AskedItem, for_audits
from knowact.suites.fail_talms.functions import Function, FunctionKey
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.own_items import BREAKS, GAPS, LACKS, chosen
from knowact.suites.fail_talms.published import Published, PublishedItem, load_published
from knowact.worlds.replay import Reply, canonical


class Taped(Noun):
    """A line of a cassette."""

    category: str = Field(min_length=1)
    tool: str = Field(min_length=1)
    function: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] | None = None
    reply: JsonValue

    @property
    def key(self) -> FunctionKey:
        """The function, the same for every letter case."""
        return FunctionKey(self.category.strip(), self.tool.strip(), self.function.strip()).folded


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies for one item.

    Attributes:
        replies: As the setup of a cassette world has them.
        synthetic: Whether they are sketches, which nobody ever got from a service.
        gaps: The tools that have none at all, by the name that an agent sees.
    """

    replies: tuple[Reply, ...]
    synthetic: bool
    gaps: tuple[str, ...]

    def world(self, functions: Iterable[Function]) -> WorldRef:
        """Return the world in which these functions are answered so."""
        setup = {
            "tools": [function.tool.model_dump(mode="json") for function in functions],
            "replies": [reply.model_dump(mode="json") for reply in self.replies],
        }
        return WorldRef(name="cassette", setup=cast("Mapping[str, JsonValue]", setup))


@dataclass(frozen=True, slots=True)
class Cassette:
    """A cassette that was read. `taped` has the lines of each function, `sha256` is over the file's bytes."""

    file: Path
    sha256: str
    taped: Mapping[FunctionKey, tuple[Taped, ...]]

    def replies(self, functions: Iterable[Function]) -> Replies:
        """Return the replies for one item's functions, under the names that an agent sees."""
        replies: list[Reply] = []
        gaps: list[str] = []
        for function in functions:
            name, taped = function.tool.name, self.taped.get(function.key.folded, ())
            replies += (Reply(tool=name, arguments=line.arguments, reply=line.reply) for line in taped)
            gaps += () if taped else (name,)
        return Replies(tuple(replies), synthetic=False, gaps=tuple(gaps))

    def unknown(self, functions: Iterable[Function]) -> tuple[Taped, ...]:
        """Return a line of each function that is none of these: misspelt, or of another release."""
        known = {function.key.folded for function in functions}
        return tuple(lines[0] for key, lines in self.taped.items() if key not in known)


def read_cassette(file: Path) -> Cassette:
    """Read a cassette.

    Raises:
        BadData: The file cannot be read, a line is wrong, or one call has two different replies.
    """
    taped: dict[FunctionKey, dict[str, tuple[Taped, Line]]] = {}
    for line in read_lines(file):
        record = parse(Taped, line)
        call = canonical(record.arguments)
        first, place = taped.setdefault(record.key, {}).setdefault(call, (record, line))
        if canonical(first.reply) != canonical(record.reply):
            what = f"the same call has another reply on line {place.number}"
            raise BadData(what, line.place("reply"), "keep one of them")
    if not taped:
        raise BadData("the file holds no reply", Place(file), "put one reply on each line")
    return Cassette(
        file,
        sha256(file),
        {key: tuple(record for record, _ in calls.values()) for key, calls in taped.items()},
    )


def template_replies(functions: Iterable[Function]) -> Replies:
    """Return the data's own sketches of replies as replies, each to whatever arguments.

    They have the shape of a result, often with names of types in the place of values: enough to see what an
    agent calls, not whether what it answers is true.
    """
    every = list(functions)
    return Replies(
        tuple(
            Reply(tool=function.tool.name, reply=function.reply)
            for function in every
            if function.reply is not None
        ),
        synthetic=True,
        gaps=tuple(function.tool.name for function in every if function.reply is None),
    )


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
        task=for_audits(
            _task(item, replies or Replies((), synthetic=False, gaps=()), offered),
            gap,
            lacks=bool(LACKS[gap]),
            left=Possibility.POSSIBLE if gap == "nothing" else None,
        ),
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
    changes = tuple(Hide(tool=function.tool.name) for function in hidden)
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
        plan=tuple(Step(tool=function.tool.name, boundary=Boundary.EXTERNAL) for function in needed)
        or _UNKNOWN,
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
        removed = tuple(Removed(job_part(function.tool), can_do) for function in item.dropped)
        return Known(removed=removed, whole=item.query)
    return Known(whole=item.query)


def _parts(item: PublishedItem) -> tuple[Part, ...]:
    """The jobs of all functions that the request was written for; which values it takes, nobody has said."""
    return distinct(job_part(function.tool) for function in (*item.functions, *(item.dropped or ())))


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
    kept = chosen(published.items, lambda item: item.split, options)
    mended: dict[str, list[str]] = {}
    for deviation in published.deviations:
        field = f" {deviation.place.field}" if deviation.place.field else ""
        mended.setdefault(deviation.item, []).append(
            f"{deviation.kind} ({deviation.done}){field}: {deviation.how}"
        )
    items = tuple(_items(kept, published, voices, mended, options))
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
        named = [f"{record.tool}.{record.function}" for record in unknown[:MOST_NAMED]]
        more = ", …" if len(unknown) > MOST_NAMED else ""
        what = f"The cassette has replies for {len(unknown):,} functions that no query has"
        yield f"{what}: {', '.join(named)}{more}"


def _obstacle(items: Sequence[AskedItem], voices: _Voices, options: Mapping[str, Any]) -> str:
    """Why the items cannot be run."""
    if options["helper"] == "scripted":
        return (
            "The published data don't say what a query lacks, so the scripted person cannot answer; "
            "use --helper model (with --role helper=MODEL) or --helper person."
        )
    acts = options["probe"] != "awareness" and any(item.tools or item.full for item in items)
    if not acts or voices.cassette is not None or voices.templates:
        return ""
    return (
        "The published data hold no replies of their tools, so the agent cannot act: give recorded replies "
        "with --cassette FILE, use the data's sketches with --replies template (synthetic), or only ask "
        "with --probe awareness."
    )


def _voices(options: Mapping[str, Any]) -> _Voices:
    if options["cassette"]:
        return _Voices(read_cassette(Path(str(options["cassette"]))))
    return _Voices(templates=options["replies"] == "template")


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
        yield "These tools declare no capabilities, so the distractors are not proven harmless."
