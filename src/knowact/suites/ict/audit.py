"""What people are asked about ICT's items: both rejection lists of spec ict.md, section 3.3.

A machine decides whether words changed, whether the user has the last word, and what the tools can do
(`forge.ict.reject`). People say what it cannot: whether a person could have written that, and whether there
is a way that nobody thought of. They see single versions, complete and incomplete ones alike, and are not
told which is which; the plan, which is that of the complete version, is shown last.
"""

from typing import Final

from knowact.core.suite import Audit, Facet, Question
from knowact.core.task import Task
from knowact.suites.ict.asked import LACKS

ABOUT: Final = (
    "You judge conversations with an assistant, and the tools that it has. In some of them all is there that "
    "it takes to do what the user last asked for; in others a tool is missing, or something that the user "
    "would have to say. Values that are shown beside the conversation count as told, and so does what "
    "earlier calls returned. Sums, comparisons and translations need no tool."
)

_LACKING: Final = {"nothing": "yes", "tool": "tool", "information": "information", "half": "half"}
_LEFT: Final = {"nothing": "all", "tool": "none", "information": "none", "half": "part"}


def _lacking(task: Task) -> str:
    return _LACKING[str(task.provenance[LACKS])]


def _left(task: Task) -> str:
    return _LEFT[str(task.provenance[LACKS])]


TEXT: Final = Facet(
    "text",
    "the text",
    (
        Question(
            "natural",
            "Is the conversation natural and grammatical, without contradicting itself?",
            {"yes": "", "no": ""},
            lambda _: "yes",
            "That something is not said is no fault here: people leave things out. Say no where a sentence "
            "is broken, where something refers to what was cut away, or where nobody would write so.",
        ),
    ),
)
KIND: Final = Facet(
    "kind",
    "what is missing",
    (
        Question(
            "feasible",
            "Could the assistant do now what the user last asked for?",
            {
                "yes": "the tools and the information suffice",
                "tool": "no: a tool for it is missing",
                "information": "no: something is not said that a tool has to be told, or what is wanted",
                "half": "only one of several things that are asked for",
            },
            _lacking,
            "Look at each tool on offer, also at those that seem to be there for something else. Parameters "
            "that may be left out need not be told. A tool that merely sounds alike does not count.",
        ),
    ),
)
WAY: Final = Facet(
    "way",
    "no other way",
    (
        Question(
            "way",
            "The plan does what the user wanted, were everything there. With these tools and with what the "
            "conversation tells: how much of that can be reached, by the plan or in any other way?",
            {
                "all": "everything",
                "part": "one of several things",
                "none": "nothing of it, or only a step on the way",
            },
            _left,
            "Look for a way around: another tool on offer, several tools together, a value that stands "
            "elsewhere in the conversation, or that a tool tells.",
        ),
    ),
    sees_plan=True,
)

AUDIT: Final = Audit(facets=(TEXT, KIND, WAY), sample=120, strata=("part", "gold"), about=ABOUT)
"""The paper's two authors read all instances; fifteen of each part and class take a morning."""
