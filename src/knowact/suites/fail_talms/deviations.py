"""Where published files depart from their own layout, and what was done about it, item by item.

Spec fail-talms.md, sections 5.5 and 7. What can be understood is mended, what is wrong with an item is
noted or excludes it; nothing of that is silent. What can't be understood is `BadData` instead.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knowact.core.errors import Place


class Done(StrEnum):
    """What became of it."""

    MENDED = "mended"
    """Read as it was meant; the item is as good as any."""
    NOTED = "noted"
    """Nothing could be or needed to be changed; a reader should know."""
    EXCLUDED = "excluded"
    """The item is left out unless it is asked for."""


class Kind(StrEnum):
    """What departs. The values are what reports say."""

    # The files.
    FILE_NAME = "irregular file name"
    STRAY_FILE = "stray file"
    FOLDER_NAME = "folder name in another spelling"
    NOT_A_LIST = "one object in place of a list of one"
    DUPLICATE_NAME = "a member stands there twice"
    NO_JSON_VALUE = "a value that JSON does not have"
    ROW_WITHOUT_FILE = "only in the combined file"
    ROW_DIFFERS = "in the combined file with other functions"
    FILE_WITHOUT_ROW = "not in the combined file"

    # The members of a query.
    SPELLING = "member in another spelling"
    RELEVANT_MISSING = "'relevant APIs' missing"
    RELEVANT_FILLED = "'relevant APIs' filled"
    OFFERED_WITHOUT_TOOLS = "functions offered in the setting without tools"
    LISTED_TWICE = "the same function offered twice"
    SAME_NAME = "two functions of one name"

    # Tools.
    TOOL_NAME = "tool or function in another spelling"
    DESCRIPTOR_MISSING = "no descriptor"
    DESCRIPTOR_UNREADABLE = "descriptor cannot be read"
    TYPE_UNKNOWN = "parameter of an unknown type"
    DEFAULT = "default of another type than its parameter"
    PARAMETER = "parameter that is no object"
    PARAMETER_TWICE = "parameter listed twice"
    SIGNATURE = "descriptor and function disagree"
    FUNCTION_MISSING = "a descriptor's function that its module does not have"
    REPLY_ELSEWHERE = "sketch of the reply under another name"

    # A query and the one that it was made from.
    UNALTERED = "not altered: query and functions are those of the original"
    NOTHING_DROPPED = "not altered: no function was dropped"
    CONTRADICTORY = "labelled replaceable and non-replaceable at once"
    REPEATED = "repeats another query of its setting"
    NO_ORIGINAL = "made from a query that is not there"
    ORIGINAL_BY_TEXT = "original told by its text"
    TEXT_DIFFERS = "text differs from the original's"
    FUNCTIONS_DIFFER = "other functions than the original's"
    SEVERAL_LEFT = "several functions left"
    ONE_TOOL = "all functions of one tool"

    # The records of a published run.
    RECORD_TWICE = "a record repeats an id"
    RECORD_UNKNOWN = "a record of an item that the benchmark does not have"
    RECORD_TEXT = "a record's query is not the benchmark's"
    ANSWER_ODD = "an answer that is no text"
    ANSWER_EMPTY = "an empty answer that was graded as passed"
    CALL_IN_ANSWER = "an answer with a call that was never made, graded as passed"
    SKIPPED_AND_PASSED = "a skipped record that was graded as passed"
    VERDICT_ODD = "no verdict of 0 or 1"
    RATING_ODD = "a question's rating that is neither 0 nor 1"
    LABEL_ODD = "no label of yes, no or idk"


@dataclass(frozen=True, slots=True)
class Deviation:
    """One departure.

    Attributes:
        place: File, line (of the record) and member.
        how: What was done, or what a reader should know, as a clause.
        item: The item's id; empty where it concerns a whole file or a tool.
    """

    kind: Kind
    done: Done
    place: Place
    how: str
    item: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.kind} ({self.done}): {self.how}"


@dataclass(slots=True)
class Ledger:
    """Collects departures while files are read."""

    entries: list[Deviation] = field(default_factory=list[Deviation])

    def mended(self, kind: Kind, place: Place, how: str, item: str = "") -> None:
        """Enter something that was read as it was meant."""
        self.entries.append(Deviation(kind, Done.MENDED, place, how, item))

    def noted(self, kind: Kind, place: Place, how: str, item: str = "") -> None:
        """Enter something that stays as it is."""
        self.entries.append(Deviation(kind, Done.NOTED, place, how, item))

    def excluded(self, kind: Kind, place: Place, how: str, item: str) -> None:
        """Enter an item that is left out by default."""
        self.entries.append(Deviation(kind, Done.EXCLUDED, place, how, item))


def counted(entries: Iterable[Deviation]) -> Mapping[tuple[Kind, Done], int]:
    """Return how often each kind of departure occurs, in the order of `Kind`."""
    found = Counter((entry.kind, entry.done) for entry in entries)
    return {key: found[key] for key in sorted(found, key=lambda key: (list(Kind).index(key[0]), key[1]))}
