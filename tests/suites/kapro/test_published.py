"""The published layout: the sample as it was released, and every variant of it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kaware_records import document, release, several, single, without, write, write_one
from knowact.core.errors import BadData
from knowact.core.task import Boundary, Task, Topology
from knowact.suites.kapro.published import load_published, looks_published


class Row(NamedTuple):
    """What a row of the published sample must load as."""

    boundary: str
    topology: str
    number: int
    listed: tuple[str, ...]
    required: frozenset[str]
    unrecorded: tuple[str, ...] = ()


REDDIT = "fetch_reddit_hot_threads"
NOW = "get_current_datetime"
RATE = "convert_currency_latest"
PATTERN = "designpattern"
HOLES = "npmVulnerabilities"
ALERTS, FORECAST = "get_alerts", "get_forecast"
NOTHING: frozenset[str] = frozenset()
SAMPLE = {
    Row("external", "single_hop", 40, (REDDIT,), frozenset({REDDIT})),
    Row("external", "parallel", 0, (ALERTS, FORECAST), frozenset({ALERTS, FORECAST})),
    Row("external", "multi_hop", 103, (NOW, ALERTS), frozenset({NOW, ALERTS}), (NOW,)),
    Row("hybrid", "parallel", 144, ("convert_weight", RATE), frozenset({RATE})),
    Row("hybrid", "multi_hop", 178, (PATTERN, HOLES), frozenset({HOLES}), (PATTERN,)),
    Row("internal", "single_hop", 67, ("convert_volume",), NOTHING),
    Row("internal", "parallel", 13, ("summarize_article_for_query", "convert_temperature"), NOTHING),
    Row("internal", "multi_hop", 9, ("translate_text", "convert_volume", "multiply"), NOTHING),
}


def loaded(folder: Path, record: dict[str, Any]) -> Task:
    (task,) = load_published(write_one(folder, record)).tasks
    return task


def tool_of(task: Task, name: str) -> Any:
    tools: Any = task.world.setup["tools"]
    return next(tool for tool in tools if tool["name"] == name)


def recorded(task: Task) -> Any:
    return task.world.setup["recordings"]


class TestThePublishedSample:
    def test_all_eight_records_are_what_the_specification_lists(self, kaware: Path) -> None:
        found = {
            Row(
                *(task.boundary.value, task.topology.value, int(task.id.rsplit(".", 1)[1])),
                *(task.offered, task.required, task.replay_gap),
            )
            for task in load_published(kaware).tasks
        }
        assert found == SAMPLE

    def test_queries_answers_and_recordings_are_the_files_own(self, kaware: Path) -> None:
        for task in load_published(kaware).tasks:
            lines = (kaware / str(task.provenance["file"])).read_text(encoding="utf-8").splitlines()
            record = json.loads(lines[int(str(task.provenance["line"])) - 1])
            assert task.opening.text == record["task"]
            assert task.answer == record["answer"]
            outputs = record["tool_response"]
            pairs = {task.offered[0]: outputs} if isinstance(outputs, str) else outputs
            assert recorded(task) == pairs

    def test_descriptions_and_schemas_are_untouched(self, kaware: Path) -> None:
        for task in load_published(kaware).tasks:
            file = kaware / str(task.provenance["file"])
            record = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
            documents = record["tool_doc"]
            for name in task.offered:
                raw = json.loads(documents if isinstance(documents, str) else documents[name])
                assert tool_of(task, name)["description"] == raw["description"]
                assert tool_of(task, name)["parameters"] == raw["input_schema"]

    def test_arguments_are_kept_and_said_to_be_of_unstated_origin(self, kaware: Path) -> None:
        (task,) = (t for t in load_published(kaware).tasks if t.offered == ("convert_volume",))
        (step,) = task.plan
        assert step.call_arguments == {"from_unit": "ml", "to_unit": "cup", "value": 1500}
        assert {argument.origin for argument in step.arguments.values()} == {"unstated"}

    def test_no_record_has_reference_facts(self, kaware: Path) -> None:
        assert not any(task.facts for task in load_published(kaware).tasks)


class TestARelease:
    def test_the_layout_is_told_by_its_folders(self, tmp_path: Path) -> None:
        assert not looks_published(tmp_path)
        assert looks_published(write_one(tmp_path, single("P3", "count_words")))

    def test_a_part_of_a_release_is_enough(self, tmp_path: Path) -> None:
        task = loaded(tmp_path, several("P2", "multi-hop"))
        assert (task.boundary, task.topology) == (Boundary.HYBRID, Topology.MULTI_HOP)

    def test_the_order_takes_one_of_each_bucket_in_turn(self, tmp_path: Path) -> None:
        files = release(
            External_Function__single_hop=[single(index=number) for number in range(3)],
            Internal_Function__single_hop=[single("P3", "count_words", index=number) for number in (7, 8)],
        )
        ids = [task.id for task in load_published(write(tmp_path, files)).tasks]
        assert ids[:8] == [
            *("external.single-hop.0", "external.parallel.0", "external.multi-hop.0"),
            *("hybrid.parallel.0", "hybrid.multi-hop.0"),
            *("internal.single-hop.7", "internal.parallel.0", "internal.multi-hop.0"),
        ]
        assert ids[8:] == ["external.single-hop.1", "internal.single-hop.8", "external.single-hop.2"]

    def test_any_change_of_any_file_changes_the_hash(self, tmp_path: Path) -> None:
        one = load_published(write(tmp_path / "a", release())).info
        same = load_published(write(tmp_path / "b", release())).info
        files = release(Internal_Function__single_hop=[single("P3", "knots_to_kmh", turn="another")])
        other = load_published(write(tmp_path / "c", files)).info
        assert one == same
        assert one.sha256 != other.sha256

    def test_every_tool_is_in_the_pool(self, tmp_path: Path) -> None:
        pool = load_published(write(tmp_path, release())).tools
        assert {tool.name for tool in pool} == {"tide_table", "berth_status", "knots_to_kmh", "count_words"}


class TestTheIndex:
    @pytest.mark.parametrize(
        ("index", "number"),
        [
            (40, 40),
            (0, 0),
            ("17", 17),
            (" 17 ", 17),
            (True, 2),
            ("x", 2),
            (1.5, 2),
            (None, 2),
            ("9" * 5000, 2),
        ],
    )
    def test_integers_and_numeric_texts_count_and_all_else_is_the_position(
        self, tmp_path: Path, index: object, number: int
    ) -> None:
        records = [single(index=100), single(index=101), single(index=index)]
        tasks = load_published(write(tmp_path, {"External_Function/single-hop": records})).tasks
        assert tasks[-1].id == f"external.single-hop.{number}"

    def test_a_missing_one_is_the_position(self, tmp_path: Path) -> None:
        assert loaded(tmp_path, without(single(index=9), "index")).id == "external.single-hop.0"

    def test_the_same_index_in_two_files_is_no_clash(self, tmp_path: Path) -> None:
        tasks = load_published(write(tmp_path, release())).tasks
        assert len({task.id for task in tasks}) == len(tasks) == 8


class TestTargetTools:
    @pytest.mark.parametrize(
        "written",
        [
            "tide_table, knots_to_kmh",
            "tide_table,knots_to_kmh",
            ["tide_table", "knots_to_kmh"],
            "Harbour Master::tide_table, Unit Shed::knots_to_kmh",
            "tide_table, Unit Shed::knots_to_kmh",
            ["Harbour Master::tide_table", "knots_to_kmh"],
        ],
    )
    def test_text_or_list_and_bare_or_qualified_are_the_same_tools(
        self, tmp_path: Path, written: object
    ) -> None:
        task = loaded(tmp_path, several(target_tool=written))
        assert task.offered == ("tide_table", "knots_to_kmh")
        assert task.required == {"tide_table"}
        assert task.replay_gap == ()

    def test_a_qualified_name_tells_the_server(self, tmp_path: Path) -> None:
        task = loaded(tmp_path, several(target_tool="Harbour Master::tide_table, knots_to_kmh"))
        assert tool_of(task, "tide_table")["server"] == "Harbour Master"
        assert tool_of(task, "knots_to_kmh")["server"] == task.id

    @pytest.mark.parametrize(
        ("written", "server"),
        [
            (["https://example.org/sea"], "https://example.org/sea"),
            ("https://example.org/sea", "https://example.org/sea"),
            (["https://example.org/sea", "https://example.org/units"], "hybrid.parallel.0"),
            ([], "hybrid.parallel.0"),
            (None, "hybrid.parallel.0"),
        ],
    )
    def test_the_servers_of_a_record_are_a_list_a_text_or_absent(
        self, tmp_path: Path, written: object, server: str
    ) -> None:
        task = loaded(tmp_path, several(mcp_server=written))
        assert {tool_of(task, name)["server"] for name in task.offered} == {server}

    def test_the_number_of_tools_may_be_missing(self, tmp_path: Path) -> None:
        assert len(loaded(tmp_path, without(several(), "num_tools")).offered) == 2


class TestAnnotations:
    def test_without_them_an_external_record_needs_all_its_tools(self, tmp_path: Path) -> None:
        parts = {"tide_table": "P1", "berth_status": "P1"}
        record = without(several("P1", "parallel", parts), "sub_question_annotations", "sub_questions")
        assert loaded(tmp_path, record).required == {"tide_table", "berth_status"}

    def test_without_them_an_internal_record_needs_none(self, tmp_path: Path) -> None:
        parts = {"knots_to_kmh": "P3", "count_words": "P3"}
        task = loaded(tmp_path, without(several("P3", "parallel", parts), "sub_question_annotations"))
        assert task.required == frozenset()
        assert task.boundary is Boundary.INTERNAL

    def test_without_them_a_hybrid_record_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="does not say which tools it needs"):
            loaded(tmp_path, without(several(), "sub_question_annotations"))

    def test_sub_questions_go_into_the_plan(self, tmp_path: Path) -> None:
        task = loaded(tmp_path, several())
        assert [step.question for step in task.plan] == [
            "What does tide_table say?",
            "What does knots_to_kmh say?",
        ]

    def test_the_concatenated_sub_questions_are_not_needed(self, tmp_path: Path) -> None:
        assert loaded(tmp_path, without(several(), "sub_questions")).required == {"tide_table"}

    def test_qualified_names_in_annotations_are_the_same_tools(self, tmp_path: Path) -> None:
        notes = [
            {"subquestion": "When?", "tool": "Harbour Master::tide_table", "boundary": "P1"},
            {"tool": "knots_to_kmh", "boundary": "P3"},
        ]
        assert loaded(tmp_path, several(sub_question_annotations=notes)).required == {"tide_table"}

    def test_a_tool_that_is_needed_for_one_of_two_sub_questions_is_needed(self, tmp_path: Path) -> None:
        notes = [
            {"tool": "tide_table", "boundary": "P1"},
            {"tool": "tide_table", "boundary": "P3"},
            {"tool": "knots_to_kmh", "boundary": "P3"},
        ]
        task = loaded(tmp_path, several(sub_question_annotations=notes))
        assert task.required == {"tide_table"}
        assert len(task.plan) == 3


BOTH = ("tide_table", "knots_to_kmh")
TEXTS = {name: json.dumps(document(name)) for name in BOTH}


class TestDocuments:
    @pytest.mark.parametrize(
        "written",
        [
            TEXTS,
            {name: document(name) for name in BOTH},
            json.dumps(TEXTS),
            [document(name) for name in BOTH],
            [TEXTS["knots_to_kmh"], TEXTS["tide_table"]],
            [[TEXTS["tide_table"]], [[document("knots_to_kmh")]]],
            {name: [TEXTS[name]] for name in BOTH},
            {f"Server::{name}": {**document(name), "name": f"Server::{name}"} for name in BOTH},
            {name: without(document(name), "name") for name in BOTH},
        ],
        ids=[
            *("texts by name", "objects by name", "text of texts", "list of objects", "list of texts"),
            *("nested lists", "lists by name", "qualified names", "names as keys only"),
        ],
    )
    def test_several_tools_may_be_documented_in_any_of_these_ways(
        self, tmp_path: Path, written: object
    ) -> None:
        task = loaded(tmp_path, several(tool_doc=written))
        for name in BOTH:
            assert tool_of(task, name)["parameters"] == document(name)["input_schema"]
            assert tool_of(task, name)["description"] == document(name)["description"]

    @pytest.mark.parametrize(
        "written",
        [
            TEXTS["tide_table"],
            document("tide_table"),
            [TEXTS["tide_table"]],
            {"tide_table": TEXTS["tide_table"]},
        ],
        ids=["text", "object", "list", "keyed"],
    )
    def test_so_may_a_single_tool(self, tmp_path: Path, written: object) -> None:
        task = loaded(tmp_path, single(tool_doc=written))
        assert tool_of(task, "tide_table")["parameters"] == document("tide_table")["input_schema"]


class TestArguments:
    @pytest.mark.parametrize(
        "written", [{"harbour": "Whitby"}, {"tide_table": {"harbour": "Whitby"}}], ids=["bare", "keyed"]
    )
    def test_those_of_a_single_tool_may_be_keyed_by_its_name_or_not(
        self, tmp_path: Path, written: object
    ) -> None:
        (step,) = loaded(tmp_path, single(tool_call_parameter=written)).plan
        assert step.call_arguments == {"harbour": "Whitby"}

    def test_an_argument_that_is_called_like_its_tool_stays_an_argument(self, tmp_path: Path) -> None:
        (step,) = loaded(tmp_path, single(tool_call_parameter={"tide_table": "Whitby"})).plan
        assert step.call_arguments == {"tide_table": "Whitby"}

    def test_a_tool_without_arguments_has_none(self, tmp_path: Path) -> None:
        (step,) = loaded(tmp_path, single(tool_call_parameter={})).plan
        assert step.call_arguments == {}

    def test_a_tool_that_is_left_out_has_none(self, tmp_path: Path) -> None:
        task = loaded(tmp_path, several(tool_call_parameter={"knots_to_kmh": {"knots": 4}}))
        assert [step.call_arguments for step in task.plan] == [{}, {"knots": 4}]


class TestRecordings:
    @pytest.mark.parametrize(
        ("written", "found", "gap"),
        [
            ({"tide_table": "14:20", "knots_to_kmh": "7"}, {"tide_table": "14:20", "knots_to_kmh": "7"}, ()),
            (["14:20", "7"], {"tide_table": "14:20", "knots_to_kmh": "7"}, ()),
            ({"knots_to_kmh": "7"}, {"knots_to_kmh": "7"}, ("tide_table",)),
            (["14:20"], {"tide_table": "14:20"}, ("knots_to_kmh",)),
            ([None, "7"], {"knots_to_kmh": "7"}, ("tide_table",)),
            ({}, {}, ("tide_table", "knots_to_kmh")),
            ({"tide_table": "", "knots_to_kmh": "7"}, {"tide_table": "", "knots_to_kmh": "7"}, ()),
            (
                {"Sea::tide_table": {"turn": "14:20"}, "knots_to_kmh": 7.4},
                {"tide_table": '{"turn": "14:20"}', "knots_to_kmh": "7.4"},
                (),
            ),
        ],
        ids=["by name", "by position", "one missing", "short list", "null", "none", "empty text", "values"],
    )
    def test_of_several_tools(
        self, tmp_path: Path, written: object, found: dict[str, str], gap: tuple[str, ...]
    ) -> None:
        task = loaded(tmp_path, several(tool_response=written))
        assert recorded(task) == found
        assert task.replay_gap == gap

    @pytest.mark.parametrize("written", ["14:20", {"tide_table": "14:20"}, ["14:20"]])
    def test_of_a_single_tool(self, tmp_path: Path, written: object) -> None:
        assert recorded(loaded(tmp_path, single(tool_response=written))) == {"tide_table": "14:20"}
