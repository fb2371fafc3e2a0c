"""How pairs are made: likeness of tools, seats, earlier answers, what is proven, and small sets."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadUsage, UnknownName
from knowact.core.proof import Possibility
from knowact.core.task import Fact, Query
from knowact.core.world import Call
from knowact.suites.ict.cases import DATA, DEFAULT_DATA, Level, Manipulation, Pair, Source, load_cases
from knowact.suites.ict.proving import prove_complete, prove_incomplete
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from version_1.ict import build, similar
from version_1.ict.lexical import Lexical, best_threshold, lexical
from version_1.ict.past import answer_to
from version_1.ict.recipe import groups, sizes
from version_1.ict.reject import unfit
from version_1.ict.requests import needed, rivals, worldly
from version_1.ict.seats import Group
from version_1.ict.similar import RANKS, level_of, neighbours, scorer
from version_1.proofs import BY_NAME

SHIPPED = load_cases(DATA / DEFAULT_DATA)


def one_of(source: Source, manipulation: Manipulation, what: str = "") -> Pair:
    pairs = SHIPPED.of(source, manipulation)
    return next(pair for pair in pairs if not what or (pair.lost and pair.lost.what == what))


class TestLikeness:
    def test_ranks_every_other_tool_of_the_world_once(self) -> None:
        for tool, others in neighbours().ranked.items():
            assert sorted([tool, *others]) == sorted(OPERATIONS)

    def test_finds_what_a_person_would_find(self) -> None:
        ranked = neighbours().ranked
        assert "cancel_order" in ranked["get_order"][:5]
        assert "get_current_weather" in ranked["get_weather_alerts"][:5]

    def test_levels_cover_all_ranks_without_overlap(self) -> None:
        found = [level_of(rank) for rank in range(1, len(TOOLS))]
        assert found == sorted(found, key=list(Level).index)
        assert set(found) == set(RANKS)

    @pytest.mark.slow
    def test_offers_exchanges_that_are_alike_from_both_sides(self) -> None:
        known = neighbours()
        for tool in worldly():
            for level in RANKS:
                assert all(tool in known.at(other, level) for other in known.at(tool, level))

    def test_takes_another_retriever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Backwards:
            def __init__(self, model: str) -> None:
                assert model == "some/model"

            def scores(self, query: str, texts: list[str]) -> list[float]:
                return [float(text[::-1] > query[::-1]) for text in texts]

        monkeypatch.setattr("knowact.retrieval.embeddings.Embedder", Backwards)
        found = scorer("embeddings:some/model")("b", ["ab", "ac"])
        assert list(found) == [1.0, 1.0]

    def test_refuses_a_retriever_that_there_is_not(self) -> None:
        with pytest.raises(UnknownName, match="bm25"):
            scorer("bm52")
        with pytest.raises(BadUsage):
            build.files(1, 0.01, retriever="tfidf")


class TestToolsThatAreReplaced:
    def test_find_out_or_change_something_in_the_world(self) -> None:
        assert set(worldly()) < set(needed())
        assert {"get_forecast", "send_mail", "get_balance"} <= set(worldly())
        assert not {"multiply", "convert_length", "get_weekday", "hash_text"} & set(worldly())

    def test_are_no_rivals_of_what_is_offered_besides(self) -> None:
        assert rivals("multiply", "convert_length")
        assert rivals("find_event", "list_events")
        assert rivals("find_word", "count_words")
        assert rivals("get_balance", "get_forecast") is False

    @given(st.sampled_from(needed()), st.sampled_from(needed()))
    @settings(deadline=None, max_examples=60)
    def test_are_rivals_from_both_sides(self, one: str, other: str) -> None:
        assert rivals(one, other) == rivals(other, one)


class TestSeats:
    def test_two_requests_get_each_others_tools(self) -> None:
        one, other = Group(Level.NEAR, (("a", "b"), ("c", "d"))).seats(["x"])
        assert one.offered == ("a", "b", "x")
        assert dict(one.swaps) == {"a": "c", "b": "d"}
        assert other.offered == ("c", "d", "x")
        assert dict(other.swaps) == {"c": "a", "d": "b"}

    def test_one_of_two_tools_can_stay(self) -> None:
        group = Group(Level.FAR, (("a",), ("c",)), kept="k")
        assert [seat.needs for seat in group.seats(["x"])] == [("a", "k"), ("c", "k")]
        assert group.at_once == 2

    def test_in_a_row_what_is_left_is_what_the_next_one_is_offered(self) -> None:
        group = Group(Level.ABSENT, (("a",), ("b",), ("c",)))
        seats = group.seats(["x"])
        for seat, following in itertools.pairwise(seats):
            assert set(seat.offered) - set(seat.needs) == set(following.offered)
        assert group.at_once == 3


class TestSizes:
    @given(st.integers(min_value=2, max_value=900))
    @settings(deadline=None, max_examples=60)
    def test_groups_make_up_any_size(self, size: int) -> None:
        found = groups(size)
        assert sum(length for _, length in found) == size
        assert all(length == 2 for level, length in found if level is not Level.ABSENT)
        assert all(length in (2, 3) for _, length in found)

    def test_a_share_has_all_kinds(self) -> None:
        assert min(sizes(0.001).values()) == 2


class TestEarlierAnswers:
    @pytest.mark.parametrize(
        ("fact", "said"),
        [
            ({"kind": "number", "value": 1234.5, "unit": "€", "label": "balance of my account"}, "€1,234.5."),
            ({"kind": "number", "value": 40, "unit": "%", "label": "humidity"}, "Humidity: 40%."),
            ({"kind": "date", "value": "2026-04-03", "label": "day"}, "Day: 3 April 2026."),
            ({"kind": "yes_no", "value": False, "label": "whether it rains"}, "Whether it rains: no."),
            ({"kind": "text", "value": "Who goes there?", "label": "title"}, "Title: Who goes there?"),
            ({"kind": "text", "value": "x", "label": "note in our house"}, "Note in your house: x."),
        ],
    )
    def test_state_facts_as_an_assistant_does(self, fact: dict[str, Any], said: str) -> None:
        task = one_of(Source.MULTI_TURN, Manipulation.REMOVAL).task
        assert answer_to(task.model_copy(update={"facts": (Fact.model_validate(fact),)})).endswith(said)


class TestProofs:
    def test_a_replacement_is_possible_again_where_the_tool_comes_back(self) -> None:
        pair = one_of(Source.SINGLE_REQUEST, Manipulation.REPLACEMENT)
        tools = (*pair.task.offered, *(gone.by for gone in pair.gone if gone.by))
        richer = pair.model_copy(update={"task": pair.task.model_copy(update={"offered": tools})})
        assert prove_complete(richer, BY_NAME).possibility is Possibility.POSSIBLE

    def test_a_lost_value_is_found_where_it_is_said_besides(self) -> None:
        pair = one_of(Source.MULTI_TURN, Manipulation.REMOVAL, "value")
        assert pair.lost is not None
        told = pair.lost.model_copy(update={"beside": (*pair.lost.beside, pair.lost.value)})
        found = prove_incomplete(pair.model_copy(update={"lost": told}), BY_NAME)
        assert found.possibility is Possibility.POSSIBLE
        assert unfit(pair.model_copy(update={"lost": told}))

    def test_an_earlier_call_that_gave_the_answer_makes_it_possible(self) -> None:
        pair = one_of(Source.MULTI_TURN, Manipulation.REPLACEMENT)
        step = pair.task.plan[0]
        result = EverydayWorld().open({}, SHIPPED.seed).call(Call(step.tool, step.call_arguments)).value
        row = pair.model_dump(mode="json")
        call = {"tool": step.tool, "arguments": step.call_arguments, "result": result}
        row["task"]["opening"]["utterances"].insert(0, {"role": "assistant", "calls": [call]})
        answered = Pair.model_validate(row)
        assert prove_incomplete(answered, BY_NAME).possibility is Possibility.POSSIBLE
        assert unfit(answered)

    def test_a_lost_request_is_impossible_whatever_tools_there_are(self) -> None:
        pair = one_of(Source.SINGLE_REQUEST, Manipulation.REMOVAL, "request")
        everything = pair.task.model_copy(update={"offered": tuple(BY_NAME)})
        proof = prove_incomplete(pair.model_copy(update={"task": everything}), BY_NAME)
        assert proof.possibility is Possibility.IMPOSSIBLE
        assert prove_complete(pair, BY_NAME).possibility is Possibility.POSSIBLE


class TestRejection:
    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("What is the the time in Rome?", "a word twice"),
            ("What is the time in my the town?", "two articles"),
            ("What is the time in Rome ?", "a space before a stop"),
            ("It says “Rome. What is the time there?", "don't close"),
            ("What is the time in ⟦0.city⟧?", "an unfilled slot"),
            ("Use the calculator to find the time in Rome.", "calculator"),
        ],
    )
    def test_sees_what_no_sentence_has(self, text: str, why: str) -> None:
        pair = one_of(Source.SINGLE_REQUEST, Manipulation.REPLACEMENT)
        spoilt = pair.model_copy(update={"task": pair.task.model_copy(update={"opening": Query(text=text)})})
        assert why in unfit(spoilt)

    def test_sees_an_incomplete_opening_that_equals_the_complete_one(self) -> None:
        pair = one_of(Source.SINGLE_REQUEST, Manipulation.REMOVAL)
        assert "equal" in unfit(pair.model_copy(update={"incomplete": pair.task.opening}))


class TestTheLexicalAgent:
    def test_is_right_at_its_best_threshold_at_least_half_of_the_time(self) -> None:
        pairs = SHIPPED.of(Source.SINGLE_REQUEST, Manipulation.REPLACEMENT)[:60]
        best = lexical(pairs, best_threshold(pairs))
        assert best.accuracy >= 0.5
        for threshold in (0.0, 2.0, 5.0, 1e9):
            assert lexical(pairs, threshold).accuracy <= best.accuracy

    def test_says_yes_to_everything_at_zero_and_no_beyond_all_scores(self) -> None:
        pairs = SHIPPED.of(Source.SINGLE_REQUEST, Manipulation.REPLACEMENT)[:20]
        for threshold in (-1.0, 1e9):
            assert lexical(pairs, threshold) == Lexical(0.5, 0.0)


class TestASmallSet:
    @pytest.mark.slow
    def test_is_the_same_for_the_same_seed_and_another_for_another(self, tmp_path: Path) -> None:
        made = build.files(5, 0.01)
        assert build.files(5, 0.01) == made
        assert build.files(6, 0.01) != made
        build.write(made, tmp_path)
        mine = load_cases(tmp_path)
        assert mine.seed == 5
        assert mine.info.version == "1-A.seed5"
        assert {(p.source, p.manipulation, p.possibility) for p in mine.pairs} == set(map(tuple, sizes(1)))

    def test_tells_how_far_it_is(self) -> None:
        seen: list[tuple[int, int]] = []
        build.files(5, 0.005, lambda done, wanted: seen.append((done, wanted)))
        assert [done for done, _ in seen] == list(range(1, seen[-1][1] + 1))

    def test_follows_the_retriever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def by_length(query: str, texts: Sequence[str]) -> list[float]:
            return [-abs(len(text) - len(query)) for text in texts]

        def another(name: str) -> similar.Scorer:
            assert name == "length"
            return by_length

        usual = build.files(5, 0.01)
        monkeypatch.setattr(similar, "scorer", another)
        made = build.files(5, 0.01, retriever="length")
        similar.neighbours.cache_clear()
        assert "by name and description (length)" in made["README.md"]
        assert made["items.jsonl"] != usual["items.jsonl"]
        assert '"version": "1-A.seed5.length"' in made["manifest.json"]
