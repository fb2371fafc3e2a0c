"""The published data set as items of ours, in pairs.

*Untested on the real files*: none was at hand, so this follows the card, one visible row, and the public
sources. Every departure is taken and told (`Published.deviations`); what cannot be used is refused with file,
line and column; pairs whose labels contradict what they show are set aside with a reason.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knowact.core.errors import BadData, Place
from knowact.core.table import DatasetInfo
from knowact.datasets.deviations import Deviation
from knowact.datasets.hub import fetched
from knowact.datasets.lines import sha256
from knowact.datasets.own import in_turn
from knowact.suites.ict.cases import Manipulation
from knowact.suites.ict.layout import HUB, PARTS, RELEASE, Kind, Part, find_files
from knowact.suites.ict.pairing import pair_up
from knowact.suites.ict.rows import PublishedItem, read_file


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """A manipulated item and its original."""

    manipulated: PublishedItem
    original: PublishedItem


@dataclass(frozen=True, slots=True)
class SetAside:
    """Items that are left out by default, and why: the two of a pair, or those without a partner."""

    reason: Kind
    items: tuple[PublishedItem, ...]


@dataclass(frozen=True, slots=True)
class Published:
    """A loaded release.

    Attributes:
        pairs: Those that can be used; one of each part in turn, so that any prefix is a fair sample.
        excluded: What is set aside.
        deviations: What departs from the card, item by item, and what was done about it.
    """

    info: DatasetInfo
    pairs: tuple[PublishedPair, ...]
    excluded: tuple[SetAside, ...]
    deviations: tuple[Deviation, ...]

    @property
    def items(self) -> tuple[PublishedItem, ...]:
        """The items of all pairs, the original first; one that several pairs share comes once."""
        both = (item for pair in self.pairs for item in (pair.original, pair.manipulated))
        return tuple({item.id: item for item in both}.values())

    @property
    def excluded_counts(self) -> Mapping[tuple[Part, Kind], int]:
        """How often something was set aside, by part and reason."""
        return Counter((left_out.items[0].part, left_out.reason) for left_out in self.excluded)


def load_published(
    source: str | Path, corruption_types: Mapping[str, Manipulation] | None = None
) -> Published:
    """Load a release, or a part of one.

    Args:
        source: A folder with published files (`raw/*.jsonl`, `*.jsonl` or `*.parquet`), one file of JSON
            Lines or parquet, or "ddehun/ICT", which is fetched from the hub once (14 MB) and kept.
        corruption_types: What values of `corruption_type` stand for that neither the card nor the paper's
            own words explain (`layout.corruption_types` reads them from a text).

    Raises:
        BadData: A row cannot be used; the first one is named.
        BadUsage: There is no network, or nothing to read parquet with.
    """
    deviations = list[Deviation]()
    path = fetched(RELEASE) if str(source) == HUB and not Path(source).exists() else Path(source)
    files = find_files(path, deviations)
    rows = [row for file in files for row in read_file(file, corruption_types or {}, deviations)]
    if not rows:
        raise BadData("the files hold no row", Place(path), "name the folder of a release")
    drafts = pair_up(rows)
    pairs = [
        PublishedPair(item, original)
        for draft in drafts
        if draft.reason is None
        for item, original in zip(draft.manipulated, draft.originals, strict=True)
    ]
    excluded = tuple(SetAside(draft.reason, draft.every) for draft in drafts if draft.reason is not None)
    info = DatasetInfo("ict", "published", sha256(*(file.path for file in files)))
    return Published(info, tuple(in_turn(sorted(pairs, key=_place), _place)), excluded, tuple(deviations))


def _place(pair: PublishedPair) -> int:
    return PARTS.index(pair.manipulated.part)
