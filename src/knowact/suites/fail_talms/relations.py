"""What each published query is to the one that it was made from, and which are no items at all.

Spec fail-talms.md, sections 5.4 and 5.5: nothing on disk says which function was dropped; it follows from
the two lists. Queries that were not altered, and those that carry both labels, are excluded by default.
"""

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.datasets.deviations import Ledger
from knowact.suites.fail_talms.deviations import Kind
from knowact.suites.fail_talms.functions import Function, FunctionKey
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.queries import Entry

_ALIKE: Final = 0.5
"""Least similarity of a query and its original (ratio of matching characters): masking keeps most of it."""


@dataclass(slots=True)
class Draft:
    """A query on its way to an item.

    Attributes:
        functions: On offer.
        original: The query of the perfect setting that it was made from; None where it is not there.
        excluded: Why it is left out by default; None where it is not.
    """

    entry: Entry
    functions: tuple[Function, ...]
    original: "Draft | None" = None
    excluded: Kind | None = None

    @property
    def keys(self) -> frozenset[FunctionKey]:
        """The functions on offer, in one letter case."""
        return frozenset(function.key.folded for function in self.functions)

    @property
    def dropped(self) -> tuple[Function, ...] | None:
        """The functions that were taken away; None where that can't be known.

        It follows from the original's list, unless this one offers something that the original does not.
        """
        if self.original is None or not self.keys <= self.original.keys:
            return None
        return tuple(one for one in self.original.functions if one.key.folded not in self.keys)

    @property
    def cluster(self) -> str:
        """The same for all variants of one base query, the base query included."""
        entry = self.entry if self.original is None else self.original.entry
        if entry.base is not None:
            return f"{entry.category}.{entry.base}"
        # Ids of the combined files count anew in each setting: only those of originals name a base query.
        return f"{entry.category}.q{entry.query_id}" if entry.split is Split.PERFECT else entry.id


def relate(drafts: Sequence[Draft], ledger: Ledger) -> None:
    """Find every query's original, and enter and mark what is wrong with the pair."""
    originals = [draft for draft in drafts if draft.entry.split is Split.PERFECT]
    for draft in originals:
        if len(draft.functions) > 1 and len({one.key.tool for one in draft.functions}) == 1:
            _note(ledger, Kind.ONE_TOOL, draft, f"all of {draft.functions[0].key.tool}")
    # Of two files with one number the first has the regular name.
    by_number = {(one.entry.category.casefold(), one.entry.base): one for one in reversed(originals)}
    by_id = {one.entry.query_id: one for one in originals}
    for draft in drafts:
        entry = draft.entry
        if entry.split is Split.PERFECT:
            continue
        if entry.base is not None:
            draft.original = by_number.get((entry.category.casefold(), entry.base))
        elif entry.split is Split.NO_TOOLS and entry.query_id in by_id:
            draft.original = by_id[entry.query_id]
        else:
            draft.original = _by_text(draft, originals, ledger)
        _compare(draft, ledger)
    _contradictions(drafts, ledger)
    _repetitions(drafts, ledger)


def same_text(one: Draft, other: Draft) -> bool:
    """Whether two queries say the same, letter case and punctuation apart."""
    return _words(one) == _words(other)


def _words(draft: Draft) -> str:
    return re.sub(r"[\W_]+", " ", draft.entry.text.casefold()).strip()


def _by_text(draft: Draft, originals: Iterable[Draft], ledger: Ledger) -> Draft | None:
    """Find the original by category, functions and text, where no file name tells it."""
    entry = draft.entry
    best: Draft | None = None
    most = _ALIKE
    for one in originals:
        if one.entry.category.casefold() == entry.category.casefold() and draft.keys <= one.keys:
            alike = difflib.SequenceMatcher(None, one.entry.text, entry.text, autojunk=False).ratio()
            if alike > most:
                best, most = one, alike
    if best is not None and not same_text(draft, best):
        _note(ledger, Kind.ORIGINAL_BY_TEXT, draft, f"taken for a variant of {best.entry.id}")
    return best


def _compare(draft: Draft, ledger: Ledger) -> None:
    """Hold a query against its original."""
    original, split = draft.original, draft.entry.split
    if original is None:
        _note(ledger, Kind.NO_ORIGINAL, draft, "what was changed is not known")
        return
    same = same_text(draft, original)
    if split is Split.UNDER_SPECIFIED:
        if draft.keys != original.keys:
            _note(ledger, Kind.FUNCTIONS_DIFFER, draft, f"{_names(draft)}; there {_names(original)}")
        elif same:
            _exclude(ledger, Kind.UNALTERED, draft, f"left out; it is {original.entry.id}")
        return
    if not same:
        _note(ledger, Kind.TEXT_DIFFERS, draft, f"there: {original.entry.text!r}")
    if split in UNAVAILABLE:
        _compare_functions(draft, original, ledger)


def _compare_functions(draft: Draft, original: Draft, ledger: Ledger) -> None:
    dropped = draft.dropped
    if dropped is None:
        _note(ledger, Kind.FUNCTIONS_DIFFER, draft, f"{_names(draft)}; there {_names(original)}")
    elif not dropped:
        _exclude(ledger, Kind.NOTHING_DROPPED, draft, "left out; no function is missing")
    elif len(draft.functions) > 1:
        _note(ledger, Kind.SEVERAL_LEFT, draft, f"{_names(draft)}, of {len(original.functions)}")


def _contradictions(drafts: Sequence[Draft], ledger: Ledger) -> None:
    """Exclude both of a pair that has the same query and functions and opposite labels."""
    unavailable = [draft for draft in drafts if draft.entry.split in UNAVAILABLE]
    for group in _groups(unavailable, lambda one: (one.entry.category, _words(one), one.keys)):
        if len({draft.entry.split for draft in group}) > 1:
            for draft in group:
                others = ", ".join(one.entry.id for one in group if one.entry.split is not draft.entry.split)
                _exclude(ledger, Kind.CONTRADICTORY, draft, f"left out; the same as {others}")


def _repetitions(drafts: Sequence[Draft], ledger: Ledger) -> None:
    """Note every query after the first of those with the same words and functions in one setting."""
    for group in _groups(drafts, lambda one: (one.entry.split, one.entry.category, _words(one), one.keys)):
        for draft in group[1:]:
            _note(ledger, Kind.REPEATED, draft, f"kept; the same as {group[0].entry.id}")


def _groups(drafts: Iterable[Draft], key: Callable[[Draft], Hashable]) -> list[list[Draft]]:
    found: dict[Hashable, list[Draft]] = {}
    for draft in drafts:
        found.setdefault(key(draft), []).append(draft)
    return list(found.values())


def _names(draft: Draft) -> str:
    return ", ".join(one.tool.name for one in draft.functions) or "none"


def _note(ledger: Ledger, kind: Kind, draft: Draft, how: str) -> None:
    ledger.noted(kind, draft.entry.place, how, draft.entry.id)


def _exclude(ledger: Ledger, kind: Kind, draft: Draft, how: str) -> None:
    draft.excluded = draft.excluded or kind
    ledger.excluded(kind, draft.entry.place, how, draft.entry.id)
