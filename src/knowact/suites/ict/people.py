"""The human baseline: what people are asked, and their table beside the models'.

In the paper nine people answered twenty items each, every item once. Here everybody answers the same items,
so that their agreement can be measured, and models are shown on those very items.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from knowact.core.record import Outcome, Record
from knowact.core.suite import Baseline, Item
from knowact.core.table import Row, Run, as_table
from knowact.measures.agreement import kappa, observed
from knowact.measures.confusion import Answer, Score
from knowact.probes.response import Judged, Response
from knowact.roles.baseline import ANNOTATOR, TOGETHER
from knowact.suites.ict.asked import EXPLICIT, AskedItem
from knowact.suites.ict.cases import Manipulation
from knowact.suites.ict.run_groups import explicit_answers, groups
from knowact.suites.ict.scoring import record_of
from knowact.suites.ict.tables import score_rows

SHOWN: Final = (Score.ACCURACY, Score.F1, Score.RECALL_NO, Score.RECALL_YES)
COLUMNS: Final[Mapping[str, Manipulation | None]] = {
    "AR": Manipulation.REPLACEMENT,
    "UR": Manipulation.REMOVAL,
    "all": None,
}
"""As in the paper."""


def record(item: Item, answer: str) -> Record:
    """The record of an agent that says nothing but that."""
    said = Response(EXPLICIT, Outcome.ANSWERED, answer.capitalize(), rounds=1)
    return record_of(cast("AskedItem", item), 1, Judged({EXPLICIT: said}))


@as_table("people", "People", "ICT, section on humans", across=("part",))
def people(runs: Sequence[Run]) -> Iterator[Row]:
    """People, one by one and together, and models on the items that people answered.

    People are asked the explicit question, with all that an agent is shown. Models: on the items that a
    person answered. AR: a tool was replaced, UR: words were removed. Intervals resample tasks. It takes
    answers (knowact human answer) and knowact report --humans.
    """
    persons = [run for run in runs if ANNOTATOR in run.options]
    data = dict.fromkeys(run.dataset for run in persons)
    for info in data:
        head = {"data": f"{info.name}@{info.version}"} if len(data) > 1 else {}
        yield from _on_one_data_set([run for run in persons if run.dataset == info], runs, head)


def _on_one_data_set(persons: Sequence[Run], runs: Sequence[Run], head: Mapping[str, str]) -> list[Row]:
    said = {run.model: explicit_answers(_scored(run.records)) for run in persons}
    rows = [row for who, found in said.items() for row in _scores({"who": who, **head}, found, persons)]
    if len(said) > 1:
        every = [_of(who, one) for who in said for one in said[who]]
        rows += _scores({"who": TOGETHER, **head}, every, persons)
        rows += _agreement(said, head)
    shown = {(one.pair, one.complete) for answers in said.values() for one in answers}
    for group in groups(runs) if shown else ():
        if group.run.dataset == persons[0].dataset:
            same = [a for a in explicit_answers(group.records()) if (a.pair, a.complete) in shown]
            keys = {"who": ", ".join([group.keys["model"], group.keys["strategy"]]), **head}
            rows += _scores(
                keys | ({"run": group.keys["run"]} if "run" in group.keys else {}), same, [group.run]
            )
    return rows


def _scored(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record.scored]


def _of(who: str, answer: Answer) -> Answer:
    """An answer of one of several people: each of them has pairs of their own."""
    return replace(answer, pair=f"{who}\n{answer.pair}")


def _scores(keys: Mapping[str, str], answers: Sequence[Answer], runs: Sequence[Run]) -> list[Row]:
    """The scores of each manipulation and of both."""
    of = {
        answer.pair: one.labels["manipulation"]
        for run in runs
        for one in run.records
        for answer in explicit_answers([one])
    }
    rows: list[Row] = []
    for column, manipulation in COLUMNS.items():
        some = [a for a in answers if manipulation in (None, of[a.pair.rpartition("\n")[2]])]
        place = {**keys, "part": column}
        rows += score_rows(place, some, SHOWN)
    return rows


def _agreement(said: Mapping[str, Sequence[Answer]], head: Mapping[str, str]) -> list[Row]:
    """How far people agree: over the items that two of them answered at least."""
    by_person = {who: {(one.pair, one.complete): one for one in answers} for who, answers in said.items()}
    items = {key: one.cluster for answers in by_person.values() for key, one in answers.items()}
    ratings = [
        [answers[key].said if key in answers else None for answers in by_person.values()] for key in items
    ]
    clusters = list(items.values())
    keys = {"who": TOGETHER, **head, "part": "all"}
    return [
        Row(keys, "agreement", observed(ratings, clusters)),
        Row(keys, "kappa", kappa(ratings, clusters)),
    ]


ABOUT: Final = (
    "An assistant has tools, and is in a conversation. You judge whether it could carry out now what the "
    "user last asked for: with these tools and no others, and with what the conversation tells. Values that "
    "are shown beside the conversation count as told; so does what earlier calls returned. Nothing may be "
    "guessed."
)
GUIDE: Final = (
    "Say no if no tool on offer does a thing that is asked for, even if one sounds alike; if something that "
    "a tool has to be told is not said anywhere; or if only a part could be done. Parameters that may be "
    "left out need not be told. What a person reads or works out alone (a sum, a translation) needs no tool."
)
BASELINE: Final = Baseline(
    text="Do these tools and this information suffice to do now what the user last asked for?",
    choices={"yes": "", "no": ""},
    record=record,
    table=people,
    sample=20,
    by="gold",
    strata=("manipulation", "source"),
    about=ABOUT,
    guide=GUIDE,
)
"""As many as each person answered in the paper."""
