"""Each reference agent scores what follows from the data: computed here by hand, and run for real."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

import pytest

from agents.by_hand import (
    ANSWERS_RIGHT,
    CHOICES,
    Given,
    coin,
    coin_expectation,
    mean_overlap,
    ours,
    overlap,
    published,
    tossed,
)
from knowact.agents.policy import View
from knowact.agents.reference import AGENTS
from knowact.cli.main import run
from knowact.core.names import shown_names
from knowact.core.record import Record, Status
from knowact.core.table import Run
from knowact.suites.kapro.suite import SUITE
from knowact.suites.kapro.tables import main
from running import run_at

pytestmark = pytest.mark.slow

EXACT = 1e-9
RUN = 40
"""Items of our own data that are run for real, five of each bucket; all are checked without the engine."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What all reference agents made of one data set."""

    items: Sequence[Given]
    runs: Mapping[str, Run]

    def record(self, agent: str, item: Given) -> Record:
        (found,) = (record for record in self.runs[agent].records if record.item == item.id)
        return found


def sit(items: Sequence[Given], folder: Path, *words: str) -> Sitting:
    runs: dict[str, Run] = {}
    for agent in CHOICES:
        logs = folder / agent
        assert run(["run", "kapro", "--model", f"knowact/{agent}", "--log-dir", str(logs), *words]) == 0
        runs[agent] = run_at(logs)
    return Sitting(items, runs)


@pytest.fixture(scope="module")
def everyday(tmp_path_factory: pytest.TempPathFactory) -> Sitting:
    return sit(list(ours())[:RUN], tmp_path_factory.mktemp("everyday"), "--limit", str(RUN))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, kaware: Path) -> Sitting:
    return sit(list(published(kaware)), tmp_path_factory.mktemp("kaware"), "--data", str(kaware))


@pytest.fixture(params=["everyday", "sample"])
def sitting(request: pytest.FixtureRequest) -> Sitting:
    found: Sitting = request.getfixturevalue(request.param)
    return found


@pytest.mark.parametrize("agent", CHOICES)
def test_each_item_gives_what_was_computed_by_hand(sitting: Sitting, agent: str) -> None:
    assert len(sitting.runs[agent].records) == len(sitting.items)
    for item in sitting.items:
        record = sitting.record(agent, item)
        assert record.required == item.needed, item.id
        said = CHOICES[agent](item, "tools_needed")
        called = CHOICES[agent](item, "act")
        assert (record.needed, record.used) == (said, called), item.id
        assert (record.knew, record.acted) == (said == item.needed, called == item.needed), item.id
        values = {
            "acc_know": overlap(said, item.needed),
            "acc_act": overlap(called, item.needed),
            "over_know": len(said - item.needed) / max(1, len(said | item.needed)),
            "under_act": len(item.needed - called) / max(1, len(called | item.needed)),
            "lost_know": 0.0,
            "lost_act": 0.0,
            "agreement": overlap(said, called),
        }
        assert {name: record.value(name) for name in values} == pytest.approx(values, abs=EXACT), item.id


@pytest.mark.parametrize("agent", CHOICES)
def test_every_item_gets_the_computed_moves_without_the_engine_too(agent: str) -> None:
    by_id = {item.id: item for item in ours()}
    for item in SUITE.plan(SUITE.defaults()).items:
        given = by_id.pop(item.id)
        shown = {name: tool for tool, name in shown_names(given.offered).items()}
        moves = [AGENTS[agent].know(View(item, 0, coin(0, agent, item.id, "tools_needed")))]
        said = {shown[name] for name, yes in json.loads(moves[0].text)["tool_decisions"].items() if yes}
        called: set[str] = set()
        for turn in range(len(given.offered) + 2):
            move = AGENTS[agent].act(View(item, turn, coin(0, agent, item.id, "act")))
            called |= {shown.get(call.tool, call.tool) for call in move.calls}
        assert said == CHOICES[agent](given, "tools_needed")
        assert called == CHOICES[agent](given, "act")
    assert not by_id


@pytest.mark.parametrize("agent", CHOICES)
def test_the_main_table_holds_the_means_and_their_harmonic_mean(sitting: Sitting, agent: str) -> None:
    table = main([sitting.runs[agent]])
    found = {(row.keys["boundary"], row.measure): row.estimate.value for row in table.rows}
    weighted = 0.0
    for boundary in ("external", "hybrid", "internal"):
        items = [item for item in sitting.items if item.boundary == boundary]
        know = mean_overlap(items, CHOICES[agent], "tools_needed")
        act = mean_overlap(items, CHOICES[agent], "act")
        kas = 2 * know * act / (know + act) if know + act else 0.0
        weighted += kas * len(items) / len(sitting.items)
        assert found[boundary, "Acc_know"] == pytest.approx(know, abs=EXACT)
        assert found[boundary, "Acc_act"] == pytest.approx(act, abs=EXACT)
        assert found[boundary, "KAS"] == pytest.approx(kas, abs=EXACT)
    assert found["average", "KAS"] == pytest.approx(weighted, abs=EXACT)


@pytest.mark.parametrize("agent", CHOICES)
def test_the_agents_that_know_the_answer_pass_and_the_others_do_not(everyday: Sitting, agent: str) -> None:
    wanted = 1.0 if agent in ANSWERS_RIGHT else 0.0
    records = everyday.runs[agent].records
    assert {record.item: record.value("pass") for record in records} == {r.item: wanted for r in records}


@pytest.mark.parametrize("agent", CHOICES)
def test_published_answers_are_prose_and_nobody_passes_without_a_judge(sample: Sitting, agent: str) -> None:
    assert {r.results["pass"].status for r in sample.runs[agent].records} == {Status.NOT_JUDGED}


def test_the_ceiling_and_the_floors_are_where_theory_puts_them(everyday: Sitting) -> None:
    def kas(agent: str) -> dict[str, float | None]:
        rows = main([everyday.runs[agent]]).rows
        return {row.keys["boundary"]: row.estimate.value for row in rows if row.measure == "KAS"}

    whole = dict.fromkeys(("external", "hybrid", "internal", "average", "worst"), 1.0)
    assert kas("oracle") == pytest.approx(whole)
    assert kas("eager")["external"] == 1
    assert kas("eager")["internal"] == kas("eager")["worst"] == 0
    assert (kas("shy")["external"], kas("shy")["hybrid"], kas("shy")["internal"]) == (0, 0, 1)
    assert kas("knows-but-overacts")["internal"] == 0
    assert all(r.knew and not r.acted for r in everyday.runs["knows-but-overacts"].records)


def test_the_coin_is_fair_on_many_seeds() -> None:
    items = list(ours())
    for boundary in ("external", "hybrid", "internal"):
        chosen = [item for item in items if item.boundary == boundary]
        expected = fmean(coin_expectation(item) for item in chosen)
        for probe in ("tools_needed", "act"):
            means = [
                fmean(overlap(tossed(item, seed, probe), item.needed) for item in chosen)
                for seed in range(400)
            ]
            error = stdev(means) / math.sqrt(len(means))
            assert abs(fmean(means) - expected) < 4 * error, (boundary, probe)


def test_the_two_probes_of_the_coin_are_independent() -> None:
    same = [
        tossed(item, seed, "tools_needed") == tossed(item, seed, "act")
        for item in ours()
        for seed in range(50)
    ]
    expected = fmean(0.5 ** len(item.offered) for item in ours())
    error = math.sqrt(expected * (1 - expected) / len(same))
    assert abs(fmean(same) - expected) < 4 * error
