"""An audit of data by people: which tasks, in which order, and where one annotator stands. Pure.

All annotators of one seed get the same sample, each in an order of their own, so that what tires the
one does not tire the others at the same place. What a question asks about is not shown before it is
answered: once the plan of a task was shown, the answers given blindly stand (KAPRO's audit was
blinded to scores alone).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from knowact.core.model import Noun
from knowact.core.seeds import derive, generator
from knowact.core.suite import Audit, AuditQuestion, Facet, Item
from knowact.core.task import Task


class AuditAnswer(Noun):
    """What an annotator said to one question about one task; None says that they skipped it."""

    kind: Literal["answer"] = "answer"
    item: str
    question: str
    answer: str | None


class PlanShown(Noun):
    """From here on the annotator knows the plan of this task."""

    kind: Literal["plan_shown"] = "plan_shown"
    item: str


Event = AuditAnswer | PlanShown
"""One line of an annotator's file, in the order in which things happened; a later answer replaces one."""


def tasks_of(items: Iterable[Item]) -> dict[str, Item]:
    """One item per task, the first of each: an audit looks at tasks, not at conditions."""
    first_items: dict[str, Item] = {}
    for item in items:
        first_items.setdefault(item.task.id, item)
    return first_items


def sampled(items: Iterable[Item], strata: Sequence[str], size: int, seed: int) -> tuple[Task, ...]:
    """Draw tasks from each stratum in proportion to its size, by largest remainders; in the data's order.

    A stratum of which the share is less than one task still gives one, where the size allows. Which tasks
    are drawn depends on the seed and on the ids alone, and a larger sample of a stratum holds the smaller.

    Args:
        items: Of a plan; items of one task count once.
        strata: Labels that make the strata.
        size: How many; all tasks if there are fewer.
        seed: The audit's.
    """
    every = tasks_of(items)
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, item in every.items():
        groups[tuple(item.labels.get(label, "") for label in strata)].append(name)
    chosen: set[str] = set()
    for key, count in _shares({key: len(names) for key, names in groups.items()}, size).items():
        ranked = sorted(groups[key], key=lambda name: (derive(seed, "audit", name), name))
        chosen.update(ranked[:count])
    return tuple(item.task for name, item in every.items() if name in chosen)


def _shares(sizes: Mapping[tuple[str, ...], int], number: int) -> dict[tuple[str, ...], int]:
    total = sum(sizes.values())
    number = min(number, total)
    exact = {key: number * size / total for key, size in sizes.items()}
    least = 1 if number >= len(sizes) else 0
    shares = {key: max(least, int(share)) for key, share in exact.items()}
    # Whole tasks do not add up by themselves: give to, or take from, whoever is furthest from their share.
    while (over := sum(shares.values()) - number) != 0:
        step = -1 if over > 0 else 1
        able = [key for key in sorted(sizes) if least <= shares[key] + step <= sizes[key]]
        nearest = max(able, key=lambda key: step * (exact[key] - shares[key]))
        shares[nearest] += step
    return shares


def in_order_of(annotator: str, sample: Sequence[Task], seed: int) -> tuple[Task, ...]:
    """Shuffle the sample for one annotator; the same name gets the same order."""
    order = list(sample)
    generator(seed, "audit order", annotator).shuffle(order)
    return tuple(order)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an annotator stands.

    Attributes:
        number: The task's place in their order, from 1.
        question: What is asked; None where the blind answers are to be confirmed before the plan is shown.
        answer: What they said before, where they came back.
    """

    number: int
    task: Task
    question: AuditQuestion | None
    answer: str | None = None


@dataclass(slots=True)
class Sheet:
    """One annotator's answers so far. `take` every event of the file first, then every new one."""

    audit: Audit
    order: Sequence[Task]
    answers: dict[tuple[str, str], str | None] = field(default_factory=dict[tuple[str, str], "str | None"])
    shown: set[str] = field(default_factory=set[str])
    _looking_back: tuple[int, int] | None = None

    def take(self, event: Event) -> str:
        """Enter one event; return "" or what is wrong with it, in a clause.

        Nothing is entered then: an item of another sample, a question or an answer that there is not, or
        a blind answer after the plan was shown.
        """
        if all(task.id != event.item for task in self.order):
            return f"the {self.audit.thing} {event.item!r} is not in the sample"
        if isinstance(event, PlanShown):
            self.shown.add(event.item)
            self._looking_back = None
            return ""
        asked = next((question for question in self.audit.questions if question.id == event.question), None)
        if asked is None:
            return f"there is no question {event.question!r}"
        if event.answer is not None and event.answer not in asked.choices:
            return f"{event.answer!r} is not an answer to {event.question!r}"
        if asked.id in self.audit.blind and event.item in self.shown:
            return f"{event.question!r} was answered after the plan was shown"
        self.answers[event.item, event.question] = event.answer
        self._looking_back = None
        return ""

    def here(self) -> Spot | None:
        """Return the question they came back to, else the first open one; None at the end."""
        questions = self.audit.questions
        if self._looking_back is not None:
            at, which = self._looking_back
            task, asked = self.order[at], questions[which]
            return Spot(at + 1, task, asked, self.answers.get((task.id, asked.id)))
        place = self._front()
        if place is None:
            return None
        at, which = place
        task, asked = self.order[at], questions[which]
        covered = asked.id not in self.audit.blind and task.id not in self.shown
        return Spot(at + 1, task, None if covered else asked)

    def back(self) -> bool:
        """Go to the nearest earlier question that may still be answered; False if there is none."""
        here = self._looking_back or self._front() or (len(self.order), 0)
        questions = self.audit.questions
        earlier = [
            (at, which)
            for at in range(min(here[0] + 1, len(self.order)))
            for which in range(len(questions))
            if (at, which) < here and not self._settled(self.order[at], questions[which])
        ]
        if not earlier:
            return False
        self._looking_back = earlier[-1]
        return True

    def _settled(self, task: Task, question: AuditQuestion) -> bool:
        return question.id in self.audit.blind and task.id in self.shown

    def _front(self) -> tuple[int, int] | None:
        for at, task in enumerate(self.order):
            for which, question in enumerate(self.audit.questions):
                if (task.id, question.id) not in self.answers:
                    return at, which
        return None

    @property
    def skipped(self) -> int:
        """How many questions they skipped."""
        return sum(answer is None for answer in self.answers.values())

    @property
    def left(self) -> int:
        """How many questions they have not come to."""
        return len(self.order) * len(self.audit.questions) - len(self.answers)


GENERAL_SAMPLE: Final = 60

GENERAL_ABOUT: Final = (
    "You read what a user says to an assistant, and which tools the assistant has. What is shown beside the "
    "request counts as told. Arithmetic, comparison, translation and common knowledge need no tool."
)


def general_audit(items: Sequence[Item]) -> Audit:
    """Two blind questions about each item: whether its text is sound, and whether it can be done.

    What the data say of the second is what an item `lacks`; nothing, where the suite says that of no item.
    """
    lacking = {item.task.id: bool(item.lacks) for item in items}
    label = {False: "yes", True: "no"} if any(lacking.values()) else {False: "", True: ""}
    natural = AuditQuestion(
        "natural",
        "Is the text natural and grammatical, without contradicting itself?",
        {"yes": "", "no": ""},
        lambda _: "yes",
        "An omission is not a fault here: people leave things out.",
    )
    possible = AuditQuestion(
        "possible",
        "Can the assistant do what is asked?",
        {
            "yes": "with these tools, or without any",
            "no": "a tool is missing, or something that only the user can say",
        },
        lambda task: label[lacking[task.id]],
        "Say no if even a part cannot be done.",
    )
    facets = (Facet("text", "the text", (natural,)), Facet("possible", "can be done", (possible,)))
    return Audit(facets, GENERAL_SAMPLE, (), GENERAL_ABOUT, "item")
