"""Published collections in their own layouts become operations of one schema."""

import json
import os
from pathlib import Path

import duckdb
import pytest

from knowact.core.errors import BadData
from knowact.tools.layouts import LONGEST, Collected, Unusable, files_of, operations
from tools.collections import FIND, TOUCAN, write_all


def found(file: Path) -> dict[str, Collected]:
    return {one.name: one for one in operations(file) if isinstance(one, Collected)}


def unusable(file: Path) -> list[Unusable]:
    return [one for one in operations(file) if isinstance(one, Unusable)]


def test_toolbench_lists_become_a_schema(tmp_path: Path) -> None:
    file = write_all(tmp_path) / "Social" / "wise_sayings.json"
    topic = found(file)["By topic"]
    assert topic.parameters["required"] == ["topic"]
    shapes = topic.parameters["properties"]
    assert isinstance(shapes, dict)
    assert shapes["topic"] == {"type": "string", "description": "What about.", "default": "courage"}
    assert shapes["count"] == {"type": "number", "description": "count"}
    assert shapes["since"] == {"type": "string", "description": "From when on."}
    assert (topic.server, topic.about, topic.category) == (
        "Wise Sayings",
        "Sayings for every day of the year.",
        "Social",
    )


def test_an_operation_that_says_nothing_is_compared_by_its_server(tmp_path: Path) -> None:
    one = found(write_all(tmp_path) / "Social" / "wise_sayings.json")["Random"]
    assert "Sayings for every day" in one.compared
    assert one.description == ""


def test_endpoints_beside_toolbench_queries_say_their_own_tool(tmp_path: Path) -> None:
    one = found(write_all(tmp_path) / "G1_query.json")["Fixtures"]
    assert (one.server, one.category, one.description) == (
        "Local Results",
        "Sports",
        "Lists the matches of a club.",
    )


def test_tau_bench_files_are_parsed_and_never_run(tmp_path: Path) -> None:
    file = write_all(tmp_path) / "shop" / "tools" / "cancel_order.py"
    one = found(file)["cancel_order"]
    assert one.description.endswith("The money goes back the way it came.")
    assert one.server == "shop"
    assert one.parameters["required"] == ["order"]
    assert [each.why for each in unusable(file)] == ["get_info returns no plain literal"]
    assert "KNOWACT_RAN_IT" not in os.environ


def test_toucan_rows_give_the_servers_own_tools_and_nothing_of_the_chat(tmp_path: Path) -> None:
    file = write_all(tmp_path) / "toucan.jsonl"
    first, *_ = operations(file)
    assert isinstance(first, Collected)
    assert (first.name, first.server) == (FIND["name"], "Page Server")
    # A row without its servers still has the functions that the agent was offered.
    assert set(found(file)) == {"find_pages", "page-server-find_pages"}


def test_output_schemas_and_plain_rows_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    rows = [
        {**FIND, "outputSchema": {"type": "object", "properties": {"pages": {"type": "array"}}}},
        {"name": "toss", "description": "Tosses a coin."},
    ]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    tools = found(file)
    returns = tools["find_pages"].returns
    assert returns is not None
    assert "pages" in str(returns)
    assert tools["toss"].parameters["properties"] == {}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "it is not JSON"),
        ("[1, null, {}]", "there is no tool in it"),
        ('{"description": "x", "parameters": {}}', "it has no name"),
        ("[" * 5_000, "it is not JSON"),
        (
            json.dumps({"name": "x", "parameters": {"properties": {"a": {"description": "x" * LONGEST}}}}),
            "its schema has more than 20,000 characters",
        ),
    ],
)
def test_what_is_no_operation_is_said_with_its_place(tmp_path: Path, line: str, why: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(f"\n{line}\n{json.dumps(FIND)}\n", encoding="utf-8")
    assert [(one.source.split("[")[0], one.why) for one in unusable(file)] == [("bad.jsonl:2", why)]
    assert set(found(file)) == {"find_pages"}


def test_parquet_gives_the_same_operations_as_json_lines(tmp_path: Path) -> None:
    """As Toucan is published: a column each, nested values as JSON text."""
    rows = [TOUCAN, {**TOUCAN, "metadata": "{}"}, {**TOUCAN, "metadata": "", "available_tools": "[]"}]
    lines, columns = tmp_path / "toucan.jsonl", tmp_path / "toucan.parquet"
    lines.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    with duckdb.connect(":memory:") as database:
        database.execute(
            "copy (select * from read_json(?, columns=?)) to ? (format parquet)",
            [str(lines), dict.fromkeys(TOUCAN, "varchar"), str(columns)],
        )
    assert list(found(columns)) == ["find_pages", "page-server-find_pages"]
    for name, one in found(lines).items():
        same = found(columns)[name].model_copy(update={"source": one.source})
        assert same == one
    assert [(one.source, one.why) for one in unusable(columns)] == [
        ("toucan.parquet:3", "there is no tool in it")
    ]


def test_ids_depend_on_what_an_operation_is_and_not_on_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(FIND), encoding="utf-8")
    (tmp_path / "two.jsonl").write_text(f"\n{json.dumps(TOUCAN)}\n", encoding="utf-8")
    one, other = found(tmp_path / "one.json"), found(tmp_path / "two.jsonl")
    assert one["find_pages"].id == other["find_pages"].id


def test_a_path_without_tools_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no such file"):
        files_of([tmp_path / "none"])
    (tmp_path / "a.csv").write_text("x", encoding="utf-8")
    for path in (tmp_path, tmp_path / "a.csv"):
        with pytest.raises(BadData, match="no tools in a known kind"):
            files_of([path])
