"""Our records in the shape of published ones, so that both are counted by the same definitions.

Spec fail-talms.md, sections 7 and 8: what the paper's tables need of a record.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from knowact.core.errors import Place
from knowact.core.record import Record
from knowact.suites.fail_talms.arms import NOBODY, Arm
from knowact.suites.fail_talms.layout import Split
from knowact.suites.fail_talms.outputs import Against, Answer, Label, PublishedRun
from knowact.suites.fail_talms.published_tables import Runs

_LABELS: Final[Mapping[float, Label]] = {1.0: Label.YES, 0.5: Label.IDK, 0.0: Label.NO}
_AGAINST: Final[Mapping[float, Against]] = {1.0: Against.WIN, 0.5: Against.TIE, 0.0: Against.LOSE}


def plain_runs(arms: Sequence[Arm]) -> list[Runs]:
    """The runs with nobody to ask, one by one."""
    return [Runs(_name(arm), _settings(arm), {}) for arm in arms if arm.helper == NOBODY]


def helped_runs(arms: Sequence[Arm]) -> list[Runs]:
    """The runs with somebody to ask, one by one, each beside the one that is like it but for that."""
    plain = {_name(arm): _settings(arm) for arm in arms if arm.helper == NOBODY}
    helped = [arm for arm in arms if arm.helper != NOBODY]
    names = Counter(_name(arm) for arm in helped)
    return [
        Runs(f"{name}, {arm.helper} helper" if names[name] > 1 else name, plain.get(name, {}), _settings(arm))
        for arm in helped
        for name in (_name(arm),)
    ]


def _name(arm: Arm) -> str:
    return ", ".join(value for key, value in arm.keys.items() if key != "to ask")


def _settings(arm: Arm) -> dict[Split, PublishedRun]:
    file, helped = Path(arm.run.logs[0]), arm.helper != NOBODY
    return {
        Split(setting): _run(Split(setting), _name(arm), records, helper=helped, file=file)
        for setting, records in arm.settings.items()
    }


def _run(split: Split, model: str, records: Sequence[Record], *, helper: bool, file: Path) -> PublishedRun:
    scored = [record for record in records if record.scored]
    clusters = {name: place for place, name in enumerate(dict.fromkeys(r.cluster for r in scored))}
    answers = tuple(_answer(one, number, clusters, split, file) for number, one in enumerate(scored))
    return PublishedRun(split, model, helper, by_person=False, answers=answers, file=file)


def _answer(record: Record, number: int, clusters: Mapping[str, int], split: Split, file: Path) -> Answer:
    """One record; in perfect and no-tools the base item is the id, so that the two can be joined."""
    base = split in (Split.PERFECT, Split.NO_TOOLS)
    passed = record.value("pass")
    questions = record.value("questions")
    return Answer(
        query_id=clusters[record.cluster] if base else len(clusters) + number,
        skipped=record.value("skipped") == 1,
        verdict=None if math.isnan(passed) else passed == 1,
        tool_label=_LABELS.get(record.value("tools")),
        info_label=_LABELS.get(record.value("info")),
        questions=0 if math.isnan(questions) else int(questions),
        against=_AGAINST.get(record.value("versus")),
        item=None,
        copy=record.epoch,
        place=Place(file, number + 1),
    )
