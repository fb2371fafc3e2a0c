"""Tools that are external by their arguments: what models are asked of them, and on which side calls lie."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from doubles.annotators import ScriptedAnnotator
from knowact.core.task import Boundary
from knowact.core.tool import Dimension
from knowact.tools.annotation import (
    Annotation,
    annotated,
)
from knowact.tools.folder import ToolFolder
from knowact.tools.sides import Side
from tools.annotators import ASK, EVERYDAY, annotate, by_name, folder_of, of, own_tool, say

SORTS = Annotation.model_validate({"external_if": {"privacy": {"source": {"const": "note"}}}})


class TestCallsByArguments:
    @pytest.fixture
    def mine(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ToolFolder:
        monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
        return folder_of(tmp_path, map(own_tool, (EVERYDAY["sort_lines"], EVERYDAY["multiply"])))

    @pytest.fixture
    def models(self, models: ScriptedAnnotator) -> ScriptedAnnotator:
        models.sides = {"sort_lines": SORTS}
        return models

    def test_are_asked_about_once_more_which_is_said_in_advance(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = annotate(capsys, *ASK)
        assert done.code == 0, done.err
        assert "asked about once more: at most 6 calls beside these." in done.out
        # `multiply` has no listed values: where its numbers become large is for people to say.
        assert Counter(models.asked) == {"": 1, "sort_lines": 12, "multiply": 6}
        sorts, multiply = annotated(mine)
        assert sorts.closed == {}
        # It computes as well, so what is internal is short.
        assert sorts.said.internal_if == ({"text": {"maxLength": 160}, "source": {"enum": ["text"]}},)
        side = of(sorts)
        assert side({"text": "pear", "order": "descending"}).boundary is Boundary.INTERNAL
        assert side({"text": "Packing list", "source": "note"}) == Side(Boundary.EXTERNAL)
        assert side({"text": "x" * 161}).boundary is None
        assert multiply.closed["label"] == "nobody has said which of its calls are external (`external_if`)"
        models.asked.clear()
        assert "once more" not in annotate(capsys, *ASK).out
        assert models.asked == []

    @pytest.mark.slow
    def test_stay_open_option_by_option(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def change(_tool: str, model: str, _number: int, form: dict[str, Any]) -> None:
            if "calls" in form and model == "auditor":
                form["calls"]["order"]["descending"] = "unsure"

        models.change = change
        assert annotate(capsys, *ASK).code == 0
        sorts = by_name(mine)["sort_lines"]
        assert (sorts.closed, sorts.said.open) == ({}, ("calls.order=descending",))
        assert of(sorts)({"text": "pear"}).boundary is Boundary.INTERNAL
        assert of(sorts)({"text": "pear", "order": "descending"}).boundary is None

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("claim", "why"),
        [
            # What models deny of a tool makes none of its calls external.
            ("temporality", "the annotators disagree which of its calls are external"),
            ("internal", "the annotators disagree which of its calls are external"),
            ("privacy", ""),
        ],
    )
    def test_are_external_for_what_the_tool_has(
        self,
        mine: ToolFolder,
        models: ScriptedAnnotator,
        capsys: pytest.CaptureFixture[str],
        claim: str,
        why: str,
    ) -> None:
        def change(_tool: str, model: str, _number: int, form: dict[str, Any]) -> None:
            if "calls" in form and (claim != "internal" or model == "auditor"):
                form["calls"]["source"]["note"] = claim
            elif model == "auditor":
                form["dimensions"]["privacy"] = "unsure"

        models.change = change
        assert annotate(capsys, *ASK).code == 0
        sorts = by_name(mine)["sort_lines"]
        assert why in sorts.closed.get("label", "")
        assert ("label" in sorts.closed) == bool(why)
        # What the votes on calls agree on is agreed on.
        assert sorts.tool.rubric is not None
        assert (Dimension.PRIVACY in sorts.tool.rubric.fires) == (claim == "privacy")

    @pytest.mark.slow
    def test_are_for_people_to_correct_as_a_whole(
        self, mine: ToolFolder, models: ScriptedAnnotator, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert annotate(capsys, *ASK).code == 0
        assert models.asked
        say(mine, "tools:\n  sort_lines: {external_if: {computation: {text: {minLength: 9}}}}\n")
        calls = [{"text": "pear", "source": "note"}, {"text": "pear"}]
        recorded = [{"tool": "sort_lines", "arguments": one, "reply": {"text": "pear"}} for one in calls]
        mine.recordings.write_text("\n".join(map(json.dumps, recorded)), encoding="utf-8")
        done = annotate(capsys)
        assert "recorded calls: 0 external, 2 internal, 0 on neither side" in done.out
        # Of the note, the models say otherwise.
        assert "proposed.yaml agrees with annotations.yaml, calls: 50% of 2" in done.out
        side = of(by_name(mine)["sort_lines"])
        assert side({"text": "pear", "source": "note"}) == Side(Boundary.INTERNAL)
        assert side({"text": "bananas, pears"}) == Side(Boundary.EXTERNAL, by_size=True)
        say(mine, "tools:\n  sort_lines: {when: always, fires: [privacy]}\n")
        sorts = by_name(mine)["sort_lines"]
        assert (sorts.said.external_if, sorts.said.internal_if) == (None, None)
        assert of(sorts)({"text": "pear"}) == Side(Boundary.EXTERNAL)
