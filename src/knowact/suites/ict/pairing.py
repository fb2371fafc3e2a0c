"""Which rows belong together, which tools each of them shows, and what speaks against a pair.

A manipulated row and its original share `original_sample_id` within one
part. Which column holds the altered tools is told by `is_corrupted` and by what differs from the original.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from knowact.core.world import Call
from knowact.datasets.deviations import Deviation
from knowact.suites.ict.cases import Manipulation
from knowact.suites.ict.descriptors import Offer, ToolKey, has_tools, read_offers
from knowact.suites.ict.layout import Benchmark, Kind, folded
from knowact.suites.ict.rows import ALTERED_TOOLS, ANSWER, TOOLS, PublishedItem


@dataclass(frozen=True, slots=True)
class Draft:
    """A manipulated row and its original, or rows without a partner.

    Attributes:
        id: "apibank.api_replacement.17", with a number behind it for the second pair of one sample.
        reason: Why it is set aside; None where it is not.
    """

    id: str
    manipulated: Sequence[PublishedItem]
    originals: Sequence[PublishedItem]
    reason: Kind | None

    @property
    def every(self) -> tuple[PublishedItem, ...]:
        """All rows, originals first."""
        return (*self.originals, *self.manipulated)

    @property
    def conversation(self) -> tuple[Benchmark, str]:
        """What the original says, and where it comes from: pairs that share it are not independent."""
        item = self.every[0]
        return item.benchmark, "\n".join(utterance.text for utterance in item.utterances)


def pair_up(items: Iterable[PublishedItem]) -> list[Draft]:
    """Put each manipulated row together with its original, and say what each shows.

    Several manipulated rows may share one original. Where the numbers of both are different otherwise, nobody
    can say which belongs to which.

    Raises:
        BadData: The tools of a row cannot be read.
    """
    samples: dict[tuple[str, int], list[PublishedItem]] = {}
    for item in items:
        samples.setdefault((item.part.stem, item.sample), []).append(item)
    drafts = [draft for group in samples.values() for draft in _drafts(group)]
    clusters: dict[tuple[Benchmark, str], str] = {}
    for draft in drafts:
        # A conversation is named after the first pair whose original it is.
        name = clusters.setdefault(draft.conversation, draft.id)
        for item in draft.every:
            item.cluster = name
    return drafts


def _drafts(group: Sequence[PublishedItem]) -> list[Draft]:
    manipulated = [item for item in group if item.is_corrupted]
    originals = [item for item in group if not item.is_corrupted]
    name = group[0].id.rsplit(".", 1)[0]
    reason = _unmatched(len(manipulated), len(originals))
    if reason is not None:
        for item in group:
            item.row.excluded(reason, f"{len(manipulated)} manipulated, {len(originals)} original")
        for item in (*manipulated, *originals):
            item.offers = read_offers(item.row, _column(item))
            item.withheld = None if item.is_corrupted else ()
        return [Draft(name, manipulated, originals, reason)]
    if len(originals) < len(manipulated):
        originals[0].row.noted(Kind.ORIGINAL_SHARED, f"{originals[0].id} stands for all of them")
    for original in originals:
        _show_original(original)
    originals *= len(manipulated) // len(originals)
    return [
        _pair(name if number == 1 else f"{name}-{number}", item, original)
        for number, (item, original) in enumerate(zip(manipulated, originals, strict=True), start=1)
    ]


def _unmatched(manipulated: int, originals: int) -> Kind | None:
    if not originals:
        return Kind.NO_ORIGINAL
    if not manipulated:
        return Kind.NO_MANIPULATED
    return None if originals in (1, manipulated) else Kind.AMBIGUOUS


def _column(item: PublishedItem) -> str:
    """The first column that has any tools."""
    altered = item.is_corrupted and item.manipulation is Manipulation.REPLACEMENT
    columns = (ALTERED_TOOLS, TOOLS) if altered else (TOOLS, ALTERED_TOOLS)
    return next((column for column in columns if has_tools(item.row, column)), columns[0])


def _unaltered(item: PublishedItem) -> tuple[Offer, ...]:
    """The tools where no tool was altered."""
    column = _column(item)
    if column != TOOLS:
        item.row.noted(Kind.OTHER_COLUMN, f"not in {TOOLS!r}", column)
    return read_offers(item.row, column)


def _show_original(item: PublishedItem) -> None:
    item.offers, item.withheld = _unaltered(item), ()
    known = {name for offer in item.offers for name in _names(offer.key)}
    for call in item.answer:
        if folded(call.tool) not in known:
            item.row.noted(Kind.ANSWER_NOT_OFFERED, f"it calls {call.tool!r}", ANSWER)


def _pair(name: str, item: PublishedItem, original: PublishedItem) -> Draft:
    same_words = item.utterances == original.utterances
    if item.manipulation is Manipulation.REPLACEMENT:
        item.offers = _named_alike(_altered(item, original), original)
        gone = (offer for offer in original.offers if not _among(offer, item.offers))
        item.withheld = tuple(f"tool:{offer.tool.name}" for offer in gone)
        if not same_words:
            item.row.noted(Kind.TEXT_DIFFERS, f"{original.id} says something else")
    else:
        offers = _unaltered(item)
        if _identities(offers) != _identities(original.offers):
            item.row.noted(Kind.TOOLS_DIFFER, f"{original.id} offers others", _column(item))
        item.offers = _named_alike(offers, original)
    reason = _reason(item, original, same_words=same_words)
    if reason is not None:
        for either in (original, item):
            either.row.excluded(reason, f"the pair {name} is set aside")
    return Draft(name, [item], [original], reason)


def _altered(item: PublishedItem, original: PublishedItem) -> tuple[Offer, ...]:
    """The altered tools: of the columns that differ from the original's tools, the one that is named so."""
    before = _identities(original.offers)
    # A list of deviations for each: what is odd about a column that is not shown is nobody's business.
    quiet = {
        column: replace(item.row, deviations=list[Deviation]())
        for column in (ALTERED_TOOLS, TOOLS)
        if has_tools(item.row, column)
    }
    read = {column: read_offers(row, column) for column, row in quiet.items()}
    column = next((column for column in read if _identities(read[column]) != before), _column(item))
    if column not in read:
        return read_offers(item.row, column)
    item.row.deviations += quiet[column].deviations
    if column != ALTERED_TOOLS:
        item.row.noted(Kind.OTHER_COLUMN, f"the altered tools are in {column!r}", column)
    return read[column]


def _named_alike(offers: tuple[Offer, ...], original: PublishedItem) -> tuple[Offer, ...]:
    """Give tools that both offer one name: a namesake that is gone must not show in the other's name."""
    names = {offer.identity: offer.tool.name for offer in original.offers}
    alike = [names.get(offer.identity, offer.tool.name) for offer in offers]
    if len(set(alike)) < len(alike):
        return offers
    return tuple(
        replace(offer, tool=offer.tool.model_copy(update={"name": name}))
        for offer, name in zip(offers, alike, strict=True)
    )


def _reason(item: PublishedItem, original: PublishedItem, *, same_words: bool) -> Kind | None:
    """Say why a pair cannot be asked about; None where it can."""
    if any(either.utterances[-1].role != "user" for either in (item, original)):
        return Kind.ENDS_WITH_CALL
    same_tools = _identities(item.offers) == _identities(original.offers)
    if same_words and (same_tools or item.manipulation is Manipulation.REMOVAL):
        return Kind.UNALTERED
    if item.manipulation is Manipulation.REMOVAL:
        return None
    needed = [offer for offer in original.offers if _called(offer, original.answer)]
    if same_tools or (needed and all(_among(offer, item.offers) for offer in needed)):
        return Kind.STILL_THERE
    return None


def _called(offer: Offer, calls: Iterable[Call]) -> bool:
    return any(folded(call.tool) in _names(offer.key) for call in calls)


def _names(key: ToolKey) -> tuple[str, ...]:
    """How an answer may call a tool; "<function>_for_<tool>" is how ToolBench shows them to models."""
    bare, server = folded(key.name), folded(key.server)
    return (bare, f"{bare}for{server}", f"{server}{bare}") if server else (bare,)


def _among(offer: Offer, offers: Iterable[Offer]) -> bool:
    return any(offer.identity == other.identity for other in offers)


def _identities(offers: Iterable[Offer]) -> list[str]:
    return sorted(offer.identity for offer in offers)
