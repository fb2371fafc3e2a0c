"""The published benchmark as items of ours.

Every departure from its own layout is taken and told (`Published.deviations`); what cannot be used is refused
with file and line. Queries without anything changed, and those labelled both ways, are set aside.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knowact.core.condition import CLEAN, Condition
from knowact.core.errors import BadData, Place
from knowact.core.table import DatasetInfo
from knowact.datasets.deviations import Deviation
from knowact.datasets.lines import sha256
from knowact.datasets.own import in_turn
from knowact.suites.fail_talms.functions import Function, Toolbox, named
from knowact.suites.fail_talms.layout import Kind, Split, require_benchmark
from knowact.suites.fail_talms.queries import Draft, Entry, read_queries, relate


@dataclass(frozen=True, slots=True)
class PublishedItem:
    """One published query.

    Attributes:
        id: "under-specified.Language.4.2": setting, category, base number, variant. Unique, and the same for
            every copy of the data.
        split: The setting.
        category: As its folder is named.
        base: The number of the base query; None where only a combined file has this one.
        variant: Its number among the variants of its base query; None where it has none.
        query_id: Its id in the combined file of its setting, which published outputs refer to.
        query: What the user says.
        functions: On offer, in the published order.
        dropped: The functions that are withheld; None where that is not known.
        original: The text of the base query; None where that is not there.
        cluster: The same for all variants of one base query in all settings ("Language.4").
        excluded: Why it is set aside; None where it is not.
        relevant: What `relevant APIs` names; nearly always nothing.
        place: File and line.
    """

    id: str
    split: Split
    category: str
    base: int | None
    variant: int | None
    query_id: int | None
    query: str
    functions: tuple[Function, ...]
    dropped: tuple[Function, ...] | None
    original: str | None
    cluster: str
    excluded: Kind | None
    relevant: tuple[str, ...]
    place: Place

    @property
    def withheld(self) -> tuple[str, ...] | None:
        """What is missing, as `Condition.withheld` has it.

        Not known (None) for under-specified queries: nobody wrote down which detail was taken out of
        `original`.
        """
        if self.split is Split.PERFECT:
            return ()
        if self.split is Split.UNDER_SPECIFIED or self.dropped is None:
            return None
        return tuple(f"tool:{function.tool.name}" for function in self.dropped)

    @property
    def condition(self) -> Condition:
        """The published setting as a condition; its changes are in the data, none is left to apply."""
        return (
            CLEAN if self.split is Split.PERFECT else Condition(name=self.split.value, withheld=self.withheld)
        )


@dataclass(frozen=True, slots=True)
class Published:
    """A loaded benchmark.

    Attributes:
        items: Those that can be used; of each setting one of each category in turn, so that any prefix of a
            setting is a fair sample.
        excluded: Those that are set aside, likewise.
        pool: Every function of every descriptor, for distractors.
        deviations: What departs from the layout, item by item, and what was done about it.
    """

    info: DatasetInfo
    items: tuple[PublishedItem, ...]
    excluded: tuple[PublishedItem, ...]
    pool: tuple[Function, ...]
    deviations: tuple[Deviation, ...]

    @property
    def every(self) -> tuple[PublishedItem, ...]:
        """All items, those that are set aside too."""
        return (*self.items, *self.excluded)

    @property
    def excluded_counts(self) -> Mapping[tuple[Split, Kind], int]:
        """How many items of each setting are set aside, by reason."""
        return Counter((item.split, item.excluded) for item in self.excluded if item.excluded is not None)

    def by_query_id(self, split: Split) -> Mapping[int, PublishedItem]:
        """The items of a setting by the id that published outputs refer to."""
        return {
            item.query_id: item for item in self.every if item.split is split and item.query_id is not None
        }


def load_published(path: Path) -> Published:
    """Load every setting of a release that is there.

    Args:
        path: The folder of a release (with `benchmark` and `tools` in it), or its `benchmark`.

    Raises:
        BadData: The folder has another layout, or a query cannot be used; the first one is named.
    """
    deviations = list[Deviation]()
    folders = require_benchmark(path, deviations)
    queries = read_queries(folders, deviations)
    if not queries.entries:
        what = "none of the published folders holds a query"
        raise BadData(what, Place(folders.root), "name the folder that holds 'benchmark'")
    toolbox = Toolbox(folders.tools, deviations)
    drafts = [Draft(entry, _functions(entry, toolbox)) for entry in queries.entries]
    relate(drafts)
    every = [_item(draft) for draft in drafts]
    # Setting by setting, one item of each category in turn.
    items = [
        item
        for split in folders.splits
        for item in in_turn((item for item in every if item.split is split), lambda item: item.category)
    ]
    return Published(
        info=DatasetInfo("fail-talms", "published", sha256(*sorted((*queries.files, *toolbox.used)))),
        items=tuple(item for item in items if item.excluded is None),
        excluded=tuple(item for item in items if item.excluded is not None),
        pool=toolbox.pool(),
        deviations=tuple(deviations),
    )


def _functions(entry: Entry, toolbox: Toolbox) -> tuple[Function, ...]:
    return named([toolbox.function(offered) for offered in entry.offered], entry.offered)


def _item(draft: Draft) -> PublishedItem:
    entry, original = draft.entry, draft.original
    perfect = entry.split is Split.PERFECT
    return PublishedItem(
        id=entry.id,
        split=entry.split,
        category=entry.category,
        base=entry.base,
        variant=entry.variant,
        query_id=entry.query_id,
        query=entry.text,
        functions=draft.functions,
        dropped=() if perfect else draft.dropped,
        original=entry.text if perfect else original.entry.text if original else None,
        cluster=draft.cluster,
        excluded=draft.excluded,
        relevant=entry.relevant,
        place=entry.row.place(),
    )
