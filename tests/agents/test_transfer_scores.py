"""Transfer of one built-in agent of each pure kind: computed here from the data, and run for real."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from agents.by_hand import ours, overdone, overlap
from knowact.agents.reference import INVENTED
from knowact.core.record import TRANSFER, Record
from knowact.core.table import Run
from knowact.datasets.own import ITEMS
from knowact.measures.columns import columns
from knowact.measures.transfer import GOLD, OWN, TransferVerdict, contrast, verdict
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA
from running import knowact, run_at

pytestmark = pytest.mark.slow

SUITES: Final = {"kapro": 40, "fail-talms": 12, "ict": 24}
"""By suite how many base tasks."""

Four = tuple[float, float, float, float]

HEEDED: Final = {"ignorant": (False, False, False, True), "forgetful": (False, True, False, True)}
"""After which of alone, own, neutral and gold it acts rightly."""


def kapro(agent: str) -> Mapping[str, Four]:
    """It calls what the task does not take, or overdoes it; right is exactly T."""
    found: dict[str, Four] = {}
    for item in ours():
        beside = set(item.offered) - item.needed or {INVENTED}
        wrong = overlap(beside if agent in HEEDED else overdone(item, "act"), item.needed)
        alone, own, neutral, gold = (1 if fine else wrong for fine in HEEDED.get(agent, (False,) * 4))
        found[item.id] = alone, own, neutral, gold
    return found


def conduct(agent: str, *, complete: bool) -> Four:
    """Where nothing is missing, going ahead is right, whoever does it; elsewhere only who heeds is."""
    alone, own, neutral, gold = (float(complete or fine) for fine in HEEDED.get(agent, (False,) * 4))
    return alone, own, neutral, gold


def expected(suite: str, agent: str, run: Run) -> Mapping[str, Four]:
    if suite == "kapro":
        return kapro(agent)
    if suite == "ict":
        complete = {record.item: record.labels["gold"] == "complete" for record in run.records}
    else:
        lines = map(json.loads, (DATA / DEFAULT_DATA / ITEMS).read_text("utf-8").splitlines())
        complete = {line["id"]: line["possibility"] == "possible" for line in lines}
    return {item: conduct(agent, complete=fine) for item, fine in complete.items()}


def by_name(run: Run) -> Mapping[tuple[str, str], Record]:
    return {(record.item, record.condition): record for record in run.records}


VERDICTS: Final = {
    "ignorant": TransferVerdict.UNAWARE,
    "forgetful": TransferVerdict.UNUSED,
    "knows-but-overacts": TransferVerdict.UNABLE,
}


@pytest.mark.parametrize("agent", VERDICTS)
@pytest.mark.parametrize("suite", SUITES)
def test_lands_where_it_must(
    suite: str, agent: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    logs, again = tmp_path / "logs", tmp_path / "again"
    words = ("--model", f"knowact/{agent}", "--limit", SUITES[suite], "--transfer", "--log-dir", logs)
    done = knowact(capsys, "run", suite, *words)
    assert done.code == 0, done.said
    run = run_at(logs)
    by_item = expected(suite, agent, run)
    for record in run.records:
        values = [record.value(name) for name in TRANSFER]
        assert values == pytest.approx(by_item[record.item]), record.item
    assert knowact(capsys, "rescore", suite, logs, "--log-dir", again).code == 0
    assert by_name(run_at(again)) == by_name(run)
    data = columns(run.records, TRANSFER)
    found = verdict(contrast(data, OWN), contrast(data, GOLD))
    # So few base tasks that all agree leave a gain of ten points possible.
    few = agent not in HEEDED and suite != "kapro"
    assert found is (TransferVerdict.OPEN if few else VERDICTS[agent])
    assert "Know-to-act transfer: " in done.out
