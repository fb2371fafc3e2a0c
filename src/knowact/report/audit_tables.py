"""Results of an audit by people: tables, and the tasks to review."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from knowact.core.suite import Audit, AuditQuestion, Facet
from knowact.core.table import Estimate, Row, as_table, rows_of
from knowact.core.task import Task
from knowact.measures.agreement import kappa, observed
from knowact.measures.intervals import wilson

ALL = "all"
NO_MAJORITY = "(none)"
"""In parentheses, because "none" is an answer to some questions."""

Given = Mapping[tuple[str, str], str | None]
"""One annotator's answers by task and question; None if skipped, no entry if not reached."""


@dataclass(frozen=True, slots=True)
class Audited:
    """The current state of an audit.

    Attributes:
        audit: Its questions.
        sample: Everybody's tasks, in the data's order.
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
    """A task that no majority confirmed in one facet.

    Attributes:
        tie: Whether votes are tied; otherwise a majority rejected the task.
        label: What the data say, in the order of the questions.
        majority: The majority's answers, in that order; `NO_MAJORITY` where no answer has more than half.
        votes: Per annotator, the answers in the order of the questions.
    """

    item: str
    facet: str
    tie: bool
    label: str
    majority: str
    votes: Mapping[str, str]


def passed(facet: Facet, task: Task, given: Given) -> bool | None:
    """Whether one annotator agrees with the data on a facet; None if an answer is missing, or a label."""
    answers = [given.get((task.id, question.id)) for question in facet.questions]
    if any(answer is None for answer in answers) or not labelled(facet, task):
        return None
    pairs = zip(facet.questions, answers, strict=True)
    return all(question.label(task) == answer for question, answer in pairs)


def labelled(facet: Facet, task: Task) -> bool:
    """Whether the data say what the answers to a facet's questions should be."""
    return all(question.label(task) for question in facet.questions)


def majority(audited: Audited, facet: Facet, task: Task) -> bool | None:
    """The majority's vote; None for a tie, and where nobody voted (see `answered`)."""
    votes = _votes(audited, facet, task)
    return None if votes[True] == votes[False] else votes[True] > votes[False]


def answered(audited: Audited, facet: Facet, task: Task) -> bool:
    """Whether anybody answered all questions of the facet."""
    return bool(_votes(audited, facet, task).total())


def _votes(audited: Audited, facet: Facet, task: Task) -> Counter[bool]:
    ballots = (passed(facet, task, given) for given in audited.given.values())
    return Counter(vote for vote in ballots if vote is not None)


def majority_answer(audited: Audited, question: AuditQuestion, task: Task) -> str:
    """The answer that more than half of the annotators gave who answered, or `NO_MAJORITY`."""
    answers = (given.get((task.id, question.id)) for given in audited.given.values())
    votes = Counter(answer for answer in answers if answer is not None)
    return next((answer for answer, count in votes.items() if 2 * count > votes.total()), NO_MAJORITY)


@as_table("audit-majorities", "Answers of the majority", percent=False, counts=True)
def majorities(audited: Audited) -> Iterator[Row]:
    """How often the majority gave which answer, by question and by what the data say.

    A majority is more than half of those who answered.
    """
    for question in audited.audit.questions:
        answers = Counter(
            (question.label(task) or "(not said)", majority_answer(audited, question, task))
            for task in audited.sample
            if any(given.get((task.id, question.id)) for given in audited.given.values())
        )
        for (label, answer), count in sorted(answers.items()):
            keys = {"question": question.id, "the data say": label, "the majority says": answer}
            yield Row(keys, f"{audited.audit.thing}s", Estimate(count, answers.total()))


@as_table("audit-shares", "Confirmed by the majority")
def shares(audited: Audited) -> Iterator[Row]:
    """The share of tasks that a majority confirmed, per facet and in all facets, with Wilson intervals.

    Confirmed: more than half of the annotators agree with the data. A tie does not confirm.
    """
    # Of all tasks that somebody answered, in facets about which the data say something.
    by = audited.audit.strata[0] if audited.audit.strata else ""
    groups = [ALL, *dict.fromkeys(audited.labels[task.id].get(by, "") for task in audited.sample if by)]
    asked = [((facet,), facet.title) for facet in audited.audit.facets]
    for facets, title in asked if len(asked) == 1 else (*asked, (audited.audit.facets, "all facets")):
        for group in groups:
            tasks = [t for t in audited.sample if group in (ALL, audited.labels[t.id].get(by, ""))]
            yield Row({"facet": title, by or "tasks": group}, "confirmed", _confirmed(audited, facets, tasks))


def _confirmed(audited: Audited, facets: Sequence[Facet], tasks: Iterable[Task]) -> Estimate:
    verdicts: list[bool] = []
    for task in tasks:
        asked = [facet for facet in facets if labelled(facet, task)]
        if asked and all(answered(audited, facet, task) for facet in asked):
            verdicts.append(all(majority(audited, facet, task) for facet in asked))
    return wilson(sum(verdicts), len(verdicts))


@as_table("audit-agreement", "Agreement", percent=False)
def agreement(audited: Audited) -> Iterator[Row]:
    """Observed agreement and kappa per question; no rows with a single annotator.

    Kappa is agreement beyond chance. It is undefined (a dash) if all answers are the same.
    """
    raters = audited.given.values()
    if len(raters) > 1:
        measure = "Cohen's kappa" if len(raters) == 2 else "Fleiss' kappa"  # noqa: PLR2004 - Cohen's is of two
        clusters = [task.cluster for task in audited.sample]
        for question in audited.audit.questions:
            ratings = [[given.get((task.id, question.id)) for given in raters] for task in audited.sample]
            numbers = {
                "observed": observed(ratings, clusters, audited.seed),
                measure: kappa(ratings, clusters, audited.seed),
            }
            yield from rows_of({"question": question.id}, numbers)


@as_table("audit-progress", "Answers", percent=False, counts=True)
def progress(audited: Audited) -> Iterator[Row]:
    """How many questions each annotator answered, skipped and has not reached."""
    total = len(audited.sample) * len(audited.audit.questions)
    for name, given in audited.given.items():
        skipped = sum(answer is None for answer in given.values())
        numbers = {"answered": len(given) - skipped, "skipped": skipped, "not reached": total - len(given)}
        estimates = {state: Estimate(count, total) for state, count in numbers.items()}
        yield from rows_of({"annotator": name}, estimates)


def doubts(audited: Audited) -> list[Doubt]:
    """Every task and facet with answers that no majority confirmed, in the data's order."""
    doubtful: list[Doubt] = []
    for task in audited.sample:
        for facet in audited.audit.facets:
            if not answered(audited, facet, task) or majority(audited, facet, task):
                continue
            votes = {
                name: ", ".join(str(given.get((task.id, question.id)) or "-") for question in facet.questions)
                for name, given in audited.given.items()
            }
            label = ", ".join(question.label(task) for question in facet.questions)
            answers = ", ".join(majority_answer(audited, question, task) for question in facet.questions)
            tie = majority(audited, facet, task) is None
            doubtful.append(Doubt(task.id, facet.id, tie, label, answers, votes))
    return doubtful
