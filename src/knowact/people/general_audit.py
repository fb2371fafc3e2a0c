"""What people are asked about the data of a suite that has no questions of its own."""

from collections.abc import Sequence
from typing import Final

from knowact.core.suite import Audit, AuditQuestion, Facet, Item

SAMPLE: Final = 60

ABOUT: Final = (
    "You read what a user says to an assistant, and which tools the assistant has. What is shown beside the "
    "request counts as told. Arithmetic, comparison, translation and common knowledge need no tool."
)


def general_audit(items: Sequence[Item]) -> Audit:
    """Two blind questions about each item: whether its text is sound, and whether it can be done.

    What the data say of the second is what an item `lacks`; nothing, where the suite says that of no item.
    """
    lacking = {item.task.id: bool(item.lacks) for item in items}
    said = {False: "yes", True: "no"} if any(lacking.values()) else {False: "", True: ""}
    natural = AuditQuestion(
        "natural",
        "Is the text natural and grammatical, without contradicting itself?",
        {"yes": "", "no": ""},
        lambda _: "yes",
        "That something is not said is no fault here: people leave things out.",
    )
    possible = AuditQuestion(
        "possible",
        "Can the assistant do what is asked?",
        {
            "yes": "with these tools, or without any",
            "no": "a tool is missing, or something that only the user can say",
        },
        lambda task: said[lacking[task.id]],
        "Say no if even a part cannot be done.",
    )
    facets = (Facet("text", "the text", (natural,)), Facet("possible", "can be done", (possible,)))
    return Audit(facets, SAMPLE, (), ABOUT, "item")
