"""fail-talms/everyday@1-A: every case is proven to be what it claims, and every base item is solvable.

One test per claim over all cases; what a failing one prints are the cases that break it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from knowact.core.condition import Add, Hide
from knowact.core.errors import BadData
from knowact.core.proof import Possibility, prove_task, prove_withheld
from knowact.core.task import Topology
from knowact.datasets.own import ITEMS, MANIFEST
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA, Case, Missing, in_a_crowd, load_cases
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from version_1 import proofs
from version_1.fail_talms import build
from version_1.fail_talms.freeze import HOME
from version_1.fail_talms.recipe import SIZES
from version_1.vague import sentences, vague

pytestmark = pytest.mark.slow

FOLDER = DATA / DEFAULT_DATA
SHIPPED = load_cases(FOLDER)
CASES = SHIPPED.cases
PERFECT = {case.cluster: case for case in SHIPPED.of(Split.PERFECT)}
UNDER_SPECIFIED = SHIPPED.of(Split.UNDER_SPECIFIED)
REMOVED = [case for setting in UNAVAILABLE for case in SHIPPED.of(setting)]


def broken(claim: Callable[[Case], str], cases: Iterable[Case] = CASES) -> list[str]:
    """Return what stands against a claim, a line per case, the first twenty."""
    found = (f"{case.id}: {why}" for case in cases if (why := claim(case)))
    return [line for line, _ in zip(found, range(20), strict=False)]


def missing_of(case: Case) -> Missing:
    assert case.missing is not None
    return case.missing


class TestTheSet:
    def test_has_the_papers_sizes(self) -> None:
        assert Counter(case.setting for case in CASES) == Counter(dict(SIZES))
        assert list(SIZES.values()) == [575, 599, 261, 314, 575]

    def test_gives_a_fair_sample_of_settings_in_every_prefix(self) -> None:
        for length in (40, 100, 333, 1_000):
            seen = Counter(case.setting for case in CASES[:length])
            for setting, size in SIZES.items():
                assert abs(seen[setting] - size * length / len(CASES)) <= 1

    def test_gives_a_fair_sample_of_categories_in_every_prefix_of_a_setting(self) -> None:
        for setting in Split:
            cases = SHIPPED.of(setting)
            whole = Counter(case.category for case in cases)
            seen = Counter(case.category for case in cases[:100])
            assert all(abs(seen[name] - whole[name] * 100 / len(cases)) <= 1.5 for name in whole)

    def test_is_what_the_generator_writes_byte_for_byte(self) -> None:
        for name, text in build.files().items():
            assert (FOLDER / name).read_bytes() == text.encode(), name

    def test_has_all_twenty_one_categories(self) -> None:
        assert {case.category for case in CASES} == {tool.category for tool in TOOLS}
        assert len({case.category for case in CASES}) == 21

    def test_has_one_to_five_variants_of_each_of_270_bases(self) -> None:
        variants = Counter(case.cluster for case in UNDER_SPECIFIED)
        assert len(variants) == 270
        assert set(variants.values()) == {1, 2, 3, 4, 5}

    def test_takes_one_tool_from_every_base_and_never_the_same_as_replaceable_and_not(self) -> None:
        removed = Counter(case.cluster for case in REMOVED)
        assert removed == Counter(list(PERFECT))
        kinds: dict[tuple[str, str], set[Split]] = defaultdict(set)
        for case in REMOVED:
            kinds[case.cluster, missing_of(case).tool].add(case.setting)
        assert all(len(found) == 1 for found in kinds.values())

    def test_has_chains_and_defaults_and_jobs_that_a_model_can_do(self) -> None:
        chains = sum(case.task.topology is Topology.MULTI_HOP for case in PERFECT.values())
        assert chains >= 0.1 * len(PERFECT)
        assert sum(case.references is not None for case in CASES) >= 30
        assert sum(case.by_model is True for case in CASES) >= 25

    def test_has_no_text_twice_within_a_setting(self) -> None:
        for setting in Split:
            texts = Counter(case.messages for case in SHIPPED.of(setting))
            assert texts.most_common(1)[0][1] == 1

    def test_says_its_size_and_seed_in_the_datasheet(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        assert "2,324 items" in text
        assert f"--seed {build.SEED}" in text
        assert "{" not in text


class TestEveryBase:
    def test_is_solvable_and_not_possible_without_any_tool_that_it_needs(self) -> None:
        assert broken(lambda case: proofs.unproven(case.task, SHIPPED.seed), PERFECT.values()) == []

    def test_needs_two_tools_of_one_category_of_which_at_most_one_is_within_a_models_own_reach(self) -> None:
        for case in PERFECT.values():
            assert sorted(case.task.offered) == sorted(step.tool for step in case.task.plan)
            assert [OPERATIONS[tool].tool.category for tool in case.task.offered] == [case.category] * 2
            assert case.task.required

    def test_has_a_step_within_a_models_reach_only_where_a_person_could_do_it_too(self) -> None:
        alone = [step.tool for case in PERFECT.values() for step in case.task.plan if not step.external]
        assert 0 < len(alone) <= 0.2 * len(PERFECT)
        for tool in alone:
            replaceable = OPERATIONS[tool].tool.replaceable
            assert replaceable is not None
            assert replaceable.by_human


class TestPerfectCases:
    def test_say_everything_somewhere(self) -> None:
        def untold(case: Case) -> str:
            completing = [told for told in case.told if told.resolves]
            if case.query.startswith(case.task.opening.text) or case.task.opening.text in case.query:
                return "says too much" if completing else ""
            if len(completing) != 1 or not completing[0].holds:
                return "no sentence, or more than one, says what the phrase means"
            return "" if completing[0].phrase.casefold() in case.query.casefold() else "no such phrase"

        assert broken(untold, PERFECT.values()) == []

    def test_are_possible_beside_ten_distractors_too(self) -> None:
        assert broken(lambda case: not_as_claimed(case, crowded=True), PERFECT.values()) == []


class TestUnderSpecifiedCases:
    def test_are_proven_incomplete_with_every_other_value_of_the_text_given(self) -> None:
        assert broken(not_as_claimed, UNDER_SPECIFIED) == []

    def test_are_so_beside_ten_distractors_too(self) -> None:
        assert broken(lambda case: not_as_claimed(case, crowded=True), UNDER_SPECIFIED) == []

    def test_have_a_complete_counterpart_by_the_same_prover(self) -> None:
        def counterpart(case: Case) -> str:
            # The withheld value among those that the text speaks of makes the task possible again.
            missing = missing_of(case)
            assert missing.step is not None
            step, name, value = missing.step, missing.parameter, missing.value
            proof = prove_withheld(case.task, proofs.BY_NAME, step, name, [value], condition=case.condition)
            return "" if proof.possibility is Possibility.POSSIBLE else "not possible"

        assert broken(counterpart, UNDER_SPECIFIED) == []

    def test_never_equal_their_original(self) -> None:
        for case in UNDER_SPECIFIED:
            assert case.query != case.task.opening.text
            assert case.messages != PERFECT[case.cluster].messages

    def test_never_say_the_withheld_value(self) -> None:
        for case in UNDER_SPECIFIED:
            text = f" {' '.join(case.messages)} "
            assert f" {missing_of(case).words} " not in text, case.id

    def test_take_one_value_of_an_external_step_that_the_plain_query_says(self) -> None:
        for case in UNDER_SPECIFIED:
            missing = missing_of(case)
            assert missing.step is not None
            step = case.task.plan[missing.step]
            assert step.external
            assert step.tool == missing.tool
            assert step.call_arguments[missing.parameter] == missing.value
            assert missing.words.casefold() in missing.before.casefold()
            assert missing.before in case.task.opening.text

    def test_change_nothing_but_the_slot_and_what_is_said_beside_the_request(self) -> None:
        for case in UNDER_SPECIFIED:
            missing = missing_of(case)
            told = [one.text for one in case.told]
            request = case.query
            for text in told:
                request = request.replace(text, "")
            changed = case.task.opening.text.replace(missing.before, missing.after)
            assert request.strip().rstrip(".") == changed.rstrip("."), case.id

    def test_tell_nothing_that_resolves_their_phrase(self) -> None:
        for case in UNDER_SPECIFIED:
            missing = missing_of(case)
            for told in case.told:
                assert not told.resolves
                assert told.value != missing.value
                assert not (told.holds and told.phrase == missing.phrase)

    def test_have_two_references_where_people_would_fill_a_default_in(self) -> None:
        for case in UNDER_SPECIFIED:
            default = missing_of(case).default
            assert (default is not None) == (missing_of(case).how == "left_out") == bool(case.references)
            if default is not None and case.references is not None:
                assert default.value in ("2026-03-12", HOME)
                assert default.value != missing_of(case).value
                assert case.references.own == case.task.facts
                own = [fact.value for fact in case.references.own]
                other = [fact.value for fact in case.references.default]
                assert len(own) == len(other)
                assert own != other

    def test_have_defaults_whose_facts_come_out_of_the_world(self) -> None:
        assert broken(wrong_default, (case for case in UNDER_SPECIFIED if case.references)) == []

    def test_go_by_home_as_the_agent_is_shown_it(self) -> None:
        assert EverydayWorld().open({}, SHIPPED.seed).context()["home"].startswith(HOME)


def not_as_claimed(case: Case, *, crowded: bool = False) -> str:
    """Prove a case, and say how the proof differs from what it claims; "" if it does not."""
    condition = case.condition
    if crowded:
        condition = in_a_crowd(case, proofs.BY_NAME, TOOLS, proofs.CROWD, 0)
        added = sum(isinstance(change, Add) for change in condition.changes)
        if added - sum(isinstance(change, Add) for change in case.condition.changes) != proofs.CROWD:
            return "no ten distractors"
        if len(set(condition.order)) != len(case.offered) + proofs.CROWD:
            return f"{len(condition.order)} tools are shown"
    missing = case.missing
    if missing is not None and missing.kind == "value":
        assert missing.step is not None
        beside = [told.value for told in case.told]
        step, name = missing.step, missing.parameter
        possibility = prove_withheld(
            case.task, proofs.BY_NAME, step, name, beside, condition=condition
        ).possibility
    else:
        possibility = prove_task(case.task, proofs.BY_NAME, condition).possibility
    if possibility is case.possibility:
        return ""
    # Distractors may find out part of what was out of reach, but never all of it.
    if crowded and Possibility.POSSIBLE not in (possibility, case.possibility):
        return ""
    return f"is {possibility.value}, not {case.possibility.value}"


def wrong_default(case: Case) -> str:
    """Run the plan with the default in place of the user's value; say which fact does not come out."""
    missing, references = missing_of(case), case.references
    assert missing.step is not None
    assert missing.default is not None
    assert references is not None
    step = case.task.plan[missing.step]
    argument = step.arguments[missing.parameter].model_copy(update={"value": missing.default.value})
    changed = step.model_copy(update={"arguments": {**step.arguments, missing.parameter: argument}})
    plan = (*case.task.plan[: missing.step], changed, *case.task.plan[missing.step + 1 :])
    task = case.task.model_copy(update={"plan": plan, "facts": references.default})
    return proofs.holds(task, proofs.run_plan(plan, EverydayWorld().open({}, SHIPPED.seed)))


class TestCasesWithAToolRemoved:
    def test_are_proven_to_be_what_they_claim(self) -> None:
        assert broken(not_as_claimed, REMOVED) == []

    def test_are_so_beside_ten_distractors_too(self) -> None:
        assert broken(lambda case: not_as_claimed(case, crowded=True), REMOVED) == []

    def test_are_possible_only_where_a_model_can_do_the_job_itself(self) -> None:
        for case in REMOVED:
            hidden = next(step for step in case.task.plan if step.tool == missing_of(case).tool)
            assert (
                (case.possibility is Possibility.POSSIBLE) == (case.by_model is True) == (not hidden.external)
            )

    def test_go_by_the_tools_own_label(self) -> None:
        for case in REMOVED:
            replaceable = OPERATIONS[missing_of(case).tool].tool.replaceable
            assert replaceable is not None
            assert replaceable.by_human == (case.setting is Split.REPLACEABLE)

    def test_have_the_text_of_the_perfect_case(self) -> None:
        for case in (*REMOVED, *SHIPPED.of(Split.NO_TOOLS)):
            assert case.messages == PERFECT[case.cluster].messages

    def test_exchange_one_tool_for_another_of_the_category_that_cannot_do_its_job(self) -> None:
        for case in REMOVED:
            hidden, added = case.condition.changes
            assert isinstance(hidden, Hide)
            assert isinstance(added, Add)
            assert hidden.tool == missing_of(case).tool
            assert OPERATIONS[added.tool].tool.category == case.category
            assert not OPERATIONS[added.tool].can_stand_in_for(OPERATIONS[hidden.tool])
            assert len(case.offered) == 2

    def test_offer_nothing_in_the_setting_without_tools(self) -> None:
        for case in SHIPPED.of(Split.NO_TOOLS):
            assert case.offered == ()
            assert not_as_claimed(case) == ""
            assert case.possibility is not Possibility.POSSIBLE


def test_no_case_names_a_tool_or_speaks_of_tools() -> None:
    assert broken(lambda case: proofs.leak(" ".join(case.messages))) == []


def test_every_phrase_is_authored_for_its_argument() -> None:
    for case in UNDER_SPECIFIED:
        missing = missing_of(case)
        entry = vague()[missing.tool, missing.parameter]
        assert len(set(entry.phrases)) >= 6
        assert not missing.phrase or missing.phrase in entry.phrases
        assert all(told.phrase in entry.phrases for told in case.told)
    assert len(set(sentences())) >= 6


class TestLoading:
    def test_somebody_elses_copy_loads_from_its_folder(self, tmp_path: Path) -> None:
        build.write(build.files(5, share=0.05), tmp_path / "mine")
        mine = load_cases(tmp_path / "mine")
        assert mine.seed == 5
        assert mine.info.version == "1-A.seed5"
        assert {case.setting for case in mine.cases} == set(Split)

    def test_refuses_items_that_the_manifest_was_not_made_for(self, tmp_path: Path) -> None:
        lines = (FOLDER / ITEMS).read_text("utf-8").splitlines(keepends=True)
        (tmp_path / ITEMS).write_text("".join(lines[:3]), "utf-8")
        (tmp_path / MANIFEST).write_bytes((FOLDER / MANIFEST).read_bytes())
        with pytest.raises(BadData, match="manifest"):
            load_cases(tmp_path)

    def test_takes_a_folder_without_a_manifest(self, tmp_path: Path) -> None:
        lines = (FOLDER / ITEMS).read_text("utf-8").splitlines(keepends=True)
        (tmp_path / ITEMS).write_text("".join(lines[:3]), "utf-8")
        assert load_cases(tmp_path).info.version == "own"

    def test_refuses_an_id_that_stands_there_twice(self, tmp_path: Path) -> None:
        line = (FOLDER / ITEMS).read_text("utf-8").splitlines(keepends=True)[0]
        (tmp_path / ITEMS).write_text(line * 2, "utf-8")
        with pytest.raises(BadData, match="twice"):
            load_cases(tmp_path)
