"""A world without scenarios: the writer proposes them, and code keeps those whose plans it can prove."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import Reply, Request, Say, ScriptedEndpoint
from forge.small_world import TABLE, small
from knowact.datasets.own import load_own
from knowact.forge.briefs import Brief
from knowact.forge.drafts import Unusable
from knowact.forge.flat import flat
from knowact.forge.proposing import kept, proven
from running import knowact

WRITER = "openai-api/forge/writer"
BARE = dataclasses.replace(small(), scenarios={})
ENTRY: dict[str, Any] = TABLE.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def changed(**jobs: Any) -> dict[str, Any]:
    return {**ENTRY, "jobs": {**ENTRY["jobs"], **jobs}}


class TestWhatIsKept:
    def test_is_a_scenario_whose_plans_can_be_proven(self) -> None:
        assert proven("supper", ENTRY, BARE, 27) == TABLE

    def test_is_without_jobs_that_no_proven_plan_uses(self) -> None:
        odd = {"tool": "get_restaurant_tonight", "ask": "what is on", "wants": ["no_such_field"]}
        found = proven("supper", changed(odd={**odd, "with": {"restaurant": "The Blue Heron"}}), BARE, 27)
        assert found.jobs.keys() == TABLE.jobs.keys()

    @pytest.mark.parametrize(
        ("name", "entry", "said"),
        [
            ("../supper", ENTRY, "a name has small letters"),
            ("x" * 80, ENTRY, "a name has small letters"),
            ("supper", [], "valid dictionary"),
            ("supper", {**ENTRY, "people": ["Ines"]}, "at least 2 items"),
            (
                "supper",
                changed(bill={"tool": "multiply", "ask": "x", "with": {"left": "$nobody"}}),
                "$nobody",
            ),
            ("supper", {**ENTRY, "jobs": {n: {"tool": "fly", "ask": "away"} for n in "ab"}}, "only 0 plans"),
        ],
        ids=str,
    )
    def test_what_is_wrong_with_the_others_is_said(self, name: str, entry: object, said: str) -> None:
        with pytest.raises(Unusable) as found:
            proven(name, entry, BARE, 27)
        assert said in str(found.value)


@pytest.mark.slow
class TestTheCommand:
    @pytest.fixture(autouse=True)
    def bare(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("knowact.worlds.everyday.material.material", lambda: BARE)

    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
        """A writer whose first proposal is no good, and that strings briefs together."""
        seen: list[str] = []
        good = {name: _dump(one) for name, one in small().scenarios.items()}

        def script(request: Request) -> Reply:
            if "You invent situations" in request.conversation:
                seen.append("scenarios")
                return Say("Gladly!") if len(seen) == 1 else Say(json.dumps(good))
            seen.append("text")
            shown = request.conversation.split("The brief:\n\n")[1].split("\n}\n")[0] + "}"
            return Say(flat(Brief.model_validate_json(shown)).model_dump_json(include={"versions"}))

        with ScriptedEndpoint(script, keep_requests=False) as endpoint:
            monkeypatch.setenv("FORGE_API_KEY", "x")
            monkeypatch.setenv("FORGE_BASE_URL", endpoint.base_url)
            yield seen

    def test_proposes_proves_writes_and_freezes(
        self, asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("forge", "kapro", "--seed", "27", "--size", 8, "--yes", "--max-connections", "1")
        done = knowact(capsys, *words, "--out", tmp_path / "mine", "--role", f"writer={WRITER}")
        assert done.code == 0, done.said
        assert asked[:2] == ["scenarios", "scenarios"]
        assert len(load_own(tmp_path / "mine").rows) == 8
        assert kept(tmp_path / "mine").keys() == small().scenarios.keys()
        again = knowact(capsys, *words, "--out", tmp_path / "mine")
        assert again.code == 0, again.said
        assert asked.count("scenarios") == 2

    def test_says_what_it_takes(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        done = knowact(capsys, "forge", "kapro", "--seed", "27", "--out", tmp_path / "mine")
        assert done.code == 2
        assert "has no scenarios. Add --role writer=MODEL" in done.err


def _dump(scenario: Any) -> dict[str, Any]:
    plain: dict[str, Any] = scenario.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return plain
