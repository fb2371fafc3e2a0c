"""Published model outputs: who answered what, and how it was graded.

Nothing is graded anew: the tool calls were never published, so no ruling can be rechecked.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, JsonValue

from knowact.core.errors import BadData, Place
from knowact.datasets.deviations import Deviation
from knowact.datasets.lines import Complaint
from knowact.datasets.members import Members, whole_number
from knowact.datasets.published import PublishedRow, WholeNumber, read_row
from knowact.suites.fail_talms.json_rows import read_rows
from knowact.suites.fail_talms.layout import UNAVAILABLE, Kind, Split, find_outputs, split_of
from knowact.suites.fail_talms.published import Published, PublishedItem

ANSWERS = "answers.json"

_RUN = re.compile(r"(?P<model>.+?)(?:_(?P<judge>auto|human)_eval)?(?P<help>[_-]?(?:qaq|aah))?", re.IGNORECASE)
_CALL = re.compile(r"<function=[^>]*>")
"""How published Llama pipelines have functions called; in a final answer it is a call that was never made."""

_FIX = "call it MODEL_auto_eval, with _qaq or _AAH behind it for a run with a person to ask"


def _skipped(value: JsonValue) -> bool:
    if value not in (True, False):
        raise Complaint("this must be true or false", "say whether it was skipped")
    return bool(value)


class Record(PublishedRow):
    """One record as it stands in its file; labels and rulings may be anything."""

    query_id: WholeNumber
    skipped: Annotated[bool, BeforeValidator(_skipped)]
    pass_rate: JsonValue = None
    tool_annotation: JsonValue = None
    tool_awareness: JsonValue = None
    info_annotation: JsonValue = None
    info_awareness: JsonValue = None
    interaction_scores: JsonValue = None
    win_rate: JsonValue = None
    model_answer: JsonValue = None


class Label(StrEnum):
    """What a model answered to an awareness question."""

    YES = "yes"
    IDK = "idk"
    NO = "no"


class Against(IntEnum):
    """How an answer without tools compares with the same model's answer in the perfect setting."""

    LOSE = 0
    TIE = 1
    WIN = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """One record of a published run.

    Attributes:
        query_id: The item's id in the combined file of its setting.
        skipped: Whether the model gave up on it; None where it could not, as nothing was asked before.
        ruling: What the grader said; None where it said neither 0 nor 1.
        tool_label: On whether it has the tools; None where that was not asked or can't be read.
        info_label: On whether it has the information; likewise.
        questions: How many questions it put to a person.
        against: How it compares with the perfect setting; None where that was not judged.
        item: The benchmark's item; None without a benchmark, or where that has none of this id.
        copy: 1 for an item's first record in its file, 2 for the next one.
        place: File and line.
        cluster: What it is resampled with, in our own runs; the published intervals take each record for
            itself.
    """

    query_id: int
    skipped: bool | None
    ruling: bool | None
    tool_label: Label | None
    info_label: Label | None
    questions: int
    against: Against | None
    item: PublishedItem | None
    copy: int
    place: Place
    cluster: str | None = None

    @property
    def marked(self) -> bool:
        """Whether the file marks it as passed; one published record is, although it was skipped."""
        return self.ruling is True

    @property
    def passed(self) -> bool:
        """Whether it was attempted and solved."""
        return self.marked and not self.skipped

    @property
    def attempted(self) -> bool:
        """Whether there is an answer with a ruling."""
        return self.ruling is not None and not self.skipped

    @property
    def judged(self) -> bool:
        """Whether there is a ruling; skipping is one."""
        return self.ruling is not None or self.skipped is True

    @property
    def asked(self) -> bool:
        """Whether it put at least one question."""
        return self.questions > 0


@dataclass(frozen=True, slots=True)
class PublishedRun:
    """One file of records.

    Attributes:
        model: As its folder names it ("gpt_4o").
        helper: Whether a person could be asked.
        by_person: Whether a person gave the rulings, instead of a model.
    """

    split: Split
    model: str
    helper: bool
    by_person: bool
    answers: tuple[Answer, ...]
    file: Path

    def label(self, answer: Answer) -> Label | None:
        """The label of the setting's own question: information where that is missing, else tools."""
        return answer.info_label if self.split is Split.UNDER_SPECIFIED else answer.tool_label


@dataclass(frozen=True, slots=True)
class Tally:
    """What the records of one run come to, as counts.

    Attributes:
        n: Records, repeated ones included.
        passed: Those that the file marks as passed.
        labels: Of the setting's own awareness question.
        unexpected: The label is yes, and it is marked as passed.
        asked: Records with a recorded question.
        held: Records that win or tie against the perfect setting; None where that was never judged.
    """

    n: int
    passed: int
    labels: Mapping[Label, int]
    unexpected: int
    skipped: int
    asked: int
    held: int | None


def tally(run: PublishedRun) -> Tally:
    """Count the records of a run."""
    answers = run.answers
    labels = Counter(map(run.label, answers))
    judged = [answer.against for answer in answers if answer.against is not None]
    return Tally(
        n=len(answers),
        passed=sum(answer.marked for answer in answers),
        labels={label: labels[label] for label in Label},
        unexpected=sum(answer.marked and run.label(answer) is Label.YES for answer in answers),
        skipped=sum(answer.skipped is True for answer in answers),
        asked=sum(answer.asked for answer in answers),
        held=sum(against is not Against.LOSE for against in judged) if judged else None,
    )


def read_outputs(
    path: Path, benchmark: Published | None, deviations: list[Deviation]
) -> tuple[PublishedRun, ...]:
    """Read every run below a folder.

    Args:
        path: The folder of a release (with `outputs` in it), or its `outputs`.
        benchmark: What the records are held against; None leaves that out.
        deviations: Takes records that are odd, repeated, or not of the benchmark.

    Raises:
        BadData: The folder has another layout, or a record cannot be used; the first one is named.
    """
    if not path.is_dir():
        raise BadData("there is no such folder", Place(path), "check the path")
    root = find_outputs(path)
    if root is None:
        what = f"this folder holds no published outputs (SETTING/MODEL_auto_eval/{ANSWERS})"
        raise BadData(what, Place(path), "name the folder that holds 'outputs'")
    runs: dict[tuple[Split, str, bool, bool], PublishedRun] = {}
    for file in sorted(root.glob(f"*/*/{ANSWERS}")):
        run = _run(file, benchmark, deviations)
        key = (run.split, run.model, run.helper, run.by_person)
        if key in runs:
            what = f"this folder and {runs[key].file.parent.name} are of the same model and setting"
            raise BadData(what, Place(file.parent), "keep one of them")
        runs[key] = run
    order = list(Split)
    return tuple(sorted(runs.values(), key=lambda run: (run.model, order.index(run.split), run.helper)))


def _run(file: Path, benchmark: Published | None, deviations: list[Deviation]) -> PublishedRun:
    split = split_of(file.parent.parent, deviations)
    if split is None:
        names = ", ".join(split.folder for split in Split)
        what = "this folder is named after none of the published settings"
        raise BadData(what, Place(file.parent.parent), f"call it one of {names}")
    named = _RUN.fullmatch(file.parent.name)
    if named is None or not (named["judge"] or named["help"]):
        raise BadData("the folder's name does not say which run this is", Place(file.parent), _FIX)
    items = dict[int, PublishedItem]() if benchmark is None else benchmark.by_query_id(split)
    seen: Counter[int] = Counter()
    answers: list[Answer] = []
    for line in read_rows(file, deviations):
        row = Members(line, line.value, deviations)
        answer = _answer(row, split, items, seen)
        seen[answer.query_id] += 1
        if benchmark is not None:
            _hold_against(answer, row)
        answers.append(answer)
    by_person = (named["judge"] or "").casefold() == "human"
    return PublishedRun(split, named["model"], bool(named["help"]), by_person, tuple(answers), file)


def _answer(
    row: Members, split: Split, items: Mapping[int, PublishedItem], seen: Mapping[int, int]
) -> Answer:
    record = read_row(Record, row)
    number = record.query_id
    item = items.get(number)
    row.item = item.id if item else f"{split}.q{number}"
    answer = Answer(
        query_id=number,
        skipped=record.skipped,
        ruling=_ruling(record.pass_rate, row),
        tool_label=_label(record, "tool", row, asked=split in (Split.PERFECT, *UNAVAILABLE)),
        info_label=_label(record, "info", row, asked=split in (Split.PERFECT, Split.UNDER_SPECIFIED)),
        questions=_questions(record.interaction_scores, row),
        against=_against(record.win_rate, row),
        item=item,
        copy=seen.get(number, 0) + 1,
        place=row.line.place(),
    )
    if answer.copy > 1:
        row.noted(Kind.RECORD_TWICE, f"kept; copy {answer.copy} of id {number} in this file", "query_id")
    _look_at_text(record.model_answer, row, answer)
    return answer


def _ruling(value: JsonValue, row: Members) -> bool | None:
    number = int(value) if isinstance(value, bool) else whole_number(value)
    if number in (0, 1):
        return bool(number)
    row.noted(Kind.RULING_ODD, f"{value!r} is not a ruling; the record counts as not graded", "pass_rate")
    return None


def _label(record: Record, question: Literal["tool", "info"], row: Members, *, asked: bool) -> Label | None:
    """The label, or the first word of the reply where there is none; told where its setting asks for it."""
    of_tools, name = question == "tool", f"{question}_annotation"
    value = record.tool_annotation if of_tools else record.info_annotation
    reply = record.tool_awareness if of_tools else record.info_awareness
    folded = value.strip().casefold() if isinstance(value, str) else ""
    if folded in set(Label):
        return Label(folded)
    first = re.match(r"\W*(yes|no|idk)\b", reply.casefold()) if isinstance(reply, str) else None
    if first is not None:
        row.mended(Kind.LABEL_ODD, f"{value!r} is not a label; read off the reply as {first[1]!r}", name)
        return Label(first[1])
    if asked:
        row.noted(Kind.LABEL_ODD, f"{value!r} is not a label; the record counts under none", name)
    return None


def _questions(value: JsonValue, row: Members) -> int:
    """How many questions were recorded; their ratings are looked at, because operators typed them."""
    listed = value if isinstance(value, list) else [value] if value else []
    for number, question in enumerate(listed):
        rating = question.get("score") if isinstance(question, dict) else question
        if str(rating).strip() not in {"0", "1"}:
            field = f"interaction_scores[{number}].score"
            row.noted(Kind.RATING_ODD, f"{rating!r}; the question counts", field)
    return len(listed)


def _against(value: JsonValue, row: Members) -> Against | None:
    number = whole_number(value)
    if number in set(Against):
        return Against(number)
    if value is not None:
        row.noted(Kind.RULING_ODD, f"{value!r} is neither lose (0), tie (1) nor win (2)", "win_rate")
    return None


def _look_at_text(value: JsonValue, row: Members, answer: Answer) -> None:
    """Enter answers that are no texts, and passes that the answer itself makes doubtful."""
    if answer.skipped:
        if answer.ruling:
            how = "passed by the published rules, which take the mark; not attempted by the definition"
            row.noted(Kind.SKIPPED_AND_PASSED, how, "pass_rate")
        return
    doubts: list[Kind] = [] if isinstance(value, str) else [Kind.ANSWER_ODD]
    if answer.ruling:
        text = value or "" if isinstance(value, str | None) else "of another type"
        doubts += [Kind.ANSWER_EMPTY] if not text.strip() else []
        doubts += [Kind.CALL_IN_ANSWER] if _CALL.search(text) else []
    odd = "it is null or absent; " if value is None else f"it is of type {type(value).__name__}; "
    for kind in doubts:
        row.noted(kind, f"{odd if kind is Kind.ANSWER_ODD else ''}its ruling stays", "model_answer")


def _hold_against(answer: Answer, row: Members) -> None:
    query = row.value.get("query")
    if answer.item is None:
        row.item = ""
        how = f"id {answer.query_id} is in no combined file here; the record counts"
        row.noted(Kind.RECORD_UNKNOWN, how, "query_id")
    elif not isinstance(query, str) or query.split() != answer.item.query.split():
        row.noted(Kind.RECORD_TEXT, "kept; the item's query is another text", "query")
