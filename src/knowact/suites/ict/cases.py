"""Our own data: minimal pairs of a complete and an incomplete task, and what was taken away.

A `Pair` is a line of the data set: a task that can be done as it stands, and the same task with a tool
replaced or with something unsaid. Both are `Version`s, which is what an agent is asked about.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from knowact.core.condition import CLEAN, Condition, on_the_table
from knowact.core.errors import BadData
from knowact.core.model import Noun, Row
from knowact.core.proof import PROOF, Possibility
from knowact.core.table import DatasetInfo
from knowact.core.task import Opening, PastCall, Task
from knowact.datasets.consistency import check_condition, check_task
from knowact.datasets.lines import Line
from knowact.datasets.own import load_rows

Incomplete = Literal[Possibility.IMPOSSIBLE, Possibility.PARTLY]
DATA = Path(__file__).parent / "data"
DEFAULT_DATA = "everyday@2-A"


class Source(StrEnum):
    """How the user speaks; in the paper, which benchmark a dialogue comes from."""

    MULTI_TURN = "multi_turn"
    """A dialogue of five to seven messages, with earlier calls and their results (there: API-Bank)."""
    SINGLE_REQUEST = "single_request"
    """One message (there: ToolBench)."""


class Manipulation(StrEnum):
    """What made the incomplete item of the complete one."""

    REPLACEMENT = "api_replacement"
    """Every required tool gave way to a similar one, or to none."""
    REMOVAL = "utterance_removal"
    """What is asked for, or a value that it takes, is no longer said."""


class Level(StrEnum):
    """How alike the tool is that stands in the place of a required one."""

    NEAR = "near"
    MEDIUM = "medium"
    FAR = "far"
    ABSENT = "absent"
    """None stands there."""


class Gone(Noun):
    """A required tool that is not offered any more.

    Attributes:
        tool: The tool.
        by: What stands in its place; empty at level `absent`.
        rank: Which place that has among the other tools of the world, the most similar one being 1.
        level: How alike it is.
    """

    tool: str = Field(min_length=1)
    by: str = ""
    rank: int | None = Field(default=None, ge=1)
    level: Level

    @model_validator(mode="after")
    def _absent_is_without_a_substitute(self) -> Self:
        absent = self.level is Level.ABSENT
        if absent == bool(self.by) or absent != (self.rank is None):
            raise ValueError("every level but 'absent' needs 'by' and 'rank'")
        return self


How = Literal["", "left out", "vague", "pointing", "two candidates"]
"""How a value goes missing: by silence, or in words that an earlier message would have to explain."""


class Lost(Noun):
    """Something that the incomplete opening does not say any more: the record of a removal.

    Attributes:
        what: The request itself, or a value that a call needs.
        tool: For a value: the tool whose argument it is.
        step: For a value: the step of the plan.
        parameter: For a value: the argument.
        value: For a value: what the complete task's call carries.
        words: How the complete opening says it.
        phrase: What stands for it in the last message ("the day we agreed on", "the yellow slip"); empty
            where nothing does.
        how: How it goes missing, where the data say it.
        turn: The message that differs, counted from 0.
        before: What that message says in the complete opening,
        after: and what it says there instead in the incomplete one; empty if nothing.
        beside: Other values of the kind that the incomplete opening speaks of.
        invented: For a value: another one, with which a call succeeds; nothing is said of it, unless it is
            one of two candidates.
    """

    what: Literal["value", "request"]
    tool: str = ""
    step: int | None = Field(default=None, ge=0)
    parameter: str = ""
    value: JsonValue = None
    words: str = Field(min_length=1)
    phrase: str = ""
    how: How = ""
    turn: int = Field(ge=0)
    before: str = Field(min_length=1)
    after: str = ""
    beside: tuple[JsonValue, ...] = ()
    invented: JsonValue = None

    @model_validator(mode="after")
    def _a_value_has_a_place(self) -> Self:
        is_value = self.what == "value"
        if is_value != (self.step is not None) or is_value != bool(self.tool and self.parameter):
            raise ValueError("a lost value has 'tool', 'step' and 'parameter'; a lost request has none")
        return self


class Pair(Row):
    """A minimal pair: a complete task and its incomplete counterpart.

    Attributes:
        id: Unique in the data set ("single-replacement-014").
        source: How the user speaks.
        manipulation: What made the counterpart incomplete.
        possibility: What the prover says of the incomplete version: `impossible`, or `partly_possible` for
            the third class, where one of two requests can still be served.
        task: The complete version: its opening is what is shown, its offered tools are enough.
        plain: The last request with everything said in its place.
        incomplete: For a removal: the opening that is shown instead.
        condition: For a replacement: what was changed about the tools; what is withheld, for both.
        gone: For a replacement: the tools.
        lost: For a removal: the record.
        cluster: Versions of one task share it: the task's id.
        crossed: Pairs that share it have sets of tools such that what is enough for one is too little for
            another; empty for removals, whose tools are the same.
    """

    source: Source
    manipulation: Manipulation
    possibility: Incomplete
    task: Task
    plain: str = Field(min_length=1)
    incomplete: Opening | None = None
    condition: Condition
    gone: tuple[Gone, ...] = ()
    lost: Lost | None = None
    cluster: str = Field(min_length=1)
    crossed: str = ""

    @model_validator(mode="after")
    def _parts_fit_the_manipulation(self) -> Self:
        removal = self.manipulation is Manipulation.REMOVAL
        if (self.lost is not None) != removal or (self.incomplete is not None) != removal:
            raise ValueError(
                "an utterance removal needs 'lost' and 'incomplete'; a replacement takes neither"
            )
        if bool(self.gone) == removal:
            raise ValueError("an API replacement needs 'gone'; a removal takes none")
        if self.cluster != self.task.id:
            raise ValueError("'cluster' is the id of the task")
        if self.crossed and removal:
            raise ValueError("only an API replacement takes 'crossed'")
        return self

    @property
    def level(self) -> Level | None:
        """How hard the replacement is to notice: one tool that is clearly another kind is enough to."""
        return max((gone.level for gone in self.gone), key=list(Level).index, default=None)

    @property
    def proof(self) -> str:
        """How well it is shown to be what it claims (`core.proof.PROOF`); empty where nobody has said."""
        return str(self.task.provenance.get(PROOF, ""))

    @property
    def complete_version(self) -> "Version":
        """The task as it stands."""
        return Version(f"{self.id}.complete", self, self.task, CLEAN, Possibility.POSSIBLE)

    @property
    def incomplete_version(self) -> "Version":
        """The task with something missing."""
        task = self.task.model_copy(update={"opening": self.incomplete or self.task.opening})
        return Version(f"{self.id}.incomplete", self, task, self.condition, self.possibility)

    @property
    def versions(self) -> "tuple[Version, Version]":
        """Both, the complete one first."""
        return self.complete_version, self.incomplete_version

    @property
    def past(self) -> tuple[PastCall, ...]:
        """The calls that both versions have in their context."""
        return tuple(call for said in self.task.opening.utterances for call in said.calls)


@dataclass(frozen=True, slots=True)
class Version:
    """What an agent is asked about.

    Attributes:
        id: The pair's, with `.complete` or `.incomplete`.
        pair: Where it belongs.
        task: With the opening that is shown.
        condition: What was changed about the tools.
        possibility: What the prover says of it.
    """

    id: str
    pair: Pair
    task: Task
    condition: Condition
    possibility: Possibility

    @property
    def complete(self) -> bool:
        """Whether the right answer to "can you do that?" is yes."""
        return self.possibility is Possibility.POSSIBLE

    @property
    def offered(self) -> tuple[str, ...]:
        """The tools that are shown, in order."""
        return on_the_table(self.task.offered, self.condition)


@dataclass(frozen=True, slots=True)
class OwnPairs:
    """A loaded data set. `seed` opens its worlds; `lines` has the line of each pair, by id."""

    info: DatasetInfo
    pairs: tuple[Pair, ...]
    seed: int
    lines: Mapping[str, Line]

    def of(
        self,
        source: Source,
        manipulation: Manipulation,
        possibility: Possibility = Possibility.IMPOSSIBLE,
    ) -> tuple[Pair, ...]:
        """The pairs of one cell of the paper's table 1, in the data set's stratified order."""
        wanted = (source, manipulation, possibility)
        return tuple(one for one in self.pairs if (one.source, one.manipulation, one.possibility) == wanted)


def load_cases(folder: Path) -> OwnPairs:
    """Load a folder in our format: `items.jsonl` with a pair per line, and for shipped data `manifest.json`.

    A folder without a manifest is somebody's own data: its name and hash identify it, its seed is 0.

    Raises:
        BadData: Anything is wrong with a line, an id occurs twice, or the items are not those that the
            manifest was made for.
    """

    def check(pair: Pair, line: Line) -> None:
        check_task(pair.task, line, "task.")
        check_condition(pair.task, pair.condition, line)
        for what, field in _complaints(pair):
            raise BadData(what, line.place(field), "correct it")

    found = load_rows(Pair, folder, check)
    return OwnPairs(found.info, found.rows, found.seed, found.lines)


def _complaints(pair: Pair) -> Iterator[tuple[str, str]]:
    """What does not fit together in a pair, and in which field."""
    shown = pair.incomplete_version.offered
    for number, gone in enumerate(pair.gone):
        if gone.tool not in pair.task.required:
            yield f"{gone.tool!r} is to be gone, but the task does not need it", f"gone.{number}.tool"
        if gone.tool in shown or (gone.by and gone.by not in shown):
            yield "the condition does not put this tool in the other's place", f"gone.{number}"
    if pair.lost is not None:
        yield from _complaints_of_a_loss(pair, pair.lost)


def _complaints_of_a_loss(pair: Pair, lost: Lost) -> Iterator[tuple[str, str]]:
    assert pair.incomplete is not None, "the noun says so"
    before, after = pair.task.opening.utterances, pair.incomplete.utterances
    if len(before) != len(after) or lost.turn >= len(before):
        yield "both openings need equally many messages, and 'turn' must be one of them", "lost.turn"
        return
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        if (one == other) == (number == lost.turn):
            yield f"message {number} is {'equal' if one == other else 'changed'}", "incomplete"
    if before[lost.turn].text.replace(lost.before, lost.after).strip() != after[lost.turn].text:
        yield "the record does not turn one message into the other", "lost.after"
    if lost.step is not None:
        step = pair.task.plan[lost.step] if lost.step < len(pair.task.plan) else None
        if step is None or step.tool != lost.tool or lost.parameter not in step.arguments:
            yield "the plan has no such argument", "lost.parameter"
