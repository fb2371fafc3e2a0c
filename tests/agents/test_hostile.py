"""The agent that breaks its output in every way: nothing crashes, nothing is read, all of it is counted."""

from collections import Counter
from pathlib import Path

import pytest

from agents.by_hand import coin, ours
from knowact.agents.catalogue import DESCRIPTIONS, agent
from knowact.agents.conversants import CONVERSANTS
from knowact.agents.hostile import ACTING, KNOWING
from knowact.agents.policy import View
from knowact.agents.reference import AGENTS
from knowact.cli.main import run
from knowact.core.errors import UnknownName
from knowact.core.record import Outcome, Status
from knowact.core.role_model import BUILT_IN
from knowact.core.suite import Item
from knowact.core.table import Run
from knowact.probes.response import Response
from knowact.reading.tool_decisions import read_tool_decisions
from knowact.suites.kapro.items import KaproOptions
from knowact.suites.kapro.probes import ACT, KNOW
from knowact.suites.kapro.scoring import knowing
from knowact.suites.kapro.suite import SUITE
from running import run_at

pytestmark = pytest.mark.soak

ENDINGS_OF_KNOWING = {"empty": Outcome.EMPTY, "blank": Outcome.EMPTY, "call": Outcome.EMPTY}
"""All other kinds are unreadable."""

ENDINGS_OF_ACTING = {"empty": Outcome.EMPTY, "blank": Outcome.EMPTY, "endless": Outcome.LIMIT}
"""All other kinds answer, wrongly."""


def items() -> tuple[Item, ...]:
    return SUITE.plan(SUITE.defaults()).items


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Run:
    logs = tmp_path_factory.mktemp("hostile")
    assert run(["run", "kapro", "--model", "knowact/hostile", "--log-dir", str(logs)]) == 0
    return run_at(logs)


def drawn(item: str, probe: str, kinds: dict[str, object]) -> str:
    return coin(0, "hostile", item, probe).choice(sorted(kinds))


def test_every_trial_is_scored_and_wrong(hostile: Run) -> None:
    assert hostile.scored == hostile.planned == len(list(ours()))
    for record in hostile.records:
        assert record.needed is None, record.item
        assert record.knew is False
        assert (record.value("acc_know"), record.value("lost_know")) == (0, 1)
        assert record.results["pass"].status is Status.VALUE
        assert record.value("pass") == 0, record.item


def test_each_probe_ends_as_the_kind_of_breakage_says(hostile: Run) -> None:
    for record in hostile.records:
        know = drawn(record.item, KNOW, dict(KNOWING))
        act = drawn(record.item, ACT, dict(ACTING))
        assert record.outcomes[KNOW] is ENDINGS_OF_KNOWING.get(know, Outcome.UNREADABLE), know
        assert record.outcomes[ACT] is ENDINGS_OF_ACTING.get(act, Outcome.ANSWERED), act
        if act in ("empty", "blank", "endless"):
            assert (record.value("acc_act"), record.value("lost_act")) == (0, 1)
        if act == "endless":
            assert record.calls == KaproOptions().rounds
        if act == "invented":
            assert record.flags["invented_tool"] == 1
            assert record.used == {"no_such_tool"}
        if act == "malformed":
            assert record.flags["bad_arguments"] == 1
        if act == "flood":
            assert record.calls == 20 * len(record.offered)


def test_every_kind_of_breakage_occurs_in_a_full_run(hostile: Run) -> None:
    know = Counter(drawn(record.item, KNOW, dict(KNOWING)) for record in hostile.records)
    act = Counter(drawn(record.item, ACT, dict(ACTING)) for record in hostile.records)
    assert (set(know), set(act)) == (set(KNOWING), set(ACTING))


def test_it_runs_on_the_published_sample_too(kaware: Path, tmp_path: Path) -> None:
    words = ["--data", str(kaware), "--model", "knowact/hostile", "--log-dir", str(tmp_path)]
    assert run(["run", "kapro", *words]) == 0
    records = run_at(tmp_path).records
    assert len(records) == 8
    assert all(record.scored and record.knew is False for record in records)


@pytest.mark.parametrize("kind", KNOWING)
def test_no_kind_leaves_anything_that_can_be_read_as_a_set_of_tools(kind: str) -> None:
    for item in items()[:16]:
        view = View(item, 0, coin(0, "hostile", item.id, KNOW))
        move = KNOWING[kind](view)
        reading = read_tool_decisions(move.text, tuple(view.names.values()))
        assert reading.needed is None, move.text[:200]
        assert reading.outcome is ENDINGS_OF_KNOWING.get(kind, Outcome.UNREADABLE)
        for rules in ("definition", "published"):
            branch = knowing(item, Response(KNOW, Outcome.ANSWERED, move.text), rules)
            assert branch.tools == (None if rules == "definition" else frozenset())


@pytest.mark.parametrize("kind", ACTING)
def test_no_kind_goes_on_for_ever_except_the_endless_one(kind: str) -> None:
    for item in items():
        rng = coin(0, "hostile", item.id, ACT)
        turns = [ACTING[kind](View(item, turn, rng)) for turn in range(3)]
        stops = [not move.calls for move in turns]
        assert any(stops) is (kind != "endless")


def test_the_catalogue_describes_exactly_the_agents_that_there_are() -> None:
    assert set(DESCRIPTIONS) == {*AGENTS, *CONVERSANTS}
    for name in DESCRIPTIONS:
        made = agent(name)
        assert callable(made.know)
        assert callable(made.act)
    with pytest.raises(UnknownName, match="Did you mean 'oracle'"):
        agent("orakle")
    assert BUILT_IN == "knowact/"
