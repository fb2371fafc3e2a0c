"""The published release: which files there are, what they hold, and where the hub has them.

Four files, one for each benchmark and manipulation, as JSON Lines in a folder
`raw` and as parquet beside it; each holds the manipulated rows and their originals.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from knowact.core.errors import BadData, BadUsage, Place
from knowact.datasets.deviations import Deviation, DeviationKind, Done
from knowact.datasets.hub import Release
from knowact.suites.ict.cases import Manipulation, Source


class Kind(DeviationKind):
    """What departs, or is not said by the published card. The values are what reports say."""

    # Files and columns.
    BOTH_FORMATS = "the same file as JSON Lines and as parquet"
    FILE_MISSING = "a published file that is not there"
    COLUMN_UNKNOWN = "a column that the card does not name"
    TYPE_IN_WORDS = "a manipulation named in words that the card does not show"
    SOURCE_UNKNOWN = "a source named in words that the card does not show"
    THOUGHT = "'corruption_thought' filled"

    # The conversation.
    NO_SPEAKER = "words without a speaker"
    CUE = "a cue to generate a request"
    TRAILING = "the assistant has the last word"
    RESULT_MISSING = "an earlier request without a result"
    CALL_LOOSE = "a call that Python could not read"
    CALL_UNREADABLE = "an earlier request that is not a call"

    # The tools and the answer.
    OTHER_COLUMN = "the tools stand in another column"
    LISTED_TWICE = "the same tool offered twice"
    SAME_NAME = "two tools of one name"
    ANSWER_MISSING = "no answer"
    ANSWER_UNREADABLE = "an answer that is not a call"
    ANSWER_NOT_OFFERED = "the answer calls a tool that the complete item does not offer"

    # The two of a pair.
    ORIGINAL_SHARED = "one original for several manipulated rows"
    TEXT_DIFFERS = "tools replaced, but the conversation differs too"
    TOOLS_DIFFER = "words removed, but the tools differ too"
    NO_ORIGINAL = "manipulated without an original"
    NO_MANIPULATED = "an original without anything manipulated"
    AMBIGUOUS = "manipulated rows and originals do not match up"
    UNALTERED = "not altered: shows the same as its original"
    STILL_THERE = "not altered: every tool that the answer calls is still offered"
    ENDS_WITH_CALL = "ends with a result, not with the user"


class Benchmark(StrEnum):
    """Where the originals come from; the values are those of the published file names."""

    APIBANK = "apibank"
    """Multi-turn dialogues with earlier requests and their results."""
    TOOLBENCH = "toolbench"
    """Single requests with about five tools."""

    @property
    def source(self) -> Source:
        """The same in the words of our own data."""
        return Source.MULTI_TURN if self is Benchmark.APIBANK else Source.SINGLE_REQUEST


@dataclass(frozen=True, slots=True)
class Part:
    """One of the four parts of the data: a column of the paper's tables."""

    benchmark: Benchmark
    manipulation: Manipulation

    @property
    def stem(self) -> str:
        """The published file name, without its ending."""
        return f"{self.benchmark}_{self.manipulation}"

    @property
    def short(self) -> str:
        """As the paper's tables head it, abbreviated ("AR-AB")."""
        manipulated = "AR" if self.manipulation is Manipulation.REPLACEMENT else "UR"
        return f"{manipulated}-{'AB' if self.benchmark is Benchmark.APIBANK else 'TB'}"


PARTS: Final = tuple(
    Part(benchmark, manipulation) for manipulation in Manipulation for benchmark in Benchmark
)
"""AR-AB, AR-TB, UR-AB, UR-TB, as the paper has them."""


def short_of(source: Source, manipulation: Manipulation) -> str:
    """The paper's column for items of ours: dialogues stand where API-Bank does."""
    benchmark = next(benchmark for benchmark in Benchmark if benchmark.source is source)
    return Part(benchmark, manipulation).short


HUB: Final = "ddehun/ICT"
REVISION: Final = "f07329640e652c1d79e3969bd2f801da1bfecfbb"
"""The upload of the data; what came after it concerns the card."""

RAW: Final = "raw"
JSON_LINES, PARQUET = ".jsonl", ".parquet"

SAYS_REPLACEMENT: Final = "API"
"""The only value of `corruption_type` that the card shows."""

IN_WORDS: Final[Mapping[str, Manipulation]] = {
    "api": Manipulation.REPLACEMENT,
    "apireplacement": Manipulation.REPLACEMENT,
    "utterance": Manipulation.REMOVAL,
    "utteranceremoval": Manipulation.REMOVAL,
}
"""Values of `corruption_type`, folded, that are the paper's own words for a manipulation. No other is taken
for anything: the user has to say what it stands for."""

DATASETS: Final[Mapping[str, Benchmark]] = {
    "apibank": Benchmark.APIBANK,
    "toolbench": Benchmark.TOOLBENCH,
    "stabletoolbench": Benchmark.TOOLBENCH,
}
"""Values of `source_file_id.dataset`, folded; the card shows "api-bank" only."""


def folded(text: str) -> str:
    """A word without letter case, blanks, hyphens and underscores."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def corruption_types(text: str) -> Mapping[str, Manipulation]:
    """Read what somebody says the values of `corruption_type` stand for.

    Args:
        text: "Dialogue=utterance_removal, X=api_replacement"; empty says nothing.

    Raises:
        BadUsage: A part of it is no value, `=` and manipulation.
    """
    meanings: dict[str, Manipulation] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        value, _, name = map(str.strip, part.rpartition("="))
        if not value or folded(name) not in IN_WORDS:
            known = " or ".join(Manipulation)
            raise BadUsage(f"{part!r} does not say what a corruption type stands for: write VALUE={known}.")
        meanings[value] = IN_WORDS[folded(name)]
    return meanings


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file to read; `part` is what its name says, None where it has another name."""

    path: Path
    part: Part | None


def looks_published(path: Path) -> bool:
    """Whether a folder holds published files; a single file of JSON Lines or parquet can be nothing else."""
    return (
        path.suffix in (JSON_LINES, PARQUET) if path.is_file() else any(_copies(path, part) for part in PARTS)
    )


def find_files(path: Path, deviations: list[Deviation]) -> tuple[DataFile, ...]:
    """Return the files of a release, or of a part of one.

    Args:
        path: One file of JSON Lines or parquet, whatever its name, or a folder that holds published files:
            below `raw` or beside it. Where a file is there in both formats, the JSON Lines are read.
        deviations: Takes what is there twice, or is not there.

    Raises:
        BadData: There is nothing to read.
    """
    if path.is_file():
        return (DataFile(path, next((part for part in PARTS if part.stem == path.stem), None)),)
    if not path.is_dir():
        raise BadData("there is no such file or folder", Place(path), "check the path given with --data")
    files: list[DataFile] = []
    for part in PARTS:
        copies = _copies(path, part)
        files += (DataFile(copy, part) for copy in copies[:1])
        if not copies:
            how = f"neither {part.stem}{JSON_LINES} nor {part.stem}{PARQUET}"
            deviations.append(Deviation(Kind.FILE_MISSING, Done.NOTED, Place(path), how))
        for copy in copies[1:]:
            how = f"not read, because {copies[0].relative_to(path)} is there"
            deviations.append(Deviation(Kind.BOTH_FORMATS, Done.NOTED, Place(copy), how))
    if not files:
        names = ", ".join(part.stem for part in PARTS)
        what = f"the folder holds none of the published files ({names}, as {JSON_LINES} or {PARQUET})"
        raise BadData(what, Place(path), "name the folder that holds them, or a single file")
    return tuple(files)


def _copies(folder: Path, part: Part) -> list[Path]:
    """The files in a folder that hold a part; the first one counts."""
    names = (f"{RAW}/{part.stem}{JSON_LINES}", f"{part.stem}{JSON_LINES}", f"{part.stem}{PARQUET}")
    return [folder / name for name in names if (folder / name).is_file()]


RELEASE: Final = Release(HUB, REVISION, tuple(f"{RAW}/{part.stem}{JSON_LINES}" for part in PARTS), "ict")
"""What the hub has of it (14 MB)."""
