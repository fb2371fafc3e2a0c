"""What options cost, which do not go together, and folders of one's own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fail_talms_trials import planned
from knowact.core.errors import BadData, BadUsage, UnknownName
from knowact.datasets.own import ITEMS
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA
from knowact.suites.fail_talms.layout import Split

pytestmark = pytest.mark.usefixtures("loaded_once")


def own_lines(settings: tuple[str, ...] = ("perfect",), number: int = 1) -> list[dict[str, Any]]:
    """The first shipped cases of these settings, as JSON."""
    text = (DATA / DEFAULT_DATA / ITEMS).read_text("utf-8")
    cases = [json.loads(line) for line in text.splitlines()]
    return [case for case in cases if case["setting"] in settings][:number]


def in_folder(folder: Path, cases: list[dict[str, Any]]) -> str:
    folder.mkdir(exist_ok=True)
    (folder / ITEMS).write_text("".join(f"{json.dumps(case)}\n" for case in cases), "utf-8")
    return str(folder)


class TestTheEstimate:
    @pytest.mark.parametrize(
        ("changed", "calls"),
        [
            ({}, (60, 140)),
            ({"probe": "awareness"}, (40, 40)),
            ({"probe": "act"}, (20, 100)),
            ({"probe": "act", "rounds": 2}, (20, 40)),
            ({"helper": "scripted", "max_questions": 3}, (60, 200)),
            ({"after_no": "skip"}, (45, 140)),
            ({"rules": "published"}, (25, 120)),
            ({"rules": "published", "helper": "scripted"}, (25, 120)),
            ({"win_rate": True}, (65, 165)),
            ({"broken": "gone", "probe": "act"}, (5, 25)),
        ],
        ids=str,
    )
    def test_calls_are_counted_per_question_and_round(
        self, changed: dict[str, Any], calls: tuple[int, int]
    ) -> None:
        assert planned(limit=5, **changed).calls == calls

    @pytest.mark.parametrize(
        ("changed", "calls", "headline"),
        [
            ({}, {"extractor": (20, 40), "judge": (100, 175)}, ("extractor",)),
            ({"votes": 1}, {"extractor": (20, 40), "judge": (20, 35)}, ("extractor",)),
            ({"probe": "awareness"}, {"judge": (0, 75)}, ()),
            ({"probe": "act"}, {"extractor": (20, 40), "judge": (100, 100)}, ("extractor",)),
            ({"after_no": "skip"}, {"extractor": (0, 40), "judge": (0, 175)}, ("extractor",)),
            ({"rules": "published"}, {"judge": (0, 100)}, ("judge",)),
            ({"rules": "published", "win_rate": True}, {"judge": (0, 125)}, ("judge",)),
            (
                {"rules": "published", "helper": "model", "max_questions": 3},
                {"judge": (0, 100), "helper": (0, 60)},
                ("judge",),
            ),
            ({"win_rate": True}, {"extractor": (20, 40), "judge": (100, 205)}, ("extractor",)),
            (
                {"probe": "act", "helper": "model", "max_questions": 3},
                {"extractor": (20, 40), "judge": (100, 100), "helper": (0, 120)},
                ("extractor",),
            ),
        ],
        ids=str,
    )
    def test_calls_in_each_role_are_counted_and_who_the_headline_takes_is_said(
        self, changed: dict[str, Any], calls: dict[str, tuple[int, int]], headline: tuple[str, ...]
    ) -> None:
        plan = planned(limit=5, **changed)
        assert (plan.role_calls, plan.headline) == (calls, headline)

    def test_a_script_is_for_built_in_agents_only_and_a_model_takes_its_role(self) -> None:
        assert "--helper model --role helper=MODEL" in planned(limit=1, helper="scripted").built_in_only
        for helper in ("nobody", "model", "person"):
            assert planned(limit=1, helper=helper).built_in_only == ""
        assert planned(limit=1, helper="model").roles == {"helper": "--helper model"}
        assert planned(limit=1, win_rate=True).roles == {"judge": "--win-rate"}

    def test_somebody_at_the_terminal_is_announced(self) -> None:
        assert planned(limit=1, helper="person").at_terminal
        assert not planned(limit=1, helper="scripted").at_terminal


class TestOptionsThatDoNotGoTogether:
    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"votes": 4}, "odd number"),
            ({"broken": "gone", "setting": "no-tools"}, "perfect setting"),
            ({"broken": "gone", "probe": "awareness"}, "use --probe act"),
            ({"broken": "gone", "distractors": 3}, "choose one"),
            ({"after_no": "skip", "probe": "act"}, "use --probe both"),
            ({"win_rate": True, "setting": "perfect"}, "--setting no-tools"),
            ({"win_rate": True, "probe": "awareness"}, "--probe awareness gives none"),
            ({"win_rate": True, "broken": "gone"}, "--setting no-tools"),
            ({"cassette": "x.jsonl", "replies": "template"}, "exclude each other"),
            ({"replies": "template"}, "for published data"),
            ({"cassette": "x.jsonl"}, "for published data"),
        ],
        ids=str,
    )
    def test_are_refused_in_a_sentence(self, changed: dict[str, Any], sentence: str) -> None:
        with pytest.raises(BadUsage, match=sentence):
            planned(**changed)

    def test_a_name_that_nothing_carries_gets_the_names_that_there_are(self) -> None:
        with pytest.raises(UnknownName, match="Did you mean 'everyday@2-A'"):
            planned(data="everyday@2-B")

    def test_a_path_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="no such folder"):
            planned(data=str(tmp_path / "gone"))

    def test_a_folder_of_something_else_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match=r"neither items\.jsonl nor the settings"):
            planned(data=str(tmp_path))


def other_tool(case: dict[str, Any]) -> None:
    case["task"]["offered"].append("no_such_tool")


def other_change(case: dict[str, Any]) -> None:
    case["condition"]["changes"].append({"kind": "add", "tool": "no_such_tool"})


def no_world(case: dict[str, Any]) -> None:
    case["task"]["world"]["name"] = "atlantis"


class TestAFolderOfOnesOwn:
    def test_loads_under_its_own_name(self, tmp_path: Path) -> None:
        plan = planned(data=in_folder(tmp_path / "mine", own_lines(tuple(Split), 5)))
        assert (plan.dataset.name, len(plan.items)) == ("mine", 5)

    @pytest.mark.parametrize(
        ("spoil", "sentence"),
        [
            (other_tool, "does not have the tool 'no_such_tool'"),
            (other_change, "does not have the tool 'no_such_tool'"),
            (no_world, "there is no world named 'atlantis'"),
        ],
    )
    def test_with_something_that_is_not_there_is_refused_with_file_and_line(
        self, spoil: Callable[[dict[str, Any]], None], sentence: str, tmp_path: Path
    ) -> None:
        (case,) = own_lines()
        spoil(case)
        with pytest.raises(BadData, match=sentence) as refused:
            planned(data=in_folder(tmp_path, [case]))
        assert f"{ITEMS}:1" in str(refused.value)

    def test_of_several_worlds_is_refused(self, tmp_path: Path) -> None:
        first, second = own_lines(number=2)
        second["task"]["world"] = {"name": "everyday", "setup": {"another": 1}}
        with pytest.raises(BadData, match="need the same world") as refused:
            planned(data=in_folder(tmp_path, [first, second]))
        assert f"{ITEMS}:2" in str(refused.value)

    def test_that_lacks_the_chosen_setting_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(BadUsage, match="No item is left"):
            planned(data=in_folder(tmp_path, own_lines()), setting="no-tools")
