"""Items as they are asked, whatever the layout of their data: what scorers and the person asked must know."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from knowact.core.reach import Reach
from knowact.core.suite import Item
from knowact.core.task import Fact
from knowact.people.helper import Known
from knowact.reading.missing import Missing
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split

Gap = Literal["nothing", "value", "tool", "tools"]
"""What is missing: nothing, a detail, one tool, all tools."""

INFORMATION = "information"
TOOLS = "tools"
ACT = "act"
WITH_TOOLS = "act_with_tools"
"""Names of the probes, as in records."""


@dataclass(frozen=True, slots=True)
class AskedItem(Item):
    """One item of one setting.

    Attributes:
        setting: Which.
        category: Of its tools.
        gap: What is missing.
        reach: Which steps and facts of the plan are left without it; None where nobody has said (published).
        missing: The same for the reader of reasons; None where nobody has said.
        known: What a person who is asked knows.
        helpful: Whether asking a person makes the item possible.
        default: The facts that an answer asserts which filled in the pragmatic default; empty without one.
        default_words: How that default is said.
        guessable: The withheld value, as (tool, parameter, value): a call that carries another one, or this
            one without having asked, made it up.
        full: The same item as in the perfect setting, where the agent is to answer that, too.
        wrong: What the facts would be on the false results of a broken tool.
        mended: What the loader mended about it, a sentence each (published data).
    """

    setting: Split = Split.PERFECT
    category: str = ""
    gap: Gap = "nothing"
    reach: Reach | None = None
    missing: Missing | None = None
    known: Known | None = None
    helpful: bool = False
    default: tuple[Fact, ...] = ()
    default_words: str = ""
    guessable: tuple[str, str, object] | None = None
    full: "AskedItem | None" = None
    wrong: tuple[Fact, ...] = ()
    mended: tuple[str, ...] = ()

    @property
    def broken(self) -> str:
        """How its tool fails ("gone"); "" where none does."""
        found = [change.how for change in self.condition.changes if change.kind == "fail"]
        return found[0] if found else ""

    @property
    def questions(self) -> tuple[str, ...]:
        """The awareness questions that the published runs asked in its setting (spec, section 6.1)."""
        return QUESTIONS[self.setting]


QUESTIONS: Mapping[Split, tuple[str, ...]] = {
    Split.PERFECT: (TOOLS, INFORMATION),
    Split.UNDER_SPECIFIED: (INFORMATION,),
    **dict.fromkeys(UNAVAILABLE, (TOOLS,)),
    Split.NO_TOOLS: (),
}
"""By setting; a "no" to one of them skips the item."""


def own_questions(item: AskedItem) -> tuple[str, ...]:
    """The questions whose right answer shows that the agent knows where it stands.

    Those of the setting; without tools, where the paper asks none, the one about tools.
    """
    return item.questions or (TOOLS,)
