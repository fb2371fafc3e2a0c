"""The paper's Table 1: how much there is of each part, and how long it is (spec ict.md, section 4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from knowact.core.clean import dumps
from knowact.core.table import Estimate, Row, Table
from knowact.core.task import Opening, Utterance
from knowact.core.tool import Tool
from knowact.datasets.stats import words
from knowact.suites.ict.layout import PARTS
from knowact.suites.ict.published import PublishedItem

INSTANCES: Final = "manipulated instances"
TURNS: Final = "turns"
TOOLS: Final = "tools per instance"
UTTERANCE: Final = "length of a turn"
DESCRIPTION: Final = "length of a tool"

PRINTED: Final[Mapping[str, tuple[float, ...]]] = {
    "AR-AB": (423, 6.18, 2.13, 17.66, 434.39),
    "AR-TB": (477, 1, 5.13, 52.38, 713.35),
    "UR-AB": (304, 5.18, 2.05, 18.87, 443.38),
    "UR-TB": (406, 1, 5.51, 51.15, 747.53),
}
"""The paper's figures, in the order of `_numbers`."""

HERE, PAPER = "here", "paper"

NOTE: Final = (
    "Over the manipulated items of each part (AR: tools replaced, UR: words removed; AB: API-Bank, "
    "TB: ToolBench). A turn is what the user or the assistant says, an earlier call belongs to the "
    "assistant's; its length is in words, that of a tool in characters of its descriptor as JSON. The paper "
    "names no units: its lengths of turns are most likely in sub-word tokens, those of tools in characters."
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One manipulated item, as far as the table looks at it.

    Attributes:
        part: Its column.
        descriptors: What an agent reads of each tool.
    """

    part: str
    utterances: Sequence[Utterance]
    descriptors: Sequence[str]


def statistics(items: Iterable[PublishedItem]) -> Table:
    """Return Table 1 for published items, beside what the paper prints for the parts that are there."""
    return table_1(
        [Measured(item.part.short, item.utterances, item.descriptors) for item in items if item.is_corrupted],
        PRINTED,
    )


def measured(part: str, opening: Opening, tools: Iterable[Tool]) -> Measured:
    """Return what the table needs of an item of our own; a tool is as long as its name, words and schema."""
    shown = [
        dumps({"name": one.name, "description": one.description, "parameters": one.parameters})
        for one in tools
    ]
    return Measured(part, opening.utterances, shown)


def table_1(items: Sequence[Measured], printed: Mapping[str, Sequence[float]] | None = None) -> Table:
    """Return Table 1: a row per part, in the paper's order, then any other part in its own.

    Args:
        items: The manipulated items.
        printed: The paper's figures by part; none are shown for data that are not the paper's.
    """
    there = dict.fromkeys(item.part for item in items)
    parts = dict.fromkeys([part.short for part in PARTS if part.short in there]) | there
    rows: list[Row] = []
    for part in parts:
        own = [item for item in items if item.part == part]
        found = _numbers(own)
        rows += [Row({"part": part, "from": HERE}, name, one) for name, one in found.items()]
        if printed and part in printed:
            figures = zip(found, printed[part], strict=True)
            n = int(printed[part][0])
            rows += [Row({"part": part, "from": PAPER}, name, Estimate(one, n)) for name, one in figures]
    return Table("table-1", "How much there is", "ICT, Table 1", tuple(rows), note=NOTE, percent=False)


def _numbers(items: Sequence[Measured]) -> dict[str, Estimate]:
    turns = [len(item.utterances) for item in items]
    tools = [len(item.descriptors) for item in items]
    said = [len(words(one.text)) for item in items for one in item.utterances if one.text]
    lengths = [len(one) for item in items for one in item.descriptors]
    means = {TURNS: turns, TOOLS: tools, UTTERANCE: said, DESCRIPTION: lengths}
    found = {INSTANCES: Estimate(len(items), len(items))}
    return found | {
        name: Estimate(fmean(values) if values else None, len(values)) for name, values in means.items()
    }
