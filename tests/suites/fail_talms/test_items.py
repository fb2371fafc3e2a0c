"""From options to items: settings, limits, crowds, broken tools, and which options do not go together."""

import json
from collections import Counter, defaultdict

import pytest

from fail_talms_trials import items_of, planned, shipped, version_1
from knowact.suites.fail_talms.asked import INFORMATION, TOOLS, AskedItem
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA, load_cases
from knowact.suites.fail_talms.items import asked, compared, datasets
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.own_items import BREAKS
from knowact.suites.fail_talms.suite import SUITE

pytestmark = pytest.mark.usefixtures("loaded_once")


def gone(item: AskedItem) -> set[str]:
    """The tools of the task that are not there."""
    return {change.tool for change in item.condition.changes if change.kind in {"hide", "replace"}}


class TestSettings:
    def test_every_case_is_an_item_of_its_setting(self) -> None:
        cases = load_cases(DATA / DEFAULT_DATA).cases
        found = [(item.task.id, item.setting, item.task.cluster) for item in shipped()]
        assert found == [(case.id, case.setting, case.cluster) for case in cases]

    @pytest.mark.parametrize("setting", list(Split))
    def test_each_leaves_its_own_items(self, setting: Split) -> None:
        items = items_of(planned(setting=setting.value))
        assert {item.setting for item in items} == {setting}
        assert [item.id for item in items] == [item.id for item in shipped() if item.setting is setting]

    def test_a_data_set_is_found_with_and_without_the_suite_in_its_name(self) -> None:
        (ours,) = datasets()
        assert (ours.name, ours.version, ours.size) == ("everyday", "2-A", len(shipped()))
        plans = [planned(data=name, limit=1) for name in (DEFAULT_DATA, f"fail-talms/{DEFAULT_DATA}")]
        assert plans[0].dataset == plans[1].dataset == planned(data=str(ours.path), limit=1).dataset

    @pytest.mark.slow
    def test_an_id_occurs_once(self) -> None:
        for changed in ({}, {"distractors": 2, "limit": 50}, {"broken": "all", "limit": 50}):
            ids = [item.id for item in planned(**changed).items]
            assert len(set(ids)) == len(ids)


class TestALimit:
    @pytest.mark.parametrize("limit", [1, 3, 20])
    def test_counts_base_items_and_takes_all_their_variants(self, limit: int) -> None:
        taken = items_of(planned(limit=limit))
        bases = {item.task.cluster for item in taken}
        assert len(bases) == limit
        assert [i.id for i in taken] == [i.id for i in shipped() if i.task.cluster in bases]

    @pytest.mark.parametrize("setting", ["under-specified", "no-tools"])
    def test_goes_over_what_the_setting_leaves(self, setting: str) -> None:
        taken = items_of(planned(limit=7, setting=setting))
        assert {item.setting.value for item in taken} == {setting}
        assert len({item.task.cluster for item in taken}) == 7

    def test_takes_the_first_ones_so_that_a_prefix_is_a_sample(self) -> None:
        first, more = (items_of(planned(limit=limit)) for limit in (4, 8))
        assert [item.id for item in first] == [
            item.id for item in more if item.task.cluster in {one.task.cluster for one in first}
        ]


class TestWhatIsKnown:
    """Over every item of our own data."""

    def test_the_withheld_value_is_never_among_those_that_were_told(self) -> None:
        for item in shipped():
            assert item.known is not None
            assert len(item.known.withheld) == (item.gap == "value")
            for held in item.known.withheld:
                assert held.part.id not in {one.part.id for one in item.known.told}
                assert held.value not in [one.value for one in item.known.told], item.id

    def test_what_is_told_are_all_other_values_of_the_plan(self) -> None:
        for item in shipped():
            assert item.known is not None
            values = [a for step in item.task.plan for a in step.arguments.values() if a.origin != "step"]
            assert len(item.known.told) == len(values) - (item.gap == "value"), item.id

    def test_a_tool_that_nobody_can_replace_is_never_stood_in_for(self) -> None:
        for item in shipped():
            assert item.known is not None
            if item.setting is Split.NON_REPLACEABLE:
                (job,) = item.known.removed
                assert (job.can_do, job.facts) == (False, ()), item.id
                assert not item.helpful
            if item.setting is Split.REPLACEABLE:
                (job,) = item.known.removed
                assert job.can_do, item.id
                assert job.facts, item.id

    def test_no_one_hands_out_what_a_person_could_not_find_out(self) -> None:
        for item in shipped():
            assert item.known is not None
            assert all(job.can_do or not job.facts for job in item.known.removed), item.id

    def test_every_tool_that_is_gone_is_a_job_of_the_person(self) -> None:
        for item in shipped():
            assert item.known is not None
            assert {job.part.id for job in item.known.removed} == {f"tool:{name}" for name in gone(item)}
            assert bool(gone(item)) == (item.gap in ("tool", "tools"))

    def test_asking_helps_where_the_person_can_give_all_that_is_missing(self) -> None:
        given = {case.id: set(case.given or ()) for case in load_cases(DATA / DEFAULT_DATA).cases}
        for item in shipped():
            needed = gone(item) & item.task.required
            able = bool(needed) and needed <= given[item.task.id]
            assert item.helpful == (item.gap == "value" or able), item.id


class TestWhatIsLeft:
    """Over every item of our own data."""

    def test_the_plan_and_the_prover_agree_on_how_much(self) -> None:
        for item in shipped():
            assert item.reach is not None
            left = "possible" if not item.reach.beyond else "partly_possible"
            left = left if item.reach.facts else "impossible"
            assert left == item.labels["possibility"], item.id

    def test_every_fact_is_either_within_or_beyond_reach(self) -> None:
        for item in shipped():
            assert item.reach is not None
            both = (*item.reach.facts, *item.reach.beyond)
            assert len(both) == len(item.task.facts), item.id
            assert all(fact in both for fact in item.task.facts), item.id

    def test_something_is_lacking_exactly_where_the_item_is_not_possible(self) -> None:
        lacking = {"nothing": (), "value": (INFORMATION,), "tool": (TOOLS,), "tools": (TOOLS,)}
        for item in shipped():
            whole = item.labels["possibility"] == "possible"
            assert item.lacks == (() if whole else lacking[item.gap]), item.id

    def test_what_is_missing_are_parts_that_make_a_difference(self) -> None:
        for item in shipped():
            ids = {part.id for part in item.parts}
            assert item.missing <= ids, item.id
            assert item.missing <= set(item.condition.withheld or ()), item.id
            assert bool(item.missing) == bool(item.lacks), item.id
            hidden = {f"tool:{name}" for name in gone(item)}
            required = {f"tool:{name}" for name in item.task.required}
            wanted = {"value": set(item.condition.withheld or ()), "tool": hidden, "tools": required}
            assert item.missing == (wanted[item.gap] if item.lacks else set()), item.id

    def test_all_variants_of_a_base_item_have_the_same_form(self) -> None:
        forms: dict[str, set[str]] = defaultdict(set)
        for item in shipped():
            forms[item.task.cluster].add(json.dumps(item.form.schema()))
        assert {len(found) for found in forms.values()} == {1}

    def test_parts_are_told_apart_by_their_words_and_name_no_tool(self) -> None:
        for item in shipped():
            words = [part.words for part in item.parts]
            assert len(set(words)) == len(words), item.id
            assert not [one for one in words for tool in item.task.offered if tool in one], item.id

    def test_the_form_names_no_value_that_a_variant_withholds(self) -> None:
        cases = load_cases(DATA / DEFAULT_DATA).cases
        words = {case.id: case.missing.words for case in cases if case.missing and case.missing.words}
        seen = 0
        for item in shipped():
            if item.gap == "value":
                for fact, slot, lost in zip(item.task.facts, item.slots, item.beyond, strict=True):
                    assert not lost or words[item.id.partition("@")[0]] not in slot.label, item.id
                    assert (slot.kind, slot.value, slot.unit) == (fact.kind, fact.value, fact.unit)
                    seen += slot.label != fact.label
        assert seen > 0


class TestVersion1:
    """What its form says besides, and that of version 2 does not."""

    def test_loads_from_a_folder_with_every_setting(self) -> None:
        assert {item.setting for item in version_1()} == set(Split)

    def test_defaults_are_in_the_order_of_the_facts_and_differ_where_they_are_out_of_reach(self) -> None:
        silent, phrased = (item for item in version_1() if item.gap == "value")
        assert (silent.labels["job"], phrased.labels["job"]) == ("with a usual default", "without a default")
        assert phrased.default == ()
        for default, fact, lost in zip(silent.default, silent.task.facts, silent.beyond, strict=True):
            assert (default.kind, default.sources) == (fact.kind, fact.sources)
            assert (default == fact) != lost

    def test_a_job_that_a_model_can_do_leaves_nothing_missing(self) -> None:
        (item,) = (one for one in version_1() if one.setting is Split.REPLACEABLE)
        assert item.labels["job"] == "a model can do it"
        assert (item.lacks, item.missing, item.helpful) == ((), frozenset(), False)

    def test_a_person_can_do_what_the_tools_labels_say_where_nobody_was_asked(self) -> None:
        (item,) = (one for one in version_1() if one.setting is Split.NO_TOOLS)
        assert item.known is not None
        able = {job.part.id: job.can_do for job in item.known.removed}
        assert able == {"tool:shift_letters": True, "tool:get_sun_times": False}


class TestACrowd:
    def test_ten_tools_are_added_and_the_needed_ones_stay(self) -> None:
        plain = {item.task.id: item for item in shipped()}
        for item in items_of(planned(limit=30, distractors=10)):
            alone = plain[item.task.id]
            own = {tool.name for tool in alone.tools}
            if item.setting is Split.NO_TOOLS:
                assert item.tools == ()
                continue
            names = [tool.name for tool in item.tools]
            assert len(names) == len(set(names)) == len(own) + 10
            assert own <= set(names)
            assert (item.reach, item.lacks, item.helpful) == (alone.reach, alone.lacks, alone.helpful)

    def test_the_tool_that_is_gone_does_not_come_back(self) -> None:
        for item in items_of(planned(limit=30, distractors=10)):
            assert not gone(item) & {tool.name for tool in item.tools}, item.id

    def test_the_seed_fixes_the_draw(self) -> None:
        def draws(seed: int) -> list[tuple[str, ...]]:
            return [item.condition.order for item in planned(limit=10, distractors=4, seed=seed).items]

        assert draws(1) == draws(1)
        assert draws(1) != draws(2)


class TestBrokenTools:
    @pytest.mark.slow
    def test_every_way_breaks_one_required_tool_of_each_perfect_item(self) -> None:
        plan = planned(broken="all", probe="act")
        items = items_of(plan)
        counts = Counter(item.broken for item in items)
        perfect = sum(item.setting is Split.PERFECT for item in shipped())
        assert set(counts) == set(BREAKS)
        assert all(n == perfect for how, n in counts.items() if how != "wrong")
        assert counts["wrong"] >= 0.95 * perfect
        lost = 6 * perfect - len(items)
        assert any(note.endswith(f"{lost} of {6 * perfect:,}.") for note in plan.notes)

    def test_the_broken_tool_is_listed_required_and_missing_from_what_works(self) -> None:
        for item in items_of(planned(broken="all", limit=60)):
            (failing,) = [change.tool for change in item.condition.changes if change.kind == "fail"]
            assert failing in {tool.name for tool in item.tools}
            assert failing in item.task.required
            assert item.missing == {f"tool:{failing}"}
            assert item.known is not None
            assert item.known.missing == item.missing
            assert item.reach is not None
            assert item.reach.beyond
            assert item.lacks == (TOOLS,)
            assert bool(item.wrong) == (item.broken == "wrong")
            if item.wrong:
                pairs = zip(item.wrong, item.task.facts, item.beyond, strict=True)
                changed = [lost for wrong, fact, lost in pairs if wrong != fact]
                assert changed
                assert all(changed), item.id

    def test_the_tool_is_the_one_that_is_missing_from_the_items_variant(self) -> None:
        missing = {
            item.task.cluster: [job.part.id.removeprefix("tool:") for job in item.known.removed]
            for item in shipped()
            if item.setting in UNAVAILABLE and item.known and item.labels["possibility"] != "possible"
        }
        same = [
            change.tool in (missing.get(item.task.cluster) or [change.tool])
            for item in items_of(planned(broken="gone"))
            for change in item.condition.changes
        ]
        assert all(same)

    def test_nothing_is_asked_about_them(self) -> None:
        options = {**SUITE.defaults(), "broken": "gone"}
        for item in planned(broken="gone", limit=3).items:
            assert asked(item, options) == (True, ())

    @pytest.mark.parametrize("how", ["server-error", "wrong"])
    def test_one_way_alone_leaves_its_own_items(self, how: str) -> None:
        items = items_of(planned(broken=how, limit=20))
        assert {item.broken for item in items} == {how.replace("-", "_")}
        assert {item.labels["broken"] for item in items} == {how.replace("-", " ")}


class TestWhatIsAsked:
    def test_both_questions_in_every_setting(self) -> None:
        for item in planned(limit=2).items:
            assert asked(item, SUITE.defaults()) == (True, (TOOLS, INFORMATION))

    def test_under_the_published_rules_those_of_the_setting(self) -> None:
        options = {**SUITE.defaults(), "rules": "published"}
        wanted = {
            Split.PERFECT: (TOOLS, INFORMATION),
            Split.UNDER_SPECIFIED: (INFORMATION,),
            Split.REPLACEABLE: (TOOLS,),
            Split.NON_REPLACEABLE: (TOOLS,),
            Split.NO_TOOLS: (),
        }
        found = {item.setting: asked(item, options)[1] for item in shipped()}
        assert found == wanted

    def test_one_probe_alone(self) -> None:
        (item, *_) = planned(limit=1).items
        assert asked(item, {**SUITE.defaults(), "probe": "awareness"}) == (False, (TOOLS, INFORMATION))
        assert asked(item, {**SUITE.defaults(), "probe": "act"}) == (True, ())

    def test_an_item_without_tools_is_also_done_with_them_for_a_comparison(self) -> None:
        options = {**SUITE.defaults(), "win_rate": True}
        perfect = {item.task.cluster: item for item in shipped() if item.setting is Split.PERFECT}
        for item in items_of(planned(limit=12, win_rate=True)):
            assert compared(item, options) == (item.setting is Split.NO_TOOLS)
            assert (item.full is not None) == compared(item, options)
            if item.full is not None:
                counterpart = perfect[item.task.cluster]
                assert (item.full.tools, item.full.condition) == (counterpart.tools, counterpart.condition)
                assert item.full.task.opening == counterpart.task.opening
