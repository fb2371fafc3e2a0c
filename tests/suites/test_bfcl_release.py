"""BFCL's own files, read from the wheel `bfcl-eval`; nothing of them is kept in this repository."""

import importlib.util
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile

import pytest

from knowact.agents.policy import simplest
from knowact.suites.bfcl.suite import SUITE
from running import knowact, records_at

WHERE = "KNOWACT_BFCL"
SIZES = {"irrelevance": 240, "live_irrelevance": 884, "live_relevance": 16}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the categories: of a wheel or folder that is named, or of the installed package."""
    named, installed = os.environ.get(WHERE), importlib.util.find_spec("bfcl_eval")
    if named and named.endswith(".whl"):
        unpacked = tmp_path_factory.mktemp("bfcl")
        with ZipFile(named) as wheel:
            wheel.extractall(
                unpacked, [one for one in wheel.namelist() if one.startswith("bfcl_eval/data/BFCL_")]
            )
        return unpacked / "bfcl_eval" / "data"
    if named:
        return Path(named)
    if installed is None or installed.origin is None:
        pytest.skip(f"no wheel of bfcl-eval; say where it is with {WHERE} (docs/suites/bfcl.md)")
    return Path(installed.origin).parent / "data"


PYTHON: Mapping[str, type | tuple[type, ...]] = {
    "dict": dict, "float": (int, float), "integer": int, "string": str, "boolean": bool, "array": list,
    "tuple": list, "any": object,
}  # fmt: skip
"""What the release calls types, and what of JSON they are."""


def misfits(value: object, schema: Mapping[str, Any], place: str) -> Iterator[str]:
    """A second opinion on whether a value fits a schema as published, before anything was normalised."""
    # Two of the published enumerations hold texts beside the type "integer" or "array": nothing fits both.
    if "enum" in schema:
        yield from () if value in schema["enum"] else (f"{place}: {value!r} is none of {schema['enum']}",)
    elif not isinstance(value, PYTHON[schema["type"]]):
        yield f"{place}: {value!r} is no {schema['type']}"
    elif isinstance(value, dict):
        given = cast("dict[str, object]", value)
        yield from (f"{place}.{name} is missing" for name in schema.get("required", ()) if name not in given)
        for name, inner in given.items():
            yield from misfits(inner, schema["properties"][name], f"{place}.{name}")
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from misfits(inner, schema["items"], f"{place}[]")


def test_every_category_is_read_whole(folder: Path) -> None:
    plan = SUITE.plan({**SUITE.defaults(), "data": str(folder)})
    categories = [item.labels["category"] for item in plan.items]
    assert {name: categories.count(name) for name in SIZES} == SIZES
    assert len(plan.items) == sum(SIZES.values())


def test_what_the_schemas_lose_is_told_per_tool(folder: Path) -> None:
    lossy = {
        function["name"]
        for line in (folder / "BFCL_v4_irrelevance.json").read_text("utf-8").splitlines()
        for function in json.loads(line)["function"]
        if '"optional":' in json.dumps(function["parameters"])
    }
    remarks = SUITE.plan({**SUITE.defaults(), "data": str(folder)}).remarks
    assert {one.split()[3] for one in remarks if "'optional' is not carried" in one} == lossy
    assert lossy


def test_made_up_arguments_fit_every_published_schema(folder: Path) -> None:
    plan = SUITE.plan({**SUITE.defaults(), "data": str(folder)})
    tools = [tool for item in plan.items for tool in item.tools]
    assert len(tools) > 2000
    assert not [odd for tool in tools for odd in misfits(simplest(tool), tool.parameters, tool.name)]


RIGHT = {"always-act": (True, False), "shy": (False, True), "oracle": (True, True)}
"""Whether a built-in agent is right where a tool is relevant, and where none is."""


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["published", "definition"])
@pytest.mark.parametrize("agent", RIGHT)
def test_built_in_agents_land_where_they_must(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, agent: str, rules: str
) -> None:
    words = ("--data", folder, "--rules", rules, "--limit", 48, "--log-dir", tmp_path)
    ran = knowact(capsys, "run", "bfcl", "--model", f"knowact/{agent}", *words)
    assert ran.code == 0, ran.said
    relevant, irrelevant = RIGHT[agent]
    for one in records_at(tmp_path).values():
        fits = one.labels["category"] == "live_relevance"
        assert bool(one.value("right")) is (relevant if fits else irrelevant), one.item
