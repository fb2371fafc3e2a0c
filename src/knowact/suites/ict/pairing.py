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
from knowact.suites.ict.rows import ALTERED_TOOLS, ANSWER, TOOLS, Row


@dataclass(frozen=True, slots=True)
class Shown:
    """A row with the tools that it offers, and what is withheld thereby (None: not known)."""

    row: Row
    offers: tuple[Offer, ...]
    withheld: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Draft:
    """A manipulated row and its original, or rows without a partner.

    Attributes:
        id: "apibank.api_replacement.17", with a number behind it for the second pair of one sample.
        reason: Why it is set aside; None where it is not.
    """

    id: str
    manipulated: tuple[Shown, ...]
    originals: tuple[Shown, ...]
    reason: Kind | None

    @property
    def every(self) -> tuple[Shown, ...]:
        """All rows, originals first."""
        return (*self.originals, *self.manipulated)

    @property
    def conversation(self) -> tuple[Benchmark, str]:
        """What the original says, and where it comes from: pairs that share it are not independent."""
        row = self.every[0].row
        return row.part.benchmark, "\n".join(one.text for one in row.utterances)


def pair_up(rows: Iterable[Row]) -> list[Draft]:
    """Put each manipulated row together with its original.

    Several manipulated rows may share one original. Where the numbers of both are different otherwise, nobody
    can say which belongs to which.

    Raises:
        BadData: The tools of a row cannot be read.
    """
    samples: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        samples.setdefault((row.part.stem, row.sample), []).append(row)
    return [draft for group in samples.values() for draft in _drafts(group)]


def _drafts(group: Sequence[Row]) -> list[Draft]:
    manipulated = [row for row in group if row.corrupted]
    originals = [row for row in group if not row.corrupted]
    name = group[0].id.rsplit(".", 1)[0]
    reason = _unmatched(len(manipulated), len(originals))
    if reason is not None:
        how = f"{len(manipulated)} manipulated, {len(originals)} original"
        for row in group:
            row.members.excluded(reason, how)
        return [Draft(name, _alone(manipulated), _alone(originals), reason)]
    if len(originals) < len(manipulated):
        how = f"{originals[0].id} stands for all of them"
        originals[0].members.noted(Kind.ORIGINAL_SHARED, how)
        originals *= len(manipulated)
    shown = {row.id: _original(row) for row in originals}
    return [
        _pair(name if number == 1 else f"{name}-{number}", row, shown[original.id])
        for number, (row, original) in enumerate(zip(manipulated, originals, strict=True), start=1)
    ]


def _unmatched(manipulated: int, originals: int) -> Kind | None:
    if not originals:
        return Kind.NO_ORIGINAL
    if not manipulated:
        return Kind.NO_MANIPULATED
    return None if originals in (1, manipulated) else Kind.AMBIGUOUS


def _alone(rows: Sequence[Row]) -> tuple[Shown, ...]:
    """Rows without a partner, with the tools of the first column that has any."""
    return tuple(
        Shown(row, read_offers(row.members, _column(row)), None if row.corrupted else ()) for row in rows
    )


def _column(row: Row) -> str:
    altered = row.corrupted and row.part.manipulation is Manipulation.REPLACEMENT
    columns = (ALTERED_TOOLS, TOOLS) if altered else (TOOLS, ALTERED_TOOLS)
    return next((one for one in columns if has_tools(row.members, one)), columns[0])


def _original(row: Row) -> Shown:
    column = _column(row)
    if column != TOOLS:
        row.members.noted(Kind.OTHER_COLUMN, f"not in {TOOLS!r}", column)
    offers = read_offers(row.members, column)
    known = {name for offer in offers for name in _names(offer.key)}
    for call in row.answer:
        if folded(call.tool) not in known:
            row.members.noted(Kind.ANSWER_NOT_OFFERED, f"it calls {call.tool!r}", ANSWER)
    return Shown(row, offers, ())


def _pair(name: str, row: Row, original: Shown) -> Draft:
    replaced = row.part.manipulation is Manipulation.REPLACEMENT
    offers = _named_alike(_altered(row, original) if replaced else _unaltered(row, original), original)
    gone = tuple(f"tool:{one.tool.name}" for one in original.offers if not _among(one, offers))
    shown = Shown(row, offers, gone if replaced else None)
    same_words = row.utterances == original.row.utterances
    if replaced and not same_words:
        row.members.noted(Kind.TEXT_DIFFERS, f"{original.row.id} says something else")
    reason = _reason(shown, original, same_words=same_words)
    if reason is not None:
        for one in (original, shown):
            one.row.members.excluded(reason, f"the pair {name} is set aside")
    return Draft(name, (shown,), (original,), reason)


def _altered(row: Row, original: Shown) -> tuple[Offer, ...]:
    """The altered tools: of the columns that differ from the original's tools, the one that is named so."""
    columns = [one for one in (ALTERED_TOOLS, TOOLS) if has_tools(row.members, one)]
    # A list of their own: what is odd about a column that is not shown is nobody's business.
    read = {one: _read_quietly(row, one) for one in columns}
    before = _identities(original.offers)
    column = next((one for one in columns if _identities(read[one][0]) != before), _column(row))
    if column not in read:
        return read_offers(row.members, column)
    offers, remarks = read[column]
    row.members.deviations += remarks
    if column != ALTERED_TOOLS:
        how = f"the altered tools are in {column!r}"
        row.members.noted(Kind.OTHER_COLUMN, how, column)
    return offers


def _unaltered(row: Row, original: Shown) -> tuple[Offer, ...]:
    column = _column(row)
    offers = read_offers(row.members, column)
    if column != TOOLS:
        row.members.noted(Kind.OTHER_COLUMN, f"not in {TOOLS!r}", column)
    if _identities(offers) != _identities(original.offers):
        how = f"{original.row.id} offers others"
        row.members.noted(Kind.TOOLS_DIFFER, how, column)
    return offers


def _named_alike(offers: tuple[Offer, ...], original: Shown) -> tuple[Offer, ...]:
    """Give tools that both offer one name: a namesake that is gone must not show in the other's name."""
    names = {one.identity: one.tool.name for one in original.offers}
    alike = [names.get(one.identity, one.tool.name) for one in offers]
    if len(set(alike)) < len(alike):
        return offers
    return tuple(
        replace(one, tool=one.tool.model_copy(update={"name": name}))
        for one, name in zip(offers, alike, strict=True)
    )


def _read_quietly(row: Row, column: str) -> tuple[tuple[Offer, ...], list[Deviation]]:
    remarks = list[Deviation]()
    return read_offers(replace(row.members, deviations=remarks), column), remarks


def _reason(shown: Shown, original: Shown, *, same_words: bool) -> Kind | None:
    """Say why a pair cannot be asked about; None where it can."""
    for one in (shown, original):
        if one.row.utterances[-1].role != "user":
            return Kind.ENDS_WITH_CALL
    same_tools = _identities(shown.offers) == _identities(original.offers)
    if same_words and same_tools:
        return Kind.UNALTERED
    if shown.row.part.manipulation is Manipulation.REMOVAL:
        return Kind.UNALTERED if same_words else None
    needed = [one for one in original.offers if _called(one, original.row.answer)]
    if same_tools or (needed and all(_among(one, shown.offers) for one in needed)):
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
