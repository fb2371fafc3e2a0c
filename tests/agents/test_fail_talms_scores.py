"""What the built-in agents come to on FAIL-TaLMs: computed from the data file alone, and done.

Trials without the engine go over many items; a few go through it and must come to the same.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from fail_talms_trials import VERSION_1, items_of, planned, shipped, trial, version_1
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
CONDUCT = (
    ("always-no", 0, 1),
    ("always-idk", 0, 0),
    ("always-ask", 0, 1),
    ("always-act", 1, 0),
    ("fabricator", 1, 0),
)
"""Conduct on complete and on incomplete items: who declines or asks in general terms holds back everywhere,
who calls or answers goes ahead everywhere, and "I don't know" does neither."""
EVERY = 8
"""One base item of so many is acted by every agent."""


@cache
def lines() -> Mapping[str, Mapping[str, Any]]:
    """The lines of the shipped data and of version 1's form, by id."""
    texts = [(folder / ITEMS).read_text("utf-8") for folder in (DATA / DEFAULT_DATA, VERSION_1)]
    return {case["id"]: case for text in texts for case in map(json.loads, text.splitlines())}


def cannot_be_done(item: AskedItem) -> bool:
    return lines()[item.task.id]["possibility"] != "possible"


def by_asking(case: Mapping[str, Any]) -> bool:
    """Whether somebody who is asked can make an item possible."""
    if case["setting"] == "under-specified":
        return True
    required = {step["tool"] for step in case["task"]["plan"] if step["boundary"] == "external"}
    lost = required & {change["tool"] for change in case["condition"]["changes"] if change["kind"] != "add"}
    given = case.get("given")
    if given is None:
        labels = {name: OPERATIONS[name].tool.replaceable for name in lost}
        given = [name for name, label in labels.items() if label is not None and label.by_human]
    return bool(lost) and lost <= set(given)


@cache
def some() -> tuple[AskedItem, ...]:
    """All variants of every eighth base item, and of the one in version 1's form."""
    bases = list(dict.fromkeys(item.task.cluster for item in shipped()))[::EVERY]
    return (*(item for item in shipped() if item.task.cluster in set(bases)), *version_1())


@cache
def made(agent: str, *, helped: bool) -> Mapping[str, Record]:
    """What an agent comes to on some items, without the engine."""
    return {item.id: trial(agent, item, helped=helped) for item in some()}


def minimal_pairs(records: Mapping[str, Record]) -> list[tuple[Record, Record]]:
    """Items that cannot be done, each with the perfect one that it was made from."""
    return [(records[item.id], records[item.task.cluster]) for item in some() if cannot_be_done(item)]


def measure(records: Iterable[Record], name: str) -> set[float]:
    """The values that a measure takes over the records that have it."""
    return {value for one in records if not math.isnan(value := one.value(name))}


def lost_facts(case: Mapping[str, Any]) -> list[bool]:
    """Which facts of a case hang on what is withheld, by the plan's steps in the file."""
    withheld, plan = set(case["condition"]["withheld"]), case["task"]["plan"]
    stuck: set[int] = set()
    for number, step in enumerate(plan):
        gone = step["boundary"] == "external" and f"tool:{step['tool']}" in withheld
        silent = any(f"value:{step['tool']}.{name}" in withheld for name in step["arguments"])
        fed = any(one.get("step") in stuck for one in step["arguments"].values())
        if gone or silent or fed:
            stuck.add(number)
    return [
        not fact["sources"] or bool({int(one.split(".")[0]) for one in fact["sources"]} & stuck)
        for fact in case["task"]["facts"]
    ]


class TestTheOracle:
    @pytest.mark.slow
    @pytest.mark.parametrize("helped", [False, True], ids=["alone", "with somebody to ask"])
    def test_is_right_on_every_item_of_every_setting(self, helped: bool) -> None:  # noqa: FBT001 - a parameter
        records = [trial("oracle", item, helped=helped) for item in (*shipped(), *version_1())]
        assert {record.value("right") for record in records} == {1}
        assert {record.value("conduct") for record in records} == {1}
        assert {record.item for record in records if not record.knew} == set()
        lacking = [
            lines()[record.item] for record in records if lines()[record.item]["possibility"] != "possible"
        ]
        informed = sum(case["setting"] == "under-specified" for case in lacking)
        assert sum(record.value("info_reason") == 1 for record in records) == informed
        assert sum(record.value("tools_reason") == 1 for record in records) == len(lacking) - informed
        for record in records:
            case = lines()[record.item]
            complete = case["possibility"] == "possible" or (helped and by_asking(case))
            assert record.value("pass") == (complete or not any(lost_facts(case))), record.item

    def test_does_what_can_be_done_names_the_rest_and_makes_nothing_up(self) -> None:
        for item in some():
            case, record = lines()[item.task.id], made("oracle", helped=False)[item.id]
            lacking, lost = case["possibility"] != "possible", lost_facts(case)
            expected = {
                "named": 1.0 if lacking else None,
                "half": 1.0 if lacking and not all(lost) else None,
                "fabricated": 0.0 if lacking and any(lost) else None,
                "guessed": 0.0 if case["setting"] == "under-specified" else None,
                "default_taken": 0.0 if case.get("references") else None,
            }
            found = {name: record.results[name].value for name in expected}
            assert found == expected, item.id

    def test_asks_where_a_person_can_help_and_nowhere_else(self) -> None:
        for item in some():
            asked = made("oracle", helped=True)[item.id].value("asked")
            assert asked == by_asking(lines()[item.task.id]), item.id

    def test_asks_only_for_what_is_missing(self) -> None:
        records = [one for one in made("oracle", helped=True).values() if one.value("asked") == 1]
        assert measure(records, "targeted") == {1}
        assert {flag for one in records for flag in one.flags} == {"question_value", "question_did_job"}

    def test_guesses_nothing_and_calls_nothing_wrongly(self) -> None:
        for helped in (False, True):
            records = list(made("oracle", helped=helped).values())
            assert measure(records, "guessed") == measure(records, "fabricated") == {0}
            assert {one.flags.get("bad_arguments", 0) for one in records} == {0}


class TestWhoAlwaysSaysTheSame:
    @pytest.mark.parametrize("agent", CONSTANT)
    @pytest.mark.parametrize("helped", [False, True], ids=["alone", "with somebody to ask"])
    def test_is_right_on_no_minimal_pairs_and_no_better_than_chance(self, agent: str, helped: bool) -> None:  # noqa: FBT001 - a parameter
        pairs = minimal_pairs(made(agent, helped=helped))
        assert len(pairs) > 100
        for name in ("conduct", "right", "aware"):
            assert {lacking.value(name) * perfect.value(name) for lacking, perfect in pairs} == {0}, name
        assert fmean((one.value("aware") + other.value("aware")) / 2 for one, other in pairs) == 0.5

    @pytest.mark.parametrize("agent", CONSTANT)
    def test_is_aware_exactly_where_its_word_happens_to_be_true(self, agent: str) -> None:
        for item in some():
            aware = made(agent, helped=False)[item.id].value("aware")
            assert aware == ((agent in SURE) != cannot_be_done(item)), item.id

    @pytest.mark.parametrize(("agent", "complete", "incomplete"), CONDUCT)
    @pytest.mark.parametrize("helped", [False, True], ids=["alone", "with somebody to ask"])
    def test_conducts_itself_on_one_side_only(
        self,
        agent: str,
        complete: int,
        incomplete: int,
        helped: bool,  # noqa: FBT001 - a parameter
    ) -> None:
        for item in some():
            kept = incomplete if cannot_be_done(item) else complete
            assert made(agent, helped=helped)[item.id].value("conduct") == kept, item.id

    def test_one_who_asks_for_everything_gets_nothing(self) -> None:
        records = made("always-ask", helped=True).values()
        assert {one.value("asked") for one in records} == {1}
        assert {one.value("targeted") for one in records} == {0}
        kinds = Counter(flag for one in records for flag in one.flags if flag.startswith("question_"))
        assert kinds == {"question_unspecific": len(records)}

    def test_reasons_that_name_nothing_fit_nowhere(self) -> None:
        for agent in ("always-no", "always-idk", "always-ask"):
            records = list(made(agent, helped=False).values())
            assert measure(records, "info_reason") == measure(records, "tools_reason") == {0}
            assert not any("wrong_reason" in flag for one in records for flag in one.flags)

    def test_the_fabricator_is_caught_wherever_something_is_out_of_reach(self) -> None:
        for item in some():
            record, case = made("fabricator", helped=False)[item.id], lines()[item.task.id]
            if cannot_be_done(item) and any(lost_facts(case)):
                assert record.value("fabricated") == 1, item.id
            if not cannot_be_done(item):
                assert record.value("right") == 1, item.id

    def test_the_fabricator_asks_nobody(self) -> None:
        assert {one.value("asked") for one in made("fabricator", helped=True).values()} == {0}


@pytest.mark.parametrize("agent", ["lexical", "random", "tools-only", "shy"])
def test_who_does_not_read_what_is_missing_keeps_no_minimal_pairs(agent: str) -> None:
    pairs = minimal_pairs(made(agent, helped=False))
    assert {lacking.value("conduct") * perfect.value("conduct") for lacking, perfect in pairs} == {0}
    assert {one.value("named") for one, _ in pairs} == {0}


@pytest.mark.slow
def test_who_says_everything_is_right_only_where_it_could_be_known() -> None:
    """It is given every fact: without a person that is an invention where something is missing."""
    for agent in ("eager", "knows-but-overacts"):
        for helped in (False, True):
            for item in some():
                record, case = made(agent, helped=helped)[item.id], lines()[item.task.id]
                known = not cannot_be_done(item) or (helped and by_asking(case))
                assert record.value("right") == known, item.id
                assert record.value("pass") == 1
                assert record.value("conduct") == (not cannot_be_done(item))


@pytest.mark.slow
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
    *rest, results, flags = measured(record)
    return [*rest, {name: (*v[:3], v[3][:120]) for name, v in results.items()}, flags]
