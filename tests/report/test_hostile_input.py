"""What models write is hostile: nothing of it becomes markup, a formula, or invalid JSON."""

import csv
import dataclasses
import io
import json
import math
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core import clean
from knowact.core.record import Decided, Record, Result
from knowact.core.suite import Suite
from knowact.core.table import DatasetInfo, Estimate, Figure, Row, Run, Table
from knowact.core.transcript import Transcript, Turn
from knowact.report import as_json
from knowact.report.as_csv import as_csv, table_csv
from knowact.report.as_text import run_text, table_text
from knowact.report.build import Report, ReportInput, build, no_transcripts
from knowact.report.markup import Markup, join, tag
from knowact.report.page import page
from knowact.report.payload import TEXT_LIMIT, script_json

from .reading_html import read_page
from .report_double import MadeRate, always, make_record, make_run, make_suite

HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "&lt;b&gt; & </title></style></textarea>",
    "line\u2028and\u2029paragraph",
    "nul\0and\x1b[31mescape",
    "\u202eright to left \u05e9\u05dc\u05d5\u05dd",
    "half a pair \ud83d and \udc00",
    '=HYPERLINK("http://evil.example","x")',
    "]]> ${x} $heading %s {0}",
    "",
    "x" * (TEXT_LIMIT + 5),
]


def hostile_report(text: str) -> Report:
    """A report in which every field of text is `text`."""
    plain = make_record(1, 0.5, Random(0))
    record = dataclasses.replace(
        plain,
        item=text,
        condition=text,
        cluster=text,
        labels={text: text, "boundary": text},
        offered=(text,),
        required=frozenset({text}),
        needed=frozenset({text}),
        used=None,
        outcomes={text: plain.outcomes["act"]},
        results={text: Result.of(math.inf, by=text, why=text), "jaccard_know": Result.of(-math.inf)},
        flags={text: 1},
        decided=(Decided(text, text, call=0),),
        seconds=math.nan,
        cost=math.nan,
    )
    run = Run(
        id=f"run {text}",
        suite=text,
        dataset=DatasetInfo(text, text, text),
        model=text,
        options={text: text, "nan": math.nan, "object": object, "bytes": b"\xff", "set": {text}},
        logs=(text,),
        planned=2,
        records=[record],
        superseded=(text,),
        problems=(text,),
        roles={"extractor": (text, "file:x"), text: (text,)},
        prompts={text: text},
    )
    estimate = Estimate(math.nan, 1, -math.inf, math.nan, text)
    keys = {text: text, "model": text, "boundary": text}
    table = Table(text, text, text, (Row(keys, text, estimate),), ("boundary",), text)
    figure = Figure(
        f"figure {text}", text, text, {"title": text, "data": {"values": [{"x": math.nan}]}}, text
    )
    return build(_input(text, run, record, table, figure))


def _input(text: str, run: Run, record: Record, table: Table, figure: Figure) -> ReportInput:
    suite = dataclasses.replace(
        make_suite(text, text),
        question=text,
        paper=text,
        tables=(always(table),),
        figures=(always(figure),),
        summary_lines=always([text, text]),
        measures=("jaccard_know", text),
    )
    turn = Turn(text, text, ((text, text),), text, text)
    transcript = Transcript(text, text, 1, ((text, (turn, turn)),), text)
    rate = MadeRate(text, text, Estimate(math.nan, 1))
    return ReportInput([(suite, [run])], always([transcript]), always(text), always([rate]))


@pytest.fixture(scope="module")
def ordinary() -> list[tuple[str, tuple[str, ...]]]:
    return _shape(page(hostile_report("word")))


def _shape(html: str) -> list[tuple[str, tuple[str, ...]]]:
    """Every tag with the names of its attributes; `wbr` stands after each slash and can do no harm."""
    return [(name, tuple(attributes)) for name, attributes in read_page(html).tags if name != "wbr"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_adds_no_tag_and_no_attribute_to_the_page(
    text: str, ordinary: list[tuple[str, tuple[str, ...]]]
) -> None:
    html = page(hostile_report(text))
    html.encode()
    shape = _shape(html)
    if text:
        assert shape == ordinary
    else:
        assert {name for name, _ in shape} <= {name for name, _ in ordinary}


@pytest.mark.parametrize("text", HOSTILE)
def test_the_pages_transcripts_hold_the_text_as_it_was(text: str) -> None:
    (transcript,) = read_page(page(hostile_report(text))).transcripts.values()
    turn = transcript["probes"][0]["turns"][0]
    shown = turn["text"]
    assert turn.get("decided", "") == shown
    expected = clean.text(text)
    assert shown == expected or (len(text) > TEXT_LIMIT and shown.startswith(expected[:TEXT_LIMIT]))
    assert len(shown) < TEXT_LIMIT + 100


@pytest.mark.parametrize("text", HOSTILE)
def test_report_json_is_strict_and_loses_nothing_else(text: str) -> None:
    report = hostile_report(text)
    dumped = as_json.dumps(report)
    dumped.encode()

    def refuse(constant: str) -> Any:
        raise AssertionError(f"{constant} is not JSON")

    read = json.loads(dumped, parse_constant=refuse)
    assert read == clean.plain(as_json.as_json(report))
    assert read["runs"][0]["model"] == clean.text(text)
    assert read["tables"][0]["rows"][0]["value"] is None


@pytest.mark.parametrize("text", HOSTILE)
def test_csv_reads_back_and_no_cell_is_a_formula(text: str) -> None:
    for name, content in as_csv(hostile_report(text)).items():
        content.encode()
        assert name.isascii()
        rows = list(csv.reader(io.StringIO(content, newline="")))
        assert {len(row) for row in rows} == {len(rows[0])}
        assert not [cell for row in rows for cell in row if cell.lstrip(" \t\r\n\0").startswith(("=", "@"))]


@pytest.mark.parametrize("text", HOSTILE)
def test_the_terminal_gets_no_control_characters(text: str) -> None:
    report = hostile_report(text)
    section = report.sections[0]
    shown = table_text(section.tables[0]) + run_text(section.runs[0])
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    shown.encode()


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(
    st.recursive(
        st.text() | st.floats() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_json_in_a_script_never_ends_it_and_reads_back(value: object) -> None:
    text = script_json(value)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == clean.plain(value)


@settings(deadline=None, max_examples=200)
@given(st.text())
def test_text_and_attributes_read_back_from_html(text: str) -> None:
    read = read_page(tag("p", text, title=text) + '<script type="application/json">{}</script>')
    expected = clean.text(text).replace("\0", "\N{REPLACEMENT CHARACTER}")
    assert read.tags[0] == ("p", {"title": expected})
    assert "".join(read.texts) == expected


def test_only_markup_passes_unescaped() -> None:
    assert join("<b>", Markup("<i>"), None, 3) == "&lt;b&gt;<i>3"
    assert tag("input", type="text", hidden=True, disabled=False, value=None) == '<input type="text" hidden>'
    assert tag("p", class_="a", data_x=1) == '<p class="a" data-x="1"></p>'


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", " =", "\0="])
def test_a_formula_gets_an_apostrophe_and_a_number_does_not(start: str) -> None:
    rows = (Row({"model": f"{start}1+1"}, "DirGap", Estimate(-0.5, 3, -0.7, -0.2, "wilson")),)
    head, line = csv.reader(io.StringIO(table_csv(Table("t", "T", "s", rows)), newline=""))
    assert head == ["model", "measure", "value", "n", "low", "high", "method"]
    assert line == [f"'{start}1+1", "DirGap", "-0.5", "3", "-0.7", "-0.2", "wilson"]


def test_file_names_of_tables_are_safe_and_differ_whatever_the_case() -> None:
    names = ["Main", "main", "../../etc/passwd", "items", "...", "a/b:c*"]

    suite: Suite = dataclasses.replace(
        make_suite(), tables=tuple(always(Table(name, "T", "s", ())) for name in names), figures=()
    )
    runs: Sequence[Run] = [make_run("m", 0.5, size=1)]
    files = as_csv(build(ReportInput([(suite, runs)], no_transcripts, always(""))))
    assert list(files) == [
        "Main.csv",
        "main-2.csv",
        "etc-passwd.csv",
        "items-2.csv",
        "table.csv",
        "a-b-c.csv",
        "headlines.csv",
        "knowing-acting.csv",
        "profile.csv",
        "items.csv",
    ]
