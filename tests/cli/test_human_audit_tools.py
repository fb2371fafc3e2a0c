"""`knowact human audit --tools`: people judge the labels of a world's tools, blind."""

import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from knowact.core.task import WorldRef
from knowact.core.tool import Tool
from knowact.datasets import audit_file
from knowact.roles.audit import sampled
from knowact.roles.tool_audit import TOOL_AUDIT, tool_item
from knowact.worlds.registry import open_world
from own_tasks import replayed, write_items
from running import Ran, knowact

EVERYDAY = WorldRef(name="everyday")
TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in open_world(EVERYDAY, 0).tools()}
WHEN = {name: tool.rubric.when for name, tool in TOOLS.items() if tool.rubric is not None}
SIZE = 12


@pytest.fixture
def sit(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    def run(typed: str, *words: object, suite: str = "kapro", n: int = SIZE) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        given = words or ("--annotator", "ann", "--n", n)
        where = ("--tools", "--data", data, "--out", tmp_path)
        return knowact(capsys, "human", "audit", suite, *where, *given)

    return run


def answered(folder: Path, name: str) -> list[str]:
    text = audit_file.file_of(folder / "kapro-tools", name).read_text(encoding="utf-8")
    return [json.loads(line)["item"] for line in text.splitlines()[1:]]


def vote(folder: Path, name: str, wrong: Mapping[str, str]) -> None:
    """Answer for an annotator, as labelled but for the tools in `wrong`, in a file that a sitting began."""
    file = audit_file.file_of(folder / "kapro-tools", name)
    rows = [
        {"kind": "answer", "item": tool, "question": "when", "answer": wrong.get(tool, WHEN[tool])}
        for tool in sample()
    ]
    with file.open("a", encoding="utf-8") as opened:
        opened.writelines(f"{json.dumps(row)}\n" for row in rows)


def sample() -> list[str]:
    items = [tool_item(tool, EVERYDAY) for tool in TOOLS.values()]
    return [task.id for task in sampled(items, TOOL_AUDIT.strata, SIZE, 0)]


def line(done: Ran, *heads: str) -> list[str]:
    (found,) = [one.split() for one in done.out.splitlines() if one.split()[: len(heads)] == list(heads)]
    return found[len(heads) :]


def test_every_label_is_an_answer_and_even_a_small_sample_has_the_rarest() -> None:
    (question,) = TOOL_AUDIT.questions
    assert set(question.choices) == set(WHEN.values()) == {"always", "by_argument", "never", "public"}
    counts = Counter(WHEN[name] for name in sample())
    assert counts.total() == SIZE
    assert set(counts) == set(question.choices)
    assert TOOL_AUDIT.sample == 400


def test_a_sitting_shows_the_four_fields_and_no_label(sit: Callable[..., Ran], tmp_path: Path) -> None:
    done = sit("")
    (first,) = [name for name in TOOLS if f"\n  {name}\n" in done.out]
    shown = " ".join(done.out.partition(f"Tool 1 of {SIZE}")[2].partition("Imagine")[0].split())
    tool = TOOLS[first]
    assert tool.rubric is not None
    assert " ".join(tool.description.split()) in shown
    properties: Any = {**tool.properties, **(tool.returns or {})["properties"]}  # type: ignore[dict-item]
    for name, shape in properties.items():
        assert f"{name} ({shape['type']}" in shown
    hidden = (tool.rubric.why, tool.rubric.when, tool.category, tool.server, *tool.rubric.fires)
    parts = (tool.name, tool.description, json.dumps([tool.parameters, tool.returns], ensure_ascii=False))
    assert not [word for word in hidden if word in shown and not any(word in part for part in parts)]
    assert "The plan" not in sit("1\n1\n", "--annotator", "bob", "--n", SIZE).out


def test_it_resumes_and_everybody_has_the_same_tools_in_another_order(
    sit: Callable[..., Ran], tmp_path: Path
) -> None:
    assert sit("always\nby argument\nq\n").code == 1
    rest = sit("4\n" * (SIZE - 2) + "\n")
    assert f"Welcome back. You have answered 2 of {SIZE} questions." in rest.out
    assert (rest.code, f"{SIZE} questions done, 0 left." in rest.out) == (0, True)
    assert sit("1\n" * SIZE + "\n", "--annotator", "bob", "--n", SIZE).code == 0
    ann, bob = (answered(tmp_path, name) for name in ("ann", "bob"))
    assert set(ann) == set(bob) == set(sample())
    assert ann != bob


def test_the_summary_lists_every_tool_whose_majority_is_another_or_none(
    sit: Callable[..., Ran], tmp_path: Path
) -> None:
    for name in ("ann", "bob", "cy"):
        sit("", "--annotator", name, "--n", SIZE)
    other, split = (next(tool for tool in sample() if WHEN[tool] == label) for label in ("never", "always"))
    vote(tmp_path, "ann", {other: "always", split: "never"})
    vote(tmp_path, "bob", {other: "always", split: "by_argument"})
    vote(tmp_path, "cy", {})
    done = sit("", "--summary")
    assert done.code == 0, done.said
    assert f"Audit of kapro/everyday@tools: {SIZE} tools, seed 0." in done.out
    assert line(done, "the", "label", "all")[0] == f"{100 * (SIZE - 2) / SIZE:.1f}"
    nevers = sum(WHEN[name] == "never" for name in sample())
    assert line(done, "the", "label", "never")[0] == f"{100 * (nevers - 1) / nevers:.1f}"
    assert line(done, "the", "label", "public")[0] == "100.0"
    assert line(done, "when", "never", "always") == line(done, "when", "always", "(none)") == ["1"]
    assert "Fleiss' kappa" in done.out
    found = done.out.split("Review these tools:\n")[1].splitlines()
    others = "rejected; labelled: never; majority: always (ann: always; bob: always; cy: never)"
    nobodys = "rejected; labelled: always; majority: (none) (ann: never; bob: by_argument; cy: always)"
    assert set(found) == {f"  {other}, label: {others}", f"  {split}, label: {nobodys}"}


class Relabelled:
    """A session whose last tool has another label than before."""

    def __init__(self, *_: object) -> None:
        pass

    def tools(self) -> list[Tool]:
        *others, last = TOOLS.values()
        assert last.rubric is not None
        rubric = last.rubric.model_copy(update={"when": "public"})
        return [*others, last.model_copy(update={"rubric": rubric})]


def test_a_label_that_changed_is_told(sit: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    sit("1\n")
    monkeypatch.setattr("knowact.cli.human_command.open_world", Relabelled)
    done = sit("1\n")
    assert done.code == 2
    assert "the data everyday@tools have changed since these answers were given" in done.err


@pytest.mark.parametrize("suite", ["kapro", "car"])
def test_tools_without_labels_are_refused(
    suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words: tuple[object, ...] = ("--annotator", "ann", "--out", tmp_path / "out")
    if suite == "kapro":
        words = (*words, "--data", write_items(tmp_path / "published", [replayed()]))
    done = knowact(capsys, "human", "audit", suite, "--tools", *words)
    assert done.code == 2
    assert "have no labels to audit. Leave out --tools to audit its tasks." in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_nobody_yet_says_how_to_begin(sit: Callable[..., Ran]) -> None:
    assert "Begin with: knowact human audit kapro --tools --annotator NAME" in sit("", "--summary").err
