"""car/cabin@2-A gives nothing away: not by words, tools, lengths, positions or preferences.

Complete tasks lack a decoy, incomplete ones a part that they need; both come from the
same removals. Classifiers are cross-validated with the tasks of one cluster kept together. Each gate is also
shown a give-away that was planted, and has to see it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast

import pytest

from car_agents import planned, shipped
from knowact.core.clean import dumps
from knowact.core.tool import Tool
from knowact.suites.car.items import CarItem
from knowact.suites.car.role_views import brief
from knowact.suites.car.tasks import CarTask
from suites.classifying import scores_by_figures, scores_by_words

pytestmark = pytest.mark.slow

CHANCE_ALLOWED = 0.60
Texts = Callable[[CarItem], str]
Figures = Callable[[CarItem], list[float]]


@cache
def whole() -> tuple[CarItem, ...]:
    """The same tasks with whole tool lists: as the paper has them."""
    return cast("tuple[CarItem, ...]", planned(tool_lists="whole").items)


def of(family: str, items: Sequence[CarItem] | None = None) -> list[CarItem]:
    return [item for item in items or shipped() if item.labels["type"] == family]


def groups(items: Sequence[CarItem]) -> list[int]:
    return [int(item.what.cluster.rpartition("_")[2]) for item in items]


def words_tell(read: Texts, first: Sequence[CarItem], second: Sequence[CarItem]) -> bool:
    """Whether any classifier tells two kinds of tasks apart by what `read` makes of them."""
    both = [*first, *second]
    labels = [place < len(first) for place in range(len(both))]
    scores = scores_by_words([read(item) for item in both], labels, groups(both))
    return any(score > CHANCE_ALLOWED for score in scores)


def figures_tell(read: Figures, first: Sequence[CarItem], second: Sequence[CarItem]) -> bool:
    both = [*first, *second]
    labels = [place < len(first) for place in range(len(both))]
    scores = scores_by_figures([read(item) for item in both], labels, groups(both))
    return any(score > CHANCE_ALLOWED for score in scores)


def opening(item: CarItem) -> str:
    assert item.what.script is not None
    return " ".join((item.what.script.opening, *item.what.script.later))


def offered(item: CarItem) -> str:
    """Every tool on the list, every parameter and every field of a result, a word each; not what all have."""
    return " ".join(word for word in _listed(item.tools) if word not in on_every_list())


@cache
def on_every_list() -> frozenset[str]:
    found = set(_listed(shipped()[0].tools))
    for item in shipped():
        found &= set(_listed(item.tools))
    return frozenset(found)


def _listed(tools: tuple[Tool, ...]) -> tuple[str, ...]:
    return tuple(word for tool in tools for word in _inside(tool))


def _inside(tool: Tool) -> Iterator[str]:
    yield tool.name
    yield from (f"{tool.name}__{path}" for path in _paths(tool.parameters))
    yield from (f"result__{tool.name}__{path}" for path in _paths(tool.returns or {}))


def _paths(shape: Mapping[str, Any]) -> Iterator[str]:
    while shape.get("items"):
        shape = shape["items"]
    for name, inner in cast("dict[str, Any]", shape.get("properties", {})).items():
        yield name
        yield from (f"{name}__{path}" for path in _paths(inner))


def missing(item: CarItem) -> str:
    """What is not on the list, a word each: what somebody sees who knows the whole list by heart."""
    return " ".join(path.replace(".", "__") for path in item.what.absent) or "nothing"


MEASURED: dict[int, list[float]] = {}
"""Sizes of the tasks at hand, each taken once: the caches keep them for the process's life."""


def sizes(item: CarItem) -> list[float]:
    """How long the list is, how many parts its schemas have, and where the first gap is."""
    if id(item) not in MEASURED:
        MEASURED[id(item)] = _sizes(item)
    return MEASURED[id(item)]


def _sizes(item: CarItem) -> list[float]:
    every = item.task.offered
    names = [tool.name for tool in item.tools]
    gap = next((place for place, name in enumerate(every) if name not in names), -1)
    text = dumps([tool.model_dump(mode="json") for tool in item.tools])
    return [len(names), len(_listed(item.tools)), len(text), gap]


def lengths(item: CarItem) -> list[float]:
    """Letters, words, letters per word, sentences and questions of the opening; how many wishes follow it."""
    script = item.what.script
    assert script is not None
    text = script.opening
    count = len(text.split())
    sentences = len(re.findall(r"[.!?](?=\s|$)", text))
    return [
        len(text),
        count,
        len(text) / count,
        sentences,
        text.count("?"),
        len(script.later),
        len(opening(item)),
    ]


def preferences(item: CarItem) -> list[float]:
    """How many topics and sentences, the most on one topic, and how many on each."""
    likes = cast("Mapping[str, Mapping[str, Sequence[str]]]", item.what.setup["user_preferences"])
    found = {
        f"{category}.{topic}": len(some) for category, in_it in likes.items() for topic, some in in_it.items()
    }
    return [len(found), sum(found.values()), max(found.values()), *(found.get(name, 0) for name in topics())]


@cache
def topics() -> tuple[str, ...]:
    found: set[str] = set()
    for item in shipped():
        likes = cast("Mapping[str, Mapping[str, Any]]", item.what.setup["user_preferences"])
        found.update(f"{category}.{topic}" for category, in_it in likes.items() for topic in in_it)
    return tuple(sorted(found))


PAIRS = [("base", "hallucination"), ("base", "disambiguation")]


def complete(which: str) -> list[CarItem]:
    return [*of("base"), *(of("disambiguation") if which == "all" else ())]


@pytest.mark.parametrize("which", ["base", "all"])
class TestCompleteOrIncomplete:
    """A base task (or any that lacks nothing it needs), or a hallucination task?"""

    @pytest.mark.parametrize("read", [opening, offered, missing])
    def test_neither_the_words_of_the_opening_nor_the_tools_tell(self, read: Texts, which: str) -> None:
        assert not words_tell(read, complete(which), of("hallucination"))

    @pytest.mark.parametrize("read", [sizes, lengths, preferences])
    def test_nor_do_lengths_positions_or_preferences(self, read: Figures, which: str) -> None:
        assert not figures_tell(read, complete(which), of("hallucination"))


class TestBaseOrOpen:
    """A base task or a disambiguation task? There words are honestly informative, and nothing else may be."""

    @pytest.mark.parametrize("read", [offered, missing])
    def test_the_tools_do_not_tell(self, read: Texts) -> None:
        assert not words_tell(read, of("base"), of("disambiguation"))

    @pytest.mark.parametrize("read", [sizes, lengths, preferences])
    def test_nor_do_lengths_positions_or_preferences(self, read: Figures) -> None:
        assert not figures_tell(read, of("base"), of("disambiguation"))

    def test_nor_do_preferences_where_only_they_settle_what_is_open(self) -> None:
        settled = [item for item in of("disambiguation") if item.labels["level"] == "preference"]
        assert not figures_tell(preferences, of("base"), settled)


class TestThatGatesCanFail:
    """A give-away is planted for each gate."""

    @pytest.mark.parametrize("read", [offered, missing])
    @pytest.mark.parametrize(("first", "second"), [*PAIRS, ("disambiguation", "hallucination")])
    def test_whole_lists_are_seen(self, read: Texts, first: str, second: str) -> None:
        assert words_tell(read, of(first, whole()), of(second))

    def test_sizes_that_differ_are_seen(self) -> None:
        assert figures_tell(sizes, of("base", whole()), of("hallucination"))
        assert figures_tell(sizes, of("base"), of("disambiguation", whole()))

    def test_a_removal_that_only_incomplete_tasks_have_is_seen(self) -> None:
        def planted(item: CarItem) -> str:
            return f"{missing(item)} get_weather__x" if item.what.removed else missing(item)

        assert words_tell(planted, of("base"), of("hallucination"))

    def test_a_word_that_one_kind_prefers_is_seen(self) -> None:
        def planted(item: CarItem) -> str:
            return f"{opening(item)} please" if item.what.removed else opening(item)

        assert words_tell(planted, of("base"), of("hallucination"))

    @pytest.mark.parametrize(("first", "second"), PAIRS)
    def test_openings_that_are_longer_are_seen(self, first: str, second: str) -> None:
        def planted(item: CarItem) -> list[float]:
            letters, *others = lengths(item)
            return [letters * (1.0 if item.labels["type"] == first else 1.6), *others]

        assert figures_tell(planted, of(first), of(second))

    @pytest.mark.parametrize(("first", "second"), PAIRS)
    def test_one_more_preference_is_seen(self, first: str, second: str) -> None:
        def planted(item: CarItem) -> list[float]:
            count, sentences, most, *others = preferences(item)
            more = item.labels["type"] == second
            return [count, sentences + more, most + more, *others]

        assert figures_tell(planted, of(first), of(second))


class TestCrossing:
    """(q1, T2) and (q2, T1) are complete, (q1, T1) and (q2, T2) are not."""

    def test_every_removal_is_gone_as_often_from_a_complete_counterpart_as_from_an_incomplete_one(
        self,
    ) -> None:
        bases = {item.what.cluster for item in of("hallucination")}
        for half in ("train", "test"):
            own = [item.what for item in shipped() if item.what.split == half]
            needed = Counter(task.removed for task in own if task.removal)
            spared = Counter(_decoy(task) for task in own if task.id in bases)
            assert needed == spared
            assert sum(needed.values()) == 45

    def test_both_are_offered_the_very_same_list(self) -> None:
        by_id = {item.what.id: item for item in shipped()}
        for item in by_id.values():
            if item.what.decoy is not None:
                assert item.tools == by_id[item.what.decoy.of].tools, item.what.id

    def test_the_others_get_each_at_most_once_more(self) -> None:
        bases = {item.what.cluster for item in of("hallucination")}
        others = [item.what for item in shipped() if item.what.removal is None and item.what.id not in bases]
        origins = Counter(task.decoy.of for task in others if task.decoy)
        assert len(others) == 60
        assert set(origins.values()) == {1}

    def test_every_complete_task_lacks_a_decoy_of_its_half_and_of_another_base_task(self) -> None:
        by_id = {item.what.id: item.what for item in shipped()}
        for task in by_id.values():
            assert (task.decoy is None) == (task.removal is not None), task.id
            if task.decoy is not None:
                source = by_id[task.decoy.of]
                assert task.decoy.paths == source.removed
                assert task.split == source.split
                assert task.cluster != source.cluster

    def test_most_decoys_are_of_a_part_of_the_car_that_the_task_is_about(self) -> None:
        tools = {tool.name: tool.category for item in whole()[:1] for tool in item.tools}
        complete = [item.what for item in shipped() if item.what.decoy]
        near = [task for task in complete if tools[_tool(_decoy(task)[0])] in task.domains]
        assert len(near) >= 0.8 * len(complete)

    def test_the_context_never_names_what_is_gone(self) -> None:
        for item in shipped():
            session, bare = item.factory.session(item.what), item.factory.whole(item.what)
            assert session.context() == bare.context()
            known = {"current_location": "here", "current_datetime": "now"}
            shown = " ".join(message.text for message in brief(item, {**known, **session.context()}, "none"))
            names = [_tool(path) for path in item.what.absent]
            assert not any(re.search(rf"\b{name}\b", shown) for name in names), item.what.id

    def test_no_schema_names_a_tool_that_is_gone(self) -> None:
        for item in shipped():
            listed = dumps([tool.model_dump(mode="json") for tool in item.tools])
            gone = set(item.task.offered) - {tool.name for tool in item.tools}
            assert not [name for name in gone if re.search(rf"\b{name}\b", listed)], item.what.id


def _decoy(task: CarTask) -> tuple[str, ...]:
    assert task.decoy is not None
    return task.decoy.paths


def _tool(path: str) -> str:
    return path.removeprefix("result.").partition(".")[0]
