"""Our own data: base items, and what each of the five settings makes of them.

A `Case` is one item of a setting. All cases of a base item share its task and its cluster. What is missing
is data, and so is what was changed about the tools (`condition`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from knowact.conditions.distractors import distractors
from knowact.core.condition import Condition, on_the_table
from knowact.core.errors import BadData
from knowact.core.model import Noun, Row
from knowact.core.proof import Possibility
from knowact.core.table import DatasetInfo
from knowact.core.task import Fact, Task
from knowact.core.tool import Tool
from knowact.datasets.consistency import check_condition, check_task
from knowact.datasets.lines import Line
from knowact.datasets.own import load_rows
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split

DATA = Path(__file__).parent / "data"
DEFAULT_DATA = "everyday@2-A"


class Default(Noun):
    """The value that people would fill in where none is said, and the words for it."""

    value: JsonValue
    words: str


class Missing(Noun):
    """What was taken away.

    Attributes:
        kind: A value of the query, or a tool.
        tool: The tool; for a value, the one whose argument it is.
        step: For a value: the step of the plan.
        parameter: For a value: the argument.
        value: For a value: what the complete task's call carries.
        words: For a value: as the plain query says it.
        before: For a value: the sentence of the plain query that says it.
        after: For a value: the same sentence as it is shown.
        how: For a value: how it goes missing. Nothing stands in its place (`left_out`); or words do that an
            earlier message would have to explain: they put it vaguely, point at something that is not
            there, or could mean one of two. `phrase` is version 1's word for all of these.
        phrase: Those words ("the day we agreed on").
        default: What people would fill in, where the query, without a phrase, leaves room for it.
    """

    kind: Literal["value", "tool"]
    tool: str = Field(min_length=1)
    step: int | None = Field(default=None, ge=0)
    parameter: str = ""
    value: JsonValue = None
    words: str = ""
    before: str = ""
    after: str = ""
    how: Literal["", "phrase", "left_out", "vague", "pointing", "two_candidates"] = ""
    phrase: str = ""
    default: Default | None = None

    @model_validator(mode="after")
    def _a_value_has_a_place(self) -> Self:
        is_value = self.kind == "value"
        if is_value != (self.step is not None) or is_value != bool(
            self.parameter and self.words and self.how
        ):
            raise ValueError(
                "a missing value has 'step', 'parameter', 'words' and 'how'; a missing tool none"
            )
        if (self.how not in {"", "left_out"}) != bool(self.phrase):
            raise ValueError("a value in whose place words stand needs 'phrase'; others take none")
        return self


class References(Noun):
    """What a right answer asserts, and what one asserts that filled in the default."""

    own: tuple[Fact, ...]
    default: tuple[Fact, ...]


class Told(Noun):
    """A sentence that says what some phrase means, or does not mean.

    Attributes:
        text: The sentence.
        phrase: The phrase that it is about.
        value: What that means, or does not.
        holds: Whether it means that.
        resolves: Whether the phrase stands for a value in the query, and means this one: the sentence
            completes the query.
    """

    text: str
    phrase: str
    value: JsonValue
    holds: bool
    resolves: bool


class Case(Row):
    """One item of one setting.

    Attributes:
        id: Unique in the data set: the base item's ("weather-014"), with a suffix for all but perfect: `.u1`
            and so on (under-specified), `.r` (replaceable), `.n` (non-replaceable), `.x` (no tools).
        setting: Which.
        category: Of both tools.
        task: The base item: its opening is the plain query, in which everything is said.
        query: The text that is shown.
        remarks: What the same user said before, a message each; shown before the query, in this order, in
            every probe and to every judge. Without them some queries that are complete would not be.
        condition: What was changed about the tools, with the order in which they are shown.
        possibility: What the prover says of query, remarks and tools.
        missing: What was taken away; None in the perfect setting and without tools.
        cluster: The base item's id.
        told: The sentences, in query or remarks, that say what phrases mean.
        by_model: For replaceable tools: whether a model can do the tool's job alone, with this item's
            arguments (`possibility` is then `possible`), or only a person can.
        references: For a default: both lists of facts.
        given: The required tools whose results the person who asks could give right now, as readers of the
            request decided; None where nobody was asked, and the tools' own labels count.
    """

    setting: Split
    category: str
    task: Task
    query: str = Field(min_length=1)
    remarks: tuple[str, ...] = ()
    condition: Condition
    possibility: Possibility
    missing: Missing | None = None
    cluster: str = Field(min_length=1)
    told: tuple[Told, ...] = ()
    by_model: bool | None = None
    references: References | None = None
    given: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def _parts_fit_the_setting(self) -> Self:
        kinds = {Split.UNDER_SPECIFIED: "value", **dict.fromkeys(UNAVAILABLE, "tool")}
        if (self.missing.kind if self.missing else None) != kinds.get(self.setting):
            raise ValueError(f"'missing' does not fit the setting {self.setting.value!r}")
        if (self.by_model is not None) != (self.setting is Split.REPLACEABLE):
            raise ValueError("only the setting of replaceable tools has 'by_model', and it needs it")
        if (self.references is not None) != bool(self.missing and self.missing.default):
            raise ValueError("a missing value with a default needs 'references'; others take none")
        if self.cluster != self.task.id:
            raise ValueError("'cluster' is the id of the base item")
        return self

    @property
    def messages(self) -> tuple[str, ...]:
        """Everything that the user says, in order."""
        return (*self.remarks, self.query)

    @property
    def offered(self) -> tuple[str, ...]:
        """The tools that are shown, in order, without distractors."""
        return on_the_table(self.task.offered, self.condition)


def person_can(case: Case, tool: Tool) -> bool:
    """Whether the person who asks could do a tool's job, or give what it gives."""
    if case.given is not None:
        return tool.name in case.given
    return tool.replaceable is not None and tool.replaceable.by_human


def by_paper(case: Case, tools: Mapping[str, Tool]) -> Case:
    """Return a case as the paper labels it: an average person could do the tool's job, or could not.

    The tools carry that label (FAIL-TaLMs); what readers of this request said of its own person is
    left out.
    """
    if case.given is None:
        return case
    changed: dict[str, object] = {"given": None}
    if case.setting in UNAVAILABLE and case.missing is not None:
        can = person_can(case.model_copy(update=changed), tools[case.missing.tool])
        changed["setting"] = Split.REPLACEABLE if can else Split.NON_REPLACEABLE
        changed["by_model"] = False if can else None
    return case.model_copy(update=changed)


def in_a_crowd(case: Case, own: Mapping[str, Tool], pool: Sequence[Tool], count: int, seed: int) -> Condition:
    """Return a case's condition with distractors beside its tools.

    Proven for the shipped data with ten distractors and seed 0: complete cases stay complete, incomplete
    ones stay so.

    Args:
        case: The case; without tools it stays as it is.
        own: The world's tools by name.
        pool: Where distractors are drawn from.
        count: How many.
        seed: Fixes draw and order.
    """
    if case.setting is Split.NO_TOOLS:
        return case.condition
    # A tool that was put in the place of a missing one is there already, and must not come twice.
    new = [name for name in case.offered if name not in case.task.offered]
    around = case.task.model_copy(update={"offered": (*case.task.offered, *new)})
    crowd = distractors(around, own, pool, count, seed)
    together = Condition(
        name=f"{case.condition.name}-{crowd.name}",
        changes=(*case.condition.changes, *crowd.changes),
        withheld=case.condition.withheld,
    )
    left = on_the_table(case.task.offered, together)
    return together.model_copy(update={"order": tuple(name for name in crowd.order if name in left)})


@dataclass(frozen=True, slots=True)
class OwnCases:
    """A loaded data set. `seed` opens its worlds; `lines` has the line of each case, by id."""

    info: DatasetInfo
    cases: tuple[Case, ...]
    seed: int
    lines: Mapping[str, Line]

    def of(self, setting: Split) -> tuple[Case, ...]:
        """The cases of one setting, in the data set's stratified order."""
        return tuple(case for case in self.cases if case.setting is setting)


def load_cases(folder: Path) -> OwnCases:
    """Load a folder in our format: `items.jsonl` with a case per line, and for shipped data `manifest.json`.

    A folder without a manifest is somebody's own data: its name and hash identify it, its seed is 0.

    Raises:
        BadData: Anything is wrong with a line, an id occurs twice, the cases of a base item do not have one
            task, or the items are not those that the manifest was made for.
    """
    tasks: dict[str, Task] = {}

    def check(case: Case, line: Line) -> None:
        if tasks.setdefault(case.cluster, case.task) != case.task:
            what = f"the cases of {case.cluster!r} have different tasks"
            raise BadData(what, line.place("task"), "give the cases of a cluster one task")
        check_task(case.task, line, "task.")
        check_condition(case.task, case.condition, line)
        for problem, field in _complaints(case):
            raise BadData(problem, line.place(field), "correct it")

    found = load_rows(Case, folder, check)
    return OwnCases(found.info, found.rows, found.seed, found.lines)


def _complaints(case: Case) -> Iterator[tuple[str, str]]:
    """What does not fit together in a case, and in which field."""
    said = case.task.provenance.get("said", {})
    if not isinstance(said, Mapping) or not all(isinstance(words, str) for words in said.values()):
        yield "this must be an object whose values are texts", "task.provenance.said"
    if case.missing is not None:
        yield from _complaints_of_a_gap(case, case.missing)
    if case.setting is Split.NO_TOOLS and case.offered:
        yield f"nothing is to be offered here, but {', '.join(case.offered)} is", "condition.changes"
    if set(case.condition.withheld or ()) != (withheld := _withheld(case)):
        yield f"what is missing comes to {sorted(withheld)}", "condition.withheld"
    if (case.possibility is Possibility.POSSIBLE) != (case.setting is Split.PERFECT or bool(case.by_model)):
        whether = "only" if case.possibility is Possibility.POSSIBLE else "always"
        yield f"an item is {whether} possible where nothing is missing, or a model can do it", "possibility"


def _complaints_of_a_gap(case: Case, missing: Missing) -> Iterator[tuple[str, str]]:
    if missing.kind == "tool":
        if missing.tool not in case.task.offered or missing.tool in case.offered:
            yield f"{missing.tool!r} is to be missing, but is not hidden", "missing.tool"
        return
    assert missing.step is not None, "the noun says so"
    step = case.task.plan[missing.step] if missing.step < len(case.task.plan) else None
    if step is None or step.tool != missing.tool or missing.parameter not in step.arguments:
        yield "the plan has no such argument", "missing.parameter"
    elif (value := step.arguments[missing.parameter].value) != missing.value:
        yield f"the plan's call carries {value!r:.100} here, not {missing.value!r:.100}", "missing.value"
    if case.query == case.task.opening.text:
        yield "the query is the complete one, in which everything is said", "query"


def _withheld(case: Case) -> set[str]:
    """What an agent cannot get in a case, in the vocabulary of its condition."""
    if case.missing is not None and case.missing.kind == "value":
        return {f"value:{case.missing.tool}.{case.missing.parameter}"}
    return {f"tool:{name}" for name in case.task.offered if name not in case.offered}
