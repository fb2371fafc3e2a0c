"""ict/everyday@1-A gives nothing away: not by words, tools, lengths, positions or repetitions.

validity.md, section 4. Classifiers are cross-validated over the versions of each kind's pairs, with pairs of
one group and of one phrasing kept together. The text of a replacement's two versions is equal, and so are the
tools of a removal's: there nothing is left to classify by.
"""

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from knowact.core.proof import Possibility
from knowact.retrieval.duplicates import without_duplicates
from knowact.suites.ict.cases import (
    DATA,
    DEFAULT_DATA,
    Level,
    Manipulation,
    Pair,
    Source,
    Version,
    load_cases,
)
from suites.classifying import separable_by_figures, separable_by_words

SHIPPED = load_cases(DATA / DEFAULT_DATA)
CHANCE_ALLOWED = 0.60
BOTH = (Possibility.IMPOSSIBLE, Possibility.PARTLY)


def versions(source: Source, manipulation: Manipulation) -> list[Version]:
    """Both versions of every pair of a kind, the partly possible ones included."""
    pairs = [pair for possibility in BOTH for pair in SHIPPED.of(source, manipulation, possibility)]
    return [version for pair in pairs for version in pair.versions]


def labels(found: Sequence[Version]) -> list[bool]:
    return [version.complete for version in found]


def groups(found: Sequence[Version]) -> list[int]:
    """One number for the pairs of a group, and for those that are phrased alike."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(one.pair.crossed or phrasings(one.pair), len(numbers)) for one in found]


def phrasings(pair: Pair) -> str:
    found = pair.task.provenance["phrasings"]
    assert isinstance(found, list)
    return " ".join(sorted(str(name) for name in found if re.search(r"/(ask|clause) ", str(name))))


def said(version: Version) -> list[str]:
    """What the user says, message by message."""
    return [one.text for one in version.task.opening.utterances if one.role == "user"]


def lengths(version: Version) -> list[float]:
    """How many messages; letters, words, letters per word and sentences of the last one and of all."""
    texts = said(version)
    found: list[float] = [len(version.task.opening.utterances)]
    for text in (texts[-1], " ".join(texts)):
        count = len(text.split())
        found += [len(text), count, len(text) / count, len(re.findall(r"[.!?](?=\s|$)", text))]
    return found


def positions(version: Version) -> list[float]:
    """Where the tools stand that are needed or were put in such a place, and those of earlier calls."""
    instead = {gone.tool: gone.by for gone in version.pair.gone} if not version.complete else {}
    shown = list(version.offered)
    needed = [instead.get(step.tool, step.tool) for step in version.task.plan]
    named = [*needed, *(call.tool for call in version.pair.past)][:3]
    places = [shown.index(name) if name in shown else -1 for name in named]
    return [*places, *[-2] * (3 - len(places))]


@pytest.mark.parametrize("source", Source)
class TestRemovals:
    @pytest.mark.slow
    def test_the_users_words_do_not_tell(self, source: Source) -> None:
        found = versions(source, Manipulation.REMOVAL)
        texts = [" ".join(said(version)) for version in found]
        assert separable_by_words(texts, labels(found), groups(found)) <= CHANCE_ALLOWED

    def test_nor_do_lengths(self, source: Source) -> None:
        found = versions(source, Manipulation.REMOVAL)
        table = [lengths(version) for version in found]
        assert separable_by_figures(table, labels(found), groups(found)) <= CHANCE_ALLOWED

    def test_nor_can_the_tools_and_their_places(self, source: Source) -> None:
        assert all(
            pair.complete_version.offered == pair.incomplete_version.offered
            for possibility in BOTH
            for pair in SHIPPED.of(source, Manipulation.REMOVAL, possibility)
        )


@pytest.mark.parametrize("source", Source)
class TestReplacements:
    @pytest.mark.slow
    def test_the_tools_do_not_tell(self, source: Source) -> None:
        found = versions(source, Manipulation.REPLACEMENT)
        tools = [" ".join(version.offered) for version in found]
        assert separable_by_words(tools, labels(found), groups(found)) <= CHANCE_ALLOWED

    def test_nor_does_their_number(self, source: Source) -> None:
        found = versions(source, Manipulation.REPLACEMENT)
        table = [[float(len(version.offered))] for version in found]
        assert separable_by_figures(table, labels(found), groups(found)) <= CHANCE_ALLOWED

    def test_nor_do_their_places_where_as_many_are_offered(self, source: Source) -> None:
        every = versions(source, Manipulation.REPLACEMENT)
        found = [version for version in every if version.pair.level is not Level.ABSENT]
        table = [positions(version) for version in found]
        assert separable_by_figures(table, labels(found), groups(found)) <= CHANCE_ALLOWED

    def test_nor_do_the_tools_where_one_is_merely_gone_among_as_many(self, source: Source) -> None:
        every = versions(source, Manipulation.REPLACEMENT)
        absent = [version for version in every if version.pair.level is Level.ABSENT]
        enough = {frozenset(version.offered) for version in absent if version.complete}
        too_little = {frozenset(version.offered) for version in absent if not version.complete}
        crossed = [version for version in absent if frozenset(version.offered) in enough & too_little]
        assert len(crossed) >= 0.45 * len(absent)

    def test_nor_can_the_text(self, source: Source) -> None:
        assert all(
            pair.complete_version.task.opening == pair.incomplete_version.task.opening
            for possibility in BOTH
            for pair in SHIPPED.of(source, Manipulation.REPLACEMENT, possibility)
        )


@pytest.mark.slow
def test_the_words_of_a_dialogues_last_message_do_not_tell() -> None:
    found = versions(Source.MULTI_TURN, Manipulation.REMOVAL)
    texts = [said(version)[-1] for version in found]
    assert separable_by_words(texts, labels(found), groups(found)) <= CHANCE_ALLOWED


class TestNotRepetitive:
    def test_no_two_last_requests_are_nearly_the_same(self) -> None:
        texts = [pair.plain for pair in SHIPPED.pairs]
        dropped = without_duplicates(texts, 0.8).dropped
        assert [(texts[one], texts[other]) for one, other in dropped.items()] == []

    def test_no_phrasing_is_in_more_than_one_and_a_half_per_cent_of_the_pairs(self) -> None:
        used: Counter[str] = Counter()
        for pair in SHIPPED.pairs:
            found = pair.task.provenance["phrasings"]
            assert isinstance(found, list)
            used.update({str(name) for name in found})
        name, count = used.most_common(1)[0]
        assert count <= 0.015 * len(SHIPPED.pairs), name

    def test_no_tool_is_needed_by_more_than_three_per_cent_of_the_pairs(self) -> None:
        used = Counter(tool for pair in SHIPPED.pairs for tool in pair.task.required)
        tool, count = used.most_common(1)[0]
        assert count <= 0.03 * len(SHIPPED.pairs), tool
        assert len(used) >= 130
