"""Whatever stands in a published file, it is either read or refused with its place; nothing else happens."""

import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadData
from knowact.suites.fail_talms.rescoring import rescore

from .release import (
    HIGH_WATER,
    MOONLIT,
    TIDE,
    Files,
    answer,
    asked,
    function,
    info_label,
    outputs,
    query,
    standard,
    tool_label,
    with_combined,
    write,
)

Steps = tuple[str | int, ...]
"""The way to a value: a file's name, then keys and positions."""

ODD: list[Any] = json.loads("""
    [null, true, 0, -1, 2.5, 1e300, "", " ", "yes", "x\\ud800", [], {}, [null], ["x"], {"name": null}, [[{}]]]
""")


def release() -> Files:
    both = {**tool_label("Yes"), **info_label("Idk")}
    return {
        **with_combined(standard()),
        **outputs(
            {
                ("Original", "m_auto_eval"): [answer(1, **both), answer(2, MOONLIT, **both)],
                ("Underspecified", "m_auto_eval"): [answer(1, **info_label("No"), skipped=True)],
                ("Underspecified", "m_auto_eval_qaq"): [answer(1, **info_label("Yes"), **asked("1"))],
                ("No-tools", "m_auto_eval"): [answer(1, win_rate=1)],
            }
        ),
    }


def places(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """Where something could be put, the files themselves included."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in cast("dict[str, Any]", value).items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(cast("list[Any]", value)):
            yield from places(inner, (*path, number))


EVERYWHERE = sorted(places(release()), key=str)


def changed(path: Steps, value: object) -> Files:
    files: Any = copy.deepcopy(release())
    inside = files
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return files


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(path=st.sampled_from(EVERYWHERE), value=st.sampled_from(ODD))
def test_an_odd_value_anywhere_is_read_or_refused(path: Steps, value: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tables, place = rescored(write(Path(folder), changed(path, value)))
        assert tables or place.startswith(folder)


def rescored(folder: Path) -> tuple[int, str]:
    """How many tables there are, or where the file is that was refused."""
    try:
        return len(rescore(folder).tables), ""
    except BadData as error:
        return 0, str(error.place.file)


def test_a_query_of_many_odd_functions_still_has_names_of_its_own(tmp_path: Path) -> None:
    odd = [
        function(("tides", "next high water")),
        function(("tides", "next/high/water")),
        function(HIGH_WATER),
    ]
    files = {**release(), "benchmark/Original/Harbour/query_1.json": [query(TIDE, *odd)]}
    assert rescore(write(tmp_path, files)).tables
