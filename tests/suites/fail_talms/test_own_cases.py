"""Own data of the FAIL-TaLMs suite: what a line must be like, and what is said where it is not."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fail_talms_trials import VERSION_1
from knowact.core.errors import BadData
from knowact.datasets.own import ITEMS
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA
from knowact.suites.fail_talms.items import plan
from knowact.suites.fail_talms.suite import SUITE
from running import knowact

Row = dict[str, Any]
Change = Callable[[Row], object]

DEFAULTS = {option.name: option.default for option in SUITE.options}
OPTIONS: dict[str, Any] = {**DEFAULTS, "seed": 0, "limit": 0, "rules": "definition"}


@cache
def lines_in(folder: Path) -> list[str]:
    return (folder / ITEMS).read_text("utf-8").splitlines()


def crowded() -> Row:
    """A case of two tools, one of which stands in for a missing one, shown in an order of its own."""
    rows = (json.loads(line) for line in lines_in(VERSION_1))
    return next(row for row in rows if len(row["condition"]["order"]) == 2)


def written(folder: Path, *rows: Row) -> Path:
    (folder / ITEMS).write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return folder


def order(*wanted: str) -> Change:
    """Another order: `0` and `1` are the tools of the case, `gone` its missing one."""

    def change(row: Row) -> None:
        first, second = row["condition"]["order"]
        names = {"0": first, "1": second, "gone": row["missing"]["tool"]}
        row["condition"]["order"] = [names.get(name, name) for name in wanted]

    return change


def changing(**changed: Any) -> Change:
    return lambda row: row["condition"]["changes"][0].update(changed)


def again(row: Row) -> None:
    (added,) = (one for one in row["condition"]["changes"] if one["kind"] == "add")
    row["condition"]["changes"].append(added)


def masks(part: str, name: str) -> Change:
    def change(row: Row) -> None:
        tool = row["condition"]["order"][0]
        row["condition"]["changes"].append({"kind": "mask", "tool": tool, "part": part, "name": name})

    return change


def in_world(**world: Any) -> Change:
    return lambda row: row["task"].update(world=world)


def saying(said: Any) -> Change:
    return lambda row: row["task"]["provenance"].update(said=said)


WRONG: dict[str, tuple[Change, str, str]] = {
    "order lacks a tool": (order("0"), "condition.order", "the order leaves out"),
    "order names a tool twice": (order("0", "1", "1"), "condition.order.2", "twice"),
    "order names a tool twice, and another not at all": (order("0", "0"), "condition.order.1", "twice"),
    "order names another tool": (
        order("0", "1", "add"),
        "condition.order.2",
        "'add', which the condition does not",
    ),
    "order names the missing tool": (
        order("0", "1", "gone"),
        "condition.order.2",
        "condition does not offer",
    ),
    "order is a text": (lambda row: row["condition"].update(order="0"), "condition.order", "valid tuple"),
    "order holds a number": (
        lambda row: row["condition"].update(order=[1]),
        "condition.order.0",
        "valid string",
    ),
    "a tool is hidden that is not offered": (
        changing(tool="add_up"),
        "condition.changes.0.tool",
        "'add_up', which the task does not offer",
    ),
    "a tool is added twice": (again, "condition.changes", "already offered"),
    "a parameter is masked that no tool has": (
        masks("parameter", "colour"),
        "condition.changes.2.name",
        "has no parameter 'colour'",
    ),
    "a field is masked that no result has": (
        masks("result", "colour"),
        "condition.changes.2.name",
        "has no result 'colour'",
    ),
    "a tool is added that the world does not have": (
        lambda row: row["condition"].update(
            changes=[*row["condition"]["changes"], {"kind": "add", "tool": "fly"}], order=[]
        ),
        "condition.changes.2.tool",
        "the world does not have the tool 'fly'",
    ),
    "unknown world": (in_world(name="everydays"), "task.world.name", "no world named 'everydays'"),
    "unknown setup": (
        in_world(name="everyday", setup={"weather": 1}),
        "task.world.setup",
        "named 'weather'",
    ),
    "the plan names an argument that the tool does not take": (
        lambda row: row["task"]["plan"][0]["arguments"].update(colour={"value": 1}),
        "task.plan.0.arguments.colour",
        "takes no argument 'colour'",
    ),
    "the plan names no tool of the task": (
        lambda row: row["task"]["plan"][0].update(tool="fly"),
        "task.plan.0.tool",
        "'fly', which 'offered' does not list",
    ),
    "what was said is a list": (saying([]), "task.provenance.said", "an object whose values are texts"),
    "what was said is a number": (saying({"0.city": 4}), "task.provenance.said", "values are texts"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_line_that_is_wrong_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    change, field, said = WRONG[name]
    row = crowded()
    change(row)
    with pytest.raises(BadData) as told:
        plan({**OPTIONS, "data": str(written(tmp_path, row))})
    assert (told.value.place.line, told.value.place.field) == (1, field)
    assert said in told.value.what


def test_the_command_line_says_it_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = crowded()
    left_out = row["condition"]["order"].pop()
    words = ("run", "fail-talms", "--data", written(tmp_path, row), "--model", "knowact/oracle", "--yes")
    ran = knowact(capsys, *words, "--log-dir", tmp_path / "logs")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err == (
        f"Error: {tmp_path / ITEMS}:1, field 'condition.order': the order leaves out {left_out!r}. Fix: "
        "list each tool once that the changes leave, or leave 'order' empty.\n"
    )


@pytest.mark.parametrize("distractors", [0, 3])
def test_a_tool_that_is_replaced_is_gone_and_the_other_stands_there(distractors: int, tmp_path: Path) -> None:
    row = crowded()
    hidden, added = (change["tool"] for change in row["condition"]["changes"])
    row["condition"] |= {"changes": [{"kind": "replace", "tool": hidden, "by": added}], "order": []}
    (item,) = plan({**OPTIONS, "data": str(written(tmp_path, row)), "distractors": distractors}).items
    names = [tool.name for tool in item.tools]
    assert added in names
    assert hidden not in names
    assert len(names) == len(row["task"]["offered"]) + distractors


def of_setting(setting: str) -> Row:
    rows = (json.loads(line) for line in lines_in(DATA / DEFAULT_DATA))
    return next(row for row in rows if row["setting"] == setting)


def withholding(*names: str) -> Change:
    return lambda row: row["condition"].update(withheld=names)


def possible(word: str) -> Change:
    return lambda row: row.update(possibility=word)


def other_value(row: Row) -> None:
    row["missing"]["value"] = "another"


def one_tool_left(row: Row) -> None:
    row["condition"]["changes"].pop()


GAPS: dict[str, tuple[str, Change, str, str]] = {
    "another value withheld": (
        "under-specified",
        withholding("value:get_stock.article"),
        "condition.withheld",
        "what is missing comes to ['value:",
    ),
    "another value missing": ("under-specified", other_value, "missing.value", "here, not 'another'"),
    "a tool is left": ("no-tools", one_tool_left, "condition.changes", "nothing is to be offered here"),
    "perfect, and impossible": (
        "perfect",
        possible("impossible"),
        "possibility",
        "is always possible where nothing is missing",
    ),
    "perfect, and a tool withheld": (
        "perfect",
        withholding("tool:get_stock"),
        "condition.withheld",
        "what is missing comes to []",
    ),
    "a tool missing, and possible": (
        "unavailable-non-replaceable",
        possible("possible"),
        "possibility",
        "is only possible where nothing is missing",
    ),
    "a tool missing, and nothing withheld": (
        "unavailable-non-replaceable",
        withholding(),
        "condition.withheld",
        "what is missing comes to ['tool:",
    ),
}


@pytest.mark.parametrize("name", GAPS)
def test_what_is_missing_is_told_alike_everywhere(name: str, tmp_path: Path) -> None:
    setting, change, field, said = GAPS[name]
    row = of_setting(setting)
    change(row)
    with pytest.raises(BadData) as told:
        plan({**OPTIONS, "data": str(written(tmp_path, row))})
    assert (told.value.place.line, told.value.place.field) == (1, field)
    assert said in told.value.what
