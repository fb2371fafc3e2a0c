"""kapro/everyday@2-A: requests that were written one by one, from plans that are proven.

Every claim that code can check, over all of them; what readers say stands in the datasheet.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest

from knowact.agents.reference import sounds_external
from knowact.core.task import Boundary, Task, Topology
from knowact.datasets.own import load_own
from knowact.forge.briefs import BriefAnswer
from knowact.forge.proving import unproven, unproven_in_a_crowd, used_fields
from knowact.forge.recipe import READINGS, TEXTS, hash_of
from knowact.retrieval.bm25 import scores, words
from knowact.suites.kapro.forge import sizes
from knowact.suites.kapro.items import DATA
from knowact.worlds.everyday.material import material
from running import knowact
from suites.classifying import acc_know, separable
from suites.remaking import assert_remade

FOLDER = DATA / "everyday@2-A"
SHIPPED = load_own(FOLDER)
TASKS = SHIPPED.rows
WORLD = material()
EXTERNAL = {
    name for name, tool in WORLD.tools.items() if tool.rubric is not None and tool.rubric.when == "always"
}


def accuracy(choose: Callable[[Task], Sequence[str]]) -> float:
    """Acc_know of a way to choose tools, over this set."""
    return acc_know(TASKS, choose)


class TestTheSet:
    @pytest.mark.slow
    def test_is_what_its_plans_and_texts_give_byte_for_byte(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert_remade(FOLDER, "kapro", size=len(TASKS), seed=SHIPPED.seed, tmp_path=tmp_path, capsys=capsys)

    def test_gives_a_fair_sample_in_every_prefix(self) -> None:
        whole = sum(sizes().values())
        for length in (40, 100, len(TASKS)):
            seen = Counter((task.boundary, task.topology, len(task.plan)) for task in TASKS[:length])
            for kind, size in sizes().items():
                assert abs(seen[kind] - size * length / whole) <= 1

    def test_comes_from_many_scenarios_and_none_is_used_up(self) -> None:
        used = Counter(str(task.provenance["scenario"]) for task in TASKS)
        assert len(used) >= 140
        assert max(used.values()) <= 20
        jobs = Counter((str(task.provenance["scenario"]), str(task.provenance["jobs"])) for task in TASKS)
        assert max(jobs.values()) <= 3

    def test_each_text_was_read_blind(self) -> None:
        answers = [BriefAnswer.model_validate_json(line) for line in _lines(TEXTS)]
        hashes = {answer.brief: hash_of(answer.versions) for answer in answers if not answer.refused}
        read = {(one["brief"], one["text"]) for one in map(json.loads, _lines(READINGS))}
        assert {(str(brief), hashes[str(brief)]) for brief in _provenance("brief")} <= read
        assert "flat" not in _provenance("writer")


def test_data_show_says_what_the_request_states(capsys: pytest.CaptureFixture[str]) -> None:
    task = next(task for task in TASKS if any(step.told == ("eur_per_gram",) for step in task.plan))
    shown = knowact(capsys, "data", "show", task.id, "--data", "kapro/everyday@2-A")
    assert shown.code == 0, shown.said
    assert "internal: the request itself states eur_per_gram" in " ".join(shown.out.split())


class TestEveryTask:
    @pytest.mark.slow
    def test_is_proven_beside_ten_distractors_too(self) -> None:
        wrong = {task.id: unproven(task, SHIPPED.seed, WORLD) for task in TASKS}
        crowded = {task.id: unproven_in_a_crowd(task, WORLD) for task in TASKS}
        assert {name: why for found in (wrong, crowded) for name, why in found.items() if why} == {}

    def test_is_external_for_no_size_alone(self) -> None:
        steps = [step for task in TASKS for step in task.plan if step.external]
        assert not [step for step in steps if WORLD.by_size(step.tool, step.call_arguments)]

    def test_asks_for_what_a_result_schema_promises(self) -> None:
        for task in TASKS:
            for place, step in enumerate(task.plan):
                fields = (WORLD.tools[step.tool].returns or {}).get("properties")
                assert isinstance(fields, dict)
                assert {field.partition(".")[0] for field in used_fields(task, place)} <= fields.keys(), (
                    task.id
                )

    def test_has_facts_that_come_from_wanted_fields(self) -> None:
        for task in TASKS:
            assert 1 <= len(task.facts) <= 6, task.id
            for fact in task.facts:
                step, _, field = fact.sources[0].partition(".")
                assert field in task.plan[int(step)].wants
                assert not re.search(r"\{\w+\}", fact.label)

    def test_says_in_its_words_what_its_provenance_claims(self) -> None:
        for task in TASKS:
            said = task.provenance["said"]
            assert isinstance(said, dict)
            for carried in said.values():
                assert str(carried).casefold() in task.opening.text.casefold(), task.id


class TestGivesNothingAway:
    def test_by_the_tools_alone(self) -> None:
        assert accuracy(lambda t: [n for n in t.offered if sounds_external(WORLD.tools[n])]) < 0.85
        sides: Counter[str] = Counter()
        for task in TASKS:
            sides.update(_sides(task))
        # Whoever sorts tools by their names has learnt it from the other tasks.
        own = {task.id: Counter(_sides(task)) for task in TASKS}
        assert (
            accuracy(lambda task: [name for name in task.offered if sides[name] > own[task.id][name]]) < 0.85
        )

    def test_a_tool_that_is_always_external_is_needless_where_the_request_says_what_it_tells(self) -> None:
        told = [step for task in TASKS for step in task.plan if step.tool in EXTERNAL and not step.external]
        asked = [step for task in TASKS for step in task.plan if step.tool in EXTERNAL and step.external]
        assert all(step.told for step in told)
        assert len(told) >= 0.15 * (len(told) + len(asked))

    @pytest.mark.parametrize("shared", ["bm25", "overlap"])
    def test_by_words_that_request_and_tool_share(self, shared: str) -> None:
        scored = {task.id: _scores(task, shared) for task in TASKS}
        every = sorted({score for found in scored.values() for score in found.values()})
        thresholds = [-math.inf, *every[:: max(1, len(every) // 100)], math.inf]
        best = max(
            accuracy(lambda task, at=at: [n for n, score in scored[task.id].items() if score >= at])
            for at in thresholds
        )
        assert best < 0.80

    @pytest.mark.parametrize("topology", list(Topology))
    def test_by_lengths(self, topology: Topology) -> None:
        """Within topology and number of steps; pooled over the numbers of steps, because cells are small."""
        for one, other in combinations(Boundary, 2):
            rows: list[list[float]] = []
            labels: list[bool] = []
            for steps in (1, 2, 3):
                cell = [t for t in TASKS if t.topology is topology and len(t.plan) == steps]
                pair = [task for task in cell if task.boundary in {one, other}]
                if len({task.boundary for task in pair}) == 2:
                    middle = [fmean(values) for values in zip(*map(_lengths, pair), strict=True)]
                    rows += [[a - b for a, b in zip(_lengths(t), middle, strict=True)] for t in pair]
                    labels += [task.boundary is one for task in pair]
            if labels:
                # Two standard errors of chance on so few texts.
                allowed = 0.60 + 1 / math.sqrt(len(labels))
                assert separable(rows, labels) <= allowed, (one, other)


def _sides(task: Task) -> dict[str, int]:
    """By tool, 1 where it is needed and -1 where it is not."""
    return {step.tool: 1 if step.external else -1 for step in task.plan}


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def _provenance(name: str) -> set[str]:
    return {str(task.provenance[name]) for task in TASKS}


def _lengths(task: Task) -> list[float]:
    """Letters, words, letters per word, sentences."""
    text = task.opening.text
    count = len(text.split())
    return [len(text), count, len(text) / count, len(re.findall(r"[.!?](?=\s|$)", text))]


def _scores(task: Task, how: str) -> dict[str, float]:
    texts = [f"{name} {WORLD.tools[name].description}" for name in task.offered]
    if how == "bm25":
        return dict(zip(task.offered, scores(task.opening.text, texts), strict=True))
    asked = set(words(task.opening.text))
    found = [len(asked & set(words(text))) / len(set(words(text))) for text in texts]
    return dict(zip(task.offered, found, strict=True))
