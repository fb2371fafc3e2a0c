"""Own data of the ICT suite: what a line must be like, and what is said where it is not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from knowact.core.condition import CLEAN
from knowact.core.errors import BadData
from knowact.core.proof import Possibility
from knowact.datasets.own import ITEMS, MANIFEST
from knowact.forge.recipe import SEED
from knowact.suites.ict.cases import (
    DATA,
    DEFAULT_DATA,
    Gone,
    Level,
    Lost,
    Manipulation,
    Pair,
    Source,
    load_cases,
)
from knowact.suites.ict.items import plan
from knowact.suites.ict.suite import SUITE
from running import knowact

FOLDER = DATA / DEFAULT_DATA
LINES = (FOLDER / ITEMS).read_text("utf-8").splitlines()[:40]


def line_of(manipulation: Manipulation, source: Source = Source.MULTI_TURN) -> dict[str, Any]:
    """The first shipped line of a kind."""
    rows = [json.loads(line) for line in LINES]
    return next(row for row in rows if (row["source"], row["manipulation"]) == (source, manipulation))


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    (folder / ITEMS).write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return folder


class TestAPair:
    def test_has_a_complete_and_an_incomplete_version_of_a_replacement(self) -> None:
        pair = Pair.model_validate(line_of(Manipulation.REPLACEMENT))
        complete, incomplete = pair.versions
        assert (complete.id, incomplete.id) == (f"{pair.id}.complete", f"{pair.id}.incomplete")
        assert complete.complete
        assert not incomplete.complete
        assert complete.condition == CLEAN
        assert complete.possibility is Possibility.POSSIBLE
        assert incomplete.possibility is Possibility.IMPOSSIBLE
        assert complete.offered == pair.task.offered != incomplete.offered
        assert complete.task == incomplete.task

    def test_shows_another_opening_and_the_same_tools_in_the_incomplete_version_of_a_removal(self) -> None:
        pair = Pair.model_validate(line_of(Manipulation.REMOVAL))
        complete, incomplete = pair.versions
        assert incomplete.task.opening == pair.incomplete != complete.task.opening
        assert incomplete.offered == complete.offered
        assert pair.level is None
        assert pair.past

    def test_has_the_level_of_the_replacement_that_is_easiest_to_notice(self) -> None:
        row = line_of(Manipulation.REPLACEMENT)
        row["gone"] = [
            {"tool": "a", "by": "b", "rank": 2, "level": "near"},
            {"tool": "c", "by": "d", "rank": 90, "level": "far"},
        ]
        assert Pair.model_validate(row).level is Level.FAR

    def test_reads_what_it_writes(self) -> None:
        for line in LINES:
            pair = Pair.model_validate_json(line)
            assert Pair.model_validate(pair.model_dump(mode="json")) == pair

    @pytest.mark.parametrize(
        ("manipulation", "field", "value", "why"),
        [
            (Manipulation.REPLACEMENT, "gone", [], "needs 'gone'"),
            (Manipulation.REPLACEMENT, "incomplete", {"text": "Well?"}, "needs 'lost' and 'incomplete'"),
            (Manipulation.REPLACEMENT, "cluster", "another", "'cluster' is the id of the task"),
            (Manipulation.REMOVAL, "lost", None, "needs 'lost' and 'incomplete'"),
            (Manipulation.REMOVAL, "crossed", "group", "takes 'crossed'"),
            (Manipulation.REMOVAL, "possibility", "possible", "possible"),
        ],
    )
    def test_is_refused_where_its_parts_do_not_fit(
        self, manipulation: Manipulation, field: str, value: Any, why: str
    ) -> None:
        with pytest.raises(ValidationError, match=why):
            Pair.model_validate(line_of(manipulation) | {field: value})

    def test_is_refused_where_a_missing_tool_says_both_that_it_has_a_substitute_and_that_it_has_none(
        self,
    ) -> None:
        with pytest.raises(ValidationError, match="every level but 'absent'"):
            Gone(tool="a", by="b", rank=1, level=Level.ABSENT)
        with pytest.raises(ValidationError, match="every level but 'absent'"):
            Gone(tool="a", level=Level.NEAR)

    def test_is_refused_where_a_lost_value_has_no_place_in_the_plan(self) -> None:
        with pytest.raises(ValidationError, match="a lost value has"):
            Lost(what="value", words="Rome", phrase="the town", turn=0, before="Rome")
        with pytest.raises(ValidationError, match="a lost request has none"):
            Lost(what="request", step=0, words="Rome", phrase="the town", turn=0, before="Rome")


class TestLoading:
    def test_takes_a_folder_without_a_manifest(self, tmp_path: Path) -> None:
        found = load_cases(written(tmp_path, line_of(Manipulation.REMOVAL)))
        assert found.info.version == "own"
        assert found.seed == 0
        assert [line.number for line in found.lines.values()] == [1]

    def test_gives_the_pairs_of_one_kind(self) -> None:
        shipped = load_cases(FOLDER)
        assert shipped.seed == SEED
        found = shipped.of(Source.SINGLE_REQUEST, Manipulation.REMOVAL, Possibility.PARTLY)
        assert found
        kinds = {(pair.source, pair.manipulation, pair.possibility) for pair in found}
        assert kinds == {(Source.SINGLE_REQUEST, Manipulation.REMOVAL, Possibility.PARTLY)}

    def test_refuses_items_that_the_manifest_was_not_made_for(self, tmp_path: Path) -> None:
        written(tmp_path, line_of(Manipulation.REMOVAL))
        (tmp_path / MANIFEST).write_bytes((FOLDER / MANIFEST).read_bytes())
        with pytest.raises(BadData, match="manifest"):
            load_cases(tmp_path)

    def test_refuses_an_id_that_stands_there_twice(self, tmp_path: Path) -> None:
        row = line_of(Manipulation.REMOVAL)
        with pytest.raises(BadData, match=r"items\.jsonl:2.*twice"):
            load_cases(written(tmp_path, row, row))

    def test_refuses_an_empty_file(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="no item"):
            load_cases(written(tmp_path))

    @pytest.mark.parametrize(
        ("manipulation", "field", "part", "why"),
        [
            (Manipulation.REPLACEMENT, "gone", [{"tool": "x", "level": "absent"}], "does not need it"),
            (Manipulation.REPLACEMENT, "condition", {"changes": []}, "in the other's place"),
            (Manipulation.REMOVAL, "lost", {"turn": 99}, "equally many messages"),
            (Manipulation.REMOVAL, "lost", {"after": "Hm."}, "does not turn one message"),
            (Manipulation.REMOVAL, "task", {"topology": "parallel"}, "task.topology"),
            (
                Manipulation.REPLACEMENT,
                "condition",
                {"order": ["get_order"]},
                "'condition.order.*the order names",
            ),
            (Manipulation.REPLACEMENT, "condition", {"order": "get_order"}, "condition.order.*valid tuple"),
        ],
    )
    def test_says_what_does_not_fit_together_and_where(
        self, tmp_path: Path, manipulation: Manipulation, field: str, part: Any, why: str
    ) -> None:
        row = line_of(manipulation)
        row[field] = row[field] | part if isinstance(part, dict) else part
        with pytest.raises(BadData, match=rf"items\.jsonl:1.*{why}"):
            load_cases(written(tmp_path, row))

    def test_refuses_an_incomplete_opening_that_equals_the_complete_one(self, tmp_path: Path) -> None:
        row = line_of(Manipulation.REMOVAL)
        row["incomplete"] = row["task"]["opening"]
        with pytest.raises(BadData, match="is equal"):
            load_cases(written(tmp_path, row))

    def test_refuses_a_record_of_an_argument_that_the_plan_does_not_have(self, tmp_path: Path) -> None:
        row = line_of(Manipulation.REMOVAL)
        row["lost"]["parameter"] = "colour"
        with pytest.raises(BadData, match="no such argument"):
            load_cases(written(tmp_path, row))


DEFAULTS = {option.name: option.default for option in SUITE.options}
OPTIONS: dict[str, Any] = {**DEFAULTS, "seed": 0, "limit": 0, "rules": "definition"}


def planned(folder: Path, *rows: dict[str, Any]) -> list[str]:
    """The ids of the items that data make."""
    return [item.id for item in plan({**OPTIONS, "data": str(written(folder, *rows))}).items]


class TestPlanning:
    def test_follows_the_order_of_the_condition(self, tmp_path: Path) -> None:
        row = line_of(Manipulation.REPLACEMENT)
        there = Pair.model_validate(row).incomplete_version.offered
        row["condition"]["order"] = sorted(there, reverse=True)
        _, item = plan({**OPTIONS, "data": str(written(tmp_path, row))}).items
        assert [tool.name for tool in item.tools] == sorted(there, reverse=True)

    def test_refuses_an_order_that_leaves_a_tool_out(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        row = line_of(Manipulation.REPLACEMENT)
        *rest, last = Pair.model_validate(row).incomplete_version.offered
        row["condition"]["order"] = rest
        words = ("run", "ict", "--data", written(tmp_path, row), "--model", "knowact/oracle", "--yes")
        ran = knowact(capsys, *words, "--log-dir", tmp_path / "logs")
        assert ran.code == 2
        place = f"{tmp_path / ITEMS}:1, field 'condition.order'"
        assert ran.err.startswith(f"Error: {place}: the order leaves out {last!r}. Fix: ")
        assert ran.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("task", "field"),
        [
            ({"offered": ["fly"]}, "task.offered"),
            ({"world": {"name": "everydays"}}, "task.world.name"),
            ({"world": {"name": "car"}}, "task.offered"),
            ({"world": {"name": "everyday", "setup": {"weather": 1}}}, "task.world.setup"),
        ],
    )
    def test_refuses_what_the_world_does_not_have(
        self, tmp_path: Path, task: dict[str, Any], field: str
    ) -> None:
        row = line_of(Manipulation.REMOVAL)
        row["task"] |= {**task, "offered": [*row["task"]["offered"], *task.get("offered", ())]}
        with pytest.raises(BadData) as told:
            planned(tmp_path, row)
        assert (told.value.place.line, told.value.place.field) == (1, field)

    def test_refuses_a_substitute_that_the_world_does_not_have(self, tmp_path: Path) -> None:
        row = line_of(Manipulation.REPLACEMENT)
        number, change = next((n, c) for n, c in enumerate(row["condition"]["changes"]) if "by" in c)
        (gone,) = (one for one in row["gone"] if one["tool"] == change["tool"])
        change["by"] = gone["by"] = "fly"
        with pytest.raises(BadData, match="the world does not have the tool 'fly'") as told:
            planned(tmp_path, row)
        assert told.value.place.field == f"condition.changes.{number}.by"

    def test_takes_pairs_of_different_worlds(self, tmp_path: Path) -> None:
        rows = [line_of(Manipulation.REMOVAL), line_of(Manipulation.REPLACEMENT)]
        rows[1]["task"]["world"] = {"name": "everyday", "setup": {"clock": "2026-03-13 08:00"}}
        assert len(planned(tmp_path, *rows)) == 4

    def test_reads_data_again_that_were_edited_in_between(self, tmp_path: Path) -> None:
        first, second = line_of(Manipulation.REMOVAL), line_of(Manipulation.REPLACEMENT)
        assert len(planned(tmp_path, first)) == 2
        assert planned(tmp_path, second)[0] == f"{second['id']}.complete"


def no_invention(row: dict[str, Any]) -> None:
    row["lost"]["invented"] = None


def no_value(row: dict[str, Any]) -> None:
    lost = row["lost"]
    row["task"]["plan"][lost["step"]]["arguments"][lost["parameter"]]["value"] = None


class TestPlanningTheFeedbackStudy:
    @pytest.mark.parametrize(
        ("change", "field", "said"),
        [
            (no_invention, "lost.invented", "the call with the invented value fails"),
            (no_value, "task.plan.0.arguments", "the call of the complete task fails"),
        ],
    )
    def test_refuses_a_call_that_does_not_end_as_it_should(
        self, tmp_path: Path, change: Callable[[dict[str, Any]], None], field: str, said: str
    ) -> None:
        row = line_of(Manipulation.REMOVAL)
        options = {**OPTIONS, "probe": "feedback"}
        assert len(plan({**options, "data": str(written(tmp_path, row))}).items) == 4
        change(row)
        with pytest.raises(BadData, match=said) as told:
            plan({**options, "data": str(written(tmp_path, row))})
        assert (told.value.place.line, told.value.place.field) == (1, field)
