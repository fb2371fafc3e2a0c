"""Descriptors held against the functions that calls would end in."""

from pathlib import Path

import pytest

from knowact.suites.fail_talms.layout import Kind
from knowact.suites.fail_talms.published import load_published

from .release import standard, write

FINE = "def next_high_water(port, days=3): ...\ndef moon_phase(port, days=3): ...\n"


def told(folder: Path, module: str) -> list[tuple[Kind, str]]:
    """What is entered about the tides' descriptor with this module beside it."""
    write(folder, {**standard(), "tools/Harbour/tides/api.py": module})
    found = load_published(folder).deviations
    return [(one.kind, one.how) for one in found if one.kind in (Kind.SIGNATURE, Kind.FUNCTION_MISSING)]


@pytest.mark.parametrize(
    "module",
    [
        FINE,
        FINE.replace("days=3", "days=3, key='x'"),
        FINE.replace("port, days=3", "*, port, days=None"),
        FINE.replace("port, days=3", "port, **more"),
        FINE.replace("def", "async def"),
    ],
)
def test_functions_that_take_what_is_described_are_fine(tmp_path: Path, module: str) -> None:
    assert told(tmp_path, module) == []


def test_without_a_module_there_is_nothing_to_check(tmp_path: Path) -> None:
    found = load_published(write(tmp_path, standard())).deviations
    assert not {Kind.SIGNATURE, Kind.FUNCTION_MISSING} & {one.kind for one in found}


@pytest.mark.parametrize(
    ("signature", "how"),
    [
        ("port", "a call fails with the optional parameter 'days', which the function does not know"),
        (
            "days=3, harbour=''",
            "a call fails with the required parameter 'port', which the function does not",
        ),
        ("port, moon, days=3", "a call fails without 'moon', which the descriptor does not require"),
        ("port, days", "a call fails without 'days', which the descriptor does not require"),
        ("port, *, key, days=3", "a call fails without 'key', which the descriptor does not require"),
    ],
)
def test_a_disagreement_is_told_once_however_many_queries_use_it(
    tmp_path: Path, signature: str, how: str
) -> None:
    ((kind, said),) = told(
        tmp_path, FINE.replace("moon_phase(port, days=3", "x(", 1).replace("x(", "moon_phase(" + signature)
    )
    assert kind is Kind.SIGNATURE
    assert said.startswith(f"moon_phase: {how}")


def test_a_function_that_is_not_there_is_told(tmp_path: Path) -> None:
    found = told(tmp_path, FINE.replace("moon_phase", "moon"))
    assert found == [(Kind.FUNCTION_MISSING, "api.py has no 'moon_phase'")]


def test_a_module_is_read_and_never_run(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    assert told(tmp_path, f"open({str(marker)!r}, 'w')\nimport nothing.at.all\n{FINE}") == []
    assert not marker.exists()


@pytest.mark.parametrize("module", ["def (", "\x00", "x = '\\d'\ndef next_high_water(port, days=3): ..."])
def test_modules_that_are_odd_python_stop_nothing(tmp_path: Path, module: str) -> None:
    kinds = [kind for kind, _ in told(tmp_path, module)]
    assert kinds == ([Kind.FUNCTION_MISSING] if "next" in module else [])
