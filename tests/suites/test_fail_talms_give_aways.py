"""fail-talms/everyday@1-A gives nothing away: not by words, tools, lengths, positions or repetitions.

validity.md, section 4. Classifiers are cross-validated over minimal pairs: a setting's incomplete cases
against the complete ones of the same base items. Cases of one base item and of one phrasing of both its
halves stay together.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from knowact.retrieval.duplicates import without_duplicates
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA, Case, load_cases
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from suites.classifying import separable_by_figures, separable_by_words

pytestmark = pytest.mark.slow

SHIPPED = load_cases(DATA / DEFAULT_DATA)
PERFECT = {case.cluster: case for case in SHIPPED.of(Split.PERFECT)}
CHANCE_ALLOWED = 0.60
INCOMPLETE: Mapping[str, Sequence[Case]] = {
    "under-specified": SHIPPED.of(Split.UNDER_SPECIFIED),
    "replaceable": [case for case in SHIPPED.of(Split.REPLACEABLE) if not case.by_model],
    "non-replaceable": SHIPPED.of(Split.NON_REPLACEABLE),
    "unavailable": [case for setting in UNAVAILABLE for case in SHIPPED.of(setting)],
}


def minimal_pairs(setting: str) -> list[Case]:
    """The cases of a setting, and the complete ones of the same base items."""
    incomplete = INCOMPLETE[setting]
    clusters = {case.cluster for case in incomplete}
    return [*(case for name, case in PERFECT.items() if name in clusters), *incomplete]


def labels(cases: Sequence[Case]) -> list[bool]:
    return [case.setting is Split.PERFECT for case in cases]


def groups(cases: Sequence[Case]) -> list[int]:
    """One number for the cases of a base item, and for base items whose halves are phrased alike."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(_phrasings(case), len(numbers)) for case in cases]


def _phrasings(case: Case) -> str:
    found = case.task.provenance["phrasings"]
    assert isinstance(found, list)
    return " ".join(sorted(str(name) for name in found if re.search(r"/(ask|clause) ", str(name))))


def lengths(case: Case) -> list[float]:
    """Letters, words, letters per word, sentences; the same of what was said before."""
    found: list[float] = [len(case.remarks)]
    for text in (case.query, " ".join(case.remarks)):
        count = len(text.split())
        found += [len(text), count, len(text) / max(1, count), len(re.findall(r"[.!?](?=\s|$)", text))]
    return found


def positions(case: Case) -> list[float]:
    """Where the tools of the plan stand in the list that is offered, and how many there are."""
    shown = case.offered
    return [len(shown), *(shown.index(step.tool) if step.tool in shown else -1 for step in case.task.plan)]


class TestCompleteAgainstUnderSpecified:
    CASES = minimal_pairs("under-specified")

    def test_the_words_of_the_query_do_not_tell(self) -> None:
        queries = [case.query for case in self.CASES]
        assert separable_by_words(queries, labels(self.CASES), groups(self.CASES)) <= CHANCE_ALLOWED

    def test_nor_do_the_words_of_everything_that_is_said(self) -> None:
        texts = [" ".join(case.messages) for case in self.CASES]
        assert separable_by_words(texts, labels(self.CASES), groups(self.CASES)) <= CHANCE_ALLOWED

    def test_nor_do_the_tools(self) -> None:
        tools = [" ".join(case.offered) for case in self.CASES]
        assert separable_by_words(tools, labels(self.CASES), groups(self.CASES)) <= CHANCE_ALLOWED

    def test_nor_do_the_positions_of_the_tools(self) -> None:
        table = [positions(case) for case in self.CASES]
        assert separable_by_figures(table, labels(self.CASES), groups(self.CASES)) <= CHANCE_ALLOWED


@pytest.mark.parametrize("setting", INCOMPLETE)
def test_lengths_do_not_tell(setting: str) -> None:
    cases = minimal_pairs(setting)
    table = [lengths(case) for case in cases]
    assert separable_by_figures(table, labels(cases), groups(cases)) <= CHANCE_ALLOWED


@pytest.mark.parametrize("setting", list(INCOMPLETE)[1:])
class TestCompleteAgainstUnavailable:
    def test_the_text_is_equal_so_that_it_cannot_tell(self, setting: str) -> None:
        for case in INCOMPLETE[setting]:
            assert case.messages == PERFECT[case.cluster].messages

    def test_the_tools_do_not_tell(self, setting: str) -> None:
        cases = minimal_pairs(setting)
        tools = [" ".join(case.offered) for case in cases]
        assert separable_by_words(tools, labels(cases), groups(cases)) <= CHANCE_ALLOWED

    def test_nor_does_the_number_of_tools(self, setting: str) -> None:
        assert {len(case.offered) for case in minimal_pairs(setting)} == {2}

    def test_the_order_of_the_tools_is_drawn(self, setting: str) -> None:
        for cases in (INCOMPLETE[setting], [PERFECT[case.cluster] for case in INCOMPLETE[setting]]):
            ordered = sum(list(case.offered) == sorted(case.offered) for case in cases)
            assert 0.4 <= ordered / len(cases) <= 0.6


class TestCrossedMinimalPairs:
    def test_the_same_query_is_complete_and_incomplete_after_other_remarks(self) -> None:
        crossed = [
            case
            for case in INCOMPLETE["under-specified"]
            if case.query == PERFECT[case.cluster].query and case.id.endswith(".u1")
        ]
        assert len(crossed) >= 60
        for case in crossed:
            counterpart = PERFECT[case.cluster]
            assert len(case.remarks) == len(counterpart.remarks)
            assert set(case.remarks).isdisjoint(counterpart.remarks)

    def test_phrases_stand_in_most_complete_queries_too(self) -> None:
        with_phrase = sum(any(told.resolves for told in case.told) for case in PERFECT.values())
        assert with_phrase >= 0.8 * len(PERFECT)

    def test_complete_and_incomplete_texts_have_as_many_sentences_about_phrases_and_as_many_denials(
        self,
    ) -> None:
        complete = Counter((len(case.told), denials(case)) for case in PERFECT.values())
        incomplete = Counter((len(case.told), denials(case)) for case in INCOMPLETE["under-specified"])
        for key in ((2, 1), (1, 0), (0, 0)):
            left, right = complete[key] / complete.total(), incomplete[key] / incomplete.total()
            assert abs(left - right) <= 0.12, key

    def test_a_set_of_tools_that_is_too_little_for_one_query_is_enough_for_another(self) -> None:
        enough = {frozenset(case.offered) for case in PERFECT.values()}
        lone = [case for case in INCOMPLETE["unavailable"] if frozenset(case.offered) not in enough]
        # The sciences' tools do one another's sums, so that no two of them are both needed.
        assert len(lone) <= 0.04 * len(INCOMPLETE["unavailable"])


def denials(case: Case) -> int:
    return sum(not told.holds for told in case.told)


class TestNotRepetitive:
    def test_no_two_base_items_are_nearly_the_same(self) -> None:
        assert without_duplicates([case.task.opening.text for case in PERFECT.values()], 0.8).dropped == {}

    def test_no_phrasing_is_in_more_than_five_per_cent_of_the_base_items(self) -> None:
        used: Counter[str] = Counter()
        for case in PERFECT.values():
            phrasings = case.task.provenance["phrasings"]
            assert isinstance(phrasings, list)
            used.update({str(name) for name in phrasings})
        name, count = used.most_common(1)[0]
        assert count <= 0.05 * len(PERFECT), name
