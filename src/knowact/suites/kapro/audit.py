"""What people are asked about KAPRO's tasks: the paper's three facets (spec kapro.md, section 3.7).

Where the paper's annotators confirmed a label, ours give it themselves: they see neither boundary nor
topology nor plan before they have said what both are.
"""

from knowact.core.suite import Audit, Facet, Question
from knowact.core.task import Boundary, Task, Topology

YES_NO = {"yes": "", "no": ""}

ABOUT = (
    "You judge tasks that an assistant is given: one message of a user, and the tools on offer. A task "
    "consists of one part or of several. A part is external if a good language model cannot do it by "
    "itself: it would have to change something, to know what changes with time or belongs to somebody, "
    "to hold more than fits into a text, to calculate beyond what one does reliably in writing, or to "
    "hear, see or draw. A part is internal if such a model does it alone, even though a tool for it lies"
    " at hand. Judge by the message, not by the tools."
)

TEXT = Facet(
    "text",
    "the text",
    (
        Question(
            "text",
            "Is the message fluent, does it say all that is needed, and could a person have written it?",
            YES_NO,
            lambda _: "yes",
            "Say no if it reads like a form that was filled in, if something is missing that neither the"
            " message, nor what is shown beside it, nor a tool can tell, or if it contradicts itself.",
        ),
    ),
)


def _boundary(task: Task) -> str:
    return task.boundary.value


def _topology(task: Task) -> str:
    return task.topology.value


KIND = Facet(
    "kind",
    "boundary and logic type",
    (
        Question(
            "boundary",
            "Which parts of this task need a tool?",
            {
                Boundary.EXTERNAL.value: "every part needs one",
                Boundary.HYBRID.value: "some parts need one, and others do not",
                Boundary.INTERNAL.value: "no part needs one; a good model does it all alone",
            },
            _boundary,
            "Think of each part by itself. A product of two small numbers is internal although a "
            "calculator is on offer; one of eight-digit numbers is external. A text that stands in the "
            "message is internal to work on; one that lies in the user's notes is external.",
        ),
        Question(
            "topology",
            "How do the parts hang together?",
            {
                Topology.SINGLE_HOP.value: "there is one part",
                Topology.PARALLEL.value: "several parts, each of which can be done without the others",
                Topology.MULTI_HOP.value: "several parts, and one takes the result of another",
            },
            _topology,
            "It is multi-hop only if a part cannot be begun before another one is done, because it works"
            " on what that one finds out.",
        ),
    ),
)

PLAN = Facet(
    "plan",
    "plan and order",
    (
        Question(
            "plan",
            "Does the plan do what the message asks, in an order that works, with nothing left out or added?",
            YES_NO,
            lambda _: "yes",
            "Look at each value: does it stand where the plan says that it comes from? A step that could"
            " be left out, a result that is never used, or a wish that no step serves makes it a no.",
        ),
    ),
    sees_plan=True,
)

AUDIT = Audit(facets=(TEXT, KIND, PLAN), sample=141, strata=("boundary", "topology"), about=ABOUT)
"""The paper's sample size; it stratified by logic type alone."""
