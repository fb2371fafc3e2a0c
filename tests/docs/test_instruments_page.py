"""docs/instruments.md prints what the blind forms and the parsers get wrong, item by item."""

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from knowact.roles.calibration import LabelledItem, Rate, rates_of
from knowact.suites import labelled_sets
from labelled_parsers import parser_rates

PAGE = Path(__file__).parents[2] / "docs" / "instruments.md"


def line(rate: Rate, *, named: bool = True) -> str:
    one = rate.estimate
    assert one.value is not None
    assert one.low is not None
    assert one.high is not None
    interval = f"{one.value:.1%} of {one.n} (95 %: {one.low:.1%} to {one.high:.1%})"
    return (
        f"{rate.kind}, {rate.what}: {interval}{''.join(f' {name}' for name in rate.wrong) if named else ''}"
    )


def text(rates: Iterable[Rate]) -> str:
    return "\n".join(map(line, rates))


def of_parsers() -> str:
    """What was read wrongly by name; what was not read, which is told in a run, by number."""
    return "\n".join(line(rate, named=rate.what == "false pass") for rate in parser_rates().values())


@cache
def blind(role: str, name: str) -> tuple[Rate, ...]:
    items: dict[str, LabelledItem] = {}
    for one in labelled_sets():
        # The forms of continuations were filled for the extractor; the judge's sets have the same ids.
        items |= {item.id: item for item in one.items} if one.role == role else {}
    filled = files("knowact.roles").joinpath("labelled", "forms", f"{name}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(row) for row in filled.splitlines()]
    return rates_of(
        (row["id"], mark) for row in rows for mark in items[row["id"]].marks(json.dumps(row["form"]))
    )


def printed(name: str) -> str:
    found = re.search(
        rf"<!-- held by tests/docs: {name} -->\n```text\n(.*?)\n```",
        PAGE.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert found is not None, f"the page has no block {name}"
    return found.group(1)


@pytest.mark.parametrize(("role", "name"), [("extractor", "replies"), ("judge", "car")])
def test_the_page_prints_what_blind_forms_get_wrong(role: str, name: str) -> None:
    assert printed(name) == text(blind(role, name))


def test_the_page_prints_what_the_parsers_get_wrong() -> None:
    assert printed("parsers") == of_parsers()


def test_the_page_says_why_each_blind_form_erred() -> None:
    page = PAGE.read_text(encoding="utf-8")
    wrong = {
        name
        for pair in (("extractor", "replies"), ("judge", "car"))
        for rate in blind(*pair)
        for name in rate.wrong
    }
    assert sorted(name for name in wrong if f"| `{name}` |" not in page) == []
