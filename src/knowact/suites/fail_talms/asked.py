"""Items as they are asked, whatever the layout of their data: what scorers and the person asked must know."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from knowact.core.proof import Possibility
from knowact.core.reach import Reach, reach, without
from knowact.core.suite import Item
from knowact.core.task import Fact, Task
from knowact.reading.answer_form import AnswerForm
from knowact.roles.helper import Known
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split

Gap = Literal["nothing", "value", "tool", "tools"]
"""What is missing: nothing, a detail, one tool, all tools."""

INFORMATION = "information"
TOOLS = "tools"
ACT = "act"
WITH_TOOLS = "act_with_tools"
"""Names of the probes, as in records."""
MISSING = "missing"
LEFT = "left"
"""In the provenance of a task, for audits: what is missing (`nothing`, `information`, `tool`, `all_tools`),
and how much can be reached without it (`everything`, `part`, `nothing`; "" where nobody has said)."""


def for_audits(task: Task, gap: Gap, *, lacks: bool, left: Possibility | None) -> Task:
    """The task with what people are to find out; where a model can do the job, nothing is missing."""
    words = {"nothing": "nothing", "value": INFORMATION, "tool": "tool", "tools": "all_tools"}
    reached = {
        Possibility.POSSIBLE: "everything",
        Possibility.PARTLY: "part",
        Possibility.IMPOSSIBLE: "nothing",
        None: "",
    }
    said = {MISSING: words[gap] if lacks else "nothing", LEFT: reached[left]}
    return task.model_copy(update={"provenance": {**task.provenance, **said}})


@dataclass(frozen=True, slots=True)
class AskedItem(Item):
    """One item of one setting.

    Attributes:
        setting: Which.
        category: Of its tools.
        gap: What is missing.
        reach: Which steps and facts of the plan are left without it; None where nobody has said (published).
        slots: The facts as an answer form shows them: their labels name no value that some variant of the
            item withholds, so that what is said of another city or day is seen, too.
        known: What a person who is asked knows.
        helpful: Whether asking a person makes the item possible.
        default: The facts that an answer asserts which filled in the pragmatic default, one for each of the
            task's; empty without one.
        guessable: The withheld value, as (tool, parameter, value): a call that carries another one, or this
            one without having asked, made it up.
        full: The same item as in the perfect setting, where the agent is to answer that, too.
        wrong: What the facts would be on the false results of a broken tool, one for each of the task's.
        mended: What the loader mended about it, a sentence each (published data).
    """

    setting: Split = Split.PERFECT
    category: str = ""
    gap: Gap = "nothing"
    reach: Reach | None = None
    slots: tuple[Fact, ...] = ()
    known: Known | None = None
    helpful: bool = False
    default: tuple[Fact, ...] = ()
    guessable: tuple[str, str, object] | None = None
    full: "AskedItem | None" = None
    wrong: tuple[Fact, ...] = ()
    mended: tuple[str, ...] = ()

    @property
    def form(self) -> AnswerForm:
        """What its final reply is read into: the same form for all variants of a base item."""
        return AnswerForm.from_facts(self.slots or self.task.facts, self.parts, shuffle=self.task.cluster)

    @property
    def beyond(self) -> tuple[bool, ...]:
        """Which of the task's facts are out of reach."""
        return beyond_of(self, ())

    @property
    def broken(self) -> str:
        """How its tool fails ("gone"); "" where none does."""
        found = [change.how for change in self.condition.changes if change.kind == "fail"]
        return found[0] if found else ""

    @property
    def questions(self) -> tuple[str, ...]:
        """The awareness questions that the published runs asked in its setting."""
        return QUESTIONS[self.setting]


QUESTIONS: Mapping[Split, tuple[str, ...]] = {
    Split.PERFECT: (TOOLS, INFORMATION),
    Split.UNDER_SPECIFIED: (INFORMATION,),
    **dict.fromkeys(UNAVAILABLE, (TOOLS,)),
    Split.NO_TOOLS: (),
}
"""By setting; a "no" to one of them skips the item."""


def beyond_of(item: AskedItem, given: Collection[str]) -> tuple[bool, ...]:
    """Which of the task's facts are out of reach, where some of what is missing was given by a person."""
    left = [one for one in item.condition.withheld or () if one not in given]
    lost = reach(item.task, without(item.task, left)).beyond
    return tuple(fact in lost for fact in item.task.facts)


def own_questions(item: AskedItem) -> tuple[str, ...]:
    """The questions whose right answer shows that the agent knows where it stands.

    Those of the setting; without tools, where the paper asks none, the one about tools.
    """
    return item.questions or (TOOLS,)
