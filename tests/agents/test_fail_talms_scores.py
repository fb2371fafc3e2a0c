"""What the built-in agents come to on FAIL-TaLMs: computed from the data file alone, and done.

Trials without the engine go over many items; a few go through it and must come to the same.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from fail_talms_trials import items_of, planned, rate, shipped, trial
from knowact.cli.main import run
from knowact.core.record import Record
from knowact.datasets.own import ITEMS
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA
from knowact.worlds.everyday.catalogue import OPERATIONS
from running import measured, records_at

CONSTANT = ("always-no", "always-idk", "always-ask", "always-act", "fabricator")
"""They say the same whatever is asked."""
SURE = ("always-act", "fabricator")
ABLE = 0.98
"""The least share of items that the oracle must be right on: what is lost are readers' mistakes on its stiff
sentences."""
EVERY = 8
"""One base item of so many is acted by every agent."""


@cache
def lines() -> Mapping[str, Mapping[str, Any]]:
    """The data file, by id."""
    text = (DATA / DEFAULT_DATA / ITEMS).read_text("utf-8")
    return {case["id"]: case for case in map(json.loads, text.splitlines())}


def cannot_be_done(item: AskedItem) -> bool:
    return lines()[item.task.id]["possibility"] != "possible"


def by_asking(case: Mapping[str, Any]) -> bool:
    """Whether somebody who is asked can make an item possible."""
    if case["setting"] == "under-specified":
        return True
    if case["setting"] == "unavailable-replaceable":
        return not case["by_model"]
    needed = {step["tool"] for step in case["task"]["plan"] if step["boundary"] == "external"}
    labels = [OPERATIONS[name].tool.replaceable for name in needed]
    return case["setting"] == "no-tools" and all(label is not None and label.by_human for label in labels)


@cache
def some() -> tuple[AskedItem, ...]:
    """All variants of every eighth base item."""
    bases = list(dict.fromkeys(item.task.cluster for item in shipped()))[::EVERY]
    return tuple(item for item in shipped() if item.task.cluster in set(bases))


@cache
def made(agent: str, *, helped: bool) -> Mapping[str, Record]:
    """What an agent comes to on some items, without the engine."""
    return {item.id: trial(agent, item, helped=helped) for item in some()}


def twins(records: Mapping[str, Record]) -> list[tuple[Record, Record]]:
    """Items that cannot be done, each with the perfect one that it was made from."""
    return [(records[item.id], records[item.task.cluster]) for item in some() if cannot_be_done(item)]


class TestTheOracle:
    @pytest.mark.parametrize("helped", [False, True], ids=["alone", "with somebody to ask"])
    def test_is_right_on_nearly_every_item_of_every_setting(self, helped: bool) -> None:  # noqa: FBT001 - a parameter
        records = [trial("oracle", item, helped=helped) for item in shipped()]
        assert len(records) == 2324
        settings: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            settings[record.labels["setting"]].append(record)
        rates = {setting: rate(part, "right") for setting, part in settings.items()}
        assert min(rates.values()) >= ABLE, rates
        assert {record.item for record in records if not record.knew} == set()
        assert rate(records, "info_reason") >= ABLE
        assert rate(records, "tools_reason") >= ABLE

    def test_asks_where_a_person_can_help_and_nowhere_else(self) -> None:
        for item in some():
            asked = made("oracle", helped=True)[item.id].value("asked")
            assert asked == by_asking(lines()[item.task.id]), item.id

    def test_asks_only_for_what_is_missing(self) -> None:
        records = [one for one in made("oracle", helped=True).values() if one.value("asked") == 1]
        assert rate(records, "targeted") == 1
        assert not any("question_unmatched" in one.flags for one in records)

    def test_gains_the_pass_where_a_person_can_help(self) -> None:
        lacking = [item for item in some() if cannot_be_done(item)]
        able = [item for item in lacking if by_asking(lines()[item.task.id])]
        alone, helped = ({i.id: made("oracle", helped=way)[i.id] for i in lacking} for way in (False, True))
        assert rate(list(alone.values()), "pass") <= 1 - ABLE
        assert rate([helped[item.id] for item in able], "pass") >= ABLE
        assert rate([helped[item.id] for item in lacking if item not in able], "pass") <= 1 - ABLE

    def test_makes_nothing_up_and_guesses_nothing(self) -> None:
        for helped in (False, True):
            records = list(made("oracle", helped=helped).values())
            assert rate(records, "guessed") == 0
            assert rate(records, "made_up") <= 1 - ABLE
            assert {one.flags.get("bad_arguments", 0) for one in records} == {0}


class TestWhoAlwaysSaysTheSame:
    @pytest.mark.parametrize("agent", CONSTANT)
    @pytest.mark.parametrize("helped", [False, True], ids=["alone", "with somebody to ask"])
    def test_is_right_on_no_twins_and_no_better_than_chance(self, agent: str, helped: bool) -> None:  # noqa: FBT001 - a parameter
        pairs = twins(made(agent, helped=helped))
        assert len(pairs) > 150
        assert {lacking.value("right") * perfect.value("right") for lacking, perfect in pairs} == {0}
        assert {lacking.value("aware") * perfect.value("aware") for lacking, perfect in pairs} == {0}
        assert fmean((one.value("aware") + other.value("aware")) / 2 for one, other in pairs) == 0.5

    @pytest.mark.parametrize("agent", CONSTANT)
    def test_is_aware_exactly_where_its_word_happens_to_be_true(self, agent: str) -> None:
        for item in some():
            aware = made(agent, helped=False)[item.id].value("aware")
            assert aware == ((agent in SURE) != cannot_be_done(item)), item.id

    def test_one_who_asks_for_everything_gets_nothing(self) -> None:
        records = made("always-ask", helped=True).values()
        assert {one.value("asked") for one in records} == {1}
        assert {one.value("targeted") for one in records} == {0}
        kinds = Counter(flag for one in records for flag in one.flags if flag.startswith("question_"))
        assert kinds == {"question_refused_fishing": len(records)}

    def test_the_fabricator_is_caught_wherever_something_is_out_of_reach(self) -> None:
        records = made("fabricator", helped=False)
        lost = [
            records[item.id] for item in some() if cannot_be_done(item) and item.reach and item.reach.beyond
        ]
        assert rate(lost, "made_up") >= 0.95
        whole = [records[item.id] for item in some() if not cannot_be_done(item)]
        assert rate(whole, "right") >= 0.95

    def test_the_fabricator_asks_nobody(self) -> None:
        assert {one.value("asked") for one in made("fabricator", helped=True).values()} == {0}


def test_who_says_everything_is_right_only_where_it_could_be_known() -> None:
    """It is given every fact: without a person that is an invention where something is missing."""
    for helped in (False, True):
        for item in some():
            right = made("eager", helped=helped)[item.id].value("right")
            known = not cannot_be_done(item) or (helped and by_asking(lines()[item.task.id]))
            if not known:
                assert right == 0, item.id
    told = [made("eager", helped=True)[i.id] for i in some() if by_asking(lines()[i.task.id])]
    assert rate(told, "right") >= ABLE


@pytest.mark.parametrize("agent", ["oracle", "always-ask", "fabricator"])
def test_the_engine_comes_to_the_same_records(agent: str, tmp_path: Path) -> None:
    plan = planned(limit=3)
    for helper in ("nobody", "scripted"):
        words = ["--limit", "3", "--helper", helper, "--log-dir", str(tmp_path / helper)]
        assert run(["run", "fail-talms", "--model", f"knowact/{agent}", *words]) == 0
        found = records_at(tmp_path / helper)
        expected = [trial(agent, item, helped=helper == "scripted") for item in items_of(plan)]
        assert {name: _told(one) for name, one in found.items()} == {one.item: _told(one) for one in expected}


def _told(record: Record) -> Sequence[Any]:
    """All that a record says, reasons cut as the log keeps them."""
    *rest, verdicts, flags = measured(record)
    return [*rest, {name: (*v[:3], v[3][:120]) for name, v in verdicts.items()}, flags]
