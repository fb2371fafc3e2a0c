"""fail_talms/everyday@2-A: requests that were written one by one, and what is claimed of each of their cases.

Every claim that code can check; what readers say stands in the datasheet.
"""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import cast

import pytest

from knowact.core.proof import Possibility, prove_task, prove_withheld
from knowact.core.world import Call
from knowact.forge.briefs import COMPLETE, BriefAnswer
from knowact.forge.proving import CROWD, unproven
from knowact.forge.recipe import READINGS, TEXTS, hash_of
from knowact.forge.withholding import INCOMPLETE, SHARES
from knowact.retrieval.duplicates import without_duplicates
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.cases import DATA, Case, Missing, in_a_crowd, load_cases
from knowact.suites.fail_talms.items import plan
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.suite import SUITE
from knowact.worlds.everyday.material import material
from suites.classifying import beside_the_value, separable_by_figures, separable_by_words
from suites.remaking import assert_remade

FOLDER = DATA / "everyday@2-A"
SHIPPED = load_cases(FOLDER)
CASES = SHIPPED.cases
PERFECT = {case.cluster: case for case in SHIPPED.of(Split.PERFECT)}
UNDER_SPECIFIED = SHIPPED.of(Split.UNDER_SPECIFIED)
REMOVED = [case for setting in UNAVAILABLE for case in SHIPPED.of(setting)]
WORLD = material()
TOOLS = tuple(WORLD.tools.values())


def planned(rules: str) -> dict[str, AskedItem]:
    defaults = {option.name: option.default for option in SUITE.options}
    items = plan({**defaults, "seed": 0, "limit": 0, "rules": rules, "setting": "all"}).items
    return {item.task.id: cast("AskedItem", item) for item in items}


def missing_of(case: Case) -> Missing:
    assert case.missing is not None
    return case.missing


def possibility(case: Case, *, crowded: bool = False) -> Possibility:
    condition = in_a_crowd(case, WORLD.tools, TOOLS, CROWD, 0) if crowded else case.condition
    missing = case.missing
    if missing is None or missing.kind == "tool":
        return prove_task(case.task, WORLD.tools, condition).possibility
    assert missing.step is not None
    step, name = missing.step, missing.parameter
    return prove_withheld(case.task, WORLD.tools, step, name, condition=condition).possibility


class TestTheSet:
    @pytest.mark.slow
    def test_is_what_its_plans_and_texts_give_byte_for_byte(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert_remade(
            FOLDER, "fail-talms", size=len(PERFECT), seed=SHIPPED.seed, tmp_path=tmp_path, capsys=capsys
        )

    def test_has_every_base_item_in_four_settings(self) -> None:
        under = Counter(case.cluster for case in UNDER_SPECIFIED)
        assert under.keys() == PERFECT.keys()
        assert {*under.values()} == {1, 2}
        assert Counter(case.cluster for case in REMOVED) == dict.fromkeys(PERFECT, 1)
        assert Counter(case.cluster for case in SHIPPED.of(Split.NO_TOOLS)) == dict.fromkeys(PERFECT, 1)

    def test_has_the_papers_numbers(self) -> None:
        assert Counter(case.setting for case in CASES) == {
            Split.PERFECT: 575,
            Split.UNDER_SPECIFIED: 599,
            Split.REPLACEABLE: 261,
            Split.NON_REPLACEABLE: 314,
            Split.NO_TOOLS: 575,
        }

    def test_gives_a_fair_sample_of_settings_in_every_prefix(self) -> None:
        whole = Counter(case.setting for case in CASES)
        for length in (40, 100, 333):
            seen = Counter(case.setting for case in CASES[:length])
            assert all(abs(seen[one] - n * length / len(CASES)) <= 1 for one, n in whole.items())

    def test_each_version_was_read_blind_by_somebody_else(self) -> None:
        lines = (FOLDER / TEXTS).read_text("utf-8").splitlines()
        answers = {one.brief: one for one in map(BriefAnswer.model_validate_json, lines) if not one.refused}
        read = (FOLDER / READINGS).read_text("utf-8").splitlines()
        seen = {(one["brief"], one["text"]): one["reader"] for one in map(json.loads, read)}
        for case in PERFECT.values():
            answer = answers[str(case.task.provenance["brief"])]
            for name, written in answer.versions.items():
                assert seen[answer.brief, hash_of({name: written})] != answer.writer
            assert {COMPLETE, INCOMPLETE} <= answer.versions.keys()

    def test_no_two_base_items_are_nearly_the_same(self) -> None:
        assert without_duplicates([case.task.opening.text for case in PERFECT.values()], 0.8).dropped == {}


class TestEveryCase:
    @pytest.mark.slow
    def test_has_a_base_item_that_is_solvable_and_needs_its_tools(self) -> None:
        wrong = {name: unproven(case.task, SHIPPED.seed, WORLD) for name, case in PERFECT.items()}
        assert {name: why for name, why in wrong.items() if why} == {}

    @pytest.mark.slow
    def test_is_as_possible_as_it_claims_beside_ten_distractors_too(self) -> None:
        for case in CASES:
            assert possibility(case) is case.possibility, case.id
            # Distractors may find out part of what was out of reach, but never all of it.
            crowded = possibility(case, crowded=True)
            assert (crowded is Possibility.POSSIBLE) == (case.setting is Split.PERFECT), case.id

    def test_is_possible_in_the_perfect_setting_alone(self) -> None:
        for case in CASES:
            assert (case.possibility is Possibility.POSSIBLE) == (case.setting is Split.PERFECT)

    def test_is_external_for_no_size_alone(self) -> None:
        for case in PERFECT.values():
            for step in case.task.plan:
                assert not step.external or not WORLD.by_size(step.tool, step.call_arguments)


class TestUnderSpecified:
    def test_lacks_a_value_that_its_complete_version_says(self) -> None:
        for case in UNDER_SPECIFIED:
            missing, complete = missing_of(case), PERFECT[case.cluster]
            assert missing.words.casefold() in " ".join(complete.messages).casefold()
            assert not WORLD.usual(missing.tool, missing.parameter)

    def test_is_not_told_by_a_refusal_what_it_lacks(self) -> None:
        """Not even to an agent that tries every run of up to three words in its place."""
        for case in UNDER_SPECIFIED:
            missing = missing_of(case)
            if not isinstance(missing.value, str) or missing.how == "two_candidates":
                continue
            assert missing.step is not None
            step, session = case.task.plan[missing.step], WORLD.open({}, SHIPPED.seed)
            said = " ".join(case.messages).split()
            for start, length in product(range(len(said)), (1, 2, 3)):
                guess = " ".join(said[start : start + length]).strip(".,;:!?")
                seen = session.call(Call(step.tool, {**step.call_arguments, missing.parameter: guess}))
                if seen.problem is not None:
                    assert missing.value not in seen.problem.fix, (case.id, guess)

    def test_differs_from_it_in_one_message_alone(self) -> None:
        for case in UNDER_SPECIFIED:
            pairs = zip(case.messages, PERFECT[case.cluster].messages, strict=True)
            assert sum(one != other for one, other in pairs) == 1
            last = case.query != PERFECT[case.cluster].query
            assert last == (missing_of(case).how == "left_out")

    def test_goes_missing_in_the_guides_shares(self) -> None:
        how = Counter(missing_of(case).how.replace("_", " ") for case in UNDER_SPECIFIED)
        for name, share in SHARES.items():
            assert abs(how[name] / len(UNDER_SPECIFIED) - share) <= 0.06, name

    def test_stands_in_the_same_words_where_an_earlier_message_resolves_them(self) -> None:
        crossed = [case for case in UNDER_SPECIFIED if case.query == PERFECT[case.cluster].query]
        assert len(crossed) >= 0.3 * len(UNDER_SPECIFIED)
        assert all(len(case.remarks) == len(PERFECT[case.cluster].remarks) == 1 for case in crossed)


class TestUnavailable:
    def test_has_the_text_of_the_perfect_case(self) -> None:
        for case in (*REMOVED, *SHIPPED.of(Split.NO_TOOLS)):
            assert case.messages == PERFECT[case.cluster].messages

    def test_lacks_a_tool_that_reads_or_acts(self) -> None:
        for case in REMOVED:
            (step,) = (one for one in case.task.plan if one.tool == missing_of(case).tool)
            assert step.external

    def test_follows_the_papers_label_under_the_published_rules(self) -> None:
        """An average person could do the tool's job, or not; what readers said of this one does not count."""
        for rules in ("definition", "published"):
            items = planned(rules)
            for case in REMOVED:
                by_tool = WORLD.tools[missing_of(case).tool].replaceable
                paper = Split.REPLACEABLE if by_tool and by_tool.by_human else Split.NON_REPLACEABLE
                item = items[case.id]
                assert item.setting is (paper if rules == "published" else case.setting)
                assert item.labels.get("paper_label") == (None if rules == "published" else paper.value)
        assert any(items[case.id].setting is not case.setting for case in REMOVED)

    def test_has_sets_of_tools_that_are_enough_for_other_requests(self) -> None:
        """Those without a partner of their own sit beside somebody else's couple."""
        enough = Counter(frozenset(case.offered) for case in PERFECT.values())
        lone = [case for case in REMOVED if not enough[frozenset(case.offered)]]
        assert len(lone) <= 0.05 * len(REMOVED)


@pytest.mark.slow
class TestGivesNothingAway:
    """Two standard errors of chance are allowed on so few texts."""

    ALLOWED = 0.60 + len(PERFECT) ** -0.5

    def labels(self, cases: Sequence[Case]) -> list[bool]:
        return [case.setting is Split.PERFECT for case in cases]

    def groups(self, cases: Sequence[Case]) -> list[int]:
        numbers = {name: number for number, name in enumerate(PERFECT)}
        return [numbers[case.cluster] for case in cases]

    def test_by_the_words_beside_what_is_left_out(self) -> None:
        silent = [case for case in UNDER_SPECIFIED if missing_of(case).how == "left_out"]
        texts = [
            text
            for case in silent
            for text in beside_the_value(PERFECT[case.cluster].query, missing_of(case).words, case.query)
        ]
        groups = self.groups([case for case in silent for _ in range(2)])
        assert separable_by_words(texts, [True, False] * len(silent), groups) <= self.ALLOWED

    def test_by_the_tools(self) -> None:
        for setting in UNAVAILABLE:
            incomplete = SHIPPED.of(setting)
            cases = [*(PERFECT[case.cluster] for case in incomplete), *incomplete]
            tools = [" ".join(case.offered) for case in cases]
            assert separable_by_words(tools, self.labels(cases), self.groups(cases)) <= self.ALLOWED

    def test_by_places_and_numbers_of_tools(self) -> None:
        cases = [*PERFECT.values(), *REMOVED]
        table = [[len(case.offered), *(_place(step.tool, case) for step in case.task.plan)] for case in cases]
        # A tool that is not there has no place; what takes its own is looked at.
        assert separable_by_figures(table, self.labels(cases), self.groups(cases)) <= self.ALLOWED


def _place(tool: str, case: Case) -> int:
    """Where a tool of the plan stands, or what took its place."""
    instead = {change.tool: change.by for change in case.condition.changes if change.kind == "replace"}
    return case.offered.index(instead.get(tool, tool))
