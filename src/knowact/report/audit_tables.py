"""What people found when they audited a data set: tables, and the tasks that have to be looked at again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowact.core.suite import Audit, Facet
from knowact.core.table import Estimate, Row, Table
from knowact.core.task import Task
from knowact.measures.agreement import kappa, observed
from knowact.measures.intervals import wilson

ALL = "all"

Given = Mapping[tuple[str, str], str | None]
"""One annotator's answers by task and question; None where they skipped, no entry where they never came."""


@dataclass(frozen=True, slots=True)
class Audited:
    """An audit as far as it has come.

    Attributes:
        audit: What was asked.
        sample: The tasks that everybody was given, in the data's order.
        labels: Each task's labels, by its id.
        given: Answers by annotator, in a fixed order.
        seed: Of the bootstrap.
    """

    audit: Audit
    sample: Sequence[Task]
    labels: Mapping[str, Mapping[str, str]]
    given: Mapping[str, Given]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """A task that no majority found right in one facet.

    Attributes:
        tie: Whether the annotators are divided; else most of them found it wrong.
        votes: Per annotator, what they said, question by question.
    """

    item: str
    facet: str
    tie: bool
    votes: Mapping[str, str]


def passed(facet: Facet, task: Task, given: Given) -> bool | None:
    """Whether one annotator agrees with the data in all questions of a facet; None if one is missing."""
    answers = [given.get((task.id, question.id)) for question in facet.questions]
    if any(answer is None for answer in answers):
        return None
    pairs = zip(facet.questions, answers, strict=True)
    return all(question.label(task) == answer for question, answer in pairs)


def majority(audited: Audited, facet: Facet, task: Task) -> bool | None:
    """What more than half of those who answered found; None for a tie. See `answered` for whether any did."""
    votes = _votes(audited, facet, task)
    return None if votes[True] == votes[False] else votes[True] > votes[False]


def answered(audited: Audited, facet: Facet, task: Task) -> bool:
    """Whether anybody answered all questions of the facet."""
    return bool(_votes(audited, facet, task).total())


def _votes(audited: Audited, facet: Facet, task: Task) -> Counter[bool]:
    found = (passed(facet, task, given) for given in audited.given.values())
    return Counter(vote for vote in found if vote is not None)


def shares(audited: Audited) -> Table:
    """The share of tasks that the majority found right, per facet and in all facets, with Wilson intervals.

    A tie is not found right: the share is of all tasks that somebody answered.
    """
    by = audited.audit.strata[0] if audited.audit.strata else ""
    groups = [ALL, *dict.fromkeys(audited.labels[task.id].get(by, "") for task in audited.sample if by)]
    rows: list[Row] = []
    for facets, title in (
        *(((facet,), facet.title) for facet in audited.audit.facets),
        (audited.audit.facets, "all of these"),
    ):
        for group in groups:
            tasks = [
                task
                for task in audited.sample
                if group in (ALL, audited.labels[task.id].get(by, ""))
                and all(answered(audited, facet, task) for facet in facets)
            ]
            right = sum(all(majority(audited, facet, task) for facet in facets) for task in tasks)
            rows.append(Row({"facet": title, by or "tasks": group}, "right", wilson(right, len(tasks))))
    note = "Right: more than half of those who answered agree with the data. A tie is not right."
    return Table("audit-shares", "Found right by the majority", "knowact", tuple(rows), note=note)


def agreement(audited: Audited) -> Table:
    """Observed agreement and kappa per question; no rows for a single annotator."""
    names = list(audited.given)
    rows: list[Row] = []
    if len(names) > 1:
        measure = "Cohen's kappa" if len(names) == 2 else "Fleiss' kappa"  # noqa: PLR2004 - Cohen's is of two
        clusters = [task.cluster for task in audited.sample]
        for question in audited.audit.questions:
            ratings = [
                [given.get((task.id, question.id)) for given in audited.given.values()]
                for task in audited.sample
            ]
            keys = {"question": question.id}
            rows.append(Row(keys, "observed", observed(ratings, clusters, audited.seed)))
            rows.append(Row(keys, measure, kappa(ratings, clusters, audited.seed)))
    note = "Kappa is agreement beyond chance; a dash where all answers are the same, which chance explains."
    return Table("audit-agreement", "Agreement", "knowact", tuple(rows), note=note, percent=False)


def progress(audited: Audited) -> Table:
    """How many questions each annotator answered, skipped and has not come to."""
    questions = audited.audit.questions
    total = len(audited.sample) * len(questions)
    rows: list[Row] = []
    for name, given in audited.given.items():
        skipped = sum(answer is None for answer in given.values())
        numbers = {"answered": len(given) - skipped, "skipped": skipped, "not reached": total - len(given)}
        rows += [Row({"annotator": name}, what, Estimate(count, total)) for what, count in numbers.items()]
    return Table("audit-progress", "Answers", "knowact", tuple(rows), percent=False, counts=True)


def doubts(audited: Audited) -> list[Doubt]:
    """Every task and facet that was answered and not found right, in the data's order."""
    found: list[Doubt] = []
    for task in audited.sample:
        for facet in audited.audit.facets:
            if not answered(audited, facet, task) or majority(audited, facet, task):
                continue
            votes = {
                name: ", ".join(str(given.get((task.id, question.id)) or "-") for question in facet.questions)
                for name, given in audited.given.items()
            }
            found.append(Doubt(task.id, facet.id, majority(audited, facet, task) is None, votes))
    return found
