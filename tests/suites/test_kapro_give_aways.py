"""kapro/everyday@1-A gives nothing away: not by its tools, words, lengths, positions or repetitions.

validity.md, section 4. Classifiers are cross-validated; a gate on lengths holds within equal topology and
number of steps.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, combinations, pairwise
from statistics import fmean

import pytest

from knowact.agents.reference import sounds_external
from knowact.core.seeds import generator
from knowact.core.task import Boundary, Task, Topology
from knowact.datasets.own import load_own
from knowact.retrieval.affinity import vectors
from knowact.retrieval.bm25 import scores, words
from knowact.retrieval.duplicates import tokens, without_duplicates
from knowact.suites.kapro.items import DATA, DEFAULT_DATA
from knowact.worlds.everyday.catalogue import OPERATIONS
from suites.classifying import acc_know, separable

TASKS = load_own(DATA / DEFAULT_DATA).rows
QUERIES = [task.opening.text for task in TASKS]
CHANCE_ALLOWED = 0.60
Chosen = Callable[[Task], Sequence[str]]


def accuracy(choose: Chosen) -> float:
    """Acc_know of a way to choose tools, over this set."""
    return acc_know(TASKS, choose)


class TestToolsAlone:
    def test_the_agent_that_reads_no_query_stays_under_the_gate(self) -> None:
        def sounding(task: Task) -> list[str]:
            return [name for name in task.offered if sounds_external(OPERATIONS[name].tool)]

        assert accuracy(sounding) < 0.85

    def test_so_does_the_best_that_can_be_known_of_each_tool(self) -> None:
        sides: Counter[str] = Counter()
        for task in TASKS:
            for step in task.plan:
                sides[step.tool] += 1 if step.external else -1
        assert accuracy(lambda task: [name for name in task.offered if sides[name] > 0]) < 0.85


def by_bm25(task: Task) -> list[float]:
    return scores(task.opening.text, [text_of(name) for name in task.offered])


def by_tfidf(task: Task) -> list[float]:
    query = VECTORS[len(NAMES) + TASKS.index(task)]
    return [float(VECTORS[NAMES.index(name)] @ query) for name in task.offered]


def by_overlap(task: Task) -> list[float]:
    asked = set(words(task.opening.text))
    texts = [set(words(text_of(name))) for name in task.offered]
    return [len(asked & text) / len(text) for text in texts]


def text_of(name: str) -> str:
    return f"{name} {OPERATIONS[name].tool.description}"


NAMES = list(OPERATIONS)
VECTORS = vectors([*map(text_of, NAMES), *QUERIES])


@pytest.mark.slow
@pytest.mark.parametrize("scorer", [by_bm25, by_tfidf, by_overlap])
def test_words_shared_by_query_and_tool_do_not_tell_at_their_best_threshold(
    scorer: Callable[[Task], list[float]],
) -> None:
    scored: Mapping[str, Mapping[str, float]] = {
        task.id: dict(zip(task.offered, scorer(task), strict=True)) for task in TASKS
    }
    every = sorted({score for found in scored.values() for score in found.values()})
    thresholds = [-math.inf, *every[:: max(1, len(every) // 200)], math.inf]
    best = max(
        accuracy(lambda task, at=at: [n for n, score in scored[task.id].items() if score >= at])
        for at in thresholds
    )
    assert best < 0.70


def lengths(task: Task) -> list[float]:
    """Letters, words, letters per word, sentences."""
    text = task.opening.text
    count = len(text.split())
    return [len(text), count, len(text) / count, len(re.findall(r"[.!?](?=\s|$)", text))]


def positions(task: Task) -> list[float]:
    """Where the tools of the plan's steps stand in the list that is offered."""
    return [task.offered.index(step.tool) for step in task.plan]


CELLS = [(Topology.SINGLE_HOP, 1), *((topology, k) for topology in list(Topology)[1:] for k in (2, 3))]


@pytest.mark.slow
@pytest.mark.parametrize(("topology", "steps"), CELLS, ids=str)
def test_lengths_do_not_tell_the_boundary(topology: Topology, steps: int) -> None:
    cell = [task for task in TASKS if task.topology is topology and len(task.plan) == steps]
    for one, other in combinations(sorted({task.boundary for task in cell}), 2):
        pair = [task for task in cell if task.boundary in {one, other}]
        told = separable([lengths(task) for task in pair], [task.boundary is one for task in pair])
        assert told <= CHANCE_ALLOWED, (one, other)


@pytest.mark.parametrize("steps", [2, 3])
def test_lengths_do_not_tell_parallel_from_multi_hop(steps: int) -> None:
    cell = [task for task in TASKS if len(task.plan) == steps]
    labels = [task.topology is Topology.PARALLEL for task in cell]
    assert separable([lengths(task) for task in cell], labels) <= CHANCE_ALLOWED


@pytest.mark.parametrize("steps", [2, 3])
def test_positions_do_not_tell_which_tool_is_needed(steps: int) -> None:
    cell = [task for task in TASKS if len(task.plan) == steps and task.boundary is Boundary.HYBRID]
    first = Counter(task.offered[place] in task.required for task in cell for place in (0,))
    needed = fmean(len(task.required) / len(task.offered) for task in cell)
    assert abs(first[True] / first.total() - needed) < 0.1
    labels = [task.topology is Topology.PARALLEL for task in cell]
    assert separable([positions(task) for task in cell], labels) <= CHANCE_ALLOWED


class TestNotRepetitive:
    def test_no_two_queries_are_nearly_the_same(self) -> None:
        assert without_duplicates(QUERIES, 0.8).dropped == {}

    def test_no_phrasing_is_in_more_than_one_and_a_half_per_cent_of_tasks(self) -> None:
        used: Counter[str] = Counter()
        for task in TASKS:
            phrasings = task.provenance["phrasings"]
            assert isinstance(phrasings, list)
            used.update({str(name) for name in phrasings})
        name, count = used.most_common(1)[0]
        assert count <= 0.015 * len(TASKS), name

    def test_draws_of_sixty_eight_queries_are_as_varied_as_the_published_ones(self) -> None:
        # Different pairs of neighbouring words over all such pairs: FAIL-TaLMs' 68 queries have 0.60.
        pairs = [list(pairwise(tokens(query))) for query in sorted(QUERIES)]
        samples = (generator(0, "distinct-2", draw).sample(pairs, 68) for draw in range(200))
        draws = [list(chain.from_iterable(sample)) for sample in samples]
        assert fmean(len(set(drawn)) / len(drawn) for drawn in draws) >= 0.55
