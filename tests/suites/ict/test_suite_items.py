"""From options to items: parts, kinds, pairs, the feedback study's cells, and the four shots."""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from ict_trials import BY_HAND, RELEASE, items_of, planned
from knowact.core.errors import BadData, BadUsage, UnknownName
from knowact.core.parts import REQUEST, TOLD
from knowact.suites.ict.asked import AskedItem
from knowact.suites.ict.cases import DATA, DEFAULT_DATA, Pair, load_cases
from knowact.suites.ict.items import datasets, shot_pool
from knowact.suites.ict.probes import FOUR, Examples
from knowact.suites.ict.suite import SUITE
from knowact.suites.ict.tables import by_level, sizes

PARTS = {"AR-AB", "AR-TB", "UR-AB", "UR-TB"}
FOLDERS = (DATA / DEFAULT_DATA, Path(BY_HAND))
PAIRS: dict[str, Pair] = {pair.id: pair for folder in FOLDERS for pair in load_cases(folder).pairs}


def counts(items: tuple[AskedItem, ...], gold: str) -> Counter[str]:
    return Counter(item.labels["part"] for item in items if item.gold == gold)


def every() -> Iterator[AskedItem]:
    """Both versions of the pairs that are shipped, and of those by hand, one behind the other."""
    for data in (DEFAULT_DATA, BY_HAND):
        yield from items_of(planned(data=data, kind="all"))


class TestParts:
    def test_have_as_many_complete_as_incomplete(self) -> None:
        items = items_of(planned())
        assert counts(items, "complete") == counts(items, "incomplete")
        assert set(counts(items, "complete")) == PARTS

    @pytest.mark.parametrize(
        ("changed", "parts"),
        [
            ({"manipulation": "api-replacement"}, ("AR-AB", "AR-TB")),
            ({"manipulation": "utterance-removal"}, ("UR-AB", "UR-TB")),
            ({"source": "multi-turn"}, ("AR-AB", "UR-AB")),
            ({"source": "single-request"}, ("AR-TB", "UR-TB")),
            ({"source": "single_request", "manipulation": "utterance_removal"}, ("UR-TB",)),
        ],
        ids=str,
    )
    def test_are_chosen_by_manipulation_and_source(
        self, changed: dict[str, str], parts: tuple[str, ...]
    ) -> None:
        items = items_of(planned(**changed))
        assert {item.labels["part"] for item in items} == set(parts)
        assert items == tuple(item for item in items_of(planned()) if item.labels["part"] in parts)

    def test_the_partly_possible_ones_are_a_kind_of_their_own(self) -> None:
        partly = items_of(planned(kind="partly"))
        assert counts(partly, "partly") == counts(partly, "complete") != Counter()
        both = items_of(planned(kind="all"))
        assert {item.id for item in both} == {item.id for item in (*partly, *items_of(planned()))}

    def test_an_id_occurs_once_and_a_version_stands_beside_its_counterpart(self) -> None:
        items = items_of(planned(kind="all"))
        assert len({item.id for item in items}) == len(items)
        for complete, other in zip(items[::2], items[1::2], strict=True):
            assert (complete.pair, complete.gold) == (other.pair, "complete")
            assert other.gold in ("incomplete", "partly")
            assert complete.task.cluster == other.task.cluster

    @pytest.mark.parametrize("name", [DEFAULT_DATA, f"ict/{DEFAULT_DATA}"])
    def test_a_shipped_data_set_is_found_by_its_name(self, name: str) -> None:
        (ours,) = datasets()
        assert (ours.name, ours.version, ours.size) == ("everyday", "2-A", len(planned(kind="all").items) / 2)
        assert planned(data=name, limit=1).dataset == planned(data=str(ours.path), limit=1).dataset


class TestALimit:
    @pytest.mark.parametrize("limit", [1, 4, 30])
    def test_counts_pairs_and_takes_the_first_ones(self, limit: int) -> None:
        taken = items_of(planned(limit=limit))
        assert [item.id for item in taken] == [item.id for item in planned().items[: 2 * limit]]

    def test_goes_over_what_the_other_options_leave(self) -> None:
        taken = items_of(planned(limit=5, source="multi-turn", manipulation="utterance-removal"))
        assert [item.labels["part"] for item in taken] == ["UR-AB"] * 10

    def test_of_forty_takes_of_every_part(self) -> None:
        assert set(counts(items_of(planned(limit=40)), "incomplete")) == PARTS


class TestWhatIsMissing:
    """Over every item of our own data, and of pairs by hand."""

    def test_something_is_lacking_exactly_where_the_item_is_not_complete(self) -> None:
        for item in every():
            replaced = item.labels["manipulation"] == "api_replacement"
            wanted = () if item.gold == "complete" else ("tools" if replaced else "information",)
            assert item.lacks == wanted, item.id
            assert bool(item.missing) == bool(item.missing_words) == (item.gold != "complete"), item.id

    def test_what_is_missing_are_parts_and_what_the_condition_withholds(self) -> None:
        for item in every():
            ids = [part.id for part in item.parts]
            assert len(set(ids)) == len(ids), item.id
            assert item.missing == frozenset(item.condition.withheld or ()), item.id
            assert item.missing <= set(ids), item.id

    def test_parts_are_the_plans_tools_and_what_the_user_gives(self) -> None:
        for item in every():
            pair = PAIRS[item.pair]
            tools = {f"tool:{step.tool}" for step in pair.task.plan}
            given = {
                f"value:{step.tool}.{name}"
                for step in pair.task.plan
                for name, argument in step.arguments.items()
                if argument.origin in TOLD
            }
            lost = {REQUEST} if pair.lost is not None and pair.lost.what == "request" else set[str]()
            assert {part.id for part in item.parts} == tools | given | lost, item.id

    def test_parts_of_one_form_differ_in_words(self) -> None:
        for item in every():
            assert len({part.words for part in item.parts}) == len(item.parts), item.id

    def test_both_versions_have_the_same_parts_and_facts(self) -> None:
        items = tuple(every())
        for complete, other in zip(items[::2], items[1::2], strict=True):
            assert (complete.parts, complete.facts) == (other.parts, other.facts)

    def test_what_is_gone_is_not_on_offer(self) -> None:
        for item in every():
            offered = {f"tool:{tool.name}" for tool in item.tools}
            assert not offered & item.missing, item.id

    def test_a_judge_is_told_what_went_and_what_the_user_says_in_its_place(self) -> None:
        for item in every():
            lost = PAIRS[item.pair].lost
            if item.gold == "complete":
                continue
            if lost is None:
                names = [one.removeprefix("tool:") for one in item.missing]
                assert all(f"the tool {name}: " in item.missing_words for name in names), item.id
            else:
                assert lost.phrase in item.missing_words, item.id


class TestTheRelease:
    def test_both_sources_and_both_manipulations_become_pairs(self) -> None:
        items = items_of(planned(data=RELEASE))
        assert (
            counts(items, "complete")
            == counts(items, "incomplete")
            == Counter({"AR-AB": 3, "AR-TB": 2, "UR-AB": 2, "UR-TB": 1})
        )
        assert {item.labels["source"] for item in items} == {"multi_turn", "single_request"}

    def test_a_replacement_says_what_it_took_and_of_a_removal_the_original_does(self) -> None:
        items = items_of(planned(data=RELEASE))
        for complete, item in zip(items[::2], items[1::2], strict=True):
            assert (complete.missing, complete.missing_words) == (frozenset(), "")
            replaced = item.labels["manipulation"] == "api_replacement"
            assert bool(item.missing) == replaced, item.id
            assert (complete.task.opening.text in item.missing_words) != replaced, item.id
            assert ("the tool " in item.missing_words) == replaced, item.id
            assert item.missing == frozenset(item.condition.withheld or ()), item.id
            assert item.missing.isdisjoint(f"tool:{tool.name}" for tool in item.tools)

    def test_both_items_of_a_pair_have_the_parts_of_the_original(self) -> None:
        items = items_of(planned(data=RELEASE))
        for complete, other in zip(items[::2], items[1::2], strict=True):
            assert complete.parts == other.parts != ()
            offered = {f"tool:{tool.name}" for tool in complete.tools}
            assert {part.id for part in complete.parts} <= offered | {"request"}
            assert other.missing <= {part.id for part in complete.parts}

    @pytest.mark.parametrize(("changed", "number"), [({"limit": 3}, 3), ({"source": "single-request"}, 3)])
    def test_options_choose_among_its_pairs(self, changed: dict[str, Any], number: int) -> None:
        assert len(planned(data=RELEASE, **changed).items) == 2 * number

    def test_what_departs_from_the_card_is_told(self) -> None:
        assert any("Set aside: 1 in AR-AB" in note for note in planned(data=RELEASE).notes)


class TestByThePublishedRules:
    def test_pairs_that_name_two_candidates_are_left_out_and_told(self) -> None:
        ours, theirs = planned(), planned(rules="published")
        two = {name for name, pair in PAIRS.items() if pair.lost and pair.lost.how == "two candidates"}
        pairs = [{item.pair for item in items_of(one)} for one in (ours, theirs)]
        left_out = pairs[0] - pairs[1]
        assert left_out == two & pairs[0]
        assert left_out
        assert f"Left out: {len(left_out)} pairs that name two candidates" in theirs.notes[-1]
        assert not any("two candidates" in note for note in ours.notes)

    def test_nor_are_they_among_the_examples(self) -> None:
        options = {**SUITE.defaults(), "rules": "published", "strategy": FOUR, "limit": 2}
        pool = shot_pool(planned(rules="published", strategy=FOUR, limit=2), options)
        assert {item.id for item in pool} == {item.id for item in planned(rules="published").items}


class TestFeedbackItems:
    """Over every pair that has lost a value."""

    def test_come_in_the_papers_three_cells_by_the_published_rules(self) -> None:
        items = items_of(planned(probe="feedback", rules="published", limit=7))
        cells = Counter((item.gold, item.labels["call"]) for item in items)
        paper = [("complete", "fails"), ("incomplete", "fails"), ("incomplete", "succeeds")]
        assert cells == dict.fromkeys(paper, 7), "a limit counts pairs that have a call"

    def test_come_in_four_cells_for_each_pair_that_lost_a_value(self) -> None:
        cells = Counter((item.gold, item.labels["call"]) for item in items_of(planned(probe="feedback")))
        values = sum(
            pair.lost is not None and pair.lost.what == "value" and pair.possibility.value == "impossible"
            for pair in load_cases(FOLDERS[0]).pairs
        )
        assert cells == dict.fromkeys(
            [(gold, call) for gold in ("complete", "incomplete") for call in ("fails", "succeeds")], values
        )

    def test_on_a_removed_item_the_value_is_invented_and_never_the_true_one(self) -> None:
        for item in items_of(planned(probe="feedback")):
            lost, outcome = PAIRS[item.pair].lost, item.outcome
            assert lost is not None
            assert outcome is not None
            value = outcome.arguments.get(lost.parameter)
            if item.gold == "complete":
                assert value == lost.value, item.id
            elif item.labels["call"] == "fails":
                assert lost.parameter not in outcome.arguments, item.id
            else:
                assert value == lost.invented, item.id
                assert value != lost.value, item.id
                assert lost.how == "two candidates" or value not in lost.beside, item.id

    def test_a_call_fails_for_the_missing_value_or_because_the_service_is_down(self) -> None:
        for item in items_of(planned(probe="feedback")):
            assert item.outcome is not None
            result = item.outcome.result
            failed = isinstance(result, dict) and set(result) == {"error"}
            assert failed == (item.labels["call"] == "fails"), item.id
            if failed:
                error = cast("dict[str, dict[str, str]]", result)["error"]
                wanted = "unavailable" if item.gold == "complete" else "bad_arguments"
                assert error["code"] == wanted, item.id

    def test_each_has_the_opening_and_the_tools_of_its_version(self) -> None:
        plain = {(item.pair, item.gold): item for item in items_of(planned())}
        for item in items_of(planned(probe="feedback")):
            version = plain[item.pair, item.gold]
            assert (item.task, item.tools) == (version.task, version.tools)


def shots(**changed: Any) -> tuple[Examples, tuple[AskedItem, ...]]:
    options = {**SUITE.defaults(), "strategy": FOUR, **changed}
    run = planned(strategy=FOUR, **changed)
    return Examples(shot_pool(run, options), int(options["seed"])), items_of(run)


class TestFourShots:
    def test_are_two_complete_and_two_incomplete_of_the_same_part_and_never_of_the_evaluated_task(
        self,
    ) -> None:
        examples, items = shots()
        for item in items[::5]:
            chosen = examples.of(item)
            assert Counter(one.gold for one in chosen) == {"complete": 2, "incomplete": 2}
            assert {one.labels["part"] for one in chosen} == {item.labels["part"]}
            tasks = [one.task.cluster for one in chosen]
            assert len({*tasks, item.task.cluster}) == 5, item.id
            assert item.pair not in {one.pair for one in chosen}

    def test_stand_in_an_order_that_says_nothing(self) -> None:
        examples, items = shots()
        orders = Counter(tuple(one.gold[0] for one in examples.of(item)) for item in items[:600])
        assert len(orders) == 6
        assert max(orders.values()) < 0.25 * 600

    @pytest.mark.slow
    def test_depend_on_the_seed_and_on_the_item_alone(self) -> None:
        (first, items), (again, _), (other, _) = shots(), shots(limit=10), shots(seed=1)
        for item in items[:20]:
            assert [one.id for one in first.of(item)] == [one.id for one in again.of(item)]
        assert any([o.id for o in first.of(i)] != [o.id for o in other.of(i)] for i in items[:20])

    def test_of_partly_possible_items_are_plain_ones(self) -> None:
        examples, items = shots(kind="partly")
        assert {one.gold for item in items for one in examples.of(item)} == {"complete", "incomplete"}

    def test_too_few_tasks_are_told_instead_of_asking_without_examples(self) -> None:
        with pytest.raises(BadUsage, match="takes 5 different tasks of AR-AB, and the data have 3"):
            planned(data=RELEASE, strategy=FOUR)
        assert planned(data=RELEASE, strategy=FOUR, probe="implicit").items

    def test_are_drawn_from_nothing_where_nobody_is_asked_with_them(self) -> None:
        run = planned(limit=2)
        assert shot_pool(run, {**SUITE.defaults(), "limit": 2}) == ()


def test_one_plain_text_has_no_second_turn() -> None:
    with pytest.raises(BadUsage, match="self-verification takes two turns; choose another --strategy"):
        planned(strategy="self-verification", plain=True)


class TestTheEstimate:
    @pytest.mark.parametrize(
        ("changed", "calls"),
        [
            ({}, (20, 30)),
            ({"why": False}, (20, 20)),
            ({"probe": "explicit"}, (10, 20)),
            ({"probe": "explicit", "why": False}, (10, 10)),
            ({"probe": "implicit"}, (10, 10)),
            ({"strategy": "self-verification", "why": False}, (20, 30)),
            ({"strategy": "self-verification", "probe": "implicit"}, (10, 10)),
            ({"rules": "published", "probe": "explicit"}, (10, 15)),
        ],
        ids=str,
    )
    def test_counts_a_call_per_probe_and_one_more_for_each_possible_no(
        self, changed: dict[str, Any], calls: tuple[int, int]
    ) -> None:
        assert planned(limit=5, **changed).calls == calls

    @pytest.mark.parametrize(
        ("changed", "roles", "headline"),
        [
            ({}, {"extractor": (0, 20), "judge": (0, 45)}, ("extractor", "judge")),
            ({"why": False}, {"extractor": (0, 20), "judge": (0, 30)}, ("extractor", "judge")),
            ({"probe": "implicit", "votes": 1}, {"extractor": (0, 20), "judge": (0, 10)}, None),
            ({"probe": "explicit"}, {"judge": (0, 15)}, ()),
            ({"probe": "explicit", "why": False}, {}, ()),
            ({"probe": "feedback", "limit": 20}, {}, ()),
            ({"rules": "published"}, {"judge": (0, 15)}, ()),
            ({"data": RELEASE, "limit": 0}, {"extractor": (0, 32), "judge": (0, 72)}, None),
        ],
        ids=str,
    )
    def test_tells_the_calls_of_roles_and_which_of_them_the_headline_takes(
        self,
        changed: dict[str, Any],
        roles: dict[str, tuple[int, int]],
        headline: tuple[str, ...] | None,
    ) -> None:
        run = planned(**{"limit": 5, **changed})
        assert run.role_calls == roles
        assert run.headline == (("extractor", "judge") if headline is None else headline)

    def test_the_feedback_study_asks_once_per_cell(self) -> None:
        run = planned(probe="feedback", limit=20)
        assert run.calls == (len(run.items),) * 2


class TestOptionsThatDoNotGoTogether:
    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"votes": 4}, "odd number"),
            ({"probe": "feedback", "manipulation": "api-replacement"}, "No item is left"),
            ({"data": RELEASE, "kind": "partly"}, "No item is left"),
        ],
        ids=str,
    )
    def test_are_refused_in_a_sentence(self, changed: dict[str, Any], sentence: str) -> None:
        with pytest.raises(BadUsage, match=sentence):
            planned(**changed)

    def test_a_name_that_nothing_carries_gets_the_names_that_there_are(self) -> None:
        with pytest.raises(UnknownName, match=f"Did you mean '{DEFAULT_DATA}'"):
            planned(data="everyday@1-A")

    def test_a_path_that_is_not_there_and_a_folder_of_something_else_are_told(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="no such folder"):
            planned(data=str(tmp_path / "gone"))
        with pytest.raises(BadData, match=r"neither items\.jsonl nor files of the published release"):
            planned(data=str(tmp_path))

    def test_a_folder_of_ones_own_loads_under_its_own_name(self, tmp_path: Path) -> None:
        lines = (DATA / DEFAULT_DATA / "items.jsonl").read_text("utf-8").splitlines(keepends=True)
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "items.jsonl").write_text("".join(lines[:3]), "utf-8")
        run = planned(data=str(tmp_path / "mine"))
        assert (run.dataset.name, len(run.items)) == ("mine", 6)

    def test_a_single_published_file_will_do(self, tmp_path: Path) -> None:
        file = shutil.copy(Path(RELEASE) / "raw" / "toolbench_utterance_removal.jsonl", tmp_path)
        assert len(planned(data=str(file)).items) == 2


class TestStatistics:
    def test_table_1_is_about_the_incomplete_items(self) -> None:
        rows = [row for row in sizes(planned().items).rows if row.measure == "manipulated instances"]
        found = {row.keys["part"]: row.estimate.value for row in rows}
        assert found == counts(items_of(planned()), "incomplete")

    def test_pairs_are_counted_by_part_and_level(self) -> None:
        items = (*items_of(planned()), *items_of(planned(data=BY_HAND)))
        table = by_level(items)
        assert sum(row.estimate.value or 0 for row in table.rows) == len(items) / 2
        assert {row.keys["level"] for row in table.rows} == {
            *("near", "medium", "far", "absent"),
            "words removed",
        }
