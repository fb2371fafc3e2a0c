"""From options to items: filters, order, conditions, the estimate and the notes."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kaware_records import document, release, several, single, write
from knowact.core.condition import Add
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.suite import Item, Plan
from knowact.core.task import Boundary, Topology
from knowact.suites.kapro.items import datasets, load
from knowact.suites.kapro.suite import SUITE
from own_tasks import parcel, rain, write_items

OURS = "everyday@2-A"
BUCKETS = (
    *(("external", "multi_hop"), ("external", "parallel"), ("external", "single_hop")),
    *(("hybrid", "multi_hop"), ("hybrid", "parallel")),
    *(("internal", "multi_hop"), ("internal", "parallel"), ("internal", "single_hop")),
)


def planned(data: str | Path = OURS, **changed: Any) -> Plan:
    every = {"probe": "both", "subspace": "all", "topology": "all", "limit": 0, "seed": 0}
    every |= {
        "data": str(data),
        "distractors": 0,
        "rounds": 10,
        "solo": 0,
        "votes": 3,
        "rules": "definition",
    }
    return SUITE.plan(every | changed)


def bucket(item: Item) -> tuple[str, str]:
    return item.labels["boundary"], item.labels["topology"]


def drawn(item: Item) -> list[str]:
    return [change.tool for change in item.condition.changes if isinstance(change, Add)]


class TestDataSets:
    def test_shipped_ones_are_found_by_name_with_and_without_the_suite(self) -> None:
        assert [f"{ours.name}@{ours.version}" for ours in datasets()] == [OURS]
        for ours in datasets():
            name = f"{ours.name}@{ours.version}"
            assert load(name).info == load(f"kapro/{name}").info == load(str(ours.path)).info
            assert len(load(name).tasks) == ours.size

    def test_a_name_that_is_nearly_right_gets_a_suggestion(self) -> None:
        with pytest.raises(UnknownName, match=r"Did you mean .*'everyday@2-A'"):
            load("everyday@0-B")

    def test_a_folder_is_taken_by_its_layout(self, tmp_path: Path) -> None:
        assert load(str(write(tmp_path / "theirs", release()))).info.name == "kaware"
        assert load(str(write_items(tmp_path / "mine", [rain()]))).info.name == "mine"


class TestFilters:
    @pytest.mark.parametrize("boundary", [boundary.value for boundary in Boundary])
    def test_a_subspace_leaves_its_own_tasks(self, boundary: str) -> None:
        items = planned(subspace=boundary).items
        assert {item.task.boundary.value for item in items} == {boundary}
        assert len(items) == sum(item.task.boundary.value == boundary for item in planned().items)

    @pytest.mark.parametrize("topology", [topology.value for topology in Topology])
    def test_a_topology_leaves_its_own_tasks(self, topology: str) -> None:
        items = planned(topology=topology).items
        assert {item.task.topology.value for item in items} == {topology}
        assert len(items) == sum(item.task.topology.value == topology for item in planned().items)

    def test_both_together_leave_one_bucket(self) -> None:
        items = planned(subspace="hybrid", topology="parallel").items
        assert {bucket(item) for item in items} == {("hybrid", "parallel")}

    def test_what_leaves_nothing_is_told(self) -> None:
        with pytest.raises(BadUsage, match="No item is left"):
            planned(subspace="hybrid", topology="single_hop")

    def test_a_limit_takes_the_first_tasks_and_counts_tasks_not_items(self) -> None:
        every = [item.task.id for item in planned().items]
        assert [item.task.id for item in planned(limit=5).items] == every[:5]
        assert len(planned(limit=5, solo=True).items) == 10

    def test_a_limit_goes_over_what_the_filters_leave(self) -> None:
        items = planned(subspace="internal", limit=6).items
        assert {item.task.boundary for item in items} == {Boundary.INTERNAL}
        assert len(items) == 6


class TestTheOrder:
    @pytest.mark.parametrize("size", [8, 40, 80, 400])
    def test_every_prefix_of_our_data_has_its_share_of_each_bucket(self, size: int) -> None:
        whole = Counter(bucket(item) for item in planned().items)
        counts = Counter(bucket(item) for item in planned(limit=size).items)
        for name, count in whole.items():
            assert abs(counts[name] - size * count / whole.total()) <= 1

    def test_the_published_sample_begins_with_one_of_each(self, kaware: Path) -> None:
        assert {bucket(item) for item in planned(kaware).items} == set(BUCKETS)


class TestDistractorsOnPublishedData:
    def test_ten_are_added_and_no_own_tool_is_among_them(self, kaware: Path) -> None:
        for item in planned(kaware, distractors=10).items:
            assert len(drawn(item)) == len(set(drawn(item))) == 10
            assert not set(drawn(item)) & set(item.task.offered)
            names = [tool.name for tool in item.tools]
            assert sorted(names) == sorted([*item.task.offered, *drawn(item)])

    def test_what_is_required_stays_what_it_was(self, kaware: Path) -> None:
        clean = {item.task.id: item.task.required for item in planned(kaware).items}
        noisy = {item.task.id: item.task.required for item in planned(kaware, distractors=10).items}
        assert noisy == clean

    def test_tools_of_the_same_server_come_first(self, kaware: Path) -> None:
        servers = {tool.name: tool.server for tool in load(str(kaware)).pool}
        (item,) = (i for i in planned(kaware, distractors=2).items if i.task.id.endswith("parallel.144"))
        assert {servers[name] for name in item.task.offered} == {"Cooking Units Converter", "FrankfurterMCP"}
        assert "convert_temperature" in drawn(item)
        assert "convert_volume" in drawn(item)

    def test_the_seed_fixes_the_draw(self, kaware: Path) -> None:
        def draws(seed: int) -> list[tuple[str, ...]]:
            items = planned(kaware, distractors=5, seed=seed).items
            return [item.condition.order for item in items]

        assert draws(1) == draws(1)
        assert draws(1) != draws(2)

    def test_they_take_what_the_pool_has(self, tmp_path: Path) -> None:
        folder = write(tmp_path, release())
        for item in planned(folder, distractors=10).items:
            assert sorted(tool.name for tool in item.tools) == [
                *("berth_status", "count_words", "knots_to_kmh", "tide_table"),
            ]
            assert item.condition.name == "distractors-10"

    def test_of_two_tools_with_one_name_a_task_keeps_its_own(self, tmp_path: Path) -> None:
        mine = {**document("tide_table"), "description": "Mine."}
        records = [single(tool_doc=mine), single("P1", "berth_status", index=1)]
        files = {"External_Function/single-hop": records, "Hybrid_Function/parallel": [several()]}
        items = {item.task.id: item for item in planned(write(tmp_path, files), distractors=10).items}
        shown = {tool.name: tool.description for tool in items["external.single-hop.0"].tools}
        assert shown["tide_table"] == "Mine."


class TestTheSoloCondition:
    def test_each_task_is_also_asked_without_any_tool(self) -> None:
        items = planned(limit=8, solo=3).items
        solo = [item for item in items if not item.tools]
        assert len(items) == 8 + 3 * 8
        tried = [f"{item.task.id}@no-tools{n}" for item in items if item.tools for n in ("", "-2", "-3")]
        assert [item.id for item in solo] == tried
        for item in solo:
            assert set(item.condition.withheld or ()) == {f"tool:{name}" for name in item.task.offered}
            assert item.required == set(item.task.offered)

    @pytest.mark.slow
    def test_the_ids_of_a_plan_are_unique(self) -> None:
        ids = [item.id for item in planned(solo=2, distractors=3).items]
        assert len(set(ids)) == len(ids)

    def test_it_is_not_asked_which_tools_it_needs(self) -> None:
        solo = next(item for item in planned(limit=1, solo=1).items if not item.tools)
        for probe, names in {"both": ["act"], "act": ["act"], "tools_needed": []}.items():
            options = SUITE.Options.of({"probe": probe})
            assert [one.name for one in SUITE.probes(solo, options)] == names


class TestTheEstimate:
    @pytest.mark.parametrize(
        ("changed", "calls"),
        [
            ({}, (16, 88)),
            ({"probe": "tools_needed"}, (8, 8)),
            ({"probe": "act"}, (8, 80)),
            ({"rounds": 3}, (16, 32)),
            ({"solo": 1}, (24, 96)),
            ({"solo": 5}, (56, 128)),
            ({"solo": 1, "probe": "tools_needed"}, (8, 8)),
            ({"distractors": 4}, (16, 88)),
        ],
        ids=str,
    )
    def test_calls_are_counted_per_probe_and_round(
        self, changed: dict[str, Any], calls: tuple[int, int]
    ) -> None:
        assert planned(limit=8, **changed).calls == calls


class TestNotes:
    def test_the_gaps_of_the_published_sample_are_listed(self, kaware: Path) -> None:
        notes = [note for note in planned(kaware).notes if "no recording" in note]
        assert sorted(notes) == [
            "Item external.multi-hop.103 has no recording of get_current_datetime: its pass is not judged.",
            "Item hybrid.multi-hop.178 has no recording of designpattern: its pass is not judged.",
        ]

    def test_the_gaps_are_listed_once_with_the_solo_condition_too(self, kaware: Path) -> None:
        assert sum("no recording" in note for note in planned(kaware, solo=2).notes) == 2

    def test_the_gaps_are_listed_with_distractors_too(self, kaware: Path) -> None:
        assert sum("no recording" in note for note in planned(kaware, distractors=3).notes) == 2

    def test_only_items_of_the_plan_are_spoken_of(self, kaware: Path) -> None:
        assert not any("no recording" in note for note in planned(kaware, subspace="internal").notes)

    def test_what_a_schema_loses_is_listed_per_tool(self, tmp_path: Path) -> None:
        lossy = document("tide_table")
        lossy["input_schema"]["properties"]["harbour"]["multipleOf"] = 2
        lossy["input_schema"]["not"] = {}
        folder = write(tmp_path, {"External_Function/single-hop": [single(tool_doc=lossy)]})
        (note,) = (note for note in planned(folder).remarks if "loses" in note)
        assert note.startswith("The schema of tide_table loses something: ")
        assert "'not'" in note
        assert "harbour" in note

    def test_replay_says_what_a_pass_is_worth(self, tmp_path: Path) -> None:
        folder = write(tmp_path, release())
        assert any("does not vouch for its arguments" in note for note in planned(folder).notes)
        assert not any("does not vouch" in note for note in planned().notes)

    def test_unproven_distractors_are_owned_up_to(self, tmp_path: Path) -> None:
        folder = write(tmp_path, release())
        noisy = planned(folder, distractors=2).notes
        assert any("not proven harmless" in note for note in noisy)
        assert not any("not proven harmless" in note for note in planned(folder).notes)
        assert not any("not proven harmless" in note for note in planned(distractors=2, limit=8).notes)


class TestLabels:
    def test_items_carry_what_tables_group_by(self, kaware: Path) -> None:
        labels = {item.task.id: item.labels for item in planned(kaware).items}
        assert labels["internal.multi-hop.9"] == {
            "boundary": "internal",
            "topology": "multi_hop",
            "tools": "3",
            "server": "multi",
        }

    def test_a_task_that_names_no_server_has_no_such_label(self, tmp_path: Path) -> None:
        (item,) = planned(write_items(tmp_path, [parcel()])).items
        assert "server" not in item.labels
