"""The published benchmark as items of ours.

Every departure from its own layout is taken and told (`Published.deviations`); what cannot be used is refused
with file and line. Queries without anything changed, and those labelled both ways, are set aside.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knowact.core.errors import BadData, Place
from knowact.core.table import DatasetInfo
from knowact.datasets.deviations import Deviation
from knowact.datasets.lines import sha256
from knowact.datasets.own import in_turn
from knowact.suites.fail_talms.functions import Function, Toolbox, named
from knowact.suites.fail_talms.layout import Kind, Split, require_benchmark
from knowact.suites.fail_talms.queries import PublishedItem, read_queries, relate


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
    if not queries.items:
        what = "none of the published folders holds a query"
        raise BadData(what, Place(folders.root), "name the folder that holds 'benchmark'")
    toolbox = Toolbox(folders.tools, deviations)
    for item in queries.items:
        item.functions = named([toolbox.function(entry) for entry in item.offered], item.offered)
    relate(queries.items)
    # Setting by setting, one item of each category in turn.
    items = [
        item
        for split in folders.splits
        for item in in_turn(
            (item for item in queries.items if item.split is split), lambda item: item.category
        )
    ]
    return Published(
        info=DatasetInfo("fail-talms", "published", sha256(*sorted((*queries.files, *toolbox.used)))),
        items=tuple(item for item in items if item.excluded is None),
        excluded=tuple(item for item in items if item.excluded is not None),
        pool=toolbox.pool(),
        deviations=tuple(deviations),
    )
